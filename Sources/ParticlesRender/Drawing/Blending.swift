internal import ParticlesModel

/// Combines a fragment with the picture.
protocol Blending {
  func callAsFunction(_ fragment: SIMD4<Float>, over picture: SIMD4<Float>) -> SIMD4<Float>
}

extension SIMD4<Float> {
  /// Components within 0…1, as a target with 8 bits holds them.
  @inline(__always)
  var inUnit: SIMD4<Float> {
    let low = replacing(with: 0, where: self .< 0)
    return low.replacing(with: 1, where: low .> 1)
  }
}

/// F + D · (1 − A), for fragments within 0…1.
struct OverBlending: Blending {
  @inline(__always)
  func callAsFunction(_ fragment: SIMD4<Float>, over picture: SIMD4<Float>) -> SIMD4<Float> {
    fragment + picture * (1 - fragment.w)
  }
}

/// F + D, for fragments that are not negative.
struct AddBlending: Blending {
  @inline(__always)
  func callAsFunction(_ fragment: SIMD4<Float>, over picture: SIMD4<Float>) -> SIMD4<Float> {
    var fragment = fragment
    fragment.w = 0
    let sum = picture + fragment
    return sum.replacing(with: 1, where: sum .> 1)
  }
}

/// F · A + D · (1 − A) or F · A + D, for fragments within 0…1.
struct StraightBlending: Blending {
  let isAdding: Bool

  @inline(__always)
  func callAsFunction(_ fragment: SIMD4<Float>, over picture: SIMD4<Float>) -> SIMD4<Float> {
    let alpha = fragment.w
    var product = fragment * alpha
    if isAdding {
      product.w = 0
      let sum = picture + product
      return sum.replacing(with: 1, where: sum .> 1)
    }
    product.w = alpha
    return product + picture * (1 - alpha)
  }
}

/// Any factors.
struct FactorBlending: Blending {
  let state: BlendState

  @inline(__always)
  private static func factor(
    _ factor: BlendState.Factor, _ s: SIMD4<Float>, _ d: SIMD4<Float>
  ) -> SIMD4<Float> {
    switch factor {
    case .zero: .zero
    case .one: .one
    case .sourceColor: s
    case .oneMinusSourceColor: .one - s
    case .sourceAlpha: SIMD4(repeating: s.w)
    case .oneMinusSourceAlpha: SIMD4(repeating: 1 - s.w)
    case .destinationAlpha: SIMD4(repeating: d.w)
    case .oneMinusDestinationAlpha: SIMD4(repeating: 1 - d.w)
    case .destinationColor: d
    case .oneMinusDestinationColor: .one - d
    case .sourceAlphaSaturate:
      SIMD4(SIMD3(repeating: Swift.min(s.w, 1 - d.w)), 1)
    }
  }

  func callAsFunction(_ fragment: SIMD4<Float>, over picture: SIMD4<Float>) -> SIMD4<Float> {
    let (s, d) = (fragment.inUnit, picture)
    var source = Self.factor(state.source, s, d)
    source.w = Self.factor(state.alphaSource, s, d).w
    var destination = Self.factor(state.destination, s, d)
    destination.w = Self.factor(state.alphaDestination, s, d).w
    let result: SIMD4<Float> =
      switch state.equation {
      case .add: s * source + d * destination
      case .subtract: s * source - d * destination
      case .reverseSubtract: d * destination - s * source
      case .min: s.replacing(with: d, where: d .< s)
      case .max: s.replacing(with: d, where: d .> s)
      }
    return result.inUnit
  }
}
