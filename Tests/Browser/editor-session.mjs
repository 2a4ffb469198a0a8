// An effect that is edited, without a program, in node: what the stage plays, values and defaults, what answers change, findings and marks.
//
//   node Tests/Browser/editor-session.mjs

import assert from "node:assert/strict";
import { test } from "node:test";
import "./address.mjs";

const pages = new URL("../../Sources/ParticlesBrowser/Pages/editor/", import.meta.url);
const load = (name) => import(new URL(name, pages));

const kept = new Map();
globalThis.navigator ??= { languages: ["en"] };
if (!globalThis.navigator.languages) Object.defineProperty(globalThis.navigator, "languages", { value: ["en"] });
globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };

const paths = await load("paths.js");
const { Outbox } = await load("outbox.js");
const { EditSession } = await load("session.js");

/** A session with a document, which was not opened at a program. */
function opened(document, view = {}, rows = []) {
  const session = Reflect.construct(EventTarget, [], EditSession);
  return Object.assign(session, {
    document, view, queue: [], path: "fire", serverDocument: document, rows: new Map(rows.map((row) => [row.key, row])), selected: [0],
    item: { id: "9", name: "fire" }, lastSent: -1000, heard: 0, outbox: new Outbox("fire", null), revision: 1, findings: [], marks: [], checkSoon() {},
  });
}

const effect = { seed: 5, emitters: [{ name: "a" }, { name: "b", enabled: true }, { name: "c", enabled: false }] };
const enabledIn = (session) => paths.parse(session.shownText).emitters.map(({ enabled }) => enabled);

test("the stage plays the document as it is, unless the view has another seed or leaves emitters out", () => {
  const session = opened(effect);
  assert.deepEqual([session.shownText, session.shownText === session.text], [JSON.stringify(effect), true]);
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
  assert.equal(session.shownText, session.text);
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

test("the text is written once for a document, and an edit is pending until it is answered", () => {
  const session = opened(effect);
  assert.equal(session.text, JSON.stringify(effect));
  session.document = { seed: 9 };
  assert.deepEqual([session.text, session.isPending], ['{"seed":9}', false]);
  const open = new Map(), gesture = { id: "g", open, hasEnded: false };
  session.queue = [{ open, hasEnded: true }, gesture];
  assert.equal(session.isPending, false);
  for (const more of [{ flying: open }, { hasEnded: true }, { open: new Map([["seed", {}]]) }]) {
    session.queue = [{ ...gesture, ...more }];
    assert.equal(session.isPending, true);
  }
});

test("what is shown are the changes that are under way and those that wait, in this order", () => {
  const session = opened(undefined);
  session.serverDocument = { a: 1, emitters: [{}, {}] };
  session.selected = [1, 7];
  const heard = [];
  for (const name of ["change", "selection"]) session.addEventListener(name, ({ detail }) => heard.push([name, detail]));
  const change = (value) => new Map([["a", { key: "a", value }]]);
  session.queue = [{ flying: change(2), open: change(3) }, { open: change(4) }];
  session.show(true);
  assert.equal(session.document.a, 4);
  assert.deepEqual(session.selected, [1]);
  assert.deepEqual(heard, [["change", { keys: undefined, isLocal: true }], ["selection", null]]);
  session.queue[1].isCancelled = true;
  session.show(false);
  assert.equal(session.document.a, 3);
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
  session.applyAnswer = () => {};
  await session.putImage("a.png", { size: mostImageBytes });
  assert.equal(sent.length, 1);
  session.files = [{ path: "b.png", isMissing: true }, { path: "c.png", digest: "d1" }];
  assert.equal(await session.imageBytes("b.png"), undefined);
  assert.equal(sent.length, 1);
  assert.equal(new URL(session.image("c.png")).searchParams.get("version"), "d1");
  assert.equal(new URL(session.image("other.png")).searchParams.get("version"), "1");
});

// MARK: Answers

/** Answers each route by a function of the sent values, and notes the requests. */
function answering(answers) {
  const asked = [];
  globalThis.fetch = async (url, { body } = {}) => {
    const route = new URL(url).pathname.split("/").at(-1);
    const sent = body ? JSON.parse(body) : Object.fromEntries(new URL(url).searchParams);
    asked.push([route, sent]);
    const answer = await answers[route]?.(sent) ?? {};
    const status = answer.status ?? 200;
    return { ok: status === 200, status, json: async () => answer, text: async () => JSON.stringify(answer) };
  };
  return asked;
}

test("an answer changes what it has, and nothing else", () => {
  const session = opened({ seed: 1, emitters: [{}] });
  Object.assign(session, { files: ["old"], undoNames: ["old"], isViewing: false, conflict: "old", format: "old", states: [] });
  session.applyAnswer({ revision: 7 });
  assert.deepEqual([session.revision, session.files, session.undoNames, session.isViewing, session.conflict, session.document.seed], [7, ["old"], ["old"], false, "old", 1]);
  session.applyAnswer({ text: '{"seed":2,"emitters":[{}]}', undo: ["a"], isViewing: true });
  assert.deepEqual([session.revision, session.undoNames, session.isViewing, session.document], [7, ["a"], true, { seed: 2, emitters: [{}] }]);
  session.applyAnswer({ files: ["new"], conflict: "c", format: "f", document: { opening: "1", sequence: 1, states: ["changed"], path: "fire" } });
  assert.deepEqual([session.files, session.conflict, session.format, session.states], [["new"], "c", "f", ["changed"]]);
  session.applyAnswer({ files: ["more"] });
  assert.deepEqual([session.files, session.conflict, session.format], [["more"], undefined, undefined]);
  // A text that cannot be read leaves the document that is known.
  session.applyAnswer({ text: "{" });
  assert.equal(session.document.seed, 2);
  const heard = [];
  session.addEventListener("change", ({ detail }) => heard.push(detail.isLocal));
  session.applyAnswer({ text: '{"seed":3}' });
  session.applyAnswer({ text: '{"seed":4}' }, { isLocal: true });
  // What the page has made itself is shown already.
  session.applyAnswer({ revision: 8 }, { isLocal: true, own: [{ key: "seed", value: 5 }] });
  assert.deepEqual([session.serverDocument.seed, session.document.seed], [5, 4]);
  session.applyAnswer({ revision: 9, patch: [{ key: "emitters", value: [{}] }, { key: "seed", unset: true }] }, { own: [{ key: "seed", value: 6 }, { key: "emitters[0].x", value: 1 }] });
  assert.deepEqual([heard, session.document, session.revision], [[false, true, false], { emitters: [{}] }, 9]);
});

test("an answer is passed over while the program is away, or if it is that of another opening", () => {
  const session = opened({ seed: 1 });
  session.missing = "program";
  session.applyAnswer({ text: '{"seed":2}', revision: 5 });
  assert.deepEqual([session.document.seed, session.revision, session.isOnline], [1, 1, false]);
  Object.assign(session, { missing: undefined, opening: "1", pump() {} });
  session.applyAnswer({ text: '{"seed":2}', revision: 5, document: { opening: "2", sequence: 1, states: [], path: "fire" } });
  // The program that tells about the opening is present.
  assert.deepEqual([session.document.seed, session.revision, session.isOnline, session.missing], [1, 1, true, "document"]);
  session.missing = undefined;
  session.applyAnswer({ text: '{"seed":2}', revision: 5, document: { opening: "1", sequence: 1, states: [], path: "fire" } });
  assert.deepEqual([session.document.seed, session.revision], [2, 5]);
});

test("findings are those of the revision that was asked for, and asked for when nothing is under way", async () => {
  const session = opened({ seed: 1 });
  session.item = { id: "9" };
  const heard = [];
  session.addEventListener("findings", () => heard.push(session.findings));
  const asked = answering({ "edit-findings": () => ({ findings: ["a"] }) });
  await session.check();
  assert.deepEqual([heard, asked], [[["a"]], [["edit-findings", { item: "9" }]]]);
  answering({ "edit-findings": () => { session.revision += 1; return { findings: ["old"] }; } });
  await session.check();
  assert.deepEqual(session.findings, ["a"]);
  const refused = answering({ "edit-findings": () => ({ status: 500 }) });
  await session.check();
  assert.deepEqual([session.findings, refused.length, heard.length], [["a"], 1, 1]);
  session.queue = [{}];
  let later = 0;
  session.checkSoon = () => { later += 1; };
  const none = answering({});
  await session.check();
  assert.deepEqual([none, later], [[], 1]);
});

test("marks are those of the target that is chosen now; a fault takes their place", async () => {
  const session = opened({ seed: 1 });
  session.item = { id: "9" };
  let told = 0;
  session.addEventListener("marks", () => { told += 1; });
  const asked = answering({ "edit-target": ({ target }) => (target === "bad" ? { status: 422, message: "no format" } : { marks: [target] }) });
  session.setTarget("sks");
  await new Promise((resolve) => setImmediate(resolve));
  await session.markNow();
  assert.deepEqual([session.marks, asked[0]], [["sks"], ["edit-target", { item: "9", target: "sks" }]]);
  const before = told;
  session.setTarget("");
  assert.deepEqual([session.target, session.marks, told], [undefined, [], before + 1]);
  const count = asked.length;
  await session.markNow();
  assert.equal(asked.length, count);
  session.target = "bad";
  await session.markNow();
  assert.deepEqual([session.marks, session.marksFault.message], [[], "no format"]);
  session.target = "pex";
  await session.markNow();
  assert.deepEqual([session.marks, session.marksFault], [["pex"], undefined]);
  // The target has changed when the answer arrives.
  answering({ "edit-target": () => { session.target = "other"; return { marks: ["late"] }; } });
  await session.markNow();
  assert.deepEqual(session.marks, ["pex"]);
  session.isClosed = true;
  const closed = answering({});
  await session.markNow();
  assert.deepEqual(closed, []);
});

// MARK: States

test("a save, and the way out of a conflict, are answered with what has changed, and sent once", async () => {
  const session = opened({ seed: 1, emitters: [] });
  Object.assign(session, { window: "w", opening: "1", revision: 4, states: ["changed"] });
  const asked = answering({ "edit-save": ({ way }) => ({ revision: 5, patch: way === "discard" ? [{ key: "seed", value: 5 }] : [] }), "edit-resolve": () => ({ revision: 6, text: '{"seed":8}' }) });
  await session.save();
  assert.deepEqual(asked[0], ["edit-save", { item: "9", window: "w", opening: "1", revision: 4, way: "save" }]);
  await session.save("lossy", ["a loss"]);
  assert.deepEqual([asked[1][1].accepted, asked[1][1].revision], [["a loss"], 5]);
  let ended = 0;
  session.addEventListener("ended", () => { ended += 1; });
  await session.save("discard");
  await session.resolve("theirs");
  assert.deepEqual([session.document.seed, ended, asked.at(-1)[1].choice, session.isPending], [8, 0, "theirs", false]);
  // Orders without an identity are not sent again.
  answering({ "edit-save": () => ({ status: 422, code: "file/closed" }) });
  session.resumed = () => {};
  await assert.rejects(session.save());
  assert.equal(session.queue.length, 0);
});

test("a document whose file is gone ends when its edits are discarded, and only then", async () => {
  const session = opened({ seed: 1 });
  session.states = ["changed"];
  let ended = 0;
  session.addEventListener("ended", () => { ended += 1; });
  answering({ "edit-save": () => ({}) });
  await session.save();
  assert.deepEqual([ended, session.states, session.document.seed], [0, ["changed"], 1]);
  await session.save("discard");
  assert.deepEqual([ended, session.states], [1, []]);
});

test("a version is restored and a finding mended as edits, with identities", async () => {
  const session = opened({ seed: 1 });
  const asked = answering({ edit: ({ kind }) => ({ revision: 2, text: kind === "fix" ? '{"seed":4}' : '{"seed":3}' }) });
  await session.restore(7);
  assert.equal(session.document.seed, 3);
  await session.fix({ code: "document/range", key: "seed", message: "too many words" });
  assert.equal(session.document.seed, 4);
  assert.deepEqual(asked.map(([route, { kind, version, code, key }]) => [route, kind, version, code, key]), [["edit", "restore", 7, undefined, undefined], ["edit", "fix", undefined, "document/range", "seed"]]);
  assert.notEqual(asked[0][1].id, asked[1][1].id);
});

test("presets are listed and stored; nothing removes one", async () => {
  const session = opened({});
  const asked = answering({ "edit-presets": () => ({ presets: [1] }), "edit-preset": () => ({ presets: [2] }) });
  assert.deepEqual([await session.presets("curve"), await session.savePreset("curve", "a", 0), await session.savePreset("curve", "a", undefined)], [[1], [2], [2]]);
  assert.deepEqual(asked.map(([, sent]) => sent), [{ kind: "curve" }, { kind: "curve", name: "a", value: 0 }, { kind: "curve", name: "a", value: null }]);
});

test("a session that is closed hears and asks nothing more", () => {
  const listeners = globalThis.document = new EventTarget();
  globalThis.fetch = async () => { throw new TypeError("refused"); };
  const state = { text: '{"emitters":[{},{}]}', revision: 4, document: { id: "1", path: "fire", opening: "1", sequence: 1, revision: 4, states: [] } };
  const session = new EditSession({ id: "1", name: "fire" }, "w", [{ key: "seed", standard: 3 }], state);
  assert.deepEqual([session.selected, session.isOnline, session.isBusy, session.value("seed"), session.revision, session.path], [[0], true, false, 3, 4, "fire"]);
  let heard = 0;
  session.heardOf = () => { heard += 1; };
  listeners.dispatchEvent(new CustomEvent("browser-document", { detail: {} }));
  assert.equal(heard, 1);
  session.close();
  listeners.dispatchEvent(new CustomEvent("browser-document", { detail: {} }));
  assert.deepEqual([heard, session.isClosed], [1, true]);
  const empty = new EditSession({ id: "1" }, "w", [], { ...state, text: '{"emitters":[]}' });
  assert.deepEqual(empty.selected, []);
  empty.close();
});
