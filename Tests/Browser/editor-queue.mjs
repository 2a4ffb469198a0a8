// Edits of the editor on their way to the program, also over its ends, in node.
//
//   node Tests/Browser/editor-queue.mjs

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Starts } from "./address.mjs";
import { done, pass, reset, until } from "./clock.mjs";

globalThis.navigator ??= { languages: ["en"] };
if (!globalThis.navigator.languages) Object.defineProperty(globalThis.navigator, "languages", { value: ["en"] });

beforeEach(reset);

const load = (name) => import(new URL(name, new URL("../../Sources/ParticlesBrowser/Pages/editor/", import.meta.url)));

// MARK: Edits on their way

const { EditQueue } = await load("queue.js");
const { Outbox } = await load("outbox.js");

function storageOf(most = Infinity) {
  const kept = new Map();
  return {
    kept, most, getItem: (name) => kept.get(name) ?? null, removeItem: (name) => kept.delete(name),
    setItem(name, value) {
      if (value.length > this.most) throw new Error("QuotaExceededError");
      kept.set(name, value);
    },
  };
}

test("a storage that is full keeps no older state of the edits", () => {
  const storage = storageOf();
  const outbox = new Outbox("fire", storage);
  outbox.add({ name: "Rate", kind: "edit", changes: [{ key: "a", value: 1 }] });
  outbox.write();
  assert.equal(JSON.parse(storage.kept.get("outbox fire")).entries.length, 1);
  storage.most = 10;
  outbox.add({ name: "Rate", kind: "edit", changes: [{ key: "a", value: 2 }] });
  outbox.write();
  assert.equal(storage.kept.size, 0);
  outbox.close();
});

test("an edit that is partly answered is kept when the answered part is saved", () => {
  const outbox = new Outbox("fire", storageOf());
  const entry = outbox.add({ name: "Rate", kind: "edit", changes: [], isDirty: true });
  outbox.acknowledge(entry, "{}", 3);
  outbox.saved(3);
  assert.equal(outbox.entries.length, 1);
  assert.equal(outbox.missing("{}").entries.length, 1);
  entry.isDirty = false;
  assert.equal(outbox.missing("{}").entries.length, 0);
  outbox.saved(3);
  assert.ok(outbox.isEmpty);
  outbox.close();
});

/** A queue whose program refuses negative numbers, and notes the orders. */
function queueOf(storage = storageOf()) {
  const queue = Object.assign(new EditQueue(), {
    queue: [], isOnline: true, item: { id: "1" }, window: "w", revision: 1, serverText: "{}", lastSent: -1000, heard: 0, outbox: new Outbox("fire", storage), orders: [], refused: 0,
    take(state) { Object.assign(this, { revision: state.revision, serverText: state.text }); },
    show() {}, emit(name) { if (name === "refused") this.refused += 1; },
  });
  globalThis.fetch = async (_, { body }) => {
    const sent = JSON.parse(body);
    queue.orders.push(sent);
    const isWrong = sent.changes.some(({ value }) => value < 0);
    const answer = isWrong ? { code: "range", message: "negative", key: "b" } : { revision: queue.revision + 1, text: `{"r":${queue.orders.length}}` };
    return { ok: !isWrong, status: isWrong ? 422 : 200, json: async () => answer };
  };
  return queue;
}

const rest = (queue) => until(() => !queue.isBusy && !queue.queue.some(({ open, flying, hasEnded }) => open.size || flying || hasEnded));

// A change that is sent with the end of its gesture is refused with it; one that was sent before is refused alone.
for (const [pause, phases] of [[0, ["begin", "begin", "end", "end"]], [100, ["begin", "begin", "change", "end"]]]) {
  test(`the accepted part of a gesture is kept without the refused one, also after a first refusal, with an end after ${pause} ms`, async () => {
    const queue = queueOf();
    const gesture = queue.begin("Rate");
    gesture.change([{ key: "b", value: -1 }]);
    await rest(queue);
    assert.equal(queue.refused, 1);
    assert.equal(queue.outbox.entries.length, 1);
    gesture.change([{ key: "a", value: 2 }]);
    await rest(queue);
    gesture.change([{ key: "b", value: -2 }]);
    await pass(pause);
    gesture.end();
    await rest(queue);
    assert.equal(queue.refused, 2);
    assert.deepEqual(queue.outbox.entries.map(({ changes }) => changes), [[{ key: "a", value: 2 }]]);
    assert.deepEqual(queue.orders.map(({ phase }) => phase), phases);
    assert.deepEqual(queue.orders.at(-1).changes, []);
    queue.outbox.close();
  });
}

test("a drag sends its changes at most 60 times in a second, and the last one at once", async () => {
  const queue = queueOf();
  const gesture = queue.begin("Rate");
  for (let moment = 0; moment < 1000; moment++) {
    gesture.change([{ key: "a", value: moment }]);
    await pass(1);
  }
  gesture.end();
  await pass(20);
  assert.ok(queue.orders.length > 50 && queue.orders.length <= 62, `${queue.orders.length} orders`);
  assert.deepEqual(queue.orders.at(-1).changes, [{ key: "a", value: 999 }]);
  queue.outbox.close();
});

test("a gesture of which nothing was accepted is ended, and leaves nothing", async () => {
  const queue = queueOf();
  const gesture = queue.begin("Rate");
  gesture.change([{ key: "b", value: -1 }]);
  gesture.end();
  await rest(queue);
  assert.deepEqual(queue.orders.map(({ phase, changes }) => [phase, changes.length]), [["begin", 1], ["end", 0]]);
  assert.ok(queue.outbox.isEmpty && queue.queue.length === 0);
  queue.outbox.close();
});

test("a cancelled gesture sends none of its changes again", async () => {
  const queue = queueOf();
  const gesture = queue.begin("Rate");
  gesture.change([{ key: "a", value: 2 }]);
  gesture.cancel();
  await rest(queue);
  assert.deepEqual(queue.orders.map(({ phase, changes }) => [phase, changes.length]), [["begin", 1], ["cancel", 0]]);
  assert.ok(queue.outbox.isEmpty);
  queue.outbox.close();
});

// MARK: Restarts

const { EditSession } = await load("session.js");
const { parse, stringify, withValue } = await load("paths.js");
const { keep } = await load("../again.js");
const { findAgain } = await load("../server.js");

/** The starts of all programs: the pages of these tests have one address, one after the other. */
const starts = new Starts();

/** A program with one document; after its end, another one has what was saved, and revisions of its own. */
class FakeProgram {
  saved = '{"rate":1,"emitters":[{"rate":1}]}';
  epoch = 0;
  isAlive = false;
  orders = [];
  /** Milliseconds until it hears, and until its answers arrive. */
  latency = 0;

  start() {
    starts.start();
    Object.assign(this, { isAlive: true, undone: [], text: this.saved, revision: ++this.epoch * 1000 });
  }

  save() { this.saved = this.text; }
  get described() { return { id: "1", path: "fire", opening: String(this.epoch), revision: this.revision, states: this.text === this.saved ? [] : ["changed"] }; }
  get state() { return { text: this.text, revision: this.revision, document: this.described }; }

  /** Whether the program ends before or after an order of this number. */
  ends(when) { return this.end?.when === when && this.end.order === this.orders.length; }

  async answer(url, { body } = {}) {
    const [, secret, ...path] = new URL(url).pathname.split("/");
    const route = path.at(-1);
    if (!this.isAlive) throw new TypeError("refused");
    const sent = body ? JSON.parse(body) : {};
    if (secret === "again") return starts.answer(new URL(url).searchParams.get("nonce"), body && sent) ?? { status: 403, isBare: true };
    if (secret !== starts.secret) return { status: 403, isBare: true };
    if (route === "find") return { id: "1" };
    if (!["edit", "edit-structure", "edit-undo"].includes(route)) return this.state;
    if (sent.before) return { isDone: stringify(this.duplicated(parse(sent.before))) === this.text };
    this.orders.push(sent);
    if (this.ends("before")) return this.die();
    if (sent.opening !== String(this.epoch)) return { status: 422, code: "file/closed" };
    if (sent.revision !== this.revision) return { status: 409, code: "file/conflict", ...this.state };
    let document = parse(this.text);
    if (route === "edit-undo") document = parse(this.undone.pop() ?? this.text);
    else this.undone.push(this.text);
    if (sent.operation) document = this.duplicated(document);
    for (const { key, value } of sent.changes ?? []) document = withValue(document, key, value);
    this.text = stringify(document);
    this.revision += 1;
    if (this.end?.saves === this.orders.length) this.save();
    return this.ends("after") ? this.die() : this.state;
  }

  duplicated({ emitters, ...more }) { return { ...more, emitters: [...emitters, { ...emitters[0] }] }; }

  die() {
    this.isAlive = false;
    this.end = undefined;
    throw new TypeError("reset");
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A page with a document of a program. */
async function pageOf(program) {
  const listeners = globalThis.document = new EventTarget();
  globalThis.fetch = async (url, options) => {
    if (program.latency) await pause(program.latency);
    const { status = 200, isBare, ...answer } = await program.answer(url, options);
    if (program.latency) await pause(program.latency);
    return { ok: status === 200, status, headers: new Headers(isBare ? {} : { "Content-Type": "application/json" }), json: async () => answer };
  };
  program.start();
  // The page is one of the program: its first request finds the address.
  await keep(starts.keys[0]);
  await done(findAgain());
  const session = new EditSession({ id: "1" }, "w", [], program.state);
  session.check = () => {};
  return { session, tell: (name, detail) => listeners.dispatchEvent(new CustomEvent(`browser-${name}`, { detail })) };
}

/** Edits, which are five orders: three of the gesture, and one each. The program may die at any. */
async function work(session) {
  const drag = session.begin("Drag");
  drag.change([{ key: "emitters[0].rate", value: 5 }]);
  await pass(40);
  drag.change([{ key: "emitters[0].rate", value: 7 }]);
  drag.end();
  session.structure({ op: "duplicate", indices: [0] });
  session.edit("Rate", [{ key: "rate", value: 9 }]);
}

const whole = { rate: 9, emitters: [{ rate: 7 }, { rate: 7 }] };

async function settles(session, program) {
  await until(() => session.isOnline && !session.queue.length && !session.isBusy);
  assert.equal(session.text, program.text);
}

const deaths = ["before", "after"].flatMap((when) => [1, 2, 3, 4, 5].map((order) => [when, order]));
for (const latency of [0, 15]) {
  for (const [when, order] of deaths) {
    for (let saves = 0; saves <= order - (when === "before"); saves++) {
      test(`the program dies ${when} it has made order ${order}, with ${saves} saved and ${latency} ms to its answers`, async () => {
        const program = new FakeProgram();
        program.latency = latency;
        const { session, tell } = await pageOf(program);
        program.end = { when, order, saves };
        await work(session);
        await until(() => !program.isAlive);
        program.start();
        // What waits may be sent, and the new program tells that all is saved, before the page hears that there is a new one.
        tell("document", { document: program.described, what: "saved" });
        await pass(30);
        tell("resumed");
        await settles(session, program);
        // Once each, also an order that was made and saved, and whose answer was lost.
        assert.deepEqual(parse(program.text), whole);
        session.close();
      });
    }
  }
}

test("an edit is made while the program is dead, and the next one dies, too", async () => {
  const program = new FakeProgram();
  const { session, tell } = await pageOf(program);
  await work(session);
  await settles(session, program);
  for (const value of [11, 12, 13]) {
    program.isAlive = false;
    tell("lost");
    session.edit("Dead", [{ key: "emitters[1].rate", value }]);
    await pass(30);
    program.start();
    tell("document", { document: program.described, what: "states" });
    await pass(10);
    tell("resumed");
    await settles(session, program);
    assert.deepEqual(parse(program.text), { rate: 9, emitters: [{ rate: 7 }, { rate: value }] });
  }
  program.save();
  tell("document", { document: program.described, what: "saved" });
  assert.ok(session.outbox.isEmpty);
  session.close();
});

test("a program that is restarted before the page notices anything gets what the one before has answered", async () => {
  const program = new FakeProgram();
  const { session } = await pageOf(program);
  await done(session.edit("Rate", [{ key: "rate", value: 5 }]));
  program.start();
  await done(session.edit("Emitter", [{ key: "emitters[0].rate", value: 7 }]));
  await settles(session, program);
  assert.deepEqual(parse(program.text), { rate: 5, emitters: [{ rate: 7 }] });
  // Undo of the new program would take back what was sent again.
  program.start();
  session.undo();
  await settles(session, program);
  assert.equal(parse(program.text).rate, 5);
  session.close();
});

test("an event of another opening drops nothing, although its revision is greater", async () => {
  const program = new FakeProgram();
  const { session, tell } = await pageOf(program);
  await done(session.edit("Rate", [{ key: "rate", value: 5 }]));
  program.start();
  tell("document", { document: program.described, what: "saved" });
  await settles(session, program);
  assert.equal(parse(program.text).rate, 5);
  session.close();
});

for (const saves of [0, 2]) {
  test(`an undo whose answer was lost is made once, with ${saves} saved`, async () => {
    const program = new FakeProgram();
    const { session, tell } = await pageOf(program);
    await done(session.edit("Rate", [{ key: "rate", value: 5 }]));
    program.save();
    tell("document", { document: program.described, what: "saved" });
    program.end = { when: "after", order: 2, saves };
    session.undo();
    await until(() => !program.isAlive);
    program.start();
    // Another one of the same kind is there to be undone.
    program.undone = ['{"rate":0}'];
    tell("resumed");
    await settles(session, program);
    assert.equal(parse(program.text).rate, saves ? 1 : 0);
    session.close();
  });
}

test("a change of a drag is shown once, and only at its property", async () => {
  const program = new FakeProgram();
  const { session } = await pageOf(program);
  const told = [];
  session.addEventListener("change", ({ detail }) => told.push(detail.keys));
  const drag = session.begin("Drag");
  for (const value of [5, 6, 6]) drag.change([{ key: "emitters[0].rate", value }]);
  drag.end();
  await settles(session, program);
  // Before, each was told twice, once as a change of anything.
  assert.deepEqual(told, Array.from({ length: 3 }, () => ["emitters[0].rate"]));
  session.close();
});

test("an answer that was made before a save and arrives after its event does not bring the old states back", async () => {
  const program = new FakeProgram();
  const { session, tell } = await pageOf(program);
  const changed = { ...program.described, states: ["changed"], sequence: 5 };
  tell("document", { document: { ...program.described, sequence: 6 }, what: "saved" });
  session.take({ ...program.state, document: changed });
  assert.deepEqual(session.states, []);
  // Numbers of another program begin anew.
  program.start();
  tell("resumed");
  await settles(session, program);
  session.take({ ...program.state, document: { ...program.described, states: ["read-only"], sequence: 1 } });
  assert.deepEqual(session.states, ["read-only"]);
  session.close();
});

test("a save that is told while the page takes the document up counts afterwards", async () => {
  const program = new FakeProgram();
  const { session, tell } = await pageOf(program);
  await done(session.edit("Rate", [{ key: "rate", value: 5 }]));
  program.start();
  program.text = '{"rate":2}';
  const answer = globalThis.fetch;
  // The answer is made before the save, and arrives after its event.
  globalThis.fetch = async (url, options) => {
    const response = await answer(url, options), made = await response.json();
    if (!String(url).includes("edit-open")) return { ...response, json: async () => made };
    globalThis.fetch = answer;
    program.save();
    tell("document", { document: program.described, what: "saved" });
    return { ...response, json: async () => made };
  };
  session.outbox.clear();
  tell("resumed");
  await settles(session, program);
  assert.deepEqual(session.states, []);
  session.close();
});
