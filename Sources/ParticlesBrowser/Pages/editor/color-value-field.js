// Colours of particles in any form: constant, random, a gradient over the life, from one colour to another.

import { make } from "../icons.js";
import { text } from "../texts.js";
import { ColorField } from "./color-field.js";
import { colorAt, fullColor, readGradient, shortColor } from "./colors.js";
import { openMenu, tellFault } from "./control-parts.js";
import { CurveEditor } from "./curve.js";
import { FormField, lineOf } from "./field.js";
import { GradientEditor } from "./gradient.js";
import { ChoiceField, ListField, VectorField } from "./plain-fields.js";
import { colorFormOf } from "./values.js";


const rounded = (color) => shortColor(color.map((part) => Number(part.toFixed(4))));

const mostOpaque = (colors) => colors.reduce((best, color) => (fullColor(color)[3] > fullColor(best)[3] ? color : best));

/**
 * The colour that a value in any form begins with. Random colours have their mean, or the most opaque colour of a list: the least
 * one is often invisible. So is the first colour of a gradient that fades in.
 */
function firstColor(json) {
  if (Array.isArray(json)) return json;
  if (json?.color) return json.color;
  if (json?.min) {
    const [least, most] = [json.min, json.max ?? json.min].map(fullColor);
    return rounded(least.map((part, index) => (part + most[index]) / 2));
  }
  if (json?.oneOf?.length) return mostOpaque(json.oneOf);
  if (json?.gradient) {
    const first = rounded(colorAt(readGradient(json.gradient), 0));
    return fullColor(first)[3] > 0 || !json.gradient.keys?.length ? first : mostOpaque(json.gradient.keys.map((key) => key[1]));
  }
  return json?.from ? firstColor(json.from) : [1, 1, 1];
}

const lastColor = (json) => (json?.gradient?.keys?.length ? json.gradient.keys.at(-1)[1] : firstColor(json?.to ?? json));

/** A colour in another form, as near to the old one as the form allows. */
export function convertedColor(json, form) {
  const isSame = (one, two) => JSON.stringify(one) === JSON.stringify(two);
  const keepsEnds = json?.min && json.max && (form === "range" || form === "choice");
  const [first, last] = keepsEnds ? [json.min, json.max] : [firstColor(json), lastColor(json)];
  const other = isSame(first, last) ? rounded([...fullColor(first).slice(0, 3).map((part) => part * 0.6), fullColor(first)[3]]) : last;
  const gradient = json?.gradient?.keys?.length ? json.gradient : { keys: [[0, first], [1, isSame(first, last) ? [...fullColor(first).slice(0, 3), 0] : last]] };
  switch (form) {
    case "none": return null;
    case "range": return { min: first, max: other };
    case "choice": return { oneOf: [first, other] };
    case "gradient": return { gradient };
    // Beside it, a jitter tells a random place from one over life.
    case "randomGradient": return { gradient, jitterHSBA: json?.jitterHSBA ?? [0, 0, 0, 0] };
    case "life": return { from: first, to: other };
    default: return first;
  }
}

/** A control of colours. `row.kind` is `ColorTrack` or `ColorValue`. */
export class ColorValueField extends FormField {
  static tag = "effect-color-value";
  static formOf = colorFormOf;
  static texts = { none: "formNone", constant: "formColor", range: "formTwoColors", choice: "formColors", randomGradient: "formRandomGradient", gradient: "formGradient", life: "formColorLife" };
  static icons = { none: "none", constant: "droplet", range: "range", choice: "choice", randomGradient: "dice", gradient: "gradient", life: "life", mixed: "more" };
  static tall = ["choice", "gradient", "randomGradient", "life", "range"];

  get shape() { return `${this.form}${this.binding.value?.jitterHSBA ? "+" : ""}`; }

  bodies(form) {
    const { label } = this.options;
    const member = (key, standard, row = { key, type: "colour", kind: "colour" }) => this.binding.member(key, standard, row);
    const bodies = {
      none: () => [make("button", { type: "button", class: "quiet", onclick: () => this.convert("constant") }, text("setColor"))],
      mixed: () => [make("button", { type: "button", class: "quiet", onclick: () => this.binding.set(this.binding.value) }, text("applyFirstToAll"))],
      constant: () => [ColorField.of(Array.isArray(this.binding.value) || !this.binding.value ? this.binding : member("color", [1, 1, 1]), { label })],
      range: () => [
        make("div", { class: "pair-of-colors" }, ColorField.of(member("min", [1, 1, 1]), { label: `${label}, ${text("first")}` }), ColorField.of(member("max", [1, 1, 1]), { label: `${label}, ${text("second")}` })),
        lineOf(text("mixedBy"), ChoiceField.of(member("mode", "channels", { key: "mode", type: "string", kind: "string", values: ["channels", "line", "hsb"] }), { label: `${label}, ${text("mixedBy")}` })),
      ],
      choice: () => [ListField.of(this.binding.part((value) => value?.oneOf, (value, oneOf) => {
        const whole = { ...value, oneOf };
        if (value?.weights?.length) whole.weights = oneOf.map((_, index) => value.weights[index] ?? 1);
        return whole;
      }, { key: "oneOf", type: "array of colour", kind: "array of colour" }), { label, type: "colour", least: 1 })],
      gradient: () => [GradientEditor.of(member("gradient", null), { label })],
      randomGradient: () => [GradientEditor.of(member("gradient", null), { label })],
      life: () => [
        lineOf(text("from"), ColorValueField.of(member("from", [1, 1, 1], { key: "from", type: "ColorValue", kind: "ColorValue" }), { label: `${label}, ${text("from")}`, isInner: true })),
        lineOf(text("to"), ColorValueField.of(member("to", [1, 1, 1], { key: "to", type: "ColorValue", kind: "ColorValue" }), { label: `${label}, ${text("to")}`, isInner: true })),
        CurveEditor.of([{ id: "color.curve", label, binding: member("curve", "linear") }]), ...this.moreOfLife(member, label),
      ],
    }[form]();
    if (this.binding.value?.jitterHSBA && form !== "life") {
      bodies.push(lineOf(text("jitter"), VectorField.of(member("jitterHSBA", [0, 0, 0, 0], { key: "jitterHSBA", type: "colour jitter", kind: "colour jitter", minimum: 0, usual: [0, 1] }), { label: `${label}, ${text("jitter")}` })));
    }
    return bodies;
  }

  /** The gradient by which a fading colour is multiplied, if there is one. */
  moreOfLife(member, label) {
    if (!this.binding.value?.gradient) return [];
    return [make("p", { class: "line-name" }, text("timesGradient")), GradientEditor.of(member("gradient", null), { label: `${label}, ${text("timesGradient")}` })];
  }

  choose(anchor) {
    const isTrack = this.row.kind === "ColorTrack";
    const forms = ["constant", "range", "choice", "randomGradient"];
    if (isTrack && !this.options.isInner) forms.push("gradient", "life");
    if (this.row.isOptional) forms.unshift("none");
    const entries = this.entriesOf(forms);
    const { form } = this;
    if (["constant", "range", "choice"].includes(form)) {
      const hasJitter = Boolean(this.binding.value?.jitterHSBA);
      entries.push({ id: "jitter", label: text("jitter"), separates: true, isChecked: hasJitter, run: () => this.toggleJitter(hasJitter) });
    }
    openMenu(anchor, entries, text("form"));
  }

  async toggleJitter(hasJitter) {
    const values = this.binding.values.map((json) => {
      if (hasJitter) {
        const { jitterHSBA, ...rest } = json;
        return rest.color && Object.keys(rest).length === 1 ? rest.color : rest;
      }
      return { ...(Array.isArray(json) ? { color: json } : json), jitterHSBA: [10, 0.1, 0.1, 0] };
    });
    tellFault(this, await this.binding.apply(values, text("jitter")));
    this.refresh();
  }

  converted(json, form) { return convertedColor(json, form); }
}

customElements.define(ColorValueField.tag, ColorValueField);
