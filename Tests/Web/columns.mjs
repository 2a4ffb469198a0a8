// node columns.mjs MODULE FRAMES DOCUMENT…
// Prints for each document a sum of the bits of all columns of all particles in all frames, and how many particles there were.
import { readFileSync } from "node:fs";

const [modulePath, frames, ...documents] = process.argv.slice(2);
const { exports: particles } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(modulePath)), {});

function put(bytes) {
  const address = particles.particles_allocate(bytes.length);
  new Uint8Array(particles.memory.buffer, address, bytes.length).set(bytes);
  return address;
}

for (const path of documents) {
  const bytes = readFileSync(path);
  const address = put(bytes);
  const effect = particles.particles_create(address, bytes.length, 0, 0);
  particles.particles_release(address);
  if (effect === 0) {
    particles.particles_report(0, 0);
    const text = new Uint8Array(particles.memory.buffer, particles.particles_text(), particles.particles_text_bytes());
    console.log(`refused ${JSON.parse(new TextDecoder().decode(text)).code}`);
    continue;
  }
  let [sum, particleFrames] = [0x811c9dc5, 0];
  for (let frame = 0; frame < Number(frames); frame++) {
    particles.particles_advance(effect, 1 / 60, 0, 0, 0);
    for (let emitter = 0; emitter < particles.particles_emitters(effect); emitter++) {
      const count = particles.particles_population(effect, emitter);
      particleFrames += count;
      for (let column = 0; column < 18 && count > 0; column++) {
        const start = particles.particles_column(effect, emitter, column);
        for (const word of new Uint32Array(particles.memory.buffer, start, count)) sum = Math.imul(sum ^ word, 0x01000193);
      }
    }
  }
  particles.particles_destroy(effect);
  console.log(`${(sum >>> 0).toString(16)} ${particleFrames}`);
}
