// The name of this window, by which the program knows it, and the first request of the page. There are no imports: the request waits for
// this file alone.

/** Milliseconds to wait for the end of the page that had the name of this window. */
const patience = 1000;

const kept = sessionStorage.getItem("window");
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("particles-windows") : undefined;

/** Whether this tab is a duplicate of an open tab: both have one name in their storage. */
export const isTwin = Boolean(kept) && await hasOwner(kept);

/** The name of this window, which outlives loading the page again. */
export const windowName = kept && !isTwin ? kept : crypto.randomUUID();
sessionStorage.setItem("window", windowName);
if (!kept || isTwin) own(windowName);
channel?.addEventListener("message", ({ data }) => { if (data.asks === windowName) channel.postMessage({ has: windowName }); });

/** Owns a name until the page ends. */
function own(name, options = {}) {
  return new Promise((resolve, reject) => {
    if (!navigator.locks) return resolve();
    navigator.locks.request(`particles-window-${name}`, options, () => {
      resolve();
      return new Promise(() => {});
    }).catch(reject);
  });
}

/**
 * Whether another page owns a name. Otherwise, this page takes it. The page that was loaded here before may still own it for a
 * moment, but does not answer.
 */
async function hasOwner(name) {
  const asking = new AbortController();
  const answer = new Promise((resolve) => {
    channel?.addEventListener("message", ({ data }) => { if (data.has === name) resolve(true); });
    setTimeout(() => resolve(true), patience);
  });
  const owned = own(name, { signal: asking.signal }).then(() => false, () => true);
  channel?.postMessage({ asks: name });
  const isOwned = await Promise.race([owned, answer]);
  if (isOwned) asking.abort();
  return isOwned;
}

/** The rows that come with the state: more than a screen holds. Later rows are listed after them. */
const mostRows = 300;

const state = new URL("state", location.href);
state.search = new URLSearchParams({ window: windowName, list: mostRows });
const shown = new URL(location.href).searchParams.get("show");
if (shown) state.searchParams.set("show", shown);

/** The answer with the state, and with the first rows of the place that is shown. */
export const first = fetch(state);

// The page tells the failure when it reads the answer.
first.catch(() => {});
