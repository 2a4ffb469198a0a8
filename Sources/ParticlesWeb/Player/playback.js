import { paintEffect } from "./canvas2d.js";
import { ParticlesError } from "./diagnostic.js";
import { stage } from "./stage.js";

/** Seconds that a frame advances at most: an effect that is drawn rarely becomes slow, not coarse. */
const longestStep = 1 / 15;
/** Steps of the simulation that a search for a moment does in a frame. */
const stepsPerFrame = 60;
/** The greatest side of a picture in device pixels. */
const greatestSide = 4096;

/** What an element does with an effect that is loaded: playing, frames and drawing. */
export class EffectPlayback extends (globalThis.HTMLElement ?? class {}) {
  // MARK: Playing

  /** Plays. Effects that have ended begin again. */
  play() {
    if (this.hasEnded) this.restart();
    this.setPlaying(true);
    if (this.hasAttribute("paused")) this.removeAttribute("paused");
  }

  pause() {
    this.setPlaying(false);
    if (!this.hasAttribute("paused")) this.setAttribute("paused", "");
  }

  setPlaying(isPlaying) {
    const isChange = this.isPlaying !== isPlaying;
    this.isPlaying = isPlaying;
    this.lastFrame = undefined;
    stage.request();
    if (isChange) this.send(isPlaying ? "play" : "pause", { time: this.currentTime });
  }

  /** Pauses, and advances by a step. */
  step(seconds = 1 / 60) {
    this.pause();
    this.guard(() => {
      this.effect.advance(seconds, ...this.position);
      this.invalidate();
    });
  }

  /** Begins again, with the same random numbers. */
  restart() {
    this.hasEnded = false;
    this.isStopped = false;
    this.guard(() => {
      this.effect.restart();
      this.invalidate();
    });
  }

  /**
   * Goes to a time since the start, in several frames if it is far.
   * @returns {Promise<boolean>} whether it was reached.
   */
  seek(seconds) {
    if (!this.effect) return Promise.resolve(false);
    this.seeking?.resolve(false);
    this.hasEnded = false;
    return new Promise((resolve) => {
      this.seeking = { seconds: Math.max(0, Number(seconds) || 0), resolve };
      stage.request();
    });
  }

  /**
   * Changes a property of the effect, such as `emitters[0].emission.rate`; acts at the next frame.
   * @throws {ParticlesError} with the path as place.
   */
  set(path, value) {
    if (!this.effect) throw new ParticlesError("particles/failure", { message: "no effect is loaded", key: path });
    this.effect.set(path, value);
    this.changes.set(path, value);
    this.invalidate();
  }

  /** Moves the effect to a place in its units while it plays. */
  moveTo(x, y, z = 0) { this.position = [x, y, z].map((value) => (Number.isFinite(value) ? value : 0)); }

  /** Ends emission; living particles stay until their end. */
  stop() {
    this.isStopped = true;
    this.guard(() => this.effect.stop());
  }

  /** Seconds since the start. */
  get currentTime() { return this.effect?.time ?? 0; }
  get duration() { return this.effect?.duration ?? 0; }
  get statistics() { return this.effect?.statistics; }
  /** The document as it is now. */
  get document() { return this.effect?.document; }

  guard(body) {
    if (!this.effect) return;
    try {
      body();
    } catch (error) {
      this.fail(error);
    }
  }

  // MARK: Frames

  /** Whether a frame is needed. */
  get isBusy() {
    return Boolean(this.effect?.view) && (Boolean(this.seeking) || (this.isVisible && (this.isPlaying || this.isDue)));
  }

  /** Draws again, although nothing has moved. */
  invalidate() {
    this.isDue = true;
    stage.request();
  }

  frame(now) {
    this.guard(() => {
      if (this.seeking) this.continueSeeking();
      else if (this.isPlaying) this.advance(now);
      if (!this.effect || !this.isVisible) return;
      const isDue = this.isDue || this.isPlaying;
      this.isDue = false;
      if (isDue && this.draw()) {
        this.send("frame", { time: this.effect.time, alive: this.effect.count, interval: stage.interval });
      }
    });
  }

  continueSeeking() {
    const { seconds, resolve } = this.seeking;
    if (!this.effect.seek(seconds, stepsPerFrame)) return;
    this.seeking = undefined;
    this.lastFrame = undefined;
    this.isDue = true;
    resolve(true);
  }

  advance(now) {
    const passed = this.lastFrame === undefined ? 0 : Math.max(0, (now - this.lastFrame) / 1000);
    this.lastFrame = now;
    const seconds = Math.min(passed, longestStep) * this.speed;
    if (seconds > 0) this.effect.advance(seconds, ...this.position);
    if (this.effect.time < this.effect.duration) return;
    if (!this.loop && !this.isStopped) {
      this.isStopped = true;
      this.effect.stop();
    }
    if (this.effect.count > 0) return;
    if (this.loop) {
      if (this.effect.isOver) this.effect.restart();
    } else {
      this.isPlaying = false;
      this.hasEnded = true;
      this.isDue = true;
      this.send("end", { time: this.effect.time });
    }
  }

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

  // MARK: Drawing

  updateView() {
    if (!this.effect || !this.isAttached) return;
    const density = globalThis.devicePixelRatio || 1;
    const [width, height] = [this.clientWidth, this.clientHeight];
    if (width === 0 || height === 0) return;
    const exact = this.deviceSize ? [this.deviceSize.inlineSize, this.deviceSize.blockSize] : [width * density, height * density];
    const factor = density * Math.min(1, greatestSide / exact[0], greatestSide / exact[1]);
    const [columns, rows] = exact.map((side) => Math.max(1, Math.round((side * factor) / density)));
    this.guard(() => {
      const background = this.colorOf(this.background);
      const view = this.getAttribute("view") ?? "auto";
      this.effect.setView(columns, rows, { view, camera: this.camera, background, scale: view === "pixels" ? factor : 1 });
      this.keepCamera(columns, rows, { background, scale: view === "pixels" ? factor : 1 });
      if (this.canvas.width !== columns) this.canvas.width = columns;
      if (this.canvas.height !== rows) this.canvas.height = rows;
      this.invalidate();
    });
  }

  /** States the camera that was found, which would be searched again when a property changes, and would jump. */
  keepCamera(columns, rows, options) {
    if (this.camera || this.contents?.isFramed || !this.effect.view?.camera) return;
    const { camera, background } = this.effect.view;
    this.effect.setView(columns, rows, { ...options, camera, background });
  }

  /** A colour of CSS as the module takes it; nil for none. */
  colorOf(text) {
    if (!text || text === "transparent" || text === "none") return null;
    if (text === "auto") return text;
    const context = this.context;
    context.fillStyle = "#000";
    context.fillStyle = text;
    const color = context.fillStyle;
    const match = /^#(..)(..)(..)$/.exec(color);
    if (match) return match.slice(1).map((part) => parseInt(part, 16) / 255);
    const numbers = color.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0];
    return numbers.map((value, index) => (index < 3 ? value / 255 : value));
  }

  get context() {
    this.plain ??= this.canvas.getContext("2d");
    return this.plain;
  }

  /** Draws this moment. Returns whether it was drawn. */
  draw() {
    const { effect, canvas, context } = this;
    const drawer = this.hasAttribute("exact") ? undefined : stage.drawer;
    const isDrawable = drawer && Math.max(canvas.width, canvas.height) <= drawer.greatest;
    if (isDrawable) {
      const order = effect.compose();
      const start = performance.now();
      if (!drawer.draw(order, this.sheet, canvas)) {
        this.isDue = true;
        return false;
      }
      drawer.copy(context, canvas.width, canvas.height);
      drawer.adapt(performance.now() - start);
      this.noteOmitted(drawer.omitted, order.count);
    } else {
      paintEffect(effect, context);
    }
    if (canvas.hidden) {
      canvas.hidden = false;
      this.fallback.hidden = true;
    }
    return true;
  }
}
