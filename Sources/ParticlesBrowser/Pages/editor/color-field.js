// A colour: a swatch, a text, and a picker beside it. Nothing else is dimmed while a colour is chosen.

import { make } from "../icons.js";
import { text } from "../texts.js";
import { colorOfHSV, cssColor, formatHex, fullColor, hsvOf, intensityOf, parseHex, shortColor, withIntensity } from "./colors.js";
import { copy, draggable, endOnEscape, heldKeys, pasted, showAt, tellFault, tool } from "./control-parts.js";
import { Control, dragged, NumberField } from "./field.js";
import { clamp, formatNumber, tidy } from "./numbers.js";

const recent = [];

/** A colour and its picker in place: field of saturation and brightness, hue, alpha, intensity, numbers, text. */
export class ColorPicker extends Control {
  static tag = "effect-picker";
  hue = 0;

  /** @param {object} options - `label`, and `hasAlpha`, true by default */
  static of(binding, options = {}) {
    return super.of(binding, { hasAlpha: true, ...options });
  }

  get color() { return fullColor(this.binding.value ?? [1, 1, 1]); }
  /** The colour that a screen can show. The rest is its intensity. */
  get base() {
    const [red, green, blue, alpha] = withIntensity(this.color, 1);
    return intensityOf(this.color) > 1 ? [red, green, blue, alpha] : this.color;
  }

  get hsv() {
    const [hue, saturation, brightness] = hsvOf(this.base, this.hue);
    return [hue, saturation, brightness];
  }

  build() {
    const { label, hasAlpha } = this.options;
    this.className = "c-picker";
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", label);
    this.field = make("div", { class: "sv", role: "slider", tabindex: "0", "aria-label": text("saturationBrightness"), "aria-valuemin": "0", "aria-valuemax": "100" }, make("i"));
    this.hueBar = make("div", { class: "strip hue", role: "slider", tabindex: "0", "aria-label": text("hue"), "aria-valuemin": "0", "aria-valuemax": "360" }, make("i"));
    this.alphaBar = make("div", { class: "strip alpha", role: "slider", tabindex: "0", "aria-label": text("alpha"), "aria-valuemin": "0", "aria-valuemax": "100", hidden: !hasAlpha }, make("b"), make("i"));
    this.hex = make("input", { type: "text", class: "hex", "aria-label": text("hexadecimal"), spellcheck: "false", autocomplete: "off" });
    this.hex.addEventListener("change", () => this.takeHex());
    this.hex.addEventListener("keydown", (event) => { if (event.key === "Enter") this.takeHex(); });
    this.listenToField();
    this.listenToStrip(this.hueBar, (share) => {
      this.hue = clamp(share, 0, 1) * 360;
      const [, saturation, brightness] = this.hsv;
      return colorOfHSV(this.hue, saturation, brightness);
    }, () => this.hsv[0] / 360, 1 / 360);
    this.listenToStrip(this.alphaBar, (share, color) => [...color.slice(0, 3), Number(clamp(share, 0, 1).toFixed(3))], () => this.color[3], 0.01, true);
    const channel = (index, name, spoken) => {
      const part = this.binding.part((value) => (value ? fullColor(value)[index] : undefined), (value, number) => {
        const color = fullColor(value ?? [1, 1, 1]);
        color[index] = number;
        return shortColor(color);
      }, { key: name, type: "number", kind: "number", minimum: 0, maximum: index === 3 ? 1 : undefined, usual: [0, 1], step: 0.01 });
      const field = NumberField.of(part, { label: spoken, hasSlider: false });
      return make("label", {}, dragged(make("span", {}, name), field), field);
    };
    const intensity = this.binding.part((value) => (value ? tidy(intensityOf(value)) : undefined), (value, number) => shortColor(withIntensity(value ?? [1, 1, 1], Math.max(1, number))),
      { key: "intensity", type: "number", kind: "number", minimum: 1, usual: [1, 8], scale: "log", step: 0.05 });
    this.numbers = make("div", { class: "numbers" }, channel(0, "R", text("red")), channel(1, "G", text("green")), channel(2, "B", text("blue")),
      hasAlpha ? channel(3, "A", text("alpha")) : null);
    const strength = NumberField.of(intensity, { label: text("intensity") });
    this.intensity = make("label", { class: "intensity" }, dragged(make("span", {}, text("intensity")), strength), strength);
    this.recent = make("div", { class: "recent", role: "group", "aria-label": text("recentColors") });
    const line = make("div", { class: "line" }, this.hex,
      tool("copy", text("copyColor"), () => copy("color", shortColor(this.color))),
      tool("paste", text("pasteColor"), () => {
        const found = pasted("color");
        if (found) this.put(fullColor(found.value));
      }));
    if (window.EyeDropper) line.append(tool("target", text("eyeDropper"), () => this.drop()));
    this.append(this.field, make("div", { class: "strips" }, this.hueBar, this.alphaBar), line, this.numbers, this.intensity, this.recent);
    this.refresh();
  }

  refresh() {
    const { color, base } = this;
    const [hue, saturation, brightness] = this.hsv;
    if (saturation > 0 && brightness > 0) this.hue = hue;
    this.field.style.setProperty("--hue", `hsl(${this.hue} 100% 50%)`);
    this.field.firstChild.style.left = `${saturation * 100}%`;
    this.field.firstChild.style.top = `${(1 - brightness) * 100}%`;
    this.field.firstChild.style.background = cssColor([...base.slice(0, 3), 1]);
    this.field.setAttribute("aria-valuenow", String(Math.round(saturation * 100)));
    this.field.setAttribute("aria-valuetext", text("saturationAt", Math.round(saturation * 100), Math.round(brightness * 100)));
    this.hueBar.lastChild.style.left = `${(this.hue / 360) * 100}%`;
    this.hueBar.setAttribute("aria-valuenow", String(Math.round(this.hue)));
    this.hueBar.setAttribute("aria-valuetext", `${Math.round(this.hue)}°`);
    this.alphaBar.style.setProperty("--color", cssColor([...base.slice(0, 3), 1]));
    this.alphaBar.lastChild.style.left = `${clamp(color[3], 0, 1) * 100}%`;
    this.alphaBar.setAttribute("aria-valuenow", String(Math.round(color[3] * 100)));
    if (document.activeElement !== this.hex) this.hex.value = formatHex(base);
    for (const field of this.querySelectorAll("effect-number")) field.refresh();
    this.recent.replaceChildren(...recent.map((each) => {
      const swatch = make("button", { type: "button", class: "swatch", "aria-label": formatHex(each), title: formatHex(each), onclick: () => this.put(each) }, make("i"));
      swatch.firstChild.style.background = cssColor(each);
      return swatch;
    }));
  }

  /** With the intensity that the colour has. */
  whole(base, value) {
    const now = fullColor(value ?? [1, 1, 1]);
    const intensity = intensityOf(now);
    const alpha = base[3] ?? now[3];
    return shortColor([...(intensity > 1 ? withIntensity(base, intensity).slice(0, 3) : base.slice(0, 3)), alpha]);
  }

  async put(color) {
    remember(color);
    tellFault(this, await this.binding.set(shortColor(color)));
    this.refresh();
  }

  takeHex() {
    const color = parseHex(this.hex.value);
    if (!color) {
      this.hex.setAttribute("aria-invalid", "true");
      return;
    }
    this.hex.removeAttribute("aria-invalid");
    if (formatHex(color) === formatHex(this.base)) return;
    const hasAlpha = [4, 8].includes(this.hex.value.replace("#", "").trim().length);
    this.put(hasAlpha ? color : [...color.slice(0, 3), this.color[3]]);
  }

  async drop() {
    try {
      const { sRGBHex } = await new window.EyeDropper().open();
      const color = parseHex(sRGBHex);
      if (color) this.put([...color.slice(0, 3), this.color[3]]);
    } catch {
      // Escape.
    }
  }

  listenToField() {
    const { field } = this;
    const at = (gesture, saturation, brightness) => {
      gesture.saturation = clamp(saturation, 0, 1);
      gesture.brightness = clamp(brightness, 0, 1);
      const color = colorOfHSV(this.hue, gesture.saturation, gesture.brightness);
      gesture.set(gesture.start.map((value) => this.whole([...color.slice(0, 3), fullColor(value ?? [1, 1, 1])[3]], value)));
      this.refresh();
    };
    const place = (event) => {
      const box = field.getBoundingClientRect();
      return [(event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height];
    };
    draggable(field, {
      begin: (event) => {
        if (this.binding.isReadOnly) return undefined;
        field.focus({ preventScroll: true });
        const gesture = this.binding.begin();
        at(gesture, ...place(event));
        return gesture;
      },
      move: (event, gesture) => at(gesture, ...place(event)),
      end: (_, gesture) => this.finish(gesture),
      cancel: (gesture) => {
        gesture.cancel();
        this.refresh();
      },
    });
    heldKeys(field, {
      step: ({ key }) => ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] })[key],
      begin: () => {
        const [, saturation, brightness] = this.hsv;
        return Object.assign(this.binding.begin(), { saturation, brightness });
      },
      change: (gesture, [x, y], event) => at(gesture, gesture.saturation + x * (event.shiftKey ? 0.001 : 0.01), gesture.brightness + y * (event.shiftKey ? 0.001 : 0.01)),
    });
  }

  listenToStrip(strip, colorOf, shareOf, step, isWhole = false) {
    const at = (gesture, share) => {
      gesture.share = clamp(share, 0, 1);
      gesture.set(gesture.start.map((value) => {
        const color = colorOf(gesture.share, fullColor(value ?? [1, 1, 1]));
        return isWhole ? shortColor(color) : this.whole([...color.slice(0, 3), fullColor(value ?? [1, 1, 1])[3]], value);
      }));
      this.refresh();
    };
    const place = (event) => {
      const box = strip.getBoundingClientRect();
      return (event.clientX - box.left) / box.width;
    };
    draggable(strip, {
      begin: (event) => {
        if (this.binding.isReadOnly) return undefined;
        strip.focus({ preventScroll: true });
        const gesture = this.binding.begin();
        at(gesture, place(event));
        return gesture;
      },
      move: (event, gesture) => at(gesture, place(event)),
      end: (_, gesture) => this.finish(gesture),
      cancel: (gesture) => {
        gesture.cancel();
        this.refresh();
      },
    });
    heldKeys(strip, {
      step: ({ key }) => ({ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 })[key],
      begin: () => Object.assign(this.binding.begin(), { share: shareOf() }),
      change: (gesture, count, event) => at(gesture, gesture.share + count * step * (event.shiftKey ? 0.1 : 1)),
    });
  }

  async finish(gesture) {
    tellFault(this, await gesture.end());
    remember(this.color);
    this.refresh();
  }
}

/** Keeps the last colours of this page. */
function remember(color) {
  const name = formatHex(color);
  const place = recent.findIndex((each) => formatHex(each) === name);
  if (place >= 0) recent.splice(place, 1);
  recent.unshift(fullColor(color));
  recent.length = Math.min(recent.length, 10);
}

/** A swatch that opens the picker, and the colour as text. */
export class ColorField extends Control {
  static tag = "effect-color";

  build() {
    this.className = "c-color";
    this.swatch = make("button", { type: "button", class: "swatch", "aria-haspopup": "dialog", onclick: () => this.open() }, make("i"));
    this.hex = make("input", { type: "text", class: "hex", "aria-label": `${this.options.label}, ${text("hexadecimal")}`, spellcheck: "false", autocomplete: "off", onchange: () => this.setText() });
    this.hex.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.setText();
      else if (event.key === "Escape") {
        event.stopPropagation();
        this.hex.value = formatHex(this.binding.value);
      }
    });
    this.append(this.swatch, this.hex);
    this.refresh();
  }

  refresh() {
    const { values } = this.binding;
    const [first] = values;
    const isMixed = values.some((each) => formatHex(each) !== formatHex(first));
    const isNone = first === null || first === undefined;
    this.swatch.firstChild.style.background = isMixed ? `linear-gradient(90deg, ${values.map((each, index) => `${cssColor(each)} ${(index / values.length) * 100}% ${((index + 1) / values.length) * 100}%`).join(", ")})` : isNone ? "transparent" : cssColor(withIntensity(first, 1));
    const intensity = isNone ? 1 : intensityOf(first);
    const spoken = isMixed ? text("mixed") : isNone ? text("notSet") : formatHex(first) + (intensity > 1 ? ` × ${formatNumber(intensity)}` : "");
    this.swatch.setAttribute("aria-label", `${this.options.label}: ${spoken}`);
    this.swatch.title = spoken;
    this.swatch.disabled = this.binding.isReadOnly;
    if (document.activeElement !== this.hex) this.hex.value = isMixed || isNone ? "" : formatHex(intensity > 1 ? withIntensity(first, 1) : first);
    this.hex.placeholder = isMixed ? text("mixed") : "–";
    this.hex.disabled = this.binding.isReadOnly;
    this.picker?.refresh();
  }

  async setText() {
    const color = parseHex(this.hex.value);
    this.hex.toggleAttribute("aria-invalid", !color);
    if (color) this.hex.removeAttribute("aria-invalid");
    else this.hex.setAttribute("aria-invalid", "true");
    if (!color || formatHex(color) === formatHex(this.binding.value)) return;
    tellFault(this, await this.binding.set(shortColor(color)));
    this.refresh();
  }

  open() {
    if (this.picker) return this.picker.parentElement.hidePopover();
    this.picker = ColorPicker.of(this.binding, this.options);
    const panel = make("div", { class: "c-panel", role: "dialog", "aria-label": this.options.label }, this.picker);
    showAt(this.swatch, panel);
    this.picker.field.focus();
    panel.addEventListener("toggle", ({ newState }) => { if (newState === "closed") this.picker = undefined; });
    endOnEscape(panel, this.swatch);
  }
}

customElements.define(ColorPicker.tag, ColorPicker);
customElements.define(ColorField.tag, ColorField);
