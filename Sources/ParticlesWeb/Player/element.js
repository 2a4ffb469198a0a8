import { particlesError } from "./diagnostic.js";
import { readEffect } from "./document.js";
import { Sheet } from "./drawer.js";
import { patience, RunningEffect } from "./host.js";
import { EffectPlayback } from "./playback.js";
import { stage } from "./stage.js";

/**
 * What a page spends for an effect. `limits` of an element replace single ones. Without a worker, the page waits for
 * the simulation: there are fewer particles, so that it waits for less than a frame.
 */
const limitsOfWorker = { particles: 100_000, particleSteps: 1_000_000 };
const limitsOfPage = { particles: 20_000, particleSteps: 200_000 };

/** `<particles-effect src="fire.particles" autoplay loop>`: an effect that plays in a page. */
export class ParticlesEffectElement extends EffectPlayback {
  static observedAttributes = ["src", "seed", "profile", "speed", "background", "view", "paused", "autoplay", "exact"];

  /** Where the module is, for all elements: an address, bytes, or a promise of either. */
  static set module(source) { stage.setModule(source); }
  /** The script of the worker that simulates all effects: the address of a module, or a `Blob` of a script. False for no worker. */
  static set worker(script) { stage.setWorker(script); }
  /** Milliseconds after which a silent worker is looked at. The second time, it is ended. */
  static set patience(milliseconds) { patience.milliseconds = milliseconds; }
  /** Whether effects are simulated in a worker. Undefined before the first one is ready. */
  static get usesWorker() { return stage.running?.isWorker; }

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(":host{display:inline-block;width:320px;max-width:100%;height:240px;contain:content}:host([hidden]){display:none}canvas{display:block;width:100%;height:100%}canvas[hidden]{display:none}");
    root.adoptedStyleSheets = [sheet];
    this.canvas = document.createElement("canvas");
    this.canvas.hidden = true;
    // The contents of the element are shown until the first frame.
    this.fallback = document.createElement("slot");
    root.append(this.canvas, this.fallback);
    this.changes = new Map();
    this.isPlaying = false;
    this.isVisible = true;
    this.isDue = false;
    this.loadNumber = 0;
    /** A new number after each command: requests before it are out of date. */
    this.epoch = 0;
    this.position = [0, 0, 0];
    /** Seconds that are repeated without a seam, or 0. */
    this.round = 0;
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
    else if (name === "seed" || name === "profile") this.begin(this.rebuild());
    else if (["background", "view", "exact"].includes(name)) this.updateView();
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
    this.size = new ResizeObserver((entries) => {
      this.deviceSize = entries.at(-1).devicePixelContentBoxSize?.[0];
      clearTimeout(this.resizing);
      this.resizing = setTimeout(() => this.updateView(), this.effect?.view ? 150 : 0);
    });
    try {
      // Also called when the density of the screen changes, with the exact number of pixels.
      this.size.observe(this, { box: "device-pixel-content-box" });
    } catch {
      this.size.observe(this);
    }
    if (this.contents) this.begin(this.rebuild());
    else if (this.src) this.load();
  }

  disconnectedCallback() {
    // An element that is moved is removed first.
    this.removal = setTimeout(() => {
      if (!this.isConnected) this.giveBack();
    });
  }

  /** Gives back everything but the file: the element needs it if it returns. */
  giveBack() {
    this.isAttached = false;
    this.loadNumber += 1;
    this.supersede?.(false);
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
    this.becomeFree();
  }

  // MARK: Loading

  /**
   * Loads an effect: from `src`, or bytes of a package or a document.
   * @param {string | URL | Uint8Array | ArrayBuffer} [source]
   * @returns {Promise<boolean>} whether it is ready. If not, there was an event `error`.
   */
  async load(source = this.src) {
    const number = ++this.loadNumber;
    this.supersede?.(false);
    this.contents = undefined;
    this.destroyEffect();
    try {
      const contents = await readEffect(source, { limits: this.limits.reading });
      if (number !== this.loadNumber) return false;
      this.contents = contents;
      this.changes.clear();
      return await this.begin(this.rebuild());
    } catch (error) {
      if (number !== this.loadNumber) return false;
      // A wrong address looks like an effect that is empty.
      if (error.file) console.error(`<particles-effect>: ${error}${error.hint ? `\n${error.hint}` : ""}`);
      this.fail(error);
      return false;
    }
  }

  /**
   * Creates the effect anew from the loaded file. Callers that wait for an earlier one wait for this one then: a worker that was ended
   * never answers.
   */
  rebuild() {
    if (!this.contents || !this.isAttached) return Promise.resolve(false);
    const ready = this.create(++this.loadNumber);
    this.supersede?.(ready);
    return new Promise((resolve) => {
      this.supersede = resolve;
      ready.then(resolve);
    });
  }

  async create(number) {
    const { text, images, title, file, warnings } = this.contents;
    try {
      const host = await stage.host();
      if (number !== this.loadNumber) return false;
      this.destroyEffect();
      const { reading, ...limits } = this.limits;
      const options = { limits: { ...(host.isWorker ? limitsOfWorker : limitsOfPage), ...limits } };
      if (this.seed) options.seed = this.seed;
      if (this.profile) options.profile = this.profile;
      const { round } = this;
      const effect = await RunningEffect.create(host, { text, options, file, images: [...images], changes: [...this.changes], round });
      if (number !== this.loadNumber) {
        effect.destroy();
        return false;
      }
      this.effect = effect;
      if (this.round !== round) this.command("loop", { seconds: this.round });
      this.sheet = new Sheet(images);
      this.hasEnded = false;
      this.hasOmitted = false;
      if (!this.hasAttribute("aria-label") || this.labelled) {
        this.labelled = true;
        this.setAttribute("aria-label", title);
      }
      await this.updateView();
      if (this.effect !== effect) return false;
      this.warnings = [...warnings, ...effect.warnings];
      this.send("ready", { title, duration: effect.duration, warnings: this.warnings });
      return true;
    } catch (error) {
      if (number === this.loadNumber) this.fail(error);
      else if (error.isOfModule) stage.rebuild();
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
    this.destroyEffect();
    this.isPlaying = false;
    this.error = fault;
    this.send("error", fault);
    if (error.isOfModule) stage.rebuild(this);
  }

  send(name, detail) {
    const event = new CustomEvent(name, { detail });
    this.dispatchEvent(event);
  }
}

/** Defines `<particles-effect>`, once. */
export function defineElement(name = "particles-effect") {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, ParticlesEffectElement);
}

defineElement();
