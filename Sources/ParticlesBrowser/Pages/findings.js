// Findings and losses as lines.

import { icon, make } from "./icons.js";
import { text } from "./strings.js";
import { messageOf, worded } from "./wording.js";

const severities = { error: "warning", warning: "warning", note: "info" };

/** Findings as lines. */
export function findingLines(findings) {
  if (!findings.length) return make("p", { class: "status" }, text("noProblems"));
  return make("ul", { class: "lines" }, ...findings.slice(0, 100).map((finding) =>
    make("li", { class: finding.severity ?? finding.level ?? "note" }, icon(severities[finding.severity] ?? "info"),
      make("span", {}, messageOf(finding.message ?? finding.text), finding.hint ? make("small", {}, worded(finding.hint)) : null))));
}
