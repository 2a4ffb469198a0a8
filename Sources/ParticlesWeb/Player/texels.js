/** Light of an sRGB component, and an sRGB component of light. */
export const light = (encoded) => (encoded > 0.04045 ? ((encoded + 0.055) / 1.055) ** 2.4 : encoded / 12.92);
export const encoded = (light) => (light > 0.0031308 ? 1.055 * light ** (1 / 2.4) - 0.055 : light * 12.92);

/** The forms of texels, as blend states number them. */
export const straight = 0;
export const premultiplied = 1;
export const stored = 2;

/** The most texels that are kept at one resolution. */
const mostTexels = 16_000_000;

/**
 * A texture as the module describes it: a rectangle of an image.
 * @typedef {object} TextureRecord
 * @property {number} image the index of its image, or −1 for a white square.
 * @property {number} left @property {number} top @property {number} width @property {number} height
 * @property {boolean} isRotated @property {boolean} isStoredPremultiplied @property {boolean} isLight
 */

/** A texture, cut out of its image, at several resolutions. Follows `SpriteTexture` of the native rasteriser. */
export class Texels {
  /**
   * @param {TextureRecord} record
   * @param {{width: number, height: number, pixels: Uint8Array}} [image] RGBA, by default a white square.
   * @param {boolean} isLinear whether the picture is mixed in linear light.
   * @param {number} greatest side of a level.
   */
  constructor(record, image, isLinear, greatest = 8192) {
    const clamped = (value, most) => Math.min(Math.max(value, 0), most);
    const x = image ? clamped(record.left, image.width) : 0;
    const y = image ? clamped(record.top, image.height) : 0;
    const width = image ? clamped(record.width, image.width - x) : 0;
    const height = image ? clamped(record.height, image.height - y) : 0;
    this.record = record;
    this.origin = { x, y };
    this.image = width > 0 && height > 0 ? image : undefined;
    [this.width, this.height] = this.image
      ? (record.isRotated ? [height, width] : [width, height]) : [1, 1];
    this.convert = record.isLight === isLinear ? undefined : record.isLight ? encoded : light;
    [this.least, this.most] = this.image ? this.levels(greatest) : [0, 0];
  }

  /** The first level that is not too large, and the last level that a quad may ask for. */
  levels(greatest) {
    let least = 0;
    while ((this.width >> least) * (this.height >> least) > mostTexels || Math.max(this.width, this.height) / (1 << least) > greatest) {
      least += 1;
    }
    const longer = Math.max(this.width, this.height) >> 1;
    const shorter = Math.min(this.width, this.height) >> 1;
    let most = 0;
    // With fewer texels, a round spot would become a rectangle.
    while (most < 15 && longer >> most >= 4 && shorter >> most >= 2) most += 1;
    return [least, Math.max(least, most)];
  }

  /** The size in texels of a level. */
  size(level) {
    const part = 1 << level;
    return { columns: Math.ceil(this.width / part), rows: Math.ceil(this.height / part) };
  }

  /** The texels of all levels from `least` on in a form: red, green, blue and alpha of each, from 0 to 1. */
  *planes(form) {
    if (!this.image) {
      yield { level: 0, columns: 1, rows: 1, texels: Float32Array.of(1, 1, 1, 1) };
      return;
    }
    let sums = this.full(form);
    let [columns, rows] = [this.width, this.height];
    for (let level = 0; level <= this.most; level++) {
      if (level > 0) {
        sums = halved(sums, columns, rows);
        [columns, rows] = [(columns + 1) >> 1, (rows + 1) >> 1];
      }
      if (level >= this.least) {
        yield { level, columns, rows, texels: level === 0 ? sums : this.means(sums, level, columns, rows) };
      }
    }
  }

  full(form) {
    const { record, width, height, convert, origin } = this;
    const { pixels, width: stride } = this.image;
    const isDivided = record.isStoredPremultiplied && form !== stored;
    const table = Float32Array.from({ length: 256 }, (_, value) => (convert ? convert(value / 255) : value / 255));
    const texels = new Float32Array(width * height * 4);
    let at = 0;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at += 4) {
        // A picture turned clockwise has its left edge at the top.
        const [column, row] = record.isRotated
          ? [origin.x + height - 1 - y, origin.y + x] : [origin.x + x, origin.y + y];
        const index = (row * stride + column) * 4;
        const alpha = pixels[index + 3] / 255;
        const factor = form === premultiplied ? alpha : 1;
        for (let channel = 0; channel < 3; channel++) {
          let value = pixels[index + channel];
          if (isDivided) {
            value = alpha > 0 ? Math.min(value / alpha, 255) / 255 : 0;
            value = convert ? convert(value) : value;
          } else {
            value = table[value];
          }
          texels[at + channel] = value * factor;
        }
        texels[at + 3] = alpha;
      }
    }
    return texels;
  }

  /** Divides sums by the number of texels at full resolution that they are of. */
  means(sums, level, columns, rows) {
    const size = 1 << level;
    const means = new Float32Array(sums.length);
    for (let y = 0, at = 0; y < rows; y++) {
      const high = Math.min(this.height, (y + 1) * size) - y * size;
      for (let x = 0; x < columns; x++, at += 4) {
        const count = high * (Math.min(this.width, (x + 1) * size) - x * size);
        for (let channel = 0; channel < 4; channel++) means[at + channel] = sums[at + channel] / count;
      }
    }
    return means;
  }
}

/** Sums of two by two texels, or fewer at the right and the lower edge. */
function halved(sums, columns, rows) {
  const [width, height] = [(columns + 1) >> 1, (rows + 1) >> 1];
  const result = new Float32Array(width * height * 4);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const from = (y * columns + x) * 4;
      const to = ((y >> 1) * width + (x >> 1)) * 4;
      for (let channel = 0; channel < 4; channel++) result[to + channel] += sums[from + channel];
    }
  }
  return result;
}
