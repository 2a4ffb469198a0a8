/** Importing this module defines `<particles-effect>`. */
export { ParticlesEffectElement, defineElement } from "./index.js";
