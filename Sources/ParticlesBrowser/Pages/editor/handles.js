// Handles of shapes, forces and directions over the stage: they are dragged, or moved by the arrow keys.

import { label, text, visible } from "../texts.js";
import { draggable } from "./control-parts.js";
import { point, rotated } from "./projection.js";

const space = "http://www.w3.org/2000/svg";
const turned = ([x, y], degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
};
const rounded = (value) => Number(value.toPrecision(5));
const isNumber = (value) => typeof value === "number";
const degreesOf = ([x, y]) => (Math.atan2(y, x) * 180) / Math.PI;

const isQuaternion = (value) => Array.isArray(value) && value.length === 4 && value.every(isNumber);
const inverse = ([x, y, z, w]) => [-x, -y, -z, w];

/** An emitter's own axes in the effect: its place, its angle in the plane, then its rotation in space, and its scale. */
export class Frame {
  constructor(session, index) {
    const value = (key) => session.value(`emitters[${index}].${key}`);
    this.origin = point(value("transform.translation"));
    this.angle = Number(value("transform.angle")) || 0;
    const scale = (stated) => (Array.isArray(stated) ? point(stated) : [1, 1, 1].map((one) => (isNumber(stated) ? stated : one)));
    this.scale = scale(value("transform.scale"));
    const rotation = (stated) => (isQuaternion(stated) ? stated : [0, 0, 0, 1]);
    this.rotation = rotation(value("transform.rotation"));
    this.shape = point(value("shape.transform.translation"));
    this.shapeAngle = Number(value("shape.transform.angle")) || 0;
    this.shapeRotation = rotation(value("shape.transform.rotation"));
    this.shapeScale = scale(value("shape.transform.scale"));
    this.normal = this.direction([0, 0, 1]);
    this.shapeNormal = this.direction(rotated([0, 0, 1], this.shapeRotation));
  }

  /** A direction of the emitter in the effect. */
  direction([x, y, z]) { return rotated([...turned([x, y], this.angle), z], this.rotation); }

  /** A place of the emitter in the effect. */
  outside([x, y, z = 0]) {
    const place = this.direction([x * this.scale[0], y * this.scale[1], z * this.scale[2]]);
    return place.map((value, axis) => value + this.origin[axis]);
  }

  inside(place) {
    const [x, y, z] = rotated(place.map((value, axis) => value - this.origin[axis]), inverse(this.rotation));
    return [...turned([x, y], -this.angle), z].map((value, axis) => value / (this.scale[axis] || 1));
  }

  /** A place of the shape. */
  outsideShape([x, y, z = 0]) {
    const [a, b, c] = [x, y, z].map((value, axis) => value * this.shapeScale[axis]);
    const place = rotated([...turned([a, b], this.shapeAngle), c], this.shapeRotation);
    return this.outside(place.map((value, axis) => value + this.shape[axis]));
  }

  insideShape(place) {
    const [x, y, z] = rotated(this.inside(place).map((value, axis) => value - this.shape[axis]), inverse(this.shapeRotation));
    return [...turned([x, y], -this.shapeAngle), z].map((value, axis) => value / (this.shapeScale[axis] || 1));
  }
}

/** The handles of an emitter: each has a place in the effect, a label, and the changes that another place makes. */
function handlesOf(session, index, reach) {
  const base = `emitters[${index}]`;
  const value = (key) => session.value(`${base}.${key}`);
  const frame = new Frame(session, index);
  const handles = [];
  // Handles move in a plane: of the shape, of the emitter for directions, or else of the picture.
  const add = (name, key, place, changes, more = {}) => handles.push({ normal: key.startsWith("shape.") ? frame.shapeNormal : undefined, id: `${base}.${name}`, name, key: `${base}.${key}`, place, changes, ...more });
  const flat = (old, place) => (Array.isArray(old) && old.length > 2 ? place : place.slice(0, 2)).map(rounded);
  const translation = value("transform.translation");
  const kind = value("shape.type");
  const shapeKey = (name) => `${base}.shape.${name}`;
  if (kind === "rect" || kind === "box") {
    const size = value("shape.size") ?? [1, 1, 1];
    add("shape", "shape.size", frame.outsideShape([size[0] / 2, size[1] / 2]), (place) => {
      const [x, y] = frame.insideShape(place);
      return [{ key: shapeKey("size"), value: [rounded(2 * Math.abs(x)), rounded(2 * Math.abs(y)), ...size.slice(2)] }];
    });
  } else if (kind === "ellipse") {
    const radii = value("shape.radii") ?? [1, 1];
    [0, 1].forEach((axis) => add(`shape ${axis ? "y" : "x"}`, "shape.radii", frame.outsideShape(axis ? [0, radii[1]] : [radii[0], 0]), (place) => {
      const next = radii.slice();
      next[axis] = rounded(Math.abs(frame.insideShape(place)[axis]));
      return [{ key: shapeKey("radii"), value: next }];
    }));
  } else if (kind === "line") {
    const [length, angle] = [Number(value("shape.length")) || 0, Number(value("shape.angle")) || 0];
    add("shape", "shape.length", frame.outsideShape(turned([length / 2, 0], angle)), (place, { isSnapping }) => {
      const [x, y] = frame.insideShape(place);
      const found = degreesOf([x, y]);
      return [{ key: shapeKey("length"), value: rounded(2 * Math.hypot(x, y)) },
        { key: shapeKey("angle"), value: isSnapping ? Math.round(found / 45) * 45 : rounded(found) }];
    });
  } else if (isNumber(value("shape.radius")) && ["sphere", "hemisphere", "cone", "cylinder", "capsule", "tube", "torus"].includes(kind)) {
    add("shape", "shape.radius", frame.outsideShape([value("shape.radius"), 0]), (place) =>
      [{ key: shapeKey("radius"), value: rounded(Math.abs(frame.insideShape(place)[0])) }]);
    if (isNumber(value("shape.height")) && !["sphere", "hemisphere", "torus"].includes(kind)) {
      add("shape height", "shape.height", frame.outsideShape([0, value("shape.height")]), (place) =>
        [{ key: shapeKey("height"), value: rounded(Math.abs(frame.insideShape(place)[1])) }]);
    }
  }

  if ((value("launch.direction.mode") ?? "angle") === "angle" && isNumber(value("launch.direction.angle"))) {
    const angle = value("launch.direction.angle");
    const spread = Number(value("launch.spread")) || 0;
    add("direction", "launch.direction.angle", frame.outside(turned([reach, 0], angle)), (place, { isSnapping }) => {
      const [x, y] = frame.inside(place);
      const found = degreesOf([x, y]);
      return [{ key: `${base}.launch.direction.angle`, value: isSnapping ? Math.round(found / 45) * 45 : rounded(found) }];
    }, { from: frame.origin, symbol: "arrow", normal: frame.normal, wings: [angle - spread, angle + spread].map((each) => frame.outside(turned([reach * 0.8, 0], each))) });
  }

  (value("forces") ?? []).forEach((force, place) => {
    const key = `forces[${place}]`;
    if (force?.type === "gravity" && Array.isArray(force.vector ?? [0, 0, 0])) {
      const vector = point(force.vector);
      // Forces are long: 200 units in a square second are as long as the arrow of the direction.
      const factor = reach / 200;
      add(`gravity ${place + 1}`, `${key}.vector`, [0, 1, 2].map((axis) => frame.origin[axis] + vector[axis] * factor), (at, { isSnapping }) => {
        let next = [0, 1, 2].map((axis) => (at[axis] - frame.origin[axis]) / factor);
        if (isSnapping) next = [...turned([Math.hypot(next[0], next[1]), 0], Math.round(degreesOf(next) / 45) * 45), next[2]];
        return [{ key: `${base}.${key}.vector`, value: flat(force.vector ?? [0, 0, 0], next) }];
      }, { from: frame.origin, symbol: "force" });
    } else if (["radial", "tangential", "vortex"].includes(force?.type)) {
      add(`${force.type} ${place + 1}`, `${key}.center`, frame.outside(point(force.center)), (at) =>
        [{ key: `${base}.${key}.center`, value: flat(force.center ?? [0, 0, 0], frame.inside(at)) }], { from: frame.origin, symbol: "center" });
    }
  });
  // Above all handles.
  add("place", "transform.translation", frame.origin, (place) =>
    [{ key: `${base}.transform.translation`, value: flat(translation ?? [0, 0, 0], place) }], { symbol: "place" });
  return { handles, outline: outlineOf(frame, kind, value) };
}

/** The outline of a shape in the plane. */
function outlineOf(frame, kind, value) {
  const ring = (x, y) => Array.from({ length: 49 }, (_, step) => frame.outsideShape([x * Math.cos((step * Math.PI) / 24), y * Math.sin((step * Math.PI) / 24)]));
  if (kind === "rect" || kind === "box") {
    const [width, height] = value("shape.size") ?? [1, 1];
    return [[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]].map(([x, y]) => frame.outsideShape([(x * width) / 2, (y * height) / 2]));
  }
  if (kind === "ellipse") return ring(...(value("shape.radii") ?? [1, 1]));
  if (kind === "line") {
    const half = (Number(value("shape.length")) || 0) / 2;
    return [-half, half].map((x) => frame.outsideShape(turned([x, 0], Number(value("shape.angle")) || 0)));
  }
  if (kind === "polyline") return (value("shape.points") ?? []).flat().map((place) => frame.outsideShape(point(place)));
  const radius = Number(value("shape.radius"));
  if (radius && !["point", "points", "mesh"].includes(kind)) return ring(radius, radius);
  return [];
}

export class Handles {
  /** @param {import("./stage.js").EffectStage} stage */
  constructor(stage) {
    this.stage = stage;
    this.element = document.createElementNS(space, "svg");
    this.element.setAttribute("class", "handles");
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", text("editHandles"));
    this.shown = new Map();
  }

  make(name, values) {
    const element = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
    return element;
  }

  /** Shows the handles of the selected emitters where they are now. */
  update() {
    const { session, projection } = this.stage;
    this.element.toggleAttribute("hidden", !projection || session.view.hidesHandles === true);
    if (!projection || session.view.hidesHandles) return;
    this.element.setAttribute("viewBox", `0 0 ${projection.width} ${projection.height}`);
    const wanted = new Map();
    const lines = [];
    for (const index of session.selected) {
      const origin = point(session.value(`emitters[${index}].transform.translation`));
      const reach = 70 / projection.scaleAt(origin);
      const { handles, outline } = handlesOf(session, index, reach);
      lines.push({ class: "outline", places: outline });
      for (const handle of handles) {
        wanted.set(handle.id, handle);
        if (handle.from) lines.push({ class: `line ${handle.symbol}`, places: [handle.from, handle.place] });
        for (const wing of handle.wings ?? []) lines.push({ class: "line wing", places: [handle.from, wing] });
      }
    }
    this.showLines(lines);
    for (const [id, node] of this.shown) {
      if (wanted.has(id) || this.dragged === id) continue;
      node.remove();
      this.shown.delete(id);
    }
    for (const [id, handle] of wanted) this.showHandle(id, handle);
  }

  showLines(lines) {
    const { projection } = this.stage;
    this.lines ??= this.element.appendChild(this.make("g", { class: "lines" }));
    this.lines.replaceChildren(...lines.flatMap(({ class: name, places }) => {
      const points = places.map((place) => projection.project(place)).filter(Boolean);
      return points.length < 2 ? [] : [this.make("polyline", { class: name, points: points.map((each) => each.map((value) => value.toFixed(1)).join(",")).join(" ") })];
    }));
  }

  showHandle(id, handle) {
    let node = this.shown.get(id);
    if (!node) {
      node = this.make("g", { class: `handle ${handle.symbol ?? "shape"}`, tabindex: "0", role: "slider", "data-handle": id });
      node.append(this.make("circle", { class: "reach", r: handle.symbol === "place" ? 9 : 14 }), this.make("circle", { class: "knob", r: handle.symbol === "place" ? 7 : 5.5 }));
      this.listen(node, id);
      this.shown.set(id, node);
      this.element.append(node);
    }
    node.handle = handle;
    const at = this.stage.projection.project(handle.place);
    node.toggleAttribute("hidden", !at);
    if (!at) return;
    node.at = at;
    node.setAttribute("transform", `translate(${at[0].toFixed(1)} ${at[1].toFixed(1)})`);
    const { session } = this.stage;
    // The axis, or the number of the force.
    const [which = ""] = / [xy\d]+$/.exec(handle.name) ?? [];
    node.setAttribute("aria-label", `${visible(session.value(`${handle.id.split(".")[0]}.name`) ?? "")} ${label(handle.key)}${which}`.trim());
    node.setAttribute("aria-valuetext", JSON.stringify(session.value(handle.key) ?? null));
    node.setAttribute("aria-valuenow", "0");
  }

  listen(node, id) {
    draggable(node, {
      begin: (event) => {
        if (this.stage.session.isReadOnly) return undefined;
        event.stopPropagation();
        node.focus();
        const from = this.stage.pointOf(event);
        this.dragged = id;
        // The handle stays under the pointer where it was taken: it does not jump.
        return { grip: [node.at[0] - from[0], node.at[1] - from[1]], gesture: this.stage.session.begin("editMoveHandle") };
      },
      move: (event, { gesture, grip }) => {
        const [x, y] = this.stage.pointOf(event);
        this.apply(gesture, node.handle, [x + grip[0], y + grip[1]], event.shiftKey);
      },
      end: (_, { gesture }) => {
        this.dragged = undefined;
        gesture.end();
      },
      cancel: ({ gesture }) => {
        this.dragged = undefined;
        gesture.cancel();
      },
    });
    node.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step || this.stage.session.isReadOnly) return;
      event.preventDefault();
      event.stopPropagation();
      this.keyed ??= this.stage.session.begin("editMoveHandle");
      const length = event.shiftKey ? 10 : 1;
      this.apply(this.keyed, node.handle, [node.at[0] + step[0] * length, node.at[1] + step[1] * length], false);
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.endKeys(), 700);
    });
    node.addEventListener("blur", () => this.endKeys());
  }

  endKeys() {
    clearTimeout(this.resting);
    this.keyed?.end();
    this.keyed = undefined;
  }

  apply(gesture, handle, at, isSnapping) {
    const { projection } = this.stage;
    const place = handle.normal ? projection.placeOn(at, handle.place, handle.normal) : projection.place(at, handle.place);
    gesture.change(handle.changes(place, { isSnapping }));
  }
}
