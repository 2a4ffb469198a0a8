// A clock that the test moves: timers, `performance.now` and `Date.now`, from which pages take all time. It does not run by
// itself, so a test has one order of events on every machine and does not wait.
//
// The clock replaces the globals when this file is imported.

import assert from "node:assert/strict";

let now = 0;
let last = 0;
const timers = new Map();

const begin = (isRepeated) => (call, delay = 0, ...values) => {
  // Browsers cut off fractions.
  const pause = Math.max(1, Math.trunc(delay));
  timers.set(++last, { id: last, at: now + pause, every: isRepeated ? pause : undefined, call: () => call(...values) });
  return last;
};
const end = (id) => void timers.delete(id);

Object.assign(globalThis, { setTimeout: begin(false), setInterval: begin(true), clearTimeout: end, clearInterval: end });
performance.now = () => now;
Date.now = () => 1_700_000_000_000 + now;

/** Lets everything go on that waits for no time: no promise that can be resolved is left. */
export const settled = () => new Promise((resolve) => { setImmediate(resolve); });

/** The timer that ends first. If several end at once, the timer that was begun first. */
const first = () => [...timers.values()].reduce((found, each) => (found && found.at <= each.at ? found : each), undefined);

async function ring(timer) {
  now = Math.max(now, timer.at);
  if (timer.every) timer.at = now + timer.every;
  else timers.delete(timer.id);
  timer.call();
  await settled();
}

/** Moves the clock on, past all timers that end on the way. */
export async function pass(milliseconds) {
  const at = now + milliseconds;
  await settled();
  for (let timer = first(); timer && timer.at <= at; timer = first()) await ring(timer);
  now = at;
}

/** Moves the clock from timer to timer until a condition is met. It has to be within a minute of this clock. */
export async function until(condition) {
  const limit = now + 60_000;
  await settled();
  while (!condition()) {
    const timer = first();
    assert.ok(timer, `nothing happens any more, and this is not met: ${condition}`);
    assert.ok(timer.at <= limit, `this is not met after a minute: ${condition}`);
    await ring(timer);
  }
}

/** Moves the clock until a promise is settled, and returns its value. */
export async function done(promise) {
  let isSettled = false;
  const note = () => { isSettled = true; };
  promise.then(note, note);
  await until(() => isSettled);
  return promise;
}

/** Forgets the timers that earlier tests have left. */
export const reset = () => timers.clear();
