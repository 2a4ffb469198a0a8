// The search of properties: by their names here and in other editors, by kinds of forces and values of menus. Whole names come before
// whole words, and these before parts.

import { description } from "../texts.js";
import { isCommon, label, lists, nameOf } from "./rows.js";

/** A text as words: `gravity_x`, `startColor` and `Sub-emitters` are two each. */
const spelled = (text) => text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

/** What a row is called: names of the property, and names of its values and of the parts of a list. */
function called(row, rows) {
  const parts = lists.includes(row.key) ? rows.ofList(row.key) : [];
  const values = [row, ...parts].flatMap(({ values }) => values ?? []).flatMap((name) => [name, nameOf(name)]);
  return {
    names: [label(row.key), row.key.split(".").at(-1).replace("[]", ""), ...(row.names ?? [])].map(spelled),
    others: [...values, ...parts.map(({ key }) => label(key))].map(spelled),
  };
}

/** How well names answer a search: 4 for the whole name, 3 for whole words, 2 for beginnings of words. */
function rank(names, search) {
  if (names.includes(search)) return 4;
  const words = search.split(" ");
  let best = 0;
  for (const name of names) {
    const own = name.split(" ");
    if (words.every((word) => own.includes(word))) return 3;
    if (words.every((word) => own.some((each) => each.startsWith(word)))) best = 2;
  }
  return best;
}

/** How well a row answers a search, 0 if not at all. A search without words finds every row. */
export function score(row, search, rows) {
  const wanted = spelled(search);
  if (!wanted) return 1;
  const { names, others } = called(row, rows);
  const best = Math.max(rank(names, wanted), rank(others, wanted) - 0.5);
  if (best > 0) return best;
  const all = ` ${[...names, ...others, spelled(row.key)].join(" ")} `;
  const summary = ` ${spelled(description(row) ?? "")} `;
  if (wanted.split(" ").every((word) => all.includes(` ${word}`) || summary.includes(` ${word} `))) return 1;
  return [...names, ...others].some((name) => name.includes(wanted)) ? 0.5 : 0;
}

/**
 * The rows that a search finds, the best first. Parts of words are no answer where there is a better one.
 * @param {object[]} list - rows in their usual order
 * @param {(row: object) => boolean} applies - whether a row has an effect now: those come first among equals
 */
export function found(list, search, rows, applies = () => true) {
  const scored = list.map((row) => ({ row, score: score(row, search, rows), weight: (applies(row) ? 2 : 0) + (isCommon(row) ? 1 : 0) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const least = best >= 2 ? 1 : 0.5;
  return scored.filter(({ score }) => score >= least).sort((a, b) => b.score - a.score || b.weight - a.weight);
}
