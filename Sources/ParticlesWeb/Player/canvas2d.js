/**
 * Draws an effect without WebGL, or exactly as the tool does: by the rasteriser of the module.
 * @param {import("./module.js").Effect} effect whose view has the size of the canvas.
 * @param {CanvasRenderingContext2D} context
 */
export function paintEffect(effect, context) { putPicture({ ...effect.view, pixels: effect.paint() }, context); }

/**
 * Puts a picture on a canvas.
 * @param {{width: number, height: number, pixels: Uint8ClampedArray}} picture RGBA, straight.
 */
export function putPicture({ width, height, pixels }, context) {
  const picture = context.createImageData(width, height);
  picture.data.set(pixels);
  context.putImageData(picture, 0, 0);
}
