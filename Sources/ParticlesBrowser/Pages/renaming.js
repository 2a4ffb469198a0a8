// Other names for one item, or for many by a pattern.

import { button, make } from "./icons.js";
import { report } from "./messages.js";
import { order } from "./server.js";
import { field, sheet } from "./sheet.js";
import { messageOf, shortened, text, visible } from "./texts.js";

/** The names that a preview shows. */
const mostShown = 200;

export function rename(app, items) {
  if (items.length > 1) return renameMany(app, items);
  const [item] = items;
  const window = sheet(text("rename"));
  const input = make("input", { autocomplete: "off", spellcheck: "false", value: item.raw });
  const done = button(undefined, text("rename"), () => apply(), { isShown: true, class: "primary" });
  async function apply() {
    const outcome = await window.attempt(() => order("rename", { item: item.id, name: input.value }));
    if (!outcome) return;
    const failed = outcome.results.find(({ status }) => status === "failed");
    if (failed) return window.say(messageOf(failed.diagnostic) ?? "", true);
    window.dialog.close();
    await app.refresh();
    app.collection.revealItem(item.id);
    report(outcome, (all) => text("renamed", visible(all[0].item?.displayName ?? input.value)));
    app.collection.focus();
  }
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") apply(); });
  window.body.append(field(text("name"), input));
  window.ask(done);
  input.focus();
  const dot = dotOf(item);
  input.setSelectionRange(0, dot > 0 ? dot : item.raw.length);
  return undefined;
}

/** Where the extension of a name begins, -1 for a folder. */
const dotOf = ({ raw, kind }) => (kind === "folder" ? -1 : raw.lastIndexOf("."));

/**
 * The new names of items.
 * @param {string} pattern - with `{name}` for the old name without its extension, and `{n}` for a number, of as many digits as there are n
 * @param {string} find - the text to replace in the old name first, or an empty one
 * @param {number} start - the number of the first item
 * @returns {{ item: object, name: string, problem?: string }[]} the problem is a key of the catalogue
 */
export function newNames(items, { pattern, find = "", replacement = "", start = 1 }, others = []) {
  const rows = items.map((item, index) => {
    const dot = dotOf(item);
    const old = dot > 0 ? item.raw.slice(0, dot) : item.raw;
    const name = find ? old.replaceAll(find, () => replacement) : old;
    const stem = pattern.replace(/\{name\}|\{(n+)\}/g, (_, digits) => (digits ? String(start + index).padStart(digits.length, "0") : name)).trim();
    return { item, name: stem + (dot > 0 ? item.raw.slice(dot) : ""), stem };
  });
  const same = (name, { folder = "" }) => `${folder}/${name.toLowerCase()}`;
  const renamed = new Set(items.map(({ id }) => id));
  const taken = new Map();
  for (const other of others) if (!renamed.has(other.id)) taken.set(same(other.raw, other), 1);
  for (const { item, name } of rows) taken.set(same(name, item), (taken.get(same(name, item)) ?? 0) + 1);
  return rows.map(({ item, name, stem }) => {
    const problem = !stem ? "nameEmpty" : name.includes("/") ? "nameSlash" : stem.startsWith(".") ? "nameHidden" : taken.get(same(name, item)) > 1 ? "nameTaken" : undefined;
    return { item, name, problem };
  });
}

/** The sheet for the names of many, with a preview. */
function renameMany(app, chosen) {
  const window = sheet(text("renameManyTitle", chosen.length), { isWide: true });
  // Numbers follow the order on the screen.
  const places = new Map(app.model.shown.map(({ id }, index) => [id, index]));
  const items = chosen.toSorted((a, b) => places.get(a.id) - places.get(b.id));
  const input = (id, value, values = {}) => make("input", { id, value, autocomplete: "off", spellcheck: "false", ...values });
  const pattern = input("rename-pattern", "{name}");
  const find = input("rename-find", "");
  const replacement = input("rename-replacement", "");
  const start = input("rename-start", "1", { type: "number", min: 0, step: 1 });
  const list = make("ul", { class: "lines previews", id: "rename-preview", "aria-live": "polite" });
  const add = (words, label) => button(undefined, label, () => {
    pattern.setRangeText(words, pattern.selectionStart, pattern.selectionEnd, "end");
    pattern.focus();
    show();
  }, { isShown: true, class: "pill" });
  const done = button(undefined, text("rename"), () => apply(), { isShown: true, class: "primary" });
  let rows = [];

  function show() {
    rows = newNames(items, { pattern: pattern.value, find: find.value, replacement: replacement.value, start: Math.max(0, Math.floor(Number(start.value) || 0)) }, app.model.items);
    const problems = rows.filter(({ problem }) => problem);
    const changed = rows.filter(({ item, name }) => name !== item.raw);
    done.disabled = problems.length > 0 || changed.length === 0;
    window.say(problems.length ? text("renameProblems", problems.length) : text("renameChanges", changed.length), problems.length > 0);
    // Those with a problem first: they may be behind the end of the list.
    list.replaceChildren(...[...problems, ...rows.filter(({ problem }) => !problem)].slice(0, mostShown).map(({ item, name, problem }) =>
      make("li", { class: problem ? "error" : name === item.raw ? "same" : "" },
        make("span", { title: visible(item.raw) }, shortened(item.raw, 34)), make("span", { class: "arrow", "aria-hidden": "true" }, "→"),
        make("strong", { title: visible(name) }, shortened(name, 34)), problem ? make("small", {}, text(problem)) : null)),
    rows.length > mostShown ? make("li", {}, text("andMore", rows.length - mostShown)) : "");
  }

  async function apply() {
    if (done.disabled) return;
    const changed = rows.filter(({ item, name }) => name !== item.raw);
    done.disabled = true;
    const outcome = await window.attempt(() => order("rename", { items: changed.map(({ item }) => item.id), names: changed.map(({ name }) => name) }));
    done.disabled = false;
    if (!outcome) return;
    window.dialog.close();
    await app.refresh();
    report(outcome, (all) => text("renamedMany", all.length));
    app.collection.focus();
  }

  for (const each of [pattern, find, replacement, start]) {
    each.addEventListener("input", show);
    each.addEventListener("keydown", (event) => { if (event.key === "Enter") apply(); });
  }
  window.body.append(field(text("renamePattern"), pattern),
    make("div", { class: "pills" }, add("{name}", text("renameOldName")), add("{n}", text("renameNumber")), add("{nnn}", text("renameDigits"))),
    make("div", { class: "side-by-side" }, field(text("renameFind"), find), field(text("renameReplacement"), replacement), field(text("renameStart"), start)), list);
  window.ask(done);
  show();
  pattern.focus();
  pattern.select();
}
