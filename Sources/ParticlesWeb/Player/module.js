import { inflate } from "./bytes.js";
import { ParticlesError } from "./diagnostic.js";

/** The version of the interface that this file follows (Spec/player.md). */
const version = 1;
const reports = { failure: 0, diagnostics: 1, statistics: 2, document: 3, view: 4 };
const mostModuleBytes = 16 << 20;
/** The bytes that the memory of the module may have, unless the limits of an effect state others. */
const mostMemory = 256 << 20;

/** Numbers of columns (Spec/player.md#columns). */
export const columns = Object.freeze({
  x: 0, y: 1, z: 2, velocityX: 3, velocityY: 4, velocityZ: 5, width: 6, height: 7, angle: 8, red: 9, green: 10, blue: 11,
  alpha: 12, intensity: 13, mix: 14, order: 15, age: 16, life: 17,
});

const reportDecoder = new TextDecoder();
const textEncoder = new TextEncoder();

/** The bytes of a text in base64. */
export function bytesOfBase64(text) {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** The bytes of a text in base 85: four bytes for five letters, and one letter more than bytes for the last ones. */
export function bytesOfBase85(text) {
  const letters = new Uint8Array(127);
  let digit = 0;
  for (let code = 33; code < 127; code++) if (!"\"&'<>\\`{}".includes(String.fromCharCode(code))) letters[code] = digit++;
  const rest = text.length % 5;
  const bytes = new Uint8Array(((text.length - rest) / 5) * 4 + Math.max(0, rest - 1));
  for (let from = 0, to = 0; from < text.length; from += 5) {
    let value = 0;
    for (let place = from; place < from + 5; place++) value = value * 85 + (place < text.length ? letters[text.charCodeAt(place)] : 84);
    for (let shift = 24; shift >= 0 && to < bytes.length; shift -= 8) bytes[to++] = value / 2 ** shift;
  }
  return bytes;
}

/** The bytes of a module, unpacked if it is a zlib or gzip stream. */
async function unpackedModule(bytes) {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return inflate(bytes, mostModuleBytes, "gzip");
  if ((bytes[0] & 15) === 8) return inflate(bytes, mostModuleBytes);
  return bytes;
}

/** The compiled simulation and rasteriser, which all effects of a page share. */
export class ParticlesModule {
  /**
   * Loads the module.
   * @param {Uint8Array | ArrayBuffer | WebAssembly.Module | ParticlesModule | string | URL} source its bytes, also as a zlib or gzip
   *   stream, a compiled module, or its address. A text that begins with `base64:` is its bytes in base64.
   * @throws {ParticlesError} if it cannot be loaded, or has another interface.
   */
  static async load(source) {
    if (source instanceof ParticlesModule) return source;
    let compiled = source;
    if (!(source instanceof WebAssembly.Module)) {
      let bytes = source;
      if (typeof source === "string" && source.startsWith("base64:")) bytes = bytesOfBase64(source.slice(7));
      else if (typeof source === "string" || source instanceof URL) bytes = await bytesAt(source);
      if (bytes instanceof ArrayBuffer) bytes = new Uint8Array(bytes);
      try {
        compiled = await WebAssembly.compile(await unpackedModule(bytes));
      } catch (error) {
        throw new ParticlesError("particles/module", { message: `the WebAssembly module cannot be loaded: ${error.message}` });
      }
    }
    return ParticlesModule.instantiate(compiled);
  }

  static async instantiate(compiled) {
    let instance;
    try {
      instance = await WebAssembly.instantiate(compiled, {});
    } catch (error) {
      throw new ParticlesError("particles/module", { message: `the WebAssembly module cannot be started: ${error.message}` });
    }
    const module = new ParticlesModule(compiled, instance);
    const found = module.exports.particles_module_version?.();
    if (found !== version) {
      throw new ParticlesError("particles/module", { message: "the WebAssembly module has another interface", expected: version, found });
    }
    return module;
  }

  constructor(compiled, instance) {
    this.compiled = compiled;
    this.exports = instance.exports;
    /** Whether it has failed in a way that leaves its memory undefined. */
    this.isBroken = false;
    // Reactors have to be started once.
    this.exports._initialize?.();
  }

  /** A new instance with new memory, after this one has failed. */
  fresh() { return ParticlesModule.instantiate(this.compiled); }

  /** The memory of the module as bytes, valid until the next call. */
  get bytes() { return new Uint8Array(this.exports.memory.buffer); }

  /** Calls a function of the module. A trap becomes an error, after which the module is of no use. */
  call(name, ...values) {
    if (this.isBroken) throw new ParticlesError("particles/module", { message: "the WebAssembly module has failed before; load it again" });
    try {
      return this.exports[`particles_${name}`](...values);
    } catch (error) {
      this.isBroken = true;
      throw new ParticlesError("particles/module", { message: `the WebAssembly module has failed in ${name}: ${error.message}` });
    }
  }

  /**
   * Calls `body` with the address and length of bytes in the memory of the module.
   * @param {...(Uint8Array | string)} all
   */
  withBytes(all, body) {
    const places = [];
    try {
      for (const item of all) {
        const bytes = typeof item === "string" ? textEncoder.encode(item) : item;
        const address = bytes.length > 0 ? this.call("allocate", bytes.length) : 0;
        if (bytes.length > 0 && address === 0) {
          throw new ParticlesError("limit/exceeded", { detail: "memory of the module", found: `${bytes.length} more bytes` });
        }
        places.push([address >>> 0, bytes.length]);
        if (bytes.length > 0) this.bytes.set(bytes, address >>> 0);
      }
      return body(...places.flat());
    } finally {
      if (!this.isBroken) for (const [address] of places) if (address !== 0) this.call("release", address);
    }
  }

  /** A report as JSON, or undefined. */
  report(effect, kind) {
    if (this.call("report", effect, reports[kind]) < 0) return undefined;
    const [address, count] = [this.call("text") >>> 0, this.call("text_bytes")];
    const text = reportDecoder.decode(this.bytes.subarray(address, address + count));
    return text ? JSON.parse(text) : undefined;
  }

  /** The diagnostic of the last failure. */
  failure(effect, file) {
    const report = this.isBroken ? undefined : this.report(effect, "failure");
    return report
      ? ParticlesError.from(report, file) : new ParticlesError("particles/failure", { message: "the effect has failed", file });
  }
}

async function bytesAt(place) {
  let response;
  try {
    response = await fetch(place);
  } catch (error) {
    throw new ParticlesError("file/unreadable", { file: String(place), detail: error.message });
  }
  if (!response.ok) throw new ParticlesError("file/not-found", { file: String(place), found: `status ${response.status}` });
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * Reads a file that is found by its address.
 * @param {string | URL} place
 * @param {number} limit the most bytes.
 */
export async function fetchBytes(place, limit = 256 << 20) {
  const bytes = await bytesAt(place);
  if (bytes.length > limit) {
    throw new ParticlesError("limit/exceeded", { file: String(place), detail: "bytes of a file", expected: `at most ${limit}`, found: bytes.length });
  }
  return bytes;
}

/** A running effect. Destroy it when it is no longer needed. */
export class Effect {
  /**
   * Creates an effect.
   * @param {ParticlesModule} module
   * @param {Uint8Array | string} document the text of `document.json`.
   * @param {object} [options] `seed`, `profile`, `rate`, `speed`, `place`, `limits`, as in Spec/player.md.
   * @param {string} [file] the name of the file, for messages.
   * @throws {ParticlesError} if the document cannot be read.
   */
  constructor(module, document, options = {}, file = undefined) {
    this.module = module;
    this.file = file;
    this.mostMemory = options.limits?.memory ?? mostMemory;
    const texts = [document, JSON.stringify(options, jsonNumber)];
    this.effect = this.withinMemory(() => module.withBytes(texts, (...places) => module.call("create", ...places)));
    if (this.effect === 0) throw module.failure(0, file);
    this.forgetTextures();
  }

  /** Gives everything back. The effect is of no use afterwards. */
  destroy() {
    if (this.effect !== 0 && !this.module.isBroken) this.module.call("destroy", this.effect);
    this.effect = 0;
  }

  /** Throws if a status is a failure. */
  status(value) {
    if (value < 0) throw this.module.failure(this.effect, this.file);
    return value;
  }

  call(name, ...values) { return this.module.call(name, this.effect, ...values); }

  /**
   * Does what may take memory.
   * @throws {ParticlesError} `limit/exceeded` if it took so much that the memory of the module is above the limit. The
   *   module has to be loaded again then: memory is never given back to the browser.
   */
  withinMemory(body) {
    const { memory } = this.module.exports;
    const before = memory.buffer.byteLength;
    const result = body();
    const found = memory.buffer.byteLength;
    if (found > before && found > this.mostMemory) {
      this.module.isBroken = true;
      throw new ParticlesError("limit/exceeded", {
        detail: "bytes of the module's memory (limit 'memory')", expected: `at most ${this.mostMemory}`, found, file: this.file,
      });
    }
    return result;
  }

  /** Calls a function that may take memory, and throws if its status is a failure. */
  work(name, ...values) { return this.status(this.withinMemory(() => this.call(name, ...values))); }

  /** Sets the pixels of an image of the document: RGBA, 4 bytes each. */
  setImage(index, { width, height, pixels }) {
    this.withinMemory(() => this.module.withBytes([pixels], (address) => this.status(this.call("image", index, width, height, address))));
  }

  /** Runs for some seconds, while the effect moves to a place. */
  advance(seconds, x = 0, y = 0, z = 0) { this.work("advance", seconds, x, y, z); }

  restart() { this.work("restart"); }

  /**
   * Begins again, and repeats a part without a seam: particles that live longer are shown under the next round.
   * @param {number} seconds of a round, or 0 for none.
   */
  loop(seconds) { this.work("loop", seconds); }

  /**
   * Goes to a time since the start.
   * @param {number} mostSteps of the simulation.
   * @returns {boolean} whether the time was reached. If not, call it again.
   */
  seek(seconds, mostSteps = 0x7fffffff) { return this.work("seek", seconds, mostSteps) === 0; }

  /**
   * Changes a property, such as `emitters[0].emission.rate`.
   * @param {{beyond?: boolean}} [options] `beyond`: whether a number may be out of the range of its property.
   * @returns {ParticlesError[]} warnings about numbers out of range that were let through.
   * @throws {ParticlesError} if there is no such property, or the value is not allowed: nothing has changed then.
   */
  set(path, value, { beyond = false } = {}) { return this.setText(path, jsonText(path, value), beyond); }

  /** Changes a property to a value that is a JSON text. */
  setText(path, text, beyond = false) {
    this.module.withBytes([path, text], (...places) => this.work("set", ...places, beyond ? 1 : 0));
    return beyond ? this.diagnostics.filter(({ code }) => code === "document/range") : [];
  }

  /**
   * Takes another document, and begins again with its present options. Images stay, by their indices, and so does the view.
   * @throws {ParticlesError} if the document cannot be read: the effect is as before then.
   */
  replace(document) { this.module.withBytes([document], (...places) => this.work("replace", ...places)); }

  /** Ends emission. Living particles stay until their end. */
  stop() { this.status(this.call("stop")); }

  get time() { return this.call("time"); }
  get duration() { return this.call("duration"); }
  /** Whether nothing lives, and nothing will be emitted. */
  get isOver() { return this.call("over") === 1; }
  get count() { return this.call("count"); }
  get emitterCount() { return this.call("emitters"); }

  population(emitter) { return this.call("population", emitter); }

  /** A column of an emitter: a view into the memory of the module, valid until the next call. */
  column(emitter, column) {
    const address = this.call("column", emitter, column) >>> 0;
    if (address === 0) return new Float32Array(0);
    return new Float32Array(this.module.exports.memory.buffer, address, this.population(emitter));
  }

  /**
   * Sets the view.
   * @param {number} width in pixels.
   * @param {object} [options] `view`, `camera`, `scale`, `background`, `samples`, as in Spec/player.md.
   */
  setView(width, height, options = {}) {
    this.module.withBytes([JSON.stringify(options)], (...place) => this.work("view", width, height, ...place));
    this.view = this.module.report(this.effect, "view");
  }

  /**
   * Composes the quads of this moment.
   * @returns {import("./drawer.js").Order} views into the memory of the module, valid until the next call.
   */
  compose() {
    const count = this.work("compose");
    const textures = this.textures();
    const states = this.call("states");
    const [quadAddress, stateAddress] = [this.call("quads") >>> 0, this.call("state") >>> 0];
    const { buffer } = this.module.exports.memory;
    return {
      quads: new Uint8Array(buffer, quadAddress, count * 96), count,
      states: new Int32Array(buffer, stateAddress, states * 8).slice(), textures, texturesVersion: this.texturesVersion,
      isLinear: this.view?.linear ?? false, background: this.view?.background ?? null,
    };
  }

  forgetTextures() {
    this.textureRecords = [];
    this.textureNumbers = new Int32Array(0);
    this.texturesVersion = (this.texturesVersion ?? 0) + 1;
  }

  /** The textures of all frames so far. The module numbers them anew after some calls, mostly in their old order. */
  textures() {
    const count = this.call("textures");
    const numbers = new Int32Array(this.module.exports.memory.buffer, this.call("texture") >>> 0, count * 8);
    const known = this.textureNumbers;
    const common = Math.min(known.length, numbers.length);
    for (let index = 0; index < common; index++) {
      if (known[index] !== numbers[index]) {
        this.forgetTextures();
        break;
      }
    }
    if (count <= this.textureRecords.length) return this.textureRecords;
    this.textureNumbers = numbers.slice();
    for (let index = this.textureRecords.length; index < count; index++) {
      const [image, left, top, width, height, isRotated, isStored, isLight] = numbers.subarray(index * 8, index * 8 + 8);
      this.textureRecords.push({
        image, left, top, width, height, isRotated: isRotated !== 0, isStoredPremultiplied: isStored !== 0, isLight: isLight !== 0,
      });
    }
    return this.textureRecords;
  }

  /**
   * Draws the picture of this moment with the rasteriser of the module.
   * @returns {Uint8ClampedArray} RGBA, straight. A view into the memory of the module, valid until the next call.
   */
  paint() {
    this.painted = this.withinMemory(() => this.call("paint")) >>> 0;
    if (this.painted === 0) throw this.module.failure(this.effect, this.file);
    return this.pixels;
  }

  /** The last painted picture, valid until the next one. The view is valid until the next call. */
  get pixels() { return new Uint8ClampedArray(this.module.exports.memory.buffer, this.painted, this.view.width * this.view.height * 4); }

  get statistics() { return this.module.report(this.effect, "statistics"); }
  get document() { return this.module.report(this.effect, "document"); }

  /** Diagnostics about the document, and of what limits left out. */
  get diagnostics() {
    return (this.module.report(this.effect, "diagnostics") ?? []).map((json) => ParticlesError.from(json, this.file));
  }
}

/**
 * A value for a property as JSON.
 * @throws {ParticlesError} `document/type` for what JSON has not, such as functions.
 */
export function jsonText(path, value) {
  const text = JSON.stringify(value, jsonNumber);
  if (text === undefined) throw new ParticlesError("document/type", { message: "a value that JSON has not", key: path });
  return text;
}

/** JSON has only finite numbers. In place of others, the module gets texts, which it refuses with the property. */
function jsonNumber(key, value) {
  if (typeof value === "bigint") return value.toString();
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
