/** A diagnostic: what is wrong, where, and what to do. The members are those that the tool writes with `--json`. */
export class ParticlesError extends Error {
  constructor(code: string, details?: DiagnosticDetails);
  /** A code of Spec/rules.md, such as `container/checksum`; `particles/…` for what only a page has: `particles/module` and
   *  `particles/webgl` if what the browser provides fails, `particles/hanging` for an effect that takes too long. */
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly expected?: string | number;
  readonly found?: string | number;
  readonly hint?: string;
  readonly file?: string;
  /** A byte of the file. */
  readonly offset?: number;
  /** A file in the package. */
  readonly entry?: string;
  /** A property, such as `emitters[0].emission.rate`. */
  readonly key?: string;
  readonly line?: number;
  readonly column?: number;
  /** File, entry, property, line and byte in one text, empty if nothing is known. */
  readonly place: string;
}

export interface DiagnosticDetails {
  message?: string;
  detail?: string;
  expected?: string | number;
  found?: string | number;
  hint?: string;
  severity?: "error" | "warning" | "note";
  file?: string;
  offset?: number;
  entry?: string;
  key?: string;
  line?: number;
  column?: number;
}

/** Limits of a reader (Spec/container.md#limits). */
export interface ReadingLimits {
  /** Entries of a package, 100,000 by default. */
  entries: number;
  /** Components of a path, 64 by default. */
  depth: number;
  /** Bytes of the index, 64 MiB by default. */
  indexBytes: number;
  /** Bytes of an entry, 4 GiB by default. */
  entryBytes: number;
  /** Bytes of all entries, 64 GiB by default. */
  totalBytes: number;
  /** Unpacked bytes for each byte of input, 1,100 by default. */
  amplification: number;
  /** Bytes of a document, 16 MiB by default. */
  textBytes: number;
  /** Pixels of all images, 40 million by default. */
  imagePixels: number;
}

export const standardLimits: Readonly<ReadingLimits>;

export interface PackageEntry {
  readonly path: string;
  /** 0 directory, 1 file, 2 executable file, 3 symbolic link. */
  readonly kind: 0 | 1 | 2 | 3;
  /** Bytes of the contents. */
  readonly size: number;
  /** The target of a symbolic link. */
  readonly target?: string;
}

/** A flat `.particles` package in memory. */
export class Package {
  private constructor();
  /** Opens a package; throws a `ParticlesError` of the families `container`, `tree` and `limit`. */
  static open(bytes: Uint8Array, options?: { limits?: Partial<ReadingLimits>; everyFrame?: boolean }): Promise<Package>;
  readonly entries: ReadonlyMap<string, PackageEntry>;
  readonly generation: number;
  readonly warnings: readonly ParticlesError[];
  has(path: string): boolean;
  read(path: string): Promise<Uint8Array>;
  /** All entries with their contents, as `writePackage` takes them. */
  files(): AsyncGenerator<[string, WrittenEntry]>;
  /** The tree digest: 64 hexadecimal digits. */
  digest(): Promise<string>;
}

/** A file, an executable file, a symbolic link, or `null` for a directory. */
export type WrittenEntry = Uint8Array | { contents: Uint8Array; isExecutable?: boolean } | { target: string } | null;

/** Writes a flat package of one generation in canonical form: the same tree has the digest that every writer gives it. */
export function writePackage(
  files: Iterable<[string, WrittenEntry]> | AsyncIterable<[string, WrittenEntry]>,
): Promise<Uint8Array>;

/** Pixels are RGBA, straight, 8 bits each. */
export interface Picture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

export function decodeImage(bytes: Uint8Array, mostPixels?: number): Promise<Picture>;

export interface EffectDocument {
  /** `document.json` in UTF-8. */
  text: Uint8Array;
  title: string;
  /** By their index in `images`. */
  images: Map<number, Picture>;
  warnings: ParticlesError[];
  /** Whether the document states what is in view. */
  isFramed: boolean;
  file?: string;
}

/** An effect whose files are somewhere else than in a package. */
export interface EffectFiles {
  /** `document.json` in UTF-8. */
  document: Uint8Array;
  /** The bytes of an image by its `uri`, or a promise of them; nothing if there is none. */
  read?(path: string): Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

/** What an effect is read from: the address or the bytes of a `.particles` package or of a `document.json`, or its files. */
export type EffectSource = string | URL | Uint8Array | ArrayBuffer | EffectFiles;

/** Reads a `.particles` package or a `document.json` beside its images. */
export function readEffect(
  source: EffectSource,
  options?: { limits?: Partial<ReadingLimits>; base?: string | URL; file?: string },
): Promise<EffectDocument>;

/** Bytes of the module, also as a zlib or gzip stream or as `base64:…`; a compiled module, or its address. */
export type ModuleSource = Uint8Array | ArrayBuffer | WebAssembly.Module | string | URL | ParticlesModule;

/** The compiled simulation and rasteriser. */
export class ParticlesModule {
  private constructor();
  static load(source: ModuleSource): Promise<ParticlesModule>;
  /** Whether it has failed; load it again. */
  readonly isBroken: boolean;
}

export interface EffectOptions {
  /** A number or text of 64 bits. */
  seed?: number | bigint | string;
  /** The name of an engine, such as `starling`. */
  profile?: string;
  /** A factor of all emission, 1 by default. */
  rate?: number;
  /** A factor of time, 1 by default. */
  speed?: number;
  place?: [number, number, number];
  limits?: EffectLimits;
}

export interface EffectLimits {
  /** Living particles, 100,000 by default, 20,000 for elements without a worker. */
  particles?: number;
  /** Bytes of the memory of the module, 268435456 by default; an effect that makes it larger ends with `limit/exceeded`. */
  memory?: number;
  /** Work of a step, 20,000,000 by default, 1,000,000 for elements, 200,000 for those without a worker. */
  particleSteps?: number;
}

export type Color = [number, number, number] | [number, number, number, number];

export interface ViewOptions {
  /** `auto` by default. */
  view?: "auto" | "plane" | "space" | "pixels";
  /** A camera as in `preview.camera`, in place of `view`. */
  camera?: object;
  /** A factor of the size of everything, 1 by default. */
  scale?: number;
  /** Components in sRGB from 0 to 1; transparent by default. */
  background?: Color | null | "auto";
  /** Samples of a pixel in each direction, 1 to 4, 1 by default. */
  samples?: 1 | 2 | 3 | 4;
}

export interface View {
  readonly width: number;
  readonly height: number;
  readonly linear: boolean;
  readonly background: Color | null;
  readonly camera: object;
}

export interface Statistics {
  time: number;
  alive: number;
  emitted: number;
  /** Whether nothing lives, and nothing will be emitted. */
  over: boolean;
  quads: number;
  emitters: { name: string; alive: number; emitted: number }[];
}

export const columns: Readonly<Record<
  | "x" | "y" | "z" | "velocityX" | "velocityY" | "velocityZ" | "width" | "height" | "angle" | "red" | "green" | "blue"
  | "alpha" | "intensity" | "mix" | "order" | "age" | "life", number>>;

export interface SetOptions {
  /** Whether a number may be out of the range of its property; false by default. */
  beyond?: boolean;
}

/** A running effect without an element. Destroy it when it is no longer needed. */
export class Effect {
  constructor(module: ParticlesModule, document: Uint8Array | string, options?: EffectOptions, file?: string);
  destroy(): void;
  setImage(index: number, image: Picture): void;
  /** Runs for some seconds, while the effect moves to a place. */
  advance(seconds: number, x?: number, y?: number, z?: number): void;
  restart(): void;
  /** Begins again, and repeats so many seconds (0.1 to 600; 0 for none) without a seam. */
  loop(seconds: number): void;
  /** Returns whether the time was reached; otherwise, call it again. */
  seek(seconds: number, mostSteps?: number): boolean;
  /**
   * Returns the warnings about numbers out of range that `beyond` let through.
   * Throws a `ParticlesError` if there is no such property, or the value is not allowed.
   */
  set(path: string, value: unknown, options?: SetOptions): ParticlesError[];
  /** Takes another document, and begins again with the same options. Images and view stay. */
  replace(document: Uint8Array | string): void;
  stop(): void;
  readonly time: number;
  readonly duration: number;
  /** Whether nothing lives, and nothing will be emitted. */
  readonly isOver: boolean;
  /** Living particles. */
  readonly count: number;
  readonly emitterCount: number;
  population(emitter: number): number;
  /** A view into the memory of the module, valid until the next call. */
  column(emitter: number, column: number): Float32Array;
  readonly view?: View;
  setView(width: number, height: number, options?: ViewOptions): void;
  /** The quads of this moment, valid until the next call. */
  compose(): Order;
  /** The picture by the rasteriser: RGBA, straight; valid until the next call. */
  paint(): Uint8ClampedArray;
  readonly statistics: Statistics;
  readonly document: object;
  readonly diagnostics: ParticlesError[];
}

/** What the module ordered for a frame (Spec/player.md#records). */
export interface Order {
  quads: Uint8Array;
  count: number;
  states: Int32Array;
  textures: TextureRecord[];
  /** Another one where textures have other numbers than before. */
  texturesVersion?: number;
  isLinear: boolean;
  background: Color | null;
}

export interface TextureRecord {
  image: number;
  left: number;
  top: number;
  width: number;
  height: number;
  isRotated: boolean;
  isStoredPremultiplied: boolean;
  isLight: boolean;
}

/** What a context of WebGL keeps for an effect. */
export class Sheet {
  constructor(images: Map<number, Picture>);
  destroy(): void;
}

// Compilers before TypeScript 5 do not know canvases without an element.
type AnyCanvas = typeof globalThis extends { OffscreenCanvas: { prototype: infer Canvas } } ? HTMLCanvasElement | Canvas : HTMLCanvasElement;
type AnyContext2D = typeof globalThis extends { OffscreenCanvasRenderingContext2D: { prototype: infer Context } }
  ? CanvasRenderingContext2D | Context : CanvasRenderingContext2D;

/** Draws quads with WebGL 2, at the lower left corner of its canvas. */
export class Drawer {
  constructor(options?: {
    canvas?: AnyCanvas;
    precision?: "unorm16" | "half" | "bytes";
    powerPreference?: WebGLPowerPreference;
  });
  readonly canvas: AnyCanvas;
  readonly isLost: boolean;
  /** The greatest side of a picture in pixels. */
  readonly greatest: number;
  /** Called when the context was lost or restored. */
  onchange?: () => void;
  /** Returns whether it was drawn; not while the context is lost. */
  draw(order: Order, sheet: Sheet, size: { width: number; height: number; samples?: number }): boolean;
  copy(context: AnyContext2D, width: number, height: number): void;
  destroy(): void;
}

/** Draws by the rasteriser of the module. */
export function paintEffect(effect: Effect, context: CanvasRenderingContext2D): void;

/** The effect of an element, in a worker or not: what is known of it since the last frame. */
export interface RunningEffect {
  /** Seconds since the start. */
  readonly time: number;
  readonly duration: number;
  /** Living particles. */
  readonly count: number;
  readonly view: View | undefined;
}

export interface ParticlesEffectEventMap {
  /** The effect is loaded. */
  ready: CustomEvent<{ title: string; duration: number; warnings: ParticlesError[] }>;
  /** A frame was drawn; at every `interval`-th refresh of the screen; `omitted` of its `sprites` were left out. */
  frame: CustomEvent<{ time: number; alive: number; interval: number; sprites: number; omitted: number }>;
  /** The effect has ended, and does not loop. */
  end: CustomEvent<{ time: number }>;
  /** The effect cannot be loaded, or has failed. */
  error: CustomEvent<ParticlesError>;
  /** Frames take too long, and fewer are drawn, or no longer. */
  rate: CustomEvent<ParticlesError>;
  play: CustomEvent<{ time: number }>;
  pause: CustomEvent<{ time: number }>;
  /** A document of `replace` takes longer than 40 ms, or no longer. */
  busy: CustomEvent<{ isBusy: boolean }>;
}

/** `<particles-effect src="fire.particles" autoplay loop>` */
export class ParticlesEffectElement extends HTMLElement {
  /** Where the module is, for all elements; by default `particles.wasm` beside the script. */
  static set module(source: ModuleSource | Promise<ModuleSource>);
  /** The script of the worker that simulates all effects: the address of a module, or a script that is none; false for no worker; by default `worker.js` beside the script. */
  static set worker(script: string | URL | Blob | false | undefined);
  /** Milliseconds, 4000 by default, after which a worker that does not answer is looked at; it is ended the second time. */
  static set patience(milliseconds: number);
  /** Whether effects are simulated in a worker; nothing before the first one is ready. */
  static get usesWorker(): boolean | undefined;
  src: string;
  autoplay: boolean;
  /** Begins again after its end. Without it, emission ends after `duration`. */
  loop: boolean;
  seed: string | null;
  profile: string | null;
  /** A factor of time, 0 to 16, 1 by default. */
  speed: number;
  /** A colour of CSS, `transparent` (the default) or `auto`. */
  background: string | null;
  /** A camera as in `preview.camera`; replaces the attribute `view`. */
  camera: object | undefined;
  paused: boolean;
  /** Limits of the effect, and in `reading` of its file; set them before the effect is loaded. */
  limits: EffectLimits & { reading?: Partial<ReadingLimits> };
  /** Seconds since the start. */
  readonly currentTime: number;
  readonly duration: number;
  /** Warnings about the file and the document. */
  readonly warnings: readonly ParticlesError[] | undefined;
  /** The last error. */
  readonly error: ParticlesError | undefined;
  /** The running effect; nothing until the event `ready`. */
  readonly effect: RunningEffect | undefined;
  /** Numbers of particles; nothing without an effect. */
  statistics(): Promise<Statistics | undefined>;
  /** The document as it is now; nothing without an effect. */
  document(): Promise<object | undefined>;
  load(source?: EffectSource): Promise<boolean>;
  play(): void;
  pause(): void;
  /** Pauses, and advances; 1/60 s by default. */
  step(seconds?: number): Promise<boolean>;
  restart(): Promise<boolean>;
  /** Begins again, and repeats so many seconds (0.1 to 600; 0 for none) without a seam. Resolves to whether it was done. */
  repeatSeamlessly(seconds: number): Promise<boolean>;
  /** The seconds of the round that `repeatSeamlessly` makes of so many. */
  roundOf(seconds: number): number;
  /** A moment of the present loop at which the particles of all rounds are there, by the seconds since the beginning of a round. */
  completeMoment(seconds: number): number;
  seek(seconds: number): Promise<boolean>;
  /**
   * Changes a property, such as `emitters[0].emission.rate`; acts at the next frame. Resolved with the warnings about numbers out of range that `beyond` let through.
   * Rejected with a `ParticlesError` if there is no such property, or the value is not allowed.
   */
  set(path: string, value: unknown, options?: SetOptions): Promise<ParticlesError[]>;
  /**
   * Takes another document, and goes to a moment of it with the same random numbers, as if it had been loaded and played to there. Images stay, by their indices.
   * The old picture stays until the new one is there. Resolved with false if another text came meanwhile; rejected with a `ParticlesError` if it cannot be read.
   */
  replace(text: string | Uint8Array, options?: { moment?: number }): Promise<boolean>;
  /** The picture of this moment by the rasteriser of the module, in a view of its own; nothing without an effect. */
  picture(view: ViewOptions & { width: number; height: number }): Promise<{ width: number; height: number; pixels: Uint8ClampedArray } | undefined>;
  /** Numbers of particles, how often they cover the picture, and the milliseconds of a frame; nothing without an effect. */
  measure(): Promise<(Statistics & { overdraw?: number; milliseconds?: number }) | undefined>;
  /** Moves the effect, in its units. */
  moveTo(x: number, y: number, z?: number): void;
  /** Ends emission; living particles stay until their end. */
  stop(): Promise<boolean>;
  addEventListener<Name extends keyof ParticlesEffectEventMap>(
    type: Name, listener: (this: ParticlesEffectElement, event: ParticlesEffectEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** Defines the element, once; importing `element.js` does it under the name `particles-effect`. */
export function defineElement(name?: string): void;

/** The attributes of the element in JSX. Others, those of HTML, are not checked. */
export interface ParticlesEffectAttributes {
  src?: string;
  autoplay?: boolean | "";
  loop?: boolean | "";
  paused?: boolean | "";
  exact?: boolean | "";
  seed?: string | number;
  profile?: string;
  speed?: string | number;
  background?: string;
  view?: "auto" | "plane" | "space" | "pixels";
  [attribute: string]: unknown;
}

declare global {
  interface HTMLElementTagNameMap {
    "particles-effect": ParticlesEffectElement;
  }
  namespace JSX {
    interface IntrinsicElements {
      "particles-effect": ParticlesEffectAttributes;
    }
  }
}
