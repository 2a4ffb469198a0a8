// The editor of gradients: colours at times. They are moved by pointer and keyboard, typed, copied. The picker is in place.

import { make } from "../icons.js";
import { nameOf, text } from "../texts.js";
import { ColorPicker } from "./color-field.js";
import { channelsOf, colorAt, cssColor, cssGradient, formatHex, fullColor, gradientPresets, readGradient, shortColor, spaces, writeGradient } from "./colors.js";
import { clipboard, copy, draggable, heldKeys, openMenu, pasted, tellFault, tool } from "./control-parts.js";
import { indexAfter, interpolations, moved, snapped, sorted } from "./curves.js";
import { Control, dragged, NumberField } from "./field.js";
import { tidy } from "./numbers.js";
import { openPresets } from "./preset-menu.js";
import { equal } from "./values.js";

export class GradientEditor extends Control {
  static tag = "effect-gradient";
  selected = new Set([0]);

  get gradient() {
    const gradient = readGradient(this.binding.value);
    if (!gradient.keys.length && channelsOf(gradient).length < 4) gradient.keys = [{ time: 0, color: [1, 1, 1, 1] }];
    return gradient;
  }

  build() {
    this.className = "c-gradient";
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", this.options.label);
    this.bar = make("div", { class: "ramp" }, make("i"));
    this.keys = make("div", { class: "stops", role: "group", "aria-label": text("keysOf", this.options.label) });
    this.timeField = NumberField.of(this.numbers(), { label: text("keyTime"), hasSlider: false });
    this.tools = make("div", { class: "bar", role: "toolbar", "aria-label": text("gradient") },
      tool("plus", text("addKey"), () => this.addKey(), { "data-tool": "add" }),
      tool("minus", text("removeKey"), () => this.removeKeys(), { "data-tool": "remove" }),
      tool("bookmark", text("presets"), (event) => this.openPresets(event.currentTarget), { "aria-haspopup": "menu", "data-tool": "presets" }),
      tool("more", text("more"), (event) => this.openMore(event.currentTarget), { "aria-haspopup": "menu", "data-tool": "more" }));
    this.picker = ColorPicker.of(this.color(), { label: text("keyColor") });
    this.mixedNote = make("p", { class: "mixed-note", hidden: true }, make("span", {}, text("mixedGradients")),
      make("button", { type: "button", onclick: () => this.binding.set(this.binding.value) }, text("applyToAll")));
    this.disclosure = make("details", { class: "picker-box" }, make("summary", {}, make("i", { class: "swatch-dot" }), make("span", {}, text("keyColor"))), this.picker);
    this.disclosure.open = this.options.isOpen ?? false;
    this.append(make("div", { class: "track" }, this.bar, this.keys), this.mixedNote,
      make("div", { class: "below" }, make("div", { class: "exact" }, make("label", {}, dragged(make("span", {}, text("time")), this.timeField), this.timeField)), this.tools), this.disclosure);
    this.listen();
    this.refresh();
  }

  // MARK: Showing

  refresh() {
    const { gradient } = this;
    const { keys } = gradient;
    this.selected = new Set([...this.selected].filter((index) => index < keys.length));
    this.bar.firstChild.style.backgroundImage = cssGradient(gradient);
    while (this.keys.children.length > keys.length) this.keys.lastChild.remove();
    keys.forEach(({ time, color }, index) => {
      let stop = this.keys.children[index];
      if (!stop) {
        stop = make("div", { class: "stop", role: "slider", tabindex: "0", "aria-valuemin": "0", "aria-valuemax": "1" }, make("i"));
        this.keys.append(stop);
        this.attach(stop);
      }
      stop.style.left = `${time * 100}%`;
      stop.firstChild.style.background = cssColor([...color.slice(0, 3), 1]);
      stop.classList.toggle("selected", this.selected.has(index));
      stop.setAttribute("aria-label", text("stopAt", index + 1, formatHex(color)));
      stop.setAttribute("aria-valuenow", String(time));
      stop.setAttribute("aria-current", String(this.selected.has(index)));
    });
    this.tools.querySelector("[data-tool=remove]").disabled = !this.selected.size || keys.length < 2;
    const first = keys[[...this.selected][0]];
    this.disclosure.hidden = !first;
    if (first) this.disclosure.querySelector(".swatch-dot").style.background = cssColor(first.color);
    const { values } = this.binding;
    this.mixedNote.hidden = values.every((each) => equal(each, values[0]));
    this.timeField.refresh();
    this.picker.refresh();
  }

  select(indices) {
    this.selected = new Set(indices);
    this.refresh();
  }

  // MARK: Changing

  values(gradient, start = this.binding.values) {
    const json = writeGradient(gradient);
    return start.map((each) => (equal(each, start[0]) ? json : each));
  }

  async edit(change, name) {
    if (this.binding.isReadOnly) return;
    tellFault(this, await this.binding.apply(this.values(change(this.gradient)), name));
    this.refresh();
  }

  begin() {
    const start = this.gradient;
    const gesture = this.binding.begin();
    return {
      start,
      set: (gradient) => {
        gesture.set(this.values(gradient, gesture.start));
        this.refresh();
      },
      end: async () => {
        const fault = await gesture.end();
        tellFault(this, fault);
        this.refresh();
        return fault;
      },
      cancel: () => {
        gesture.cancel();
        this.refresh();
      },
    };
  }

  /** A part of the selected keys as a binding of its own. */
  partOfKeys(row, get, put, isTime = false) {
    const editor = this;
    const indices = () => [...editor.selected].sort((a, b) => a - b);
    const withValues = (gradient, values, places = indices()) => ({
      ...gradient, keys: gradient.keys.map((key, index) => (places.includes(index) ? put(key, values[places.indexOf(index)]) : key)),
    });
    return {
      row, name: row.key, isSet: true,
      get isReadOnly() { return editor.binding.isReadOnly; },
      get values() {
        const { keys } = editor.gradient;
        return editor.selected.size ? indices().map((index) => keys[index] && get(keys[index])) : [undefined];
      },
      get value() { return this.values[0]; },
      apply(values) {
        const places = indices();
        const { curve, places: now } = sorted(withValues(editor.gradient, values));
        editor.selected = new Set(places.map((index) => now[index]));
        return editor.edit(() => curve);
      },
      set(value) { return this.apply(indices().map(() => value)); },
      begin() {
        const gesture = editor.begin();
        const places = indices();
        const start = places.map((index) => get(gesture.start.keys[index]));
        return {
          ...gesture, start,
          set: (values) => gesture.set(isTime ? moved(gesture.start, places, values[0] - start[0], 0) : withValues(gesture.start, values, places)),
        };
      },
      part(inner, outer, innerRow) {
        return editor.partOfKeys(innerRow, (key) => inner(get(key)), (key, value) => put(key, outer(get(key), value)));
      },
    };
  }

  numbers() { return this.partOfKeys({ key: "time", type: "number", kind: "number", minimum: 0, maximum: 1, usual: [0, 1], step: 0.01 }, (key) => key.time, (key, time) => ({ ...key, time }), true); }
  color() { return this.partOfKeys({ key: "color", type: "colour", kind: "colour" }, (key) => shortColor(key.color), (key, color) => ({ ...key, color: fullColor(color) })); }

  addKey(at) {
    const { gradient } = this;
    const { keys } = gradient;
    const first = this.selected.size ? Math.max(...this.selected) : 0;
    const [a, b] = [keys[first], keys[first + 1] ?? keys[first - 1]];
    const time = tidy(at ?? (b ? (a.time + b.time) / 2 : a?.time < 0.5 ? 1 : 0));
    const index = indexAfter(keys, time);
    const color = colorAt(gradient, time).map((part) => Number(part.toFixed(4)));
    this.selected = new Set([index]);
    this.edit((now) => ({ ...now, keys: [...now.keys.slice(0, index), { time, color }, ...now.keys.slice(index)] }), "addKey");
    this.keys.children[index]?.focus({ preventScroll: true });
  }

  removeKeys() {
    const { keys } = this.gradient;
    if (!this.selected.size || keys.length < 2) return;
    const indices = [...this.selected];
    const left = keys.filter((_, index) => !indices.includes(index));
    this.selected = new Set([Math.min(indices[0], Math.max(left.length - 1, 0))]);
    this.edit((now) => ({ ...now, keys: left.length ? left : [now.keys[0]] }), "removeKey");
    this.keys.children[[...this.selected][0]]?.focus({ preventScroll: true });
  }

  listen() {
    this.bar.addEventListener("click", (event) => {
      if (this.binding.isReadOnly) return;
      const box = this.bar.getBoundingClientRect();
      this.addKey(Number(snapped((event.clientX - box.left) / box.width, [0, 0.25, 0.5, 0.75, 1], 4 / box.width).toFixed(3)));
    });
    clipboard(this, {
      onCopy: (event) => copy("gradient", this.binding.value, event),
      onPaste: (line) => this.paste(line),
    });
    this.addEventListener("keydown", (event) => {
      if (event.target.matches("input, select, summary") || event.target.closest(".c-picker")) return;
      const isCommand = event.ctrlKey || event.metaKey;
      const run = { Delete: () => this.removeKeys(), Backspace: () => this.removeKeys(), Insert: () => this.addKey(), "+": () => this.addKey() }[event.key]
        ?? (isCommand && event.key === "a" ? () => this.select(this.gradient.keys.keys()) : undefined);
      if (!run) return;
      event.preventDefault();
      event.stopPropagation();
      run();
    });
  }

  attach(stop) {
    const index = () => [...this.keys.children].indexOf(stop);
    draggable(stop, {
      begin: (event) => {
        stop.focus({ preventScroll: true });
        const at = index();
        if (event.shiftKey || event.ctrlKey || event.metaKey) this.select(this.selected.has(at) ? [...this.selected].filter((each) => each !== at) : [...this.selected, at]);
        else if (!this.selected.has(at)) this.select([at]);
        return this.binding.isReadOnly ? undefined : { x: event.clientX, y: event.clientY, at, width: this.bar.getBoundingClientRect().width, isPlain: !event.shiftKey };
      },
      move: (event, state) => {
        if (!state.gesture && Math.abs(event.clientX - state.x) < 3) return;
        if (!this.selected.has(state.at)) this.select([...this.selected, state.at]);
        state.gesture ??= this.begin();
        const { start } = state.gesture;
        const grabbed = start.keys[state.at].time;
        const others = start.keys.filter((_, place) => !this.selected.has(place)).map(({ time }) => time);
        let time = grabbed + (event.clientX - state.x) / state.width;
        if (!event.altKey) time = snapped(time, [0, 0.25, 0.5, 0.75, 1, ...others], 4 / state.width);
        state.gesture.set(moved(start, [...this.selected], Number(time.toFixed(3)) - grabbed, 0));
      },
      end: (_, state) => {
        if (state.gesture) state.gesture.end();
        else if (state.isPlain) {
          this.select([state.at]);
          this.disclosure.open = true;
        }
      },
      cancel: (state) => state.gesture?.cancel(),
    });
    stop.addEventListener("focus", () => { if (!this.selected.has(index())) this.select([index()]); });
    stop.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.disclosure.open = true;
      this.picker.field.focus();
    });
    heldKeys(stop, {
      step: ({ key }) => (this.binding.isReadOnly ? undefined : { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 }[key]),
      begin: () => ({ ...this.begin(), sum: 0 }),
      change: (gesture, step, event) => {
        gesture.sum += step * (event.shiftKey ? 0.001 : 0.01);
        gesture.set(moved(gesture.start, [...this.selected], tidy(gesture.sum), 0));
      },
    });
  }

  // MARK: Menus

  paste(line) {
    const found = pasted(["gradient", "color"], line);
    if (!found) return false;
    if (found.kind === "color") this.color().set(found.value);
    else {
      this.selected = new Set([0]);
      this.edit(() => readGradient(found.value), "pasteGradient");
    }
    return true;
  }

  openPresets(anchor) {
    openPresets(anchor, { session: this.binding.session, kind: "gradient", builtIn: gradientPresets.map(([name, gradient]) => ({ label: text(name), value: writeGradient(gradient) })), current: () => this.binding.value,
      apply: (value) => {
        this.selected = new Set([0]);
        this.edit(() => readGradient(value), "presetGradient");
      } });
  }

  openMore(anchor) {
    const { gradient } = this;
    openMenu(anchor, [
      { id: "copy", label: text("copyGradient"), icon: "copy", run: () => copy("gradient", this.binding.value) },
      { id: "paste", label: text("pasteGradient"), icon: "paste", isDisabled: !pasted(["gradient", "color"]), run: () => this.paste() },
      { id: "reverse", label: text("reverse"), icon: "mirror", separates: true, run: () => this.edit((now) => ({ ...now, keys: now.keys.map(({ time, color }) => ({ time: tidy(1 - time), color })).reverse() })) },
      { id: "even", label: text("distribute"), icon: "range", isDisabled: gradient.keys.length < 3, run: () => this.edit((now) => ({ ...now, keys: now.keys.map((key, index) => ({ ...key, time: tidy(Number((index / (now.keys.length - 1)).toFixed(4))) })) })) },
      ...interpolations.map((name, index) => ({ id: name, label: `${text("interpolation")}: ${nameOf(name)}`, isChecked: gradient.interp === name, separates: index === 0, run: () => this.edit((now) => ({ ...now, interp: name })) })),
      ...spaces.map((name, index) => ({ id: `space-${name}`, label: `${text("mixedIn")}: ${name === "linear" ? text("light") : nameOf(name)}`, isChecked: gradient.space === name, separates: index === 0, run: () => this.edit((now) => ({ ...now, space: name })) })),
    ]);
  }
}

customElements.define(GradientEditor.tag, GradientEditor);
