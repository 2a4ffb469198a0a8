internal import ParticlesModel
internal import ParticlesSimulation

/// Selects the visible particles for the comparison of two effects, and converts lengths and sizes to one
/// unit.
struct ParticleLens: Sendable {
  /// The lens for one emitter.
  struct EmitterLens: Sendable {
    /// The factor of lengths.
    var length: Double
    /// The place of the emitter, counted from the first one.
    var offset: SIMD4<Double>
    /// Factors of width and height.
    var size: SIMD2<Double>
    /// Whether particles without alpha leave the picture as it is.
    var hidesTransparent: Bool
    /// The size, in the unit of the document, below which particles cannot be seen.
    var leastSize: Double
    /// Whether particles that cannot be seen count, too.
    var showsAll: Bool

    /// The opacity below which particles cannot be seen.
    static let leastAlpha = 0.01
    /// The same for sizes, as a share of the greatest that the emitter specifies.
    static let leastShare = 0.02

    @inline(__always)
    func shows(_ particle: ViewedParticle) -> Bool {
      showsAll
        || particle.width.magnitude > leastSize && particle.height != 0
          && (!hidesTransparent || particle.color.w > Self.leastAlpha)
    }

    @inline(__always)
    func adjust(_ particle: inout ViewedParticle) {
      particle.place = (particle.place + offset) * length
      particle.velocity *= length
      particle.width *= size.x
      particle.height *= size.y
    }
  }

  /// One for each emitter.
  let emitters: [EmitterLens]

  /// - Parameters:
  ///   - length: the factor of lengths.
  ///   - showsAll: whether particles that cannot be seen count, too.
  ///   - isScaled: whether sizes that are factors of the image stay factors.
  ///   - isRelative: whether places count from the emitters.
  init(
    _ system: ParticleSystem, profile: ParticleSystem.Profile, length: Double, showsAll: Bool,
    isScaled: Bool, isRelative: Bool
  ) {
    let frames = SpriteFrames(system, images: [:])
    let first = system.emitters.first?.transform.translation ?? .zero
    emitters = system.emitters.map { emitter in
      let place = emitter.transform.translation
      let state = BlendState(emitter.render.blend, profile.drawing)
      let factors = emitter.space == .local ? emitter.transform.scale : .one
      return EmitterLens(
        length: length,
        offset: isRelative
          ? [place.x - first.x, place.y - first.y, place.z - first.z, 0] : .zero,
        size: (isScaled && emitter.size.mode == .textureScale
          ? SIMD2(1, 1) : Self.size(emitter, system, frames, length: length))
          * SIMD2(factors.x.magnitude, factors.y.magnitude),
        hidesTransparent: state.isTintPremultiplied || state.source == .sourceAlpha,
        leastSize: Self.greatestSize(emitter) * EmitterLens.leastShare, showsAll: showsAll)
    }
  }

  /// The greatest width over a life.
  private static func greatestSize(_ emitter: Emitter) -> Double {
    let (width, life) = (emitter.size.width, max(emitter.lifetime.mean, 0))
    let sizes = (0...16).map { step -> Double in
      let share = Double(step) / 16
      let size = width.value(
        at: width.over == .age ? share * life : share, age: share * life,
        from: width.from.bounds.upper, to: width.to?.bounds.upper ?? 0,
        rate: width.rate.bounds.upper)
      return size.isFinite ? size.magnitude : 0
    }
    return sizes.max() ?? 0
  }

  /// The factors that turn a size of the document into edges.
  private static func size(
    _ emitter: Emitter, _ system: ParticleSystem, _ frames: SpriteFrames, length: Double
  ) -> SIMD2<Double> {
    let sprites = frames.sprites(of: emitter)
    var pixels = SIMD2<Double>.zero
    for sprite in sprites {
      let scale = system.sprites[sprite].scale
      pixels += frames.size(of: sprite) / (scale > 0 ? scale : 1)
    }
    pixels = sprites.isEmpty ? frames.size(of: nil) : pixels / Double(sprites.count)
    if emitter.size.mode == .textureScale { return pixels * length }
    guard emitter.size.height == nil else { return SIMD2(length, length) }
    let ratio = emitter.size.aspect.ratio(of: pixels.y > 0 ? pixels.x / pixels.y : 1)
    return SIMD2(length, ratio > 0 && ratio.isFinite ? length / ratio : length)
  }
}
