/** Numbers of OpenGL. */
const [zero, one, sourceColor, oneMinusSourceColor, sourceAlpha, oneMinusSourceAlpha] = [0, 1, 768, 769, 770, 771];
const destinationColor = 774;
const equations = ["FUNC_ADD", "FUNC_SUBTRACT", "FUNC_REVERSE_SUBTRACT", "MIN", "MAX"];
const [add, , reverseSubtract, least] = [0, 1, 2, 3];

/** A blend state as the module orders it: eight numbers of Spec/player.md. */
export class BlendState {
  /**
   * @param {Int32Array} numbers
   * @param {number} index
   */
  constructor(numbers, index) {
    const at = index * 8;
    this.form = numbers[at];
    this.isTintPremultiplied = numbers[at + 1] !== 0;
    [this.source, this.destination, this.alphaSource, this.alphaDestination] = numbers.subarray(at + 2, at + 6);
    this.equation = numbers[at + 6];
  }

  /** Whether each of several fragments can be added, or taken away, before the sum is brought into 0…1. */
  get isSum() {
    return (this.equation === add || this.equation === reverseSubtract) && this.destination === one
      && [zero, one, sourceColor, sourceAlpha].includes(this.source)
      && this.alphaDestination === one && [zero, one, sourceAlpha].includes(this.alphaSource);
  }

  /** Whether the result is less than 0 for some fragments. */
  get isNegative() { return this.equation > add && this.equation < least; }

  /**
   * Whether the result is greater than 1 for some fragments.
   * @param {boolean} isBright whether the colour of a quad exceeds 1.
   */
  mayExceed(isBright) {
    if (this.equation !== add) return false;
    const { source, destination } = this;
    // Of products with alpha no component exceeds alpha.
    const isProduct = this.form === 1 && this.isTintPremultiplied && !isBright;
    const isMean =
      destination === zero
      || (destination === oneMinusSourceAlpha && (source === sourceAlpha || source === zero || (isProduct && (source === one || source === destinationColor))))
      || (destination === oneMinusSourceColor && [zero, one, sourceColor, sourceAlpha].includes(source))
      || (destination === sourceColor && source === zero) || (destination === sourceAlpha && source === zero);
    const { alphaSource, alphaDestination } = this;
    const isAlphaMean = alphaDestination === zero || alphaSource === zero
      || ([oneMinusSourceAlpha, oneMinusSourceColor].includes(alphaDestination));
    return !(isMean && isAlphaMean);
  }

  /** Sets the state of a context. */
  apply(gl) {
    gl.blendEquation(gl[equations[this.equation]]);
    gl.blendFuncSeparate(this.source, this.destination, this.alphaSource, this.alphaDestination);
  }
}
