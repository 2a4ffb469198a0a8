import { ParticlesError } from "./diagnostic.js";
import { ParticlesModule } from "./module.js";
import { EffectService } from "./service.js";

/** Milliseconds that effects take on the thread of the page before a frame goes on without further steps. */
const budgetOfPage = 8;
/** Milliseconds in which the script of a worker has to begin. */
const longestStart = 10_000;
/** Milliseconds after which an unanswered request is looked at. The second time, it fails. */
export const patience = { milliseconds: 4_000 };

/** Whether the time of a request counts for the rate of frames: the way to a moment takes long once, as do pictures. */
function isOfPlaying({ name, values }) { return name === "frame" && values?.moment === undefined; }

/** Answers requests on the thread of the page. */
class PageHost {
  static async start(source) { return new PageHost(await ParticlesModule.load(source)); }

  constructor(module) {
    this.service = new EffectService(module, budgetOfPage);
    this.isWorker = false;
    /** Milliseconds of work since they were last read. */
    this.worked = 0;
    /** Bytes of the module's memory. */
    this.memory = 0;
  }

  get isBroken() { return this.service.module.isBroken; }

  post(request, done) {
    const answer = this.service.answer(request);
    if (isOfPlaying(request)) this.worked += answer.took;
    this.memory = answer.memory;
    done(answer);
  }

  /** A host with the module in new memory. */
  async fresh() { return new PageHost(await this.service.module.fresh()); }

  close() {}
}

/** Answers requests in a worker, so that simulation does not block the page. */
class WorkerHost {
  /**
   * @param {object} source of the module, in a form that can be sent to a worker.
   * @param {URL | string | Blob | undefined} script of the worker, by default `worker.js` beside this file.
   */
  static async start(source, script) {
    const worker = makeWorker(script);
    const message = (name, most) => new Promise((resolve, reject) => {
      const timer = most && setTimeout(() => reject(new Error("no answer")), most);
      worker.onmessage = ({ data }) => {
        if (data[name] === undefined) return;
        clearTimeout(timer);
        resolve(data[name]);
      };
      worker.onerror = (event) => {
        event.preventDefault?.();
        clearTimeout(timer);
        reject(new Error(event.message ?? "the worker is not permitted"));
      };
    });
    try {
      await message("isStarted", longestStart);
      const opened = message("isOpen");
      worker.postMessage({ source });
      if (!(await opened)) throw new Error("the worker cannot load the module");
    } catch (error) {
      worker.terminate();
      throw error;
    }
    return new WorkerHost(worker, source, script);
  }

  constructor(worker, source, script) {
    Object.assign(this, { worker, source, script, isWorker: true, isBroken: false, worked: 0, memory: 0 });
    this.number = 0;
    this.pending = new Map();
    /** Memory of a picture that was drawn, which the worker uses again. */
    this.spare = undefined;
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.fail("the worker has failed");
    };
  }

  post(request, done) {
    if (this.isBroken) return;
    const id = ++this.number;
    this.pending.set(id, isOfPlaying(request) ? (answer) => { this.worked += answer.took; done(answer); } : done);
    const spare = this.spare;
    this.spare = undefined;
    this.worker.postMessage({ ...request, id, spare }, spare ? [spare] : []);
    this.watch();
  }

  receive({ id, answer }) {
    const done = this.pending.get(id);
    if (!done) return;
    this.pending.delete(id);
    this.memory = answer.memory;
    if (answer.error) answer.error = ParticlesError.from(answer.error);
    if (answer.value?.warnings) answer.value.warnings = answer.value.warnings.map((warning) => ParticlesError.from(warning));
    if (answer.isBroken) this.isBroken = true;
    done(answer);
  }

  /** Ends a worker that does not answer. A worker works at its oldest request. */
  watch(before) {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const [first] = this.pending.keys();
      if (first === undefined) return;
      if (first === before) this.fail("the simulation has not answered for seconds", "particles/hanging");
      else this.watch(first);
    }, patience.milliseconds);
  }

  /** @param {string} code of a fault in the module, or in an effect at which the module works for too long. */
  fail(message, code = "particles/module") {
    if (this.isBroken) return;
    this.isBroken = true;
    this.worker.terminate();
    const [first] = this.pending.values();
    this.pending.clear();
    if (first) first({ error: new ParticlesError(code, { message }), isBroken: true, took: 0 });
    else this.onbroken?.();
  }

  fresh() {
    this.close();
    return WorkerHost.start(this.source, this.script);
  }

  close() {
    this.isBroken = true;
    clearTimeout(this.timer);
    this.pending.clear();
    this.worker.terminate();
  }
}

function makeWorker(script) {
  if (script === undefined) return new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  if (!(script instanceof Blob)) return new Worker(script, { type: "module" });
  const address = URL.createObjectURL(script);
  try {
    // No module: browsers load none from a blob in a page that was opened from a file.
    return new Worker(address);
  } finally {
    // The address is needed until the script is loaded.
    setTimeout(() => URL.revokeObjectURL(address), longestStart);
  }
}

/**
 * Starts a worker with the module. Where that is not possible or permitted, the module is used on the thread of the page.
 * @param {import("./module.js").ModuleSource} source
 * @param {URL | string | Blob | false | undefined} script of the worker, or false for none.
 */
export async function startHost(source, script) {
  const isSendable = !(source instanceof ParticlesModule);
  if (script !== false && isSendable && typeof Worker === "function") {
    const isAddress = source instanceof URL || (typeof source === "string" && !source.startsWith("base64:"));
    try {
      return await WorkerHost.start(isAddress ? new URL(source, document.baseURI).href : source, script);
    } catch {
      // A policy without worker-src, or a browser that does not let a file have workers.
    }
  }
  return PageHost.start(source);
}

let lastKey = 0;

/** A running effect, wherever it is simulated: its state, and requests. */
export class RunningEffect {
  /**
   * Creates an effect.
   * @param {PageHost | WorkerHost} host
   * @param {object} values `text`, `options`, `file`, `images`, `changes`.
   * @throws {ParticlesError} if the document cannot be read.
   */
  static async create(host, values) {
    const effect = new RunningEffect(host);
    const { warnings } = await effect.request("create", values);
    effect.warnings = warnings;
    return effect;
  }

  constructor(host) {
    this.host = host;
    this.key = ++lastKey;
    this.isDestroyed = false;
    /** Whether a frame was asked for and is not there yet. */
    this.isWaiting = false;
    this.warnings = [];
    this.textures = [];
    /** What ends the promises of requests that are not answered. */
    this.open = new Set();
    Object.assign(this, { time: 0, count: 0, duration: 0, view: undefined, order: undefined });
  }

  /** Sends a request. `done` is called with its value when it is answered, at once on the thread of the page. */
  send(name, values, done, failed) {
    this.host.post({ name, key: this.key, values }, (answer) => {
      if (this.isDestroyed) {
        if (answer.isBroken) this.host.onbroken?.();
        return;
      }
      Object.assign(this, answer.state);
      if (!answer.error) return done(answer.value);
      answer.error.isOfModule = answer.isBroken;
      failed(answer.error);
    });
  }

  request(name, values) {
    return new Promise((resolve, reject) => {
      const end = () => reject(new ParticlesError("particles/failure", { message: "the effect was given back before the answer" }));
      const settled = (done) => (result) => {
        this.open.delete(end);
        done(result);
      };
      this.open.add(end);
      this.send(name, values, settled(resolve), settled(reject));
    });
  }

  /** Asks for a frame. */
  frame(values, done, failed) {
    this.isWaiting = true;
    this.send("frame", values, (value) => {
      this.isWaiting = false;
      this.receive(value.order);
      done(value);
    }, failed);
  }

  receive(order) {
    if (!order) return;
    if (order.quads) {
      order.textures ??= this.textures;
      this.textures = order.textures;
    }
    this.order = { ...order, time: this.time, alive: this.count };
  }

  /** Gives the memory of a picture back, once it is drawn. */
  drawn() {
    const bytes = this.order?.quads ?? this.order?.pixels;
    if (this.host.isWorker && bytes) this.host.spare = bytes.buffer;
    this.order = undefined;
  }

  /** Takes another document, and receives its picture if it is there at once. */
  async replace(values) {
    const value = await this.request("replace", values);
    this.receive(value.order);
    return value;
  }

  /** Changes a property. */
  async set(path, text, beyond) { return (await this.request("set", { path, text, beyond }))?.warnings ?? []; }

  /** A report: `statistics`, `document` or `diagnostics`. */
  report(kind) { return this.request("report", { kind }); }

  async setView(values) { this.view = await this.request("view", values); }

  destroy() {
    if (this.isDestroyed) return;
    this.isDestroyed = true;
    for (const end of this.open) end();
    if (!this.host.isBroken) this.host.post({ name: "destroy", key: this.key }, ({ isBroken }) => { if (isBroken) this.host.onbroken?.(); });
  }
}
