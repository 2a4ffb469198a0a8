// A page and the program that was started again, or another program that has its port meanwhile, in node: what each is sent, and who is believed.
//
//   node Tests/Browser/page-again.mjs

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Starts } from "./address.mjs";
import { done, pass, reset, until } from "./clock.mjs";

const pages = new URL("../../Sources/ParticlesBrowser/Pages/", import.meta.url);
const load = (name) => import(new URL(name, pages));
const { keep, recognize } = await load("again.js");
const { address, ask, findAgain, known, listen, order } = await load("server.js");

beforeEach(reset);

const nothing = new TypeError("nothing answers");
/** The answer of a program. A bare status is a refusal. */
const response = (value) => ({
  ok: typeof value === "object", status: typeof value === "object" ? 200 : value ?? 403,
  headers: new Headers(typeof value === "object" ? { "Content-Type": "application/json" } : {}), json: async () => value,
});

/** Puts something at the address of the page, and returns the requests that it receives. */
function put(answer) {
  const sent = [];
  globalThis.fetch = async (url, options = {}) => {
    sent.push({ path: new URL(url).pathname, query: new URL(url).search, ...options });
    const value = await answer(new URL(url), options.body && JSON.parse(options.body));
    if (value === nothing) throw nothing;
    return response(value);
  };
  return sent;
}

const prove = (starts) => (url, body) => (url.pathname === "/again" ? starts.answer(url.searchParams.get("nonce"), body) : url.pathname.startsWith(`/${starts.secret}/`) ? { said: url.pathname } : 403);

/** A page of a program that has started once. */
async function page() {
  const starts = new Starts();
  starts.start();
  await keep(starts.keys[0]);
  put(prove(starts));
  await done(findAgain());
  return starts;
}

test("after a start with another secret, a page goes on at the new address, over four starts", async () => {
  const starts = await page();
  for (let turn = 0; turn < 4; turn += 1) {
    const before = starts.secret;
    assert.equal(address("list").pathname, `/${before}/list`);
    starts.start();
    // The first request is refused, and says nothing to the user: it is made again by whoever made it.
    const sent = put(prove(starts));
    await assert.rejects(ask("list"), TypeError);
    await done(known());
    assert.deepEqual(await ask("list"), { said: `/${starts.secret}/list` });
    assert.equal(history.url.pathname, `/${starts.secret}/`);
    // The old secret was sent once, when it was no longer valid. No answer has sent the new secret.
    assert.equal(sent.filter(({ path }) => path.includes(before)).length, 1);
  }
});

test("another program at the address is sent numbers that nobody has seen before, and nothing else", async () => {
  const starts = await page();
  const secret = starts.secret;
  put(() => nothing);
  await assert.rejects(ask("list"), TypeError);
  const strangers = [
    () => 404, () => 200, () => ({}), () => ({ nonce: "x", proofs: [] }), () => ({ nonce: "0".repeat(64), proofs: ["0".repeat(64), ""] }), () => ({ nonce: "0".repeat(64) }),
    // It has seen the address, and takes that for the key.
    (url, body) => { const guess = new Starts(); [guess.secret, guess.keys] = [secret, [secret]]; return guess.answer(url.searchParams.get("nonce"), body); },
    // It tells what the page has said.
    (url) => ({ nonce: url.searchParams.get("nonce"), proofs: [url.searchParams.get("nonce")] }),
  ];
  const seen = new Set();
  for (const stranger of strangers) {
    const sent = put(stranger);
    await assert.rejects(order("edit", { typed: "text" }), TypeError);
    await pass(2500);
    assert.ok(sent.length >= 2);
    for (const { path, query, method, body } of sent) {
      assert.deepEqual([path, method, body], ["/again", undefined, undefined]);
      assert.match(query, /^\?nonce=[0-9a-f]{64}$/);
      assert.ok(!seen.has(query));
      seen.add(query);
    }
  }
  // The program comes back, and the page with it.
  starts.start();
  put(prove(starts));
  await done(known());
  assert.deepEqual(await order("edit", { typed: "text" }), { said: `/${starts.secret}/edit` });
});

test("what a program at another port has proved counts for nothing", async () => {
  const starts = await page();
  const ask = async (body, nonce) => starts.answer(nonce, body);
  assert.equal(await recognize(ask, "127.0.0.1:1"), starts.secret);
  assert.equal(await recognize(ask, "127.0.0.1:2"), undefined);
});

test("an answer that was recorded proves nothing to another question", async () => {
  const starts = await page();
  const kept = [];
  const record = async (body, nonce) => { const answer = starts.answer(nonce, body); kept.push(answer); return answer; };
  assert.equal(await recognize(record, "127.0.0.1:1"), starts.secret);
  let turn = 0;
  assert.equal(await recognize(async () => kept[turn++], "127.0.0.1:1"), undefined);
  assert.equal(turn, 1);
});

test("a page of a program that has forgotten it learns that it is to be opened again, and waits", async () => {
  await page();
  const told = [];
  globalThis.SharedWorker = class { port = { postMessage() {} }; };
  globalThis.addEventListener ??= () => {};
  listen((name) => told.push(name));
  const other = new Starts();
  other.start();
  const sent = put(prove(other));
  findAgain();
  await pass(2500);
  assert.deepEqual([...new Set(told)], ["lost", "stranger"]);
  assert.ok(sent.every(({ path, body }) => path === "/again" && !body));
});
