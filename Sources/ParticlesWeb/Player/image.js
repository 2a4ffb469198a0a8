import { crc32, inflate } from "./bytes.js";
import { ParticlesError } from "./diagnostic.js";
import { encoded } from "./texels.js";
import { decodeTIFF, isTIFF } from "./tiff.js";

/** @typedef {{width: number, height: number, pixels: Uint8Array}} Picture Pixels are RGBA, straight, 8 bits. */

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Components of a pixel by the colour type of PNG. */
const componentsOf = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Places of the seven passes of an interlaced picture: first column and row, and their distances. */
const passes = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];

const fault = (detail) => new ParticlesError("image/undecodable", { detail });

/**
 * Decodes an image file. PNG is decoded here, because canvases convert colours, and multiply them by alpha: faint pixels
 * lose theirs. TIFF is decoded here, because browsers do not. The browser decodes other formats.
 * @param {Uint8Array} bytes
 * @param {number} most pixels.
 * @returns {Promise<Picture>}
 * @throws {ParticlesError} `image/undecodable`, `limit/exceeded`.
 */
export async function decodeImage(bytes, most = 40_000_000) {
  if (pngSignature.every((byte, index) => bytes[index] === byte)) return decodePNG(bytes, most);
  if (isTIFF(bytes)) return decodeTIFF(bytes, (width, height) => checkPixels(width, height, most));
  if (typeof createImageBitmap !== "function" || typeof document === "undefined") throw fault("neither PNG nor TIFF");
  let bitmap;
  try {
    bitmap = await createImageBitmap(new Blob([bytes]), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  } catch {
    throw fault("neither PNG, TIFF nor a format of this browser");
  }
  const { width, height } = bitmap;
  checkPixels(width, height, most);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, pixels: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

function checkPixels(width, height, most) {
  if (width < 1 || height < 1) throw fault(`a size of ${width} × ${height}`);
  if (width * height > most) {
    throw new ParticlesError("limit/exceeded", { detail: "pixels of an image", expected: `at most ${most}`, found: width * height });
  }
}

/** The chunks of a PNG file that decoding needs, with their checksums checked. */
function chunksOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = { IDAT: [] };
  let at = 8;
  while (at + 12 <= bytes.length) {
    const length = view.getUint32(at);
    if (length > bytes.length - at - 12) break;
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + 8 + length;
    const isCritical = (bytes[at + 4] & 0x20) === 0;
    if (isCritical && crc32(bytes, at + 4, end) !== view.getUint32(end)) throw fault(`the checksum of the chunk ${name}`);
    const content = bytes.subarray(at + 8, end);
    if (name === "IEND") return chunks;
    if (name === "IDAT") chunks.IDAT.push(content);
    else chunks[name] ??= content;
    at = end + 4;
  }
  throw fault("the file is truncated");
}

async function decodePNG(bytes, most) {
  const chunks = chunksOf(bytes);
  const head = chunks.IHDR;
  if (head?.length !== 13) throw fault("no header");
  const view = new DataView(head.buffer, head.byteOffset, 13);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth, type, , , interlace] = head.subarray(8);
  checkPixels(width, height, most);
  const components = componentsOf[type];
  const isDepth = type === 3 ? [1, 2, 4, 8] : type === 0 ? [1, 2, 4, 8, 16] : [8, 16];
  if (!components || !isDepth.includes(depth) || interlace > 1) throw fault("an unknown colour type or depth");
  const bits = components * depth;
  const parts = interlace === 0 ? [[0, 0, 1, 1]] : passes;
  const sizes = parts.map(([x, y, across, down]) => {
    const columns = Math.ceil((width - x) / across);
    const rows = Math.ceil((height - y) / down);
    return columns > 0 && rows > 0 ? { columns, rows, bytes: Math.ceil((columns * bits) / 8) } : undefined;
  });
  const length = sizes.reduce((sum, size) => sum + (size ? size.rows * (size.bytes + 1) : 0), 0);
  const data = await unpackedRows(chunks, length);
  const image = { width, height, pixels: new Uint8Array(width * height * 4) };
  const write = pixelWriter(chunks, type, depth, image);
  let at = 0;
  sizes.forEach((size, index) => {
    if (!size) return;
    at = readPass(data, at, size, Math.max(1, bits >> 3), parts[index], write);
  });
  if (chunks.CgBI) correctApple(image.pixels);
  return image;
}

async function unpackedRows(chunks, length) {
  const data = new Uint8Array(chunks.IDAT.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of chunks.IDAT) {
    data.set(part, at);
    at += part.length;
  }
  let rows;
  try {
    rows = await inflate(data, length + (1 << 16), chunks.CgBI ? "deflate-raw" : "deflate");
  } catch {
    throw fault("the pixels cannot be unpacked");
  }
  if (rows.length < length) throw fault("rows are missing");
  return rows;
}

/** Undoes the filters of the rows of a pass, and writes their pixels. Returns the place after them. */
function readPass(data, at, { columns, rows, bytes }, distance, [x, y, across, down], write) {
  let before = new Uint8Array(bytes);
  for (let row = 0; row < rows; row++) {
    const filter = data[at];
    const line = data.subarray(at + 1, at + 1 + bytes);
    if (filter > 4) throw fault(`the filter ${filter}`);
    for (let index = 0; filter > 0 && index < bytes; index++) {
      const left = index >= distance ? line[index - distance] : 0;
      const up = before[index];
      if (filter === 1) line[index] += left;
      else if (filter === 2) line[index] += up;
      else if (filter === 3) line[index] += (left + up) >> 1;
      else {
        const corner = index >= distance ? before[index - distance] : 0;
        const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
        line[index] += a <= b && a <= c ? left : b <= c ? up : corner;
      }
    }
    write(line, columns, x, across, y + row * down);
    before = line;
    at += bytes + 1;
  }
  return at;
}

/** A function that writes a row of samples as pixels. */
function pixelWriter(chunks, type, depth, { width, pixels }) {
  const tables = componentTable(chunks, type, depth);
  const palette = chunks.PLTE;
  if (type === 3 && !palette) throw fault("no palette");
  const transparent = chunks.tRNS;
  const key = transparent && type !== 3 && transparent.length >= componentsOf[type] * 2
    ? Array.from({ length: componentsOf[type] }, (_, index) => (transparent[index * 2] << 8) | transparent[index * 2 + 1])
    : undefined;
  const components = componentsOf[type];
  const most = (1 << depth) - 1;
  const sample = depth === 16
    ? (line, index) => (line[index * 2] << 8) | line[index * 2 + 1]
    : depth === 8 ? (line, index) => line[index]
      : (line, index) => (line[(index * depth) >> 3] >> (8 - depth - ((index * depth) & 7))) & most;
  return (line, columns, x, across, row) => {
    for (let column = 0; column < columns; column++) {
      const at = (row * width + x + column * across) * 4;
      const first = column * components;
      if (type === 3) {
        const index = sample(line, column);
        if (index * 3 + 2 >= palette.length) throw fault("a colour that the palette does not have");
        for (let channel = 0; channel < 3; channel++) pixels[at + channel] = tables.color(palette[index * 3 + channel]);
        pixels[at + 3] = transparent && index < transparent.length ? transparent[index] : 255;
        continue;
      }
      const isGray = components < 3;
      for (let channel = 0; channel < 3; channel++) {
        pixels[at + channel] = tables.color(sample(line, isGray ? first : first + channel));
      }
      const hasAlpha = components === 2 || components === 4;
      let alpha = hasAlpha ? tables.alpha(sample(line, first + components - 1)) : 255;
      if (key && key.every((value, channel) => value === sample(line, first + channel))) alpha = 0;
      pixels[at + 3] = alpha;
    }
  };
}

/** Translates samples to components with 8 bits in sRGB, as libpng does. */
function componentTable(chunks, type, depth) {
  const most = type === 3 ? 255 : (1 << depth) - 1;
  const isStandard = chunks.sRGB || chunks.iCCP;
  let gamma = chunks.gAMA?.length === 4 && !isStandard
    ? new DataView(chunks.gAMA.buffer, chunks.gAMA.byteOffset, 4).getUint32(0) / 100_000 : 0;
  // Without a statement, 16 bits are linear in light.
  if (depth === 16 && gamma === 0 && !isStandard) gamma = 1;
  const isConverted = gamma > 0 && Math.abs(gamma * 2.2 - 1) > 0.05;
  const convert = (value) => Math.round((isConverted ? encoded((value / most) ** (1 / gamma)) : value / most) * 255);
  const table = most <= 255 ? Uint8Array.from({ length: most + 1 }, (_, value) => convert(value)) : undefined;
  return {
    color: table ? (value) => table[value] : convert,
    alpha: (value) => (most === 255 ? value : Math.round((value / most) * 255)),
  };
}

/** The variant of Xcode has blue first, and colours multiplied by alpha. */
function correctApple(pixels) {
  for (let at = 0; at < pixels.length; at += 4) {
    [pixels[at], pixels[at + 2]] = [pixels[at + 2], pixels[at]];
    const alpha = pixels[at + 3];
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++) {
      pixels[channel] = Math.min(255, Math.floor((pixels[channel] * 255 + (alpha >> 1)) / alpha));
    }
  }
}

/**
 * The picture in place of an image that is missing: a soft dot, as most images of particles are. A flip-book has a whole
 * dot in each frame.
 * @param {{columns?: number, rows?: number}[]} [grids] of the sprites that show the image.
 * @returns {Picture}
 */
export function softDot(grids = [], size = 32) {
  const most = (key) => grids.reduce((sum, grid) => (grid?.[key] > sum ? Math.floor(grid[key]) : sum), 1);
  let [columns, rows] = [most("columns"), most("rows")];
  // As many pixels as the library paints for all missing images.
  if (columns * rows * size * size > 1 << 22) [columns, rows] = [1, 1];
  const [width, height] = [columns * size, rows * size];
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [(((x % size) + 0.5) / size) * 2 - 1, (((y % size) + 0.5) / size) * 2 - 1];
      pixels[(y * width + x) * 4 + 3] = Math.round(Math.max(0, 1 - u * u - v * v) * 255);
    }
  }
  return { width, height, pixels };
}
