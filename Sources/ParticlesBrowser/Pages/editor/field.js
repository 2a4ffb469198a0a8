// A number: a slider and a field to type into. Both move one property. A drag or a held key is one step of undo.

import { make } from "../icons.js";
import { text } from "../texts.js";
import { draggable, heldKeys, setIcon, tellFault, tool } from "./control-parts.js";
import { changed, clamp, formatNumber, numberAt, parseNumber, shareOf, sliderOf, stepped } from "./numbers.js";

const numeric = (value) => (typeof value === "number" ? value : undefined);

/** A control of a binding, whose element is named `tag`. */
export class Control extends HTMLElement {
  static of(binding, options = {}) {
    const element = Object.assign(document.createElement(this.tag), { binding, options });
    element.build();
    return element;
  }
}

/**
 * The number to which a drag along a bar moves, slower with Shift, from where it is: the value never jumps. Undefined if the number
 * stays, or if the pointer has hardly moved, as in a click.
 */
export function slid(field, event, state, range) {
  if (!state.gesture && Math.abs(event.clientX - state.x) < 3) return undefined;
  field.isDragged = true;
  state.gesture ??= field.binding.begin();
  state.share += ((event.clientX - state.last) / state.width) * (event.shiftKey ? 0.1 : 1);
  state.last = event.clientX;
  const number = numberAt(state.share, range, event.shiftKey);
  if (number === state.number) return undefined;
  state.number = number;
  return number;
}

export class NumberField extends Control {
  static tag = "effect-number";

  /**
   * @param {Binding} binding - of numbers
   * @param {object} options - `label`, `hasSlider` (true by default), `onrange(low, high)` for a typed range `1..3`,
   *   `empty` for the text of a missing number, and `bounds(index)` for bounds that depend on other values
   */
  static of(binding, options = {}) {
    return super.of(binding, { hasSlider: true, ...options });
  }

  get row() { return this.binding.row; }
  get numbers() { return this.binding.values.map(numeric); }

  build() {
    const { label, hasSlider } = this.options;
    this.className = "c-number";
    this.classList.toggle("bare", !hasSlider);
    this.input = make("input", {
      type: "text", inputmode: "decimal", role: "spinbutton", autocomplete: "off", spellcheck: "false", "aria-label": label,
      "aria-valuemin": this.row.minimum ?? null, "aria-valuemax": this.row.maximum ?? null,
    });
    this.unit = make("span", { class: "unit", "aria-hidden": "true" }, this.row.unit ?? "");
    if (hasSlider) {
      this.fill = make("i");
      this.slider = make("div", { class: "slider", role: "slider", tabindex: "0", "aria-label": label, "aria-orientation": "horizontal" }, make("b"), this.fill, make("u"));
      this.append(this.slider);
      this.listenToSlider();
    }
    this.append(make("span", { class: "box" }, this.input, this.unit));
    this.listenToInput();
    this.refresh();
  }

  // MARK: Showing

  refresh() {
    const numbers = this.numbers;
    const [first] = numbers;
    this.isMixed = numbers.some((each) => each !== first);
    if (document.activeElement !== this.input || !this.isTyping) this.showNumber(numbers);
    this.input.disabled = this.binding.isReadOnly;
    this.classList.toggle("default", !this.binding.isSet);
    for (const element of [this.input, this.slider]) {
      if (!element) continue;
      element.setAttribute("aria-valuenow", this.isMixed || first === undefined ? "" : String(first));
      element.setAttribute("aria-valuetext", this.spoken(first));
      if (this.isMixed || first === undefined) element.removeAttribute("aria-valuenow");
    }
    if (!this.slider) return;
    this.range ??= sliderOf(this.row, numbers);
    if (!this.isDragged) this.range = sliderOf(this.row, numbers);
    const { low, high } = this.range;
    this.slider.setAttribute("aria-valuemin", String(low));
    this.slider.setAttribute("aria-valuemax", String(high));
    if (first === undefined) this.slider.setAttribute("aria-valuenow", String(low));
    const known = numbers.filter((each) => each !== undefined);
    const shares = known.map((each) => clamp(shareOf(each, this.range), 0, 1));
    const origin = clamp(shareOf(clamp(0, low, high), this.range), 0, 1);
    const [from, to] = this.isMixed ? [Math.min(...shares), Math.max(...shares)] : [Math.min(origin, shares[0] ?? origin), Math.max(origin, shares[0] ?? origin)];
    this.slider.classList.toggle("mixed", this.isMixed);
    this.slider.classList.toggle("missing", !known.length);
    this.slider.setAttribute("aria-disabled", String(this.binding.isReadOnly));
    this.fill.style.left = `${from * 100}%`;
    this.fill.style.width = `${(to - from) * 100}%`;
    this.slider.lastChild.style.left = `${(shares[0] ?? origin) * 100}%`;
  }

  showNumber(numbers) {
    const [first] = numbers;
    const isFocused = document.activeElement === this.input;
    this.input.value = this.isMixed || first === undefined ? "" : formatNumber(first, isFocused);
    this.input.placeholder = this.isMixed ? text("mixed") : this.options.empty ?? "–";
  }

  spoken(number) {
    if (this.isMixed) return text("mixed");
    if (number === undefined) return this.options.empty ?? text("notSet");
    return `${formatNumber(number)}${this.row.unit ? ` ${this.row.unit}` : ""}`;
  }

  // MARK: Changing

  /** Within the bounds of the row and of other values. */
  bounded(number, index) {
    const [low, high] = this.options.bounds?.(index) ?? [];
    const number2 = clamp(clamp(number, this.row.minimum, this.row.maximum), low, high);
    return this.row.type.startsWith("integer") ? Math.round(number2) : number2;
  }

  /** All numbers moved like the first: to its new number if they are equal, otherwise by its distance. */
  together(start, number, range) {
    const [first] = start;
    const isEqual = start.every((each) => each === first);
    if (isEqual) return start.map((_, index) => this.bounded(number, index));
    const base = first ?? range.low;
    return start.map((each, index) => {
      const old = each ?? range.low;
      const isFactor = range.scale === "log" && base !== 0;
      return this.bounded(changed(old, isFactor ? { operation: "multiply", operand: number / base } : { operation: "add", operand: number - base }), index);
    });
  }

  /** What a drag does: on the slider, or on a name, where so many pixels are the whole range. */
  dragging(width) {
    return {
      begin: (event) => {
        if (this.binding.isReadOnly) return undefined;
        const range = sliderOf(this.row, this.numbers);
        return { x: event.clientX, last: event.clientX, share: shareOf(this.numbers[0] ?? range.low, range), width: width ?? this.slider.getBoundingClientRect().width, range };
      },
      move: (event, state) => {
        const number = slid(this, event, state, state.range);
        if (number !== undefined) state.gesture.set(this.together(state.gesture.start.map(numeric), number, state.range));
      },
      end: (event, state) => {
        this.isDragged = false;
        if (state.gesture) state.gesture.end().then((fault) => tellFault(this, fault));
        else if (!width) {
          const box = this.slider.getBoundingClientRect();
          const number = numberAt((event.clientX - box.left) / box.width, state.range, event.shiftKey);
          this.commit(this.together(this.numbers, number, state.range));
        } else this.input.focus();
        this.refresh();
      },
      cancel: (state) => {
        this.isDragged = false;
        state.gesture?.cancel();
        this.refresh();
      },
    };
  }

  listenToSlider() {
    const { slider } = this;
    slider.addEventListener("pointerdown", () => slider.focus({ preventScroll: true }));
    draggable(slider, this.dragging());
    this.listenToKeys(slider, { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: "low", End: "high" });
    slider.addEventListener("keydown", (event) => {
      if (!/^[\d.*/+-]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      // Typing begins in the field.
      event.preventDefault();
      event.stopPropagation();
      this.input.focus();
      this.input.value = event.key;
      this.isTyping = true;
    });
  }

  listenToKeys(element, keys) {
    heldKeys(element, {
      step: ({ key }) => (this.binding.isReadOnly || (element === this.input && this.isTyping && key.startsWith("Arrow") && this.input.value === "") ? undefined : keys[key]),
      begin: () => {
        if (element === this.input) this.commitTyped();
        return this.binding.begin();
      },
      change: (gesture, step, event) => {
        const range = this.range ?? sliderOf(this.row, this.numbers);
        const numbers = this.numbers;
        gesture.set(numbers.map((each, index) => {
          if (typeof step === "string") return this.bounded(range.usual[step === "low" ? 0 : 1], index);
          return this.bounded(stepped(each ?? range.low, step, range, event.shiftKey), index);
        }));
      },
    });
  }

  listenToInput() {
    const { input } = this;
    input.addEventListener("focus", () => {
      this.isTyping = false;
      this.showNumber(this.numbers);
      input.select();
    });
    input.addEventListener("input", () => {
      this.isTyping = true;
      input.removeAttribute("aria-invalid");
    });
    input.addEventListener("blur", () => {
      this.commitTyped();
      this.isTyping = false;
      this.refresh();
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        this.commitTyped();
        input.select();
      } else if (event.key === "Escape" && this.isTyping) {
        event.preventDefault();
        event.stopPropagation();
        this.isTyping = false;
        input.removeAttribute("aria-invalid");
        this.refresh();
        this.showNumber(this.numbers);
        input.select();
      }
    });
    this.listenToKeys(input, { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 });
  }

  /** Takes the typed text. If it is no number, it stays, marked, until it is corrected or left. */
  commitTyped() {
    if (!this.isTyping) return;
    const typed = this.input.value;
    if (typed.trim() === "") {
      this.isTyping = false;
      if (this.options.onempty && !this.isMixed) this.options.onempty();
      return;
    }
    const parsed = parseNumber(typed, this.row.unit);
    if (!parsed || (parsed.operation === "range" && !this.options.onrange)) {
      this.input.setAttribute("aria-invalid", "true");
      tellFault(this, { message: text("notANumber", typed) });
      return;
    }
    this.isTyping = false;
    this.input.removeAttribute("aria-invalid");
    if (parsed.operation === "range") return this.options.onrange(...parsed.operand);
    const isWhole = this.row.type.startsWith("integer");
    const values = this.numbers.map((each, index) => {
      const number = changed(each ?? 0, parsed);
      const [low, high] = this.options.bounds?.(index) ?? [];
      return clamp(isWhole ? Math.round(number) : number, low, high);
    });
    this.commit(values);
    this.showNumber(this.numbers);
  }

  async commit(values) {
    if (values.every((each, index) => each === this.numbers[index])) return;
    tellFault(this, await this.binding.apply(values));
    this.refresh();
  }
}

/**
 * A control of values that have several forms, with a menu of the forms. A subclass has static members: `formOf(value)`, `texts` and
 * `icons` of the forms, and the `tall` forms. Its `bodies(form)` makes the controls.
 */
export class FormField extends Control {
  get row() { return this.binding.row; }

  build() {
    this.classList.add("c-value");
    this.main = make("div", { class: "main" });
    this.button = tool("more", text("form"), (event) => this.choose(event.currentTarget), { class: "form", "aria-haspopup": "menu" });
    this.append(this.main, this.button);
    this.refresh();
  }

  get form() {
    const forms = this.binding.values.map(this.constructor.formOf);
    return forms.every((each) => each === forms[0]) ? forms[0] : "mixed";
  }

  /** Values of one shape are shown by one set of controls. */
  get shape() { return this.form; }

  refresh() {
    const { form, shape } = this;
    const { texts, icons, tall } = this.constructor;
    if (shape !== this.shown) {
      this.shown = shape;
      this.dataset.form = form;
      this.inner = this.bodies(form);
      this.main.replaceChildren(...this.inner);
      this.classList.toggle("tall", tall.includes(form));
      this.dispatchEvent(new CustomEvent("form", { bubbles: true }));
    } else {
      for (const each of this.main.querySelectorAll(parts)) each.refresh();
    }
    setIcon(this.button, icons[form] ?? "more");
    const spoken = form === "mixed" ? text("mixed") : texts[form] ? text(texts[form]) : form;
    this.button.setAttribute("aria-label", `${text("form")}: ${this.options.label}, ${spoken}`);
    this.button.title = spoken;
    this.button.disabled = this.binding.isReadOnly;
  }

  /** Entries of a menu, one for each form. */
  entriesOf(forms) {
    const { texts, icons } = this.constructor;
    return forms.map((form) => ({ id: form, label: text(texts[form]), icon: icons[form], isChecked: form === this.form, run: () => this.convert(form) }));
  }

  async convert(form) {
    const values = this.binding.values.map((json) => (this.constructor.formOf(json) === form ? json : this.converted(json, form)));
    tellFault(this, await this.binding.apply(values, text("changeForm")));
    this.refresh();
  }
}

/** The controls in a control of several forms. */
const parts = ["number", "value", "curve", "range", "choice", "switch", "vector", "list", "color", "gradient", "color-value"].map((name) => `effect-${name}`).join();

/** The field that a drag of the name of a control changes: one number, or random ones. */
const numberIn = (control) => {
  if (control?.dragging) return control;
  const inner = [control?.inner ?? []].flat();
  return inner.length === 1 ? numberIn(inner[0]) : undefined;
};

/** Lets a name be dragged to change the number of its control: 200 pixels are the whole range. Names of other controls stay as they are. */
export function dragged(name, control) {
  let [parts, hasMoved] = [];
  const find = () => (control.binding?.isReadOnly ? undefined : numberIn(control));
  draggable(name, {
    begin: (event) => {
      hasMoved = false;
      parts = find()?.dragging(200);
      return parts?.begin(event);
    },
    move: (event, state) => {
      parts.move(event, state);
      hasMoved = Boolean(state.gesture);
    },
    end: (event, state) => parts.end(event, state),
    cancel: (state) => parts.cancel(state),
  });
  name.classList.add("drags");
  name.addEventListener("pointerenter", () => name.classList.toggle("still", !find()));
  // The click at the end of a drag is none.
  name.addEventListener("click", (event) => {
    if (!hasMoved) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  return name;
}

/** A line of a control with its name. */
export const lineOf = (name, control, kind = "line-name") => make("div", { class: "line" }, dragged(make("span", { class: kind }, name), control), control);

customElements.define(NumberField.tag, NumberField);
