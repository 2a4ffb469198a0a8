internal import ParticlesCore
package import ParticlesImages
internal import ParticlesModel
internal import ParticlesSimulation

/// Texels as numbers, with a border that repeats the outermost ones, so that filtering needs no
/// special cases at edges.
final class TexelPlane {
  /// The size of the picture in texels, which need not be whole at a lower resolution.
  let width: Double
  let height: Double
  /// Texels in a row, the border included.
  let stride: Int
  /// Red, green, blue and alpha.
  let texels: UnsafeMutablePointer<SIMD4<Float>>
  /// The columns and rows whose texels have any alpha, or nil if there are none.
  let covered: (x: Range<Int>, y: Range<Int>)?

  /// - Parameters:
  ///   - size: of the picture at full resolution.
  ///   - level: how often width and height are halved.
  ///   - texel: the texel of a column and row.
  init(
    _ size: (width: Int, height: Int), level: Int = 0,
    texel: (_ x: Int, _ y: Int) -> SIMD4<Float>
  ) {
    let part = 1 << level
    let (width, height) = ((size.width + part - 1) / part, (size.height + part - 1) / part)
    (self.width, self.height) = (
      Double(size.width) / Double(part), Double(size.height) / Double(part)
    )
    stride = width + 2
    texels = .allocate(capacity: stride * (height + 2))
    var (left, right, top, bottom) = (width, 0, height, 0)
    for y in 0..<height {
      let row = texels + (y + 1) * stride
      for x in 0..<width {
        let value = texel(x, y)
        (row + (x + 1)).initialize(to: value)
        guard value.w > 0 else { continue }
        (left, right) = (min(left, x), max(right, x + 1))
        (top, bottom) = (min(top, y), max(bottom, y + 1))
      }
      row.initialize(to: row[1])
      (row + (width + 1)).initialize(to: row[width])
    }
    texels.initialize(from: texels + stride, count: stride)
    (texels + (height + 1) * stride).initialize(from: texels + height * stride, count: stride)
    covered = left < right ? (left..<right, top..<bottom) : nil
  }

  deinit { texels.deallocate() }
}

/// A picture that sprites show: a rectangle of an image, at several resolutions.
package final class SpriteTexture {
  /// The most texels that the textures of an effect keep at one resolution, by default: 256 MB.
  package static let mostTexels = 16_000_000

  /// The most texels that this one keeps.
  private let most: Int

  package let width: Int
  package let height: Int
  private let image: Bitmap?
  private let origin: (x: Int, y: Int)
  private let isRotated: Bool
  private let isStoredPremultiplied: Bool
  private let convert: (@Sendable (Float) -> Float)?
  private var planes: [Key: TexelPlane] = [:]

  private struct Key: Hashable {
    var texel: BlendState.Texel
    var level: Int
  }

  /// A rectangle of an image.
  /// - Parameters:
  ///   - region: in pixels from the top left corner. The default is the whole image. The part
  ///     outside of the image is left out.
  ///   - isRotated: whether the rectangle is stored turned by 90° clockwise.
  ///   - isStoredPremultiplied: whether the colours of the image are multiplied by alpha.
  ///   - convert: translates components of straight colours, such as from sRGB to light.
  ///   - most: the most texels that are kept at one resolution, of 16 bytes each.
  package init?(
    _ image: Bitmap, region: (x: Int, y: Int, width: Int, height: Int)? = nil,
    isRotated: Bool = false, isStoredPremultiplied: Bool = false,
    convert: (@Sendable (Float) -> Float)? = nil, most: Int = SpriteTexture.mostTexels
  ) {
    let region = region ?? (0, 0, image.width, image.height)
    let x = min(max(region.x, 0), image.width)
    let y = min(max(region.y, 0), image.height)
    let width = min(max(region.width, 0), image.width - x)
    let height = min(max(region.height, 0), image.height - y)
    guard width > 0, height > 0 else { return nil }
    origin = (x, y)
    (self.width, self.height) = isRotated ? (height, width) : (width, height)
    self.image = image
    self.isRotated = isRotated
    self.isStoredPremultiplied = isStoredPremultiplied
    self.convert = convert
    self.most = most
  }

  /// A white square.
  package init() {
    most = 1
    (width, height, origin) = (1, 1, (0, 0))
    (image, isRotated, isStoredPremultiplied, convert) = (nil, false, false, nil)
  }

  /// Whether there are more texels than are kept at one resolution.
  var isLarge: Bool { texels(at: 0) > most }

  private func texels(at level: Int) -> Int { (width >> level) * (height >> level) }

  /// Whether a quad is drawn with fewer texels than it has room for.
  func isReduced(for quad: Quad) -> Bool {
    isLarge && texels(at: fittingLevel(of: quad)) > most
  }

  /// How often the resolution is halved for a quad, so that few texels are passed over.
  func level(of quad: Quad) -> Int {
    var level = fittingLevel(of: quad)
    while texels(at: level) > most { level += 1 }
    return level
  }

  private func fittingLevel(of quad: Quad) -> Int {
    guard image != nil else { return 0 }
    let size = quad.size
    let x = Float(width) * (quad.part.z - quad.part.x).magnitude / max(size.x, 1e-3)
    let y = Float(height) * (quad.part.w - quad.part.y).magnitude / max(size.y, 1e-3)
    // Long and thin quads are not blurred along their length more than four times.
    let ratio = min(max(x, y), 4 * min(x, y))
    var level = 0
    // With fewer texels, a round spot would become a rectangle.
    let (longer, shorter) = (max(width, height) / 2, min(width, height) / 2)
    while level < 15, ratio > 1.5 * Float(1 << level), longer >> level >= 4, shorter >> level >= 2 {
      level += 1
    }
    return level
  }

  /// The texels in a form, at a resolution.
  func plane(_ texel: BlendState.Texel, level: Int) -> TexelPlane {
    let key = Key(texel: texel, level: level)
    if let plane = planes[key] { return plane }
    let plane = makePlane(key)
    planes[key] = plane
    return plane
  }

  private func makePlane(_ key: Key) -> TexelPlane {
    guard let image else { return TexelPlane((1, 1)) { _, _ in .one } }
    let table = ComponentTable(convert)
    return image.pixels.withUnsafeBufferPointer { pixels in
      table.values.withUnsafeBufferPointer { values in
        ComponentTable.shares.withUnsafeBufferPointer { shares in
          let texel = TexelReader(
            pixels: pixels, values: values, shares: shares, table: table, form: key.texel,
            isStoredPremultiplied: isStoredPremultiplied,
            isRotated: isRotated, height: height, origin: origin, imageWidth: image.width)
          return makePlane(key.level, texel)
        }
      }
    }
  }

  private func makePlane(_ level: Int, _ texel: TexelReader) -> TexelPlane {
    if level == 0 { return TexelPlane((width, height)) { texel($0, $1) } }
    let size = 1 << level
    return TexelPlane((width, height), level: level) { x, y in
      var sum = SIMD4<Float>.zero
      let (right, bottom) = (min(width, (x + 1) * size), min(height, (y + 1) * size))
      for row in y * size..<bottom {
        for column in x * size..<right { sum += texel(column, row) }
      }
      return sum / Float((right - x * size) * (bottom - y * size))
    }
  }
}

/// Reads the texels of a picture in one form. Pictures have many, and choices that are equal for all are made once.
private struct TexelReader {
  private let pixels: UnsafeBufferPointer<UInt8>
  private let values: UnsafeBufferPointer<Float>
  private let shares: UnsafeBufferPointer<Float>
  private let table: ComponentTable
  private let isDivided: Bool
  private let isMultiplied: Bool
  /// The first texel, and the bytes from it to its neighbours on the right and below.
  private let (start, right, down): (Int, Int, Int)

  init(
    pixels: UnsafeBufferPointer<UInt8>, values: UnsafeBufferPointer<Float>,
    shares: UnsafeBufferPointer<Float>, table: ComponentTable, form: BlendState.Texel,
    isStoredPremultiplied: Bool, isRotated: Bool, height: Int, origin: (x: Int, y: Int),
    imageWidth: Int
  ) {
    (self.pixels, self.values, self.shares, self.table) = (pixels, values, shares, table)
    isDivided = isStoredPremultiplied && form != .stored
    isMultiplied = form == .premultiplied
    let row = 4 * imageWidth
    // A picture turned clockwise has its left edge at the top.
    if isRotated {
      (start, right, down) = (origin.y * row + (origin.x + height - 1) * 4, row, -4)
    } else {
      (start, right, down) = (origin.y * row + origin.x * 4, 4, row)
    }
  }

  @inline(__always)
  func callAsFunction(_ x: Int, _ y: Int) -> SIMD4<Float> {
    let place = start &+ x &* right &+ y &* down
    let alpha = shares[Int(pixels[place &+ 3])]
    var color: SIMD4<Float>
    if isDivided {
      color = SIMD4(
        Float(pixels[place]), Float(pixels[place &+ 1]), Float(pixels[place &+ 2]), 255)
      color = alpha > 0 ? color / alpha : .zero
      for channel in 0..<3 { color[channel] = table.between(min(color[channel], 255)) }
    } else {
      color = SIMD4(
        values[Int(pixels[place])], values[Int(pixels[place &+ 1])],
        values[Int(pixels[place &+ 2])], 0)
    }
    if isMultiplied { color *= alpha }
    color.w = alpha
    return color
  }
}

/// The 256 values of a component, translated.
struct ComponentTable {
  /// The values as they are, 0…1.
  static let shares = ComponentTable(nil).values
  let values: [Float]
  private let convert: ((Float) -> Float)?

  init(_ convert: (@Sendable (Float) -> Float)?) {
    self.convert = convert
    values = (0..<256).map { value in
      let share = Float(value) / 255
      return convert?(share) ?? share
    }
  }

  /// The result for a value between entries of the table, where 255 is the greatest value.
  func between(_ value: Float) -> Float {
    let share = value / 255
    return convert?(share) ?? share
  }
}

/// Yields the texels of a row of pixels, from left to right.
protocol TexelSampler {
  mutating func next() -> SIMD4<Float>
}

/// One colour.
struct FlatSampler: TexelSampler {
  let texel: SIMD4<Float>

  @inline(__always)
  mutating func next() -> SIMD4<Float> { texel }
}

/// Steps through a texture in a straight line. Coordinates are 32.32 fixed-point numbers, so that every
/// pixel is within the texture if the first and the last are.
struct TexelWalk {
  var u: Int64
  var v: Int64
  let du: Int64
  let dv: Int64

  static let one = 0x1p32

  /// Steps that are known to stay within the texture.
  init(u: Int64, v: Int64, du: Int64, dv: Int64) {
    (self.u, self.v, self.du, self.dv) = (u, v, du, dv)
  }

  /// - Parameters:
  ///   - first: of the first pixel, at least 0.
  ///   - last: of the last pixel.
  init(from first: SIMD2<Double>, to last: SIMD2<Double>, count: Int) {
    (u, v) = (Int64(saturating: first.x * Self.one), Int64(saturating: first.y * Self.one))
    let steps = Int64(max(1, count - 1))
    // Division rounds towards 0, and so never past the last pixel.
    du = (Int64(saturating: last.x * Self.one) - u) / steps
    dv = (Int64(saturating: last.y * Self.one) - v) / steps
  }

  @inline(__always)
  static func fraction(_ coordinate: Int64) -> Float {
    Float(Int32(truncatingIfNeeded: (coordinate >> 8) & 0xFF_FFFF)) * 0x1p-24
  }

  @inline(__always)
  mutating func advance() {
    u &+= du
    v &+= dv
  }
}

/// The texel under the centre of each pixel.
struct NearestSampler: TexelSampler {
  let texels: UnsafePointer<SIMD4<Float>>
  let stride: Int
  var walk: TexelWalk

  @inline(__always)
  mutating func next() -> SIMD4<Float> {
    defer { walk.advance() }
    return texels[Int(walk.v >> 32) &* stride &+ Int(walk.u >> 32)]
  }
}

/// The mean of the four texels around the centre of each pixel, by distance.
struct LinearSampler: TexelSampler {
  let texels: UnsafePointer<SIMD4<Float>>
  let stride: Int
  var walk: TexelWalk

  @inline(__always)
  mutating func next() -> SIMD4<Float> {
    let place = texels + (Int(walk.v >> 32) &* stride &+ Int(walk.u >> 32))
    let (x, y) = (TexelWalk.fraction(walk.u), TexelWalk.fraction(walk.v))
    walk.advance()
    let top = place[0] + (place[1] - place[0]) * x
    let bottom = place[stride] + (place[stride &+ 1] - place[stride]) * x
    return top + (bottom - top) * y
  }
}

/// Texels under a mapping with perspective.
struct PerspectiveSampler: TexelSampler {
  let texels: UnsafePointer<SIMD4<Float>>
  let stride: Int
  let mapping: Mapping
  let isNearest: Bool
  var x: Int
  let y: Int

  mutating func next() -> SIMD4<Float> {
    let point = mapping(x, y)
    x += 1
    let (column, row) = (Int(saturating: point.x), Int(saturating: point.y))
    let place = texels + (row * stride + column)
    if isNearest { return place[0] }
    let (u, v) = (Float(point.x - Double(column)), Float(point.y - Double(row)))
    let top = place[0] + (place[1] - place[0]) * u
    let bottom = place[stride] + (place[stride + 1] - place[stride]) * u
    return top + (bottom - top) * v
  }
}

/// Two samplers, mixed by a weight of the second.
struct MixedSampler<First: TexelSampler, Second: TexelSampler>: TexelSampler {
  var first: First
  var second: Second
  let share: Float

  @inline(__always)
  mutating func next() -> SIMD4<Float> {
    let texel = first.next()
    return texel + (second.next() - texel) * share
  }
}

/// Texel coordinates of the pixels of a quad: with the border of the texture, the first texel's
/// centre is at 1.
struct Mapping {
  /// Coordinates are (u, v) ÷ w, each x · X + y · Y + constant.
  private var u: SIMD3<Double>
  private var v: SIMD3<Double>
  private var w: SIMD3<Double>
  let hasPerspective: Bool
  private let greatest: SIMD2<Double>
  /// Half a texel, which the nearest texel needs more.
  private let offset: Double

  /// The mapping of a quad, or nil if the quad has no area.
  init?(_ quad: Quad, _ plane: TexelPlane) {
    let origin = SIMD2<Double>(quad.corners.0)
    let (x, y) = (
      SIMD2<Double>(quad.corners.1) - origin, SIMD2<Double>(quad.corners.3) - origin
    )
    let area = x.x * y.y - x.y * y.x
    guard area.magnitude > 1e-9, area.isFinite else { return nil }
    // Shares of the two edges from the first corner, at a pixel.
    let s = SIMD3(y.y, -y.x, y.x * origin.y - y.y * origin.x) / area
    let t = SIMD3(-x.y, x.x, x.y * origin.x - x.x * origin.y) / area
    let part = SIMD4<Double>(quad.part)
    let scale = SIMD2(plane.width, plane.height)
    let first = SIMD2(part.x, part.y) * scale
    let (across, down) = ((part.z - part.x) * scale.x, (part.w - part.y) * scale.y)
    let near = SIMD3<Double>(quad.nearness)
    hasPerspective = near.x != near.y || near.x != near.z
    let one = SIMD3(0, 0, 1.0)
    if hasPerspective {
      w = one * near.x + s * (near.y - near.x) + t * (near.z - near.x)
      u = one * (first.x * near.x)
      u += s * ((first.x + across) * near.y - first.x * near.x)
      u += t * (first.x * (near.z - near.x))
      v = one * (first.y * near.x)
      v += s * (first.y * (near.y - near.x))
      v += t * ((first.y + down) * near.z - first.y * near.x)
    } else {
      w = one
      u = one * first.x + s * across
      v = one * first.y + t * down
    }
    greatest = scale
    offset = quad.isNearest ? 1 : 0.5
  }

  /// The difference between two neighbouring pixels of a row, without perspective.
  var step: SIMD2<Double> { SIMD2(u.x, v.x) }

  /// The coordinates of the outermost edges.
  var limits: (least: Double, greatest: SIMD2<Double>) { (offset, greatest + offset) }

  /// Texel coordinates at a pixel, within the texture.
  @inline(__always)
  func callAsFunction(_ x: Int, _ y: Int) -> SIMD2<Double> {
    let pixel = SIMD3(Double(x) + 0.5, Double(y) + 0.5, 1)
    var (u, v) = ((self.u * pixel).sum(), (self.v * pixel).sum())
    if hasPerspective {
      let depth = (w * pixel).sum()
      (u, v) = (u / depth, v / depth)
    }
    // A comparison that fails for NaN as well.
    u = u > 0 ? Swift.min(u, greatest.x) : 0
    v = v > 0 ? Swift.min(v, greatest.y) : 0
    return SIMD2(u + offset, v + offset)
  }
}
