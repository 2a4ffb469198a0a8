internal import ParticlesCore

/// Yields the texels of a row of pixels, one after the other.
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
