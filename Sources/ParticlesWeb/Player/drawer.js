import { Atlas } from "./atlas.js";
import { BlendState } from "./blending.js";
import { ParticlesError } from "./diagnostic.js";
import { coverVertex, finishFragment, plainFragment, quadFragment, quadVertex } from "./shaders.js";
import { thinned } from "./thinning.js";

/** Bytes of a quad, and of 32-bit numbers in it. */
const quadBytes = 96;
const quadWords = 24;
/** Numbers of a quad, by their index. */
const word = { red: 15, alpha: 18, texture: 19, next: 20, state: 22 };

/** Samples that the quads of a picture may cover, at least and at most, and layers of the picture that are always allowed. */
const [leastPaint, mostPaint, leastLayers] = [5e5, 2e9, 8];

/** Quads are drawn in at most so many parts where the picture has to be brought into 0…1 between them. */
const mostParts = 500;

/**
 * What the module ordered for a frame.
 * @typedef {object} Order
 * @property {Uint8Array} quads
 * @property {number} count of quads.
 * @property {Int32Array} states eight numbers for each.
 * @property {import("./texels.js").TextureRecord[]} textures
 * @property {number} [texturesVersion] changes when textures have new numbers.
 * @property {boolean} isLinear whether the picture is mixed in linear light.
 * @property {number[] | null} background red, green, blue and alpha in sRGB, or null for a transparent one.
 */

/** What a context of WebGL keeps for an effect. */
export class Sheet {
  /** @param {Map<number, {width: number, height: number, pixels: Uint8Array}>} images */
  constructor(images) {
    this.images = images;
    this.atlases = new Map();
    this.generation = -1;
    this.isLinear = false;
  }

  /** The textures in a form, complete. */
  atlas(drawer, form, order) {
    if (this.generation !== drawer.generation || this.isLinear !== order.isLinear || this.version !== order.texturesVersion) {
      if (this.generation === drawer.generation) this.destroy();
      this.atlases.clear();
      [this.generation, this.isLinear, this.version] = [drawer.generation, order.isLinear, order.texturesVersion];
    }
    let atlas = this.atlases.get(form);
    if (!atlas) {
      atlas = new Atlas(drawer.gl, form, order.isLinear);
      this.atlases.set(form, atlas);
    }
    atlas.update(order.textures, this.images);
    return atlas;
  }

  /** Gives the textures back. */
  destroy() {
    for (const atlas of this.atlases.values()) atlas.destroy();
    this.atlases.clear();
  }
}

/**
 * Draws quads with WebGL 2, in the order and with the blend states that the module gave. One drawer serves all
 * effects of a page, because browsers allow about 16 contexts: it draws at the lower left corner of its canvas, and the
 * picture is copied from there.
 */
export class Drawer {
  /**
   * @param {object} [options] `canvas`, and `precision`: `"unorm16"`, `"half"` or `"bytes"` for the picture while it
   *   is drawn, by default the first available one.
   * @throws {ParticlesError} without WebGL 2.
   */
  constructor(options = {}) {
    this.canvas = options.canvas ?? (typeof OffscreenCanvas === "function" ? new OffscreenCanvas(1, 1) : document.createElement("canvas"));
    this.wanted = options.precision;
    this.gl = this.canvas.getContext("webgl2", {
      alpha: true, premultipliedAlpha: true, antialias: false, depth: false, stencil: false,
      preserveDrawingBuffer: false, powerPreference: options.powerPreference ?? "default",
    });
    if (!this.gl) throw new ParticlesError("particles/webgl", { message: "WebGL 2 is not available" });
    /** Whether pictures are drawn by the processor: they take much longer than by the rasteriser of the module then. */
    this.isSoftware = isSoftware(this.gl);
    /** How often the context was set up: everything made before is lost. */
    this.generation = 0;
    this.isLost = false;
    /** Samples that the quads of a picture may cover. It is lowered where frames take too long, and raised where they do not. */
    this.paint = 1e6;
    /** Quads of the last picture that were left out. */
    this.omitted = 0;
    /** Called when the context was lost or restored. */
    this.onchange = undefined;
    this.lose = (event) => {
      event.preventDefault();
      this.isLost = true;
      this.onchange?.();
    };
    this.restore = () => {
      this.isLost = false;
      this.setUp();
      this.onchange?.();
    };
    this.canvas.addEventListener("webglcontextlost", this.lose);
    this.canvas.addEventListener("webglcontextrestored", this.restore);
    this.setUp();
  }

  /** Gives the context back. */
  destroy() {
    this.canvas.removeEventListener("webglcontextlost", this.lose);
    this.canvas.removeEventListener("webglcontextrestored", this.restore);
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
    this.isLost = true;
  }

  setUp() {
    const { gl } = this;
    this.generation += 1;
    this.norm16 = gl.getExtension("EXT_texture_norm16");
    const float = gl.getExtension("EXT_color_buffer_float") ?? gl.getExtension("EXT_color_buffer_half_float");
    this.precisions = ["unorm16", "half", "bytes"].filter(
      (name) => name === "bytes" || (name === "half" ? float : this.norm16));
    if (this.wanted) this.precisions = this.precisions.filter((name) => name === this.wanted || name === "bytes");
    try {
      this.quads = this.program(quadVertex, quadFragment, ["picture", "isTintPremultiplied", "table", "page", "nextPage"]);
      this.plain = this.program(coverVertex, plainFragment, ["color"]);
      this.finish = this.program(coverVertex, finishFragment, ["picture", "samples", "isLinear", "isOpaque"]);
    } catch (error) {
      if (gl.isContextLost()) return;
      throw error;
    }
    this.buffer = gl.createBuffer();
    this.array = gl.createVertexArray();
    this.noArray = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    for (let index = 0; index < 8; index++) {
      gl.enableVertexAttribArray(index);
      gl.vertexAttribDivisor(index, 1);
    }
    this.target = undefined;
    this.fence = undefined;
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.DITHER);
  }

  program(vertex, fragment, names) {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      gl.deleteShader(shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      const logs = gl.getAttachedShaders(program).map((shader) => gl.getShaderInfoLog(shader));
      throw new ParticlesError("particles/webgl", { message: `a shader does not compile: ${logs.join(" ")}` });
    }
    return { program, ...Object.fromEntries(names.map((name) => [name, gl.getUniformLocation(program, name)])) };
  }

  /** A texture to draw on, of at least a size. */
  prepareTarget(columns, rows, isLinear) {
    const { gl, target } = this;
    const format = this.precisions[0] === "unorm16" ? this.norm16.RGBA16_EXT
      : this.precisions[0] === "half" ? gl.RGBA16F : isLinear ? gl.SRGB8_ALPHA8 : gl.RGBA8;
    const isFitting = target && target.format === format && target.width >= columns && target.height >= rows
      && target.width * target.height <= 8 * Math.max(columns * rows, 1 << 18);
    if (isFitting) return target;
    const [width, height] = target && target.format === format && target.width * target.height < 8 * columns * rows
      ? [Math.max(columns, target.width), Math.max(rows, target.height)] : [columns, rows];
    if (target) {
      gl.deleteTexture(target.texture);
      gl.deleteFramebuffer(target.frame);
    }
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    const frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE && this.precisions.length > 1 && !gl.isContextLost()) {
      gl.deleteTexture(texture);
      gl.deleteFramebuffer(frame);
      this.target = undefined;
      this.precisions.shift();
      return this.prepareTarget(columns, rows, isLinear);
    }
    this.target = { texture, frame, format, width, height, isClamped: format !== gl.RGBA16F };
    return this.target;
  }

  /** The size in pixels that a picture may have. */
  get greatest() { return Math.min(this.gl.getParameter(this.gl.MAX_TEXTURE_SIZE), 8192); }

  /**
   * Draws a frame at the lower left corner of the canvas.
   * @param {Order} order
   * @param {Sheet} sheet
   * @param {{width: number, height: number, samples?: number}} size in pixels.
   * @returns {boolean} whether it was drawn. False while the context is lost.
   */
  draw(order, sheet, { width, height, samples = 1 }) {
    const { gl } = this;
    if (this.isLost || gl.isContextLost()) return false;
    if (this.canvas.width < width) this.canvas.width = width;
    if (this.canvas.height < height) this.canvas.height = height;
    const [columns, rows] = [width * samples, height * samples];
    const target = this.prepareTarget(columns, rows, order.isLinear);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.frame);
    gl.viewport(0, 0, columns, rows);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, columns, rows);
    const [red, green, blue, alpha] = clearColor(order);
    gl.clearColor(red * alpha, green * alpha, blue * alpha, alpha);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.calls = 0;
    // The time of a call is of no use: the graphics processor may still draw the picture before.
    if (this.isBehind) this.adapt(50);
    else if (this.isQuick && this.omitted > 0) this.paint = Math.min(mostPaint, this.paint * 1.5);
    const most = Math.max(this.paint, leastLayers * columns * rows);
    const kept = thinned(order.quads, order.count, { columns, rows }, most);
    [this.omitted, this.painted] = [order.count - kept.count, kept.area];
    if (kept.count > 0) this.drawQuads({ ...order, ...kept }, sheet, columns, rows);
    this.finishPicture(order, width, height, samples);
    gl.deleteSync(this.fence ?? null);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    return true;
  }

  /** Whether the last picture is not finished yet. */
  get isBehind() {
    const { gl } = this;
    return Boolean(this.fence) && !this.isLost && gl.getSyncParameter(this.fence, gl.SYNC_STATUS) === gl.UNSIGNALED;
  }

  /** Bounds what pictures may cover by what the last one took: half a frame of 60 in a second is enough. */
  adapt(milliseconds) {
    if (milliseconds > 30 && this.painted > leastPaint) this.paint = Math.max(leastPaint, this.painted * Math.min(0.7, 15 / milliseconds));
    this.isQuick = milliseconds < 12;
  }

  drawQuads(order, sheet, columns, rows) {
    const { gl } = this;
    const states = Array.from({ length: order.states.length / 8 }, (_, index) => new BlendState(order.states, index));
    const atlases = states.map((state) => sheet.atlas(this, state.form, order));
    const { buffer, byteOffset } = order.quads;
    const integers = new Int32Array(buffer, byteOffset, order.count * quadWords);
    const floats = new Float32Array(buffer, byteOffset, order.count * quadWords);
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, order.quads.subarray(0, order.count * quadBytes), gl.STREAM_DRAW);
    gl.useProgram(this.quads.program);
    gl.uniform2f(this.quads.picture, columns, rows);
    gl.uniform1i(this.quads.table, 0);
    gl.uniform1i(this.quads.page, 1);
    gl.uniform1i(this.quads.nextPage, 2);
    gl.enable(gl.BLEND);
    this.pending = undefined;
    let start = 0;
    while (start < order.count) {
      const state = integers[start * quadWords + word.state];
      const atlas = atlases[state];
      let [page, next] = [-1, -1];
      let end = start;
      let isBright = false;
      for (; end < order.count; end++) {
        const at = end * quadWords;
        if (integers[at + word.state] !== state) break;
        const own = atlas.pageOf[integers[at + word.texture]] ?? 0;
        const second = integers[at + word.next] >= 0 ? atlas.pageOf[integers[at + word.next]] : -1;
        if (page >= 0 && own !== page) break;
        if (second >= 0 && next >= 0 && second !== next) break;
        page = own;
        if (second >= 0) next = second;
        isBright ||= floats[at + word.red] > 1 || floats[at + word.red + 1] > 1 || floats[at + word.red + 2] > 1 || floats[at + word.alpha] > 1;
      }
      this.drawRun(states[state], atlas, [page, next < 0 ? page : next], start, end, isBright);
      start = end;
    }
  }

  /** Draws quads that have one state, and their textures on one pair of pages. */
  drawRun(state, atlas, pages, start, end, isBright) {
    const { gl } = this;
    gl.uniform1i(this.quads.isTintPremultiplied, state.isTintPremultiplied ? 1 : 0);
    [atlas.table, atlas.pages[pages[0]].texture, atlas.pages[pages[1]].texture].forEach((texture, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    });
    gl.activeTexture(gl.TEXTURE0);
    const isFree = !this.target.isClamped;
    const bounds = isFree ? { low: state.isNegative, high: state.mayExceed(isBright) } : { low: false, high: false };
    if (isFree && this.pending && !(state.isSum && this.pending.equation === state.equation)) this.bound();
    const isWhole = !(bounds.low || bounds.high) || state.isSum;
    const part = isWhole ? end - start : Math.ceil((end - start) / mostParts);
    for (let from = start; from < end; from += part) {
      if (from > start) this.bound();
      state.apply(gl);
      this.drawInstances(from, Math.min(part, end - from));
      if (bounds.low || bounds.high) this.pending = { ...bounds, equation: state.equation };
    }
  }

  drawInstances(first, count) {
    const { gl } = this;
    const at = first * quadBytes;
    for (const [index, size, offset] of [[0, 4, 0], [1, 4, 16], [2, 3, 32], [3, 4, 44], [4, 4, 60], [6, 1, 84]]) {
      gl.vertexAttribPointer(index, size, gl.FLOAT, false, quadBytes, at + offset);
    }
    gl.vertexAttribIPointer(5, 2, gl.INT, quadBytes, at + 76);
    gl.vertexAttribIPointer(7, 1, gl.INT, quadBytes, at + 92);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    this.calls += 1;
  }

  /** Brings the picture into 0…1, which floating-point numbers of a target are not by themselves. */
  bound() {
    if (!this.pending) return;
    const { gl } = this;
    const { low, high } = this.pending;
    this.pending = undefined;
    gl.useProgram(this.plain.program);
    gl.bindVertexArray(this.noArray);
    for (const [isNeeded, equation, value] of [[low, gl.MAX, 0], [high, gl.MIN, 1]]) {
      if (!isNeeded) continue;
      gl.blendEquation(equation);
      gl.uniform4f(this.plain.color, value, value, value, value);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    gl.bindVertexArray(this.array);
    gl.useProgram(this.quads.program);
  }

  finishPicture(order, width, height, samples) {
    const { gl } = this;
    gl.disable(gl.BLEND);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.scissor(0, 0, width, height);
    gl.useProgram(this.finish.program);
    gl.bindVertexArray(this.noArray);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.target.texture);
    gl.uniform1i(this.finish.picture, 0);
    gl.uniform1i(this.finish.samples, samples);
    gl.uniform1i(this.finish.isLinear, order.isLinear ? 1 : 0);
    gl.uniform1i(this.finish.isOpaque, order.background && order.background[3] >= 1 ? 1 : 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  /** Copies the picture that was drawn last to the context of a canvas of its size. */
  copy(context, width, height) {
    context.globalCompositeOperation = "copy";
    context.drawImage(this.canvas, 0, this.canvas.height - height, width, height, 0, 0, width, height);
  }
}

/** Whether a context has no graphics processor, by its name. */
function isSoftware(gl) {
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(gl.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER)));
}

function clearColor({ background, isLinear }) {
  if (!background) return [0, 0, 0, 0];
  const unit = background.map((value) => (value > 0 ? Math.min(value, 1) : 0));
  const component = (value) =>
    (isLinear ? (value > 0.04045 ? ((value + 0.055) / 1.055) ** 2.4 : value / 12.92) : value);
  return [component(unit[0]), component(unit[1]), component(unit[2]), unit[3]];
}
