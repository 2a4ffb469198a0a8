internal import ParticlesModel

/// Combines a fragment with the picture.
protocol Blending {
  func callAsFunction(_ fragment: SIMD4<Float>, over picture: SIMD4<Float>) -> SIMD4<Float>
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

extension BlendState: Blending {}
