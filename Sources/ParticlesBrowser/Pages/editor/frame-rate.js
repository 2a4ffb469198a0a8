// How fast an effect is drawn, and which part: told if frames are too few or sprites are left out.

/** Frames in a second below which playing is slow, and above which it is so no longer. */
const [slow, quick] = [45, 52];
/** Milliseconds over which frames are counted, and after which the first number is there. */
const [span, least] = [1500, 1000];
/** Milliseconds between two texts of which only the numbers differ: they are read out. */
const rest = 4000;

export class FrameRate {
  constructor() {
    this.times = [];
    this.isSlow = false;
  }

  /** A frame was drawn. */
  drew({ sprites = 0, omitted = 0 }, now = performance.now()) {
    Object.assign(this, { sprites, omitted });
    this.since ??= now;
    this.times.push(now);
  }

  /** Counts anew: nothing plays, or another effect does. */
  begin() {
    this.times = [];
    this.since = undefined;
    this.isSlow = false;
  }

  /** Frames in a second, or undefined before they are known. */
  rate(now = performance.now()) {
    while (this.times.length && this.times[0] < now - span) this.times.shift();
    if (this.since === undefined || now - this.since < least) return undefined;
    const rate = (this.times.length * 1000) / Math.min(span, now - this.since);
    this.isSlow = rate < (this.isSlow ? quick : slow);
    return rate;
  }

  /**
   * The sentences to show, by kind: `["slow", rate]` and `["omitted", shown, sprites]`. With equal kinds, the last array is returned
   * again for some seconds.
   */
  told(now = performance.now()) {
    const rate = this.rate(now);
    const told = [];
    if (this.isSlow) told.push(["slow", Math.round(rate)]);
    if (this.omitted > 0) told.push(["omitted", this.sprites - this.omitted, this.sprites]);
    const kinds = told.map(([kind]) => kind).join();
    if (this.last && this.kinds === kinds && now - this.toldAt < rest) return this.last;
    Object.assign(this, { last: told, kinds, toldAt: now });
    return told;
  }
}
