// The edits of a page that the program has not answered. They outlive the page, for a page that is loaded again.

import { parse, stringify } from "./paths.js";

/** Milliseconds between writes of the storage. */
const pause = 200;
/** Characters of an edit that is kept. A larger one, such as a merged effect, ends with its page. */
const mostCharacters = 200_000;

export class Outbox {
  /** @param {string} path of the document: identities of items change with each start of the program. */
  constructor(path, storage = globalThis.sessionStorage) {
    Object.assign(this, { path, storage, requests: [], written: -pause });
    this.leave = () => this.write();
    globalThis.addEventListener?.("pagehide", this.leave);
  }

  get name() { return `unanswered ${this.path}`; }

  /** The requests that the page before has left, in order. */
  read() {
    const found = parse(this.storage?.getItem(this.name) ?? "[]");
    return Array.isArray(found) ? found.filter((each) => typeof each?.id === "string") : [];
  }

  /** Keeps requests. `requests` is called when they are written. */
  keep(requests) {
    this.requests = requests;
    clearTimeout(this.timer);
    if (performance.now() - this.written >= pause) this.write();
    else this.timer = setTimeout(() => this.write(), pause);
  }

  /** Forgets all: the edits were discarded, or are in another document. */
  clear() { this.keep(() => []); }

  /** The document has another path. */
  move(path) {
    if (path === this.path) return;
    try {
      this.storage?.removeItem(this.name);
    } catch { /* It is forbidden. */ }
    this.path = path;
    this.write();
  }

  write() {
    clearTimeout(this.timer);
    this.written = performance.now();
    if (typeof this.requests !== "function") return;
    const texts = this.requests().map((each) => stringify(each)).filter(({ length }) => length <= mostCharacters);
    try {
      if (texts.length) this.storage?.setItem(this.name, `[${texts}]`);
      else this.storage?.removeItem(this.name);
    } catch {
      // The storage is full or forbidden: requests in memory are still sent. An older state must go, or a page that is loaded again
      // would send it.
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
