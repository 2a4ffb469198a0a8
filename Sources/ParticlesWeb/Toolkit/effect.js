import { misuse } from "./errors.js";
import { constants } from "./layout.js";
import { Handle, choice } from "./library.js";
import { Package } from "./package.js";
import { pixels, planned } from "./plan.js";
import { Simulation } from "./simulation.js";

const levels = ["info", "low", "medium", "high"];
const images = ["usual", "embedded", "beside"];

/** The files of a conversion and its losses. */
export class Exported {
  constructor(files, losses, difference, aspects) {
    /** The files: `name` and `bytes`, those with the effect first. */
    this.files = files;
    this.losses = losses;
    /** The measured difference, 0 to 1, or undefined if it was not measured. */
    this.difference = difference;
    /** The difference of each aspect. */
    this.aspects = aspects;
  }

  /** The level of the greatest loss: `info`, `low`, `medium` or `high`. */
  get worst() { return levels.findLast((level) => this.losses.some((loss) => loss.level === level)); }
}

/** An effect with its images. */
export class Effect extends Handle {
  /** Without `close`, the handle is that of a callback. */
  constructor(library, handle, close = "effect_close") { super(library, handle, close); }

  /** The name of the format that it was opened from, `particles` for a package. */
  get kind() {
    const kind = this.library.text(this.library.call("effect_kind", this.handle));
    if (kind === undefined) throw this.library.fault(constants.MISUSE, this.handle);
    return kind;
  }

  /** What opening has found. */
  get findings() { return super.findings("effect_findings"); }

  // Properties

  /** A property: its value, or its default. */
  get(key) { return this.json("effect_get", key); }

  /** Sets a property to a value of JSON, or removes it if that is undefined. With `beyond`, a number may be out of its range. */
  set(key, value, { beyond = false } = {}) {
    this.#allowing(beyond, () => this.check("effect_set", key, value === undefined ? null : JSON.stringify(value)));
  }

  /** Makes a change as `particles edit` writes it: `emitters[*].size.width*=1.2`. */
  apply(change, { beyond = false } = {}) { this.#allowing(beyond, () => this.check("effect_apply", change)); }

  #allowing(beyond, body) {
    if (!beyond) return body();
    this.check("effect_allow_out_of_range", 1);
    try {
      return body();
    } finally {
      if (!this.library.broken) this.check("effect_allow_out_of_range", 0);
    }
  }

  /** All properties with their values, type, unit, range and default. */
  properties(prefix = "") { return this.json("effect_properties_json", prefix); }

  /** The document. Setting it replaces all properties. */
  get document() { return JSON.parse(this.documentText); }

  set document(value) { this.documentText = JSON.stringify(value); }

  /** The document as it is stored. */
  get documentText() {
    return this.library.with((scope) => {
      const out = scope.allocate(4);
      this.check("effect_document", out, 0);
      return this.library.taken(out);
    });
  }

  set documentText(text) {
    const bytes = new TextEncoder().encode(text);
    this.library.with((scope) => this.check("effect_set_document", scope.copy(bytes), bytes.length));
  }

  /** Embeds an image, and returns its path in the package. `emitter` shows it. */
  embed(bytes, name, emitter) {
    return this.library.with((scope) => {
      const out = scope.allocate(4);
      this.check("effect_embed", bytes, bytes.byteLength, name, emitter === undefined ? null : String(emitter), out);
      return this.library.taken(out);
    });
  }

  // Checking and converting

  /** Checks document, images and files. */
  validate() { return super.findings("effect_validate"); }

  /** Makes the repairs that need no guess, in memory, and lists them. */
  repair() { return this.json("effect_repair"); }

  /**
   * Converts it to a format. `measure` is true, or `lines` to measure each loss, too. `images` are embedded or beside the file.
   */
  convert(format, { fileName, measure = false, images: placement = "usual" } = {}) {
    if (typeof format !== "string") throw misuse("a conversion needs the name of a format", "write() gives the opened file");
    return this.#export(format, fileName ?? this.library.nameFor(format), measure, placement);
  }

  /**
   * The file that it was opened from, with the edits in place: one line for each value in a text file. Its losses are those of the
   * edits. Images that the edits have added or replaced come after it.
   */
  write({ fileName, measure = false } = {}) { return this.#export(null, fileName ?? null, measure, "usual"); }

  #export(format, name, measure, placement) {
    const { library } = this;
    return library.with((scope) => {
      const options = scope.struct("export_options", {
        images: choice(images, placement, "images"), measure: measure === "lines" ? 2 : measure ? 1 : 0,
      });
      const handle = this.opened("export_close", "effect_export", format, name, options.address);
      try {
        return this.#exported(scope, handle);
      } finally {
        if (!library.broken) library.call("export_close", handle);
      }
    });
  }

  #exported(scope, handle) {
    const { library } = this;
    const losses = library.findings(handle, "export_losses", handle);
    const [name, bytes, count] = [scope.allocate(4), scope.allocate(4), scope.allocate(4)];
    const files = [];
    let status;
    while ((status = library.call("export_file", handle, files.length, name, bytes, count)) === constants.OK) {
      files.push({
        name: library.read(name, "s"), bytes: library.bytes(library.read(bytes, "p"), library.read(count, "n")).slice(),
      });
    }
    if (status !== constants.DONE) throw library.fault(status, handle);
    const [difference, json] = [scope.allocate(8), scope.allocate(4)];
    status = library.call("export_difference", handle, difference, json);
    if (status === constants.NOTFOUND) return new Exported(files, losses, undefined, {});
    if (status !== constants.OK) throw library.fault(status, handle);
    const { aspects = {} } = JSON.parse(library.taken(json));
    return new Exported(files, losses, library.read(difference, "d"), aspects);
  }

  /** Measures how different two effects are when they run: 0 is no difference, 1 has nothing in common. */
  differenceFrom(other) {
    return this.library.with((scope) => {
      const out = scope.allocate(8);
      this.check("effect_difference", other.handle, out, 0);
      return this.library.read(out, "d");
    });
  }

  // Pictures and motion

  /** A picture of `size` × `size` pixels: `width`, `height`, `data` in RGBA with straight alpha. */
  thumbnail(size = 256) {
    if (!(size >= 1 && size <= 1024)) throw misuse(`a thumbnail of ${size} pixels`, "use 1 to 1024");
    return pixels(this.library, size, size, (rgba, stride) => this.check("effect_thumbnail", size, rgba, stride));
  }

  /** Draws one picture, when most is visible unless the settings state a start. */
  draw(settings) {
    return this.library.with((scope) => {
      const plan = planned(this.library, scope, settings);
      return pixels(this.library, plan.width, plan.height, (rgba, stride) =>
        this.check("effect_draw", plan.address, rgba, stride));
    });
  }

  /** Calls `frame` with each picture of an animation, the seconds it is shown, its number and how many there are. */
  animate(frame, settings) {
    const { library } = this;
    library.with((scope) => {
      const { address, width, height } = planned(library, scope, settings);
      const show = (index, count, start, seconds) => frame(
        { width, height, data: new Uint8ClampedArray(library.bytes(start >>> 0, width * height * 4)) },
        seconds, Number(index), Number(count));
      library.calling({ frame: show }, (places) => this.check("effect_animate", address, places.frame, places.context));
    });
  }

  /** A picture or animation as the bytes of a file: `png`, `apng`, `gif`, `webp` or `html`. */
  render(format = "gif", { still = false, progress, ...settings } = {}) {
    const { library } = this;
    return library.with((scope) => {
      const plan = planned(library, scope, settings, still);
      return library.written(progress, (places) =>
        this.check("effect_render", plan.address, format, places.write, places.progress, places.context, 0));
    });
  }

  /** The running effect. */
  simulate({ seed, engine } = {}) {
    return this.library.with((scope) => {
      const number = seed === undefined ? 0 : scope.copy(new BigUint64Array([BigInt.asUintN(64, BigInt(seed))]));
      return new Simulation(this.library, this.opened("simulation_close", "simulation_new", number, engine ?? null));
    });
  }

  /** Runs the effect as `particles simulate` does. 0 is the default. */
  statistics({ frames = 0, seeds = 0, firstSeed = 1, engine } = {}) {
    return this.json("effect_statistics_json", frames, seeds, firstSeed, engine ?? null);
  }

  // Copies

  /** A copy as a package. */
  package() { return new Package(this.library, this.opened("package_close", "effect_package")); }

  copy() { return new Effect(this.library, this.opened("effect_close", "effect_copy")); }
}
