// Runs in a page: the element with a module that does next to nothing.
import "../../Sources/ParticlesWeb/Player/element.js";
import { ParticlesModule } from "../../Sources/ParticlesWeb/Player/module.js";
import { stage } from "../../Sources/ParticlesWeb/Player/stage.js";
import { fakeModule } from "./fake-module.mjs";

const bytes = (document) => new TextEncoder().encode(JSON.stringify({ asset: { version: "1.0" }, ...document }));
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const event = (element, name, most = 3000) => Promise.race([
  new Promise((resolve) => element.addEventListener(name, resolve, { once: true })),
  wait(most).then(() => { throw new Error(`no event ${name}`); }),
]);

function make(attributes = {}) {
  const element = document.createElement("particles-effect");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.style.cssText = "width:80px;height:60px";
  document.body.append(element);
  return element;
}

function check(condition, text) {
  if (!condition) throw new Error(text);
}

/** Waits until a condition holds: machines that do much else draw few frames. */
async function until(condition, text, most = 5000) {
  for (const end = performance.now() + most; !condition();) {
    if (performance.now() > end) throw new Error(text);
    await wait(20);
  }
}

const tests = {
  async "plays, pauses, steps and restarts"({ calls }) {
    const element = make({ autoplay: "", loop: "" });
    const ready = event(element, "ready");
    check(await element.load(bytes({ asset: { name: "Fire" } })), "loaded");
    const { detail } = await ready;
    check(detail.title === "Fire" && detail.duration === 2, "ready");
    await event(element, "frame");
    check(element.getAttribute("role") === "img" && element.getAttribute("aria-label") === "Fire", "label");
    check(!element.paused, "plays");
    await until(() => element.currentTime > 0.05, "time");
    element.pause();
    const time = element.currentTime;
    await wait(100);
    check(element.currentTime === time && element.paused && element.hasAttribute("paused"), "pauses");
    element.step(0.5);
    check(Math.abs(element.currentTime - time - 0.5) < 1e-9, "steps");
    await event(element, "frame");
    element.restart();
    check(element.currentTime === 0, "restarts");
    element.play();
    await until(() => element.currentTime > 0 && !element.hasAttribute("paused"), "plays again");
    check(element.canvas.width === 80 && element.canvas.height === 60, "size");
    const pixels = element.context.getImageData(40, 30, 1, 1).data;
    check(pixels[0] === 255 && Math.abs(pixels[1] - 128) < 2 && pixels[2] === 0 && pixels[3] === 255, `pixels ${[...pixels]}`);
    check(element.context.getImageData(5, 5, 1, 1).data[3] === 0, "transparent");
    element.remove();
    await wait(50);
    check(calls.created === calls.destroyed && calls.allocated === calls.freed, `gives back: ${JSON.stringify(calls)}`);
    check(element.canvas.width === 0 && stage.drawing === undefined, "context");
  },

  async "without loop, emission ends, and so does the effect"() {
    const element = make({ autoplay: "" });
    element.load(bytes({ duration: 0.1 }));
    const { detail } = await event(element, "end");
    check(detail.time >= 0.1 && element.paused, "ended");
    element.play();
    check(element.currentTime < 0.05, "begins again");
    element.remove();
  },

  async "with loop, an effect that ends begins again, an endless one goes on"() {
    const [ending, endless] = [make({ autoplay: "", loop: "" }), make({ autoplay: "", loop: "" })];
    await Promise.all([ending.load(bytes({ duration: 0.2, ends: true })), endless.load(bytes({ duration: 0.2 }))]);
    await until(() => endless.currentTime > 0.8, "endless");
    check(ending.currentTime < 0.6, `ending ${ending.currentTime}`);
    for (const element of [ending, endless]) element.remove();
  },

  async "seeks over several frames"() {
    const element = make({ loop: "" });
    await element.load(bytes({}));
    check(element.currentTime > 0, "shows a still picture");
    check(await element.seek(5), "reached");
    check(element.currentTime === 5, "time");
    element.remove();
  },

  async "replace takes another document, at the same time, and tells which cannot be read"() {
    const element = make({ loop: "" });
    await element.load(bytes({}));
    await element.seek(2);
    const text = (document) => JSON.stringify({ asset: {}, ...document });
    check(await element.replace(text({ rate: 40 })), "shown");
    check(element.currentTime === 2 && element.effect.count === 40, `${element.currentTime} s, ${element.effect.count}`);
    // Of texts that come faster than they are shown, the last one counts.
    const shown = await Promise.all([1, 2, 3, 4].map((rate) => element.replace(text({ rate }))));
    check(shown.at(-1) && element.effect.count === 4, `${shown}`);
    let fault;
    await element.replace(text({ bad: true })).catch((error) => { fault = error; });
    check(fault?.code === "document/range" && element.effect.count === 4, `${fault}`);
    check(await element.replace(text({ rate: 5 }), { moment: 0.5 }) && element.currentTime === 0.5, "moment");
    // An effect that is created anew has the last document.
    element.setAttribute("seed", "7");
    await event(element, "ready");
    check(element.effect.count === 5, "kept");
    const measured = await element.measure();
    check(measured.alive === 1 && typeof measured.overdraw === "number", JSON.stringify(measured));
    const { width, height, pixels } = await element.picture({ width: 8, height: 4 });
    check(width === 8 && height === 4 && pixels.length === 128 && element.effect.view.width === 80, "picture");
    element.remove();
  },

  async "set acts, keeps its value when the effect is created anew, and refuses with code and place"() {
    const element = make({ autoplay: "", loop: "" });
    await element.load(bytes({}));
    const next = event(element, "frame");
    await element.set("rate", 300);
    const frame = await next;
    check(frame.detail.alive === 300, "alive");
    for (const [path, value] of [["none", 1], ["rate", "x"], ["rate", NaN]]) {
      let fault;
      try { await element.set(path, value); } catch (error) { fault = error; }
      check(fault?.code === "document/type" && fault.place.includes(path), `${path}: ${fault}`);
    }
    element.setAttribute("seed", "7");
    await event(element, "ready");
    check(element.effect.count === 300, "kept");
    let fault;
    try { await element.set("rate", -5); } catch (error) { fault = error; }
    check(fault?.code === "document/range" && (await element.document()).rate === 300, `refused: ${fault}`);
    const warnings = await element.set("rate", -5, { beyond: true });
    check(warnings.length === 1 && warnings[0].severity === "warning" && (await element.document()).rate === -5, `let through: ${warnings}`);
    element.setAttribute("seed", "8");
    await event(element, "ready");
    check((await element.document()).rate === -5, "kept beyond its range");
    element.remove();
  },

  async "an element is never wider than its column, and 320 × 240 where there is room"() {
    const column = document.createElement("div");
    column.style.cssText = "display:grid;grid-template-columns:repeat(2,minmax(0,1fr));width:390px";
    document.body.append(column);
    for (const width of [390, 1000]) {
      column.style.width = `${width}px`;
      const elements = [1, 2].map(() => document.createElement("particles-effect"));
      column.replaceChildren(...elements);
      const sizes = elements.map((element) => element.getBoundingClientRect());
      check(sizes.every((size) => size.width === Math.min(320, width / 2) && size.height === 240), JSON.stringify(sizes));
    }
    column.remove();
  },

  async "an address that is no effect is told on the console, with what to do"() {
    const { error: before } = console;
    const lines = [];
    console.error = (line) => lines.push(String(line));
    try {
      for (const [src, text] of [
        ["/Fixtures/effects/pex/torch.pex", "particles convert torch.pex -o torch.particles"],
        ["/Fixtures/effects/pixi/torch.json", "particles convert torch.json -o torch.particles"],
        ["/Fixtures/effects/godot/torch.tscn", "particles convert torch.tscn -o torch.particles"],
        ["/none.particles", "none.particles"],
      ]) {
        lines.length = 0;
        const element = make({ src });
        await event(element, "error");
        check(lines.length === 1 && lines[0].includes(text), `${src}: ${lines}`);
        element.remove();
      }
    } finally {
      console.error = before;
    }
  },

  async "errors have code and place, and the page goes on"() {
    const good = make({ autoplay: "", loop: "" });
    await good.load(bytes({}));
    for (const [content, code, place] of [
      [bytes({ bad: true }), "document/range", "emitters[0].emission.rate"],
      [new TextEncoder().encode("{\"a\":"), "document/json", ""],
      [new Uint8Array([1, 2, 3]), "container/signature", "byte 0"],
      [new Uint8Array(0), "container/signature", "byte 0"],
    ]) {
      const element = make({ autoplay: "" });
      const error = event(element, "error");
      check(!(await element.load(content)), "not loaded");
      const { detail } = await error;
      check(detail.code === code && detail.place.includes(place), `${detail}`);
      element.remove();
    }
    const element = make({ src: "/none.particles" });
    const { detail } = await event(element, "error");
    check(detail.code === "file/not-found" && detail.place.includes("none.particles"), `${detail}`);
    element.remove();
    const time = good.currentTime;
    await until(() => good.currentTime > time, "the other effect goes on");
    good.remove();
  },

  async "a module that fails is replaced, and other effects begin anew"(fake) {
    const replacement = fakeModule();
    const [good, bad] = [make({ autoplay: "", loop: "" }), make({ autoplay: "", loop: "" })];
    await good.load(bytes({}));
    const error = event(bad, "error");
    await bad.load(bytes({ trap: true }));
    const again = event(good, "ready");
    fake.module.fresh = async () => replacement.module;
    const { detail } = await error;
    check(detail.code === "particles/module", `${detail}`);
    await again;
    await until(() => good.currentTime > 0 && good.effect.host.service.module === replacement.module, "goes on");
    good.remove();
    bad.remove();
  },

  async "rests when it is off screen or not displayed"({ calls }) {
    const element = make({ autoplay: "", loop: "" });
    await element.load(bytes({}));
    await event(element, "frame");
    element.style.marginTop = "5000px";
    await wait(300);
    const before = calls.advanced;
    await wait(200);
    check(calls.advanced === before, "rests");
    element.style.marginTop = "0";
    await event(element, "frame");
    element.remove();
  },

  async "frames that take too long lower the rate"() {
    const element = make({ autoplay: "", loop: "" });
    const rate = event(element, "rate", 5000);
    await element.load(bytes({ slow: 60 }));
    const { detail } = await rate;
    check(detail.code === "limit/exceeded" && detail.severity === "warning" && /frames per second/.test(detail.message), `${detail}`);
    check(stage.interval > 1, "interval");
    element.remove();
    stage.interval = 1;
    stage.mean = 0;
  },

  async "an element that is moved keeps its effect"({ calls }) {
    const element = make({ autoplay: "", loop: "" });
    await element.load(bytes({}));
    const box = document.createElement("div");
    document.body.append(box);
    box.append(element);
    await wait(50);
    check(element.effect && calls.created === 1, "kept");
    element.remove();
    await wait(20);
    check(!element.effect, "given back");
    document.body.append(element);
    await event(element, "ready");
    check(calls.created === 2, "created again");
    element.remove();
  },

  async "draws by the rasteriser if asked"() {
    const element = make({ autoplay: "", loop: "", exact: "" });
    await element.load(bytes({}));
    await event(element, "frame");
    check(element.context.getImageData(3, 3, 1, 1).data[3] === 128, "painted");
    check(stage.drawing === undefined, "no context");
    element.remove();
  },

  async "many elements share a context"() {
    const elements = Array.from({ length: 24 }, () => make({ autoplay: "", loop: "", background: "#102030" }));
    await Promise.all(elements.map((element) => element.load(bytes({}))));
    const isDrawn = (element) => element.context.getImageData(40, 30, 1, 1).data[0] === 255;
    await until(() => elements.every(isDrawn), "all drawn");
    const extension = stage.drawing.gl.getExtension("WEBGL_lose_context");
    extension.loseContext();
    await wait(100);
    extension.restoreContext();
    await until(() => !stage.drawing.isLost, "restored");
    elements[0].context.clearRect(0, 0, 80, 60);
    await until(() => isDrawn(elements[0]), "drawn after the context was lost");
    for (const element of elements) element.remove();
  },

  async "an effect that takes more memory than its limit ends, and the module is replaced"(fake) {
    const [good, bad] = [make({ autoplay: "", loop: "" }), make({ autoplay: "", loop: "" })];
    const replacement = fakeModule();
    fake.module.fresh = async () => replacement.module;
    await good.load(bytes({}));
    bad.limits = { memory: 8 << 20 };
    const error = event(bad, "error");
    await bad.load(bytes({ grows: true }));
    const { detail } = await error;
    check(detail.code === "limit/exceeded" && detail.expected === "at most 8388608" && /memory/.test(detail.message), `${detail}`);
    await until(() => good.currentTime > 0 && good.effect?.host.service?.module === replacement.module, "goes on");
    for (const element of [good, bad]) element.remove();
  },

  async "in a worker, effects play, change, seek and give everything back"() {
    stage.setModule("base64:");
    stage.setWorker("/Tests/Web/fake-worker.mjs");
    const element = make({ autoplay: "", loop: "" });
    stage.drawer.isSoftware = false;
    await element.load(bytes({ asset: { name: "Fire" } }));
    check(element.constructor.usesWorker && element.getAttribute("aria-label") === "Fire", "worker");
    await until(() => element.currentTime > 0.05 && element.canvas.width === 80, "plays");
    const pixels = element.context.getImageData(40, 30, 1, 1).data;
    check(pixels[0] === 255 && pixels[3] === 255, `pixels ${[...pixels]}`);
    stage.drawer.isSoftware = true;
    await until(() => element.context.getImageData(5, 5, 1, 1).data[3] === 128, "without a graphics processor, the module draws");
    stage.drawer.isSoftware = false;
    await until(() => element.context.getImageData(5, 5, 1, 1).data[3] === 0, "WebGL draws");
    await element.set("rate", 300);
    check((await event(element, "frame")) && (await until(() => element.effect.count === 300, "alive"), true), "rate");
    let fault;
    await element.set("none", 1).catch((error) => { fault = error; });
    check(fault?.code === "document/type" && fault.place === "none" && fault instanceof Error, `${fault}`);
    check((await element.document()).rate === 300 && (await element.statistics()).alive === 1, "reports");
    element.pause();
    check(await element.seek(5) && element.currentTime === 5, "seeks");
    await element.step(0.5);
    check(element.currentTime === 5.5, "steps");
    // 36 times 20 ms: each wait for the screen would be longer than the wait before.
    check(await element.replace(JSON.stringify({ asset: {}, seekTakes: 20 }), { moment: 3 }) && element.currentTime === 3, "replaces");
    // A moment that is asked for before the answer is shown, and from the new text.
    const replaced = element.replace(JSON.stringify({ asset: {}, seekTakes: 20, rate: 7 }), { moment: 3 });
    check(await Promise.race([element.seek(4), wait(10_000)]) === true && element.currentTime === 4, "seeks while it replaces");
    check(await replaced && element.effect.count === 7, `the new text: ${element.effect.count}`);
    check(stage.interval === 1, `the way to a moment lowers no rate: ${stage.interval}`);
    element.setAttribute("exact", "");
    await until(() => element.context.getImageData(5, 5, 1, 1).data[3] === 128, "rasteriser");
    const { host } = element.effect;
    element.remove();
    await until(() => host.isBroken && !stage.running, "ends");
  },

  async "a worker that fails or does not answer is replaced, and other effects begin anew"() {
    stage.setModule("base64:");
    stage.setWorker("/Tests/Web/fake-worker.mjs");
    const good = make({ autoplay: "", loop: "" });
    await good.load(bytes({}));
    for (const [document, code] of [[{ trap: true }, "particles/module"], [{ hangs: true }, "particles/hanging"]]) {
      const before = good.effect.host;
      const bad = make({ autoplay: "", loop: "" });
      const error = event(bad, "error", 15_000);
      await bad.load(bytes(document));
      const { detail } = await error;
      check(detail.code === code, `${detail}`);
      await until(() => good.effect && good.effect.host !== before && good.currentTime > 0, "goes on");
      bad.remove();
    }
    good.remove();
  },

  async "an effect that waits for a worker that is ended is ready with the next one"() {
    stage.setModule("base64:");
    stage.setWorker("/Tests/Web/fake-worker.mjs");
    const [first, element] = [make({}), make({})];
    await first.load(bytes({}));
    const host = await stage.host();
    const isReady = element.load(bytes({}));
    // The request is lost, as in a worker that is ended before it reads it.
    host.post = ({ name }) => { if (name === "create") stage.replaceHost(); };
    check(await Promise.race([isReady, wait(10_000)]) === true, "ready");
    check(element.effect.host !== host, "the next worker");
    const next = await stage.host();
    next.post = () => {};
    const removed = element.load(bytes({}));
    await wait(50);
    first.remove();
    element.remove();
    check(await Promise.race([removed, wait(10_000)]) === false, "removed");
  },

  async "a module with another interface is refused"() {
    let fault;
    try {
      await ParticlesModule.load(new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)));
    } catch (error) { fault = error; }
    check(fault?.code === "particles/module", `${fault}`);
  },
};

export async function runTests() {
  const results = [];
  for (const [name, body] of Object.entries(tests)) {
    const fake = fakeModule();
    stage.setWorker(undefined);
    stage.setModule(Promise.resolve(fake.module));
    try {
      await body(fake);
      results.push([name, ""]);
    } catch (error) {
      results.push([name, String(error)]);
    }
    document.body.replaceChildren();
    await wait(30);
  }
  return results;
}

export async function reducedMotion() {
  const fake = fakeModule();
  stage.setModule(Promise.resolve(fake.module));
  const element = make({ autoplay: "", loop: "" });
  await element.load(bytes({}));
  await wait(200);
  const isStill = element.paused && fake.calls.advanced === 0 && element.currentTime > 0;
  element.play();
  await until(() => fake.calls.advanced > 0, "plays").catch(() => {});
  const isPlaying = fake.calls.advanced > 0;
  element.remove();
  return { isStill, isPlaying };
}
