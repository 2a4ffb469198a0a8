import { putPicture } from "./canvas2d.js";
import { ParticlesError } from "./diagnostic.js";
import { stage } from "./stage.js";

/** The greatest side of a picture in device pixels. */
const greatestSide = 4096;

/** How an element draws its effect, and its reports about drawing. */
export class EffectPainting extends (globalThis.HTMLElement ?? class {}) {
  noteRate(interval, milliseconds) {
    if (!this.isPlaying) return;
    const rate = Math.round(1000 / (stage.refresh * interval));
    this.send("rate", new ParticlesError("limit/exceeded", {
      severity: interval > 1 ? "warning" : "note", file: this.contents?.file,
      message: `frames take ${milliseconds.toFixed(0)} ms; effects of this page are drawn at ${rate} frames per second`,
    }));
  }

  /** Reports once that quads are left out, because the picture would take too long. */
  noteOmitted(omitted, count) {
    this.omittedFrames = omitted === 0 ? 0 : (this.omittedFrames ?? 0) + 1;
    if (this.omittedFrames !== 30 || this.hasOmitted) return;
    this.hasOmitted = true;
    this.send("rate", new ParticlesError("limit/exceeded", {
      severity: "warning", file: this.contents?.file,
      message: `${omitted} of ${count} sprites of a picture are left out: they cover more than can be drawn in a frame`,
    }));
  }

  /** Tells the effect the size of the element and the view. */
  async updateView() {
    const { effect } = this;
    if (!effect || !this.isAttached) return;
    const density = globalThis.devicePixelRatio || 1;
    const [width, height] = [this.clientWidth, this.clientHeight];
    if (width === 0 || height === 0) return;
    const exact = this.deviceSize ? [this.deviceSize.inlineSize, this.deviceSize.blockSize] : [width * density, height * density];
    const factor = density * Math.min(1, greatestSide / exact[0], greatestSide / exact[1]);
    const [columns, rows] = exact.map((side) => Math.max(1, Math.round((side * factor) / density)));
    const view = this.getAttribute("view") ?? "auto";
    const background = this.colorOf(this.background);
    const options = { view, camera: this.camera, background, scale: view === "pixels" ? factor : 1 };
    try {
      await effect.setView({ width: columns, height: rows, options, isCameraKept: !this.camera && !this.contents?.isFramed });
    } catch (error) {
      if (this.effect === effect) this.fail(error);
      return;
    }
    if (this.effect === effect) this.invalidate();
  }

  /** A colour of CSS as the module takes it, or null for none. */
  colorOf(text) {
    if (!text || text === "transparent" || text === "none") return null;
    if (text === "auto") return text;
    const context = this.context;
    context.fillStyle = "#000";
    context.fillStyle = text;
    const color = context.fillStyle;
    const match = /^#(..)(..)(..)$/.exec(color);
    // Four decimals, as documents and the tool have them: others lead to other roundings in the picture.
    const part = (byte) => Math.round((byte / 255) * 10_000) / 10_000;
    if (match) return match.slice(1).map((digits) => part(parseInt(digits, 16)));
    const numbers = color.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0];
    return numbers.map((value, index) => (index < 3 ? part(value) : value));
  }

  get context() {
    this.plain ??= this.canvas.getContext("2d");
    return this.plain;
  }

  get drawer() { return this.hasAttribute("exact") ? undefined : stage.drawer; }

  /** Without a graphics processor, the rasteriser of the module is quicker than WebGL, and leaves the page alone in a worker. */
  get wayOfDrawing() { return this.isDrawable && !(this.drawer.isSoftware && this.effect.host.isWorker) ? "quads" : "pixels"; }

  /** Whether WebGL can draw a picture of the size of the view. */
  get isDrawable() {
    const { drawer } = this;
    return Boolean(drawer) && Math.max(this.effect.view.width, this.effect.view.height) <= drawer.greatest;
  }

  /** Draws the frame that is there. */
  draw() {
    const { effect, canvas, context } = this;
    const { order } = effect;
    // A canvas becomes empty when its size is set, even if it does not change.
    if (canvas.width !== order.width) canvas.width = order.width;
    if (canvas.height !== order.height) canvas.height = order.height;
    if (order.pixels) {
      putPicture(order, context);
      this.noteOmitted(order.omitted, order.count);
    } else {
      const { drawer } = this;
      const start = performance.now();
      if (!drawer?.draw(order, this.sheet, order)) {
        effect.drawn();
        this.isDue = true;
        return;
      }
      drawer.copy(context, order.width, order.height);
      drawer.adapt(performance.now() - start);
      order.omitted = drawer.omitted;
      this.noteOmitted(order.omitted, order.count);
    }
    effect.drawn();
    if (canvas.hidden) {
      canvas.hidden = false;
      this.fallback.hidden = true;
    }
    this.send("frame", { time: order.time, alive: order.alive, interval: stage.interval, sprites: order.count, omitted: order.omitted });
  }
}
