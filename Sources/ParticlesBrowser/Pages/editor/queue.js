// The edits of a page on their way to the program, as `Spec/editing.md` has it: in order, one request at a time, and with an identity each.
//
// The page shows the last contents that it knows from the program, with its own edits that are not answered. An edit that is answered is
// in the journal of the program. One whose answer is lost is sent again with its identity, to whatever program answers then: it is
// made once.

import { address, order, reach, ServerError } from "../server.js";
import { toBase64 } from "./base64.js";
import { withCourse } from "./edit-names.js";
import { stringify } from "./paths.js";

/** Milliseconds between requests, at least. */
const betweenRequests = 1000 / 60;
/** Milliseconds until the program, or the document, is looked for again. */
const againAfter = 800;
/** Milliseconds after an edit of another window until the list of edits is asked for. */
const untilListed = 400;
/** Bytes that the program takes. */
export const mostImageBytes = 64 << 20;

export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** What `EditSession` does with edits. */
export class EditQueue extends EventTarget {
  // MARK: Edits

  /** Whether documents are only viewed. If a document cannot be written in its place, it can be edited: changes are kept elsewhere. */
  get isReadOnly() { return Boolean(this.isViewing); }

  get isForeign() { return Boolean(this.format); }

  /** Whether there is a program. */
  get isOnline() { return this.missing !== "program"; }

  /** Whether edits are not answered. */
  get isPending() { return this.queue.some(({ id, open, flying, hasEnded }) => id && (open.size > 0 || flying || hasEnded)); }

  /** Begins a gesture: its changes become one edit. */
  begin(name) {
    if (this.isReadOnly) return { change() {}, end() {}, cancel() {} };
    const entry = this.add({ id: newId(), name, kind: "changes", tick: 0, hasEnded: false });
    return {
      change: (changes) => {
        if (!entry.hasEnded) this.change(entry, changes);
      },
      end: () => this.end(entry),
      cancel: () => {
        entry.isCancelled = true;
        entry.open.clear();
        this.end(entry);
        this.show(true);
      },
    };
  }

  /** Ends a gesture. The program is not told of an empty gesture. */
  end(entry) {
    entry.hasEnded = true;
    if (entry.tick === 0 && !entry.open.size) this.leave(entry);
    this.keep();
    this.pump();
  }

  /** Adds changes to an edit, and shows them at once. */
  change(entry, changes) {
    const before = changes.map(({ key }) => this.value(key));
    for (const change of changes) entry.open.set(change.key, change);
    this.document = this.changed(this.document, changes);
    entry.course ??= new Map();
    changes.forEach(({ key }, index) => entry.course.set(key, [entry.course.has(key) ? entry.course.get(key)[0] : before[index], this.value(key)]));
    this.told({ keys: changes.map(({ key }) => key), isLocal: true });
    this.keep();
    this.pump();
  }

  /** Makes one edit. Resolves to the findings after it. */
  async edit(name, changes) {
    await this.enqueue({ id: newId(), name, kind: "changes", changes });
    return this.findings;
  }

  /** Changes the list of emitters, as one edit. */
  async structure(operation) {
    const count = this.document.emitters?.length ?? 0;
    await this.enqueue({ id: newId(), name: nameOf(operation), kind: "structure", values: { operation } });
    const now = this.document.emitters?.length ?? 0;
    if (now > count) this.select(operation.op === "duplicate" ? [operation.indices[0] + 1] : range(operation.at ?? count, now - count));
    else if (operation.op === "move") this.select([Math.min(operation.to, now - 1)]);
  }

  async mergeBytes(name, bytes) {
    // The text of the order is longer by a third.
    if (bytes.length > mostImageBytes / 2) throw new ServerError(413, { code: "limit/exceeded", message: `the file has ${bytes.length} bytes` });
    return this.structure({ op: "merge", name, bytes: toBase64(bytes) });
  }

  undo(count = 1) { return this.enqueue({ id: newId(), name: "undo", kind: "undo", values: { count } }); }
  redo(count = 1) { return this.enqueue({ id: newId(), name: "redo", kind: "redo", values: { count } }); }
  fix({ code, key }) { return this.enqueue({ id: newId(), name: "Fix", kind: "fix", values: { code, key } }); }

  /** Sends an order in its turn, whose answer has a state of the document. One without an identity is not repeated. */
  enqueue({ changes = [], ...values }) {
    if (this.isReadOnly && values.id) return heard(Promise.reject(new ServerError(403, { message: "the document is read-only", code: "file/read-only" })));
    const entry = this.add({ hasEnded: true, ...values });
    const done = heard(new Promise((resolve, reject) => Object.assign(entry, { resolve, reject })));
    if (changes.length) this.change(entry, changes);
    else this.pump();
    this.keep();
    return done;
  }

  add(values) {
    const entry = { open: new Map(), flying: undefined, ...values };
    this.queue.push(entry);
    return entry;
  }

  // MARK: What outlives the page

  keep() {
    this.outbox.keep(() => this.queue.filter(({ id, bytes, tick, open }) => id && !bytes && (tick !== 0 || open.size > 0)).map(
      ({ id, name, kind, tick, values, isCancelled, flying, open }) => ({ id, name, kind, tick, values, isCancelled, changes: [...new Map([...(flying ?? []), ...open]).values()] })));
  }

  /** Takes over the edits that the page before has left: all have ended with it. */
  takeOver() {
    for (const { changes = [], ...values } of this.outbox.read()) {
      const entry = this.add({ ...values, hasEnded: true });
      for (const change of changes) entry.open.set(change.key, change);
    }
    if (this.queue.length) this.show(true);
    this.pump();
  }

  // MARK: Requests

  /** Sends the next request: one at a time, and at most 60 in a second. */
  pump() {
    if (this.isBusy || this.isClosed || this.timer) return;
    if (this.missing) return void this.resumed();
    const entry = this.queue.find((each) => each.open.size > 0 || each.hasEnded);
    if (!entry) {
      // When nothing is on the way, changes from elsewhere are asked for.
      if (this.heard > this.revision) this.refresh();
      return;
    }
    const wait = this.lastSent + betweenRequests - performance.now();
    if (wait > 0.5) {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.pump();
      }, wait);
      return;
    }
    this.lastSent = performance.now();
    this.isBusy = true;
    this.sending = this.send(entry).finally(() => {
      this.isBusy = false;
      this.pump();
    });
  }

  async send(entry) {
    const isLast = entry.hasEnded;
    [entry.flying, entry.open] = [entry.open, new Map()];
    try {
      const state = await this.request(entry, isLast);
      const own = [...entry.flying.values()];
      entry.flying = undefined;
      if (isLast) this.leave(entry);
      this.applyAnswer(state, { isLocal: Boolean(entry.id), own });
      if (isLast) entry.resolve?.(state);
    } catch (error) {
      const { flying } = entry;
      entry.flying = undefined;
      // A program that was started again knows neither the item nor that it is open.
      const isLost = error.status === undefined || (["file/not-found", "file/closed"].includes(error.code) && error.answer?.revision === undefined);
      if (isLost && entry.id) {
        // It is sent again, with newer changes, when there is a program that has the document.
        if (!entry.isCancelled) for (const [key, change] of flying) if (!entry.open.has(key)) entry.open.set(key, change);
      } else {
        if (isLast) this.leave(entry);
        // What the program has is shown again.
        if (error.answer?.revision !== undefined) this.applyAnswer(error.answer);
        this.show(true);
        if (entry.id) this.emit("refused", error);
        // The next event asks again.
        else this.heard = this.revision;
        entry.reject?.(error);
      }
      if (isLost) this.miss(error.status === undefined ? "program" : "document");
    }
    this.keep();
  }

  request(entry, isLast) {
    const basis = { item: this.item.id, window: this.window, opening: this.opening, revision: this.revision };
    const { id, kind, name, values, bytes, route = "edit" } = entry;
    if (bytes) return sendText(route, { ...basis, id, ...values }, bytes);
    if (!id) return orderText(route, { ...basis, ...values });
    const order = { ...basis, id, kind, name: withCourse(name, entry.course), ...values };
    if (kind === "changes") order.changes = [...entry.flying.values()];
    if (entry.tick !== undefined) order.gesture = { tick: ++entry.tick, phase: entry.isCancelled ? "cancel" : isLast ? "end" : "change" };
    return orderText(route, order);
  }

  leave(entry) { this.queue.splice(this.queue.indexOf(entry), 1); }

  /** Asks for changes from elsewhere. */
  refresh() {
    if (this.missing || this.queue.some(({ route }) => route === "edit-open")) return;
    this.enqueue({ route: "edit-open" });
  }

  // MARK: Events

  heardOf({ document: described, what }) {
    if (described?.id !== this.item.id || what === "closed") {
      if (described?.id === this.item.id) this.miss("document");
      return;
    }
    if (this.missing) this.unheard = { document: described, what };
    if (this.missing || this.isOther(described)) return;
    this.heard = Math.max(this.heard, described.revision);
    if (["saved", "states"].includes(what) && !described.states.includes("changed")) this.emit("saved", described.revision);
    if (what === "moved") this.item.name = described.path.split("/").at(-1);
    this.takeStates(described);
    if (["conflict", "merged", "reloaded", "deleted", "moved"].includes(what)) this.refresh();
    if (what === "edited") this.emit("undo");
    if (!this.queue.length && described.revision > this.revision) this.refresh();
    clearTimeout(this.listing);
    if (what === "edited") {
      this.listing = setTimeout(() => {
        if (!this.queue.length && described.undo !== this.undoNames?.at(-1)) this.refresh();
      }, untilListed);
    }
  }

  // MARK: Restarts

  /** The program is missed, or the document in it. Another program may answer next. */
  miss(what) {
    if (this.missing === what || (this.missing && what === "document")) return;
    this.missing = what;
    this.emit("state");
    this.pump();
  }

  /** Whether a document has another opening than the page knows. If so, the page takes it up. */
  isOther(described) {
    const isOther = described?.opening !== undefined && this.opening !== undefined && described.opening !== this.opening;
    if (isOther) this.miss("document");
    return isOther;
  }

  /** Takes the document up again: its contents, and then the edits that are not answered. */
  resumed() {
    this.missing ??= "document";
    this.resuming ??= this.takeUp().finally(() => {
      this.resuming = undefined;
      this.pump();
    });
    return this.resuming;
  }

  async takeUp() {
    // The answer may still come from the program before.
    await this.sending;
    if (this.isClosed) return;
    try {
      const state = await this.reopen();
      if (this.isClosed) return;
      [this.missing, this.heard, this.opening] = [undefined, 0, state.document?.opening];
      this.applyAnswer(state);
      // An event that the document was saved meanwhile is not sent again.
      const { unheard } = this;
      this.unheard = undefined;
      if (unheard?.document.opening === this.opening) this.heardOf(unheard);
    } catch (error) {
      // A program that answers is there, without the document. Unanswered requests are kept.
      this.missing = error.status === undefined ? "program" : "document";
      if (this.missing === "document") this.states = ["closed"];
      this.emit("state");
      await new Promise((resolve) => setTimeout(resolve, againAfter));
    }
    this.emit("state");
  }

  async reopen() {
    const found = await order("find", { path: this.path, identity: this.identity });
    this.item.id = found.id;
    return order("edit-open", { item: found.id, window: this.window });
  }
}

/** A refusal is told by the event "refused" too: a promise that nothing waits for is no fault of the page. */
const heard = (promise) => {
  promise.catch(() => {});
  return promise;
};

const range = (from, count) => Array.from({ length: count }, (_, index) => from + index);

const names = { add: "Add Emitter", duplicate: "Duplicate Emitter", remove: "Remove Emitter", move: "Reorder Emitters",
  rename: "Rename Emitter", paste: "Paste Emitter", merge: "Merge Effect" };
const nameOf = ({ op }) => names[op] ?? "Emitters";

/** An order. A failure has the answer of the program in it. */
async function orderText(route, body) { return answerOf(reach(address(route), { method: "POST", headers: { "Content-Type": "application/json" }, body: stringify(body) })); }

async function sendText(route, values, bytes) {
  return answerOf(reach(address(route, values), { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: bytes }));
}

async function answerOf(request) {
  const response = await request.catch((error) => {
    throw Object.assign(new Error(error.message), { status: undefined });
  });
  // It may have no text.
  const answer = await response.json().catch(() => {});
  if (response.ok) return answer;
  throw Object.assign(new ServerError(response.status, answer), { answer });
}
