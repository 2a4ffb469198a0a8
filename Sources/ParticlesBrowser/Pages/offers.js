// Lines above a document or a list: an event, with buttons for the ways out.

import { button, icon, make } from "./icons.js";
import { text } from "./texts.js";

/** A stack of lines, each with a name. It is hidden without any. */
export class Offers {
  constructor() {
    this.element = make("div", { class: "offers", hidden: true });
    this.rows = new Map();
  }

  /**
   * Shows a line, in place of the line of this name.
   * @param {{ line: string, ways: [string, () => void, string?][], isMild?: boolean, hides?: boolean }} [offer] nothing to hide it. A way has
   *   the key of its text, and a function. The first way is the main one. `hides` adds a button that hides the line.
   */
  set(name, offer) {
    const key = offer && JSON.stringify([offer.line, offer.ways.map(([each]) => each)]);
    const old = this.rows.get(name);
    // An equal line is not read out again.
    if (old?.key === key) return;
    old?.row.remove();
    this.rows.delete(name);
    if (offer) {
      const ways = offer.ways.map(([label, run], index) => button(undefined, text(label), () => run(), { isShown: true, "data-way": label, ...(index ? {} : { class: "primary" }) }));
      if (offer.hides) ways.push(button("close", text("dismiss"), () => this.set(name), { "data-way": "dismiss" }));
      const row = make("section", { class: offer.isMild ? "offer mild" : "offer", role: offer.isMild ? "status" : "alert", "data-offer": name },
        icon(offer.isMild ? "info" : "warning"), make("p", {}, offer.line), ...ways);
      this.rows.set(name, { key, row });
      this.element.append(row);
    }
    this.element.hidden = this.rows.size === 0;
  }

  has(name) { return this.rows.has(name); }
}
