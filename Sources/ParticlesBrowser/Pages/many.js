// Sheets that are loaded when they are needed: for one item and for many. `deferred-loading.js` loads it.

export { convert } from "./converting.js";
export { copyTo, moveTo } from "./folders.js";
export { rename } from "./renaming.js";
