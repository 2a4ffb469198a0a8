// Fields of plain values: switches, names of lists, texts, vectors, intervals, lists of numbers.

import { make } from "../icons.js";
import { nameOf, text } from "../texts.js";
import { ColorField } from "./color-field.js";
import { tellFault, tool } from "./control-parts.js";
import { Control, dragged, NumberField } from "./field.js";

/** A field with `refresh()`. `binding` and `options` are set before it is built. */
class Field extends Control {
  static of(binding, options) {
    const element = super.of(binding, options);
    element.refresh();
    return element;
  }

  get isMixed() {
    const { values } = this.binding;
    const first = JSON.stringify(values[0]);
    return values.some((each) => JSON.stringify(each) !== first);
  }

  async put(value) {
    tellFault(this, await this.binding.set(value));
    this.refresh();
  }
}

export class SwitchField extends Field {
  static tag = "effect-switch";
  build() {
    this.className = "c-switch";
    this.button = make("button", {
      type: "button", role: "switch", "aria-label": this.options.label,
      onclick: () => this.put(!(this.isMixed ? false : this.binding.value)),
    }, make("i"));
    this.append(this.button);
  }

  refresh() {
    this.button.setAttribute("aria-checked", String(this.isMixed ? false : Boolean(this.binding.value)));
    this.button.classList.toggle("mixed", this.isMixed);
    this.button.disabled = this.binding.isReadOnly;
    this.button.title = this.isMixed ? text("mixed") : "";
  }
}

export class ChoiceField extends Field {
  static tag = "effect-choice";
  build() {
    const { row } = this.binding;
    this.className = "c-choice";
    this.select = make("select", { "aria-label": this.options.label, onchange: () => this.put(this.select.value === "" ? null : this.select.value) });
    this.mixed = make("option", { value: "·", hidden: true }, text("mixed"));
    this.select.append(this.mixed);
    if (row.isOptional) this.select.append(make("option", { value: "" }, text("automatic")));
    for (const name of row.values) this.select.append(make("option", { value: name }, nameOf(name)));
    this.append(this.select);
  }

  refresh() {
    const { value } = this.binding;
    // A name of a newer version is shown as it is.
    if (typeof value === "string" && ![...this.select.options].some((option) => option.value === value)) this.select.append(make("option", { value }, value));
    this.select.value = this.isMixed ? "·" : value ?? "";
    this.select.disabled = this.binding.isReadOnly;
  }
}

/** Several of some names, in the order of the list. */
export class NamesField extends Field {
  static tag = "effect-names";
  build() {
    this.className = "c-names";
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", this.options.label);
    for (const name of this.binding.row.values) {
      this.append(make("button", { type: "button", "data-name": name, onclick: () => this.toggle(name) }, nameOf(name)));
    }
  }

  toggle(name) {
    const now = this.binding.value ?? [];
    const names = this.binding.row.values.filter((each) => (each === name ? !now.includes(name) : now.includes(each)));
    this.put(names);
  }

  refresh() {
    for (const each of this.children) each.setAttribute("aria-pressed", String((this.binding.value ?? []).includes(each.dataset.name)));
  }
}

export class TextField extends Field {
  static tag = "effect-text";
  build() {
    this.className = "c-text";
    this.input = make("input", { type: "text", "aria-label": this.options.label, spellcheck: "false", autocomplete: "off", onchange: () => this.commit() });
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.commit();
      if (event.key === "Escape" && this.input.value !== (this.binding.value ?? "")) {
        event.stopPropagation();
        event.preventDefault();
        this.refresh(true);
      }
    });
    this.append(this.input);
  }

  commit() {
    const typed = this.input.value;
    if (typed === (this.binding.value ?? "") && !this.isMixed) return;
    this.put(typed === "" && this.binding.row.isOptional ? null : typed);
  }

  refresh(isForced = false) {
    if (document.activeElement === this.input && !isForced) return;
    this.input.value = this.isMixed ? "" : this.binding.value ?? "";
    this.input.placeholder = this.isMixed ? text("mixed") : "";
    this.input.disabled = this.binding.isReadOnly;
  }
}

/** Numbers side by side: vectors, pairs, intervals, rectangles. Each is moved alone. Together they are one property. */
export class VectorField extends Field {
  static tag = "effect-vector";
  build() {
    const { row } = this.binding;
    const { names, standard } = shapes[row.kind] ?? shapes.vector;
    this.className = "c-vector";
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", this.options.label);
    const isFlat = (row.kind === "vector" || row.kind === "scale") && this.options.isPlane && !this.binding.values.some((value) => value?.length > 2);
    const shown = isFlat ? names.slice(0, 2) : names;
    this.style.setProperty("--columns", String(shown.length > 3 ? 2 : shown.length));
    this.fields = shown.map((name, index) => {
      const part = this.binding.part(
        (value) => (Array.isArray(value) ? value[index] ?? standard[index] : undefined),
        (value, number) => {
          const whole = [...(Array.isArray(value) ? value : row.standard ?? standard.slice(0, shown.length))];
          while (whole.length <= index) whole.push(standard[whole.length]);
          whole[index] = number;
          // The third component is left out where it has its default, and was not there.
          if (whole.length === 3 && !(value?.length > 2) && (row.kind === "vector" || row.kind === "scale") && whole[2] === standard[2]) whole.pop();
          return whole;
        }, { ...row, standard: row.standard?.[index], usual: row.usual, type: "number" });
      const field = NumberField.of(part, {
        label: `${this.options.label} ${name}`, hasSlider: false,
        bounds: row.kind === "interval" ? (at) => {
          const other = this.binding.values[at] ?? standard;
          return index === 0 ? [undefined, other[1]] : [other[0], undefined];
        } : undefined,
      });
      this.append(make("label", { class: "axis" }, dragged(make("span", { class: "scrub", "aria-hidden": "true" }, name), field), field));
      return field;
    });
  }

  refresh() { for (const field of this.fields) field.refresh(); }
}

const shapes = {
  vector: { names: ["X", "Y", "Z"], standard: [0, 0, 0] },
  scale: { names: ["X", "Y", "Z"], standard: [1, 1, 1] },
  pair: { names: ["X", "Y"], standard: [0, 0] },
  interval: { names: ["↤", "↦"], standard: [0, 1] },
  rectangle: { names: ["X", "Y", "W", "H"], standard: [0, 0, 1, 1] },
  quaternion: { names: ["X", "Y", "Z", "W"], standard: [0, 0, 0, 1] },
  "colour rate": { names: ["R", "G", "B", "A"], standard: [0, 0, 0, 0] },
  "colour jitter": { names: ["H", "S", "B", "A"], standard: [0, 0, 0, 0] },
};

/** A name of a short list, or something else: `"sprite"` or a number, `"screen"` or a vector. */
export class EitherField extends Field {
  static tag = "effect-either";
  build() {
    this.className = "c-either";
    const { kind } = this.binding.row;
    const { names, other, start, field } = either[kind];
    this.names = names;
    this.select = make("select", { "aria-label": this.options.label, onchange: () => this.put(this.select.value === "·" ? start : this.select.value) });
    for (const name of names) this.select.append(make("option", { value: name }, nameOf(name)));
    this.select.append(make("option", { value: "·" }, text(other)));
    this.append(this.select);
    this.make = () => field(this.binding, this.options);
  }

  refresh() {
    const isName = typeof this.binding.value === "string";
    this.select.value = isName ? this.binding.value : "·";
    this.select.disabled = this.binding.isReadOnly;
    if (isName) {
      this.inner?.remove();
      this.inner = undefined;
    } else if (!this.inner) {
      this.inner = this.make();
      this.append(this.inner);
    } else {
      this.inner.refresh();
    }
  }
}

const asRow = (binding, type, more = {}) => binding.part((value) => value, (_, value) => value, { ...binding.row, type, kind: type, ...more });
const either = {
  aspect: { names: ["sprite"], other: "aNumber", start: 1, field: (binding, options) => NumberField.of(asRow(binding, "number", { minimum: 0.01, usual: [0.1, 4], scale: "log", step: 0.01 }), { ...options, hasSlider: false }) },
  axis: { names: ["screen", "random"], other: "aVector", start: [0, 0, 1], field: (binding, options) => VectorField.of(asRow(binding, "vector"), options) },
  "frame rate": { names: ["life"], other: "aNumber", start: 12, field: (binding, options) => NumberField.of(asRow(binding, "number", { usual: [0, 60], step: 1 }), { ...options, hasSlider: false }) },
  "stretch axis": { names: ["velocity"], other: "aVector", start: [0, 0], field: (binding, options) => VectorField.of(asRow(binding, "vector"), options) },
};
export const eitherKinds = Object.keys(either);

/** A list of values of one type: each with a field, one added and removed at a time. */
export class ListField extends Field {
  static tag = "effect-list";
  build() {
    this.className = "c-list";
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", this.options.label);
  }

  get elements() { return this.binding.value ?? []; }

  refresh() {
    if (this.count === this.elements.length && this.count !== undefined) {
      for (const field of this.fields) field.refresh();
      return;
    }
    this.count = this.elements.length;
    const { row } = this.binding;
    const type = this.options.type ?? row.kind.replace(/^array of /, "");
    this.fields = this.elements.map((_, index) => {
      const part = this.binding.part((value) => value?.[index], (value, element) => (value ?? []).map((each, place) => (place === index ? element : each)),
        { ...row, type, kind: type, standard: undefined });
      const options = { ...this.options, label: `${this.options.label} ${index + 1}`, hasSlider: false };
      if (type === "vector") return VectorField.of(part, options);
      if (type === "colour") return ColorField.of(part, options);
      return type === "string" ? TextField.of(part, options) : NumberField.of(part, options);
    });
    const least = this.options.least ?? 0;
    this.replaceChildren(...this.fields.map((field, index) => make("div", { class: "element" }, field,
      tool("minus", text("removeElement", `${this.options.label} ${index + 1}`), () => this.put(this.elements.filter((_, place) => place !== index)), { disabled: this.count <= least }))),
    tool("plus", text("addElement"), () => this.put([...this.elements, structuredClone(this.elements.at(-1) ?? starts[type] ?? 0)]), { class: "add" }));
  }
}

const starts = { vector: [0, 0], colour: [1, 1, 1], string: "", number: 1, integer: 0 };

for (const each of [SwitchField, ChoiceField, NamesField, TextField, VectorField, EitherField, ListField]) customElements.define(each.tag, each);
