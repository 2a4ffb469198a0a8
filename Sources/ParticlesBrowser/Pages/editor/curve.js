// The editor of curves: one or more keys are moved by pointer and keyboard, or typed. One drag is one step of undo.

import { make } from "../icons.js";
import { nameOf, text } from "../texts.js";
import { clipboard, copy, draggable, openMenu, pasted, setIcon, tellFault, tool } from "./control-parts.js";
import { attachKey, attachSlope } from "./curve-handles.js";
import { KeysBinding } from "./curve-keys.js";
import { CurvePlot } from "./curve-plot.js";
import { curvePresets, evaluate, extensions, flipped, inserted, interpolated, interpolations, readCurve, removed, reversed, snapped, writeCurve } from "./curves.js";
import { dragged, NumberField } from "./field.js";
import { formatNumber, tidy } from "./numbers.js";
import { openPresets } from "./preset-menu.js";
import { equal } from "./values.js";

/** A colour for each curve, by its place. */
export const curveColor = (index) => `var(--curve-${(index % 8) + 1})`;

export class CurveEditor extends HTMLElement {
  /**
   * @param {{id: string, label: string, binding: Binding, mapping?: () => object | undefined, color?: string}[]} curves
   *   `mapping` returns `{offset, scale, unit}`: the axis shows offset + scale · value
   */
  static of(curves, options = {}) {
    const element = document.createElement("effect-curve");
    Object.assign(element, { curves, options, hiddenCurves: new Set(), active: 0, selected: new Set(), isSnapping: true });
    element.build();
    return element;
  }

  get binding() { return this.curves[this.active].binding; }
  get mapping() { return this.curves[this.active].mapping?.() ?? { offset: 0, scale: 1, unit: "" }; }
  get color() { return this.curves[this.active].color ?? curveColor(this.active); }
  get curve() { return readCurve(this.binding.value); }
  get session() { return this.binding.session; }

  build() {
    this.className = "c-curve";
    this.plot = new CurvePlot(this, text("keysOf", this.curves[this.active].label));
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", text("curveOf", this.curves[0].label));
    this.legend = make("div", { class: "legend", role: "toolbar", "aria-label": text("curves"), hidden: this.curves.length < 2 });
    this.kinds = make("div", { class: "segments", role: "group", "aria-label": text("interpolation") }, ...interpolations.map((name) =>
      tool(name, nameOf(name), () => this.edit((curve) => interpolated(curve, [...this.selected], name)), { "data-interp": name })));
    this.snap = tool("magnet", text("snap"), () => {
      this.isSnapping = !this.isSnapping;
      this.snap.setAttribute("aria-pressed", String(this.isSnapping));
    }, { "aria-pressed": "true", "data-tool": "snap" });
    this.bar = make("div", { class: "bar", role: "toolbar", "aria-label": text("curve") }, this.kinds,
      tool("plus", text("addKey"), () => this.addKey(), { "data-tool": "add" }), tool("minus", text("removeKey"), () => this.removeKeys(), { "data-tool": "remove" }), this.snap,
      tool("fit", text("fitView"), () => this.fit(), { "data-tool": "fit" }),
      tool("bookmark", text("presets"), (event) => this.openPresets(event.currentTarget), { "aria-haspopup": "menu", "data-tool": "presets" }),
      tool("more", text("more"), (event) => this.openMore(event.currentTarget), { "aria-haspopup": "menu", "data-tool": "more" }));
    const keys = new KeysBinding(this);
    this.timeField = NumberField.of(keys.time, { label: text("keyTime"), hasSlider: false });
    this.valueField = NumberField.of(keys.value, { label: text("keyValue"), hasSlider: false });
    this.exact = make("div", { class: "exact" }, ...[["time", this.timeField], ["value", this.valueField]].map(([name, field]) => make("label", {}, dragged(make("span", {}, text(name)), field), field)));
    this.mixedNote = make("p", { class: "mixed-note", hidden: true }, make("span", {}, text("mixedCurves")),
      make("button", { type: "button", onclick: () => this.binding.set(this.binding.value) }, text("applyToAll")));
    this.append(this.legend, this.plot.element, this.mixedNote, make("div", { class: "below" }, this.exact, this.bar));
    this.listen();
    this.fit();
  }

  // MARK: Showing

  refresh() {
    if (this.isMoving) return this.draw();
    // A curve that was changed elsewhere may need more room. The view never shrinks by itself.
    this.plot.fit(this.shown.map(({ curve }) => curve), true);
    this.draw();
  }

  fit() {
    this.plot.fit(this.shown.map(({ curve }) => curve));
    this.draw();
  }

  /** The curves that are shown, the active one last. */
  get shown() {
    const all = this.curves.map((each, index) => {
      const [first, ...others] = each.binding.values;
      const isActive = index === this.active;
      return {
        id: index, isActive, color: each.color ?? curveColor(index), curve: readCurve(first),
        ghosts: isActive ? others.filter((other) => !equal(other, first)).map(readCurve) : [],
      };
    });
    return [...all.filter(({ id, isActive }) => !isActive && !this.hiddenCurves.has(id)), all[this.active]];
  }

  draw() {
    if (!this.plot) return;
    const { curve, plot } = this;
    this.selected = new Set([...this.selected].filter((index) => index < curve.keys.length));
    plot.drawAxes(this.mapping);
    plot.drawLines(this.shown);
    plot.drawKeys(curve, this.selected, { color: this.color, spoken: (key, index) => this.spoken(key, index, curve), attach: (element) => attachKey(this, element) });
    plot.drawSlopes(curve, this.selected, { label: (index, side) => text(side === "in" ? "slopeBefore" : "slopeAfter", index + 1), attach: (element) => attachSlope(this, element) });
    this.timeField?.refresh();
    this.valueField?.refresh();
    const chosen = this.selected.size ? [...this.selected].map((index) => curve.keys[index].interp ?? curve.interp) : curve.keys.map((each) => each.interp ?? curve.interp);
    for (const each of this.kinds.children) each.setAttribute("aria-pressed", String(chosen.every((name) => name === each.dataset.interp)));
    this.bar.querySelector("[data-tool=remove]").disabled = !this.selected.size || curve.keys.length < 2;
    this.mixedNote.hidden = !this.shown.at(-1).ghosts.length;
    this.drawLegend();
  }

  drawLegend() {
    if (this.curves.length < 2) return;
    if (this.legend.children.length !== this.curves.length) {
      this.legend.replaceChildren(...this.curves.map((each, index) => {
        const chip = make("button", { type: "button", class: "chip", onclick: () => this.activate(index) }, make("i"), make("span", {}, each.label));
        chip.firstChild.style.background = each.color ?? curveColor(index);
        const eye = tool("eye", text("hideCurve", each.label), () => this.toggle(index), { class: "eye" });
        return make("span", { class: "entry" }, chip, eye);
      }));
    }
    [...this.legend.children].forEach((entry, index) => {
      const isHidden = this.hiddenCurves.has(index);
      entry.firstChild.setAttribute("aria-pressed", String(index === this.active));
      entry.lastChild.setAttribute("aria-pressed", String(isHidden));
      setIcon(entry.lastChild, isHidden ? "eyeOff" : "eye");
      entry.classList.toggle("off", isHidden);
    });
  }

  spoken(key, index, curve) {
    const { offset, scale, unit } = this.mapping;
    return text("keyAt", index + 1, formatNumber(key.time), `${formatNumber(tidy(offset + scale * key.value))}${unit ? ` ${unit}` : ""}`, nameOf(key.interp ?? curve.interp));
  }

  activate(index) {
    this.active = index;
    this.hiddenCurves.delete(index);
    this.selected.clear();
    this.plot.keys.setAttribute("aria-label", text("keysOf", this.curves[index].label));
    this.plot.fit(this.shown.map(({ curve }) => curve), true);
    this.draw();
  }

  toggle(index) {
    if (this.hiddenCurves.has(index)) this.hiddenCurves.delete(index);
    else this.hiddenCurves.add(index);
    if (this.hiddenCurves.has(this.active)) {
      const next = this.curves.findIndex((_, each) => !this.hiddenCurves.has(each));
      if (next < 0) this.hiddenCurves.delete(index);
      else return this.activate(next);
    }
    this.draw();
  }

  // MARK: Changing

  /** Values for all emitters that have the shown curve. Others keep theirs. */
  values(curve, start = this.binding.values) {
    const json = writeCurve(curve);
    return start.map((each) => (equal(each, start[0]) ? json : each));
  }

  async edit(change, name) {
    if (this.binding.isReadOnly) return;
    const curve = change(this.curve);
    tellFault(this, await this.binding.apply(this.values(curve), name));
    this.refresh();
  }

  /** A gesture on the curve as it was: `set(curve)`. */
  begin() {
    const gesture = this.binding.begin();
    this.isMoving = true;
    const done = (result) => {
      this.isMoving = false;
      Promise.resolve(result).then((fault) => tellFault(this, fault));
      this.refresh();
    };
    return {
      start: readCurve(gesture.start[0]),
      set: (curve) => {
        gesture.set(this.values(curve, gesture.start));
        this.draw();
      },
      end: () => done(gesture.end()),
      cancel: () => done(gesture.cancel()),
    };
  }

  addKey(time, value) {
    const { curve } = this;
    const { keys } = curve;
    const first = this.selected.size ? Math.max(...this.selected) : keys.length > 1 ? keys.length - 2 : 0;
    const [a, b] = [keys[first], keys[first + 1] ?? keys[first - 1]];
    const at = tidy(time ?? (b ? (a.time + b.time) / 2 : a.time < 0.5 ? 1 : 0));
    const { curve: next, index } = inserted(curve, at, value ?? evaluate(curve, at));
    this.selected = new Set([index]);
    this.edit(() => next, "addKey");
    this.plot.keys.children[index]?.focus({ preventScroll: true });
  }

  removeKeys() {
    const { curve } = this;
    if (!this.selected.size || curve.keys.length < 2) return;
    const indices = [...this.selected];
    this.selected.clear();
    this.edit((now) => removed(now, indices), "removeKey");
    this.plot.keys.children[Math.min(indices[0], this.curve.keys.length - 1)]?.focus({ preventScroll: true });
  }

  select(indices) {
    this.selected = new Set(indices);
    this.draw();
  }

  // MARK: Pointer

  listen() {
    const { plot } = this;
    draggable(plot.element, {
      begin: (event) => {
        const target = event.target.closest?.("[data-curve]");
        if (target) {
          this.activate(Number(target.dataset.curve));
          return undefined;
        }
        if (event.target.closest(".key, .slope")) return undefined;
        plot.keys.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
        return { from: plot.point(event), before: event.shiftKey ? new Set(this.selected) : new Set() };
      },
      move: (event, state) => {
        const to = plot.point(event);
        plot.drawBand(state.from, to);
        const inside = (at, a, b) => at >= Math.min(a, b) && at <= Math.max(a, b);
        const found = this.curve.keys.flatMap((key, index) => (inside(plot.x(key.time), state.from.x, to.x) && inside(plot.y(key.value), state.from.y, to.y) ? [index] : []));
        this.select([...state.before, ...found]);
      },
      end: (event, state) => {
        plot.drawBand();
        const to = plot.point(event);
        if (Math.hypot(to.x - state.from.x, to.y - state.from.y) < 3) this.select(state.before);
      },
      cancel: () => plot.drawBand(),
    });
    plot.element.addEventListener("dblclick", (event) => {
      if (event.target.closest(".key, .slope") || this.binding.isReadOnly) return;
      const point = plot.point(event);
      const { curve } = this;
      const time = Math.min(Math.max(snapped(plot.time(point.x), [0, 1], 6 / plot.pixelsOfTime), Math.min(0, curve.keys[0].time)), Math.max(1, curve.keys.at(-1).time));
      const onCurve = evaluate(curve, time);
      const isNear = Math.abs(plot.y(onCurve) - point.y) < 10;
      this.addKey(Number(time.toFixed(4)), isNear ? onCurve : Number(plot.value(point.y).toPrecision(4)));
    });
    plot.element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      plot.zoom(Math.exp(event.deltaY / 400), plot.value(plot.point(event).y));
      this.draw();
    }, { passive: false });
    clipboard(this, {
      onCopy: (event) => copy("curve", this.binding.value, event),
      onPaste: (line) => this.paste(line),
    });
    this.addEventListener("keydown", (event) => this.pressed(event));
  }

  paste(line) {
    const found = pasted("curve", line);
    if (!found) return false;
    this.selected.clear();
    this.edit(() => readCurve(found.value), "pasteCurve");
    this.fit();
    return true;
  }

  // MARK: Keyboard and menus

  pressed(event) {
    if (event.target.matches("input, select")) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const run = {
      Delete: () => this.removeKeys(), Backspace: () => this.removeKeys(), Insert: () => this.addKey(), "+": () => this.addKey(),
      a: isCommand ? () => this.select(this.curve.keys.keys()) : undefined, f: isCommand ? undefined : () => this.fit(),
      Escape: this.selected.size ? () => this.select([]) : undefined,
    }[event.key];
    if (!run || (isCommand && event.key !== "a")) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  }

  openPresets(anchor) {
    openPresets(anchor, { session: this.session, kind: "curve", builtIn: curvePresets.map(([name, curve]) => ({ label: text(name), value: writeCurve(curve) })), current: () => this.binding.value,
      apply: (value) => {
        this.selected.clear();
        this.edit(() => readCurve(value), "presetCurve");
        this.fit();
      } });
  }

  openMore(anchor) {
    const { curve } = this;
    openMenu(anchor, [
      { id: "copy", label: text("copyCurve"), icon: "copy", run: () => copy("curve", this.binding.value) },
      { id: "paste", label: text("pasteCurve"), icon: "paste", isDisabled: !pasted("curve"), run: () => this.paste() },
      { id: "reverse", label: text("reverse"), icon: "mirror", separates: true, run: () => this.edit(reversed) },
      { id: "flip", label: text("flip"), icon: "flip", run: () => this.edit(flipped) },
      { id: "smooth", label: text("automaticSlopes"), icon: "life", run: () => this.edit((now) => ({ ...now, keys: now.keys.map((key, index) => (!this.selected.size || this.selected.has(index) ? { ...key, in: null, out: null } : key)) })) },
      ...extensions.map((name, index) => ({ id: name, label: `${text("beyondKeys")}: ${nameOf(name)}`, isChecked: curve.extend === name, separates: index === 0, run: () => this.edit((now) => ({ ...now, extend: name })) })),
    ]);
  }
}

customElements.define("effect-curve", CurveEditor);
