// The values of an edited effect in node: bindings of controls, keys and documents, what the stage plays, names and rows of properties.
//
//   node Tests/Browser/editor-values.mjs

import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

const pages = new URL("../../Sources/ParticlesBrowser/Pages/editor/", import.meta.url);
const load = (name) => import(new URL(name, pages));

const kept = new Map();
globalThis.navigator ??= { languages: ["en"] };
if (!globalThis.navigator.languages) Object.defineProperty(globalThis.navigator, "languages", { value: ["en"] });
globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
globalThis.HTMLElement = class extends EventTarget {};
globalThis.customElements = { define() {}, get() {} };

const { Binding } = await load("binding.js");
const paths = await load("paths.js");
const words = await load("words.js");
const rowsOf = await load("rows.js");
const { EditSession } = await load("session.js");

// MARK: Bindings

/** A session that notes edits and gestures. */
function sessionOf(values, standards = {}) {
  return {
    values, edits: [], calls: [], refusal: undefined, isReadOnly: undefined,
    value(key) { return key in this.values ? this.values[key] : standards[key]; },
    isSet(key) { return key in this.values; },
    async edit(name, changes) {
      this.edits.push([name, changes]);
      if (this.refusal) throw this.refusal;
    },
    begin(name) {
      this.calls.push(["begin", name]);
      const note = (what) => async (changes) => { this.calls.push(changes === undefined ? [what] : [what, changes]); };
      return { change: note("change"), end: note("end"), cancel: note("cancel") };
    },
  };
}

const numberRow = { key: "a", type: "number" };

test("whole numbers stay whole after a relative change, whatever else the type of the row says", () => {
  for (const type of ["integer", "integer or null", "integer, at least 1"]) {
    const session = sessionOf({ a: 3, b: 5 });
    assert.ok(new Binding(session, ["a", "b"], { key: "a", type }, "Edit").change({ operation: "multiply", operand: 1.5 }));
    assert.deepEqual(session.edits, [["Edit", [{ key: "a", value: 5 }, { key: "b", value: 8 }]]], type);
    assert.ok(new Binding(session, ["a"], { key: "a", type }, "Edit").change({ operation: "add", operand: -0.6 }, "Other"));
    assert.deepEqual(session.edits[1], ["Other", [{ key: "a", value: 2 }]], type);
  }
  for (const type of ["number", "number or null", "array of integer"]) {
    const session = sessionOf({ a: 3 });
    new Binding(session, ["a"], { key: "a", type }, "Edit").change({ operation: "multiply", operand: 1.5 });
    assert.deepEqual(session.edits[0][1], [{ key: "a", value: 4.5 }], type);
  }
});

test("a relative change is made for all keys or for none", () => {
  const session = sessionOf({ a: 3, b: "text" });
  assert.equal(new Binding(session, ["a", "b"], numberRow, "Edit").change({ operation: "multiply", operand: 2 }), false);
  assert.deepEqual(session.edits, []);
  assert.equal(new Binding(sessionOf({ a: 1e308 }), ["a"], numberRow, "Edit").change({ operation: "multiply", operand: 10 }), false);
});

test("an edit has a change for each key; nothing removes the value", async () => {
  const session = sessionOf({ a: 1, b: 2 }, { c: 9 });
  const binding = new Binding(session, ["a", "b"], numberRow, "Edit");
  assert.deepEqual([binding.values, binding.value, binding.isSet, binding.isReadOnly], [[1, 2], 1, true, false]);
  assert.equal(await binding.set(0), undefined);
  await binding.apply([null, undefined]);
  await binding.unset("Reset");
  assert.deepEqual(session.edits, [
    ["Edit", [{ key: "a", value: 0 }, { key: "b", value: 0 }]], ["Edit", [{ key: "a", value: null }, { key: "b", unset: true }]],
    ["Reset", [{ key: "a", unset: true }, { key: "b", unset: true }]],
  ]);
  const standard = new Binding(session, ["c"], numberRow, "Edit");
  assert.deepEqual([standard.value, standard.isSet], [9, false]);
  assert.ok(new Binding(session, ["c", "b"], numberRow, "Edit").isSet);
  session.isReadOnly = true;
  assert.equal(binding.isReadOnly, true);
  session.refusal = new Error("refused");
  assert.equal(await binding.set(1), session.refusal);
});

test("a part of a value is put into the value as it was when the gesture began", async () => {
  const session = sessionOf({ a: { from: 1, to: 2 }, b: { from: 3 } }, {});
  const part = new Binding(session, ["a", "b"], numberRow, "Edit").member("to", 7);
  assert.deepEqual(part.values, [2, 7]);
  const gesture = part.begin("Drag");
  assert.deepEqual(gesture.start, [2, 7]);
  await gesture.set([4, 5]);
  session.values = { a: { from: 100, to: 4 }, b: { from: 100, to: 5 } };
  await gesture.set([6, undefined]);
  await gesture.end();
  assert.deepEqual(session.calls, [
    ["begin", "Drag"], ["change", [{ key: "a", value: { from: 1, to: 4 } }, { key: "b", value: { from: 3, to: 5 } }]],
    ["change", [{ key: "a", value: { from: 1, to: 6 } }, { key: "b", value: { from: 3 } }]], ["end"],
  ]);
  await part.begin().cancel();
  assert.deepEqual(session.calls.slice(-2), [["begin", "Edit"], ["cancel"]]);
});

test("a member that is removed is gone, and the value that it was in is not changed", async () => {
  const value = { from: 1, to: 2 };
  const session = sessionOf({ a: value });
  const part = new Binding(session, ["a"], numberRow, "Edit").member("to", undefined, { key: "a", type: "integer" });
  await part.apply([undefined]);
  await part.apply([null], "Other");
  assert.deepEqual(session.edits, [["Edit", [{ key: "a", value: { from: 1 } }]], ["Other", [{ key: "a", value: { from: 1, to: null } }]]]);
  assert.deepEqual(value, { from: 1, to: 2 });
  part.change({ operation: "multiply", operand: 1.2 });
  assert.deepEqual(session.edits[2][1], [{ key: "a", value: { from: 1, to: 2 } }]);
});

// MARK: Keys and documents

test("steps of keys are names and places", () => {
  assert.deepEqual(paths.steps("emitters[0].emission.bursts[12].time"), ["emitters", 0, "emission", "bursts", 12, "time"]);
  assert.deepEqual(paths.steps("emitters[].forces"), ["emitters", "[]", "forces"]);
  assert.deepEqual(paths.steps(""), []);
});

test("a value at a key is found, also one that is nothing, and what is missing is undefined", () => {
  const document = { a: [{ b: 0 }, null], c: null, d: false };
  for (const [key, value] of [["a[0].b", 0], ["a[1]", null], ["a[1].b", undefined], ["c", null], ["c.d", undefined], ["d", false], ["a[2]", undefined], ["e.f", undefined], ["a[0].b.c", undefined]]) {
    assert.equal(paths.valueAt(document, key), value, key);
  }
});

test("a document with another value keeps the one before, and makes what is missing", () => {
  const document = { a: [{ b: 1 }, { b: 2 }], c: 3 };
  const changed = paths.withValue(document, "a[1].b", 5);
  assert.deepEqual(changed, { a: [{ b: 1 }, { b: 5 }], c: 3 });
  assert.deepEqual(document, { a: [{ b: 1 }, { b: 2 }], c: 3 });
  assert.equal(changed.a[0], document.a[0]);
  assert.deepEqual(paths.withValue({}, "x.y[0].z", 1), { x: { y: [{ z: 1 }] } });
  assert.deepEqual(paths.withValue({ x: null }, "x.y", 1, (key) => (key === "x" ? { y: 0, z: 2 } : undefined)), { x: { y: 1, z: 2 } });
  const asked = [];
  paths.withValue({}, "a[1].b.c", 1, (key) => { asked.push(key); });
  assert.deepEqual(asked, ["a", "a[1]", "a[1].b"]);
});

test("a document without a value: members are gone, elements close the gap, what is missing changes nothing", () => {
  const document = { a: [1, 2, 3], b: { c: 1, d: 2 }, e: null };
  assert.deepEqual(paths.withoutValue(document, "a[1]"), { a: [1, 3], b: { c: 1, d: 2 }, e: null });
  const without = paths.withoutValue(document, "b.c");
  assert.deepEqual(without, { a: [1, 2, 3], b: { d: 2 }, e: null });
  assert.ok(!("c" in without.b));
  assert.deepEqual(paths.withoutValue(document, "e"), { a: [1, 2, 3], b: { c: 1, d: 2 } });
  for (const key of ["x", "b.x", "b.c.x", "a[7]", "e.f"]) assert.deepEqual(paths.withoutValue(document, key), document, key);
  assert.deepEqual(document, { a: [1, 2, 3], b: { c: 1, d: 2 }, e: null });
});

test("differences are changed, added and removed members, and lead from one document to the other", () => {
  const cases = [
    [{ a: 1 }, {}, [{ key: "a", unset: true }]], [{}, { a: 1 }, [{ key: "a", value: 1 }]], [{ a: 1, b: 2 }, { a: 1, b: 3 }, [{ key: "b", value: 3 }]],
    [{ a: null }, {}, [{ key: "a", unset: true }]], [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, []], [{ a: [1, 2] }, { a: [2, 1] }, [{ key: "a", value: [2, 1] }]],
    [{ a: 1, b: 2, c: 3 }, { c: 4, d: 5 }, [{ key: "c", value: 4 }, { key: "d", value: 5 }, { key: "a", unset: true }, { key: "b", unset: true }]],
  ];
  for (const [from, to, changes] of cases) {
    const found = paths.difference(from, to);
    assert.deepEqual(found, changes);
    const made = found.reduce((document, { key, value, unset }) => (unset ? paths.withoutValue(document, key) : paths.withValue(document, key, value)), from);
    assert.ok(paths.equal(made, to), JSON.stringify(to));
  }
});

test("equality regards members, not their order; arrays, their order; and kinds", () => {
  for (const [a, b] of [[1, 1], [null, null], [{ a: 1, b: [1] }, { b: [1], a: 1 }], [[], []], [{}, {}], [5n, 5n]]) assert.ok(paths.equal(a, b));
  for (const [a, b] of [
    [1, 2], [1, "1"], [null, 1], [1, null], ["", {}], [null, {}], [{}, null], [[], {}], [{ 0: 1 }, [1]], [{ a: undefined }, { b: undefined }], [{ a: 1 }, { a: 1, b: 2 }], [{ a: 1, b: 2 }, { a: 1 }],
    [[1, 2], [2, 1]], [[1], [1, 2]], [{ a: { b: 1 } }, { a: { b: 2 } }],
  ]) assert.ok(!paths.equal(a, b), JSON.stringify([a, b]));
});

test("texts of documents are read exactly, and are none if they are no JSON", () => {
  assert.deepEqual(paths.parse('{"a":[1,2.5,-0.1e3,true,null,"x"]}'), { a: [1, 2.5, -100, true, null, "x"] });
  assert.equal(paths.parse("{"), undefined);
  assert.equal(paths.stringify({ a: [1, 0.5], b: null }), '{"a":[1,0.5],"b":null}');
});

test("marks of texts differ by a character, its place and the length", () => {
  const texts = ["", "a", "b", "ab", "ba", "aa", '{"r":1}', '{"r":2}', '{"s":1}', "\u0000", "ä"];
  assert.equal(new Set(texts.map(paths.mark)).size, texts.length);
  for (const each of texts) assert.ok(Number.isSafeInteger(paths.mark(each)) && paths.mark(each) === paths.mark(`${each}`));
});

// MARK: Names

test("the longest end of a key names a property", () => {
  const cases = {
    "emitters[0].transform.translation": "Position", "emitters[0].shape.transform.translation": "Shape position", "emitters[3].shape.transform.angle": "Shape angle",
    "emitters[3].transform.angle": "Angle", "shape.transform.scale": "Shape scale", "transform.scale": "Scale", "emitters[].shape.transform.rotation": "Shape rotation",
    "emitters[0].transform.rotation": "Rotation in space", "emitters[0].emission.bursts[2].time": "Time", "emitters[0].emission.bursts": "Bursts", "emitters[0].triggers[1].count": "Count",
    "emitters[0].emission.bursts[0].interval": "Interval", "emitters[0].motion.orbit.angle": "Orbit angle", "emitters[0].rotation.angle": "Angle", "emitters[0].motion.orbitAxis": "Circling axis",
    "emitters[0].emission.ratePerDistance": "Rate per distance", "emitters[0].emission.rate": "Rate", seed: "Seed", "emitters[1].timing.speed": "Speed",
    "emitters[1].motion.speed": "Speed over life", "emitters[1].forces[0].speed": "Speed", "emitters[1].launch.speed": "Speed", "preview.fps": "Frame rate",
  };
  for (const [key, name] of Object.entries(cases)) assert.equal(words.label(key), name, key);
});

test("an end of a key begins with a whole name; other keys are spelled", () => {
  const cases = {
    mySeed: "My seed", "a.mySeed": "My seed", "some.xrotation.angle": "Angle", "emitters[0].extensions.maxFoo2Bar": "Max foo2 bar", "emitters[0].unknown[3]": "Unknown",
    "a.bcd": "Bcd",
  };
  for (const [key, name] of Object.entries(cases)) assert.equal(words.label(key), name, key);
  assert.equal(words.nameOf("birthEmitter"), "Emitter at birth");
  assert.equal(words.nameOf("azimuthElevation"), "Azimuth and elevation");
  assert.equal(words.nameOf("someOther"), "Some other");
  assert.equal(words.nameOf(3), "3");
  assert.equal(words.breakable("Wahrscheinlichkeit"), "Wahrschein\u00ADlichkeit");
  assert.equal(words.breakable("Seiten"), "Seiten");
});

test("German pages have the German names", async () => {
  const script = `
    Object.defineProperty(globalThis, "navigator", { value: { languages: ["de-AT", "en"] }, configurable: true });
    const { label, nameOf } = await import(${JSON.stringify(new URL("words.js", pages).href)});
    const { parentPort } = await import("node:worker_threads");
    parentPort.postMessage([label("emitters[0].shape.transform.translation"), label("emitters[0].transform.translation"), label("seed"), nameOf("birthEmitter")]);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  const found = await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
  assert.deepEqual(found, ["Ort der Form", "Ort", "Startzahl", "Emitter bei Beginn"]);
});

// MARK: Sessions

/** A session with a document, which was not opened at a program. */
function opened(document, view = {}, rows = []) {
  const session = Reflect.construct(EventTarget, [], EditSession);
  return Object.assign(session, {
    document, view, queue: [], path: "fire", serverText: JSON.stringify(document), serverDocument: document, rows: new Map(rows.map((row) => [row.key, row])), selected: [0],
    isOnline: true, revision: 1, findings: [], marks: [], checkSoon() {},
  });
}

const effect = { seed: 5, emitters: [{ name: "a" }, { name: "b", enabled: true }, { name: "c", enabled: false }] };
const enabledIn = (session) => paths.parse(session.shownText).emitters.map(({ enabled }) => enabled);

test("the stage plays the text of the program, unless the view has another seed or leaves emitters out", () => {
  const session = opened(effect);
  session.serverText = JSON.stringify(effect, undefined, 3);
  assert.equal(session.shownText, session.serverText);
  for (const seed of [7, 0]) {
    session.view = { seed };
    assert.equal(paths.parse(session.shownText).seed, seed);
    assert.deepEqual(paths.parse(session.shownText).emitters, effect.emitters);
  }
  session.view = { muted: [1] };
  assert.deepEqual(enabledIn(session), [undefined, false, false]);
  assert.equal(paths.parse(session.shownText).seed, 5);
  session.view = { solo: [1], muted: [1] };
  assert.deepEqual(enabledIn(session), [false, true, false]);
  session.view = { muted: [0, 9], seed: 3 };
  assert.deepEqual(enabledIn(session), [false, true, false]);
  assert.equal(paths.parse(session.shownText).seed, 3);
  session.view = { muted: [], solo: [] };
  assert.equal(session.shownText, session.serverText);
  assert.deepEqual([session.document.seed, session.document.emitters[0].enabled], [5, undefined]);
});

test("a view is kept for its document, and never part of it", () => {
  kept.clear();
  const session = opened(effect);
  const heard = [];
  session.addEventListener("view", ({ detail }) => heard.push(detail.name));
  session.setView("seed", 9);
  session.setView("muted", [1]);
  assert.deepEqual(JSON.parse(kept.get("view fire")), { seed: 9, muted: [1] });
  assert.deepEqual(opened(effect).readView(), { seed: 9, muted: [1] });
  session.setView("seed", undefined);
  session.setView("muted", null);
  assert.deepEqual([session.view, session.readView(), heard], [{}, {}, ["seed", "muted", "seed", "muted"]]);
  kept.set("view fire", "{");
  assert.deepEqual(session.readView(), {});
  kept.set("view fire", "null");
  assert.deepEqual(session.readView(), {});
  assert.equal(session.document, effect);
});

test("values of a session have the defaults of the schema, for every place of a list", () => {
  const session = opened({ emitters: [{}, { lifetime: 0 }], asset: null }, {}, [{ key: "emitters[].lifetime", standard: 2 }, { key: "seed", standard: null }]);
  assert.deepEqual([session.value("emitters[0].lifetime"), session.value("emitters[1].lifetime"), session.value("seed"), session.value("other")], [2, 0, undefined, undefined]);
  assert.deepEqual([session.isSet("emitters[0].lifetime"), session.isSet("emitters[1].lifetime"), session.isSet("asset"), session.value("asset")], [false, true, true, null]);
});

test("changes are made in order; removals remove, relative ones are left to the program", () => {
  const session = opened(effect, {}, [{ key: "preview", standard: { fps: 30, size: 2 } }]);
  const changed = session.changed({ a: 1, b: 2 }, [{ key: "a", value: 3 }, { key: "b", unset: true }, { key: "a", relative: "*2" }, { key: "preview.fps", value: 60 }, { key: "a", value: 4 }]);
  assert.deepEqual(changed, { a: 4, preview: { fps: 60, size: 2 } });
  assert.deepEqual(JSON.parse(session.textWith([{ key: "seed", unset: true }])), { emitters: effect.emitters });
  assert.equal(session.document.seed, 5);
});

test("the text is that of the program until a change is under way", () => {
  const session = opened(effect);
  session.serverText = "its own text";
  assert.equal(session.text, "its own text");
  session.queue = [{ open: new Map(), flying: new Map() }];
  assert.equal(session.text, "its own text");
  session.queue = [{ open: new Map([["seed", {}]]) }];
  assert.equal(session.text, JSON.stringify(effect));
  session.queue = [{ open: new Map(), flying: new Map([["seed", {}]]) }];
  assert.equal(session.text, JSON.stringify(effect));
});

test("what is shown are the changes that are under way and those that wait, in this order", () => {
  const session = opened(undefined);
  session.serverDocument = { a: 1, emitters: [{}, {}] };
  session.selected = [1, 7];
  const heard = [];
  for (const name of ["change", "selection"]) session.addEventListener(name, ({ detail }) => heard.push([name, detail]));
  const change = (value) => new Map([["a", { key: "a", value }]]);
  session.queue = [{ flying: change(2), open: change(3) }, { open: change(4) }];
  assert.equal(session.show(true, ["a"]), true);
  assert.equal(session.document.a, 4);
  assert.deepEqual(session.selected, [1]);
  assert.deepEqual(heard, [["change", { keys: ["a"], isLocal: true }], ["selection", null]]);
  assert.equal(session.show(false), false);
  session.queue = [];
  session.serverDocument = { a: 1, emitters: [{}] };
  session.show(false);
  assert.deepEqual([session.document.a, session.selected], [1, [0]]);
  session.serverDocument = { a: 1 };
  session.show(false);
  assert.deepEqual(session.selected, []);
});

test("a selection has emitters that there are, once each, and is never empty", () => {
  const session = opened(effect);
  session.select([2, 0, 2, -1, 3]);
  assert.deepEqual(session.selected, [2, 0]);
  session.select([3, -1]);
  assert.deepEqual(session.selected, [2, 0]);
  session.document = { emitters: [] };
  session.select([0]);
  assert.deepEqual(session.selected, []);
});

test("states that were made earlier do not replace those that are known; another opening does", () => {
  const session = opened(effect);
  const heard = [];
  for (const name of ["state", "undo"]) session.addEventListener(name, () => heard.push(name));
  const described = (opening, sequence, more) => ({ opening, sequence, states: [], ...more });
  session.takeStates(described("1", 5, { states: ["changed"], undo: "Rate", path: "water" }));
  assert.deepEqual([session.states, session.undoName, session.path, heard], [["changed"], "Rate", "water", ["state", "undo"]]);
  session.takeStates(described("1", 4, { undo: "Old" }));
  assert.equal(session.undoName, "Rate");
  session.takeStates(described("1", 5, { states: ["changed"], undo: "Rate" }));
  assert.deepEqual([heard.length, session.path], [2, "water"]);
  session.takeStates(described("2", 1, { redo: "Again" }));
  assert.deepEqual([session.states, session.undoName, session.redoName, heard.length], [[], undefined, "Again", 4]);
});

test("an image is as large as the program takes it, and no larger", async () => {
  const { mostImageBytes } = await load("queue.js");
  const session = opened(effect);
  session.item = { id: "1" };
  const sent = [];
  globalThis.fetch = async (url) => {
    sent.push(url);
    return { ok: true, status: 200, json: async () => ({}) };
  };
  await assert.rejects(session.putImage("a.png", { size: mostImageBytes + 1 }), ({ status, code, message }) => status === 413 && code === "limit/exceeded" && message.includes(`${mostImageBytes + 1} bytes`));
  await assert.rejects(session.putImage("a.png", { byteLength: mostImageBytes + 1 }));
  assert.equal(sent.length, 0);
  session.take = () => {};
  await session.putImage("a.png", { size: mostImageBytes });
  assert.equal(sent.length, 1);
  session.files = [{ path: "b.png", isMissing: true }, { path: "c.png", digest: "d1" }];
  assert.equal(await session.imageBytes("b.png"), undefined);
  assert.equal(sent.length, 1);
  assert.equal(new URL(session.image("c.png")).searchParams.get("version"), "d1");
  assert.equal(new URL(session.image("other.png")).searchParams.get("version"), "1");
});

// MARK: Rows

test("bounds and names of lists come out of the texts of the schema", () => {
  const cases = [
    [{ key: "a", type: "number", range: "at least 0" }, { minimum: 0, maximum: undefined }], [{ key: "a", type: "number", range: "more than -2.5" }, { minimum: -2.5 }],
    [{ key: "a", type: "integer", range: "1 to 64" }, { minimum: 1, maximum: 64, kind: "integer", isOptional: false }],
    [{ key: "a", type: "number or null", range: "0 to 1", minimum: 0.5 }, { minimum: 0.5, maximum: undefined, kind: "number", isOptional: true }],
    [{ key: "a", type: '"one", "two"' }, { values: ["one", "two"] }], [{ key: "a", type: '"one", "two"', values: ["x"] }, { values: ["x"] }],
    [{ key: "a", type: "number", default: 3 }, { standard: 3 }], [{ key: "a", type: "number", default: 3, standard: null }, { standard: null }],
  ];
  for (const [row, expected] of cases) {
    const full = rowsOf.completed(row);
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(full[name], value, `${JSON.stringify(row)} ${name}`);
  }
});

test("rows apply to the kinds that use them", () => {
  const row = (key) => rowsOf.completed({ key: `emitters[].${key}`, type: "number" });
  const of = (value) => (key) => (key.endsWith(".type") || key.endsWith(".mode") ? value : undefined);
  const cases = [
    ["shape.length", "line", true], ["shape.length", "rect", false], ["shape.angle", "cone", true], ["motion.orbit.radius", "orbit", true], ["motion.orbit.radius", "path", false],
    ["motion.orbitVelocity", "path", true], ["forces[].strength", "gravity", false], ["forces[].vector", "gravity", true], ["lifetime", "any", true],
  ];
  for (const [key, value, isUsed] of cases) assert.equal(rowsOf.applies(row(key), of(value)), isUsed, `${key} of ${value}`);
  const own = rowsOf.completed({ key: "emitters[].shape.length", type: "number", applies: { key: "emitters[].shape.type", is: ["rect"] } });
  assert.ok(rowsOf.applies(own, of("rect")) && !rowsOf.applies(own, of("line")));
});

test("keys of rows, and of places", () => {
  assert.equal(rowsOf.patternOf('emitters[2].forces[0].x["a"].y'), "emitters[].forces[].x[].y");
  assert.equal(rowsOf.concrete("emitters[].forces[].strength", 2, 3), "emitters[2].forces[3].strength");
  assert.equal(rowsOf.concrete("emitters[].forces[].strength", 2), "emitters[2].forces[0].strength");
  assert.equal(rowsOf.concrete("sprites[].pivot", 2, 3), "sprites[3].pivot");
  assert.equal(rowsOf.concrete("seed", 2), "seed");
});

test("sections have their rows: the most used first, those of lists and hidden ones left out", () => {
  const keys = [
    "emitters[].name", "emitters[].emission.jitter", "emitters[].lifetime", "emitters[].emission.rate", "emitters[].emission.bursts", "emitters[].emission.bursts[].time", "emitters[].emissionOther", "seed",
    "asset.version", "asset.name", "emitters[].forces[].type",
  ];
  const rows = new rowsOf.Rows(keys.map((key) => ({ key, type: "number" })));
  const names = (found) => found.map(({ key }) => key);
  assert.deepEqual(names(rows.inSection(rowsOf.sections[0])), ["emitters[].emission.rate", "emitters[].emission.bursts", "emitters[].lifetime", "emitters[].emission.jitter"]);
  assert.deepEqual(names(rows.inSection(rowsOf.effectSections[0], "")), ["asset.name", "seed"]);
  assert.deepEqual(names(rows.ofList("emitters[].emission.bursts")), ["emitters[].emission.bursts[].time"]);
  assert.equal(rows.row("emitters[4].emission.bursts[2].time").key, "emitters[].emission.bursts[].time");
  // The curves of trails are a row each, also where the schema has their members only.
  assert.deepEqual([rows.row("emitters[0].render.trail.width").kind, rows.row("emitters[0].render.trail.color").kind], ["Curve", "Gradient"]);
});

test("rows are those of the effect: its unit, and in space, the usual range there", () => {
  const row = { key: "a", unit: "unit/s", usual: [0, 5], usualInSpace: [0, 1], step: 2 };
  assert.deepEqual(rowsOf.inPlace(row, {}), { ...row, unit: "pt/s" });
  assert.deepEqual(rowsOf.inPlace(row, { asset: { unit: "meter", dimension: "3d" } }), { ...row, unit: "m/s", usual: [0, 1], step: undefined });
  assert.equal(rowsOf.inPlace(row, { asset: { unit: "parsec" } }).unit, "parsec/s");
});

test("a search finds rows by each of its words, in any case", () => {
  const row = { key: "emitters[].emission.rate", summary: "Particles per second", values: ["birthEmitter"] };
  for (const search of ["", "rate", "RATE second", "  per  ", "emission", "birth"]) assert.ok(rowsOf.matches(row, search), search);
  for (const search of ["rate minute", "x"]) assert.ok(!rowsOf.matches(row, search), search);
});

// MARK: Remarks

test("remarks concern a property, its parts and no other; the most severe is first, and each is told once", async () => {
  globalThis.document ??= new EventTarget();
  const { limitFor, remarksFor } = await load("marks.js");
  const finding = (severity, key, message = `${severity} ${key}`) => ({ severity, key, message });
  const session = {
    findings: [
      finding("note", "emitters[0].size"), finding("error", "emitters[0].size.width"), finding("warning", "emitters[0].size[0]"), finding("error", "emitters[0].sizeOther"), finding("error", "emitters[1].size"),
      finding("error", undefined), finding("note", "emitters[0].size.width", "note emitters[0].size"),
    ],
    marks: [{ level: "approximated", key: "emitters[].size", message: "m1" }, { level: "lost", key: "emitters[].size.width", message: "m2", isUsed: false }, { level: "approximated", key: "emitters[].size.x", message: "m3", isUsed: false }],
  };
  assert.deepEqual(remarksFor(session, ["emitters[0].size"]).map(({ text }) => text), ["error emitters[0].size.width", "warning emitters[0].size[0]", "note emitters[0].size", "m1"]);
  assert.deepEqual(remarksFor(session, ["emitters[2].size"]).map(({ text }) => text), ["m1"]);
  assert.deepEqual(remarksFor({}, ["emitters[2].size"]), []);
  assert.equal(limitFor(session, ["emitters[0].size"]).message, "m2");
  assert.equal(limitFor(session, ["emitters[0].color"]), undefined);
});
