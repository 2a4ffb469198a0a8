// The names of edits in the language of the page. The program keeps the key of a property or of a text, so that windows in
// all languages can show it.

import { commentOf, has, label, text } from "../texts.js";
import { patternOf } from "./rows.js";

/** Names that the program itself or `queue.js` gives to edits, with the keys of their texts. */
const english = {
  "Add Emitter": "editNameAdd", "Duplicate Emitter": "editNameDuplicate", "Remove Emitter": "editNameRemove", "Reorder Emitters": "editNameMove",
  "Rename Emitter": "editNameRename", "Paste Emitter": "editNamePaste", "Merge Effect": "editNameMergeEffect", Emitters: "editEmitters",
  Edit: "editNameEdit", Image: "editNameImage", Fix: "editNameFix", "Accept Losses": "editNameLosses", "Recover Changes": "editNameRecover",
  "Undo Outside Change": "editNameOutside", "Resolve Conflict": "editNameResolve", Revert: "editNameRevert", Restore: "editRestore",
};

/** A value in a few characters, or undefined if it needs more. */
function brief(value) {
  if (typeof value === "number") return String(Number(value.toPrecision(5)));
  if (typeof value === "boolean" || (typeof value === "string" && value.length > 0 && value.length <= 16)) return String(value);
  const { min, max } = value ?? {};
  return typeof min === "number" && typeof max === "number" ? `${brief(min)}–${brief(max)}` : undefined;
}

/**
 * The name of an edit of one property, with its course: `emitters[].emission.rate: 77 → 120`. An edit that changes several
 * properties, or emitters that differ, keeps its name.
 * @param {Map<string, [unknown, unknown]>} course - the values before and after, by their keys
 */
export function withCourse(name, course) {
  const texts = new Set([...course?.values() ?? []].map((values) => values.map(brief)).map(([from, to]) => (from === undefined || to === undefined ? "" : `${from} → ${to}`)));
  const [text] = texts;
  return texts.size === 1 && text && [...course.keys()].every((key) => patternOf(key) === name) ? `${name}: ${text}` : name;
}

/**
 * The name of an edit to show: of a property, of a text, with a parameter after a colon (`key: parameter`), or the name itself.
 * @param {Map<string, object>} rows - of the schema, by their keys
 */
export function editName(name, rows) {
  const [, stated, parameter] = /^(.+?)(?:: (.*))?$/s.exec(name) ?? [];
  const key = english[stated] ?? stated;
  const shown = rows?.has(key) ? label(key) : has(key) ? text(key, parameter ?? "") : undefined;
  if (shown === undefined) return commentOf(name);
  if (parameter === undefined || shown.includes(parameter)) return shown;
  return parameter.includes(" → ") ? `${shown} ${parameter}` : `${shown}: ${parameter}`;
}
