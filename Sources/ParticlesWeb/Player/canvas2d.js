/**
 * Draws an effect without WebGL, or exactly as the tool does: by the rasteriser of the module.
 * @param {import("./module.js").Effect} effect whose view has the size of the canvas.
 * @param {CanvasRenderingContext2D} context
 */
export function paintEffect(effect, context) {
  const { width, height } = effect.view;
  const picture = context.createImageData(width, height);
  picture.data.set(effect.paint());
  context.putImageData(picture, 0, 0);
}
