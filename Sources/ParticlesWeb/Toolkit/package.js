import { Handle, choice } from "./library.js";
import { constants } from "./layout.js";

const levels = ["standard", "fast", "best"];
const kinds = ["file", "directory", "link"];

/** A package: a tree of files, as a mapping of paths to bytes. Folders and links are in `entries()`. */
export class Package extends Handle {
  constructor(library, handle) { super(library, handle, "package_close"); }

  /** The bytes of a file. */
  read(path) {
    const { library } = this;
    return library.with((scope) => {
      const [out, count] = [scope.allocate(4), scope.allocate(4)];
      this.check("package_read", path, out, count);
      const address = library.read(out, "p");
      const bytes = library.bytes(address, library.read(count, "n")).slice();
      library.exports.particles_free(address);
      return bytes;
    });
  }

  /** Sets the bytes of a file, and makes missing folders. */
  put(path, bytes, { executable = false } = {}) {
    this.check("package_put", path, bytes, bytes.byteLength, executable ? constants.EXECUTABLE : 0);
  }

  /** Adds a file under a free name, and returns its path. */
  add(bytes, name, folder = "") {
    return this.library.with((scope) => {
      const out = scope.allocate(4);
      this.check("package_add", folder, name, bytes, bytes.byteLength, out);
      return this.library.taken(out);
    });
  }

  #entry(struct, path = struct.get("path")) {
    return {
      path, kind: kinds[struct.get("kind")], size: struct.get("bytes"), executable: struct.get("executable") !== 0,
      target: struct.get("target"),
    };
  }

  /** Describes an entry. */
  stat(path) {
    return this.library.with((scope) => {
      const entry = scope.struct("entry");
      this.check("package_stat", path, entry.address);
      return this.#entry(entry, path);
    });
  }

  /** Whether there is a file at a path. */
  has(path) {
    try {
      return this.stat(path).kind === "file";
    } catch (error) {
      if (error.kind === "notfound") return false;
      throw error;
    }
  }

  /** Files, folders and links in canonical order. */
  entries(below = "", { recursive = true } = {}) {
    const { library } = this;
    const iterator = this.opened("iterator_close", "package_list", below, recursive ? 1 : 0);
    try {
      return library.with((scope) => {
        const found = [];
        const entry = scope.struct("entry");
        let status;
        while ((status = library.call("iterator_next", iterator, entry.address)) === constants.ROW) found.push(this.#entry(entry));
        if (status !== constants.DONE) throw library.fault(status, iterator);
        return found;
      });
    } finally {
      if (!library.broken) library.call("iterator_close", iterator);
    }
  }

  /** The paths of the files. */
  list() { return this.entries().filter(({ kind }) => kind === "file").map(({ path }) => path); }

  keys() { return this.list()[Symbol.iterator](); }

  /** The paths and the bytes of the files. */
  *[Symbol.iterator]() { for (const path of this.list()) yield [path, this.read(path)]; }

  makeDirectory(path) { this.check("package_make_directory", path); }

  link(path, target) { this.check("package_link", path, target); }

  rename(path, to) { this.check("package_rename", path, to); }

  remove(path) { this.check("package_remove", path); }

  setExecutable(path, value = true) { this.check("package_set_executable", path, value ? 1 : 0); }

  /** The bytes of the flat form. */
  encode(level = "standard") {
    return this.library.written(undefined, (places) =>
      this.check("package_encode", choice(levels, level, "level"), places.write, places.context));
  }

  /** The digest of the tree, independent of form and compression, in hexadecimal digits. */
  get digest() {
    return this.library.with((scope) => {
      const out = scope.allocate(32);
      this.check("package_digest", out);
      return [...this.library.bytes(out, 32)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    });
  }

  /** The flaws that were found when it was opened. */
  get warnings() { return this.findings("package_warnings"); }

  /** Checks every byte. */
  verify({ full = true } = {}) { return this.findings("package_verify", full ? 1 : 0); }

  copy() { return new Package(this.library, this.opened("package_close", "package_copy")); }
}
