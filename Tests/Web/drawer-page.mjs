// Runs in a page: draws random quads with the drawer and with the reference, and compares them.
import { Drawer, Sheet } from "../../Sources/ParticlesWeb/Player/drawer.js";
import { drawReference } from "./reference.mjs";

let state = 1;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 4294967296;
};
const between = (low, high) => low + random() * (high - low);
const chosen = (list) => list[Math.floor(random() * list.length)];

function image(width, height) {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const alpha = Math.max(0, 1 - Math.hypot((x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5) * 2);
      pixels.set([255 * Math.abs(Math.sin(x / 3)), 255 * Math.abs(Math.cos(y / 5)), ((x ^ y) & 8) * 30, alpha * 255], at);
    }
  }
  return { width, height, pixels };
}

const size = 64;
const images = new Map([[0, image(32, 32)], [1, image(100, 37)]]);
const records = [
  { image: -1, left: 0, top: 0, width: 1, height: 1 },
  { image: 0, left: 0, top: 0, width: 32, height: 32 },
  { image: 1, left: 10, top: 3, width: 60, height: 50, isRotated: true },
  { image: 1, left: 0, top: 0, width: 100, height: 37, isStoredPremultiplied: true },
  { image: 0, left: 0, top: 0, width: 32, height: 32, isLight: true },
].map((record) => ({ isRotated: false, isStoredPremultiplied: false, isLight: false, ...record }));

const blends = {
  alpha: [1, 1, 1, 771, 1, 771, 0], straight: [0, 0, 770, 771, 1, 771, 0], add: [1, 1, 1, 1, 0, 1, 0],
  straightAdd: [0, 0, 770, 1, 0, 1, 0], subtract: [1, 1, 1, 1, 0, 1, 2], multiply: [0, 0, 774, 0, 0, 1, 0],
  multiplyAlpha: [1, 1, 774, 771, 1, 771, 0], multiplyX2: [0, 0, 774, 768, 0, 1, 0], screen: [1, 1, 1, 769, 0, 1, 0],
  replace: [0, 0, 1, 0, 1, 0, 0], stored: [2, 0, 1, 771, 1, 771, 0], min: [0, 0, 1, 1, 0, 1, 3], max: [0, 0, 1, 1, 0, 1, 4],
  minus: [0, 0, 770, 1, 1, 771, 1], saturate: [0, 0, 776, 1, 1, 1, 0], below: [0, 0, 773, 1, 773, 1, 0],
  inverted: [0, 0, 775, 769, 1, 771, 0], covered: [0, 0, 772, 773, 1, 771, 0],
};

function quad(view, index, stateIndex, options) {
  const floats = new Float32Array(view, index * 96, 24);
  const integers = new Int32Array(view, index * 96, 24);
  const [x, y] = [between(5, size - 5), between(5, size - 5)];
  const [w, h, angle] = [between(4, 30), between(4, 30), between(0, 6.3)];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([a, b], corner) => {
    floats[corner * 2] = x + a * w * c - b * h * s;
    floats[corner * 2 + 1] = y + a * w * s + b * h * c;
  });
  floats.set([1, 1, 1], 8);
  if (options.perspective) floats.set([between(0.5, 2), between(0.5, 2), between(0.5, 2)], 8);
  floats.set(random() < 0.3 ? [0.25, 0.1, 0.75, 0.9] : [0, 0, 1, 1], 11);
  const bright = options.bright ? 2 : 1;
  floats.set([between(0, bright), between(0, bright), between(0, bright), between(0, 1)], 15);
  integers[19] = options.texture ?? Math.floor(random() * records.length);
  integers[20] = random() < 0.3 ? Math.floor(random() * records.length) : -1;
  floats[21] = random();
  integers[22] = stateIndex;
  integers[23] = (options.nearest ? 1 : 0) | (options.triangle ? 2 : 0);
}

function compare(drawer, order) {
  const sheet = new Sheet(images);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [size, size];
  const context = canvas.getContext("2d");
  if (!drawer.draw(order, sheet, { width: size, height: size })) throw new Error("not drawn");
  const found = new Uint8Array(size * size * 4);
  drawer.gl.readPixels(0, 0, size, size, drawer.gl.RGBA, drawer.gl.UNSIGNED_BYTE, found);
  drawer.copy(context, size, size);
  const expected = drawReference(order, images, size, size);
  let [sum, most, outliers] = [0, 0, 0];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size * 4; x++) {
      const difference = Math.abs(expected[y * size * 4 + x] - found[(size - 1 - y) * size * 4 + x]);
      sum += difference;
      most = Math.max(most, difference);
      if (difference > 3) outliers += 1;
    }
  }
  const error = drawer.gl.getError();
  sheet.destroy();
  return { mean: sum / expected.length, most, outliers: outliers / expected.length, calls: drawer.calls, error };
}

export function compareAll(precision) {
  const drawer = new Drawer({ precision });
  const names = Object.keys(blends);
  const states = Int32Array.from(names.flatMap((name) => [...blends[name], 0]));
  const results = {};
  const run = (name, count, makeOptions, order) => {
    state = 7;
    const quads = new Uint8Array(count * 96);
    for (let index = 0; index < count; index++) {
      const { stateIndex, ...options } = makeOptions(index);
      quad(quads.buffer, index, stateIndex, options);
    }
    results[name] = compare(drawer, { quads, count, states, textures: records, isLinear: false, background: null, ...order });
  };
  const opaque = [0.3, 0.2, 0.6, 1];
  names.forEach((name, stateIndex) => {
    run(name, 12, () => ({ stateIndex }), { background: opaque });
    run(`${name}, bright`, 12, () => ({ stateIndex, bright: true }), { background: opaque });
    run(`${name}, translucent`, 12, () => ({ stateIndex, bright: true }), { background: [0.9, 0.4, 0.2, 0.5] });
  });
  run("transparent", 12, (index) => ({ stateIndex: [0, 2, 10][index % 3] }), {});
  run("mixed states", 40, () => ({ stateIndex: Math.floor(random() * names.length), bright: true }), { background: opaque });
  run("linear", 24, (index) => ({ stateIndex: [0, 1, 2][index % 3] }), { background: opaque, isLinear: true });
  run("linear, transparent", 24, (index) => ({ stateIndex: [0, 1, 2][index % 3] }), { isLinear: true });
  run("perspective", 16, () => ({ stateIndex: 0, perspective: true }), { background: opaque });
  run("nearest", 16, () => ({ stateIndex: 0, nearest: true }), { background: opaque });
  run("triangles", 16, () => ({ stateIndex: 0, triangle: true }), { background: opaque });
  return { precision: drawer.precisions[0], results };
}

export async function loseAndRestore() {
  const drawer = new Drawer();
  const states = Int32Array.from([...blends.alpha, 0]);
  const quads = new Uint8Array(96);
  state = 3;
  quad(quads.buffer, 0, 0, { texture: 1 });
  const order = { quads, count: 1, states, textures: records, isLinear: false, background: [0, 0, 0, 1] };
  const sheet = new Sheet(images);
  const picture = () => {
    const isDrawn = drawer.draw(order, sheet, { width: size, height: size });
    const pixels = new Uint8Array(size * size * 4);
    if (isDrawn) drawer.gl.readPixels(0, 0, size, size, drawer.gl.RGBA, drawer.gl.UNSIGNED_BYTE, pixels);
    return isDrawn ? Array.from(pixels).join() : "";
  };
  const before = picture();
  const extension = drawer.gl.getExtension("WEBGL_lose_context");
  // A context can be restored when the event of its loss is over.
  const changed = () => new Promise((resolve) => { drawer.onchange = () => setTimeout(resolve, 50); });
  let change = changed();
  extension.loseContext();
  await change;
  const isDrawnWhileLost = picture() !== "";
  change = changed();
  extension.restoreContext();
  await change;
  return { isEqual: picture() === before && before.length > 0, isDrawnWhileLost };
}
