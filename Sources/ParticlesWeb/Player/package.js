import { crc32, hexadecimal, sha256 } from "./bytes.js";
import { ParticlesError } from "./diagnostic.js";
import { FrameWalk, hex } from "./frames.js";
import { PackageIndex } from "./tree.js";

/** Limits of a reader, as in Spec/container.md#limits. A caller may set lower or higher ones. */
export const standardLimits = Object.freeze({
  entries: 100_000,
  depth: 64,
  indexBytes: 64 << 20,
  entryBytes: 4 * 2 ** 30,
  totalBytes: 64 * 2 ** 30,
  amplification: 1100,
  textBytes: 16 << 20,
  imagePixels: 40_000_000,
});

const signature = Uint8Array.of(0x89, 0x50, 0x54, 0x43, 0x4c, 0x0d, 0x0a, 0x1a, 0x0a);
/** Whether bytes begin as a flat package does. */
export const isPackage = (bytes) => signature.every((byte, index) => bytes[index] === byte);

/** A flat `.particles` package in memory: its tree, and the contents of its files. */
export class Package {
  /**
   * Opens a package. Checks the heads of all frames, the footers of all generations, the tree as a whole, and the
   * frames that the tree does not need. Contents are checked when they are read: the level "every frame" of
   * Spec/container.md#acceptance.
   * @param {Uint8Array} bytes the file.
   * @param {object} [options] `limits`, and `everyFrame`: whether to check contents now, too.
   * @throws {ParticlesError} with a code of the families `container`, `tree` and `limit`.
   */
  static async open(bytes, options = {}) {
    const limits = { ...standardLimits, ...options.limits };
    if (!isPackage(bytes)) throw new ParticlesError("container/signature", { offset: 0 });
    if (bytes.length < 16) {
      throw new ParticlesError("container/truncated", { offset: bytes.length, expected: "a header of 16 bytes" });
    }
    const walk = new FrameWalk(bytes);
    const [stated, actual] = [walk.view.getUint32(12, true), crc32(bytes, 0, 12)];
    if (stated !== actual) {
      throw new ParticlesError("container/checksum", { offset: 12, detail: "header", expected: hex(stated), found: hex(actual) });
    }
    if (bytes[9] > 1) {
      throw new ParticlesError("container/version", { offset: 9, expected: "at most 1", found: bytes[9] });
    }
    if (bytes[11] !== 0) {
      throw new ParticlesError("container/frame", { offset: 11, detail: "reserved byte of the header", expected: 0, found: bytes[11] });
    }
    const footer = walk.run();
    const index = new PackageIndex(walk, footer, limits);
    await index.readRoot();
    await index.confirm();
    const entries = await index.entries();
    const needed = options.everyFrame ? new Set() : index.neededFrames(entries);
    for (const frame of walk.frames) if (!needed.has(frame)) await walk.payload(frame);
    return new Package(walk, index, entries, footer);
  }

  constructor(walk, index, entries, footer) {
    this.walk = walk;
    this.blocks = index.blocks;
    /** The entries by path: `path`, `kind` (0 directory, 1 file, 2 executable file, 3 symbolic link), `size`. */
    this.entries = entries;
    /** How many times the package was saved. */
    this.generation = footer.generation;
    /** Flaws that do not prevent reading. */
    this.warnings = [];
    const rest = walk.bytes.length - footer.end;
    if (rest > 0) {
      this.warnings.push(
        new ParticlesError("container/torn", { offset: footer.end, found: `${rest} bytes`, severity: "warning" }));
    }
  }

  /** Whether there is a file at a path. */
  has(path) { return [1, 2].includes(this.entries.get(path)?.kind); }

  /**
   * The contents of a file.
   * @throws {ParticlesError} `tree/no-entry`, or `container/checksum` and `container/payload` for damaged ones.
   */
  async read(path) {
    const entry = this.entries.get(path);
    if (!this.has(path)) throw new ParticlesError("tree/no-entry", { entry: path });
    const result = new Uint8Array(entry.size);
    const end = entry.offset + entry.size;
    for (const block of this.blocks) {
      if (block.place + block.raw <= entry.offset || block.place >= end) continue;
      const payload = await this.walk.payload(block);
      const from = Math.max(0, entry.offset - block.place);
      const to = Math.min(block.raw, end - block.place);
      result.set(payload.subarray(from, to), block.place + from - entry.offset);
    }
    return result;
  }

  /**
   * All entries with their contents, read one at a time, as `writePackage` takes them: a page changes some, and
   * writes the rest as they are.
   * @returns {AsyncGenerator<[string, import("./write.js").WrittenEntry]>}
   */
  async *files() {
    for (const { path, kind, target } of this.entries.values()) {
      if (kind === 0) yield [path, null];
      else if (kind === 3) yield [path, { target }];
      else if (kind === 2) yield [path, { contents: await this.read(path), isExecutable: true }];
      else yield [path, await this.read(path)];
    }
  }

  /** The tree digest: 64 hexadecimal digits. */
  async digest() {
    const encoder = new TextEncoder();
    const parts = [encoder.encode("particles tree 1\n")];
    for (const entry of this.entries.values()) {
      const path = encoder.encode(entry.path);
      const head = new Uint8Array(5);
      head[0] = entry.kind;
      new DataView(head.buffer).setUint32(1, path.length, true);
      parts.push(head, path);
      if (entry.kind === 3) parts.push(sha256(encoder.encode(entry.target)));
      else if (entry.kind !== 0) parts.push(sha256(await this.read(entry.path)));
    }
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return hexadecimal(sha256(all));
  }
}
