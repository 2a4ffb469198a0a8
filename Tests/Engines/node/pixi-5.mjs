// PixiJS particle emitter 5: effects, and their particles.
import { Container } from './stage.mjs';
import { common, list } from './pixi-effects.mjs';

export const engine = 'pixi-5';
export const version = '5.0.8';
export const settings = { sprite: [32, 32], axis: 'y down, angles clockwise', random: 'mulberry32' };

export function effect(c) {
  const effect = common(c);
  const behaviors = [];
  const add = (type, config) => behaviors.push({ type, config });
  const range = (low, high) => { const [min, max] = c.pair(low, high); return { min, max }; };

  // How fast, and where to.
  const motion = c.pick(['list', 'list', 'static', 'static', 'acceleration', 'acceleration', 'none', 'path']);
  const speed = () => c.number(0, 200);
  if (motion === 'list') add('moveSpeed', { speed: list(c, speed), minMult: c.pick([1, 1, c.number(0.1, 1), 0]) });
  if (motion === 'static') add('moveSpeedStatic', range(0, 200));
  if (motion === 'path') add('movePath', { path: c.pick(['sin(x/20)*30', 'x*x/200', 'pow(x/10,2)', '-x/2']), speed: list(c, () => c.number(20, 200), { stepped: 0 }), minMult: c.pick([1, c.number(0.3, 1)]) });
  if (motion === 'acceleration') {
    const [minStart, maxStart] = c.pair(0, 200);
    const config = { minStart, maxStart, accel: { x: c.pick([0, c.number(-200, 200)]), y: c.number(-300, 300) }, rotate: c.happens(0.3) };
    config.maxSpeed = c.pick([0, 0, null, c.number(50, 250)]);
    add('moveAcceleration', config);
  }

  // Angles.
  const turns = { minStart: c.pick([0, c.number(-180, 180)]), maxStart: 0 };
  turns.maxStart = c.pick([turns.minStart, turns.minStart + c.number(0, 90), turns.minStart + 360]);
  const isBurst = effect.particlesPerWave > 1 && c.happens(0.5);
  if (!isBurst && c.happens(0.7)) {
    const [minSpeed, maxSpeed] = c.pair(-200, 200);
    add('rotation', { ...turns, minSpeed, maxSpeed, accel: c.pick([0, 0, c.number(-200, 200), null]) });
  } else if (!isBurst) add('rotationStatic', { min: turns.minStart, max: turns.maxStart });
  if (c.happens(0.15)) add('noRotation', {});

  // Where.
  if (isBurst) add('spawnBurst', { spacing: c.pick([0, 360 / effect.particlesPerWave, c.number(5, 40)]), start: c.number(-180, 180), distance: c.pick([0, c.number(5, 60)]) });
  else {
    const shape = c.pick(['point', 'rect', 'torus', 'torus', 'circle', 'polygonalChain']);
    const place = () => c.pick([0, c.number(-50, 50)]);
    const radius = c.number(5, 100);
    const data = {
      rect: { x: place(), y: place(), w: c.number(0, 200), h: c.number(0, 200) },
      torus: { x: place(), y: place(), radius, innerRadius: c.pick([0, radius, c.number(0, radius)]), affectRotation: false },
      circle: { x: place(), y: place(), radius },
      polygonalChain: c.pick([
        [{ x: -50, y: 0 }, { x: 50, y: 20 }],
        [[{ x: -60, y: -20 }, { x: 0, y: 40 }, { x: 60, y: 0 }], [{ x: 0, y: 0 }, { x: 0, y: -80 }]],
      ]),
    }[shape];
    if (shape === 'torus' && turns.minStart === turns.maxStart && c.happens(0.6)) data.affectRotation = true;
    if (shape === 'point') add('spawnPoint', {});
    else add('spawnShape', { type: shape, data });
  }

  // Looks.
  const looks = c.pick(['list', 'list', 'static', 'none']);
  if (looks === 'list') add('alpha', { alpha: list(c, () => c.number(0, 1)) });
  if (looks === 'static') add('alphaStatic', { alpha: c.number(0, 1) });
  if (c.happens(0.7)) add('scale', { scale: list(c, () => c.number(0, 2)), minMult: c.pick([1, c.number(0.1, 1), null]) });
  else if (c.happens(0.7)) add('scaleStatic', range(0.1, 2));
  if (c.happens(0.7)) add('color', { color: list(c, () => c.hex(c.pick(['', '#'])), { eased: 0.5 }) });
  else if (c.happens(0.5)) add('colorStatic', { color: c.hex() });
  add('blendMode', { blendMode: c.pick(['normal', 'add', 'multiply', 'screen']) });
  add('textureSingle', { texture: 'p.png' });
  effect.behaviors = behaviors;
  return effect;
}

export function start(library, config) {
  const { Emitter, Particle } = library;
  let births = 0;
  const begin = Particle.prototype.init;
  Particle.prototype.init = function (...args) { births++; return begin.apply(this, args); };
  const emitter = new Emitter(new Container(), config);
  Particle.prototype.init = begin;
  const step = emitter.update;
  return {
    step(dt) {
      Particle.prototype.init = function (...args) { births++; return begin.apply(this, args); };
      step.call(emitter, dt);
      Particle.prototype.init = begin;
    },
    emitters() {
      const particles = [];
      const hasSpeed = config.behaviors.some((b) => b.type.startsWith('move') && b.type !== 'movePath');
      for (let p = emitter._activeParticlesFirst; p; p = p.next) {
        const item = {
          x: p.x, y: p.y, scale: p.scale.x, rot: p.rotation * 180 / Math.PI,
          r: (p.tint >> 16 & 255) / 255, g: (p.tint >> 8 & 255) / 255, b: (p.tint & 255) / 255, a: p.alpha,
          age: p.age / p.maxLife,
        };
        if (hasSpeed) item.speed = Math.hypot(p.config.velocity.x, p.config.velocity.y);
        particles.push(item);
      }
      return [{ particles, births }];
    },
  };
}
