import { Handle } from "./library.js";
import { pixels, planned } from "./plan.js";

/** The columns of particles, in units, seconds, degrees and 0 to 1. */
export const columnNames = [
  "x", "y", "z", "velocity_x", "velocity_y", "velocity_z", "width", "height", "angle", "red", "green", "blue", "alpha",
  "intensity", "mix", "age", "life",
];

/** A running effect. An effect, an engine and a seed give equal particles everywhere. */
export class Simulation extends Handle {
  constructor(library, handle) { super(library, handle, "simulation_close"); }

  #state(emitter = -1) {
    return this.library.with((scope) => {
      const state = scope.struct("simulation_state");
      this.check("simulation_describe", emitter, state.address);
      return Object.fromEntries(["time", "emitters", "alive", "emitted"].map((name) => [name, state.get(name)]));
    });
  }

  /** Seconds since the start. */
  get time() { return this.#state().time; }

  /** The number of emitters. */
  get emitters() { return this.#state().emitters; }

  /** The particles of an emitter, or of all, that live and that were emitted. */
  count(emitter = -1) {
    const { alive, emitted } = this.#state(emitter);
    return { alive, emitted };
  }

  /** Advances it by a time, in steps of at most 1/60 s. */
  advance(seconds) { this.check("simulation_advance", seconds); }

  /** Ends the emission. Living particles go on. */
  stopEmitting() { this.check("simulation_stop"); }

  /** The particles of an emitter: a copy of each column by its name, and their ordinals. */
  columns(emitter = 0) {
    const { library } = this;
    const columns = this.opened("columns_close", "simulation_columns", emitter);
    try {
      return library.with((scope) => {
        const [out, count] = [scope.allocate(4), scope.allocate(8)];
        const found = {};
        for (const name of columnNames) {
          library.check(columns, "columns_get", columns, name, out, count);
          found[name] = new Float32Array(library.exports.memory.buffer, library.read(out, "p"), library.read(count, "l")).slice();
        }
        library.check(columns, "columns_ordinals", columns, out);
        const bytes = library.bytes(library.read(out, "p"), found.x.length * 8).slice();
        found.ordinal = new BigUint64Array(bytes.buffer);
        return found;
      });
    } finally {
      if (!library.broken) library.call("columns_close", columns);
    }
  }

  /** Draws it as it is now. Later pictures keep the size, background and scale of the first one. */
  draw(settings) {
    return this.library.with((scope) => {
      const plan = planned(this.library, scope, settings);
      return pixels(this.library, plan.width, plan.height, (rgba, stride) =>
        this.check("simulation_draw", plan.address, rgba, stride));
    });
  }
}
