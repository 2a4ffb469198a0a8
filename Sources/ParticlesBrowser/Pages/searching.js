// The search: at once in the names of the place, a moment later in its subfolders and in the index of the program.

import { make } from "./icons.js";
import { ask } from "./server.js";
import { item } from "./model.js";
import { text } from "./texts.js";

/** Milliseconds after the last key until the program is asked. */
const pause = 250;

export function makeSearch(app, makeBarState) {
  const { model, collection } = app;
  const input = document.getElementById("search");
  const deep = make("button", { type: "button", id: "deep", "aria-pressed": "true", hidden: true, onclick: () => toggle() }, text("inSubfolders"));
  document.getElementById("chips").prepend(deep);
  let isDeep = true;
  let timer;
  let number = 0;

  function toggle() {
    isDeep = !isDeep;
    changed(0);
    input.focus();
  }

  /** Asks the program a moment after the last key. */
  function begin(delay = pause, { index } = {}) {
    clearTimeout(timer);
    const words = model.search.trim();
    const canSearch = model.place && !["recents", "trash"].includes(model.place.id);
    deep.hidden = words === "" || !canSearch;
    deep.setAttribute("aria-pressed", String(isDeep));
    number += 1;
    const mine = number;
    model.isAsking = isDeep && !deep.hidden;
    if (!model.isAsking) {
      if (model.found) model.setFound(undefined);
      return;
    }
    timer = setTimeout(async () => {
      const answer = await app.attempt(ask("list", { location: model.place.id, search: words, index }));
      if (mine !== number) return;
      model.isAsking = false;
      if (answer) model.setFound(answer.items.map(item), { ...answer, words });
      else model.filter();
    }, delay);
  }

  /** Searches for the typed text, in the shown names at once. */
  function changed(delay) {
    begin(delay);
    model.filter();
  }

  /** Searches for words in the place that is shown. */
  function search(words) {
    input.value = model.search = words;
    isDeep = true;
    collection.scrollTo(0);
    changed(0);
    makeBarState();
  }

  input.addEventListener("input", (event) => {
    model.search = event.target.value;
    collection.scrollTo(0);
    changed();
    makeBarState();
  });
  // The index grows while it is made, and is whole at its end.
  document.addEventListener("browser-progress", ({ detail }) => {
    if (!model.answer?.indexJob || detail.job !== model.answer.indexJob) return;
    if (detail.fraction >= 1) begin(0);
    else if (model.answer.indexing !== undefined) model.setProgress(detail.fraction);
  });
  return {
    search,
    /** Makes the index of a large folder, and searches it again then. */
    index() { begin(0, { index: true }); },
    /** Ends the search. */
    clear() {
      input.value = model.search = "";
      isDeep = true;
      begin();
    },
    /** Searches again, after something has changed. */
    again() { if (model.found) begin(0); },
  };
}
