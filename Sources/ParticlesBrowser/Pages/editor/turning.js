// Files whose engine ignores that y points up show their effect upside down: it can be turned over.

import { valueAt } from "./paths.js";

/** Properties of an emitter that change their sign. */
const angles = ["launch.direction.angle", "rotation.angle", "rotation.velocity", "rotation.acceleration", "transform.angle", "shape.transform.angle",
  "motion.orbit.angle", "motion.orbit.angularVelocity", "motion.orbitVelocity"];
/** Properties of an emitter whose second number is a height. */
const places = ["launch.direction.vector", "transform.translation", "shape.transform.translation", "motion.drift", "motion.orbit.center"];
/** Forces that turn particles around a centre. */
const turning = ["tangential", "vortex"];

/** A number, a range, or two ends of a life, with the opposite sign, or undefined. */
function opposite(value) {
  if (typeof value === "number") return value === 0 ? 0 : -value;
  if (typeof value?.min === "number" && typeof value.max === "number") return { ...value, min: -value.max, max: -value.min };
  const [from, to] = [value?.from, value?.to].map((each) => (each === undefined ? undefined : opposite(each)));
  return from === undefined || to === undefined ? undefined : { ...value, from, to };
}

const reflected = (value) => (Array.isArray(value) && value.every((each) => typeof each === "number") ? value.map((each, index) => (index === 1 && each !== 0 ? -each : each)) : undefined);

/** The changes that mirror an effect from top to bottom. Returns nothing if a value has a form that cannot be turned. */
export function turnedOver(document) {
  const changes = [];
  let isWhole = true;
  const change = (key, turn) => {
    const value = valueAt(document, key);
    if (value === undefined || value === null) return;
    const other = turn(value);
    if (other === undefined) isWhole = false;
    else changes.push({ key, value: other });
  };
  for (const [index, { forces = [] }] of (document.emitters ?? []).entries()) {
    for (const key of angles) change(`emitters[${index}].${key}`, opposite);
    for (const key of places) change(`emitters[${index}].${key}`, reflected);
    for (const [place, { type }] of forces.entries()) {
      const key = `emitters[${index}].forces[${place}]`;
      change(`${key}.vector`, reflected);
      change(`${key}.center`, reflected);
      if (turning.includes(type)) change(`${key}.strength`, opposite);
    }
  }
  return isWhole ? changes : undefined;
}
