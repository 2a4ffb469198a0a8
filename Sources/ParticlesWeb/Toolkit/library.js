import { Finding, ParticlesError, misuse } from "./errors.js";
import { callbacks, constants, functions, structs } from "./layout.js";

const { OK, CALLBACK, MISUSE } = constants;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Types of WebAssembly of the letters of a signature. */
const wasmTypes = { s: 0x7f, p: 0x7f, f: 0x7f, i: 0x7f, n: 0x7f, B: 0x7f, l: 0x7e, L: 0x7e, d: 0x7c };

/** A function of WebAssembly that calls a function of JavaScript: an import of a small module, exported again. */
function wasmFunction(signature, body) {
  const types = [...signature].map((letter) => wasmTypes[letter]);
  const [results, parameters] = [signature[0] === "v" ? [] : [types[0]], types.slice(1)];
  const section = (number, ...bytes) => [number, bytes.length, ...bytes];
  const module = new WebAssembly.Module(new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, 1, 0x60, parameters.length, ...parameters, results.length, ...results),
    ...section(2, 1, 1, 0x65, 1, 0x66, 0, 0),
    ...section(7, 1, 1, 0x66, 0, 0),
  ]));
  return new WebAssembly.Instance(module, { e: { f: body } }).exports.f;
}

/** Memory of the module for one call. */
class Scope {
  #blocks = [];

  constructor(library) { this.library = library; }

  /** The address of zeroed memory. */
  allocate(count) {
    const address = this.library.exports.malloc(Math.max(1, count)) >>> 0;
    if (!address) throw ParticlesError.of("limit/exceeded", `not enough memory for ${count} bytes`, constants.NOMEM);
    this.#blocks.push(address);
    this.library.bytes(address, count).fill(0);
    return address;
  }

  /** A copy of bytes. */
  copy(data) {
    const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const address = this.allocate(bytes.length);
    this.library.bytes(address, bytes.length).set(bytes);
    return address;
  }

  /** A copy of a text with a 0 behind it, or 0 for none. */
  text(value) {
    if (value === undefined || value === null) return 0;
    const bytes = encoder.encode(value);
    const address = this.allocate(bytes.length + 1);
    this.library.bytes(address, bytes.length).set(bytes);
    return address;
  }

  /** A struct with its size. */
  struct(name, values = {}) {
    const struct = new Struct(this.library, name, this.allocate(structs[name].size));
    struct.set("size", structs[name].size);
    for (const [field, value] of Object.entries(values)) {
      struct.set(field, typeof value === "string" ? this.text(value) : value);
    }
    return struct;
  }

  end() { for (const block of this.#blocks) this.library.exports.particles_free(block); }
}

/** A struct of particles.h in the memory of the module. */
class Struct {
  constructor(library, name, address) {
    [this.library, this.name, this.address] = [library, name, address];
  }

  get(field) {
    const [offset, type] = structs[this.name].fields[field];
    return this.library.read(this.address + offset, type);
  }

  set(field, value) {
    const [offset, type] = structs[this.name].fields[field];
    const [view, place] = [this.library.view, this.address + offset];
    if (type === "l" || type === "L") view.setBigInt64(place, BigInt.asIntN(64, BigInt(value)), true);
    else if (type === "d") view.setFloat64(place, value, true);
    else if (type === "B") this.library.bytes(place, value.length).set(value);
    else view.setInt32(place, value, true);
  }
}

/** The module, loaded: the functions of particles.h with texts and bytes of JavaScript. */
export class Library {
  #handlers = new Map();
  #nextHandler = 1;
  #places = {};
  #view;
  /** What a callback has thrown during the call. */
  #thrown;

  constructor(instance) {
    this.exports = instance.exports;
    /** The reason why no call is possible any more. */
    this.broken = undefined;
    if (this.exports.particles_api_version?.() !== 1) throw misuse("the module is of another version");
  }

  /** @param {Response | Promise<Response> | BufferSource | WebAssembly.Module | URL | string} source */
  static async load(source) {
    source = await source;
    if (typeof source === "string" || source instanceof URL) {
      const url = new URL(source, import.meta.url);
      if (url.protocol === "file:") {
        const { readFile } = await import("node:fs/promises");
        source = await readFile(url);
      } else {
        source = await fetch(url);
        if (!source.ok) throw ParticlesError.of("particles/module", `the module is not at ${url}: ${source.status}`);
      }
    }
    if (typeof Response !== "undefined" && source instanceof Response) source = await source.arrayBuffer();
    const found = await WebAssembly.instantiate(source, {});
    return new Library(found.instance ?? found);
  }

  get view() {
    if (this.#view?.buffer !== this.exports.memory.buffer) this.#view = new DataView(this.exports.memory.buffer);
    return this.#view;
  }

  /** A view of memory, valid until the next call. */
  bytes(address, count) { return new Uint8Array(this.exports.memory.buffer, address, count); }

  /** The text at an address, or undefined for 0. */
  text(address) {
    if (!address) return undefined;
    const all = new Uint8Array(this.exports.memory.buffer);
    return decoder.decode(all.subarray(address, all.indexOf(0, address)));
  }

  /** A value in memory by the letter of its type. */
  read(address, type) {
    switch (type) {
      case "s": return this.text(this.read(address, "p"));
      case "l": return Number(this.view.getBigInt64(address, true));
      case "L": return this.view.getBigUint64(address, true);
      case "d": return this.view.getFloat64(address, true);
      case "i": return this.view.getInt32(address, true);
      default: return this.view.getUint32(address, true);
    }
  }

  /** The text at an address that a call has set, which is freed. */
  taken(place) {
    const address = this.read(place, "p");
    const text = this.text(address);
    this.exports.particles_free(address);
    return text;
  }

  /** Runs `body` with memory that is freed after it. */
  with(body) {
    const scope = new Scope(this);
    try {
      return body(scope);
    } finally {
      if (!this.broken) scope.end();
    }
  }

  /** The index in the table of a callback of a kind, such as `write`, whose context says what it calls. */
  #place(kind) {
    return this.#places[kind] ??= (() => {
      const table = this.exports.__indirect_function_table;
      const place = table.grow(1);
      table.set(place, wasmFunction(callbacks[kind], (context, ...values) => {
        try {
          return this.#handlers.get(context)[kind](...values) === false ? 1 : 0;
        } catch (error) {
          this.#thrown = { error };
          return 1;
        }
      }));
      return place;
    })();
  }

  /**
   * Runs `body` with the places of callbacks, by their kinds, and their context. A callback stops the work by `false` or an error.
   */
  calling(handlers, body) {
    const context = this.#nextHandler++;
    this.#handlers.set(context, handlers);
    const places = { context };
    for (const kind of Object.keys(handlers)) places[kind] = handlers[kind] ? this.#place(kind) : 0;
    try {
      return body(places);
    } finally {
      this.#handlers.delete(context);
    }
  }

  /** Calls a function of particles.h. Texts and bytes are copied to the memory of the module. Returns its result. */
  call(name, ...values) {
    if (this.broken) throw ParticlesError.of("particles/module", `the module has failed before: ${this.broken}`, CALLBACK);
    const signature = functions[name];
    if (values.length !== signature.length - 1) throw misuse(`${name} has ${signature.length - 1} arguments`);
    return this.with((scope) => {
      const lowered = values.map((value, index) => {
        const type = signature[index + 1];
        if (type === "l" || type === "L") return BigInt.asIntN(64, BigInt(value));
        if (type === "s" && typeof value !== "number") return scope.text(value);
        if (type === "p" && (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)) return scope.copy(value);
        return value ?? 0;
      });
      this.#thrown = undefined;
      let result;
      try {
        result = this.exports[`particles_${name}`](...lowered);
      } catch (error) {
        if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
        this.broken = error.message;
        throw ParticlesError.of("particles/module", `the module has failed: ${error.message}`, CALLBACK);
      }
      const thrown = this.#thrown;
      this.#thrown = undefined;
      if (thrown) throw thrown.error;
      return result;
    });
  }

  /** Calls a function of particles.h, and throws its fault, as the handle describes it. */
  check(handle, name, ...values) {
    const status = this.call(name, ...values);
    if (status !== OK) throw this.fault(status, handle);
    return status;
  }

  /** The error of a status. */
  fault(status, handle) {
    return this.with((scope) => {
      const finding = scope.struct("finding");
      if (handle && this.call("error", handle, finding.address) === OK && finding.get("code") && finding.get("status") === status) {
        return new ParticlesError(Finding.read(finding), status);
      }
      const code = status === MISUSE ? "interface/misuse" : `interface/status-${status}`;
      return ParticlesError.of(code, this.text(this.call("status_text", status)), status);
    });
  }

  /** Makes a handle by a function whose last argument is the place of the handle. */
  opened(close, name, ...values) {
    return this.with((scope) => {
      const out = scope.allocate(4);
      let status;
      try {
        status = this.call(name, ...values, out);
      } catch (error) {
        if (!this.broken) this.call(close, this.read(out, "p"));
        throw error;
      }
      const handle = this.read(out, "p");
      if (status === OK) return handle;
      const error = this.fault(status, handle);
      this.call(close, handle);
      throw error;
    });
  }

  /** JSON that a function sets at the place of its last argument. */
  json(handle, name, ...values) {
    return this.with((scope) => {
      const out = scope.allocate(4);
      this.check(handle, name, ...values, out);
      return JSON.parse(this.taken(out));
    });
  }

  /** The findings that a function reports to a callback, its last argument but one. */
  findings(handle, name, ...values) {
    const found = [];
    const finding = (address) => { found.push(Finding.read(new Struct(this, "finding", address))); };
    this.calling({ finding }, (places) => this.check(handle, name, ...values, places.finding, places.context));
    return found;
  }

  /** The bytes that a function writes to a callback. `body` gets the places of the callbacks. */
  written(progress, body) {
    const pieces = [];
    const write = (address, count) => { pieces.push(this.bytes(address, count).slice()); };
    const handlers = { write, progress: progress && ((done, total) => progress(Number(done), Number(total))) };
    this.calling(handlers, body);
    const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let place = 0;
    for (const piece of pieces) {
      all.set(piece, place);
      place += piece.length;
    }
    return all;
  }
}

/** Handles that programs have forgotten are closed when their objects are collected. */
const forgotten = typeof FinalizationRegistry === "undefined" ? undefined
  : new FinalizationRegistry(({ library, close, handle }) => { if (!library.broken) library.call(close, handle); });

/** An object of the module. */
export class Handle {
  #handle;
  #close;

  constructor(library, handle, close) {
    this.library = library;
    this.#handle = handle;
    this.#close = close;
    if (close) forgotten?.register(this, { library, close, handle }, this);
  }

  /** The number of the handle, 0 after closing. */
  get handle() { return this.#handle; }

  check(name, ...values) { return this.library.check(this.#handle, name, this.#handle, ...values); }

  json(name, ...values) { return this.library.json(this.#handle, name, this.#handle, ...values); }

  findings(name, ...values) { return this.library.findings(this.#handle, name, this.#handle, ...values); }

  /** Makes another handle. */
  opened(close, name, ...values) { return this.library.opened(close, name, this.#handle, ...values); }

  /** Frees its memory. Further calls are faults. */
  close() {
    if (!this.#handle) return;
    forgotten?.unregister(this);
    const handle = this.#handle;
    this.#handle = 0;
    if (this.#close && !this.library.broken) this.library.call(this.#close, handle);
  }
}

if (Symbol.dispose) Handle.prototype[Symbol.dispose] = Handle.prototype.close;

/** The number of a choice. */
export function choice(names, value, argument) {
  const index = names.indexOf(value);
  if (index < 0) throw misuse(`'${argument}' is '${value}'`, `use one of ${names.join(", ")}`);
  return index;
}
