import { ParticlesError } from "./diagnostic.js";

/** Four tables of CRC-32, so that four bytes are taken at once. */
const crcTables = (() => {
  const tables = Array.from({ length: 4 }, () => new Uint32Array(256));
  for (let index = 0; index < 256; index++) {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    tables[0][index] = value >>> 0;
  }
  for (let index = 0; index < 256; index++) {
    for (let table = 1; table < 4; table++) {
      const before = tables[table - 1][index];
      tables[table][index] = (before >>> 8) ^ tables[0][before & 255];
    }
  }
  return tables;
})();

/**
 * The CRC-32 of ISO 3309 of a part of an array.
 * @param {Uint8Array} bytes
 * @param {number} [seed] the checksum of the bytes before them.
 */
export function crc32(bytes, start = 0, end = bytes.length, seed = 0) {
  const [a, b, c, d] = crcTables;
  let value = ~seed;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    value ^= bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    value = d[value & 255] ^ c[(value >>> 8) & 255] ^ b[(value >>> 16) & 255] ^ a[value >>> 24];
  }
  for (; at < end; at++) value = (value >>> 8) ^ a[(value ^ bytes[at]) & 255];
  return ~value >>> 0;
}

const shaConstants = (() => {
  const constants = new Uint32Array(64);
  let count = 0;
  for (let number = 2; count < 64; number++) {
    let isPrime = true;
    for (let factor = 2; factor * factor <= number; factor++) if (number % factor === 0) isPrime = false;
    if (isPrime) constants[count++] = (Math.cbrt(number) % 1) * 0x100000000;
  }
  return constants;
})();

/**
 * The SHA-256 of bytes. Pages that are not from a secure origin have no `crypto.subtle`.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} 32 bytes.
 */
export function sha256(bytes) {
  const state = Uint32Array.of(
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const words = new Uint32Array(64);
  const turned = (value, count) => (value >>> count) | (value << (32 - count));
  for (let block = 0; block < padded.length; block += 64) {
    for (let index = 0; index < 16; index++) words[index] = view.getUint32(block + index * 4);
    for (let index = 16; index < 64; index++) {
      const [x, y] = [words[index - 15], words[index - 2]];
      words[index] = words[index - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3))
        + words[index - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let index = 0; index < 64; index++) {
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g))
        + shaConstants[index] + words[index]) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, index) => { state[index] += value; });
  }
  const digest = new Uint8Array(32);
  const output = new DataView(digest.buffer);
  state.forEach((value, index) => output.setUint32(index * 4, value));
  return digest;
}

/** Bytes as hexadecimal digits. */
export const hexadecimal = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Unpacks a stream by the decoder of the platform.
 * @param {Uint8Array} bytes
 * @param {"deflate" | "gzip" | "deflate-raw"} format
 * @param {number} most bytes of the result. More is an error before they are kept.
 * @returns {Promise<Uint8Array>}
 */
async function unpacked(bytes, format, most) {
  const stream = new DecompressionStream(format);
  const writer = stream.writable.getWriter();
  // Reading reports errors of writing, too.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      reader.cancel().catch(() => {});
      throw new RangeError(`more than ${most} bytes`);
    }
    parts.push(value);
  }
  if (parts.length === 1) return parts[0];
  const result = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

/** Whether the decoder of the platform ignores bytes after the end of a stream, as in node. */
let ignoresRest;

async function decoderIgnoresRest() {
  const empty = Uint8Array.of(0x78, 0x9c, 3, 0, 0, 0, 0, 1);
  const longer = Uint8Array.of(...empty, 0);
  try {
    await unpacked(longer, "deflate", 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Unpacks one zlib stream. It has to end with the last byte.
 * @param {Uint8Array} bytes
 * @param {number} most bytes of the result.
 */
export async function inflate(bytes, most, format = "deflate") {
  const result = await unpacked(bytes, format, most);
  ignoresRest ??= decoderIgnoresRest();
  if (await ignoresRest) {
    // A stream that is complete without the last byte ended earlier.
    let isComplete = true;
    try {
      await unpacked(bytes.subarray(0, bytes.length - 1), format, most);
    } catch {
      isComplete = false;
    }
    if (isComplete) throw new RangeError("bytes after the stream");
  }
  return result;
}

/** A bounds-checked cursor over the payload of a frame of the index. */
export class IndexReader {
  /**
   * @param {Uint8Array} bytes
   * @param {number} frame the position of the frame in the file, for messages.
   */
  constructor(bytes, frame) {
    this.data = bytes;
    this.frame = frame;
    this.at = 0;
  }

  get isAtEnd() { return this.at === this.data.length; }
  get remaining() { return this.data.length - this.at; }

  failure(detail, expected, found) {
    return new ParticlesError("container/index", { offset: this.frame, detail, expected, found });
  }

  bytes(count) {
    if (count > this.remaining) throw this.failure("too few bytes", count, this.remaining);
    this.at += count;
    return this.data.subarray(this.at - count, this.at);
  }

  byte() { return this.bytes(1)[0]; }

  /** A number below 2^63. From 2^53 on, numbers are rounded, but no valid package has any. */
  varint() {
    let value = 0;
    let factor = 1;
    for (let place = 0; place < 9; place++) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) {
        if (byte === 0 && place > 0) break;
        return value;
      }
      factor *= 128;
    }
    throw this.failure("an integer is longer than 9 bytes or not in its shortest form");
  }

  signed() {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }
}
