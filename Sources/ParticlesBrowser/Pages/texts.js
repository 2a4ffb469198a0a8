// The texts of the pages, in the language of the page, by keys. The program sends them: English from `en.json` and its tables,
// other languages from a file of each, such as `de.json`. `{0}` is the first value.

import { ask } from "./server.js";

/** The languages that the program has. */
const languages = ["en", "de"];

/** The language: the first of the user's that the program has. */
export const language = navigator.languages.map((name) => name.slice(0, 2)).find((name) => languages.includes(name)) ?? "en";

const catalogue = { pages: {}, labels: {}, values: {}, descriptions: {}, rules: {}, words: {}, comments: {} };
const parts = new Map();

/**
 * Waits for a part of the texts, and asks for it once.
 * @param {"pages" | "editor" | "messages"} part - `messages` are the texts that the program itself has in English
 */
export function more(part) {
  if (part === "messages" && language === "en") return Promise.resolve();
  if (!parts.has(part)) {
    parts.set(part, ask("texts", { language, part }).then((texts) => {
      for (const [name, table] of Object.entries(texts)) Object.assign(catalogue[name], table);
    }, (error) => {
      parts.delete(part);
      throw error;
    }));
  }
  return parts.get(part);
}

await more("pages");

// MARK: Texts of the pages

/** A text with its values in their places. */
const filled = (pattern, values) => pattern.replace(/\{(\d)\}/g, (_, index) => String(values[index]));

/** Whether there is a text of this key. */
export const has = (key) => catalogue.pages[key] !== undefined;

/** A text with its values. */
export function text(key, ...values) {
  if (!has(key)) throw new Error(`no text is named ${key}`);
  return filled(catalogue.pages[key], values);
}

/** A name that the program gives to something, in the language of the page, if the catalogue has it. Applications may add names. */
function nameIn(prefix, name = "") {
  const words = name.normalize("NFD").replace(/\p{M}/gu, "").match(/[A-Za-z0-9]+/g) ?? [];
  const key = prefix + words.map((word) => word[0].toUpperCase() + word.slice(1)).join("");
  return has(key) ? text(key) : name;
}

/** The name of an operation, such as `Move to Trash`. */
export const operationName = (name) => nameIn("operation", name);

// Thousands of rows share a few names.
const typeNames = new Map();

/** The title of a type or a format, such as `SpriteKit emitter`. */
export function typeName(title) {
  if (!typeNames.has(title)) typeNames.set(title, nameIn("type", title));
  return typeNames.get(title);
}

// MARK: Properties

/** Words of a camelCase name: "Max alive". */
function spelled(name) {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words[0].toUpperCase() + words.slice(1);
}

/** The key of the schema without the emitter: `emission.rate` of `emitters[2].emission.rate`. */
const shortKey = (key) => key.replace(/\[\d+\]/g, "[]").replace(/^emitters\[\]\./, "");

/** The name of a property by its key, concrete or of the schema. */
export function label(key) {
  const short = shortKey(key);
  return catalogue.labels[short] ?? spelled(short.split(".").at(-1).replace("[]", ""));
}

/** The description of a row of the schema. */
export const description = ({ key, summary }) => catalogue.descriptions[shortKey(key)] ?? summary;

/** A name with places where a long German word may be broken. Browsers have no rules for all languages. */
export const breakable = (name) => name.replace(/(Wahrschein|Geschwindig|Seiten|Vormulti|Drehbe)(?=[a-zäöü]{4})/g, "$1\u00AD");

/** The name of a value of a closed list. */
export const nameOf = (name) => catalogue.values[name] ?? spelled(String(name));

// MARK: Messages of the program

/** The key of a text with numbers or quoted names: each of them is a value. */
function patternOf(line) {
  const values = [];
  const words = line.split(" ").map((word) => {
    let [from, to] = [0, word.length];
    if (word[from] === "(") from += 1;
    while (to > from && "),".includes(word[to - 1])) to -= 1;
    if (to - from > 2 && word[from] === "'" && word[to - 1] === "'") [from, to] = [from + 1, to - 1];
    else if (to === from || Number.isNaN(Number(word.slice(from, to)))) return word;
    return `${word.slice(0, from)}{${values.push(word.slice(from, to)) - 1}}${word.slice(to)}`;
  });
  return [words.join(" "), values];
}

/** A text of a table by its English text, which may end in a name. Other texts stay as they are. */
function translated(line, table) {
  if (!line || language === "en") return line;
  if (table[line] !== undefined) return table[line];
  const [pattern, values] = patternOf(line);
  if (table[pattern] !== undefined) return filled(table[pattern], values);
  const place = pattern.lastIndexOf(" ") + 1;
  const ended = table[`${pattern.slice(0, place)}{${values.length}}`];
  return ended === undefined ? line : filled(ended, [...values, pattern.slice(place)]);
}

/** A fixed text of the program in the language of the page: a hint, a detail, a value. */
export const worded = (line) => translated(line, catalogue.words);

/** The comment of a version, or the name of an edit. Words of a user stay as they are. */
export const commentOf = (line) => translated(line, catalogue.comments);

/** The message of a fault or a finding: `summary: detail (expected …, found …)`. An unknown rule has its own words. */
export function messageOf(fault) {
  const { code, message, expected, found } = fault ?? {};
  const summary = catalogue.rules[code];
  if (!message || summary === undefined) return message;
  // The kind of a file that is not read comes before the summary.
  if (code === "convert/foreign" && found) return `${worded(found)}, ${summary}`;
  const stated = [expected && `expected ${expected}`, found && `found ${found}`].filter(Boolean).join(", ");
  const whole = stated && message.endsWith(` (${stated})`) ? message.slice(0, -stated.length - 3) : message;
  const values = [expected && `${worded("expected")}: ${worded(expected)}`, found && `${worded("found")}: ${worded(found)}`].filter(Boolean).join(", ");
  const end = values && whole !== message ? ` (${values})` : "";
  // A key that an engine does not read has a sentence of its own.
  if (code === "convert/ignored") return `${worded(whole)}${end}`;
  const place = whole.indexOf(": ");
  return `${summary}${place < 0 ? "" : `: ${worded(whole.slice(place + 2))}`}${end}`;
}

/** The message of an error and its next step. */
export const faultLine = (fault) => [messageOf(fault), worded(fault.hint)].filter(Boolean).join(". ");

// MARK: Numbers, dates and names

const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const days = new Intl.DateTimeFormat(language, { month: "short", day: "numeric" });
const times = new Intl.DateTimeFormat(language, { timeStyle: "short" });
const numbers = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });

/** A number with at most two decimals. */
export const formatNumber = (value) => plain.format(value);

export const formatDate = (seconds) => (seconds > 0 ? dates.format(seconds * 1000) : "");

/** A date in a few letters: the time of today, the day of this year, else the year. */
export function formatDay(seconds) {
  if (!(seconds > 0)) return "";
  const [date, now] = [new Date(seconds * 1000), new Date()];
  if (date.toDateString() === now.toDateString()) return times.format(date);
  return date.getFullYear() === now.getFullYear() ? days.format(date) : String(date.getFullYear());
}

export function formatSize(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) {
    bytes /= 1000;
    unit += 1;
  }
  return `${numbers.format(bytes)}\u00a0${units[unit]}`;
}

const counted = (count, one, many) => (count === 1 ? text(one) : text(many, count.toLocaleString(language)));
export const formatCount = (count, folders = 0) => [(count || !folders) && counted(count, "oneDocument", "documents"), folders && counted(folders, "oneFolder", "folders")].filter(Boolean).join(", ");
export const collator = new Intl.Collator(language, { numeric: true, sensitivity: "base" });

/** Shows controls, escapes and marks of direction as their codes, so that no name looks like another. */
export function visible(name) {
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

/** A name with at most so many characters: the middle is left out, because names often begin alike. The ending stays. */
export function shortened(name, most) {
  const characters = [...visible(name)];
  if (characters.length <= most) return characters.join("");
  const end = Math.floor((most - 1) * 0.55);
  return `${characters.slice(0, most - 1 - end).join("")}…${characters.slice(-end).join("")}`;
}

/** Fills what the page declares: `data-text` and `data-label`. */
export function fill(root) {
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", text(element.dataset.label));
    element.title = text(element.dataset.label);
  }
  for (const element of root.querySelectorAll("[data-placeholder]")) element.placeholder = text(element.dataset.placeholder);
}
