// Favourites and tags of items.

import { button, make } from "./icons.js";
import { report } from "./messages.js";
import { order } from "./server.js";
import { field, sheet } from "./sheet.js";
import { formatCount, text, visible } from "./texts.js";

export async function setFavourite(app, items, favourite) {
  await order("favourite", { items: items.map(({ id }) => id), favourite });
  await app.refresh();
}

/** The sheet for the tags of items. The field has the tags that all share. */
export function editTags(app, items) {
  const window = sheet(text("tagsTitle"));
  const shared = items[0].tags.filter((tag) => items.every(({ tags }) => tags.includes(tag)));
  const input = make("input", { autocomplete: "off", spellcheck: "false", value: shared.join(", "), id: "tags" });
  const typed = () => [...new Set(input.value.split(",").map((tag) => tag.trim()).filter(Boolean))];
  const known = make("div", { class: "pills", role: "group", "aria-label": text("tagsTitle") });
  const mark = () => {
    const now = typed();
    for (const each of known.children) each.setAttribute("aria-pressed", String(now.includes(each.dataset.tag)));
  };
  known.append(...[...new Set([...shared, ...app.model.tags])].slice(0, 24).map((tag) => make("button", {
    type: "button", class: "pill", "data-tag": tag, onclick: () => {
      const now = typed();
      input.value = (now.includes(tag) ? now.filter((each) => each !== tag) : [...now, tag]).join(", ");
      mark();
    },
  }, visible(tag))));
  const done = button(undefined, text("apply"), () => apply(), { isShown: true, class: "primary" });
  async function apply() {
    const wanted = typed();
    // Tags that only some items have stay.
    const results = [];
    for (const group of Map.groupBy ? Map.groupBy(items, ({ tags }) => tags.filter((tag) => !shared.includes(tag)).join(",")).values() : items.map((each) => [each])) {
      const rest = group[0].tags.filter((tag) => !shared.includes(tag) && !wanted.includes(tag));
      const outcome = await window.attempt(() => order("tags", { items: group.map(({ id }) => id), tags: [...wanted, ...rest] }));
      if (!outcome) return;
      results.push(outcome);
    }
    window.dialog.close();
    await app.refresh();
    const all = { results: results.flatMap((each) => each.results), undo: results.length === 1 ? results[0].undo : undefined };
    report(all, (finished) => text("tagged", finished.length === 1 ? visible(finished[0].name) : formatCount(finished.length)));
    app.collection.focus();
  }
  input.addEventListener("input", mark);
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") apply(); });
  mark();
  window.body.append(field(text("tagsTitle"), input), known, make("p", { class: "status" }, text("tagsHint")));
  window.ask(done);
  input.focus();
}
