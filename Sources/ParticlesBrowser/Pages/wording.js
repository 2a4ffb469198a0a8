// Texts that the program makes, in the language of the page: messages of rules, comments of versions, descriptions of properties.

import { language } from "./strings.js";

// English pages do not load the table.
const { german, germanComments } = language === "de" ? await import("./german.js") : {};

// Texts with values, as expressions. A value is a word. A range has numbers.
const patternsOf = (table) => [...table?.keys() ?? []].filter((each) => each.includes("{0}")).map((each) => {
  const value = each === "{0} to {1}" ? "([-+]?\\d\\S*)" : "(\\S+)";
  return [new RegExp(`^${each.replace(/[.*+?^$()[\]\\|]/g, "\\$&").replace(/\{\d\}/g, value)}$`), table.get(each)];
});
const [patterns, commentPatterns] = [patternsOf(german), patternsOf(germanComments)];

function translated(line, table, expressions) {
  if (!table || !line) return line;
  const known = table.get(line);
  if (known !== undefined) return known;
  for (const [pattern, text] of expressions) {
    const [, ...values] = pattern.exec(line) ?? [];
    if (values.length) return text.replace(/\{(\d)\}/g, (_, index) => values[index]);
  }
  return line;
}

/** A text of the program in the language of the page, or unchanged if the table does not have it. */
export const worded = (line) => translated(line, german, patterns);

/** The comment of a version, or the name of an edit. Words of a user stay as they are. */
export const commentOf = (line) => translated(line, germanComments, commentPatterns);

/**
 * The message of a diagnostic, `summary: detail (expected …, found …)`, in the language of the page. Details, values and messages that are not in the
 * table stay as they are. The message about an unreadable file is `kind, summary`.
 */
export function messageOf(line) {
  if (!german || !line) return line;
  // The kind of a file that is not read comes before the summary.
  const [, kind, rest] = /^(.+), (not an effect that can be read)$/s.exec(line) ?? [];
  if (kind) return `${worded(kind)}, ${worded(rest)}`;
  const [, summary, detail, expected, found] = /^(.+?)(?:: (.+?))?(?: \((?=expected |found )(?:expected (.+?))?(?:, (?=found ))?(?:found (.+))?\))?$/s.exec(line) ?? [];
  if (!german.has(summary)) return worded(line);
  const values = [expected && `${worded("expected")}: ${worded(expected)}`, found && `${worded("found")}: ${worded(found)}`].filter(Boolean).join(", ");
  return `${german.get(summary)}${detail ? `: ${worded(detail)}` : ""}${values && ` (${values})`}`;
}

/** The message of an error and its next step. */
export const faultLine = ({ message, hint }) => [messageOf(message), worded(hint)].filter(Boolean).join(". ");
