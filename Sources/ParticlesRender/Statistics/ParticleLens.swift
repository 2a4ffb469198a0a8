internal import ParticlesModel

/// What remains of particles when two effects are compared: those that can be seen, with lengths in one
/// unit, and sizes in it.
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
    /// Whether particles that cannot be seen count, too.
    var showsAll: Bool

    /// Half a step of an 8-bit channel.
    private static let leastAlpha = 1.0 / 510

    func shows(_ particle: ViewedParticle) -> Bool {
      showsAll || particle.width != 0 && particle.height != 0
        && (!hidesTransparent || particle.color.w > Self.leastAlpha)
    }

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
  init(
    _ system: ParticleSystem, profile: ParticleSystem.Profile, length: Double, showsAll: Bool
  ) {
    let sheets = SpriteSheets(system, [:])
    let first = system.emitters.first?.transform.translation ?? .zero
    emitters = system.emitters.map { emitter in
      let place = emitter.transform.translation
      let state = BlendState(emitter.render.blend, profile.drawing)
      return EmitterLens(
        length: length,
        offset: [place.x - first.x, place.y - first.y, place.z - first.z, 0],
        size: Self.size(emitter, system, sheets, length: length),
        hidesTransparent: state.isTintPremultiplied || state.source == .sourceAlpha,
        showsAll: showsAll)
    }
  }

  /// The factors that turn a size of the document into edges.
  private static func size(
    _ emitter: Emitter, _ system: ParticleSystem, _ sheets: SpriteSheets, length: Double
  ) -> SIMD2<Double> {
    let sprites = sheets.sprites(of: emitter)
    var pixels = SIMD2<Double>.zero
    for sprite in sprites {
      let scale = system.sprites[sprite].scale
      pixels += sheets.size(of: sprite) / (scale > 0 ? scale : 1)
    }
    pixels = sprites.isEmpty ? sheets.size(of: nil) : pixels / Double(sprites.count)
    if emitter.size.mode == .textureScale { return pixels * length }
    guard emitter.size.height == nil else { return SIMD2(length, length) }
    let ratio = emitter.size.aspect.ratio(of: pixels.y > 0 ? pixels.x / pixels.y : 1)
    return SIMD2(length, ratio > 0 && ratio.isFinite ? length / ratio : length)
  }
}
