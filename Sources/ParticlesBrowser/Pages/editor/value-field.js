// Numbers of particles in any form: constant, random between two, one of several, over the emission, over the life.

import { make } from "../icons.js";
import { nameOf, text } from "../texts.js";
import { openMenu } from "./control-parts.js";
import { CurveEditor } from "./curve.js";
import { Control, FormField, lineOf, NumberField } from "./field.js";
import { parseNumber, sliderOf } from "./numbers.js";
import { ChoiceField, ListField, SwitchField, VectorField } from "./plain-fields.js";
import { RangeField } from "./range-field.js";
import { converted, formOf, isTrack, shortTrack, trackOf } from "./values.js";

const plainValue = (json) => (isTrack(json) && json.to === undefined ? json.from ?? 0 : json);

/**
 * A control of values or tracks, by `row.kind`. Its options are `label`, and `isInner` for a part of another value: no forms over
 * life or emission.
 */
export class ValueField extends FormField {
  static tag = "effect-value";
  static formOf = formOf;
  static texts = { none: "formNone", constant: "formConstant", range: "formRange", choice: "formChoice", ramp: "formRamp", life: "formLife", straight: "formStraight" };
  static icons = { none: "none", constant: "constant", range: "range", choice: "choice", ramp: "ramp", life: "life", straight: "ramp", mixed: "more" };
  static tall = ["choice", "ramp", "life", "straight"];

  // MARK: Bodies

  bodies(form) {
    const { label } = this.options;
    const number = { ...this.row, type: "number", kind: "number" };
    // A track with nothing but its start is the value of its start. `put` writes the short form.
    const plain = this.binding.part(plainValue, (_, value) => value, number);
    switch (form) {
      case "none": case "constant":
        return [NumberField.of(plain, { label, onrange: (low, high) => this.binding.set({ min: low, max: high }), onempty: this.row.isOptional ? () => this.binding.set(null) : undefined, empty: this.options.empty })];
      case "range": return [RangeField.of(plain, { label })];
      case "choice": return [this.choices(plain)];
      case "ramp": return this.ramp(plain);
      case "life": return this.life();
      case "straight": return [this.line(text("from"), this.trackPart("from", 0), { kind: "Value" }), this.line(text("ratePerSecond"), this.trackPart("rate", 0), { kind: "Value", isFree: true }), this.more()];
      case "mixed": return [this.mixed()];
      default: return [make("code", {}, JSON.stringify(this.binding.value))];
    }
  }

  /** Several forms at once: a relative change applies to each, a number makes all constant. */
  mixed() {
    const input = make("input", { type: "text", placeholder: text("mixedForms"), "aria-label": this.options.label, autocomplete: "off", spellcheck: "false" });
    const commit = () => {
      if (!input.value.trim()) return;
      const parsed = parseNumber(input.value, this.row.unit);
      input.toggleAttribute("aria-invalid", false);
      if (!parsed) return input.setAttribute("aria-invalid", "true");
      if (parsed.operation === "set") this.binding.set(parsed.operand);
      else if (parsed.operation === "range") this.binding.set({ min: parsed.operand[0], max: parsed.operand[1] });
      else this.binding.change(parsed);
      input.value = "";
    };
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") commit(); });
    input.addEventListener("change", commit);
    const box = make("div", { class: "c-mixed" }, input);
    return box;
  }

  line(name, binding, row, label = `${this.options.label}, ${name}`) {
    const merged = { ...binding.row, ...row, isOptional: false };
    if (row.isFree) Object.assign(merged, { minimum: undefined, maximum: undefined });
    const inner = binding.part((value) => value, (_, value) => value, merged);
    return lineOf(name, ValueField.of(inner, { label, isInner: true }));
  }

  trackPart(key, standard, row) {
    return this.binding.part((json) => trackOf(json)[key] ?? standard, (json, value) => shortTrack({ ...trackOf(json), [key]: value }), row ?? this.row);
  }

  life() {
    const { label } = this.options;
    const curve = CurveEditor.of([{ id: this.row.key, label, binding: this.trackPart("curve", "linear"), mapping: () => this.mapping() }], {});
    return [this.line(text("from"), this.trackPart("from", 0), { kind: "Value" }), this.line(text("to"), this.trackPart("to", 0), { kind: "Value" }), curve, this.more()];
  }

  /** How the curve is shown: in the unit of the property, if both ends are constants. */
  mapping() {
    const { from = 0, to, relative: isRelative } = trackOf(this.binding.value);
    if (typeof from !== "number" || typeof to !== "number") return undefined;
    const scale = isRelative ? to : to - from;
    return scale === 0 ? undefined : { offset: from, scale, unit: this.row.unit ?? "" };
  }

  /** Rarely used members: input, easing, change per second, bounds. */
  more() {
    const details = make("details", { class: "more" }, make("summary", {}, text("moreOfTrack")));
    details.addEventListener("toggle", () => {
      if (!details.open || details.childElementCount > 1) return;
      const { label } = this.options;
      const over = this.trackPart("over", "life", { key: "over", type: "string", kind: "string", values: ["life", "age", "speed", "distance", "emitter"] });
      const relativeTo = this.trackPart("relative", false, { key: "relative", type: "boolean", kind: "boolean" });
      const domain = this.trackPart("domain", undefined, { key: "domain", type: "interval", kind: "interval", standard: [0, 1] });
      const bounds = this.trackPart("range", undefined, { key: "range", type: "interval", kind: "interval", standard: [0, 1], usual: this.row.usual });
      details.append(
        lineOf(text("input"), ChoiceField.of(over, { label: `${label}, ${text("input")}` })), lineOf(text("inputRange"), VectorField.of(domain, { label: `${label}, ${text("inputRange")}` })),
        lineOf(text("addTo"), SwitchField.of(relativeTo, { label: `${label}, ${text("addTo")}` })), this.line(text("ratePerSecond"), this.trackPart("rate", 0), { kind: "Value", isFree: true }),
        lineOf(text("bounds"), VectorField.of(bounds, { label: `${label}, ${text("bounds")}` })),
        make("p", { class: "line-name" }, text("easing")), CurveEditor.of([{ id: `${this.row.key}.warp`, label: `${label}, ${text("easing")}`, binding: this.trackPart("warp", "linear") }]));
    });
    return details;
  }

  ramp(plain) {
    const { label } = this.options;
    const row = { ...this.row, kind: "Value" };
    const mapping = () => {
      const { low = 0, high = 0, relative: isRelative } = plain.value ?? {};
      const scale = typeof low === "number" && typeof high === "number" ? (isRelative ? high : high - low) : 0;
      return scale === 0 ? undefined : { offset: low, scale, unit: this.row.unit ?? "" };
    };
    const curve = plain.part((value) => value?.curve ?? "linear", (value, curve) => {
      const { curve: _, ...rest } = value;
      return curve === "linear" ? rest : { ...rest, curve };
    });
    return [this.line(text("low"), plain.member("low", 0, row), { kind: "Value" }), this.line(text("high"), plain.member("high", 0, row), { kind: "Value" }),
      CurveEditor.of([{ id: `${this.row.key}.curve`, label, binding: curve, mapping }])];
  }

  /** Numbers with weights. */
  choices(plain) {
    const { label } = this.options;
    const numbers = plain.part((value) => value?.oneOf, (value, oneOf) => {
      const whole = { ...value, oneOf };
      // A new number has the weight 1. A removed number takes its weight away. Equal weights are left out.
      if (value?.weights?.length) {
        const gone = oneOf.length < value.oneOf.length ? value.oneOf.findIndex((each, index) => each !== oneOf[index]) : -1;
        const kept = value.weights.filter((_, index) => index !== gone);
        whole.weights = oneOf.map((_, index) => kept[index] ?? 1);
        if (whole.weights.every((each) => each === whole.weights[0])) delete whole.weights;
      }
      return whole;
    }, { ...this.row, kind: "array of number", type: "array of number" });
    const weights = plain.part((value) => value?.oneOf?.map((_, index) => value.weights?.[index] ?? 1), (value, weights) => {
      const whole = { ...value, weights };
      if (weights.every((each) => each === weights[0])) delete whole.weights;
      return whole;
    }, { key: "weights", type: "array of number", kind: "array of number", minimum: 0, usual: [0, 10], step: 1 });
    const element = make("div", { class: "choices" }, ListField.of(numbers, { label, least: 1 }),
      make("details", { class: "more" }, make("summary", {}, text("weights")), WeightsField.of(weights, { label: `${label}, ${text("weights")}` })));
    return element;
  }

  // MARK: Forms

  forms() {
    const isTrackRow = this.row.kind === "Track";
    const forms = ["constant", "range", "choice"];
    if (!this.options.isInner) forms.push("ramp");
    if (isTrackRow && !this.options.isInner) forms.push("life");
    if (this.row.isOptional && !this.options.isInner) forms.unshift("none");
    return forms;
  }

  choose(anchor) {
    const entries = this.entriesOf(this.forms());
    const random = plainValue(this.binding.value);
    if (["range", "choice", "ramp"].includes(formOf(random))) {
      entries.push(...["particle", "cycle", "effect"].map((scope, index) => ({
        id: scope, label: `${text("sampled")}: ${nameOf(scope)}`, separates: index === 0, isChecked: (random.scope ?? "particle") === scope,
        run: () => this.binding.apply(this.binding.values.map((json) => {
          const { scope: _, ...value } = plainValue(json);
          return scope === "particle" ? value : { ...value, scope };
        })),
      })));
    }
    openMenu(anchor, entries, text("form"));
  }

  converted(json, form) {
    const slider = sliderOf(this.row);
    return converted(json ?? startOf(this.row), form, { ...slider, usualHigh: slider.usual[1] });
  }
}

const startOf = (row) => (typeof row.standard === "number" ? row.standard : sliderOf(row).usual[1]);

/** Weights beside numbers: as many as numbers, so that none is added here. */
class WeightsField extends ListField {
  static tag = "effect-weights";
  refresh() {
    super.refresh();
    for (const each of this.querySelectorAll(":scope > .add, :scope > .element > button")) each.remove();
  }
}

/** Values or tracks for x, y and z. */
export class VectorValueField extends Control {
  static tag = "effect-vector-value";

  build() {
    this.className = "c-vector-value tall";
    const { row } = this.binding;
    const kind = row.kind.endsWith("Tracks") ? "Track" : "Value";
    const standard = row.kind.startsWith("scale") ? 1 : 0;
    const count = this.options.isPlane && !this.binding.values.some((value) => value?.length > 2) ? 2 : 3;
    this.fields = ["X", "Y", "Z"].slice(0, count).map((name, index) => {
      const part = this.binding.part((value) => value?.[index] ?? standard, (value, element) => {
        const whole = [...(value ?? [standard, standard])];
        while (whole.length <= index) whole.push(standard);
        whole[index] = element;
        if (whole.length === 3 && !(value?.length > 2) && whole[2] === standard) whole.pop();
        return whole;
      }, { ...row, kind, type: kind, standard, isOptional: false });
      return ValueField.of(part, { label: `${this.options.label} ${name}` });
    });
    this.append(...this.fields.map((field, index) => lineOf("XYZ"[index], field, "line-name axis-name")));
  }

  refresh() { for (const field of this.fields) field.refresh(); }
}

customElements.define(WeightsField.tag, WeightsField);
customElements.define(ValueField.tag, ValueField);
customElements.define(VectorValueField.tag, VectorValueField);
