// Requests to the program, and its events. Their addresses are below the secret path of this page. It is new after each start of
// the program.

import { recognize } from "./again.js";

let base = new URL(".", location.href);

/** The search for the program of this page, or undefined if it answered last. Another program is sent nothing. */
let search;

/** Milliseconds until it is asked again who answers. */
const pause = 1000;
let lastFound = -pause;

export class ServerError extends Error {
  constructor(status, answer) {
    super(answer?.message ?? `status ${status}`);
    this.status = status;
    this.hint = answer?.hint;
    this.code = answer?.code;
    this.expected = answer?.expected;
    this.found = answer?.found;
    /** The property that is concerned. */
    this.key = answer?.key;
  }
}

/** The address of a route. */
export function address(route, values = {}) {
  const url = new URL(route, base);
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, value);
  }
  return url;
}

/** Sends a request, unless another program may get it. */
export async function reach(target, options) {
  if (search) throw new TypeError("the program is missed");
  let response;
  try {
    response = await fetch(target, options);
  } catch (error) {
    // Nothing answers any more, or the page itself has given up.
    if (error.name !== "AbortError") findAgain();
    throw error;
  }
  // Refused without a word: the program was started again, and has another secret.
  if (response.status === 403 && !response.headers.get("Content-Type")) {
    findAgain();
    throw new TypeError("the program was started again");
  }
  return response;
}

async function answered(response) {
  if (response.ok) return response;
  let answer;
  try {
    answer = await response.json();
  } catch { /* It has no text. */ }
  throw new ServerError(response.status, answer);
}

/** The value of an answer. */
export const read = async (response) => (await answered(response)).json();

/** Asks, and returns the value of the answer. */
export const ask = async (route, values, options) => read(await reach(address(route, values), options));

/** Asks for bytes. */
export async function load(route, values, options) {
  return answered(await reach(address(route, values), options));
}

/** Orders something, and returns the value of the answer. */
export async function order(route, body, options = {}) {
  return read(await reach(address(route), {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), ...options,
  }));
}

/** Hands over bytes. */
export async function send(route, values, bytes) {
  return read(await reach(address(route, values), {
    method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: bytes,
  }));
}

// MARK: Events

/** Gets events. Undefined in a page that has not asked for them. */
let receive;
let leave = () => {};

/**
 * The events of the program: one stream for all windows of the browser, in a shared worker. Without such workers, one for this page. The
 * page itself tells `open`, `lost`, and `stranger` if another program answers.
 */
export function listen(hear) {
  receive = hear;
  addEventListener("pagehide", () => leave());
  if (search) receive("lost", null);
  else begin();
}

function begin() {
  const target = address("events").href;
  const hear = (name, value) => (name === "lost" ? findAgain() : receive(name, value));
  try {
    const { port } = new SharedWorker(new URL("events.js", import.meta.url), { type: "module", name: target });
    port.onmessage = ({ data }) => hear(data.name, data.value);
    port.postMessage({ target });
    leave = () => port.postMessage({ ends: true });
  } catch {
    // Some browsers have no shared workers.
    import("./events.js").then(({ connect }) => connect(target, hear));
  }
}

/** Waits for a new start of the program, and takes its new address. Before it has proved itself, it is sent nothing. */
export function findAgain() {
  return search ??= find();
}

/** Settled when the program is there that this page belongs to. */
export const known = async () => search;

async function find() {
  leave();
  receive?.("lost", null);
  // A stream that ends at once is not begun again at once.
  if (performance.now() - lastFound < pause) await wait();
  let secret;
  while (!secret) {
    let isThere = true;
    secret = await recognize(askAgain, location.host).catch(() => { isThere = false; });
    if (secret) break;
    if (isThere) receive?.("stranger", null);
    await wait();
  }
  base = new URL(`/${secret}/`, location.href);
  history.replaceState(history.state, "", new URL(location.search, base));
  [search, lastFound] = [undefined, performance.now()];
  if (receive) begin();
}

const wait = () => new Promise((resolve) => setTimeout(resolve, pause));

async function askAgain(body, nonce) {
  const url = new URL("/again", location.href);
  if (nonce) url.searchParams.set("nonce", nonce);
  const response = await fetch(url, body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  return response.ok ? response.json() : undefined;
}
