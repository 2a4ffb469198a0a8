// The images of the effect: added, replaced, cut into frames or regions. Missing images are asked for once. Soft images are made of numbers.

import { make } from "../icons.js";
import { reach } from "../server.js";
import { faultLine, text, visible } from "../texts.js";
import { fromBase64, toBase64 } from "./base64.js";
import { openMenu, symbol, tool } from "./control-parts.js";
import { freePath } from "./emitter-preset.js";
import { openPresets } from "./preset-menu.js";
import { openSoft } from "./soft-image.js";
import { openSprite } from "./sprite-editor.js";
import { spriteName, spritePicture } from "./sprite-field.js";

const mostBytes = 64 << 20;
const baseName = (path) => path.split(/[\\/]/).at(-1).toLowerCase();

export class EffectImages extends HTMLElement {
  connectedCallback() {
    if (this.grid) return;
    this.className = "c-images";
    this.build();
    this.listeners = { change: () => this.refresh(), selection: () => this.refresh(), state: () => this.refresh() };
    for (const [name, listener] of Object.entries(this.listeners)) this.session.addEventListener(name, listener);
    this.refresh();
  }

  disconnectedCallback() {
    for (const [name, listener] of Object.entries(this.listeners)) this.session.removeEventListener(name, listener);
    this.grid = undefined;
    this.replaceChildren();
  }

  get sprites() { return this.session.document.sprites ?? []; }
  get images() { return this.session.document.images ?? []; }
  get missing() { return (this.session.files ?? []).filter(({ isMissing }) => isMissing); }

  build() {
    const file = (values, use) => {
      const input = make("input", { type: "file", hidden: true, accept: "image/*", ...values });
      input.addEventListener("change", () => {
        use([...input.files]);
        input.value = "";
      });
      return input;
    };
    this.adder = file({ multiple: true, "aria-label": text("addImage") }, (files) => this.add(files));
    this.replacer = file({ "aria-label": text("replaceImage") }, ([chosen]) => chosen && this.put(this.replaced, chosen));
    this.finder = file({ multiple: true, "aria-label": text("chooseFiles") }, (files) => this.find(files));
    this.folder = file({ multiple: true, webkitdirectory: true, accept: null, "aria-label": text("chooseFolder") }, (files) => this.find(files));
    this.addButton = tool("plus", text("addImage"), (event) => this.chooseNew(event.currentTarget), { "aria-haspopup": "menu", "data-tool": "add" });
    this.ask = make("div", { class: "ask", role: "alert", hidden: true });
    this.grid = make("ul", { class: "image-grid" });
    this.note = make("p", { class: "quiet-note", role: "status" });
    this.append(make("header", { class: "c-head" }, make("div", { class: "c-line" }, make("h3", { class: "c-title" }, text("images")), this.addButton)), this.ask, this.grid, this.note, this.adder, this.replacer, this.finder, this.folder);
    this.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      const card = event.target.closest(".image-card");
      for (const each of this.querySelectorAll(".dropping")) each.classList.remove("dropping");
      (card ?? this).classList.add("dropping");
    });
    this.addEventListener("dragleave", (event) => { if (!this.contains(event.relatedTarget)) this.clearDrop(); });
    this.addEventListener("drop", (event) => {
      const files = [...event.dataTransfer?.files ?? []];
      const card = event.target.closest(".image-card");
      this.clearDrop();
      if (!files.length) return;
      event.preventDefault();
      event.stopPropagation();
      if (card && files.length === 1) this.put(this.imageOf(Number(card.dataset.sprite))?.uri, files[0]);
      else this.add(files);
    });
  }

  clearDrop() {
    this.classList.remove("dropping");
    for (const each of this.querySelectorAll(".dropping")) each.classList.remove("dropping");
  }

  imageOf(sprite) { return this.images[this.sprites[sprite]?.image]; }

  // MARK: Showing

  refresh() {
    if (!this.grid) return;
    const { session } = this;
    const used = (index) => (session.document.emitters ?? []).filter(({ sprites = [] }) => sprites.includes(index)).length;
    const shown = JSON.stringify([this.sprites, this.images, session.files?.map(({ path, isMissing, size, digest }) => [path, isMissing, size, digest]), this.sprites.map((_, index) => used(index)), session.selected, (session.document.emitters ?? []).map(({ sprites }) => sprites), Boolean(session.isReadOnly)]);
    if (shown === this.shown) return;
    this.shown = shown;
    const focused = this.grid.contains(document.activeElement) ? document.activeElement.closest(".image-card")?.dataset.sprite : undefined;
    this.grid.replaceChildren(...this.sprites.map((sprite, index) => this.card(sprite, index, used(index))));
    if (focused !== undefined) this.grid.querySelector(`[data-sprite="${focused}"] .image-open`)?.focus({ preventScroll: true });
    this.addButton.disabled = Boolean(session.isReadOnly);
    if (!this.sprites.length && !this.note.textContent) this.note.textContent = text("noImages");
    if (this.sprites.length && this.note.textContent === text("noImages")) this.note.textContent = "";
    this.showMissing();
  }

  card(sprite, index, count) {
    const image = this.imageOf(index);
    const name = spriteName(this.session, index);
    const isShown = this.session.selected.some((each) => this.session.document.emitters?.[each]?.sprites?.includes(index));
    const size = sprite.region ? `${sprite.region[2]} × ${sprite.region[3]}` : image?.width ? `${image.width} × ${image.height}` : "";
    const grid = sprite.grid ? ` · ${sprite.grid.columns ?? 1} × ${sprite.grid.rows ?? 1}` : "";
    const file = this.session.files?.find(({ path, uri }) => (uri ?? path) === image?.uri);
    const open = make("button", { type: "button", class: "image-open", "aria-label": text("editSprite", name), onclick: (event) => openSprite(event.currentTarget, this.session, index) }, spritePicture(this.session, index));
    return make("li", { class: `image-card${isShown ? " shown" : ""}${file?.isMissing ? " missing" : ""}`, "data-sprite": String(index) }, open,
      make("div", { class: "image-words" }, make("span", { class: "image-name", title: image?.uri ?? "" }, name), make("small", {}, file?.isMissing ? text("missing") : `${size}${grid}`), make("small", {}, text("usedBy", count))),
      tool("more", text("moreOf", name), (event) => this.openMenu(event.currentTarget, index), { "aria-haspopup": "menu", "data-tool": "more" }));
  }

  /** Asks for all missing images at once. */
  showMissing() {
    const { missing } = this;
    this.ask.hidden = !missing.length || this.isAsked;
    if (this.ask.hidden) return;
    const names = missing.map(({ path }) => visible(baseName(path)));
    this.ask.replaceChildren(symbol("warning"), make("div", {}, make("b", {}, missing.length === 1 ? text("oneMissing", names[0]) : text("manyMissing", missing.length)),
      missing.length > 1 ? make("small", {}, names.join(", ")) : null,
      make("div", { class: "ask-tools" }, make("button", { type: "button", class: "primary", onclick: () => this.finder.click() }, text("chooseFiles")),
        make("button", { type: "button", onclick: () => this.chooseFolder() }, text("chooseFolder")),
        make("button", { type: "button", onclick: () => { this.isAsked = true; this.showMissing(); this.addButton.focus(); } }, text("notNow")))));
  }

  // MARK: Changes

  tell(fault) { this.note.textContent = typeof fault === "string" ? fault : faultLine(fault); }

  async put(path, file, options = {}) {
    if (!path) return;
    if (file.size > mostBytes) return this.tell(text("tooLarge", visible(file.name)));
    this.tell(text("loading"));
    try {
      await this.session.putImage(path, file instanceof Uint8Array ? file : new Uint8Array(await file.arrayBuffer()), options);
      this.tell("");
    } catch (fault) {
      this.tell(fault);
    }
    this.refresh();
  }

  /** New images, shown by the selected emitter. Those with the name of a missing one take its place. */
  async add(files) {
    for (const file of files) {
      const lost = this.missing.find(({ path }) => baseName(path) === file.name.toLowerCase());
      if (lost) await this.put(lost.path, file);
      else await this.put(freePath(this.session, file.name), file, { emitter: this.session.selected[0] });
    }
  }

  /** Missing images, by the names of chosen files. */
  async find(files) {
    let count = 0;
    for (const { path } of this.missing) {
      const file = files.find((each) => each.name.toLowerCase() === baseName(path));
      if (!file) continue;
      await this.put(path, file);
      count += 1;
    }
    this.tell(count ? text("found", count) : text("noneFound"));
    this.showMissing();
  }

  /** The browser remembers the folder by the name of the picker. Where it has none, a field for files takes its place. */
  async chooseFolder() {
    if (!window.showDirectoryPicker) return this.folder.click();
    const files = [];
    const wanted = new Set(this.missing.map(({ path }) => baseName(path)));
    let left = 20_000;
    const walk = async (folder, depth) => {
      for await (const entry of folder.values()) {
        if (left-- < 0 || files.length >= wanted.size) return;
        if (entry.kind === "file") {
          if (wanted.has(entry.name.toLowerCase())) files.push(await entry.getFile());
        } else if (depth < 6) await walk(entry, depth + 1);
      }
    };
    try {
      await walk(await window.showDirectoryPicker({ id: "particles-images", mode: "read" }), 0);
    } catch (fault) {
      if (fault.name === "AbortError") return undefined;
      return this.tell(fault);
    }
    return this.find(files);
  }

  async duplicate(index) {
    const { session } = this;
    await this.attempt(session.edit("duplicate", [{ key: "sprites", value: [...this.sprites, structuredClone(this.sprites[index])] }]));
  }

  async attempt(promise) {
    try {
      await promise;
      this.tell("");
    } catch (fault) {
      this.tell(fault);
    }
    this.refresh();
  }

  /** Lets the selected emitters show a sprite, or no longer. */
  useIn(index) {
    const { session } = this;
    const emitters = session.document.emitters ?? [];
    const isUsed = session.selected.every((each) => emitters[each]?.sprites?.includes(index));
    return this.attempt(session.edit("chooseSprites", session.selected.map((each) => {
      const now = emitters[each]?.sprites ?? [];
      return { key: `emitters[${each}].sprites`, value: isUsed ? now.filter((one) => one !== index) : [...now.filter((one) => one !== index), index] };
    })));
  }

  // MARK: Menus

  chooseNew(anchor) {
    openMenu(anchor, [
      { id: "file", label: text("fromFile"), icon: "image", run: () => this.adder.click() },
      { id: "soft", label: text("softImage"), icon: "spark", run: () => this.openSoft(anchor) },
      { id: "presets", label: `${text("presets")} …`, icon: "bookmark", run: () => this.openPresets(anchor) },
    ], text("addImage"));
  }

  openSoft(anchor) { openSoft(anchor, this.session, (name, bytes) => this.put(freePath(this.session, `${name}.png`), bytes, { emitter: this.session.selected[0] })); }

  /** A preset of an image has its bytes as base64. */
  openPresets(anchor, index) {
    const image = index === undefined ? undefined : this.imageOf(index);
    let bytes;
    const begin = async () => {
      if (image) {
        const response = await reach(this.session.image(image.uri));
        // A missing image cannot be stored.
        if (response.ok) bytes = new Uint8Array(await response.arrayBuffer());
      }
      openPresets(anchor, { session: this.session, kind: "image", current: bytes ? () => ({ name: baseName(image.uri), base64: toBase64(bytes), sprite: this.sprites[index].grid ? { grid: this.sprites[index].grid } : {} }) : undefined,
        apply: (value) => this.put(freePath(this.session, value.name ?? "image.png"), fromBase64(value.base64), { emitter: this.session.selected[0] }) });
    };
    begin().catch((fault) => this.tell(fault));
  }

  openMenu(anchor, index) {
    const isReadOnly = Boolean(this.session.isReadOnly);
    const isUsed = this.session.selected.every((each) => this.session.document.emitters?.[each]?.sprites?.includes(index));
    openMenu(anchor, [
      { id: "edit", label: text("editSpriteShort"), icon: "grid", run: () => openSprite(anchor, this.session, index) },
      { id: "use", label: text(isUsed ? "stopShowing" : "showInEmitter"), icon: isUsed ? "eyeOff" : "eye", isDisabled: isReadOnly || !this.session.selected.length, run: () => this.useIn(index) },
      { id: "replace", label: text("replaceImage"), icon: "convert", isDisabled: isReadOnly, run: () => {
        this.replaced = this.imageOf(index)?.uri;
        this.replacer.click();
      } },
      { id: "duplicate", label: text("newRegion"), icon: "copy", isDisabled: isReadOnly, run: () => this.duplicate(index) },
      { id: "preset", label: text("savePresetMenu"), icon: "bookmark", run: () => this.openPresets(anchor, index) },
      { id: "remove", label: text("remove"), icon: "trash", separates: true, isDisabled: isReadOnly, run: () => this.attempt(this.session.edit("remove", [{ key: `sprites[${index}]`, unset: true }])) },
    ]);
  }
}

customElements.define("effect-images", EffectImages);
