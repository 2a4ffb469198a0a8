// The list of emitters: selected, named, ordered, muted, copied, and merged from dropped files.

import { make } from "../icons.js";
import { faultLine, text, visible } from "../texts.js";
import { clipboard, copy, draggable, openMenu, pasted, setIcon, symbol, tool } from "./control-parts.js";
import { addPreset, copied, forEffect, presetOf } from "./emitter-preset.js";
import { openPresets } from "./preset-menu.js";
import { spritePicture } from "./sprite-field.js";

/** A file that is larger is not read. */
const mostBytes = 256 << 20;
/** An emitter to begin with: something to be seen. */
const standard = { emission: { rate: 40 }, launch: { speed: { min: 60, max: 120 }, spread: 30 }, lifetime: { min: 0.8, max: 1.6 }, size: { width: { from: 24, to: 4 } } };

export class EffectEmitters extends HTMLElement {
  connectedCallback() {
    if (this.list) return;
    this.className = "c-emitters";
    this.focused = 0;
    this.build();
    this.listeners = { change: () => this.refresh(), selection: () => this.refresh(), view: () => this.refresh(), findings: () => this.refresh() };
    for (const [name, listener] of Object.entries(this.listeners)) this.session.addEventListener(name, listener);
    this.timer = setInterval(() => this.showCounts(), 500);
    this.refresh();
  }

  disconnectedCallback() {
    clearInterval(this.timer);
    for (const [name, listener] of Object.entries(this.listeners)) this.session.removeEventListener(name, listener);
    this.list = undefined;
    this.replaceChildren();
  }

  get emitters() { return this.session.document.emitters ?? []; }
  name(index) { return visible(this.emitters[index]?.name || text("emitterNumber", index + 1)); }

  build() {
    this.list = make("div", { class: "list", role: "grid", "aria-multiselectable": "true", "aria-label": text("emitters") });
    this.addButton = tool("plus", text("addEmitter"), (event) => this.chooseNew(event.currentTarget), { "aria-haspopup": "menu", "data-tool": "add" });
    this.moreButton = tool("more", text("more"), (event) => this.openMenu(event.currentTarget, this.session.selected[0]), { "aria-haspopup": "menu", "data-tool": "more" });
    this.note = make("p", { class: "quiet-note", role: "status" });
    this.picker = make("input", { type: "file", hidden: true, multiple: true, "aria-label": text("mergeFile") });
    this.picker.addEventListener("change", () => this.merge([...this.picker.files]));
    this.append(make("header", { class: "c-head" }, make("div", { class: "c-line" }, make("h3", { class: "c-title" }, text("emitters")), this.addButton, this.moreButton)), this.list, this.note, this.picker);
    this.line = make("i", { class: "drop-line", hidden: true });
    this.list.append(this.line);
    this.list.addEventListener("keydown", (event) => this.pressed(event));
    this.list.addEventListener("focusin", ({ target }) => { if (target.dataset.emitter !== undefined) this.focused = Number(target.dataset.emitter); });
    clipboard(this, {
      onCopy: (event, isCut) => {
        copy("emitters", copied(this.session, this.session.selected), event);
        if (isCut) this.remove();
      },
      onPaste: (line) => this.paste(line),
    });
    this.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      this.classList.add("dropping");
    });
    this.addEventListener("dragleave", (event) => { if (!this.contains(event.relatedTarget)) this.classList.remove("dropping"); });
    this.addEventListener("drop", (event) => {
      this.classList.remove("dropping");
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      event.stopPropagation();
      this.merge([...event.dataTransfer.files]);
    });
  }

  // MARK: Showing

  refresh() {
    if (!this.list || this.isRenaming) return;
    const { emitters } = this;
    const isReadOnly = Boolean(this.session.isReadOnly);
    const rows = [...this.list.querySelectorAll(".emitter")];
    const pictures = JSON.stringify([this.session.document.images, this.session.document.sprites, this.session.files?.map(({ path, isMissing }) => [path, isMissing])]);
    if (rows.length !== emitters.length || pictures !== this.pictures) {
      this.pictures = pictures;
      const hadFocus = this.list.contains(document.activeElement);
      this.list.replaceChildren(...emitters.map((_, index) => this.row(index)), this.line);
      if (hadFocus) this.rowAt(Math.min(this.focused, emitters.length - 1))?.focus({ preventScroll: true });
    }
    const { muted = [], solo = [] } = this.session.view ?? {};
    this.focused = Math.min(this.focused, Math.max(emitters.length - 1, 0));
    emitters.forEach((emitter, index) => {
      const row = this.rowAt(index);
      const isSelected = this.session.selected.includes(index);
      row.setAttribute("aria-selected", String(isSelected));
      row.tabIndex = index === this.focused ? 0 : -1;
      row.setAttribute("aria-label", this.name(index));
      row.querySelector(".emitter-name").textContent = this.name(index);
      const isMuted = solo.length ? !solo.includes(index) : muted.includes(index);
      row.classList.toggle("silent", isMuted || emitter.enabled === false);
      const [mute, only] = row.querySelectorAll(".emitter-tools button");
      mute.setAttribute("aria-pressed", String(muted.includes(index)));
      setIcon(mute, muted.includes(index) ? "eyeOff" : "eye");
      only.setAttribute("aria-pressed", String(solo.includes(index)));
      const worst = this.session.findings?.filter(({ key }) => key?.startsWith(`emitters[${index}]`)).map(({ severity }) => severity);
      row.dataset.level = worst?.includes("error") ? "error" : worst?.includes("warning") ? "warning" : "";
      const first = JSON.stringify(emitter.sprites ?? []);
      if (row.dataset.sprites !== first) {
        row.dataset.sprites = first;
        row.querySelector(".emitter-picture").replaceChildren(emitter.sprites?.length ? spritePicture(this.session, emitter.sprites[0]) : symbol("burst"));
      }
    });
    this.addButton.disabled = isReadOnly;
    this.note.textContent = emitters.length ? "" : text("noEmitters");
    this.showCounts();
  }

  /** How many particles of each live. */
  showCounts() {
    const counts = this.session.stage?.count.statistics?.emitters;
    this.list?.querySelectorAll(".emitter-count").forEach((each, index) => {
      const alive = counts?.[index]?.alive;
      const shown = alive === undefined ? "" : String(alive);
      if (each.textContent !== shown) each.textContent = shown;
    });
  }

  row(index) {
    const row = make("div", { class: "emitter", role: "row", "data-emitter": String(index) },
      make("div", { role: "gridcell", class: "emitter-main" }, make("span", { class: "grip" }, symbol("grip")), make("span", { class: "emitter-picture" }), make("span", { class: "emitter-name" }),
        make("span", { class: "emitter-count", title: text("living") })),
      make("div", { role: "gridcell", class: "emitter-tools" },
        tool("eye", text("mute", this.name(index)), () => this.toggleView("muted", index), { tabindex: "-1", "data-tool": "mute" }),
        tool("solo", text("solo", this.name(index)), () => this.toggleView("solo", index), { tabindex: "-1", "data-tool": "solo" })));
    row.addEventListener("dblclick", (event) => { if (!event.target.closest("button")) this.rename(index); });
    row.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      if (!this.session.selected.includes(index)) this.session.select([index]);
      this.openMenu(row, index);
    });
    this.listenToDrag(row, index);
    return row;
  }

  rowAt(index) { return this.list.querySelector(`[data-emitter="${index}"]`); }

  // MARK: Selecting and ordering by pointer

  listenToDrag(row, index) {
    draggable(row, {
      begin: (event) => {
        if (event.target.closest("button, input")) return undefined;
        this.focused = index;
        row.focus({ preventScroll: true });
        this.choose(index, event);
        return { y: event.clientY };
      },
      move: (event, state) => {
        if (this.session.isReadOnly || (!state.isMoving && Math.abs(event.clientY - state.y) < 5)) return;
        state.isMoving = true;
        row.classList.add("dragged");
        const rows = [...this.list.querySelectorAll(".emitter")];
        let place = rows.findIndex((each) => {
          const box = each.getBoundingClientRect();
          return event.clientY < box.top + box.height / 2;
        });
        if (place < 0) place = rows.length;
        state.place = place;
        this.line.hidden = false;
        const near = rows[Math.min(place, rows.length - 1)];
        this.line.style.top = `${near.offsetTop + (place === rows.length ? near.offsetHeight : 0) - 1}px`;
      },
      end: (_, state) => {
        row.classList.remove("dragged");
        this.line.hidden = true;
        if (!state.isMoving || state.place === undefined) return;
        const to = state.place > index ? state.place - 1 : state.place;
        this.move(index, to);
      },
      cancel: () => {
        row.classList.remove("dragged");
        this.line.hidden = true;
      },
    });
  }

  choose(index, event) {
    const { selected } = this.session;
    if (event.shiftKey && selected.length) {
      const [from, to] = [Math.min(selected[0], index), Math.max(selected[0], index)];
      const range = Array.from({ length: to - from + 1 }, (_, place) => from + place);
      this.session.select([selected[0], ...range.filter((each) => each !== selected[0])]);
    } else if (event.ctrlKey || event.metaKey) {
      const next = selected.includes(index) ? selected.filter((each) => each !== index) : [...selected, index];
      if (next.length) this.session.select(next);
    } else if (selected.length !== 1 || selected[0] !== index) {
      this.session.select([index]);
    }
  }

  // MARK: Keyboard

  pressed(event) {
    if (event.target.matches("input")) return;
    const count = this.emitters.length;
    const isCommand = event.ctrlKey || event.metaKey;
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -count, End: count }[event.key];
    let isTaken = true;
    if (step && event.altKey) {
      this.move(this.focused, Math.min(Math.max(this.focused + Math.sign(step), 0), count - 1));
    } else if (step) {
      this.focused = Math.min(Math.max(this.focused + step, 0), count - 1);
      if (event.shiftKey) this.session.select([...this.session.selected.filter((each) => each !== this.focused), this.focused]);
      else if (!isCommand) this.session.select([this.focused]);
      this.refresh();
      this.rowAt(this.focused)?.focus({ preventScroll: false });
    } else if (event.key === "F2" || event.key === "Enter") this.rename(this.focused);
    else if (event.key === "Delete" || event.key === "Backspace") this.remove();
    else if (isCommand && event.key === "d") this.duplicate();
    else if (isCommand && event.key === "a") this.session.select([...this.emitters.keys()]);
    else if (!isCommand && event.key === "m") this.toggleView("muted", this.focused);
    else if (!isCommand && event.key === "s") this.toggleView("solo", this.focused);
    else if (event.key === " ") this.choose(this.focused, { ctrlKey: true });
    else if (event.key === "Insert") this.add();
    else isTaken = false;
    if (!isTaken) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // MARK: Changes

  /** An order of the list. Emitters stay muted at their new indices. */
  async structure(operation, place = (index) => index) {
    if (this.session.isReadOnly) return;
    try {
      const { muted, solo } = this.session.view ?? {};
      await this.session.structure(operation);
      for (const [name, indices] of [["muted", muted], ["solo", solo]]) {
        if (indices?.length) this.session.setView(name, indices.map(place).filter((index) => index !== undefined));
      }
      this.note.textContent = "";
    } catch (fault) {
      this.tell(fault);
    }
    this.refresh();
  }

  tell(fault) { this.note.textContent = faultLine(fault); }

  add(value = { name: text("newEmitter"), ...structuredClone(standard) }) { return this.structure({ op: "add", values: [value] }); }

  async duplicate() {
    const indices = [...this.session.selected].sort((a, b) => a - b);
    await this.structure({ op: "duplicate", indices }, (index) => index + indices.filter((each) => each < index).length);
  }

  async remove() {
    const indices = [...this.session.selected];
    if (!indices.length) return;
    await this.structure({ op: "remove", indices }, (index) => (indices.includes(index) ? undefined : index - indices.filter((each) => each < index).length));
    this.focused = Math.min(this.focused, this.emitters.length - 1);
    this.rowAt(this.focused)?.focus({ preventScroll: true });
  }

  async move(index, to) {
    if (index === to || to < 0 || to >= this.emitters.length) return;
    await this.structure({ op: "move", index, to }, (each) => {
      if (each === index) return to;
      if (index < each && each <= to) return each - 1;
      return to <= each && each < index ? each + 1 : each;
    });
    this.focused = to;
    this.refresh();
    this.rowAt(to)?.focus({ preventScroll: true });
  }

  paste(line) {
    const found = pasted("emitters", line);
    if (!found) return false;
    this.structure({ op: "paste", values: forEffect(this.session, found.value) });
    return true;
  }

  toggleView(name, index) {
    const now = this.session.view?.[name] ?? [];
    this.session.setView(name, now.includes(index) ? now.filter((each) => each !== index) : [...now, index]);
  }

  rename(index) {
    const row = this.rowAt(index);
    if (!row || this.session.isReadOnly) return;
    this.isRenaming = true;
    const shown = row.querySelector(".emitter-name");
    const input = make("input", { type: "text", class: "emitter-name", value: this.emitters[index].name ?? "", "aria-label": text("rename"), spellcheck: "false", autocomplete: "off" });
    shown.replaceWith(input);
    input.focus();
    input.select();
    const finish = async (isKept) => {
      if (!this.isRenaming) return;
      this.isRenaming = false;
      const name = input.value.trim();
      input.replaceWith(shown);
      row.focus({ preventScroll: true });
      if (isKept && name && name !== this.emitters[index].name) await this.structure({ op: "rename", index, name });
      this.refresh();
    };
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") finish(true);
      if (event.key === "Escape") {
        event.preventDefault();
        finish(false);
      }
    });
    input.addEventListener("blur", () => finish(true));
  }

  /** Merges emitters of files of any format. Pictures become images of the selected emitter. */
  async merge(files) {
    this.picker.value = "";
    for (const file of files) {
      if (file.size > mostBytes) {
        this.note.textContent = text("tooLarge", visible(file.name));
        continue;
      }
      this.note.textContent = text("loading");
      try {
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (file.type.startsWith("image/")) await this.session.putImage(`Images/${file.name}`, bytes, { emitter: this.session.selected[0] });
        else await this.session.mergeBytes(file.name, bytes);
        this.note.textContent = "";
      } catch (fault) {
        this.tell(fault);
      }
    }
    this.refresh();
  }

  // MARK: Menus

  chooseNew(anchor) {
    openMenu(anchor, [
      { id: "new", label: text("newEmitter"), icon: "plus", run: () => this.add() },
      { id: "presets", label: `${text("presets")} …`, icon: "bookmark", run: () => this.openPresets(anchor) },
      { id: "paste", label: text("paste"), icon: "paste", isDisabled: !pasted("emitters"), run: () => this.paste() },
      { id: "merge", label: text("mergeFile"), icon: "download", separates: true, run: () => this.picker.click() },
    ], text("addEmitter"));
  }

  openPresets(anchor) {
    openPresets(anchor, { session: this.session, kind: "emitter", current: this.emitters.length ? () => presetOf(this.session, this.session.selected[0] ?? 0) : undefined,
      apply: (value) => addPreset(this.session, value).catch((fault) => this.tell(fault)) });
  }

  openMenu(anchor, index = 0) {
    if (!this.emitters.length) return this.chooseNew(anchor);
    const isReadOnly = Boolean(this.session.isReadOnly);
    openMenu(anchor, [
      { id: "rename", label: text("rename"), icon: "pencil", isDisabled: isReadOnly, run: () => this.rename(index) },
      { id: "duplicate", label: text("duplicate"), icon: "copy", isDisabled: isReadOnly, run: () => this.duplicate() },
      { id: "up", label: text("moveUp"), icon: "up", isDisabled: isReadOnly || index === 0, run: () => this.move(index, index - 1) },
      { id: "down", label: text("moveDown"), icon: "download", isDisabled: isReadOnly || index === this.emitters.length - 1, run: () => this.move(index, index + 1) },
      { id: "copy", label: text("copy"), icon: "copy", separates: true, run: () => copy("emitters", copied(this.session, this.session.selected)) },
      { id: "paste", label: text("paste"), icon: "paste", isDisabled: isReadOnly || !pasted("emitters"), run: () => this.paste() },
      { id: "preset", label: text("savePresetMenu"), icon: "bookmark", run: () => this.openPresets(anchor) },
      { id: "remove", label: text("remove"), icon: "trash", separates: true, isDisabled: isReadOnly, run: () => this.remove() },
    ]);
  }
}

customElements.define("effect-emitters", EffectEmitters);
