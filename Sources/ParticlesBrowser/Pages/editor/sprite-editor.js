// A sprite: the region of its image, its grid of frames, its pivot. They are dragged in the picture, or typed.

import { make } from "../icons.js";
import { text } from "../texts.js";
import { Binding } from "./binding.js";
import { draggable, endOnEscape, heldKeys, showAt, tellFault, tool } from "./control-parts.js";
import { lineOf, NumberField } from "./field.js";
import { clamp } from "./numbers.js";
import { ChoiceField, SwitchField, VectorField } from "./plain-fields.js";
import { completed, label } from "./rows.js";
import { spriteName } from "./sprite-field.js";

const corners = ["nw", "ne", "sw", "se", "move"];

/** The editor of a sprite, over the page. */
export function openSprite(anchor, session, index) {
  const editor = new SpriteEditor(session, index);
  const panel = make("div", { class: "c-panel c-sprite", role: "dialog", "aria-label": text("editSprite", spriteName(session, index)) }, ...editor.parts);
  endOnEscape(panel, anchor);
  const change = () => editor.refresh();
  session.addEventListener("change", change);
  panel.addEventListener("toggle", ({ newState }) => { if (newState === "closed") session.removeEventListener("change", change); });
  panel.addEventListener("fault", ({ detail }) => { editor.note.textContent = detail.message; });
  showAt(anchor, panel);
  editor.refresh();
  (panel.querySelector(".frame [tabindex='0']") ?? panel.querySelector("input, button"))?.focus();
  return panel;
}

class SpriteEditor {
  constructor(session, index) {
    Object.assign(this, { session, index });
    const row = (name) => completed(session.schema.find(({ key }) => key === `sprites[].${name}`) ?? { key: `sprites[].${name}`, type: "number" });
    const bind = (name, more = {}) => new Binding(session, [`sprites[${index}].${name}`], { ...row(name), ...more }, `sprites[].${name}`);
    this.region = bind("region");
    this.note = make("p", { class: "note", role: "status" });
    this.fields = [
      ["region", VectorField.of(this.wholeRegion(), { label: label("sprites[].region") })],
      ["grid.columns", NumberField.of(bind("grid.columns", { usual: [1, 16], minimum: 1, step: 1 }), { label: label("sprites[].grid.columns") })],
      ["grid.rows", NumberField.of(bind("grid.rows", { usual: [1, 16], minimum: 1, step: 1 }), { label: label("sprites[].grid.rows") })],
      ["grid.count", NumberField.of(bind("grid.count", { usual: [1, 64], minimum: 1, step: 1 }), { label: label("sprites[].grid.count"), empty: text("allFrames"), onempty: () => bind("grid.count").set(null) })],
      ["grid.order", ChoiceField.of(bind("grid.order"), { label: label("sprites[].grid.order") })],
      ["pivot", VectorField.of(bind("pivot", { usual: [0, 1], step: 0.01 }), { label: label("sprites[].pivot") })],
      ["scale", NumberField.of(bind("scale", { usual: [0.1, 8], scale: "log", step: 0.01 }), { label: label("sprites[].scale") })],
      ["filter", ChoiceField.of(bind("filter"), { label: label("sprites[].filter") })],
      ["rotated", SwitchField.of(bind("rotated"), { label: label("sprites[].rotated") })],
    ];
    this.picture = make("img", { alt: "", draggable: "false", src: this.image ? session.image(this.image.uri) : "" });
    this.cells = make("div", { class: "cells", "aria-hidden": "true" });
    this.box = make("div", { class: "region" }, this.cells, ...corners.map((corner) => make("i", { class: corner, role: "slider", tabindex: "0", "data-corner": corner, "aria-label": text(`corner_${corner}`), "aria-valuenow": "0" })));
    this.pivot = make("i", { class: "pivot", role: "slider", tabindex: "0", "aria-label": label("sprites[].pivot"), "aria-valuenow": "0" });
    this.frame = make("div", { class: "frame" }, this.picture, this.box);
    this.box.append(this.pivot);
    this.pivotBinding = bind("pivot");
    this.picture.addEventListener("load", () => this.refresh());
    this.parts = [
      make("div", { class: "frame-holder" }, this.frame),
      make("div", { class: "sprite-fields" }, ...this.fields.map(([name, field]) => lineOf(label(`sprites[].${name}`), field)),
        make("div", { class: "line" }, make("span", { class: "line-name" }), make("div", { class: "bar" },
          tool("fit", text("wholeImage"), () => this.set(undefined), { "data-tool": "whole" }),
          tool("none", text("noGrid"), () => session.edit("noGrid", [{ key: `sprites[${index}].grid`, unset: true }]).catch((fault) => tellFault(this.frame, fault)), { "data-tool": "no-grid" })))), this.note,
    ];
    this.listen();
  }

  get sprite() { return this.session.document.sprites?.[this.index] ?? {}; }
  get image() { return this.session.document.images?.[this.sprite.image]; }
  get size() {
    return [this.image?.width ?? (this.picture?.naturalWidth || 64), this.image?.height ?? (this.picture?.naturalHeight || 64)];
  }

  get rectangle() { return this.sprite.region ?? [0, 0, ...this.size]; }

  /** The region as four numbers, also where it is the whole image. */
  wholeRegion() {
    return this.region.part((value) => value ?? [0, 0, ...this.size], (_, value) => value, { ...this.region.row, type: "rectangle", kind: "rectangle", usual: [0, 512], step: 1 });
  }

  set(value) {
    return value === undefined ? this.region.unset(text("wholeImage")) : this.region.set(value);
  }

  refresh() {
    const [width, height] = this.size;
    const [x, y, w, h] = this.rectangle;
    const most = 280;
    const scale = Math.min(most / width, most / height, 8);
    this.scale = scale;
    this.frame.style.width = `${width * scale}px`;
    this.frame.style.height = `${height * scale}px`;
    this.picture.style.imageRendering = scale > 2 || this.sprite.filter === "nearest" ? "pixelated" : "auto";
    Object.assign(this.box.style, { left: `${x * scale}px`, top: `${y * scale}px`, width: `${w * scale}px`, height: `${h * scale}px` });
    for (const each of this.box.querySelectorAll("[data-corner]")) each.setAttribute("aria-valuetext", [x, y, w, h].join(", "));
    const { columns = 1, rows = 1, count } = this.sprite.grid ?? {};
    const total = Math.min(columns * rows, 1024);
    this.cells.style.gridTemplateColumns = `repeat(${Math.min(columns, 64)}, 1fr)`;
    if (this.cells.childElementCount !== total) this.cells.replaceChildren(...Array.from({ length: total > 1 ? total : 0 }, () => make("i")));
    [...this.cells.children].forEach((cell, place) => {
      const order = this.sprite.grid?.order === "column" ? (place % columns) * rows + Math.floor(place / columns) : place;
      cell.className = count && order >= count ? "unused" : "";
      if (total <= 64) cell.dataset.number = String(order + 1);
    });
    const [pivotX, pivotY] = this.sprite.pivot ?? [0.5, 0.5];
    // The pivot is relative to a frame, and shown in the first.
    this.pivot.style.left = `${(pivotX / columns) * 100}%`;
    this.pivot.style.top = `${(pivotY / rows) * 100}%`;
    this.pivot.setAttribute("aria-valuetext", `${pivotX}, ${pivotY}`);
    for (const [, field] of this.fields) field.refresh();
  }

  /** A rectangle with a corner, or all corners, moved by whole pixels within the image. */
  moved([x, y, w, h], corner, dx, dy) {
    const [width, height] = this.size;
    if (corner === "move") return [clamp(x + dx, 0, width - w), clamp(y + dy, 0, height - h), w, h];
    const [right, bottom] = [x + w, y + h];
    const left = corner.includes("w") ? clamp(x + dx, 0, right - 1) : x;
    const top = corner.includes("n") ? clamp(y + dy, 0, bottom - 1) : y;
    return [left, top, (corner.includes("e") ? clamp(right + dx, left + 1, width) : right) - left, (corner.includes("s") ? clamp(bottom + dy, top + 1, height) : bottom) - top];
  }

  listen() {
    const finish = async (gesture) => {
      if (gesture) tellFault(this.frame, await gesture.end());
      this.refresh();
    };
    // `moved` gives the value that is so many pixels from another one, `stepped` so many steps.
    const movable = (element, begin, value, moved, stepped) => {
      draggable(element, {
        begin: (event) => (this.session.isReadOnly ? undefined : (element.focus({ preventScroll: true }), { x: event.clientX, y: event.clientY, start: value() })),
        move: (event, state) => {
          state.gesture ??= begin();
          state.gesture.set([moved(state.start, event.clientX - state.x, event.clientY - state.y)]);
          this.refresh();
        },
        end: (_, state) => finish(state.gesture),
        cancel: (state) => {
          state.gesture?.cancel();
          this.refresh();
        },
      });
      heldKeys(element, {
        step: ({ key }) => ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[key],
        begin: () => Object.assign(begin(), { now: value() }),
        change: (gesture, steps, event) => {
          gesture.now = stepped(gesture.now, ...steps.map((step) => step * (event.shiftKey ? 10 : 1)));
          gesture.set([gesture.now]);
          this.refresh();
        },
      });
    };
    for (const element of this.box.querySelectorAll("[data-corner]")) {
      const { corner } = element.dataset;
      movable(element, () => this.region.begin(), () => this.rectangle,
        (start, dx, dy) => this.moved(start, corner, Math.round(dx / this.scale), Math.round(dy / this.scale)), (now, dx, dy) => this.moved(now, corner, dx, dy));
    }
    const shifted = ([x, y], dx, dy) => [x + dx, y + dy].map((number) => Number(number.toFixed(3)));
    movable(this.pivot, () => this.pivotBinding.begin(), () => this.sprite.pivot ?? [0.5, 0.5], (start, dx, dy) => {
      const box = this.box.getBoundingClientRect();
      const { columns = 1, rows = 1 } = this.sprite.grid ?? {};
      return shifted(start, (dx * columns) / box.width, (dy * rows) / box.height);
    }, (now, dx, dy) => shifted(now, dx / 100, dy / 100));
  }
}
