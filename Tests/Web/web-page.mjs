// Runs in a page, with the module: what effects cost, and what bad input does.
import { ParticlesEffectElement } from "../../Sources/ParticlesWeb/Player/element.js";
import { readEffect } from "../../Sources/ParticlesWeb/Player/document.js";
import { Drawer, Sheet } from "../../Sources/ParticlesWeb/Player/drawer.js";
import { Effect, ParticlesModule, fetchBytes } from "../../Sources/ParticlesWeb/Player/module.js";
import { stage } from "../../Sources/ParticlesWeb/Player/stage.js";

ParticlesEffectElement.module = "/module.wasm";

/** Whether effects are to be simulated in a worker. */
export function useWorker(isWanted) { ParticlesEffectElement.worker = isWanted ? undefined : false; }

/** Milliseconds for which frames of effects keep the thread of the page busy at most. */
let busiest = 0;
const { tick } = stage;
stage.tick = (now) => {
  const start = performance.now();
  tick(now);
  busiest = Math.max(busiest, performance.now() - start);
};
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function make(width, height) {
  const element = document.createElement("particles-effect");
  element.style.cssText = `width:${width}px;height:${height}px`;
  document.body.append(element);
  return element;
}

/** Pixels that are not of the background. */
function litPixels({ canvas, context }) {
  if (canvas.width < 2) return 0;
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let lit = 0;
  for (let at = 0; at < data.length; at += 4) lit += Math.abs(data[at] - 0x12) + Math.abs(data[at + 1] - 0x12) + Math.abs(data[at + 2] - 0x1a) > 30;
  return lit;
}

/** Several effects at once for some seconds. */
export async function playTogether(places, seconds) {
  const elements = places.map((place) => {
    const element = make(240, 180);
    Object.assign(element, { autoplay: true, loop: true, background: "#12121a" });
    element.counted = 0;
    element.faults = [];
    element.addEventListener("frame", () => { element.counted += 1; });
    element.addEventListener("error", ({ detail }) => element.faults.push(String(detail)));
    element.src = place;
    return element;
  });
  // The brightest of some moments: an effect that begins again and again has dark ones between.
  const pictures = elements.map(() => 0);
  for (let moment = 0; moment < 6; moment++) {
    await wait(seconds * 1000 / 6);
    elements.forEach((element, index) => { pictures[index] = Math.max(pictures[index], litPixels(element)); });
  }
  return {
    usesWorker: ParticlesEffectElement.usesWorker, hosts: new Set(elements.map((element) => element.effect?.host)).size,
    frames: elements.map((element) => element.counted), lit: pictures, faults: elements.flatMap((element) => element.faults),
    times: elements.map((element) => element.currentTime), interval: stage.interval, mean: stage.mean,
    memory: stage.running.memory, contexts: stage.drawing ? 1 : 0,
  };
}

/** Removes the effects, and returns the remaining ones. */
export async function removeAll() {
  document.body.replaceChildren();
  await wait(100);
  return { members: stage.members.size, hasContext: Boolean(stage.drawing), hasWorker: Boolean(stage.running?.isWorker) };
}

/** Many frames of an effect without a clock. */
export async function endure(place, frames) {
  const module = await ParticlesModule.load("/module.wasm");
  const drawer = new Drawer();
  const contents = await readEffect(place);
  const effect = new Effect(module, contents.text);
  for (const [index, image] of contents.images) effect.setImage(index, image);
  effect.setView(96, 96);
  const sheet = new Sheet(contents.images);
  const marks = [];
  const start = performance.now();
  for (let frame = 1; frame <= frames; frame++) {
    effect.advance(1 / 60);
    const order = effect.compose();
    if (frame % 20 === 0) drawer.draw(order, sheet, { width: 96, height: 96 });
    if (effect.isOver) effect.restart();
    if (frame % (frames / 6) === 0) {
      await wait(0);
      globalThis.gc?.();
      marks.push({ frame, memory: module.exports.memory.buffer.byteLength, heap: performance.memory?.usedJSHeapSize ?? 0, alive: effect.count });
    }
  }
  const seconds = (performance.now() - start) / 1000;
  effect.destroy();
  sheet.destroy();
  drawer.destroy();
  return { marks, seconds };
}

/** Creates and destroys an effect many times. */
export async function createOften(place, times) {
  const module = await ParticlesModule.load("/module.wasm");
  const contents = await readEffect(place);
  const marks = [];
  const durations = [];
  for (let time = 1; time <= times; time++) {
    const start = performance.now();
    const effect = new Effect(module, contents.text);
    durations.push(performance.now() - start);
    for (const [index, image] of contents.images) effect.setImage(index, image);
    effect.setView(64, 64);
    for (let frame = 0; frame < 5; frame++) effect.advance(1 / 60);
    effect.compose();
    effect.destroy();
    if (time % (times / 4) === 0) marks.push(module.exports.memory.buffer.byteLength);
  }
  durations.sort((a, b) => a - b);
  return { marks, median: durations[durations.length >> 1] };
}

/** Loads bad inputs, one after another, beside an effect that has to go on. */
export async function loadBad(inputs, good) {
  const other = make(64, 64);
  Object.assign(other, { autoplay: true, loop: true });
  other.src = good;
  // The first frame makes the context, which takes longer.
  await new Promise((resolve) => other.addEventListener("frame", resolve, { once: true }));
  const results = [];
  for (const { name, place } of inputs) {
    const element = make(64, 64);
    Object.assign(element, { loop: true, autoplay: true });
    let fault;
    element.addEventListener("error", ({ detail }) => { fault ??= detail; });
    const bytes = await fetchBytes(place);
    const start = performance.now();
    const isReady = await element.load(bytes);
    const loading = performance.now() - start;
    let longest = 0;
    busiest = 0;
    for (let turn = 0; isReady && turn < 8 && !fault; turn++) {
      const before = performance.now();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      longest = Math.max(longest, performance.now() - before);
    }
    const diagnostics = await element.effect?.report("diagnostics");
    results.push({
      name, isReady, code: fault?.code, place: fault?.place, text: fault ? String(fault) : "", loading, longest, busiest,
      memory: stage.running.memory, alive: element.effect?.count ?? 0, warnings: (diagnostics ?? []).map(({ message }) => message),
    });
    element.remove();
    await wait(5);
    stage.interval = 1;
  }
  const time = other.currentTime;
  for (let turn = 0; turn < 20 && other.currentTime === time; turn++) await wait(100);
  const goesOn = other.currentTime !== time && !other.error;
  other.remove();
  return { results, goesOn, error: other.error ? String(other.error) : "" };
}

/** Changes a property of a running effect. */
export async function setRate(place, path) {
  const element = make(120, 90);
  Object.assign(element, { autoplay: true, loop: true });
  element.src = place;
  await new Promise((resolve) => element.addEventListener("ready", resolve, { once: true }));
  await wait(1000);
  const before = element.effect.count;
  const { camera } = element.effect.view;
  await element.set(path, 600);
  const start = performance.now();
  await new Promise((resolve) => element.addEventListener("frame", resolve, { once: true }));
  const took = performance.now() - start;
  await wait(1500);
  const after = element.effect.count;
  const isKept = JSON.stringify(camera) === JSON.stringify(element.effect.view.camera);
  let fault;
  try { await element.set("emitters[99].emission.rate", 1); } catch (error) { fault = { code: error.code, place: error.place }; }
  const goesOn = Boolean(element.effect);
  element.remove();
  return { before, after, took, isKept, fault, goesOn };
}
