// What a window shows is noted by the program, so that it comes back: place, selection, view, open document.

import { windowName } from "./first-request.js";
import { tell } from "./messages.js";
import { address, order } from "./server.js";
import { text, visible } from "./texts.js";

/** Notes place, selection and view after a change. */
export function noteWindow(app) {
  const { model, collection } = app;
  let timer;
  let noted;
  const note = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const body = {
        window: windowName, location: model.place?.id, selection: [...model.selection].slice(0, 200),
        view: { mode: collection.mode, sort: model.sort, reversed: model.isReversed, kind: model.kind, scroll: Math.round(collection.view.top) },
      };
      const words = JSON.stringify(body);
      if (words === noted || !body.location) return;
      noted = words;
      order("window", body).catch(() => {});
    }, 600);
  };
  model.addEventListener("selection", note);
  model.addEventListener("shown", note);
  document.getElementById("scroller").addEventListener("scroll", note, { passive: true });
  document.addEventListener("browser-resumed", () => {
    noted = undefined;
    note();
  });
  addEventListener("pagehide", () => { order("window", { window: windowName, closed: true }, { keepalive: true }).catch(() => {}); });
  // A page that comes out of the cache of the browser is open again.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    noted = undefined;
    note();
  });
  return note;
}

/** Takes the view of a window that comes back, before its place is shown. */
export function takeView(app) {
  const { view } = app.state.window ?? {};
  if (!view) return;
  if (["grid", "list"].includes(view.mode)) app.collection.setMode(view.mode);
  if (["name", "date", "size", "kind"].includes(view.sort)) app.model.sort = view.sort;
  app.model.isReversed = Boolean(view.reversed);
  if (["all", "effect", "text", "folder"].includes(view.kind)) app.model.kind = view.kind;
}

/** Takes the selection, the position and the open document of a window that comes back. */
export function takeWindow(app) {
  const { window: state, losses = [], others = 0 } = app.state;
  for (const loss of losses.slice(0, 3)) tell(text("gone", visible(loss.replace(/^'|' is gone$/g, ""))), { isWrong: true });
  if (state) {
    app.model.select(state.selection ?? []);
    if (state.view?.scroll) app.collection.scrollTo(state.view.scroll);
    const item = app.model.byId.get(state.document);
    if (item) app.openItem(item);
  }
  // A browser opens one window for a click. The new window offers the next.
  if (others) {
    tell(others === 1 ? text("otherWindow") : text("otherWindows", others), {
      ways: [{ label: text("reopen"), run: () => window.open(address(""), "_blank", "noopener") }],
    });
  }
}
