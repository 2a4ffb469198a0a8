// Forces, bursts and triggers: a card for each. One edit adds, moves, copies or removes it.

import { make } from "../icons.js";
import { text, visible } from "../texts.js";
import { Binding } from "./binding.js";
import { copy, openMenu, pasted, tellFault, tool } from "./control-parts.js";
import { badge, remarkLines, remarksFor } from "./property-remarks.js";
import { PropertyRow } from "./property.js";
import { applies, concrete, inPlace, label, nameOf } from "./rows.js";

/** The contents of a new element. */
const starts = {
  "emitters[].emission.bursts": [{ id: "burst", label: () => text("burst"), value: { time: 0, count: 20 } }],
  "emitters[].forces": [
    ["gravity", { vector: [0, -200] }], ["drag", { strength: 1 }], ["noise", { strength: 100, scale: 60, speed: 0.5 }], ["radial", { strength: 100 }],
    ["vortex", { strength: 100 }], ["tangential", { strength: 100 }], ["linear", { strength: 100 }], ["field", { strength: 1 }],
  ].map(([type, value]) => ({ id: type, label: () => nameOf(type), value: { type, ...value } })),
  "emitters[].triggers": ["death", "birth", "interval", "collision", "living", "frame"].map((event) => ({ id: event, label: () => nameOf(event), value: { event, emitter: 0 } })),
};

export class CardList extends HTMLElement {
  /** @param {Binding} binding - of the array. Its elements have rows of their own */
  static of(binding, rows, options = {}) {
    const element = document.createElement("effect-cards");
    Object.assign(element, { binding, rows, options, open: new Set() });
    element.build();
    return element;
  }

  get session() { return this.binding.session; }
  get list() { return this.binding.row.key; }
  /** `bursts`, `forces` or `triggers`. */
  get kind() { return this.list.split(".").at(-1); }
  get elements() { return this.binding.value ?? []; }

  /** The emitters whose elements have the kinds of the first one's: only they are changed with it. */
  get keys() {
    const shape = (value) => (value ?? []).map(({ type, event }) => type ?? event ?? "").join();
    const { values, keys } = this.binding;
    return keys.filter((_, index) => shape(values[index]) === shape(values[0]));
  }

  build() {
    this.className = "c-cards";
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", label(this.list));
    this.cards = make("div", { class: "cards" });
    this.note = make("p", { class: "quiet-note", hidden: true }, text("differentLists"));
    this.add = make("button", { type: "button", class: "add", "aria-haspopup": "menu", onclick: (event) => this.chooseNew(event.currentTarget) });
    const plus = tool("plus", text("addTo"), () => {});
    this.add.append(plus.firstChild, make("span", {}, text(`new_${this.kind}`)));
    this.append(make("h4", {}, label(this.list)), this.note, this.cards, this.add);
    this.refresh();
  }

  refresh() {
    const shape = JSON.stringify([this.elements.map(({ type, event }) => type ?? event ?? ""), this.keys, [...this.open]]);
    if (shape !== this.shown) {
      this.shown = shape;
      this.fill();
      this.refreshRemarks();
    }
    for (const row of this.cards.querySelectorAll("effect-property")) row.refresh();
    for (const card of this.cards.children) card.querySelector(".summary").textContent = this.summary(Number(card.dataset.index));
    this.note.hidden = this.keys.length === this.binding.keys.length;
    this.add.disabled = this.binding.isReadOnly;
  }

  refreshRemarks() {
    for (const row of this.cards.querySelectorAll("effect-property")) row.refreshRemarks();
    for (const card of this.cards.children) {
      const keys = this.keys.map((key) => `${key}[${card.dataset.index}]`);
      const sign = badge(this.session, keys);
      card.querySelector(".badges").replaceChildren(...(sign ? [sign] : []));
      // Remarks about the whole element are shown in the card.
      const whole = remarksFor(this.session, keys).filter(({ finding, mark }) => keys.includes((finding ?? mark).key));
      card.querySelector(":scope > .remarks").replaceChildren(...(card.classList.contains("open") ? remarkLines(this.session, whole) : []));
    }
  }

  title(element, index) {
    if (element.type) return nameOf(element.type);
    if (element.event) {
      const target = this.session.document.emitters?.[element.emitter];
      return `${nameOf(element.event)} → ${visible(target?.name || text("emitterNumber", element.emitter + 1))}`;
    }
    return text("numbered", text("burst"), index + 1);
  }

  summary(index) {
    const element = this.elements[index] ?? {};
    const words = (value) => (typeof value === "object" && value !== null ? (Array.isArray(value) ? value.map(words).join(", ") : value.min !== undefined ? `${value.min}…${value.max}` : "~") : String(value));
    if (this.list.endsWith("bursts")) return `${words(element.count ?? 1)} × ${element.cycles === 0 ? "∞" : element.cycles ?? 1} · ${element.time ?? 0} s`;
    if (element.vector) return words(element.vector);
    return element.strength !== undefined ? words(element.strength) : "";
  }

  fill() {
    const focused = document.activeElement?.closest?.(".card")?.dataset.index;
    this.cards.replaceChildren(...this.elements.map((element, index) => {
      const isOpen = this.open.has(index) || (this.elements.length === 1 && !this.isClosedByUser);
      const head = make("button", { type: "button", class: "card-head", "aria-expanded": String(isOpen), onclick: () => this.toggle(index, isOpen) },
        make("span", { class: "card-title" }, this.title(element, index)), make("span", { class: "summary" }), make("span", { class: "badges" }));
      const tools = make("span", { class: "card-tools" },
        tool("more", text("moreOf", this.title(element, index)), (event) => this.openMenu(event.currentTarget, index), { "aria-haspopup": "menu", "data-tool": "more" }),
        tool("close", text("removeElement", this.title(element, index)), () => this.remove(index), { "data-tool": "remove" }));
      const card = make("div", { class: isOpen ? "card open" : "card", "data-index": String(index) }, make("div", { class: "card-bar" }, head, tools), make("ul", { class: "remarks" }));
      head.addEventListener("keydown", (event) => {
        const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
        if (step) {
          event.preventDefault();
          this.move(index, index + step);
        } else if (event.key === "Delete") {
          event.preventDefault();
          this.remove(index);
        }
      });
      if (isOpen) card.append(make("div", { class: "card-body" }, ...this.body(index)));
      return card;
    }));
    if (focused !== undefined) this.cards.children[Math.min(Number(focused), this.cards.children.length - 1)]?.querySelector(".card-head").focus({ preventScroll: true });
  }

  body(index) {
    const valueOf = (key) => this.session.value(this.concrete(key, index));
    return this.rows.filter((row) => applies(row, valueOf)).map((row) => {
      const keys = this.keys.map((key) => `${key}[${index}]${row.key.slice(this.list.length + 2)}`);
      let shown = inPlace(row, this.session.document);
      if (row.key.endsWith("triggers[].emitter")) {
        const names = this.session.document.emitters.map((emitter, place) => visible(emitter.name || text("emitterNumber", place + 1)));
        shown = { ...row, maximum: names.length - 1, minimum: 0, usual: [0, Math.max(names.length - 1, 1)], step: 1 };
      }
      return PropertyRow.of(new Binding(this.session, keys, shown, row.key), this.options);
    });
  }

  concrete(key, index) { return concrete(key, Number(/^emitters\[(\d+)\]/.exec(this.binding.keys[0])?.[1] ?? 0), index); }

  toggle(index, isOpen) {
    if (isOpen) {
      this.open.delete(index);
      this.isClosedByUser = true;
    } else this.open.add(index);
    this.refresh();
  }

  // MARK: Changes

  async change(make, name) {
    const wanted = this.keys;
    const values = this.binding.values;
    const changes = this.binding.keys.flatMap((key, index) => (wanted.includes(key) ? [{ key, value: make(structuredClone(values[index] ?? [])) }] : []));
    const fault = await this.session.edit(name, changes).then(() => undefined, (reason) => reason);
    tellFault(this, fault);
    this.refresh();
  }

  chooseNew(anchor) {
    const found = pasted(this.list);
    const entries = starts[this.list].map((start) => ({ id: start.id, label: start.label(), icon: "plus", run: () => this.insert(start.value) }));
    if (found) entries.push({ id: "paste", label: text("paste"), icon: "paste", separates: true, run: () => this.insert(found.value) });
    if (entries.length === 1) return this.insert(starts[this.list][0].value);
    openMenu(anchor, entries, label(this.list));
  }

  insert(value, at = this.elements.length) {
    this.open = new Set([at]);
    this.change((all) => [...all.slice(0, at), structuredClone(value), ...all.slice(at)], text(`new_${this.kind}`));
  }

  remove(index) {
    this.open = new Set([...this.open].flatMap((each) => (each === index ? [] : [each > index ? each - 1 : each])));
    this.change((all) => all.filter((_, place) => place !== index), text("removeElement", this.title(this.elements[index], index)));
  }

  move(from, to) {
    if (to < 0 || to >= this.elements.length) return;
    this.open = new Set([...this.open].map((each) => (each === from ? to : each === to ? from : each)));
    this.change((all) => {
      const [element] = all.splice(from, 1);
      all.splice(to, 0, element);
      return all;
    }, text("moveElement", this.title(this.elements[from], from))).then(() => this.cards.children[to]?.querySelector(".card-head").focus({ preventScroll: true }));
  }

  openMenu(anchor, index) {
    openMenu(anchor, [
      { id: "up", label: text("moveUp"), icon: "up", isDisabled: index === 0, run: () => this.move(index, index - 1) },
      { id: "down", label: text("moveDown"), icon: "download", isDisabled: index === this.elements.length - 1, run: () => this.move(index, index + 1) },
      { id: "duplicate", label: text("duplicate"), icon: "copy", run: () => this.insert(this.elements[index], index + 1) },
      { id: "copy", label: text("copy"), icon: "copy", run: () => copy(this.list, this.elements[index]) },
      { id: "remove", label: text("remove"), icon: "close", separates: true, run: () => this.remove(index) },
    ]);
  }
}

customElements.define("effect-cards", CardList);
