/// How differently a particle changes the picture behind it, by its blend mode under the law of an engine.
package enum BlendDifference {
  /// The root of the mean square of the difference of two blend modes: over black, grey and white
  /// pictures, for one particle and for three above each other, and for texels of three opacities;
  /// 0 to 1.
  /// - Parameters:
  ///   - a: a blend mode, and the profile by which it is drawn.
  ///   - b: the other.
  ///   - color: the colour of the particle with its opacity.
  package static func between(
    _ a: (blend: Blend, profile: ParticleSystem.Profile),
    _ b: (blend: Blend, profile: ParticleSystem.Profile),
    color: SIMD4<Float>
  ) -> Double {
    let drawings = (a.profile.drawing, b.profile.drawing)
    let states = (BlendState(a.blend, drawings.0), BlendState(b.blend, drawings.1))
    let isLinear = (drawings.0.space == .linear, drawings.1.space == .linear)
    guard states.0 != states.1 || isLinear.0 != isLinear.1 else { return 0 }
    var (sum, count) = (0.0, 0.0)
    for grey: Float in [0, 0.5, 1] {
      for texel in texels {
        for layers in [1, 3] {
          let picture = SIMD4(grey, grey, grey, 1)
          let one = draw(states.0, isLinear.0, color, texel, layers, over: picture)
          let other = draw(states.1, isLinear.1, color, texel, layers, over: picture)
          var difference = one - other
          difference.w = 0
          sum += Double(min((difference * difference).total, 1))
          count += 1
        }
      }
    }
    return (sum / count).squareRoot()
  }

  /// The reason for a difference between two engines, for people.
  package static func reason(
    _ a: ParticleSystem.Profile, _ b: ParticleSystem.Profile
  ) -> String {
    func light(_ engine: ParticleSystem.Profile) -> String {
      "\(engine.rawValue) blends in \(engine.drawing.space == .linear ? "linear light" : "sRGB")"
    }
    return a.drawing.space == b.drawing.space
      ? "\(a.rawValue) and \(b.rawValue) combine colour and alpha in different ways"
      : "\(light(a)), \(light(b))"
  }

  /// The alpha of white texels: most of an image of a particle is partly transparent.
  private static let texels: [Float] = [1, 2.0 / 3, 1.0 / 3]

  private static func draw(
    _ state: BlendState, _ isLinear: Bool, _ color: SIMD4<Float>, _ texel: Float, _ layers: Int,
    over picture: SIMD4<Float>
  ) -> SIMD4<Float> {
    let color = isLinear ? color.inLight : color
    let picture = isLinear ? picture.inLight : picture
    let colors: Float = state.texel == .straight ? 1 : texel
    var tint = color.inUnit
    if state.isTintPremultiplied {
      tint *= tint.w
      tint.w = color.w
    }
    let fragment = tint * SIMD4(colors, colors, colors, texel)
    let result = (0..<layers).reduce(picture) { picture, _ in state(fragment, over: picture) }
    return isLinear ? result.encoded : result
  }
}

extension SIMD4<Float> {
  fileprivate var total: Float { x + y + z + w }

  /// The colour, encoded by sRGB, as light.
  fileprivate var inLight: SIMD4<Float> {
    SIMD4(LightCurve.light(x), LightCurve.light(y), LightCurve.light(z), w)
  }

  /// The light, encoded by sRGB.
  fileprivate var encoded: SIMD4<Float> {
    SIMD4(LightCurve.encoded(x), LightCurve.encoded(y), LightCurve.encoded(z), w)
  }
}
