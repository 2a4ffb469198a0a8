// Parts that open over the page of the browser, in node: sheets, the viewer, the picture that grows into it, and texts that two programs have changed.
//
//   node Tests/Browser/page-sheets.mjs

import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, settled, until } from "./clock.mjs";
import { answers, asked, fire, load, media, press, resize, type } from "./page.mjs";

const { make } = await load("icons.js");
const { item, Model } = await load("model.js");
const { editTags, setFavourite } = await load("labels.js");
const { compact, validate } = await load("checking.js");
const { createDocument } = await load("sheets.js");
const { copyTo, moveTo } = await load("folders.js");
const { newNames, rename } = await load("renaming.js");
const { convert, looksDifferent, weight } = await load("converting.js");
const { merged, plain } = await load("text-editor.js");
const { loadPlayer, Moving } = await load("moving.js");
await loadPlayer();
const { openViewer } = await load("viewer.js");
const { Zoom } = await load("zoom.js");
const { DocumentCollection } = await load("collection.js");
const { setTint } = await load("appearance.js");

const all = (selectors, root = document) => root.querySelectorAll(selectors);
const row = (id, name, { kind = "effect", bits = 1, tags, title = "Particles document" } = {}) => item([id, name, kind, title, 10, 1_699_990_000, bits, undefined, name, tags]);
/** A part of the page that a sheet was opened from. */
function page(values = {}) {
  const said = [];
  const shown = [];
  const picture = make("div", { class: "picture" });
  document.body.append(picture);
  return {
    said, shown, picture, model: { place: { id: "docs", name: "Documents", writable: true }, tags: ["red", "blue"] }, windowName: "w",
    state: { hasModule: true, isReadOnly: false, ...values }, places: [{ id: "recents", kind: "recents" }, { id: "docs", kind: "folder", name: "Documents", writable: true, path: "/docs" }],
    tell(line, { ways } = {}) { said.push(line); this.ways = ways; }, refresh: async () => { shown.push("refresh"); }, attempt: (promise) => promise.catch(() => {}), revealIn: async ({ item: id }) => shown.push(id),
    collection: { focus() {}, revealItem: (id) => shown.push(id), pictureOf: () => picture, moving: { hide() {} } },
  };
}
const define = (element, values) => { for (const [name, value] of Object.entries(values)) Object.defineProperty(element, name, { value, configurable: true }); };
const dialog = () => all("dialog").at(-1);
const push = (label, root = dialog()) => all("button", root).find((each) => (each.textContent || each.getAttribute("aria-label")) === label).click();
const said = () => document.getElementById("toasts").textContent;

test("elements have the attributes that have a value", () => {
  const made = make("i", { title: null, alt: undefined, hidden: false, open: true, class: "a b", tabindex: 0 }, null, "text", undefined, false);
  assert.deepEqual([...made.attributes], [["open", ""], ["class", "a b"], ["tabindex", "0"]]);
  assert.equal(made.textContent, "text");
});

test("the collection has no rows before its place is listed", () => {
  const collection = new DocumentCollection();
  const scroller = make("div");
  collection.connect(new Model(), scroller, { canCreate: () => true });
  resize(scroller, 800, 600);
  assert.equal(collection.geometry, undefined);
  assert.equal(collection.children.length, 0);
});

// MARK: Tags

test("tags: a click adds or removes one; those of some items only stay", async () => {
  const app = page();
  editTags(app, [row("1", "a", { tags: ["red", "old"] }), row("2", "b", { tags: ["red"] })]);
  const input = document.getElementById("tags");
  assert.equal(input.value, "red");
  const pill = (name) => all(".pill", dialog()).find((each) => each.dataset.tag === name);
  assert.deepEqual(all(".pill", dialog()).map((each) => [each.dataset.tag, each.getAttribute("aria-pressed")]), [["red", "true"], ["blue", "false"]]);
  pill("blue").click();
  assert.equal(input.value, "red, blue");
  pill("red").click();
  assert.equal(input.value, "blue");
  assert.deepEqual([pill("red"), pill("blue")].map((each) => each.getAttribute("aria-pressed")), ["false", "true"]);
  type(input, "blue, new,, new ");
  answers.tags = (_, { items }) => ({ results: items.map((name) => ({ status: "done", name })) });
  asked.length = 0;
  push("Apply");
  await pass(10);
  assert.deepEqual(asked.map(({ body }) => body), [{ items: ["1"], tags: ["blue", "new", "old"] }, { items: ["2"], tags: ["blue", "new"] }]);
  assert.equal(dialog(), undefined);
  assert.deepEqual(app.shown, ["refresh"]);
});

test("favourites are ordered for all items", async () => {
  answers.favourite = {};
  asked.length = 0;
  await setFavourite(page(), [row("1", "a"), row("2", "b")], true);
  assert.deepEqual(asked[0].body, { items: ["1", "2"], favourite: true });
});

// MARK: Checks

test("compaction tells what was compacted, by name if it is one", async () => {
  for (const [changed, line] of [[["/x/a.particles"], /a\.particles/], [["/x/a", "/x/b"], /2 documents/], [[], /Nothing to compact/]]) {
    document.getElementById("toasts").replaceChildren();
    answers.action = { changed };
    await compact(page(), [row("1", "a"), row("2", "b")]);
    assert.match(said(), line);
    assert.equal(dialog(), undefined);
  }
});

test("validation shows the files with findings, or the first one", async () => {
  const finding = { severity: "error", message: "the image is missing", rule: "effect/image" };
  answers.action = { report: { files: [{ path: "/x/a", diagnostics: [] }, { path: "/x/b", diagnostics: [finding] }, { path: "/x/c", diagnostics: [] }] } };
  await validate(page(), [row("1", "a")]);
  assert.deepEqual(all("h3", dialog()).map((each) => each.textContent), ["b"]);
  assert.match(dialog().textContent, /the image is missing/);
  dialog().close();
});

// MARK: Name and place

test("renaming selects the name without its extension, and shows why it failed", async () => {
  const app = page();
  rename(app, [row("1", "fire.old.plist")]);
  const input = dialog().querySelector("input");
  assert.deepEqual([input.selectionStart, input.selectionEnd], [0, 8]);
  answers.rename = { results: [{ status: "failed", diagnostic: { message: "the name is taken" } }] };
  input.value = "b.plist";
  press(input, "Enter");
  await pass(10);
  assert.equal(dialog().querySelector(".note").textContent, "the name is taken");
  assert.ok(dialog().querySelector(".note").classList.contains("wrong"));
  answers.rename = { results: [{ status: "done", name: "1", item: { displayName: "b.plist" } }] };
  push("Rename");
  await pass(10);
  assert.equal(dialog(), undefined);
  assert.deepEqual(app.shown, ["refresh", "1"]);
  rename(app, [row("2", "a.folder", { kind: "folder" })]);
  assert.equal(dialog().querySelector("input").selectionEnd, 8);
  dialog().close();
});

test("the folders to move to are in natural order, without those that move", async () => {
  const folders = [["f10", "part 10", "folder"], ["f9", "Part 9", "folder"], ["f2", "part 2", "folder"]];
  answers.list = ({ location }) => ({ location: { id: location, name: location, writable: location !== "up" }, ancestors: [{ id: "up", name: "Above" }], items: folders });
  await moveTo(page(), [row("f2", "part 2", { kind: "folder" })]);
  assert.deepEqual(all("li button", dialog()).map((each) => each.textContent), ["Part 9", "part 10"]);
  const done = all("button", dialog()).find((each) => each.textContent === "Move here");
  assert.equal(done.disabled, false);
  push("Above /");
  await settled();
  assert.equal(done.disabled, true, "nothing can be put there");
  push("Part 9");
  await settled();
  answers.move = { results: [{ status: "done", name: "part 2" }] };
  asked.length = 0;
  done.click();
  await pass(10);
  assert.deepEqual(asked[0].body, { items: ["f2"], location: "f9" });
  assert.match(said(), /Moved part 2/);
  answers.copy = { results: [{ status: "done", name: "part 2" }] };
  await copyTo(page(), [row("1", "a")]);
  push("Copy here");
  await pass(10);
  assert.deepEqual(asked.at(-1).body, { items: ["1"], location: "docs" });
  assert.match(said(), /Copied part 2 to docs/);
});

test("names for many: the old name, numbers with digits, replaced parts; what cannot be a name", () => {
  const items = [row("1", "Fire.pex"), row("2", "b.tar.gz"), row("3", "folder.x", { kind: "folder" })];
  const names = (values, others) => newNames(items, { pattern: "{name}", ...values }, others).map(({ name }) => name);
  const problems = (values, others) => newNames(items, { pattern: "{name}", ...values }, others).map(({ problem }) => problem);
  assert.deepEqual(names({}), ["Fire.pex", "b.tar.gz", "folder.x"]);
  assert.deepEqual(names({ pattern: "fx {nnn} {name}", start: 9 }), ["fx 009 Fire.pex", "fx 010 b.tar.gz", "fx 011 folder.x"]);
  assert.deepEqual(names({ find: "r", replacement: "$&" }), ["Fi$&e.pex", "b.ta$&.gz", "folde$&.x"]);
  assert.deepEqual(names({ pattern: "{n}{nn}{x}" }), ["101{x}.pex", "202{x}.gz", "303{x}"]);
  assert.deepEqual(problems({ pattern: " " }), ["nameEmpty", "nameEmpty", "nameEmpty"]);
  assert.deepEqual(problems({ pattern: ".{name}" })[0], "nameHidden");
  assert.deepEqual(problems({ pattern: "a/{n}" })[0], "nameSlash");
  assert.deepEqual(problems({ pattern: "x" }), [undefined, undefined, undefined], "extensions differ");
  assert.deepEqual(problems({ pattern: "fire" }, [row("9", "FIRE.pex")]), ["nameTaken", undefined, undefined]);
  assert.deepEqual(problems({ pattern: "{n}" }, [items[0], row("1", "1.pex")]), [undefined, undefined, undefined], "a name that becomes free");
  assert.deepEqual(newNames([row("1", "a.x"), row("2", "b.x")], { pattern: "c" }).map(({ problem }) => problem), ["nameTaken", "nameTaken"]);
});

test("many are renamed in the order on the screen, after a preview", async () => {
  const app = page();
  const items = [row("1", "b.pex"), row("2", "a.pex"), row("3", "c.pex")];
  Object.assign(app.model, { items, shown: [items[1], items[0], items[2]] });
  rename(app, [items[0], items[1]]);
  const list = () => all("#rename-preview li").map((each) => each.textContent);
  const done = all("button", dialog()).find((each) => each.textContent === "Rename");
  assert.deepEqual([list(), done.disabled], [["a.pex→a.pex", "b.pex→b.pex"], true]);
  type(document.getElementById("rename-pattern"), "c");
  assert.deepEqual([done.disabled, all("#rename-preview .error").length], [true, 2]);
  type(document.getElementById("rename-pattern"), "fire {nn}");
  type(document.getElementById("rename-start"), "7");
  assert.deepEqual([list(), done.disabled], [["a.pex→fire 07.pex", "b.pex→fire 08.pex"], false]);
  assert.equal(dialog().querySelector(".note").textContent, "2 names change");
  answers.rename = { undo: "Rename", results: [{ status: "done", name: "a.pex" }, { status: "done", name: "b.pex" }] };
  asked.length = 0;
  done.click();
  await pass(10);
  assert.deepEqual(asked.map(({ route, body }) => [route, body]), [["rename", { items: ["2", "1"], names: ["fire 07.pex", "fire 08.pex"] }]], "one request");
  assert.match(said(), /2 renamedUndo/);
  assert.equal(dialog(), undefined);
});

// MARK: Conversion

test("many are compared once, listed with the most different first, and converted into a folder", async () => {
  const app = page({ hasModule: false });
  const items = [row("1", "same.pex"), row("2", "other.pex"), row("3", "broken.pex")];
  const rows = [
    { source: "/d/same.pex", target: "/o/same.json", status: "converted", worst: "low", difference: 0.01, losses: [] },
    { source: "/d/other.pex", target: "/o/other.json", status: "converted", worst: "high", difference: 0.4, losses: [{ level: "high", text: "no noise" }] },
    { source: "/d/broken.pex", target: "/o/broken.json", status: "failed", worst: "info", losses: [], fault: { message: "the file is damaged", code: "file/damaged" } },
  ];
  answers.targets = { targets: [{ name: "starling", title: "Starling", extension: "pex" }, { name: "pixi", title: "PixiJS", extension: "json" }] };
  answers.compare = { rows, total: 3, failed: 1, created: [] };
  answers.conversion = { losses: [], difference: { whole: 0.4, aspects: [] } };
  localStorage.setItem("target", "pixi");
  asked.length = 0;
  await convert(app, items);
  await pass(10);
  assert.deepEqual(asked.map(({ route }) => route), ["targets", "compare"], "the broken one has no picture");
  assert.deepEqual(all(".compared li", dialog()).map((each) => each.textContent), ["broken.pexcannot be converted", "other.pex60 %", "same.pex99 %"]);
  assert.match(dialog().textContent, /3 documents, 1 look different/);
  assert.match(dialog().textContent, /the file is damaged/);
  all(".compared li", dialog())[1].click();
  await pass(10);
  assert.deepEqual(asked.slice(2).map(({ route, values }) => [route, values.item]), [["conversion", "2"]]);
  assert.match(dialog().textContent, /Similarity: 60 %/);
  answers.list = ({ location }) => ({ location: { id: location, name: "out", path: "/out", writable: true }, ancestors: [], items: [] });
  document.getElementById("convert-folder").click();
  await pass(10);
  push("Choose");
  await pass(10);
  assert.match(dialog().textContent, /\/out/);
  answers.convert = { rows, total: 3, failed: 1, created: ["/o/same.json", "/o/other.json"] };
  push("Convert");
  await pass(10);
  const { body } = asked.findLast(({ route }) => route === "convert");
  assert.deepEqual([body.items, body.target, body.location], [["1", "2", "3"], "pixi", "docs"]);
  assert.equal(app.said.at(-1), "2 documents converted to PixiJS, 1 looks different, 1 could not be converted");
  assert.deepEqual(app.ways.map(({ label }) => label), ["Report", "Undo"]);
  app.ways[0].run();
  assert.equal(all(".compared li", dialog()).length, 3);
  all(".compared li", dialog())[1].click();
  assert.match(dialog().textContent, /other\.pex → other\.json/);
  assert.match(dialog().textContent, /no noise/);
  dialog().close();
});

test("rows are as different as they were measured, or else as they are estimated", () => {
  assert.deepEqual([{ worst: "high", difference: 0.04 }, { worst: "low", difference: 0.06 }, { worst: "medium" }, { worst: "low" }, { status: "failed", worst: "high" }].map(looksDifferent), [false, true, true, false, false]);
  assert.deepEqual([{ worst: "info" }, { worst: "high" }, { worst: "high", difference: 0.2 }, { status: "failed" }].map(weight), [0, 1, 0.2, 2]);
});

// MARK: New document

const templates = [{ name: "smoke", extension: "particles" }, { name: "fire", extension: "particles" }, { name: "text", extension: "txt" }];

test("templates: the first choice, its name, keys around the list, and what moves", async () => {
  answers.templates = { templates };
  const app = page({ hasModule: false });
  await createDocument(app);
  const grid = dialog().querySelector(".templates");
  const chosen = () => all("[aria-checked=true]", grid).map((each) => each.dataset.template);
  const name = document.getElementById("new-name");
  assert.deepEqual(chosen(), ["fire"]);
  assert.equal(document.activeElement, grid.children[1]);
  assert.match(name.value, /^Fire.*\.particles$/i);
  press(grid.children[1], "ArrowRight");
  assert.deepEqual(chosen(), ["folder"], "a text is seldom wanted");
  push("More…");
  press(grid.children[3], "ArrowLeft");
  assert.deepEqual(chosen(), ["text"]);
  press(grid.children[2], "ArrowRight");
  assert.deepEqual(chosen(), ["folder"], "a folder is the last one");
  press(grid.children[3], "ArrowDown");
  assert.deepEqual(chosen(), ["smoke"]);
  press(grid.children[0], "ArrowLeft");
  assert.deepEqual([chosen(), document.activeElement], [["folder"], grid.children[3]]);
  fire(grid.children[0], "pointerenter");
  await pass(10);
  assert.equal(all("particles-effect", grid).length, 0, "without a module nothing moves");
  app.state.hasModule = true;
  for (const index of [0, 1, 2]) {
    fire(grid.children[index], "pointerenter");
    await pass(10);
    assert.deepEqual(all("particles-effect", grid).map((each) => each.closest("button").dataset.template), [templates[Math.min(index, 1)].name], "one moves, and none for a text");
  }
  grid.children[2].click();
  type(name, "own");
  grid.children[0].click();
  assert.equal(name.value, "own", "a typed name stays");
  answers.create = { id: "new", displayName: "own" };
  asked.length = 0;
  push("New");
  await pass(10);
  assert.deepEqual(asked.find(({ route }) => route === "create").body, { location: "docs", template: "smoke", name: "own" });
  assert.deepEqual(app.shown, ["refresh", "new"]);
  assert.equal(app.said.length, 1);
});

test("where nothing can be created, other places are offered", async () => {
  const app = page();
  app.model.place = { id: "locked", writable: false };
  await createDocument(app);
  assert.deepEqual(all("#new-place option").map((each) => each.textContent), ["/docs"]);
  dialog().close();
});

// MARK: What opens

const box = { left: 100, top: 50, width: 400, height: 300 };

test("the copy of a picture grows, stays until something is drawn, and goes after 20 seconds at the latest", async () => {
  const app = page();
  app.picture.box = { left: 0, top: 0, width: 40, height: 30 };
  app.picture.append(make("img", { class: "ready" }));
  const zoom = new Zoom(app, row("1", "a"));
  assert.ok(app.picture.querySelector(".opening"));
  const target = make("figure");
  target.box = box;
  document.body.append(target);
  zoom.enter(target, new Promise(() => {}));
  await settled();
  assert.ok(zoom.copy.isConnected);
  assert.equal(zoom.copy.style.left, "100px");
  assert.equal(zoom.square.animations[0].states[0].transform, "translate(-280px, -185px) scale(0.1)");
  await pass(19_000);
  assert.ok(zoom.copy.isConnected && zoom.progress.isConnected);
  await pass(1500);
  assert.ok(!zoom.copy.isConnected && !zoom.progress.isConnected);
  zoom.leave(target.getBoundingClientRect());
  await settled();
  assert.deepEqual(zoom.square.animations[0].states[1].transform, "translate(-280px, -185px) scale(0.1)", "back to the picture");
  assert.ok(!zoom.copy.isConnected);
  media.add("prefers-reduced-motion");
  const quiet = new Zoom(app, row("1", "a"));
  quiet.enter(target, Promise.resolve());
  await settled();
  assert.equal(quiet.copy, undefined);
  assert.ok(!quiet.progress.isConnected);
  media.clear();
});

test("the viewer shows the reason of the program, and pictures of it where there is no module", async () => {
  answers.open = { document: { id: "1" } };
  answers.close = {};
  const app = page({ hasModule: false });
  const open = async () => {
    openViewer(app, row("1", "a.particles"));
    await pass(10);
    return dialog();
  };
  const viewer = await open();
  const picture = viewer.querySelector("img.ready");
  assert.match(viewer.querySelector(".notice").textContent, /./);
  assert.equal(new URL(picture.src).searchParams.get("format"), "webp");
  answers.export = Object.assign(new Error("the effect has no image"), { status: 422 });
  await picture.onerror();
  assert.match(viewer.querySelector(".notice.wrong").textContent, /the effect has no image/);
  asked.length = 0;
  push("Back", viewer);
  await pass(10);
  assert.equal(dialog(), undefined);
  assert.deepEqual(asked.map(({ route }) => route), ["close"]);
  answers.open = Object.assign(new Error("it is gone"), { status: 410 });
  const failed = await open();
  assert.match(failed.querySelector(".notice.wrong").textContent, /it is gone/);
  assert.equal(failed.querySelector("progress"), null);
  fire(failed, "cancel");
  await pass(10);
  assert.equal(dialog(), undefined);
});

test("an error of the player is the reason of the program, or else a picture of it", async () => {
  answers.open = { document: { id: "1" } };
  const app = page();
  for (const [fault, code, isDrawn] of [[new Error("it is cut off"), "particles/document", false], [undefined, "particles/module", true], [undefined, "particles/hanging", true]]) {
    openViewer(app, row("1", "a.particles"));
    await until(() => dialog().querySelector("particles-effect"));
    const effect = dialog().querySelector("particles-effect");
    assert.equal(new URL(effect.getAttribute("src")).searchParams.get("item"), "1");
    answers.effect = fault ?? {};
    define(effect, { paused: true });
    fire(effect, "pause");
    assert.ok(dialog().querySelector(".controls button").getAttribute("aria-label") === "Play");
    fire(effect, "error", { detail: { code, message: "the player's words" } });
    await pass(10);
    assert.ok(!effect.isConnected);
    assert.equal(Boolean(dialog().querySelector("img.ready")), isDrawn, code);
    assert.match(dialog().querySelector(".notice").textContent, fault ? /it is cut off/ : code === "particles/hanging" ? /the player's words/ : /^(?!.*the player's words)/);
    assert.equal(Boolean(dialog().querySelector(".wrong")), Boolean(fault));
    push("Back");
    await pass(10);
  }
});

test("a colour of controls is set, and its text is dark on a light one", () => {
  const root = document.documentElement.style;
  for (const [tint, ink] of [["#ffffff", "#16141b"], ["#000000", undefined], ["#b91c1c", undefined], ["#ffff00", "#16141b"]]) {
    setTint(tint);
    assert.deepEqual([root["--tint"], root["--accent-ink"]], [tint, ink], tint);
  }
  setTint(undefined);
  assert.equal(root["--tint"], undefined);
});

test("a picture moves after a moment, until its player fails or the pointer leaves", async () => {
  const moving = new Moving(true);
  const picture = document.body;
  moving.show(row("1", "a"), picture);
  assert.equal(moving.isIn(picture), false);
  await pass(150);
  assert.equal(moving.element, undefined);
  await until(() => moving.element);
  assert.ok(moving.isIn(picture));
  const { element } = moving;
  moving.show(row("1", "a"), picture);
  assert.equal(moving.element, element, "it goes on");
  fire(element, "error");
  assert.deepEqual([moving.element, moving.picture, element.isConnected], [undefined, undefined, false]);
  moving.show(row("1", "a"), picture);
  moving.hide();
  await pass(500);
  assert.equal(moving.element, undefined);
});

// MARK: Texts

test("two changes of a text become one, unless they touch", () => {
  assert.equal(merged("one two three", "ONE two three", "one two THREE"), "ONE two THREE");
  assert.equal(merged("one two three", "one two THREE", "ONE two three"), "ONE two THREE");
  assert.equal(merged("abc", "abcd", "zabc"), "zabcd");
  assert.equal(merged("a b c d", "a B c d", "a b c D"), "a B c D");
  assert.equal(merged("one two", "one 2", "one II"), undefined);
  assert.equal(merged("aaaa", "aaaaa", "aaa"), undefined);
  assert.equal(plain("a\r\nb\rc\n"), "a\nb\nc\n");
});

// MARK: Many at once

test("the paths, addresses and the mail of several documents have all of them", async () => {
  const { copyPaths, share } = await load("sharing.js");
  const written = [];
  define(globalThis.navigator, { clipboard: { writeText: async (line) => { written.push(line); } } });
  answers.information = (_, { item: id }) => ({ path: id === "p" ? undefined : `/docs/${id} x.particles` });
  answers.offers = { sharing: [] };
  const items = [row("1", "a"), row("2", "b"), row("p", "of a provider")];
  await copyPaths(items);
  const opened = async (id) => {
    document.getElementById("toasts").replaceChildren();
    await share(page(), items);
    all("[data-share]", dialog()).find(({ dataset }) => dataset.share === id).click();
    await pass(10);
  };
  await opened("path");
  assert.match(said(), /2 paths copied/);
  await opened("address");
  assert.deepEqual(written, ["/docs/1 x.particles\n/docs/2 x.particles", "/docs/1 x.particles\n/docs/2 x.particles", "file:///docs/1%20x.particles\nfile:///docs/2%20x.particles"]);
});

test("several documents are exported one after the other, with the settings that are stated", async () => {
  const { exportAnimation } = await load("sheets.js");
  answers.export = {};
  asked.length = 0;
  Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL() {} });
  const app = page({ hasModule: false });
  await exportAnimation(app, [row("1", "a.particles"), row("2", "b.particles")]);
  assert.equal(dialog().querySelector("[data-total]").dataset.total, "2");
  const [size, fps, duration] = all("input", dialog());
  type(fps, "12");
  type(duration, "1.5");
  assert.equal(String(size.value), "320");
  push("Download");
  await until(() => !dialog());
  const orders = asked.filter(({ route }) => route === "export").map(({ values }) => values);
  assert.deepEqual(orders.map(({ item: id, fps, duration, loop }) => [id, fps, duration, loop]), [["1", "12", "1.5", undefined], ["2", "12", "1.5", undefined]]);
  assert.deepEqual(app.said.at(-1), "2 of 2 exported");
});
