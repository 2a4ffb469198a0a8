// The control of a row of the schema, by its type.

import { ColorField } from "./color-field.js";
import { ColorValueField } from "./color-value-field.js";
import { CurveEditor } from "./curve.js";
import { NumberField } from "./field.js";
import { GradientEditor } from "./gradient.js";
import { ChoiceField, EitherField, eitherKinds, ListField, NamesField, SwitchField, TextField, VectorField } from "./plain-fields.js";
import { SpritesField } from "./sprite-field.js";
import { ValueField, VectorValueField } from "./value-field.js";
import { label } from "../texts.js";

const vectors = ["vector", "scale", "pair", "interval", "rectangle", "quaternion", "colour rate", "colour jitter"];
/** Numbers that are names rather than amounts: no slider. */
const withoutSlider = /^(seed|.*\.(fieldMask|layer|src|dst|mesh))$/;

/** @param {Binding} binding @param {object} options - `label`, `isPlane` for effects in the plane */
export function controlOf(binding, options = {}) {
  const { row } = binding;
  const { kind } = row;
  const all = { label: label(row.key), ...options };
  if (row.key === "emitters[].sprites") return SpritesField.of(binding, all);
  if (row.key === "seed") return seedField(binding, all);
  if (kind === "number" || kind === "integer") return NumberField.of(binding, { ...all, hasSlider: !withoutSlider.test(row.key), onempty: row.isOptional ? () => binding.set(null) : undefined });
  if (kind === "boolean") return SwitchField.of(binding, all);
  if (kind.startsWith("array of \"")) return NamesField.of(binding, all);
  if (row.values?.length) return ChoiceField.of(binding, all);
  if (kind === "Value" || kind === "Track") return ValueField.of(binding, all);
  if (kind === "ColorTrack" || kind === "ColorValue") return ColorValueField.of(binding, all);
  if (kind === "colour") return ColorField.of(binding, all);
  if (kind === "Curve") return CurveEditor.of([{ id: row.key, label: all.label, binding }]);
  if (kind === "Gradient") return GradientEditor.of(binding, all);
  if (/^(vector|scale) of /.test(kind)) return VectorValueField.of(binding, all);
  if (vectors.includes(kind)) return VectorField.of(binding, all);
  if (eitherKinds.includes(kind)) return EitherField.of(binding, all);
  if (/^array of (vector|colour|number|integer|string)$/.test(kind)) return ListField.of(binding, all);
  if (kind === "string") return TextField.of(binding, all);
  // Everything else as JSON.
  const json = binding.part((value) => (value === undefined || value === null ? "" : JSON.stringify(value)), (value, typed) => {
    try {
      return JSON.parse(typed);
    } catch {
      return value;
    }
  }, { ...row, isOptional: false });
  return TextField.of(json, all);
}

/** A seed has 64 bits: its digits are kept exactly. */
function seedField(binding, options) {
  const digits = binding.part((value) => String(value ?? 0), (value, typed) => {
    if (!/^\d{1,20}$/.test(typed.trim())) return value;
    const number = Number(typed);
    return Number.isSafeInteger(number) ? number : BigInt(typed.trim());
  }, { ...binding.row, isOptional: false });
  return TextField.of(digits, options);
}

/** Whether a control needs the whole width. */
export const isWide = (row) => ["Curve", "Gradient"].includes(row.kind) || /^array of |^(vector|scale) of /.test(row.kind) || row.key === "emitters[].sprites";
