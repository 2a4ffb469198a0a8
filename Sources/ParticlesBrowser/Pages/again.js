// How this page and the program recognize each other after the program was started again. Another program may have its port meanwhile:
// each side sends a random number, and gets its digest by a key that is in no request and in no storage.

let key;

const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const digitsOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Takes the key of the program that this page belongs to: 64 hexadecimal digits. */
export async function keep(digits) {
  if (digits && globalThis.crypto?.subtle) key = await crypto.subtle.importKey("raw", bytesOf(digits), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/**
 * Asks who answers at an address.
 * @param {(body?: object, nonce?: string) => Promise<object | undefined>} ask - asks the route `again`, and returns undefined for a refusal
 * @param {string} host - with the port, so that a digest is of no use elsewhere
 * @returns {Promise<string | undefined>} the secret of the address of the pages, or undefined without a valid proof
 */
export async function recognize(ask, host) {
  if (!key) return undefined;
  const own = digitsOf(crypto.getRandomValues(new Uint8Array(32)));
  const question = await ask(undefined, own);
  if (!/^[0-9a-f]{64}$/.test(question?.nonce) || !Array.isArray(question.proofs)) return undefined;
  const digest = async (use) => new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode([use, host, own, question.nonce].join("\n"))));
  if (!question.proofs.includes(digitsOf(await digest("program")))) return undefined;
  const sealed = await ask({ nonce: question.nonce, proof: digitsOf(await digest("page")) });
  if (!sealed) return undefined;
  const opened = async (name) => {
    const pad = await digest(name);
    return digitsOf(bytesOf(sealed[name]).map((byte, index) => byte ^ pad[index]));
  };
  const [secret, next] = [await opened("secret"), await opened("key")];
  await keep(next);
  return secret;
}
