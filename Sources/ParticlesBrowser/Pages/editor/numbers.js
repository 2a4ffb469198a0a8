// Numbers as they are typed, shown and moved: expressions, scales of sliders, steps.

/** Rounds away digits that only arithmetic added: 0.1 · 3 is 0.3. Relative edits of the tool have this rule. */
export function tidy(number) {
  const short = Math.round(number * 1e12) / 1e12;
  // 0 added turns −0 into 0.
  return (Number.isFinite(short) && String(short).length + 5 < String(number).length ? short : number) + 0;
}

const plain = "[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?";
const forms = [
  // `*1.5`, `*=1.5`, `/2`, `+10`, `+=10`, `-=10`: as `key*=1.5` of the tool.
  [new RegExp(`^\\*=?\\s*(${plain})$`, "i"), (a) => ({ operation: "multiply", operand: a })],
  [new RegExp(`^/=?\\s*(${plain})$`, "i"), (a) => ({ operation: "multiply", operand: 1 / a })],
  // `+5%`, `-5%`: a part of the present value.
  [new RegExp(`^([+-](?:\\d+\\.?\\d*|\\.\\d+))\\s*%$`), (a) => ({ operation: "multiply", operand: tidy(1 + a / 100) })],
  [new RegExp(`^\\+=?\\s*(\\d.*|\\.\\d.*)$`), (a) => ({ operation: "add", operand: a })],
  [new RegExp(`^-=\\s*(${plain})$`, "i"), (a) => ({ operation: "add", operand: -a })],
  [new RegExp(`^(${plain})$`, "i"), (a) => ({ operation: "set", operand: a })],
  [new RegExp(`^(${plain})\\s*\\.\\.\\s*(${plain})$`, "i"), (a, b) => ({ operation: "range", operand: [Math.min(a, b), Math.max(a, b)] })],
  [new RegExp(`^(${plain})\\s*\\*\\s*(${plain})$`, "i"), (a, b) => ({ operation: "set", operand: tidy(a * b) })],
  [new RegExp(`^(${plain})\\s*/\\s*(${plain})$`, "i"), (a, b) => ({ operation: "set", operand: tidy(a / b) })],
  [new RegExp(`^(${plain})\\s*\\+\\s*(${plain})$`, "i"), (a, b) => ({ operation: "set", operand: tidy(a + b) })],
  [new RegExp(`^(${plain})\\s+-\\s+(${plain})$`, "i"), (a, b) => ({ operation: "set", operand: tidy(a - b) })],
];

/**
 * Parses the text of a number field: a number, a range `1..3`, or a change of the present value. `-10` is a
 * number. `-=10` and `-5%` are changes. A comma counts as a decimal point, and a unit at the end is ignored.
 * @returns {{operation: "set" | "multiply" | "add" | "range", operand: number | number[]} | undefined}
 */
export function parseNumber(typed, unit = "") {
  let text = typed.trim().replaceAll("\u2212", "-").replaceAll("\u00a0", " ").replaceAll("\u00d7", "*");
  if (unit && text.endsWith(unit)) text = text.slice(0, -unit.length).trim();
  if (!text.includes(".") || text.includes("..")) text = text.replace(/(\d),(\d)/g, "$1.$2");
  for (const [pattern, make] of forms) {
    const match = pattern.exec(text);
    if (!match) continue;
    const operands = match.slice(1).map(Number);
    const result = make(...operands);
    const isFinite = [result.operand].flat().every(Number.isFinite);
    return operands.every(Number.isFinite) && isFinite ? result : undefined;
  }
  return undefined;
}

/** A number with a change applied. */
export function changed(number, { operation, operand }) {
  if (operation === "multiply") return tidy(number * operand);
  if (operation === "add") return tidy(number + operand);
  return operand;
}

/** A number as text: six digits where nothing is typed, all digits in a field that has the focus. */
export function formatNumber(number, isExact = false) {
  if (typeof number !== "number") return "";
  if (isExact) return String(number);
  const short = Number(number.toPrecision(6));
  const size = Math.abs(short);
  return size !== 0 && (size >= 1e7 || size < 1e-4) ? short.toExponential().replace("e+", "e") : String(short);
}

export const clamp = (number, low, high) => Math.min(Math.max(number, low ?? -Infinity), high ?? Infinity);

/** The greatest step of 1, 2 or 5 times a power of ten that makes at least `count` steps of a range. */
export function niceStep(low, high, count = 100) {
  const rough = (high - low) / count;
  if (!(rough > 0) || !Number.isFinite(rough)) return 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const digit = rough / power;
  return tidy((digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power);
}

/** A multiple of a step, without the noise of the division. */
export function rounded(number, step) {
  if (!(step > 0)) return number;
  const result = Math.round(number / step) * step;
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  return digits < 15 ? Number(result.toFixed(digits + 1)) : result;
}

/**
 * The range, step and scale of a slider for a row of the schema. Rows without a usual range get one around their
 * default. Whole numbers have whole steps.
 */
export function sliderOf(row, present = []) {
  const isInteger = row.type.startsWith("integer");
  const { minimum, maximum } = row;
  let [low, high] = row.usual ?? [];
  const standard = typeof row.standard === "number" ? row.standard : 0;
  if (low === undefined || low === null) low = minimum ?? (row.unit === "°" ? -180 : -Math.max(Math.abs(standard) * 4, 10));
  if (high === undefined || high === null) high = maximum ?? (row.unit === "°" ? 180 : Math.max(Math.abs(standard) * 4, 10));
  low = clamp(low, minimum, maximum);
  high = clamp(high, minimum, maximum);
  if (!(high > low)) high = low + 1;
  let step = row.step > 0 ? row.step : niceStep(low, high);
  if (isInteger) step = Math.max(1, Math.round(step));
  const usual = [low, high];
  // A value beyond the usual range stays where it is: the slider reaches to it.
  for (const number of present) {
    if (typeof number === "number") [low, high] = [Math.min(low, number), Math.max(high, number)];
  }
  return { low, high, usual, step, isInteger, scale: row.scale === "log" || row.scale === "logarithmic" ? "log" : "linear", minimum, maximum };
}

// A logarithmic slider has a linear part around 0, as long as one step, so that 0 and negative numbers have a place.
const bend = (number, step) => Math.sign(number) * Math.log1p(Math.abs(number) / step);
const unbend = (number, step) => Math.sign(number) * Math.expm1(Math.abs(number)) * step;

/** Where a number is on a slider: 0 at its low end, 1 at its high end. */
export function shareOf(number, { low, high, step, scale }) {
  if (scale !== "log") return (number - low) / (high - low);
  const [a, b] = [bend(low, step), bend(high, step)];
  return (bend(number, step) - a) / (b - a);
}

/** The number at a place of a slider, a multiple of its step. Steps are finer where the scale is. */
export function numberAt(share, slider, isFine = false) {
  const { low, high, step, scale } = slider;
  const part = clamp(share, 0, 1);
  let number;
  let grain = isFine && !slider.isInteger ? step / 10 : step;
  if (scale === "log") {
    const [a, b] = [bend(low, step), bend(high, step)];
    number = unbend(a + (b - a) * part, step);
    // Three digits are enough: a step is a hundredth of the number at least.
    const size = Math.abs(number);
    if (size > 0) grain = Math.max(grain, 10 ** (Math.floor(Math.log10(size)) - (isFine ? 3 : 2)));
  } else {
    number = low + (high - low) * part;
  }
  if (part === 0) return low;
  if (part === 1) return high;
  return clamp(tidy(rounded(number, grain)), low, high);
}

/** A number after so many steps of the keyboard. */
export function stepped(number, steps, slider, isFine = false) {
  let grain = isFine && !slider.isInteger ? slider.step / 10 : slider.step;
  if (slider.scale === "log" && Math.abs(number) > 0) {
    grain = Math.max(grain, 10 ** (Math.floor(Math.log10(Math.abs(number)) + 1e-9) - (isFine ? 2 : 1)));
  }
  return clamp(tidy(rounded(number + steps * grain, Math.min(grain, slider.step))), slider.minimum, slider.maximum);
}
