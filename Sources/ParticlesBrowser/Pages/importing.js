// Files that are dropped or pasted into the page.

import { attempt, tell, undo } from "./messages.js";
import { send } from "./server.js";
import { text, visible } from "./texts.js";

const isFile = (event) => event.dataTransfer?.types.includes("Files");

/** Takes files and texts for the place that is shown. */
export function takeImports(app, canCreate) {
  const target = document.getElementById("drop");
  const { model, collection } = app;

  async function taken(item) {
    await app.refresh();
    collection.revealItem(item.id);
    tell(text("imported", visible(item.displayName)), { undo: () => undo() });
  }

  async function importFiles(files) {
    let last;
    for (const file of files) {
      last = await attempt(send("import", { location: model.place.id, name: file.name }, file)) ?? last;
    }
    if (last) await taken(last);
  }

  addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    target.hidden = !canCreate();
  });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) target.hidden = true; });
  addEventListener("drop", (event) => {
    target.hidden = true;
    if (!isFile(event)) return;
    event.preventDefault();
    if (canCreate()) importFiles([...event.dataTransfer.files]);
  });
  addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea") || !canCreate() || document.querySelector("dialog[open]")) return;
    const files = [...event.clipboardData.files];
    const pasted = event.clipboardData.getData("text/plain");
    if (files.length) importFiles(files);
    else if (pasted.trim()) attempt(send("paste", { location: model.place.id }, pasted)).then((item) => item && taken(item));
  });
}
