// The page of the browser: puts its parts together.

import { actionsFor, commands, labelOf, offReason } from "./actions.js";
import { keep } from "./again.js";
import { askQuestions, makeAppearance, setStyle, setTint } from "./appearance.js";
import { makeBar } from "./bar.js";
import "./collection.js";
import { effectEditor, parts } from "./deferred-loading.js";
import { first, isTwin, windowName } from "./first-request.js";
import { button, icon, make } from "./icons.js";
import { takeImports } from "./importing.js";
import { attempt, popUp, tell, undo, wording } from "./messages.js";
import { Model } from "./model.js";
import { makeSearch } from "./searching.js";
import { address, ask, listen, order, read } from "./server.js";
import { faultLine, fill, language, text, visible } from "./texts.js";
import { noteWindow, takeView, takeWindow } from "./windows.js";

const element = (name) => document.getElementById(name);

document.documentElement.lang = language;
fill(document);
element("finder").prepend(icon("search"));

const model = new Model();
const collection = element("collection");

/** What the parts share. */
export const app = { model, collection, windowName, state: undefined, tell, attempt, show, openItem, refresh, search: (words) => search.search(words), reveal: revealFound, revealIn: reveal, showBar() {} };

let search;

async function start() {
  // The first rows of the first place come with the state.
  const { listing, key, ...state } = await read(await first);
  await keep(key);
  app.state = state;
  if (typeof WebAssembly === "undefined") state.hasModule = false;
  setTint(state.settings.tint ?? state.tint);
  setStyle(state.settings.style ?? state.style);
  collection.connect(model, element("scroller"), {
    hasModule: state.hasModule, canCreate: () => canCreate(), create, open: openItem,
    allowsMany: () => state.allowsMany, isPicking: () => Boolean(state.isPicking), menu: showMenu,
  });
  takeView(app);
  makeBar(app, canCreateSomewhere);
  makeAppearance(app);
  search = makeSearch(app, () => app.showBar());
  takeImports(app, canCreate);
  showPlaces(state.places);
  // A duplicated tab shows the place of its original.
  const place = (isTwin && history.state?.place) || state.place;
  // In another order, or with a selection to restore, rows beyond the first may be needed.
  const needsAll = model.sort !== "name" || model.isReversed || model.kind !== "all" || state.reveal || state.window;
  const isUseful = listing && place === state.place && (!needsAll || listing.items.length === listing.total);
  await show(place, { given: isUseful ? listing : undefined });
  completeSoon();
  if (!state.isPicking) app.noteWindow = noteWindow(app);
  // The worker of the stream takes the processors that draw the first rows.
  afterFrame().then(() => listen(received));
  if (state.reveal) await reveal(state.reveal, state.opens);
  else if (!(await openAgain())) takeWindow(app);
  await askQuestions(app);
}

/** Settled after the next frame, or 200 ms. Hidden pages have no frames. */
const afterFrame = () => new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 200);
});

/** Whether documents can be created in the place that is shown. */
const canCreate = () => !app.state.isReadOnly && app.state.allowsCreation && Boolean(model.place?.writable);
const canCreateSomewhere = () => canCreate() || (!app.state.isReadOnly && app.state.allowsCreation && app.places.some(({ writable }) => writable));

const create = () => attempt(parts().then(({ createDocument }) => createDocument(app)));

/** Whether unsaved documents are shown. */
let watching;

/** Milliseconds after which all rows are listed, although pictures are missing. */
const patience = 4000;

/**
 * Lists the rest of the rows after the pictures in view, or as soon as something is done. Then loads the rest of the pages. Both take
 * the time of the processors that draw the pictures.
 */
function completeSoon() {
  const done = new AbortController();
  const begin = async () => {
    done.abort();
    clearTimeout(timer);
    await attempt(model.complete());
    parts().then(({ watchUnsaved }) => { watching ??= app.state.isPicking ? true : watchUnsaved(app); }, () => {});
    // Without an answer, once more.
    if (model.missing > 0) setTimeout(completeSoon, 2000);
  };
  const timer = setTimeout(begin, collection.pictures.requests ? patience : 300);
  collection.addEventListener("pictures", begin, { signal: done.signal });
  for (const name of ["keydown", "pointerdown", "wheel", "input"]) addEventListener(name, begin, { signal: done.signal, capture: true, passive: true });
}

// MARK: Places

const nameOf = ({ id, name }) => (id === "recents" ? text("recents") : id === "trash" ? text("trashPlace") : name);

function showPlaces(places) {
  app.places = places;
  const symbols = { recents: "clock", trash: "trash", favourite: "star" };
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
async function show(id, { isBack = false, given } = {}) {
  search.clear();
  const isShown = await attempt(model.open(id, { given }).then(() => true));
  if (!isShown || !model.place) return;
  collection.scrollTo(0);
  const name = visible(nameOf(model.place));
  element("place").textContent = name;
  document.title = `${name} – ${text("title")}`;
  element("trail").replaceChildren(...model.ancestors.flatMap(({ id: folder, name: title }) =>
    [make("button", { type: "button", onclick: () => show(folder) }, visible(title)), icon("chevron")]));
  markPlace();
  if (!isBack) history.pushState({ place: id }, "");
  app.showBar();
}

addEventListener("popstate", ({ state }) => {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  // The document is out of the history already, under a sheet, too.
  for (const each of document.querySelectorAll("dialog.full[open]")) each.isLeft = true;
  if (dialog) dialog.dispatchEvent(Object.assign(new Event("cancel", { cancelable: true }), { isBack: true }));
  else if (state?.place && state.place !== model.place?.id) show(state.place, { isBack: true });
});

async function refresh() {
  if (!model.place) return;
  await attempt(model.refresh());
  search.again();
}

async function reveal({ location, item }, opens = false) {
  if (model.place?.id !== location) await show(location);
  await model.complete();
  const shown = collection.revealItem(item);
  if (shown && opens) openItem(shown.item);
}

/** Shows a result of a search in its folder. */
async function revealFound(item) {
  const { parent } = await order("information", { item: item.id });
  if (parent) await reveal({ location: parent, item: item.id });
}

model.addEventListener("shown", () => {
  element("count").textContent = model.countText;
  const isEmpty = !model.shown.length;
  element("empty").hidden = !isEmpty;
  if (isEmpty) element("empty").replaceChildren(...(model.isFiltered ? emptySearch() : emptyPlace()));
});

const emptyPlace = () => [icon("spark"), make("h2", {}, text("nothing")), make("p", {}, text("nothingHint")),
  ...(canCreate() ? [button("plus", text("createDocument"), create, { isShown: true, class: "primary" })] : [])];

/** The page where a search or a filter finds nothing: why, and what would find something. */
function emptySearch() {
  const { answer } = model;
  const filter = model.tag ?? (model.isFavourites ? text("favourites") : "");
  const words = visible(model.search || filter);
  if (model.isAsking) return [icon("search"), make("h2", {}, text("searchingFor", words))];
  if (answer?.indexing !== undefined) {
    return [icon("search"), make("h2", {}, text("indexing", Math.round(answer.indexing * 100))), make("p", {}, text("indexingHint", words))];
  }
  const ways = [];
  const offer = (label, run) => ways.push(button(undefined, label, run, { isShown: true, class: "pill" }));
  for (const [search_, total] of answer?.offers ?? []) offer(text("offerSearch", visible(search_), total.toLocaleString(language)), () => search.search(search_));
  const isHidden = model.kind !== "all" || model.isFavourites || model.tag !== undefined;
  if (isHidden) {
    offer(text("offerAll"), () => {
      Object.assign(model, { kind: "all", isFavourites: false, tag: undefined });
      model.filter();
      app.showBar();
    });
  }
  const above = model.search && !isHidden ? model.ancestors.at(-1) : undefined;
  if (above) {
    const { search: typed } = model;
    offer(text("offerAbove", visible(above.name)), async () => {
      await show(above.id);
      search.search(typed);
    });
  }
  if (answer?.needsIndex) offer(text("offerIndex"), () => search.index());
  const fault = answer?.problems?.find(({ code }) => code?.startsWith("index/"));
  const hint = make("p", {}, text(ways.length ? "nothingFoundOffers" : "nothingFoundHint"));
  if (fault) wording().then(() => { hint.textContent = faultLine(fault); });
  return [icon("search"), make("h2", {}, text("nothingFound", words)), hint, make("div", { class: "pills" }, ...ways)];
}

// MARK: Selection

model.addEventListener("selection", () => {
  const bar = element("selection");
  const items = model.selected;
  bar.hidden = items.length === 0 || app.state.isPicking;
  if (bar.hidden) return;
  const actions = actionsFor(items, app).filter(({ isInBar }) => isInBar);
  bar.replaceChildren(
    make("span", { class: "total" }, items.length === 1 ? text("oneSelected") : text("selected", items.length)),
    ...actions.map((action) => {
      const off = offReason(action, items);
      const each = button(action.icon, text(action.label), () => run(action, items), { isShown: actions.length < 5, "data-action": action.id, disabled: off !== undefined });
      each.title = off ?? labelOf(action);
      return each;
    }),
    button("more", text("more"), (event) => showMenu(event.clientX, event.clientY), { "aria-haspopup": "menu" }),
    button("close", text("selectNone"), () => model.select([])));
});

const run = (action, items) => attempt(Promise.resolve(action.run(app, items)));

function showMenu(x, y) {
  const items = model.selected;
  popUp({ x, y }, actionsFor(items, app).map((action) => ({
    label: labelOf(action), icon: action.icon, id: action.id, separates: action.separates, off: offReason(action, items), run: () => run(action, items),
  })), collection);
}

// MARK: Opening

/** The path of an item of the place that is shown. Items found below it have none. */
const pathOf = ({ raw, folder }) => (raw && !folder && model.place?.path ? `${model.place.path}/${raw}` : undefined);

async function openItem(item) {
  if (!item.isSelectable && item.kind !== "folder") return;
  if (item.kind === "folder") await show(item.id);
  else if (app.state.isPicking) model.select([item.id]);
  else if (item.kind === "text") await (await parts(pathOf(item))).openEditor(app, item);
  else await openEffect(item);
}

/** A page that is loaded again shows the effect that it had. */
async function openAgain() {
  const path = sessionStorage.getItem("editing");
  if (!path || app.state.isPicking) return false;
  sessionStorage.removeItem("editing");
  const found = await order("find", { path }).catch(() => undefined);
  if (!found) return false;
  // An open one whose file is gone is in no place.
  if (!found.parent) return openEffect({ ...found, name: path.split("/").at(-1) });
  await reveal({ location: found.parent, item: found.id }, true);
  return true;
}

/** Opens an effect in the editor, or where it can only be looked at, in the viewer. */
async function openEffect(item) {
  const { openViewer, Zoom } = await parts(pathOf(item));
  const zoom = new Zoom(app, item);
  // An open document has the contents that the program holds, also if its file was damaged since.
  if (!app.state.isReadOnly && (!item.problem || item.isOpen)) {
    try {
      const { openEffectEditor } = await effectEditor(pathOf(item));
      return await openEffectEditor(app, item, zoom);
    } catch (error) {
      console.warn(error);
    }
  }
  return openViewer(app, item, zoom);
}

// MARK: Keyboard

addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select");
  if (document.querySelector("dialog[open], #menu:popover-open")) return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.key === "Escape") {
    if (isTyping && model.search) {
      search.clear();
      model.filter();
    }
    collection.focus();
    // Without anything to take back, it cancels the choice.
    if (app.state.isPicking && !isTyping && !model.selection.size) element("cancel").click();
    else model.select([]);
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
    const { place } = model;
    attempt(model.complete().then(() => { if (model.place?.id === place?.id) model.select(model.shown.map(({ id }) => id)); }));
  } else if (isCommand && event.key.toLowerCase() === "z") {
    event.preventDefault();
    undo(event.shiftKey);
  } else if (event.altKey && event.key === "ArrowUp" && model.ancestors.length) {
    show(model.ancestors.at(-1).id);
  } else if (command && !app.state.isPicking) {
    const wanted = (model.place?.id === "trash" && command.inTrash) || command.action;
    const action = actionsFor(items, app).find((each) => each.id === wanted && offReason(each, items) === undefined);
    if (command.action === "create" && canCreateSomewhere()) {
      event.preventDefault();
      create();
    } else if (action) {
      event.preventDefault();
      run(action, items);
    }
  }
});

// MARK: Events

let pending;

/** Lists again, once for all changes within 60 ms. */
function refreshSoon() {
  clearTimeout(pending);
  pending = setTimeout(async () => {
    await refresh();
    pending = undefined;
  }, 60);
}

function received(name, value) {
  if (name === "lost") {
    tellLost(false);
    element("lost").showPopover();
  } else if (name === "stranger") {
    tellLost(true);
  } else if (name === "open") {
    if (element("lost").matches(":popover-open")) {
      element("lost").hidePopover();
      tell(text("again"));
      resume();
    } else {
      // Changes before the stream was connected were not told.
      model.check().catch(() => {});
    }
  } else if (name === "items" || name === "reload") {
    if (value.location !== model.place?.id) return;
    // What the event tells is shown at once, unless something was missed.
    if (name === "items" && !pending && !model.found && model.apply(value)) return;
    refreshSoon();
  } else if (name === "locations") {
    ask("state", { window: windowName }).then(({ places }) => showPlaces(places), () => {});
  } else if (name === "reveal") {
    // Another window that was used later shows it.
    if (value.window === undefined || value.window === windowName) reveal(value, value.opens);
  } else if (name === "undo") {
    Object.assign(app.state, { undo: value.undo ?? undefined, redo: value.redo ?? undefined });
    app.showBar();
  } else if (name === "setting" && value.name === "style") {
    setStyle(value.value ?? app.state.style);
  } else if (name === "setting" && value.name === "tint") {
    setTint(value.value ?? app.state.tint);
  }
  document.dispatchEvent(new CustomEvent(`browser-${name}`, { detail: value }));
}

/** Says that the program has ended, or that another answers. */
function tellLost(isStranger) {
  const [lost, stranger] = element("lost").children;
  [lost.hidden, stranger.hidden] = [isStranger, !isStranger];
}

/** After a restart, identities are new: finds the shown place by its path. */
async function resume() {
  const path = model.place?.path;
  const { key, ...state } = await ask("state", { window: windowName, path }).catch(() => ({}));
  if (!key) return;
  app.state = { ...app.state, ...state };
  showPlaces(state.places);
  // Only the connection was lost: the selection stays.
  if (state.place === model.place?.id) await refresh();
  else await show(state.place, { isBack: true });
  document.dispatchEvent(new Event("browser-resumed"));
}

start().catch((error) => {
  element("empty").hidden = false;
  element("empty").replaceChildren(icon("warning"), make("h2", {}, error.message));
});

export { address };
