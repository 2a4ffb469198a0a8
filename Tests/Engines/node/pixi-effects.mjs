// Effects of PixiJS, in the parts that both generations have.
/** An easing function as segments, continuous from 0 to 1. */
export function ease(c) {
  const count = c.pick([1, 1, 2, 3]);
  const ends = [0, ...Array.from({ length: count - 1 }, () => c.number(0, 1)), 1];
  return Array.from({ length: count }, (_, i) => ({ s: ends[i], cp: c.number(Math.min(ends[i], ends[i + 1]), Math.max(ends[i], ends[i + 1])), e: ends[i + 1] }));
}

/** A list over life in one of its forms. Neighbouring values differ. */
export function list(c, value, { ends = true, eased = 0.35, stepped = 0.15 } = {}) {
  const different = (other) => { let v = value(); while (v === other) v = value(); return v; };
  const start = value();
  if (ends && c.happens(0.4)) return { start, end: different(start) };
  const times = c.times(c.pick([2, 2, 3, 4, 5]));
  let last;
  const result = { list: times.map((time) => ({ time, value: (last = different(last)) })) };
  if (c.happens(eased)) result.ease = ease(c);
  if (c.happens(stepped)) result.isStepped = true;
  return result;
}

/** Properties that both generations write alike. */
export function common(c) {
  const kind = c.pick(['stream', 'stream', 'stream', 'waves', 'burst', 'rare']);
  const [min, max] = c.pair(0.2, c.pick([0.6, 1.5, 3]));
  const effect = { lifetime: { min, max }, pos: { x: c.pick([0, c.number(-100, 100)]), y: c.pick([0, c.number(-100, 100)]) } };
  effect.frequency = kind === 'rare' ? c.number(0.2, 1.2) : kind === 'stream' ? c.number(0.008, 0.1) : c.number(0.1, 0.9);
  effect.particlesPerWave = kind === 'waves' ? c.whole(2, 12) : kind === 'burst' ? c.whole(10, 40) : 1;
  effect.emitterLifetime = c.happens(0.35) ? c.number(0.2, 4) : c.pick([-1, -1, 0, null]);
  effect.maxParticles = c.pick([1000, 500, 20, c.whole(5, 60)]);
  if (c.happens(0.2)) effect.spawnChance = c.number(0.2, 1);
  if (c.happens(0.25)) effect.ease = ease(c);
  effect.addAtBack = c.happens(0.3);
  return effect;
}
