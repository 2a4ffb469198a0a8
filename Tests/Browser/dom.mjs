// Elements and events as much as the scripts of the browser use, without layout, for tests in node. `page.mjs` makes a page with
// them. Positions are what a test gives: `element.box = { left, top, width, height }`.

// MARK: Events

export const define = (event, values) => {
  for (const [name, value] of Object.entries(values)) Object.defineProperty(event, name, { value, configurable: true });
};

// Elements of the pages have properties of such names.
const listeners = Symbol("listeners");

/** Calls listeners from the window to the target and back, as in a page. */
export class Target {
  [listeners] = [];

  addEventListener(name, call, options = {}) {
    const { capture = false, once = false, signal } = typeof options === "boolean" ? { capture: options } : options;
    if (!call || signal?.aborted || this[listeners].some((each) => each.name === name && each.call === call && each.capture === capture)) return;
    const listener = { name, call, capture, once };
    this[listeners].push(listener);
    signal?.addEventListener("abort", () => { this[listeners] = this[listeners].filter((each) => each !== listener); });
  }

  removeEventListener(name, call, options = {}) {
    const capture = typeof options === "boolean" ? options : options.capture ?? false;
    this[listeners] = this[listeners].filter((each) => each.name !== name || each.call !== call || each.capture !== capture);
  }

  hear(event, isCapture, isTarget) {
    define(event, { currentTarget: this });
    for (const listener of [...this[listeners]]) {
      if (listener.name !== event.type || !this[listeners].includes(listener) || (listener.capture !== isCapture && !isTarget) || event.isEnded) continue;
      if (isTarget && listener.capture !== isCapture) continue;
      if (listener.once) this[listeners] = this[listeners].filter((each) => each !== listener);
      if (typeof listener.call === "function") listener.call.call(this, event);
      else listener.call.handleEvent(event);
    }
    if (!isCapture) this[`on${event.type}`]?.(event);
  }

  dispatchEvent(event) {
    const path = [];
    for (let each = this; each; each = each.parentNode ?? (each === document ? pageWindow : undefined)) path.push(each);
    define(event, { target: this, composedPath: () => path, stopImmediatePropagation: () => { event.isEnded = true; event.stopPropagation(); } });
    for (const each of path.toReversed()) if (!event.cancelBubble) each.hear(event, true, each === this);
    for (const each of event.bubbles ? path : [this]) if (!event.cancelBubble || each === this && !event.isEnded) each.hear(event, false, each === this);
    return !event.defaultPrevented;
  }
}

// MARK: Elements

const attributeName = (key) => `data-${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export class PageText {
  constructor(data) { this.data = data; }
  get textContent() { return this.data; }
  remove() { this.parentNode?.detach(this); }
  cloneNode() { return new PageText(this.data); }
}

/** Whether an element is what a selector without spaces names. */
function fits(element, selector) {
  const parts = selector.match(/^[\w-]+|\*|#[\w-]+|\.[\w-]+|\[[\w-]+(?:\^?=(?:"[^"]*"|[^\]]*))?\]|:not\([^)]*\)|:[\w-]+/g) ?? [];
  return parts.every((part) => {
    if (part === "*") return true;
    if (part[0] === "#") return element.id === part.slice(1);
    if (part[0] === ".") return element.classList.contains(part.slice(1));
    if (part === ":popover-open") return element.isPopover;
    if (part === ":disabled") return element.disabled;
    if (part.startsWith(":not(")) return !fits(element, part.slice(5, -1));
    if (part[0] !== "[") return element.localName === part;
    const [, name, , value] = part.match(/^\[([\w-]+)(\^?=)?"?([^"\]]*)"?\]$/);
    return value === "" ? element.hasAttribute(name) : part.includes("^=") ? element.getAttribute(name)?.startsWith(value) : element.getAttribute(name) === value;
  });
}

function matches(element, selectors) {
  return selectors.split(/,(?![^[(]*[\])])/).some((selector) => {
    const steps = selector.trim().split(/\s+/);
    if (!fits(element, steps.pop())) return false;
    for (let each = element.parentNode; each && steps.length; each = each.parentNode) if (each.attributes && fits(each, steps.at(-1))) steps.pop();
    return !steps.length;
  });
}

export class PageElement extends Target {
  static making = "div";
  localName = PageElement.making;
  attributes = new Map();
  childNodes = [];
  isPopover = false;
  scrollTop = 0;
  box = { left: 0, top: 0, width: 0, height: 0 };
  style = Object.create({
    setProperty(name, value) { this[name] = value; },
    removeProperty(name) { delete this[name]; },
    getPropertyValue(name) { return this[name] ?? ""; },
  });
  dataset = new Proxy({}, {
    get: (_, key) => (typeof key === "string" ? this.attributes.get(attributeName(key)) : undefined),
    set: (_, key, value) => { this.setAttribute(attributeName(key), value); return true; },
    has: (_, key) => this.attributes.has(attributeName(key)),
    deleteProperty: (_, key) => this.attributes.delete(attributeName(key)),
  });
  classList = {
    all: () => (this.attributes.get("class") ?? "").split(/\s+/).filter(Boolean),
    contains: (name) => this.classList.all().includes(name),
    add: (...names) => { this.className = [...new Set([...this.classList.all(), ...names])].join(" "); },
    remove: (...names) => { this.className = this.classList.all().filter((name) => !names.includes(name)).join(" "); },
    toggle: (name, isWanted = !this.classList.contains(name)) => { this.classList[isWanted ? "add" : "remove"](name); return isWanted; },
  };

  get tagName() { return this.localName.toUpperCase(); }
  get children() { return this.childNodes.filter((each) => each instanceof PageElement); }
  get firstChild() { return this.childNodes[0] ?? null; }
  get lastChild() { return this.childNodes.at(-1) ?? null; }
  get firstElementChild() { return this.children[0] ?? null; }
  get lastElementChild() { return this.children.at(-1) ?? null; }
  get childElementCount() { return this.children.length; }
  get parentElement() { return this.parentNode instanceof PageElement ? this.parentNode : null; }
  get nextElementSibling() { return this.sibling(1); }
  get previousElementSibling() { return this.sibling(-1); }
  get isConnected() { return document.contains(this); }
  get textContent() { return this.childNodes.map((each) => each.textContent).join(""); }
  set textContent(text) { this.replaceChildren(...(text === "" ? [] : [String(text)])); }
  get className() { return this.attributes.get("class") ?? ""; }
  set className(text) { this.setAttribute("class", text); }
  get offsetWidth() { return this.box.width; }
  get offsetHeight() { return this.box.height; }
  get clientWidth() { return this.box.width; }
  get clientHeight() { return this.box.height; }
  get options() { return this.querySelectorAll("option"); }
  // Elements of the pages have a property of this name.
  set options(value) { Object.defineProperty(this, "options", { value, writable: true }); }
  get value() { return this.typed ?? this.getAttribute("value") ?? (this.localName === "select" ? this.options[0]?.getAttribute("value") : undefined) ?? ""; }
  set value(value) { this.typed = String(value); }

  sibling(step) {
    const all = this.parentNode?.children ?? [];
    return all[all.indexOf(this) + step] ?? null;
  }

  setAttribute(name, value) {
    const before = this.attributes.get(name) ?? null;
    this.attributes.set(name, String(value));
    if (this.constructor.observedAttributes?.includes(name)) this.attributeChangedCallback(name, before, String(value));
  }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  hasAttribute(name) { return this.attributes.has(name); }
  removeAttribute(name) { this.attributes.delete(name); }
  toggleAttribute(name, isWanted = !this.hasAttribute(name)) { if (isWanted) this.setAttribute(name, ""); else this.removeAttribute(name); }

  detach(node) {
    const index = this.childNodes.indexOf(node);
    if (index < 0) return;
    const wasConnected = this.isConnected;
    this.childNodes.splice(index, 1);
    node.parentNode = undefined;
    if (!(node instanceof PageElement)) return;
    if (node.contains(document.activeElement)) document.activeElement = document.body;
    if (wasConnected) for (const each of [node, ...node.querySelectorAll("*")]) each.disconnectedCallback?.();
  }

  put(nodes, index) {
    const made = nodes.map((node) => (node instanceof PageElement || node instanceof PageText ? node : new PageText(String(node))));
    for (const node of made) node.parentNode?.detach(node);
    this.childNodes.splice(Math.min(index, this.childNodes.length), 0, ...made);
    for (const node of made) node.parentNode = this;
    if (this.isConnected) {
      for (const node of made) if (node instanceof PageElement) for (const each of [node, ...node.querySelectorAll("*")]) each.connectedCallback?.();
    }
  }

  append(...nodes) { this.put(nodes, Infinity); }
  prepend(...nodes) { this.put(nodes, 0); }
  appendChild(node) { this.append(node); return node; }
  before(...nodes) { this.parentNode?.put(nodes, this.parentNode.childNodes.indexOf(this)); }
  after(...nodes) { this.parentNode?.put(nodes, this.parentNode.childNodes.indexOf(this) + 1); }
  insertBefore(node, other) { if (other) other.before(node); else this.append(node); return node; }
  // Elements of the pages have a method of this name.
  remove() { this.parentNode?.detach(this); }
  replaceWith(...nodes) { this.before(...nodes); this.parentNode?.detach(this); }
  replaceChildren(...nodes) {
    for (const each of [...this.childNodes]) this.detach(each);
    this.append(...nodes);
  }
  contains(node) {
    for (let each = node; each; each = each.parentNode) if (each === this) return true;
    return false;
  }
  cloneNode(isDeep = false) {
    const copy = document.createElement(this.localName);
    for (const [name, value] of this.attributes) copy.attributes.set(name, value);
    if (isDeep) copy.append(...this.childNodes.map((each) => each.cloneNode(true)));
    return copy;
  }

  querySelectorAll(selectors) {
    if (selectors.startsWith(":scope > ")) return this.children.filter((each) => matches(each, selectors.slice(9)));
    return this.children.flatMap((each) => [...(matches(each, selectors) ? [each] : []), ...each.querySelectorAll(selectors)]);
  }
  querySelector(selectors) { return this.querySelectorAll(selectors)[0] ?? null; }
  matches(selectors) { return matches(this, selectors); }
  closest(selectors) {
    for (let each = this; each instanceof PageElement; each = each.parentNode) if (each.matches(selectors)) return each;
    return null;
  }

  focus() {
    if (!this.isConnected || this.disabled || document.activeElement === this) return;
    document.activeElement?.blur?.();
    document.activeElement = this;
    this.dispatchEvent(new Event("focus"));
    this.dispatchEvent(new Event("focusin", { bubbles: true }));
  }
  blur() {
    if (document.activeElement !== this) return;
    document.activeElement = document.body;
    this.dispatchEvent(new Event("blur"));
    this.dispatchEvent(new Event("focusout", { bubbles: true }));
  }
  click() { if (!this.disabled) fire(this, "click"); }

  toggles(isOpen) {
    if (this.isPopover === isOpen) throw new DOMException("it is so already", "InvalidStateError");
    this.isPopover = isOpen;
    this.dispatchEvent(Object.assign(new Event("toggle"), { newState: isOpen ? "open" : "closed", oldState: isOpen ? "closed" : "open" }));
  }
  showPopover() { this.toggles(true); }
  hidePopover() { this.toggles(false); }
  showModal() { this.setAttribute("open", ""); }
  close() {
    this.removeAttribute("open");
    this.dispatchEvent(new Event("close"));
  }

  getBoundingClientRect() {
    const { left, top, width, height } = this.box;
    return { left, top, width, height, x: left, y: top, right: left + width, bottom: top + height };
  }
  setSelectionRange(start, end) { Object.assign(this, { selectionStart: start, selectionEnd: end }); }
  select() { this.setSelectionRange(0, this.value.length); }
  scrollIntoView() {}
  setPointerCapture(id) { this.captured = id; }
  releasePointerCapture() { this.captured = undefined; }
  hasPointerCapture(id) { return this.captured === id; }
  /** Notes the animation, and ends it at once. */
  animate(states, options) {
    (this.animations ??= []).push({ states, options });
    return { finished: Promise.resolve(), cancel() {} };
  }
}

// Properties that are attributes, as texts or as whether they are present. Only `owners` have them, if there are any.
const reflected = (name, isText, owners) => Object.defineProperty(PageElement.prototype, name, {
  get() { return isText ? this.attributes.get(name) ?? "" : this.attributes.has(name.toLowerCase()); },
  set(value) {
    if (owners && !owners.includes(this.localName)) Object.defineProperty(this, name, { value, writable: true, configurable: true });
    else if (isText) this.setAttribute(name, value);
    else this.toggleAttribute(name.toLowerCase(), Boolean(value));
  },
});
for (const name of ["id", "title", "lang"]) reflected(name, true);
for (const name of ["src", "href", "alt", "type", "name", "placeholder", "rel"]) reflected(name, true, ["img", "a", "link", "input", "button"]);
for (const name of ["hidden", "draggable"]) reflected(name, false);
for (const [name, owners] of [["disabled", ["button", "input", "select", "textarea", "option"]], ["checked", ["input"]], ["readOnly", ["input", "textarea"]], ["open", ["dialog", "details"]], ["selected", ["option"]]]) {
  reflected(name, false, owners);
}

/** What hears last. */
export const pageWindow = new Target();

/** Classes of elements by name. */
export const kinds = new Map();

export function create(name) {
  PageElement.making = name;
  try {
    return new (kinds.get(name) ?? PageElement)();
  } finally {
    PageElement.making = "div";
  }
}

// MARK: What a user does

/** Sends an event that bubbles to an element, with further properties. */
export function fire(element, name, values = {}) {
  const event = new Event(name, { bubbles: true, cancelable: true });
  define(event, values);
  element.dispatchEvent(event);
  return event;
}

export const press = (element, key, values = {}) => fire(element, "keydown", { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...values });

/** Types a text into a field. */
export function type(field, text) {
  field.value = text;
  fire(field, "input");
}
