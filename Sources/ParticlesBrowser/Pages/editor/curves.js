// Curves of the document model: reading, evaluation, changes of keys. The results equal `Curve` in the library.

import { tidy } from "./numbers.js";

export const interpolations = ["linear", "step", "cubic"];
export const extensions = ["clamp", "loop", "mirror"];
const members = ["keys", "interp", "extend"];

/** A curve from its JSON: an object, a number for a constant curve, or "linear". */
export function readCurve(json) {
  if (typeof json === "number") return { keys: [key(0, json)], interp: "linear", extend: "clamp", rest: {} };
  if (json === null || typeof json !== "object") return { keys: [key(0, 0), key(1, 1)], interp: "linear", extend: "clamp", rest: {} };
  const rest = Object.fromEntries(Object.entries(json).filter(([name]) => !members.includes(name)));
  return {
    keys: (json.keys ?? []).map(([time, value, before, after, interp]) => key(time, value, before, after, interp)),
    interp: json.interp ?? "linear", extend: json.extend ?? "clamp", rest,
  };
}

export function key(time, value, before = null, after = null, interp = undefined) {
  return { time, value, in: before ?? null, out: after ?? null, interp: interp ?? undefined };
}

/** A curve as JSON, in the shortest form. Members that are not known here are kept. */
export function writeCurve(curve) {
  const { keys, interp, extend, rest = {} } = curve;
  const isPlain = interp === "linear" && extend === "clamp" && !Object.keys(rest).length && keys.every(isPlainKey);
  if (isPlain && keys.length === 1 && keys[0].time === 0) return keys[0].value;
  if (isPlain && keys.length === 2 && keys[0].time === 0 && keys[0].value === 0 && keys[1].time === 1 && keys[1].value === 1) return "linear";
  const json = { keys: keys.map(writeKey) };
  if (interp !== "linear") json.interp = interp;
  if (extend !== "clamp") json.extend = extend;
  return { ...json, ...rest };
}

const isPlainKey = (each) => each.in === null && each.out === null && each.interp === undefined;

function writeKey(each) {
  if (isPlainKey(each)) return [each.time, each.value];
  return [each.time, each.value, each.in, each.out, ...(each.interp === undefined ? [] : [each.interp])];
}

// MARK: Evaluation

function mapped(extend, x, first, last) {
  const length = last - first;
  if (!(x < first || x > last) || !(length > 0) || !Number.isFinite(x)) return Math.min(Math.max(x, first), last);
  if (extend === "loop") {
    const rest = (x - first) % length;
    return first + (rest < 0 ? rest + length : rest);
  }
  if (extend === "mirror") {
    const rest = Math.abs(x - first) % (2 * length);
    return first + (rest > length ? 2 * length - rest : rest);
  }
  return Math.min(Math.max(x, first), last);
}

/** The index of the first key that is later. */
export function indexAfter(keys, time) {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle].time > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function hermite(x, a, p, b, q) {
  const [x2, x3] = [x * x, x * x * x];
  return a * (2 * x3 - 3 * x2 + 1) + p * (x3 - 2 * x2 + x) + b * (3 * x2 - 2 * x3) + q * (x3 - x2);
}

/** The slopes of a smooth curve before and after a point. `point` returns time and value of an index. */
export function centralSlope(count, index, point) {
  const slope = (first, last) => {
    if (first < 0 || last >= count) return undefined;
    const [a, b] = [point(first), point(last)];
    return b[0] > a[0] ? (b[1] - a[1]) / (b[0] - a[0]) : undefined;
  };
  const [before, behind] = [slope(index - 1, index), slope(index, index + 1)];
  if (before !== undefined && behind !== undefined) {
    const central = slope(index - 1, index + 1);
    if (central !== undefined) return { before: central, behind: central };
  }
  return { before: before ?? behind ?? 0, behind: behind ?? before ?? 0 };
}

const automatic = (keys, index) => centralSlope(keys.length, index, (each) => [keys[each].time, keys[each].value]);
export const inSlope = (keys, index) => keys[index].in ?? automatic(keys, index).before;
export const outSlope = (keys, index) => keys[index].out ?? automatic(keys, index).behind;

/** The value of a curve. At a jump, the later key counts. */
export function evaluate(curve, at) {
  const { keys } = curve;
  if (!keys.length) return 0;
  if (keys.length < 2 || Number.isNaN(at)) return keys[0].value;
  const time = mapped(curve.extend, at, keys[0].time, keys.at(-1).time);
  const next = indexAfter(keys, time);
  if (next === 0) return keys[0].value;
  if (next === keys.length) return keys.at(-1).value;
  const [a, b] = [keys[next - 1], keys[next]];
  const length = b.time - a.time;
  const x = (time - a.time) / length;
  switch (a.interp ?? curve.interp) {
    case "step": return a.value;
    case "cubic": return hermite(x, a.value, outSlope(keys, next - 1) * length, b.value, inSlope(keys, next) * length);
    default: return a.value + (b.value - a.value) * x;
  }
}

/** Points of a curve from one time to another, with both sides of each key, so that jumps and corners are exact. */
export function samples(curve, first, last, count = 160) {
  const times = [];
  for (let index = 0; index <= count; index += 1) times.push(first + ((last - first) * index) / count);
  for (const each of curve.keys) {
    if (each.time >= first && each.time <= last) times.push(each.time - 1e-9, each.time);
  }
  return times.filter((time) => time >= first).sort((a, b) => a - b).map((time) => [time, evaluate(curve, time)]);
}

// MARK: Changes

/** A curve with its keys in order. Keys at one time keep theirs. Returns the new places of the old indices, too. */
export function sorted(curve) {
  const order = curve.keys.map((_, index) => index).sort((a, b) => curve.keys[a].time - curve.keys[b].time || a - b);
  const places = [];
  order.forEach((old, now) => { places[old] = now; });
  return { curve: { ...curve, keys: order.map((index) => curve.keys[index]) }, places };
}

/** Inserts a key on the curve: its shape stays as near as one more key allows. Returns the index of the key. */
export function inserted(curve, time, value = evaluate(curve, time)) {
  const keys = curve.keys.map((each) => ({ ...each }));
  const index = indexAfter(keys, time);
  keys.splice(index, 0, key(time, tidy(value), null, null, keys[index - 1]?.interp));
  return { curve: { ...curve, keys }, index };
}

/** Without some keys. One stays. */
export function removed(curve, indices) {
  const keys = curve.keys.filter((_, index) => !indices.includes(index));
  return { ...curve, keys: keys.length ? keys : [curve.keys[0]] };
}

/**
 * Moves keys by a time and a value. Times stay between `low` and `high`, and a dragged key never passes
 * a key that does not move.
 */
export function moved(curve, indices, time, value, { low = 0, high = 1 } = {}) {
  const { keys } = curve;
  const isMoved = new Set(indices);
  let [least, most] = [-Infinity, Infinity];
  for (const index of indices) {
    const previous = keys.findLast((_, each) => each < index && !isMoved.has(each));
    const next = keys.find((_, each) => each > index && !isMoved.has(each));
    least = Math.max(least, (previous?.time ?? Math.min(low, keys[index].time)) - keys[index].time);
    most = Math.min(most, (next?.time ?? Math.max(high, keys[index].time)) - keys[index].time);
  }
  const shift = Math.min(Math.max(time, least), most);
  return {
    ...curve,
    keys: keys.map((each, index) => (isMoved.has(index)
      ? { ...each, time: tidy(each.time + shift), value: tidy(each.value + value) } : each)),
  };
}

/** Sets how keys are interpolated to the next ones. For all keys, sets it for the curve. */
export function interpolated(curve, indices, interp) {
  const isAll = !indices.length || indices.length === curve.keys.length;
  if (isAll) return { ...curve, interp, keys: curve.keys.map((each) => ({ ...each, interp: undefined })) };
  return { ...curve, keys: curve.keys.map((each, index) => (indices.includes(index) ? { ...each, interp: interp === curve.interp ? undefined : interp } : each)) };
}

/** Sets the slope at a key: on one side, or on both. `null` makes it automatic again. */
export function bent(curve, index, side, slope) {
  const keys = curve.keys.map((each) => ({ ...each }));
  const value = slope === null ? null : tidy(slope);
  if (side !== "out") keys[index].in = value;
  if (side !== "in") keys[index].out = value;
  return { ...curve, keys };
}

/** The curve backwards, or upside down between its least and greatest value. */
export function reversed(curve) {
  const [first, last] = [curve.keys[0].time, curve.keys.at(-1).time];
  const opposite = (slope) => (slope === null ? null : -slope);
  const keys = curve.keys.map((each, index) => ({
    time: tidy(first + last - each.time), value: each.value, in: opposite(each.out), out: opposite(each.in),
    interp: curve.keys[index - 1]?.interp,
  }));
  return { ...curve, keys: keys.reverse() };
}

export function flipped(curve) {
  const values = curve.keys.map(({ value }) => value);
  const sum = values.length > 1 ? Math.min(...values) + Math.max(...values) : 1;
  const opposite = (slope) => (slope === null ? null : -slope);
  return { ...curve, keys: curve.keys.map((each) => ({ ...each, value: tidy(sum - each.value), in: opposite(each.in), out: opposite(each.out) })) };
}

/** The range of the values of a curve, including overshoots of cubic pieces. */
export function valueRange(curve, first = 0, last = 1) {
  const values = samples(curve, first, last, 64).map(([, value]) => value).filter(Number.isFinite);
  return [Math.min(...values, ...curve.keys.map(({ value }) => value)), Math.max(...values, ...curve.keys.map(({ value }) => value))];
}

// MARK: Snapping

/** The next of some numbers, if it is near enough. */
export function snapped(number, targets, within) {
  let best;
  for (const target of targets) {
    const distance = Math.abs(target - number);
    if (distance <= within && (best === undefined || distance < Math.abs(best - number))) best = target;
  }
  return best ?? number;
}

/** A movement in pixels along the next of the eight directions at multiples of 45°. */
export function snappedMove(dx, dy) {
  const length = Math.hypot(dx, dy);
  if (length === 0) return [0, 0];
  const step = Math.PI / 4;
  const angle = Math.round(Math.atan2(dy, dx) / step) * step;
  const [x, y] = [Math.cos(angle), Math.sin(angle)];
  const along = dx * x + dy * y;
  return [Math.abs(x) < 1e-9 ? 0 : along * x, Math.abs(y) < 1e-9 ? 0 : along * y];
}

/** The slope whose line on the screen has the next multiple of 45°. Vertical slopes stay as they are. */
export function snappedSlope(slope, pixelsOfTime, pixelsOfValue) {
  const angle = Math.atan2(slope * pixelsOfValue, pixelsOfTime);
  const step = Math.PI / 4;
  const next = Math.max(-1, Math.min(1, Math.round(angle / step))) * step;
  return tidy((Math.tan(next) * pixelsOfTime) / pixelsOfValue) + 0;
}

// MARK: Presets

const points = (...all) => ({ keys: all.map(([time, value, before, after]) => key(time, value, before, after)), interp: "linear", extend: "clamp", rest: {} });
const smooth = (...all) => ({ ...points(...all), interp: "cubic" });

/** Curves to begin with. Names are texts of the catalogue. */
export const curvePresets = [
  ["curveLinear", points([0, 0], [1, 1])],
  ["curveFall", points([0, 1], [1, 0])],
  ["curveConstant", points([0, 1])],
  ["curveEaseIn", smooth([0, 0, 0, 0], [1, 1, 2, 2])],
  ["curveEaseOut", smooth([0, 0, 2, 2], [1, 1, 0, 0])],
  ["curveEaseBoth", smooth([0, 0, 0, 0], [1, 1, 0, 0])],
  ["curveBell", smooth([0, 0, 0, 0], [0.5, 1, 0, 0], [1, 0, 0, 0])],
  ["curveFade", points([0, 0], [0.1, 1], [0.7, 1], [1, 0])],
  ["curveSpike", smooth([0, 0, 0, 0], [0.15, 1, 0, 0], [1, 0, 0, 0])],
  ["curveOvershoot", smooth([0, 0, 0, 3], [0.6, 1.15, 0, 0], [1, 1, 0, 0])],
  ["curveSteps", { ...points([0, 0], [0.25, 0.33], [0.5, 0.67], [0.75, 1]), interp: "step" }],
  ["curveFlicker", points([0, 1], [0.2, 0.4], [0.35, 0.9], [0.5, 0.3], [0.7, 0.8], [0.85, 0.2], [1, 0])],
];
