import { ParticlesModule } from "./module.js";
import { EffectService } from "./service.js";

/** Milliseconds that a worker takes for an effect before it answers: others wait meanwhile. */
const budget = 50;

/**
 * Answers the requests of a page in a worker. The first message has the source of the module. Each later one is a request
 * with a number, and the answer repeats the number.
 * @param {DedicatedWorkerGlobalScope} scope
 * @param {(source: any) => Promise<ParticlesModule>} load loads the module.
 */
export function serveInWorker(scope, load = ParticlesModule.load) {
  let service;
  /** Memory of pictures that were drawn. */
  let spare;
  scope.onmessage = async ({ data }) => {
    if (data.source !== undefined) {
      try {
        service = new EffectService(await load(data.source), budget);
        scope.postMessage({ isOpen: true });
      } catch (error) {
        scope.postMessage({ isOpen: false, message: String(error) });
      }
      return;
    }
    spare = data.spare ?? spare;
    const answer = service.answer(data);
    const transfer = [];
    const order = answer.value?.order;
    if (order) {
      // What the module has is overwritten by its next call.
      const name = order.quads ? "quads" : "pixels";
      const bytes = order[name];
      const isFitting = spare && spare.byteLength >= bytes.length && spare.byteLength <= 4 * bytes.length + 65536;
      const memory = isFitting ? spare : new ArrayBuffer(Math.ceil(bytes.length * 1.25));
      spare = undefined;
      const copy = new bytes.constructor(memory, 0, bytes.length);
      copy.set(bytes);
      order[name] = copy;
      transfer.push(memory);
      if (order.textures) withoutKnownTextures(service.effects.get(data.key), order);
    }
    // The pixels of a picture are a copy already.
    if (answer.value?.pixels) transfer.push(answer.value.pixels.buffer);
    if (answer.error) answer.error = answer.error.toJSON();
    if (answer.value?.warnings) answer.value.warnings = answer.value.warnings.map((warning) => warning.toJSON());
    scope.postMessage({ id: data.id, answer }, transfer);
  };
  scope.postMessage({ isStarted: true });
}

/** Leaves out the textures that the page has. */
function withoutKnownTextures(entry, order) {
  const [version, count] = [order.texturesVersion, order.textures.length];
  if (entry.sentVersion === version && entry.sentCount === count) order.textures = undefined;
  [entry.sentVersion, entry.sentCount] = [version, count];
}

if (typeof WorkerGlobalScope === "function" && globalThis instanceof WorkerGlobalScope) serveInWorker(globalThis);
