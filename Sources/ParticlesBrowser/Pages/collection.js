// Grid and list: only entries in view have elements, so that ten thousand documents are as quick as ten.

import { icon, make } from "./icons.js";
import { Moving } from "./moving.js";
import { Pictures } from "./pictures.js";
import { address } from "./server.js";
import { formatDate, formatDay, formatNumber, formatSize, shortened, text, visible } from "./texts.js";

/** Pixels above the first row. */
const firstRow = 8;
/** The beginning of a message: the problem, without its details. */
const reasonOf = (problem) => problem.split(/, not an effect|[:(]/)[0].trim();

const icons = { folder: "folder", text: "text", effect: "spark", other: "file" };

export class DocumentCollection extends HTMLElement {
  /** @type {"grid" | "list"} */
  mode = localStorage.getItem("mode") === "list" ? "list" : "grid";
  elements = new Map();
  anchor = undefined;
  view = { top: 0, width: 0, height: 0 };

  connect(model, scroller, options) {
    this.model = model;
    this.scroller = scroller;
    this.options = options;
    this.moving = new Moving(options.hasModule);
    this.pictures = new Pictures(this);
    scroller.addEventListener("scroll", () => {
      this.view.top = scroller.scrollTop;
      this.request();
    }, { passive: true });
    // Sizes are kept: to ask for them after a change would lay out the page at once.
    new ResizeObserver(() => {
      Object.assign(this.view, { width: scroller.clientWidth, height: scroller.clientHeight, top: scroller.scrollTop });
      this.layOut();
    }).observe(scroller);
    Object.assign(this.view, { width: scroller.clientWidth, height: scroller.clientHeight });
    model.addEventListener("shown", () => this.layOut());
    model.addEventListener("selection", () => this.mark());
    this.addEventListener("click", (event) => this.clicked(event));
    this.addEventListener("dblclick", (event) => {
      const entry = this.entryOf(event);
      if (entry?.item && !event.target.closest(".tick")) this.options.open(entry.item);
    });
    this.addEventListener("contextmenu", (event) => {
      // The key opens the menu of the current entry.
      const isOfKeyboard = event.target === this && event.button !== 2;
      const entry = isOfKeyboard ? this.shownAt(this.currentIndex) : this.entryOf(event);
      if (!entry?.item) return;
      event.preventDefault();
      if (!this.model.selection.has(entry.item.id)) this.choose(entry.index);
      const box = entry.element.getBoundingClientRect();
      this.options.menu(isOfKeyboard ? box.left + 24 : event.clientX, isOfKeyboard ? box.top + 24 : event.clientY);
    });
    this.addEventListener("keydown", (event) => this.typed(event));
    this.addEventListener("pointerover", (event) => {
      if (event.pointerType === "touch") return;
      const entry = this.entryOf(event);
      if (entry?.item?.kind === "effect") this.moving.show(entry.item, entry.element.querySelector(".picture"));
      else this.moving.hide();
    });
    this.addEventListener("pointerleave", () => this.moving.hide());
    this.addEventListener("blur", () => this.moving.hide());
    this.addEventListener("dragstart", (event) => this.drag(event));
  }

  setMode(mode) {
    this.mode = mode;
    localStorage.setItem("mode", mode);
    this.clear();
    this.layOut();
  }

  /** The characters of a name that have room: two lines of a tile, or one of a row. Characters take 9 pixels, mostly. */
  get mostOfName() {
    const { width } = this.geometry;
    return Math.max(16, Math.floor(this.mode === "grid" ? (2 * (width - 12)) / 9.4 - 4 : (width * 0.4) / 9));
  }

  clear() {
    this.moving.hide();
    this.pictures?.clear();
    for (const { element } of this.elements.values()) element.remove();
    this.elements.clear();
  }

  // MARK: Layout

  /** The entries in order, and the geometry. */
  layOut() {
    const { model } = this;
    if (!model.isLoaded) return;
    const isSearching = model.isFiltered;
    const { width } = this.view;
    const pad = width < 700 ? 16 : 26;
    const gap = width < 700 ? 14 : 22;
    const isGrid = this.mode === "grid";
    const least = width < 700 ? 132 : width > 2600 ? 270 : 172;
    const columns = isGrid ? Math.max(2, Math.floor((width - 2 * pad + gap) / (least + gap))) : 1;
    const tile = (width - 2 * pad - gap * (columns - 1)) / columns;
    this.geometry = isGrid
      ? { columns, pad, stepX: tile + gap, width: tile, rowHeight: tile + 84 }
      : { columns: 1, pad: pad - 10, stepX: 0, width: width - 2 * pad + 20, rowHeight: 54 };
    const canCreate = this.options.canCreate() && !isSearching && model.place.id !== "recents" && model.place.id !== "trash";
    this.entries = model.shown.map((item) => ({ item }));
    if (canCreate && this.entries.length) this.entries.unshift({ isNew: true });
    const height = firstRow + Math.ceil(this.entries.length / columns) * this.geometry.rowHeight + 92;
    this.style.height = `${height}px`;
    this.view.top = Math.max(0, Math.min(this.view.top, height - this.view.height));
    this.draw();
  }

  request() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw();
    });
  }

  /** Makes the elements in view, and removes others. */
  draw() {
    const { geometry } = this;
    if (!geometry) return;
    const top = this.view.top - geometry.rowHeight;
    const bottom = this.view.top + this.view.height + geometry.rowHeight;
    const wanted = new Map();
    const rows = Math.ceil(this.entries.length / geometry.columns);
    const from = Math.max(0, Math.floor((top - firstRow) / geometry.rowHeight));
    const to = Math.min(rows, Math.ceil((bottom - firstRow) / geometry.rowHeight));
    for (let index = from * geometry.columns; index < Math.min(this.entries.length, to * geometry.columns); index += 1) {
      const entry = this.entries[index];
      wanted.set(entry.isNew ? "new" : entry.item.id, {
        entry, index, x: geometry.pad + (index % geometry.columns) * geometry.stepX, y: firstRow + Math.floor(index / geometry.columns) * geometry.rowHeight,
      });
    }
    const known = new Map();
    const most = this.mostOfName;
    for (const [key, { element, item, room }] of this.elements) {
      if (wanted.has(key) && wanted.get(key).entry.item === item && room === most) continue;
      if (this.moving.isIn(element)) this.moving.hide();
      // A changed row keeps its picture if its address is equal.
      const image = wanted.has(key) ? element.querySelector("img.ready") : null;
      if (image) known.set(image.src, image);
      element.remove();
      this.elements.delete(key);
    }
    this.pictures.known = known;
    for (const [key, { entry, index, x, y }] of wanted) {
      let shown = this.elements.get(key);
      if (!shown) {
        const element = entry.isNew ? this.makeNew() : this.mode === "grid" ? this.makeTile(entry.item) : this.makeRow(entry.item);
        element.id = `d-${key}`;
        shown = { element, item: entry.item, room: most };
        this.elements.set(key, shown);
        this.append(element);
      }
      Object.assign(shown, { index, y });
      const style = shown.element.style;
      style.width = `${geometry.width}px`;
      style.transform = `translate(${x}px, ${y}px)`;
      if (this.mode === "list") style.height = `${geometry.rowHeight - 4}px`;
      shown.element.setAttribute("aria-posinset", index + 1);
      shown.element.setAttribute("aria-setsize", this.entries.length);
    }
    this.mark();
    this.pictures.pump();
    if (!this.hasRows && wanted.size) {
      this.hasRows = true;
      // For measurements: the first rows are in the next frame.
      requestAnimationFrame(() => performance.mark("rows"));
    }
  }

  mark() {
    for (const { element, item, index } of this.elements.values()) {
      element.setAttribute("aria-selected", String(Boolean(item && this.model.selection.has(item.id))));
      element.classList.toggle("current", index === this.currentIndex);
    }
    this.classList.toggle("picking", this.model.selection.size > 0);
    const current = this.shownAt(this.currentIndex);
    if (current) this.setAttribute("aria-activedescendant", current.element.id);
    else this.removeAttribute("aria-activedescendant");
  }

  // MARK: Elements

  makeNew() {
    const label = text("createDocument");
    const picture = make("div", { class: "picture" }, icon("plus"));
    const words = make("div", { class: "words" }, make("div", { class: "name" }, label));
    if (this.mode === "grid") return make("div", { class: "tile new", role: "option", "aria-label": label }, picture, words);
    return make("div", { class: "row tile-new", role: "option", "aria-label": label },
      make("div", { class: "lead" }, picture, words.firstChild));
  }

  makePicture(item) {
    const picture = make("div", { class: "picture" }, icon(item.problem ? "warning" : icons[item.kind]));
    if (item.kind === "effect" && !item.problem) {
      picture.append(this.pictures.image(item, picture));
    }
    picture.append(make("span", { class: "tick" }, icon("check")));
    if (this.mode === "grid") picture.append(this.makeLabels(item));
    return picture;
  }

  /** The star of a favourite, the first tag, and the number of further tags. */
  makeLabels(item) {
    if (!item.isFavourite && !item.tags.length) return "";
    return make("span", { class: "labels", "aria-hidden": "true" }, item.isFavourite ? icon("star") : null,
      ...item.tags.slice(0, 1).map((tag) => make("span", { class: "label" }, visible(tag))),
      item.tags.length > 1 ? make("span", { class: "label" }, `+${item.tags.length - 1}`) : null);
  }

  values(item) {
    return {
      role: "option", "data-kind": item.kind, draggable: item.kind === "folder" ? null : "true",
      "aria-disabled": item.isSelectable ? null : "true",
      "aria-label": [visible(item.name), item.title, item.folder && visible(item.folder), item.distance !== undefined && text("distance", formatNumber(item.distance)), item.isFavourite && text("isFavourite"), ...item.tags.map(visible), item.problem]
        .filter(Boolean).join(", "),
    };
  }

  makeTile(item) {
    const facts = [item.distance !== undefined && text("distance", formatNumber(item.distance)), item.folder && `${visible(item.folder)}/`, item.modified ? formatDay(item.modified) : "", item.title ?? ""].filter(Boolean).join(" · ");
    const tile = make("div", { class: "tile", ...this.values(item) }, this.makePicture(item),
      make("div", { class: "words" },
        make("div", { class: "name", title: visible(item.name) }, shortened(item.name, this.mostOfName)), make("div", { class: "facts" }, facts)));
    if (item.problem) this.addProblem(tile, item.problem);
    return tile;
  }

  makeRow(item) {
    const lead = make("div", { class: "lead" }, this.makePicture(item),
      make("div", { class: "name", title: visible(item.name) }, shortened(item.name, this.mostOfName), item.folder ? make("small", {}, ` ${visible(item.folder)}/`) : null,
        item.distance === undefined ? null : make("small", {}, ` ${text("distance", formatNumber(item.distance))}`)),
      this.makeLabels(item));
    const row = make("div", { class: "row", ...this.values(item) }, lead,
      make("div", { class: "cell kind" }, item.title ?? ""),
      make("div", { class: "cell" }, item.size === null || item.size === undefined ? "" : formatSize(item.size)),
      make("div", { class: "cell date" }, formatDate(item.modified)));
    if (item.problem) this.addProblem(row, item.problem);
    return row;
  }

  /** Shows why a document cannot be read, in place of its facts. */
  addProblem(element, problem) {
    if (element.classList.contains("unread")) return;
    element.classList.add("unread");
    const sign = element.querySelector(".picture").firstElementChild;
    if (sign.dataset.icon !== "warning") sign.replaceWith(icon("warning"));
    const reason = make("span", { class: "reason", title: problem }, reasonOf(problem));
    (element.querySelector(".facts") ?? element.querySelector(".cell.kind")).replaceChildren(reason);
  }

  setProblem(item, element, problem) {
    item.problem = problem;
    // What needs a sound document is off now.
    if (this.model.selection.has(item.id)) this.model.dispatchEvent(new Event("selection"));
    element.setAttribute("aria-label", this.values(item)["aria-label"]);
    this.addProblem(element, problem);
  }

  // MARK: Pointer and keyboard

  entryOf(event) {
    const element = event.target.closest?.("[role=option]");
    return element && [...this.elements.values()].find((each) => each.element === element);
  }

  /** The element of an entry, if it is in view. */
  shownAt(index) { return [...this.elements.values()].find((each) => each.index === index); }

  get allowsMany() { return this.options.allowsMany(); }

  choose(index, { extends: isExtending = false, toggles = false } = {}) {
    const entry = this.entries[index];
    if (!entry) return;
    this.currentIndex = index;
    if (isExtending && this.allowsMany && this.anchor !== undefined) {
      const [from, to] = [Math.min(this.anchor, index), Math.max(this.anchor, index)];
      this.model.select(this.entries.slice(from, to + 1).flatMap((each) => (each.item ? [each.item.id] : [])));
    } else {
      this.anchor = index;
      if (!entry.item) this.model.select([]);
      else if (toggles) this.model.toggle(entry.item.id, { allowsMany: this.allowsMany });
      else this.model.select([entry.item.id]);
    }
    this.model.current = entry.item?.id;
    this.mark();
  }

  clicked(event) {
    const entry = this.entryOf(event);
    if (!entry) {
      if (event.target === this) this.model.select([]);
      return;
    }
    if (!entry.item) return this.options.create();
    const isTouch = event.pointerType === "touch" && !this.model.selection.size && !event.target.closest(".tick");
    if (isTouch && !this.options.isPicking()) return this.options.open(entry.item);
    this.choose(entry.index, {
      extends: event.shiftKey, toggles: event.ctrlKey || event.metaKey || Boolean(event.target.closest(".tick")) || event.pointerType === "touch",
    });
  }

  typed(event) {
    const { columns } = this.geometry ?? {};
    const count = this.entries?.length ?? 0;
    const page = Math.max(1, Math.floor(this.view.height / this.geometry.rowHeight) - 1) * columns;
    const steps = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, PageUp: -page, PageDown: page,
      Home: -Infinity, End: Infinity,
    };
    if (event.key in steps && count && !event.altKey) {
      event.preventDefault();
      const start = this.currentIndex ?? -1;
      const index = start < 0 && event.key !== "End" ? 0 : Math.min(count - 1, Math.max(0, start + steps[event.key]));
      if (event.ctrlKey || event.metaKey) {
        this.currentIndex = index;
        this.mark();
      } else {
        this.choose(index, { extends: event.shiftKey });
      }
      this.reveal(index);
    } else if (event.key === " ") {
      event.preventDefault();
      if (this.currentIndex !== undefined) this.choose(this.currentIndex, { toggles: true });
    } else if (event.key === "Enter") {
      // Otherwise, it would press the button of the document that has opened.
      event.preventDefault();
      const entry = this.entries[this.currentIndex];
      if (entry?.isNew) this.options.create();
      else if (entry) this.options.open(entry.item);
    } else {
      return;
    }
    const shown = this.shownAt(this.currentIndex);
    if (shown?.item?.kind === "effect") this.moving.show(shown.item, shown.element.querySelector(".picture"));
    else this.moving.hide();
  }

  /** Scrolls an entry into view. */
  reveal(index) {
    if (!this.entries[index]) return;
    const { rowHeight, columns } = this.geometry;
    const y = firstRow + Math.floor(index / columns) * rowHeight;
    const { top, height } = this.view;
    if (y < top + 8) this.scrollTo(y - 50);
    else if (y + rowHeight > top + height) this.scrollTo(y + rowHeight - height + 30);
    this.draw();
  }

  scrollTo(y) {
    this.scroller.scrollTop = y;
    this.view.top = this.scroller.scrollTop;
  }

  /** Selects an item and scrolls to it. */
  revealItem(id) {
    const index = this.entries.findLastIndex((entry) => entry.item?.id === id);
    if (index < 0) return undefined;
    this.choose(index);
    this.reveal(index);
    return this.shownAt(index);
  }

  pictureOf(id) {
    return [...this.elements.values()].findLast(({ item }) => item?.id === id)?.element.querySelector(".picture");
  }

  drag(event) {
    const entry = this.entryOf(event);
    if (!entry?.item || entry.item.kind === "folder") return;
    if (!this.model.selection.has(entry.item.id)) this.choose(entry.index);
    const file = address("file", { item: entry.item.id }).href;
    const name = entry.item.raw.replace(/[:\r\n]/g, "_");
    event.dataTransfer.effectAllowed = "copyMove";
    event.dataTransfer.setData("DownloadURL", `application/octet-stream:${name}:${file}`);
    event.dataTransfer.setData("application/x-particles-items", JSON.stringify([...this.model.selection]));
  }
}

customElements.define("document-collection", DocumentCollection);
