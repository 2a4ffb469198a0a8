// The presets of the user, by kind: a click applies one where it fits. Presets can be stored and removed.

import { make } from "../icons.js";
import { faultLine, text, visible } from "../texts.js";
import { fromBase64 } from "./base64.js";
import { gradientPresets, writeGradient } from "./colors.js";
import { copy, openMenu, tool } from "./control-parts.js";
import { curvePresets, writeCurve } from "./curves.js";
import { addPreset, freePath, presetOf } from "./emitter-preset.js";
import { presetPicture, userPresets } from "./preset-menu.js";

const kinds = ["emitter", "curve", "gradient", "image"];
const builtIn = {
  curve: () => curvePresets.map(([name, curve]) => ({ name: text(name), value: writeCurve(curve) })),
  gradient: () => gradientPresets.map(([name, gradient]) => ({ name: text(name), value: writeGradient(gradient) })),
};

export class EffectPresets extends HTMLElement {
  connectedCallback() {
    if (this.list) return;
    this.className = "c-presets-panel";
    this.kind = "emitter";
    this.build();
    // A curve or a gradient is put into the editor that was used last.
    this.follow = (event) => {
      const editor = event.target.closest?.("effect-curve, effect-gradient");
      if (editor) this.editor = editor;
    };
    document.addEventListener("focusin", this.follow);
    this.show("emitter");
  }

  disconnectedCallback() {
    document.removeEventListener("focusin", this.follow);
    this.list = undefined;
    this.replaceChildren();
  }

  build() {
    this.tabs = make("div", { class: "segments", role: "tablist", "aria-label": text("presets") }, ...kinds.map((kind) => make("button", { type: "button", role: "tab", "data-kind": kind, id: `presets-${kind}`, onclick: () => this.show(kind) }, text(`presets_${kind}`))));
    this.tabs.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = (kinds.indexOf(this.kind) + step + kinds.length) % kinds.length;
      this.show(kinds[next]);
      this.tabs.children[next].focus();
    });
    this.list = make("ul", { class: "preset-list", role: "tabpanel" });
    this.note = make("p", { class: "quiet-note", role: "status" });
    this.keep = tool("bookmark", text("savePresetMenu"), () => this.askName(), { "data-tool": "save" });
    this.name = make("input", { type: "text", placeholder: text("presetName"), "aria-label": text("presetName"), hidden: true, autocomplete: "off", spellcheck: "false" });
    this.name.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.save();
      if (event.key === "Escape") {
        event.stopPropagation();
        event.preventDefault();
        this.name.hidden = true;
        this.keep.focus();
      }
    });
    this.append(make("header", { class: "c-head" }, make("div", { class: "c-line" }, make("h3", { class: "c-title" }, text("presets")), this.keep), this.tabs, this.name), this.list, this.note);
  }

  async show(kind = this.kind) {
    this.kind = kind;
    for (const tab of this.tabs.children) {
      tab.setAttribute("aria-selected", String(tab.dataset.kind === kind));
      tab.tabIndex = tab.dataset.kind === kind ? 0 : -1;
    }
    this.list.setAttribute("aria-labelledby", `presets-${kind}`);
    const own = await userPresets(this.session, kind);
    if (!this.list || kind !== this.kind) return;
    const line = ({ name, value }, isOwn) => make("li", {}, make("button", { type: "button", class: "preset-entry", title: visible(name), onclick: () => this.apply(value) }, presetPicture(kind, value), make("span", {}, visible(name))),
      isOwn ? tool("more", text("moreOf", visible(name)), (event) => this.openMenu(event.currentTarget, name, value), { "aria-haspopup": "menu" }) : null);
    this.list.replaceChildren(...own.map((each) => line(each, true)), ...(builtIn[kind]?.() ?? []).map((each) => line(each, false)));
    this.note.textContent = this.list.childElementCount ? "" : text("noPresets");
    this.keep.disabled = kind === "image" || this.current() === undefined;
  }

  /** The value to store, or undefined. */
  current() {
    const { session, kind, editor } = this;
    if (kind === "emitter") return session.document.emitters?.[session.selected[0]];
    if (kind === "curve" && editor?.matches("effect-curve")) return editor.binding.value;
    if (kind === "gradient") return editor?.matches("effect-gradient") ? editor.binding.value : session.document.emitters?.[session.selected[0]]?.color?.base?.gradient;
    return undefined;
  }

  askName() {
    this.name.hidden = false;
    this.name.value = "";
    this.name.focus();
  }

  async save() {
    const name = this.name.value.trim();
    const value = this.current();
    if (!name || value === undefined) return;
    const saved = async () => this.session.savePreset(this.kind, name, this.kind === "emitter" ? await presetOf(this.session, this.session.selected[0]) : value);
    await this.attempt(saved());
    this.name.hidden = true;
    this.keep.focus();
    this.show();
  }

  async attempt(promise) {
    try {
      await promise;
      this.note.textContent = "";
      return true;
    } catch (fault) {
      this.note.textContent = faultLine(fault);
      return false;
    }
  }

  /** Applies a preset where it fits: a new emitter, the editor that was used last, the colour of the selected emitters, a new image. */
  async apply(value) {
    const { session, kind, editor } = this;
    const own = structuredClone(value);
    if (kind === "emitter") return this.attempt(addPreset(session, own));
    if (kind === "image") return this.attempt(session.putImage(freePath(session, own.name ?? "image.png"), fromBase64(own.base64 ?? ""), { emitter: session.selected[0] }));
    if (editor?.isConnected && editor.matches(`effect-${kind}`)) {
      await this.attempt(editor.binding.set(own));
      editor.refresh();
      return undefined;
    }
    if (kind === "gradient") return this.attempt(session.edit("presetGradient", session.selected.map((index) => ({ key: `emitters[${index}].color.base`, value: { gradient: own } }))));
    copy(kind, own);
    this.note.textContent = text("copiedCurve");
    return undefined;
  }

  openMenu(anchor, name, value) {
    openMenu(anchor, [
      { id: "apply", label: text("applyPreset"), icon: "check", run: () => this.apply(value) },
      { id: "copy", label: text("copy"), icon: "copy", run: () => copy(this.kind === "emitter" ? "emitters" : this.kind, this.kind === "emitter" ? { emitters: [value.emitter ?? value] } : value) },
      { id: "remove", label: text("remove"), icon: "trash", separates: true, run: async () => {
        await this.attempt(this.session.savePreset(this.kind, name, null));
        this.show();
      } },
    ]);
  }
}

customElements.define("effect-presets", EffectPresets);
