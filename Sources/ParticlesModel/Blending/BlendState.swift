internal import ParticlesCore

/// How the fragments of a sprite are combined with the picture: the state that an engine sets before it draws. T is the
/// texel, C the colour of the particle and D the picture. The fragment is F = T · C, and the result is F · source ∘ D ·
/// destination.
package struct BlendState: Hashable {
  /// The form of a texel.
  package enum Texel: Hashable {
    /// Colours are not multiplied by alpha.
    case straight
    /// Colours are multiplied by alpha.
    case premultiplied
    /// As stored in the image, in either form.
    case stored
  }

  /// A factor, numbered as in OpenGL.
  package enum Factor: Int {
    case zero = 0
    case one
    case sourceColor = 768
    case oneMinusSourceColor, sourceAlpha, oneMinusSourceAlpha
    case destinationAlpha, oneMinusDestinationAlpha
    case destinationColor, oneMinusDestinationColor
    case sourceAlphaSaturate

    /// Whether all of the picture stays under a fragment whose components are all 0.
    fileprivate var keepsAll: Bool {
      switch self {
      case .one, .oneMinusSourceAlpha, .oneMinusSourceColor: true
      default: false
      }
    }
  }

  package var texel: Texel
  /// Whether the colour of the particle is multiplied by its alpha.
  package var isTintPremultiplied: Bool
  /// Factors of the colour.
  package var source: Factor
  package var destination: Factor
  /// Factors of alpha.
  package var alphaSource = Factor.one
  package var alphaDestination = Factor.oneMinusSourceAlpha
  package var equation = Emitter.BlendEquation.add

  package init(
    _ texel: Texel, isTintPremultiplied: Bool, _ source: Factor, _ destination: Factor,
    _ equation: Emitter.BlendEquation = .add
  ) {
    self.texel = texel
    self.isTintPremultiplied = isTintPremultiplied
    (self.source, self.destination) = (source, destination)
    self.equation = equation
    // Light that is added to a picture, or taken from it, covers nothing.
    switch destination {
    case .oneMinusSourceAlpha where equation == .add: break
    case .zero where source != .destinationColor && equation == .add: alphaDestination = .zero
    default: (alphaSource, alphaDestination) = (.zero, .one)
    }
  }

  /// Whether a fragment whose components are all 0 leaves the picture as it is.
  private var ignoresNothing: Bool {
    destination.keepsAll && alphaDestination.keepsAll
      && (equation == .add || equation == .reverseSubtract)
  }

  /// Whether a fragment without alpha leaves the picture as it is.
  package var ignoresTransparent: Bool {
    guard ignoresNothing else { return false }
    return texel == .premultiplied
      || source == .sourceAlpha && destination != .oneMinusSourceColor
        && (alphaSource == .zero || alphaDestination == .oneMinusSourceAlpha)
  }
}

extension BlendState {
  /// The state for a blend mode under the law of an engine. See `Spec/document.md`, section Rendering.
  package init(_ blend: Blend, _ drawing: EngineLaw.Drawing) {
    switch drawing.blending {
    case .formula: self.init(formula: blend, drawing)
    case .factors: self.init(factors: blend, drawing)
    case .sourceAlpha:
      self.init(factors: blend, drawing)
      source = .sourceAlpha
    }
  }

  private static func factors(of blend: Blend) -> (Factor, Factor) {
    (
      blend.source.flatMap(Factor.init) ?? .one,
      blend.destination.flatMap(Factor.init) ?? .oneMinusSourceAlpha
    )
  }

  private init(formula blend: Blend, _ drawing: EngineLaw.Drawing) {
    // P is the colour times alpha. Textures that are filtered straight get alpha as a blend factor instead.
    let isPremultiplied = drawing.texture == .premultiplied
    let once: Factor = isPremultiplied ? .one : .sourceAlpha
    func product(
      _ source: Factor, _ destination: Factor, _ equation: BlendEquation = .add
    ) -> BlendState {
      BlendState(
        source == .sourceAlpha ? .straight : .premultiplied,
        isTintPremultiplied: source != .sourceAlpha, source, destination, equation)
    }
    func plain(_ texel: Texel, _ source: Factor, _ destination: Factor) -> BlendState {
      BlendState(texel, isTintPremultiplied: false, source, destination)
    }
    switch blend.mode {
    case .alpha: self = product(once, .oneMinusSourceAlpha)
    case .add: self = product(once, .one)
    case .subtract: self = product(once, .one, .reverseSubtract)
    case .multiply: self = plain(.straight, .destinationColor, .zero)
    case .multiplyAlpha: self = product(.destinationColor, .oneMinusSourceAlpha)
    case .multiplyX2: self = plain(.straight, .destinationColor, .sourceColor)
    case .screen: self = product(.one, .oneMinusSourceColor)
    case .replace: self = plain(.straight, .one, .zero)
    case .premultiplied: self = plain(.stored, .one, .oneMinusSourceAlpha)
    case .custom:
      let (source, destination) = Self.factors(of: blend)
      let isProduct = blend.premultiply == .always
      let usesColor = [.sourceColor, .oneMinusSourceColor].contains(destination)
      let hasFactors = ![.min, .max].contains(blend.equation)
      if !isProduct, source == .sourceAlpha, !usesColor, hasFactors {
        self = product(once, destination, blend.equation)
      } else {
        self.init(
          isProduct ? .premultiplied : .straight, isTintPremultiplied: isProduct, source,
          destination, blend.equation)
      }
    }
  }

  private init(factors blend: Blend, _ drawing: EngineLaw.Drawing) {
    let isPremultiplied = drawing.texture == .premultiplied
    let once: Factor =
      isPremultiplied && drawing.tintAlpha == .premultiplied ? .one : .sourceAlpha
    let (source, destination): (Factor, Factor) =
      switch blend.mode {
      case .alpha: (once, .oneMinusSourceAlpha)
      case .add, .subtract: (once, .one)
      case .multiply: (.destinationColor, .zero)
      case .multiplyAlpha: (.destinationColor, .oneMinusSourceAlpha)
      case .multiplyX2: (.destinationColor, .sourceColor)
      case .screen: (once, .oneMinusSourceColor)
      case .replace: (once, .zero)
      case .premultiplied: (.one, .oneMinusSourceAlpha)
      case .custom: Self.factors(of: blend)
      }
    let equation: BlendEquation =
      switch blend.mode {
      case .subtract: .reverseSubtract
      case .custom: blend.equation
      default: .add
      }
    self.init(
      isPremultiplied ? .premultiplied : blend.mode == .premultiplied ? .stored : .straight,
      isTintPremultiplied: drawing.multipliesTint(for: blend), source, destination, equation)
  }

  /// The factors of the components of a fragment `s` over a picture `d`.
  @inlinable @inline(__always)
  package static func factor(
    _ factor: Factor, _ s: SIMD4<Float>, _ d: SIMD4<Float>
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

  /// Combines a fragment with the picture.
  @inlinable
  package func callAsFunction(_ fragment: SIMD4<Float>, over picture: SIMD4<Float>) -> SIMD4<Float>
  {
    let (s, d) = (fragment.inUnit, picture)
    var source = Self.factor(self.source, s, d)
    source.w = Self.factor(alphaSource, s, d).w
    var destination = Self.factor(self.destination, s, d)
    destination.w = Self.factor(alphaDestination, s, d).w
    let result: SIMD4<Float> =
      switch equation {
      case .add: s * source + d * destination
      case .subtract: s * source - d * destination
      case .reverseSubtract: d * destination - s * source
      case .min: s.replacing(with: d, where: d .< s)
      case .max: s.replacing(with: d, where: d .> s)
      }
    return result.inUnit
  }
}

extension SIMD4<Float> {
  /// Components within 0…1, as a target with 8 bits holds them.
  @inlinable @inline(__always)
  package var inUnit: SIMD4<Float> {
    let low = replacing(with: 0, where: self .< 0)
    return low.replacing(with: 1, where: low .> 1)
  }
}

/// How differently a particle changes the picture behind it, by its blend mode under the law of an engine.
package enum BlendDifference {
  /// Returns the root mean square difference of the pictures that two blend modes draw, 0 to 1. The pictures are drawn
  /// over black, grey and white, with one and with three layers, and with texels of three opacities.
  /// - Parameters:
  ///   - a: a blend mode, and the profile by which it is drawn.
  ///   - b: the second blend mode, and the profile by which it is drawn.
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

/// Encoding of light by sRGB (IEC 61966-2-1).
package enum LightCurve {
  /// Light of an encoded component.
  package static func light(_ encoded: Float) -> Float {
    guard encoded > 0.04045 else { return encoded / 12.92 }
    return Float(power((Double(encoded) + 0.055) / 1.055, 2.4))
  }

  /// An encoded component of light.
  package static func encoded(_ light: Float) -> Float {
    guard light > 0.0031308 else { return light * 12.92 }
    return Float(1.055 * power(Double(light), 1 / 2.4) - 0.055)
  }
}
