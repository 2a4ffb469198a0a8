// Colours and gradients: texts, spaces, evaluation. The results equal `Color` and `Gradient` in the library.

import { centralSlope, evaluate, hermite, indexAfter, readCurve } from "./curves.js";
import { tidy } from "./numbers.js";

/** A colour with four components. Alpha is 1 if it is missing. */
export const fullColor = (color) => (Array.isArray(color) ? [color[0] ?? 1, color[1] ?? 1, color[2] ?? 1, color[3] ?? 1] : [1, 1, 1, 1]);

/** The short form: without an alpha of 1. */
export const shortColor = (color) => (color.length > 3 && color[3] === 1 ? color.slice(0, 3) : color);

/** `#f80`, `#ff8800`, `#ff8800cc`, with or without `#`, or undefined for other texts. */
export function parseHex(typed) {
  const digits = typed.trim().replace(/^#/, "");
  if (!/^[0-9a-f]+$/i.test(digits) || ![3, 4, 6, 8].includes(digits.length)) return undefined;
  const size = digits.length < 5 ? 1 : 2;
  const parts = [];
  for (let index = 0; index < digits.length; index += size) parts.push(Number.parseInt(digits.slice(index, index + size).repeat(3 - size), 16));
  return fullColor(parts.map((part) => tidy(Number((part / 255).toFixed(4)))));
}

const byte = (part) => Math.round(Math.min(Math.max(part, 0), 1) * 255).toString(16).padStart(2, "0");

/** `#ff8800`, with alpha if it is not 1. Components beyond 0…1 are limited to this range. */
export function formatHex(color) {
  const [red, green, blue, alpha] = fullColor(color);
  return `#${byte(red)}${byte(green)}${byte(blue)}${alpha === 1 ? "" : byte(alpha)}`;
}

/** For styles. */
export function cssColor(color) {
  const [red, green, blue, alpha] = fullColor(color).map((part) => Math.min(Math.max(part, 0), 1));
  return `rgb(${(red * 255).toFixed(2)} ${(green * 255).toFixed(2)} ${(blue * 255).toFixed(2)} / ${alpha.toFixed(4)})`;
}

/** By how much a colour is brighter than a screen can show: 1 if it is not. */
export const intensityOf = (color) => Math.max(1, ...fullColor(color).slice(0, 3));

/** A colour of the range 0…1 times an intensity. */
export function withIntensity(color, intensity) {
  const now = intensityOf(color);
  const [red, green, blue, alpha] = fullColor(color);
  return [...[red, green, blue].map((part) => tidy((part / now) * intensity)), alpha];
}

// MARK: Hue, saturation, brightness

/** Hue in degrees, saturation, brightness. A grey has the passed hue. */
export function hsvOf(color, hue = 0) {
  const [red, green, blue] = fullColor(color);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const span = most - least;
  let angle = hue;
  if (span > 0) {
    if (most === red) angle = 60 * (((green - blue) / span + 6) % 6);
    else if (most === green) angle = 60 * ((blue - red) / span + 2);
    else angle = 60 * ((red - green) / span + 4);
  }
  return [angle, most > 0 ? span / most : 0, most];
}

export function colorOfHSV(hue, saturation, brightness, alpha = 1) {
  const part = (offset) => {
    const k = (offset + hue / 60) % 6;
    return tidy(Number((brightness - brightness * saturation * Math.max(0, Math.min(k, 4 - k, 1))).toFixed(4)));
  };
  return [part(5), part(3), part(1), alpha];
}

// MARK: Spaces

const toLight = (value) => {
  const size = Math.abs(value);
  const light = size <= 0.04045 ? size / 12.92 : ((size + 0.055) / 1.055) ** 2.4;
  return value < 0 ? -light : light;
};
const toEncoded = (value) => {
  const size = Math.abs(value);
  const encoded = size <= 0.0031308 ? size * 12.92 : 1.055 * size ** (1 / 2.4) - 0.055;
  return value < 0 ? -encoded : encoded;
};

function componentsOf(color, space) {
  const [red, green, blue, alpha] = fullColor(color);
  if (space === "srgb") return [red, green, blue, alpha];
  const [r, g, b] = [red, green, blue].map(toLight);
  if (space === "linear") return [r, g, b, alpha];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s, alpha,
  ];
}

function colorOf([x, y, z, alpha], space) {
  if (space === "srgb") return [x, y, z, alpha];
  if (space === "linear") return [...[x, y, z].map(toEncoded), alpha];
  const l = (x + 0.3963377774 * y + 0.2158037573 * z) ** 3;
  const m = (x - 0.1055613458 * y - 0.0638541728 * z) ** 3;
  const s = (x - 0.0894841775 * y - 1.291485548 * z) ** 3;
  return [
    ...[4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s].map(toEncoded), alpha,
  ];
}

// MARK: Gradients

export const spaces = ["srgb", "linear", "oklab"];
const members = ["keys", "interp", "space"];

/** A gradient from its JSON. `rest` keeps the curves of channels, and unknown members. */
export function readGradient(json) {
  const source = json ?? {};
  return {
    keys: (source.keys ?? []).map(([time, color]) => ({ time, color: fullColor(color) })),
    interp: source.interp ?? "linear", space: source.space ?? "srgb",
    rest: Object.fromEntries(Object.entries(source).filter(([name]) => !members.includes(name))),
  };
}

export function writeGradient({ keys, interp, space, rest = {} }) {
  const json = { keys: keys.map(({ time, color }) => [time, shortColor(color)]) };
  if (interp !== "linear") json.interp = interp;
  if (space !== "srgb") json.space = space;
  return { ...json, ...rest };
}

/** The channels of a gradient that have curves of their own: its keys do not show in these. */
export const channelsOf = (gradient) => ["r", "g", "b", "a"].filter((name) => gradient.rest?.[name] !== undefined && gradient.rest[name] !== null);

/** The colour at a time. */
export function colorAt(gradient, time) {
  const color = keyColorAt(gradient, time);
  channelsOf(gradient).forEach((name) => { color["rgba".indexOf(name)] = evaluate(readCurve(gradient.rest[name]), time); });
  return color;
}

function keyColorAt({ keys, interp, space }, time) {
  if (!keys.length) return [1, 1, 1, 1];
  const next = indexAfter(keys, time);
  if (next === 0 || Number.isNaN(time)) return [...keys[0].color];
  if (next === keys.length) return [...keys.at(-1).color];
  const [a, b] = [keys[next - 1], keys[next]];
  const length = b.time - a.time;
  const x = (time - a.time) / length;
  if (interp === "step") return [...a.color];
  const [from, to] = [componentsOf(a.color, space), componentsOf(b.color, space)];
  if (interp === "linear") return colorOf(from.map((part, channel) => part + (to[channel] - part) * x), space);
  const near = keys.slice(Math.max(next - 2, 0), Math.min(next + 2, keys.length));
  const parts = near.map((each) => componentsOf(each.color, space));
  const start = next === 1 ? 0 : 1;
  return colorOf(from.map((part, channel) => {
    const point = (index) => [near[index].time, parts[index][channel]];
    return hermite(x, part, centralSlope(near.length, start, point).behind * length,
      to[channel], centralSlope(near.length, start + 1, point).before * length);
  }), space);
}

/** The picture of a gradient for styles: colours at even distances, and exact ones at keys. */
export function cssGradient(gradient, [low, high] = [0, 1]) {
  const times = new Set(Array.from({ length: 33 }, (_, index) => low + ((high - low) * index) / 32));
  for (const { time } of gradient.keys) times.add(time - 1e-6).add(time);
  const stops = [...times].filter((time) => time >= low && time <= high).sort((a, b) => a - b)
    .map((time) => `${cssColor(colorAt(gradient, time))} ${(((time - low) / (high - low)) * 100).toFixed(3)}%`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

const ramp = (...all) => ({ keys: all.map(([time, hex]) => ({ time, color: parseHex(hex) })), interp: "linear", space: "srgb", rest: {} });

/** Gradients to begin with. Names are texts of the catalogue. */
export const gradientPresets = [
  ["gradientFire", ramp([0, "#fff6c8"], [0.25, "#ffb02e"], [0.6, "#e2420e"], [1, "#3a080000"])],
  ["gradientSmoke", ramp([0, "#8a868000"], [0.2, "#8a8680b0"], [1, "#4a484500"])],
  ["gradientFade", ramp([0, "#ffffff"], [1, "#ffffff00"])],
  ["gradientFlash", ramp([0, "#ffffff00"], [0.1, "#ffffff"], [0.6, "#ffffff"], [1, "#ffffff00"])],
  ["gradientMagic", ramp([0, "#f4d6ff"], [0.4, "#b04bff"], [0.8, "#3a2bd8"], [1, "#12074400"])],
  ["gradientIce", ramp([0, "#ffffff"], [0.5, "#8fdcff"], [1, "#1a6fd000"])],
  ["gradientPoison", ramp([0, "#eaffb0"], [0.5, "#62d12e"], [1, "#0c3a1200"])],
  ["gradientRainbow", { ...ramp([0, "#ff4040"], [0.2, "#ffd040"], [0.4, "#48d85a"], [0.6, "#3ec7ff"], [0.8, "#6a55ff"], [1, "#ff4fd0"]), space: "oklab" }],
];
