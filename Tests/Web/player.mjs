// The modules of the player as files: one script of them, images, checksums. `node --test Tests/Web/player.mjs`
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import zlib, { deflateSync } from "node:zlib";
import { bundle, page, player } from "./bundle.mjs";
import { crc32 as ownCRC, hexadecimal, sha256 } from "../../Sources/ParticlesWeb/Player/bytes.js";
import { decodeImage } from "../../Sources/ParticlesWeb/Player/image.js";
import { ParticlesModule } from "../../Sources/ParticlesWeb/Player/module.js";

const files = readFileSync(join(player, "bundle.txt"), "utf8").trim().split("\n");

test("all modules that a page needs are in the bundle, each after those that it imports", () => {
  const modules = readdirSync(player).filter((name) => name.endsWith(".js") && !["index.js", "write.js"].includes(name));
  assert.deepEqual([...files].sort(), modules.sort());
  for (const [index, name] of files.entries()) {
    const imports = [...readFileSync(join(player, name), "utf8").matchAll(/from "\.\/([^"]+)";/g)].map((match) => match[1]);
    for (const other of imports) assert.ok(files.indexOf(other) < index && files.includes(other), `${name} imports ${other}`);
  }
});

test("the bundle is one script without imports, exports, twice declared names, or the end of an element", () => {
  const script = bundle();
  assert.ok(!/^(import|export) /m.test(script));
  assert.ok(!/<\/script|<!--/i.test(script));
  const checked = spawnSync(process.execPath, ["--check", "--input-type=module", "-"], { input: script });
  assert.equal(checked.status, 0, checked.stderr.toString());
});

test("imports are in one line, so that a script without them is found by lines", () => {
  for (const name of files) {
    for (const line of readFileSync(join(player, name), "utf8").split("\n")) {
      if (line.startsWith("import ")) assert.match(line, /^import \{.*\} from "\.\/\w+\.js";$/);
    }
  }
});

test("the page permits its own style and script and nothing else", () => {
  const text = page("A <b> & \"c\"", Buffer.from("module"), Buffer.from("effect"), { attributes: { seed: "</script>" } });
  assert.ok(!/\{\{[\w-]+\}\}|<b>/.test(text));
  assert.match(text.slice(0, 900), /default-src 'none'; img-src data: blob:; style-src 'sha256-[^']+'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'"/);
  assert.ok(!/https?:\/\//.test(text));
  assert.equal(text.match(/<\/script>/g).length, 4);
});

test("types state every export of the index", () => {
  const types = readFileSync(join(player, "particles.d.ts"), "utf8");
  for (const [, names] of readFileSync(join(player, "index.js"), "utf8").matchAll(/export \{ ([^}]+) \}/g)) {
    for (const name of names.split(", ")) assert.match(types, new RegExp(`^export (declare )?(class|const|function) ${name}\\b`, "m"), name);
  }
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

test("bytes that are no module have a code", async () => {
  await assert.rejects(ParticlesModule.load(Uint8Array.of(1, 2, 3)), { code: "particles/module" });
  await assert.rejects(ParticlesModule.load(Uint8Array.of(0x78, 0x9c, 3)), { code: "particles/module" });
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  await assert.rejects(ParticlesModule.load(empty), { code: "particles/module" });
});
