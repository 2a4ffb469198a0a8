// The page of one effect, in a document that is made here: what its controls do and show. `node --test Tests/Web/page-start.mjs`
import assert from "node:assert/strict";
import test from "node:test";

class Part extends EventTarget {
  constructor(values = {}) {
    super();
    this.attributes = new Map();
    this.classes = new Set();
    this.classList = { toggle: (name, isOn) => (isOn ? this.classes.add(name) : this.classes.delete(name)) };
    this.textContent = "";
    this.options = [];
    Object.assign(this, values);
  }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  setAttribute(name, value) { this.attributes.set(name, value); }
  add(option, place = this.options.length) { this.options.splice(place, 0, option); }
  send(name, detail) { this.dispatchEvent(Object.assign(new Event(name), { detail })); }
  click() { this.send("click"); }
}

/** Has no events of its own, so that only the page can have changed the display. */
class Effect extends Part {
  paused = true;
  calls = [];
  play() { this.paused = false; }
  pause() { this.paused = true; }
  step() { this.calls.push("step"); }
  restart() { this.calls.push("restart"); }
  async load(bytes) {
    this.calls.push(`load ${[...bytes]}`);
    this.paused = false;
  }
}

const names = ["settings", "play", "step", "restart", "background", "profile", "engines", "speed", "message", "status", "module-data", "effect-data"];
const parts = Object.fromEntries(names.map((name) => [name, new Part()]));
const effect = (parts.effect = new Effect());
parts.settings.textContent = JSON.stringify({ attributes: { speed: "2", background: "#102030" }, profiles: ["a", "b"], loop: false, camera: { x: 1 } });
parts["effect-data"].textContent = "AQID";
parts.background.options = [{ value: "transparent" }, { value: "black" }];
const page = new EventTarget();
page.getElementById = (id) => parts[id] ?? null;
globalThis.document = page;
globalThis.Option = class { constructor(text, value) { Object.assign(this, { text, value }); } };
await import("../../Sources/ParticlesWeb/Player/page.js");
await new Promise((resolve) => setTimeout(resolve));

const isTransparent = () => effect.classes.has("transparent");

test("settings reach the effect, and what it shows is told when it is loaded", () => {
  assert.deepEqual(effect.calls, ["load 1,2,3"]);
  assert.deepEqual([effect.getAttribute("speed"), parts.speed.value], ["2", "2"]);
  assert.deepEqual([effect.loop, effect.autoplay, effect.camera], [false, true, { x: 1 }]);
  assert.deepEqual([parts.play.textContent, isTransparent()], ["Pause", false]);
  assert.deepEqual(parts.background.options.map(({ value }) => value), ["#102030", "transparent", "black"]);
  assert.equal(parts.background.value, "#102030");
  assert.deepEqual([parts.profile.options.map(({ value }) => value), parts.engines.hidden], [["a", "b"], false]);
});

test("buttons act, and show at once whether the effect plays", () => {
  parts.play.click();
  assert.deepEqual([effect.paused, parts.play.textContent], [true, "Play"]);
  parts.play.click();
  assert.deepEqual([effect.paused, parts.play.textContent], [false, "Pause"]);
  effect.calls = [];
  parts.step.click();
  parts.restart.click();
  assert.deepEqual(effect.calls, ["step", "restart"]);
});

test("keys are buttons, but not with a modifier or in a field", () => {
  const press = (key, values = {}) => {
    const event = Object.assign(new Event("keydown", { cancelable: true }), { key, ...values });
    if (values.field) Object.defineProperty(event, "target", { value: { closest: () => true } });
    page.dispatchEvent(event);
    return event.defaultPrevented;
  };
  effect.calls = [];
  assert.ok(press("."));
  assert.ok(press("r"));
  assert.ok(press(" "));
  assert.deepEqual([effect.calls, effect.paused], [["step", "restart"], true]);
  for (const values of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { field: true }]) assert.ok(!press("r", values));
  assert.ok(!press("x"));
  assert.deepEqual(effect.calls, ["step", "restart"]);
});

test("a background, an engine and a speed are attributes of the effect; only nothing behind it is transparent", () => {
  for (const [value, expected] of [["transparent", true], ["black", false]]) {
    parts.background.value = value;
    parts.background.send("change");
    assert.deepEqual([effect.getAttribute("background"), isTransparent()], [value, expected]);
  }
  parts.message.textContent = "old";
  [parts.profile.value, parts.speed.value] = ["b", "0.5"];
  parts.profile.send("change");
  parts.speed.send("change");
  assert.deepEqual([effect.getAttribute("profile"), effect.getAttribute("speed"), parts.message.textContent], ["b", "0.5", ""]);
});

test("an error and the first warning are shown, and whether the effect still plays", async () => {
  effect.paused = false;
  effect.send("error", "it is gone");
  assert.deepEqual([parts.message.textContent, parts.message.className, parts.message.hidden, parts.play.textContent], ["it is gone", "", false, "Pause"]);
  effect.paused = true;
  effect.send("pause");
  assert.equal(parts.play.textContent, "Play");
  effect.send("ready", { warnings: [{ severity: "note", toString: () => "a note" }, { severity: "warning", toString: () => "a warning" }] });
  assert.deepEqual([parts.message.textContent, parts.message.className], ["a warning", "warning"]);
  effect.paused = false;
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(parts.play.textContent, "Pause");
  effect.send("rate", { severity: "note", message: "slow" });
  assert.deepEqual([parts.message.textContent, parts.message.hidden], ["", true]);
  effect.send("rate", { severity: "warning", message: "slow" });
  assert.equal(parts.message.textContent, "slow");
});

test("the time is shown, ten times a second while it runs, and always when it is paused", () => {
  effect.paused = true;
  effect.send("frame", { time: 1.234, alive: 5 });
  assert.equal(parts.status.textContent, "1.23 s · 5 particles");
  effect.send("frame", { time: 1.25, alive: 6 });
  assert.equal(parts.status.textContent, "1.25 s · 6 particles");
  effect.paused = false;
  effect.send("frame", { time: 1.26, alive: 7 });
  assert.equal(parts.status.textContent, "1.25 s · 6 particles");
});
