import { crc32 } from "./bytes.js";
import { checkedPath, checkedTarget, comparePaths } from "./names.js";
import { Package } from "./package.js";

// The canonical form of Spec/container.md#duties-of-writers.
const [blockSize, sharedSize, pageEntries, pageBytes] = [512 << 10, 64 << 10, 256, 16 << 10];
const compressedExtensions = new Set(
  "7z avif bz2 gif gz heic jpeg jpg m4a mp3 mp4 ogg png tgz webm webp xz zip zst".split(" "));
const pathEncoder = new TextEncoder();

/** Bytes that are written in order. */
class ByteWriter {
  constructor() {
    this.parts = [];
    this.length = 0;
  }

  write(bytes) {
    this.parts.push(bytes);
    this.length += bytes.length;
  }

  byte(value) { this.write(Uint8Array.of(value)); }

  varint(value) {
    const bytes = [];
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
    bytes.push(rest);
    this.write(Uint8Array.from(bytes));
  }

  signed(value) { this.varint(value < 0 ? -2 * value - 1 : 2 * value); }

  /** A path, as its difference from the path before. */
  path(path, before) {
    let shared = 0;
    while (shared < before.length && shared < path.length && before[shared] === path[shared]) shared += 1;
    this.varint(shared);
    this.varint(path.length - shared);
    this.write(path.subarray(shared));
  }

  get bytes() {
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

/** The entries in canonical order, with the directories that they are in. */
async function entriesOf(files) {
  const entries = new Map();
  for await (const [path, file] of files) {
    checkedPath(pathEncoder.encode(path), 64);
    const parts = path.split("/");
    for (let count = 1; count < parts.length; count++) {
      const parent = parts.slice(0, count).join("/");
      if (!entries.has(parent)) entries.set(parent, { kind: 0 });
    }
    if (file === null || file === undefined) {
      entries.set(path, { kind: 0 });
    } else if (typeof file.target === "string") {
      checkedTarget(pathEncoder.encode(file.target), path);
      entries.set(path, { kind: 3, target: pathEncoder.encode(file.target) });
    } else {
      entries.set(path, { kind: file.isExecutable ? 2 : 1, contents: file.contents ?? file });
    }
  }
  const sorted = [...entries].map(([path, entry]) => ({ ...entry, path: pathEncoder.encode(path) }));
  return sorted.sort((a, b) => comparePaths(a.path, b.path));
}

function pagesOf(entries) {
  const pages = [];
  let page;
  let [offset, end, length, before] = [0, 0, 0, undefined];
  for (const entry of entries) {
    if (!page || page.count >= pageEntries || length >= pageBytes) {
      page = { writer: new ByteWriter(), first: entry.path, count: 0 };
      pages.push(page);
      [end, length, before] = [0, 0, new Uint8Array()];
    }
    page.writer.path(entry.path, before);
    page.writer.byte(entry.kind);
    before = entry.path;
    page.count += 1;
    length += entry.path.length;
    if (entry.contents) {
      const size = entry.contents.length;
      page.writer.varint(size);
      if (size > 0) {
        page.writer.signed(offset - end);
        offset += size;
        end = offset;
      }
    } else if (entry.target) {
      page.writer.varint(entry.target.length);
      page.writer.write(entry.target);
      length += entry.target.length;
    }
  }
  return pages;
}

/** The contents of files in blocks: large files have blocks of their own, small ones share them. */
function blocksOf(entries) {
  const blocks = [];
  let [shared, sharesCompressed] = [new ByteWriter(), false];
  const flush = () => {
    if (shared.length > 0) blocks.push(shared.bytes);
    shared = new ByteWriter();
  };
  for (const { contents, path } of entries) {
    if (!contents?.length) continue;
    if (contents.length >= sharedSize) {
      flush();
      for (let at = 0; at < contents.length; at += blockSize) blocks.push(contents.subarray(at, at + blockSize));
      continue;
    }
    const extension = /[^/]\.([^./]+)$/.exec(new TextDecoder().decode(path))?.[1].toLowerCase();
    const isCompressed = compressedExtensions.has(extension);
    if (shared.length + contents.length > sharedSize || isCompressed !== sharesCompressed) flush();
    sharesCompressed = isCompressed;
    shared.write(contents);
  }
  flush();
  return blocks;
}

/** A zlib stream by the encoder of the platform, or the bytes as they are where there is none. */
async function deflated(bytes) {
  if (!globalThis.CompressionStream) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Writes frames. */
class FrameWriter extends ByteWriter {
  frame(tag, raw, stored, place = this.length) {
    const head = new Uint8Array(24);
    const view = new DataView(head.buffer);
    head.set(pathEncoder.encode(tag));
    view.setUint32(4, raw, true);
    view.setUint32(8, stored.length, true);
    view.setUint32(12, place % 0x100000000, true);
    view.setUint32(16, Math.floor(place / 0x100000000), true);
    view.setUint32(20, crc32(stored, 0, stored.length, crc32(head, 0, 20)), true);
    const at = this.length;
    this.write(head);
    this.write(stored);
    return { at, length: 24 + stored.length };
  }
}

/**
 * The contents of a file, an executable file, a symbolic link, or `null` for a directory.
 * @typedef {Uint8Array | {contents: Uint8Array, isExecutable?: boolean} | {target: string} | null} WrittenEntry
 */

/**
 * Writes a flat package of one generation, in canonical form.
 * @param {Iterable<[string, WrittenEntry]> | AsyncIterable<[string, WrittenEntry]>} files by path, such as a `Map`, or
 *   `Package.files()`. Directories of files need not be stated. Of two entries of one path, the last one counts.
 * @returns {Promise<Uint8Array>} the file. A tree has one digest in every writer, but not equal bytes: encoders pack
 *   differently.
 * @throws {ParticlesError} of the family `tree` for names that no reader accepts.
 */
export async function writePackage(files) {
  const entries = await entriesOf(files);
  const writer = new FrameWriter();
  const header = Uint8Array.of(0x89, 0x50, 0x54, 0x43, 0x4c, 0x0d, 0x0a, 0x1a, 0x0a, 1, 1, 0, 0, 0, 0, 0);
  new DataView(header.buffer).setUint32(12, crc32(header, 0, 12), true);
  writer.write(header);
  const pages = pagesOf(entries).map((page) => {
    const { bytes } = page.writer;
    return { ...page, ...writer.frame("TREE", bytes.length, bytes) };
  });
  const table = new ByteWriter();
  let streamSize = 0;
  for (const block of blocksOf(entries)) {
    const packed = await deflated(block);
    const least = block.length <= sharedSize ? 1 : Math.floor(block.length / 64);
    const stored = packed.length <= block.length - least ? packed : block;
    writer.frame("DATA", block.length, stored, streamSize);
    table.varint(block.length);
    table.varint(stored.length);
    streamSize += block.length;
  }
  const tables = streamSize > 0 ? [writer.frame("BLKS", table.length, table.bytes)] : [];
  const root = new ByteWriter();
  let [end, before] = [16, new Uint8Array()];
  root.varint(pages.length);
  for (const page of pages) {
    root.path(page.first, before);
    before = page.first;
    root.signed(page.at - end);
    root.varint(page.length);
    root.varint(page.count);
    end = page.at + page.length;
  }
  root.varint(tables.length);
  for (const { at, length } of tables) {
    root.signed(at - end);
    root.varint(length);
    root.varint(streamSize);
  }
  const place = writer.frame("ROOT", root.length, root.bytes).at;
  const footer = new Uint8Array(24);
  const view = new DataView(footer.buffer);
  view.setUint32(0, 1, true);
  view.setUint32(8, place % 0x100000000, true);
  view.setUint32(12, Math.floor(place / 0x100000000), true);
  writer.frame("DONE", 24, footer);
  const { bytes } = writer;
  // A writer must not write what a reader refuses.
  await Package.open(bytes, { everyFrame: true });
  return bytes;
}
