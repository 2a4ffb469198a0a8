// An open effect: it moves, from edge to edge.

import { actionsFor, offReason } from "./actions.js";
import { button, make } from "./icons.js";
import { conflictBar } from "./conflict.js";
import { Offers } from "./offers.js";
import { saveCopy, stateOffer } from "./rescue.js";
import { isOfModule, isQuiet, loadPlayer } from "./moving.js";
import { address, load, order } from "./server.js";
import { messageOf, text, visible, worded } from "./texts.js";
import { enterHistory, leaveHistory } from "./staying.js";
import { Zoom } from "./zoom.js";

export async function openViewer(app, item, zoom = new Zoom(app, item)) {
  const still = make("img", { alt: "", src: address("thumbnail", { item: item.id, size: 512 }) });
  still.onerror = () => still.remove();
  const stage = make("figure", { class: "stage" }, still);
  const progress = make("progress", { "aria-label": text("loading") });
  const play = button("pause", text("pause"), () => {
    if (effect.paused) effect.play();
    else effect.pause();
  });
  const controls = make("div", { class: "controls", role: "toolbar", "aria-label": text("play") }, play,
    button("restart", text("restart"), () => effect.restart()));
  const actions = actionsFor([item], app).filter(({ id }) => ["information", "convert", "export", "share"].includes(id));
  const conflict = conflictBar(app, () => item.id, () => {});
  const offers = new Offers();
  const way = (name) => app.attempt(order("rescue", { item: item.id, way: name, window: app.windowName }));
  const copy = (title) => saveCopy(app, title, { item: () => item.id, name: item.raw ?? item.name, leave: close });
  const changed = ({ detail }) => {
    if (detail.document?.id !== item.id) return;
    conflict.update(detail.document);
    offers.set("state", stateOffer(detail.document.states, { name: item.raw ?? item.name, way, copy }));
  };
  const dialog = make("dialog", { class: "full viewer", "aria-label": visible(item.name) },
    make("header", {}, button("back", text("back"), () => close()), make("h2", {}, visible(item.name), make("small", {}, item.title ?? "")),
      ...actions.map((action) => button(action.icon, text(action.label), () => action.run(app, [item]), { isShown: true, "data-action": action.id, disabled: offReason(action, [item]) !== undefined, title: offReason(action, [item]) }))),
    make("div", { class: "above" }, conflict, offers.element), stage);
  let effect;
  let isClosed = false;
  stage.append(progress);
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  document.body.append(dialog);
  dialog.showModal();
  enterHistory(app);
  zoom.enter(stage);

  async function close() {
    if (isClosed) return;
    isClosed = true;
    document.removeEventListener("browser-document", changed);
    effect?.remove();
    const box = stage.getBoundingClientRect();
    dialog.remove();
    leaveHistory(dialog);
    zoom.leave(box);
    app.collection.focus({ preventScroll: true });
    // Waits until changes are saved.
    await app.attempt(order("close", { window: app.windowName }));
  }

  function fail(message, hint) {
    progress.remove();
    effect?.remove();
    controls.remove();
    stage.append(make("p", { class: "notice wrong", role: "alert" }, [message, hint].filter(Boolean).join(" ")));
  }

  try {
    document.addEventListener("browser-document", changed);
    conflict.update((await order("open", { item: item.id, window: app.windowName })).document);
  } catch (error) {
    fail(messageOf(error), worded(error.hint));
    return;
  }
  if (!app.state.hasModule) return drawn();
  try {
    await loadPlayer();
    await zoom.moved;
  } catch {
    return drawn();
  }
  if (isClosed) return;
  effect = make("particles-effect", { loop: true, autoplay: !isQuiet(), background: "auto", "aria-label": visible(item.name) });
  effect.addEventListener("ready", () => progress.remove());
  effect.addEventListener("frame", () => still.remove(), { once: true });
  effect.addEventListener("error", async ({ detail }) => {
    // The program knows more about the fault of a file than the player. Files that it can read, it draws.
    const fault = await load("effect", { item: item.id }).then(() => undefined, (error) => error);
    if (fault) return fail(messageOf(fault), worded(fault.hint));
    effect.remove();
    controls.remove();
    return isOfModule(detail) ? drawn() : drawn(detail.message);
  });
  for (const name of ["play", "pause"]) {
    effect.addEventListener(name, () => {
      const other = button(effect.paused ? "play" : "pause", text(effect.paused ? "play" : "pause"), () => {});
      play.replaceChildren(...other.childNodes);
      play.setAttribute("aria-label", other.getAttribute("aria-label"));
    });
  }
  effect.setAttribute("src", address("effect", { item: item.id, version: `${item.modified}-${item.size}` }).href);
  stage.append(effect, controls);

  /** Without WebAssembly: an animation that the program has drawn. */
  function drawn(reason) {
    const image = make("img", { alt: visible(item.name), class: "ready", src: address("export", { item: item.id, format: "webp", size: 480 }) });
    image.onload = () => {
      progress.remove();
      still.remove();
    };
    image.onerror = async () => {
      image.remove();
      // The answer states the reason, which an image cannot tell.
      const fault = await load("export", { item: item.id, format: "webp", size: 16 }).then(() => undefined, (error) => error);
      fail(messageOf(fault) ?? text("noPicture"), worded(fault?.hint));
    };
    stage.append(image, make("p", { class: "notice" }, [text("noModule"), reason].filter(Boolean).join(" ")));
  }
}
