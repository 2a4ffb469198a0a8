// Parts of the pages for which the first rows do not wait.

import { make } from "./icons.js";
import { findAgain, known } from "./server.js";
import { more } from "./texts.js";

const styles = new Map();

/** Adds a style to the page, once. */
function addStyle(path) {
  if (!styles.has(path)) {
    styles.set(path, new Promise((resolve, reject) => {
      const link = make("link", { rel: "stylesheet", href: new URL(path, import.meta.url) });
      link.onload = resolve;
      link.onerror = () => {
        styles.delete(path);
        link.remove();
        reject(new Error(path));
      };
      document.head.append(link);
    }));
  }
  return styles.get(path);
}

/** Whether the page is being loaded again. */
let isLeaving = false;

/** Whether a file of the pages is there: they have no secret in their addresses. */
const answers = () => fetch(new URL("deferred-parts.js", import.meta.url), { cache: "no-store" }).then(({ ok }) => ok, () => false);

/**
 * Loads a part of the pages. A browser asks only once for the address of a module or of its imports, also if that fails.
 * So if the program has ended, the page is loaded again when the program answers. No document was open in the part.
 * @param {string} [path] - the document to open then
 */
async function load(begin, path, ...styles) {
  const key = `loaded again for ${styles[0]}`;
  try {
    const [part] = await Promise.all([begin(), more("messages"), ...styles.map(addStyle)]);
    sessionStorage.removeItem(key);
    return part;
  } catch (error) {
    // Noted at once: another part may load the page again.
    if (path) sessionStorage.setItem("editing", path);
    const isGone = !(await answers());
    if (isGone) findAgain();
    await known();
    // A part that is at fault itself would load the page for ever.
    if (!isGone && !isLeaving && sessionStorage.getItem(key)) {
      sessionStorage.removeItem("editing");
      throw error;
    }
    isLeaving = true;
    sessionStorage.setItem(key, "1");
    location.reload();
    return new Promise(() => {});
  }
}

/** Sheets, and what opens documents. */
export const parts = (path) => load(() => import("./deferred-parts.js"), path, "sheets.css");

/** Sheets for one item and for many. */
export const many = () => load(() => import("./many.js"), undefined, "sheets.css");

/** The editor of effects. */
export const effectEditor = (path) => load(() => import("./editor/index.js"), path, "editor/editor.css", "editor/controls.css");
