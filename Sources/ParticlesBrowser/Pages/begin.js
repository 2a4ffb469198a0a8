// The first request of a page, which begins before its other modules are there.

import { windowName } from "./naming.js";
import { ask } from "./server.js";

/** The rows that come with the state: more than a screen holds. The others are listed after them. */
const mostRows = 300;

/** The state, with the first rows of the place that is shown. */
export const first = ask("state", { window: windowName, show: new URL(location.href).searchParams.get("show"), list: mostRows });

// The page tells the failure when it asks.
first.catch(() => {});
