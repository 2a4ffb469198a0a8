import { IndexReader, crc32, hexadecimal, inflate, sha256 } from "./bytes.js";
import { ParticlesError } from "./diagnostic.js";
import { checkedPath, checkedTarget, comparePaths, folded } from "./names.js";

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
const greatest = { TREE: 1 << 20, DATA: 1 << 20, BLKS: 16 << 20, ROOT: 16 << 20, DONE: 24 };
const followers = {
  DONE: ["TREE", "DATA", "ROOT"], TREE: ["TREE", "DATA", "ROOT"], DATA: ["DATA", "BLKS"], BLKS: ["ROOT"],
  ROOT: ["DONE"],
};
const headSize = 24;
const footerSize = 48;
const packing = 1032;

function check(value, most, what, details = {}) {
  if (value > most) {
    throw new ParticlesError("limit/exceeded", { detail: what, expected: `at most ${most}`, found: value, ...details });
  }
}

const hex = (value) => `0x${(value >>> 0).toString(16).padStart(8, "0")}`;

/** Whether bytes begin as a flat package does. */
export const isPackage = (bytes) => signature.every((byte, index) => bytes[index] === byte);

/** The frames of a file, as far as they can be followed from its front. */
class FrameWalk {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.frames = [];
    this.footers = [];
  }

  number(at) {
    return this.view.getUint32(at, true) + this.view.getUint32(at + 4, true) * 0x100000000;
  }

  /** The head at a position that is inside the file; throws if it is not valid anywhere. */
  head(at) {
    const tag = String.fromCharCode(...this.bytes.subarray(at, at + 4));
    const raw = this.view.getUint32(at + 4, true);
    const stored = this.view.getUint32(at + 8, true);
    const place = this.number(at + 12);
    const fault = (offset, detail, expected, found) =>
      new ParticlesError("container/frame", { offset, detail, expected, found });
    if (!Object.hasOwn(greatest, tag)) {
      throw fault(at, "tag", `one of ${Object.keys(greatest).join(", ")}`, hex(this.view.getUint32(at, true)));
    }
    if (raw < 1 || raw > greatest[tag]) {
      throw fault(at + 4, `unpacked length of a ${tag} frame`, `1 to ${greatest[tag]}`, raw);
    }
    const least = Math.max(1, Math.ceil((raw - 64) / packing));
    if (stored < least || stored > raw) {
      throw fault(at + 8, `stored length of a ${tag} frame`, `${least} to ${raw}`, stored);
    }
    return { at, tag, raw, stored, place, end: at + headSize + stored };
  }

  /** Throws unless a frame may follow another. */
  confirm(frame, before, streamEnd) {
    if (!followers[before].includes(frame.tag)) {
      throw new ParticlesError("container/coverage", {
        offset: frame.at, detail: "order of frames", expected: followers[before].join(" or "), found: frame.tag,
      });
    }
    const due = frame.tag === "DATA" ? streamEnd : frame.at;
    if (frame.place !== due) {
      throw new ParticlesError("container/frame", {
        offset: frame.at, detail: `place of a ${frame.tag} frame`, expected: due, found: frame.place,
      });
    }
  }

  /** Throws unless the checksum of a frame is that of its bytes. */
  checkSum(frame) {
    const stated = this.view.getUint32(frame.at + 20, true);
    const actual = crc32(
      this.bytes, frame.at + headSize, frame.end, crc32(this.bytes, frame.at, frame.at + 20));
    if (actual !== stated) {
      throw new ParticlesError("container/checksum", {
        offset: frame.at, detail: `${frame.tag} frame`, expected: hex(stated), found: hex(actual),
      });
    }
  }

  /** The intact footer at a position; nil if there is none. */
  footer(at) {
    if (at < 16 || at + footerSize > this.bytes.length) return undefined;
    try {
      const frame = this.head(at);
      if (frame.tag !== "DONE" || frame.stored !== 24 || frame.raw !== 24 || frame.place !== at) return undefined;
      this.checkSum(frame);
    } catch {
      return undefined;
    }
    return {
      at, generation: this.number(at + 24), root: this.number(at + 32), previous: this.number(at + 40),
      end: at + footerSize,
    };
  }

  /** Follows the frames, and finds the last committed generation as Spec/container.md#footer defines it. */
  run() {
    const size = this.bytes.length;
    let at = 16;
    let before = "DONE";
    let streamEnd = 0;
    let root = 0;
    let fault;
    while (at + headSize <= size) {
      let frame;
      try {
        frame = this.head(at);
        this.confirm(frame, before, streamEnd);
        if (frame.end > size) break;
        if (frame.tag === "DONE" && !this.footer(at)) {
          throw new ParticlesError("container/checksum", { offset: at, detail: "DONE frame" });
        }
      } catch (error) {
        fault = error;
        break;
      }
      if (frame.tag === "DONE") {
        const footer = this.footer(at);
        this.confirmFooter(footer, root);
        this.footers.push(footer);
      }
      if (frame.tag === "ROOT") root = at;
      if (frame.tag === "DATA") streamEnd += frame.raw;
      this.frames.push(frame);
      before = frame.tag;
      at = frame.end;
    }
    if (fault && this.hasFooter(at)) throw fault;
    if (this.footers.length === 0) {
      throw new ParticlesError("container/truncated", {
        offset: size, expected: "the footer of a finished save", found: "the end of the file",
      });
    }
    const end = this.footers.at(-1).end;
    this.frames = this.frames.filter((frame) => frame.at < end);
    return this.footers.at(-1);
  }

  confirmFooter(footer, root) {
    const before = this.footers.at(-1);
    const due = { generation: (before?.generation ?? 0) + 1, root, previous: before?.at ?? 0 };
    if (Object.keys(due).some((key) => footer[key] !== due[key])) {
      const text = ({ generation, root, previous }) => `generation ${generation}, root ${root}, previous ${previous}`;
      throw new ParticlesError("container/frame", {
        offset: footer.at, detail: "the footer contradicts the frames before it", expected: text(due), found: text(footer),
      });
    }
  }

  /** Whether there is an intact footer at or after a position. */
  hasFooter(from) {
    for (let at = this.bytes.indexOf(0x44, from); at >= 0; at = this.bytes.indexOf(0x44, at + 1)) {
      if (this.footer(at)) return true;
    }
    return false;
  }

  /** The unpacked payload of a frame, after its checksum was checked. */
  async payload(frame) {
    this.checkSum(frame);
    const stored = this.bytes.subarray(frame.at + headSize, frame.end);
    if (frame.stored === frame.raw) return stored;
    let raw;
    try {
      raw = await inflate(stored, frame.raw);
    } catch {
      raw = undefined;
    }
    if (raw?.length !== frame.raw) {
      throw new ParticlesError("container/payload", {
        offset: frame.at + headSize, detail: `${frame.tag} frame`, expected: `a zlib stream of ${frame.raw} bytes`,
      });
    }
    return raw;
  }
}

/** Reads the root, and confirms what it lists by the frames. */
class PackageIndex {
  constructor(walk, footer, limits) {
    Object.assign(this, { walk, footer, limits });
    this.frames = new Map(walk.frames.map((frame) => [frame.at, frame]));
    this.pages = [];
    this.tables = [];
  }

  reference(reader, end, tag) {
    const at = end + reader.signed();
    const length = reader.varint();
    if (!(at >= 16 && at < this.footer.root && length > headSize && length <= this.footer.root - at)) {
      throw reader.failure("a reference", `a frame before byte ${this.footer.root}`, `${length} bytes at ${at}`);
    }
    const frame = this.frames.get(at);
    if (!frame || frame.tag !== tag || frame.end - at !== length) {
      throw new ParticlesError("container/frame", {
        offset: at, detail: "not the frame that the index refers to", expected: `${tag} of ${length} bytes`,
        found: frame ? `${frame.tag} of ${frame.end - at} bytes` : "no frame",
      });
    }
    return frame;
  }

  path(reader, before) {
    const shared = reader.varint();
    if (shared > before.length) throw reader.failure("shared bytes of a path", `at most ${before.length}`, shared);
    const count = reader.varint();
    if (shared + count > 4096) throw new ParticlesError("tree/name", { expected: "at most 4096 bytes" });
    const rest = reader.bytes(count);
    const path = new Uint8Array(shared + rest.length);
    path.set(before.subarray(0, shared));
    path.set(rest, shared);
    return path;
  }

  async readRoot() {
    const reader = new IndexReader(await this.walk.payload(this.frames.get(this.footer.root)), this.footer.root);
    const count = () => {
      const value = reader.varint();
      if (value > reader.remaining) throw reader.failure("number of items", `at most ${reader.remaining}`, value);
      return value;
    };
    let path = new Uint8Array();
    let end = 16;
    let entries = 0;
    let pathBytes = 0;
    let pageBytes = 0;
    for (let rest = count(); rest > 0; rest--) {
      path = this.path(reader, path);
      pathBytes += path.length;
      check(pathBytes, this.limits.indexBytes, "bytes of all paths");
      const frame = this.reference(reader, end, "TREE");
      end = frame.end;
      const number = reader.varint();
      if (number < 1 || number > 1 << 20) throw reader.failure("entries of a page", undefined, number);
      entries += number;
      pageBytes += frame.end - frame.at;
      check(entries, this.limits.entries, "entries");
      this.pages.push({ frame, path, count: number });
    }
    for (let rest = count(); rest > 0; rest--) {
      const frame = this.reference(reader, end, "BLKS");
      end = frame.end;
      const bytes = reader.varint();
      if (bytes < 1) throw reader.failure("bytes of a table", undefined, bytes);
      this.tables.push({ frame, bytes });
    }
    if (!reader.isAtEnd) throw reader.failure("bytes after the last table");
    this.amplify(0, entries, pageBytes, "pages");
  }

  amplify(bytes, entries, size, input) {
    check(
      bytes + 256 * entries, 1_048_576 + size * this.limits.amplification,
      `unpacked bytes of ${input} of ${size} bytes (amplification)`);
  }

  /** Throws unless the root lists the frames that it has to list. */
  async confirm() {
    const fault = (expected, at = this.footer.root) =>
      new ParticlesError("container/index", { offset: at, detail: "frames that the root lists", expected });
    const same = (a, b) => a.length === b.length && a.every((frame, index) => frame === b[index]);
    const before = this.walk.footers.at(-2);
    const start = before ? before.end : 16;
    const listed = this.pages.map((page) => page.frame).filter((frame) => frame.at >= start);
    const own = this.walk.frames.filter((frame) => frame.tag === "TREE" && frame.at >= start);
    if (!same(listed, own)) throw fault("the pages of its generation in their order");
    const tables = this.walk.frames.filter((frame) => frame.tag === "BLKS");
    if (!same(this.tables.map((table) => table.frame), tables)) throw fault("the tables of all generations in their order");
    this.blocks = [];
    const blocks = this.walk.frames.filter((frame) => frame.tag === "DATA");
    let bytes = 0;
    let next = 0;
    for (const table of this.tables) {
      const payload = await this.walk.payload(table.frame);
      bytes += payload.length;
      check(bytes, this.limits.indexBytes, "bytes of the tables of blocks");
      const reader = new IndexReader(payload, table.frame.at);
      let sum = 0;
      while (!reader.isAtEnd) {
        const [raw, stored] = [reader.varint(), reader.varint()];
        const block = blocks[next];
        if (!block || block.at > table.frame.at || block.raw !== raw || block.stored !== stored) {
          throw reader.failure("lengths of a block", block && `${block.raw} and ${block.stored}`, `${raw} and ${stored}`);
        }
        next += 1;
        sum += raw;
        this.blocks.push(block);
      }
      if (blocks[next] && blocks[next].at < table.frame.at) throw reader.failure("a block is not listed");
      if (sum !== table.bytes) throw reader.failure("sum of the lengths", table.bytes, sum);
    }
    this.streamSize = this.blocks.reduce((sum, block) => sum + block.raw, 0);
  }

  /** The entries of the tree, checked as a whole. */
  async entries() {
    const tree = new TreeCheck(this.limits);
    let bytes = 0;
    for (const page of this.pages) {
      const payload = await this.walk.payload(page.frame);
      bytes += payload.length;
      check(bytes, this.limits.indexBytes, "bytes of the index");
      try {
        this.readPage(new IndexReader(payload, page.frame.at), page, tree);
      } catch (error) {
        if (error instanceof ParticlesError && error.entry === undefined) error.offset ??= page.frame.at;
        throw error;
      }
    }
    const total = tree.finish(this.streamSize);
    check(total, this.limits.totalBytes, "bytes of all entries");
    this.amplify(total, 0, this.walk.bytes.length, "a package");
    return tree.entries;
  }

  readPage(reader, page, tree) {
    let path = new Uint8Array();
    let end = 0;
    let count = 0;
    while (!reader.isAtEnd) {
      path = this.path(reader, path);
      const name = checkedPath(path, this.limits.depth);
      if (count === 0 && comparePaths(path, page.path) !== 0) {
        throw reader.failure("not the tree page that the root refers to", undefined, `'${name}' first`);
      }
      tree.order(path, name);
      const kind = reader.byte();
      if (kind > 3) {
        throw new ParticlesError("container/index", { entry: name, detail: "kind of an entry", expected: "0 to 3", found: kind });
      }
      const entry = { path: name, kind, offset: 0, size: 0 };
      if (kind === 1 || kind === 2) {
        entry.size = reader.varint();
        check(entry.size, this.limits.entryBytes, "bytes of an entry", { entry: name });
        if (entry.size > 0) {
          entry.offset = end + reader.signed();
          end = entry.offset + entry.size;
          if (entry.offset < 0 || end >= 2 ** 63) {
            throw new ParticlesError("tree/extent", { entry: name, detail: "the contents are not in the stream" });
          }
        }
      }
      if (kind === 3) entry.target = checkedTarget(reader.bytes(reader.varint()), name);
      tree.add(entry);
      count += 1;
    }
    if (count !== page.count) {
      throw reader.failure("not the tree page that the root refers to", `${page.count} entries`, count);
    }
  }
}

/** Checks order, parents, names that differ in case only, and extents. */
class TreeCheck {
  constructor(limits) {
    this.limits = limits;
    this.entries = new Map();
    this.twins = new Map();
    this.before = new Uint8Array();
    this.pathBytes = 0;
  }

  order(path, name) {
    this.pathBytes += path.length;
    check(this.pathBytes, this.limits.indexBytes, "bytes of all paths");
    if (comparePaths(path, this.before) <= 0) {
      throw new ParticlesError("tree/order", { expected: "paths in ascending order", found: `'${name}'` });
    }
    this.before = path;
  }

  add(entry) {
    const slash = entry.path.lastIndexOf("/");
    const parent = entry.path.slice(0, Math.max(0, slash));
    if (slash >= 0 && this.entries.get(parent)?.kind !== 0) {
      throw new ParticlesError("tree/parent", { entry: entry.path, expected: `a directory '${parent}'` });
    }
    const key = `${parent}/${folded(entry.path.slice(slash + 1))}`;
    const twin = this.twins.get(key);
    if (twin !== undefined) throw new ParticlesError("tree/twins", { entry: entry.path, found: `'${twin}' beside it` });
    this.twins.set(key, entry.path.slice(slash + 1));
    this.entries.set(entry.path, entry);
  }

  /** Returns the bytes of all contents. */
  finish(streamSize) {
    const files = [...this.entries.values()].filter((entry) => entry.size > 0);
    files.sort((a, b) => a.offset - b.offset || a.size - b.size);
    let end = 0;
    for (const file of files) {
      if (file.offset < end) {
        throw new ParticlesError("tree/extent", { entry: file.path, expected: `contents from ${end} on`, found: file.offset });
      }
      end = file.offset + file.size;
      if (end > streamSize) {
        throw new ParticlesError("tree/extent", { entry: file.path, expected: `an end before ${streamSize}`, found: end });
      }
    }
    return files.reduce((sum, file) => sum + file.size, 0);
  }
}

/** A flat `.particles` package in memory: its tree, and the contents of its files. */
export class Package {
  /**
   * Opens a package. Checks the heads of all frames, the footers of all generations, the tree as a whole, and the
   * checksum of everything that is read: the level "all generations" of Spec/container.md#acceptance.
   * @param {Uint8Array} bytes the file.
   * @param {object} [options] `limits`, and `everyFrame`: whether to check all frames, as `particles verify` does.
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
    if (options.everyFrame) for (const frame of walk.frames) await walk.payload(frame);
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
