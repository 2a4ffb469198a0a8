// The selected keys of a curve as numbers: times and values that fields show and change, several at once.

import { moved, sorted } from "./curves.js";
import { tidy } from "./numbers.js";

class Numbers {
  constructor(editor, row, get, put) { Object.assign(this, { editor, row, get, put, name: row.key }); }

  get isReadOnly() { return this.editor.binding.isReadOnly; }
  get isSet() { return true; }
  get indices() { return [...this.editor.selected].sort((a, b) => a - b); }
  get values() {
    const { keys } = this.editor.curve;
    return this.indices.length ? this.indices.map((index) => this.get(keys[index])) : [undefined];
  }

  /** The curve with other numbers for the selected keys. */
  changed(curve, values) {
    const { indices } = this;
    const keys = curve.keys.map((key, index) => {
      const place = indices.indexOf(index);
      return place < 0 || values[place] === undefined ? key : this.put(key, values[place]);
    });
    return { ...curve, keys };
  }

  apply(values) {
    const { curve, places } = sorted(this.changed(this.editor.curve, values));
    this.editor.selected = new Set(this.indices.map((index) => places[index]));
    const { binding } = this.editor;
    const done = binding.apply(this.editor.values(curve));
    this.editor.refresh();
    return done;
  }

  begin() {
    const gesture = this.editor.begin();
    const { indices } = this;
    const start = indices.map((index) => this.get(gesture.start.keys[index]));
    // Moved by steps, keys do not pass others. Typed, they may.
    const isTime = this.row.key === "time";
    return {
      start,
      set: (values) => gesture.set(isTime ? moved(gesture.start, indices, values[0] - start[0], 0) : this.changed(gesture.start, values)),
      end: () => Promise.resolve(gesture.end()),
      cancel: () => gesture.cancel(),
    };
  }
}

export class KeysBinding {
  constructor(editor) {
    this.editor = editor;
    this.time = new Numbers(editor, { key: "time", type: "number", kind: "number", usual: [0, 1], step: 0.01 },
      (key) => key.time, (key, time) => ({ ...key, time }));
    // Values are typed as on the axis.
    const row = { key: "value", type: "number", kind: "number" };
    Object.defineProperties(row, {
      usual: { get: () => [editor.mapping.offset, editor.mapping.offset + editor.mapping.scale].sort((a, b) => a - b) },
      unit: { get: () => editor.mapping.unit },
    });
    this.value = new Numbers(editor, row,
      (key) => tidy(editor.mapping.offset + editor.mapping.scale * key.value),
      (key, number) => ({ ...key, value: tidy((number - editor.mapping.offset) / editor.mapping.scale) }));
  }
}
