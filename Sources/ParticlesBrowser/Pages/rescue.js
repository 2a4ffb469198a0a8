// Ways out for an open document that cannot be saved, or whose file is gone, and for copies that programs have left.

import { button, make } from "./icons.js";
import { loadPlayer, isQuiet } from "./moving.js";
import { address, order } from "./server.js";
import { field, sheet } from "./sheet.js";
import { formatDate, text, visible } from "./texts.js";

/**
 * The line about the state of a document. None if it can be saved where it is.
 * @param {string[]} states the states of the document
 * @param {{ name: string, obstacle?: { kind: string, folder: string }, way: (name: string) => void, copy: (title: string) => void }} values the name of the
 *   document, why it cannot be saved, and what takes a way out
 */
export function stateOffer(states, { name, obstacle, way, copy }) {
  const shown = visible(name);
  const discard = ["rescueDiscard", () => way("discard")];
  const saveNew = ["rescueNew", () => copy(text("rescueNew"))];
  if (states.includes("trashed")) return { line: text("trashedHint", shown), ways: [["rescueRestore", () => way("restore")], saveNew, discard] };
  if (states.includes("deleted")) return { line: text("goneHint", shown), ways: [["rescueRecreate", () => way("recreate")], saveNew, discard] };
  if (!states.includes("read-only") || !obstacle || obstacle.kind === "format") return undefined;
  const line = obstacle.kind === "folder" ? text("obstacleFolder", shown, visible(obstacle.folder)) : text("obstacleFile", shown);
  return { line, ways: [["rescueCopy", () => copy(text("rescueCopy"))]] };
}

/**
 * Asks for a folder and a name.
 * @param {(values: { location: string, name: string }) => Promise<object | undefined>} write writes the document, and returns its item
 */
export function askPlace(app, title, name, write) {
  const window = sheet(title);
  const places = app.places.filter(({ writable, kind }) => writable && kind !== "recents");
  const here = app.model.place?.writable && !places.some(({ id }) => id === app.model.place.id) ? [app.model.place] : [];
  const select = make("select", {}, ...[...here, ...places].map((place) => make("option", { value: place.id }, visible(place.path ?? place.name))));
  const input = make("input", { autocomplete: "off", spellcheck: "false", value: name });
  const done = button(undefined, text("save"), async () => {
    done.disabled = true;
    const item = await window.attempt(() => write({ location: select.value, name: input.value.trim() || name }));
    done.disabled = false;
    if (!item) return;
    window.dialog.close();
    app.tell(text("copySaved", visible(item.name)));
  }, { isShown: true, class: "primary" });
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") done.click(); });
  window.body.append(field(text("path"), select), field(text("name"), input));
  window.ask(done);
  input.focus();
  const dot = name.lastIndexOf(".");
  input.setSelectionRange(0, dot > 0 ? dot : name.length);
}

/**
 * Saves a document elsewhere, and goes on there.
 * @param {() => Promise<void>} leave closes what shows the document, without a question
 */
export function saveCopy(app, title, { item, name, before = () => {}, leave }) {
  askPlace(app, title, name, async (values) => {
    await before();
    const { copy } = await order("rescue", { item: item(), way: "copy", window: app.windowName, ...values });
    await leave();
    await app.revealIn({ location: copy.parent, item: copy.id }, true);
    return copy;
  });
}

/** The line about changes that a program had not saved. */
export const recoveredLine = (key, { seconds }, name) => text(key, formatDate(seconds), visible(name));

/** A picture of an effect that moves, over a still picture. */
export function movingPicture(still, moving) {
  const image = make("img", { alt: "", class: "ready", src: still });
  image.onerror = () => image.remove();
  const picture = make("div", { class: "picture" }, image);
  loadPlayer().then(() => {
    const element = document.createElement("particles-effect");
    element.setAttribute("loop", "");
    if (!isQuiet()) element.setAttribute("autoplay", "");
    element.setAttribute("background", "auto");
    element.addEventListener("frame", () => image.remove(), { once: true });
    element.addEventListener("error", () => element.remove());
    element.setAttribute("src", moving);
    picture.append(element);
  }, () => {});
  return picture;
}

/** Two states of an effect beside each other. */
export function showPair(title, sides) {
  const window = sheet(title, { isWide: true });
  window.body.append(make("div", { class: "pair" }, ...sides.map(({ label, still, moving }) => make("figure", {}, make("figcaption", {}, text(label)), movingPicture(still, moving)))));
  window.end();
  return window;
}

/** The addresses of an effect as it is saved, as it is open, or as an entry of the recovery journal has it. */
export const sideOf = {
  saved: (label, item) => ({ label, still: address("thumbnail", { item, size: 512 }).href, moving: address("effect", { item, now: Date.now() }).href }),
  open: (label, item, values = {}) => ({ label, still: address("edit-thumbnail", { item, size: 256, now: Date.now(), ...values }).href, moving: address("edit-effect", { item, now: Date.now(), ...values }).href }),
  entry: (label, entry) => ({
    label, still: address("recovery-contents", { entry, as: "thumbnail", size: 256 }).href, moving: address("recovery-contents", { entry, as: "effect" }).href,
  }),
};

/**
 * The line about a change by another program, if there was one.
 * @param {{ seconds: number, program?: string, before?: number, after?: number, endsUndo?: string } | undefined} outside the change
 * @param {{ name: string, show?: () => void, takeBack: () => void }} values what shows it, and what takes it back
 */
export function outsideOffer(outside, { name, show, takeBack }) {
  if (!outside) return undefined;
  const line = outside.program ? text("outsideChangedBy", visible(name), visible(outside.program)) : text("outsideChanged", visible(name));
  const ways = [...(show && outside.before !== undefined && outside.after !== undefined ? [["recoveredShow", show]] : []), ["outsideUndo", takeBack]];
  return { isMild: true, hides: true, line: outside.endsUndo ? `${line} ${text("outsideEnded")}` : line, ways };
}

/** A text that was not saved, to be read. */
export async function showText(entry) {
  const window = sheet(text("recoveredTitle"), { isWide: true });
  const answer = await window.attempt(async () => (await fetch(address("recovery-contents", { entry, as: "text" }))).json());
  window.body.append(make("textarea", { class: "left-text", readonly: true, "aria-label": text("recoveredChanged") }, answer?.text ?? ""));
  window.end();
}
