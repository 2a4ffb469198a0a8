// tsParticles: effects, and their particles.
import { page } from './page.mjs';

export const engine = 'tsparticles';
export const version = '3.1.0';
const [width, height] = [1000, 600];
export const settings = { canvas: [width, height], place: 'from the centre of the canvas', axis: 'y down, angles clockwise', random: 'mulberry32', step: '`particles.update`, 1/60 s each, from the first' };

const canvas = page(width, height);

/** A number, or a range. */
const value = (c, low, high) => {
  const [min, max] = c.pair(low, high);
  return min === max ? min : { min, max };
};

/** A range that an animation goes through from one end. */
function animated(c, low, high, speeds) {
  const [min, max] = c.pair(low, high, 0);
  const animation = { enable: true, speed: c.number(...speeds), startValue: c.pick(['min', 'max']), sync: c.happens(0.8) };
  const isOnce = !animation.sync || c.happens(0.4);
  if (isOnce) animation.count = 1;
  if (animation.sync && c.happens(0.4)) animation.destroy = animation.startValue === 'min' ? 'max' : 'min';
  return { value: { min, max }, animation };
}

function looks(c) {
  const particles = {};
  if (c.happens(0.3)) particles.size = animated(c, 0.5, 12, [1, 20]);
  else particles.size = { value: value(c, 0.5, 12) };
  if (c.happens(0.45)) particles.opacity = animated(c, 0, 1, [0.3, 3]);
  else if (c.happens(0.7)) particles.opacity = { value: value(c, 0, 1) };
  const color = c.pick(['hex', 'list', 'rgb', 'hsl', 'random', 'none', 'list']);
  const rgb = () => ({ r: c.whole(0, 255), g: c.whole(0, 255), b: c.whole(0, 255) });
  if (color === 'hex') particles.color = { value: c.hex('#') };
  if (color === 'list') particles.color = { value: Array.from({ length: c.whole(2, 4) }, () => c.pick([c.hex('#'), rgb()])) };
  if (color === 'rgb') particles.color = { value: rgb() };
  if (color === 'hsl') particles.color = { value: { h: c.whole(0, 359), s: c.whole(0, 100), l: c.whole(0, 100) } };
  if (color === 'random') particles.color = { value: 'random' };
  if (c.happens(0.5)) {
    particles.rotate = { value: value(c, 0, 360), direction: c.pick(['clockwise', 'counter-clockwise', 'random']) };
    if (c.happens(0.7)) particles.rotate.animation = { enable: true, speed: c.number(0, 40), sync: c.happens(0.5) };
  }
  return particles;
}

function motion(c, speed, life) {
  const move = { enable: true, speed: value(c, ...speed), outModes: c.pick(['out', 'none', 'destroy', { default: 'none' }]) };
  const direction = c.pick(['none', 'name', 'angle']);
  if (direction === 'name') move.direction = c.pick(['top', 'top-right', 'right', 'bottom-right', 'bottom', 'bottom-left', 'left', 'top-left']);
  if (direction === 'angle') move.direction = c.whole(-180, 360);
  if (c.happens(0.3)) move.straight = true;
  if (c.happens(0.4)) move.angle = c.happens(0.5) ? { value: c.whole(0, 180) } : { value: c.whole(0, 90), offset: c.pick([0, c.whole(-90, 90)]) };
  if (c.happens(0.2)) move.random = true;
  // Particles stay on the canvas: what happens outside is not simulated, but reported.
  if (c.happens(0.4)) move.gravity = { enable: true, acceleration: c.number(1, Math.min(12, 6 / life ** 2)), inverse: c.happens(0.3) };
  if (c.happens(0.3)) move.decay = c.number(0.002, 0.1);
  return move;
}

export function effect(c) {
  const file = { fullScreen: { enable: false }, particles: { number: { value: 0 }, ...looks(c) } };
  if (c.happens(0.12)) {
    // The particles of the canvas, as far as they stay on it.
    file.particles.number.value = c.whole(20, 150);
    if (c.happens(0.3)) file.particles.number.density = { enable: true };
    file.particles.move = { enable: c.happens(0.7), speed: value(c, 0, 0.4) };
    if (c.happens(0.4)) file.particles.life = { count: 1, duration: { value: c.number(1, 4), sync: true } };
    return file;
  }
  const [life, fast] = c.pick([[[0.1, 0.8], [0, 8]], [[0.3, 1.3], [0, 5]], [[0.5, 2.5], [0, 2]]]);
  const sync = c.happens(0.6);
  file.particles.life = { count: 1, duration: { value: sync ? value(c, ...life) : c.number(...life), sync } };
  file.particles.move = motion(c, fast, life[1]);
  // Random lives that end with an animation have no range of their own.
  const isRandom = !sync || typeof file.particles.life.duration.value !== 'number';
  for (const key of ['size', 'opacity']) if (isRandom && file.particles[key]?.animation) delete file.particles[key].animation.destroy;
  if (c.happens(0.25)) file.particles.number.limit = { value: c.whole(5, 60), ...(c.happens(0.5) ? { mode: c.pick(['delete', 'wait']) } : {}) };
  const emitter = { position: { x: c.pick([50, c.whole(30, 70)]), y: c.pick([50, c.whole(30, 70)]) } };
  const kind = c.pick(['stream', 'stream', 'waves', 'waves', 'fast', 'burst']);
  emitter.rate = {
    stream: { quantity: 1, delay: c.number(0.02, 0.3) }, waves: { quantity: c.whole(2, 20), delay: c.number(0.05, 0.8) },
    fast: { quantity: c.whole(1, 3), delay: c.pick([0, 0.01, 0.016]) }, burst: { quantity: c.whole(10, 60), delay: c.number(0.1, 0.5) },
  }[kind];
  if (kind === 'burst') emitter.life = { count: 1, duration: c.number(0.01, 0.09) };
  else if (c.happens(0.4)) {
    emitter.life = { duration: c.number(0.2, 2.5), count: c.pick([1, 1, 0, 2, 3]) };
    if (c.happens(0.5)) emitter.life.delay = c.number(0, 1.2);
  }
  if (c.happens(0.12)) emitter.life = { ...(emitter.life ?? {}), wait: true, delay: c.number(0.05, 1.5) };
  if (c.happens(0.15)) emitter.startCount = c.whole(1, 20);
  if (c.happens(0.5)) {
    emitter.size = c.happens(0.5) ? { width: c.whole(0, 30), height: c.whole(0, 30) } : { mode: 'precise', width: c.whole(0, 200), height: c.whole(0, 200) };
    emitter.shape = { type: c.pick(['square', 'circle', 'circle']) };
    // Sides of one length, since each side emits as much as any of the four.
    if (emitter.shape.type === 'square' && emitter.size.mode) emitter.size.height = emitter.size.width;
    if (c.happens(0.3) && (emitter.shape.type === 'circle' || emitter.size.mode)) emitter.fill = false;
  }
  if (c.happens(0.15)) emitter.direction = c.pick(['top', 'right', c.whole(0, 359)]);
  if (c.happens(0.3)) emitter.particles = { size: { value: value(c, 1, 10) }, move: { speed: c.number(0, 3) } };
  file.emitters = c.happens(0.5) ? emitter : [emitter];
  return file;
}

let loading;

export async function start(library, effect) {
  const { tsParticles, loadAll, hslToRgb } = library;
  await (loading ??= loadAll(tsParticles));
  const options = { ...effect, autoPlay: false, detectRetina: false };
  const container = await tsParticles.load({ id: 'effect', element: canvas, options });
  const { particles } = container;
  // Lives that end with an animation have no length of their own.
  const endsEarly = ['size', 'opacity'].some((key) => effect.particles[key]?.animation?.destroy);
  let births = particles.count;
  const add = particles.addParticle;
  particles.addParticle = function (...args) {
    const particle = add.apply(this, args);
    if (particle) births++;
    return particle;
  };
  return {
    step: (dt) => particles.update({ value: dt * 1000, factor: dt * 60 }),
    emitters() {
      const living = particles.filter((p) => !p.destroyed).map((p) => {
        const color = p.getFillColor();
        const rgb = color ? hslToRgb(color) : { r: 255, g: 255, b: 255 };
        const item = {
          x: p.position.x - width / 2, y: p.position.y - height / 2, w: 2 * p.getRadius(), h: 2 * p.getRadius(),
          rot: p.rotation * 180 / Math.PI, r: rgb.r / 255, g: rgb.g / 255, b: rgb.b / 255, a: p.opacity?.value ?? 1,
        };
        if (p.life.duration > 0 && !endsEarly) item.age = p.life.time / p.life.duration;
        return item;
      });
      return [{ particles: living, births }];
    },
  };
}
