export { ParticlesError } from "./diagnostic.js";
export { Package, standardLimits } from "./package.js";
export { writePackage } from "./write.js";
export { decodeImage } from "./image.js";
export { readEffect } from "./document.js";
export { Effect, ParticlesModule, columns } from "./module.js";
export { Drawer, Sheet } from "./drawer.js";
export { paintEffect } from "./canvas2d.js";
export { ParticlesEffectElement, defineElement } from "./element.js";
