import { misuse } from "./errors.js";
import { choice } from "./library.js";

const loops = ["automatic", "forever", "once", "seamless"];
const settings = [
  "width", "height", "start", "duration", "fps", "loop", "pause", "background", "seed", "engine", "scale", "samples", "camera",
  "move",
];

/** A plan of pictures in the memory of a call. Other settings are faults. */
export function planned(library, scope, given = {}, still = false) {
  for (const name of Object.keys(given)) {
    if (!settings.includes(name)) throw misuse(`no setting is called '${name}'`, `use one of ${settings.join(", ")}`);
  }
  const plan = scope.struct("plan");
  library.check(0, "plan_init", plan.address, plan.get("size"));
  plan.set("still", still ? 1 : 0);
  for (const name of ["width", "height", "samples", "start", "duration", "pause", "scale"]) {
    if (given[name] !== undefined && given[name] !== null) plan.set(name, given[name]);
  }
  if (given.fps !== undefined) plan.set("frames_per_second", given.fps);
  if (given.loop !== undefined) plan.set("loop", choice(loops, given.loop, "loop"));
  const { background } = given;
  if (Array.isArray(background)) {
    plan.set("background", 2);
    plan.set("color", [...background, 255].slice(0, 4));
  } else if (background !== undefined) {
    plan.set("background", choice(["automatic", "transparent"], background, "background"));
  }
  if (given.seed !== undefined && given.seed !== null) {
    plan.set("has_seed", 1);
    plan.set("seed", given.seed);
  }
  for (const name of ["engine", "camera", "move"]) plan.set(name, scope.text(given[name]));
  return { address: plan.address, width: plan.get("width"), height: plan.get("height") };
}

/** A picture that `body` draws: RGBA with straight alpha, the top row first, as `ImageData` has it. */
export function pixels(library, width, height, body) {
  return library.with((scope) => {
    const size = Math.max(1, width) * Math.max(1, height) * 4;
    const rgba = scope.allocate(size);
    body(rgba, Math.max(1, width) * 4);
    return { width, height, data: new Uint8ClampedArray(library.bytes(rgba, size)) };
  });
}
