// Choosing of a folder: for a move, a copy, or results.

import { button, make } from "./icons.js";
import { report } from "./messages.js";
import { ask, order } from "./server.js";
import { sheet } from "./sheet.js";
import { collator, text, visible } from "./texts.js";

/**
 * A sheet in which a folder is chosen.
 * @param {string} title - of the sheet
 * @param {string} label - of the button that takes the folder
 * @param {(folder: object, window: object) => Promise<unknown>} done - takes the folder. The sheet closes if it returns something
 * @param {Set<string>} [without] - identities of folders that are not offered
 */
export async function chooseFolder(app, title, label, done, without = new Set()) {
  const window = sheet(title);
  const list = make("ul", { class: "lines" });
  const trail = make("p", {});
  let folder;
  const take = button(undefined, label, async () => { if (await done(folder, window)) window.dialog.close(); }, { isShown: true, class: "primary" });
  async function show(id) {
    const answer = await window.attempt(() => ask("list", { location: id, kind: "folder" }));
    if (!answer) return;
    folder = answer.location;
    take.disabled = !folder.writable;
    trail.replaceChildren(...answer.ancestors.map(({ id: above, name }) =>
      button(undefined, `${visible(name)} /`, () => show(above), { isShown: true })), make("strong", {}, visible(folder.name)));
    const folders = answer.items.filter(([id]) => !without.has(id)).sort((a, b) => collator.compare(a[1], b[1]));
    list.replaceChildren(...folders.map(([inner, name]) =>
      make("li", {}, button("folder", visible(name), () => show(inner), { isShown: true }))));
  }
  window.body.append(trail, list);
  window.ask(take);
  await show(["recents", "trash"].includes(app.model.place.id) ? app.places.find(({ kind }) => kind !== "recents").id : app.model.place.id);
}

/** Moves or copies items to a folder that is chosen. */
function put(app, items, route, title, label, words) {
  return chooseFolder(app, text(title), text(label), async (folder, window) => {
    const outcome = await window.attempt(() => order(route, { items: items.map(({ id }) => id), location: folder.id }));
    if (!outcome) return undefined;
    await app.refresh();
    report(outcome, (all) => text(words, all.length === 1 ? visible(all[0].name) : text("documents", all.length), visible(folder.name)));
    return outcome;
  }, new Set(items.map(({ id }) => id)));
}

export const moveTo = (app, items) => put(app, items, "move", "moveTitle", "moveHere", "moved");
export const copyTo = (app, items) => put(app, items, "copy", "copyTitle", "copyHere", "copiedTo");
