// The names of edits in the language of the page. The program keeps keys: of a property, or of a text; windows in other languages
// show the same edits.

import { has, text } from "../strings.js";
import { commentOf } from "../wording.js";
import { label } from "./words.js";

/** Names that the program itself gives to edits, and those of `queue.js`, with the keys of their texts. */
const english = {
  "Add Emitter": "editNameAdd", "Duplicate Emitter": "editNameDuplicate", "Remove Emitter": "editNameRemove", "Reorder Emitters": "editNameMove",
  "Rename Emitter": "editNameRename", "Paste Emitter": "editNamePaste", "Merge Effect": "editNameMergeEffect", Emitters: "editEmitters",
  Edit: "editNameEdit", Image: "editNameImage", Fix: "editNameFix", "Accept Losses": "editNameLosses", "Recover Changes": "editNameRecover",
  "Undo Outside Change": "editNameOutside", "Resolve Conflict": "editNameResolve", Revert: "editNameRevert", Restore: "editRestore",
};

/**
 * The name of an edit to show: of a property, of a text, with a parameter after a colon (`key: parameter`), or the name itself.
 * @param {Map<string, object>} rows - those of the schema, by their keys
 */
export function editName(name, rows) {
  const [, stated, parameter] = /^(.+?)(?:: (.*))?$/s.exec(name) ?? [];
  const key = english[stated] ?? stated;
  const shown = rows?.has(key) ? label(key) : has(key) ? text(key, parameter ?? "") : undefined;
  if (shown === undefined) return commentOf(name);
  return parameter === undefined || shown.includes(parameter) ? shown : `${shown}: ${parameter}`;
}
