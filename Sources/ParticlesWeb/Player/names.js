import { ParticlesError } from "./diagnostic.js";

// Control characters, line and paragraph separators, and what reorders text.
const control = /[\0-\x1f\x7f-\x9f\\\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

// Characters that came after Unicode 15.0 and that have a case or a decomposition. Names are compared by
// Unicode 15.0, so that these have neither.
const later = /[\u1c89\u1c8a\ua7cb-\ua7cf\ua7d2\ua7d4\ua7da-\ua7dc\ua7f1\u{10d50}-\u{10d65}\u{10d70}-\u{10d85}\u{11383}\u{11385}\u{1138e}\u{11390}\u{11391}\u{113b8}-\u{113cf}\u{16121}-\u{1612f}\u{16d68}-\u{16d6a}\u{16d63}-\u{16d67}\u{16ea0}-\u{16ed3}]/u;

/** Applies a change to the parts of a text between characters that Unicode 15.0 does not have. */
function mappingKnown(text, change) {
  if (!later.test(text)) return change(text);
  let result = "";
  let known = "";
  for (const character of text) {
    if (later.test(character)) {
      result += change(known) + character;
      known = "";
    } else {
      known += character;
    }
  }
  return result + change(known);
}

const composed = (text) => mappingKnown(text, (part) => part.normalize("NFC"));

/** Upper case, then lower case, then form C: equal for names that some file systems treat as one. */
export const folded = (name) => composed(mappingKnown(name, (part) => part.toUpperCase().toLowerCase()));

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of bytes in UTF-8, or undefined if they are none. */
function text(bytes) {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The path of an entry as text, after it was checked.
 * @param {Uint8Array} bytes
 * @param {number} depth the most components.
 */
export function checkedPath(bytes, depth) {
  const fault = (expected) =>
    new ParticlesError("tree/name", { detail: `'${lenientDecoder.decode(bytes.subarray(0, 300))}'`, expected });
  if (bytes.length > 4096) throw fault("at most 4096 bytes");
  let start = 0;
  let components = 0;
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] !== 0x2f) continue;
    const length = at - start;
    if (length === 0) throw fault("no empty component");
    if (length > 255) throw fault("components of at most 255 bytes");
    if (length <= 2 && bytes[start] === 0x2e && bytes[at - 1] === 0x2e) throw fault("no '.' or '..' component");
    start = at + 1;
    components += 1;
  }
  const path = text(bytes);
  if (path === undefined) throw fault("UTF-8");
  if (control.test(path)) throw fault("no control characters and no backslash");
  if (composed(path) !== path) throw fault("Unicode normalisation form C");
  if (components > depth) {
    throw new ParticlesError("limit/exceeded", {
      entry: path, detail: "components of a path", expected: `at most ${depth}`, found: components,
    });
  }
  return path;
}

/** The target of a symbolic link, after it was checked. */
export function checkedTarget(bytes, path) {
  const target = text(bytes);
  const fault = (expected) =>
    new ParticlesError("tree/link", { entry: path, expected, found: target === undefined ? undefined : `'${target}'` });
  if (target === undefined) throw fault("a target in UTF-8");
  if (bytes.length < 1 || bytes.length > 4096) throw fault("1 to 4096 bytes");
  if (target[0] === "/") throw fault("a relative path");
  if (control.test(target)) throw fault("no control characters and no backslash");
  const steps = target.split("/").filter((step) => step !== "" && step !== ".");
  const first = steps.findIndex((step) => step !== "..");
  const climbs = first < 0 ? steps.length : first;
  if (climbs > path.split("/").length - 1) throw fault("a path inside the package");
  if (steps.slice(climbs).includes("..")) throw fault("'..' only at the beginning");
  return target;
}

/** Compares paths byte by byte, with the slash below every other byte. */
export function comparePaths(a, b) {
  const count = Math.min(a.length, b.length);
  for (let at = 0; at < count; at++) {
    if (a[at] !== b[at]) return (a[at] === 0x2f ? 0 : a[at]) - (b[at] === 0x2f ? 0 : b[at]);
  }
  return a.length - b.length;
}
