import { IndexReader } from "./bytes.js";
import { ParticlesError } from "./diagnostic.js";
import { headSize } from "./frames.js";
import { checkedPath, checkedTarget, comparePaths, folded } from "./names.js";

function check(value, most, what, details = {}) {
  if (value > most) {
    throw new ParticlesError("limit/exceeded", { detail: what, expected: `at most ${most}`, found: value, ...details });
  }
}

/** Reads the root, and checks its lists against the frames. */
export class PackageIndex {
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

  /** The frames that were checked, or will be when contents are read. */
  neededFrames(entries) {
    const files = [...entries.values()].filter((entry) => entry.size > 0).sort((a, b) => a.offset - b.offset);
    let next = 0;
    const blocks = this.blocks.filter((block) => {
      while (next < files.length && files[next].offset + files[next].size <= block.place) next += 1;
      return next < files.length && files[next].offset < block.place + block.raw;
    });
    const index = [this.frames.get(this.footer.root), ...[...this.pages, ...this.tables].map(({ frame }) => frame)];
    return new Set([...index, ...blocks, ...this.walk.frames.filter((frame) => frame.tag === "DONE")]);
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
