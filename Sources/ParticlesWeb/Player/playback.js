import { ParticlesError } from "./diagnostic.js";
import { jsonText } from "./module.js";
import { EffectPainting } from "./painting.js";
import { stage } from "./stage.js";

/** Seconds that a frame advances at most: an effect that is drawn rarely becomes slow, not coarse. */
const longestStep = 1 / 15;
/** Milliseconds after which a picture that is not there yet is late. */
const lateAfter = 40;
/** Milliseconds that the simulation to a moment may take while other texts wait. */
const longestReplacement = 600;
const documentEncoder = new TextEncoder();
/** The seconds that a round of a seamless loop may have, as in the module. */
const [shortestRound, longestRound] = [0.1, 600];
/** A round whose picture has the particles of all rounds that the module shows at a time. */
const completeRound = 32;

/** What an element does with an effect that is loaded: playing and frames. */
export class EffectPlayback extends EffectPainting {
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

  /**
   * Pauses, and advances by a step.
   * @returns {Promise<boolean>} whether it was done.
   */
  step(seconds = 1 / 60) {
    this.pause();
    return this.command("advance", { seconds: Math.min(Math.max(Number(seconds) || 0, 0), 600), place: this.position });
  }

  /**
   * Begins again, with equal random numbers.
   * @returns {Promise<boolean>} whether it was done.
   */
  restart() {
    this.hasEnded = false;
    return this.command("restart");
  }

  /**
   * Begins again, and repeats a part without a seam: particles that live longer are shown under the next round, with equal random
   * numbers.
   * @param {number} seconds of a round, 0.1 to 600, or 0 for none.
   * @returns {Promise<boolean>} whether it was done.
   */
  repeatSeamlessly(seconds) {
    this.round = this.roundOf(seconds);
    this.hasEnded = false;
    return this.command("loop", { seconds: this.round });
  }

  /** The seconds of a round that is asked for with so many. */
  roundOf(seconds) { return seconds > 0 ? Math.min(Math.max(seconds, shortestRound), longestRound) : 0; }

  /**
   * A moment at which the picture of a seamless loop is complete: in its first rounds, particles of the rounds before are missing.
   * @param {number} seconds since the beginning of a round
   */
  completeMoment(seconds) {
    const { round = 0 } = this;
    return round ? completeRound * round + (Math.max(0, seconds) % round) : Math.max(0, seconds);
  }

  /**
   * Goes to a time since the start, in several frames if it is far.
   * @returns {Promise<boolean>} whether it was reached.
   */
  seek(seconds) {
    if (!this.effect) return Promise.resolve(false);
    this.seeking?.resolve(false);
    this.hasEnded = false;
    this.epoch += 1;
    return new Promise((resolve) => {
      this.seeking = { moment: Math.max(0, Number(seconds) || 0), resolve };
      stage.request();
    });
  }

  /**
   * Changes a property of the effect, such as `emitters[0].emission.rate`, from the next frame on.
   * @param {{beyond?: boolean}} [options] `beyond`: whether a number may be out of the range of its property.
   * @returns {Promise<ParticlesError[]>} warnings about numbers out of range that were let through. Rejected with an error whose place is
   *   the path, if there is no such property, or the value is not allowed.
   */
  async set(path, value, { beyond = false } = {}) {
    const { effect } = this;
    if (!effect) throw new ParticlesError("particles/failure", { message: "no effect is loaded", key: path });
    const text = jsonText(path, value);
    const { changes } = this;
    const [before, change] = [changes.get(path), { text, beyond }];
    // An effect that is created before the answer gets the change, too.
    changes.set(path, change);
    let warnings;
    try {
      warnings = await effect.set(path, text, beyond);
    } catch (error) {
      if (this.effect !== effect) return [];
      if (changes.get(path) === change) {
        if (before === undefined) changes.delete(path);
        else changes.set(path, before);
      }
      if (error.isOfModule) this.fail(error);
      throw error;
    }
    if (this.effect === effect) this.invalidate();
    return warnings;
  }

  /**
   * Takes another document in place of the loaded one, and goes to a moment, as if it had been loaded and played to there with equal
   * random numbers: for editors. Images are not decoded again, but stay by their indices. The old picture stays until the new one is
   * there. If that takes longer than 40 ms, an event `busy` tells its begin, and another its end. If texts come faster than they can
   * be simulated, the last one counts.
   * @param {string | Uint8Array} text of `document.json`.
   * @param {{moment?: number}} [options] in seconds, by default the present one.
   * @returns {Promise<boolean>} whether it is shown. False if another text came, or the effect was removed.
   * @throws {ParticlesError} if the document cannot be read: the effect is as before then.
   */
  async replace(text, { moment } = {}) {
    if (!this.contents) return false;
    const bytes = typeof text === "string" ? documentEncoder.encode(text) : text;
    const time = moment ?? this.seeking?.moment ?? this.currentTime;
    this.replacement = { bytes, moment: Math.max(0, time) };
    if (!this.effect) {
      // It could not be read before, or its worker was ended.
      this.contents = { ...this.contents, text: bytes };
      this.changes.clear();
      return (await this.begin(this.rebuild())) && this.seek(time);
    }
    // A long replacement gives way to this one. A short one is shown first, so that something moves during a drag.
    const left = this.seeking?.isSteady ? Math.max(0, this.seeking.since + longestReplacement - performance.now()) : undefined;
    if (left !== undefined) setTimeout(() => this.giveWay(), left);
    if (this.replacing) await this.replacing.catch(() => {});
    if (this.replacement?.bytes !== bytes || !this.effect) return false;
    this.replacing = this.sendReplacement(this.replacement);
    try {
      return await this.replacing;
    } finally {
      this.replacing = undefined;
    }
  }

  async sendReplacement({ bytes, moment }) {
    const { effect } = this;
    this.replacement = undefined;
    this.seeking?.resolve(false);
    this.seeking = undefined;
    this.hasEnded = false;
    this.epoch += 1;
    this.becomeBusy();
    let answer;
    try {
      answer = await effect.replace({ text: bytes, moment, drawing: this.isVisible && effect.view ? this.wayOfDrawing : undefined });
    } catch (error) {
      this.becomeFree();
      if (this.effect === effect && error.isOfModule) this.fail(error);
      throw error;
    }
    if (this.effect !== effect) return false;
    this.contents = { ...this.contents, text: bytes };
    this.changes.clear();
    this.lastFrame = undefined;
    if (answer.isReached) {
      this.becomeFree();
      // It is drawn with the next refresh of the screen: more are of no use.
      stage.request();
      return true;
    }
    // The rest is simulated in the next frames, unless another text comes. A moment that was asked for meanwhile counts.
    return new Promise((resolve) => {
      const { moment: later, resolve: reached } = this.seeking ?? {};
      this.seeking = {
        moment: later ?? moment, isSteady: true, since: performance.now(),
        resolve(isReached) {
          reached?.(isReached);
          resolve(isReached);
        },
      };
      // A text that came before the answer waits as long as a text that comes now.
      if (this.replacement) setTimeout(() => this.giveWay(), longestReplacement);
      this.goOn();
    });
  }

  /** Goes on to the moment: nothing is drawn before it is reached, so that a worker does not wait for the screen. */
  goOn() {
    const { effect } = this;
    if (this.seeking?.isSteady && effect?.host.isWorker && effect.view && !effect.isWaiting && !effect.host.isBroken) this.request(performance.now());
    else stage.request();
  }

  giveWay() {
    if (!this.replacement || !this.seeking?.isSteady) return;
    this.seeking.resolve(false);
    this.seeking = undefined;
  }

  becomeBusy() {
    this.waiting ??= setTimeout(() => {
      this.isLate = true;
      this.send("busy", { isBusy: true });
    }, lateAfter);
  }

  becomeFree() {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    if (!this.isLate) return;
    this.isLate = false;
    this.send("busy", { isBusy: false });
  }

  /**
   * The picture of this moment by the rasteriser of the module, in a view of its own: what `particles render` draws.
   * @param {{width: number, height: number, view?: string, camera?: object, background?: any, scale?: number, samples?: number}} view
   * @returns {Promise<{width: number, height: number, pixels: Uint8ClampedArray} | undefined>} RGBA, straight.
   */
  async picture({ width, height, ...options }) { return this.effect?.request("picture", { width, height, options }); }

  /** Numbers of particles, `overdraw`: how often quads cover the picture, and `milliseconds` of a frame in the worker. */
  async measure() { return this.effect?.request("measure"); }

  /** Moves the effect to a place in its units while it plays. */
  moveTo(x, y, z = 0) { this.position = [x, y, z].map((value) => (Number.isFinite(value) ? value : 0)); }

  /**
   * Ends emission. Living particles stay until their end.
   * @returns {Promise<boolean>} whether it was done.
   */
  stop() { return this.command("stop"); }

  /** Seconds since the start. */
  get currentTime() { return this.effect?.time ?? 0; }
  get duration() { return this.effect?.duration ?? 0; }
  /** Numbers of particles. */
  async statistics() { return this.effect?.report("statistics"); }
  /** The document as it is now. */
  async document() { return this.effect?.report("document"); }

  /** Does something that is not expected to fail. */
  async command(name, values) {
    const { effect } = this;
    if (!effect) return false;
    this.epoch += 1;
    try {
      await effect.request(name, values);
    } catch (error) {
      if (this.effect === effect) this.fail(error);
      return false;
    }
    if (this.effect === effect) this.invalidate();
    return true;
  }

  // MARK: Frames

  /** Whether a frame is needed. */
  get isBusy() {
    if (!this.effect?.view) return false;
    return Boolean(this.seeking) || (this.isVisible && (this.isPlaying || this.isDue || Boolean(this.effect.order)));
  }

  /** Draws again, although nothing has moved. */
  invalidate() {
    this.isDue = true;
    stage.request();
  }

  /** Asks for the next frame, and draws the latest one. On the thread of the page, that is the next frame. */
  frame(now) {
    const isAsking = this.isPlaying || this.isDue || this.seeking;
    if (isAsking && !this.effect.isWaiting && !this.effect.host.isBroken) this.request(now);
    if (!this.effect?.order || !this.isVisible) return;
    try {
      this.draw();
    } catch (error) {
      this.fail(error);
    }
  }

  request(now) {
    const values = { place: this.position, loops: this.loop };
    if (this.seeking) {
      values.moment = this.seeking.moment;
      values.isSteady = this.seeking.isSteady;
    } else if (this.isPlaying) {
      const passed = this.lastFrame === undefined ? 0 : Math.max(0, (now - this.lastFrame) / 1000);
      this.lastFrame = now;
      values.seconds = Math.min(passed, longestStep) * this.speed;
    }
    if (this.isVisible && (this.isDue || this.isPlaying || this.seeking)) values.drawing = this.wayOfDrawing;
    this.isDue = false;
    const { effect, seeking, epoch } = this;
    effect.frame(values, ({ isReached, hasEnded, order }) => {
      if (isReached && seeking === this.seeking) this.endSeeking(order);
      if (hasEnded && epoch === this.epoch && this.isPlaying) this.end();
      this.goOn();
    }, (error) => { if (this.effect === effect) this.fail(error); });
  }

  endSeeking(order) {
    const { resolve } = this.seeking;
    this.becomeFree();
    this.seeking = undefined;
    this.lastFrame = undefined;
    // Due, unless its picture has come with it. A picture of an earlier moment may wait.
    this.isDue = !order;
    resolve(true);
  }

  end() {
    this.isPlaying = false;
    this.hasEnded = true;
    this.isDue = true;
    this.send("end", { time: this.effect.time });
  }
}
