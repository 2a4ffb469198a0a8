import { inflate } from "./bytes.js";
import { ParticlesEffectElement } from "./element.js";
import { bytesOfBase64, bytesOfBase85 } from "./module.js";

/** Milliseconds that the pointer rests on an effect before it plays. */
const rest = 120;
/** The most bytes of a document. */
const mostText = 16 << 20;

/**
 * Plays the effect of a catalogue on which the pointer rests, or that has the focus of the keyboard: one element is moved
 * from picture to picture.
 *
 * The page has the module and the images, which effects share, in elements, and each effect in the attributes `data-effect`,
 * its document as a gzip stream in base64, and `data-view`.
 */
class CatalogPlayer {
  constructor(list) {
    this.tile = undefined;
    this.number = 0;
    list.addEventListener("pointerover", ({ target }) => this.rest(target.closest?.("[data-effect]")));
    list.addEventListener("pointerleave", () => this.rest(undefined));
    list.addEventListener("focusin", ({ target }) => this.play(target.closest?.("[data-effect]")));
    list.addEventListener("focusout", ({ relatedTarget }) => {
      if (!relatedTarget?.closest?.("[data-effect]")) this.rest(undefined);
    });
    // The pointer may have been there before this script.
    const first = list.querySelector("[data-effect]:hover") ?? list.querySelector("[data-effect]:focus-within");
    if (first) this.rest(first);
  }

  /** Plays an effect after the pointer has rested on it, or else a focused one. */
  rest(tile) {
    clearTimeout(this.timer);
    const focused = document.activeElement?.closest("[data-effect]");
    this.timer = setTimeout(() => this.play(tile ?? focused ?? undefined), tile ? rest : 0);
  }

  get element() {
    if (this.made) return this.made;
    const data = (id) => document.getElementById(id).textContent;
    ParticlesEffectElement.worker = globalThis.playerScript;
    ParticlesEffectElement.module = bytesOfBase85(data("module-data"));
    this.made = document.createElement("particles-effect");
    this.made.loop = true;
    // The picture below has the name.
    this.made.setAttribute("aria-hidden", "true");
    this.made.addEventListener("frame", () => { if (this.isReady) this.made.style.visibility = "visible"; });
    return this.made;
  }

  async play(tile) {
    clearTimeout(this.timer);
    if (tile === this.tile) return;
    this.tile = tile ?? undefined;
    const number = ++this.number;
    this.hide();
    if (!tile || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const { element } = this;
    const { start, camera, background, images } = JSON.parse(tile.dataset.view);
    element.camera = camera;
    element.setAttribute("background", background);
    const text = await inflate(bytesOfBase64(tile.dataset.effect), mostText, "gzip");
    if (number !== this.number) return;
    tile.querySelector(".stage").append(element);
    const read = (path) => {
      const image = images.find(([name]) => name === path);
      return image && bytesOfBase64(document.getElementById(`image-${image[1]}`).textContent);
    };
    if (!(await element.load({ document: text, read })) || number !== this.number) return;
    // It goes on from the moment of the picture.
    if (!(await element.seek(start)) || number !== this.number) return;
    this.isReady = true;
    element.play();
  }

  hide() {
    this.isReady = false;
    if (!this.made) return;
    this.made.style.visibility = "hidden";
    this.made.pause();
  }
}

if (globalThis.document?.getElementById("module-data")) new CatalogPlayer(document.querySelector(".items"));
