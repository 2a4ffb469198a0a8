// The reader of packages in JavaScript against the independent one in Python, on all packages of the fixtures and on
// damaged ones. `node --test Tests/Web/packages.mjs`
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { crc32 } from "../../Sources/ParticlesWeb/Player/bytes.js";
import { FrameWalk } from "../../Sources/ParticlesWeb/Player/frames.js";
import { Package } from "../../Sources/ParticlesWeb/Player/package.js";
import { writePackage } from "../../Sources/ParticlesWeb/Player/write.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

function* files(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else if (name.endsWith(".particles")) yield path;
  }
}

async function judge(bytes, options) {
  try {
    const found = await Package.open(new Uint8Array(bytes), options);
    return { digest: await found.digest(), generation: found.generation, torn: found.warnings.length };
  } catch (error) {
    assert.equal(error.name, "ParticlesError", error.stack);
    assert.match(error.code, /^(container|tree|limit)\//);
    return { code: error.code, place: error.place };
  }
}

/** The verdict on a package, whether contents are checked when it is opened or when they are read. */
async function read(bytes) {
  const found = await judge(bytes, { everyFrame: true });
  assert.equal((await judge(bytes)).digest, found.digest);
  return found;
}

/** What the reader in Python finds in each file: a digest, or nothing. */
function readInPython(paths) {
  const script = `
import sys, pathlib
sys.path.insert(0, ${JSON.stringify(join(root, "Spec"))})
import read_particles
for line in sys.stdin:
  try: print(read_particles.digest(read_particles.read(pathlib.Path(line.strip()).read_bytes())[1]))
  except read_particles.Invalid: print("-")
  except Exception as error: print("?", type(error).__name__)
`;
  const result = spawnSync("python3", ["-B", "-c", script], { input: paths.join("\n") + "\n", maxBuffer: 1 << 28 });
  assert.equal(result.status, 0, result.stderr.toString());
  return result.stdout.toString().trim().split("\n");
}

test("packages of the fixtures are accepted and refused as by the reader in Python", async () => {
  const paths = [...files(join(root, "Fixtures"))];
  assert.ok(paths.length > 80);
  const expected = readInPython(paths);
  for (const [index, path] of paths.entries()) {
    const found = await read(readFileSync(path));
    // The reader in Python has no limits.
    if (found.code === "limit/exceeded") continue;
    assert.equal(found.digest ?? "-", expected[index], `${path}: ${found.code}`);
  }
});

test("fixtures of rules are refused with the code that they are named after", async () => {
  for (const family of ["container", "tree", "limit"]) {
    const folder = join(root, "Fixtures/rules", family);
    for (const path of files(folder)) {
      const name = basename(path, ".particles");
      const found = await read(readFileSync(path));
      if (found.digest) continue;
      const [, code] = found.code.split("/");
      assert.ok(found.code.startsWith(`${family}/`) && name.startsWith(code), `${path}: ${found.code}`);
      if (name !== "exceeded-entries" && name !== "exceeded-amplification") assert.notEqual(found.place, "", path);
    }
  }
});

test("cut and changed packages are accepted and refused as by the reader in Python", async () => {
  const folder = mkdtempSync(join(tmpdir(), "particles-web-"));
  try {
    const sources = ["rules/container/torn.particles", "hostile/two-generations.particles"].map((name) => join(root, "Fixtures", name));
    const paths = [];
    let state = 1;
    const random = (most) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 4294967296) * most);
    };
    for (const source of sources) {
      const bytes = readFileSync(source);
      for (let index = 0; index < 150; index++) {
        let changed = Buffer.from(bytes);
        if (index % 3 === 0) changed = changed.subarray(0, random(bytes.length));
        else for (let count = index % 3; count > 0; count--) changed[random(bytes.length)] ^= 1 << random(8);
        const path = join(folder, `${paths.length}.particles`);
        writeFileSync(path, changed);
        paths.push(path);
      }
    }
    const expected = readInPython(paths);
    let accepted = 0;
    for (const [index, path] of paths.entries()) {
      const found = await read(readFileSync(path));
      if (expected[index].startsWith("?")) continue;
      assert.equal(found.digest ?? "-", expected[index], `${index}: ${found.code}`);
      accepted += found.digest ? 1 : 0;
    }
    assert.ok(accepted > 5 && accepted < paths.length - 100, `${accepted} accepted`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an entry is read across blocks, and a missing one has a code", async () => {
  const path = join(root, "Fixtures/hostile/two-generations.particles");
  const found = await Package.open(new Uint8Array(readFileSync(path)));
  const name = [...found.entries.values()].find((entry) => entry.kind === 1).path;
  assert.equal((await found.read(name)).length, found.entries.get(name).size);
  await assert.rejects(found.read("none"), { code: "tree/no-entry" });
});

/** A package with another payload of its first frame of a kind, which is stored as it is, and with the checksum of the new payload. */
function edited(package_, tag, edit) {
  const bytes = package_.slice();
  const walk = new FrameWalk(bytes);
  walk.run();
  const { at, end } = walk.frames.find((frame) => frame.tag === tag);
  edit(bytes.subarray(at + 24, end));
  walk.view.setUint32(at + 20, crc32(bytes, at + 24, end, crc32(bytes, at, at + 20)), true);
  return bytes;
}

/** Two files of 10 bytes in two blocks. */
const twoBlocks = await writePackage([["a.txt", new Uint8Array(10).fill(1)], ["z.png", new Uint8Array(10).fill(2)]]);

test("a root cannot list more pages or tables than it has bytes", async () => {
  for (const place of [0, 11]) {
    const bytes = edited(twoBlocks, "ROOT", (root) => {
      assert.equal(root[place], 1);
      root[place] = 100;
    });
    await assert.rejects(Package.open(bytes), { code: "container/index", message: /number of items/ });
  }
});

test("blocks that no file needs are checked when a package is opened, others when their file is read", async () => {
  // The second file becomes a link, as after a save that leaves old contents behind.
  const superseded = edited(twoBlocks, "TREE", (page) => {
    assert.deepEqual([...page.subarray(-3)], [1, 10, 0]);
    page.set([3, 1, 0x61], page.length - 3);
  });
  const opened = await Package.open(superseded);
  assert.deepEqual([...opened.entries.values()].map(({ kind, target }) => [kind, target]), [[1, undefined], [3, "a"]]);
  assert.equal((await opened.read("a.txt"))[9], 1);
  const damaged = (package_, value) => {
    const bytes = package_.slice();
    bytes[bytes.findIndex((_, at) => bytes.subarray(at, at + 10).every((byte) => byte === value))] ^= 1;
    return bytes;
  };
  await assert.rejects(Package.open(damaged(superseded, 2)), { code: "container/checksum" });
  for (const package_ of [superseded, twoBlocks]) {
    const found = await Package.open(damaged(package_, 1));
    await assert.rejects(found.read("a.txt"), { code: "container/checksum" });
  }
  assert.ok((await Package.open(damaged(twoBlocks, 2))).has("z.png"));
});

/** Calls the tool that `PARTICLES_TOOL` names. Does nothing without a name. */
function tool(...words) {
  const program = process.env.PARTICLES_TOOL;
  if (!program) return undefined;
  const result = spawnSync(program, words);
  assert.equal(result.status, 0, `${words.join(" ")}: ${result.stderr}`);
  return result.stdout.toString().trim();
}

test("a package that is read and written again has the same digest, and the tool finds it sound", async () => {
  const folder = mkdtempSync(join(tmpdir(), "particles-web-"));
  try {
    const written = [];
    for (const path of files(join(root, "Fixtures"))) {
      let opened;
      try {
        opened = await Package.open(new Uint8Array(readFileSync(path)), { everyFrame: true });
      } catch {
        continue;
      }
      const bytes = await writePackage(opened.files());
      const again = await Package.open(bytes, { everyFrame: true });
      assert.equal(await again.digest(), await opened.digest(), path);
      assert.equal(again.generation, 1);
      written.push({ path: join(folder, `${written.length}.particles`), digest: await opened.digest() });
      writeFileSync(written.at(-1).path, bytes);
    }
    assert.ok(written.length > 10, `${written.length}`);
    const paths = written.map(({ path }) => path);
    if (tool("verify", "--quiet", ...paths) === undefined) return;
    assert.equal(tool("digest", ...paths), written.map(({ path, digest }) => `${digest}  ${path}`).join("\n"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a page changes the document and keeps everything else", async () => {
  const folder = mkdtempSync(join(tmpdir(), "particles-web-"));
  try {
    const path = join(folder, "saved.particles");
    const files = new Map([
      ["document.json", new TextEncoder().encode('{"version": 1}')], ["Source/a.plist", Uint8Array.of(1, 2, 3)],
      ["run", { contents: Uint8Array.of(4), isExecutable: true }], ["link", { target: "run" }], ["empty", null],
    ]);
    const opened = await Package.open(await writePackage(files));
    const changed = new Map();
    for await (const [name, file] of opened.files()) changed.set(name, file);
    changed.set("document.json", new TextEncoder().encode('{"version": 2}'));
    writeFileSync(path, await writePackage(changed));
    const again = await Package.open(new Uint8Array(readFileSync(path)));
    assert.deepEqual([...again.entries.values()].map(({ path: name, kind }) => [name, kind]),
      [["Source", 0], ["Source/a.plist", 1], ["document.json", 1], ["empty", 0], ["link", 3], ["run", 2]]);
    assert.equal(new TextDecoder().decode(await again.read("document.json")), '{"version": 2}');
    if (tool("verify", "--quiet", path) !== undefined) assert.equal(tool("digest", path), `${await again.digest()}  ${path}`);
    // Where the platform has no encoder, blocks are stored, and the digest does not change.
    const encoder = globalThis.CompressionStream;
    globalThis.CompressionStream = undefined;
    try {
      const stored = await Package.open(await writePackage(changed));
      assert.equal(await stored.digest(), await again.digest());
    } finally {
      globalThis.CompressionStream = encoder;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("written packages are accepted by the reader in Python, with the digest that the reader here finds", async () => {
  const folder = mkdtempSync(join(tmpdir(), "particles-web-"));
  try {
    const noise = (length) => Uint8Array.from({ length }, (_, index) => (Math.imul(index + 1, 2654435761) >>> 13) & 255);
    const trees = [
      [["document.json", new TextEncoder().encode("{}\n")], ["Images", null]],
      [],
      [["a/b/c.txt", noise(10)], ["a.txt", new Uint8Array()], ["a/b.png", noise(70_000)], ["z", { target: "a/b/c.txt" }],
        ["run", { contents: noise(3), isExecutable: true }], ["\u00e4\ud83d\ude00", new Uint8Array(200_000)]],
      Array.from({ length: 700 }, (_, index) => [`folder/${"x".repeat(index % 90)}${index}.json`, noise(index * 3)]),
      [["big.bin", noise(1_300_000)]],
    ];
    const paths = [];
    const digests = [];
    for (const [index, tree] of trees.entries()) {
      const bytes = await writePackage(tree);
      const found = await Package.open(bytes, { everyFrame: true });
      for (const [path, file] of tree) {
        if (file instanceof Uint8Array) assert.ok(Buffer.compare(await found.read(path), file) === 0, path);
      }
      digests.push(await found.digest());
      paths.push(join(folder, `${index}.particles`));
      writeFileSync(paths.at(-1), bytes);
    }
    assert.deepEqual(readInPython(paths), digests);
    // The worked example of Spec/container.md.
    const example = readFileSync(paths[0]);
    assert.equal(example.length, 208);
    assert.equal(example.readUInt32LE(0x24), 0x62243ec7);
    await assert.rejects(writePackage([["a/../b", noise(1)]]), { code: "tree/name" });
    await assert.rejects(writePackage([["a", noise(1)], ["A", noise(1)]]), { code: "tree/twins" });
    await assert.rejects(writePackage([["a", { target: "/etc" }]]), { code: "tree/link" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
