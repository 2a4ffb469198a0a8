import { Finding, ParticlesError, misuse } from "./errors.js";
import { Effect, Exported } from "./effect.js";
import { Library } from "./library.js";
import { Package } from "./package.js";
import { EditSession } from "./session.js";
import { Simulation, columnNames } from "./simulation.js";

export { EditSession, Effect, Exported, Finding, Package, ParticlesError, Simulation, columnNames };

/** Effects of all formats: what the module can do, once it is loaded. */
export class Toolkit {
  #library;
  #formats;

  constructor(library) {
    this.#library = library;
    library.nameFor = (format) => {
      const extension = this.formats().find(({ name }) => name === format)?.extensions[0];
      return extension ? `effect.${extension}` : "effect";
    };
  }

  /**
   * Opens the bytes of a file of any format. `name` is its name, which may decide the format. `find` returns the bytes of an image
   * that the file names, or undefined.
   */
  open(bytes, { name, format, engine, find, limits } = {}) {
    const library = this.#library;
    const data = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
    if (!ArrayBuffer.isView(data)) throw misuse("a file is bytes", "use an ArrayBuffer or a Uint8Array");
    return library.with((scope) => {
      const found = find && ((start, out) => {
        const image = find(library.text(start));
        if (!image) return;
        const view = image instanceof ArrayBuffer ? new Uint8Array(image) : image;
        const address = scope.copy(view);
        library.view.setUint32(out + 4, address, true);
        library.view.setUint32(out + 8, view.byteLength, true);
      });
      return library.calling({ find: found }, (places) => {
        const options = scope.struct("open_options", {
          format: scope.text(format), engine: scope.text(engine), find: places.find, context: places.context,
          limits: this.#limits(scope, limits),
        });
        const handle = library.opened(
          "effect_close", "effect_open_memory", data, data.byteLength, name ?? null, options.address);
        return new Effect(library, handle);
      });
    });
  }

  /** Limits by their names in particles.h, such as `file_bytes`, or `untrusted` for files of strangers. */
  #limits(scope, limits) {
    if (limits === undefined) return 0;
    const struct = scope.struct("limits");
    this.#library.check(0, "limits_init", struct.address, struct.get("size"), limits === "untrusted" ? 1 : 0);
    for (const [name, value] of Object.entries(limits === "untrusted" ? {} : limits)) struct.set(name, value);
    return struct.address;
  }

  /** A new effect from a template. */
  template(name) { return new Effect(this.#library, this.#library.opened("effect_close", "effect_template", name)); }

  /** A package: an empty one, or that of bytes. */
  package(bytes) {
    const library = this.#library;
    if (bytes === undefined) return new Package(library, library.opened("package_close", "package_new"));
    return new Package(library, library.opened("package_close", "package_open_memory", bytes, bytes.byteLength, 0));
  }

  /** An effect of a copy of a package. */
  effect(source) {
    return new Effect(this.#library, this.#library.opened("effect_close", "effect_from_package", source.handle, 0));
  }

  /** Begins to edit a copy of an effect, with undo. */
  edit(effect) {
    return new EditSession(this.#library, this.#library.opened("session_close", "session_new", effect.handle));
  }

  /** The formats: `name`, `title`, `extensions`, `canRead`, `canWrite`, `exact`, `approximated`. */
  formats() { return this.#formats ??= this.#library.json(0, "formats_json"); }

  /** The templates: `name` and `summary`. */
  templates() { return this.#library.json(0, "templates_json"); }

  /** The properties of effects: `key`, `type`, `unit`, `range`, `default`, `summary`. */
  properties(prefix = "") { return this.#library.json(0, "properties_json", prefix); }

  /** The type of bytes with a name: `identifier`, `description`, `extensions`, `mimeTypes`, `format`. */
  typeOf(bytes, name = "") { return this.#library.json(0, "type_of_bytes", bytes, bytes.byteLength, name); }

  get version() { return this.#library.text(this.#library.call("version")); }

  /** The number of open handles, to find handles that were not closed. */
  get openHandles() { return Number(this.#library.call("open_handles")); }

  /** Bytes of memory of the module. */
  get memory() { return this.#library.exports.memory.buffer.byteLength; }
}

let common;

/**
 * Loads the module. Without a source, the file beside this one, once for all callers.
 * @param {Response | Promise<Response> | BufferSource | WebAssembly.Module | URL | string} [source]
 * @returns {Promise<Toolkit>}
 */
export async function load(source) {
  if (source !== undefined) return new Toolkit(await Library.load(source));
  common ??= Library.load(new URL("particles-toolkit.wasm", import.meta.url)).then((library) => new Toolkit(library));
  try {
    return await common;
  } catch (error) {
    common = undefined;
    throw error;
  }
}

/** Opens the bytes of a file of any format with the common module. See `Toolkit.open`. */
export async function open(bytes, options) { return (await load()).open(bytes, options); }
