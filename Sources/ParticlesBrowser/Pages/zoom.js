// The picture of a document grows into the document that opens, and goes back when that is closed.
//
// A copy of the picture moves, above both. A view transition would keep pictures of the whole page, and wait for the frames of the stage
// below: where these are drawn in software, the page stands still for seconds.

import { make } from "./icons.js";
import { isQuiet } from "./moving.js";
import { text } from "./texts.js";

const duration = 280;
const easing = "cubic-bezier(0.3, 0.8, 0.2, 1)";
/** Milliseconds after which the copy goes, also if nothing was drawn below it. */
const patience = 20_000;

export class Zoom {
  /** Shows in the picture of an item that it is being opened. */
  constructor(app, item) {
    this.picture = () => app.collection.pictureOf(item.id);
    this.progress = make("div", { class: "opening", role: "progressbar", "aria-label": text("loading") }, make("i"));
    app.collection.moving.hide();
    this.picture()?.append(this.progress);
    /** Settled when the copy has arrived: until then nothing else is drawn, or where the processor draws, both are slow. */
    this.moved = new Promise((resolve) => { this.arrive = resolve; });
  }

  /** Nothing was opened. */
  end() {
    this.progress.remove();
    this.copy?.remove();
    this.isOver = true;
    this.arrive();
  }

  /**
   * Moves a copy of the picture to an element that is shown now.
   * @param {Element} target the opened element
   * @param {Promise} drawn settled when the target shows something. Until then, the copy stays, with the progress
   */
  async enter(target, drawn = Promise.resolve()) {
    const picture = this.picture();
    const image = picture?.querySelector("img.ready");
    const box = target.getBoundingClientRect();
    const isMoving = image && box.width > 0 && !isQuiet();
    if (isMoving) {
      this.show(image, box);
      this.copy.append(this.progress);
    } else {
      target.append(this.progress);
    }
    const shown = Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, patience))]).catch(() => {});
    if (isMoving) await this.move(picture.getBoundingClientRect(), box, false);
    this.arrive();
    await shown;
    this.progress.remove();
    if (!isMoving || this.isOver) return;
    await animate(this.copy, [{ opacity: 1 }, { opacity: 0 }], 140);
    this.copy.remove();
  }

  /** Moves it back from where it was shown, when that is closed. */
  async leave(box) {
    this.end();
    const picture = this.picture();
    const image = picture?.querySelector("img.ready") ?? this.image;
    if (!picture || !image || !box.width || isQuiet()) return;
    this.show(image, box);
    await this.move(picture.getBoundingClientRect(), box, true);
    this.copy.remove();
  }

  /** Puts a copy above all that is shown. */
  show(image, box) {
    this.image = image;
    this.square = image.cloneNode();
    this.ground = make("div", { class: "ground" });
    this.copy = make("div", { class: "zoom", popover: "manual", "aria-hidden": "true" }, this.ground, this.square);
    for (const name of ["left", "top", "width", "height"]) this.copy.style[name] = `${box[name]}px`;
    document.body.append(this.copy);
    this.copy.showPopover();
  }

  /**
   * The picture moves, and the page behind it appears. Only positions, sizes and opacity change. A changing edge, say, would need a new
   * program of the graphics card. That takes seconds where the processor draws.
   */
  move(small, large, isBack) {
    const scale = Math.min(small.width, small.height) / Math.min(large.width, large.height);
    const x = small.x + small.width / 2 - (large.x + large.width / 2);
    const y = small.y + small.height / 2 - (large.y + large.height / 2);
    const way = [{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: "none" }];
    const light = [{ opacity: 0 }, { opacity: 1 }];
    if (isBack) for (const each of [way, light]) each.reverse();
    return Promise.all([animate(this.square, way, duration), animate(this.ground, light, duration)]);
  }
}

const animate = (element, states, milliseconds) => element.animate(states, { duration: milliseconds, easing, fill: "forwards" }).finished.catch(() => {});

/** Settled when a stage of the editor has drawn, or says why it cannot. */
export const drawnIn = (stage) => new Promise((resolve) => {
  for (const name of ["time", "failed", "load"]) stage.addEventListener(name, resolve, { once: true, capture: true });
});
