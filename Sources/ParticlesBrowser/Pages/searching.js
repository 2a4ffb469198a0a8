// The search: at once in the names of the place, and on request in its subfolders.

import { make } from "./icons.js";
import { ask } from "./server.js";
import { item } from "./model.js";
import { text } from "./strings.js";

export function makeSearch(app, makeBarState) {
  const { model, collection } = app;
  const input = document.getElementById("search");
  const deep = make("button", { type: "button", id: "deep", "aria-pressed": "false", hidden: true, onclick: () => toggle() }, text("inSubfolders"));
  document.getElementById("chips").prepend(deep);
  let isDeep = false;
  let timer;
  let number = 0;

  function toggle() {
    isDeep = !isDeep;
    begin(0);
    input.focus();
  }

  /** Searches the subfolders a moment after the last key. */
  function begin(delay = 250) {
    clearTimeout(timer);
    const words = model.search.trim();
    const canSearch = model.place && !["recents", "trash"].includes(model.place.id);
    deep.hidden = words === "" || !canSearch;
    deep.setAttribute("aria-pressed", String(isDeep));
    number += 1;
    if (!isDeep || deep.hidden) return model.found ? model.setFound(undefined) : undefined;
    const mine = number;
    timer = setTimeout(async () => {
      document.getElementById("count").textContent = text("searching");
      const answer = await app.attempt(ask("list", { location: model.place.id, search: words }));
      if (answer && mine === number) model.setFound(answer.items.map(item), answer.partial);
    }, delay);
    return undefined;
  }

  input.addEventListener("input", (event) => {
    model.search = event.target.value;
    collection.scrollTo(0);
    if (!isDeep) model.filter();
    begin();
    makeBarState();
  });
  return {
    /** Ends the search. */
    clear() {
      input.value = model.search = "";
      isDeep = false;
      begin();
    },
    /** Searches again, after something has changed. */
    again() { if (isDeep && model.found) begin(0); },
  };
}
