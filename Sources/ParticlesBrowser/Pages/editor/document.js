// Controls of the document: its title, states, edits, versions, conflicts, and its export.

import { many } from "../deferred-loading.js";
import { versionName } from "../document-facts.js";
import { button, icon, make } from "../icons.js";
import { isQuiet } from "../moving.js";
import { Offers } from "../offers.js";
import { outsideOffer, recoveredLine, saveCopy, showPair, sideOf, stateOffer } from "../rescue.js";
import { address, ask, order } from "../server.js";
import { sheet } from "../sheet.js";
import { exportAnimation, information } from "../sheets.js";
import { formatDate, formatSize, messageOf, text, typeName, visible } from "../texts.js";
import { editName } from "./edit-names.js";

/** The title, which renames the document, and the state of saving. */
export function makeTitle(app, session) {
  const title = make("input", { class: "title", "aria-label": text("name"), spellcheck: "false", autocomplete: "off" });
  const status = make("span", { class: "status", role: "status" });
  const show = () => {
    if (document.activeElement !== title) title.value = session.item.name;
    title.size = Math.max(8, title.value.length);
    const { states } = session;
    const [line, isWrong] = states.includes("in conflict") ? ["editConflict", true] : states.includes("trashed") ? ["stateTrashed", true] : states.includes("deleted") ? ["stateGone", true]
      : states.includes("closed") ? ["editClosed", true]
      : states.includes("unreadable") ? ["editUndecodable", true] : states.includes("not saved") ? ["editNotSaved", true]
        : states.includes("read-only") ? ["readOnly", false] : states.includes("changed") || session.isPending ? ["unsaved", false] : ["saved", false];
    status.textContent = status.title = text(session.isOnline ? line : "lost");
    status.dataset.state = line;
    status.classList.toggle("wrong", isWrong || !session.isOnline);
  };
  title.addEventListener("change", async () => {
    const name = title.value.trim();
    if (!name || name === session.item.name) return show();
    const outcome = await app.attempt(order("rename", { item: session.item.id, name }));
    const result = outcome?.results?.[0];
    if (result?.status === "failed") app.tell(messageOf(result.diagnostic) ?? text("failed", name, ""), { isWrong: true });
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

/** The offers in states that another program has brought about, and what the document has become without its user. */
export class EffectBanner extends HTMLElement {
  /** @param {() => Promise<void>} leave - closes the editor without a question */
  constructor(app, session, leave) {
    super();
    this.offers = new Offers();
    Object.assign(this, { app, session, leave });
    this.className = "above effect-banner";
    for (const name of ["state", "change", "undo"]) session.addEventListener(name, () => this.show());
    const { recovered, obstacle } = session.opened ?? {};
    Object.assign(this, { recovered, obstacle });
  }

  connectedCallback() {
    this.replaceChildren(this.offers.element);
    this.hear = ({ detail }) => { if (detail.what === "outside" && detail.document?.id === this.session.item.id) this.showOutside(detail.document.outside); };
    document.addEventListener("browser-document", this.hear);
    this.show();
    this.showTurn();
  }

  disconnectedCallback() { document.removeEventListener("browser-document", this.hear); }

  /** Another program has changed the document, and its change is in it. */
  showOutside(outside) {
    const { app, session } = this;
    const { id, name } = session.item;
    this.offers.set("outside", outsideOffer(outside, {
      name,
      show: () => showPair(text("outsideChanged", visible(name)), [sideOf.open("outsideBefore", id, { version: outside.before }), sideOf.open("outsideAfter", id, { version: outside.after })]),
      takeBack: async () => {
        await session.idle();
        if (await app.attempt(order("rescue", { item: id, way: "outside", window: app.windowName }))) this.offers.set("outside");
      },
    }));
  }

  show() {
    const { states } = this.session;
    this.offers.set("state", this.offerOf(states));
    this.showRecovered();
  }

  /** The file has y up, which its engine ignores: it is offered once to turn the effect over. */
  async showTurn() {
    const { session } = this;
    const known = JSON.parse(localStorage.getItem("turned") ?? "[]");
    const source = session.document?.extensions?.PTX_source;
    const isUpsideDown = !session.isReadOnly && !known.includes(session.path) && source?.format === "starling" && Number(source.bag?.yCoordFlipped?.v) === 1;
    const changes = isUpsideDown ? (await import("./turning.js")).turnedOver(session.document) : undefined;
    const answer = (turns) => {
      localStorage.setItem("turned", JSON.stringify([...known, session.path].slice(-50)));
      if (turns) session.edit("editNameTurn", changes);
      this.offers.set("turn");
    };
    this.offers.set("turn", changes?.length ? { line: text("editUpsideDown"), isMild: true, ways: [["editTurnOver", () => answer(true)], ["editTurnNot", () => answer(false)]] } : undefined);
  }

  offerOf(states) {
    const { app, session } = this;
    const save = (label, way) => [label, () => app.attempt(session.save(way))];
    if (states.includes("in conflict")) return { line: text("editConflictHint"), ways: [["editCompare", () => showConflict(app, session)]] };
    if (states.includes("unreadable")) return { line: text("editUndecodableHint"), ways: [save("editSaveAnyway", "anyway"), save("editDiscard", "discard")] };
    if (states.includes("read-only") && this.obstacle?.kind === "format") {
      return { line: text("obstacleFormat", visible(session.item.name)), ways: [save("editSavePackage", "package")], isMild: true, hides: true };
    }
    const offer = stateOffer(states, {
      name: session.item.name, obstacle: this.obstacle, copy: (title) => this.copy(title),
      way: (name) => app.attempt(name === "restore" ? order("rescue", { item: session.item.id, way: name, window: app.windowName }) : session.save(name)),
    });
    if (offer || !states.includes("not saved")) return offer;
    return { line: text("editNotSavedHint"), ways: [save("editSaveAgain", "save"), ["rescueCopy", () => this.copy(text("rescueCopy"))]] };
  }

  copy(title) {
    const { app, session } = this;
    saveCopy(app, title, { item: () => session.item.id, name: session.item.name, before: () => session.idle(), leave: this.leave });
  }

  /** Changes that a program had not saved, and that are in the effect now: until there is another edit. */
  showRecovered() {
    const { app, session, recovered } = this;
    const isLast = recovered && session.undoName === "Recover Changes" && !session.states.includes("in conflict");
    if (recovered && !isLast) this.recovered = undefined;
    const { id, name } = session.item;
    this.offers.set("recovered", isLast ? {
      isMild: true, hides: true, line: recoveredLine("recoveredTaken", recovered, name),
      ways: [
        ["recoveredShow", async () => {
          // They are saved a moment later. The state before is a version.
          const { versions } = await ask("edit-versions", { item: id }).catch(() => ({ versions: [] }));
          const before = versions.find(({ kind }) => kind === "replaced");
          showPair(text("recoveredTitle"), [before ? sideOf.open("recoveredStored", id, { version: before.number }) : sideOf.saved("recoveredStored", id), sideOf.open("recoveredChanged", id)]);
        }],
        // The state before is saved again, and the journal forgets them.
        ["rescueDiscard", () => app.attempt((async () => {
          await session.undo();
          await session.save("automatic");
          await session.save("discard");
        })())],
      ],
    } : undefined);
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

/** A moving picture over a still one by the program, which shows at once, also if the page cannot play the effect. */
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

/** The edits, the newest first. A click undoes to there. */
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
  // Nothing to save: nothing to choose.
  if (!session.states.includes("changed") && !session.states.includes("not saved")) {
    app.tell(text("editNothingToSave", visible(session.item.name)));
    return "save";
  }
  const window = sheet(text("editSaveAs", typeName(session.format.title)));
  window.say(text("measuring"));
  const answer = await window.attempt(() => ask("edit-losses", { item: session.item.id }));
  if (!answer) return undefined;
  window.say("");
  const { losses, dropped = [], accepts = [], difference, version, isInPlace } = answer;
  const lines = (all) => make("ul", { class: "lines" }, ...all.map(({ level, text: line }) => make("li", { class: level }, icon("warning"), make("span", {}, line))));
  window.body.append(version ? make("p", {}, `${typeName(session.format.title)} ${version}`) : "",
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
export const openExport = (app, session) => withSaved(app, session, (each, item) => exportAnimation(each, [item]));
export const openConversion = (app, session) => withSaved(app, session, async (each, item) => (await many()).convert(each, [item]));
