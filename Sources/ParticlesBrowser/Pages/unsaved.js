// Unsaved work, above the list: documents that could not be closed, and copies that programs have left.

import { button, icon, make } from "./icons.js";
import { Offers } from "./offers.js";
import { askPlace, showPair, showText, sideOf } from "./rescue.js";
import { ask, order } from "./server.js";
import { sheet } from "./sheet.js";
import { formatDate, formatSize, messageOf, text, visible } from "./texts.js";

const nameOf = (path) => path.split("/").at(-1);

/** Milliseconds after an event before the journal is asked again. */
const rest = 400;

/** Shows unsaved work above the list. */
export function watchUnsaved(app) {
  const offers = new Offers();
  document.getElementById("scroller").before(offers.element);
  const waiting = new Map();
  let timer;

  function show({ id, path, kind, windows, states }) {
    const isWaiting = windows.length === 0 && !states.includes("closed") && (waiting.has(id) || states.includes("changed") || states.includes("in conflict"));
    if (isWaiting) waiting.set(id, path);
    else waiting.delete(id);
    const name = nameOf(path);
    offers.set(`document ${id}`, isWaiting ? {
      line: text("backgroundHint", visible(name)),
      ways: [["recoveredOpen", () => app.openItem({ id, name, kind: kind === "text" ? "text" : "effect", isSelectable: true, isOpen: true })]],
    } : undefined);
  }

  async function look() {
    const { entries } = await ask("recovery").catch(() => ({ entries: [] }));
    offers.set("recovery", entries.length ? {
      isMild: true, hides: true, line: entries.length === 1 ? text("recoveredOne") : text("recoveredMany", entries.length),
      ways: [["recoveredShow", () => showEntries(app, look)]],
    } : undefined);
  }

  async function lookAtAll() {
    const { documents } = await ask("background").catch(() => ({ documents: [] }));
    documents.forEach(show);
    await look();
  }

  document.addEventListener("browser-document", ({ detail: { document: described, what } }) => {
    if (!described) return;
    show(described);
    if (!["closed", "background", "saved"].includes(what)) return;
    clearTimeout(timer);
    timer = setTimeout(look, rest);
  });
  document.addEventListener("browser-resumed", () => {
    for (const id of waiting.keys()) offers.set(`document ${id}`);
    waiting.clear();
    lookAtAll();
  });
  return lookAtAll();
}

/** All that programs have left, each with its ways out. */
async function showEntries(app, changed) {
  const window = sheet(text("recoveredTitle"), { isWide: true });
  const list = make("ul", { class: "left" });
  window.body.append(list);
  async function fill() {
    const { entries } = await window.attempt(() => ask("recovery")) ?? { entries: [] };
    list.replaceChildren(...entries.map(row));
    changed();
    if (!entries.length) window.dialog.close();
  }
  function row(each) {
    const { entry, name, path, seconds, program, size, isGone, item, parent, fault } = each;
    const isText = /\.(txt|text|md|markdown)$/i.test(name);
    const ways = [];
    const way = (label, run, values) => ways.push(button(undefined, text(label), run, { isShown: true, "data-way": label, ...values }));
    if (item && !fault) {
      way("recoveredOpen", async () => {
        window.dialog.close();
        await app.revealIn({ location: parent, item }, true);
      }, { class: "primary" });
    }
    if (!fault) {
      way("recoveredShow", () => (isText ? showText(entry)
        : showPair(visible(name), [...(item ? [sideOf.saved("recoveredStored", item)] : []), sideOf.entry("recoveredChanged", entry)])));
      way("recoveredElsewhere", () => askPlace(app, text("recoveredElsewhere"), name || "Untitled.particles", async (values) => {
        const { copy } = await order("recovery", { entry, way: "copy", ...values });
        await fill();
        await app.refresh();
        return copy;
      }));
    }
    way("rescueDiscard", () => confirmDiscard(visible(name), async () => {
      await window.attempt(() => order("recovery", { entry, way: "discard" }));
      app.tell(text("recoveredDiscarded", visible(name)));
      await fill();
    }));
    const facts = text("recoveredOf", formatDate(seconds), [formatSize(size), program].join(" · "));
    return make("li", { "data-entry": entry }, icon(isText ? "text" : "spark"),
      make("div", {}, make("strong", {}, visible(name)), make("small", { title: path }, fault ? messageOf(fault) : isGone ? text("recoveredGone", facts) : facts)), ...ways);
  }
  await fill();
}

/** Asks before changes are given up for good. */
function confirmDiscard(name, run) {
  const window = sheet(text("recoveredDiscardTitle"));
  window.body.append(make("p", {}, text("deleteHint", name)));
  window.ask(
    button(undefined, text("rescueDiscard"), () => {
      window.dialog.close();
      run();
    }, { isShown: true, class: "primary", "data-way": "confirm" }));
  window.footer.lastChild.focus();
}
