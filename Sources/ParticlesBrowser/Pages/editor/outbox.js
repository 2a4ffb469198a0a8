// The edits of a page that the program may still lose: they are kept until the document is saved with them, and sent again after a
// restart of the program or of the page.

import { mark } from "./paths.js";

/** Texts of an edit that are known; a drag has many. */
const mostMarks = 120;
/** Edits that are kept of a document which is saved on request only. */
const mostEntries = 1000;
/** Milliseconds between writes of the storage. */
const pause = 200;

export class Outbox {
  /** @param {string} path of the document: identities change with each start of the program. */
  constructor(path, storage = globalThis.sessionStorage) {
    this.name = `outbox ${path}`;
    this.storage = storage;
    const kept = this.read();
    /** Edits in the order in which they were made: `{id, name, kind, changes, marks, revision, isOpen, isDirty}`. */
    this.entries = kept.entries ?? [];
    /** The text that was shown last. */
    this.text = kept.text;
    /** The mark of the text on which the first edit was made. */
    this.base = kept.base;
    this.leave = () => this.write();
    globalThis.addEventListener?.("pagehide", this.leave);
  }

  read() {
    try {
      return JSON.parse(this.storage?.getItem(this.name) ?? "{}");
    } catch {
      return {};
    }
  }

  get isEmpty() { return this.entries.length === 0; }

  add(entry) {
    this.entries.push({ marks: [], ...entry });
    if (this.entries.length > mostEntries) this.entries.splice(0, this.entries.length - mostEntries);
    this.touch();
    return this.entries.at(-1);
  }

  /** The program has made an edit: the text is this one then. */
  acknowledge(entry, text, revision) {
    entry.marks.push(mark(text));
    if (entry.marks.length > mostMarks) entry.marks.shift();
    entry.revision = revision;
    this.text = text;
    this.touch();
  }

  remove(entry) {
    const at = this.entries.indexOf(entry);
    if (at >= 0) this.entries.splice(at, 1);
    this.touch();
  }

  /** Everything up to a revision is saved. */
  saved(revision) {
    const before = this.entries.length;
    this.entries = this.entries.filter((entry) => entry.isOpen || entry.isDirty || entry.revision === undefined || entry.revision > revision);
    if (this.entries.length !== before) this.touch();
  }

  /**
   * What a restarted program has not.
   * @param {string} text that it has.
   * @returns {{entries: object[], isKnown: boolean}} the edits that it lacks; whether its text is one that this page has seen.
   */
  missing(text) {
    const found = mark(text);
    const last = this.entries.findLastIndex(({ marks }) => marks.includes(found));
    if (last >= 0) {
      // A gesture may have gone on after the state that was saved.
      const isDone = this.entries[last].marks.at(-1) === found && !this.entries[last].isDirty;
      return { entries: this.entries.slice(isDone ? last + 1 : last), isKnown: true };
    }
    return { entries: this.entries.slice(), isKnown: this.base !== undefined && this.base === found };
  }

  /**
   * Begins anew on the text of another program, which has answered none of the edits.
   * @param {object[]} entries that it gets, in order.
   */
  restart(text, entries = []) {
    for (const entry of entries) Object.assign(entry, { marks: [], revision: undefined, isDirty: true });
    this.entries = entries;
    [this.base, this.text] = [mark(text), text];
    this.touch();
  }

  /** Forgets all: the edits were discarded. */
  clear() {
    this.entries = [];
    this.touch();
  }

  /** Notes the text on which the first edit is made. */
  begin(text) {
    if (this.isEmpty) this.base = mark(text);
  }

  touch() {
    clearTimeout(this.timer);
    const now = performance.now();
    if (now - (this.written ?? 0) > pause) this.write();
    else this.timer = setTimeout(() => this.write(), pause);
  }

  write() {
    clearTimeout(this.timer);
    this.written = performance.now();
    try {
      if (this.isEmpty) this.storage?.removeItem(this.name);
      else this.storage?.setItem(this.name, JSON.stringify({ entries: this.entries, text: this.text, base: this.base }, plain));
    } catch {
      // The storage is full or forbidden: what is in memory is sent after a restart of the program. An older state must not stay: a page
      // that is loaded again would set its values over newer ones.
      try {
        this.storage?.removeItem(this.name);
      } catch { /* It is forbidden. */ }
    }
  }

  close() {
    globalThis.removeEventListener?.("pagehide", this.leave);
    this.write();
  }
}

const plain = (key, value) => (typeof value === "bigint" ? JSON.rawJSON?.(String(value)) ?? Number(value) : value);
