// Sharing: by the system, where the browser can, or else the path, the address, a mail, services of an application.

import { button, make } from "./icons.js";
import { tell } from "./messages.js";
import { load, order } from "./server.js";
import { sheet } from "./sheet.js";
import { text, visible } from "./texts.js";

async function fileOf(item) {
  const response = await load("file", { item: item.id });
  return new File([await response.blob()], item.raw, { type: response.headers.get("Content-Type") ?? "application/octet-stream" });
}

/** Whether the system takes files. Asks with an empty file of this name. */
function canSend(item) {
  try {
    return Boolean(navigator.canShare?.({ files: [new File([""], item.raw, { type: "application/octet-stream" })] }));
  } catch {
    return false;
  }
}

/** The address of a file. */
const fileAddress = (path) => `file://${path.split("/").map(encodeURIComponent).join("/")}`;

/** The paths of items. Items of a provider may have none. */
async function pathsOf(items) {
  const all = await Promise.all(items.map(({ id }) => order("information", { item: id })));
  return all.map(({ path }) => path).filter(Boolean);
}

/** Copies texts, a line for each, and tells it. */
async function copyLines(lines, words) {
  await navigator.clipboard.writeText(lines.join("\n"));
  tell(lines.length > 1 ? text(`${words}Many`, lines.length) : text(words));
}

export async function copyPaths(items) { await copyLines(await pathsOf(items), "copied"); }

export async function share(app, items) {
  const [item] = items;
  const window = sheet(text("shareTitle"));
  const [paths, { sharing }] = await window.attempt(() => Promise.all([pathsOf(items), order("offers", { items: items.map(({ id }) => id) })])) ?? [[], {}];
  if (!sharing) return;
  const list = make("ul", { class: "lines choices" });
  const add = (symbol, id, label, run) => list.append(make("li", {}, button(symbol, label, () => window.attempt(async () => {
    await run();
    window.dialog.close();
  }), { isShown: true, "data-share": id })));
  if (items.length === 1 && item.kind !== "folder" && canSend(item)) {
    add("share", "file", text("shareFile"), async () => {
      const file = await fileOf(item);
      await navigator.share({ files: [file], title: item.raw }).catch((error) => { if (error.name !== "AbortError") throw error; });
    });
  }
  if (paths.length) {
    const isMany = paths.length > 1;
    add("link", "path", text(isMany ? "copyPaths" : "copyPath"), () => copyLines(paths, "copied"));
    add("link", "address", text(isMany ? "shareAddresses" : "shareAddress"), () => copyLines(paths.map(fileAddress), "addressCopied"));
    add("mail", "mail", text("shareMail"), () => {
      const subject = isMany ? text("documents", paths.length) : item.raw;
      const body = isMany ? `${text("mailBodyMany")}\n${paths.join("\n")}` : text("mailBody", paths[0]);
      make("a", { href: `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}` }).click();
    });
  }
  for (const service of sharing) {
    add("share", service.id, service.title, async () => {
      const outcome = await order("share", { service: service.id, items: items.map(({ id }) => id) });
      tell(outcome.message ?? text("shared", visible(item.name)));
    });
  }
  window.body.append(list);
  window.ask();
  list.querySelector("button")?.focus();
}
