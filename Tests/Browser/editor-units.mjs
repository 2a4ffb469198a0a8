// The pure functions of the controls of the editor, in node: numbers, curves, colours, values, mutations.
//
//   node Tests/Browser/editor-units.mjs

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./address.mjs";

globalThis.navigator ??= { languages: ["en"] };
if (!globalThis.navigator.languages) Object.defineProperty(globalThis.navigator, "languages", { value: ["en"] });

const pages = new URL("../../Sources/ParticlesBrowser/Pages/editor/", import.meta.url);
const load = (name) => import(new URL(name, pages));
const numbers = await load("numbers.js");
const curves = await load("curves.js");
const colors = await load("colors.js");
const values = await load("values.js");
const samples = JSON.parse(readFileSync(new URL("editor-samples.json", import.meta.url)));

test("numbers as they are typed", () => {
  const cases = {
    12: ["set", 12], "-3.5": ["set", -3.5], ".5": ["set", 0.5], "1e3": ["set", 1000], "0,25": ["set", 0.25], "1 / 4": ["set", 0.25], "3*4": ["set", 12], "5 - 2": ["set", 3], "5 + 2": ["set", 7],
    "*1.5": ["multiply", 1.5], "*= 2": ["multiply", 2], "/4": ["multiply", 0.25], "+10": ["add", 10], "+=.5": ["add", 0.5], "-=3": ["add", -3], "-5%": ["multiply", 0.95], "+12.5%": ["multiply", 1.125],
    "−4": ["set", -4], "12 s": ["set", 12], "12s": ["set", 12],
  };
  for (const [typed, [operation, operand]] of Object.entries(cases)) assert.deepEqual(numbers.parseNumber(typed, "s"), { operation, operand }, typed);
  assert.deepEqual(numbers.parseNumber("3..1"), { operation: "range", operand: [1, 3] });
  assert.deepEqual(numbers.parseNumber("-2 .. 0,5"), { operation: "range", operand: [-2, 0.5] });
  for (const typed of ["", "many", "1..", "/0", "1/0", "1e999", "--3", "5%%", "12 kg", "NaN", "Infinity", "0x10"]) assert.equal(numbers.parseNumber(typed, "s"), undefined, typed);
});

test("sliders keep the number at its place, and reach beyond their range", () => {
  const row = { type: "number", usual: [0, 500], step: 1, minimum: 0 };
  for (const scale of ["linear", "log"]) {
    const slider = numbers.sliderOf({ ...row, scale });
    for (const number of [0, 1, 7, 120, 499, 500]) assert.equal(numbers.numberAt(numbers.shareOf(number, slider), slider), number, `${scale} ${number}`);
    assert.equal(numbers.numberAt(-1, slider), 0);
    assert.equal(numbers.numberAt(2, slider), 500);
  }
  assert.equal(numbers.sliderOf(row, [2000]).high, 2000);
  assert.deepEqual(numbers.sliderOf(row, [2000]).usual, [0, 500]);
  const whole = numbers.sliderOf({ type: "integer", usual: [0, 5], minimum: 0 });
  assert.equal(numbers.numberAt(0.33, whole), 2);
  assert.equal(numbers.stepped(3, 1, whole, true), 4);
  assert.equal(numbers.stepped(0, -1, whole), 0);
  const fine = numbers.sliderOf({ type: "number", usual: [0, 1], step: 0.01 });
  assert.equal(numbers.stepped(0.1, 2, fine), 0.12);
  assert.equal(numbers.stepped(0.1, 2, fine, true), 0.102);
  for (const row of [{ type: "number" }, { type: "number", minimum: 0, standard: 1 }, { type: "number", unit: "°" }, { type: "integer or null", minimum: 1, standard: null }]) {
    const slider = numbers.sliderOf(row);
    assert.ok(slider.high > slider.low && slider.step > 0, JSON.stringify(row));
  }
});

test("digits of arithmetic are rounded away", () => {
  assert.equal(numbers.tidy(0.1 * 3), 0.3);
  assert.equal(numbers.tidy(0.30000001192092896), 0.30000001192092896);
  assert.equal(numbers.changed(1.1, { operation: "multiply", operand: 3 }), 3.3);
  assert.equal(numbers.formatNumber(1234567.891), "1234570");
  assert.equal(numbers.formatNumber(1e-7), "1e-7");
  assert.equal(numbers.formatNumber(0.1 + 0.2), "0.3");
});

test("curves have the values of the library", () => {
  let count = 0;
  for (const { curve, values: expected } of samples.curves) {
    const read = curves.readCurve(curve);
    for (const [time, value] of expected) {
      assert.ok(Math.abs(curves.evaluate(read, time) - value) <= 1e-9 * Math.max(1, Math.abs(value)), `${JSON.stringify(curve)} at ${time}: ${curves.evaluate(read, time)}, not ${value}`);
      count += 1;
    }
  }
  assert.ok(count > 500);
});

test("gradients have the colours of the library", () => {
  let count = 0;
  for (const { gradient, colors: expected } of samples.gradients) {
    const read = colors.readGradient(gradient);
    for (const [time, color] of expected) {
      const found = colors.colorAt(read, time);
      found.forEach((part, channel) => assert.ok(Math.abs(part - color[channel]) <= 1e-6, `${JSON.stringify(gradient)} at ${time}: ${found}, not ${color}`));
      count += 1;
    }
  }
  assert.ok(count > 200);
});

test("curves are written in their shortest form, and keep what is not known", () => {
  for (const json of ["linear", 3, { keys: [[0, 1], [1, 0]] }, { keys: [[0, 1, null, 2], [0.5, 0, 1, 1, "step"], [1, 0]], interp: "cubic", extend: "loop" }, { keys: [[0, 0], [1, 1]], extras: { a: 1 } }]) {
    assert.deepEqual(curves.writeCurve(curves.readCurve(json)), json);
  }
  assert.equal(curves.writeCurve(curves.readCurve({ keys: [[0, 0], [1, 1]] })), "linear");
  for (const [, preset] of curves.curvePresets) assert.deepEqual(curves.readCurve(curves.writeCurve(preset)).keys.length, preset.keys.length);
});

test("keys keep their order while they are moved", () => {
  const curve = curves.readCurve({ keys: [[0, 0], [0.4, 1], [0.6, 1], [1, 0]] });
  assert.deepEqual(curves.moved(curve, [1], 5, 0.5).keys.map(({ time }) => time), [0, 0.6, 0.6, 1]);
  assert.deepEqual(curves.moved(curve, [1, 2], 0.3, 0).keys.map(({ time }) => time), [0, 0.7, 0.9, 1]);
  assert.deepEqual(curves.moved(curve, [1, 2], 0.9, 0).keys.map(({ time }) => time), [0, 0.8, 1, 1]);
  assert.deepEqual(curves.moved(curve, [0], -3, 0).keys[0].time, 0);
  assert.deepEqual(curves.moved(curves.readCurve({ keys: [[-1, 0], [2, 1]] }), [1], 9, 0).keys[1].time, 2);
  const { curve: next, index } = curves.inserted(curve, 0.5);
  assert.deepEqual([index, next.keys[2].value], [2, 1]);
  assert.deepEqual(curves.removed(curve, [0, 1, 2, 3]).keys.length, 1);
  const order = curves.sorted(curves.readCurve({ keys: [[0.5, 1], [0, 2], [0.5, 3]] }));
  assert.deepEqual(order.curve.keys.map(({ value }) => value), [2, 1, 3]);
  assert.deepEqual(order.places, [1, 0, 2]);
});

test("a curve backwards has the same values from the other end", () => {
  for (const [, preset] of curves.curvePresets) {
    const back = curves.reversed(preset);
    for (const time of [0.05, 0.2, 0.45, 0.8, 0.95]) {
      const [a, b] = [curves.evaluate(back, time), curves.evaluate(preset, 1 - time)];
      if (preset.interp !== "step") assert.ok(Math.abs(a - b) < 1e-9, `${time}: ${a}, ${b}`);
    }
    for (const time of [0.1, 0.5, 0.9]) assert.ok(Number.isFinite(curves.evaluate(curves.flipped(preset), time)));
  }
});

test("snapping", () => {
  assert.equal(curves.snapped(0.48, [0, 0.5, 1], 0.05), 0.5);
  assert.equal(curves.snapped(0.4, [0, 0.5, 1], 0.05), 0.4);
  assert.deepEqual(curves.snappedMove(10, 3), [10, 0]);
  assert.deepEqual(curves.snappedMove(-2, 9).map(Math.round), [0, 9]);
  const [x, y] = curves.snappedMove(10, -8);
  assert.ok(Math.abs(x + y) < 1e-9 && x > 8);
  for (const [slope, expected] of [[0.2, 0], [0.8, 1], [-1.2, -1], [40, 1]]) assert.equal(curves.snappedSlope(slope, 100, 100), expected);
});

test("colours as texts and in other spaces", () => {
  assert.deepEqual(colors.parseHex("#f80"), [1, 0.5333, 0, 1]);
  assert.deepEqual(colors.parseHex("ff8800cc"), [1, 0.5333, 0, 0.8]);
  for (const bad of ["", "#12", "#12345", "red", "#gggggg"]) assert.equal(colors.parseHex(bad), undefined);
  for (let number = 0; number < 0xffffff; number += 0x30d05) {
    const hex = `#${number.toString(16).padStart(6, "0")}`;
    assert.equal(colors.formatHex(colors.parseHex(hex)), hex);
    const [hue, saturation, brightness] = colors.hsvOf(colors.parseHex(hex));
    assert.equal(colors.formatHex(colors.colorOfHSV(hue, saturation, brightness)), hex);
  }
  assert.equal(colors.hsvOf([0.5, 0.5, 0.5], 77)[0], 77);
  assert.deepEqual(colors.withIntensity([1, 0.5, 0, 0.3], 4), [4, 2, 0, 0.3]);
  assert.deepEqual(colors.withIntensity([4, 2, 0, 1], 1), [1, 0.5, 0, 1]);
});

test("forms of values and tracks", () => {
  const forms = [[3, "constant"], [{ min: 1, max: 2 }, "range"], [{ oneOf: [1] }, "choice"], [{ low: 1, high: 2 }, "ramp"], [{ from: 3 }, "constant"], [{ from: { min: 1, max: 2 } }, "range"],
    [{ to: 3 }, "life"], [{ from: 1, rate: 2 }, "straight"], [{ from: 1, range: [0, 1] }, "straight"], [null, "none"], [undefined, "none"]];
  for (const [json, form] of forms) assert.equal(values.formOf(json), form, JSON.stringify(json));
  for (const [json, form] of [[[1, 0, 0], "constant"], [{ color: [1, 0, 0] }, "constant"], [{ min: [0, 0, 0], max: [1, 1, 1] }, "range"], [{ gradient: { keys: [] } }, "gradient"], [{ gradient: { keys: [] }, jitterHSBA: [1, 0, 0, 0] }, "randomGradient"], [{ from: [1, 1, 1], to: [0, 0, 0] }, "life"]]) {
    assert.equal(values.colorFormOf(json), form, JSON.stringify(json));
  }
  for (const json of [5, { min: 1, max: 4 }, { from: 1, to: 3 }, { oneOf: [2, 5] }, 0]) {
    for (const form of ["constant", "range", "choice", "ramp", "life"]) assert.equal(values.formOf(values.converted(json, form, { step: 0.1, minimum: 0, usualHigh: 10 })), form, `${JSON.stringify(json)} as ${form}`);
  }
  assert.deepEqual(values.converted({ min: 1, max: 4, scope: "cycle" }, "choice"), { oneOf: [1, 4], scope: "cycle" });
  assert.deepEqual(values.shortTrack({ from: 0, to: 3, curve: "linear", over: "life", rate: 0, extras: 1 }), { to: 3, extras: 1 });
  assert.equal(values.shortTrack({ from: 7, to: null }), 7);
});

test("relative changes are those of the tool", () => {
  for (const { value, change, result } of samples.changes) {
    const { operation, operand } = numbers.parseNumber(change);
    assert.deepEqual(values.relative(value, { operation, operand }) ?? null, result, `${JSON.stringify(value)} ${change}`);
  }
  assert.equal(values.relative("a", { operation: "add", operand: 1 }), undefined);
});

test("mutations are the same for the same seed, within bounds, and valid", async () => {
  const { Rows, sections } = await load("rows.js");
  const { mutation, randomNumbers } = await load("mutation.js");
  const first = randomNumbers(1);
  assert.deepEqual([first(), first()].map((number) => number.toFixed(6)), [randomNumbers(1)().toFixed(6), (() => { const other = randomNumbers(1); other(); return other().toFixed(6); })()]);
  const effect = JSON.parse(readFileSync(new URL("editor-effect.json", import.meta.url)));
  const row = (key, type, more = {}) => ({ key: `emitters[].${key}`, type, standard: 0, ...more });
  const rows = new Rows([row("emission.rate", "Value", { minimum: 0 }), row("lifetime", "Value", { minimum: 0, unit: "s" }), row("launch.spread", "number", { minimum: 0, maximum: 180, unit: "°" }), row("launch.speed", "Value"),
    row("size.width", "Track", { minimum: 0 }), row("color.base", "ColorTrack"), row("color.opacity", "Track", { minimum: 0, maximum: 1 }), row("forces[].strength", "Track"), row("shape.radii", "pair", { minimum: 0 })]);
  const all = [];
  for (let seed = 1; seed <= 200; seed += 1) {
    const changes = mutation(rows, effect, [0, 1, 2], sections, 1, seed);
    assert.deepEqual(changes, mutation(rows, effect, [0, 1, 2], sections, 1, seed));
    all.push(JSON.stringify(changes));
    for (const { key, value } of changes) {
      assert.ok(!JSON.stringify(value).includes("null"), `${key} is finite`);
      const bounds = rows.row(key);
      if (bounds.kind === "Value" || bounds.kind === "number") {
        const [low, high] = values.boundsOf(value);
        assert.ok(low <= high && low >= (bounds.minimum ?? -Infinity) && high <= (bounds.maximum ?? Infinity), `${key}: ${JSON.stringify(value)}`);
      }
      const times = value?.curve?.keys?.map(([time]) => time) ?? [];
      assert.deepEqual(times, [...times].sort((a, b) => a - b));
    }
  }
  assert.equal(new Set(all).size, 200);
  assert.deepEqual(mutation(rows, effect, [0], sections, 0, 1), []);
  const colorOnly = mutation(rows, effect, [0, 1], sections.filter(([name]) => name === "color"), 0.5, 3);
  assert.ok(colorOnly.every(({ key }) => key.includes(".color.")));
});

// MARK: Stage and names

test("handles of an emitter that is turned in space are where its particles begin", async () => {
  globalThis.HTMLElement ??= class {};
  globalThis.customElements ??= { define() {} };
  const { Frame } = await load("handles.js");
  const { Projection, rotated } = await load("projection.js");
  const half = Math.SQRT1_2;
  const values = { "transform.translation": [10, 20, 30], "transform.angle": 90, "transform.rotation": [half, 0, 0, half], "transform.scale": [2, 2, 2],
    "shape.transform.translation": [1, 0, 0], "shape.transform.rotation": [0, 0, half, half] };
  const frame = new Frame({ value: (key) => values[key.slice("emitters[0].".length)] }, 0);
  const near = (a, b) => a.forEach((value, axis) => assert.ok(Math.abs(value - b[axis]) < 1e-9, `${a} is not ${b}`));
  // Scaled to (2, 0, 0), by the angle to (0, 2, 0), about x to (0, 0, 2).
  near(frame.outside([1, 0, 0]), [10, 20, 32]);
  near(frame.inside(frame.outside([3, -4, 5])), [3, -4, 5]);
  near(frame.insideShape(frame.outsideShape([3, -4, 5])), [3, -4, 5]);
  // The shape: about z to (0, 1, 0), and moved to (1, 1, 0).
  near(frame.outsideShape([1, 0, 0]), frame.outside([1, 1, 0]));
  near(rotated([0, 0, 1], [half, 0, 0, half]), [0, -1, 0]);
  // A handle stays under the pointer: the place is in its plane, and where the pointer is.
  for (const camera of [{ position: [0, 300, 400], target: [0, 0, 0] }, { position: [0, 300, 400], target: [0, 0, 0], orthoHeight: 300 }]) {
    const projection = new Projection(camera, 400, 300);
    const at = [260, 120];
    const place = projection.placeOn(at, frame.origin, frame.normal);
    near(projection.project(place), at);
    near([frame.inside(place)[2]], [0]);
    near(projection.project(projection.placeOn(at, frame.origin, projection.right)), at);
  }
});

test("edits have names in the language of the page, whatever window has made them", async () => {
  const { editName } = await load("edit-names.js");
  const rows = new Map([["emitters[].emission.rate", {}]]);
  for (const [name, shown] of [["emitters[].emission.rate", "Rate"], ["Add Emitter", "Add emitter"], ["editMoveHandle", "Move Handle"], ["Add Emitter: Smoke", "Add emitter: Smoke"], ["smoke.png", "smoke.png"], ["Own name", "Own name"],
    ["emitters[].emission.rate: 77 → 120", "Rate 77 → 120"]]) {
    assert.equal(editName(name, rows), shown);
  }
});

test("an edit of one property tells what has become of it", async () => {
  const { withCourse } = await load("edit-names.js");
  const name = "emitters[].emission.rate";
  const course = (...values) => new Map(values.map((value, index) => [`emitters[${index}].emission.rate`, value]));
  assert.equal(withCourse(name, course([77, 120])), `${name}: 77 → 120`);
  assert.equal(withCourse(name, course([1 / 3, { min: 1, max: 2.5 }])), `${name}: 0.33333 → 1–2.5`);
  assert.equal(withCourse(name, course([7, 12], [7, 12])), `${name}: 7 → 12`);
  assert.equal(withCourse("emitters[].render.blend.mode", new Map([["emitters[0].render.blend.mode", ["alpha", "add"]]])), "emitters[].render.blend.mode: alpha → add");
  // Emitters that differ, values that are long, another property, and an edit that the page before has left.
  for (const other of [course([7, 12], [8, 12]), course([7, [1, 2]]), course([undefined, 3]), new Map([["seed", [1, 2]]]), new Map(), undefined]) assert.equal(withCourse(name, other), name);
});

test("a mutation does not reach a limit that may be excluded", async () => {
  const { Rows, sections } = await load("rows.js");
  const { mutation } = await load("mutation.js");
  const rows = new Rows([{ key: "emitters[].forces[].scale", type: "number", minimum: 0, standard: 1 }]);
  const effect = { emitters: [{ forces: [{ type: "noise", scale: 5e-324 }] }] };
  for (let seed = 1; seed <= 50; seed += 1) for (const { value } of mutation(rows, effect, [0], sections, 1, seed)) assert.ok(value > 0);
});

test("slow playing is said once it is known, and texts do not change all the time", async () => {
  const { FrameRate } = await load("frame-rate.js");
  const pace = new FrameRate();
  const play = (from, to, rate, detail = {}) => { for (let now = from; now < to; now += 1000 / rate) pace.drew(detail, now); };
  play(0, 900, 10);
  assert.deepEqual(pace.told(900), []);
  play(900, 3000, 10);
  assert.deepEqual(pace.told(3000), [["slow", 10]]);
  play(3000, 5000, 20);
  assert.deepEqual(pace.told(5000), [["slow", 10]]);
  play(5000, 8000, 20, { sprites: 100_000, omitted: 85_500 });
  assert.deepEqual(pace.told(8000), [["slow", 20], ["omitted", 14_500, 100_000]]);
  play(8000, 11_000, 60, { sprites: 100, omitted: 0 });
  assert.deepEqual(pace.told(11_000), []);
  // Above 45 frames per second, nothing is reported. A report stays until the rate is above 52.
  play(11_000, 14_000, 48);
  assert.deepEqual(pace.told(14_000), []);
  play(14_000, 16_000, 40);
  assert.deepEqual(pace.told(16_000), [["slow", 40]]);
  play(16_000, 24_000, 48);
  assert.deepEqual(pace.told(24_000), [["slow", 48]]);
  pace.begin();
  assert.deepEqual(pace.told(24_100), []);
});
