// Sheets: new document, deleting, information, export.

import { factRows, templateTexts, versionName } from "./document-facts.js";
import { button, icon, make } from "./icons.js";
import { report } from "./messages.js";
import { isOfModule, isQuiet, loadPlayer, movingEffect } from "./moving.js";
import { address, ask, load, order } from "./server.js";
import { field, sheet } from "./sheet.js";
import { formatDate, formatSize, messageOf, text, typeName, visible, worded } from "./texts.js";

// MARK: New document

/** The chooser of templates. Cancelled: nothing is made. */
export async function createDocument(app) {
  const window = sheet(text("chooseTemplate"), { isWide: true });
  const { templates } = await window.attempt(() => ask("templates")) ?? { templates: [] };
  const grid = make("div", { class: "templates", role: "radiogroup", "aria-label": text("chooseTemplate") });
  const input = make("input", { autocomplete: "off", spellcheck: "false", id: "new-name" });
  const done = button(undefined, text("create"), () => create(), { isShown: true, class: "primary" });
  let chosen;
  let isTyped = false;
  input.addEventListener("input", () => { isTyped = true; });
  if (templates.length) templates.push({ name: "folder", extension: "", summary: text("newFolder") });
  const titled = (template) => ({ text: text("emptyText"), folder: text("newFolder") })[template.name] ?? templateTexts(template).name;
  const isDrawn = ({ name }) => name !== "text" && name !== "folder";
  const choose = (template) => {
    chosen = template;
    for (const each of grid.children) {
      const isChosen = each.dataset.template === template.name;
      each.setAttribute("aria-checked", String(isChosen));
      each.tabIndex = isChosen ? 0 : -1;
    }
    if (!isTyped) input.value = [titled(template), template.extension].filter(Boolean).join(".");
  };
  let moving;
  for (const template of templates) {
    const picture = make("div", { class: "picture" }, icon(isDrawn(template) ? "spark" : template.name));
    if (isDrawn(template)) {
      const image = make("img", { alt: "", src: address("template-thumbnail", { name: template.name }) });
      image.onload = () => image.classList.add("ready");
      image.onerror = () => image.remove();
      picture.append(image);
    }
    const each = make("button", {
      type: "button", class: "template", role: "radio", "aria-checked": "false", "data-template": template.name, title: templateTexts(template).summary,
      onclick: () => choose(template), ondblclick: () => create(),
      onpointerenter: () => move(template, picture), onfocus: () => move(template, picture),
    }, picture, make("span", { class: "label" }, titled(template)));
    // Seldom wanted among effects.
    each.hidden = template.name === "text";
    grid.append(each);
  }
  if (templates.some(({ name }) => name === "text")) {
    const more = button(undefined, text("moreTemplates"), () => {
      for (const each of grid.children) each.hidden = false;
      more.remove();
    }, { isShown: true, class: "pill", id: "more-templates" });
    window.body.append(make("div", { class: "pills" }, more));
  }
  grid.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const offered = templates.filter((_, place) => !grid.children[place].hidden);
    const next = offered[(offered.indexOf(chosen) + step + offered.length) % offered.length];
    choose(next);
    grid.children[templates.indexOf(next)].focus();
  });
  async function move(template, picture) {
    if (!app.state.hasModule || isQuiet() || !isDrawn(template) || picture.contains(moving)) return;
    await loadPlayer().catch(() => {});
    moving?.remove();
    moving = movingEffect(address("template-effect", { name: template.name }));
    picture.append(moving);
  }
  async function create() {
    if (!chosen) return;
    done.disabled = true;
    const place = places.length ? select.value : app.model.place.id;
    const item = await window.attempt(() => (chosen.name === "folder" ? order("folder", { location: place, name: input.value })
      : order("create", { location: place, template: chosen.name, name: input.value })));
    done.disabled = false;
    if (!item) return;
    window.dialog.close();
    await app.refresh();
    if (places.length) await app.revealIn({ location: place, item: item.id });
    else app.collection.revealItem(item.id);
    app.collection.focus();
    app.tell(text("created", visible(item.displayName)));
  }
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") create(); });
  // Where nothing can be created, other places are offered.
  const places = app.model.place.writable ? [] : app.places.filter(({ writable }) => writable);
  const select = make("select", { id: "new-place" }, ...places.map(({ id, name: title, path }) => make("option", { value: id }, visible(path ?? title))));
  window.body.prepend(grid);
  window.body.append(field(text("name"), input), ...(places.length ? [field(text("path"), select)] : []));
  window.ask(done);
  const first = templates.find(({ name }) => name === "fire") ?? templates[0];
  if (first) {
    choose(first);
    grid.children[templates.indexOf(first)].focus();
  }
}

// MARK: Deleting

/** Asks before something is deleted that cannot be brought back. */
export function deleteForGood(app, items) {
  const window = sheet(text("deleteTitle"));
  const named = items.length === 1 ? visible(items[0].name) : text("documents", items.length);
  const done = button(undefined, text("deleteNow"), async () => {
    const outcome = await window.attempt(() => order("delete", { items: items.map(({ id }) => id) }));
    if (!outcome) return;
    window.dialog.close();
    await app.refresh();
    report(outcome, () => text("deleted", named));
  }, { isShown: true, class: "primary" });
  window.body.append(make("p", {}, text("deleteHint", named)));
  const cancel = button(undefined, text("cancel"), () => window.dialog.close(), { isShown: true });
  window.footer.append(cancel, done);
  cancel.focus();
}

// MARK: Information

const severities = { error: "warning", warning: "warning", note: "info" };

/** Findings as lines, with the keys that they are about. */
export function findingLines(findings) {
  if (!findings.length) return make("p", { class: "status" }, text("noProblems"));
  return make("ul", { class: "lines" }, ...findings.slice(0, 100).map((finding) =>
    make("li", { class: finding.severity ?? finding.level ?? "note" }, icon(severities[finding.severity] ?? "info"),
      make("span", {}, finding.key ? make("b", {}, `${visible(finding.key)}: `) : null, messageOf(finding) ?? finding.text, finding.hint ? make("small", {}, worded(finding.hint)) : null))));
}

export async function information(app, item) {
  const window = sheet(visible(item.name), { isWide: true });
  window.say(text("loading"));
  const facts = await window.attempt(() => order("information", { item: item.id }));
  if (!facts) return;
  window.say("");
  // A file of another program is its own origin.
  const { origin, ...own } = facts.facts ?? {};
  const isForeign = origin && !/^org\.particles-format\.particles(-package)?$/.test(facts.type);
  const known = isForeign ? own : facts.facts;
  const rows = [
    [text("kind"), isForeign || facts.typeTitle ? typeName(isForeign ? origin : facts.typeTitle) : item.raw.split(".").slice(1).at(-1)?.toUpperCase()], [text("path"), visible(facts.path ?? "")],
    [text("size"), facts.size === undefined ? undefined : formatSize(facts.size)], [text("modified"), formatDate(facts.modified)],
    ...factRows(known),
  ];
  const table = (all) => make("dl", { class: "table" }, ...all.flatMap(([label, value]) => (value ? [make("dt", {}, label), make("dd", {}, value)] : [])));
  window.body.append(table(rows));
  const technical = factRows(known, true);
  if (technical.length) window.body.append(make("details", {}, make("summary", {}, text("details")), table(technical)));
  window.body.append(make("h3", {}, text("problems")), findingLines(facts.findings ?? []));
  const versions = facts.versions ?? [];
  window.body.append(make("h3", {}, text("versions")), versions.length
    ? make("ul", { class: "lines" }, ...versions.slice(0, 20).map((version) =>
      make("li", {}, icon("clock"), make("span", {}, [`${version.number}`, versionName(version.kind), formatDate(version.seconds)].filter(Boolean).join(" · ")))))
    : make("p", { class: "status" }, text("noVersions")));
  const programs = facts.opensIn ?? [];
  if (programs.length) {
    window.body.append(make("h3", {}, text("opensIn")), make("ul", { class: "lines" }, ...programs.map((program) =>
      make("li", {}, icon("file"), make("span", {}, program.name ?? program.id)))));
  }
  window.end();
}

// MARK: Export

/** A picture that moves, or stands still where it may not. */
export async function moved(app, source, still, background) {
  const picture = make("div", { class: "picture" });
  const stand = () => { if (still) picture.replaceChildren(make("img", { alt: "", class: "ready", src: still })); };
  const isLoaded = app.state.hasModule && !isQuiet() && await loadPlayer().then(() => true, () => false);
  if (!isLoaded) {
    stand();
    return picture;
  }
  const element = movingEffect(source);
  if (background) element.setAttribute("background", background);
  element.addEventListener("error", ({ detail }) => {
    if (still || isOfModule(detail)) stand();
    else picture.replaceChildren(make("p", { class: "status" }, detail.message));
  });
  picture.append(element);
  return picture;
}

/** Downloads animations of documents, one at a time. */
export async function exportAnimation(app, items) {
  const [item] = items;
  const window = sheet(text("exportTitle"));
  const choice = (values) => make("select", {}, ...values.map(([value, title]) => make("option", { value }, title)));
  const format = choice([["gif", "GIF"], ["apng", "APNG"], ["webp", "WebP"], ["sheet", text("spriteSheet")], ["html", "HTML"]]);
  const size = make("input", { type: "number", min: 16, max: 1024, value: 320 });
  const fps = make("input", { type: "number", min: 1, max: 240, value: 30 });
  const duration = make("input", { type: "number", min: 0.1, max: 600, step: "any", placeholder: text("exportAutomatic") });
  const loop = choice([["", text("exportAutomatic")], ["seamless", text("loopSeamless")], ["forever", text("loopForever")], ["once", text("loopOnce")]]);
  const background = choice([["", text("exportAutomatic")], ["transparent", text("transparent")], ["black", text("black")], ["white", text("white")]]);
  const settings = { size, fps, duration, loop, background };
  let exported = 0;
  const write = async (each, job) => {
    const stated = Object.entries(settings).map(([name, { value }]) => [name, value]).filter(([, value]) => value !== "");
    const response = await load("export", { item: each.id, format: format.value, ...Object.fromEntries(stated), job });
    if (!window.dialog.isConnected) return;
    const link = make("a", { href: URL.createObjectURL(await response.blob()) });
    link.download = `${each.raw.replace(/\.[^.]+$/, "")}.${format.value === "sheet" || format.value === "apng" ? "png" : format.value}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    exported += 1;
    app.tell(items.length > 1 ? text("exportedMany", exported, items.length) : text("converted", link.download));
  };
  const done = button("download", text("download"), async () => {
    done.disabled = true;
    exported = 0;
    await window.work(text("writing"), async (job) => { for (const each of items) if (window.dialog.isConnected) await write(each, job); });
    done.disabled = false;
    if (exported === items.length) window.dialog.close();
  }, { isShown: true, class: "primary" });
  // A page has the effect in it, not pictures.
  format.addEventListener("change", () => { for (const each of Object.values(settings)) each.disabled = format.value === "html" && app.state.hasModule; });
  if (items.length > 1) window.body.append(make("p", { class: "status", "data-total": items.length }, text("exportMany", items.length, visible(item.name))));
  window.body.append(await moved(app, address("effect", { item: item.id }), address("thumbnail", { item: item.id })), field(text("animation"), format), field(text("size"), size),
    field(text("framesPerSecond"), fps), field(text("exportDuration"), duration), field(text("exportLoop"), loop), field(text("exportBackground"), background));
  window.ask(done);
  format.focus();
}
