// An effect that is edited: the copy of the page, the orders to the program, and what both make of changes from elsewhere.

import { address, ask, order, reach, ServerError } from "../server.js";
import { isQuiet, loadPlayer } from "../moving.js";
import { Outbox } from "./outbox.js";
import { changed, parse, stringify, valueAt, withValue } from "./paths.js";
import { EditQueue, mostImageBytes, newId } from "./queue.js";

/** Milliseconds of rest before the effect is checked, and before the target is asked. */
const [restOfFindings, restOfMarks] = [150, 350];

export class EditSession extends EditQueue {
  static schemaRows;

  /** Opens an effect in the editor of a window. */
  static async open(item, windowName) {
    EditSession.schemaRows ??= ask("edit-schema").then(({ rows }) => rows);
    EditSession.schemaRows.catch(() => { EditSession.schemaRows = undefined; });
    const [rows, state] = await Promise.all([EditSession.schemaRows, order("edit-open", { item: item.id, window: windowName })]);
    return new EditSession(item, windowName, rows, state);
  }

  constructor(item, windowName, rows, state) {
    super();
    Object.assign(this, { item: { ...item }, window: windowName, schema: rows });
    this.rows = new Map(rows.map((row) => [row.key, row]));
    /** Edits that the program has not answered yet, in order. */
    this.queue = [];
    this.isBusy = false;
    this.findings = [];
    this.marks = [];
    this.target = undefined;
    this.selected = [];
    this.keys = [];
    this.stage = undefined;
    this.heard = 0;
    this.lastSent = 0;
    this.path = state.document.path;
    this.opening = state.document.opening;
    this.opened = state;
    this.view = this.readView();
    this.applyAnswer(state);
    this.selected = this.document?.emitters?.length ? [0] : [];
    this.outbox = new Outbox(this.path);
    this.hear = ({ detail }) => this.heardOf(detail);
    this.resume = () => this.resumed();
    this.lose = () => this.miss("program");
    document.addEventListener("browser-document", this.hear);
    document.addEventListener("browser-lost", this.lose);
    document.addEventListener("browser-resumed", this.resume);
    this.takeOver();
    this.checkSoon();
  }

  // MARK: Values

  /** The default of a key, or of an object on the way to one. */
  standard(key) { return this.rows.get(key.replace(/\[\d+\]/g, "[]"))?.standard ?? undefined; }

  value(key) {
    const found = valueAt(this.document, key);
    return found === undefined ? this.standard(key) : found;
  }

  isSet(key) { return valueAt(this.document, key) !== undefined; }

  /** The text of the document as it is shown. */
  get text() {
    if (this.textOf !== this.document) [this.textOf, this.lastText] = [this.document, stringify(this.document)];
    return this.lastText;
  }

  /** The text with changes that are made nowhere. */
  textWith(changes) { return stringify(this.changed(this.document, changes)); }

  /** The text that the stage plays: without muted emitters, and with the seed of the view. */
  get shownText() {
    const { muted = [], solo = [], seed } = this.view;
    if (!muted.length && !solo.length && seed === undefined) return this.text;
    let shown = this.document;
    const count = shown.emitters?.length ?? 0;
    for (let index = 0; index < count; index++) {
      const isHidden = solo.length ? !solo.includes(index) : muted.includes(index);
      if (isHidden) shown = withValue(shown, `emitters[${index}].enabled`, false);
    }
    if (seed !== undefined) shown = withValue(shown, "seed", seed);
    return stringify(shown);
  }

  changed(document, changes) { return changed(document, changes, (at) => this.standard(at)); }

  /**
   * Applies an answer of the program.
   * @param {object[]} own - changes of this page that it has made. Changes that it made otherwise are in the patch
   */
  applyAnswer(state, { isLocal = false, own = [] } = {}) {
    // The answer may come from a program that is not taken up yet.
    if (this.missing || this.isOther(state.document)) return;
    if (state.text !== undefined) {
      const read = parse(state.text);
      // If the text is not JSON, the known document stays.
      this.serverDocument = read ?? this.serverDocument ?? {};
    } else if (state.revision !== undefined) {
      this.serverDocument = changed(this.changed(this.serverDocument, own), state.patch ?? []);
    }
    if (state.revision !== undefined) this.revision = state.revision;
    if (state.files) this.files = state.files;
    if (state.undo) this.undoNames = state.undo;
    if (state.isViewing !== undefined) this.isViewing = state.isViewing;
    if (state.document) this.takeStates(state.document);
    if ("files" in state) [this.conflict, this.format] = [state.conflict, state.format];
    if (state.text !== undefined || state.patch) this.show(isLocal);
    // The package that was saved beside a file is taken up.
    if (state.path) {
      [this.path, this.identity, this.item.name] = [state.path, undefined, state.path.split("/").at(-1)];
      this.outbox.move(this.path);
      this.missing = "document";
    }
  }

  takeStates(described) {
    // Answers and events have ways of their own: what arrives later may be older, and no event would tell of the newer one again.
    if (described.opening === this.described?.opening && described.sequence < this.described.sequence) return;
    this.described = described;
    const before = JSON.stringify([this.states, this.path, this.undoName, this.redoName]);
    this.states = described.states;
    this.path = described.path || this.path;
    this.identity = described.identity ?? this.identity;
    this.outbox?.move(this.path);
    this.displayName = described.displayName;
    [this.undoName, this.redoName] = [described.undo, described.redo];
    if (JSON.stringify([this.states, this.path, this.undoName, this.redoName]) === before) return;
    this.emit("state");
    this.emit("undo");
  }

  /** Shows the document of the program with the edits that it has not answered. */
  show(isLocal) {
    this.document = this.queue.reduce((shown, { flying, open, isCancelled }) => (isCancelled ? shown : this.changed(this.changed(shown, flying?.values() ?? []), open.values())), this.serverDocument);
    this.told({ isLocal });
  }

  /** Tells of another document. Without keys, all controls are shown anew. */
  told({ keys, isLocal }) {
    const count = this.document.emitters?.length ?? 0;
    const kept = this.selected.filter((index) => index < count);
    if (kept.length === 0 && count > 0) kept.push(0);
    const isOther = kept.length !== this.selected.length;
    this.selected = kept;
    this.emit("change", { keys, isLocal });
    if (isOther) this.emit("selection");
    this.checkSoon();
  }

  emit(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  select(indices) {
    const count = this.document?.emitters?.length ?? 0;
    const next = [...new Set(indices)].filter((index) => index >= 0 && index < count);
    if (next.length === 0 && count > 0) return;
    this.selected = next;
    this.emit("selection");
  }

  // MARK: Findings and marks

  checkSoon() {
    if (this.isClosed) return;
    clearTimeout(this.checking);
    this.checking = setTimeout(() => this.check(), restOfFindings);
    if (!this.target) return;
    clearTimeout(this.marking);
    this.marking = setTimeout(() => this.markNow(), restOfMarks);
  }

  async check() {
    if (this.queue.length) return this.checkSoon();
    const { revision } = this;
    try {
      const { findings } = await ask("edit-findings", { item: this.item.id });
      if (revision !== this.revision) return;
      this.findings = findings;
      this.emit("findings");
    } catch { /* Asked again after the next edit. */ }
  }

  setTarget(id) {
    this.target = id || undefined;
    this.marks = [];
    this.emit("marks");
    if (this.target) this.markNow();
  }

  async markNow() {
    const { target } = this;
    if (!target || this.isClosed) return;
    try {
      const { marks } = await ask("edit-target", { item: this.item.id, target });
      if (target !== this.target) return;
      this.marks = marks;
      this.marksFault = undefined;
    } catch (error) {
      this.marks = [];
      this.marksFault = error;
    }
    this.emit("marks");
  }

  // MARK: Images, presets, view

  /** The address of an image. */
  image(path) {
    const version = this.files?.find((file) => file.path === path)?.digest ?? this.revision;
    return address("edit-file", { item: this.item.id, path, version }).href;
  }

  async putImage(path, bytes, { emitter } = {}) {
    const size = bytes.size ?? bytes.byteLength;
    if (size > mostImageBytes) {
      throw new ServerError(413, { code: "limit/exceeded", message: `the file has ${size} bytes; an image may have ${mostImageBytes}` });
    }
    return this.enqueue({ id: newId(), name: "Image", route: "edit-file", bytes, values: { path, emitter } });
  }

  async presets(kind) { return (await ask("edit-presets", { kind })).presets; }

  async savePreset(kind, name, value) { return (await order("edit-preset", { kind, name, value: value ?? null })).presets; }

  /** The bytes of an image that is made of numbers. */
  async soft(kind, parameters = {}) {
    const response = await reach(address("edit-soft", { kind, ...parameters }));
    if (!response.ok) throw new ServerError(response.status, await response.json().catch(() => undefined));
    return new Uint8Array(await response.arrayBuffer());
  }

  /** The bytes of an image of the effect, or undefined. */
  async imageBytes(path) {
    if (this.files?.find((file) => file.path === path)?.isMissing) return undefined;
    const response = await reach(this.image(path)).catch(() => undefined);
    return response?.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
  }

  /** An element that plays a text with the images of this effect. */
  moving(text, { limits = { particles: 20_000, particleSteps: 300_000 } } = {}) {
    const element = document.createElement("particles-effect");
    element.setAttribute("loop", "");
    if (!isQuiet()) element.setAttribute("autoplay", "");
    element.setAttribute("background", "auto");
    element.limits = limits;
    loadPlayer().then(() => element.load({ document: new TextEncoder().encode(text), read: (path) => this.imageBytes(path) }), () => {});
    return element;
  }

  readView() {
    try {
      return JSON.parse(localStorage.getItem(`view ${this.path}`)) ?? {};
    } catch {
      return {};
    }
  }

  /** Sets how the effect is looked at: never part of the document, never undone. */
  setView(name, value) {
    this.view = { ...this.view, [name]: value };
    if (value === undefined || value === null) delete this.view[name];
    try {
      localStorage.setItem(`view ${this.path}`, JSON.stringify(this.view));
    } catch { /* It is forgotten with the page. */ }
    this.emit("view", { name });
  }

  // MARK: States

  /** @param {string[]} accepted - for the way "lossy": the losses that were shown */
  async save(way = "save", accepted = undefined) {
    await this.idle();
    const state = await this.enqueue({ route: "edit-save", values: { way, accepted } });
    if (state.path) await this.resumed();
    // The document of a file that is gone is closed when its changes are discarded.
    else if (way === "discard" && state.revision === undefined) {
      this.states = [];
      this.emit("ended");
    }
    return state;
  }

  async resolve(choice) {
    await this.idle();
    await this.enqueue({ route: "edit-resolve", values: { choice } });
  }

  async restore(version) {
    await this.idle();
    await this.enqueue({ id: newId(), name: "Restore", kind: "restore", values: { version } });
  }

  /** Waits until the program has answered everything. Requests for a missing document stay unanswered. */
  async idle() {
    for (const entry of this.queue) entry.hasEnded = true;
    this.pump();
    while (this.isBusy || (this.queue.length && this.missing !== "document")) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  close() {
    this.isClosed = true;
    for (const timer of [this.timer, this.checking, this.marking, this.listing]) clearTimeout(timer);
    document.removeEventListener("browser-document", this.hear);
    document.removeEventListener("browser-lost", this.lose);
    document.removeEventListener("browser-resumed", this.resume);
    this.outbox.close();
  }
}
