/** Words of 32 bits of a quad. */
const words = 24;
/** What a quad costs beside its samples, as so many samples. */
const quadCost = 256;

/**
 * Leaves quads out, evenly over all, until the rest covers at most `most` samples: they are the cost of a picture. Follows
 * the native rasteriser.
 * @param {Uint8Array} quads
 * @param {number} count of quads.
 * @param {{columns: number, rows: number}} size of the picture in samples.
 * @param {number} most samples.
 * @returns {{quads: Uint8Array, count: number, area: number}} the given quads if they are not too much.
 */
export function thinned(quads, count, { columns, rows }, most) {
  const floats = new Float32Array(quads.buffer, quads.byteOffset, count * words);
  const areas = new Float64Array(count);
  let area = 0;
  for (let index = 0, at = 0; index < count; index++, at += words) {
    const [a, b, c, d] = [floats[at], floats[at + 2], floats[at + 4], floats[at + 6]];
    const [e, f, g, h] = [floats[at + 1], floats[at + 3], floats[at + 5], floats[at + 7]];
    const width = Math.min(columns, Math.max(a, b, c, d)) - Math.max(0, Math.min(a, b, c, d));
    const height = Math.min(rows, Math.max(e, f, g, h)) - Math.max(0, Math.min(e, f, g, h));
    areas[index] = width > 0 && height > 0 ? width * height + quadCost : 0;
    area += areas[index];
  }
  if (area <= most) return { quads, count, area };
  const share = most / area;
  const numbers = new Uint32Array(quads.buffer, quads.byteOffset, count * words);
  const rest = new Uint32Array(count * words);
  let [sum, painted, kept] = [0, 0, 0];
  for (let index = 0; index < count; index++) {
    sum += areas[index] * share;
    if (areas[index] === 0 || (painted + areas[index] > sum * (1 + 1e-9) && painted > 0)) continue;
    painted += areas[index];
    rest.set(numbers.subarray(index * words, index * words + words), kept * words);
    kept += 1;
  }
  return { quads: new Uint8Array(rest.buffer, 0, kept * words * 4), count: kept, area: painted };
}

/** The pixels that quads cover, by the rectangles around them. */
export function covered(quads, count, { columns, rows }) {
  const floats = new Float32Array(quads.buffer, quads.byteOffset, count * words);
  let area = 0;
  for (let at = 0; at < count * words; at += words) {
    const [a, b, c, d] = [floats[at], floats[at + 2], floats[at + 4], floats[at + 6]];
    const [e, f, g, h] = [floats[at + 1], floats[at + 3], floats[at + 5], floats[at + 7]];
    const width = Math.min(columns, Math.max(a, b, c, d)) - Math.max(0, Math.min(a, b, c, d));
    const height = Math.min(rows, Math.max(e, f, g, h)) - Math.max(0, Math.min(e, f, g, h));
    if (width > 0 && height > 0) area += width * height;
  }
  return area;
}
