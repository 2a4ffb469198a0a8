// The edits of a page on their way to the program: in order, one request at a time, made again on newer texts, and sent again after
// a restart of the program.
//
// The invariant: what the page shows is the text of the program, and what the outbox has beyond it. An edit is in the queue until it
// is answered, and in the outbox until an event tells that it is saved; both have the same order. A program that ends takes along what
// it has answered and not saved. The next one begins with what was saved, or is in the recovery journal, and its answers, revisions
// and events tell nothing about edits that the one before has answered. So from the moment when the program is missed until it is
// taken up, nothing is sent, no event counts, and no text is taken. To take it up is one step, when no request is on the way: what it
// lacks is queued before what waits, and all of the outbox is unanswered again. The document of a program has a name for each of its
// openings: an order, an answer or an event of another opening is one of another program, also where the page has missed nothing. Of
// an order whose answer was lost nobody knows whether it was made: it is not made again if the text is the one after it.

import { address, order, reach, ServerError } from "../server.js";
import { difference, equal, parse, stringify } from "./paths.js";

/** Milliseconds between requests, at least. */
const betweenRequests = 1000 / 60;
/** Milliseconds until a request that did not arrive is sent again. */
const againAfter = 800;
/** Bytes that the program takes. */
export const mostImageBytes = 64 << 20;

let lastId = 0;
const newId = () => `${Date.now().toString(36)}-${++lastId}`;

/** What `EditSession` does with edits. */
export class EditQueue extends EventTarget {
  // MARK: Edits

  /** Whether documents are only looked at. One that cannot be written where it is can be edited: its changes are kept elsewhere. */
  get isReadOnly() { return Boolean(this.isViewing); }

  get isForeign() { return Boolean(this.format); }

  /** Begins a gesture: its changes become one edit. */
  begin(name) {
    if (this.isReadOnly) return { change() {}, end() {}, cancel() {} };
    this.outbox.begin(this.serverText);
    const entry = { id: newId(), name, kind: "edit", open: new Map(), flying: undefined, taken: new Map(), hasEnded: false, isSent: false };
    entry.kept = this.outbox.add({ id: entry.id, name, kind: "edit", changes: [], isOpen: true });
    this.queue.push(entry);
    return {
      change: (changes) => {
        if (entry.hasEnded) return;
        for (const change of changes) entry.open.set(change.key, change);
        this.keep(entry, changes);
        this.showKeys(changes.map(({ key }) => key));
        this.pump();
      },
      end: () => {
        entry.hasEnded = true;
        entry.kept.isOpen = false;
        this.outbox.touch();
        this.pump();
      },
      cancel: () => {
        entry.hasEnded = entry.isCancelled = true;
        entry.open.clear();
        this.outbox.remove(entry.kept);
        this.show(true);
        this.pump();
      },
    };
  }

  /** Shows changes of this page once; also those that have changed nothing, whose controls may show something else. */
  showKeys(keys) { if (!this.show(true, keys)) this.emit("change", { keys, isLocal: true }); }

  keep({ kept }, changes) {
    const all = new Map(kept.changes.map((change) => [change.key, change]));
    for (const change of changes) all.set(change.key, change);
    kept.changes = [...all.values()];
    kept.isDirty = true;
    this.outbox.touch();
  }

  /** Makes one edit; the findings are those after it. */
  async edit(name, changes) {
    await this.enqueue({ name, kind: "edit", open: new Map(changes.map((change) => [change.key, change])) }, { changes });
    return this.findings;
  }

  /** Changes the list of emitters; one edit. */
  async structure(operation) {
    const count = this.document.emitters?.length ?? 0;
    // The order itself is not kept: it may have megabytes, and is never made again from the storage.
    await this.enqueue({ name: nameOf(operation), kind: "structure", operation }, {});
    const now = this.document.emitters?.length ?? 0;
    if (now > count) this.select(operation.op === "duplicate" ? [operation.indices[0] + 1] : range(operation.at ?? count, now - count));
    else if (operation.op === "move") this.select([Math.min(operation.to, now - 1)]);
  }

  mergeItem(item) { return this.structure({ op: "merge", item }); }

  async mergeBytes(name, bytes) {
    // The text of the order is longer by a third.
    if (bytes.length > mostImageBytes / 2) throw new ServerError(413, { code: "limit/exceeded", message: `the file has ${bytes.length} bytes` });
    let binary = "";
    for (let at = 0; at < bytes.length; at += 32768) binary += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return this.structure({ op: "merge", name, bytes: btoa(binary) });
  }

  undo(count = 1) { return this.enqueue({ name: "undo", kind: "undo", count }, {}); }
  redo(count = 1) { return this.enqueue({ name: "redo", kind: "redo", count }, {}); }

  enqueue(values, kept) {
    if (this.isReadOnly) return heard(Promise.reject(new ServerError(403, { message: "the document is read-only", code: "file/read-only" })));
    this.outbox.begin(this.serverText);
    const entry = { id: newId(), open: new Map(), taken: new Map(), hasEnded: true, isAlone: true, ...values };
    entry.kept = this.outbox.add({ id: entry.id, name: entry.name, kind: entry.kind, ...kept });
    const done = heard(new Promise((resolve, reject) => Object.assign(entry, { resolve, reject })));
    this.queue.push(entry);
    if (entry.open.size > 0) this.showKeys([...entry.open.keys()]);
    this.pump();
    return done;
  }

  // MARK: Requests

  /** Sends what is next: one request at a time, and at most 60 in a second. */
  pump() {
    if (this.isBusy || this.isClosed || this.timer || this.resuming) return;
    if (!this.isOnline) return void this.resumed();
    const entry = this.queue.find((each) => each.open.size > 0 || each.hasEnded);
    if (!entry) return this.rest();
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
    this.sending = this.sendEntry(entry).finally(() => {
      this.isBusy = false;
      this.pump();
    });
  }

  async sendEntry(entry) {
    const isLast = entry.hasEnded;
    entry.flying = entry.open;
    entry.sent = entry.isCancelled ? undefined : { text: this.serverText, changes: entry.flying };
    entry.open = new Map();
    try {
      const state = await this.request(entry, isLast);
      for (const [key, change] of entry.flying) entry.taken.set(key, change);
      entry.flying = entry.sent = undefined;
      entry.isSent = true;
      entry.kept.isDirty = entry.open.size > 0;
      if (isLast) this.leave(entry);
      this.outbox.acknowledge(entry.kept, state.text ?? this.serverText, state.revision);
      // A gesture that has changed nothing leaves nothing.
      if (entry.isCancelled || (isLast && !entry.isAlone && entry.taken.size === 0)) this.outbox.remove(entry.kept);
      this.take(state, { isLocal: true });
      if (isLast) entry.resolve?.(state);
    } catch (error) {
      const { flying } = entry;
      entry.flying = undefined;
      // A program that was started again knows neither the item nor that it is open.
      const isLost = error.status === undefined || ["file/not-found", "file/closed"].includes(error.code);
      const isStale = !isLost && error.status === 409 && error.answer?.revision !== undefined && error.answer.revision !== this.revision;
      if (!isLost) entry.sent = undefined;
      if (isStale || isLost) {
        // It is made again: on the newer text, or when the program is there again.
        if (!entry.isCancelled) for (const [key, change] of flying) if (!entry.open.has(key)) entry.open.set(key, change);
        if (isStale) this.take(error.answer, { isLocal: true });
        else this.lost();
        return;
      }
      await this.refuse(entry, error, isLast);
    }
  }

  request(entry, isLast) {
    const common = { item: this.item.id, window: this.window, opening: this.opening, revision: this.revision, name: entry.name };
    const changes = [...entry.flying.values()];
    switch (entry.kind) {
    case "structure": return orderText("edit-structure", { ...common, operation: entry.operation });
    case "undo": return orderText("edit-undo", { ...common, count: entry.count });
    case "redo": return orderText("edit-redo", { ...common, count: entry.count });
    default: break;
    }
    if (entry.isAlone) return orderText("edit", { ...common, changes });
    const phase = entry.isCancelled ? "cancel" : isLast ? "end" : entry.isSent ? "change" : "begin";
    return orderText("edit", { ...common, gesture: entry.id, phase, changes });
  }

  leave(entry) { this.queue.splice(this.queue.indexOf(entry), 1); }

  /** A change is refused: what the program has is shown again. */
  async refuse(entry, error, isLast) {
    if (error.answer?.revision !== undefined) this.take(error.answer, { isLocal: true });
    if (isLast) this.leave(entry);
    this.forget(entry, isLast);
    this.show(true);
    this.emit("refused", error);
    entry.reject?.(error);
    if (!isLast || entry.isAlone) return;
    // The program has begun the gesture all the same. What was accepted of it stays, as an edit.
    const order = { item: this.item.id, window: this.window, opening: this.opening, name: entry.name, gesture: entry.id, phase: "end", changes: [] };
    await orderText("edit", order).then((state) => this.take(state, { isLocal: true }), () => {});
  }

  /** Changes that were refused are not sent again after a restart: all the rest would be refused with them. */
  forget({ kept, taken, open }, isLast) {
    kept.changes = [...new Map([...taken, ...open]).values()];
    kept.isDirty = open.size > 0;
    if (isLast && taken.size === 0) this.outbox.remove(kept);
    else this.outbox.touch();
  }

  /** When nothing is on the way, changes from elsewhere are asked for. */
  rest() {
    if (this.heard > this.revision) this.refresh();
  }

  async refresh() {
    if (this.isRefreshing || !this.isOnline) return;
    this.isRefreshing = true;
    try {
      const state = await order("edit-open", { item: this.item.id, window: this.window });
      if (!this.isBusy && !this.isClosed) this.take(state);
    } catch { /* The next event asks again. */ }
    this.isRefreshing = false;
  }

  heardOf({ document: described, what }) {
    if (described?.id === this.item.id && !this.isOnline) this.unheard = { document: described, what };
    if (described?.id !== this.item.id || !this.isOnline || this.isOther(described)) return;
    this.heard = Math.max(this.heard, described.revision);
    if (["saved", "states"].includes(what) && !described.states.includes("changed")) {
      this.outbox.saved(described.revision);
      this.emit("saved", described.revision);
    }
    if (what === "moved") this.item.name = described.path.split("/").at(-1);
    this.takeStates(described);
    if (["conflict", "merged", "reloaded", "deleted", "moved"].includes(what)) this.refresh();
    if (what === "edited") this.emit("undo");
    if (!this.isBusy && !this.queue.length && described.revision > this.revision) this.refresh();
    clearTimeout(this.listing);
    if (what === "edited") this.listing = setTimeout(() => { if (!this.queue.length) this.refresh(); }, 400);
  }

  // MARK: Restarts

  /** The program is missed. The one that answers next may be another one. */
  lost() {
    if (!this.isOnline) return;
    this.isOnline = false;
    this.emit("state");
  }

  /** Whether a document is another opening than the one that the page knows. Then that is taken up. */
  isOther(described) {
    const isOther = described?.opening !== undefined && this.opening !== undefined && described.opening !== this.opening;
    if (isOther) {
      this.lost();
      this.pump();
    }
    return isOther;
  }

  async reopen() {
    const found = await order("find", { path: this.path });
    this.item.id = found.id;
    const state = await order("edit-open", { item: found.id, window: this.window });
    [this.revision, this.opening] = [state.revision, state.document?.opening];
    return state;
  }

  /** After a restart of the program, what it has not saved is sent again. */
  resumed() {
    this.resuming ??= this.takeUp().finally(() => {
      this.resuming = undefined;
      this.pump();
    });
    return this.resuming;
  }

  async takeUp() {
    this.lost();
    // Its answer may still be that of the program before.
    await this.sending;
    if (this.isClosed) return;
    try {
      const state = await this.reopen();
      await this.arrived(state);
      if (this.isClosed) return;
      this.heard = 0;
      this.isOnline = true;
      for (const entry of this.queue) {
        entry.isSent = false;
        // Also what was answered of a gesture may be lost.
        if (entry.kind === "edit" && !entry.isCancelled) for (const change of entry.kept.changes) if (!entry.open.has(change.key)) entry.open.set(change.key, change);
      }
      this.take(state);
      this.sendAgain();
      // The document may have been saved since it was taken up, which is not told again.
      const { unheard } = this;
      if (unheard?.document.opening === this.opening) this.heardOf(unheard);
      this.unheard = undefined;
    } catch {
      // The program is not there yet, or the file is not.
      await new Promise((resolve) => setTimeout(resolve, againAfter));
    }
    this.emit("state");
  }

  /** Finds out whether the order was made and saved whose answer was lost. */
  async arrived({ text, revision }) {
    const entry = this.queue.find(({ sent }) => sent);
    if (!entry || entry.isCancelled) return;
    const { sent } = entry;
    const isMade = text !== sent.text && !this.outbox.missing(text).isKnown && (await this.isMade(entry, text));
    entry.sent = undefined;
    if (!isMade) return;
    for (const [key, change] of sent.changes) {
      entry.taken.set(key, change);
      if (entry.open.get(key) === change) entry.open.delete(key);
    }
    entry.kept.isDirty = entry.open.size > 0;
    this.outbox.acknowledge(entry.kept, text, revision);
    if (!entry.hasEnded || entry.open.size) return;
    entry.kept.isOpen = false;
    this.leave(entry);
    entry.resolve?.({ text, revision });
  }

  /** Whether a text is that after an order. */
  async isMade({ kind, operation, sent }, text) {
    if (kind === "edit") return equal(parse(text), this.changed(parse(sent.text), sent.changes.values()));
    // The edits of a program end with it: what it has undone cannot be undone once more.
    if (kind !== "structure") return true;
    return (await orderText("edit-structure", { item: this.item.id, before: sent.text, operation })).isDone === true;
  }

  sendAgain() {
    const waiting = new Set(this.queue.map(({ kept }) => kept));
    const { entries, isKnown } = this.outbox.missing(this.serverText);
    const again = entries.filter((entry) => !waiting.has(entry));
    const wanted = this.outbox.text !== undefined ? parse(this.outbox.text) : undefined;
    // They were made before what waits.
    const later = this.queue;
    this.queue = [];
    this.outbox.restart(this.serverText);
    this.repeat(again, isKnown, wanted);
    this.outbox.restart(this.serverText, [...this.queue, ...later].filter(({ isCancelled }) => !isCancelled).map(({ kept }) => kept));
    this.queue.push(...later);
    this.show(true);
  }

  repeat(again, isKnown, wanted) {
    let rest = again;
    const isPlain = again.every(({ kind, changes }) => kind === "edit" && changes.every(({ relative }) => relative === undefined));
    if (!isPlain && isKnown && wanted) {
      const changes = difference(this.serverDocument, wanted);
      if (changes.length) this.edit(again.at(-1).name, changes).catch(() => {});
      // All that was answered is in that text.
      rest = again.filter(({ isDirty, revision }) => isDirty || revision === undefined);
    }
    // Values are set again. Orders such as "add" are not repeated: where the text is not known, others have changed the file.
    for (const { kind, name, changes } of rest) {
      const values = kind === "edit" ? changes.filter(({ relative }) => relative === undefined) : [];
      if (values.length) this.edit(name, values).catch(() => {});
    }
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

/** An order; a failure has the answer of the program in it. */
export async function orderText(route, body) { return answerOf(reach(address(route), { method: "POST", headers: { "Content-Type": "application/json" }, body: stringify(body) })); }

export async function sendText(route, values, bytes) {
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
