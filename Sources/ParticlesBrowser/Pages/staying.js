// Escape closes menus and sheets, and leaves fields. It never leaves a document.

import { text } from "./texts.js";

let told = 0;

/** Escape has nothing to end: names the button that leaves, once in a while. */
export function tellWayBack(app) {
  if (Date.now() - told < 6000) return;
  told = Date.now();
  app.tell(text("escapeHint", text("back")));
}

/** Puts a document into the history of the web browser, whose button leaves it. */
export const enterHistory = (app) => history.pushState({ place: app.model.place?.id }, "");

/** Takes a document that is left in another way out of the history: the next step back would lead to where the page is. */
export function leaveHistory(dialog) { if (!dialog.isLeft) history.back(); }

/**
 * Keeps a dialog open when Escape is pressed.
 * @param {() => void} back - what the button of the web browser does
 * @param {() => void} escape - what Escape does
 */
export function stayOnEscape(dialog, back, escape) {
  // A web browser closes a dialog at the second Escape, whatever the event `cancel` is told.
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("[popover=auto]:popover-open")) return;
    event.preventDefault();
    escape();
  });
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    if (event.isBack) back();
  });
}
