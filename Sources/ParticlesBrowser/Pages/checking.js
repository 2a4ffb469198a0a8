// Validation and compaction of the selected documents, with progress.

import { button, make } from "./icons.js";
import { tell } from "./messages.js";
import { order } from "./server.js";
import { sheet } from "./sheet.js";
import { findingLines } from "./sheets.js";
import { formatCount, text, visible } from "./texts.js";

const run = (window, line, action, items) => window.work(text(line), (job) =>
  order("action", { action: `org.particles-format.${action}`, items: items.map(({ id }) => id), job }));

export async function validate(app, items) {
  const window = sheet(text("validateTitle"), { isWide: true });
  const close = button(undefined, text("cancel"), () => window.dialog.close(), { isShown: true });
  window.footer.append(close);
  const outcome = await run(window, "validating", "validate", items);
  if (!outcome) return;
  const files = outcome.report?.files ?? [];
  const wrong = files.filter(({ diagnostics }) => diagnostics.length);
  window.say(text("validated", formatCount(files.length), wrong.length));
  close.textContent = text("done");
  for (const file of wrong.length ? wrong : files.slice(0, 1)) {
    window.body.append(make("h3", {}, visible(file.path.split("/").at(-1))), findingLines(file.diagnostics));
  }
  await app.refresh();
}

export async function compact(app, items) {
  const window = sheet(text("compact"));
  window.ask();
  const outcome = await run(window, "compacting", "compact", items);
  if (!outcome) return;
  window.dialog.close();
  await app.refresh();
  const names = outcome.changed.map((path) => visible(path.split("/").at(-1)));
  tell(names.length ? text("compacted", names.length === 1 ? names[0] : formatCount(names.length)) : text("compactedNothing"));
}
