import { paintEffect } from "./canvas2d.js";
import { ParticlesError, particlesError } from "./diagnostic.js";
import { readEffect } from "./document.js";
import { Sheet } from "./drawer.js";
import { Effect } from "./module.js";
import { stage } from "./stage.js";

/** Seconds that a frame advances at most: an effect that is drawn rarely becomes slow, not coarse. */
const longestStep = 1 / 15;
/** Steps of the simulation that a search for a moment does in a frame. */
const stepsPerFrame = 60;
/** The greatest side of a picture in device pixels. */
const greatestSide = 4096;
/** What a page spends for an effect; `limits` of an element replace single ones. */
const pageLimits = { particles: 100_000, particleSteps: 1_000_000 };

const ElementBase = globalThis.HTMLElement ?? class {};

/** `<particles-effect src="fire.particles" autoplay loop>`: an effect that plays in a page. */
export class ParticlesEffectElement extends ElementBase {
  static observedAttributes = ["src", "seed", "profile", "speed", "background", "view", "paused", "autoplay", "exact"];

  /** Where the module is, for all elements: an address, bytes, or a promise of them. */
  static set module(source) { stage.setModule(source); }

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(":host{display:inline-block;width:320px;height:240px;contain:content}:host([hidden]){display:none}canvas{display:block;width:100%;height:100%}canvas[hidden]{display:none}");
    root.adoptedStyleSheets = [sheet];
    this.canvas = document.createElement("canvas");
    this.canvas.hidden = true;
    // What is in the element is shown until the first frame.
    this.fallback = document.createElement("slot");
    root.append(this.canvas, this.fallback);
    this.changes = new Map();
    this.isPlaying = false;
    this.isVisible = true;
    this.isDue = false;
    this.loadNumber = 0;
    this.position = [0, 0, 0];
    this.limits = {};
    /** A camera in place of the attribute `view`. */
    this.camera = undefined;
  }

  // MARK: Attributes

  get src() { return this.getAttribute("src") ?? ""; }
  set src(value) { this.setAttribute("src", value); }
  get autoplay() { return this.hasAttribute("autoplay"); }
  set autoplay(value) { this.toggleAttribute("autoplay", Boolean(value)); }
  get loop() { return this.hasAttribute("loop"); }
  set loop(value) { this.toggleAttribute("loop", Boolean(value)); }
  get seed() { return this.getAttribute("seed"); }
  set seed(value) { this.reflect("seed", value); }
  get profile() { return this.getAttribute("profile"); }
  set profile(value) { this.reflect("profile", value); }
  get speed() {
    const speed = Number(this.getAttribute("speed") ?? 1);
    return Number.isFinite(speed) ? Math.min(Math.max(speed, 0), 16) : 1;
  }
  set speed(value) { this.reflect("speed", value); }
  get background() { return this.getAttribute("background"); }
  set background(value) { this.reflect("background", value); }
  get paused() { return !this.isPlaying; }
  set paused(value) { if (value) this.pause(); else this.play(); }

  reflect(name, value) {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  }

  attributeChangedCallback(name, before, after) {
    if (!this.isAttached || before === after) return;
    if (name === "src") this.load();
    else if (name === "seed" || name === "profile") this.rebuild();
    else if (name === "background" || name === "view" || name === "exact") this.updateView();
    else if (name === "paused") this.setPlaying(after === null);
    else if (name === "autoplay" && after !== null && this.effect && !this.hasAttribute("paused")) this.begin();
  }

  // MARK: Life

  connectedCallback() {
    clearTimeout(this.removal);
    if (this.isAttached) return;
    this.isAttached = true;
    stage.add(this);
    if (!this.hasAttribute("role")) this.setAttribute("role", "img");
    this.isVisible = typeof IntersectionObserver !== "function";
    this.sight = this.isVisible ? undefined : new IntersectionObserver((entries) => {
      this.isVisible = entries.at(-1).isIntersecting;
      this.lastFrame = undefined;
      stage.request();
    });
    this.sight?.observe(this);
    this.size = new ResizeObserver(() => {
      clearTimeout(this.resizing);
      this.resizing = setTimeout(() => this.updateView(), this.effect?.view ? 150 : 0);
    });
    this.size.observe(this);
    if (this.contents) this.begin(this.rebuild());
    else if (this.src) this.load();
  }

  disconnectedCallback() {
    // An element that is moved is removed first.
    this.removal = setTimeout(() => {
      if (!this.isConnected) this.giveBack();
    });
  }

  /** Gives back everything but the file, which is needed if the element returns. */
  giveBack() {
    this.isAttached = false;
    this.loadNumber += 1;
    clearTimeout(this.resizing);
    this.sight?.disconnect();
    this.size?.disconnect();
    this.destroyEffect();
    stage.remove(this);
    this.canvas.width = 0;
    this.canvas.height = 0;
  }

  destroyEffect() {
    this.sheet?.destroy();
    this.effect?.destroy();
    this.sheet = undefined;
    this.effect = undefined;
    this.seeking?.resolve(false);
    this.seeking = undefined;
  }

  // MARK: Loading

  /**
   * Loads an effect: that of `src`, or bytes of a package or a document.
   * @param {string | URL | Uint8Array | ArrayBuffer} [source]
   * @returns {Promise<boolean>} whether it is ready; otherwise, there was an event `error`.
   */
  async load(source = this.src) {
    const number = ++this.loadNumber;
    this.contents = undefined;
    this.destroyEffect();
    try {
      const contents = await readEffect(source, { limits: this.limits.reading });
      if (number !== this.loadNumber) return false;
      this.contents = contents;
      this.changes.clear();
      return await this.begin(this.rebuild());
    } catch (error) {
      if (number === this.loadNumber) this.fail(error);
      return false;
    }
  }

  /** Creates the effect anew from what was loaded. */
  async rebuild() {
    if (!this.contents || !this.isAttached) return false;
    const number = ++this.loadNumber;
    const { text, images, title, file, warnings } = this.contents;
    try {
      const module = await stage.module();
      if (number !== this.loadNumber) return false;
      this.destroyEffect();
      const { reading, ...limits } = this.limits;
      const options = { limits: { ...pageLimits, ...limits } };
      if (this.seed) options.seed = this.seed;
      if (this.profile) options.profile = this.profile;
      this.effect = new Effect(module, text, options, file);
      for (const [index, image] of images) this.effect.setImage(index, image);
      for (const [path, value] of this.changes) this.effect.set(path, value);
      this.sheet = new Sheet(images);
      this.hasEnded = false;
      this.isStopped = false;
      if (!this.hasAttribute("aria-label") || this.labelled) {
        this.labelled = true;
        this.setAttribute("aria-label", title);
      }
      this.updateView();
      if (!this.effect) return false;
      this.warnings = [...warnings, ...this.effect.diagnostics];
      this.send("ready", { title, duration: this.effect.duration, warnings: this.warnings });
      return true;
    } catch (error) {
      if (number === this.loadNumber) this.fail(error);
      return false;
    }
  }

  /** Begins to play, or shows a still picture. */
  async begin(ready = true) {
    if (!(await ready) || !this.effect) return false;
    const isQuiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (this.isPlaying || (this.autoplay && !this.hasAttribute("paused") && !isQuiet)) this.play();
    else if (this.effect.time === 0) await this.seek(this.stillTime);
    return true;
  }

  /** A moment at which much of the effect is to be seen. */
  get stillTime() { return Math.min(1.5, Math.max(this.effect.duration / 2, 0)); }

  /** Reports an error, and goes on without the effect. */
  fail(error) {
    const fault = particlesError(error, "particles/failure");
    const isBroken = this.effect?.module.isBroken;
    this.destroyEffect();
    this.isPlaying = false;
    this.error = fault;
    this.send("error", fault);
    if (isBroken) stage.rebuild(this);
  }

  send(name, detail) {
    const event = new CustomEvent(name, { detail });
    this.dispatchEvent(event);
  }

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
      // Only an effect that ends is empty for good.
      if (this.effect.statistics?.ended === false) return;
      this.effect.restart();
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

  // MARK: Drawing

  updateView() {
    if (!this.effect || !this.isAttached) return;
    const density = globalThis.devicePixelRatio || 1;
    const [width, height] = [this.clientWidth, this.clientHeight];
    if (width === 0 || height === 0) return;
    const factor = Math.min(density, greatestSide / width, greatestSide / height);
    const [columns, rows] = [Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor))];
    this.guard(() => {
      const background = this.colorOf(this.background);
      const view = this.getAttribute("view") ?? "auto";
      this.effect.setView(columns, rows, { view, camera: this.camera, background, scale: view === "pixels" ? factor : 1 });
      this.sheet.destroy();
      if (this.canvas.width !== columns) this.canvas.width = columns;
      if (this.canvas.height !== rows) this.canvas.height = rows;
      this.invalidate();
    });
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
      if (!drawer.draw(effect.compose(), this.sheet, canvas)) {
        this.isDue = true;
        return false;
      }
      drawer.copy(context, canvas.width, canvas.height);
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

/** Defines `<particles-effect>`, once. */
export function defineElement(name = "particles-effect") {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, ParticlesEffectElement);
}

defineElement();
