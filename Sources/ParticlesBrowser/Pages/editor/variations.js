// Variations: nine moving mutations of the chosen sections. A click takes one, and shows nine mutations from there.

import { make } from "../icons.js";
import { faultLine, text } from "../texts.js";
import { symbol, tool } from "./control-parts.js";
import { mutation } from "./mutation.js";
import { Rows, sections } from "./rows.js";

const atFirst = ["emission", "launch", "forces", "size", "color"];
const possible = ["emission", "shape", "launch", "motion", "forces", "size", "rotation", "color"];

export class EffectVariations extends HTMLElement {
  static observedAttributes = ["hidden"];

  attributeChangedCallback() { if (this.grid) this.isShown() ? this.fill() : this.stop(); }

  connectedCallback() {
    if (this.grid) return;
    this.className = "c-variations";
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", text("variations"));
    this.rows = new Rows(this.session.schema);
    const kept = this.session.view?.variations ?? {};
    this.chosen = new Set(kept.sections ?? atFirst);
    this.amount = kept.amount ?? 0.5;
    this.seed = kept.seed ?? 1;
    this.build();
    this.listeners = { change: () => this.later(), selection: () => this.later() };
    for (const [name, listener] of Object.entries(this.listeners)) this.session.addEventListener(name, listener);
    if (this.isShown()) this.fill();
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
    for (const [name, listener] of Object.entries(this.listeners)) this.session.removeEventListener(name, listener);
    this.grid = undefined;
    this.replaceChildren();
  }

  isShown() { return !this.hidden; }

  build() {
    this.chips = make("div", { class: "chips", role: "group", "aria-label": text("variedSections") }, ...sections.filter(([name]) => possible.includes(name)).map(([name, image]) => {
      const chip = make("button", { type: "button", "data-section": name, "aria-pressed": String(this.chosen.has(name)), onclick: () => {
        if (!this.chosen.delete(name)) this.chosen.add(name);
        chip.setAttribute("aria-pressed", String(this.chosen.has(name)));
        this.fill();
      } }, symbol(image), make("span", {}, text(`section_${name}`)));
      return chip;
    }));
    this.slider = make("input", { type: "range", min: "0.05", max: "1", step: "0.05", value: String(this.amount), "aria-label": text("amount") });
    this.slider.addEventListener("change", () => {
      this.amount = Number(this.slider.value);
      this.fill();
    });
    this.again = make("button", { type: "button", class: "primary", "data-tool": "again", onclick: () => {
      this.seed = (this.seed + 1) >>> 0;
      this.fill();
    } }, symbol("dice"), make("span", {}, text("rollAgain")));
    this.scope = make("button", { type: "button", "aria-pressed": "false", "data-tool": "all", onclick: () => {
      this.isAll = !this.isAll;
      this.scope.setAttribute("aria-pressed", String(this.isAll));
      this.fill();
    } }, symbol("layers"), make("span", {}, text("allEmitters")));
    this.grid = make("div", { class: "tiles", role: "listbox", "aria-label": text("variations") });
    this.grid.addEventListener("keydown", (event) => this.pressed(event));
    this.note = make("p", { class: "quiet-note", role: "status" });
    this.closer = tool("close", text("close"), () => { this.hidden = true; }, { "data-tool": "close" });
    this.append(make("header", {}, make("h3", { class: "c-title" }, text("variations")), make("label", { class: "amount" }, make("span", {}, text("amount")), this.slider), this.scope, this.again, this.closer), this.chips, this.grid, this.note);
    this.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.hidden) return;
      event.preventDefault();
      event.stopPropagation();
      this.hidden = true;
    });
  }

  get emitters() { return this.isAll ? [...(this.session.document.emitters ?? []).keys()] : this.session.selected; }

  /** The changes of the tile at a place. */
  changes(place) {
    const chosen = sections.filter(([name]) => this.chosen.has(name));
    return mutation(this.rows, this.session.document, this.emitters, chosen, this.amount, this.seed * 9 + place);
  }

  later() {
    clearTimeout(this.timer);
    if (this.isShown() && !this.isTaking) this.timer = setTimeout(() => this.fill(), 250);
  }

  /** Nothing moves that is not seen. */
  stop() {
    clearTimeout(this.timer);
    this.grid.replaceChildren();
  }

  fill() {
    if (!this.isShown()) return;
    this.session.setView?.("variations", { sections: [...this.chosen], amount: this.amount, seed: this.seed });
    const focused = [...this.grid.children].indexOf(document.activeElement);
    const isQuiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.all = Array.from({ length: 9 }, (_, place) => this.changes(place));
    this.grid.replaceChildren(...this.all.map((changes, place) => {
      const tile = make("div", { class: "variation", role: "option", "aria-selected": "false", tabindex: place === Math.max(focused, 0) ? "0" : "-1", "data-variation": String(place),
        "aria-label": text("variationNumber", place + 1, changes.length), onclick: () => this.useVariation(place) });
      const moving = this.session.moving(this.session.textWith(changes), {});
      moving.setAttribute("aria-hidden", "true");
      if (isQuiet) moving.removeAttribute("autoplay");
      // It begins, or stands, at a moment at which something is to be seen.
      moving.addEventListener("ready", () => moving.seek?.(Math.min(0.8, moving.duration / 3)), { once: true });
      tile.append(moving);
      return tile;
    }));
    if (focused >= 0) this.grid.children[focused].focus({ preventScroll: true });
    this.note.textContent = this.all.every((changes) => !changes.length) ? text("nothingVaries") : "";
  }

  async useVariation(place) {
    const changes = this.all[place];
    if (!changes?.length || this.session.isReadOnly) return;
    this.isTaking = true;
    try {
      await this.session.edit("takeVariation", changes);
      this.note.textContent = "";
    } catch (fault) {
      this.note.textContent = faultLine(fault);
    }
    this.isTaking = false;
    this.seed = (this.seed + 1) >>> 0;
    this.fill();
  }

  pressed(event) {
    const all = [...this.grid.children];
    const place = all.indexOf(document.activeElement);
    if (place < 0) return;
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1, ArrowDown: place + 3, ArrowUp: place - 3, Home: 0, End: 8 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      const target = all[Math.min(Math.max(next, 0), all.length - 1)];
      for (const each of all) each.tabIndex = each === target ? 0 : -1;
      target.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.useVariation(place);
    } else if (event.key === "r") {
      event.stopPropagation();
      this.again.click();
    }
  }
}

customElements.define("effect-variations", EffectVariations);
