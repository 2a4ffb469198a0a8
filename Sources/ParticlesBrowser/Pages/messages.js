// Lines that are shown for some seconds, menus, and the results of operations.

import { button, make } from "./icons.js";
import { order } from "./server.js";
import { faultLine, messageOf, more, operationName, text, visible } from "./texts.js";

const toasts = document.getElementById("toasts");

/** Shows a line for some seconds, with buttons: to take something back, or others. */
export function tell(line, { undo: takeBack, isWrong = false, ways = takeBack ? [{ label: text("undo"), run: takeBack }] : [] } = {}) {
  const toast = make("div", { class: isWrong ? "toast wrong" : "toast" }, make("span", {}, line));
  for (const { label, run } of ways) {
    toast.append(button(undefined, label, () => {
      toast.remove();
      run();
    }, { isShown: true }));
  }
  toast.classList.toggle("undoable", Boolean(takeBack));
  toasts.append(toast);
  // Shown anew, they are above a dialog that was opened meanwhile.
  if (toasts.matches(":popover-open")) toasts.hidePopover();
  toasts.showPopover();
  setTimeout(() => {
    toast.remove();
    if (!toasts.children.length && toasts.matches(":popover-open")) toasts.hidePopover();
  }, isWrong || ways.length > 1 ? 9000 : 6000);
}

// The first rows do not wait for them. Without them, messages are in English.
export const wording = () => more("messages").catch(() => {});

/** Says why something failed, in the language of the page. */
export async function tellFault(error) {
  await wording();
  tell(faultLine(error), { isWrong: true });
}

/** Waits for something, and shows why it failed. */
export async function attempt(promise) {
  try {
    return await promise;
  } catch (error) {
    await tellFault(error);
    return undefined;
  }
}

export async function undo(isRedo = false) {
  const outcome = await attempt(order(isRedo ? "redo" : "undo", {}));
  // Their buttons would take back another step now.
  for (const toast of document.querySelectorAll(".toast.undoable")) toast.remove();
  if (outcome) report(outcome, () => text(isRedo ? "redone" : "undone", operationName(outcome.name)));
}

/** Says what an operation has done or failed to do. */
export function report(outcome, words) {
  const failed = outcome.results?.filter(({ status }) => status === "failed") ?? [];
  if (failed.length) wording().then(() => {
    for (const each of failed.slice(0, 3)) tell(text("failed", visible(each.name), messageOf(each.diagnostic) ?? ""), { isWrong: true });
  });
  const done = outcome.results?.filter(({ status }) => status === "done") ?? [];
  if (done.length) tell(words(done), { undo: outcome.undo ? () => undo() : undefined });
  return done;
}

/** A menu at an element or a point. `otherwise` gets the focus when it is closed. */
export function popUp(place, entries, otherwise) {
  document.querySelector("#menu")?.remove();
  const menu = make("div", { id: "menu", popover: "auto", role: "menu", "aria-label": text("menu") });
  for (const entry of entries) {
    if (entry.separates) menu.append(make("hr"));
    const each = button(entry.icon ?? "check", entry.label, () => {
      menu.hidePopover();
      entry.run();
    }, { isShown: true, role: entry.role ?? "menuitem", "aria-checked": entry.role ? String(entry.isChecked) : null, "data-action": entry.id, disabled: entry.off !== undefined, title: entry.off });
    if (!entry.icon) each.firstChild.style.visibility = "hidden";
    menu.append(each);
  }
  document.body.append(menu);
  menu.showPopover();
  const box = place.getBoundingClientRect?.();
  const [x, y] = box ? [box.right - menu.offsetWidth, box.bottom + 6] : [place.x, place.y];
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, y + menu.offsetHeight > innerHeight - 8 ? y - menu.offsetHeight : y)}px`;
  const buttons = [...menu.querySelectorAll("button")].filter((each) => !each.disabled);
  buttons[0]?.focus();
  menu.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
  });
  menu.addEventListener("toggle", ({ newState }) => {
    if (newState === "closed") {
      menu.remove();
      if (document.activeElement === document.body) (place.focus ? place : otherwise)?.focus({ preventScroll: true });
    }
  });
}
