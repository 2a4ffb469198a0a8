// Runs generated effects in an engine, and writes what its particles did:
//   node record.mjs ENGINE MODULE OUT.json [COUNT]
// ENGINE is the name of a driver beside this file, MODULE the engine itself as a module of JavaScript.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { Chooser, mulberry32 } from './random.mjs';

const [engine, module, output, count = '40', first = '0'] = process.argv.slice(2);
const [frames, every, seeds, dt] = [300, 10, 16, 1 / 60];
const driver = await import(`./${engine}.mjs`);
const library = await import(pathToFileURL(resolve(module)).href);
const significant = (x) => (Number.isFinite(x) ? Number(x.toPrecision(5)) : null);

const average = (values) => values.reduce((sum, v) => sum + v, 0) / values.length;
const deviation = (values) => Math.sqrt(Math.max(0, average(values.map((v) => v * v)) - average(values) ** 2));

/** Sums over the particles of all runs, for each sampled frame. */
class Sums {
  constructor() { this.frames = Array.from({ length: frames / every }, () => ({ n: 0, counts: [], births: [], sum: {} })); }
  add(frame, particles, births) {
    const row = this.frames[frame / every - 1];
    row.counts.push(particles.length);
    row.births.push(births);
    for (const p of particles) {
      row.n++;
      const add = (name, value) => { row.sum[name] = (row.sum[name] ?? 0) + value; };
      for (const [name, value] of Object.entries(p)) add(name, value);
      for (const axis of 'xyz') if (axis in p) add(axis + axis, p[axis] * p[axis]);
      if ('rot' in p) { add('cos', Math.cos(p.rot / 180 * Math.PI)); add('sin', Math.sin(p.rot / 180 * Math.PI)); }
    }
  }
  columns() {
    const columns = {};
    this.frames.forEach((row, index) => {
      const set = (name, value) => { (columns[name] ??= Array(frames / every).fill(null))[index] = significant(value); };
      const mean = row.n / seeds;
      set('count', mean);
      set('countSd', deviation(row.counts));
      set('births', average(row.births));
      set('birthsSd', deviation(row.births));
      if (!row.n) return;
      for (const name of Object.keys(row.sum)) {
        if (['xx', 'yy', 'zz', 'cos', 'sin'].includes(name)) continue;
        set(name, row.sum[name] / row.n);
        if ('xyz'.includes(name)) {
          set(name + 'Sd', Math.sqrt(Math.max(0, row.sum[name + name] / row.n - (row.sum[name] / row.n) ** 2)));
        }
      }
      if ('cos' in row.sum) {
        const length = Math.min(1, Math.hypot(row.sum.cos, row.sum.sin) / row.n);
        set('rotCircSd', Math.sqrt(-2 * Math.log(length)) * 180 / Math.PI);
        // The mean direction: means of angles depend on whole turns, which cannot be seen.
        columns.rot[index] = significant(Math.atan2(row.sum.sin, row.sum.cos) * 180 / Math.PI);
      }
    });
    // A column with one value at all frames is written as one number.
    for (const [name, values] of Object.entries(columns)) {
      const present = new Set(values.filter((v) => v !== null));
      if (present.size === 1) columns[name] = [...present][0];
    }
    return columns;
  }
}

const recordings = [];
for (let index = Number(first); index < Number(first) + Number(count); index++) {
  const effect = driver.effect(new Chooser(index + 1), index);
  let emitters;
  for (let seed = 1; seed <= seeds; seed++) {
    Math.random = mulberry32(seed);
    const run = await driver.start(library, structuredClone(effect));
    for (let frame = 1; frame <= frames; frame++) {
      await run.step(dt);
      if (frame % every) continue;
      const states = run.emitters();
      emitters ??= states.map(() => new Sums());
      states.forEach((state, i) => emitters[i].add(frame, state.particles, state.births));
    }
  }
  recordings.push({ effect, emitters: emitters.map((sums) => sums.columns()) });
}
const header = { engine: driver.engine, version: driver.version, settings: driver.settings, dt, frames, every, seeds };
const lines = recordings.map((r) => JSON.stringify(r));
writeFileSync(output, `${JSON.stringify(header).slice(0, -1)},"effects":[\n${lines.join(',\n')}\n]}\n`);
