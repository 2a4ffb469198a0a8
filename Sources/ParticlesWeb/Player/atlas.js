import { Texels, premultiplied } from "./texels.js";

/** Numbers of a texture in the table: its size and levels, and the place of each of up to 16 levels. */
export const tableColumns = 17;
/** The width of the texture that holds the table. */
export const tableWidth = 1020;

/** A rectangle of a texture of WebGL in which pictures are put in rows. */
class Page {
  constructor(gl, size, isHalf) {
    Object.assign(this, { gl, size, isHalf, shelves: [], bottom: 0 });
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, isHalf ? gl.RGBA16F : gl.RGBA8, size, size);
    for (const [name, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ]) gl.texParameteri(gl.TEXTURE_2D, name, value);
  }

  /** A free place, or undefined. */
  place(width, height) {
    let best;
    for (const shelf of this.shelves) {
      if (shelf.height >= height && this.size - shelf.x >= width && !(best?.height <= shelf.height)) best = shelf;
    }
    if (!best || best.height > 2 * height) {
      const hasRoom = this.size - this.bottom >= height && this.size >= width;
      if (hasRoom) {
        best = { x: 0, y: this.bottom, height };
        this.bottom += height;
        this.shelves.push(best);
      }
    }
    if (!best) return undefined;
    best.x += width;
    return { x: best.x - width, y: best.y };
  }

  write({ x, y }, plane) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    if (this.isHalf) {
      gl.texSubImage2D(gl.TEXTURE_2D, 0, x, y, plane.columns, plane.rows, gl.RGBA, gl.FLOAT, plane.texels);
      return;
    }
    const bytes = Uint8Array.from(plane.texels, (value) => value * 255 + 0.5);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, x, y, plane.columns, plane.rows, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  }
}

/** The textures of an effect in one form of texels, in as few textures of WebGL as possible. */
export class Atlas {
  /**
   * @param {WebGL2RenderingContext} gl
   * @param {number} form of texels.
   * @param {boolean} isLinear whether the picture is mixed in linear light.
   */
  constructor(gl, form, isLinear) {
    Object.assign(this, { gl, form, isLinear });
    this.pages = [];
    /** The page of each texture. */
    this.pageOf = [];
    this.numbers = new Float32Array(0);
    this.table = gl.createTexture();
    this.largest = Math.min(gl.getParameter(gl.MAX_TEXTURE_SIZE), 8192);
  }

  /**
   * Adds textures that are not there yet.
   * @param {import("./texels.js").TextureRecord[]} records all textures.
   * @param {Map<number, object>} images
   */
  update(records, images) {
    const first = this.pageOf.length;
    if (first >= records.length) return;
    const textures = records.slice(first).map(
      (record) => new Texels(record, images.get(record.image), this.isLinear, this.largest));
    const area = textures.reduce((sum, { width, height }) => sum + width * height, 0) * 2.5;
    this.isConverting ||= textures.some((texture) => texture.convert);
    textures.forEach((texture, index) => this.add(texture, first + index, area));
    this.writeTable();
  }

  add(texture, index, area) {
    if (this.numbers.length < (index + 1) * tableColumns * 4) {
      const longer = new Float32Array(Math.max(64, 2 * (index + 1)) * tableColumns * 4);
      longer.set(this.numbers);
      this.numbers = longer;
    }
    const at = index * tableColumns * 4;
    this.numbers.set([texture.width, texture.height, texture.least, texture.most], at);
    const planes = [...texture.planes(this.form)];
    // All levels have to be on one page.
    let page = this.pages.length - 1;
    let places = page >= 0 ? this.places(this.pages[page], planes) : undefined;
    if (!places) {
      page = this.pages.length;
      this.pages.push(this.makePage(planes, area));
      places = this.places(this.pages[page], planes);
    }
    planes.forEach((plane, number) => {
      const { x, y } = places[number];
      this.pages[page].write(places[number], plane);
      this.numbers.set([x, y, plane.columns, plane.rows], at + (1 + plane.level) * 4);
    });
    this.pageOf[index] = page;
  }

  places(page, planes) {
    const [shelves, bottom] = [page.shelves.map((shelf) => ({ ...shelf })), page.bottom];
    const places = planes.map(({ columns, rows }) => page.place(columns, rows));
    if (places.every(Boolean)) return places;
    Object.assign(page, { shelves, bottom });
    return undefined;
  }

  makePage(planes, area) {
    const side = Math.max(planes[0].columns, planes[0].rows);
    let size = 64;
    while (size < this.largest && (size * size < area || size < side * 1.6)) size *= 2;
    size = Math.min(Math.max(size, side), this.largest);
    // Eight bits hold texels as they are stored. Products and light need more, unless memory is short.
    const isHalf = (this.form === premultiplied || this.isConverting) && size <= 4096;
    for (;;) {
      const page = new Page(this.gl, size, isHalf);
      const probe = { shelves: [], bottom: 0, size, place: page.place };
      if (size >= this.largest || this.places(probe, planes)) return page;
      this.gl.deleteTexture(page.texture);
      size = Math.min(size * 2, this.largest);
    }
  }

  writeTable() {
    const { gl } = this;
    const texels = this.pageOf.length * tableColumns;
    const rows = Math.ceil(texels / tableWidth);
    const data = new Float32Array(rows * tableWidth * 4);
    data.set(this.numbers.subarray(0, texels * 4));
    gl.bindTexture(gl.TEXTURE_2D, this.table);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, tableWidth, rows, 0, gl.RGBA, gl.FLOAT, data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  destroy() {
    for (const page of this.pages) this.gl.deleteTexture(page.texture);
    this.gl.deleteTexture(this.table);
    this.pages = [];
    this.pageOf = [];
  }
}
