// The property that a control changes, of one or several emitters, or a part of one. Controls use nothing else of the session.

import { relative } from "./values.js";

/** An edit that is refused is no fault of a listener: the promise is kept, with the reason. The old value is shown again. */
export const quietly = (promise) => Promise.resolve(promise).then(() => undefined, (fault) => fault);

export class Binding {
  /**
   * @param {EditSession} session
   * @param {string[]} keys - concrete keys, one for each emitter that is edited
   * @param {object} row - the row of the schema
   * @param {string} name - of an edit, a key of `edit-names.js`
   */
  constructor(session, keys, row, name) {
    Object.assign(this, { session, keys, row, name });
  }

  get values() { return this.keys.map((key) => this.session.value(key)); }
  get value() { return this.values[0]; }
  get isSet() { return this.keys.some((key) => this.session.isSet(key)); }
  get isReadOnly() { return Boolean(this.session.isReadOnly); }

  changes(values) {
    return this.keys.map((key, index) => (values[index] === undefined ? { key, unset: true } : { key, value: values[index] }));
  }

  /** One edit: values for each key. Undefined removes one. Resolves to the reason if it is refused. */
  apply(values, name = this.name) { return quietly(this.session.edit(name, this.changes(values))); }

  /** One value for all. */
  set(value, name) { return this.apply(this.keys.map(() => value), name); }

  unset(name) { return this.apply(this.keys.map(() => undefined), name); }

  /** Begins a gesture, one step of undo. `start` has the values before it. */
  begin(name = this.name) {
    const start = this.values;
    const gesture = this.session.begin(name);
    return {
      start,
      set: (values) => gesture.change(this.changes(values)),
      end: () => quietly(gesture.end()),
      cancel: () => quietly(gesture.cancel()),
    };
  }

  /** Applies a relative change to each. Returns whether all can be changed. */
  change(operation, name) {
    const values = this.values.map((value) => relative(value, operation));
    if (values.includes(undefined)) return false;
    this.apply(values.map((value) => limited(value, this.row)), name);
    return true;
  }

  /** A part of the value, such as `from` of a track. `get` takes the part out of a value, `put` returns the value with another part. */
  part(get, put, row = this.row, name = this.name) { return new Part(this, get, put, row, name); }

  /** A member of the value. */
  member(key, standard, row = this.row) {
    return this.part((value) => value?.[key] ?? standard, (value, part) => {
      const whole = { ...value };
      if (part === undefined) delete whole[key];
      else whole[key] = part;
      return whole;
    }, row);
  }
}

/** Whole numbers stay whole. */
function limited(value, row) {
  return typeof value === "number" && row.type.startsWith("integer") ? Math.round(value) : value;
}

class Part extends Binding {
  constructor(parent, get, put, row, name) {
    super(parent.session, parent.keys, row, name);
    Object.assign(this, { parent, get, put });
  }

  get values() { return this.parent.values.map(this.get); }
  get isSet() { return this.parent.isSet; }

  whole(values, base = this.parent.values) { return base.map((value, index) => this.put(value, values[index])); }

  apply(values, name = this.name) { return this.parent.apply(this.whole(values), name); }

  begin(name = this.name) {
    const gesture = this.parent.begin(name);
    return {
      ...gesture,
      start: gesture.start.map(this.get),
      set: (values) => gesture.set(this.whole(values, gesture.start)),
    };
  }
}
