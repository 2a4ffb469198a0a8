// The effect editor: puts its parts together.

import { button, make } from "../icons.js";
import { ask, order } from "../server.js";
import { sheet } from "../sheet.js";
import { enterHistory, leaveHistory, stayOnEscape, tellWayBack } from "../staying.js";
import { faultLine, text, typeName, visible } from "../texts.js";
import { drawnIn } from "../zoom.js";
import { controlKeys, keyName } from "./control-keys.js";
import { tool } from "./control-parts.js";
import { EffectBanner, makeTitle, openConversion, openExport, openInformation, saveForeign, showEdits, showVersions } from "./document.js";
import { editName } from "./edit-names.js";
import "./emitters.js";
import "./images.js";
import "./inspector.js";
import "./presets.js";
import { EditSession } from "./session.js";
import { EffectSplit } from "./split.js";
import { EffectStage } from "./stage.js";
import { EffectTime } from "./time.js";
import "./variations.js";
import { divider, folding } from "./widths.js";

/** An element of the controls, with the session. */
function control(name, session, values = {}) {
  const element = document.createElement(name);
  element.session = session;
  for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
  return element;
}

/** Opens an effect, or returns false if it cannot be edited. */
export async function openEffectEditor(app, item, zoom) {
  const dialog = make("dialog", { class: "full effect-editor", "aria-label": visible(item.name) });
  document.body.append(dialog);
  let session;
  try {
    session = await EditSession.open(item, app.windowName);
  } catch (error) {
    dialog.remove();
    throw error;
  }
  const stage = new EffectStage(session, { hasModule: app.state.hasModule, begins: zoom?.moved });
  session.stage = stage;
  const editor = { app, session, stage, dialog, close };
  const time = new EffectTime(stage, session);
  const split = new EffectSplit(stage, session);
  const variations = control("effect-variations", session);
  variations.hidden = true;
  editor.split = split;
  editor.variations = variations;
  const left = make("aside", { class: "left", "aria-label": text("editEmitters") }, control("effect-emitters", session), control("effect-images", session), control("effect-presets", session));
  const right = make("aside", { class: "right", "aria-label": text("editProperties") }, control("effect-inspector", session));
  const body = make("div", { class: "editor-body" }, left, make("div", { class: "middle" }, makeTools(editor), make("div", { class: "stages" }, stage, split, variations), time), right);
  body.append(divider(body, left, "left"), divider(body, right, "right"));
  dialog.append(makeHeader(editor), new EffectBanner(app, session, () => end({ isDone: true })), body);
  stayOnEscape(dialog, close, () => {
    if (!variations.hidden) variations.hidden = true;
    else if (isField(document.activeElement)) stage.focus({ preventScroll: true });
    else tellWayBack(app);
  });
  listenKeys(editor);
  session.addEventListener("refused", ({ detail }) => app.tell(faultLine(detail), { isWrong: true }));
  dialog.showModal();
  zoom?.enter(stage, drawnIn(stage));
  stage.focus({ preventScroll: true });
  dialog.editor = editor;
  enterHistory(app);
  performance.mark("editor-ready");
  // A page that is loaded again shows it again.
  sessionStorage.setItem("editing", session.path);

  session.addEventListener("ended", close);
  let [isClosed, closing] = [false, undefined];
  /** Closes once, however often it is called. Stays open if the user wants that. */
  function close() {
    closing ??= end().finally(() => { closing = undefined; });
    return closing;
  }
  /** @param {boolean} isDone - whether the document is closed already, or its changes are elsewhere */
  async function end({ isDone = false } = {}) {
    if (isClosed) return;
    if (!isDone) await session.idle();
    // A file of another format is never written unasked.
    if (!isDone && session.isForeign && session.states.includes("changed") && !(await saveForeign(app, session, { isClosing: true }))) return;
    isClosed = true;
    if (isDone) session.outbox.clear();
    session.close();
    const box = stage.getBoundingClientRect();
    dialog.remove();
    leaveHistory(dialog);
    zoom?.leave(box);
    sessionStorage.removeItem("editing");
    await app.attempt(order("close", { window: app.windowName }));
    await app.refresh();
    app.collection.focus({ preventScroll: true });
  }
  return editor;
}

const isField = (element) => Boolean(element?.matches?.("input, textarea, select, [contenteditable]") || element?.shadowRoot?.activeElement);

// MARK: Header

function makeHeader(editor) {
  const { app, session } = editor;
  const { title, status } = makeTitle(app, session);
  const undo = button("undo", text("undo"), () => session.undo(), { "data-command": "undo" });
  const redo = button("undo", text("editRedo"), () => session.redo(), { "data-command": "redo", class: "mirrored" });
  const edits = button("list", text("editEdits"), () => showEdits(session, edits), { "aria-haspopup": "menu", "data-command": "edits" });
  const show = () => {
    undo.disabled = !session.undoName || session.isReadOnly;
    redo.disabled = !session.redoName || session.isReadOnly;
    for (const [each, label, name] of [[undo, text("undo"), session.undoName], [redo, text("editRedo"), session.redoName]]) {
      each.title = [name ? `${label}: ${editName(name, session.rows)}` : label, each.dataset.key && `(${each.dataset.key})`].filter(Boolean).join(" ");
    }
  };
  for (const name of ["undo", "state", "change"]) session.addEventListener(name, show);
  show();
  // A package is saved by itself.
  const kept = text(session.isForeign ? "save" : "editKeepVersion");
  const save = tool("disk", kept, () => saveForeign(app, session), { isShown: true, "aria-label": kept, title: kept, "data-command": "save", disabled: session.isReadOnly });
  return folding(make("header", {}, button("back", text("back"), () => editor.close(), { "data-command": "close" }), make("h2", {}, title), status, undo, redo, edits,
    targetChooser(editor),
    tool("variants", text("editVariations"), () => { editor.variations.hidden = !editor.variations.hidden; }, { "data-command": "variations" }),
    button("clock", text("versions"), () => showVersions(app, session), { "data-command": "versions" }),
    button("info", text("information"), () => openInformation(app, session), { "data-command": "information" }),
    button("convert", text("convertTitle"), () => openConversion(app, session), { "data-command": "convert" }),
    button("film", text("exportTitle"), () => openExport(app, session), { "data-command": "export" }), save,
    tool("keyboard", text("editKeys"), () => showKeys(editor), { "data-command": "keys" })), ["keys", "information", "versions", "export", "convert", "edits", "variations"]);
}

/** The target: its marks are beside the properties, and its picture beside the effect. */
function targetChooser(editor) {
  const { session, split } = editor;
  const select = make("select", { "aria-label": text("target"), title: text("target"), class: "target" }, make("option", { value: "" }, text("editNoTarget")));
  const shows = tool("halves", text("editSplit"), () => {
    session.setView("splits", !session.view.splits);
  }, { "data-command": "split" });
  ask("targets").then(({ targets }) => {
    select.append(...targets.map(({ name, title }) => make("option", { value: name }, typeName(title))));
    select.value = session.view.target ?? "";
    apply();
  }, () => {});
  const apply = () => {
    const target = select.value || undefined;
    if (session.target !== target) session.setTarget(target);
    shows.disabled = !target;
    shows.setAttribute("aria-pressed", String(Boolean(target && session.view.splits)));
    split.show(target && session.view.splits ? target : undefined, select.selectedOptions[0]?.textContent);
  };
  select.addEventListener("change", () => {
    session.setView("target", select.value || undefined);
    // The sheet of conversions begins with it.
    if (select.value) localStorage.setItem("target", select.value);
  });
  session.addEventListener("view", ({ detail }) => {
    if (["target", "splits"].includes(detail.name)) apply();
  });
  return make("span", { class: "targets" }, select, shows);
}

// MARK: Tools of the stage

function makeTools({ session, stage }) {
  const { view } = session;
  const toggle = (symbol, key, name, command) => {
    const each = tool(symbol, text(key), () => session.setView(name, !session.view[name] || undefined), { "data-command": command });
    const show = () => each.setAttribute("aria-pressed", String(Boolean(session.view[name])));
    session.addEventListener("view", show);
    show();
    return each;
  };
  const color = make("input", { type: "color", "aria-label": text("editBackground"), title: text("editBackground"), value: /^#/.test(view.background ?? "") ? view.background : "#15141a" });
  color.addEventListener("input", () => session.setView("background", color.value));
  const kind = make("select", { "aria-label": text("editBackground") },
    ...[["auto", "editAutomatic"], ["color", "editColor"], ["transparent", "editTransparent"]].map(([value, key]) => make("option", { value }, text(key))));
  kind.value = ["auto", "transparent"].includes(view.background ?? "auto") ? view.background ?? "auto" : "color";
  kind.addEventListener("change", () => session.setView("background", kind.value === "color" ? color.value : kind.value));
  const pixels = make("select", { "aria-label": text("editPixels"), title: text("editPixels") }, ...[1, 2, 3, 4, 6, 8].map((value) => make("option", { value }, value === 1 ? text("editSmooth") : `${value}×`)));
  pixels.value = String(view.pixels ?? 1);
  pixels.addEventListener("change", () => session.setView("pixels", Number(pixels.value) > 1 ? Number(pixels.value) : undefined));
  const picture = (symbol, key, name) => {
    const input = make("input", { type: "file", accept: "image/*", hidden: true });
    input.addEventListener("change", () => {
      const [file] = input.files;
      if (file) session.setView(name, { url: URL.createObjectURL(file), scale: 1 });
      input.value = "";
    });
    const each = tool(symbol, text(key), () => (session.view[name] ? session.setView(name, undefined) : input.click()), { "data-command": name });
    session.addEventListener("view", () => each.setAttribute("aria-pressed", String(Boolean(session.view[name]))));
    return [each, input];
  };
  return folding(make("div", { class: "stage-tools", role: "toolbar", "aria-label": text("editStage") },
    tool("fit", text("editFit"), () => stage.fit(), { "data-command": "fit" }),
    button("plus", text("editZoomIn"), () => stage.zoom(1.25), { "data-command": "zoom-in" }),
    button("minus", text("editZoomOut"), () => stage.zoom(0.8), { "data-command": "zoom-out" }),
    kind, color, ...picture("photo", "editBackdrop", "backdrop"), ...picture("sprite", "editReference", "reference"), pixels,
    toggle("pointer", "editFollow", "follows", "follow"), toggle("unseen", "editHideHandles", "hidesHandles", "handles")),
  ["zoom-out", "zoom-in", "reference", "backdrop", "follow", "handles", "fit"]);
}

// MARK: Keys

function listenKeys(editor) {
  const { app, session, stage, dialog } = editor;
  const command = (name) => dialog.querySelector(`[data-command="${name}"]`)?.click();
  session.keys.push(
    { key: " ", command: "play", label: text("editPlayPause"), run: () => (stage.isPlaying ? stage.pause() : stage.play()) },
    { key: "r", command: "restart", label: text("restart"), run: () => stage.restart() },
    { key: ".", command: "step", label: text("editStep"), run: () => stage.step() },
    { key: ",", label: text("editStepBack"), run: () => { stage.pause(); stage.seek(Math.max(0, stage.time - 1 / 60)); } },
    { key: "[", label: text("editSlower"), run: () => changeSpeed(session, 0.5) },
    { key: "]", label: text("editFaster"), run: () => changeSpeed(session, 2) },
    { key: "n", command: "seed", label: text("editSeed"), run: () => command("seed") },
    { key: "f", command: "fit", label: text("editFit"), run: () => stage.fit() },
    { key: "+", command: "zoom-in", label: text("editZoomIn"), run: () => stage.zoom(1.25) },
    { key: "-", command: "zoom-out", label: text("editZoomOut"), run: () => stage.zoom(0.8) },
    { key: "h", command: "handles", label: text("editHideHandles"), run: () => command("handles") },
    { key: "t", command: "split", label: text("editSplit"), run: () => command("split") },
    { key: "v", command: "variations", label: text("editVariations"), run: () => command("variations") },
    { key: "z", ctrl: true, command: "undo", label: text("undo"), run: () => session.undo() },
    { key: "z", ctrl: true, shift: true, command: "redo", label: text("editRedo"), run: () => session.redo() },
    { key: "y", ctrl: true, label: text("editRedo"), run: () => session.redo() },
    { key: "s", ctrl: true, command: "save", label: text(session.isForeign ? "save" : "editKeepVersion"), run: () => saveForeign(app, session) },
    { key: "i", ctrl: true, command: "information", label: text("information"), run: () => command("information") },
    { key: "?", command: "keys", label: text("editKeys"), run: () => showKeys(editor) });
  for (const each of session.keys) if (each.command) nameKey(dialog.querySelector(`[data-command="${each.command}"]`), each);
  // Space plays and pauses, whatever button was pressed last. Menus and controls of values have it for themselves.
  const plays = (target) => !target.closest?.("[role=slider], [popover], .right, .left, input");
  // Some web browsers press a button when the key is let go.
  dialog.addEventListener("keyup", (event) => { if (event.key === " " && plays(event.target)) event.preventDefault(); });
  dialog.addEventListener("keydown", (event) => {
    const { target } = event;
    const isTyping = target.closest?.("input:not([type=range]):not([type=checkbox]):not([type=color]), textarea, select, [contenteditable]")
      || event.composedPath()[0]?.matches?.("input:not([type=range]), textarea, select");
    const isCtrl = event.ctrlKey || event.metaKey;
    if (event.defaultPrevented || event.altKey || (isTyping && !isCtrl)) return;
    if (isTyping && !["s"].includes(event.key.toLowerCase())) return;
    if (event.key === " " && !plays(target)) return;
    const found = session.keys.find(({ key, ctrl = false, shift = false }) => key === (event.key.length === 1 ? event.key.toLowerCase() : event.key)
      && ctrl === isCtrl && (!ctrl || shift === event.shiftKey));
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    found.run(event);
  });
}

function changeSpeed(session, factor) {
  session.setView("speed", Math.min(Math.max((session.view.speed ?? 1) * factor, 0.1), 4));
}

/** A key with its modifiers, as in tables. */
const combination = ({ key, ctrl, shift }) => [ctrl && "Ctrl", shift && "Shift", { " ": "Space" }[key] ?? key.toUpperCase()].filter(Boolean).join(" + ");

/** Names the key of a command in its tooltip. */
function nameKey(element, each) {
  if (!element) return;
  element.dataset.key = keyName(combination(each));
  element.title = `${element.title || each.label} (${element.dataset.key})`;
  element.setAttribute("aria-keyshortcuts", combination(each).replaceAll(" + ", "+").replace("Ctrl", "Control"));
}

/** The keys, as they are. */
function showKeys({ session }) {
  const window = sheet(text("editKeys"));
  const rows = [...session.keys.map((each) => [combination(each), each.label]), ["← ↑ ↓ →", text("editPan")], ["Alt + ← ↑ ↓ →", text("editOrbit")]];
  // Not `keys`: these are the keys of a curve.
  const table = (all) => make("dl", { class: "table key-list" }, ...all.flatMap(([key, label]) => [make("dt", {}, make("kbd", {}, keyName(key))), make("dd", {}, label)]));
  window.body.append(table(rows), ...controlKeys.flatMap(([title, keys]) => [make("h4", {}, text(title)), table(keys.map(([key, label]) => [key, text(label)]))]));
  window.end();
}
