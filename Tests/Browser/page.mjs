// A page of the browser for tests in node: the elements of `index.html`, and a program that gives the answers of a test. `clock.mjs`
// supplies the time. Importing this file makes the globals of a page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { settled } from "./clock.mjs";
import { create, kinds, PageElement, PageText, pageWindow } from "./dom.mjs";
import { fetchTexts } from "./texts.mjs";

export { fire, press, type } from "./dom.mjs";

// The player, at the address where the program has it, is nothing: its elements are plain ones.
register(`data:text/javascript,${encodeURIComponent(`export const resolve = async (name, context, next) =>
  (name.endsWith("/player/element.js") ? { url: "data:text/javascript,", shortCircuit: true } : next(name, context));`)}`);

const pages = new URL("../../Sources/ParticlesBrowser/Pages/", import.meta.url);
export const load = (name) => import(new URL(name, pages));

class PageDocument extends PageElement {
  title = "";
  createElement(name) { return create(name); }
  createElementNS(_, name) { return create(name); }
  createTextNode(text) { return new PageText(text); }
  getElementById(id) { return this.querySelector(`#${id}`); }
  get isConnected() { return true; }
}

const document = globalThis.document = new PageDocument();
const store = () => {
  const kept = new Map();
  return { kept, getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => void kept.set(name, String(value)), removeItem: (name) => void kept.delete(name) };
};

/** The elements of a text of HTML. */
export function parse(html) {
  const [root, open] = [create("template"), []];
  open.push(root);
  for (const [, close, name, attributes, text] of html.replace(/<!.*?>/gs, "").matchAll(/<(\/?)([a-z][\w-]*)([^>]*)>|([^<]+)/g)) {
    if (text !== undefined) {
      if (text.trim()) open.at(-1).append(text);
    } else if (close) {
      open.pop();
    } else {
      const element = create(name);
      for (const [, key, quoted] of attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) element.setAttribute(key, quoted ?? "");
      open.at(-1).append(element);
      if (!["meta", "link", "input", "img", "br", "hr"].includes(name)) open.push(element);
    }
  }
  return root.childNodes;
}

/** What the page asks the program: the route, its values, and the body. */
export const asked = [];
/** What the program answers, by route: a value or a function of the values and the body. An Error has a `status`. */
export const answers = {};

async function fetch(target, { method = "GET", body } = {}) {
  const url = new URL(target);
  const route = url.pathname.split("/").at(-1);
  if (route === "texts") return fetchTexts(target);
  const values = Object.fromEntries(url.searchParams);
  const content = typeof body === "string" && body.startsWith("{") ? JSON.parse(body) : body;
  asked.push({ route, method, values, body: content });
  const answer = answers[route];
  const value = await (typeof answer === "function" ? answer(values, content) : answer);
  if (value instanceof Error) return { ok: false, status: value.status ?? 500, json: async () => ({ message: value.message, ...value }) };
  return value === undefined ? { ok: false, status: 404, json: async () => ({ message: `no route ${route}` }) } : { ok: true, status: 200, json: async () => structuredClone(value), blob: async () => new Blob([JSON.stringify(value)]) };
}

/** Waits for what takes no time of the clock, such as a script that is imported. */
export async function eventually(condition) {
  for (let turn = 0; turn < 5000 && !condition(); turn += 1) await settled();
  assert.ok(condition(), `this is not met: ${condition}`);
}

const observers = [];
/** Tells the page that an element has another size. */
export function resize(element, width, height) {
  element.box = { ...element.box, width, height };
  for (const each of observers) if (each.elements.includes(element)) each.call([{ target: element, contentRect: element.box }], each);
}

class Observer {
  elements = [];
  constructor(call) { this.call = call; observers.push(this); }
  observe(element) { this.elements.push(element); }
  unobserve(element) { this.elements = this.elements.filter((each) => each !== element); }
  disconnect() { this.elements = []; }
}

/** Tells the page what the stream of events tells. */
export const receive = (name, value) => SharedWorker.last.port.onmessage({ data: { name, value } });
class SharedWorker {
  constructor() {
    SharedWorker.last = this;
    this.port = { postMessage() {} };
  }
}

for (const each of parse(readFileSync(new URL("index.html", pages), "utf8"))) document.append(each);
Object.assign(document, { documentElement: document.querySelector("html"), head: document.querySelector("head"), body: document.querySelector("body") });
document.activeElement = document.body;

/** What media queries are true. */
export const media = new Set();
Object.assign(globalThis, {
  window: globalThis, localStorage: store(), sessionStorage: store(), fetch, HTMLElement: PageElement, Element: PageElement, Node: PageElement,
  addEventListener: (...values) => pageWindow.addEventListener(...values), removeEventListener: (...values) => pageWindow.removeEventListener(...values),
  dispatchEvent: (event) => pageWindow.dispatchEvent(event),
  requestAnimationFrame: (call) => setTimeout(() => call(performance.now()), 16), cancelAnimationFrame: (id) => clearTimeout(id),
  ResizeObserver: Observer, IntersectionObserver: Observer, MutationObserver: Observer, SharedWorker,
  matchMedia: (query) => ({ matches: [...media].some((each) => query.includes(each)), addEventListener() {} }),
  getComputedStyle: (element) => element.style, CSS: { supports: (_, value) => /^#[0-9a-f]{6}$|^[a-z]+$/i.test(value), escape: (text) => text },
  innerWidth: 1200, innerHeight: 800, devicePixelRatio: 1, scrollTo() {}, close() {},
  location: { href: "http://127.0.0.1:1/secret/", host: "127.0.0.1:1", search: "", reload() {} },
  history: { state: null, pushState(state) { this.state = state; }, replaceState(state) { this.state = state; }, back() {} },
  customElements: {
    get: (name) => kinds.get(name),
    define(name, kind) {
      kinds.set(name, kind);
      for (const each of document.querySelectorAll(name)) {
        const made = create(name);
        for (const [key, value] of each.attributes) made.setAttribute(key, value);
        made.append(...each.childNodes);
        each.replaceWith(made);
      }
    },
  },
});
delete globalThis.BroadcastChannel;
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"], clipboard: { writeText: async (text) => { navigator.copied = text; } } }, configurable: true });
