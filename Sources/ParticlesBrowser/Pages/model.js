// The items of the place that is shown: their order, filter, search and selection.

import { ask } from "./server.js";
import { collator, formatCount, text, typeName } from "./texts.js";

const flags = { selectable: 1, writable: 2, open: 4, changes: 8, favourite: 16, link: 32, undrawn: 64 };

/** A row of the route `list` as an item. */
export function item([id, name, kind, title, size, modified, bits, problem, raw, tags, folder, distance]) {
  return {
    id, name, kind, title: title && typeName(title), size, modified, problem: problem ?? undefined, raw: raw ?? name, tags: tags ?? none, folder: folder ?? undefined, distance: distance ?? undefined,
    key: fold(name), isSelectable: Boolean(bits & flags.selectable), isWritable: Boolean(bits & flags.writable),
    isOpen: Boolean(bits & flags.open), hasChanges: Boolean(bits & flags.changes), isFavourite: Boolean(bits & flags.favourite),
    // It takes too long to be drawn, but can be read.
    isUndrawn: Boolean(bits & flags.undrawn),
  };
}

const none = [];

/** A name without regard to case and accents. */
const fold = (name) => (/^[\x00-\x7f]*$/.test(name) ? name : name.normalize("NFKD").replace(/\p{M}/gu, "")).toLowerCase();

/**
 * A text that sorts names as the program does: numbers count by their value, a full stop comes first. Comparing such texts
 * takes a tenth of the time of a collator.
 */
function natural(each) {
  each.order ??= each.key.replaceAll(".", "\u0001").replace(/\d+/g, (digits) => {
    const plain = digits.replace(/^0+(?=\d)/, "");
    return `0${String.fromCharCode(plain.length)}${plain}`;
  });
  return each.order;
}

function byName(a, b) {
  const [first, second] = [natural(a), natural(b)];
  return first < second ? -1 : first > second ? 1 : a.raw < b.raw ? -1 : a.raw > b.raw ? 1 : 0;
}

const isAfterFolders = (each) => (each.kind === "folder" ? 0 : 1);

/** The order of the items that the program sends. */
const asListed = (a, b) => isAfterFolders(a) - isAfterFolders(b) || byName(a, b);

// Equal ones stay in the order of their names.
const orders = {
  date: (a, b) => (b.modified ?? 0) - (a.modified ?? 0),
  size: (a, b) => (b.size ?? -1) - (a.size ?? -1),
  kind: (a, b) => collator.compare(a.title ?? "", b.title ?? ""),
};

export class Model extends EventTarget {
  /** @type {Map<string, object>} All items by identity. */
  byId = new Map();
  /** The items in order, before search and filter. */
  ordered = [];
  /** The items that are shown. */
  shown = [];
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

  /** The results of a search of subfolders, or undefined. */
  found = undefined;
  /** The rest of the program's answer to the search: its words, `partial`, `offers`, `indexing`, `problems`. */
  answer = undefined;
  /** Whether the program is asked. */
  isAsking = false;
  isFavourites = false;
  tag = undefined;
  /** Lists a place. */
  open(place, options) {
    this.opening = this.list(place, options);
    return this.opening;
  }

  async list(place, { keepsSelection = false, given } = {}) {
    const number = ++this.loading;
    const answer = given ?? await ask("list", { location: place });
    if (number !== this.loading) return;
    this.place = answer.location;
    this.ancestors = answer.ancestors;
    this.revision = answer.revision;
    /** The number of items that were not listed yet. */
    this.missing = answer.total - answer.items.length;
    const items = answer.items.map(item);
    this.byId = new Map(items.map((each) => [each.id, each]));
    if (keepsSelection) for (const each of this.found ?? []) if (!this.byId.has(each.id)) this.byId.set(each.id, each);
    this.items = items;
    if (keepsSelection) {
      this.selection = new Set([...this.selection].filter((id) => this.byId.has(id)));
      if (!this.byId.has(this.current)) this.current = undefined;
    } else {
      this.selection = new Set();
      this.current = undefined;
      this.found = undefined;
      this.answer = undefined;
      this.tag = undefined;
      this.isFavourites = false;
    }
    this.isLoaded = true;
    this.order();
    this.dispatchEvent(new Event("selection"));
  }

  /** Lists the items that the first answer of a page left out. Called twice at once, it lists once. */
  async complete() {
    for (;;) {
      const last = this.opening;
      await last;
      // A listing that a later one overtakes ends without rows.
      if (last !== this.opening) continue;
      if (!(this.missing > 0)) return;
      this.refresh();
    }
  }

  refresh() { return this.open(this.place.id, { keepsSelection: true }); }

  /** Lists again if something has changed since the place was listed. */
  async check() {
    const { revision } = await ask("list", { location: this.place.id, most: 1 });
    if (revision !== this.revision || !revision) await this.refresh();
  }

  /**
   * Takes changes that the program has told, if they follow the shown rows.
   * @returns {boolean} whether nothing is to be listed again
   */
  apply({ location, revision, changed, removed }) {
    if (location !== this.place?.id || revision <= this.revision) return true;
    // The rows that are missing yet may be among them.
    if (revision !== this.revision + 1 || this.missing > 0) return false;
    this.revision = revision;
    const rows = changed.map(item);
    const gone = new Set([...removed, ...rows.map(({ id }) => id)]);
    const kept = this.items.filter(({ id }) => !gone.has(id));
    for (const each of rows) {
      let [low, high] = [0, kept.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (asListed(kept[middle], each) < 0) low = middle + 1;
        else high = middle;
      }
      kept.splice(low, 0, each);
      this.byId.set(each.id, each);
    }
    this.items = kept;
    let isSelected = rows.some(({ id }) => this.selection.has(id));
    for (const id of removed) {
      this.byId.delete(id);
      isSelected = this.selection.delete(id) || isSelected;
      if (this.current === id) this.current = undefined;
    }
    this.order();
    if (isSelected) this.dispatchEvent(new Event("selection"));
    return true;
  }

  order() {
    const compare = orders[this.sort];
    const isOwn = this.place?.id === "recents" || (this.place?.id === "trash" && !compare);
    if (isOwn || (!compare && !this.isReversed)) {
      this.ordered = this.items;
    } else {
      const direction = this.isReversed ? -1 : 1;
      const either = compare ?? byName;
      this.ordered = this.items.slice().sort((a, b) => isAfterFolders(a) - isAfterFolders(b) || either(a, b) * direction);
    }
    this.filter();
  }

  /** Shows the results of a search of subfolders, or ends it. */
  setFound(found, answer) {
    this.found = found;
    this.answer = found && answer;
    for (const each of found ?? []) if (!this.byId.has(each.id)) this.byId.set(each.id, each);
    this.filter();
  }

  /** Notes how far the index is that the answer lacks. */
  setProgress(fraction) {
    // In few steps: each is read out.
    const step = Math.floor(fraction * 10) / 10;
    if (step === this.answer.indexing) return;
    this.answer.indexing = step;
    this.dispatchEvent(new Event("shown"));
  }

  filter() {
    const words = this.search.trim();
    const isAnswer = this.found !== undefined && this.answer.words === words;
    const needle = isAnswer ? "" : fold(words);
    const { kind, tag, isFavourites } = this;
    // More letters find less, until the program has answered.
    const all = this.found && words.startsWith(this.answer.words) ? this.found : this.ordered;
    this.shown = !this.isFiltered ? all
      : all.filter((each) => (kind === "all" || each.kind === kind) && each.key.includes(needle)
        && (!isFavourites || each.isFavourite) && (tag === undefined || each.tags.includes(tag)));
    this.dispatchEvent(new Event("shown"));
  }

  /** Whether some items may be left out. */
  get isFiltered() { return this.search.trim() !== "" || this.kind !== "all" || this.isFavourites || this.tag !== undefined; }

  /** All tags of the items of the place, the most frequent first. */
  get tags() {
    const counts = new Map();
    for (const each of this.items ?? []) for (const tag of each.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1] || collator.compare(a[0], b[0])).map(([tag]) => tag);
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
    const folders = this.shown.filter(({ kind }) => kind === "folder").length;
    const words = formatCount(this.shown.length - folders + (this.isFiltered ? 0 : this.missing ?? 0), folders);
    const { indexing } = this.answer ?? {};
    if (this.isAsking && !this.shown.length) return text("searching");
    if (indexing !== undefined) return text("indexingCount", words, Math.round(indexing * 100));
    return this.answer?.partial ? text("atLeast", words) : words;
  }
}
