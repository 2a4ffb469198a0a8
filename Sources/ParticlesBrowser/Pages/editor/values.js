// Values and tracks of the document model as JSON: their forms, changes from one to another, relative changes.

import { tidy } from "./numbers.js";

const trackKeys = ["from", "to", "rate", "warp", "over", "range", "domain"];
const valueKeys = ["min", "max", "oneOf", "low", "high"];
const isObject = (json) => json !== null && typeof json === "object" && !Array.isArray(json);

/** Whether an object is a track, by the rule of the specification. */
export const isTrack = (json) => isObject(json) && (trackKeys.some((name) => name in json) || !valueKeys.some((name) => name in json));

/** The form of a number or track: `none`, `constant`, `range`, `choice`, `ramp`, `life` or `straight` (a track with `from` and `rate`). */
export function formOf(json) {
  if (json === null || json === undefined) return "none";
  if (typeof json === "number") return "constant";
  if (!isObject(json)) return "other";
  if (isTrack(json)) {
    if (json.to !== undefined && json.to !== null) return "life";
    const more = trackKeys.slice(1).some((name) => json[name] !== undefined && json[name] !== null);
    return more ? "straight" : formOf(json.from ?? 0);
  }
  if ("oneOf" in json) return "choice";
  return "low" in json || "high" in json ? "ramp" : "range";
}

/** The form of a colour: `none`, `constant`, `range`, `randomGradient`, `choice`, `gradient` or `life`. */
export function colorFormOf(json) {
  if (json === null || json === undefined) return "none";
  if (Array.isArray(json)) return "constant";
  if (["from", "to", "curve", "rate", "clamp"].some((name) => name in json)) return json.to ? "life" : json.gradient ? "gradient" : "life";
  if ("color" in json) return "constant";
  if ("oneOf" in json) return "choice";
  if ("min" in json || "max" in json) return "range";
  // With nothing beside it, a gradient is a track: white times the gradient over life.
  return "gradient" in json ? ("jitterHSBA" in json ? "randomGradient" : "gradient") : "constant";
}

/** Bounds of a value: the least and the greatest sample of both its ends. */
export function boundsOf(json) {
  if (typeof json === "number") return [json, json];
  if (!isObject(json)) return [0, 0];
  if (isTrack(json)) {
    const from = boundsOf(json.from ?? 0);
    if (json.to === undefined || json.to === null) return from;
    const to = boundsOf(json.to).map((number, index) => (json.relative ? number + from[index] : number));
    return [Math.min(from[0], to[0]), Math.max(from[1], to[1])];
  }
  if (json.oneOf) return [Math.min(...json.oneOf), Math.max(...json.oneOf)];
  if ("low" in json || "high" in json) {
    const [low, high] = [boundsOf(json.low ?? 0), boundsOf(json.high ?? 0)];
    return [Math.min(low[0], high[0]), Math.max(low[1], high[1])];
  }
  return [json.min ?? 0, json.max ?? 0];
}

const withScope = (value, json) => (isObject(json) && json.scope && !isTrack(json) ? { ...value, scope: json.scope } : value);

/** A number in another form, as near to the old value as the form allows. */
export function converted(json, form, slider = { step: 0.1 }) {
  const source = isTrack(json) && (json.to === undefined || json.to === null) && formOf(json) !== "straight" ? json.from ?? 0 : json;
  const [low, high] = boundsOf(source ?? 0);
  const mean = tidy((low + high) / 2);
  const spread = (number) => tidy(Math.max(Math.abs(number) * 0.2, slider.step));
  const least = (number) => (slider.minimum === undefined || slider.minimum === null ? number : Math.max(number, slider.minimum));
  switch (form) {
    case "none": return null;
    case "constant": return mean;
    case "range":
      return withScope(low < high ? { min: low, max: high } : { min: least(tidy(mean - spread(mean))), max: tidy(mean + spread(mean)) }, source);
    case "choice": return withScope({ oneOf: low < high ? [low, high] : [mean, tidy(mean + spread(mean))] }, source);
    case "ramp": return { low, high: low < high ? high : tidy(high + spread(high)) };
    case "life": {
      const value = isTrack(source) ? source.from ?? 0 : source ?? 0;
      return { ...(isTrack(source) ? source : {}), from: value, to: value === 0 ? slider.usualHigh ?? 1 : 0 };
    }
    default: return json;
  }
}

/** The track of a value in any form: an object with `from`. */
export const trackOf = (json) => (isTrack(json) ? json : { from: json ?? 0 });

/** The shortest form of a track: only its `from`, if there is nothing else, and no defaults. */
export function shortTrack(track) {
  const short = { ...track };
  for (const [name, standard] of [["to", null], ["warp", null], ["range", null], ["domain", null]]) {
    if (short[name] === standard || short[name] === undefined) delete short[name];
  }
  if (short.rate === 0) delete short.rate;
  if (short.curve === "linear") delete short.curve;
  if (short.warp === "linear") delete short.warp;
  if (short.relative === false) delete short.relative;
  if (short.over === "life") delete short.over;
  const names = Object.keys(short);
  if (names.length === 0) return 0;
  if (names.length === 1 && names[0] === "from") return short.from;
  if (short.from === 0) delete short.from;
  return short;
}

// MARK: Relative changes

const scaledMembers = ["min", "max", "oneOf", "low", "high", "from", "to", "rate", "range"];
const shiftedMembers = (json) => ["min", "max", "oneOf", "low", "from", "range", ...(json.relative ? [] : ["high", "to"])];

/**
 * A value with a change applied: numbers, ranges, tracks and vectors, by the rules of `key*=2` and `key+=2` of the tool.
 * Undefined where a value cannot be changed like that.
 */
export function relative(json, { operation, operand }, isMember = false) {
  const isMultiplied = operation === "multiply";
  if (typeof json === "number") {
    const number = isMultiplied ? json * operand : json + operand;
    return Number.isFinite(number) ? tidy(number) : undefined;
  }
  if (Array.isArray(json)) {
    // A vector is multiplied by a number, and added to a vector.
    if (!isMultiplied && !isMember && operand.length !== json.length) return undefined;
    const elements = json.map((each, index) => relative(each, { operation, operand: Array.isArray(operand) ? operand[index] : operand }));
    return elements.includes(undefined) ? undefined : elements;
  }
  if (!isObject(json)) return undefined;
  const result = { ...json };
  if (isTrack(json) && !isMultiplied && json.from === undefined) result.from = 0;
  let isChanged = false;
  for (const name of isMultiplied ? scaledMembers : shiftedMembers(json)) {
    if (result[name] === undefined) continue;
    const member = result[name] === null ? null : relative(result[name], { operation, operand }, true);
    if (member === undefined) return undefined;
    result[name] = member;
    isChanged = true;
  }
  if (!isChanged) return undefined;
  if (typeof result.min === "number" && result.min > result.max) [result.min, result.max] = [result.max, result.min];
  if (result.range?.[0] > result.range?.[1]) result.range = [result.range[1], result.range[0]];
  return result;
}

// MARK: Equality

/** Whether two values of JSON are equal. The order of members does not count. */
export function equal(a, b) {
  if (Object.is(a, b) || a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, index) => equal(each, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && equal(a[name], b[name]));
}
