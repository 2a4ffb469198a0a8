// What a browser gives to an engine that makes its own canvas, without drawing. Our own code.
const nothing = () => {};
/** An object that answers to every name: a function that returns nothing. */
const mute = (known = {}) => new Proxy(known, {
  get: (object, name) => (name in object ? object[name] : name === 'then' ? undefined : nothing),
  set: (object, name, value) => { object[name] = value; return true; },
});

export class Element {
  constructor(width = 0, height = 0) {
    Object.assign(this, { width, height, dataset: {}, children: [], id: '', tagName: width ? 'canvas' : 'div' });
    this.style = mute({ getPropertyValue: () => '' });
    this.classList = mute();
  }
  get offsetWidth() { return this.width; }
  get offsetHeight() { return this.height; }
  getContext() { return mute({ canvas: this }); }
  getBoundingClientRect() { return { x: 0, y: 0, width: this.width, height: this.height }; }
  getElementsByTagName() { return []; }
  appendChild(child) { return child; }
}
for (const name of ['append', 'prepend', 'remove', 'addEventListener', 'removeEventListener', 'setAttribute', 'removeAttribute']) Element.prototype[name] = nothing;

/** Makes a page with a canvas of this size, and returns the canvas. */
export function page(width, height) {
  const canvas = new Element(width, height);
  const document = Object.assign(new Element(), {
    body: new Element(), head: new Element(), documentElement: new Element(), hidden: false,
    createElement: () => new Element(width, height), querySelector: () => null, querySelectorAll: () => [],
    getElementById: () => null,
  });
  class Observer { observe() {} unobserve() {} disconnect() {} }
  const window = mute({
    document, innerWidth: width, innerHeight: height, devicePixelRatio: 1, matchMedia: undefined,
    requestAnimationFrame: () => 0, cancelAnimationFrame: nothing, getComputedStyle: () => mute({ getPropertyValue: () => '' }),
    setTimeout: () => 0, clearTimeout: nothing,
  });
  const globals = {
    window, document, requestAnimationFrame: () => 0, cancelAnimationFrame: nothing,
    MediaRecorder: class { static isTypeSupported() { return false; } }, MutationObserver: Observer, ResizeObserver: Observer, IntersectionObserver: Observer, HTMLElement: Element, HTMLCanvasElement: Element,
    getComputedStyle: window.getComputedStyle, addEventListener: nothing, removeEventListener: nothing,
  };
  for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return canvas;
}
