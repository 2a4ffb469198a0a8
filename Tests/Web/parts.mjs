// Parts of the player without a page: texels at several resolutions, blend states, reports of an element, and refused input.
// `node --test Tests/Web/parts.mjs`
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { BlendState } from "../../Sources/ParticlesWeb/Player/blending.js";
import { readEffect } from "../../Sources/ParticlesWeb/Player/document.js";
import { Drawer } from "../../Sources/ParticlesWeb/Player/drawer.js";
import { ParticlesEffectElement } from "../../Sources/ParticlesWeb/Player/element.js";
import { decodeImage } from "../../Sources/ParticlesWeb/Player/image.js";
import { Effect, jsonText } from "../../Sources/ParticlesWeb/Player/module.js";
import { EffectPainting } from "../../Sources/ParticlesWeb/Player/painting.js";
import { EffectPlayback } from "../../Sources/ParticlesWeb/Player/playback.js";
import { Stage, stage as sharedStage } from "../../Sources/ParticlesWeb/Player/stage.js";
import { encoded, light, premultiplied, stored, straight, Texels } from "../../Sources/ParticlesWeb/Player/texels.js";
import { writePackage } from "../../Sources/ParticlesWeb/Player/write.js";
import { fakeModule } from "./fake-module.mjs";
import { blended } from "./reference.mjs";

let state = 1;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 4294967296;
};
const image = (width, height) => ({ width, height, pixels: Uint8Array.from({ length: width * height * 4 }, () => Math.floor(random() * 256)) });
const record = (values) => ({ image: 0, left: 0, top: 0, isRotated: false, isStoredPremultiplied: false, isLight: false, ...values });
const isNear = (found, expected, note) => assert.ok(Math.abs(found - expected) < 1e-6, `${note}: ${found}, not ${expected}`);

// MARK: Textures

test("forms of texels have the numbers of blend states", () => assert.deepEqual([straight, premultiplied, stored], [0, 1, 2]));

test("levels end where a spot would become a rectangle, and begin where one is not too large", () => {
  const levels = (width, height, greatest) => {
    const texels = new Texels(record({ width, height }), { width, height, pixels: new Uint8Array(0) }, false, greatest);
    return [texels.least, texels.most];
  };
  assert.deepEqual(levels(64, 32), [0, 4]);
  assert.deepEqual(levels(64, 64), [0, 4]);
  assert.deepEqual(levels(7, 7), [0, 0]);
  assert.deepEqual(levels(8, 4), [0, 1]);
  assert.deepEqual(levels(64, 32, 16), [2, 4]);
  assert.deepEqual(levels(64, 32, 63), [1, 4]);
  assert.deepEqual(levels(8000, 4000), [1, 10], "at most 16 million texels");
});

test("each level has the means of a picture, in each form, also of a part, turned, and where sides are odd", () => {
  const source = image(23, 17);
  for (const values of [{ width: 23, height: 17 }, { left: 3, top: 5, width: 19, height: 11 }, { left: 2, top: 1, width: 13, height: 15, isRotated: true }, { width: 99, height: 99, left: 20, top: 14 }]) {
    for (const isStoredPremultiplied of [false, true]) {
      for (const [isLight, isLinear] of [[false, false], [true, false], [false, true]]) {
        for (const form of [straight, premultiplied, stored]) {
          const texels = new Texels(record({ ...values, isStoredPremultiplied, isLight }), source, isLinear);
          const [left, top] = [values.left ?? 0, values.top ?? 0];
          const [partWidth, partHeight] = [Math.min(values.width, 23 - left), Math.min(values.height, 17 - top)];
          const [width, height] = values.isRotated ? [partHeight, partWidth] : [partWidth, partHeight];
          assert.deepEqual([texels.width, texels.height], [width, height]);
          /** The colour at a place of the upright picture. */
          const at = (x, y) => {
            const [column, row] = values.isRotated ? [partWidth - 1 - y, x] : [x, y];
            const start = ((top + row) * 23 + left + column) * 4;
            const alpha = source.pixels[start + 3] / 255;
            const convert = isLight === isLinear ? (value) => value : isLight ? encoded : light;
            return [0, 1, 2].map((channel) => {
              const byte = source.pixels[start + channel];
              const value = isStoredPremultiplied && form !== stored ? (alpha > 0 ? Math.min(byte / alpha, 255) / 255 : 0) : byte / 255;
              return convert(value) * (form === premultiplied ? alpha : 1);
            }).concat(alpha);
          };
          for (const plane of texels.planes(form)) {
            const size = 2 ** plane.level;
            assert.deepEqual([plane.columns, plane.rows, plane.texels.length], [Math.ceil(width / size), Math.ceil(height / size), plane.columns * plane.rows * 4]);
            assert.deepEqual(texels.size(plane.level), { columns: plane.columns, rows: plane.rows });
            for (const [column, row] of [[0, 0], [plane.columns - 1, plane.rows - 1], [plane.columns >> 1, 0]]) {
              const sum = [0, 0, 0, 0];
              let count = 0;
              for (let y = row * size; y < Math.min(height, (row + 1) * size); y++) {
                for (let x = column * size; x < Math.min(width, (column + 1) * size); x++) {
                  at(x, y).forEach((value, channel) => { sum[channel] += value; });
                  count += 1;
                }
              }
              sum.forEach((value, channel) => assert.ok(Math.abs(plane.texels[(row * plane.columns + column) * 4 + channel] - value / count) < 1e-5, `level ${plane.level}, ${column} ${row} ${channel}`));
            }
          }
        }
      }
    }
  }
  const [white] = new Texels(record({ image: -1, width: 5, height: 5 }), undefined, true).planes(straight);
  assert.deepEqual([...white.texels], [1, 1, 1, 1]);
});

test("light and encoded values are the inverse of each other", () => {
  for (let value = 0; value <= 1; value += 1 / 64) isNear(encoded(light(value)), value, "a component");
  isNear(light(0.5), 0.21404114, "a half");
});

// MARK: Blend states

test("a blend state says what the plainest form of the law does", () => {
  const factors = [0, 1, 768, 769, 770, 771, 774];
  for (const source of factors) {
    for (const destination of factors) {
      for (const [alphaSource, alphaDestination] of [[1, 771], [0, 1], [770, 1], [1, 1], [1, 0]]) {
        for (const equation of [0, 1, 2]) {
          const numbers = Int32Array.of(0, 0, source, destination, alphaSource, alphaDestination, equation, 0);
          const blend = new BlendState(Int32Array.of(...Array(8).fill(9), ...numbers), 1);
          assert.deepEqual([blend.form, blend.isTintPremultiplied, blend.source, blend.destination, blend.alphaSource, blend.alphaDestination, blend.equation], [0, false, source, destination, alphaSource, alphaDestination, equation]);
          // The law, without its bounds.
          const factor = (name, s, d, channel) => ({ 0: 0, 1: 1, 768: s[channel], 769: 1 - s[channel], 770: s[3], 771: 1 - s[3], 774: d[channel] })[name];
          let isAbove = false;
          for (let turn = 0; turn < 40; turn++) {
            const [s, d] = [0, 1].map(() => Array.from({ length: 4 }, () => (turn < 16 ? Math.round(random()) : random())));
            d.forEach((value, channel) => {
              const a = s[channel] * factor(channel === 3 ? alphaSource : source, s, d, channel);
              const b = value * factor(channel === 3 ? alphaDestination : destination, s, d, channel);
              const exact = [a + b, a - b, b - a][equation];
              isNear(blended([...numbers], s, d)[channel], Math.min(Math.max(exact, 0), 1), "the reference");
              isAbove ||= exact > 1 + 1e-9;
            });
          }
          if (isAbove) assert.ok(equation !== 0 || blend.mayExceed(false), `${numbers} exceeds 1`);
          assert.equal(blend.isNegative, equation === 1 || equation === 2);
          if (blend.isSum) assert.ok([1].includes(destination) && [0, 2].includes(equation) && alphaDestination === 1);
        }
      }
    }
  }
  assert.equal(new BlendState(Int32Array.of(1, 1, 1, 771, 1, 771, 0, 0), 0).mayExceed(false), false, "premultiplied over");
  assert.equal(new BlendState(Int32Array.of(1, 1, 1, 1, 1, 1, 0, 0), 0).isSum, true);
});

// MARK: Drawing

/** A context of WebGL that draws nothing, and can draw on textures of one format. */
function fakeContext(drawable) {
  let format;
  const own = {
    textures: 0,
    createTexture: () => { own.textures += 1; return {}; },
    deleteTexture: () => { own.textures -= 1; },
    getExtension: (name) => ({ EXT_texture_norm16: { RGBA16_EXT: "RGBA16_EXT" }, EXT_color_buffer_float: {} })[name] ?? null,
    getParameter: () => "",
    getProgramParameter: () => true,
    isContextLost: () => false,
    texStorage2D: (...values) => { format = values[2]; },
    checkFramebufferStatus: () => (format === drawable ? "FRAMEBUFFER_COMPLETE" : "FRAMEBUFFER_UNSUPPORTED"),
  };
  return new Proxy(own, { get: (_, name) => own[name] ?? (/^[A-Z0-9_]+$/.test(name) ? name : () => ({})) });
}

test("pictures are drawn on the most precise texture that can be drawn on", () => {
  for (const [isLinear, formats] of [[false, ["RGBA16_EXT", "RGBA16F", "RGBA8", "none"]], [true, ["RGBA16F", "SRGB8_ALPHA8"]]]) {
    for (const format of formats) {
      const gl = fakeContext(format);
      const drawer = new Drawer({ canvas: { getContext: () => gl, addEventListener() {} } });
      const target = drawer.prepareTarget(4, 2, isLinear);
      assert.deepEqual([target.format, target.width, target.height, target.isClamped], [format === "none" ? "RGBA8" : format, 4, 2, format !== "RGBA16F"]);
      assert.equal(gl.textures, 1, "textures that cannot be drawn on are given back");
      assert.equal(drawer.prepareTarget(3, 2, isLinear), target);
    }
  }
});

// MARK: Elements

test("without a worker an effect has lower limits, and an element replaces single ones", async () => {
  const limits = async (isWorker, own) => {
    const created = [];
    sharedStage.host = async () => ({ isWorker, post: ({ values }, done) => { created.push(values); done({ value: { warnings: [] } }); } });
    const element = {
      contents: { text: "{}", images: new Map(), warnings: [] }, changes: new Map(), limits: own, loadNumber: 1, round: 0,
      destroyEffect() {}, hasAttribute: () => true, updateView: async () => {}, send() {},
    };
    assert.ok(await ParticlesEffectElement.prototype.create.call(element, 1));
    return created[0].options.limits;
  };
  try {
    assert.deepEqual(await limits(true, {}), { particles: 100_000, particleSteps: 1_000_000 });
    assert.deepEqual(await limits(false, {}), { particles: 20_000, particleSteps: 200_000 });
    assert.deepEqual(await limits(false, { particles: 5, reading: { depth: 1 } }), { particles: 5, particleSteps: 200_000 });
  } finally {
    delete sharedStage.host;
  }
});

test("sprites that are left out are reported once, after thirty frames in a row", () => {
  const sent = [];
  const element = { contents: { file: "a.particles" }, send: (name, error) => sent.push([name, error.severity, error.message]) };
  const { noteOmitted } = EffectPainting.prototype;
  const frames = (count, omitted) => { for (let frame = 0; frame < count; frame++) noteOmitted.call(element, omitted, 9); };
  frames(29, 2);
  frames(1, 0);
  frames(29, 2);
  assert.deepEqual(sent, []);
  frames(1, 2);
  assert.deepEqual(sent.map(([name, severity]) => [name, severity]), [["rate", "warning"]]);
  assert.match(sent[0][2], /^2 of 9 sprites/);
  frames(1, 0);
  frames(60, 2);
  assert.equal(sent.length, 1);
});

test("the rate is told while an effect plays", () => {
  const sent = [];
  const element = { isPlaying: true, send: (_, error) => sent.push([error.severity, error.message]) };
  const { noteRate } = EffectPainting.prototype;
  noteRate.call(element, 1, 20);
  noteRate.call(element, 2, 31.6);
  element.isPlaying = false;
  noteRate.call(element, 2, 31.6);
  assert.deepEqual(sent.map(([severity]) => severity), ["note", "warning"]);
  assert.match(sent[1][1], /take 32 ms/);
});

test("the view has the size in device pixels, at most 4096, and a fault is that of the effect that is shown", async () => {
  const views = [];
  const heard = [];
  const effect = { setView: async (view) => { if (effect.fault) throw effect.fault; views.push(view); } };
  const element = {
    effect, isAttached: true, clientWidth: 100, clientHeight: 50, background: "auto", contents: {}, getAttribute: () => element.view,
    colorOf: (text) => text, invalidate: () => heard.push("draws"), fail: (error) => heard.push(error.message),
  };
  const update = async (values = {}) => {
    Object.assign(element, values);
    views.length = heard.length = 0;
    await EffectPainting.prototype.updateView.call(element);
    return views[0];
  };
  globalThis.devicePixelRatio = 2;
  assert.deepEqual(await update(), { width: 200, height: 100, options: { view: "auto", camera: undefined, background: "auto", scale: 1 }, isCameraKept: true });
  assert.deepEqual(heard, ["draws"]);
  assert.equal((await update({ view: "pixels" })).options.scale, 2);
  assert.deepEqual([(await update({ clientWidth: 4096 })).width, views[0].height, views[0].options.scale], [4096, 50, 1]);
  const exact = await update({ clientWidth: 100, deviceSize: { inlineSize: 201, blockSize: 99 } });
  assert.deepEqual([exact.width, exact.height], [201, 99]);
  assert.equal((await update({ camera: {} })).isCameraKept, false);
  assert.equal(await update({ clientWidth: 0 }), undefined);
  assert.equal(await update({ clientWidth: 1, clientHeight: 0 }), undefined);
  await update({ clientHeight: 1 });
  effect.fault = new Error("too large");
  await update();
  assert.deepEqual(heard, ["too large"]);
  effect.setView = async () => { element.effect = {}; throw effect.fault; };
  await update({ effect });
  assert.deepEqual(heard, [], "it is shown no more");
  effect.setView = async () => { element.effect = {}; };
  await update({ effect });
  assert.deepEqual(heard, []);
});

test("colours of CSS become those of documents", () => {
  let given;
  const context = { set fillStyle(text) { given = { red: "#ff0000", half: "rgba(255, 128, 0, 0.5)" }[text] ?? text; }, get fillStyle() { return given; } };
  const colorOf = (text) => EffectPainting.prototype.colorOf.call({ context }, text);
  for (const none of ["", undefined, "transparent", "none"]) assert.equal(colorOf(none), null);
  assert.equal(colorOf("auto"), "auto");
  assert.deepEqual(colorOf("red"), [1, 0, 0]);
  assert.deepEqual(colorOf("#336699"), [0.2, 0.4, 0.6]);
  assert.deepEqual(colorOf("half"), [1, 0.502, 0, 0.5]);
  assert.deepEqual(colorOf("unknown"), [0, 0, 0]);
});

test("a command that fails is told to the element that still shows the effect", async () => {
  const heard = [];
  const effect = { request: async (...values) => { heard.push(values); if (effect.fault) throw effect.fault; } };
  const element = { effect, epoch: 0, fail: (error) => heard.push(error.message), invalidate: () => heard.push("draws") };
  const { command, giveWay } = EffectPlayback.prototype;
  assert.equal(await command.call(element, "seek", { time: 1 }), true);
  assert.deepEqual(heard, [["seek", { time: 1 }], "draws"]);
  assert.equal(element.epoch, 1);
  effect.fault = new Error("no");
  assert.equal(await command.call(element, "seek", {}), false);
  assert.equal(heard.at(-1), "no");
  assert.equal(await command.call({ epoch: 0 }, "seek", {}), false);
  const seeks = (values) => {
    const found = { seeking: { isSteady: true, resolve: (value) => heard.push(value) }, replacement: "text", ...values };
    giveWay.call(found);
    return found.seeking;
  };
  assert.equal(seeks({}), undefined);
  assert.equal(heard.at(-1), false);
  assert.ok(seeks({ replacement: undefined }));
  assert.equal(seeks({ seeking: { isSteady: false } }).isSteady, false);
});

test("pictures that are not finished make the drawer simpler at the third refresh", () => {
  globalThis.document ??= { visibilityState: "visible" };
  const stage = new Stage();
  const costs = [];
  stage.drawing = { isBehind: true, adapt: (milliseconds) => costs.push(milliseconds) };
  stage.tick(0);
  stage.tick(16);
  assert.deepEqual(costs, []);
  stage.tick(32);
  assert.deepEqual(costs, [50]);
  for (let turn = 0; turn < 4; turn++) stage.tick(48);
  assert.deepEqual(costs, [50]);
});

test("frames that take long come more rarely, and more often again", () => {
  const stage = new Stage();
  const told = [];
  stage.members.add({ noteRate: (interval) => told.push(interval) });
  for (let turn = 1; turn <= 60; turn++) stage.measure(40, turn * 16);
  assert.ok(stage.interval >= 2 && stage.interval <= 4, `${stage.interval}`);
  for (let turn = 61; turn <= 400; turn++) stage.measure(1, turn * 16);
  assert.equal(stage.interval, 1);
  assert.equal(told.at(-1), 1);
});

// MARK: Refusals

test("values become JSON, and what JSON has not is refused or a text", () => {
  assert.deepEqual([jsonText("a", 5), jsonText("a", 5n), jsonText("a", Infinity), jsonText("a", { b: [NaN, 1] }), jsonText("a", "x")], ["5", "\"5\"", "\"Infinity\"", "{\"b\":[\"NaN\",1]}", "\"x\""]);
  assert.throws(() => jsonText("a.b", () => {}), { code: "document/type", key: "a.b" });
});

test("a picture that the module cannot paint is its failure", () => {
  const { module } = fakeModule();
  const effect = new Effect(module, new TextEncoder().encode("{\"asset\":{\"version\":\"1.0\"},\"rate\":3}"));
  effect.setView(8, 4, {});
  assert.equal(effect.paint().length, 8 * 4 * 4);
  module.exports.particles_paint = () => 0;
  assert.throws(() => effect.paint());
});

test("an effect of each engine is refused with the command that converts it", async () => {
  const folder = new URL("../../Fixtures/effects/", import.meta.url);
  const engines = readdirSync(folder);
  assert.ok(engines.length > 10);
  for (const engine of engines) {
    const file = readdirSync(new URL(`${engine}/`, folder)).find((name) => name.startsWith("torch."));
    if (!file) continue;
    const output = file === "torch.particles" ? "converted" : "torch";
    await assert.rejects(
      readEffect(new Uint8Array(readFileSync(new URL(`${engine}/${file}`, folder))), { file }),
      (error) => error.hint?.endsWith(`particles convert ${file} -o ${output}.particles`), `${engine}/${file}`);
  }
  // A document with a fault has no such hint: the module tells the line.
  await readEffect(new TextEncoder().encode("{\"asset\": "));
});

test("a package without a document has none", async () => {
  await assert.rejects(readEffect(await writePackage(new Map([["a.txt", new Uint8Array([1])]])), {}), { code: "document/missing" });
});

test("a picture without pixels is refused by its size, and one with fewer strips than rows by these", async () => {
  const tiff = (width, height, strips) => {
    const entries = [[256, width], [257, height], [258, 8], [259, 1], [262, 1], [273, 8], [277, 1], [278, 1], [279, 1]];
    const file = Buffer.alloc(300);
    file.write("II", 0);
    file.writeUInt16LE(42, 2);
    file.writeUInt32LE(8, 4);
    file.writeUInt16LE(entries.length, 8);
    entries.forEach(([tag, value], index) => {
      file.writeUInt16LE(tag, 10 + index * 12);
      file.writeUInt16LE(4, 12 + index * 12);
      file.writeUInt32LE(strips !== undefined && [273, 279].includes(tag) ? strips : 1, 14 + index * 12);
      file.writeUInt32LE(value, 18 + index * 12);
    });
    return new Uint8Array(file);
  };
  assert.equal((await decodeImage(tiff(1, 1))).pixels.length, 4);
  for (const [width, height] of [[0, 1], [1, 0]]) {
    await assert.rejects(decodeImage(tiff(width, height)), (error) => error.code === "image/undecodable" && /a size of \d × \d/.test(`${error.message} ${error.detail}`));
  }
  await assert.rejects(decodeImage(tiff(1, 3)), (error) => error.code === "image/undecodable" && /3 strips/.test(`${error.message} ${error.detail}`));
});
