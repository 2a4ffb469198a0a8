import { constants } from "./layout.js";
import { Handle, choice } from "./library.js";
import { Effect } from "./effect.js";
import { misuse } from "./errors.js";

const sides = { ours: constants.OURS, theirs: constants.THEIRS, merged: constants.MERGED };

/** Edits of an effect in memory: undo, gestures, and changes by other programs. */
export class EditSession extends Handle {
  constructor(library, handle) { super(library, handle, "session_close"); }

  #state(field) {
    return this.library.with((scope) => {
      const state = scope.struct("session_state");
      this.check("session_stat", state.address);
      return state.get(field);
    });
  }

  /** The name of the next edit to undo, or undefined. */
  get undoName() { return this.#state("undo_name"); }

  /** The name of the next edit to redo, or undefined. */
  get redoName() { return this.#state("redo_name"); }

  /** A number that grows with each change of the contents. */
  get revision() { return this.#state("revision"); }

  /** Whether there are changes that are not stored. */
  get isChanged() { return (this.#state("states") & constants.STATE_CHANGED) !== 0; }

  /** Whether another program has stored a change that excludes ours. */
  get hasConflict() { return (this.#state("states") & constants.STATE_CONFLICT) !== 0; }

  /** A copy of the contents. Its `write()` gives the file with the edits. */
  effect() { return new Effect(this.library, this.opened("effect_close", "session_effect")); }

  /** A property: its value, or its default. */
  get(key) { return this.json("session_get", key); }

  /**
   * Sets a property to a value of JSON, or removes it if that is undefined. All changes of one `gesture`, a number other than 0,
   * are one edit, until `endGesture`.
   */
  set(key, value, { name, gesture = 0 } = {}) {
    this.check("session_set", key, value === undefined ? null : JSON.stringify(value), name ?? null, gesture);
  }

  /** Ends a gesture: its changes are one edit, or are taken back. */
  endGesture(gesture, { cancel = false } = {}) { this.check("session_end_gesture", gesture, cancel ? 1 : 0); }

  /** Makes one edit of all that `body` does with an effect. If it throws, nothing changes. */
  edit(name, body) {
    const { library } = this;
    const edit = (handle) => {
      const effect = new Effect(library, handle >>> 0, null);
      try {
        if (typeof body(effect)?.then === "function") throw misuse("an edit cannot wait", "use a function that is not async");
      } finally {
        effect.close();
      }
    };
    library.calling({ edit }, (places) => this.check("session_edit", name, places.edit, places.context));
  }

  /** Undoes edits, and returns how many there were. */
  undo(count = 1) { return this.#walk(count); }

  /** Redoes edits, and returns how many there were. */
  redo(count = 1) { return this.#walk(-count); }

  #walk(count) {
    return this.library.with((scope) => {
      const done = scope.allocate(4);
      this.check("session_undo", count, done);
      return this.library.read(done, "i");
    });
  }

  /** States that the contents are stored now. A fault during a conflict. */
  saved() { this.check("session_saved"); }

  /** Merges an effect that another program has stored. `kind` is `nothing`, `reloaded`, `merged` or `conflict`. */
  merge(theirs) { return this.json("session_merge", theirs.handle); }

  /** Ends a conflict by `ours`, `theirs` or `merged`, which takes ours wherever both have changed a part. Ends all gestures. */
  resolve(side) {
    const names = Object.keys(sides);
    this.check("session_resolve", sides[names[choice(names, side, "side")]]);
  }
}
