import { Drawer } from "./drawer.js";
import { startHost } from "./host.js";

/** Milliseconds of all effects of a page in a frame: above the first, fewer frames are drawn, and below the second, more. */
const [longFrame, shortFrame] = [14, 6];
/** Frames are drawn at every n-th refresh of the screen, at most. */
const mostSkipped = 12;

/**
 * What all effects of a page share: the module, in a worker if there can be one, one context of WebGL, and the clock. It exists
 * as long as an element needs it.
 */
export class Stage {
  constructor() {
    this.members = new Set();
    this.interval = 1;
    this.refreshes = 0;
    this.mean = 0;
    this.measured = 0;
    /** Refreshes since the last frame at which its pictures were not finished. */
    this.behind = 0;
    this.source = undefined;
    /** The script of the worker: undefined for `worker.js`, false for none. */
    this.workerScript = undefined;
    this.tick = this.tick.bind(this);
    this.wake = () => this.request();
  }

  /** Sets where the module is: bytes, an address or a promise of either. */
  setModule(source) {
    this.source = source;
    this.replaceHost();
  }

  /** Sets the script of the worker. */
  setWorker(script) {
    this.workerScript = script;
    this.replaceHost();
  }

  /** The host that simulates, started once, and again after it has failed. */
  host() {
    if (this.loading) return this.loading;
    const source = Promise.resolve(this.source ?? new URL("particles.wasm", import.meta.url));
    this.adopt(source.then((source) => startHost(source, this.workerScript)));
    return this.loading;
  }

  adopt(loading) {
    this.loading = loading;
    loading.then((host) => {
      if (this.loading !== loading) return host.close();
      this.running = host;
      host.onbroken = () => this.rebuild();
    }, () => {
      // The next effect may have more luck.
      if (this.loading === loading) this.loading = undefined;
    });
  }

  /** Effects that run begin anew. */
  replaceHost() {
    this.closeHost();
    this.rebuild();
  }

  closeHost() {
    this.running?.close();
    this.running = undefined;
    this.loading = undefined;
  }

  /** The drawer, or undefined without WebGL 2. */
  get drawer() {
    if (this.drawing === undefined) {
      try {
        this.drawing = new Drawer();
        this.drawing.onchange = () => {
          if (!this.drawing?.isLost) for (const member of this.members) member.invalidate();
        };
      } catch {
        this.drawing = null;
      }
    }
    return this.drawing ?? undefined;
  }

  add(member) {
    if (this.members.size === 0) document.addEventListener("visibilitychange", this.wake);
    this.members.add(member);
    this.request();
  }

  remove(member) {
    this.members.delete(member);
    if (this.members.size > 0) return;
    document.removeEventListener("visibilitychange", this.wake);
    this.drawing?.destroy();
    this.drawing = undefined;
    // The memory of a module is given back with its worker only, also with a worker that is starting.
    if (this.running ? this.running.isWorker : this.loading) this.closeHost();
  }

  /** Asks for a frame, unless nothing moves. */
  request() {
    if (this.handle !== undefined || document.visibilityState === "hidden") return;
    if (![...this.members].some((member) => member.isBusy)) return;
    this.handle = requestAnimationFrame(this.tick);
  }

  tick(now) {
    this.handle = undefined;
    this.refreshes += 1;
    if (this.drawing?.isBehind && this.behind < mostSkipped) {
      // The pictures of the last frame are not finished: the graphics processor has too much to do.
      this.behind += 1;
      if (this.behind === 3) this.drawing.adapt(50);
    } else if (this.refreshes % this.interval === 0 || ![...this.members].some((member) => member.isPlaying && member.isVisible)) {
      // Where nothing plays, a picture comes once: it does not wait.
      this.behind = 0;
      const start = performance.now();
      for (const member of [...this.members]) {
        if (member.isBusy) member.frame(now);
      }
      // A worker that has too much to do needs fewer frames as well.
      const worked = this.running?.worked ?? 0;
      if (this.running) this.running.worked = 0;
      this.measure(Math.max(performance.now() - start, worked), now);
    }
    this.request();
  }

  /** Lowers the rate of frames where they take too long, and raises it where they do not. */
  measure(duration, now) {
    this.refresh = this.lastTick ? Math.min(Math.max((now - this.lastTick) / this.interval, 4), 50) : 16.7;
    this.lastTick = now;
    this.mean += (duration - this.mean) / 8;
    this.measured += 1;
    if (this.measured < 8) return;
    const before = this.interval;
    if (this.mean > longFrame * this.interval && this.interval < mostSkipped) {
      this.interval = Math.min(mostSkipped, Math.max(this.interval + 1, Math.ceil(this.mean / longFrame)));
    } else if (this.interval > 1 && this.mean < shortFrame * this.interval) {
      this.interval -= 1;
    }
    if (this.interval === before) return;
    this.measured = 0;
    for (const member of this.members) member.noteRate(this.interval, this.mean);
  }

  /** After the module has failed, its memory is undefined: all effects begin anew but the culprit. */
  rebuild(culprit) {
    if (this.running?.isBroken) {
      const { running } = this;
      this.running = undefined;
      this.adopt(running.fresh());
    }
    for (const member of this.members) if (member !== culprit) member.begin(member.rebuild());
  }
}

/** The stage of this page. */
export const stage = new Stage();
