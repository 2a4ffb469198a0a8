/** A value of JSON. */
export type JSONValue = null | boolean | number | string | JSONValue[] | { [key: string]: JSONValue };

export type Bytes = Uint8Array | Uint8ClampedArray | DataView | ArrayBuffer;

export type Severity = "note" | "warning" | "error";

export type LossLevel = "info" | "low" | "medium" | "high";

/** What a conversion changes. */
export interface Loss {
  readonly level: LossLevel;
  readonly feature: string;
  readonly difference?: number;
  readonly [member: string]: unknown;
}

/** What a check, a conversion or an error has found. */
export class Finding {
  private constructor();
  /** The rule, such as `document/range`. */
  readonly code: string;
  readonly severity: Severity;
  /** The fault, on one line, without place. */
  readonly message: string;
  readonly file?: string;
  /** The path in the package. */
  readonly entry?: string;
  /** The property, such as `emitters[0].emission.rate`. */
  readonly key?: string;
  /** The byte in the file or entry. */
  readonly offset?: number;
  readonly line?: number;
  readonly column?: number;
  readonly expected?: string;
  readonly found?: string;
  /** The next step. */
  readonly hint?: string;
  /** Place, severity, message and code on one line. */
  readonly text: string;
  readonly loss?: Loss;
  /** The level of a loss. */
  readonly level?: LossLevel;
  /** The measured difference of a loss, 0 to 1. */
  readonly difference?: number;
  /** File, entry, and line, key or byte, as far as they are known. */
  readonly place: string;
}

/** The kinds of faults, as the statuses of particles.h. */
export type FaultKind =
  | "system" | "damaged" | "limit" | "changed" | "notfound" | "exists" | "name" | "cancelled" | "misuse" | "nomem" | "format"
  | "readonly" | "busy" | "value" | "callback" | "failure";

/** The fault of a call. */
export class ParticlesError extends Error {
  private constructor();
  readonly finding: Finding;
  /** A status of particles.h. */
  readonly status: number;
  readonly kind: FaultKind;
  readonly code: string;
  readonly severity: Severity;
  readonly expected?: string;
  readonly found?: string;
  readonly hint?: string;
  readonly file?: string;
  readonly entry?: string;
  readonly key?: string;
  readonly offset?: number;
  readonly line?: number;
  readonly column?: number;
  readonly place?: string;
}

/** Settings of pictures and animations. Times that are absent are chosen as `particles render` chooses them. */
export interface PlanSettings {
  width?: number;
  height?: number;
  start?: number | null;
  duration?: number | null;
  fps?: number;
  loop?: "automatic" | "forever" | "once" | "seamless";
  pause?: number | null;
  /** A colour is red, green, blue and alpha from 0 to 255. */
  background?: "automatic" | "transparent" | readonly number[];
  seed?: number | bigint | null;
  engine?: string;
  scale?: number;
  /** Samples of a pixel in each direction, 1 to 4. */
  samples?: number;
  /** A text of the option `--camera` of the tool. */
  camera?: string;
  /** A text of the option `--move` of the tool, or the lines of a file. */
  move?: string;
}

/** A picture: RGBA with straight alpha, the top row first. `new ImageData(data, width, height)` shows it. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** An object in the memory of the module, which `close` frees. */
declare abstract class Handle {
  /** Frees its memory. Further calls are faults. */
  close(): void;
  /** The number of the handle, 0 after closing. */
  readonly handle: number;
}

export interface Entry {
  readonly path: string;
  readonly kind: "file" | "directory" | "link";
  readonly size: number;
  readonly executable: boolean;
  readonly target?: string;
}

/** A package: a tree of files, as a mapping of paths to bytes. */
export class Package extends Handle implements Iterable<[string, Uint8Array]> {
  private constructor();
  /** The bytes of a file. */
  read(path: string): Uint8Array;
  /** Sets the bytes of a file, and makes missing folders. */
  put(path: string, bytes: Bytes, options?: { executable?: boolean }): void;
  /** Adds a file under a free name, and returns its path. */
  add(bytes: Bytes, name: string, folder?: string): string;
  stat(path: string): Entry;
  /** Whether there is a file at a path. */
  has(path: string): boolean;
  /** Files, folders and links in canonical order. */
  entries(below?: string, options?: { recursive?: boolean }): Entry[];
  /** The paths of the files. */
  list(): string[];
  keys(): Iterator<string>;
  [Symbol.iterator](): Iterator<[string, Uint8Array]>;
  makeDirectory(path: string): void;
  link(path: string, target: string): void;
  rename(path: string, to: string): void;
  remove(path: string): void;
  setExecutable(path: string, value?: boolean): void;
  /** The bytes of the flat form. */
  encode(level?: "standard" | "fast" | "best"): Uint8Array;
  /** The digest of the tree, in hexadecimal digits. */
  readonly digest: string;
  readonly warnings: Finding[];
  verify(options?: { full?: boolean }): Finding[];
  copy(): Package;
}

/** The files of a conversion and its losses. */
export class Exported {
  private constructor();
  /** The files, those with the effect first. */
  readonly files: { readonly name: string; readonly bytes: Uint8Array }[];
  readonly losses: Finding[];
  /** The measured difference, 0 to 1, or undefined if it was not measured. */
  readonly difference?: number;
  readonly aspects: Record<string, number>;
  /** The level of the greatest loss. */
  readonly worst?: LossLevel;
}

/** The numbers of particles. */
export interface Columns {
  readonly [name: string]: Float32Array | BigUint64Array;
  readonly ordinal: BigUint64Array;
}

export const columnNames: readonly string[];

/** A running effect. */
export class Simulation extends Handle {
  private constructor();
  readonly time: number;
  /** The number of emitters. */
  readonly emitters: number;
  /** The particles of an emitter, or of all. */
  count(emitter?: number): { alive: number; emitted: number };
  advance(seconds: number): void;
  stopEmitting(): void;
  /** Copies of the numbers of the particles of an emitter. */
  columns(emitter?: number): Columns;
  draw(settings?: PlanSettings): Picture;
}

export interface Property {
  readonly key: string;
  readonly type: string;
  readonly unit?: string;
  readonly range?: string;
  readonly default?: JSONValue;
  readonly summary: string;
}

export interface SetProperty extends Property {
  readonly value: JSONValue;
  readonly isSet: boolean;
}

export interface ConvertOptions {
  /** The name of the first file, without folders. */
  fileName?: string;
  /** Whether both effects run and are compared. `lines` compares each loss, too. */
  measure?: boolean | "lines";
  images?: "usual" | "embedded" | "beside";
}

/** An effect with its images. */
export class Effect extends Handle {
  private constructor();
  /** The name of the format that it was opened from, `particles` for a package. */
  readonly kind: string;
  /** What opening has found. */
  readonly findings: Finding[];
  get(key: string): JSONValue;
  /** Sets a property, or removes it if the value is undefined. With `beyond`, a number may be out of its range. */
  set(key: string, value: JSONValue | undefined, options?: { beyond?: boolean }): void;
  /** Makes a change as `particles edit` writes it. */
  apply(change: string, options?: { beyond?: boolean }): void;
  properties(prefix?: string): SetProperty[];
  document: { [key: string]: JSONValue };
  documentText: string;
  /** Embeds an image, and returns its path in the package. */
  embed(bytes: Bytes, name: string, emitter?: string | number): string;
  validate(): Finding[];
  /** Makes the repairs that need no guess, and lists them. */
  repair(): { code: string; action: string; entry?: string; key?: string }[];
  convert(format: string, options?: ConvertOptions): Exported;
  /**
   * The file that it was opened from, with the edits in place: one line for each value in a text file. Its losses are those of the
   * edits. Images that the edits have added or replaced come after it.
   */
  write(options?: { fileName?: string; measure?: boolean }): Exported;
  /** Measures how different two effects are when they run, 0 to 1. */
  differenceFrom(other: Effect): number;
  thumbnail(size?: number): Picture;
  draw(settings?: PlanSettings): Picture;
  /** Calls `frame` with each picture. `false` stops the animation. */
  animate(frame: (picture: Picture, seconds: number, index: number, count: number) => unknown, settings?: PlanSettings): void;
  /** A picture or animation as the bytes of a file. `progress` stops it by `false`. */
  render(
    format?: "png" | "apng" | "gif" | "webp" | "html",
    options?: PlanSettings & { still?: boolean; progress?: (done: number, total: number) => unknown },
  ): Uint8Array;
  simulate(options?: { seed?: number | bigint; engine?: string }): Simulation;
  statistics(options?: { frames?: number; seeds?: number; firstSeed?: number | bigint; engine?: string }): { [key: string]: JSONValue };
  /** A copy as a package. */
  package(): Package;
  copy(): Effect;
}

/** Edits of an effect in memory: undo, gestures, and changes by other programs. */
export class EditSession extends Handle {
  private constructor();
  /** The name of the next edit to undo. */
  readonly undoName?: string;
  /** The name of the next edit to redo. */
  readonly redoName?: string;
  /** A number that grows with each change of the contents. */
  readonly revision: number;
  /** Whether there are changes that are not stored. */
  readonly isChanged: boolean;
  /** Whether another program has stored a change that excludes ours. */
  readonly hasConflict: boolean;
  /** A copy of the contents. Its `write()` gives the file with the edits. */
  effect(): Effect;
  get(key: string): JSONValue;
  /**
   * Sets a property, or removes it if the value is undefined. All changes of one `gesture`, a number other than 0, are one edit,
   * until `endGesture`.
   */
  set(key: string, value: JSONValue | undefined, options?: { name?: string; gesture?: number }): void;
  /** Ends a gesture: its changes are one edit, or are taken back. */
  endGesture(gesture: number, options?: { cancel?: boolean }): void;
  /** Makes one edit of all that `body` does with an effect, which it must not keep. If it throws, nothing changes. */
  edit(name: string, body: (effect: Effect) => void): void;
  /** Undoes edits, 1 by default, and returns how many there were. */
  undo(count?: number): number;
  /** Redoes edits, 1 by default, and returns how many there were. */
  redo(count?: number): number;
  /** States that the contents are stored now. A fault during a conflict. */
  saved(): void;
  /** Merges an effect that another program has stored. `clashes` lists what both have changed. */
  merge(theirs: Effect): { readonly kind: "nothing" | "reloaded" | "merged" | "conflict"; readonly clashes: readonly string[] };
  /** Ends a conflict. `merged` takes ours wherever both have changed a part. Ends all gestures. Does nothing without a conflict. */
  resolve(side: "ours" | "theirs" | "merged"): void;
}

export interface OpenOptions {
  /** The name of the file, which may decide the format. */
  name?: string;
  format?: string;
  engine?: string;
  /** The bytes of an image that the file names, or undefined. */
  find?: (name: string) => Bytes | undefined;
  /** Limits by their names in particles.h, or `untrusted` for files of strangers. */
  limits?: "untrusted" | { readonly [name: string]: number };
}

export interface Format {
  readonly name: string;
  readonly title: string;
  readonly extensions: readonly string[];
  readonly canRead: boolean;
  readonly canWrite: boolean;
  readonly exact?: readonly string[];
  readonly approximated?: readonly string[];
}

export interface FileType {
  readonly identifier: string;
  readonly description?: string;
  readonly extensions: readonly string[];
  readonly mimeTypes: readonly string[];
  readonly format?: string;
  readonly candidates: readonly string[];
}

/** The module, loaded. */
export class Toolkit {
  private constructor();
  /** Opens the bytes of a file of any format. */
  open(bytes: Bytes, options?: OpenOptions): Effect;
  /** A new effect from a template. */
  template(name: string): Effect;
  /** A package: an empty one, or that of bytes. */
  package(bytes?: Bytes): Package;
  /** An effect of a copy of a package. */
  effect(source: Package): Effect;
  /** Begins to edit a copy of an effect, with undo. */
  edit(effect: Effect): EditSession;
  formats(): Format[];
  templates(): { readonly name: string; readonly summary: string }[];
  properties(prefix?: string): Property[];
  typeOf(bytes: Bytes, name?: string): FileType;
  readonly version: string;
  readonly openHandles: number;
  /** Bytes of memory of the module. */
  readonly memory: number;
}

export type ModuleSource = Response | Promise<Response> | ArrayBuffer | Uint8Array | WebAssembly.Module | URL | string;

/** Loads the module. Without a source, the file beside this one, once for all callers. */
export function load(source?: ModuleSource): Promise<Toolkit>;

/** Opens the bytes of a file of any format with the common module. */
export function open(bytes: Bytes, options?: OpenOptions): Promise<Effect>;
