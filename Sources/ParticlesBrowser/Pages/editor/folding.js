// A toolbar that has less room than its buttons need puts some of them into a menu.

import { button } from "../icons.js";
import { text } from "../strings.js";
import { openMenu } from "./parts.js";

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
  const fold = () => {
    for (const each of all) each.hidden = false;
    more.hidden = true;
    if (bar.scrollWidth <= bar.clientWidth) return;
    more.hidden = false;
    for (const each of all) {
      if (bar.scrollWidth <= bar.clientWidth) return;
      each.hidden = true;
    }
  };
  new ResizeObserver(fold).observe(bar);
  return bar;
}
