// A row of the inspector: name, control, reset, and remarks about the property.

import { make } from "../icons.js";
import { breakable, description, label, text } from "../texts.js";
import { copy, openMenu, pasted, tellFault, tool } from "./control-parts.js";
import { controlOf, isWide } from "./controls-of.js";
import { Control, dragged } from "./field.js";
import { formatNumber } from "./numbers.js";
import { limitFor, limitSign, remarkLines, remarksFor } from "./property-remarks.js";

let count = 0;

/** Its options are those of the control, and `applies()` for rows that only some kinds use. */
export class PropertyRow extends Control {
  static tag = "effect-property";

  build() {
    const { row } = this.binding;
    const name = label(row.key);
    this.className = "c-row";
    this.dataset.key = row.key;
    this.id = `property-${++count}`;
    this.control = controlOf(this.binding, { label: name, isPlane: this.options.isPlane });
    this.name = dragged(make("span", { class: "name", title: [description(row), `${row.key}`].filter(Boolean).join("\n") }, breakable(name)), this.control);
    this.reset = tool("reset", text("resetTo", name, this.standardText()), () => this.unset(), { class: "reset", "data-tool": "reset" });
    this.remarks = make("ul", { class: "remarks", "aria-live": "polite" });
    this.classList.toggle("wide", isWide(row));
    this.append(make("div", { class: "head" }, this.name, this.reset), make("div", { class: "control" }, this.control), this.remarks);
    this.addEventListener("fault", ({ detail }) => this.tell(detail.message));
    this.addEventListener("form", () => this.measure());
    this.addEventListener("contextmenu", (event) => {
      if (event.target.closest("input, .c-curve, .c-gradient, .c-picker")) return;
      event.preventDefault();
      this.openMenu(event.target.closest("button") ?? this.name);
    });
    this.name.addEventListener("click", () => this.querySelector(".control input, .control [tabindex='0'], .control button, .control select")?.focus());
    this.measure();
    this.refresh();
  }

  standardText() {
    const { standard, unit } = this.binding.row;
    if (standard === undefined || standard === null) return text("notSet");
    if (typeof standard === "number") return `${formatNumber(standard)}${unit ? ` ${unit}` : ""}`;
    return typeof standard === "string" ? standard : JSON.stringify(standard);
  }

  measure() { this.classList.toggle("tall", Boolean(this.querySelector(":scope > .control > .tall"))); }

  /** Shows the value, if it has changed: most changes of an effect concern other rows. */
  refresh() {
    const { isSet } = this.binding;
    const isApplied = this.options.applies?.() ?? true;
    const state = JSON.stringify([this.binding.values, isSet, this.binding.isReadOnly, isApplied], (_, value) => (typeof value === "bigint" ? String(value) : value));
    if (state === this.state && !this.control.isLive) return;
    this.state = state;
    this.control.refresh();
    this.measure();
    this.reset.hidden = !isSet || this.binding.isReadOnly || this.binding.row.standard === undefined;
    this.classList.toggle("set", isSet);
    this.classList.toggle("idle", !isApplied);
    this.name.title = [isApplied ? "" : text("notUsedNow"), description(this.binding.row), this.binding.row.key].filter(Boolean).join("\n");
  }

  refreshRemarks() {
    if (this.querySelector(".remark.fault")) return;
    const remarks = remarksFor(this.binding.session, this.binding.keys);
    this.remarks.replaceChildren(...remarkLines(this.binding.session, remarks));
    this.dataset.level = remarks[0]?.level ?? "";
    const limit = limitFor(this.binding.session, this.binding.keys);
    this.name.querySelector(".limit")?.remove();
    if (limit) this.name.append(limitSign(limit));
  }

  /** Tells why an edit was refused, for some seconds. */
  tell(message) {
    clearTimeout(this.timer);
    this.remarks.replaceChildren(make("li", { class: "remark error fault", role: "alert" }, message));
    this.timer = setTimeout(() => {
      this.remarks.replaceChildren();
      this.refreshRemarks();
    }, 7000);
  }

  async unset() {
    tellFault(this, await this.binding.unset(text("resetTo", label(this.binding.row.key), this.standardText())));
    this.refresh();
    this.querySelector(".control input, .control [tabindex='0'], .control button, .control select")?.focus({ preventScroll: true });
  }

  openMenu(anchor) {
    const { row, session, keys } = this.binding;
    const found = pasted("value");
    openMenu(anchor, [
      { id: "copy", label: text("copyValue"), icon: "copy", run: () => copy("value", { kind: row.kind, json: this.binding.value }) },
      { id: "paste", label: text("pasteValue"), icon: "paste", isDisabled: found?.value?.kind !== row.kind, run: async () => tellFault(this, await this.binding.set(found.value.json, text("pasteValue"))) },
      { id: "reset", label: text("reset"), icon: "reset", isDisabled: !this.binding.isSet, run: () => this.unset() },
      { id: "key", label: text("copyKey"), icon: "text", separates: true, run: () => navigator.clipboard?.writeText(keys[0]).catch(() => {}) },
      ...(session.selected?.length === 1 && session.document.emitters?.length > 1 && row.key.startsWith("emitters[]")
        ? [{ id: "all", label: text("toAllEmitters"), icon: "layers", run: () => session.edit("toAllEmitters", session.document.emitters.map((_, index) => ({ key: keys[0].replace(/^emitters\[\d+\]/, `emitters[${index}]`), value: this.binding.value }))) }] : []),
    ]);
  }
}

customElements.define(PropertyRow.tag, PropertyRow);
