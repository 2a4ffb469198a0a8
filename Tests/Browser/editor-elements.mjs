// The elements of the editor of effects, in node: fields, gradients, cards, lists and menus over a session that keeps all in the page.
//
//   node Tests/Browser/editor-elements.mjs

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pass, settled } from "./clock.mjs";
import { asked, answers, fire, load, press } from "./page.mjs";

const { make } = await load("icons.js");
const part = (name) => load(`editor/${name}.js`);
const { equal, valueAt, withoutValue, withValue } = await part("paths");
const { Binding } = await part("binding");
const { boundsOf } = await part("values");
const { changedCurve } = await part("mutation");
const { Projection } = await part("projection");
const { gradientPresets, readGradient } = await part("colors");
const { showAt, openMenu } = await part("control-parts");
const { CurvePlot } = await part("curve-plot");
const { GradientEditor } = await part("gradient");
const { ValueField } = await part("value-field");
const { ColorValueField } = await part("color-value-field");
const { CardList } = await part("card-list");
const { openSprite } = await part("sprite-editor");
const { completed, Rows } = await part("rows");
const { EditSession } = await part("session");
await Promise.all(["inspector", "emitters", "presets"].map(part));

const all = (selectors, root = document) => root.querySelectorAll(selectors);
const effect = () => JSON.parse(readFileSync(new URL("editor-effect.json", import.meta.url)));
const schema = [
  ["emitters[].emission.rate", "Value", 10], ["emitters[].emission.bursts", "array of object", []], ["emitters[].emission.bursts[].time", "number", 0],
  ["emitters[].emission.bursts[].count", "Value", 1], ["emitters[].lifetime", "Value", 1], ["emitters[].forces", "array of object", []],
  ["emitters[].forces[].type", "\"gravity\" or \"drag\" or \"noise\"", "gravity"], ["emitters[].forces[].strength", "Value", 0], ["emitters[].forces[].vector", "vector", [0, 0]],
  ["emitters[].size.width", "Track", 1], ["emitters[].color.base", "ColorTrack", [1, 1, 1]], ["emitters[].motion.drag", "Value", 0],
  ["asset.name", "string", ""], ["sprites[].region", "rectangle or null", null], ["sprites[].pivot", "pair", [0.5, 0.5]], ["sprites[].grid.columns", "integer", 1],
  ["sprites[].grid.order", "\"row\" or \"column\"", "row"], ["sprites[].filter", "\"linear\" or \"nearest\"", "linear"],
].map(([key, type, standard]) => ({ key, type, standard, summary: key, tier: "common" }));

/** A session whose edits are made at once. */
class Session extends EventTarget {
  constructor(document = effect()) {
    super();
    Object.assign(this, { document, schema, selected: [0], findings: [], marks: [], view: {}, keys: [], isReadOnly: false, log: [], path: "/fire.particles", kept: [] });
    this.rows = new Map(schema.map((row) => [row.key, row]));
  }
  standard(key) { return this.rows.get(key.replace(/\[\d+\]/g, "[]"))?.standard; }
  value(key) { return valueAt(this.document, key) ?? this.standard(key); }
  isSet(key) { return valueAt(this.document, key) !== undefined; }
  emit(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
  select(indices) { this.selected = indices; this.emit("selection"); }
  change(changes) {
    for (const { key, value, unset } of changes) this.document = unset ? withoutValue(this.document, key) : withValue(this.document, key, structuredClone(value));
    this.emit("change", { keys: changes.map(({ key }) => key), isLocal: true });
  }
  begin(name) {
    const before = this.document;
    const entry = { name, steps: 0 };
    this.log.push(entry);
    return {
      change: (changes) => { entry.steps += 1; this.change(changes); },
      end: async () => { entry.state = "ended"; },
      cancel: async () => { entry.state = "cancelled"; this.document = before; this.emit("change", {}); },
    };
  }
  async edit(name, changes) {
    if (this.refusal) throw this.refusal;
    this.log.push({ name, changes });
    this.change(changes);
  }
  async structure(change) { this.log.push(change); }
  image(path) { return `image:${path}`; }
  setView(name, value) { this.view = { ...this.view, [name]: value }; this.emit("view"); }
  async presets(kind) { return this.kept.filter((each) => each.kind === kind); }
  async savePreset(kind, name, value) { this.kept.push({ kind, name, value }); }
}

const bind = (session, key, more = {}, indices = [0]) => {
  const row = { ...completed(session.rows.get(key) ?? { key, type: "number" }), ...more };
  return new Binding(session, key.startsWith("emitters[]") ? indices.map((index) => key.replace("emitters[]", `emitters[${index}]`)) : [key], row, key);
};
function shown(element) {
  document.body.append(element);
  return element;
}
const takeAway = (element) => element.replaceWith();
function clear() {
  for (const each of all(".c-menu, .c-panel")) takeAway(each);
}
const push = (root, name) => root.querySelector(`[data-tool=${name}]`).click();
/** The entries of the menu that is open. */
const menu = () => all("[role=menu]").at(-1);
const entries = () => all("button", menu()).map((each) => [each.dataset.entry, each.disabled]);

// MARK: Panels

test("a divider changes the width of its panel by keys and pointer, keeps it, and sets it back", async () => {
  localStorage.removeItem("panels");
  const { divider } = await part("widths");
  const make = () => {
    const [body, panel] = [document.createElement("div"), document.createElement("aside")];
    panel.setAttribute("aria-label", "Properties");
    panel.box = { width: 300, height: 100 };
    const line = divider(body, panel, "right");
    return { line, width: () => body.style.getPropertyValue("--right") };
  };
  const { line, width } = make();
  assert.equal(width(), "");
  assert.equal(line.getAttribute("aria-valuenow"), "300");
  press(line, "ArrowLeft");
  assert.equal(width(), "316px");
  fire(line, "pointerdown", { button: 0, clientX: 500, pointerId: 1 });
  fire(line, "pointermove", { clientX: 100 });
  assert.equal(width(), "640px", "no wider than 640");
  fire(line, "pointermove", { clientX: 450 });
  fire(line, "pointerup");
  fire(line, "pointermove", { clientX: 0 });
  assert.equal(width(), "350px");
  assert.equal(make().width(), "350px", "another window has it, too");
  fire(line, "dblclick");
  assert.deepEqual([width(), make().width()], ["", ""]);
});

// MARK: Numbers

test("bounds of a track without a beginning begin at 0", () => {
  assert.deepEqual([boundsOf(null), boundsOf("x"), boundsOf(undefined)], [[0, 0], [0, 0], [0, 0]]);
  assert.deepEqual(boundsOf({ to: 5 }), [0, 5]);
  assert.deepEqual(boundsOf({ to: -5 }), [-5, 0]);
  assert.deepEqual(boundsOf({ from: { min: 1, max: 2 }, to: 3, relative: true }), [1, 5]);
  assert.deepEqual(boundsOf({ to: { min: 1, max: 2 }, relative: true }), [0, 2]);
});

test("a changed curve keeps its ends in time, its order, and stays above 0 if it was", () => {
  let state = 1;
  const random = () => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return state / 4294967296; };
  let least = 1;
  for (let turn = 0; turn < 200; turn++) {
    const { keys } = changedCurve({ keys: [[0, 0.1], [0.3, 0], [0.6, 0.02], [1, 0]] }, random, 1);
    assert.deepEqual([keys[0][0], keys.at(-1)[0], keys.at(-1)[1]], [0, 1, 0]);
    assert.ok(keys.every(([time], index) => index === 0 || time >= keys[index - 1][0]));
    least = Math.min(least, ...keys.map(([, value]) => value));
    const below = changedCurve({ keys: [[0, -1], [1, 1]] }, random, 1);
    assert.equal(below.keys.length, 2);
  }
  assert.equal(least, 0);
});

test("presets of gradients are colours from 0 to 1, in order", () => {
  for (const [name, { keys }] of gradientPresets) {
    assert.deepEqual([keys[0].time, keys.at(-1).time], [0, 1], name);
    assert.ok(keys.every(({ time }, index) => index === 0 || time > keys[index - 1].time), name);
    assert.ok(keys.every(({ color }) => color.length === 4 && color.every((each) => each >= 0 && each <= 1)), name);
  }
});

test("a camera that is nearer keeps the place under the pointer; without perspective, its picture is smaller", () => {
  const at = [30, 80];
  for (const camera of [{ projection: "perspective", position: [0, 1, 10], target: [0, 0, 0], fov: 50 }, { projection: "orthographic", position: [0, 0, 10], target: [0, 0, 0], orthoHeight: 8 }]) {
    const before = new Projection(camera, 200, 100);
    const next = before.zoomed(2, at);
    const after = new Projection(next, 200, 100);
    before.place(at).forEach((each, index) => assert.ok(Math.abs(each - after.place(at)[index]) < 1e-9, `${camera.projection} ${index}`));
    assert.equal(next.orthoHeight, camera.orthoHeight && 4);
    const distance = (projection) => Math.hypot(...projection.position.map((each, index) => each - projection.target[index]));
    assert.ok(Math.abs(distance(after) - distance(before) / (camera.orthoHeight ? 1 : 2)) < 1e-9);
    const panned = new Projection(before.panned(10, 0), 200, 100);
    assert.ok(panned.position[0] < before.position[0]);
  }
});

test("a plot begins with times and values from 0 to 1", () => {
  const plot = new CurvePlot({ draw() {} }, "size");
  assert.deepEqual([plot.x(0), plot.x(1), plot.y(0), plot.y(1)], [40, 288, 130, 10]);
  assert.deepEqual([plot.time(164), plot.value(70)], [0.5, 0.5]);
});

// MARK: Over the page

test("what opens beside an element is above it where there is no room below", () => {
  const anchor = shown(make("button"));
  const open = (top, height) => {
    anchor.box = { left: 500, top, width: 100, height: 20 };
    const element = make("div");
    element.box = { left: 0, top: 0, width: 200, height };
    showAt(anchor, element);
    const place = [element.style.left, element.style.top];
    element.hidePopover();
    assert.ok(!element.isConnected);
    return place;
  };
  assert.deepEqual(open(100, 50), ["400px", "124px"]);
  assert.deepEqual(open(700, 68), ["400px", "724px"], "it ends 8 above the edge");
  assert.deepEqual(open(700, 69), ["400px", "627px"]);
  assert.deepEqual(open(300, 700), ["400px", "92px"], "no room on either side");
  assert.deepEqual([open(500, 488)[1], open(500, 487)[1]], ["304px", "9px"], "above it has to be 8 from the edge, too");
  anchor.box = { left: 20, top: 10, width: 40, height: 20 };
  assert.equal(open(10, 50)[0], "400px");
});

// MARK: Values

test("a value has the field of its form, also where a track has a beginning alone", () => {
  const session = new Session();
  const binding = bind(session, "emitters[].size.width", { kind: "Track" }, [1]);
  const field = shown(ValueField.of(binding, { label: "Width" }));
  assert.equal(field.dataset.form, "constant");
  assert.equal(field.querySelector("input").value, "8");
  session.change([{ key: "emitters[1].size.width", value: { from: 3 } }]);
  field.refresh();
  assert.equal(field.querySelector("input").value, "3", "the value of its start");
  session.change([{ key: "emitters[1].size.width", value: { from: 3, to: 9 } }]);
  field.refresh();
  assert.equal(field.dataset.form, "life");
  field.remove();
});

test("a number of a choice keeps the weights when it changes, and takes its own along when it goes", () => {
  const session = new Session();
  const field = ValueField.of(bind(session, "emitters[].lifetime", { kind: "Value" }), { label: "Lifetime" });
  const plain = bind(session, "emitters[].lifetime", { kind: "Value" });
  const weights = (from, to) => {
    session.change([{ key: "emitters[0].lifetime", value: from }]);
    const [list] = [...field.choices(plain).querySelectorAll("effect-list")];
    list.binding.apply([to]);
    return session.value("emitters[0].lifetime");
  };
  assert.deepEqual(weights({ oneOf: [1, 2, 3], weights: [5, 6, 7] }, [1, 4, 3]), { oneOf: [1, 4, 3], weights: [5, 6, 7] });
  assert.deepEqual(weights({ oneOf: [1, 2, 3], weights: [5, 6, 7] }, [1, 3]), { oneOf: [1, 3], weights: [5, 7] });
  assert.deepEqual(weights({ oneOf: [1, 2], weights: [5, 6] }, [1, 2, 9]), { oneOf: [1, 2, 9], weights: [5, 6, 1] });
  assert.deepEqual(weights({ oneOf: [1, 2, 3], weights: [5, 6, 5] }, [1, 3]), { oneOf: [1, 3] });
});

test("a colour takes another form, and says why it cannot", async () => {
  const session = new Session();
  const field = shown(ColorValueField.of(bind(session, "emitters[].color.base", { kind: "ColorTrack" }, [1]), { label: "Colour" }));
  await field.convert("range");
  assert.deepEqual(session.value("emitters[1].color.base"), { min: [1, 0.5, 0.1], max: [0.6, 0.3, 0.06] });
  assert.equal(field.form, "range");
  await field.convert("gradient");
  assert.equal(field.form, "gradient");
  // The mean of both colours is where the gradient begins.
  await field.convert("constant");
  assert.deepEqual(session.value("emitters[1].color.base"), [0.8, 0.4, 0.08]);
  await field.toggleJitter(false);
  assert.deepEqual(session.value("emitters[1].color.base"), { color: [0.8, 0.4, 0.08], jitterHSBA: [10, 0.1, 0.1, 0] });
  await field.toggleJitter(true);
  assert.deepEqual(session.value("emitters[1].color.base"), [0.8, 0.4, 0.08]);
  session.refusal = new Error("no room");
  let told;
  document.body.addEventListener("fault", ({ detail }) => { told = detail.message; });
  await field.convert("choice");
  assert.equal(told, "no room");
  field.remove();
});

test("the stops of a gradient show which are selected; one stays", async () => {
  const session = new Session();
  const binding = bind(session, "emitters[].color.base").part((value) => value.gradient, (value, gradient) => ({ ...value, gradient }));
  const editor = shown(GradientEditor.of(binding, { label: "Colour" }));
  const stops = () => all(".stop", editor);
  const marked = () => stops().map((each) => each.classList.contains("selected"));
  assert.deepEqual(marked(), [true, false, false]);
  assert.deepEqual(stops().map((each) => each.style.left), ["0%", "25%", "100%"]);
  editor.select([2, 1]);
  assert.deepEqual(marked(), [false, true, true]);
  assert.deepEqual(stops().map((each) => each.getAttribute("aria-current")), ["false", "true", "true"]);
  push(editor, "remove");
  await settled();
  assert.equal(readGradient(binding.value).keys.length, 1);
  assert.equal(editor.querySelector("[data-tool=remove]").disabled, true);
  editor.remove();
});

// MARK: Lists

test("cards have remarks about their element at once, and about all of it where they are open", () => {
  const session = new Session();
  session.findings = [{ key: "emitters[0].forces[1].strength", severity: "warning", message: "very strong" }, { key: "emitters[0].forces[1]", severity: "error", message: "it has no end" }];
  const rows = new Rows(session.schema);
  const list = shown(CardList.of(bind(session, "emitters[].forces"), rows.ofList("emitters[].forces"), {}));
  const cards = () => all(".card", list);
  assert.equal(cards().length, 2);
  assert.deepEqual(cards().map((each) => each.querySelector(".badges").textContent), ["", "2"]);
  assert.equal(cards()[1].querySelector(".badge").title, "it has no end");
  assert.deepEqual(cards().map((each) => each.querySelector(".summary").textContent), ["90", "0.5"]);
  list.open.add(1);
  list.refresh();
  assert.match(cards()[1].querySelector(".remarks").textContent, /it has no end/);
  assert.equal(list.note.hidden, true);
  takeAway(list);
});

test("emitters: a menu for the last one, files that are dropped, and no others", async () => {
  const session = new Session();
  const list = document.createElement("effect-emitters");
  list.session = session;
  shown(list);
  assert.deepEqual(all(".emitter-name", list).map((each) => each.textContent), ["Flames", "Embers", ...session.document.emitters.slice(2).map(({ name }) => name)]);
  const last = session.document.emitters.length - 1;
  list.openMenu(list, last);
  assert.deepEqual(entries().filter(([id]) => id === "up" || id === "down"), [["up", false], ["down", true]]);
  clear();
  list.openMenu(list, 0);
  assert.deepEqual(entries().filter(([id]) => id === "up" || id === "down"), [["up", true], ["down", false]]);
  list.openMenu(list, 1);
  menu().querySelector("[data-entry=up]").click();
  await settled();
  assert.deepEqual(session.log.at(-1), { op: "move", index: 1, to: 0 });
  const drag = (types) => fire(list, "dragover", { dataTransfer: { types } });
  assert.equal(drag(["application/x-particles-items"]).defaultPrevented, false);
  assert.equal(list.classList.contains("dropping"), false);
  assert.equal(drag(["Files"]).defaultPrevented, true);
  assert.equal(list.classList.contains("dropping"), true);
  fire(list, "dragleave", { relatedTarget: document.body });
  assert.equal(list.classList.contains("dropping"), false);
  takeAway(list);
  assert.equal(list.children.length, 0);
  clear();
});

test("presets: Escape ends the name alone, and the first selected emitter is kept", async () => {
  const session = new Session();
  session.selected = [1];
  const panel = document.createElement("effect-presets");
  panel.session = session;
  const outside = shown(make("div"));
  let heard = 0;
  outside.addEventListener("keydown", () => { heard += 1; });
  outside.append(panel);
  await settled();
  push(panel, "save");
  assert.equal(panel.name.hidden, false);
  assert.equal(document.activeElement, panel.name);
  const pressed = press(panel.name, "Escape");
  assert.deepEqual([panel.name.hidden, heard, pressed.defaultPrevented], [true, 0, true]);
  assert.equal(document.activeElement, panel.keep);
  push(panel, "save");
  panel.name.value = " Sparks ";
  press(panel.name, "Enter");
  for (let turn = 0; turn < 20; turn++) await settled();
  assert.deepEqual(session.kept.map(({ kind, name }) => [kind, name]), [["emitter", "Sparks"]]);
  assert.match(JSON.stringify(session.kept[0].value), /"Embers"/);
  outside.remove();
  clear();
});

// MARK: Inspector

test("the inspector opens the section of a property, and is empty after it was removed", () => {
  const session = new Session();
  const inspector = document.createElement("effect-inspector");
  inspector.session = session;
  shown(inspector);
  const sections = () => all("[data-section]", inspector).map((each) => [each.dataset.section, each.getAttribute("aria-expanded")]);
  const isOpen = (name) => new Map(sections()).get(name);
  assert.equal(inspector.heading.textContent, "Flames");
  assert.equal(isOpen("forces"), "false");
  inspector.reveal("emitters[0].forces[1].strength");
  assert.equal(isOpen("forces"), "true");
  inspector.reveal("asset.name");
  assert.equal(inspector.scope, "effect");
  inspector.remove();
  assert.equal(inspector.children.length, 0, "nothing of it stays");
  session.emit("change", {});
  shown(inspector);
  assert.equal(all("header", inspector).length, 1);
  inspector.remove();
});

// MARK: Sprites

test("keys move the region by a pixel, by ten with Shift, and the pivot from the middle", async () => {
  const session = new Session();
  session.change([{ key: "sprites[0].region", value: [10, 10, 20, 20] }]);
  const anchor = shown(make("button"));
  const panel = openSprite(anchor, session, 0);
  const hold = (element, key, values) => {
    press(element, key, values);
    fire(element, "keyup", { key });
  };
  const corner = (name) => panel.querySelector(`[data-corner=${name}]`);
  hold(corner("move"), "ArrowRight");
  assert.deepEqual(session.value("sprites[0].region"), [11, 10, 20, 20]);
  hold(corner("se"), "ArrowDown", { shiftKey: true });
  assert.deepEqual(session.value("sprites[0].region"), [11, 10, 20, 30]);
  hold(corner("nw"), "ArrowLeft");
  assert.deepEqual(session.value("sprites[0].region"), [10, 10, 21, 30]);
  const pivot = panel.querySelector(".pivot");
  hold(pivot, "ArrowRight");
  assert.deepEqual(session.value("sprites[0].pivot"), [0.51, 0.5]);
  hold(pivot, "ArrowUp", { shiftKey: true });
  assert.deepEqual(session.value("sprites[0].pivot"), [0.51, 0.4]);
  assert.deepEqual([pivot.style.left, pivot.style.top], ["51%", "40%"]);
  await settled();
  press(panel, "Escape");
  assert.equal(panel.isConnected, false);
  assert.equal(document.activeElement, anchor);
});

// MARK: Session

test("an effect that plays a text has the limits of a small picture, and others where they are given", () => {
  HTMLElement.prototype.load = async () => {};
  const { moving } = EditSession.prototype;
  assert.deepEqual(moving.call({}, "{}").limits, { particles: 20_000, particleSteps: 300_000 });
  assert.deepEqual(moving.call({}, "{}", { limits: { particles: 1 } }).limits, { particles: 1 });
});
