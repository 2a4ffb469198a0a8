// The sprites that an emitter shows: pictures of all sprites of the effect, of which some are chosen.

import { make } from "../icons.js";
import { text, visible } from "../texts.js";
import { symbol, tellFault } from "./control-parts.js";
import { Control } from "./field.js";

/** The picture of a sprite: its region of its image, or an icon. */
export function spritePicture(session, index) {
  const sprite = session.document.sprites?.[index];
  const image = session.document.images?.[sprite?.image];
  const box = make("i", { class: "sprite-picture" });
  const file = session.files?.find(({ path, uri }) => (uri ?? path) === image?.uri);
  if (!image || file?.isMissing) {
    box.append(symbol(file?.isMissing ? "warning" : "image"));
    return box;
  }
  const picture = make("img", { alt: "", src: session.image(image.uri), draggable: "false" });
  picture.addEventListener("error", () => picture.replaceWith(symbol("image")));
  const { region } = sprite;
  if (Array.isArray(region) && image.width && image.height) {
    const [x, y, width, height] = region;
    const scale = Math.max(width, height);
    picture.style.width = `${(image.width / scale) * 100}%`;
    picture.style.height = `${(image.height / scale) * 100}%`;
    picture.style.left = `${(-x / scale) * 100}%`;
    picture.style.top = `${(-y / scale) * 100}%`;
    picture.classList.add("part");
  }
  box.append(picture);
  return box;
}

export const spriteName = (session, index) => {
  const image = session.document.images?.[session.document.sprites?.[index]?.image];
  return visible(image?.name || image?.uri?.split("/").at(-1) || text("spriteNumber", index + 1));
};

export class SpritesField extends Control {
  static tag = "effect-sprites";

  /** Depends on sprites and files, not on its value alone. */
  get isLive() { return true; }

  build() {
    this.className = "c-sprites";
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", this.options.label);
    this.refresh();
  }

  refresh() {
    const { session, values } = this.binding;
    const shown = JSON.stringify([session.document.sprites, session.document.images, session.files?.map(({ path, isMissing, version }) => [path, isMissing, version])]);
    if (shown !== this.known) {
      this.known = shown;
      this.replaceChildren(...(session.document.sprites ?? []).map((_, index) => make("button", {
        type: "button", "data-sprite": String(index), title: spriteName(session, index), "aria-label": spriteName(session, index), onclick: () => this.toggle(index),
      }, spritePicture(session, index))));
      if (!this.childElementCount) this.append(make("p", { class: "quiet-note" }, text("noSprites")));
    }
    for (const each of this.querySelectorAll("[data-sprite]")) {
      const index = Number(each.dataset.sprite);
      const count = values.filter((value) => (value ?? []).includes(index)).length;
      each.setAttribute("aria-pressed", count === 0 ? "false" : count === values.length ? "true" : "mixed");
      const place = (values[0] ?? []).indexOf(index);
      each.dataset.order = values.length === 1 && (values[0] ?? []).length > 1 && place >= 0 ? String(place + 1) : "";
    }
  }

  /** Takes a sprite or leaves it, for all emitters. */
  async toggle(index) {
    const { values } = this.binding;
    const isChosen = values.every((value) => (value ?? []).includes(index));
    tellFault(this, await this.binding.apply(values.map((value) => {
      const now = value ?? [];
      if (isChosen) return now.filter((each) => each !== index);
      return now.includes(index) ? now : [...now, index];
    }), text("chooseSprites")));
    this.refresh();
  }
}

customElements.define(SpritesField.tag, SpritesField);
