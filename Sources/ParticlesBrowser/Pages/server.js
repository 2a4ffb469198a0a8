// Requests to the program, and its events. All addresses are below the secret path of this page.

const base = new URL(".", import.meta.url.replace("/assets/", "/"));

export class ServerError extends Error {
  constructor(status, answer) {
    super(answer?.message ?? `status ${status}`);
    this.status = status;
    this.hint = answer?.hint;
    this.code = answer?.code;
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
export const ask = async (route, values, options) => read(await fetch(address(route, values), options));

/** Asks for bytes. */
export async function load(route, values, options) {
  return answered(await fetch(address(route, values), options));
}

/** Orders something, and returns the value of the answer. */
export async function order(route, body, options = {}) {
  return read(await fetch(address(route), {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), ...options,
  }));
}

/** Hands over bytes. */
export async function send(route, values, bytes) {
  return read(await fetch(address(route, values), {
    method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: bytes,
  }));
}

/**
 * The events of the program: one stream for all windows of the browser, in a shared worker; one for this page where
 * there are none.
 */
export function listen(receive) {
  const target = address("events").href;
  try {
    const worker = new SharedWorker(new URL("events.js", import.meta.url), { type: "module", name: target });
    worker.port.onmessage = ({ data }) => receive(data.name, data.value);
    worker.port.postMessage({ target });
    addEventListener("pagehide", () => worker.port.postMessage({ ends: true }));
    return;
  } catch { /* Some browsers have no shared workers. */ }
  import("./events.js").then(({ connect }) => connect(target, receive));
}
