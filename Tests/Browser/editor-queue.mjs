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
const { changed, parse, stringify, valueAt } = await load("paths.js");

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

const unanswered = (storage, path = "fire") => JSON.parse(storage.getItem(`unanswered ${path}`) ?? "[]");

test("a storage that is full keeps no older state of the edits", () => {
  const storage = storageOf();
  const outbox = new Outbox("fire", storage);
  outbox.keep(() => [{ id: "1", changes: [{ key: "a", value: 1 }] }]);
  outbox.write();
  assert.equal(unanswered(storage).length, 1);
  storage.most = 10;
  outbox.keep(() => [{ id: "1", changes: [{ key: "a", value: 2 }] }]);
  outbox.write();
  assert.equal(storage.kept.size, 0);
  outbox.close();
});

test("what is unanswered outlives the page, is that of one document, and moves with it; a large order ends with the page", () => {
  const storage = storageOf();
  const outbox = new Outbox("fire", storage);
  outbox.keep(() => [{ id: "1", changes: [{ key: "seed", value: 7 }] }, { id: "2", values: { operation: "x".repeat(300_000) } }, { id: "3" }]);
  outbox.close();
  assert.deepEqual(new Outbox("fire", storage).read(), [{ id: "1", changes: [{ key: "seed", value: 7 }] }, { id: "3" }]);
  assert.deepEqual(new Outbox("water", storage).read(), []);
  outbox.move("blaze");
  assert.deepEqual([new Outbox("fire", storage).read().length, new Outbox("blaze", storage).read().length], [0, 2]);
  for (const wrong of ["{", "7", "null", '[3, null, {"id": 1}]']) {
    storage.setItem("unanswered fire", wrong);
    assert.deepEqual(new Outbox("fire", storage).read(), []);
  }
  assert.deepEqual(new Outbox("fire", null).read(), []);
});

/** A queue whose program refuses negative numbers, and notes the orders. */
function queueOf(storage = storageOf()) {
  const queue = Object.assign(new EditQueue(), {
    queue: [], item: { id: "1" }, window: "w", revision: 1, document: {}, lastSent: -1000, heard: 0, outbox: new Outbox("fire", storage), orders: [], refused: 0, made: [],
    applyAnswer(state, { own = [] } = {}) {
      this.revision = state.revision;
      this.made.push(...own);
    },
    changed, value(key) { return valueAt(this.document, key); }, told() {}, show() {}, emit(name) { if (name === "refused") this.refused += 1; },
  });
  globalThis.fetch = async (_, { body }) => {
    const sent = JSON.parse(body);
    queue.orders.push(sent);
    const isWrong = sent.changes.some(({ value }) => value < 0);
    const answer = isWrong ? { code: "range", message: "negative", key: "b", revision: queue.revision } : { revision: queue.revision + 1 };
    return { ok: !isWrong, status: isWrong ? 422 : 200, json: async () => answer };
  };
  return queue;
}

const rest = (queue) => until(() => !queue.isBusy && !queue.queue.some(({ open, flying, hasEnded }) => open.size || flying || hasEnded));

// A change that is sent with the end of its gesture is refused together with that end. A change that was sent before is refused alone.
for (const [pause, phases] of [[0, ["change", "change", "end"]], [100, ["change", "change", "change", "end"]]]) {
  test(`the accepted part of a gesture is kept without the refused one, also after a first refusal, with an end after ${pause} ms`, async () => {
    const queue = queueOf();
    const gesture = queue.begin("Rate");
    gesture.change([{ key: "b", value: -1 }]);
    await rest(queue);
    assert.equal(queue.refused, 1);
    gesture.change([{ key: "a", value: 2 }]);
    await rest(queue);
    gesture.change([{ key: "b", value: -2 }]);
    await pass(pause);
    gesture.end();
    await rest(queue);
    assert.equal(queue.refused, 2);
    assert.deepEqual(queue.made, [{ key: "a", value: 2 }]);
    assert.deepEqual(queue.orders.map(({ gesture: { phase } }) => phase), phases);
    assert.deepEqual(queue.orders.map(({ gesture: { tick } }) => tick), phases.map((_, index) => index + 1));
    assert.equal(new Set(queue.orders.map(({ id }) => id)).size, 1);
    assert.deepEqual([queue.queue.length, queue.orders.at(-1).changes.length], [0, pause ? 0 : 1]);
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
  const storage = storageOf();
  const queue = queueOf(storage);
  const gesture = queue.begin("Rate");
  gesture.change([{ key: "b", value: -1 }]);
  gesture.end();
  await rest(queue);
  assert.deepEqual(queue.orders.map(({ gesture: { phase }, changes }) => [phase, changes.length]), [["change", 1], ["end", 0]]);
  queue.outbox.close();
  assert.ok(queue.queue.length === 0 && storage.kept.size === 0);
});

test("a cancelled gesture sends none of its changes again; one that has changed nothing sends nothing", async () => {
  const storage = storageOf();
  const queue = queueOf(storage);
  const gesture = queue.begin("Rate");
  gesture.change([{ key: "a", value: 2 }]);
  gesture.cancel();
  await rest(queue);
  assert.deepEqual(queue.orders.map(({ gesture: { phase }, changes }) => [phase, changes.length]), [["change", 1], ["cancel", 0]]);
  queue.begin("Rate").end();
  queue.begin("Rate").cancel();
  await rest(queue);
  queue.outbox.close();
  assert.deepEqual([queue.orders.length, queue.queue.length, storage.kept.size], [2, 0, 0]);
});

test("identities have 128 bits, and are others for each edit", async () => {
  const queue = queueOf();
  for (let index = 0; index < 20; index++) queue.edit("Rate", [{ key: "a", value: index }]);
  await rest(queue);
  assert.equal(new Set(queue.orders.map(({ id }) => id)).size, 20);
  for (const { id } of queue.orders) assert.match(id, /^[0-9a-f]{32}$/);
  queue.outbox.close();
});

// MARK: Restarts

const { EditSession } = await load("session.js");
const { keep } = await load("../again.js");
const { findAgain } = await load("../server.js");

/** The starts of all programs: the pages of these tests use one address, one after another. */
const starts = new Starts();

/** The changes of members that lead from one document to a second document. */
const difference = (from, to) => [...Object.keys(to).filter((key) => stringify(from[key]) !== stringify(to[key])).map((key) => ({ key, value: to[key] })),
  ...Object.keys(from).filter((key) => !(key in to)).map((key) => ({ key, unset: true }))];

/** A program with one document, and its journal. After its end, a new program makes all changes again, in an opening of its own. */
class FakeProgram {
  saved = '{"rate":1,"emitters":[{"rate":1}]}';
  text = this.saved;
  epoch = 0;
  isAlive = false;
  orders = [];
  journal = new Map();
  /** Milliseconds until it hears, and until its answers arrive. */
  latency = 0;

  start() {
    starts.start();
    Object.assign(this, { isAlive: true, undone: [], gestures: new Map(), revision: ++this.epoch * 1000, contents: new Map() });
    this.contents.set(this.revision, this.text);
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
    if (this.isGone) return { status: 404, code: "file/not-found" };
    if (route === "find") return { id: "1" };
    if (route !== "edit") return this.state;
    this.orders.push(sent);
    if (this.ends("before")) return this.die();
    if (sent.opening !== String(this.epoch)) return { status: 422, code: "file/closed" };
    const known = this.journal.get(sent.id);
    if (!known || (sent.gesture && !known.isOver && sent.gesture.tick > known.tick)) this.make(sent);
    if (this.end?.saves === this.orders.length) this.save();
    return this.ends("after") ? this.die() : this.lacking(sent);
  }

  make({ id, kind, gesture, operation, changes = [] }) {
    const tick = gesture?.tick, fault = changes.find(({ value }) => value < 0);
    this.journal.set(id, { tick, isOver: gesture?.phase !== "change", fault: fault && { status: 422, code: "document/range", key: fault.key } });
    if (fault) return;
    if (!this.gestures.has(id)) {
      if (kind === "undo") return this.becomes(this.undone.pop() ?? this.text);
      this.undone.push(this.text);
      if (gesture) this.gestures.set(id, this.text);
    }
    if (gesture?.phase === "cancel") return this.becomes(this.gestures.get(id));
    this.becomes(stringify(changed(operation ? this.duplicated(parse(this.text)) : parse(this.text), changes)));
  }

  becomes(text) {
    this.text = text;
    this.contents.set(++this.revision, text);
  }

  /** What a page lacks that makes its own changes on the contents that it has named. */
  lacking({ id, revision, changes = [] }) {
    const { fault } = this.journal.get(id);
    const { text, ...state } = this.state;
    if (!this.contents.has(revision)) return { id, text, ...state, ...fault };
    const patch = difference(changed(parse(this.contents.get(revision)), fault ? [] : changes), parse(text));
    return { id, ...state, ...fault, ...(patch.length ? { patch } : {}) };
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

/** Three edits, sent as five orders: three for the gesture, and one for each later edit. The program may die at each. */
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
  assert.deepEqual([session.states, session.isPending], [[], false]);
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
  // Undo of the new program would take back the change that was sent again.
  program.start();
  session.undo();
  await settles(session, program);
  assert.equal(parse(program.text).rate, 5);
  session.close();
});

// MARK: Answers that are lost, late or others than expected

/** Sends each request of the route `edit` as `deliver` has it: with the function that sends it. */
function delivering(deliver) {
  const send = globalThis.fetch;
  globalThis.fetch = (url, options) => (new URL(url).pathname.endsWith("/edit") ? deliver(() => send(url, options), options) : send(url, options));
}

test("an order whose answer is lost again and again is made once", async () => {
  const program = new FakeProgram();
  const { session } = await pageOf(program);
  let lost = 0;
  delivering(async (send) => {
    const response = await send();
    if (++lost <= 3) throw new TypeError("reset");
    return response;
  });
  session.structure({ op: "duplicate", indices: [0] });
  await until(() => lost > 3);
  await settles(session, program);
  assert.deepEqual([parse(program.text).emitters.length, new Set(program.orders.map(({ id }) => id)).size, program.orders.length], [2, 1, 4]);
  session.close();
});

test("an old order that arrives after newer ones changes nothing", async () => {
  const program = new FakeProgram();
  const { session } = await pageOf(program);
  const late = [];
  let number = 0;
  delivering((send) => {
    if (++number % 2 === 0) return send();
    // The request is on its way for long, and the page takes it for lost.
    late.push(send);
    return Promise.reject(new TypeError("timeout"));
  });
  const drag = session.begin("Drag");
  for (const value of [2, 3, 4]) {
    drag.change([{ key: "rate", value }]);
    await pass(1500);
  }
  drag.end();
  await settles(session, program);
  session.edit("Rate", [{ key: "emitters[0].rate", value: 9 }]);
  await settles(session, program);
  const { text } = program;
  for (const send of late.reverse()) await send();
  assert.deepEqual([program.text, parse(text)], [text, { rate: 4, emitters: [{ rate: 9 }] }]);
  session.close();
});

test("an edit of another window is in the patch of the answer, also between the parts of a drag", async () => {
  const program = new FakeProgram();
  const { session } = await pageOf(program);
  const drag = session.begin("Drag");
  drag.change([{ key: "emitters[0].rate", value: 5 }]);
  await pass(40);
  program.becomes(stringify({ ...parse(program.text), rate: 77, author: "b" }));
  drag.change([{ key: "emitters[0].rate", value: 6 }]);
  await pass(40);
  assert.deepEqual(session.document, { rate: 77, author: "b", emitters: [{ rate: 6 }] });
  // Text that is typed meanwhile is shown over it.
  session.edit("Author", [{ key: "author", unset: true }]);
  assert.deepEqual(session.document, { rate: 77, emitters: [{ rate: 6 }] });
  drag.end();
  await until(() => !session.queue.length);
  session.close();
});

test("a value that the program stores otherwise is in the patch, and a refused one is shown no more", async () => {
  const program = new FakeProgram();
  const { session } = await pageOf(program);
  const becomes = program.becomes;
  program.becomes = (text) => becomes.call(program, text.replace('"rate":5.5', '"rate":6'));
  await done(session.edit("Rate", [{ key: "rate", value: 5.5 }]));
  assert.equal(session.document.rate, 6);
  const refused = [];
  session.addEventListener("refused", ({ detail }) => refused.push(detail.code));
  const edit = session.edit("Rate", [{ key: "rate", value: -1 }]);
  assert.equal(session.document.rate, -1);
  await assert.rejects(done(edit));
  await settles(session, program);
  assert.deepEqual([session.document.rate, refused], [6, ["document/range"]]);
  session.close();
});

test("a refusal whose answer was lost is told when the program is there again, and its edit is not made", async () => {
  const program = new FakeProgram();
  const { session, tell } = await pageOf(program);
  const refused = [];
  session.addEventListener("refused", ({ detail }) => refused.push(detail.code));
  program.end = { when: "after", order: 1 };
  session.edit("Rate", [{ key: "rate", value: -1 }]).catch(() => {});
  session.edit("Rate", [{ key: "emitters[0].rate", value: 4 }]);
  await until(() => !program.isAlive);
  program.start();
  tell("resumed");
  await settles(session, program);
  assert.deepEqual([parse(program.text), refused], [{ rate: 1, emitters: [{ rate: 4 }] }, ["document/range"]]);
  session.close();
});

test("a page that is loaded again sends what was not answered, once, and ends its gesture", async () => {
  const storage = globalThis.sessionStorage = storageOf();
  const program = new FakeProgram();
  const { session, tell } = await pageOf(program);
  const drag = session.begin("Drag");
  drag.change([{ key: "emitters[0].rate", value: 5 }]);
  await pass(40);
  program.end = { when: "after", order: 2 };
  drag.change([{ key: "emitters[0].rate", value: 7 }]);
  session.structure({ op: "duplicate", indices: [0] });
  session.edit("Rate", [{ key: "rate", value: 9 }]);
  await until(() => !program.isAlive);
  session.close();
  assert.deepEqual(unanswered(storage).map(({ kind, tick }) => [kind, tick]), [["changes", 2], ["structure", undefined], ["changes", undefined]]);
  program.start();
  tell("resumed");
  // A duplicate of a tab has a copy of its storage.
  const copy = new Map(storage.kept);
  const again = await pageOf(program);
  await settles(again.session, program);
  assert.deepEqual(parse(program.text), whole);
  for (const [name, value] of copy) storage.setItem(name, value);
  const twin = await pageOf(program);
  await settles(twin.session, program);
  assert.deepEqual(parse(program.text), whole);
  for (const each of [again, twin]) each.session.close();
  assert.deepEqual([...storage.kept], []);
  delete globalThis.sessionStorage;
});

test("a page with answers of a program that has ended, without a journal, goes on with what it gets", async () => {
  const program = new FakeProgram();
  const { session } = await pageOf(program);
  const drag = session.begin("Drag");
  drag.change([{ key: "rate", value: 5 }]);
  await pass(40);
  program.journal.clear();
  program.text = program.saved;
  program.start();
  drag.change([{ key: "rate", value: 6 }]);
  drag.end();
  await settles(session, program);
  assert.deepEqual(parse(program.text), { rate: 6, emitters: [{ rate: 1 }] });
  session.close();
});

test("a program that has the document no more has not ended; what was typed waits, and is made when the document is there again", async () => {
  const program = new FakeProgram();
  const { session, tell } = await pageOf(program);
  const heard = [];
  session.addEventListener("state", () => heard.push(session.isOnline));
  program.isGone = true;
  session.edit("Rate", [{ key: "rate", value: 5 }]);
  await pass(3000);
  assert.deepEqual([session.isOnline, session.states, session.isPending, session.document.rate], [true, ["closed"], true, 5]);
  assert.ok(heard.every(Boolean));
  // The editor can be left, and the typed text stays.
  await done(session.idle());
  program.isGone = false;
  tell("resumed");
  await settles(session, program);
  assert.deepEqual([parse(program.text).rate, session.states], [5, ["changed"]]);
  session.close();
});

test("contents that cannot be asked for are asked for again by the next event, and not before", async () => {
  const program = new FakeProgram();
  const { session, tell } = await pageOf(program);
  const send = globalThis.fetch;
  let asked = 0;
  globalThis.fetch = (url, options) => {
    if (!new URL(url).pathname.endsWith("/edit-open")) return send(url, options);
    asked += 1;
    return Promise.resolve({ ok: false, status: 422, json: async () => ({ code: "document/type" }) });
  };
  program.becomes('{"rate":8}');
  for (const count of [1, 2]) {
    tell("document", { document: program.described, what: "states" });
    await pass(2000);
    assert.equal(asked, count);
  }
  session.close();
});

test("bytes of a part of a drag do not depend on the size of the document", async () => {
  const sizes = [];
  for (const count of [1, 100]) {
    const program = new FakeProgram();
    program.saved = program.text = stringify({ rate: 1, emitters: Array.from({ length: count }, (_, index) => ({ rate: index % 10 })) });
    const { session } = await pageOf(program);
    let bytes = 0;
    delivering(async (send, { body }) => {
      const response = await send();
      bytes = body.length + JSON.stringify(await response.json()).length;
      return response;
    });
    const drag = session.begin("Drag");
    drag.change([{ key: "emitters[0].rate", value: 5 }]);
    await pass(40);
    assert.equal(bytes > 0, true);
    sizes.push(bytes);
    drag.end();
    await settles(session, program);
    session.close();
  }
  assert.equal(sizes[0], sizes[1]);
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
    // A different change of this kind is there to be undone.
    program.undone = ['{"rate":0}'];
    tell("resumed");
    await settles(session, program);
    assert.equal(parse(program.text).rate, 1);
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
  session.applyAnswer({ ...program.state, document: changed });
  assert.deepEqual(session.states, []);
  // Numbers of another program begin anew.
  program.start();
  tell("resumed");
  await settles(session, program);
  session.applyAnswer({ ...program.state, document: { ...program.described, states: ["read-only"], sequence: 1 } });
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
  tell("resumed");
  await settles(session, program);
  assert.deepEqual(session.states, []);
  session.close();
});
