// Phaser 3: effects, and their particles.
export const engine = 'phaser';
export const version = '3.90.0';
export const settings = { axis: 'y down, angles clockwise', random: 'mulberry32', texture: [32, 32] };

const eases = ['Linear', 'Quad.easeIn', 'Quad.easeOut', 'Cubic.easeInOut', 'Sine.easeIn', 'Expo.easeOut', 'Circ.easeInOut', 'Power2', 'Back.easeOut', 'Bounce.easeOut', 'Quart.easeOut', 'Stepped'];

/** A value of new particles: a number, a range, or a choice. */
function emitted(c, low, high) {
  const kind = c.pick(['number', 'number', 'range', 'range', 'list', 'random']);
  const [min, max] = c.pair(low, high, 0);
  if (kind === 'number') return c.number(low, high);
  if (kind === 'list') return [c.number(low, high), c.number(low, high), c.number(low, high)];
  if (kind === 'random' && high - low > 10) return { random: [Math.round(min), Math.round(max)] };
  return { min, max };
}

/** A value over life. */
function overLife(c, low, high) {
  const kind = c.pick(['change', 'change', 'change', 'values', 'emitted']);
  if (kind === 'emitted') return emitted(c, low, high);
  if (kind === 'values') {
    const value = { values: Array.from({ length: c.whole(2, 5) }, () => c.number(low, high)), interpolation: 'linear' };
    if (c.happens(0.3)) value.ease = c.pick(eases.slice(0, 8));
    return value;
  }
  const value = { start: c.number(low, high), end: c.number(low, high) };
  if (c.happens(0.5)) value.ease = c.pick(eases.slice(0, 11));
  if (c.happens(0.2)) value.random = true;
  return value;
}

export function effect(c) {
  const effect = { name: 'e', texture: 'p.png', lifespan: c.happens(0.6) ? c.whole(200, 3000) : emitted(c, 200, 3000) };
  const kind = c.pick(['stream', 'stream', 'stream', 'waves', 'frame', 'burst']);
  effect.frequency = { stream: c.pick([c.whole(10, 150), 50, 100]), waves: c.pick([c.whole(80, 900), 250, 500]), frame: 0, burst: -1 }[kind];
  effect.quantity = kind === 'waves' ? c.whole(2, 15) : kind === 'burst' ? c.whole(10, 60) : kind === 'frame' ? c.whole(1, 2) : 1;
  if (c.happens(0.25)) effect.maxAliveParticles = c.whole(5, 60);
  if (kind !== 'burst' && c.happens(0.3)) effect.duration = c.pick([c.whole(300, 3500), 1000, 2000]);
  if (kind !== 'burst' && c.happens(0.15)) effect.stopAfter = c.whole(5, 60);
  if (kind !== 'burst' && c.happens(0.1)) effect.advance = c.whole(200, 2000);
  if (c.happens(0.1)) effect.timeScale = c.number(0.4, 2);
  effect.x = c.happens(0.6) ? c.pick([0, c.number(-100, 100)]) : { min: c.number(-100, 0), max: c.number(0, 100) };
  effect.y = c.happens(0.7) ? c.pick([0, c.number(-100, 100)]) : { min: c.number(-100, 0), max: c.number(0, 100) };
  const motion = c.pick(['radial', 'radial', 'radial', 'axes', 'none']);
  if (motion === 'radial') {
    effect.speed = emitted(c, 0, 250);
    if (c.happens(0.8)) effect.angle = c.happens(0.5) ? { min: c.whole(-180, 0), max: c.whole(0, 180) } : emitted(c, -180, 180);
  }
  if (motion === 'axes') [effect.speedX, effect.speedY] = [emitted(c, -150, 150), emitted(c, -150, 150)];
  if (c.happens(0.4)) effect.gravityY = c.number(-300, 300);
  if (c.happens(0.2)) effect.gravityX = c.number(-150, 150);
  if (c.happens(0.2)) effect.accelerationX = c.number(-150, 150);
  if (c.happens(0.15)) effect.accelerationY = c.happens(0.5) ? c.number(-150, 150) : { start: c.number(10, 200), end: c.number(-200, 200) };
  if (c.happens(0.35)) {
    const place = () => c.pick([0, c.number(-50, 50)]);
    effect.emitZone = { type: 'random', source: c.pick([
      { type: 'circle', x: place(), y: place(), radius: c.number(5, 100) },
      { type: 'ellipse', x: place(), y: place(), width: c.number(10, 200), height: c.number(10, 200) },
      { type: 'rectangle', x: place(), y: place(), width: c.number(0, 200), height: c.number(0, 200) },
      { type: 'line', x1: place(), y1: place(), x2: c.number(-100, 100), y2: c.number(-100, 100) },
    ]) };
    [effect.x, effect.y] = [0, 0];
  }
  const scale = c.pick(['scale', 'scale', 'axes', 'none']);
  if (scale === 'scale') effect.scale = overLife(c, 0, 2);
  if (scale === 'axes') [effect.scaleX, effect.scaleY] = [overLife(c, 0, 2), overLife(c, 0, 2)];
  if (c.happens(0.7)) effect.alpha = overLife(c, 0, 1);
  if (c.happens(0.5)) effect.rotate = overLife(c, -360, 360);
  const color = c.pick(['color', 'tint', 'tints', 'none']);
  const rgb = () => Number('0x' + c.hex());
  if (color === 'color') {
    effect.color = Array.from({ length: c.whole(2, 5) }, rgb);
    if (c.happens(0.4)) effect.colorEase = c.pick(eases.slice(0, 8));
  }
  if (color === 'tint') effect.tint = rgb();
  if (color === 'tints') effect.tint = [rgb(), rgb(), rgb()];
  effect.blendMode = c.pick(['NORMAL', 'ADD', 'MULTIPLY', 'SCREEN']);
  return effect;
}

export function start(library, effect) {
  const { ParticleEmitter, Particle, Geom } = library;
  const texture = { key: 'p', frame: { name: '0' }, get() { return this.frame; } };
  texture.frame.texture = texture;
  const nothing = () => {};
  const scene = { sys: {
    textures: { get: () => texture }, queueDepthSort: nothing, anims: { on: nothing, off: nothing },
    events: { on: nothing, once: nothing, off: nothing, emit: nothing }, displayList: { queueDepthSort: nothing }, game: { config: {} },
  } };
  // The program makes the shapes of zones.
  const config = { ...effect };
  if (config.emitZone) {
    const s = config.emitZone.source;
    const source = {
      circle: () => new Geom.Circle(s.x, s.y, s.radius), ellipse: () => new Geom.Ellipse(s.x, s.y, s.width, s.height),
      rectangle: () => new Geom.Rectangle(s.x, s.y, s.width, s.height), line: () => new Geom.Line(s.x1, s.y1, s.x2, s.y2),
    }[s.type]();
    config.emitZone = { ...config.emitZone, source };
  }
  let births = 0;
  const fire = Particle.prototype.fire;
  const counting = function (...args) { births++; return fire.apply(this, args); };
  Particle.prototype.fire = counting;
  const emitter = new ParticleEmitter(scene, 0, 0, 'p', config);
  // A frequency of −1 waits for the program to let off the burst.
  if (effect.frequency < 0) emitter.explode(effect.quantity, undefined, undefined);
  Particle.prototype.fire = fire;
  return {
    step(dt) {
      Particle.prototype.fire = counting;
      emitter.preUpdate(0, dt * 1000);
      Particle.prototype.fire = fire;
    },
    emitters() {
      const particles = emitter.alive.map((p) => {
        const item = {
          x: p.x, y: p.y, scale: p.scaleX, scaleY: p.scaleY, rot: p.rotation * 180 / Math.PI,
          r: (p.tint >> 16 & 255) / 255, g: (p.tint >> 8 & 255) / 255, b: (p.tint & 255) / 255, a: p.alpha,
          age: 1 - p.lifeCurrent / p.life,
        };
        // Velocities of their own on each axis are not in the speed of our particles.
        if (effect.speedX === undefined) item.speed = Math.hypot(p.velocityX, p.velocityY);
        return item;
      });
      return [{ particles, births }];
    },
  };
}
