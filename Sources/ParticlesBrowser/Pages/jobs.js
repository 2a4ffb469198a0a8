// Work of the program that takes a while: it tells how far it is, and can be cancelled.

import { order } from "./server.js";

/** A job with a name to pass to a route. */
export function makeJob(heard = () => {}) {
  const name = crypto.randomUUID();
  const listener = ({ detail }) => { if (detail.job === name) heard(detail.fraction); };
  document.addEventListener("browser-progress", listener);
  return {
    name,
    cancel() { order("cancel", { job: name }).catch(() => {}); },
    end() { document.removeEventListener("browser-progress", listener); },
  };
}

/** Whether an error is the end of a job that was cancelled. */
export const isCancelled = (error) => error?.code === "cancelled";
