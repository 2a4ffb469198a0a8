// Sharing: by the system, where the browser can; else the path, the address, a mail; and services of an application.

import { button, make } from "./icons.js";
import { tell } from "./messages.js";
import { load, order } from "./server.js";
import { sheet } from "./sheet.js";
import { text, visible } from "./strings.js";

async function fileOf(item) {
  const response = await load("file", { item: item.id });
  return new File([await response.blob()], item.raw, { type: response.headers.get("Content-Type") ?? "application/octet-stream" });
}

/** Whether the system takes files; asked with one that has the same name. */
function canSend(item) {
  try {
    return Boolean(navigator.canShare?.({ files: [new File([""], item.raw, { type: "application/octet-stream" })] }));
  } catch {
    return false;
  }
}

/** The address of a file. */
const fileAddress = (path) => `file://${path.split("/").map(encodeURIComponent).join("/")}`;

export async function share(app, items) {
  const [item] = items;
  const window = sheet(text("shareTitle"));
  const [{ path }, { sharing }] = await window.attempt(() => Promise.all([
    order("information", { item: item.id }), order("offers", { items: items.map(({ id }) => id) }),
  ])) ?? [{}, {}];
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
  if (path) {
    const copy = (value, words) => async () => {
      await navigator.clipboard.writeText(value);
      tell(text(words));
    };
    add("link", "path", text("copyPath"), copy(path, "copied"));
    add("link", "address", text("shareAddress"), copy(fileAddress(path), "addressCopied"));
    add("mail", "mail", text("shareMail"), () => {
      const link = make("a", { href: `mailto:?subject=${encodeURIComponent(item.raw)}&body=${encodeURIComponent(text("mailBody", path))}` });
      link.click();
    });
  }
  for (const service of sharing) {
    add("share", service.id, service.title, async () => {
      const outcome = await order("share", { service: service.id, items: items.map(({ id }) => id) });
      tell(outcome.message ?? text("shared", visible(item.name)));
    });
  }
  window.body.append(list);
  window.footer.append(button(undefined, text("cancel"), () => window.dialog.close(), { isShown: true }));
  list.querySelector("button")?.focus();
}
