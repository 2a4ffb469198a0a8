// Conversion of one effect or of many: losses before the files are written, and in the report.

import { chooseFolder } from "./folders.js";
import { button, icon, make } from "./icons.js";
import { isCancelled, makeJob } from "./jobs.js";
import { undo } from "./messages.js";
import { address, ask, order } from "./server.js";
import { field, sheet } from "./sheet.js";
import { findingLines, moved } from "./sheets.js";
import { messageOf, shortened, text, typeName, visible } from "./texts.js";

/** Levels of losses, the most visible last. */
const levels = ["info", "low", "medium", "high"];

/** How different a row of a conversion is, from 0 to 1, or 2 if it failed. */
export const weight = ({ status, difference, worst }) => (status === "failed" ? 2 : difference ?? levels.indexOf(worst) / 3);

/** Whether a result looks different: measured, or else as it is estimated. */
export const looksDifferent = (row) => row.status !== "failed" && (row.difference === undefined ? levels.indexOf(row.worst) > 1 : row.difference >= 0.05);

const percent = (difference) => `${Math.round((1 - difference) * 100)} %`;

/** How similar the result of a row is, in a few letters. */
function verdict(row) {
  if (row.status === "failed") return text("rowFailed");
  if (row.difference !== undefined) return percent(row.difference);
  return text(`level${row.worst[0].toUpperCase()}${row.worst.slice(1)}`);
}

/** The rows of a conversion, the most different first. `choose` gets the chosen one. */
function rowList(rows, choose) {
  const list = make("ul", { class: "lines compared", role: "listbox", "aria-label": text("losses") });
  const select = (row, each) => {
    for (const other of list.children) other.setAttribute("aria-selected", String(other === each));
    choose(row);
  };
  for (const row of rows.toSorted((a, b) => weight(b) - weight(a))) {
    const each = make("li", {
      role: "option", tabindex: "0", "aria-selected": "false", class: row.status === "failed" ? "error" : row.worst === "high" ? "high" : row.worst,
      onclick: () => select(row, each), onkeydown: (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          select(row, each);
        }
        const next = { ArrowDown: each.nextElementSibling, ArrowUp: each.previousElementSibling }[event.key];
        if (next) {
          event.preventDefault();
          next.focus();
        }
      },
    }, icon(row.status === "failed" || looksDifferent(row) ? "warning" : "check"), make("span", { title: visible(row.name) }, shortened(row.name, 44)), make("strong", {}, verdict(row)));
    list.append(each);
  }
  return { list, first: () => list.firstElementChild?.click() };
}

/** The fault of a row, or its losses. */
function rowFindings(row) {
  if (row.fault) return findingLines([{ ...row.fault, severity: "error" }]);
  return row.losses.length ? findingLines(row.losses) : make("p", { class: "status" }, text("noLosses"));
}

/** The rows of an answer with their items. */
const named = (answer, items) => answer.rows.map((row, index) => ({ ...row, item: items[index], name: items[index]?.raw ?? row.source.split("/").at(-1) }));

/** What a conversion has done, document by document. */
export function conversionReport(rows, title) {
  const window = sheet(title, { isWide: true });
  const findings = make("div", { class: "body-part", "aria-live": "polite" });
  const { list, first } = rowList(rows, (row) => findings.replaceChildren(
    make("h3", {}, row.status === "failed" ? visible(row.name) : `${visible(row.name)} → ${visible(row.target.split("/").at(-1))}`), rowFindings(row)));
  window.body.append(list, findings);
  window.end();
  first();
}

/** Shows one effect with the camera of another, so that places and sizes can be compared. */
function follow(first, second) {
  if (!first || !second) return;
  const look = () => {
    const camera = first.effect?.view?.camera;
    if (!camera || !second.effect) return;
    second.camera = camera;
    second.updateView();
  };
  first.addEventListener("ready", look);
  second.addEventListener("ready", look);
  look();
}

export async function convert(app, items) {
  const isMany = items.length > 1;
  const window = sheet(isMany ? text("convertManyTitle", items.length) : text("convertTitle"), { isWide: true });
  const { targets } = await window.attempt(() => ask("targets")) ?? { targets: [] };
  const select = make("select", { id: "convert-target" }, ...targets.map(({ name, title, extension }) => make("option", { value: name }, `${typeName(title)} (.${extension})`)));
  select.value = localStorage.getItem("target") ?? "starling";
  if (!select.value) select.selectedIndex = 0;
  // The folder for the results.
  let folder;
  const other = button("folder", text("folderOther"), () => chooseFolder(app, text("convertFolder"), text("choose"), async (chosen) => {
    folder = chosen;
    where.textContent = visible(chosen.path ?? chosen.name);
    return true;
  }), { isShown: true, id: "convert-folder" });
  const where = make("span", { class: "status" }, text("folderBeside"));
  // Both have the first one's background: a different one hides different particles.
  const background = () => {
    const [red, green, blue] = before.querySelector("particles-effect")?.effect?.view?.background ?? [];
    return red === undefined ? undefined : `rgb(${[red, green, blue].map((part) => Math.round(part * 255)).join(" ")})`;
  };
  const before = make("figure", {}, make("figcaption", {}, text("before")), make("div", { class: "picture" }));
  const after = make("figure", {}, make("figcaption", {}, text("after")), make("div", { class: "picture" }));
  const result = make("div", { "aria-live": "polite", class: "body-part" });
  const rows = make("div", { class: "body-part", hidden: !isMany });
  const done = button(undefined, text("convertTitle"), async () => {
    done.disabled = true;
    const target = typeName(targets.find(({ name }) => name === select.value)?.title ?? select.value);
    comparing?.cancel();
    const outcome = await window.work(text("writing"), (job) =>
      order("convert", { items: items.map(({ id }) => id), target: select.value, location: folder?.id, job }));
    done.disabled = false;
    if (!outcome) return;
    window.dialog.close();
    await app.refresh();
    // Documents of the last comparison have a measured difference, all else an estimate.
    tellOutcome(app, outcome, named(outcome, items).map((row, index) => ({ ...row, difference: measured[index]?.difference })), target);
  }, { isShown: true, class: "primary" });
  let number = 0;
  let comparing;
  /** The rows of the last comparison. */
  let measured = [];

  /** Shows one document before and after. */
  async function show(item) {
    const mine = ++number;
    window.say(text("measuring"));
    result.replaceChildren();
    before.lastChild.replaceWith(await moved(app, address("effect", { item: item.id }), address("thumbnail", { item: item.id })));
    const answer = await window.attempt(() => ask("conversion", { item: item.id, target: select.value }));
    if (mine !== number || !answer) return;
    window.say("");
    if (answer.difference !== undefined) {
      const similarity = percent(answer.difference.whole);
      const bar = make("i");
      bar.style.width = similarity.replace(" ", "");
      result.append(make("h3", {}, `${text("similarity")}: ${similarity}`),
        make("div", { class: "meter", role: "meter", "aria-label": text("similarity"), "aria-valuenow": Math.round((1 - answer.difference.whole) * 100), "aria-valuemin": 0, "aria-valuemax": 100 }, bar),
        make("dl", { class: "table" }, ...(answer.difference.aspects ?? []).flatMap(({ name, value }) =>
          [make("dt", {}, text(`aspect${name[0].toUpperCase()}${name.slice(1)}`)), make("dd", {}, percent(value))])));
    }
    result.append(make("h3", {}, text("losses")), answer.losses.length ? findingLines(answer.losses) : make("p", { class: "status" }, text("noLosses")));
    const picture = await moved(app, address("converted", { item: item.id, target: select.value }), undefined, background());
    after.lastChild.replaceWith(picture);
    follow(before.querySelector("particles-effect"), picture.querySelector("particles-effect"));
  }

  /** Compares all documents, and shows the most different one. */
  async function compare() {
    const mine = ++number;
    comparing?.cancel();
    const bar = make("progress", { "aria-label": text("progress"), max: 1 });
    rows.replaceChildren(make("p", { class: "status" }, text("comparingMany", items.length)), bar);
    measured = [];
    result.replaceChildren();
    const job = comparing = makeJob((fraction) => { bar.value = fraction; });
    try {
      const answer = await order("compare", { items: items.map(({ id }) => id), target: select.value, job: job.name });
      if (mine !== number || !window.dialog.isConnected) return;
      const compared = measured = named(answer, items);
      const { list, first } = rowList(compared, (row) => (row.fault ? fail(row) : show(row.item)));
      rows.replaceChildren(make("h3", {}, text("comparedMany", compared.length, compared.filter(looksDifferent).length)), list);
      first();
    } catch (error) {
      if (!isCancelled(error) && mine === number) window.say(messageOf(error), true);
    } finally {
      job.end();
      if (comparing === job) comparing = undefined;
    }
  }

  /** Shows why a document cannot be converted. */
  function fail(row) {
    number += 1;
    window.say("");
    for (const figure of [before, after]) figure.lastChild.replaceWith(make("div", { class: "picture" }));
    result.replaceChildren(rowFindings(row));
  }

  const begin = () => {
    localStorage.setItem("target", select.value);
    return isMany ? compare() : show(items[0]);
  };
  window.dialog.addEventListener("close", () => comparing?.cancel());
  select.addEventListener("change", begin);
  window.body.append(field(text("target"), select), make("div", { class: "folder-choice" }, make("span", {}, text("convertFolder")), where, other), rows,
    make("div", { class: "pair" }, before, after), result);
  window.ask(done);
  select.focus();
  await begin();
}

/** One sentence about the conversion, with a report and a way back. */
function tellOutcome(app, outcome, rows, target) {
  const [written, different] = [outcome.total - outcome.failed, rows.filter(looksDifferent).length];
  const parts = [rows.length > 1 ? text("convertedMany", written, target) : text("converted", outcome.created.map((path) => visible(path.split("/").at(-1))).join(", "))];
  if (different) parts.push(text(different === 1 ? "convertedDifferentOne" : "convertedDifferent", different));
  if (outcome.failed) parts.push(text("convertedFailed", outcome.failed));
  app.tell(parts.join(", "), {
    ways: [{ label: text("report"), run: () => conversionReport(rows, text("convertedMany", written, target)) }, { label: text("undo"), run: () => undo() }],
  });
}
