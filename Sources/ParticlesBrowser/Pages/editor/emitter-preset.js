// Emitters outside of their effect: presets have their images in them. Copied to another effect, emitters lose references.

import { reach } from "../server.js";
import { fromBase64, toBase64 } from "./base64.js";

/** An emitter with its images, so that it looks alike in another effect. */
export async function presetOf(session, index) {
  const { sprites = [], triggers, ...emitter } = structuredClone(session.document.emitters[index]);
  const images = [];
  for (const place of sprites) {
    const { image, ...sprite } = session.document.sprites?.[place] ?? {};
    const { uri } = session.document.images?.[image] ?? {};
    const isMissing = session.files?.some((file) => (file.uri ?? file.path) === uri && file.isMissing);
    if (!uri || isMissing) continue;
    const response = await reach(session.image(uri));
    if (response.ok) images.push({ name: uri.split("/").at(-1), base64: toBase64(new Uint8Array(await response.arrayBuffer())), sprite });
  }
  return { emitter, images };
}

/** A path for a new image of this name. */
export function freePath(session, name) {
  const taken = new Set((session.document.images ?? []).map(({ uri }) => uri.toLowerCase()));
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let number = 1; ; number += 1) {
    const path = `Images/${stem}${number > 1 ? ` ${number}` : ""}${extension}`;
    if (!taken.has(path.toLowerCase())) return path;
  }
}

/** Adds an emitter of a preset and its images. */
export async function addPreset(session, value) {
  const { emitter, images = [] } = value.emitter ? value : { emitter: value };
  await session.structure({ op: "add", values: [emitter] });
  const index = session.document.emitters.length - 1;
  for (const { name, base64, sprite = {} } of images) {
    await session.putImage(freePath(session, name), fromBase64(base64), { emitter: index });
    const place = session.document.sprites.length - 1;
    const members = Object.entries(sprite);
    if (members.length) await session.edit(name, members.map(([key, member]) => ({ key: `sprites[${place}].${key}`, value: member })));
  }
}

/** Emitters for the clipboard. */
export const copied = (session, indices) => ({ path: session.path, emitters: indices.map((index) => session.document.emitters[index]) });

/** Copied emitters for this effect. If they are of another effect, they lose images and triggers. */
export function forEffect(session, { path, emitters }) {
  return path === session.path ? emitters : emitters.map(({ sprites, triggers, ...emitter }) => emitter);
}
