// The inspector: the properties of the selected emitters or of the effect in sections, in one order, with search.

import { make } from "../icons.js";
import { faultLine, text, visible } from "../texts.js";
import { AllCurves } from "./all-curves.js";
import { Binding } from "./binding.js";
import { CardList } from "./card-list.js";
import { setIcon, symbol, tool } from "./control-parts.js";
import { found } from "./finding.js";
import { badge } from "./property-remarks.js";
import { PropertyRow } from "./property.js";
import { applies, concrete, effectSections, inPlace, isCommon, lists, Rows, sections } from "./rows.js";

const focusable = "select, input, [tabindex='0'], button";
const openAtFirst = ["emission", "shape", "launch", "size", "color"];

export class EffectInspector extends HTMLElement {
  connectedCallback() {
    if (this.parts) return;
    this.rows = new Rows(this.session.schema);
    this.scope = "emitter";
    this.opened = new Set(this.session.view?.sections ?? openAtFirst);
    this.full = new Set();
    this.className = "c-inspector";
    this.build();
    this.listeners = {
      change: ({ detail }) => this.changed(detail?.keys),
      selection: () => this.show(), findings: () => this.showRemarks(), marks: () => this.showRemarks(), state: () => this.showReadOnly(),
      refused: ({ detail }) => this.showRefused(detail),
    };
    for (const [name, listener] of Object.entries(this.listeners)) this.session.addEventListener(name, listener);
    this.show();
  }

  disconnectedCallback() {
    for (const [name, listener] of Object.entries(this.listeners ?? {})) this.session.removeEventListener(name, listener);
    this.parts = undefined;
    this.replaceChildren();
  }

  build() {
    this.title = "";
    this.heading = make("h3", { class: "c-title" });
    this.tabs = make("div", { class: "segments", role: "radiogroup", "aria-label": text("scope") }, ...["emitter", "effect"].map((name) => make("button", {
      type: "button", role: "radio", "data-scope": name, onclick: () => {
        this.scope = name;
        this.show();
      },
    }, text(name === "emitter" ? "scopeEmitter" : "scopeEffect"))));
    this.tabs.addEventListener("keydown", (event) => {
      if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      event.preventDefault();
      const other = [...this.tabs.children].find((each) => each.dataset.scope !== this.scope);
      other.click();
      other.focus();
    });
    this.search = make("input", { type: "search", placeholder: text("searchProperties"), "aria-label": text("searchProperties"), autocomplete: "off", spellcheck: "false" });
    this.search.addEventListener("input", () => this.fill());
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.search.value) {
        event.preventDefault();
        event.stopPropagation();
        this.search.value = "";
        this.fill();
      } else if (event.key === "ArrowDown" || event.key === "Enter") {
        event.preventDefault();
        this.body.querySelector(".c-row input, .c-row [tabindex='0']")?.focus();
      }
    });
    this.onlySet = tool("funnel", text("onlyChanged"), () => {
      this.isOnlySet = !this.isOnlySet;
      this.onlySet.setAttribute("aria-pressed", String(this.isOnlySet));
      this.fill();
    }, { "aria-pressed": "false", "data-tool": "only-set" });
    this.fold = tool("folds", text("foldAll"), () => {
      this.opened = this.opened.size ? new Set() : new Set([...this.sections.map(([name]) => name), "curves"]);
      this.keepOpened();
      this.fill();
    }, { "data-tool": "fold" });
    this.body = make("div", { class: "c-sections" });
    this.empty = make("p", { class: "quiet-note", role: "status" });
    this.append(make("header", { class: "c-head" }, make("div", { class: "c-line" }, this.heading, this.tabs),
      make("div", { class: "c-line" }, make("search", { class: "finder" }, symbol("search"), this.search), this.onlySet, this.fold)), this.body, this.empty);
    this.parts = new Map();
    this.session.keys?.push?.({ key: "/", label: text("searchProperties"), run: () => this.search.focus() });
  }

  // MARK: Contents

  /** A search looks at emitter and effect. */
  get sections() {
    if (this.search.value.trim()) return [...(this.emitters.length ? sections : []), ...effectSections];
    return this.scope === "emitter" ? sections : effectSections;
  }
  get emitters() { return this.session.selected ?? []; }
  get isPlane() { return (this.session.document.asset?.dimension ?? "2d") === "2d"; }

  show() {
    if (!this.parts) return;
    const { emitters } = this;
    const names = emitters.map((index) => visible(this.session.document.emitters?.[index]?.name || text("emitterNumber", index + 1)));
    this.heading.textContent = this.scope === "effect" ? visible(this.session.document.asset?.name ?? text("scopeEffect")) : names.length > 1 ? text("emittersSelected", names.length) : names[0] ?? text("noEmitter");
    this.heading.title = names.join(", ");
    for (const tab of this.tabs.children) {
      const isShown = tab.dataset.scope === this.scope;
      tab.setAttribute("aria-checked", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
    this.fill();
  }

  keysOf(row) {
    return row.key.startsWith("emitters[]") ? this.emitters.map((index) => concrete(row.key, index)) : [row.key];
  }

  binding(row) { return new Binding(this.session, this.keysOf(row), inPlace(row, this.session.document), row.key); }

  /** Whether a row applies to one of the emitters. */
  isApplied(row) {
    if (!row.applies) return true;
    const places = row.key.startsWith("emitters[]") ? this.emitters : [0];
    return places.some((index) => applies(row, (key) => this.session.value(concrete(key, index))));
  }

  isSet(row) { return this.keysOf(row).some((key) => this.session.isSet(key)); }

  rowsOf(section) {
    return this.rows.inSection(section, effectSections.includes(section) ? "" : "emitters[].").filter((row) => {
      if (this.isOnlySet && !this.isSet(row)) return false;
      return this.search.value.trim() !== "" || this.isApplied(row) || this.isSet(row);
    });
  }

  /** The sections with their rows. In a search, only rows that it finds, the best first. */
  shownSections() {
    const all = this.sections.map((section) => [section, this.rowsOf(section)]);
    const search = this.search.value.trim();
    if (!search) return all.filter(([, rows]) => rows.length);
    const answers = new Map();
    for (const { row } of found(all.flatMap(([, rows]) => rows), search, this.rows, (row) => this.isApplied(row) || this.isSet(row))) {
      const section = all.find(([, rows]) => rows.includes(row))[0];
      answers.set(section, [...(answers.get(section) ?? []), row]);
    }
    return [...answers];
  }

  /** Fills all sections. Only open sections have controls. */
  fill() {
    const isBusy = this.scope === "emitter" && !this.emitters.length;
    const isSearching = this.search.value.trim() !== "" || this.isOnlySet;
    const top = this.scrollTop;
    this.parts.clear();
    let total = 0;
    const parts = (isBusy && !this.search.value.trim() ? [] : this.shownSections()).map(([section, rows]) => {
      total += rows.length;
      return this.part(section, rows, isSearching);
    });
    if (this.scope === "emitter" && !isBusy && !isSearching) parts.push(this.part(["curves", "life", []], [], false));
    this.body.replaceChildren(...parts);
    this.empty.hidden = total > 0;
    this.empty.textContent = isBusy ? text("noEmitterHint") : text("nothingFound", visible(this.search.value));
    setIcon(this.fold, "folds");
    this.scrollTop = top;
    this.showRemarks();
  }

  /** A section with its head. */
  part(section, rows, isSearching) {
    const [name, image] = section;
    const isOpen = isSearching || this.opened.has(name);
    const head = make("button", { type: "button", class: "section-head", "aria-expanded": String(isOpen), "data-section": name, onclick: () => this.toggle(name) },
      symbol(image), make("span", {}, text(`section_${name}`)), make("span", { class: "badges" }), symbol("chevron"));
    const content = make("div", { class: "section-body", hidden: !isOpen });
    this.parts.set(name, { section, head, content, rows });
    if (isOpen) this.fillSection(name, isSearching);
    return make("section", { class: "c-section", "aria-label": text(`section_${name}`) }, make("h4", {}, head), content);
  }

  fillSection(name, isSearching = this.search.value.trim() !== "" || this.isOnlySet) {
    const part = this.parts.get(name);
    if (name === "curves") {
      part.curves = AllCurves.of(this.session, this.rows);
      part.controls = [];
      part.signature = "";
      part.content.replaceChildren(part.curves);
      return;
    }
    const isShown = (row) => isSearching || this.full.has(name) || isCommon(row) || this.keysOf(row).some((key) => this.session.isSet(key));
    const shown = part.rows.filter(isShown);
    const rest = part.rows.length - shown.length;
    part.controls = shown.map((row) => this.control(row));
    part.signature = this.signature(part.rows);
    part.content.replaceChildren(...part.controls);
    if (rest || this.full.has(name)) {
      part.content.append(make("button", {
        type: "button", class: "quiet all", "aria-expanded": String(this.full.has(name)), onclick: () => {
          if (!this.full.delete(name)) this.full.add(name);
          this.fillSection(name);
          part.content.querySelector(".all")?.focus({ preventScroll: true });
          this.showRemarks();
        },
      }, this.full.has(name) ? text("showLess") : text("showMore", rest)));
    }
  }

  /** Identifies the rows of a section. */
  signature(rows) { return rows.map(({ key }) => key).join(); }

  control(row) {
    const binding = this.binding(row);
    const options = { isPlane: this.isPlane, applies: () => this.isApplied(row) };
    if (lists.includes(row.key)) return CardList.of(binding, this.rows.ofList(row.key), { isPlane: this.isPlane });
    return PropertyRow.of(binding, options);
  }

  toggle(name) {
    const part = this.parts.get(name);
    const isOpen = !this.opened.has(name);
    if (isOpen) this.opened.add(name);
    else this.opened.delete(name);
    part.head.setAttribute("aria-expanded", String(isOpen));
    part.content.hidden = !isOpen;
    if (isOpen && !part.controls) this.fillSection(name);
    this.keepOpened();
    this.showRemarks();
  }

  keepOpened() { this.session.setView?.("sections", [...this.opened]); }

  // MARK: Changes

  /** Shows changed values. A section is filled again only if other rows apply than before. */
  changed(keys) {
    if (!this.parts) return;
    if (keys?.some((key) => key === "emitters" || /^emitters\[\d+\](\.name)?$/.test(key)) || this.scope === "effect") this.show();
    const isTouched = (control) => !keys || control.binding.keys.some((key) => keys.some((each) => each === key || each.startsWith(`${key}.`) || each.startsWith(`${key}[`) || key.startsWith(`${each}.`) || key.startsWith(`${each}[`)));
    for (const [name, part] of this.parts) {
      if (!part.controls) continue;
      if (part.curves) {
        part.curves.refresh();
        continue;
      }
      if (!this.search.value.trim()) part.rows = this.rowsOf(part.section);
      const isHeld = part.content.contains(document.activeElement);
      if (this.signature(part.rows) !== part.signature && !this.isOnlySet) {
        const focused = isHeld ? document.activeElement.closest("[data-key]")?.dataset.key : undefined;
        this.fillSection(name);
        if (focused) part.content.querySelector(`[data-key="${CSS.escape(focused)}"] .control`)?.querySelector(focusable)?.focus({ preventScroll: true });
      } else {
        for (const control of part.controls) if (isTouched(control)) control.refresh();
      }
    }
  }

  /** A change of a gesture was refused: the reason is shown at its property. */
  showRefused(fault) {
    const rows = [...this.querySelectorAll("effect-property")];
    const row = rows.find((each) => fault.key && each.binding.keys.some((key) => fault.key === key || fault.key.startsWith(`${key}.`))) ?? rows.find((each) => each.contains(document.activeElement));
    row?.tell(faultLine(fault));
  }

  showReadOnly() { for (const part of this.parts?.values() ?? []) for (const control of part.controls ?? []) control.refresh(); }

  showRemarks() {
    for (const part of this.parts?.values() ?? []) {
      const sign = badge(this.session, part.rows.flatMap((row) => this.keysOf(row)));
      part.head.querySelector(".badges").replaceChildren(...(sign ? [sign] : []));
      for (const control of part.controls ?? []) control.refreshRemarks?.();
    }
  }

  /** Opens the section of a property, and puts the focus there. */
  reveal(key) {
    const pattern = key.replace(/\[\d+\]/g, "[]");
    this.search.value = "";
    this.scope = pattern.startsWith("emitters[]") ? "emitter" : "effect";
    const section = this.sections.find(([, , prefixes]) => prefixes.some((prefix) => pattern.replace(/^emitters\[\]\./, "").startsWith(prefix)));
    if (!section) return;
    this.opened.add(section[0]);
    this.full.add(section[0]);
    this.show();
    const row = [...this.querySelectorAll(".c-row, .c-cards")].find((each) => pattern.startsWith(each.dataset.key ?? each.list ?? "·"));
    row?.scrollIntoView({ block: "center" });
    (row?.querySelector(".control") ?? row)?.querySelector(focusable)?.focus({ preventScroll: true });
  }
}

customElements.define("effect-inspector", EffectInspector);
