// Small parts that all controls share: dragging, holding keys, menus, the clipboard, icons.

import { button, icon, make } from "../icons.js";
import { faultLine, more, text } from "../texts.js";

await more("editor");

const paths = {
  burst: "M12 12V3M12 12l7.5-4.5M12 12l7 5M12 12l-3 8M12 12l-8 2M12 12L6 5",
  shape: "M4 4h9v9H4zM15.5 9.5a5.5 5.5 0 1 1-6 6",
  launch: "M5 19L18 6M10 5h9v9M5 12v7h7",
  motion: "M4 17c3-10 6 4 9-4s4-6 7-6M17 4l3 3-3 3",
  forces: "M12 4v6M9 7l3-3 3 3M12 20v-6M9 17l3 3 3-3M4 12h6M7 9l-3 3 3 3M20 12h-6M17 9l3 3-3 3",
  size: "M4 10V4h6M20 14v6h-6M4 4l7 7M20 20l-7-7",
  rotate: "M19 12a7 7 0 1 1-2.5-5.4M19 4v4.5h-4.5",
  droplet: "M12 3.5c4 5 6 7.6 6 10.5a6 6 0 0 1-12 0c0-2.9 2-5.5 6-10.5z",
  image: "M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-3L20 16M15.5 9h.01",
  layers: "M12 4l8 4.5-8 4.5-8-4.5zM4 12.5l8 4.5 8-4.5M4 16l8 4.5 8-4.5",
  bolt: "M13 3L5 13.5h6L10 21l8-10.5h-6z",
  place: "M12 21c-4.5-5-6.5-8-6.5-11a6.5 6.5 0 0 1 13 0c0 3-2 6-6.5 11zM12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  camera: "M4 7h11v10H4zM15 10.5l5-3v9l-5-3z",
  constant: "M4 12h16",
  range: "M4 6v12M20 6v12M4 12h16M7 9l-3 3 3 3M17 9l3 3-3 3",
  choice: "M5 6h.01M5 12h.01M5 18h.01M10 6h10M10 12h10M10 18h10",
  ramp: "M4 19L20 6M4 19h16",
  linear: "M5 19L19 5M5 19h.01M19 5h.01",
  step: "M4 19h6v-7h5V5h5",
  cubic: "M4 19c9 0 7-14 16-14",
  life: "M4 18c6 0 5-12 9-12s3 8 7 8",
  none: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM6.5 6.5l11 11",
  gradient: "M4 7h16v6H4zM6 17l2-3 2 3zM15 17l2-3 2 3z",
  eye: "M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  eyeOff: "M4 4l16 16M9.5 6c.8-.3 1.7-.5 2.5-.5 3.7 0 7 2 9.5 6.5-.8 1.4-1.7 2.6-2.7 3.5M6 8c-1.3 1-2.5 2.3-3.5 4C5 16.5 8.3 18.5 12 18.5c1.6 0 3-.4 4.4-1.1",
  solo: "M12 4l2.3 5 5.5.6-4.1 3.7 1.2 5.4-4.9-2.8-4.9 2.8 1.2-5.4L4.2 9.6l5.5-.6z",
  minus: "M5 12h14",
  grip: "M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01",
  paste: "M8 5.5H5.5v15h13v-15H16M8.5 4h7v3.5h-7z",
  bookmark: "M7 4h10v16l-5-4-5 4z",
  flip: "M4 12h16M8 9L5 4h14l-3 5M8 15l-3 5h14l-3-5",
  mirror: "M12 4v16M9 8l-5-3v14l5-3M15 8l5-3v14l-5-3",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  reset: "M5 12a7 7 0 1 0 2.5-5.4M5 4v4.5h4.5",
  magnet: "M6 4v8a6 6 0 0 0 12 0V4h-4v8a2 2 0 0 1-4 0V4zM6 8h4M14 8h4",
  target: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
  dot: "M12 11.5h.01",
  dice: "M5 5h14v14H5zM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01",
  disk: "M5 4.5h11.5L19.5 8v11.5h-15v-15zM8 4.5v5h7v-5M8 19.5v-6h8v6",
  folds: "M7.5 9L12 4.5 16.5 9M7.5 15l4.5 4.5 4.5-4.5M4 12h16",
  funnel: "M4 5h16l-6.2 7.5V19l-3.6-2v-4.5z",
  halves: "M4 5h16v14H4zM12 5v14",
  keyboard: "M3 6.5h18v11H3zM6.5 10h.01M10 10h.01M13.5 10h.01M17 10h.01M8 14h8",
  photo: "M4 5h16v14H4zM4 16.5l5-5.5 4.5 5 2.5-2.5 4 4M15.5 9h.01",
  pointer: "M5.5 4l5.5 15 2.3-6.2L19.5 10.5z",
  sprite: "M12 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM6 20v-2a6 6 0 0 1 12 0v2z",
  unseen: "M4 4l16 16M9.5 6.3C15 5 19 8 21 12a14 14 0 0 1-2.4 3.3M6.3 8A13 13 0 0 0 3 12c2.5 5 8 7.5 12.6 5.3",
  variants: "M4 4h4.5v4.5H4zM9.8 4h4.5v4.5H9.8zM15.5 4H20v4.5h-4.5zM4 9.8h4.5v4.5H4zM9.8 9.8h4.5v4.5H9.8zM15.5 9.8H20v4.5h-4.5zM4 15.5h4.5V20H4zM9.8 15.5h4.5V20H9.8zM15.5 15.5H20V20h-4.5z",
  fix: "M14.5 6a4 4 0 0 0-5 5L4 16.5 7.5 20l5.5-5.5a4 4 0 0 0 5-5L15.5 12 12 8.5z",
};

/** An icon of the controls, or one of the browser. */
export function symbol(name) {
  if (!(name in paths)) return icon(name);
  const image = icon("plus");
  image.dataset.icon = name;
  image.firstChild.setAttribute("d", paths[name]);
  return image;
}

/** A button with an icon of the controls. */
export function tool(name, label, action, values = {}) {
  const element = button(undefined, label, action, values);
  element.prepend(symbol(name));
  return element;
}

export const setIcon = (element, name) => {
  if (element.firstElementChild?.dataset.icon !== name) element.firstElementChild.replaceWith(symbol(name));
};

// MARK: Gestures

/**
 * Lets an element be dragged. `begin(event)` returns the state for `move(event, state)`, `end(event, state)` and `cancel(state)`,
 * or undefined for no drag. The pointer is captured. Escape cancels.
 */
export function draggable(element, { begin, move, end, cancel }) {
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const state = begin(event);
    if (state === undefined) return;
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    let isOver = false;
    const stop = (isCancelled, last) => {
      if (isOver) return;
      isOver = true;
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener);
      removeEventListener("keydown", escape, true);
      for (const [name, listener] of Object.entries(ends)) removeEventListener(name, listener, true);
      if (element.hasPointerCapture?.(event.pointerId)) element.releasePointerCapture(event.pointerId);
      if (isCancelled) cancel?.(state);
      else end?.(last, state);
    };
    const escape = (pressed) => {
      if (pressed.key !== "Escape") return;
      pressed.preventDefault();
      pressed.stopImmediatePropagation();
      stop(true);
    };
    const listeners = {
      pointermove: (moved) => { if (moved.pointerId === event.pointerId) move(moved, state); },
      lostpointercapture: () => stop(true),
    };
    // The page hears of the end also where the element was removed meanwhile, such as by a change from elsewhere.
    const ends = {
      pointerup: (released) => { if (released.pointerId === event.pointerId) stop(false, released); },
      pointercancel: (cancelled) => { if (cancelled.pointerId === event.pointerId) stop(true); },
    };
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
    addEventListener("keydown", escape, true);
    for (const [name, listener] of Object.entries(ends)) addEventListener(name, listener, true);
  });
}

/**
 * Keys that change a value as long as they are held: one gesture from the first press to the release.
 * `step(event)` returns a key's change, undefined for other keys. `begin()` returns a gesture. `change(gesture, step, event)` makes a step.
 */
export function heldKeys(element, { step, begin, change }) {
  let held;
  const released = (event) => { if (held?.key === event.key) finish(); };
  const finish = (isCancelled = false) => {
    if (!held) return;
    const { gesture } = held;
    held = undefined;
    removeEventListener("keyup", released, true);
    if (isCancelled) gesture.cancel();
    else gesture.end();
  };
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && held) {
      event.preventDefault();
      event.stopPropagation();
      finish(true);
      return;
    }
    const found = step(event);
    if (found === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (held && held.key !== event.key) finish();
    if (!held) {
      held = { key: event.key, gesture: begin() };
      // The element may be gone when the key is released.
      addEventListener("keyup", released, true);
    }
    change(held.gesture, found, event);
  });
  element.addEventListener("blur", () => finish());
  return finish;
}

/** Why an edit was refused, for the row around a control. */
export function tellFault(element, fault) {
  if (fault) element.dispatchEvent(new CustomEvent("fault", { bubbles: true, detail: { message: faultLine(fault) } }));
}

// MARK: Menus

/** Where overlays go: into the dialog that is shown, since all else is inert, or the overlay that they belong to. */
export const layerOf = (element) => element.closest("[popover], dialog") ?? document.body;

/** A menu at an element. An entry: `{label, icon, run, isChecked, separates, element}`. */
export function openMenu(anchor, entries, label = text("menu")) {
  const menu = make("div", { class: "c-menu", popover: "auto", role: "menu", "aria-label": label });
  for (const entry of entries) {
    if (entry.separates) menu.append(make("hr"));
    const each = make("button", {
      type: "button", role: entry.isChecked === undefined ? "menuitem" : "menuitemradio", "data-entry": entry.id ?? null, disabled: entry.isDisabled,
      "aria-checked": entry.isChecked === undefined ? null : String(entry.isChecked),
      onclick: () => {
        menu.hidePopover();
        anchor.focus({ preventScroll: true });
        entry.run();
      },
    }, entry.element ?? symbol(entry.icon ?? (entry.isChecked ? "check" : "dot")), make("span", {}, entry.label));
    menu.append(each);
  }
  showAt(anchor, menu);
  const buttons = [...menu.querySelectorAll("button:not(:disabled)")];
  (buttons.find((each) => each.getAttribute("aria-checked") === "true") ?? buttons[0])?.focus();
  menu.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const index = buttons.indexOf(document.activeElement);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      buttons[(next + buttons.length) % buttons.length].focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      menu.hidePopover();
      anchor.focus({ preventScroll: true });
    } else if (event.key.length === 1 && event.key !== " ") {
      const found = [...buttons.slice(index + 1), ...buttons].find((each) => each.textContent.toLowerCase().startsWith(event.key.toLowerCase()));
      found?.focus();
    }
  });
  return menu;
}

/** Shows an element over the page, beside its anchor, within the window. It is removed when it closes. */
export function showAt(anchor, element) {
  element.popover ??= "auto";
  layerOf(anchor).append(element);
  element.showPopover();
  const box = anchor.getBoundingClientRect();
  const left = Math.min(Math.max(8, box.right - element.offsetWidth), innerWidth - element.offsetWidth - 8);
  const below = box.bottom + 4;
  const isAbove = below + element.offsetHeight > innerHeight - 8 && box.top - element.offsetHeight - 4 > 8;
  element.style.left = `${Math.max(8, left)}px`;
  element.style.top = `${isAbove ? box.top - element.offsetHeight - 4 : Math.max(8, Math.min(below, innerHeight - element.offsetHeight - 8))}px`;
  element.addEventListener("toggle", ({ newState }) => { if (newState === "closed") element.remove(); });
}

/** Escape closes a panel. The focus returns to its anchor. */
export function endOnEscape(panel, anchor) {
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    panel.hidePopover();
    anchor.focus({ preventScroll: true });
  });
}

// MARK: Clipboard

let kept;

/** Copies a value of a kind, such as a curve: within the page at once, and as text for other windows where that is allowed. */
export function copy(kind, value, event) {
  const line = JSON.stringify({ particles: kind, value });
  kept = line;
  if (event?.clipboardData) {
    event.clipboardData.setData("text/plain", line);
    event.preventDefault();
  } else {
    navigator.clipboard?.writeText(line).catch(() => {});
  }
}

/** The copied value of one of the kinds, or undefined. `line` is the text of an event of pasting. */
export function pasted(kinds, line = kept) {
  try {
    const found = JSON.parse(line);
    return [kinds].flat().includes(found?.particles) ? { kind: found.particles, value: found.value } : undefined;
  } catch {
    return undefined;
  }
}

/** Listens to copying and pasting while an element has the focus, but not in fields with text. */
export function clipboard(element, { onCopy, onPaste }) {
  const isTyping = ({ target }) => target.matches?.("input, textarea, select");
  element.addEventListener("copy", (event) => { if (!isTyping(event)) onCopy?.(event); });
  element.addEventListener("cut", (event) => { if (!isTyping(event)) onCopy?.(event, true); });
  element.addEventListener("paste", (event) => {
    if (isTyping(event)) return;
    const line = event.clipboardData?.getData("text/plain");
    if (onPaste?.(line || kept)) event.preventDefault();
  });
}
