// Runs in a page: draws effects with the module and WebGL, and compares them with pictures of the tool.
import { Drawer, Sheet } from "../../Sources/ParticlesWeb/Player/drawer.js";
import { readEffect } from "../../Sources/ParticlesWeb/Player/document.js";
import { decodeImage } from "../../Sources/ParticlesWeb/Player/image.js";
import { Effect, ParticlesModule, fetchBytes } from "../../Sources/ParticlesWeb/Player/module.js";

let [module, drawer] = [];

function difference(found, expected) {
  let [sum, most] = [0, 0];
  for (let index = 0; index < expected.length; index++) {
    if (index % 4 === 3) continue;
    const distance = Math.abs(found[index] - expected[index]);
    sum += distance;
    most = Math.max(most, distance);
  }
  return { mean: sum / ((expected.length / 4) * 3), most };
}

/** Compares an effect at several times. Adds a row of pictures to the page: the tool, WebGL, their difference times 8. */
export async function comparePictures({ name, effect: place, camera, background, size, moments, seed }) {
  module ??= await ParticlesModule.load("/module.wasm");
  if (module.isBroken) module = await module.fresh();
  if (!drawer) {
    drawer = new Drawer();
    drawer.paint = Infinity;
  }
  const contents = await readEffect(place);
  const effect = new Effect(module, contents.text, seed === undefined ? {} : { seed });
  const sheet = new Sheet(contents.images);
  const row = document.createElement("div");
  row.append(`${name} `);
  document.body.append(row);
  try {
    for (const [index, image] of contents.images) effect.setImage(index, image);
    effect.setView(size, size, { camera, background });
    const results = [];
    for (const { time, picture } of moments) {
      effect.restart();
      // Equal steps, as the tool takes them. A search takes whole steps and a rest.
      const steps = Math.ceil(time * 60 - 1e-9);
      for (let step = 0; step < steps; step++) effect.advance(time / steps);
      const order = effect.compose();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [size, size];
      const context = canvas.getContext("2d", { willReadFrequently: true });
      drawer.draw(order, sheet, { width: size, height: size });
      drawer.copy(context, size, size);
      const { count } = order;
      const found = context.getImageData(0, 0, size, size).data;
      const expected = (await decodeImage(await fetchBytes(picture))).pixels;
      const exact = Uint8ClampedArray.from(effect.paint());
      row.append(shown(expected, size), canvas, shown(found.map((value, at) => (at % 4 === 3 ? 255 : 8 * Math.abs(value - expected[at]))), size));
      results.push({ time, count, alive: effect.count, calls: drawer.calls, ...difference(found, expected), exact: difference(exact, expected) });
    }
    return results;
  } finally {
    sheet.destroy();
    effect.destroy();
  }
}

function shown(pixels, size) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [size, size];
  canvas.getContext("2d").putImageData(new ImageData(Uint8ClampedArray.from(pixels), size, size), 0, 0);
  return canvas;
}

export function clear() { document.body.replaceChildren(); }
