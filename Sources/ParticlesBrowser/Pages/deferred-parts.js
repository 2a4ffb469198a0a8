// What the first rows do not wait for: sheets, and what opens documents. `deferred-loading.js` loads it.

export { compact, validate } from "./checking.js";
export { editTags, setFavourite } from "./labels.js";
export { copyPaths, share } from "./sharing.js";
export { sheet } from "./sheet.js";
export { createDocument, deleteForGood, exportAnimation, information } from "./sheets.js";
export { openEditor } from "./text-editor.js";
export { watchUnsaved } from "./unsaved.js";
export { openViewer } from "./viewer.js";
export { Zoom } from "./zoom.js";
