// PixiJS particle emitter 3: effects, and their particles.
import { Container } from './stage.mjs';
import { common, list } from './pixi-effects.mjs';

export const engine = 'pixi-3';
export const version = '3.2.0';
export const settings = { sprite: [32, 32], axis: 'y down, angles clockwise', random: 'mulberry32' };

export function effect(c) {
  const effect = common(c);
  const motion = c.pick(['list', 'list', 'plain', 'plain', 'acceleration', 'acceleration', 'none', 'path']);
  const speed = () => c.number(10, 200);
  const flat = (value) => { const v = value(); return { start: v, end: v }; };
  if (motion === 'list') effect.speed = list(c, speed);
  // The engine's `PathParticle` needs a speed that changes.
  else if (motion === 'path') effect.speed = list(c, speed, { stepped: 0 });
  else if (motion === 'none') effect.speed = { start: 0, end: 0 };
  else effect.speed = c.happens(0.7) || motion === 'plain' ? flat(speed) : list(c, speed);
  if (c.happens(0.4)) effect.speed.minimumSpeedMultiplier = c.pick([c.number(0.1, 1), 0, null]);
  effect.acceleration = { x: 0, y: 0 };
  if (motion === 'acceleration') {
    effect.acceleration = { x: c.pick([0, c.number(-200, 200)]), y: c.number(-300, 300) };
    effect.maxSpeed = c.pick([0, 0, null, c.number(50, 250)]);
  }
  if (motion === 'path') effect.extraData = { path: c.pick(['sin(x/20)*30', 'x*x/200', 'pow(x/10,2)', '-x/2']) };

  const min = c.pick([0, c.number(-180, 180)]);
  effect.startRotation = { min, max: c.pick([min, min + c.number(0, 90), min + 360]) };
  const isSpinning = c.happens(0.5);
  const spin = c.pair(isSpinning ? -200 : 0, isSpinning ? 200 : 0);
  effect.rotationSpeed = { min: spin[0], max: spin[1] };
  effect.noRotation = c.happens(0.15);

  const isBurst = effect.particlesPerWave > 1 && c.happens(0.5);
  const shape = isBurst ? 'burst' : c.pick(['point', 'rect', 'circle', 'circle', 'ring', 'polygonalChain']);
  const place = () => c.pick([0, c.number(-50, 50)]);
  effect.spawnType = shape;
  const r = c.number(5, 100);
  if (shape === 'rect') effect.spawnRect = { x: place(), y: place(), w: c.number(0, 200), h: c.number(0, 200) };
  if (shape === 'circle') effect.spawnCircle = { x: place(), y: place(), r };
  if (shape === 'ring') {
    effect.spawnCircle = { x: place(), y: place(), r, minR: c.pick([0, r, c.number(0, r)]) };
    if (c.happens(0.7)) effect.startRotation.max = effect.startRotation.min;
  }
  if (shape === 'burst') {
    effect.particleSpacing = c.pick([0, 360 / effect.particlesPerWave, c.number(5, 40)]);
    effect.angleStart = c.number(-180, 180);
  }
  if (shape === 'polygonalChain') effect.spawnPolygon = c.pick([
    [{ x: -50, y: 0 }, { x: 50, y: 20 }],
    [[{ x: -60, y: -20 }, { x: 0, y: 40 }, { x: 60, y: 0 }], [{ x: 0, y: 0 }, { x: 0, y: -80 }]],
  ]);

  if (c.happens(0.8)) effect.alpha = c.happens(0.8) ? list(c, () => c.number(0, 1)) : flat(() => c.number(0, 1));
  if (c.happens(0.8)) {
    effect.scale = c.happens(0.8) ? list(c, () => c.number(0, 2)) : flat(() => c.number(0.1, 2));
    if (c.happens(0.5)) effect.scale.minimumScaleMultiplier = c.pick([c.number(0.1, 1), 0, null]);
  }
  if (c.happens(0.8)) effect.color = c.happens(0.8) ? list(c, () => c.hex(c.pick(['', '#'])), { eased: 0.5 }) : flat(() => c.hex());
  effect.blendMode = c.pick(['normal', 'add', 'multiply', 'screen']);
  return effect;
}

export function start(library, config) {
  const { Emitter, Particle, PathParticle } = library;
  let births = 0;
  const begin = Particle.prototype.init;
  Particle.prototype.init = function () { births++; return begin.apply(this); };
  const emitter = new Emitter(new Container(), ['p.png'], config);
  const hasPath = config.extraData?.path !== undefined;
  if (hasPath) emitter.particleConstructor = PathParticle;
  Particle.prototype.init = begin;
  return {
    step(dt) {
      // Particles keep the functions of their class when they are made.
      Particle.prototype.init = function () { births++; return begin.apply(this); };
      emitter.update(dt);
      Particle.prototype.init = begin;
    },
    emitters() {
      const particles = [];
      for (let p = emitter._activeParticlesFirst; p; p = p.next) {
        const item = {
          x: p.position.x, y: p.position.y, scale: p.scale.x, rot: p.rotation * 180 / Math.PI,
          r: (p.tint >> 16 & 255) / 255, g: (p.tint >> 8 & 255) / 255, b: (p.tint & 255) / 255, a: p.alpha,
          age: p.age / p.maxLife,
        };
        if (!hasPath) item.speed = Math.hypot(p.velocity.x, p.velocity.y);
        particles.push(item);
      }
      return [{ particles, births }];
    },
  };
}
