// The picture of curves: axes, lines, keys and slopes, and where they are in pixels. It changes nothing by itself.

import { make } from "../icons.js";
import { inSlope, outSlope, samples, valueRange } from "./curves.js";
import { formatNumber, niceStep, tidy } from "./numbers.js";

const space = "http://www.w3.org/2000/svg";
const svg = (name, values = {}) => {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
  return element;
};
const edge = { left: 40, right: 12, top: 10, bottom: 20 };
const handleLength = 34;

export class CurvePlot {
  constructor(owner, label) {
    this.owner = owner;
    this.picture = svg("svg", { "aria-hidden": "true" });
    this.axes = svg("g", { class: "axes" });
    this.lines = svg("g", { class: "lines" });
    this.stems = svg("g", { class: "stems" });
    this.picture.append(this.axes, this.lines, this.stems);
    this.keys = make("div", { class: "keys", role: "listbox", "aria-multiselectable": "true", "aria-label": label });
    this.slopes = make("div", { class: "slopes" });
    this.box = make("i", { class: "band", hidden: true });
    this.element = make("div", { class: "plot" }, this.picture, this.keys, this.slopes, this.box);
    this.view = { low: 0, high: 1, first: 0, last: 1 };
    this.size = { width: 300, height: 150 };
    new ResizeObserver(([entry]) => {
      const { width, height } = entry.contentRect;
      if (width < 20 || height < 20) return;
      this.size = { width, height };
      this.owner.draw();
    }).observe(this.element);
  }

  // MARK: Places

  get inner() { return { width: this.size.width - edge.left - edge.right, height: this.size.height - edge.top - edge.bottom }; }
  get pixelsOfTime() { return this.inner.width / (this.view.last - this.view.first); }
  get pixelsOfValue() { return this.inner.height / (this.view.high - this.view.low); }
  x(time) { return edge.left + (time - this.view.first) * this.pixelsOfTime; }
  y(value) { return edge.top + (this.view.high - value) * this.pixelsOfValue; }
  time(x) { return this.view.first + (x - edge.left) / this.pixelsOfTime; }
  value(y) { return this.view.high - (y - edge.top) / this.pixelsOfValue; }
  point(event) {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** Fits the view to all curves and the range 0 to 1. `isWider` never makes the view smaller. */
  fit(curves, isWider = false) {
    const ranges = curves.map((curve) => valueRange(curve));
    let low = Math.min(0, ...ranges.map(([least]) => least));
    let high = Math.max(...(ranges.some(([, most]) => most > 0) ? [] : [0]), ...ranges.map(([, most]) => most), low + 1e-6);
    if (high - low < 1e-3) high = low + 1;
    // A curve between 0 and 1 has the whole of this range.
    if (low >= 0 && high <= 1 && high > 0.2) high = 1;
    const padding = (high - low) * 0.06;
    if (low < 0) low -= padding;
    if (high > 1) high += padding;
    const times = curves.flatMap(({ keys }) => keys.map(({ time }) => time));
    const view = { low, high, first: Math.min(0, ...times), last: Math.max(1, ...times) };
    this.view = isWider
      ? { low: Math.min(low, this.view.low), high: Math.max(high, this.view.high), first: Math.min(view.first, this.view.first), last: Math.max(view.last, this.view.last) } : view;
  }

  /** Zooms around a value. */
  zoom(factor, around) {
    const { low, high } = this.view;
    const now = { low: around - (around - low) * factor, high: around + (high - around) * factor };
    if (now.high - now.low > 1e-6 && now.high - now.low < 1e9) Object.assign(this.view, now);
  }

  // MARK: Drawing

  drawAxes(mapping) {
    const { width, height } = this.size;
    const { low, high, first, last } = this.view;
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.axes.replaceChildren();
    const line = (x1, y1, x2, y2, name) => this.axes.append(svg("line", { x1, y1, x2, y2, class: name }));
    const label = (x, y, text, name) => {
      const element = svg("text", { x, y, class: name });
      element.textContent = text;
      this.axes.append(element);
    };
    const map = mapping ?? { offset: 0, scale: 1 };
    const [from, to] = [map.offset + map.scale * low, map.offset + map.scale * high];
    const step = niceStep(Math.min(from, to), Math.max(from, to), Math.max(2, Math.floor(this.inner.height / 26)));
    for (let index = Math.ceil(Math.min(from, to) / step); index * step <= Math.max(from, to) + step * 1e-6; index += 1) {
      const shown = tidy(Number((index * step).toPrecision(12)));
      const y = Math.round(this.y((shown - map.offset) / map.scale)) + 0.5;
      line(edge.left, y, width - edge.right, y, shown === 0 ? "zero" : "");
      label(edge.left - 6, y + 3.5, formatNumber(shown), "value");
    }
    const times = niceStep(first, last, Math.max(2, Math.floor(this.inner.width / 64)));
    for (let index = Math.ceil(first / times); index * times <= last + times * 1e-6; index += 1) {
      const x = Math.round(this.x(index * times)) + 0.5;
      line(x, edge.top, x, height - edge.bottom, "");
      label(x, height - 6, formatNumber(tidy(Number((index * times).toPrecision(12)))), "time");
    }
  }

  path(curve) {
    const { first, last } = this.view;
    const points = samples(curve, first, last, Math.min(240, Math.max(60, Math.round(this.inner.width / 2))));
    return `M${points.map(([time, value]) => `${this.x(time).toFixed(1)} ${this.y(value).toFixed(1)}`).join("L")}`;
  }

  /** Lines of curves that are shown: `{curve, color, isActive, ghosts, id}`. Hidden ones are not in the page, so that nothing can hit them. */
  drawLines(shown) {
    this.lines.replaceChildren(...shown.flatMap(({ curve, color, isActive, ghosts, id }) => {
      const d = this.path(curve);
      const line = svg("path", { d, class: isActive ? "line active" : "line" });
      line.style.stroke = color;
      const parts = ghosts.map((ghost) => {
        const element = svg("path", { d: this.path(ghost), class: "line ghost" });
        element.style.stroke = color;
        return element;
      });
      if (isActive) {
        const base = Math.min(Math.max(this.y(0), edge.top), this.size.height - edge.bottom);
        const area = svg("path", { d: `${d}L${this.x(this.view.last)} ${base}L${this.x(this.view.first)} ${base}Z`, class: "area" });
        area.style.fill = color;
        parts.push(area);
      } else {
        // A wider line that can be hit.
        parts.push(svg("path", { d, class: "hit", "data-curve": id }));
      }
      return [...parts, line];
    }));
  }

  /** The keys of the active curve. Elements stay, so that the focus and a drag do. */
  drawKeys(curve, selected, { color, spoken, attach }) {
    while (this.keys.children.length > curve.keys.length) this.keys.lastChild.remove();
    curve.keys.forEach((each, index) => {
      let element = this.keys.children[index];
      if (!element) {
        element = make("div", { class: "key", role: "option", tabindex: "0" });
        this.keys.append(element);
        attach(element);
      }
      const [x, y] = [this.x(each.time), this.y(each.value)];
      element.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)`;
      element.style.setProperty("--key", color);
      element.hidden = y < -4 || y > this.size.height + 4;
      element.setAttribute("aria-selected", String(selected.has(index)));
      element.dataset.interp = each.interp ?? curve.interp;
      element.setAttribute("aria-label", spoken(each, index));
    });
  }

  /** The slopes of selected keys beside cubic pieces, as handles of one length. */
  drawSlopes(curve, selected, { label, attach }) {
    const wanted = [];
    if (selected.size <= 4) {
      for (const index of selected) {
        if (!curve.keys[index]) continue;
        const interp = (at) => curve.keys[at]?.interp ?? curve.interp;
        if (index > 0 && interp(index - 1) === "cubic") wanted.push([index, "in"]);
        if (index < curve.keys.length - 1 && interp(index) === "cubic") wanted.push([index, "out"]);
      }
    }
    while (this.slopes.children.length > wanted.length) this.slopes.lastChild.remove();
    this.stems.replaceChildren();
    wanted.forEach(([index, side], place) => {
      const { keys } = curve;
      const slope = side === "in" ? inSlope(keys, index) : outSlope(keys, index);
      const isAutomatic = keys[index][side] === null;
      const [dx, dy] = [this.pixelsOfTime, -slope * this.pixelsOfValue];
      const length = Math.hypot(dx, dy) || 1;
      const sign = side === "in" ? -1 : 1;
      const [x, y] = [this.x(keys[index].time), this.y(keys[index].value)];
      const [toX, toY] = [x + (sign * dx * handleLength) / length, y + (sign * dy * handleLength) / length];
      this.stems.append(svg("line", { x1: x, y1: y, x2: toX, y2: toY }));
      let element = this.slopes.children[place];
      if (!element) {
        element = make("div", { class: "slope", role: "slider", tabindex: "0", "aria-valuemin": "-1000", "aria-valuemax": "1000" });
        this.slopes.append(element);
        attach(element);
      }
      element.dataset.key = index;
      element.dataset.side = side;
      element.classList.toggle("automatic", isAutomatic);
      element.style.transform = `translate(${toX.toFixed(2)}px, ${toY.toFixed(2)}px)`;
      element.setAttribute("aria-label", label(index, side));
      element.setAttribute("aria-valuenow", String(Math.min(Math.max(tidy(slope), -1000), 1000)));
      element.setAttribute("aria-valuetext", formatNumber(slope));
    });
  }

  /** The band that selects keys. */
  drawBand(a, b) {
    this.box.hidden = !a;
    if (!a) return;
    this.box.style.left = `${Math.min(a.x, b.x)}px`;
    this.box.style.top = `${Math.min(a.y, b.y)}px`;
    this.box.style.width = `${Math.abs(a.x - b.x)}px`;
    this.box.style.height = `${Math.abs(a.y - b.y)}px`;
  }
}

/** A small picture of a curve, for lists. */
export function curvePicture(curve, color = "currentColor") {
  const [low, high] = valueRange(curve);
  const [least, most] = [Math.min(0, low), Math.max(high, low + 1e-6, 0.01)];
  const points = samples(curve, 0, 1, 48).map(([time, value]) => `${(3 + time * 42).toFixed(1)} ${(25 - ((value - least) / (most - least)) * 22).toFixed(1)}`);
  const picture = svg("svg", { viewBox: "0 0 48 28", class: "curve-picture", "aria-hidden": "true" });
  const line = svg("path", { d: `M${points.join("L")}` });
  line.style.stroke = color;
  picture.append(line);
  return picture;
}
