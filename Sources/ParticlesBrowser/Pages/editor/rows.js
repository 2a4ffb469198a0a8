// The rows of the schema as the inspector shows them: sections in one order, kinds of controls, when a row applies.

import { label, nameOf } from "../texts.js";

/** The sections of an emitter, in order: identifier, icon, beginnings of keys below `emitters[].`. */
export const sections = [
  ["emission", "burst", ["emission", "lifetime"]],
  ["timing", "clock", ["timing"]],
  ["shape", "shape", ["shape"]],
  ["launch", "launch", ["launch"]],
  ["motion", "motion", ["motion"]],
  ["forces", "forces", ["forces", "physics"]],
  ["size", "size", ["size"]],
  ["rotation", "rotate", ["rotation"]],
  ["color", "droplet", ["color"]],
  ["image", "image", ["sprites", "spriteSelection", "flipbook"]],
  ["render", "layers", ["render"]],
  ["triggers", "bolt", ["triggers"]],
  ["place", "place", ["enabled", "name", "transform", "space"]],
];

/** Sections of the effect. */
export const effectSections = [
  ["effect", "spark", ["asset", "seed", "roots"]],
  ["preview", "camera", ["preview"]],
];

/** Arrays of objects that are edited one by one. */
export const lists = ["emitters[].emission.bursts", "emitters[].forces", "emitters[].triggers"];

const hidden = [/^emitters\[\]\.name$/, /^asset\.(version|minVersion|generator)$/, /^(extensions|images|sprites|meshes|roots)/, /\.trail\.(width|color)\../];

/** Properties that only some kinds use: the key that decides, and the kinds. The rows of the schema take precedence. */
const uses = {
  "shape.length": ["shape.type", ["line"]], "shape.angle": ["shape.type", ["line", "cone"]], "shape.size": ["shape.type", ["rect", "box"]],
  "shape.radii": ["shape.type", ["ellipse"]],
  "shape.radius": ["shape.type", ["sphere", "hemisphere", "cone", "cylinder", "capsule", "tube", "torus"]],
  "shape.inner": ["shape.type", ["ellipse", "sphere", "hemisphere", "cone", "cylinder", "capsule", "tube"]],
  "shape.arc": ["shape.type", ["ellipse", "sphere", "hemisphere", "cone", "cylinder", "capsule", "tube", "torus"]],
  "shape.pipe": ["shape.type", ["torus"]], "shape.height": ["shape.type", ["cone", "cylinder", "capsule", "tube"]],
  "shape.points": ["shape.type", ["polyline"]], "shape.closed": ["shape.type", ["polyline"]], "shape.positions": ["shape.type", ["points"]],
  "shape.normals": ["shape.type", ["points"]], "shape.colors": ["shape.type", ["points"]], "shape.mesh": ["shape.type", ["mesh"]],
  "launch.direction.angle": ["launch.direction.mode", ["angle"]], "launch.direction.vector": ["launch.direction.mode", ["vector"]],
  "motion.orbit": ["motion.mode", ["orbit"]], "motion.path": ["motion.mode", ["path"]],
  "render.blend.src": ["render.blend.mode", ["custom"]], "render.blend.dst": ["render.blend.mode", ["custom"]], "render.blend.equation": ["render.blend.mode", ["custom"]],
  "render.billboardAxis": ["render.billboard", ["free"]],
  "forces[].vector": ["forces[].type", ["gravity"]],
  "forces[].strength": ["forces[].type", ["linear", "radial", "tangential", "vortex", "drag", "noise", "field"]],
  "forces[].center": ["forces[].type", ["radial", "tangential", "vortex"]], "forces[].axis": ["forces[].type", ["tangential", "vortex"]],
  "forces[].maxDistance": ["forces[].type", ["radial", "tangential", "vortex"]], "forces[].falloff": ["forces[].type", ["radial", "tangential", "vortex"]],
  "forces[].law": ["forces[].type", ["drag"]], "forces[].limit": ["forces[].type", ["drag"]], "forces[].direction": ["forces[].type", ["drag"]],
  "forces[].scale": ["forces[].type", ["noise"]], "forces[].speed": ["forces[].type", ["noise"]], "forces[].octaves": ["forces[].type", ["noise"]],
  "forces[].target": ["forces[].type", ["noise"]], "forces[].field": ["forces[].type", ["field"]],
  "triggers[].interval": ["triggers[].event", ["interval"]],
};

/** The key of a row: `emitters[].emission.rate` of `emitters[2].emission.rate`. */
export const patternOf = (key) => key.replace(/\[(?:\d+|"[^"]*")\]/g, "[]");

/** A row with bounds, names of lists and the condition, also where the schema has them as text only. */
export function completed(row) {
  const full = { ...row, standard: row.standard !== undefined ? row.standard : row.default };
  if (full.minimum === undefined && typeof row.range === "string") {
    const [, least] = /^at least (\S+)$/.exec(row.range) ?? /^more than (\S+)$/.exec(row.range) ?? /^(\S+) to /.exec(row.range) ?? [];
    const [, most] = / to (\S+)$/.exec(row.range) ?? [];
    if (least !== undefined) full.minimum = Number(least);
    if (most !== undefined) full.maximum = Number(most);
  }
  if (!full.values?.length && row.type.startsWith("\"")) full.values = [...row.type.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
  full.isOptional = row.type.endsWith(" or null");
  full.kind = row.type.replace(/ or null$/, "");
  if (!full.applies) {
    const short = row.key.replace(/^emitters\[\]\./, "");
    const use = Object.entries(uses).find(([key]) => short === key || short.startsWith(`${key}.`));
    if (use) full.applies = { key: `emitters[].${use[1][0]}`, is: use[1][1] };
  }
  return full;
}

/** The curves of a trail have several rows in the schema. Here they have one row each. */
const whole = [
  { key: "emitters[].render.trail.width", type: "Curve", default: 1, summary: "The width from the particle to the end of the trail, as a factor of that of the particle." },
  { key: "emitters[].render.trail.color", type: "Gradient or null", default: null, summary: "The colour factor from the particle to the end of the trail." },
];

export class Rows {
  constructor(schema) {
    this.all = [...schema, ...whole.filter(({ key }) => !schema.some((row) => row.key === key))].map(completed);
    this.byKey = new Map(this.all.map((row) => [row.key, row]));
  }

  row(key) { return this.byKey.get(patternOf(key)); }

  /** The visible rows of a section, without rows of lists. */
  inSection([, , prefixes], base = "emitters[].") {
    return this.all.filter(({ key }) => {
      if (!key.startsWith(base) || hidden.some((pattern) => pattern.test(key))) return false;
      if (base === "" && key.startsWith("emitters")) return false;
      if (lists.some((list) => key.startsWith(`${list}[].`))) return false;
      const short = key.slice(base.length);
      return prefixes.some((prefix) => short === prefix || short.startsWith(`${prefix}.`));
    }).sort((a, b) => order(a.key) - order(b.key));
  }

  /** The rows of an element of a list. */
  ofList(list) { return this.all.filter(({ key }) => key.startsWith(`${list}[].`)); }
}

/** The most used properties: they are always shown, and come first. All else keeps the order of the schema, and is shown where it is set. */
const common = [
  "emission.rate", "emission.bursts", "lifetime", "emission.maxAlive", "timing.duration", "timing.loop", "timing.delay", "shape.type", "shape.length", "shape.size", "shape.radii", "shape.radius",
  "shape.inner", "shape.height", "shape.angle", "shape.placement", "launch.speed", "launch.direction.mode", "launch.direction.angle", "launch.direction.vector", "launch.spread", "motion.mode", "motion.orbit.radius",
  "motion.orbit.angularVelocity", "motion.speed", "motion.drift", "forces", "size.width", "size.height", "size.mode", "rotation.angle", "rotation.velocity", "rotation.align", "color.base", "color.opacity",
  "color.intensity", "sprites", "spriteSelection", "flipbook.fps", "flipbook.mode", "render.blend.mode", "render.sort", "render.order", "render.trail.length", "render.links.distance", "triggers", "transform.translation", "transform.angle",
  "space", "asset.name", "asset.dimension", "asset.profile", "seed", "preview.background", "preview.duration", "preview.size",
];
export const isCommon = (row) => common.includes(row.key.replace(/^emitters\[\]\./, ""));

function order(key) {
  const place = common.indexOf(key.replace(/^emitters\[\]\./, ""));
  return place < 0 ? common.length : place;
}

/** The concrete key of a row for an emitter, with the places of a list that is edited. */
export function concrete(pattern, emitter, ...places) {
  const all = pattern.startsWith("emitters[]") ? [emitter, ...places] : places;
  let index = 0;
  return pattern.replace(/\[\]/g, () => `[${all[index++] ?? 0}]`);
}

const unitSigns = { point: "pt", pixel: "px", meter: "m", unit: "u", normalized: "u" };

/** A row as an effect uses it: with its unit of distances, and in space, with the usual range there. */
export function inPlace(row, document) {
  const { dimension = "2d", unit = "point" } = document.asset ?? {};
  const changed = { ...row, unit: row.unit?.replace("unit", unitSigns[unit] ?? unit) };
  if (dimension === "3d" && row.usualInSpace) Object.assign(changed, { usual: row.usualInSpace, step: undefined });
  return changed;
}

/** Whether a row applies, given the values that decide. */
export function applies(row, valueOf) {
  if (!row.applies) return true;
  return row.applies.is.includes(valueOf(row.applies.key));
}

export { label, nameOf };
