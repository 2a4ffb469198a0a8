// Room in the editor. Its panels are as wide as their user wants: a divider is dragged, moved by arrow keys, and set back by a double click.
// A toolbar that has less room than its buttons need puts some into a menu.

import { button, make } from "../icons.js";
import { text } from "../texts.js";
import { openMenu } from "./control-parts.js";

/** Pixels of a panel. The stage between them keeps its place by the layout. */
export const bounds = [200, 640];
const step = 16;

function kept() {
  try {
    return JSON.parse(localStorage.getItem("panels")) ?? {};
  } catch {
    return {};
  }
}

/**
 * The divider of a panel.
 * @param {HTMLElement} panel @param {"left" | "right"} side - of the body that it is in
 */
export function divider(body, panel, side) {
  const name = `--${side}`;
  const element = make("div", { class: `divider ${side}`, role: "separator", tabindex: 0, "aria-orientation": "vertical", "aria-label": text("panelWidth", panel.getAttribute("aria-label")), title: text("panelWidthHint") });
  const show = (width) => {
    if (width === undefined) body.style.removeProperty(name);
    else body.style.setProperty(name, `${width}px`);
    element.setAttribute("aria-valuenow", String(Math.round(width ?? panel.getBoundingClientRect().width)));
  };
  /** Sets and keeps a width. Without one, the page decides. */
  const set = (width) => {
    const limited = width === undefined ? undefined : Math.min(bounds[1], Math.max(bounds[0], Math.round(width)));
    show(limited);
    localStorage.setItem("panels", JSON.stringify({ ...kept(), [side]: limited }));
  };
  [["aria-valuemin", bounds[0]], ["aria-valuemax", bounds[1]]].forEach(([key, value]) => element.setAttribute(key, String(value)));
  const known = kept()[side];
  show(typeof known === "number" && known >= bounds[0] && known <= bounds[1] ? known : undefined);
  const outward = side === "left" ? 1 : -1;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const start = panel.getBoundingClientRect().width - outward * event.clientX;
    element.setPointerCapture?.(event.pointerId);
    const move = ({ clientX }) => set(start + outward * clientX);
    element.addEventListener("pointermove", move);
    for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => element.removeEventListener("pointermove", move), { once: true });
  });
  element.addEventListener("keydown", (event) => {
    const direction = { ArrowLeft: -outward, ArrowRight: outward }[event.key];
    if (!direction) return;
    event.preventDefault();
    event.stopPropagation();
    set(panel.getBoundingClientRect().width + direction * step);
  });
  element.addEventListener("dblclick", () => set(undefined));
  return element;
}

/**
 * Makes a toolbar fold.
 * @param {HTMLElement} bar
 * @param {string[]} order - the commands that may be in the menu, the first to go there first
 */
export function folding(bar, order) {
  const more = button("more", text("more"), () => {
    openMenu(more, folded().map((each) => ({
      id: each.dataset.command, label: each.dataset.key ? `${each.dataset.label} (${each.dataset.key})` : each.dataset.label, icon: each.firstElementChild.dataset.icon, isDisabled: each.disabled,
      isChecked: each.hasAttribute("aria-pressed") ? each.getAttribute("aria-pressed") === "true" : undefined, run: () => each.click(),
    })));
  }, { "aria-haspopup": "menu", "data-command": "more", hidden: true });
  bar.append(more);
  const all = order.map((name) => bar.querySelector(`[data-command="${name}"]`));
  for (const each of all) each.dataset.label = each.getAttribute("aria-label") ?? each.textContent;
  const folded = () => all.filter(({ hidden }) => hidden).toReversed();
  /** Whether something is cut off, or on a third line where there may be two. */
  const isFull = () => {
    if (bar.scrollWidth > bar.clientWidth) return true;
    const shown = [...bar.children].filter((each) => !each.hidden);
    return getComputedStyle(bar).flexWrap === "wrap" && shown.at(-1).offsetTop > shown[0].offsetTop + 1.5 * shown[0].offsetHeight;
  };
  const fold = () => {
    for (const each of all) each.hidden = false;
    more.hidden = true;
    if (!isFull()) return;
    more.hidden = false;
    for (const each of all) {
      if (!isFull()) return;
      each.hidden = true;
    }
  };
  new ResizeObserver(fold).observe(bar);
  return bar;
}
