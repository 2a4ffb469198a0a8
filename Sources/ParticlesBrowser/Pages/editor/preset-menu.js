// The choice of built-in presets and presets of the user, as small pictures. The present value can be kept.

import { make } from "../icons.js";
import { faultLine, text, visible } from "../texts.js";
import { cssGradient, readGradient } from "./colors.js";
import { endOnEscape, showAt, symbol } from "./control-parts.js";
import { curvePicture } from "./curve-plot.js";
import { readCurve } from "./curves.js";

const kindIcons = { emitter: "burst", image: "image" };

/** A small picture of a preset. */
export function presetPicture(kind, value) {
  if (kind === "curve") return curvePicture(readCurve(value));
  if (kind === "gradient") {
    const box = make("i", { class: "gradient-picture" }, make("b"));
    box.firstChild.style.backgroundImage = cssGradient(readGradient(value));
    return box;
  }
  return symbol(kindIcons[kind] ?? "bookmark");
}

/** The presets of the user's folder, or none if it cannot be read. */
export async function userPresets(session, kind) {
  try {
    return (await session.presets(kind)) ?? [];
  } catch {
    return [];
  }
}

/**
 * Shows presets beside a button.
 * @param {object} options - `session`, `kind`, `builtIn` of `{label, value}`, `current()` for saving, `apply(value)`
 */
export async function openPresets(anchor, { session, kind, builtIn = [], current, apply }) {
  const own = await userPresets(session, kind);
  const panel = make("div", { class: "c-panel c-presets", role: "dialog", "aria-label": text("presets") });
  const list = (entries, label) => {
    const grid = make("div", { class: `grid ${kind}`, role: "listbox", "aria-label": label });
    entries.forEach(({ label: name, value }, index) => {
      const choose = () => {
        panel.hidePopover();
        anchor.focus({ preventScroll: true });
        apply(structuredClone(value));
      };
      const entry = make("div", { role: "option", "aria-selected": "false", tabindex: index ? "-1" : "0", class: "preset", title: name, onclick: choose },
        presetPicture(kind, value), make("span", {}, name));
      entry.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } });
      grid.append(entry);
    });
    grid.addEventListener("keydown", (event) => {
      const columns = Math.max(1, Math.round(grid.clientWidth / (grid.firstElementChild?.offsetWidth || 1)));
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
      if (!step) return;
      event.preventDefault();
      const all = [...grid.children];
      const next = all[Math.min(Math.max(all.indexOf(document.activeElement) + step, 0), all.length - 1)];
      for (const each of all) each.tabIndex = each === next ? 0 : -1;
      next.focus();
    });
    return grid;
  };
  if (builtIn.length) panel.append(make("h4", {}, text("builtIn")), list(builtIn, text("builtIn")));
  if (own.length) panel.append(make("h4", {}, text("ownPresets")), list(own.map(({ name, value }) => ({ label: visible(name), value })), text("ownPresets")));
  if (current) {
    const name = make("input", { type: "text", placeholder: text("presetName"), "aria-label": text("presetName"), autocomplete: "off", spellcheck: "false" });
    const note = make("p", { role: "status", class: "note" });
    const save = async () => {
      if (!name.value.trim()) return name.focus();
      try {
        await session.savePreset(kind, name.value.trim(), await current());
        panel.hidePopover();
        anchor.focus({ preventScroll: true });
      } catch (fault) {
        note.textContent = faultLine(fault);
      }
    };
    name.addEventListener("keydown", (event) => { if (event.key === "Enter") save(); });
    panel.append(make("div", { class: "saver" }, name, make("button", { type: "button", class: "primary", onclick: save }, text("savePreset"))), note);
  }
  endOnEscape(panel, anchor);
  showAt(anchor, panel);
  panel.querySelector("[role=option]")?.focus();
  return panel;
}
