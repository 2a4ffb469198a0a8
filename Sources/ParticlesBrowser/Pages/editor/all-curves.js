// All curves over the life of the selected emitters in one editor, each in its colour. Hidden curves cannot be hit.

import { make } from "../icons.js";
import { text } from "../texts.js";
import { Binding } from "./binding.js";
import { CurveEditor } from "./curve.js";
import { concrete, inPlace, label } from "./rows.js";
import { formOf, shortTrack, trackOf } from "./values.js";

export class AllCurves extends HTMLElement {
  static of(session, rows) {
    const element = document.createElement("effect-all-curves");
    Object.assign(element, { session, rows: rows.all.filter(({ key, kind }) => kind === "Track" && key.startsWith("emitters[].") && !key.includes("[]", 11)) });
    element.className = "c-all-curves";
    element.refresh();
    return element;
  }

  /** The rows that are over the life in the first of the selected emitters. */
  get shown() {
    const [first] = this.session.selected;
    if (first === undefined) return [];
    return this.rows.filter((row) => formOf(this.session.value(concrete(row.key, first))) === "life");
  }

  get isEmpty() { return !this.shown.length; }

  curve(row) {
    // Only emitters that have a curve here, too.
    const keys = this.session.selected.map((index) => concrete(row.key, index)).filter((key) => formOf(this.session.value(key)) === "life");
    const track = new Binding(this.session, keys, row, row.key);
    const mapping = () => {
      const { from = 0, to, relative } = trackOf(track.value);
      if (typeof from !== "number" || typeof to !== "number") return undefined;
      const scale = relative ? to : to - from;
      return scale === 0 ? undefined : { offset: from, scale, unit: inPlace(row, this.session.document).unit ?? "" };
    };
    return { id: row.key, label: label(row.key), mapping, binding: track.part((json) => trackOf(json).curve ?? "linear", (json, curve) => shortTrack({ ...trackOf(json), curve })) };
  }

  refresh() {
    const shown = this.shown;
    const name = JSON.stringify([shown.map(({ key }) => key), this.session.selected]);
    if (name === this.known) {
      this.editor?.refresh();
      return;
    }
    this.known = name;
    const hidden = new Set([...this.editor?.hiddenCurves ?? []].map((index) => this.editor.curves[index].id));
    const active = this.editor?.curves[this.editor.active].id;
    this.editor = shown.length ? CurveEditor.of(shown.map((row) => this.curve(row))) : undefined;
    this.replaceChildren(this.editor ?? make("p", { class: "quiet-note" }, text("noCurves")));
    if (!this.editor) return;
    shown.forEach(({ key }, index) => { if (hidden.has(key)) this.editor.hiddenCurves.add(index); });
    const place = shown.findIndex(({ key }) => key === active);
    if (place > 0) this.editor.activate(place);
  }
}

customElements.define("effect-all-curves", AllCurves);
