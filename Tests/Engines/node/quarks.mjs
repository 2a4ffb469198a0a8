// three.quarks: effects, and their particles.
export const engine = 'quarks';
export const version = '0.17.0';
export const settings = { axis: 'y up, angles anticlockwise', random: 'mulberry32', renderer: 'none' };

const constant = (value) => ({ type: 'ConstantValue', value });
/** A number or a range. */
const value = (c, low, high) => {
  const [a, b] = c.pair(low, high);
  return a === b ? constant(a) : { type: 'IntervalValue', a, b };
};
/** A curve over life of Bézier segments, continuous. */
const bezier = (c, low, high) => {
  const starts = [0, ...c.times(c.pick([2, 2, 3, 4])).slice(1, -1)];
  let last = c.number(low, high);
  return {
    type: 'PiecewiseBezier',
    functions: starts.map((start) => {
      const end = c.number(low, high);
      const middle = () => c.number(Math.min(last, end), Math.max(last, end));
      const f = { p0: last, p1: middle(), p2: middle(), p3: end };
      last = end;
      return { function: f, start };
    }),
  };
};
const either = (c, low, high) => (c.happens(0.5) ? bezier(c, low, high) : value(c, low, high));
const rgb = (c) => ({ r: c.number(0, 1), g: c.number(0, 1), b: c.number(0, 1) });
const gradient = (c) => ({
  type: 'Gradient',
  color: { type: 'CLinearFunction', subType: 'Color', keys: c.times(c.pick([2, 3, 4])).map((pos) => ({ value: rgb(c), pos })) },
  alpha: { type: 'CLinearFunction', subType: 'Number', keys: c.times(c.pick([2, 3])).map((pos) => ({ value: c.number(0, 1), pos })) },
});

export function effect(c) {
  const kind = c.pick(['stream', 'stream', 'burst', 'both', 'rare']);
  const looping = kind !== 'burst' ? c.happens(0.7) : c.happens(0.3);
  const ps = {
    version: '3.0', autoDestroy: false, looping, prewarm: looping && c.happens(0.15), duration: c.number(0.3, 4),
    startLife: value(c, 0.2, c.pick([0.8, 2, 4])), startSpeed: value(c, c.pick([0, 0, -2]), c.pick([2, 10, 20])),
    startRotation: c.happens(0.5) ? constant(0) : value(c, -3.1, 3.1), startSize: value(c, 0.05, 3),
    startColor: c.happens(0.5) ? { type: 'ConstantColor', color: { ...rgb(c), a: c.number(0, 1) } } : { type: c.pick(['ColorRange', 'RandomColor']), a: { ...rgb(c), a: c.number(0, 1) }, b: { ...rgb(c), a: c.number(0, 1) } },
    emissionOverTime: constant(0), emissionOverDistance: constant(0), emissionBursts: [], onlyUsedByOther: false,
    renderOrder: 0, renderMode: 0, rendererEmitterSettings: {}, layers: 1, startTileIndex: constant(0), uTileCount: 1, vTileCount: 1, blendTiles: false,
    softParticles: false, softFarFade: 0, softNearFade: 0, worldSpace: c.happens(0.5), behaviors: [],
  };
  if (kind !== 'burst') ps.emissionOverTime = kind === 'rare' ? constant(c.number(0.5, 4)) : c.happens(0.75) ? constant(c.number(5, 80)) : c.pick([bezier, value])(c, 5, 80);
  if (kind === 'burst' || kind === 'both') {
    for (let i = 0; i < c.pick([1, 1, 2, 3]); i++) {
      ps.emissionBursts.push({ time: i === 0 && c.happens(0.6) ? 0 : c.number(0, ps.duration), count: c.happens(0.7) ? constant(c.whole(1, 40)) : value(c, 1, 30), cycle: 1, interval: 0.01, probability: c.pick([1, 1, c.number(0.2, 1)]) });
    }
    ps.emissionBursts.sort((a, b) => a.time - b.time);
  }
  const shape = c.pick(['sphere', 'hemisphere', 'circle', 'circle', 'donut', 'cone', 'point', 'grid', 'rectangle']);
  const arc = c.pick([2 * Math.PI, 2 * Math.PI, Math.PI, c.number(0.5, 6)]);
  const thickness = c.pick([1, 1, 0, c.number(0, 1)]);
  const round = { radius: c.number(0.1, 4), arc, thickness, mode: 0, spread: 0, speed: constant(1) };
  ps.shape = {
    sphere: { ...round }, hemisphere: { ...round }, circle: { ...round }, donut: { ...round, donutRadius: c.number(0.05, 1) },
    cone: { ...round, angle: c.number(0, 1.2) }, point: {},
    grid: { width: c.number(1, 5), height: c.number(1, 5), column: c.whole(2, 10), row: c.whole(2, 10) },
    rectangle: { width: c.number(1, 5), height: c.number(1, 5), thickness, mode: 0, spread: 0, speed: constant(1) },
  }[shape];
  ps.shape.type = shape;
  const add = (share, type, make) => { if (c.happens(share)) ps.behaviors.push({ type, ...make() }); };
  add(0.6, 'ColorOverLife', () => ({ color: gradient(c) }));
  add(0.6, 'SizeOverLife', () => ({ size: c.happens(0.8) ? bezier(c, 0, 1.5) : constant(c.number(0.2, 2)) }));
  add(0.4, 'RotationOverLife', () => ({ angularVelocity: either(c, -4, 4) }));
  add(0.35, 'ForceOverLife', () => ({ x: c.happens(0.5) ? constant(0) : either(c, -8, 8), y: either(c, -10, 10), z: constant(c.pick([0, c.number(-5, 5)])) }));
  add(0.2, 'ApplyForce', () => ({ direction: [c.number(-1, 1), c.number(-1, 1), c.pick([0, c.number(-1, 1)])], magnitude: constant(c.number(-10, 10)) }));
  add(0.2, 'SpeedOverLife', () => ({ speed: c.happens(0.7) ? bezier(c, 0, 2) : value(c, 0, 2) }));
  add(0.2, 'LimitSpeedOverLife', () => ({ speed: constant(c.number(0, 6)), dampen: c.number(0, 0.8) }));
  add(0.15, 'OrbitOverLife', () => ({ orbitSpeed: either(c, -3, 3), axis: c.pick([[0, 1, 0], [0, 0, 1]]) }));
  const place = () => c.pick([0, c.number(-5, 5)]);
  const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, place(), place(), place(), 1];
  if (c.happens(0.3)) {
    const s = Math.sin(c.number(-2, 2));
    const q = Math.sqrt(1 - s * s);
    [matrix[0], matrix[1], matrix[4], matrix[5]] = [q, s, -s, q];
  }
  return {
    metadata: { version: 4.6, type: 'Object', generator: 'Object3D.toJSON' },
    geometries: [{ uuid: 'g', type: 'PlaneGeometry', width: 1, height: 1, widthSegments: 1, heightSegments: 1 }],
    materials: [{ uuid: 'm', type: 'MeshBasicMaterial', color: 16777215, transparent: true, blending: c.pick([1, 2]) }],
    object: { uuid: 'o', type: 'ParticleEmitter', layers: 1, matrix, ps: { ...ps, instancingGeometry: 'g', material: 'm' } },
  };
}

export function start(library, effect) {
  const { QuarksLoader } = library;
  const loader = new QuarksLoader();
  const emitter = loader.parse(effect, () => {});
  const system = emitter.system;
  // The system stops without a scene above it. This scene does not move.
  const identity = { elements: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] };
  emitter.parent = { type: 'Scene', parent: null, updateWorldMatrix() {}, matrixWorld: identity, remove() {} };
  let births = 0;
  const spawn = system.spawn;
  system.spawn = function (count, ...rest) { births += Math.max(0, Math.ceil(count)); return spawn.call(this, count, ...rest); };
  return {
    step(dt) { system.update(dt); },
    emitters() {
      const particles = [];
      for (let i = 0; i < system.particleNum; i++) {
        const p = system.particles[i];
        const at = p.position.clone();
        // Local systems have positions relative to their node.
        if (!system.worldSpace) at.applyMatrix4(emitter.matrixWorld);
        particles.push({
          x: at.x, y: at.y, z: at.z, speed: p.velocity.length(), w: p.size.x, h: p.size.y,
          rot: p.rotation * 180 / Math.PI, r: p.color.x, g: p.color.y, b: p.color.z, a: p.color.w, age: p.age / p.life,
        });
      }
      return [{ particles, births }];
    },
  };
}
