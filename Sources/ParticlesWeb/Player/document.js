import { ParticlesError, particlesError } from "./diagnostic.js";
import { decodeImage, softDot } from "./image.js";
import { fetchBytes } from "./module.js";
import { Package, isPackage, standardLimits } from "./package.js";

/**
 * An effect as it is in a file: the text of `document.json`, its title and its images.
 * @typedef {object} EffectDocument
 * @property {Uint8Array} text
 * @property {string} title
 * @property {Map<number, import("./image.js").Picture>} images by their index in `images`.
 * @property {ParticlesError[]} warnings
 * @property {boolean} isFramed whether its preview has a camera or a size.
 * @property {string} [file]
 */

const documentDecoder = new TextDecoder();

/**
 * Reads an effect.
 * @param {string | URL | Uint8Array | ArrayBuffer | {document: Uint8Array, read: (path: string) => any}} source the address of
 *   a `.particles` package or of a `document.json` beside its images, the bytes of either, or the bytes of a document,
 *   with a function that returns the bytes of an image, or a promise.
 * @param {object} [options] `limits`, as in Spec/container.md#limits, `base`, the address that images of a
 *   `document.json` are relative to, and `file`, a name for messages.
 * @returns {Promise<EffectDocument>}
 * @throws {ParticlesError} with code and place.
 */
export async function readEffect(source, options = {}) {
  const limits = { ...standardLimits, ...options.limits };
  const isAddress = typeof source === "string" || source instanceof URL;
  const place = isAddress ? new URL(source, options.base ?? globalThis.document?.baseURI) : undefined;
  const file = options.file ?? (place ? place.pathname.split("/").pop() || String(place) : undefined);
  try {
    if (source?.document instanceof Uint8Array) {
      checkText(source.document.length, limits);
      const read = async (path) => {
        const bytes = await source.read?.(path);
        if (!bytes) throw new ParticlesError("image/missing", { entry: path });
        return bytes;
      };
      return await complete(source.document, read, limits, [], file);
    }
    const bytes = isAddress ? await fetchBytes(place) : new Uint8Array(source.buffer ?? source, source.byteOffset ?? 0, source.byteLength);
    if (isPackage(bytes) || !isText(bytes)) {
      const box = await Package.open(bytes, { limits });
      if (!box.has("document.json")) throw new ParticlesError("document/missing");
      const size = box.entries.get("document.json").size;
      checkText(size, limits);
      const text = await box.read("document.json");
      const read = async (path) => {
        if (!box.has(path)) throw new ParticlesError("image/missing", { entry: path });
        return box.read(path);
      };
      return await complete(text, read, limits, [...box.warnings], file);
    }
    checkText(bytes.length, limits);
    const base = place ?? options.base;
    const read = async (path) => {
      if (!base) throw new ParticlesError("image/missing", { entry: path });
      try {
        return await fetchBytes(new URL(path.split("/").map(encodeURIComponent).join("/"), base));
      } catch {
        throw new ParticlesError("image/missing", { entry: path });
      }
    };
    return await complete(bytes, read, limits, [], file);
  } catch (error) {
    const fault = particlesError(error).inFile(file);
    if (fault.code === "container/signature") fault.hint ??= advice(file);
    throw fault;
  }
}

/** What to do with a file of another engine: the player reads packages and documents only. */
function advice(file = "FILE") {
  const name = file.replace(/\.[^.]*$/, "");
  return `if it is an effect of an engine, convert it: particles convert ${file} -o ${file === `${name}.particles` ? "converted" : name}.particles`;
}

/** Whether bytes can be a text of JSON: other files begin otherwise. */
const isText = (bytes) => [0x7b, 0x20, 0x0a, 0x0d, 0x09, 0xef, 0x5b].includes(bytes[0]);

function checkText(size, limits) {
  if (size <= limits.textBytes) return;
  throw new ParticlesError("limit/exceeded", {
    entry: "document.json", detail: "bytes of a text", expected: `at most ${limits.textBytes}`, found: size,
  });
}

async function complete(text, read, limits, warnings, file) {
  let json;
  try {
    json = JSON.parse(documentDecoder.decode(text));
  } catch {
    // The module reports the error, with the line.
    json = undefined;
  }
  if (json === undefined ? documentDecoder.decode(text).trimStart()[0] !== "{" : !json?.asset) {
    throw new ParticlesError("document/type", { message: "not a document of an effect: it has no 'asset'", key: "asset", hint: advice(file) });
  }
  const array = (value) => (Array.isArray(value) ? value : []);
  const sprites = array(json?.sprites);
  const used = new Set(sprites.map((sprite) => sprite?.image).filter(Number.isInteger));
  const images = new Map();
  const known = new Map();
  let rest = limits.imagePixels;
  for (const index of [...used].sort((a, b) => a - b)) {
    const uri = array(json?.images)[index]?.uri;
    if (typeof uri !== "string") continue;
    if (!known.has(uri)) {
      try {
        const image = await decodeImage(await read(uri), rest);
        rest -= image.width * image.height;
        known.set(uri, image);
      } catch (error) {
        const fault = particlesError(error, "image/undecodable");
        fault.entry ??= uri;
        fault.severity = "warning";
        fault.hint = "a soft dot is drawn instead";
        warnings.push(fault.inFile(file));
        known.set(uri, softDot(sprites.filter((sprite) => sprite?.image === index).map((sprite) => sprite.grid)));
      }
    }
    images.set(index, known.get(uri));
  }
  const name = json?.asset?.name;
  const title = typeof name === "string" && name.trim() ? name.trim() : file?.replace(/\.[^.]*$/, "") ?? "Particle effect";
  const isFramed = Boolean(json?.preview?.camera || json?.preview?.size);
  return { text, title, images, warnings, file, isFramed };
}
