// The page of the browser: puts its parts together.

import { actionsFor, commands } from "./actions.js";
import "./collection.js";
import { openEditor } from "./editor.js";
import { button, icon, make } from "./icons.js";
import { Model } from "./model.js";
import { address, ask, listen, order, send } from "./server.js";
import { createDocument } from "./sheets.js";
import { fill, language, text, visible } from "./strings.js";
import { openViewer } from "./viewer.js";

const element = (name) => document.getElementById(name);

/** One for each window of the browser; it outlives loading the page again. */
const windowName = sessionStorage.getItem("window") ?? crypto.randomUUID();
sessionStorage.setItem("window", windowName);

document.documentElement.lang = language;
fill(document);
element("finder").prepend(icon("search"));

const model = new Model();
const collection = element("collection");

/** What the parts share. */
export const app = { model, collection, windowName, state: undefined, tell, attempt, show, openItem, refresh };

async function start() {
  app.state = await ask("state", { window: windowName, show: new URLSearchParams(location.search).get("show") });
  const { state } = app;
  if (state.tint) document.documentElement.style.setProperty("--tint", state.tint);
  setStyle(state.settings.style ?? state.style);
  collection.connect(model, element("scroller"), {
    hasModule: state.hasModule, canCreate: () => canCreate(), create: () => createDocument(app), open: openItem,
    allowsMany: () => state.allowsMany, isPicking: () => Boolean(state.isPicking), menu: showMenu,
  });
  makeBar();
  showPlaces(state.places);
  await show(state.place);
  if (state.reveal) await reveal(state.reveal, state.opens);
  else await openAgain();
  listen(received);
}

const canCreate = () => !app.state.isReadOnly && app.state.allowsCreation && Boolean(model.place?.writable);

function setStyle(style = "automatic") {
  document.documentElement.dataset.style = style;
  element("appearance").value = style === "white" ? "light" : style;
}

element("appearance").addEventListener("change", (event) => {
  setStyle(event.target.value);
  attempt(order("setting", { name: "style", value: event.target.value }));
});

// MARK: Places

const nameOf = ({ id, name }) => (id === "recents" ? text("recents") : id === "trash" ? text("trashPlace") : name);

function showPlaces(places) {
  app.places = places;
  const symbols = { recents: "clock", trash: "trash" };
  element("places").replaceChildren(...places.map((place) => {
    const name = nameOf(place);
    return make("li", {}, button(symbols[place.kind] ?? "folder", visible(name), () => show(place.id), {
      isShown: true, "data-place": place.id, title: place.problem ?? place.path,
    }));
  }));
  markPlace();
}

/** Marks the place that is shown, or else the nearest folder above it. */
function markPlace() {
  const ids = [...(model.ancestors ?? []).map(({ id }) => id), model.place?.id];
  const shown = ids.findLast((id) => app.places.some((place) => place.id === id));
  for (const each of document.querySelectorAll("[data-place]")) {
    if (each.dataset.place === shown) each.setAttribute("aria-current", shown === model.place.id ? "page" : "true");
    else each.removeAttribute("aria-current");
  }
}

/** Shows a place. */
async function show(id, { isBack = false } = {}) {
  element("search").value = model.search = "";
  const isShown = await attempt(model.open(id).then(() => true));
  if (!isShown || !model.place) return;
  collection.scrollTo(0);
  const name = visible(nameOf(model.place));
  element("place").textContent = name;
  document.title = `${name} – ${text("title")}`;
  element("trail").replaceChildren(...model.ancestors.flatMap(({ id: folder, name: title }) =>
    [make("button", { type: "button", onclick: () => show(folder) }, visible(title)), icon("chevron")]));
  markPlace();
  if (!isBack) history.pushState({ place: id }, "");
  makeBarState();
}

addEventListener("popstate", ({ state }) => {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (dialog) dialog.dispatchEvent(new Event("cancel", { cancelable: true }));
  else if (state?.place) show(state.place, { isBack: true });
});

async function refresh() {
  if (model.place) await attempt(model.refresh());
}

async function reveal({ location, item }, opens = false) {
  if (model.place?.id !== location) await show(location);
  const shown = collection.revealItem(item);
  if (shown && opens) openItem(shown.item);
}

// MARK: Bar

let createButton;
const modeButtons = {};

function makeBar() {
  const segments = make("div", { class: "segments", role: "radiogroup", "aria-label": text("show") });
  for (const mode of ["grid", "list"]) {
    modeButtons[mode] = button(mode, text(mode), () => {
      collection.setMode(mode);
      makeBarState();
    }, { role: "radio" });
    segments.append(modeButtons[mode]);
  }
  const sort = button("sort", text("sort"), () => {
    popUp(sort, ["name", "date", "size", "kind"].map((key) => ({
      label: text(`by${key[0].toUpperCase()}${key.slice(1)}`), icon: model.sort === key ? "check" : undefined, role: "menuitemradio",
      isChecked: model.sort === key, run: () => model.setSort(key),
    })));
  }, { "aria-haspopup": "menu" });
  createButton = button("plus", text("create"), () => createDocument(app), { isShown: true, class: "primary" });
  element("tools").append(segments, sort, createButton);
  if (app.state.isPicking) makePicker();
  const kinds = { all: "filterAll", effect: "filterEffects", text: "filterTexts", folder: "filterFolders" };
  element("chips").append(...Object.entries(kinds).map(([kind, label]) => make("button", {
    type: "button", "data-kind": kind, onclick: () => {
      model.kind = kind;
      model.filter();
      makeBarState();
    },
  }, text(label))));
  const columns = { name: "byName", kind: "byKind", size: "bySize", date: "byDate" };
  element("columns").append(...Object.entries(columns).map(([key, label]) => make("button", {
    type: "button", "data-sort": key, onclick: () => {
      model.setSort(key);
      makeBarState();
    },
  }, text(label))));
}

/** Picking: documents, or with a name, a place for a new file. */
function makePicker() {
  createButton.hidden = true;
  const { savedName } = app.state;
  if (savedName !== undefined) return makeSaver(savedName);
  const choose = button(undefined, text("choose"), () => attempt(order("pick", { items: [...model.selection] })).then(close), {
    isShown: true, class: "primary", disabled: true, id: "choose",
  });
  const cancel = button(undefined, text("cancel"), () => attempt(order("pick", { items: null })).then(close), { isShown: true, id: "cancel" });
  element("tools").append(cancel, choose);
  model.addEventListener("selection", () => { choose.disabled = !model.selected.some(({ kind }) => kind !== "folder"); });
}

function makeSaver(savedName) {
  const name = make("input", { id: "saved-name", value: savedName, "aria-label": text("name"), spellcheck: "false", autocomplete: "off" });
  let taken;
  const save = button(undefined, text("save"), async () => {
    const wanted = `${model.place.id}/${name.value}`;
    try {
      await order("pick", { location: model.place.id, name: name.value, replaces: taken === wanted });
      window.close();
    } catch (error) {
      if (error.status === 409) taken = wanted;
      tell([error.message, error.hint].filter(Boolean).join(". "), { isWrong: true });
    }
  }, { isShown: true, class: "primary", id: "choose" });
  const cancel = button(undefined, text("cancel"), () => attempt(order("pick", { items: null })).then(close), { isShown: true, id: "cancel" });
  name.addEventListener("keydown", (event) => { if (event.key === "Enter") save.click(); });
  element("tools").append(name, cancel, save);
}

function makeBarState() {
  for (const [mode, each] of Object.entries(modeButtons)) each.setAttribute("aria-checked", String(collection.mode === mode));
  createButton.disabled = !canCreate();
  element("columns").hidden = collection.mode !== "list";
  for (const column of element("columns").children) column.setAttribute("aria-pressed", String(column.dataset.sort === model.sort));
  for (const chip of element("chips").children) chip.setAttribute("aria-pressed", String(chip.dataset.kind === model.kind));
}

element("search").addEventListener("input", (event) => {
  model.search = event.target.value;
  collection.scrollTo(0);
  model.filter();
});

model.addEventListener("shown", () => {
  element("count").textContent = model.countText;
  const isEmpty = !model.shown.length && !(model.recents.length && model.search === "" && model.kind === "all");
  element("empty").hidden = !isEmpty;
  if (!isEmpty) return;
  const isSearching = model.search !== "" || model.kind !== "all";
  element("empty").replaceChildren(icon(isSearching ? "search" : "spark"),
    make("h2", {}, isSearching ? text("nothingFound", visible(model.search)) : text("nothing")),
    make("p", {}, text(isSearching ? "nothingFoundHint" : "nothingHint")),
    ...(!isSearching && canCreate() ? [button("plus", text("createDocument"), () => createDocument(app), { isShown: true, class: "primary" })] : []));
});

// MARK: Selection

model.addEventListener("selection", () => {
  const bar = element("selection");
  const items = model.selected;
  bar.hidden = items.length === 0 || app.state.isPicking;
  if (bar.hidden) return;
  const actions = actionsFor(items, app).filter(({ isInBar }) => isInBar);
  bar.replaceChildren(
    make("span", { class: "total" }, items.length === 1 ? text("oneSelected") : text("selected", items.length)),
    ...actions.map((action) => button(action.icon, text(action.label), () => run(action, items), { isShown: actions.length < 5, "data-action": action.id })),
    button("more", text("more"), (event) => showMenu(event.clientX, event.clientY), { "aria-haspopup": "menu" }),
    button("close", text("selectNone"), () => model.select([])));
});

const run = (action, items) => attempt(Promise.resolve(action.run(app, items)));

function showMenu(x, y) {
  const items = model.selected;
  popUp({ x, y }, actionsFor(items, app).map((action) => ({
    label: text(action.label), icon: action.icon, id: action.id, separates: action.separates, run: () => run(action, items),
  })));
}

/** A menu at an element or a point. */
function popUp(place, entries) {
  document.querySelector("#menu")?.remove();
  const menu = make("div", { id: "menu", popover: "auto", role: "menu", "aria-label": text("menu") });
  for (const entry of entries) {
    if (entry.separates) menu.append(make("hr"));
    const each = button(entry.icon ?? "check", entry.label, () => {
      menu.hidePopover();
      entry.run();
    }, { isShown: true, role: entry.role ?? "menuitem", "aria-checked": entry.role ? String(entry.isChecked) : null, "data-action": entry.id });
    if (!entry.icon) each.firstChild.style.visibility = "hidden";
    menu.append(each);
  }
  document.body.append(menu);
  menu.showPopover();
  const box = place.getBoundingClientRect?.();
  const [x, y] = box ? [box.right - menu.offsetWidth, box.bottom + 6] : [place.x, place.y];
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, y + menu.offsetHeight > innerHeight - 8 ? y - menu.offsetHeight : y)}px`;
  const buttons = [...menu.querySelectorAll("button")];
  buttons[0]?.focus();
  menu.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
  });
  menu.addEventListener("toggle", ({ newState }) => {
    if (newState === "closed") {
      menu.remove();
      if (document.activeElement === document.body) (place.focus ? place : collection).focus({ preventScroll: true });
    }
  });
}

// MARK: Opening

async function openItem(item) {
  if (!item.isSelectable && item.kind !== "folder") return;
  if (item.kind === "folder") await show(item.id);
  else if (app.state.isPicking) model.select([item.id]);
  else if (item.kind === "text") await openEditor(app, item);
  else if (app.state.isReadOnly || item.problem || !(await openEffect(item))) await openViewer(app, item);
}

/** A page that is loaded again shows the effect that it had. */
async function openAgain() {
  const path = sessionStorage.getItem("editing");
  if (!path || app.state.isPicking) return;
  sessionStorage.removeItem("editing");
  const found = await order("find", { path }).catch(() => undefined);
  if (!found?.parent) return;
  await reveal({ location: found.parent, item: found.id }, true);
}

/** Opens an effect in the editor; false where it can only be looked at. */
async function openEffect(item) {
  try {
    const { openEffectEditor } = await import("./editor/index.js");
    await openEffectEditor(app, item);
    return true;
  } catch (error) {
    console.warn(error);
    return false;
  }
}

// MARK: Keyboard, dropping, pasting

addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select");
  if (document.querySelector("dialog[open], #menu:popover-open")) return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.key === "Escape") {
    if (isTyping && model.search) {
      element("search").value = model.search = "";
      model.filter();
    }
    collection.focus();
    model.select([]);
    return;
  }
  if (event.key === "ArrowDown" && event.target === element("search")) {
    event.preventDefault();
    collection.focus();
    return;
  }
  if (isTyping) return;
  const items = model.selected;
  const command = commands.find(({ key, needsCommand }) => key === event.key.toLowerCase() && Boolean(needsCommand) === isCommand);
  if (event.key === "/" || (isCommand && event.key === "f")) {
    event.preventDefault();
    element("search").focus();
  } else if (isCommand && event.key === "a" && app.state.allowsMany) {
    event.preventDefault();
    model.select(model.shown.map(({ id }) => id));
  } else if (isCommand && event.key.toLowerCase() === "z") {
    event.preventDefault();
    undo(event.shiftKey);
  } else if (event.altKey && event.key === "ArrowUp" && model.ancestors.length) {
    show(model.ancestors.at(-1).id);
  } else if (command && !app.state.isPicking) {
    const action = actionsFor(items, app).find(({ id }) => id === command.action);
    if (command.action === "create" && canCreate()) {
      event.preventDefault();
      createDocument(app);
    } else if (action) {
      event.preventDefault();
      run(action, items);
    }
  }
});

async function undo(isRedo = false) {
  const outcome = await attempt(order(isRedo ? "redo" : "undo", {}));
  if (outcome) report(outcome, () => text("undone", outcome.name ?? ""));
}

/** Says what an operation has done, or what it could not do. */
export function report(outcome, words) {
  const failed = outcome.results?.filter(({ status }) => status === "failed") ?? [];
  for (const each of failed.slice(0, 3)) tell(text("failed", visible(each.name), each.diagnostic?.message ?? ""), { isWrong: true });
  const done = outcome.results?.filter(({ status }) => status === "done") ?? [];
  if (done.length) tell(words(done), { undo: outcome.undo ? () => undo() : undefined });
  return done;
}

const isFile = (event) => event.dataTransfer?.types.includes("Files");

addEventListener("dragover", (event) => {
  if (!isFile(event)) return;
  event.preventDefault();
  element("drop").hidden = !canCreate();
});
addEventListener("dragleave", (event) => { if (!event.relatedTarget) element("drop").hidden = true; });
addEventListener("drop", (event) => {
  element("drop").hidden = true;
  if (!isFile(event)) return;
  event.preventDefault();
  if (canCreate()) importFiles([...event.dataTransfer.files]);
});

async function importFiles(files) {
  let last;
  for (const file of files) {
    last = await attempt(send("import", { location: model.place.id, name: file.name }, file)) ?? last;
  }
  if (!last) return;
  await refresh();
  collection.revealItem(last.id);
  tell(text("imported", visible(last.displayName)), { undo: () => undo() });
}

addEventListener("paste", (event) => {
  if (event.target.closest?.("input, textarea") || !canCreate() || document.querySelector("dialog[open]")) return;
  const files = [...event.clipboardData.files];
  const pasted = event.clipboardData.getData("text/plain");
  if (files.length) importFiles(files);
  else if (pasted.trim()) attempt(send("paste", { location: model.place.id }, pasted)).then((item) => item && importDone(item));
});

async function importDone(item) {
  await refresh();
  collection.revealItem(item.id);
  tell(text("imported", visible(item.displayName)), { undo: () => undo() });
}

// MARK: Events and messages

let pending;

function received(name, value) {
  if (name === "lost") {
    element("lost").showPopover();
  } else if (name === "open") {
    if (element("lost").matches(":popover-open")) {
      element("lost").hidePopover();
      tell(text("again"));
      resume();
    } else {
      // Changes before the stream was connected were not told.
      clearTimeout(pending);
      pending = setTimeout(refresh, 60);
    }
  } else if (name === "items" || name === "reload") {
    if (value.location !== model.place?.id && value.location !== "recents") return;
    // Several changes in a moment are one.
    clearTimeout(pending);
    pending = setTimeout(refresh, 60);
  } else if (name === "locations") {
    ask("state", { window: windowName }).then(({ places }) => showPlaces(places), () => {});
  } else if (name === "reveal") {
    reveal(value, value.opens);
  } else if (name === "setting" && value.name === "style") {
    setStyle(value.value);
  }
  document.dispatchEvent(new CustomEvent(`browser-${name}`, { detail: value }));
}

/** After a restart, identities are new: what is shown is found by its path. */
async function resume() {
  const path = model.place?.path;
  const state = await ask("state", { window: windowName, path }).catch(() => undefined);
  if (!state) return;
  app.state = { ...app.state, ...state };
  showPlaces(state.places);
  await show(state.place, { isBack: true });
  document.dispatchEvent(new Event("browser-resumed"));
}

/** Shows a line for some seconds. */
function tell(line, { undo: takeBack, isWrong = false } = {}) {
  const toast = make("div", { class: isWrong ? "toast wrong" : "toast" }, make("span", {}, line));
  if (takeBack) {
    toast.append(button(undefined, text("undo"), () => {
      toast.remove();
      takeBack();
    }, { isShown: true }));
  }
  const toasts = element("toasts");
  toasts.append(toast);
  // Shown anew, they are above a dialog that was opened meanwhile.
  if (toasts.matches(":popover-open")) toasts.hidePopover();
  toasts.showPopover();
  setTimeout(() => {
    toast.remove();
    if (!toasts.children.length && toasts.matches(":popover-open")) toasts.hidePopover();
  }, isWrong ? 9000 : 6000);
}

/** Waits for something, and shows why it failed. */
async function attempt(promise) {
  try {
    return await promise;
  } catch (error) {
    tell([error.message, error.hint].filter(Boolean).join(" "), { isWrong: true });
    return undefined;
  }
}

start().catch((error) => {
  element("empty").hidden = false;
  element("empty").replaceChildren(icon("warning"), make("h2", {}, error.message));
});

export { address };
