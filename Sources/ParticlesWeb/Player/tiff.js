import { inflate } from "./bytes.js";
import { ParticlesError } from "./diagnostic.js";

const malformed = (detail) => new ParticlesError("image/undecodable", { detail });

/** Tags of TIFF. */
const tiffTag = {
  width: 256, height: 257, bits: 258, compression: 259, photometric: 262, offsets: 273, orientation: 274, samples: 277, rows: 278,
  counts: 279, planar: 284, predictor: 317, tiles: 322, extra: 338, format: 339, order: 266,
};
/** The most strips of a picture. */
const mostStrips = 100_000;

/** Whether bytes begin as a TIFF file does. */
export const isTIFF = (bytes) =>
  (bytes[0] === 0x49 && bytes[1] === 0x49 && bytes[2] === 42 && bytes[3] === 0) || (bytes[0] === 0x4d && bytes[1] === 0x4d && bytes[2] === 0 && bytes[3] === 42);

/**
 * Decodes a baseline TIFF file, which browsers do not: gray, RGB or RGBA with 8 bits in strips, without compression or with
 * LZW, PackBits or Deflate, as the tool does.
 * @param {Uint8Array} bytes
 * @param {(width: number, height: number) => void} check throws if a picture is too large.
 * @throws {ParticlesError} `image/undecodable`
 */
export async function decodeTIFF(bytes, check) {
  const layout = layoutOf(entriesOf(bytes), check);
  const pixels = new Uint8Array(layout.width * layout.height * 4).fill(255);
  for (const [number, strip] of stripsOf(layout, bytes.length).entries()) {
    const content = await unpackedStrip(bytes.subarray(strip.start, strip.end), layout, strip.size);
    if (content.length < strip.size) throw malformed(`strip ${number} is too short`);
    if (layout.predicts) undoPrediction(content, layout.width * layout.beside, layout.beside);
    placeStrip(content, strip, layout, pixels);
  }
  if (layout.isMultiplied) divideByAlpha(pixels);
  return { width: layout.width, height: layout.height, pixels };
}

/** The integer entries of the first directory, by their tags. */
function entriesOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = bytes[0] === 0x49;
  const number = (at, size) => {
    if (at + size > bytes.length) throw malformed("the file is truncated");
    return size === 1 ? view.getUint8(at) : size === 2 ? view.getUint16(at, isLittle) : view.getUint32(at, isLittle);
  };
  const known = new Set(Object.values(tiffTag));
  const places = new Map();
  let at = number(4, 4);
  const count = number(at, 2);
  at += 2;
  for (let index = 0; index < count; index++, at += 12) {
    const [name, size, values] = [number(at, 2), [0, 1, 0, 2, 4][number(at + 2, 2)], number(at + 4, 4)];
    if (!size || values === 0) continue;
    if (values > bytes.length / size) throw malformed(`tag ${name} has more values than the file has bytes`);
    const start = size * values > 4 ? number(at + 8, 4) : at + 8;
    if (start + size * values > bytes.length) throw malformed("the file is truncated");
    if (known.has(name)) places.set(name, { start, size, values: Math.min(values, mostStrips) });
  }
  // Read once: many tags may share many bytes.
  return new Map([...places].map(([name, { start, size, values }]) => [
    name, Array.from({ length: values }, (_, place) => number(start + place * size, size)),
  ]));
}

function layoutOf(entries, check) {
  const first = (name, standard) => entries.get(name)?.[0] ?? standard;
  const expect = (condition, text) => { if (!condition) throw malformed(text); };
  const [width, height] = [first(tiffTag.width, 0), first(tiffTag.height, 0)];
  check(width, height);
  const [samples, photometric] = [first(tiffTag.samples, 1), first(tiffTag.photometric, -1)];
  expect(photometric >= 0 && photometric <= 2, `neither gray nor RGB, but photometric interpretation ${photometric}`);
  const colors = photometric === 2 ? 3 : 1;
  expect(samples >= colors && samples <= colors + 4, `${samples} samples of a pixel`);
  expect((entries.get(tiffTag.bits) ?? [1]).every((bits) => bits === 8) && first(tiffTag.format, 1) === 1, "samples that have not 8 bits");
  expect(first(tiffTag.orientation, 1) === 1 && first(tiffTag.order, 1) === 1, "rows that are not from top to bottom");
  expect(!entries.has(tiffTag.tiles) && entries.has(tiffTag.offsets), "no strips");
  const compression = { 1: "none", 5: "lzw", 8: "deflate", 32946: "deflate", 32773: "packBits" }[first(tiffTag.compression, 1)];
  expect(compression, `compression ${first(tiffTag.compression, 1)}`);
  const mayPredict = compression === "lzw" || compression === "deflate";
  const predictor = mayPredict ? first(tiffTag.predictor, 1) : 1;
  expect(predictor === 1 || predictor === 2, `predictor ${predictor}`);
  const isPlanar = first(tiffTag.planar, 1) === 2 && samples > 1;
  const rows = Math.min(first(tiffTag.rows, height), height);
  expect(rows > 0, "strips without rows");
  const perPlane = Math.ceil(height / rows);
  const strips = perPlane * (isPlanar ? samples : 1);
  const [offsets, counts] = [entries.get(tiffTag.offsets), entries.get(tiffTag.counts)];
  expect(offsets.length >= strips && (counts?.length ?? strips) >= strips && strips <= mostStrips, `${strips} strips`);
  return {
    width, height, samples, colors, compression, rows, perPlane, strips, offsets, counts, predicts: predictor === 2,
    beside: isPlanar ? 1 : samples, isInverted: photometric === 0, isMultiplied: samples > colors && first(tiffTag.extra, 2) === 1,
  };
}

function stripsOf({ width, height, beside, compression, rows, perPlane, strips, offsets, counts }, fileSize) {
  let left = fileSize;
  return Array.from({ length: strips }, (_, number) => {
    const top = (number % perPlane) * rows;
    const size = (Math.min(top + rows, height) - top) * width * beside;
    const start = offsets[number];
    const count = counts?.[number] ?? Math.max(0, compression === "none" ? size : fileSize - start);
    if (start + count > fileSize) throw malformed(`strip ${number} extends beyond the end of the file`);
    // Overlapping strips would let a small file become a huge picture.
    left -= count;
    if (left < 0) throw malformed(`strip ${number} overlaps others`);
    return { top, plane: Math.floor(number / perPlane), start, end: start + count, size };
  });
}

async function unpackedStrip(strip, { compression }, size) {
  if (compression === "none") return strip.slice(0, size);
  if (compression === "lzw") return unpackedLZW(strip, size);
  if (compression === "packBits") return unpackedBits(strip, size);
  try {
    return await inflate(strip, size);
  } catch {
    throw malformed("the pixels cannot be unpacked");
  }
}

/** Runs: a byte n from 0 to 127 and n + 1 bytes, or one from −1 to −127 and a byte that represents 1 − n repetitions. */
function unpackedBits(strip, size) {
  const output = new Uint8Array(size);
  let [at, count] = [0, 0];
  while (count < size && at < strip.length) {
    const head = (strip[at++] << 24) >> 24;
    if (head >= 0) {
      const run = strip.subarray(at, Math.min(at + head + 1, at + size - count));
      output.set(run, count);
      [at, count] = [at + head + 1, count + run.length];
    } else if (head > -128 && at < strip.length) {
      const end = Math.min(size, count + 1 - head);
      output.fill(strip[at++], count, end);
      count = end;
    }
  }
  return output.subarray(0, count);
}

/** Codes of 9 to 12 bits, most significant bit first, each one bit wider one code earlier than would be needed. */
function unpackedLZW(strip, size) {
  const [clear, end] = [256, 257];
  const output = new Uint8Array(size);
  // Each code is a part of the output so far.
  const [starts, lengths] = [new Int32Array(4096), new Int32Array(4096)];
  let [next, width, bits, bitCount, at, count] = [258, 9, 0, 0, 0, 0];
  let previous;
  while (count < size) {
    while (bitCount < width && at < strip.length) {
      bits = (bits << 8) | strip[at++];
      bitCount += 8;
    }
    if (bitCount < width) break;
    const code = bits >> (bitCount - width);
    bitCount -= width;
    bits &= (1 << bitCount) - 1;
    if (code === end) break;
    if (code === clear) {
      [next, width, previous] = [258, 9, undefined];
      continue;
    }
    if (code >= 256 && code >= next && !(code === next && previous)) throw malformed("an LZW code is not defined");
    if (previous && next < 4096) {
      [starts[next], lengths[next]] = [previous.start, previous.length + 1];
      next += 1;
      if (next + 1 >= 1 << width && width < 12) width += 1;
    }
    const start = count;
    const length = code < 256 ? 1 : lengths[code];
    if (code < 256) output[count++] = code;
    else for (let offset = 0; offset < length && count < size; offset++) output[count++] = output[starts[code] + offset];
    previous = { start, length };
  }
  return output.subarray(0, count);
}

/** With prediction, a sample is stored as the difference from the pixel before. */
function undoPrediction(content, row, step) {
  for (let start = 0; start < content.length; start += row) {
    for (let index = start + step; index < start + row; index++) content[index] += content[index - step];
  }
}

/** Copies the samples of a strip into pixels. */
function placeStrip(content, { top, plane, size }, { width, colors, beside, isInverted }, pixels) {
  const mask = isInverted ? 255 : 0;
  for (let at = 0, pixel = top * width * 4; at < size; at += beside, pixel += 4) {
    for (let offset = 0; offset < beside; offset++) {
      const [sample, value] = [plane + offset, content[at + offset]];
      if (sample === colors) pixels[pixel + 3] = value;
      else if (colors === 3 && sample < 3) pixels[pixel + sample] = value;
      else if (sample === 0) pixels.fill(value ^ mask, pixel, pixel + 3);
    }
  }
}

function divideByAlpha(pixels) {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3];
    for (let channel = at; channel < at + 3; channel++) {
      pixels[channel] = alpha === 0 ? 0 : Math.min(255, Math.floor((pixels[channel] * 255 + (alpha >> 1)) / alpha));
    }
  }
}
