// The values of an edited effect in node: bindings of controls, keys and documents, names and rows of properties.
//
//   node Tests/Browser/editor-values.mjs

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import "./address.mjs";

const pages = new URL("../../Sources/ParticlesBrowser/Pages/editor/", import.meta.url);
const load = (name) => import(new URL(name, pages));

globalThis.navigator ??= { languages: ["en"] };
if (!globalThis.navigator.languages) Object.defineProperty(globalThis.navigator, "languages", { value: ["en"] });
globalThis.HTMLElement = class extends EventTarget {};
globalThis.customElements = { define() {}, get() {} };

const { Binding } = await load("binding.js");
const paths = await load("paths.js");
const words = await load("../texts.js");
await words.more("editor");
const rowsOf = await load("rows.js");

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

const examples = JSON.parse(readFileSync(new URL("editor-patches.json", import.meta.url), "utf8"));

test("pages make changes as the program does: both have the same examples", () => {
  assert.ok(examples.length >= 10);
  for (const { name, document, changes, result, standards = {} } of examples) {
    const before = JSON.stringify(document);
    const made = paths.changed(document, changes, (key) => standards[key.replace(/\[\d+\]/g, "[]")]);
    assert.deepEqual(JSON.parse(JSON.stringify(made)), result, name);
    assert.equal(JSON.stringify(document), before, name);
  }
  assert.equal({}.x, undefined);
});

test("a change of one emitter shares all others with the document before", () => {
  const document = { seed: 1, emitters: Array.from({ length: 100 }, (_, index) => ({ emission: { rate: index }, shape: { size: [1, 2] } })) };
  const made = paths.changed(document, [{ key: "emitters[7].emission.rate", value: 5 }]);
  assert.equal(made.emitters[7].emission.rate, 5);
  assert.ok(made.emitters.every((each, index) => index === 7 || each === document.emitters[index]));
  assert.equal(made.emitters[7].shape, document.emitters[7].shape);
});

test("texts of documents are read exactly, and are none if they are no JSON", () => {
  assert.deepEqual(paths.parse('{"a":[1,2.5,-0.1e3,true,null,"x"]}'), { a: [1, 2.5, -100, true, null, "x"] });
  assert.equal(paths.parse("{"), undefined);
  assert.equal(paths.stringify({ a: [1, 0.5], b: null }), '{"a":[1,0.5],"b":null}');
});

// MARK: Names

test("a property has its name by its key, also of an element of a list", () => {
  const cases = {
    "emitters[0].transform.translation": "Position", "emitters[0].shape.transform.translation": "Shape position", "emitters[3].shape.transform.angle": "Shape angle",
    "emitters[3].transform.angle": "Angle", "shape.transform.scale": "Shape scale", "transform.scale": "Scale", "emitters[].shape.transform.rotation": "Shape rotation in space",
    "emitters[0].transform.rotation": "Rotation in space", "emitters[0].emission.bursts[2].time": "Time", "emitters[0].emission.bursts": "Bursts", "emitters[0].triggers[1].count": "Count",
    "emitters[0].emission.bursts[0].interval": "Interval", "emitters[0].motion.orbit.angle": "Orbit angle", "emitters[0].rotation.angle": "Angle", "emitters[0].motion.orbitAxis": "Circling axis",
    "emitters[0].emission.ratePerDistance": "Rate per distance", "emitters[0].emission.rate": "Rate", seed: "Seed", "emitters[1].timing.speed": "Speed",
    "emitters[1].motion.speed": "Speed over life", "emitters[1].forces[0].speed": "Speed", "emitters[1].launch.speed": "Speed", "preview.fps": "Frame rate",
  };
  for (const [key, name] of Object.entries(cases)) assert.equal(words.label(key), name, key);
});

test("other keys are spelled", () => {
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
    await import(${JSON.stringify(new URL("address.mjs", import.meta.url).href)});
    const { label, more, nameOf } = await import(${JSON.stringify(new URL("../texts.js", pages).href)});
    await more("editor");
    const { parentPort } = await import("node:worker_threads");
    parentPort.postMessage([label("emitters[0].shape.transform.translation"), label("emitters[0].transform.translation"), label("seed"), nameOf("birthEmitter")]);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  const found = await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
  assert.deepEqual(found, ["Ort der Form", "Ort", "Startzahl", "Emitter bei Beginn"]);
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

// MARK: Remarks

test("remarks concern a property, its parts and no other; the most severe is first, and each is told once", async () => {
  globalThis.document ??= new EventTarget();
  const { limitFor, remarksFor } = await load("property-remarks.js");
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

// MARK: Colours in other forms

test("a random colour becomes its mean, so that an effect stays visible", async () => {
  const { convertedColor } = await load("color-value-field.js");
  const random = { min: [0.8, 0.3, 0, 0], max: [0.8, 0.3, 0, 1] };
  assert.deepEqual(convertedColor(random, "constant"), [0.8, 0.3, 0, 0.5]);
  assert.deepEqual(convertedColor(random, "gradient"), { gradient: { keys: [[0, [0.8, 0.3, 0, 0.5]], [1, [0.8, 0.3, 0, 0]]] } });
  assert.deepEqual(convertedColor(random, "life"), { from: [0.8, 0.3, 0, 0.5], to: [0.48, 0.18, 0, 0.5] });
  assert.deepEqual(convertedColor(random, "choice"), { oneOf: [random.min, random.max] });
  assert.deepEqual(convertedColor({ min: [0, 0, 0], max: [1, 0.5, 0] }, "constant"), [0.5, 0.25, 0]);
  assert.deepEqual(convertedColor({ oneOf: [[1, 0, 0, 0], [0, 1, 0], [0, 0, 1]] }, "constant"), [0, 1, 0]);
  const fading = { gradient: { keys: [[0, [1, 0, 0, 0]], [0.5, [1, 0.5, 0]], [1, [1, 1, 0, 0]]] } };
  assert.deepEqual(convertedColor(fading, "constant"), [1, 0.5, 0]);
  assert.deepEqual(convertedColor(fading, "life"), { from: [1, 0.5, 0], to: [1, 1, 0, 0] });
  assert.deepEqual(convertedColor({ from: random, to: [1, 1, 1, 0] }, "range"), { min: [0.8, 0.3, 0, 0.5], max: [1, 1, 1, 0] });
});
