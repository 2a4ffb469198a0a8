// The state of the page of the browser, in node: rows of items, their order, filter and selection, addresses and faults of requests, edits that wait.
//
//   node Tests/Browser/page-model.mjs

import assert from "node:assert/strict";
import { test } from "node:test";
import "./address.mjs";

const pages = new URL("../../Sources/ParticlesBrowser/Pages/", import.meta.url);
const load = (name) => import(new URL(name, pages));

const kept = new Map();
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };

const { item, Model } = await load("model.js");

/** A row of the route `list`. */
const row = (id, name, { kind = "text", size, modified, bits = 1, tags, raw, problem, title } = {}) => [id, name, kind, title, size, modified, bits, problem, raw, tags];

/** A model that has listed these rows of a place. */
async function listed(rows, { location = { id: "docs" }, total = rows.length, revision = 1 } = {}) {
  kept.clear();
  const model = new Model();
  await model.open(location.id, { given: { location, ancestors: [], revision, total, items: rows } });
  return model;
}

const names = (items) => items.map(({ name }) => name);

// MARK: Rows

test("each bit of a row is one property, and no other", () => {
  const properties = { 1: "isSelectable", 2: "isWritable", 4: "isOpen", 8: "hasChanges", 16: "isFavourite", 32: undefined };
  for (const [bit, property] of Object.entries(properties)) {
    const made = item(row("1", "a", { bits: Number(bit) }));
    for (const each of Object.values(properties)) if (each) assert.equal(made[each], each === property, `bit ${bit}: ${each}`);
    const others = item(row("1", "a", { bits: 63 - Number(bit) }));
    for (const each of Object.values(properties)) if (each) assert.equal(others[each], each !== property, `all but bit ${bit}: ${each}`);
  }
});

test("a row without texts of its own has those of its name", () => {
  const plain = item(row("1", "Ärger Ünd.txt"));
  assert.deepEqual([plain.raw, plain.key, plain.tags, plain.problem, plain.title], ["Ärger Ünd.txt", "arger und.txt", [], undefined, undefined]);
  const full = item([..."12345".slice(0, 1), "b", "effect", "SpriteKit emitter", 5, 7.5, 0, "damaged", "raw b", ["red"], "inner"]);
  assert.deepEqual([full.id, full.kind, full.size, full.modified, full.problem, full.raw, full.tags, full.folder], ["1", "effect", 5, 7.5, "damaged", "raw b", ["red"], "inner"]);
});

// MARK: Order

const mixed = [row("f", "z", { kind: "folder" }), row("1", "b", { size: 3, modified: 10, title: "B" }), row("2", "a", { size: 9, modified: 20, title: "A" }), row("3", "c", { modified: undefined, size: undefined, title: "A" })];

test("items are in the order of the program, or in another one; folders are first in each", async () => {
  const model = await listed(mixed);
  assert.deepEqual(names(model.shown), ["z", "b", "a", "c"]);
  const orders = { date: ["z", "a", "b", "c"], size: ["z", "a", "b", "c"], kind: ["z", "a", "c", "b"] };
  for (const [sort, order] of Object.entries(orders)) {
    model.setSort(sort);
    assert.deepEqual(names(model.shown), order, sort);
    assert.deepEqual([kept.get("sort"), kept.get("reversed")], [sort, "false"]);
  }
  model.setSort("size");
  model.setSort("size");
  assert.deepEqual([names(model.shown), kept.get("reversed")], [["z", "c", "b", "a"], "true"]);
  model.setSort("name");
  assert.deepEqual([names(model.shown), model.isReversed], [["z", "b", "a", "c"], false]);
  model.setSort("name");
  assert.deepEqual(names(model.shown), ["z", "c", "b", "a"]);
});

test("a model begins with the order that was chosen last", async () => {
  kept.set("sort", "date");
  kept.set("reversed", "true");
  const model = new Model();
  assert.deepEqual([model.sort, model.isReversed], ["date", true]);
  kept.clear();
  assert.deepEqual([new Model().sort, new Model().isReversed], ["name", false]);
});

test("recent documents have their own order; the trash has it until another one is chosen", async () => {
  const recents = await listed([row("1", "b", { size: 1 }), row("2", "a", { size: 2 })], { location: { id: "recents" } });
  recents.setSort("size");
  assert.deepEqual(names(recents.shown), ["b", "a"]);
  const trash = await listed([row("1", "b", { size: 1 }), row("2", "a", { size: 2 })], { location: { id: "trash" } });
  trash.setSort("name");
  trash.setSort("name");
  assert.deepEqual(names(trash.shown), ["b", "a"]);
  trash.setSort("size");
  assert.deepEqual(names(trash.shown), ["a", "b"]);
});

// MARK: Changes

test("changed rows take their places: folders first, numbers by value, a full stop first", async () => {
  const model = await listed([row("d", "dir", { kind: "folder" }), row("1", "a2.txt"), row("2", "a10.txt"), row("3", "b.txt")]);
  const change = (revision, changed, removed = []) => model.apply({ location: "docs", revision, changed, removed });
  assert.ok(change(2, [row("4", "a9.txt"), row("5", "a02.txt"), row("6", "a.txt"), row("7", "eff", { kind: "folder" }), row("8", "Á3.txt")]));
  assert.deepEqual(names(model.shown), ["dir", "eff", "a.txt", "a02.txt", "a2.txt", "Á3.txt", "a9.txt", "a10.txt", "b.txt"]);
  assert.ok(change(3, [row("3", "a1.txt")], ["6", "7"]));
  assert.deepEqual(names(model.shown), ["dir", "a1.txt", "a02.txt", "a2.txt", "Á3.txt", "a9.txt", "a10.txt"]);
  assert.equal(model.byId.has("6"), false);
  assert.equal(model.byId.get("3").name, "a1.txt");
});

test("changes of another place, or older ones, are passed over; after a gap all is listed again", async () => {
  const model = await listed([row("1", "a")], { revision: 5 });
  const change = (location, revision) => model.apply({ location, revision, changed: [row("2", "b")], removed: ["1"] });
  for (const [location, revision] of [["other", 6], ["docs", 5], ["docs", 4]]) {
    assert.equal(change(location, revision), true);
    assert.deepEqual([names(model.shown), model.revision], [["a"], 5]);
  }
  assert.equal(change("docs", 7), false);
  assert.deepEqual([names(model.shown), model.revision], [["a"], 5]);
  assert.equal(change("docs", 6), true);
  assert.deepEqual([names(model.shown), model.revision], [["b"], 6]);
  const part = await listed([row("1", "a")], { total: 2 });
  assert.equal(part.apply({ location: "docs", revision: 2, changed: [], removed: [] }), false);
});

test("what is removed is not selected any more, and is told once", async () => {
  const model = await listed([row("1", "a"), row("2", "b")]);
  model.select(["1", "2"]);
  model.current = "1";
  let told = 0;
  model.addEventListener("selection", () => { told += 1; });
  model.apply({ location: "docs", revision: 2, changed: [], removed: ["1", "9"] });
  assert.deepEqual([[...model.selection], model.current, told], [["2"], undefined, 1]);
  model.apply({ location: "docs", revision: 3, changed: [row("3", "c")], removed: [] });
  assert.equal(told, 1);
  model.apply({ location: "docs", revision: 4, changed: [row("2", "bb")], removed: [] });
  assert.deepEqual([told, names(model.selected)], [2, ["bb"]]);
});

/** Answers requests by their place, and notes them. */
function answering(answers) {
  const asked = [];
  globalThis.fetch = async (url) => {
    const [place, most] = ["location", "most"].map((name) => url.searchParams.get(name));
    asked.push([place, most]);
    return { ok: true, json: async () => answers[place] };
  };
  return asked;
}

test("a place is listed again if its revision is another one, or if it has none", async () => {
  for (const [revision, isListed] of [[3, false], [4, true], [0, true], [undefined, true]]) {
    const model = await listed([row("1", "a")], { revision: 3 });
    const asked = answering({ docs: { location: { id: "docs" }, ancestors: [], revision, total: 1, items: [row("2", "b")] } });
    await model.check();
    assert.deepEqual(names(model.shown), isListed ? ["b"] : ["a"], `${revision}`);
    assert.deepEqual(asked, isListed ? [["docs", "1"], ["docs", null]] : [["docs", "1"]]);
  }
});

test("names that differ in case only have an order", async () => {
  const rows = [row("1", "b.txt"), row("2", "B.txt"), row("3", "a.txt"), row("4", "A.txt", { raw: "z" })];
  for (const each of [rows, rows.toReversed()]) {
    const model = await listed(each);
    model.setSort("name");
    assert.deepEqual(names(model.shown), ["b.txt", "B.txt", "A.txt", "a.txt"]);
  }
});

test("dates and sizes that are not known are the least", async () => {
  const rows = [row("1", "none"), row("2", "zero", { modified: 0, size: 0 }), row("3", "old", { modified: -5, size: 1 }), row("4", "new", { modified: 5, size: 2 })];
  const model = await listed(rows);
  model.setSort("date");
  assert.deepEqual(names(model.shown), ["new", "none", "zero", "old"]);
  model.setSort("size");
  assert.deepEqual(names(model.shown), ["new", "old", "zero", "none"]);
});

// MARK: Filter

test("a filter is a kind, a text without regard to case and accents, favourites and a tag, all at once", async () => {
  const model = await listed([
    row("1", "Éclair.txt", { bits: 17, tags: ["red"] }), row("2", "eclipse.txt", { bits: 1, tags: ["red", "blue"] }), row("3", "e", { kind: "effect", bits: 33 }), row("4", "other", { bits: 16, tags: ["blue"] }),
  ]);
  const shown = (change) => {
    Object.assign(model, { search: "", kind: "all", isFavourites: false, tag: undefined }, change);
    model.filter();
    return [names(model.shown).join(" "), model.isFiltered];
  };
  assert.deepEqual(shown({}), ["Éclair.txt eclipse.txt e other", false]);
  assert.deepEqual(shown({ search: "  ECL " }), ["Éclair.txt eclipse.txt", true]);
  assert.deepEqual(shown({ search: "écl" }), ["Éclair.txt eclipse.txt", true]);
  assert.deepEqual(shown({ search: "   " }), ["Éclair.txt eclipse.txt e other", false]);
  assert.deepEqual(shown({ kind: "effect" }), ["e", true]);
  assert.deepEqual(shown({ isFavourites: true }), ["Éclair.txt other", true]);
  assert.deepEqual(shown({ tag: "blue" }), ["eclipse.txt other", true]);
  assert.deepEqual(shown({ tag: "red", isFavourites: true, search: "e", kind: "text" }), ["Éclair.txt", true]);
  assert.deepEqual(shown({ tag: "red", isFavourites: true, search: "e", kind: "effect" }), ["", true]);
  assert.deepEqual(model.tags, ["blue", "red"]);
});

test("results of a search replace the items; the text does not filter them, the rest does", async () => {
  const model = await listed([row("1", "a")]);
  model.search = "zzz";
  model.setFound([item(row("7", "found", { bits: 16 })), item(row("1", "other a"))], { words: "zzz", partial: true });
  assert.deepEqual(names(model.shown), ["found", "other a"]);
  assert.deepEqual([model.byId.get("7").name, model.byId.get("1").name, model.answer.partial], ["found", "a", true]);
  model.isFavourites = true;
  model.filter();
  assert.deepEqual(names(model.shown), ["found"]);
  model.isFavourites = false;
  model.setFound(undefined);
  assert.deepEqual([names(model.shown), model.answer], [[], undefined]);
});

test("until the program has answered to other words, more letters filter what was found, and other words the place", async () => {
  const model = await listed([row("1", "apple"), row("2", "pear")]);
  model.search = "p";
  model.setFound([item(row("7", "deep plum", { folder: "far" })), item(row("2", "pear"))], { words: "p" });
  model.search = "pl";
  model.filter();
  assert.deepEqual(names(model.shown), ["deep plum"]);
  model.search = "app";
  model.filter();
  assert.deepEqual(names(model.shown), ["apple"]);
});

test("the number of documents has those that were not listed yet, unless a filter is set", async () => {
  const model = await listed([row("1", "a"), row("2", "b")], { total: 5 });
  assert.equal(model.countText, "5 documents");
  model.search = "a";
  model.filter();
  assert.equal(model.countText, "1 document");
  model.setFound([item(row("1", "a"))], { words: "a", partial: true });
  assert.equal(model.countText, "At least 1 document");
  model.setFound([item(row("1", "a"))], { words: "a", indexing: 0.4 });
  assert.equal(model.countText, "1 document so far, indexing 40 %");
  model.setProgress(0.58);
  assert.equal(model.countText, "1 document so far, indexing 50 %");
});

// MARK: Selection

test("what cannot be selected is not; one replaces another where there is room for one", async () => {
  const model = await listed([row("1", "a"), row("2", "b"), row("3", "c", { bits: 2 }), row("4", "d")]);
  const selected = () => [...model.selection].join("");
  model.select(["1", "3", "9", "2"]);
  assert.equal(selected(), "12");
  model.select(["4"], { adds: true });
  assert.equal(selected(), "124");
  model.select(["2"]);
  assert.equal(selected(), "2");
  model.select(["1", "4"], { allowsMany: false });
  assert.equal(selected(), "4");
  model.select(["1"], { adds: true, allowsMany: false });
  assert.equal(selected(), "1");
  model.toggle("2");
  assert.equal(selected(), "12");
  model.toggle("1");
  assert.equal(selected(), "2");
  model.toggle("4", { allowsMany: false });
  assert.equal(selected(), "4");
  model.toggle("3");
  assert.equal(selected(), "4");
});

test("a place that is listed again keeps the selection of what is still there", async () => {
  const model = await listed([row("1", "a"), row("2", "b")]);
  model.select(["1", "2"]);
  [model.current, model.tag, model.isFavourites] = ["1", "red", true];
  const given = { location: { id: "docs" }, ancestors: [], revision: 2, total: 1, items: [row("2", "b")] };
  await model.list("docs", { keepsSelection: true, given });
  assert.deepEqual([[...model.selection], model.current, model.tag, model.isFavourites], [["2"], undefined, "red", true]);
  model.current = "2";
  await model.list("docs", { keepsSelection: true, given });
  assert.equal(model.current, "2");
  await model.list("docs", { given });
  assert.deepEqual([[...model.selection], model.current, model.tag, model.isFavourites], [[], undefined, undefined, false]);
});

// MARK: Requests

test("addresses have the values that are stated, below the path of the page", async () => {
  const { address } = await load("server.js");
  const base = "http://127.0.0.1:1/secret/";
  assert.equal(address("list").href, `${base}list`);
  assert.equal(address("list", { a: 0, b: "", c: undefined, d: null, e: "x&y", f: false }).href, `${base}list?a=0&b=&e=x%26y&f=false`);
});

test("an answer that is a fault has its status, code, key and next step; one without text has its status", async () => {
  const { ask, order, send, ServerError } = await load("server.js");
  const asked = [];
  const answering = (ok, status, json) => {
    globalThis.fetch = async (url, options) => {
      asked.push([url.pathname.split("/").at(-1), options]);
      return { ok, status, json };
    };
  };
  answering(false, 422, async () => ({ code: "document/range", message: "out of range", hint: "less", key: "seed" }));
  await assert.rejects(ask("list"), (fault) => fault instanceof ServerError && fault.status === 422 && fault.code === "document/range" && fault.message === "out of range" && fault.hint === "less" && fault.key === "seed");
  answering(false, 500, async () => { throw new SyntaxError("no JSON"); });
  await assert.rejects(order("undo", {}), (fault) => fault.status === 500 && fault.message === "status 500" && fault.code === undefined);
  answering(true, 200, async () => ({ done: 1 }));
  asked.length = 0;
  assert.deepEqual([await ask("list"), await order("undo", { a: [1] }, { keepalive: true }), await send("edit-file", {}, "bytes")], [{ done: 1 }, { done: 1 }, { done: 1 }]);
  assert.equal(asked[0][1]?.method, undefined);
  assert.deepEqual(asked[1], ["undo", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"a":[1]}', keepalive: true }]);
  assert.deepEqual(asked[2][1], { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: "bytes" });
});
