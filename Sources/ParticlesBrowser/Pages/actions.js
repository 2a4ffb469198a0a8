// What can be done with the selected items, in the bar, in menus and by keys.

import { many, parts } from "./deferred-loading.js";
import { report, tell } from "./messages.js";
import { address, order } from "./server.js";
import { text, visible } from "./texts.js";

/** Does what a part of the pages does that is loaded later. */
const by = (name) => async (app, ...values) => (await parts())[name](app, ...values);
/** Calls a function of `many.js`, loaded on demand. */
const byMany = (name) => async (app, items) => (await many())[name](app, items);
/** Like `by`, for one item. */
const byOne = (name) => (app, [item]) => by(name)(app, item);

const isOne = (items) => items.length === 1;
const areEffects = (items) => items.every(({ kind }) => kind === "effect");
/** Whether all can be read. If not, actions that read are off. */
const areSound = (items) => items.every(({ problem, isUndrawn }) => !problem || isUndrawn);
/** A value of a query. */
const quoted = (words) => (/^[\w./-]+$/.test(words) ? words : `"${words.replace(/["\\]/g, "\\$&")}"`);
const names = (done) => (done.length === 1 ? visible(done[0].name) : text("documents", done.length));

/** Each has a key of the catalogue, an icon, a condition, and a function. */
const actions = [
  { id: "open", label: "open", icon: "play", if: isOne, run: (app, [item]) => app.openItem(item) },
  { id: "information", label: "information", icon: "info", isInBar: true, if: isOne, run: byOne("information") },
  { id: "rename", label: "rename", icon: "pencil", isInBar: true, changes: true, separates: true, if: () => true, run: byMany("rename") },
  {
    id: "duplicate", label: "duplicate", icon: "copy", isInBar: true, changes: true, if: () => true,
    run: async (app, items) => {
      const outcome = await order("duplicate", { items: items.map(({ id }) => id) });
      await app.refresh();
      const done = report(outcome, (all) => text("duplicated", names(all)));
      if (done[0]?.item) app.collection.revealItem(done[0].item.id);
    },
  },
  { id: "move", label: "move", icon: "move", isInBar: true, changes: true, if: () => true, run: byMany("moveTo") },
  { id: "copy", label: "copyTo", icon: "copy", changes: true, if: () => true, run: byMany("copyTo") },
  { id: "convert", label: "convert", icon: "convert", isInBar: true, changes: true, separates: true, if: areEffects, works: areSound, run: byMany("convert") },
  { id: "export", label: "exportGIF", icon: "film", isInBar: true, if: areEffects, works: areSound, run: by("exportAnimation") },
  {
    id: "similar", label: "findSimilar", icon: "search", works: areSound, if: (items, app) => isOne(items) && areEffects(items) && !["recents", "trash"].includes(app.model.place.id),
    run: (app, [{ raw, folder }]) => app.search(`similar:${quoted(folder ? `${folder}/${raw}` : raw)}`),
  },
  { id: "validate", label: "validate", icon: "shield", if: areEffects, run: by("validate") },
  {
    id: "compact", label: "compact", icon: "compress", changes: true, works: areSound, if: (items) => items.every(({ raw, kind }) => kind === "effect" && raw.endsWith(".particles")),
    run: by("compact"),
  },
  { id: "favourite", label: "favourite", icon: "star", separates: true, if: (items) => items.some((item) => !item.isFavourite), run: (app, items) => by("setFavourite")(app, items, true) },
  { id: "unfavourite", label: "unfavourite", icon: "star", separates: true, if: (items) => items.every((item) => item.isFavourite), run: (app, items) => by("setFavourite")(app, items, false) },
  { id: "tags", label: "tags", icon: "tag", changes: true, if: () => true, run: by("editTags") },
  { id: "share", label: "share", icon: "share", separates: true, if: () => true, run: by("share") },
  { id: "download", label: "download", icon: "download", if: (items) => isOne(items) && items[0].kind !== "folder", run: (app, [item]) => download(item) },
  { id: "path", label: "copyPath", icon: "link", if: () => true, run: async (app, items) => (await parts()).copyPaths(items) },
  { id: "reveal", label: "reveal", icon: "folder", if: isOne, run: (app, [item]) => reveal(item) },
  { id: "enclosing", label: "enclosing", icon: "up", if: (items) => isOne(items) && items[0].folder !== undefined, run: (app, [item]) => app.reveal(item) },
  {
    id: "trash", label: "trash", icon: "trash", isInBar: true, changes: true, separates: true, if: () => true,
    run: async (app, items) => {
      const outcome = await order("trash", { items: items.map(({ id }) => id) });
      await app.refresh();
      report(outcome, (all) => text("trashed", names(all)));
    },
  },
];

/** What can be done with items in the trash. */
const trashActions = [
  {
    id: "restore", label: "restoreItem", icon: "undo", isInBar: true, changes: true, if: () => true,
    run: async (app, items) => {
      const outcome = await order("restore", { items: items.map(({ id }) => id) });
      await app.refresh();
      report(outcome, (all) => text("restored", names(all)));
    },
  },
  { id: "delete", label: "deleteItem", icon: "trash", isInBar: true, changes: true, separates: true, if: () => true, run: by("deleteForGood") },
];

/** The keys of actions. */
export const commands = [
  { key: "f2", action: "rename" }, { key: "delete", action: "trash", inTrash: "delete" }, { key: "n", action: "create" },
  { key: "d", needsCommand: true, action: "duplicate" }, { key: "i", needsCommand: true, action: "information" },
];

export function actionsFor(items, app) {
  if (!items.length) return [];
  const all = app.model.place?.id === "trash" ? trashActions : actions;
  return all.filter((action) => action.if(items, app) && !(action.changes && app.state.isReadOnly));
}

/** Why an action is off for items, in words, or undefined if it is on. */
export const offReason = (action, items) => (action.works?.(items) === false ? text(isOne(items) ? "offUnreadable" : "offSomeUnreadable") : undefined);

/** The key of an action, as it is on a keyboard, or undefined. */
export function keyOf({ id }) {
  const command = commands.find(({ action, inTrash }) => action === id || inTrash === id);
  const name = { delete: text("keyDelete") }[command?.key] ?? command?.key.toUpperCase();
  return command && (command.needsCommand ? `${text("keyControl")} + ${name}` : name);
}

/** The label of an action with its key. */
export const labelOf = (action) => (keyOf(action) ? `${text(action.label)} (${keyOf(action)})` : text(action.label));

function download(item) {
  const link = document.createElement("a");
  link.href = address("file", { item: item.id });
  link.download = item.raw;
  link.click();
}

async function reveal(item) {
  await order("reveal", { item: item.id });
  tell(text("revealed"));
}
