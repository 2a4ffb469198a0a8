// particles.js: files, and their particles.
import { Element, page } from './page.mjs';

export const engine = 'particlesjs';
export const version = '2.0.0';
// So large that no particle leaves the canvas, or is moved because it is near its edge.
const [width, height] = [1e9, 6e8];
export const settings = { canvas: [width, height], place: 'from where each particle began', axis: 'y down', random: 'mulberry32', step: '`fn.particlesUpdate`, from the first' };

const canvas = page(width, height);
// The engine makes a canvas inside an element, and looks for it by its class.
document.getElementById = () => Object.assign(new Element(width, height), { getElementsByClassName: () => [], appendChild: (child) => child });
document.querySelector = () => canvas;
canvas.addEventListener = () => {};

const directions = ['none', 'top', 'top-right', 'right', 'bottom-right', 'bottom', 'bottom-left', 'left', 'top-left'];

export function effect(c, index) {
  const particles = { number: { value: c.whole(40, 150), density: { enable: false } }, line_linked: { enable: false } };
  // Each direction, straight and not.
  const move = { speed: c.number(0.5, 8), direction: directions[index % 9], out_mode: 'out' };
  if (index % 2) move.straight = true;
  if (c.happens(0.3)) move.random = true;
  if (c.happens(0.1)) move.enable = false;
  if (!c.happens(0.1)) particles.move = move;
  particles.size = { value: c.number(1, 30), random: c.happens(0.4) };
  particles.opacity = { value: c.number(0.2, 1), random: c.happens(0.4) };
  // Animations run in step for all particles: animations out of step are approximated.
  for (const [key, speeds] of [['size', [2, 40]], ['opacity', [0.2, 3]]]) {
    const option = particles[key];
    if (!option.random && c.happens(0.7)) option.anim = { enable: true, speed: c.number(...speeds), [`${key}_min`]: c.number(0, option.value), sync: true };
  }
  const rgb = () => ({ r: c.whole(0, 255), g: c.whole(0, 255), b: c.whole(0, 255) });
  const color = c.pick(['hex', 'list', 'rgb', 'none']);
  if (color === 'hex') particles.color = { value: c.hex('#') };
  if (color === 'list') particles.color = { value: Array.from({ length: c.whole(2, 4) }, () => c.hex('#')) };
  if (color === 'rgb') particles.color = { value: rgb() };
  return { particles, interactivity: { events: { onhover: { enable: false, mode: [] }, onclick: { enable: false, mode: [] }, resize: false } }, retina_detect: false };
}

export async function start(library, effect) {
  library.particlesJS('effect', effect);
  const { pJS } = library.pJSDom.pop();
  // It has drawn its first frame, which moves particles.
  pJS.fn.particlesEmpty();
  pJS.fn.particlesCreate();
  const places = pJS.particles.array.map(({ x, y }) => [x, y]);
  return {
    step: () => pJS.fn.particlesUpdate(),
    emitters() {
      const particles = pJS.particles.array.map((p, i) => ({
        x: p.x - places[i][0], y: p.y - places[i][1], w: 2 * p.radius, h: 2 * p.radius, rot: 0,
        r: p.color.rgb.r / 255, g: p.color.rgb.g / 255, b: p.color.rgb.b / 255, a: Math.min(p.opacity, 1),
      }));
      return [{ particles, births: particles.length }];
    },
  };
}
