// The table of structs, functions and callbacks of particles.h in 32-bit memory, that the toolkit for pages reads memory by.
// `node --test Tests/Web/layouts.mjs`, and with PARTICLES_RECORD=1 it writes the table.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const header = readFileSync(join(root, "Sources/CParticlesInterface/include/particles.h"), "utf8").replace(/\/\*.*?\*\//gs, "");
const place = join(root, "Sources/ParticlesWeb/Toolkit/layout.js");

/** The letter of a type: s text, p pointer, f callback, i int, n size_t, l and L 64 bits, d double, B byte, v nothing. */
function letter(type) {
  const plain = type.replace(/\bconst\b/g, "").replace(/\s+/g, " ").replace(/ \*/g, "*").trim();
  if (plain === "char*") return "s";
  if (plain.includes("*")) return "p";
  if (plain.endsWith("_fn")) return "f";
  const known = { int: "i", size_t: "n", int64_t: "l", uint64_t: "L", double: "d", uint8_t: "B", void: "v" }[plain];
  assert.ok(known, `the type '${type}'`);
  return known;
}

const sizes = { s: 4, p: 4, f: 4, i: 4, n: 4, l: 8, L: 8, d: 8, B: 1 };

/** Type and name of a declaration without its end, such as `const char *const *image_folders`. */
function declared(text) {
  const [, type, name, count] = text.trim().match(/^(.*?)(\w+)(?:\[(\d+)\])?$/s);
  return { type: letter(type), name, count: Number(count ?? 1) };
}

function structs() {
  const found = {};
  for (const [, body, name] of header.matchAll(/typedef struct \{([^}]*)\} particles_(\w+);/g)) {
    const fields = {};
    let offset = 0;
    let largest = 1;
    for (const line of body.split(";").filter((line) => line.trim())) {
      const [first, ...others] = line.split(",");
      const one = declared(first);
      const base = first.trim().slice(0, first.trim().length - one.name.length - (one.count > 1 ? `[${one.count}]`.length : 0));
      const all = [one, ...others.map((other) => declared(base.replace(/\*$/, "") + other))];
      for (const { type, name: field, count } of all) {
        const size = sizes[type];
        offset = Math.ceil(offset / size) * size;
        fields[field] = [offset, type];
        offset += size * count;
        largest = Math.max(largest, size);
      }
    }
    found[name] = { size: Math.ceil(offset / largest) * largest, fields };
  }
  return found;
}

/** The letters of the result and the parameters. */
function signature(result, parameters) {
  const types = parameters.trim() === "void" ? [] : parameters.split(",").map((text) => declared(text).type);
  return letter(result) + types.join("");
}

const table = {
  constants: Object.fromEntries([...header.matchAll(/\bPARTICLES_(\w+) = (-?\d+)/g)].map(([, name, value]) => [name, Number(value)])),
  structs: structs(),
  functions: Object.fromEntries([...header.matchAll(/^((?:const )?\w+ \*?)\s*particles_(\w+)\(([^;]*?)\);/gms)]
    .map(([, result, name, parameters]) => [name, signature(result, parameters)])),
  callbacks: Object.fromEntries([...header.matchAll(/typedef (\w+) \(\*particles_(\w+)_fn\)\(([^;]*?)\);/gs)]
    .map(([, result, name, parameters]) => [name, signature(result, parameters)])),
};

const text = `// Written by Tests/Web/layouts.mjs from particles.h: memory of 32 bits. Letters of types: s text, p pointer, f callback, i int,
// n size_t, l and L 64 bits, d double, B byte, v nothing. A signature begins with its result.
${Object.entries(table).map(([name, value]) => `export const ${name} = {
${Object.entries(value).map(([key, entry]) => `  ${key}: ${JSON.stringify(entry).replace(/"(\w+)":/g, "$1:")},`).join("\n")}
};`).join("\n\n")}
`;

test("the table of the toolkit is up to date", () => {
  if (process.env.PARTICLES_RECORD) writeFileSync(place, text);
  assert.equal(readFileSync(place, "utf8"), text, "stale: PARTICLES_RECORD=1 node --test Tests/Web/layouts.mjs");
});

test("structs have the layout of the compiler", () => {
  // size_t, int, ten pointers, int64_t, two int.
  assert.deepEqual([table.structs.finding.size, table.structs.finding.fields.offset[0]], [72, 56]);
  assert.deepEqual(table.structs.plan.fields.color, [84, "B"]);
  assert.equal(Object.keys(table.functions).length, 113);
});
