// A conflict of a document: the user and another program changed one part. The user chooses what stays.

import { button, icon, make } from "./icons.js";
import { attempt, tell } from "./messages.js";
import { order } from "./server.js";
import { text, visible } from "./texts.js";

/**
 * A bar above a document that is hidden without a conflict.
 * @param {() => string} item the identity of the document
 * @param {(answer: object) => void} resolved takes the answer of the program
 */
export function conflictBar(app, item, resolved) {
  const parts = make("small", {});
  const choices = [["ours", "keepOurs"], ["theirs", "keepTheirs"], ["both", "keepBoth"], ["merged", "keepMerged"]];
  const buttons = choices.map(([keep, label]) => button(undefined, text(label), () => end(keep), { isShown: true, "data-keep": keep }));
  const bar = make("section", { class: "conflict", role: "alert", hidden: true }, icon("warning"),
    make("div", {}, make("strong", {}, text("conflictTitle")), parts, make("small", {}, text("conflictHint"))), ...buttons);

  async function end(keep) {
    for (const each of buttons) each.disabled = true;
    const answer = await attempt(order("resolve", { item: item(), keep }));
    for (const each of buttons) each.disabled = false;
    if (!answer) return;
    bar.update(answer.document);
    resolved(answer);
    tell(answer.beside ? text("resolvedBeside", visible(answer.beside.displayName)) : text("resolved"));
  }

  /** Shows the conflict of a document, or hides the bar. */
  bar.update = ({ clashes }) => {
    bar.hidden = clashes === undefined || app.state.isReadOnly;
    if (bar.hidden) return;
    parts.textContent = clashes.slice(0, 3).map(visible).join(", ");
    // Contents that cannot be merged have no parts.
    buttons.at(-1).hidden = !clashes.length;
  };
  return bar;
}
