// The items of the place that is shown: their order, filter, search and selection.

import { ask } from "./server.js";
import { collator, text } from "./strings.js";

const flags = { selectable: 1, writable: 2, open: 4, changes: 8, favourite: 16, link: 32 };

/** A row of the route `list` as an item. */
function item([id, name, kind, title, size, modified, bits, problem, raw]) {
  return {
    id, name, kind, title, size, modified, problem, raw: raw ?? name, key: fold(name),
    isSelectable: Boolean(bits & flags.selectable), isWritable: Boolean(bits & flags.writable),
  };
}

/** A name without regard to case and accents. */
const fold = (name) => name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const orders = {
  name: (a, b) => collator.compare(a.name, b.name),
  date: (a, b) => (b.modified ?? 0) - (a.modified ?? 0),
  size: (a, b) => (b.size ?? -1) - (a.size ?? -1),
  kind: (a, b) => collator.compare(a.title ?? "", b.title ?? "") || collator.compare(a.name, b.name),
};

export class Model extends EventTarget {
  /** @type {Map<string, object>} All items by identity. */
  byId = new Map();
  /** The items in order, before search and filter. */
  ordered = [];
  /** The items that are shown. */
  shown = [];
  recents = [];
  /** Identities in the order in which they were selected. */
  selection = new Set();
  current = undefined;
  place = undefined;
  ancestors = [];
  sort = localStorage.getItem("sort") ?? "name";
  isReversed = localStorage.getItem("reversed") === "true";
  kind = "all";
  search = "";
  isLoaded = false;
  loading = 0;

  /** Lists a place. */
  async open(place, { keepsSelection = false } = {}) {
    const number = ++this.loading;
    const [answer, recents] = await Promise.all([
      ask("list", { location: place }), place === "recents" || place === "trash" ? { items: [] } : ask("list", { location: "recents", most: 12 }),
    ]);
    if (number !== this.loading) return;
    this.place = answer.location;
    this.ancestors = answer.ancestors;
    this.revision = answer.revision;
    const items = answer.items.map(item);
    this.byId = new Map(items.map((each) => [each.id, each]));
    // No document is shown twice.
    this.recents = recents.items.map(item).filter((each) => !this.byId.has(each.id)).slice(0, 8);
    for (const each of this.recents) this.byId.set(each.id, each);
    this.items = items;
    if (keepsSelection) {
      this.selection = new Set([...this.selection].filter((id) => this.byId.has(id)));
      if (!this.byId.has(this.current)) this.current = undefined;
    } else {
      this.selection = new Set();
      this.current = undefined;
    }
    this.isLoaded = true;
    this.order();
    this.dispatchEvent(new Event("selection"));
  }

  refresh() { return this.open(this.place.id, { keepsSelection: true }); }

  order() {
    const compare = this.place?.id === "recents" ? () => 0 : orders[this.sort] ?? orders.name;
    const direction = this.isReversed ? -1 : 1;
    this.ordered = this.items.slice().sort((a, b) =>
      (a.kind === "folder" ? 0 : 1) - (b.kind === "folder" ? 0 : 1) || compare(a, b) * direction);
    this.filter();
  }

  filter() {
    const needle = fold(this.search.trim());
    const kind = this.kind;
    this.shown = needle === "" && kind === "all" ? this.ordered
      : this.ordered.filter((each) => (kind === "all" || each.kind === kind) && each.key.includes(needle));
    this.dispatchEvent(new Event("shown"));
  }

  setSort(sort) {
    this.isReversed = sort === this.sort ? !this.isReversed : false;
    this.sort = sort;
    localStorage.setItem("sort", sort);
    localStorage.setItem("reversed", String(this.isReversed));
    this.order();
  }

  // MARK: Selection

  get selected() { return [...this.selection].map((id) => this.byId.get(id)).filter(Boolean); }

  select(ids, { adds = false, allowsMany = true } = {}) {
    const next = adds ? new Set(this.selection) : new Set();
    for (const id of ids) {
      if (!this.byId.get(id)?.isSelectable) continue;
      if (!allowsMany) next.clear();
      next.add(id);
    }
    this.selection = next;
    this.dispatchEvent(new Event("selection"));
  }

  toggle(id, options = {}) {
    if (this.selection.has(id)) {
      this.selection.delete(id);
      this.dispatchEvent(new Event("selection"));
    } else {
      this.select([id], { adds: true, ...options });
    }
  }

  get countText() {
    const count = this.shown.length;
    return count === 1 ? text("oneDocument") : text("documents", count.toLocaleString());
  }
}
