// Unsaved documents in the pages of the browser: lines above the list and above documents, in node.
//
//   node Tests/Browser/page-unsaved.mjs

import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, settled } from "./clock.mjs";
import { answers, asked, eventually, load, parse, press } from "./page.mjs";

const { Offers } = await load("offers.js");
const { outsideOffer, stateOffer } = await load("rescue.js");
const { watchUnsaved } = await load("unsaved.js");
const { stayOnEscape } = await load("staying.js");

const lines = (root = document) => root.querySelectorAll("[data-offer]").map((each) => [each.dataset.offer, each.querySelector("p").textContent]);
const tell = (values) => document.dispatchEvent(new CustomEvent("browser-document", { detail: { what: "states", ...values } }));
const described = (values) => ({ id: "f", path: "/docs/fire.particles", kind: "effect", windows: [], states: ["changed"], ...values });

test("a line is shown once, replaced by name, and hidden", () => {
  const offers = new Offers();
  assert.ok(offers.element.hidden);
  let done = 0;
  const offer = { line: "Lost", ways: [["save", () => { done += 1; }]], hides: true };
  offers.set("a", offer);
  const [row] = offers.element.querySelectorAll("[data-offer]");
  offers.set("a", { ...offer });
  assert.equal(offers.element.querySelectorAll("[data-offer]")[0], row, "the same line is not read out again");
  row.querySelector("[data-way=save]").click();
  assert.equal(done, 1);
  offers.set("b", { line: "Else", ways: [] });
  assert.deepEqual(lines(offers.element), [["a", "Lost"], ["b", "Else"]]);
  offers.element.querySelector("[data-way=dismiss]").click();
  assert.deepEqual(lines(offers.element), [["b", "Else"]]);
  offers.set("b");
  assert.ok(offers.element.hidden);
});

test("each state has its line and its ways out, which name the document", () => {
  const ways = (states, obstacle) => stateOffer(states, { name: "fire.particles", obstacle, way() {}, copy() {} });
  assert.deepEqual(ways(["deleted", "trashed"]).ways.map(([each]) => each), ["rescueRestore", "rescueNew", "rescueDiscard"]);
  assert.deepEqual(ways(["deleted"]).ways.map(([each]) => each), ["rescueRecreate", "rescueNew", "rescueDiscard"]);
  assert.match(ways(["read-only"], { kind: "folder", folder: "ro" }).line, /fire\.particles .* “ro”/);
  assert.match(ways(["read-only"], { kind: "file", folder: "ro" }).line, /fire\.particles .*write-protected/);
  assert.equal(ways(["read-only"]), undefined);
  assert.equal(ways(["changed"]), undefined);
});

test("a change by another program is told with its name, and with the end of undo", () => {
  const values = { name: "fire.pex", show() {}, takeBack() {} };
  assert.equal(outsideOffer(undefined, values), undefined);
  const offer = outsideOffer({ seconds: 1, before: 1, after: 2 }, values);
  assert.equal(offer.line, "fire.pex was changed by another program.");
  assert.deepEqual(offer.ways.map(([each]) => each), ["recoveredShow", "outsideUndo"]);
  const ended = outsideOffer({ seconds: 1, program: "vim", endsUndo: "Rate" }, values);
  assert.equal(ended.line, "fire.pex was changed by vim. Undo ends there.");
  assert.deepEqual(ended.ways.map(([each]) => each), ["outsideUndo"], "without versions there is nothing to show");
});

test("documents that could not be closed, and what programs have left, are above the list", async () => {
  const left = [{ entry: "1k8", name: "gone.particles", path: "/docs/gone.particles", seconds: 1_700_000_000, program: "particles", size: 900, isGone: true }];
  Object.assign(answers, {
    background: { documents: [described()] }, recovery: () => ({ entries: left }), "recovery-contents": { text: "old" },
  });
  const opened = [];
  const app = { places: [{ id: "d", kind: "folder", path: "/docs", writable: true }], model: {}, windowName: "w", openItem: (item) => opened.push(item), tell() {}, refresh: async () => {} };
  await watchUnsaved(app);
  assert.deepEqual(lines(), [["document f", "fire.particles has changes that are not saved."], ["recovery", "Changes to one document were not saved when a program ended."]]);
  document.querySelector("[data-way=recoveredOpen]").click();
  assert.equal(opened[0].id, "f");
  assert.equal(opened[0].name, "fire.particles");
  // A window shows it: it is in nobody's way.
  tell({ document: described({ windows: ["w"] }) });
  assert.deepEqual(lines().map(([name]) => name), ["recovery"]);
  // Without a window, and not saved: also when an edit causes the event.
  tell({ document: described(), what: "background" });
  assert.equal(lines().length, 2);
  tell({ document: described({ states: ["closed"] }), what: "closed" });
  await pass(500);
  assert.equal(lines().length, 1);
  // The list offers the ways out. A document that is gone is not opened.
  document.querySelector("[data-offer=recovery] [data-way=recoveredShow]").click();
  await eventually(() => document.querySelector(".left li"));
  assert.deepEqual(document.querySelectorAll(".left [data-way]").map((each) => each.dataset.way), ["recoveredShow", "recoveredElsewhere", "rescueDiscard"]);
  assert.match(document.querySelector(".left small").textContent, /the document is gone/);
  document.querySelector(".left [data-way=rescueDiscard]").click();
  await settled();
  assert.equal(asked.filter(({ route, method }) => route === "recovery" && method === "POST").length, 0, "it asks before");
  document.querySelector("[data-way=confirm]").click();
  left.length = 0;
  await eventually(() => !document.querySelector(".left"));
  assert.deepEqual(asked.find(({ route, method }) => route === "recovery" && method === "POST").body, { entry: "1k8", way: "discard" });
  await settled();
  assert.deepEqual(lines(), []);
});

test("Escape never leaves a document, and the way back does", () => {
  const [dialog] = parse("<dialog open><input></dialog>");
  document.body.append(dialog);
  const calls = [];
  stayOnEscape(dialog, () => calls.push("back"), () => calls.push("escape"));
  for (let count = 0; count < 3; count += 1) assert.ok(press(dialog, "Escape").defaultPrevented);
  const cancel = (values) => {
    const event = Object.assign(new Event("cancel", { cancelable: true }), values);
    dialog.dispatchEvent(event);
    return event;
  };
  assert.ok(cancel({}).defaultPrevented);
  assert.deepEqual(calls, ["escape", "escape", "escape"]);
  cancel({ isBack: true });
  assert.deepEqual(calls.at(-1), "back");
});
