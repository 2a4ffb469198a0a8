// A plain editor of an open text. The document layer of the program saves typed text a moment later.

import { conflictBar } from "./conflict.js";
import { button, make } from "./icons.js";
import { Offers } from "./offers.js";
import { outsideOffer, recoveredLine, saveCopy, showText, stateOffer } from "./rescue.js";
import { order } from "./server.js";
import { enterHistory, leaveHistory, stayOnEscape, tellWayBack } from "./staying.js";
import { faultLine, messageOf, text, visible } from "./texts.js";

export async function openEditor(app, item) {
  const status = make("span", { class: "status", role: "status" }, text("loading"));
  const area = make("textarea", { "aria-label": visible(item.name), spellcheck: "false", disabled: true });
  const conflict = conflictBar(app, () => id, (answer) => {
    revision = answer.document.revision;
    replace(plain(answer.text ?? ""));
    say(text("saved"));
  });
  const offers = new Offers();
  const name = item.raw ?? item.name;
  const dialog = make("dialog", { class: "full editor", "aria-label": visible(item.name) },
    make("header", {}, button("back", text("back"), () => close()), make("h2", {}, visible(item.name)), status), make("div", { class: "above" }, conflict, offers.element), area);
  document.body.append(dialog);
  dialog.showModal();
  enterHistory(app);
  let { id } = item;
  let revision;
  let path;
  let sent;
  let newline = "\n";
  let timer;
  let saving = Promise.resolve();
  let isClosed = false;

  function say(line, isWrong = false) {
    status.textContent = status.title = line;
    status.classList.toggle("wrong", isWrong);
  }

  let states = [];

  /** The reason why the document cannot be saved, or undefined. */
  function showState(described, obstacle) {
    ({ states } = described);
    conflict.update(described);
    offers.set("state", stateOffer(states, {
      name, obstacle,
      way: async (way) => {
        const answer = await app.attempt(order("rescue", { item: id, way, window: app.windowName }));
        if (!answer) return;
        if (answer.document) return save();
        // It is given up, and closed.
        sent = area.value;
        close();
      },
      copy: (title) => saveCopy(app, title, { item: () => id, name, before: save, leave: async () => { sent = area.value; await close(); } }),
    }));
  }

  /** Changes that a program had not saved. */
  function offer(entry) {
    offers.set("recovered", entry && !app.state.isReadOnly ? {
      isMild: true, hides: true, line: recoveredLine("recoveredOffered", entry, name),
      ways: [
        ["recoveredTake", async () => {
          await save();
          if (!(await app.attempt(order("recovery", { entry: entry.entry, way: "take", item: id })))) return;
          const value = await open();
          if (!mergeIn(value)) say(text("changedOutside"), true);
          await save();
        }],
        ["recoveredShow", () => showText(entry.entry)],
        ["rescueDiscard", async () => {
          if (await app.attempt(order("recovery", { entry: entry.entry, way: "discard" }))) offers.set("recovered");
        }],
      ],
    } : undefined);
  }

  const isSavable = () => !["deleted", "read-only", "in conflict", "not saved"].some((each) => states.includes(each));

  async function open() {
    const contents = await order("open", { item: id, window: app.windowName });
    revision = contents.document.revision;
    path = contents.document.path;
    showState(contents.document, contents.obstacle);
    offer(contents.offered);
    const stored = contents.text ?? "";
    newline = stored.includes("\r\n") ? "\r\n" : "\n";
    return plain(stored);
  }

  /** Sends typed text. If that fails, keeps it and tries again. */
  function save() {
    clearTimeout(timer);
    saving = saving.then(async () => {
      const now = area.value;
      // Nothing was typed, or there is nothing yet to be typed into.
      if (now === sent || sent === undefined) return;
      say(text("saving"));
      try {
        // A page that is being closed still sends a small body.
        const contents = await order("text", { item: id, text: now.replaceAll("\n", newline), revision }, { keepalive: now.length < 10_000 });
        revision = contents.document.revision;
        sent = now;
        // Another program may have changed other lines.
        mergeIn(plain(contents.text ?? now));
        say(area.value === sent ? text("saved") : text("unsaved"));
        if (area.value !== sent) timer = setTimeout(save, 500);
      } catch (error) {
        say(error.status ? text("saveFailed", messageOf(error)) : text("unsaved"), true);
        // The document has a new revision, or was closed: merges the typed text into its present text.
        if (error.status >= 400) {
          const theirs = await open().catch(() => undefined);
          if (theirs !== undefined && !mergeIn(theirs)) say(text("changedOutside"), true);
          // The program has the text, and would fail to save it again.
          if (!isSavable() && area.value === sent) {
            say(text(states.includes("trashed") ? "stateTrashed" : states.includes("deleted") ? "stateGone" : "unsaved"), true);
            return;
          }
        }
        if (area.value !== sent) timer = setTimeout(save, 2000);
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

  /** Merges text typed since into the program's text. Returns false if both have changed one part. */
  function mergeIn(theirs) {
    const ours = area.value;
    const whole = ours === sent ? theirs : ours === theirs ? ours : merged(sent, ours, theirs);
    if (whole !== undefined && whole !== ours) replace(whole);
    sent = theirs;
    return whole !== undefined;
  }

  async function close() {
    if (isClosed) return;
    await save();
    // The program has the typed text, and keeps it also if the document cannot be saved.
    if (area.value !== sent && !area.disabled) return;
    isClosed = true;
    dialog.remove();
    leaveHistory(dialog);
    document.removeEventListener("browser-document", changed);
    document.removeEventListener("browser-resumed", resumed);
    await app.attempt(order("close", { window: app.windowName }));
    await app.refresh();
    app.collection.focus({ preventScroll: true });
  }

  async function changed({ detail }) {
    if (detail.document?.id !== id) return;
    showState(detail.document);
    if (detail.what === "outside") {
      offers.set("outside", outsideOffer(detail.document.outside, {
        name,
        takeBack: async () => {
          await save();
          if (await app.attempt(order("rescue", { item: id, way: "outside", window: app.windowName }))) offers.set("outside");
        },
      }));
    }
    if (states.includes("closed")) return;
    if (!isSavable()) say(text(states.includes("trashed") ? "stateTrashed" : states.includes("deleted") ? "stateGone" : "unsaved"), true);
    else if (area.value === sent && !states.includes("changed")) say(text("saved"));
    if (!conflict.hidden || detail.document.revision === revision || area.value !== sent) return;
    const value = await open().catch(() => undefined);
    if (value !== undefined && area.value === sent) replace(value);
  }

  /** After a restart, opens the document again, and sends unsent text. */
  async function resumed() {
    try {
      const found = await order("find", { path });
      id = found.id;
      const value = await open();
      if (!mergeIn(value)) say(text("changedOutside"), true);
      await save();
    } catch (error) {
      say(text("saveFailed", messageOf(error)), true);
    }
  }

  stayOnEscape(dialog, close, () => tellWayBack(app));
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
    say(faultLine(error), true);
  }
}

/** A text area has line feeds only. */
export const plain = (value) => value.replace(/\r\n?/g, "\n");

/** The changes of two texts to one, or undefined if they touch. */
export function merged(base, ours, theirs) {
  const change = (to) => {
    const most = Math.min(base.length, to.length);
    let start = 0;
    while (start < most && base[start] === to[start]) start += 1;
    let rest = 0;
    while (rest < most - start && base.at(-1 - rest) === to.at(-1 - rest)) rest += 1;
    return { start, end: base.length - rest, text: to.slice(start, to.length - rest) };
  };
  const [first, second] = [change(ours), change(theirs)].sort((a, b) => a.start - b.start);
  if (first.end >= second.start) return undefined;
  return base.slice(0, first.start) + first.text + base.slice(first.end, second.start) + second.text + base.slice(second.end);
}
