// The modules of the player as files: one script of all modules, images, checksums. `node --test Tests/Web/player.mjs`
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import zlib, { deflateSync } from "node:zlib";
import { bundle, page, player } from "./bundle.mjs";
import { crc32 as ownCRC, hexadecimal, sha256 } from "../../Sources/ParticlesWeb/Player/bytes.js";
import { readEffect } from "../../Sources/ParticlesWeb/Player/document.js";
import { decodeImage } from "../../Sources/ParticlesWeb/Player/image.js";
import { ParticlesModule } from "../../Sources/ParticlesWeb/Player/module.js";

const files = readFileSync(join(player, "bundle.txt"), "utf8").trim().split("\n");
/** What starts the pages that the tool writes. */
const starts = ["page.js", "catalog.js"];
const others = ["index.js", "write.js", "loader.js"];

test("all modules that a page needs are in the bundle, each after those that it imports", () => {
  const modules = readdirSync(player).filter((name) => name.endsWith(".js") && ![...others, ...starts].includes(name));
  assert.deepEqual([...files].sort(), modules.sort());
  for (const [index, name] of [...files, ...starts].entries()) {
    const imports = [...readFileSync(join(player, name), "utf8").matchAll(/from "\.\/([^"]+)";/g)].map((match) => match[1]);
    for (const other of imports) assert.ok(files.indexOf(other) < index && files.includes(other), `${name} imports ${other}`);
  }
});

test("the bundle is one script without imports, exports, twice declared names, or the end of an element", () => {
  for (const start of starts) {
    const script = bundle(start);
    assert.ok(!/^(import|export) /m.test(script));
    assert.ok(!/<\/script|<!--/i.test(script));
    const checked = spawnSync(process.execPath, ["--check", "-"], { input: script });
    assert.equal(checked.status, 0, checked.stderr.toString());
  }
});

test("imports are in one line, so that a script without them is found by lines", () => {
  for (const name of [...files, ...starts]) {
    for (const line of readFileSync(join(player, name), "utf8").split("\n")) {
      if (line.startsWith("import ")) assert.match(line, /^import \{.*\} from "\.\/\w+\.js";$/);
    }
  }
});

test("the page permits its own style and script and nothing else", () => {
  const text = page("A <b> & \"c\"", Buffer.from("module"), Buffer.from("effect"), { attributes: { seed: "</script>" } });
  assert.ok(!/\{\{[\w-]+\}\}|<b>/.test(text));
  assert.match(text.slice(0, 900), /default-src 'none'; img-src data: blob:; style-src 'sha256-[^']+'; script-src 'sha256-[^']+' 'sha256-[^']+' 'wasm-unsafe-eval'; worker-src blob:"/);
  assert.ok(!/https?:\/\//.test(text));
  assert.equal(text.match(/<\/script>/g).length, 4);
});

test("types state every export of the index", () => {
  const types = readFileSync(join(player, "index.d.ts"), "utf8");
  for (const [, names] of readFileSync(join(player, "index.js"), "utf8").matchAll(/export \{ ([^}]+) \}/g)) {
    for (const name of names.split(", ")) assert.match(types, new RegExp(`^export (declare )?(class|const|function) ${name}\\b`, "m"), name);
  }
});

test("the modules that a page imports have types beside them, and the package has every file that it names", () => {
  const { exports, files, license, types } = JSON.parse(readFileSync(join(player, "package.json"), "utf8"));
  const isThere = (name) => existsSync(join(player, name));
  for (const name of ["index.js", "element.js"]) assert.ok(isThere(name.replace(".js", ".d.ts")), name);
  for (const name of [types, exports["."].types, exports["./element.js"].types]) assert.ok(isThere(name), name);
  const table = readFileSync(join(player, "../../CParticlesPlayer/CParticlesPlayer.c"), "utf8");
  // The module and the example are made by the tool.
  for (const name of files.filter((name) => !name.includes("*") && !/^(particles.wasm|example.particles)$/.test(name))) assert.ok(table.includes(`FILE("${name}"`), name);
  assert.match(readFileSync(join(player, "../../../LICENSE"), "utf8"), new RegExp(`^${license} License`));
});

test("codes of rules that the player reports are in Spec/rules.md, with its summaries", () => {
  const table = readFileSync(join(player, "../../../Spec/rules.md"), "utf8");
  const source = readFileSync(join(player, "diagnostic.js"), "utf8");
  const rules = [...source.matchAll(/^ {2}"([a-z]+\/[a-z-]+)": \["([^"]+)"/gm)];
  assert.ok(rules.length > 15);
  for (const [, code, summary] of rules) assert.match(table, new RegExp(`\\| \`${code}\` \\| \\w+ \\| ${summary.replace(/[.*+?()]/g, "\\$&")} \\|`), code);
});

test("checksums are those of zlib and OpenSSL", () => {
  for (const length of [0, 1, 3, 55, 56, 63, 64, 65, 1000, 70_001]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 7919) >> 3);
    assert.equal(hexadecimal(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
    if (zlib.crc32) assert.equal(ownCRC(bytes), zlib.crc32(bytes));
  }
  assert.equal(ownCRC(new TextEncoder().encode("123456789")), 0xcbf43926);
});

function png(width, height, depth, type, rows, extra = []) {
  const chunk = (name, content) => {
    const body = Buffer.concat([Buffer.from(name), Buffer.from(content)]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    sum.writeUInt32BE(ownCRC(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, type, 0, 0, 0], 8);
  return new Uint8Array(Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk("IHDR", head), ...extra.map(([name, content]) => chunk(name, content)),
    chunk("IDAT", deflateSync(Buffer.from(rows))), chunk("IEND", []),
  ]));
}

test("PNG: colour types, depths, filters, palettes and transparency", async () => {
  const pixels = async (...values) => [...(await decodeImage(png(...values))).pixels];
  assert.deepEqual(await pixels(2, 1, 8, 6, [0, 1, 2, 3, 4, 255, 0, 9, 0]), [1, 2, 3, 4, 255, 0, 9, 0]);
  assert.deepEqual(await pixels(2, 1, 8, 6, [1, 1, 2, 3, 4, 1, 1, 1, 1]), [1, 2, 3, 4, 2, 3, 4, 5]);
  assert.deepEqual(await pixels(1, 2, 8, 2, [0, 9, 8, 7, 2, 1, 1, 1]), [9, 8, 7, 255, 10, 9, 8, 255]);
  assert.deepEqual(await pixels(1, 2, 8, 0, [0, 10, 3, 20]), [10, 10, 10, 255, 25, 25, 25, 255]);
  assert.deepEqual(await pixels(2, 2, 8, 0, [0, 10, 20, 4, 1, 1]), [10, 10, 10, 255, 20, 20, 20, 255, 11, 11, 11, 255, 21, 21, 21, 255]);
  assert.deepEqual(await pixels(3, 1, 1, 3, [0, 0b01000000], [["PLTE", [1, 2, 3, 4, 5, 6]], ["tRNS", [7]]]), [1, 2, 3, 7, 4, 5, 6, 255, 1, 2, 3, 7]);
  assert.deepEqual(await pixels(1, 1, 16, 4, [0, 128, 0, 255, 255], [["sRGB", [0]]]), [128, 128, 128, 255]);
  assert.deepEqual(await pixels(1, 1, 8, 2, [0, 5, 6, 7], [["tRNS", [0, 5, 0, 6, 0, 7]]]), [5, 6, 7, 0]);
});

test("a missing flip-book has a whole soft dot in each frame", async () => {
  const text = JSON.stringify({
    asset: { version: "1.0" }, images: [{ uri: "none.png" }, { uri: "two.png" }],
    sprites: [{ image: 0, grid: { columns: 4, rows: 2 } }, { image: 1 }, { image: 0 }],
  });
  const effect = await readEffect({ document: new TextEncoder().encode(text), read: () => undefined }, {});
  const [book, dot] = [effect.images.get(0), effect.images.get(1)];
  assert.deepEqual([book.width, book.height, dot.width, dot.height], [128, 64, 32, 32]);
  for (const [column, row] of [[0, 0], [3, 1]]) {
    for (let line = 0; line < 32; line++) {
      const start = ((row * 32 + line) * 128 + column * 32) * 4;
      assert.deepEqual(book.pixels.subarray(start, start + 128), dot.pixels.subarray(line * 128, line * 128 + 128));
    }
  }
  assert.equal(effect.warnings.length, 2);
});

test("PNG: damaged and too large images have codes", async () => {
  const sound = png(2, 2, 8, 0, [0, 1, 2, 0, 3, 4]);
  await assert.rejects(decodeImage(sound, 3), { code: "limit/exceeded" });
  await assert.rejects(decodeImage(png(100_000, 100_000, 8, 6, [0])), { code: "limit/exceeded" });
  await assert.rejects(decodeImage(png(2, 2, 8, 0, [0, 1, 2])), { code: "image/undecodable" });
  await assert.rejects(decodeImage(png(2, 2, 8, 0, [9, 1, 2, 0, 3, 4])), { code: "image/undecodable" });
  for (let at = 8; at < sound.length; at++) {
    const changed = Uint8Array.from(sound);
    changed[at] ^= 16;
    await decodeImage(changed, 1000).catch((error) => assert.match(error.code, /^(image\/undecodable|limit\/exceeded)$/));
    await assert.rejects(decodeImage(sound.subarray(0, at)), { code: "image/undecodable" });
  }
});

/** A TIFF file of strips. `tags` replace the tags of an RGBA picture without compression. */
function tiff(width, height, strips, tags = {}, isBig = false) {
  const entries = new Map(Object.entries({
    256: width, 257: height, 258: [8, 8, 8, 8], 259: 1, 262: 2, 277: 4, 278: Math.ceil(height / strips.length), 338: 2, ...tags,
  }).map(([tag, value]) => [Number(tag), [value].flat()]));
  const head = 8 + 2 + (entries.size + 2) * 12 + 4;
  const lists = head + strips.reduce((sum, strip) => sum + strip.length, 0);
  let place = head;
  entries.set(273, strips.map((strip) => (place += strip.length) - strip.length));
  entries.set(279, strips.map((strip) => strip.length));
  const file = Buffer.alloc(lists + 4 * [...entries.values()].reduce((sum, values) => sum + (values.length > 1 ? values.length : 0), 0));
  const number = (value, at, size = 4) => file[`writeUInt${size * 8}${isBig ? "BE" : "LE"}`](value, at);
  file.write(isBig ? "MM" : "II", 0);
  number(42, 2, 2);
  number(8, 4);
  number(entries.size, 8, 2);
  let [at, list] = [10, lists];
  for (const [tag, values] of [...entries].sort(([a], [b]) => a - b)) {
    number(tag, at, 2);
    number(4, at + 2, 2);
    number(values.length, at + 4);
    if (values.length === 1) number(values[0], at + 8);
    else {
      number(list, at + 8);
      for (const value of values) number(value, (list += 4) - 4);
    }
    at += 12;
  }
  let start = head;
  for (const strip of strips) {
    file.set(strip, start);
    start += strip.length;
  }
  return new Uint8Array(file);
}

test("TIFF: byte orders, strips, compressions, planes, prediction and alpha", async () => {
  const pixels = async (...values) => [...(await decodeImage(tiff(...values))).pixels];
  const two = [1, 2, 3, 4, 250, 9, 8, 255];
  for (const isBig of [false, true]) {
    assert.deepEqual(await pixels(2, 1, [two], {}, isBig), two);
    assert.deepEqual(await pixels(1, 2, [two.slice(0, 4), two.slice(4)], {}, isBig), two);
  }
  assert.deepEqual(await pixels(2, 1, [deflateSync(Buffer.from(two))], { 259: 8 }), two);
  assert.deepEqual(await pixels(2, 1, [deflateSync(Buffer.from([1, 2, 3, 4, 249, 7, 5, 251]))], { 259: 8, 317: 2 }), two);
  assert.deepEqual(await pixels(2, 1, [[7, ...two]], { 259: 32773 }), two);
  assert.deepEqual(await pixels(3, 1, [[253, 6, 0, 5, 249, 7]], { 259: 32773 }), [6, 6, 6, 6, 5, 7, 7, 7, 7, 7, 7, 7]);
  assert.deepEqual(await pixels(2, 1, [[1, 250], [2, 9], [3, 8], [4, 255]], { 284: 2, 278: 1 }), two);
  assert.deepEqual(await pixels(2, 1, [[3, 9]], { 258: 8, 262: 1, 277: 1 }), [3, 3, 3, 255, 9, 9, 9, 255]);
  assert.deepEqual(await pixels(1, 1, [[3]], { 258: 8, 262: 0, 277: 1 }), [252, 252, 252, 255]);
  assert.deepEqual(await pixels(1, 1, [[50, 100, 0, 100]], { 338: 1 }), [128, 255, 0, 100]);
  // The codes 256, 5, 258 (5, 5), 257 with 9 bits each.
  assert.deepEqual(await pixels(3, 1, [[0x80, 0x01, 0x60, 0x50, 0x10]], { 258: 8, 259: 5, 262: 1, 277: 1 }), [5, 5, 5, 255, 5, 5, 5, 255, 5, 5, 5, 255]);
});

test("TIFF: a picture that libtiff compressed is the same", async (context) => {
  if (spawnSync("tiffcp").error) return context.skip("tiffcp is not installed");
  const folder = mkdtempSync(join(tmpdir(), "tiff-"));
  const colors = Uint8Array.from({ length: 97 * 61 * 4 }, (_, index) => (index % 4 === 3 ? 255 : (index * index) >> 6));
  writeFileSync(join(folder, "a.tiff"), tiff(97, 61, [colors]));
  for (const options of ["lzw", "lzw:2", "packbits", "zip:2", "none"].flatMap((name) => [["-c", name], ["-c", name, "-p", "separate"], ["-c", name, "-r", "7"]])) {
    const run = spawnSync("tiffcp", [...options, join(folder, "a.tiff"), join(folder, "b.tiff")]);
    assert.equal(run.status, 0, run.stderr.toString());
    assert.deepEqual((await decodeImage(new Uint8Array(readFileSync(join(folder, "b.tiff"))))).pixels, colors, options.join(" "));
  }
  rmSync(folder, { recursive: true });
});

test("TIFF: damaged and too large images have codes", async () => {
  const sound = tiff(2, 2, [Array.from({ length: 8 }, (_, index) => index), Array.from({ length: 8 }, (_, index) => index)]);
  await assert.rejects(decodeImage(sound, 3), { code: "limit/exceeded" });
  await assert.rejects(decodeImage(tiff(2, 2, [[1, 2, 3]])), { code: "image/undecodable" });
  await assert.rejects(decodeImage(tiff(2, 2, [[0]], { 259: 7 })), { code: "image/undecodable" });
  for (let at = 4; at < sound.length; at++) {
    for (const bit of [1, 16, 128]) {
      const changed = Uint8Array.from(sound);
      changed[at] ^= bit;
      await decodeImage(changed, 1000).catch((error) => assert.match(error.code, /^(image\/undecodable|limit\/exceeded)$/));
    }
    await assert.rejects(decodeImage(sound.subarray(0, at)), (error) => /^image/.test(error.code));
  }
});

test("bytes that are no module have a code", async () => {
  await assert.rejects(ParticlesModule.load(Uint8Array.of(1, 2, 3)), { code: "particles/module" });
  await assert.rejects(ParticlesModule.load(Uint8Array.of(0x78, 0x9c, 3)), { code: "particles/module" });
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  await assert.rejects(ParticlesModule.load(empty), { code: "particles/module" });
});
