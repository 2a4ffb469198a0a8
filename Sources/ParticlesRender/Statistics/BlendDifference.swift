package import ParticlesModel

/// How differently a particle changes the picture behind it, by its blend mode under the law of an engine.
package enum BlendDifference {
  /// The root of the mean square of the difference of two blend modes: over black, grey and white
  /// pictures, for one particle and for three above each other, and for opaque and half transparent
  /// texels; 0 to 1.
  /// - Parameters:
  ///   - a: a blend mode, and the profile by which it is drawn.
  ///   - b: the other.
  ///   - color: the colour of the particle with its opacity.
  package static func between(
    _ a: (blend: Blend, profile: ParticleSystem.Profile),
    _ b: (blend: Blend, profile: ParticleSystem.Profile),
    color: SIMD4<Float>
  ) -> Double {
    let states = (
      BlendState(a.blend, a.profile.drawing), BlendState(b.blend, b.profile.drawing)
    )
    guard states.0 != states.1 else { return 0 }
    var (sum, count) = (0.0, 0.0)
    for grey: Float in [0, 0.5, 1] {
      for texel: Float in [1, 0.5] {
        for layers in [1, 3] {
          let picture = SIMD4(grey, grey, grey, 1)
          let one = draw(states.0, color, texel, layers, over: picture)
          let other = draw(states.1, color, texel, layers, over: picture)
          var difference = one - other
          difference.w = 0
          sum += Double(min((difference * difference).total, 1))
          count += 1
        }
      }
    }
    return (sum / count).squareRoot()
  }

  private static func draw(
    _ state: BlendState, _ color: SIMD4<Float>, _ texel: Float, _ layers: Int,
    over picture: SIMD4<Float>
  ) -> SIMD4<Float> {
    let colors: Float = state.texel == .straight ? 1 : texel
    var tint = color.inUnit
    if state.isTintPremultiplied {
      tint *= tint.w
      tint.w = color.w
    }
    let fragment = tint * SIMD4(colors, colors, colors, texel)
    let blending = FactorBlending(state: state)
    return (0..<layers).reduce(picture) { picture, _ in blending(fragment, over: picture) }
  }
}

extension SIMD4<Float> {
  fileprivate var total: Float { x + y + z + w }
}
