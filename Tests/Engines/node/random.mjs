// Random numbers of a seed (mulberry32), and choices of parameters.
export function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export class Chooser {
  constructor(seed) {
    this.random = mulberry32(seed * 7919 + 17);
    for (let i = 0; i < 8; i++) this.random();
  }
  /** A number of at most three digits after the point. */
  number(low, high) { return Math.round((low + (high - low) * this.random()) * 1000) / 1000; }
  whole(low, high) { return low + Math.floor(this.random() * (high - low + 1)); }
  happens(share) { return this.random() < share; }
  pick(choices) { return choices[Math.floor(this.random() * choices.length)]; }
  /** Two numbers in order, equal with the probability `equal`. */
  pair(low, high, equal = 0.3) {
    const [a, b] = [this.number(low, high), this.number(low, high)];
    return this.happens(equal) ? [a, a] : [Math.min(a, b), Math.max(a, b)];
  }
  /** Times from 0 to 1, at least two. */
  times(count) {
    const inner = Array.from({ length: count - 2 }, () => this.number(0.05, 0.95)).sort((a, b) => a - b);
    return [0, ...inner, 1].filter((t, i, all) => i === 0 || t > all[i - 1]);
  }
  hex(prefix = '') {
    return prefix + Array.from({ length: 3 }, () => this.whole(0, 255).toString(16).padStart(2, '0')).join('');
  }
}
