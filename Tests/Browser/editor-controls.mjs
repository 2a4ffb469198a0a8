// The controls of the editor with a session that keeps everything in the page, and records the requests.

import "/assets/editor/inspector.js";
import "/assets/editor/emitters.js";
import "/assets/editor/images.js";
import "/assets/editor/presets.js";
import "/assets/editor/variations.js";

const clone = (value) => structuredClone(value);

function steps(key) { return [...key.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index)); }

function valueAt(document, key) { return steps(key).reduce((value, step) => value?.[step], document); }

function put(document, key, value) {
  const path = steps(key);
  let place = document;
  path.slice(0, -1).forEach((step, index) => {
    if (place[step] === undefined || place[step] === null || typeof place[step] !== "object") place[step] = typeof path[index + 1] === "number" ? [] : {};
    place = place[step];
  });
  const last = path.at(-1);
  if (value !== undefined) place[last] = value;
  else if (Array.isArray(place)) place.splice(last, 1);
  else delete place[last];
}

export class FakeSession extends EventTarget {
  constructor(schema, document, files) {
    super();
    Object.assign(this, { schema, document, files, selected: [0], findings: [], marks: [], view: {}, keys: [], isReadOnly: false, log: [], undoStack: [], kept: {}, path: "/fire.particles", refusal: undefined });
    this.rows = new Map(schema.map((row) => [row.key, row]));
  }

  standard(key) { return this.rows.get(key.replace(/\[\d+\]/g, "[]"))?.standard; }
  value(key) { return valueAt(this.document, key) ?? this.standard(key); }
  isSet(key) { return valueAt(this.document, key) !== undefined; }
  emit(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  select(indices) {
    this.selected = indices;
    this.emit("selection");
  }

  change(changes) {
    this.document = clone(this.document);
    for (const { key, value, unset } of changes) put(this.document, key, unset ? undefined : clone(value));
    this.emit("change", { keys: changes.map(({ key }) => key), isLocal: true });
  }

  begin(name) {
    const before = this.document;
    const entry = { gesture: name, changes: [], state: "open" };
    this.log.push(entry);
    return {
      change: (changes) => {
        entry.changes.push(clone(changes));
        this.change(changes);
      },
      end: () => {
        entry.state = "ended";
        this.undoStack.push(before);
        return Promise.resolve();
      },
      cancel: () => {
        entry.state = "cancelled";
        this.document = before;
        this.emit("change", { isLocal: true });
      },
    };
  }

  async edit(name, changes) {
    this.log.push({ edit: name, changes: clone(changes) });
    if (this.refusal) throw Object.assign(new Error(this.refusal), { status: 422, hint: "set it lower" });
    this.undoStack.push(this.document);
    this.change(changes);
    return this.findings;
  }

  async structure(operation) {
    this.log.push({ structure: clone(operation) });
    const all = clone(this.document.emitters);
    let { selected } = this;
    const { op } = operation;
    if (op === "add" || op === "paste") {
      all.push(...clone(operation.values));
      selected = [all.length - 1];
    } else if (op === "duplicate") {
      for (const index of [...operation.indices].sort((a, b) => b - a)) all.splice(index + 1, 0, clone(all[index]));
      selected = [operation.indices[0] + 1];
    } else if (op === "remove") {
      for (const index of [...operation.indices].sort((a, b) => b - a)) all.splice(index, 1);
      selected = all.length ? [0] : [];
    } else if (op === "move") {
      all.splice(operation.to, 0, all.splice(operation.index, 1)[0]);
      selected = [operation.to];
    } else if (op === "rename") {
      all[operation.index].name = operation.name;
    }
    this.document = { ...this.document, emitters: all };
    this.selected = selected;
    this.emit("change", {});
    this.emit("selection");
  }

  async mergeBytes(name, bytes) { this.log.push({ merge: name, size: bytes.length }); }
  async fix(finding) {
    this.log.push({ fix: finding.code, key: finding.key });
    this.findings = this.findings.filter((each) => each !== finding);
    this.emit("findings");
  }

  image(path) { return `/images/${path.split("/").at(-1)}`; }
  async putImage(path, bytes, options) {
    this.log.push({ image: path, size: bytes.length, ...options });
    this.files = this.files.map((file) => (file.path === path ? { ...file, isMissing: false } : file));
    this.emit("change", {});
  }

  async presets(kind) { return this.kept[kind] ?? []; }
  async savePreset(kind, name, value) {
    this.log.push({ preset: kind, name, value: clone(value) });
    this.kept[kind] = [...(this.kept[kind] ?? []).filter((each) => each.name !== name), ...(value === null ? [] : [{ name, value }])];
  }

  async soft(kind, parameters) {
    this.log.push({ soft: kind, parameters });
    return new Uint8Array(await (await fetch("/images/flame.png")).arrayBuffer());
  }

  get text() { return JSON.stringify(this.document); }
  textWith(changes) {
    const document = clone(this.document);
    for (const { key, value } of changes) put(document, key, clone(value));
    return JSON.stringify(document);
  }

  moving(text) {
    const element = document.createElement("div");
    element.dataset.text = text;
    return element;
  }

  setView(name, value) {
    this.view = { ...this.view, [name]: value };
    this.emit("view", { name });
  }
}

const [schema, effect] = await Promise.all(["/schema.json", "/effect.json"].map(async (path) => (await fetch(path)).json()));
const files = effect.images.map(({ uri }) => ({ path: uri, uri, size: 1000, isMissing: uri.includes("smoke") }));
const session = new FakeSession(schema, effect, files);
window.session = session;
const frame = document.querySelector("#frame");
frame.showModal();
for (const [place, names] of [["left", ["emitters", "images", "presets"]], ["middle", ["variations"]], ["right", ["inspector"]]]) {
  for (const name of names) {
    const element = document.createElement(`effect-${name}`);
    element.session = session;
    element.hidden = name === "variations";
    document.querySelector(`#${place}`).append(element);
  }
}
document.documentElement.dataset.ready = "";
