// A random number between two bounds: one bar with a handle for each bound, and two fields.

import { make } from "../icons.js";
import { text } from "../texts.js";
import { draggable, heldKeys, tellFault } from "./control-parts.js";
import { Control, NumberField, slid } from "./field.js";
import { clamp, formatNumber, numberAt, shareOf, sliderOf, stepped, tidy } from "./numbers.js";

/** A control of objects with `min` and `max`. */
export class RangeField extends Control {
  static tag = "effect-range";

  get row() { return this.binding.row; }

  bound(key, label) {
    const other = key === "min" ? "max" : "min";
    const part = this.binding.part((value) => value?.[key], (value, number) => ({ ...value, [key]: number }), { ...this.row, type: "number", minimum: undefined, maximum: undefined });
    return NumberField.of(part, {
      label: `${this.options.label}, ${label}`, hasSlider: false, onrange: (low, high) => this.binding.apply(this.binding.values.map((value) => ({ ...value, min: low, max: high }))),
      bounds: (index) => {
        const limit = this.binding.values[index]?.[other];
        return key === "min" ? [undefined, limit] : [limit, undefined];
      },
    });
  }

  build() {
    this.className = "c-range";
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", this.options.label);
    this.fill = make("i");
    this.handles = ["min", "max"].map((key) => make("div", { class: "handle", role: "slider", tabindex: "0", "aria-label": `${this.options.label}, ${text(key === "min" ? "minimum" : "maximum")}`, "data-bound": key }));
    this.bar = make("div", { class: "span" }, make("b"), this.fill, ...this.handles);
    this.fields = [this.bound("min", text("minimum")), this.bound("max", text("maximum"))];
    this.append(this.bar, make("div", { class: "bounds" }, this.fields[0], make("span", { "aria-hidden": "true" }, "–"), this.fields[1]));
    this.listen();
    this.refresh();
  }

  refresh() {
    const { values } = this.binding;
    const numbers = values.flatMap((value) => [value?.min, value?.max]).filter((each) => typeof each === "number");
    if (!this.isDragged) this.range = sliderOf(this.row, numbers);
    const { min = 0, max = 0 } = values[0] ?? {};
    const shares = [min, max].map((each) => clamp(shareOf(each, this.range), 0, 1));
    this.fill.style.left = `${shares[0] * 100}%`;
    this.fill.style.width = `${(shares[1] - shares[0]) * 100}%`;
    [min, max].forEach((number, index) => {
      this.handles[index].style.left = `${shares[index] * 100}%`;
      this.handles[index].setAttribute("aria-valuenow", String(number));
      this.handles[index].setAttribute("aria-valuetext", `${formatNumber(number)}${this.row.unit ? ` ${this.row.unit}` : ""}`);
      this.handles[index].setAttribute("aria-valuemin", String(index ? min : this.range.low));
      this.handles[index].setAttribute("aria-valuemax", String(index ? this.range.high : max));
    });
    this.bar.classList.toggle("mixed", values.some((value) => value?.min !== min || value?.max !== max));
    for (const field of this.fields) field.refresh();
  }

  /** Moves one bound, or both by one distance on the bar, for each emitter from its own range. */
  moved(start, which, number, base) {
    const { minimum, maximum } = this.row;
    const within = (each) => clamp(each, minimum, maximum);
    const { range } = this;
    return start.map((value) => {
      if (which === "both") {
        const shift = shareOf(number, range) - shareOf(base, range);
        const place = (bound) => within(numberAt(clamp(shareOf(bound, range) + shift, 0, 1), range));
        return { ...value, min: place(value.min), max: place(value.max) };
      }
      const wanted = within(tidy(start.length > 1 ? value[which] + number - base : number));
      return { ...value, [which]: which === "min" ? Math.min(wanted, value.max) : Math.max(wanted, value.min) };
    });
  }

  /** A drag on the bar, or with a width on the name, where it moves both bounds. `width` pixels are the whole range. */
  dragging(width) {
    return {
      begin: (event) => {
        if (this.binding.isReadOnly) return undefined;
        const box = this.bar.getBoundingClientRect();
        const share = (event.clientX - box.left) / box.width;
        const { min, max } = this.binding.value;
        const [low, high] = [shareOf(min, this.range), shareOf(max, this.range)];
        let which = width ? "both" : event.target.dataset.bound;
        if (!which && share > low && share < high) which = "both";
        which ??= share <= low ? "min" : "max";
        this.handles[which === "max" ? 1 : 0].focus({ preventScroll: true });
        return { which, last: event.clientX, x: event.clientX, width: width ?? box.width, share: which === "max" ? high : low, base: which === "max" ? max : min };
      },
      move: (event, state) => {
        const number = slid(this, event, state, this.range);
        if (number !== undefined) state.gesture.set(this.moved(state.gesture.start, state.which, number, state.base));
      },
      end: async (event, state) => {
        this.isDragged = false;
        if (state.gesture) tellFault(this, await state.gesture.end());
        else if (state.which !== "both" && !event.target.dataset.bound) {
          const box = this.bar.getBoundingClientRect();
          const number = numberAt((event.clientX - box.left) / box.width, this.range, event.shiftKey);
          tellFault(this, await this.binding.apply(this.moved(this.binding.values, state.which, number, state.base)));
        }
        this.refresh();
      },
      cancel: (state) => {
        this.isDragged = false;
        state.gesture?.cancel();
        this.refresh();
      },
    };
  }

  listen() {
    draggable(this.bar, this.dragging());
    for (const handle of this.handles) {
      const which = handle.dataset.bound;
      heldKeys(handle, {
        step: ({ key }) => (this.binding.isReadOnly ? undefined : { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[key]),
        begin: () => this.binding.begin(),
        change: (gesture, step, event) => gesture.set(this.binding.values.map((value) => this.moved([value], which, stepped(value[which], step, this.range, event.shiftKey), value[which])[0])),
      });
    }
  }
}

customElements.define(RangeField.tag, RangeField);
