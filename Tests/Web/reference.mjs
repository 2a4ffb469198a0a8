// A second implementation of what Spec/player.md says about quads and blend states, in the plainest form:
// every pixel of every quad, with numbers of 64 bits.
import { Texels } from "../../Sources/ParticlesWeb/Player/texels.js";

const unit = (value) => Math.min(Math.max(value, 0), 1);

function factor(name, s, d, channel) {
  switch (name) {
    case 0: return 0;
    case 1: return 1;
    case 768: return s[channel];
    case 769: return 1 - s[channel];
    case 770: return s[3];
    case 771: return 1 - s[3];
    case 772: return d[3];
    case 773: return 1 - d[3];
    case 774: return d[channel];
    case 775: return 1 - d[channel];
    case 776: return channel === 3 ? 1 : Math.min(s[3], 1 - d[3]);
    default: throw new Error(`factor ${name}`);
  }
}

export function blended(state, fragment, picture) {
  const [, , source, destination, alphaSource, alphaDestination, equation] = state;
  const s = fragment.map(unit);
  return picture.map((value, channel) => {
    const a = s[channel] * factor(channel === 3 ? alphaSource : source, s, picture, channel);
    const b = value * factor(channel === 3 ? alphaDestination : destination, s, picture, channel);
    return unit([a + b, a - b, b - a, Math.min(s[channel], value), Math.max(s[channel], value)][equation]);
  });
}

function levelOf(texels, quad) {
  if (!texels.image) return 0;
  const [a, b, , d] = [0, 1, 2, 3].map((index) => [quad.floats[index * 2], quad.floats[index * 2 + 1]]);
  const part = quad.floats.subarray(11, 15);
  const x = (texels.width * Math.abs(part[2] - part[0])) / Math.max(Math.hypot(b[0] - a[0], b[1] - a[1]), 1e-3);
  const y = (texels.height * Math.abs(part[3] - part[1])) / Math.max(Math.hypot(d[0] - a[0], d[1] - a[1]), 1e-3);
  const ratio = Math.min(Math.max(x, y), 4 * Math.min(x, y));
  let level = 0;
  while (level < texels.most && ratio > 1.5 * 2 ** level) level += 1;
  return level;
}

function sample(plane, size, isNearest, u, v) {
  const [x, y] = [unit(u) * size[0], unit(v) * size[1]];
  const at = (column, row) => {
    const clamped = [Math.min(Math.max(column, 0), plane.columns - 1), Math.min(Math.max(row, 0), plane.rows - 1)];
    const index = (clamped[1] * plane.columns + clamped[0]) * 4;
    return plane.texels.subarray(index, index + 4);
  };
  if (isNearest) return [...at(Math.floor(x), Math.floor(y))];
  const [column, row] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [p, q] = [x - 0.5 - column, y - 0.5 - row];
  const corners = [at(column, row), at(column + 1, row), at(column, row + 1), at(column + 1, row + 1)];
  return [0, 1, 2, 3].map((channel) =>
    (corners[0][channel] * (1 - p) + corners[1][channel] * p) * (1 - q) + (corners[2][channel] * (1 - p) + corners[3][channel] * p) * q);
}

/** Draws an order, as RGBA that is multiplied by alpha, with 8 bits. */
export function drawReference(order, images, width, height) {
  const background = order.background ?? [0, 0, 0, 0];
  const curve = (value) => (order.isLinear ? (value > 0.04045 ? ((value + 0.055) / 1.055) ** 2.4 : value / 12.92) : value);
  const clear = [0, 1, 2].map((channel) => curve(background[channel]) * background[3]).concat(background[3]);
  const picture = Array.from({ length: width * height }, () => [...clear]);
  const floats = new Float32Array(order.quads.buffer, order.quads.byteOffset, order.count * 24);
  const integers = new Int32Array(order.quads.buffer, order.quads.byteOffset, order.count * 24);
  const textures = order.textures.map((record) => new Texels(record, images.get(record.image), order.isLinear));
  const planes = new Map();
  const planeOf = (index, form, level) => {
    const key = `${index} ${form}`;
    if (!planes.has(key)) planes.set(key, [...textures[index].planes(form)]);
    return planes.get(key).find((plane) => plane.level === level);
  };
  for (let number = 0; number < order.count; number++) {
    const quad = { floats: floats.subarray(number * 24, number * 24 + 24), integers: integers.subarray(number * 24, number * 24 + 24) };
    const f = quad.floats;
    const [texture, next, stateIndex, flags] = [quad.integers[19], quad.integers[20], quad.integers[22], quad.integers[23]];
    const state = order.states.subarray(stateIndex * 8, stateIndex * 8 + 8);
    const alpha = f[18];
    const tint = [15, 16, 17].map((at) => f[at] * (state[1] ? alpha : 1)).concat(alpha);
    const corners = [0, 1, 2, 3].map((index) => [f[index * 2], f[index * 2 + 1]]);
    if (flags & 2) corners[2] = corners[1];
    const [x, y] = [1, 3].map((index) => [corners[index][0] - corners[0][0], corners[index][1] - corners[0][1]]);
    const area = x[0] * y[1] - x[1] * y[0];
    if (!(Math.abs(area) > 1e-9)) continue;
    const sources = [texture, ...(next >= 0 && f[21] > 0 ? [next] : [])].map((index) => {
      const level = levelOf(textures[index], quad);
      return { plane: planeOf(index, state[0], level), size: [textures[index].width / 2 ** level, textures[index].height / 2 ** level] };
    });
    const inside = (px, py) => {
      let sign = 0;
      for (let index = 0; index < 4; index++) {
        const [a, b] = [corners[index], corners[(index + 1) % 4]];
        const side = (b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0]);
        if (side === 0) continue;
        if (sign !== 0 && Math.sign(side) !== sign) return false;
        sign = Math.sign(side);
      }
      return sign !== 0;
    };
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const [px, py] = [column + 0.5, row + 0.5];
        if (!inside(px, py)) continue;
        const [dx, dy] = [px - corners[0][0], py - corners[0][1]];
        const [s, t] = [(dx * y[1] - dy * y[0]) / area, (x[0] * dy - x[1] * dx) / area];
        const near = [f[8], f[9], f[10]];
        const w = near[0] + s * (near[1] - near[0]) + t * (near[2] - near[0]);
        const mix = (first, second, third) => (first * near[0] * (1 - s - t) + second * near[1] * s + third * near[2] * t) / w;
        const [u, v] = [mix(f[11], f[13], f[11]), mix(f[12], f[12], f[14])];
        let texel = sample(sources[0].plane, sources[0].size, flags & 1, u, v);
        if (sources[1]) {
          const other = sample(sources[1].plane, sources[1].size, flags & 1, u, v);
          texel = texel.map((value, channel) => value + (other[channel] - value) * f[21]);
        }
        const place = row * width + column;
        picture[place] = blended(state, texel.map((value, channel) => value * tint[channel]), picture[place]);
      }
    }
  }
  const bytes = new Uint8Array(width * height * 4);
  picture.forEach((color, index) => {
    const isOpaque = background[3] >= 1;
    const alpha = isOpaque ? 1 : Math.max(...color);
    const encode = (value) => (order.isLinear ? (value > 0.0031308 ? 1.055 * value ** (1 / 2.4) - 0.055 : value * 12.92) : value);
    for (let channel = 0; channel < 3; channel++) {
      bytes[index * 4 + channel] = Math.round(alpha > 0 ? encode(color[channel] / alpha) * alpha * 255 : 0);
    }
    bytes[index * 4 + 3] = Math.round(alpha * 255);
  });
  return bytes;
}
