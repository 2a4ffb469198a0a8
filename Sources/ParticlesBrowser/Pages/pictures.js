// The thumbnails of a collection, and the problems of the documents in view.

import { make } from "./icons.js";
import { address, ask, order } from "./server.js";

/** The most requests for pictures at a time. A browser has six connections to an address. */
const mostRequests = 4;

const addressOf = (item) => address("thumbnail", { item: item.id, version: `${item.modified}-${item.size}` }).href;

export class Pictures {
  queue = [];
  requests = 0;
  /** Pictures of elements that are made anew, by their addresses. */
  known = new Map();

  constructor(collection) { this.collection = collection; }

  clear() { this.queue = []; }

  /** The picture of a document. It is asked for when the collection is drawn. */
  image(item, picture) {
    const known = this.known.get(addressOf(item));
    const image = known ?? make("img", { alt: "", draggable: "false", decoding: "async" });
    if (!known) {
      this.queue.push({ item, image, picture });
      this.isOrdered = false;
    }
    return image;
  }

  /** Puts pictures in view last, the first at the end: `pump` takes them there. */
  order() {
    this.isOrdered = true;
    const places = new Map([...this.collection.elements.values()].map(({ element, index, y }) => [element, { index, y }]));
    const { top, height } = this.collection.view;
    const ranks = new Map(this.queue.map(({ image, picture }) => {
      const { index = 0, y = 0 } = places.get(picture.closest("[role=option]")) ?? {};
      const isInView = y > top - this.collection.geometry.rowHeight && y < top + height;
      return [image, index + (isInView ? 0 : 1e9)];
    }));
    this.queue.sort((a, b) => ranks.get(b.image) - ranks.get(a.image));
  }

  /** Asks for pictures in view first, and for none that was removed. */
  pump() {
    if (!this.isOrdered) this.order();
    while (this.requests < mostRequests && this.queue.length) {
      const { item, image, picture } = this.queue.pop();
      if (!image.isConnected) continue;
      this.requests += 1;
      const done = () => {
        this.requests -= 1;
        this.pump();
      };
      image.onload = () => {
        image.classList.add("ready");
        done();
      };
      image.onerror = async () => {
        done();
        image.remove();
        // The answer states the reason, which an image cannot tell.
        const fault = await ask("thumbnail", { item: item.id }).then(() => undefined, (error) => error);
        if (!fault?.message || !picture.isConnected) return;
        item.isUndrawn = fault.code?.startsWith("limit/") ?? false;
        this.collection.setProblem(item, picture.closest("[role=option]"), fault.message);
      };
      image.src = addressOf(item);
    }
    if (this.requests) return;
    this.inspectSoon();
    this.collection.dispatchEvent(new Event("pictures"));
  }

  /** The states of documents whose problems are known. */
  inspected = new Set();

  /** After a pause, the documents in view are opened by the program to find their problems. */
  inspectSoon() {
    clearTimeout(this.pause);
    this.pause = setTimeout(async () => {
      const key = (item) => `${item.id} ${item.modified} ${item.size}`;
      const items = [...this.collection.elements.values()].map(({ item }) => item).filter((item) => item?.kind === "effect" && !this.inspected.has(key(item)));
      if (!items.length || this.requests) return;
      if (this.inspected.size > 20_000) this.inspected.clear();
      for (const item of items) this.inspected.add(key(item));
      const answer = await order("inspect", { items: items.map(({ id }) => id) }).catch(() => undefined);
      for (const row of answer?.items ?? []) {
        const shown = [...this.collection.elements.values()].find(({ item }) => item?.id === row[0]);
        if (shown && row[7]) this.collection.setProblem(shown.item, shown.element, row[7]);
      }
    }, 800);
  }
}
