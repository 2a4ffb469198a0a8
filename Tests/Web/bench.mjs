// node bench.mjs MODULE DOCUMENT FRAMES [FRAMES BEFORE THEM]
// Prints as JSON what an effect costs: nanoseconds for a step of a particle, creation, memory and sizes.
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { Effect, ParticlesModule } from "../../Sources/ParticlesWeb/Player/module.js";

const [modulePath, documentPath, frames, before] = process.argv.slice(2);
const bytes = readFileSync(modulePath);
const text = new Uint8Array(readFileSync(documentPath));
const limits = { particles: 1_000_000, particleSteps: 1e9 };

const clock = () => performance.now();
let start = clock();
const compiled = await WebAssembly.compile(bytes);
const compile = clock() - start;
const module = await ParticlesModule.load(compiled);
const times = [];
for (let turn = 0; turn < 20; turn++) {
  start = clock();
  const effect = new Effect(module, text, { limits });
  times.push(clock() - start);
  effect.destroy();
}

const result = { compile, first: times[0], later: times.slice(1).sort((a, b) => a - b)[9] };
if (Number(frames) > 0) {
  const effect = new Effect(module, text, { limits });
  const { buffer } = module.exports.memory;
  const empty = buffer.byteLength;
  for (let frame = 0; frame < Number(before); frame++) effect.advance(1 / 60);
  result.alive = effect.count;
  result.memory = (module.exports.memory.buffer.byteLength - empty) / effect.count;
  const steps = Math.max(1, Math.round(300_000 / effect.count));
  let best = Infinity;
  for (let done = 0; done < Number(frames); done += steps) {
    // The least disturbed of short runs.
    start = clock();
    for (let step = 0; step < steps; step++) effect.advance(1 / 60);
    best = Math.min(best, (clock() - start) / steps / effect.count);
  }
  result.nanoseconds = best * 1e6;
} else {
  result.bytes = bytes.length;
  result.gzip = gzipSync(bytes, { level: 9 }).length;
  result.brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
}
console.log(JSON.stringify(result));
