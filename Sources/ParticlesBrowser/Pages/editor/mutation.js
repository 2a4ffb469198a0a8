// Mutations of an effect: its numbers, curves and colours, changed at random by an amount. A seed always gives equal changes.

import { colorOfHSV, fullColor, hsvOf, shortColor } from "./colors.js";
import { readCurve, writeCurve } from "./curves.js";
import { clamp, sliderOf } from "./numbers.js";
import { concrete } from "./rows.js";
import { isTrack } from "./values.js";

/** Random numbers of 32 bits from a seed (mulberry32). */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A seed from a seed and a text, so that the changes of a property do not depend on others (FNV-1a). */
function seedOf(seed, text) {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

/** About normally distributed, between -3 and 3. */
const bell = (random) => (random() + random() + random() + random() + random() + random() - 3) * 1.41;

const digits = (number) => (number === 0 ? 0 : Number(number.toPrecision(4)));

/** How numbers of a row change: by a factor, or around 0, by a part of the usual range. */
function numbersOf(row, random, amount) {
  const slider = sliderOf(row);
  const factor = Math.exp(bell(random) * amount * 0.7);
  const shift = bell(random) * amount * 0.18 * (slider.usual[1] - slider.usual[0]);
  const isAngle = row.unit === "°";
  return (number) => {
    const wanted = isAngle || number === 0 ? number + (number === 0 && !isAngle ? 0 : shift) : number * factor;
    const limited = clamp(digits(wanted), row.minimum, row.maximum);
    // A limit may itself be excluded, as 0 of an interval.
    const bounded = limited === row.minimum && number > row.minimum ? number : limited;
    return row.kind === "integer" ? Math.max(Math.round(bounded), row.minimum ?? -Infinity) : bounded;
  };
}

/** A value in any form, with all its numbers changed alike. Curves get other values between their ends. */
function changedValue(json, change, random, amount) {
  if (typeof json === "number") return change(json);
  if (Array.isArray(json)) return json.map((each) => changedValue(each, change, random, amount));
  if (json === null || typeof json !== "object") return json;
  const result = { ...json };
  for (const name of ["min", "max", "low", "high", "from", "to"]) {
    if (name in result) result[name] = changedValue(result[name], change, random, amount);
  }
  if (result.oneOf) result.oneOf = result.oneOf.map(change);
  if (typeof result.min === "number" && result.min > result.max) [result.min, result.max] = [result.max, result.min];
  if ((isTrack(json) || "low" in json) && "curve" in json) result.curve = changedCurve(json.curve, random, amount);
  return result;
}

export function changedCurve(json, random, amount) {
  const curve = readCurve(json);
  const values = curve.keys.map(({ value }) => value);
  const span = Math.max(...values) - Math.min(...values) || 1;
  const [first, last] = [curve.keys[0].time, curve.keys.at(-1).time];
  const keys = curve.keys.map((key, index) => {
    const isEnd = index === 0 || index === curve.keys.length - 1;
    const room = isEnd ? 0 : Math.min(key.time - curve.keys[index - 1].time, curve.keys[index + 1].time - key.time);
    const time = isEnd ? key.time : clamp(digits(key.time + bell(random) * amount * 0.3 * room), first, last);
    const value = isEnd && key.value === 0 ? 0 : digits(key.value + bell(random) * amount * 0.2 * span);
    return { ...key, time, value: Math.min(...values) >= 0 ? Math.max(0, value) : value };
  });
  for (let index = 1; index < keys.length; index += 1) keys[index].time = Math.max(keys[index].time, keys[index - 1].time);
  return writeCurve({ ...curve, keys });
}

/** All colours turned by one hue, and made stronger or weaker. */
function colorChange(random, amount) {
  const turn = bell(random) * amount * 70;
  const stronger = Math.exp(bell(random) * amount * 0.35);
  const brighter = Math.exp(bell(random) * amount * 0.2);
  return (color) => {
    const [hue, saturation, brightness] = hsvOf(color);
    const most = Math.max(1, brightness);
    return shortColor(colorOfHSV((hue + turn + 720) % 360, clamp(saturation * stronger, 0, 1), clamp(brightness * brighter, 0, most), fullColor(color)[3]));
  };
}

function changedColors(json, change) {
  if (Array.isArray(json)) return typeof json[0] === "number" ? change(json) : json;
  if (json === null || typeof json !== "object") return json;
  const result = { ...json };
  for (const name of ["color", "min", "max", "from", "to"]) if (name in result && result[name]) result[name] = changedColors(result[name], change);
  if (result.oneOf) result.oneOf = result.oneOf.map(change);
  if (result.gradient?.keys) result.gradient = { ...result.gradient, keys: result.gradient.keys.map(([time, color]) => [time, change(color)]) };
  return result;
}

const numeric = ["number", "integer", "Value", "Track", "vector", "pair", "vector of Tracks", "vector of Values"];
/** Properties that are left alone: their change makes another effect, or no visible difference. */
const left = /(\.seed|maxAlive|minAlive|total|cycles|fieldMask|layer|order|fixedStep|prewarm|transform|octaves|timing\.(speed|duration|delay)|trail\.|links\.|soft\.|camera|physics|mesh)/;

/**
 * The changes of a mutation.
 * @param {Rows} rows
 * @param {object} document
 * @param {number[]} emitters - the indices to change
 * @param {object[]} chosen - sections of `rows.js`
 * @param {number} amount - from 0, nothing, to 1
 * @param {number} seed
 */
export function mutation(rows, document, emitters, chosen, amount, seed) {
  const changes = [];
  const change = (row, key, json) => {
    if (json === undefined || json === null) return;
    const random = randomNumbers(seedOf(seed, key));
    let value;
    if (row.kind === "ColorTrack" || row.kind === "ColorValue") {
      // All emitters turn by one hue, so that they go together.
      value = changedColors(json, colorChange(randomNumbers(seedOf(seed, row.key)), amount));
    } else {
      value = changedValue(json, numbersOf(row, random, amount), random, amount);
    }
    if (JSON.stringify(value) !== JSON.stringify(json)) changes.push({ key, value });
  };
  const at = (emitter, path) => path.split(".").reduce((value, name) => value?.[name], emitter);
  for (const index of emitters) {
    const emitter = document.emitters?.[index];
    if (!emitter) continue;
    for (const section of chosen) {
      for (const row of rows.inSection(section)) {
        if (left.test(row.key) || !(numeric.includes(row.kind) || row.kind.startsWith("Color"))) continue;
        change(row, concrete(row.key, index), at(emitter, row.key.replace("emitters[].", "")));
      }
      for (const list of ["forces", "emission.bursts"]) {
        if (!section[2].some((prefix) => list === prefix || list.startsWith(`${prefix}.`))) continue;
        (at(emitter, list) ?? []).forEach((element, place) => {
          for (const row of rows.ofList(`emitters[].${list}`)) {
            if (left.test(row.key) || !numeric.includes(row.kind)) continue;
            change(row, concrete(row.key, index, place), element[row.key.split("[].").at(-1)]);
          }
        });
      }
    }
  }
  return changes;
}
