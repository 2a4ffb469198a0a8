// A module in JavaScript that has the interface of Spec/player.md and simulates next to nothing: for what the element
// does around a module, and for failures that the real one does not have.
import { ParticlesModule } from "../../Sources/ParticlesWeb/Player/module.js";

const kinds = ["failure", "diagnostics", "statistics", "document", "view"];

export function fakeModule() {
  const memory = new WebAssembly.Memory({ initial: 64 });
  const bytes = () => new Uint8Array(memory.buffer);
  const effects = new Map();
  let [free, next, text, failure] = [1024, 1, new Uint8Array(), undefined];
  const calls = { created: 0, destroyed: 0, images: 0, advanced: 0, allocated: 0, freed: 0 };
  const read = (address, count) => new TextDecoder().decode(bytes().slice(address, address + count));
  const fail = (code, key, message) => {
    failure = { code, key, message, severity: "error" };
    return -1;
  };
  const of = (effect) => effects.get(effect) ?? {};
  const state = Int32Array.of(1, 1, 1, 771, 1, 771, 0, 0);
  const base = 2 << 20;
  const exports = {
    memory,
    particles_module_version: () => 1,
    particles_allocate: (count) => {
      calls.allocated += 1;
      free = free > 1 << 20 ? 1024 : free;
      const address = (free + 15) & ~15;
      free = address + count;
      if (free > 2 << 20) return 0;
      return address;
    },
    particles_release: () => { calls.freed += 1; },
    particles_create: (address, count, optionAddress, optionCount) => {
      calls.created += 1;
      let document;
      try {
        document = JSON.parse(read(address, count));
      } catch {
        fail("document/json", undefined, "not valid JSON");
        return 0;
      }
      if (document.bad) {
        fail("document/range", "emitters[0].emission.rate", "a value is out of range");
        return 0;
      }
      const options = JSON.parse(read(optionAddress, optionCount) || "{}");
      effects.set(next, { document, options, time: 0, isStopped: false });
      return next++;
    },
    particles_destroy: (effect) => {
      calls.destroyed += 1;
      effects.delete(effect);
    },
    particles_image: () => { calls.images += 1; return 0; },
    particles_advance: (effect, seconds) => {
      calls.advanced += 1;
      if (of(effect).document.trap && of(effect).time > 0.05) throw new WebAssembly.RuntimeError("unreachable");
      if (of(effect).document.hangs && of(effect).time > 0.05) for (;;);
      if (of(effect).document.grows) memory.grow(16);
      const wait = of(effect).document.slow;
      if (wait) for (const end = performance.now() + wait; performance.now() < end;);
      of(effect).time += seconds;
      return 0;
    },
    particles_restart: (effect) => { Object.assign(of(effect), { time: 0, isStopped: false }); return 0; },
    particles_seek: (effect, seconds, most) => {
      const fake = of(effect);
      for (const end = performance.now() + (fake.document.seekTakes ?? 0); performance.now() < end;);
      fake.time = Math.min(seconds, fake.time + most / 60);
      return fake.time < seconds ? 1 : 0;
    },
    particles_set: (effect, address, count, valueAddress, valueCount, beyond) => {
      const [path, value] = [read(address, count), JSON.parse(read(valueAddress, valueCount))];
      if (path !== "rate" || typeof value !== "number") return fail("document/type", path, "a value has the wrong type");
      if (value < 0 && !beyond) return fail("document/range", path, "a value is out of range");
      of(effect).document.rate = value;
      return 0;
    },
    particles_replace: (effect, address, count) => {
      let document;
      try {
        document = JSON.parse(read(address, count));
      } catch {
        return fail("document/json", undefined, "not valid JSON");
      }
      if (document.bad) return fail("document/range", "emitters[0].emission.rate", "a value is out of range");
      Object.assign(of(effect), { document, time: 0, isStopped: false });
      return 0;
    },
    particles_stop: (effect) => { of(effect).isStopped = true; return 0; },
    particles_time: (effect) => of(effect).time,
    particles_duration: (effect) => of(effect).document.duration ?? 2,
    particles_over: (effect) => (exports.particles_count(effect) === 0 ? 1 : 0),
    particles_count: (effect) => (of(effect).isStopped || (of(effect).document.ends && of(effect).time > 0.3) ? 0 : of(effect).document.rate ?? 1),
    particles_emitters: () => 1,
    particles_population: () => 1,
    particles_column: () => 0,
    particles_view: (effect, width, height, address, count) => {
      of(effect).view = { width, height, linear: false, background: null, ...JSON.parse(read(address, count) || "{}"), camera: null };
      return 0;
    },
    particles_compose: (effect) => {
      const { width, height, background } = of(effect).view;
      void background;
      const floats = new Float32Array(memory.buffer, base, 24);
      floats.set([width / 4, height / 4, width * 0.75, height / 4, width * 0.75, height * 0.75, width / 4, height * 0.75, 1, 1, 1, 0, 0, 1, 1, 1, 0.5, 0, 1]);
      new Int32Array(memory.buffer, base + 76, 5).set([0, -1, 0, 0, 0]);
      new Int32Array(memory.buffer, base + 128, 8).set(state);
      new Int32Array(memory.buffer, base + 192, 8).set([-1, 0, 0, 1, 1, 0, 0, 0]);
      return 1;
    },
    particles_quads: () => base,
    particles_states: () => 1,
    particles_state: () => base + 128,
    particles_textures: () => 1,
    particles_texture: () => base + 192,
    particles_paint: (effect) => {
      const { width, height } = of(effect).view;
      const missing = base + 4096 + width * height * 4 - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / 65536));
      new Uint8Array(memory.buffer, base + 4096, width * height * 4).fill(128);
      return base + 4096;
    },
    particles_report: (effect, kind) => {
      const fake = of(effect);
      const reports = {
        failure, diagnostics: fake.document?.rate < 0 ? [{ code: "document/range", key: "rate", message: "a value is out of range", severity: "warning" }] : [], statistics: { time: fake.time, alive: 1 },
        document: fake.document, view: fake.view,
      };
      text = new TextEncoder().encode(JSON.stringify(reports[kinds[kind]]));
      bytes().set(text, 1 << 20);
      return 0;
    },
    particles_text: () => 1 << 20,
    particles_text_bytes: () => text.length,
  };
  const module = new ParticlesModule(undefined, { exports });
  return { module, calls, effects };
}
