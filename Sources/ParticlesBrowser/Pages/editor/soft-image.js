// A soft image made of numbers: dot, ring, spark or smoke. It is shown while its numbers are moved.

import { make } from "../icons.js";
import { faultLine, text } from "../texts.js";
import { endOnEscape, showAt } from "./control-parts.js";

const kinds = ["dot", "ring", "spark", "smoke"];
/** Name, least, most, step, standard, the kinds that use it. */
const parameters = [
  ["size", 8, 512, 8, 64, kinds], ["softness", 0, 1, 0.05, 0.8, kinds], ["width", 0.02, 1, 0.02, 0.2, ["ring"]],
  ["rays", 2, 16, 1, 4, ["spark"]], ["roughness", 0, 1, 0.05, 0.6, ["smoke"]], ["seed", 0, 99, 1, 1, ["smoke"]],
];

/** @param {(name: string, bytes: Uint8Array) => void} use */
export function openSoft(anchor, session, use) {
  let kind = "dot";
  let bytes;
  let number = 0;
  const values = Object.fromEntries(parameters.map(([name, , , , standard]) => [name, standard]));
  const picture = make("img", { alt: "" });
  const note = make("p", { class: "note", role: "status" });
  const tabs = make("div", { class: "segments", role: "radiogroup", "aria-label": text("softImage") }, ...kinds.map((name) => make("button", { type: "button", role: "radio", "data-kind": name, onclick: () => choose(name) }, text(`soft_${name}`))));
  const rows = make("div", { class: "soft-rows" });
  const done = make("button", { type: "button", class: "primary", disabled: true, onclick: () => {
    panel.hidePopover();
    anchor.focus({ preventScroll: true });
    use(kind, bytes);
  } }, text("addImage"));
  const panel = make("div", { class: "c-panel c-soft", role: "dialog", "aria-label": text("softImage") }, tabs, make("div", { class: "soft-picture" }, picture), rows, note, done);

  async function draw() {
    const mine = ++number;
    try {
      const used = Object.fromEntries(parameters.filter((row) => row[5].includes(kind)).map(([name]) => [name, values[name]]));
      const made = await session.soft(kind, used);
      if (mine !== number) return;
      bytes = made;
      URL.revokeObjectURL(picture.src);
      picture.src = URL.createObjectURL(new Blob([made], { type: "image/png" }));
      note.textContent = "";
      done.disabled = Boolean(session.isReadOnly);
    } catch (fault) {
      if (mine === number) note.textContent = faultLine(fault);
    }
  }

  function choose(name) {
    kind = name;
    for (const each of tabs.children) {
      each.setAttribute("aria-checked", String(each.dataset.kind === name));
      each.tabIndex = each.dataset.kind === name ? 0 : -1;
    }
    rows.replaceChildren(...parameters.filter((row) => row[5].includes(name)).map(([key, low, high, step]) => {
      const output = make("output", {}, String(values[key]));
      const input = make("input", { type: "range", min: String(low), max: String(high), step: String(step), value: String(values[key]), "aria-label": text(`soft_${key}`) });
      input.addEventListener("input", () => {
        values[key] = Number(input.value);
        output.textContent = input.value;
        draw();
      });
      return make("label", {}, make("span", {}, text(`soft_${key}`)), input, output);
    }));
    draw();
  }

  tabs.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (kinds.indexOf(kind) + step + kinds.length) % kinds.length;
    choose(kinds[next]);
    tabs.children[next].focus();
  });
  endOnEscape(panel, anchor);
  panel.addEventListener("toggle", ({ newState }) => { if (newState === "closed") URL.revokeObjectURL(picture.src); });
  choose("dot");
  showAt(anchor, panel);
  tabs.firstElementChild.focus();
}
