import { particlesError } from "./diagnostic.js";
import { Effect } from "./module.js";
import { covered } from "./thinning.js";

/** Seconds that a call of the module advances at most. */
const longestSlice = 1 / 15;
/** Steps of the simulation between two looks at the clock, while a moment is sought. */
const stepsOfLook = 5;

/**
 * The effects of a page with their module. It answers requests, in a worker or on the thread of the page: the rest of the
 * player does not know which.
 */
export class EffectService {
  /**
   * @param {import("./module.js").ParticlesModule} module
   * @param {number} budget milliseconds after which a request for a frame takes no further steps.
   */
  constructor(module, budget) {
    this.module = module;
    this.budget = budget;
    this.effects = new Map();
  }

  /**
   * Answers a request.
   * @param {{name: string, key: number, values?: object}} request `key` is the number of the effect.
   * @returns {{value?: any, state?: object, error?: Error, isBroken?: boolean, took: number, memory: number}} `isBroken`: the module is of
   *   no further use. `took`: milliseconds. `memory`: bytes of the module.
   */
  answer({ name, key, values = {} }) {
    const start = performance.now();
    const answer = {};
    try {
      answer.value = name === "create" ? this.create(key, values) : this.perform(name, this.effects.get(key), values, key);
      const entry = this.effects.get(key);
      if (entry) answer.state = this.stateOf(entry);
    } catch (error) {
      answer.error = particlesError(error, "particles/failure");
      answer.isBroken = this.module.isBroken;
    }
    answer.took = performance.now() - start;
    answer.memory = this.module.exports.memory.buffer.byteLength;
    return answer;
  }

  perform(name, entry, values, key) {
    if (!entry) return undefined;
    switch (name) {
    case "destroy":
      this.effects.delete(key);
      return entry.effect.destroy();
    case "view": return this.view(entry, values);
    case "frame": return this.frame(entry, values);
    case "replace": return this.replace(entry, values);
    case "picture": return this.picture(entry, values);
    case "measure": return this.measure(entry);
    case "advance":
      entry.place = values.place;
      return entry.effect.advance(values.seconds, ...values.place);
    case "restart":
      entry.isStopped = false;
      // What ends the emission ends the loop.
      return entry.round > 0 ? entry.effect.loop(entry.round) : entry.effect.restart();
    case "loop":
      entry.isStopped = false;
      entry.round = values.seconds;
      return entry.effect.loop(values.seconds);
    case "stop":
      entry.isStopped = true;
      return entry.effect.stop();
    case "set": {
      const warnings = entry.effect.setText(values.path, values.text, values.beyond);
      // A simulation that began anew emits again.
      if (entry.isStopped) entry.effect.stop();
      return { warnings };
    }
    case "report": return entry.effect.module.report(entry.effect.effect, values.kind);
    default: return undefined;
    }
  }

  stateOf({ effect }) {
    return { time: effect.time, count: effect.count, duration: effect.duration };
  }

  create(key, { text, options, file, images, changes, round = 0 }) {
    const effect = new Effect(this.module, text, options, file);
    try {
      for (const [index, image] of images) effect.setImage(index, image);
      for (const [path, { text, beyond }] of changes) effect.setText(path, text, beyond);
      if (round > 0) effect.loop(round);
    } catch (error) {
      effect.destroy();
      throw error;
    }
    this.effects.set(key, { effect, round, isStopped: false, place: [0, 0, 0] });
    return { warnings: effect.diagnostics };
  }

  /** States the camera that was found, unless it is given: it would be searched again when the textures change, and jump. */
  view(entry, { width, height, options, isCameraKept }) {
    const { effect } = entry;
    effect.setView(width, height, options);
    const { camera, background } = effect.view;
    entry.view = { width, height, options: isCameraKept && camera ? { ...options, camera, background } : options };
    if (entry.view.options !== options) effect.setView(width, height, entry.view.options);
    return effect.view;
  }

  /** Takes another document, and goes to a moment as far as the time of a frame allows. */
  replace(entry, { text, moment, drawing }) {
    entry.effect.replace(text);
    return this.frame(entry, { moment, drawing, isSteady: true });
  }

  /** The pixels of the rasteriser in a view of their own. */
  picture({ effect, view }, { width, height, options }) {
    effect.setView(width, height, options);
    try {
      return { width, height, pixels: effect.paint().slice() };
    } finally {
      if (view) effect.setView(view.width, view.height, view.options);
    }
  }

  /** Numbers of particles, and how often the quads cover the picture. */
  measure({ effect, cost }) {
    const statistics = effect.module.report(effect.effect, "statistics");
    if (!effect.view) return statistics;
    const { width, height } = effect.view;
    const { quads, count } = effect.compose();
    return { ...statistics, overdraw: covered(quads, count, { columns: width, rows: height }) / (width * height), milliseconds: cost ?? 0 };
  }

  /**
   * Advances an effect, or goes on to a moment that is sought, and composes its picture.
   * @param {object} entry
   * @param {object} values `seconds` and `place`, or `moment`. `loops`. `drawing`: `"quads"`, `"pixels"` or nothing. `isSteady`: nothing
   *   is drawn before the moment is reached.
   */
  frame(entry, { seconds = 0, place, moment, loops, drawing, isSteady }) {
    const result = {};
    const start = performance.now();
    const end = start + this.budget;
    if (moment !== undefined) {
      entry.isStopped = false;
      do result.isReached = entry.effect.seek(moment, stepsOfLook); while (!result.isReached && performance.now() < end);
    } else if (seconds > 0) {
      this.advance(entry, seconds, place, end);
      result.hasEnded = this.hasEnded(entry, loops);
    }
    if (isSteady && !result.isReached) return result;
    if (entry.effect.view && drawing === "quads") result.order = this.order(entry);
    if (entry.effect.view && drawing === "pixels") result.order = this.painted(entry);
    if (moment === undefined) entry.cost = (entry.cost ?? 0) * 0.9 + (performance.now() - start) * 0.1;
    return result;
  }

  /** Advances in slices, until the time of a frame is over: the effect is then slower, and the page goes on. */
  advance(entry, seconds, place, end) {
    const from = entry.place;
    entry.place = place;
    for (let passed = 0; passed < seconds - 1e-9;) {
      const slice = Math.min(longestSlice, seconds - passed);
      passed += slice;
      const isLast = passed >= seconds - 1e-9 || performance.now() >= end;
      entry.effect.advance(slice, ...(isLast ? place : place.map((value, axis) => from[axis] + (value - from[axis]) * (passed / seconds))));
      if (performance.now() >= end) {
        entry.place = isLast ? place : place.map((value, axis) => from[axis] + (value - from[axis]) * (passed / seconds));
        return;
      }
    }
  }

  /** Ends emission after the duration, and begins again or ends after the last particle. */
  hasEnded(entry, loops) {
    const { effect } = entry;
    if (effect.time < effect.duration || (entry.round > 0 && !entry.isStopped)) return false;
    if (!loops && !entry.isStopped) {
      entry.isStopped = true;
      effect.stop();
    }
    if (effect.count > 0) return false;
    if (!loops) return true;
    if (effect.isOver) {
      entry.isStopped = false;
      effect.restart();
    }
    return false;
  }

  /** The picture by the rasteriser of the module, and how many of its sprites were left out. */
  painted({ effect }) {
    const { width, height } = effect.view;
    effect.paint();
    const { painted: count = 0, omitted = 0 } = effect.statistics;
    // The report may have moved the memory.
    return { width, height, pixels: effect.pixels, count, omitted };
  }

  order({ effect }) {
    const { width, height } = effect.view;
    return { width, height, ...effect.compose() };
  }
}
