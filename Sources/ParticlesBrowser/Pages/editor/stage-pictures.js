// Pictures with the effect on the stage.

import { make } from "../icons.js";

/** Pictures at scale: a backdrop behind the effect, and a sprite to compare sizes with. Both are centred at the origin. */
export function placePictures(stage) {
  for (const name of ["backdrop", "reference"]) {
    const wanted = stage.session.view[name];
    let image = stage.layers.querySelector(`.${name}`);
    if (!wanted?.url) {
      image?.remove();
      continue;
    }
    image ??= stage.layers.appendChild(make("img", { class: name, alt: "" }));
    if (image.getAttribute("src") !== wanted.url) {
      image.src = wanted.url;
      image.onload = () => stage.placeLayers();
      // A picture that another page kept is gone.
      image.onerror = () => stage.session.setView(name, undefined);
    }
    if (!stage.projection || !image.naturalWidth) continue;
    const scale = stage.projection.scaleAt([0, 0, 0]) * (Number(wanted.scale) || 1);
    const [x, y] = stage.projection.project([0, 0, 0]) ?? [0, 0];
    Object.assign(image.style, {
      left: `${x}px`, top: `${y}px`, width: `${image.naturalWidth * scale}px`, height: `${image.naturalHeight * scale}px`,
    });
  }
}
