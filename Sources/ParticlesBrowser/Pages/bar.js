// The bar above the collection: view, order, undo, filters, and the choice of documents or of a folder.

import { parts } from "./deferred-loading.js";
import { button, make } from "./icons.js";
import { attempt, popUp, tellFault, undo } from "./messages.js";
import { order } from "./server.js";
import { operationName, text, visible } from "./texts.js";

const element = (name) => document.getElementById(name);

/** Makes the bar. Its state is shown by `app.showBar()`. */
export function makeBar(app, canCreate) {
  const { model, collection } = app;
  const modeButtons = {};
  const segments = make("div", { class: "segments", role: "radiogroup", "aria-label": text("show") });
  for (const mode of ["grid", "list"]) {
    modeButtons[mode] = button(mode, text(mode), () => {
      collection.setMode(mode);
      app.showBar();
      app.noteWindow?.();
    }, { role: "radio" });
    segments.append(modeButtons[mode]);
  }
  const sort = button("sort", text("sort"), () => {
    popUp(sort, ["name", "date", "size", "kind"].map((key) => ({
      label: text(`by${key[0].toUpperCase()}${key.slice(1)}`), icon: model.sort === key ? "check" : undefined, role: "menuitemradio",
      isChecked: model.sort === key, run: () => model.setSort(key),
    })), collection);
  }, { "aria-haspopup": "menu" });
  const back = button("undo", text("undo"), () => undo(), { id: "undo" });
  const again = button("redo", text("redo"), () => undo(true), { id: "redo" });
  const create = button("plus", text("create"), () => attempt(parts().then(({ createDocument }) => createDocument(app))), { isShown: true, class: "primary" });
  element("tools").append(segments, sort, ...(app.state.isReadOnly || app.state.isPicking ? [] : [back, again]), create);
  if (app.state.isPicking) {
    create.hidden = true;
    if (app.state.savedName === undefined) makePicker(app);
    else makeSaver(app);
  }
  makeFilters(app);

  app.showBar = () => {
    for (const [mode, each] of Object.entries(modeButtons)) each.setAttribute("aria-checked", String(collection.mode === mode));
    create.disabled = !canCreate();
    element("columns").hidden = collection.mode !== "list";
    for (const column of element("columns").children) column.setAttribute("aria-pressed", String(column.dataset.sort === model.sort));
    for (const chip of element("chips").querySelectorAll("[data-kind]")) chip.setAttribute("aria-pressed", String(chip.dataset.kind === model.kind));
    for (const chip of element("chips").querySelectorAll("[data-tag]")) chip.setAttribute("aria-pressed", String(chip.dataset.tag === model.tag));
    element("favourites").setAttribute("aria-pressed", String(model.isFavourites));
    for (const [each, name, named, none] of [[back, app.state.undo, "undoNamed", "nothingToUndo"], [again, app.state.redo, "redoNamed", "nothingToRedo"]]) {
      each.disabled = !name;
      each.title = name ? text(named, operationName(name)) : text(none);
      each.setAttribute("aria-label", each.title);
    }
  };
}

/** Filters by kind, favourites, and the tags of the place. */
function makeFilters(app) {
  const { model } = app;
  const kinds = { all: "filterAll", effect: "filterEffects", folder: "filterFolders" };
  const set = (change) => {
    change();
    model.filter();
    app.showBar();
  };
  // Seldom wanted among effects.
  const more = make("button", { type: "button", id: "more-filters", "aria-haspopup": "menu", "data-kind": "text", onclick: () => popUp(more, [{
    label: text("filterTexts"), icon: model.kind === "text" ? "check" : undefined, role: "menuitemradio", isChecked: model.kind === "text", id: "texts",
    run: () => set(() => { model.kind = model.kind === "text" ? "all" : "text"; }),
  }], app.collection) }, text("moreFilters"));
  const favourites = make("button", { type: "button", id: "favourites", hidden: true, onclick: () => set(() => { model.isFavourites = !model.isFavourites; }) }, text("favourites"));
  element("chips").append(...Object.entries(kinds).map(([kind, label]) => make("button", {
    type: "button", "data-kind": kind, onclick: () => set(() => { model.kind = kind; }),
  }, text(label))), favourites, more);
  let shown = "";
  model.addEventListener("shown", () => {
    favourites.hidden = !model.isFavourites && !model.items?.some((item) => item.isFavourite);
    const tags = model.tags.slice(0, 12);
    if (model.tag !== undefined && !tags.includes(model.tag)) tags.push(model.tag);
    if (tags.join(",") === shown) return;
    shown = tags.join(",");
    element("chips").querySelectorAll("[data-tag]").forEach((each) => each.remove());
    element("chips").append(...tags.map((tag) => make("button", {
      type: "button", class: "tag", "data-tag": tag, onclick: () => set(() => { model.tag = model.tag === tag ? undefined : tag; }),
    }, visible(tag))));
    app.showBar();
  });
  const columns = { name: "byName", kind: "byKind", size: "bySize", date: "byDate" };
  element("columns").append(...Object.entries(columns).map(([key, label]) => make("button", {
    type: "button", "data-sort": key, onclick: () => {
      model.setSort(key);
      app.showBar();
    },
  }, text(label))));
}

/** Choosing of documents. */
function makePicker(app) {
  const { model } = app;
  const choose = button(undefined, text("choose"), () => attempt(order("pick", { items: [...model.selection] })).then(close), {
    isShown: true, class: "primary", disabled: true, id: "choose",
  });
  const cancel = button(undefined, text("cancel"), () => attempt(order("pick", { items: null })).then(close), { isShown: true, id: "cancel" });
  element("tools").append(cancel, choose);
  model.addEventListener("selection", () => { choose.disabled = !model.selected.some(({ kind }) => kind !== "folder"); });
}

/** Choosing of a name and a place for a new file. */
function makeSaver(app) {
  const { model } = app;
  const name = make("input", { id: "saved-name", value: app.state.savedName, "aria-label": text("name"), spellcheck: "false", autocomplete: "off" });
  let taken;
  const save = button(undefined, text("save"), async () => {
    const wanted = `${model.place.id}/${name.value}`;
    try {
      await order("pick", { location: model.place.id, name: name.value, replaces: taken === wanted });
      window.close();
    } catch (error) {
      if (error.status === 409) taken = wanted;
      await tellFault(error);
    }
  }, { isShown: true, class: "primary", id: "choose" });
  const cancel = button(undefined, text("cancel"), () => attempt(order("pick", { items: null })).then(close), { isShown: true, id: "cancel" });
  name.addEventListener("keydown", (event) => { if (event.key === "Enter") save.click(); });
  element("tools").append(name, cancel, save);
}
