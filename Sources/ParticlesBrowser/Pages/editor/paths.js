// Documents as values: keys such as `emitters[0].emission.rate`, and texts of JSON.

/** Whole numbers that JavaScript does not hold exactly, such as seeds, become BigInt. */
function exact(key, value, context) {
  if (typeof value !== "number" || Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
  return /^-?\d+$/.test(context?.source ?? "") ? BigInt(context.source) : value;
}

/** Reads a document; undefined if the text is not JSON. */
export function parse(text) {
  try {
    return JSON.parse(text, exact);
  } catch {
    return undefined;
  }
}

/** Writes a value; what `parse` made a BigInt is a number again. */
export function stringify(value) {
  return JSON.stringify(value, (key, each) => {
    if (typeof each !== "bigint") return each;
    return JSON.rawJSON ? JSON.rawJSON(String(each)) : Number(each);
  });
}

const known = new Map();

/** The steps of a key: names and indices. */
export function steps(key) {
  let found = known.get(key);
  if (found) return found;
  found = [];
  for (const [, name, index] of key.matchAll(/([^.[\]]+)|\[(\d*)\]/g)) found.push(name ?? (index === "" ? "[]" : Number(index)));
  if (known.size > 5000) known.clear();
  known.set(key, found);
  return found;
}

/** The value at a key; undefined if the document has none. */
export function valueAt(document, key) {
  let value = document;
  for (const step of steps(key)) {
    if (value === null || typeof value !== "object") return undefined;
    value = value[step];
  }
  return value;
}

/**
 * A document with another value at a key; the one before is not changed.
 * @param {(key: string) => any} standard the default of an object that the document leaves out.
 */
export function withValue(document, key, value, standard = () => undefined) {
  const path = steps(key);
  const change = (old, at, here) => {
    if (at === path.length) return value;
    const step = path[at];
    const base = old ?? standard(here) ?? (typeof step === "number" ? [] : {});
    const copy = Array.isArray(base) ? base.slice() : { ...(typeof base === "object" ? base : {}) };
    const next = typeof step === "number" ? `${here}[${step}]` : here ? `${here}.${step}` : step;
    copy[step] = change(copy[step], at + 1, next);
    return copy;
  };
  return change(document, 0, "");
}

/** A document without the value at a key. */
export function withoutValue(document, key) {
  const path = steps(key);
  const change = (old, at) => {
    if (old === null || typeof old !== "object" || !(path[at] in old)) return old;
    const copy = Array.isArray(old) ? old.slice() : { ...old };
    if (at < path.length - 1) copy[path[at]] = change(copy[path[at]], at + 1);
    else if (Array.isArray(copy)) copy.splice(path[at], 1);
    else delete copy[path[at]];
    return copy;
  };
  return change(document, 0);
}

/** Whether two values are the same, whatever the order of members. */
export function equal(a, b) {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && equal(a[name], b[name]));
}

/** The changes that turn a document into another one, a member of it each. */
export function difference(from, to) {
  const changes = [];
  for (const name of Object.keys(to)) if (!equal(from[name], to[name])) changes.push({ key: name, value: to[name] });
  for (const name of Object.keys(from)) if (!(name in to)) changes.push({ key: name, unset: true });
  return changes;
}

/** A number for a text, to see whether it is another one (FNV-1a, 52 bits). */
export function mark(text) {
  let [low, high] = [0x2325, 0xcbf29ce4];
  for (let index = 0; index < text.length; index++) {
    low ^= text.charCodeAt(index);
    high = (Math.imul(high, 435) + low) >>> 0;
    low = Math.imul(low, 0x01000193) >>> 0;
  }
  return (high & 0xfffff) * 0x100000000 + low;
}
