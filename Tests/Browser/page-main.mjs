// The page of the browser as a whole, in node: places, rows in view, selection, keys, sheets, pictures, events of the program.
//
//   node Tests/Browser/page-main.mjs

import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, settled } from "./clock.mjs";
import { answers, asked, eventually, fire, load, media, press, receive, resize, type } from "./page.mjs";

const element = (id) => document.getElementById(id);
const all = (selectors, root = document) => root.querySelectorAll(selectors);
const labels = (elements) => elements.map((each) => each.textContent || each.getAttribute("aria-label"));

/** A row of the route `list`. Bit 1: it can be selected. */
const row = (id, name, { kind = "effect", size = 1500, modified = 1_699_990_000, bits = 1, tags, raw, problem, title = "Particles document", folder, distance } = {}) =>
  [id, name, kind, title, size, modified, bits, problem, raw ?? name, tags, folder, distance];

const rows = [
  row("f", "inner", { kind: "folder", title: "Folder", size: null }),
  ...Array.from({ length: 40 }, (_, index) => row(`e${index}`, `effect ${String(index).padStart(2, "0")}.particles`, index === 1 ? { bits: 17, tags: ["red", "blue", "green"] } : {})),
  row("t", "words.txt", { kind: "text", title: "Text" }),
];
const places = [
  { id: "recents", kind: "recents", name: "Recents", writable: false },
  { id: "docs", kind: "folder", name: "Documents", path: "/docs", writable: true },
];
const listings = {
  docs: () => ({ location: { id: "docs", name: "Documents", path: "/docs", writable: true }, ancestors: [], revision: 1, total: rows.length, items: rows }),
  f: () => ({ location: { id: "f", name: "inner", path: "/docs/inner", writable: true }, ancestors: [{ id: "docs", name: "Documents" }], revision: 1, total: 0, items: [] }),
  recents: () => ({ location: { id: "recents", name: "Recents", writable: false }, ancestors: [], revision: 1, total: 1, items: [row("r", "recent.particles", { bits: 17, tags: ["red", "blue", "green"] })] }),
};
Object.assign(answers, {
  state: { places, place: "docs", settings: {}, allowsMany: true, allowsCreation: true, isReadOnly: false, hasModule: true, listing: listings.docs() },
  list: ({ location, kind }) => { const found = listings[location](); return kind ? { ...found, items: found.items.filter((each) => each[2] === kind) } : found; },
  window: {}, inspect: { items: [] }, trash: (_, { items }) => ({ name: "Move to Trash", undo: true, results: items.map((id) => ({ status: "done", name: id })) }),
  undo: { name: "Move to Trash", results: [{ status: "done", name: "e0" }] },
});
resize(element("scroller"), 1000, 600);

/** All pictures. */
const made = [];
const { createElement } = document;
document.createElement = (name) => {
  const each = createElement(name);
  if (name === "img") made.push(each);
  return each;
};

const { app } = await load("main.js");
const { actionsFor } = await load("actions.js");
const { model } = app;
const collection = element("collection");
await pass(1000);
const tiles = () => all("[role=option]", collection).sort((a, b) => a.getAttribute("aria-posinset") - b.getAttribute("aria-posinset"));
const option = (id) => all("[role=option]", collection).find((each) => each.id === `d-${id}`);
const placeOf = (tile) => tile.style.transform.match(/-?[\d.]+/g).map(Number);

// MARK: Beginning

test("the page begins with the place and its rows; recent documents are a place of their own", () => {
  assert.equal(element("place").textContent, "Documents");
  assert.equal(document.title, "Documents – Particles");
  assert.equal(element("count").textContent, "41 documents, 1 folder");
  assert.deepEqual(labels(all("button", element("places"))), ["Recents", "Documents"]);
  assert.equal(element("places").querySelector("[aria-current]").dataset.place, "docs");
  assert.equal(element("empty").hidden, true);
  assert.deepEqual(tiles().slice(0, 3).map((tile) => tile.id), ["d-new", "d-f", "d-e0"]);
  assert.deepEqual(history.state, { place: "docs" });
});

test("only the rows in view and one more on each side have elements", () => {
  const { columns, rowHeight } = collection.geometry;
  assert.equal(columns, 5, "1000 - 52 between the edges, at least 172 each, with 22 between them");
  const shown = tiles();
  assert.ok(shown.length < 43 && shown.length >= columns * 2, `${shown.length} elements`);
  assert.ok(shown.every((tile) => placeOf(tile)[1] < 600 + 2 * rowHeight));
  assert.equal(Number.parseInt(collection.style.height), 8 + Math.ceil(43 / columns) * rowHeight + 92);
  const [first, second] = shown.slice(1);
  assert.equal(placeOf(second)[0] - placeOf(first)[0], collection.geometry.width + 22);
  assert.deepEqual([shown[1].getAttribute("aria-posinset"), shown[1].getAttribute("aria-setsize")], ["2", "43"]);
});

test("a list has rows of 54 and a column", () => {
  element("tools").querySelector("[role=radio][aria-checked=false]").click();
  assert.equal(collection.mode, "list");
  assert.equal(localStorage.getItem("mode"), "list");
  assert.deepEqual([collection.geometry.columns, collection.geometry.rowHeight], [1, 54]);
  const shown = tiles();
  assert.equal(placeOf(shown[2])[1] - placeOf(shown[1])[1], 54);
  assert.equal(shown[2].style.height, "50px");
  assert.equal(element("columns").hidden, false);
  assert.deepEqual(all(".cell", shown[3]).map((each) => each.textContent).slice(0, 2), ["Particles document", "1.5\u00a0kB"]);
  element("tools").querySelector("[role=radio][aria-checked=false]").click();
  assert.equal(collection.mode, "grid");
});

test("labels show the star, the first tag and how many more there are", () => {
  const starred = option("e1");
  assert.deepEqual(all(".label", starred).map((each) => each.textContent), ["red", "+2"]);
  assert.equal(all(".labels .icon", starred)[0].dataset.icon, "star");
  assert.equal(starred.getAttribute("aria-label"), "effect 01.particles, Particles document, favourite, red, blue, green");
  assert.equal(all(".labels", option("e2")).length, 0);
});

// MARK: Selection

test("clicks select one, add, and extend from the last one", () => {
  fire(option("e1"), "click", { pointerType: "mouse" });
  assert.deepEqual([...model.selection], ["e1"]);
  fire(option("e3"), "click", { ctrlKey: true, pointerType: "mouse" });
  assert.deepEqual([...model.selection], ["e1", "e3"]);
  fire(option("e3"), "click", { ctrlKey: true, pointerType: "mouse" });
  assert.deepEqual([...model.selection], ["e1"]);
  fire(option("e5"), "click", { shiftKey: true, pointerType: "mouse" });
  assert.deepEqual([...model.selection], ["e3", "e4", "e5"]);
  assert.equal(option("e5").getAttribute("aria-selected"), "true");
  assert.equal(option("e6").getAttribute("aria-selected"), "false");
  assert.equal(collection.getAttribute("aria-activedescendant"), "d-e5");
  const bar = element("selection");
  assert.equal(bar.hidden, false);
  assert.equal(bar.querySelector(".total").textContent, "3 selected");
  fire(collection, "click");
  assert.equal(model.selection.size, 0);
  assert.equal(bar.hidden, true);
});

test("the bar names its actions where there are four of them at most", () => {
  model.select(["t"]);
  const actions = all("[data-action]", element("selection"));
  assert.deepEqual(actions.map(({ dataset }) => dataset.action), ["information", "rename", "duplicate", "move", "trash"]);
  assert.ok(actions.every((each) => each.textContent === "" && each.title), "five have icons only");
  model.select(["t", "f"]);
  assert.deepEqual(all("[data-action]", element("selection")).map((each) => each.textContent), actions.slice(1).map(({ title }) => title.replace(/ \(.*\)$/, "")));
  model.select([]);
});

test("arrows move by one and by a row, and stop at the ends", () => {
  collection.currentIndex = undefined;
  const { columns } = collection.geometry;
  const at = () => collection.currentIndex;
  press(collection, "ArrowRight");
  assert.equal(at(), 0, "the first key goes to the first entry");
  press(collection, "ArrowRight");
  press(collection, "ArrowDown");
  assert.equal(at(), 1 + columns);
  press(collection, "ArrowLeft");
  assert.equal(at(), columns);
  press(collection, "ArrowUp");
  press(collection, "ArrowUp");
  assert.equal(at(), 0);
  press(collection, "End");
  assert.equal(at(), 42);
  assert.deepEqual([...model.selection], ["t"]);
  assert.ok(collection.scroller.scrollTop > 0);
  press(collection, "Home");
  assert.equal(at(), 0);
  press(collection, "ArrowRight");
  press(collection, "ArrowDown", { ctrlKey: true });
  assert.deepEqual([at(), [...model.selection]], [1 + columns, ["f"]], "with Ctrl, nothing is selected");
  press(collection, "PageDown");
  const page = Math.max(1, Math.floor(600 / collection.geometry.rowHeight) - 1) * columns;
  assert.equal(at(), 1 + columns + page);
  assert.equal(press(collection, "q").defaultPrevented, false);
  fire(collection, "click");
});

test("Escape ends the search, and takes the selection back", async () => {
  element("search").focus();
  type(element("search"), "effect 0");
  assert.equal(element("count").textContent, "10 documents");
  assert.ok(all("[role=option]", collection).every((each) => each.id.startsWith("d-e0") || /d-e\d$/.test(each.id)));
  model.select(["e1"]);
  press(element("search"), "Escape");
  assert.equal(element("search").value, "");
  assert.equal(element("count").textContent, "41 documents, 1 folder", "all rows are shown again");
  assert.equal(model.selection.size, 0);
  assert.equal(document.activeElement, collection);
  type(element("search"), "nothing like this");
  assert.equal(element("empty").hidden, false);
  assert.match(element("empty").textContent, /nothing like this/);
  press(element("search"), "Escape");
  assert.equal(element("empty").hidden, true);
});

test("a search shows names at once, and asks the program once, a moment after the last key", async () => {
  const { list } = answers;
  const searches = () => asked.filter(({ route, values }) => route === "list" && values.search !== undefined);
  asked.length = 0;
  answers.list = (values) => (values.search ? {
    ...listings.docs(), total: 2, items: [row("e7", "effect 07.particles"), row("d", "effect 0 below.pex", { folder: "inner" })], indexing: 0.31, indexJob: "docs",
  } : list(values));
  for (const words of ["e", "effect", "effect 0"]) type(element("search"), words);
  assert.equal(element("count").textContent, "10 documents", "those of the place");
  await pass(200);
  assert.equal(searches().length, 0);
  await pass(100);
  assert.deepEqual(searches().map(({ values }) => [values.location, values.search]), [["docs", "effect 0"]]);
  assert.equal(element("count").textContent, "2 documents so far, indexing 31 %");
  assert.match(option("d").textContent, /inner\//);
  receive("progress", { job: "docs", fraction: 0.55 });
  assert.match(element("count").textContent, /50 %/);
  receive("progress", { job: "another", fraction: 1 });
  await pass(100);
  assert.equal(searches().length, 1);
  answers.list = (values) => (values.search ? { ...listings.docs(), total: 1, items: [row("e7", "effect 07.particles", { distance: 0.25 })] } : list(values));
  receive("progress", { job: "docs", fraction: 1 });
  await pass(100);
  assert.equal(searches().length, 2, "once more at the end of the index");
  assert.equal(element("count").textContent, "1 document");
  press(element("search"), "Escape");
  await pass(1000);
  assert.equal(searches().length, 2);
  answers.list = list;
});

test("where nothing is found, the page offers what finds something", async () => {
  const { list } = answers;
  const nothing = { ...listings.docs(), total: 0, items: [] };
  const ways = () => labels(all("button", element("empty")));
  answers.list = (values) => (values.search === undefined ? list(values) : values.search === "effect 01" ? { ...nothing, total: 1, items: [row("e1", "effect 01.particles")] }
    : { ...nothing, offers: [["effect 01", 12]], needsIndex: values.index === undefined });
  type(element("search"), "efect 01");
  assert.match(element("empty").textContent, /^Searching for “efect 01”/);
  await pass(300);
  assert.deepEqual(ways(), ["effect 01 (12)", "Index this folder"]);
  all("button", element("empty"))[1].click();
  await pass(50);
  assert.deepEqual(ways(), ["effect 01 (12)"], "it is made on request");
  all("button", element("empty"))[0].click();
  await pass(50);
  assert.equal(element("search").value, "effect 01");
  assert.deepEqual(model.shown.map(({ id }) => id), ["e1"]);
  model.kind = "text";
  model.filter();
  assert.deepEqual(ways(), ["All kinds"]);
  all("button", element("empty"))[0].click();
  assert.deepEqual(model.shown.map(({ id }) => id), ["e1"]);
  press(element("search"), "Escape");
  answers.list = list;
});

test("what looks like an effect is searched from its menu", async () => {
  asked.length = 0;
  model.select(["e1"]);
  await actionsFor(model.selected, app).find(({ id }) => id === "similar").run(app, model.selected);
  await pass(50);
  assert.equal(element("search").value, 'similar:"effect 01.particles"');
  assert.equal(asked.find(({ route }) => route === "list").values.search, 'similar:"effect 01.particles"');
  press(element("search"), "Escape");
});

test("the arrow down goes from the search to the rows, and keys that are typed are no commands", () => {
  element("search").focus();
  model.select(["e1"]);
  assert.equal(press(element("search"), "Delete").defaultPrevented, false);
  press(element("search"), "ArrowDown");
  assert.equal(document.activeElement, collection);
  press(document.body, "/");
  assert.equal(document.activeElement, element("search"));
  collection.focus();
  press(document.body, "f", { ctrlKey: true });
  assert.equal(document.activeElement, element("search"));
  collection.focus();
  press(document.body, "f");
  assert.equal(document.activeElement, collection, "without Ctrl it is no command");
});

test("commands act on what is selected: all, trash, undo, the place above", async () => {
  press(document.body, "a", { metaKey: true });
  await settled();
  assert.equal(model.selection.size, 42);
  model.select(["e1", "e2"]);
  asked.length = 0;
  press(document.body, "Delete");
  await settled();
  assert.deepEqual(asked.find(({ route }) => route === "trash")?.body, { items: ["e1", "e2"] });
  assert.match(element("toasts").textContent, /2 documents moved to the trash/);
  press(document.body, "z", { ctrlKey: true });
  await settled();
  assert.ok(asked.some(({ route }) => route === "undo"));
  await app.show("f");
  assert.deepEqual(labels(all("#trail button")), ["Documents"]);
  assert.equal(element("places").querySelector("[aria-current]").getAttribute("aria-current"), "true", "the nearest folder above");
  press(document.body, "ArrowUp", { altKey: true });
  await settled();
  assert.equal(model.place.id, "docs");
  await pass(20_000);
  assert.equal(element("toasts").children.length, 0, "lines are shown for some seconds");
  assert.equal(element("toasts").isPopover, false);
});

// MARK: Pictures

const pictures = () => all("img", collection);

/** Delivers all pictures that are asked for, also pictures that left the view, and then the pictures that are asked for meanwhile. */
function finish() {
  const waits = ({ src, isDone }) => src && !isDone;
  for (let waiting = made.filter(waits); waiting.length; waiting = made.filter(waits)) {
    for (const each of waiting) {
      each.isDone = true;
      each.onload();
    }
  }
}

test("four pictures are asked for at a time, those in view from the first on; they show when they are there", async () => {
  fire(collection, "click");
  collection.scrollTo(0);
  finish();
  collection.clear();
  collection.layOut();
  const asked = pictures().filter(({ src }) => src);
  assert.equal(asked.length, 4);
  assert.deepEqual(asked.map(({ src }) => new URL(src).searchParams.get("item")), ["e0", "e1", "e2", "e3"]);
  assert.equal(new URL(asked[0].src).searchParams.get("version"), "1699990000-1500");
  assert.equal(asked[1].classList.contains("ready"), false);
  asked[1].isDone = asked[2].isDone = true;
  asked[1].onload();
  assert.equal(asked[1].classList.contains("ready"), true);
  assert.equal(pictures().filter(({ src }) => src).length, 5, "the next one is asked for");
  answers.thumbnail = Object.assign(new Error("the file is damaged: at byte 7"), { status: 422 });
  await asked[2].onerror();
  assert.equal(asked[2].isConnected, false, "no broken picture is shown");
  assert.equal(option("e2").querySelector(".reason").title, "the file is damaged: at byte 7");
  assert.equal(option("e2").querySelector(".facts").textContent, "the file is damaged", "why, in a few words, in place of facts");
  assert.equal(option("e2").querySelector(".picture").firstElementChild.dataset.icon, "warning");
  model.select(["e2", "e5"]);
  const bar = all("[data-action]", element("selection"));
  assert.deepEqual(bar.filter(({ disabled }) => disabled).map(({ dataset, title }) => [dataset.action, title]), ["convert", "export"].map((id) => [id, "One of the documents cannot be read"]));
  assert.equal(bar.find(({ dataset }) => dataset.action === "rename").title, "Rename (F2)", "tooltips name the key");
  model.select([]);
  assert.match(option("e2").getAttribute("aria-label"), /the file is damaged: at byte 7$/);
});

test("after all pictures, the documents in view are inspected once", async () => {
  asked.length = 0;
  answers.inspect = { items: [[...row("e3", "effect 03.particles", { problem: "no texture" })]] };
  finish();
  await pass(700);
  assert.equal(asked.filter(({ route }) => route === "inspect").length, 0, "a moment later");
  await pass(200);
  const [inspected] = asked.filter(({ route }) => route === "inspect");
  assert.ok(inspected.body.items.includes("e3") && !inspected.body.items.includes("f"));
  assert.equal(option("e3").querySelector(".reason").title, "no texture");
  collection.pictures.inspectSoon();
  await pass(2000);
  assert.equal(asked.filter(({ route }) => route === "inspect").length, 1);
});

// MARK: Menus and sheets

test("a menu is in the window, its keys go around, and it goes when it is closed", () => {
  model.select(["e1"]);
  fire(option("e1"), "contextmenu", { clientX: 1190, clientY: 790, button: 2 });
  const menu = element("menu");
  assert.equal(menu.isPopover, true);
  const buttons = all("button", menu);
  assert.equal(document.activeElement, buttons[0]);
  press(buttons[0], "ArrowUp");
  assert.equal(document.activeElement, buttons.at(-1));
  press(buttons.at(-1), "ArrowDown");
  assert.equal(document.activeElement, buttons[0]);
  press(buttons[0], "ArrowDown");
  assert.equal(document.activeElement, buttons[1]);
  assert.deepEqual([menu.style.left, menu.style.top], ["1190px", "790px"]);
  menu.hidePopover();
  assert.equal(element("menu"), null);
  const entry = { label: "b", isChecked: true, role: "menuitemradio", run() {} };
  assert.equal(document.body.querySelector("#menu"), null);
  fire(option("e1"), "contextmenu", { clientX: 100, clientY: 50, button: 2 });
  fire(option("e2"), "contextmenu", { clientX: 100, clientY: 50, button: 2 });
  assert.equal(all("#menu").length, 1);
  assert.ok(entry);
  element("menu").hidePopover();
});

test("a faulty answer is shown as wrong, for longer", async () => {
  answers.trash = Object.assign(new Error("the disk is full"), { status: 507 });
  model.select(["e1"]);
  press(document.body, "Delete");
  await eventually(() => element("toasts").lastElementChild);
  const line = element("toasts").lastElementChild;
  assert.equal(line.className, "toast wrong");
  await pass(6500);
  assert.ok(line.isConnected);
  await pass(3000);
  assert.ok(!line.isConnected);
});

test("events of the program are shown at once, or listed again", async () => {
  model.select([]);
  receive("items", { location: "docs", revision: 2, changed: [row("n", "added.particles")], removed: ["e39"] });
  assert.equal(element("count").textContent, "41 documents, 1 folder");
  assert.ok(model.byId.has("n") && !model.byId.has("e39"));
  asked.length = 0;
  receive("items", { location: "docs", revision: 9, changed: [], removed: [] });
  receive("reload", { location: "docs" });
  assert.equal(asked.length, 0);
  await pass(100);
  assert.equal(asked.filter(({ route, values }) => route === "list" && values.location === "docs").length, 1, "several changes in a moment are one");
  receive("items", { location: "elsewhere", revision: 2, changed: [], removed: [] });
  await pass(100);
  assert.equal(asked.filter(({ route, values }) => route === "list" && values.location === "docs").length, 1);
  receive("undo", { undo: "Rename", redo: null });
  assert.deepEqual([element("undo").disabled, element("redo").disabled], [false, true]);
  receive("lost", null);
  assert.equal(element("lost").isPopover, true);
  receive("open", null);
  await pass(100);
  assert.equal(element("lost").isPopover, false);
});

// MARK: Moving pictures

test("a picture moves after a moment of rest, where motion is wanted", async () => {
  const item = model.byId.get("e1");
  const tile = option("e5");
  collection.moving.hide();
  media.add("prefers-reduced-motion");
  collection.moving.show(item, tile);
  assert.equal(collection.moving.picture, undefined);
  media.clear();
  collection.moving.show({ ...item, problem: "damaged" }, tile);
  assert.equal(collection.moving.picture, undefined);
  collection.moving.show({ ...item, problem: undefined }, tile);
  assert.equal(collection.moving.picture, tile);
  collection.moving.hide();
  assert.equal(collection.moving.picture, undefined);
});
