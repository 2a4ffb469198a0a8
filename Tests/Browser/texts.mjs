// The answers of the route `texts`, for tests of pages in node, from the files of the texts. English names of properties are recorded.

import { readFileSync } from "node:fs";

const pages = new URL("../../Sources/ParticlesBrowser/Pages/", import.meta.url);

/** The answer of the program. Hints of rules are not in it, as their English texts are in its code. */
export function textsOf({ language, part }) {
  const stated = JSON.parse(readFileSync(new URL("editor-labels.json", import.meta.url)));
  const { pages: own, editor, labels = stated, values, descriptions = {}, rules = {}, words = {}, comments = {} } = JSON.parse(readFileSync(new URL(`${language}.json`, pages), "utf8"));
  return { pages: { pages: own }, editor: { pages: editor, labels, values, descriptions }, messages: { rules, words, comments } }[part];
}

/** Answers a request for texts, and no other one. */
export async function fetchTexts(target) {
  const url = new URL(target);
  if (!url.pathname.endsWith("/texts")) throw new TypeError(`no program answers ${url}`);
  const answer = textsOf(Object.fromEntries(url.searchParams));
  return { ok: true, status: 200, json: async () => answer };
}
