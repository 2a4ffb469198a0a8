// Documents as values: keys such as `emitters[0].emission.rate`, and texts of JSON.

/** Whole numbers that JavaScript does not hold exactly, such as seeds, become BigInt. */
function exact(key, value, context) {
  if (typeof value !== "number" || Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
  return /^-?\d+$/.test(context?.source ?? "") ? BigInt(context.source) : value;
}

/** Reads a document, or returns undefined if it is not JSON. */
export function parse(text) {
  try {
    return JSON.parse(text, exact);
  } catch {
    return undefined;
  }
}

const plainly = (key, each) => (typeof each === "bigint" ? JSON.rawJSON?.(String(each)) ?? Number(each) : each);

/** Writes a value. A BigInt by `parse` is a number again. */
export function stringify(value) {
  try {
    // Faster than with a function for each value. It throws at a BigInt.
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, plainly);
  }
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

/** The value at a key, or undefined. */
export function valueAt(document, key) {
  let value = document;
  for (const step of steps(key)) {
    if (value === null || typeof value !== "object") return undefined;
    value = value[step];
  }
  return value;
}

/**
 * A document with another value at a key. The old one is not changed.
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

const plain = /^[^.[\]"]+(?:\.[^.[\]"]+|\[\d{1,9}\])*$/;

/**
 * A document with changes, `{key, value}` or `{key, unset}`. Relative changes, and changes at keys with more than names and indices, are
 * left to the program. `DocumentPatch` makes them as well, so that an answer need not have them.
 */
export function changed(document, changes, standard) {
  for (const { key, value, unset, relative } of changes) {
    if (!plain.test(key) || steps(key).includes("__proto__")) continue;
    if (unset) document = withoutValue(document, key);
    else if (relative === undefined) document = withValue(document, key, value, standard);
  }
  return document;
}
