// What PixiJS gives to its particle emitters, without drawing: places, textures, containers. Our own code.
export class Point {
  constructor(x = 0, y = 0) { this.x = x; this.y = y; }
  set(x = 0, y = x) { this.x = x; this.y = y; return this; }
  copyFrom(p) { return this.set(p.x, p.y); }
  copy(p) { return this.set(p.x, p.y); }
  clone() { return new Point(this.x, this.y); }
}
export class Rectangle {
  constructor(x, y, width, height) { Object.assign(this, { x, y, width, height }); }
}
export class Circle {
  constructor(x, y, radius) { Object.assign(this, { x, y, radius }); }
}
export class Polygon { constructor(...points) { this.points = points; } }
export class Texture { static from() { return new Texture(); } static fromImage() { return new Texture(); } }
Texture.EMPTY = new Texture();
Texture.WHITE = new Texture();
export class DisplayObject {
  constructor() {
    Object.assign(this, { position: new Point(), scale: new Point(1, 1), anchor: new Point() });
    Object.assign(this, { rotation: 0, alpha: 1, tint: 0xffffff, visible: true, parent: null, children: [] });
  }
  get x() { return this.position.x; }
  set x(x) { this.position.x = x; }
  get y() { return this.position.y; }
  set y(y) { this.position.y = y; }
  destroy() {}
}
export class Container extends DisplayObject {
  addChild(child) { child.parent = this; this.children.push(child); return child; }
  addChildAt(child, index) { child.parent = this; this.children.splice(index, 0, child); return child; }
  removeChild(child) { child.parent = null; this.children = this.children.filter((c) => c !== child); return child; }
}
export class Sprite extends Container {}
export class Renderer {}
export class MaskData {}
export class Ticker { static get shared() { return new Ticker(); } add() {} remove() {} }
export const settings = { TARGET_FPMS: 0.06 };
export const BLEND_MODES = { NORMAL: 0, ADD: 1, MULTIPLY: 2, SCREEN: 3 };
