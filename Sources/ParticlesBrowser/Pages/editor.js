// An open text: a plain editor. What was typed is saved by the document layer of the program, a moment later.

import { button, make } from "./icons.js";
import { order } from "./server.js";
import { text, visible } from "./strings.js";

export async function openEditor(app, item) {
  const status = make("span", { class: "status", role: "status" }, text("loading"));
  const area = make("textarea", { "aria-label": visible(item.name), spellcheck: "false", disabled: true });
  const dialog = make("dialog", { class: "full editor", "aria-label": visible(item.name) },
    make("header", {}, button("back", text("back"), () => close()), make("h2", {}, visible(item.name)), status), area);
  document.body.append(dialog);
  dialog.showModal();
  history.pushState({ place: app.model.place.id }, "");
  let { id } = item;
  let revision;
  let path;
  let sent;
  let timer;
  let saving = Promise.resolve();
  let isClosed = false;

  function say(line, isWrong = false) {
    status.textContent = line;
    status.classList.toggle("wrong", isWrong);
  }

  async function open() {
    const contents = await order("open", { item: id, window: app.windowName });
    revision = contents.document.revision;
    path = contents.document.path;
    return contents.text ?? "";
  }

  /** Sends what was typed; keeps it, and tries again, where that fails. */
  function save() {
    clearTimeout(timer);
    saving = saving.then(async () => {
      const now = area.value;
      if (now === sent) return;
      say(text("saving"));
      try {
        const contents = await order("text", { item: id, text: now, revision });
        revision = contents.document.revision;
        sent = now;
        // Another program may have changed other lines.
        if (contents.text !== now && area.value === now) replace(contents.text);
        say(area.value === sent ? text("saved") : text("unsaved"));
      } catch (error) {
        say(error.status ? text("saveFailed", error.message) : text("unsaved"), true);
        timer = setTimeout(save, 2000);
      }
    });
    return saving;
  }

  function replace(value) {
    const { selectionStart, selectionEnd, scrollTop } = area;
    area.value = value;
    area.setSelectionRange(selectionStart, selectionEnd);
    area.scrollTop = scrollTop;
    sent = value;
  }

  async function close() {
    if (isClosed) return;
    await save();
    if (area.value !== sent && !area.disabled) return;
    isClosed = true;
    dialog.remove();
    document.removeEventListener("browser-document", changed);
    document.removeEventListener("browser-resumed", resumed);
    await app.attempt(order("close", { window: app.windowName }));
    await app.refresh();
    app.collection.focus({ preventScroll: true });
  }

  async function changed({ detail }) {
    if (detail.document?.id !== id || detail.document.revision === revision || area.value !== sent) return;
    const value = await open().catch(() => undefined);
    if (value !== undefined && area.value === sent) replace(value);
  }

  /** After a restart, the document is opened again, and what is unsent is sent. */
  async function resumed() {
    try {
      const found = await order("find", { path });
      id = found.id;
      const value = await open();
      if (area.value === sent) replace(value);
      else if (value !== sent) say(text("changedOutside"), true);
      await save();
    } catch (error) {
      say(text("saveFailed", error.message), true);
    }
  }

  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  area.addEventListener("input", () => {
    say(text("unsaved"));
    clearTimeout(timer);
    timer = setTimeout(save, 500);
  });
  area.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "s") {
      event.preventDefault();
      save();
    }
  });
  addEventListener("pagehide", () => { if (!isClosed && area.value !== sent) save(); });
  document.addEventListener("browser-document", changed);
  document.addEventListener("browser-resumed", resumed);
  try {
    area.value = sent = await open();
    area.disabled = app.state.isReadOnly;
    say(app.state.isReadOnly ? text("readOnly") : text("saved"));
    area.focus();
    area.setSelectionRange(0, 0);
  } catch (error) {
    say([error.message, error.hint].filter(Boolean).join(" "), true);
  }
}
