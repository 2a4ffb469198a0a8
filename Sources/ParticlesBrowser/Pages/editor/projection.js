// Where points of an effect are in the picture, as the module places them.

const minus = (a, b) => a.map((value, axis) => value - b[axis]);
const plus = (a, b) => a.map((value, axis) => value + b[axis]);
const times = (a, factor) => a.map((value) => value * factor);
const dot = (a, b) => a.reduce((sum, value, axis) => sum + value * b[axis], 0);
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
const unit = (a) => times(a, 1 / (Math.hypot(...a) || 1));

/** A vector turned by a quaternion `[x, y, z, w]`. */
export function rotated(vector, quaternion) {
  const length = Math.hypot(...quaternion);
  if (!(length > 0)) return vector;
  const [x, y, z, w] = times(quaternion, 1 / length);
  const across = times(cross([x, y, z], vector), 2);
  return plus(plus(vector, times(across, w)), cross([x, y, z], across));
}

/** A point of three numbers: documents leave z out in the plane. */
export const point = (value) => [Number(value?.[0]) || 0, Number(value?.[1]) || 0, Number(value?.[2]) || 0];

export class Projection {
  /**
   * @param {{position: number[], target: number[], fov?: number, orthoHeight?: number}} camera
   * @param {number} width of the picture in pixels, and `height`.
   */
  constructor(camera, width, height) {
    Object.assign(this, { camera, width, height });
    this.position = point(camera.position);
    this.target = point(camera.target);
    const look = minus(this.target, this.position);
    this.distance = Math.hypot(...look);
    this.forward = this.distance > 1e-12 ? times(look, 1 / this.distance) : [0, 0, -1];
    const vertical = Math.abs(this.forward[1]) > 1 - 1e-9 ? [0, 0, this.forward[1]] : [0, 1, 0];
    this.right = unit(cross(this.forward, vertical));
    this.up = cross(this.right, this.forward);
    this.isPerspective = camera.orthoHeight === undefined || camera.orthoHeight === null;
    this.scale = this.isPerspective ? height / 2 / Math.tan((((camera.fov ?? 60) / 2) * Math.PI) / 180) : height / Math.max(camera.orthoHeight, 1e-12);
  }

  /** Pixels of a unit at a place. */
  scaleAt(place) { return this.isPerspective ? this.scale / Math.max(dot(minus(place, this.position), this.forward), 0.01) : this.scale; }

  /** A place in the picture, or undefined behind the camera. */
  project(place) {
    const offset = minus(place, this.position);
    if (this.isPerspective && dot(offset, this.forward) <= 0.01) return undefined;
    const scale = this.scaleAt(place);
    return [this.width / 2 + dot(offset, this.right) * scale, this.height / 2 - dot(offset, this.up) * scale];
  }

  /** The place at a point of the picture that is as far away as another place. */
  place([x, y], near = this.target) {
    const depth = dot(minus(near, this.position), this.forward);
    const scale = this.scaleAt(near);
    const across = plus(times(this.right, (x - this.width / 2) / scale), times(this.up, (this.height / 2 - y) / scale));
    return plus(plus(this.position, times(this.forward, depth)), across);
  }

  /** The place at a point of the picture on a plane through `near`, or as far away as `near` if the plane is seen from its edge. */
  placeOn(at, near, normal) {
    const place = this.place(at, near);
    const along = this.isPerspective ? unit(minus(place, this.position)) : this.forward;
    const slope = dot(along, normal);
    return Math.abs(slope) < 0.05 ? place : plus(place, times(along, dot(minus(near, place), normal) / slope));
  }

  /** The camera closer by a factor, so that the place at a point of the picture stays there. */
  zoomed(factor, at) {
    const fixed = this.place(at);
    const nearer = (place) => plus(fixed, times(minus(place, fixed), 1 / factor));
    if (this.isPerspective) return { ...this.camera, position: nearer(this.position), target: nearer(this.target) };
    const shift = minus(nearer(this.target), this.target);
    return { ...this.camera, position: plus(this.position, shift), target: plus(this.target, shift), orthoHeight: this.camera.orthoHeight / factor };
  }

  /** The camera moved by pixels. */
  panned(x, y) {
    const shift = minus(this.place([this.width / 2 - x, this.height / 2 - y]), this.place([this.width / 2, this.height / 2]));
    return { ...this.camera, position: plus(this.position, shift), target: plus(this.target, shift) };
  }

  /** The camera turned about its target by degrees, to the right and up. */
  orbited(across, along) {
    const offset = minus(this.position, this.target);
    const length = Math.hypot(...offset) || 1;
    const turn = Math.atan2(offset[0], offset[2]) - (across * Math.PI) / 180;
    const rise = Math.min(Math.max(Math.asin(offset[1] / length) + (along * Math.PI) / 180, -1.55), 1.55);
    const from = times([Math.sin(turn) * Math.cos(rise), Math.sin(rise), Math.cos(turn) * Math.cos(rise)], length);
    return { ...this.camera, position: plus(this.target, from) };
  }
}
