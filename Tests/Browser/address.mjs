// The address of a page, for tests of modules without one, and the program that it belongs to, as `Spec/browser.md` has it ("Starting again").

import { createHmac, randomBytes } from "node:crypto";
import { fetchTexts } from "./texts.mjs";

globalThis.location ??= { href: "http://127.0.0.1:1/secret/", host: "127.0.0.1:1", search: "" };
globalThis.fetch = fetchTexts;
globalThis.history ??= { state: null, replaceState(state, _, url) { Object.assign(this, { state, url }); } };

// Digests that take no time. Node computes its own digests in other threads, and the clock of the tests does not wait for threads.
Object.defineProperty(globalThis, "crypto", {
  configurable: true, value: {
    randomUUID: () => randomBytes(16).toString("hex"), getRandomValues: (array) => array.set(randomBytes(array.length)) ?? array,
    subtle: { importKey: async (kind, key) => key, sign: async (kind, key, text) => createHmac("sha256", key).update(text).digest() },
  },
});

/** The secrets of a program over its starts, and its answers to pages that look for it. */
export class Starts {
  keys = [];
  questions = new Map();

  start() {
    this.secret = randomBytes(32).toString("hex");
    this.keys = [randomBytes(32).toString("hex"), ...this.keys].slice(0, 4);
  }

  digest(key, use, own, other) { return createHmac("sha256", Buffer.from(key, "hex")).update([use, "127.0.0.1:1", own, other].join("\n")).digest(); }

  /** The answer of the route `again`, or undefined for a refusal. */
  answer(nonce, body) {
    if (!body) {
      const own = randomBytes(32).toString("hex");
      this.questions.set(own, nonce);
      return { nonce: own, proofs: this.keys.map((key) => this.digest(key, "program", nonce, own).toString("hex")) };
    }
    const page = this.questions.get(body.nonce);
    this.questions.delete(body.nonce);
    const key = this.keys.find((each) => page && this.digest(each, "page", page, body.nonce).toString("hex") === body.proof);
    if (!key) return undefined;
    const sealed = (value, use) => Buffer.from(value, "hex").map((byte, index) => byte ^ this.digest(key, use, page, body.nonce)[index]).toString("hex");
    return { secret: sealed(this.secret, "secret"), key: sealed(this.keys[0], "key") };
  }
}
