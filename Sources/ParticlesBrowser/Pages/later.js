// Parts of the pages for which the first rows do not wait.

import { make } from "./icons.js";
import { address } from "./server.js";

const styles = new Map();

/** Adds a style to the page, once. */
function addStyle(path) {
  if (!styles.has(path)) {
    styles.set(path, new Promise((resolve, reject) => {
      const link = make("link", { rel: "stylesheet", href: address(path) });
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

const load = async (part, ...paths) => (await Promise.all([part, ...paths.map(addStyle)]))[0];

/** Sheets, and what opens documents. */
export const parts = () => load(import("./parts.js"), "assets/sheets.css");

/** The editor of effects. */
export const effectEditor = () => load(import("./editor/index.js"), "assets/editor/editor.css", "assets/editor/controls.css");
