// The effect, simulated in the page from the beginning to the shown time after each change. So the picture equals
// `particles render --at`, whatever came before.

import { icon, make } from "../icons.js";
import { isOfModule, isQuiet, loadPlayer } from "../moving.js";
import { address } from "../server.js";
import { faultLine, text } from "../texts.js";
import { Handles } from "./handles.js";
import { Projection } from "./projection.js";
import { listenToAim } from "./stage-aim.js";
import { StageCount } from "./stage-count.js";
import { placePictures } from "./stage-pictures.js";

/** Milliseconds after which a silent worker is looked at. The second time, it is ended. */
const patience = 1000;
/** Seconds of the effect at which it stands for users who want no motion. */
const momentOfStill = 1;
const encoder = new TextEncoder();

export class EffectStage extends HTMLElement {
  /** @param {import("./session.js").EditSession} session */
  constructor(session, { hasModule = true, begins } = {}) {
    super();
    this.session = session;
    /** Until then, nothing is drawn. */
    this.begins = begins;
    this.hasModule = hasModule;
    this.isPlaying = !isQuiet();
    this.handles = new Handles(this);
    this.layers = make("div", { class: "layers" });
    this.notice = make("p", { class: "stage-notice", role: "status", hidden: true });
    this.busy = make("p", { class: "stage-busy", role: "status", hidden: true }, icon("clock"), text("editComputing"));
    this.count = new StageCount(this);
    this.still = make("img", { class: "stage-still", alt: "", hidden: true });
    this.className = "effect-stage";
    this.tabIndex = 0;
    this.setAttribute("aria-label", text("editStage"));
    this.setAttribute("role", "group");
    this.onchange = ({ detail }) => this.changed(detail);
    this.onselection = () => this.handles.update();
    this.onview = ({ detail }) => this.viewChanged(detail.name);
  }

  connectedCallback() {
    if (this.isBuilt) return;
    this.isBuilt = true;
    this.append(this.layers, this.still, this.handles.element, this.notice, this.count.line, this.busy);
    this.session.addEventListener("change", this.onchange);
    this.session.addEventListener("selection", this.onselection);
    this.session.addEventListener("view", this.onview);
    listenToAim(this);
    this.start();
  }

  disconnectedCallback() {
    if (this.isConnected) return;
    this.count.end();
    clearTimeout(this.drawing);
    this.resizing?.disconnect();
    this.session.removeEventListener("change", this.onchange);
    this.session.removeEventListener("selection", this.onselection);
    this.session.removeEventListener("view", this.onview);
    this.player?.remove();
  }

  async start() {
    if (!this.hasModule) return this.showDrawn();
    try {
      await loadPlayer();
    } catch {
      this.hasModule = false;
      return this.showDrawn();
    }
    customElements.get("particles-effect").patience = patience;
    await this.begins;
    if (!this.isConnected) return;
    const player = document.createElement("particles-effect");
    player.setAttribute("loop", "");
    // A burst of 100,000 needs 7 million steps. Emitters share the particles.
    player.limits = { particles: 300_000, particleSteps: 10_000_000 };
    player.setAttribute("aria-label", text("editStage"));
    player.addEventListener("ready", () => this.ready());
    player.addEventListener("frame", ({ detail }) => this.framed(detail));
    player.addEventListener("busy", ({ detail }) => { this.busy.hidden = !detail.isBusy; });
    player.addEventListener("error", ({ detail }) => this.failed(detail));
    this.player = player;
    this.applyBackground();
    this.layers.after(player);
    this.resizing = new ResizeObserver(() => {
      this.applyPixels();
      this.place();
    });
    this.resizing.observe(this);
    this.count.begin();
    // At the beginning there is nothing to be seen.
    await this.load(this.isPlaying ? undefined : momentOfStill);
  }

  emit(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  // MARK: The document

  /** What of a document the decoded images depend on. */
  imagesOf() {
    const { document: shown, files } = this.session;
    return JSON.stringify([shown?.images?.map(({ uri }) => uri), shown?.sprites?.map(({ image }) => image),
      files?.map(({ path, digest, isMissing }) => [path, digest, isMissing])]);
  }

  /** Loads document and images, and goes to a time. */
  load(time) {
    const loading = this.loadNow(time);
    this.loading = loading;
    return loading.finally(() => { if (this.loading === loading) this.loading = undefined; });
  }

  /** Waits until the stage shows the document as it is. */
  async settled() {
    while (this.isWaiting || this.loading || this.player?.replacing) {
      await this.loading;
      await Promise.resolve(this.player?.replacing).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async loadNow(time) {
    this.loadedImages = this.imagesOf();
    const player = this.player;
    const wasPlaying = this.isPlaying;
    if (this.camera) player.camera = this.camera;
    const isLoaded = await player.load({ document: encoder.encode(this.session.shownText), read: (path) => this.session.imageBytes(path) });
    if (!isLoaded || player !== this.player) return;
    if (time !== undefined) await player.seek(time);
    if (wasPlaying) this.play();
    this.changed({});
  }

  changed() {
    if (!this.player) {
      if (!this.hasModule) this.drawSoon();
      return;
    }
    this.handles.update();
    if (this.isWaiting) return;
    // All changes of a moment are one.
    this.isWaiting = true;
    queueMicrotask(() => {
      this.isWaiting = false;
      this.update();
    });
  }

  async update() {
    const { player, session } = this;
    if (!player?.contents) return;
    if (this.imagesOf() !== this.loadedImages) return this.load(this.time);
    const shown = session.shownText;
    if (shown === this.shownText) return;
    this.shownText = shown;
    const moment = this.complete(this.time);
    this.asked = performance.now();
    try {
      if (await player.replace(shown, { moment })) {
        this.latency = performance.now() - this.asked;
        this.count.anew();
        this.clear();
        this.emit("shown", { moment, text: shown });
        this.repeat();
        // A player whose effect has failed stands still.
        if (this.isPlaying && !player.isPlaying) player.play();
      }
    } catch (error) {
      this.say(faultLine(error));
    }
  }

  ready() {
    this.clear();
    const { view } = this.player.effect;
    if (!this.camera && view?.camera) {
      this.camera = this.whole(view);
      this.player.camera = this.camera;
      this.player.updateView();
    }
    this.place();
    this.repeat();
    this.emit("ready");
  }

  /** The camera that was found as one of its own: all of `preview.size` is in the picture. */
  whole({ camera, width, height }) {
    const frame = this.session.value("preview.size");
    if (!camera.orthoHeight || !Array.isArray(frame) || !(frame[0] > 0 && frame[1] > 0) || this.session.document.preview?.camera) return camera;
    const scale = Math.min(height / camera.orthoHeight, (width * frame[1]) / (frame[0] * camera.orthoHeight));
    return { ...camera, orthoHeight: height / scale };
  }

  failed(error) {
    this.busy.hidden = true;
    if (isOfModule(error) && this.hasModule) {
      // The module cannot be used here: the program draws.
      this.hasModule = false;
      this.player.remove();
      this.player = undefined;
      this.showDrawn();
      return this.emit("failed", error);
    }
    // After other errors, such as a simulation that takes too long, a thumbnail is shown. The next edit may mend them.
    this.shownText = undefined;
    this.still.src = address("edit-thumbnail", { item: this.session.item.id, size: 512, revision: this.session.revision }).href;
    this.still.hidden = false;
    this.say(faultLine(error));
    this.emit("failed", error);
  }

  say(line) {
    this.notice.textContent = line;
    this.notice.hidden = false;
  }

  clear() {
    this.notice.hidden = true;
    this.still.hidden = true;
  }

  // MARK: Without WebAssembly

  showDrawn() {
    this.drawn = make("img", { class: "stage-drawn", alt: text("editStage") });
    this.layers.after(this.drawn);
    this.say(text("noModule"));
    this.drawSoon();
  }

  drawSoon() {
    clearTimeout(this.drawing);
    this.drawing = setTimeout(async () => {
      await this.session.idle();
      this.drawn.src = address("edit-animation", { item: this.session.item.id, size: 480, revision: this.session.revision }).href;
    }, 300);
  }

  // MARK: Time

  get time() { return this.player?.seeking?.moment ?? this.player?.currentTime ?? 0; }

  /** Seconds of the time line. */
  get duration() {
    const stated = Number(this.session.view.repeat);
    return stated > 0 ? stated : this.player?.duration || 1;
  }

  get paused() { return !this.isPlaying; }

  play() {
    this.isPlaying = true;
    this.player?.play();
    this.emit("state");
  }

  pause() {
    this.isPlaying = false;
    this.player?.pause();
    this.emit("state");
  }

  restart() { this.player?.restart(); this.emit("state"); }

  /** Seconds of a round of a seamless loop, or 0. */
  get round() { return this.session.view.loop === "seamless" ? this.player?.roundOf(this.duration) ?? 0 : 0; }

  /** A moment at which the picture is complete: of a seamless loop, one of a later round. */
  complete(seconds) { return this.player ? this.player.completeMoment(seconds) : seconds; }

  /** Begins or ends a seamless loop, or gives it another length, and goes on at the moment that is shown. */
  async repeat() {
    const { player, round } = this;
    if (!player?.effect || player.round === round) return;
    // Where a loop ends, the moment is in its round.
    const moment = player.round > 0 ? this.time % player.round : this.shownTime;
    await player.repeatSeamlessly(round);
    await this.seek(moment);
  }

  /** Goes to a time, from the beginning. */
  async seek(seconds) {
    const reached = await this.player?.seek(this.complete(seconds));
    this.emit("state");
    return reached;
  }

  async step(seconds = 1 / 60) {
    this.pause();
    await this.player?.step(seconds);
    this.emit("state");
  }

  /** Counts a drawn frame. A view that repeats begins again at its end. */
  framed(detail) {
    const { time, alive } = detail;
    this.alive = alive;
    this.count.drew(detail);
    if (this.isPlaying && !this.player.seeking && (this.session.view.loop ?? "again") === "again" && time >= this.duration) this.player.restart();
    this.emit("time", { time, alive });
  }

  /** The time as the time line shows it. */
  get shownTime() {
    const length = this.round || this.duration;
    return this.round || this.session.view.loop === "on" ? this.time % length : Math.min(this.time, length);
  }

  /** The picture of the module's rasteriser. */
  picture(view) { return this.player?.picture(view); }

  // MARK: View

  /** Places of the effect in the picture, if there is one. */
  place() {
    const { player } = this;
    const camera = this.camera ?? player?.effect?.view?.camera;
    this.projection = camera && this.clientWidth > 0 ? new Projection(camera, this.clientWidth, this.clientHeight) : undefined;
    this.handles.update();
    this.placeLayers();
    this.emit("placed");
  }

  setCamera(camera) {
    this.camera = camera;
    this.place();
    if (this.isAiming || !this.player) return;
    this.isAiming = true;
    requestAnimationFrame(async () => {
      this.isAiming = false;
      if (!this.player) return;
      this.player.camera = this.camera;
      await this.player.updateView();
      this.place();
    });
  }

  /** Shows all of the effect. */
  async fit() {
    this.camera = undefined;
    if (!this.player) return;
    this.player.camera = undefined;
    await this.player.updateView();
    this.ready();
  }

  zoom(factor, at = [this.clientWidth / 2, this.clientHeight / 2]) {
    if (this.projection) this.setCamera(this.projection.zoomed(Math.min(Math.max(factor, 0.2), 5), at));
  }

  pointOf({ clientX, clientY }) {
    const box = this.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  }

  viewChanged(name) {
    if (name === "background") this.applyBackground();
    else if (name === "pixels") this.applyPixels();
    else if (name === "speed" && this.player) this.player.speed = this.session.view.speed ?? 1;
    else if (name === "follows" && !this.session.view.follows) this.player?.moveTo(0, 0, 0);
    else if (name === "backdrop" || name === "reference") this.placeLayers();
    else if (name === "loop" || name === "repeat") this.repeat();
    else if (["muted", "solo", "seed"].includes(name)) this.update();
    this.handles.update();
  }

  applyBackground() {
    const { background = "auto" } = this.session.view;
    const hasBackdrop = Boolean(this.session.view.backdrop);
    this.player?.setAttribute("background", hasBackdrop ? "transparent" : background);
    this.classList.toggle("chequered", background === "transparent" && !hasBackdrop);
    if (this.player) this.player.speed = this.session.view.speed ?? 1;
  }

  /** Hard pixels: the picture is drawn small, and each pixel is shown as a square. */
  applyPixels() {
    const { player } = this;
    if (!player) return;
    const factor = Math.min(Math.max(Number(this.session.view.pixels) || 1, 1), 16);
    Object.assign(player.style, {
      width: `${this.clientWidth / factor}px`, height: `${this.clientHeight / factor}px`,
      transform: factor > 1 ? `scale(${factor})` : "", imageRendering: factor > 1 ? "pixelated" : "",
    });
    player.canvas.style.imageRendering = factor > 1 ? "pixelated" : "";
  }

  /** Shows the pictures at scale where they are now. */
  placeLayers() {
    placePictures(this);
    this.applyBackground();
  }
}

customElements.define("effect-stage", EffectStage);
