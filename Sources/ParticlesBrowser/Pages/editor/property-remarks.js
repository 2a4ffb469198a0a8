// Remarks beside a property: findings of the check, with their fix, and limits of the target format.

import { make } from "../icons.js";
import { messageOf, text, worded } from "../texts.js";
import { symbol, tellFault } from "./control-parts.js";
import { patternOf } from "./rows.js";

const weight = { error: 3, warning: 2, note: 1, lost: 2, approximated: 1 };
const icons = { error: "warning", warning: "warning", note: "info", lost: "none", approximated: "convert" };

/** Whether a place is a property or a part of one. A place `emitters[].…` is of every emitter. */
function concerns(place, key) {
  if (!place) return false;
  const own = place.includes("[]") ? patternOf(key) : key;
  return place === own || place.startsWith(`${own}.`) || place.startsWith(`${own}[`);
}

const concerning = (list, keys) => (list ?? []).filter(({ key }) => keys.some((each) => concerns(key, each)));

/** Findings and marks that concern one of the keys, the most severe first. A mark counts where the property is used. */
export function remarksFor(session, keys) {
  const findings = concerning(session.findings, keys).map((finding) => ({ level: finding.severity, text: messageOf(finding), hint: worded(finding.hint), finding }));
  const marks = concerning(session.marks, keys).filter(({ isUsed }) => isUsed !== false).map((mark) => ({ level: mark.level, text: mark.message, mark }));
  // Several emitters may share one.
  const seen = new Set();
  return [...findings, ...marks].filter((each) => !seen.has(each.level + each.text) && seen.add(each.level + each.text)).sort((a, b) => (weight[b.level] ?? 0) - (weight[a.level] ?? 0));
}

/** The limit of the target for a property that is not used yet, or undefined. */
export function limitFor(session, keys) {
  const [mark] = concerning(session.marks, keys).filter(({ isUsed }) => isUsed === false).sort((a, b) => (weight[b.level] ?? 0) - (weight[a.level] ?? 0));
  return mark;
}

/** A small sign of such a limit. */
export function limitSign(mark) {
  const line = mark.message;
  const sign = make("span", { class: `limit ${mark.level}`, title: line, role: "img", "aria-label": line });
  sign.append(symbol(icons[mark.level] ?? "info"));
  return sign;
}

/** A line for each remark. */
export function remarkLines(session, remarks) {
  return remarks.map((remark) => {
    const line = make("li", { class: `remark ${remark.level}` }, symbol(icons[remark.level] ?? "info"),
      make("span", {}, remark.text,
        remark.hint ? make("small", {}, ` ${remark.hint}`) : null));
    if (remark.finding?.fix) {
      const fix = make("button", { type: "button", class: "fix" }, symbol("fix"), make("span", {}, text("fix")));
      fix.addEventListener("click", async () => {
        fix.disabled = true;
        try {
          await session.fix(remark.finding);
        } catch (fault) {
          tellFault(line, fault);
        }
        fix.disabled = false;
      });
      line.append(fix);
    }
    return line;
  });
}

/** How many remarks of each kind there are below some keys, for the head of a section. */
export function badge(session, keys) {
  const remarks = remarksFor(session, keys);
  const worst = remarks[0];
  if (!worst) return undefined;
  return make("span", { class: `badge ${worst.level}`, title: worst.text, role: "img", "aria-label": text("remarks", remarks.length) }, String(remarks.length));
}
