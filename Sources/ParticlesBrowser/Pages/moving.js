// The picture that moves: under the pointer or the focus. All other pictures stand still.

import { address } from "./server.js";

let player;

/** Loads the player once, when it is first needed. */
export function loadPlayer() {
  player ??= import(new URL("../player/element.js", import.meta.url));
  return player;
}

/**
 * Whether an error of the player is one of its module, and not of the effect: then pictures are drawn by the program. An effect at which the
 * module works for too long is at fault itself.
 */
export const isOfModule = (fault) => fault?.code !== "particles/hanging" && (Boolean(fault?.isOfModule)
  || /^particles\/(module|webgl)/.test(fault?.code ?? "")
  // It cannot be fetched.
  || /\/particles\.wasm$/.test(fault?.file ?? ""));

export const isQuiet = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** An effect that shows itself, and moves, once there is something to see. */
export function movingEffect(source) {
  const element = document.createElement("particles-effect");
  element.setAttribute("loop", "");
  element.setAttribute("background", "auto");
  element.setAttribute("aria-hidden", "true");
  element.style.opacity = 0;
  element.addEventListener("ready", () => {
    // It is put at a moment at which much is to be seen, in steps.
    let rounds = 0;
    const begin = () => {
      if (!element.isConnected) return;
      rounds += 1;
      if (element.currentTime < Math.min(0.5, element.duration / 4) && rounds < 90) return requestAnimationFrame(begin);
      element.style.opacity = 1;
      element.play();
    };
    requestAnimationFrame(begin);
  });
  element.setAttribute("src", source.href);
  return element;
}

export class Moving {
  constructor(hasModule) { this.hasModule = hasModule; }

  isIn(element) { return Boolean(this.element && element.contains(this.element)); }

  /** Lets an effect move in a picture, after a moment of rest. */
  show(item, picture) {
    if (!this.hasModule || isQuiet() || item.problem || this.picture === picture) return;
    this.hide();
    this.picture = picture;
    this.timer = setTimeout(async () => {
      try {
        await loadPlayer();
      } catch {
        return;
      }
      if (this.picture !== picture || !picture.isConnected) return;
      const element = movingEffect(address("effect", { item: item.id, version: `${item.modified}-${item.size}` }));
      element.limits = { particles: 20_000, particleSteps: 300_000 };
      element.addEventListener("error", () => this.hide());
      this.element = element;
      picture.append(element);
    }, 160);
  }

  hide() {
    clearTimeout(this.timer);
    this.element?.remove();
    this.element = undefined;
    this.picture = undefined;
  }
}
