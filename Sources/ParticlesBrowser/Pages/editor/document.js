// What is about the document: its title, states, edits, versions, conflicts, and its export.

import { versionName } from "../facts.js";
import { button, icon, make } from "../icons.js";
import { isQuiet } from "../moving.js";
import { address, ask, order } from "../server.js";
import { sheet } from "../sheet.js";
import { convert, exportAnimation, information } from "../sheets.js";
import { formatDate, formatSize, text, typeName, visible } from "../strings.js";
import { messageOf } from "../wording.js";
import { editName } from "./edit-names.js";

/** The title, which renames the document, and the state of saving. */
export function makeTitle(app, session) {
  const title = make("input", { class: "title", "aria-label": text("name"), spellcheck: "false", autocomplete: "off" });
  const status = make("span", { class: "status", role: "status" });
  const show = () => {
    if (document.activeElement !== title) title.value = session.item.name;
    title.size = Math.max(8, title.value.length);
    const { states } = session;
    const [line, isWrong] = states.includes("in conflict") ? ["editConflict", true] : states.includes("deleted") ? ["editDeleted", true]
      : states.includes("unreadable") ? ["editUndecodable", true] : states.includes("not saved") ? ["editNotSaved", true]
        : states.includes("read-only") ? ["readOnly", false] : states.includes("changed") || session.isPending ? ["unsaved", false] : ["saved", false];
    status.textContent = text(session.isOnline ? line : "lost");
    status.dataset.state = line;
    status.classList.toggle("wrong", isWrong || !session.isOnline);
  };
  title.addEventListener("change", async () => {
    const name = title.value.trim();
    if (!name || name === session.item.name) return show();
    const outcome = await app.attempt(order("rename", { item: session.item.id, name }));
    const result = outcome?.results?.[0];
    if (result?.status === "failed") app.tell(messageOf(result.diagnostic?.message) ?? text("failed", name, ""), { isWrong: true });
    else if (result?.item) Object.assign(session.item, { name: result.item.displayName ?? name, id: result.item.id ?? session.item.id });
    show();
  });
  title.addEventListener("keydown", (event) => {
    if (event.key === "Enter") title.blur();
    if (event.key === "Escape") {
      event.stopPropagation();
      title.value = session.item.name;
      title.blur();
    }
  });
  for (const name of ["state", "change", "saved"]) session.addEventListener(name, show);
  show();
  return { title, status };
}

/** The offers in states that another program has brought about. */
export class EffectBanner extends HTMLElement {
  constructor(app, session) {
    super();
    Object.assign(this, { app, session });
    this.className = "effect-banner";
    this.setAttribute("role", "alert");
    this.hidden = true;
    session.addEventListener("state", () => this.show());
    session.addEventListener("change", () => this.show());
  }

  connectedCallback() { this.show(); }

  show() {
    const { states } = this.session;
    const state = ["in conflict", "deleted", "unreadable", "not saved"].find((name) => states.includes(name));
    if (state === this.state) return;
    this.state = state;
    this.hidden = !state;
    const way = (key, name) => button(undefined, text(key), () => this.app.attempt(this.session.save(name)), { isShown: true });
    const offers = {
      "in conflict": () => [text("editConflictHint"), button(undefined, text("editCompare"), () => showConflict(this.app, this.session), { isShown: true, class: "primary" })],
      deleted: () => [text("editDeletedHint"), way("editRecreate", "recreate"), way("editDiscard", "discard")],
      unreadable: () => [text("editUndecodableHint"), way("editSaveAnyway", "anyway"), way("editDiscard", "discard")],
      "not saved": () => [text("editNotSavedHint"), way("editSaveAgain", "save")],
    };
    if (state) this.replaceChildren(icon("warning"), ...offers[state]());
  }
}

customElements.define("effect-banner", EffectBanner);

/** A picture that moves of an effect in the program. */
function movingSide(values) {
  const element = document.createElement("particles-effect");
  element.setAttribute("loop", "");
  if (!isQuiet()) element.setAttribute("autoplay", "");
  element.setAttribute("background", "auto");
  element.setAttribute("src", address("edit-effect", values).href);
  return element;
}

/** The same over a picture by the program, which is there at once, also where the page cannot play the effect. */
function stillThenMoving(values) {
  const still = make("img", { alt: "", class: "ready", src: address("edit-thumbnail", { ...values, size: 256 }).href });
  const moving = movingSide(values);
  moving.addEventListener("frame", () => still.remove(), { once: true });
  moving.addEventListener("error", () => moving.remove(), { once: true });
  return make("div", { class: "picture" }, still, moving);
}

/** Both sides of a conflict, moving. */
export function showConflict(app, session) {
  const window = sheet(text("editConflict"), { isWide: true });
  const { conflict } = session;
  const item = session.item.id;
  const side = (name, key) => make("figure", {}, make("figcaption", {}, text(key)), stillThenMoving({ item, side: name }),
    button(undefined, text(`editKeep${name[0].toUpperCase()}${name.slice(1)}`), () => end(name), { isShown: true, class: "primary", "data-choice": name }));
  const end = (choice) => window.attempt(async () => {
    await session.resolve(choice);
    window.dialog.close();
  });
  window.body.append(make("p", {}, text("editClashes", (conflict?.clashes ?? []).slice(0, 8).join(", "))),
    make("div", { class: "pair" }, side("ours", "editOurs"), side("theirs", "editTheirs"), ...(conflict?.canMerge ? [side("merged", "editMerged")] : [])));
  window.footer.append(button(undefined, text("editKeepBoth"), () => end("both"), { isShown: true, "data-choice": "both" }),
    button(undefined, text("cancel"), () => window.dialog.close(), { isShown: true }));
}

/** The versions, each with a picture that moves under the pointer. */
export async function showVersions(app, session) {
  const window = sheet(text("versions"), { isWide: true });
  window.say(text("loading"));
  const { versions } = await window.attempt(() => ask("edit-versions", { item: session.item.id })) ?? { versions: [] };
  window.say("");
  const item = session.item.id;
  const list = make("ul", { class: "versions" }, ...versions.map((version) => {
    const image = make("img", { alt: "", class: "ready", loading: "lazy", src: address("edit-thumbnail", { item, version: version.number, size: 256 }).href });
    image.onerror = () => image.replaceWith(icon("warning"));
    const picture = make("div", { class: "picture" }, image);
    picture.addEventListener("pointerenter", () => { picture.moving ??= picture.appendChild(movingSide({ item, version: version.number })); });
    picture.addEventListener("pointerleave", () => {
      picture.moving?.remove();
      picture.moving = undefined;
    });
    return make("li", {}, picture, make("p", {}, formatDate(version.seconds)),
      make("small", {}, [versionName(version.kind), version.comment && editName(version.comment, session.rows), formatSize(version.size)].filter(Boolean).join(" · ")),
      button("undo", text("editRestore"), () => window.attempt(async () => {
        await session.restore(version.number);
        window.dialog.close();
        app.tell(text("editRestored", formatDate(version.seconds)), { undo: () => session.undo() });
      }), { isShown: true, "data-version": version.number, disabled: session.isReadOnly }));
  }));
  window.body.append(versions.length ? list : make("p", { class: "status" }, text("noVersions")));
  window.footer.append(button("plus", text("editSaveVersion"), () => window.attempt(async () => {
    await session.save();
    window.dialog.close();
  }), { isShown: true, disabled: session.isReadOnly }));
}

/** The edits, the newest first; a click undoes to there. */
export function showEdits(session, place) {
  document.querySelector("#edits")?.remove();
  const names = session.undoNames ?? [];
  const list = make("div", { id: "edits", popover: "auto", role: "menu", "aria-label": text("editEdits") },
    ...(names.length ? names.slice().reverse().map((name, index) => button(undefined, editName(name, session.rows), () => {
      list.hidePopover();
      session.undo(index + 1);
    }, { isShown: true, role: "menuitem" })) : [make("p", { class: "status" }, text("editNoEdits"))]));
  place.closest("dialog").append(list);
  list.showPopover();
  const box = place.getBoundingClientRect();
  list.style.left = `${Math.max(8, box.left)}px`;
  list.style.top = `${box.bottom + 6}px`;
  list.addEventListener("toggle", ({ newState }) => { if (newState === "closed") list.remove(); });
  list.querySelector("button")?.focus();
}

/** Saves a file of another format: states what the format does not hold. */
export async function saveForeign(app, session, { isClosing = false } = {}) {
  if (!session.isForeign) return app.attempt(session.save());
  await session.idle();
  const window = sheet(text("editSaveAs", typeName(session.format.title)));
  window.say(text("measuring"));
  const answer = await window.attempt(() => ask("edit-losses", { item: session.item.id }));
  if (!answer) return undefined;
  window.say("");
  const { losses, dropped = [], accepts = [], difference, version, isInPlace } = answer;
  const lines = (all) => make("ul", { class: "lines" }, ...all.map(({ level, text: line }) => make("li", { class: level }, icon("warning"), make("span", {}, line))));
  window.body.append(make("p", {}, [answer.format, version].filter(Boolean).join(" · ")),
    difference === undefined ? "" : make("p", {}, `${text("similarity")}: ${Math.round((1 - difference) * 100)} %`),
    losses.length ? lines(losses) : make("p", { class: "status" }, text("noLosses")));
  if (dropped.length) window.body.append(make("p", {}, text("editDropped")));
  return new Promise((resolve) => {
    const choice = (key, way, values) => button(undefined, text(key), () => window.attempt(async () => {
      if (way) await session.save(way, way === "lossy" ? accepts : undefined);
      resolve(way ?? "later");
      window.dialog.close();
    }), { isShown: true, "data-way": way ?? "later", ...values });
    window.dialog.addEventListener("close", () => resolve(undefined));
    window.footer.append(...(isClosing ? [choice("editDiscard", "discard"), choice("editLater", undefined)] : []), choice("editSavePackage", "package"),
      ...(isInPlace ? [choice(dropped.length ? "editSaveLossy" : "save", dropped.length ? "lossy" : "save", { class: "primary" })] : []));
    window.footer.lastChild.focus();
  });
}

/** Properties and exports: the sheets of the browser, of the saved document. */
export async function withSaved(app, session, open) {
  await app.attempt(session.save("automatic"));
  await open(app, { ...session.item, raw: session.item.raw ?? session.item.name });
}

export const openInformation = (app, session) => withSaved(app, session, information);
export const openExport = (app, session) => withSaved(app, session, exportAnimation);
export const openConversion = (app, session) => withSaved(app, session, (each, item) => convert(each, [item]));
