internal import ParticlesModel

/// The sizes of the particles of an emitter in units, and the traits of their sprites.
struct ParticleSizes {
  /// Properties of a sprite that all of its particles share.
  struct SpriteTraits {
    /// The size in units of a frame.
    var size: SIMD2<Double>
    /// Width divided by height.
    var aspect: Double
    /// From the top left, 0…1.
    var pivot = SIMD2(0.5, 0.5)
    var isNearest = false
  }

  let sprites: [Int]
  private let traits: [Int: SpriteTraits]
  private let plain: SpriteTraits
  private let batch: ParticleBatch
  private let (widths, heights): (UnsafeBufferPointer<Float>, UnsafeBufferPointer<Float>)
  private let isScale: Bool
  private let hasHeight: Bool
  private let scale: SIMD2<Double>
  private let factors: VectorTrack?

  init(_ batch: ParticleBatch, _ frames: SpriteFrames) {
    self.batch = batch
    (widths, heights) = (batch.look.width.numbers, batch.look.height.numbers)
    let emitter = batch.emitter
    sprites = frames.sprites(of: emitter)
    isScale = emitter.size.mode == .textureScale
    hasHeight = emitter.size.height != nil
    let transform = emitter.transform.scale
    scale =
      emitter.space == .local ? SIMD2(transform.x.magnitude, transform.y.magnitude) : SIMD2(1, 1)
    if case .factors(let tracks)? = emitter.size.stretch?.axis {
      factors = tracks
    } else {
      factors = nil
    }
    func aspect(_ size: SIMD2<Double>) -> Double {
      let ratio = emitter.size.aspect.ratio(of: size.y > 0 ? size.x / size.y : 1)
      return ratio > 0 && ratio.isFinite ? ratio : 1
    }
    let unknown = frames.size(of: nil)
    plain = SpriteTraits(size: unknown, aspect: aspect(unknown))
    var traits: [Int: SpriteTraits] = [:]
    for sprite in sprites {
      let (info, pixels) = (frames[sprite], frames.size(of: sprite))
      traits[sprite] = SpriteTraits(
        size: info.scale > 0 ? pixels / info.scale : pixels, aspect: aspect(pixels),
        pivot: SIMD2(info.pivot.x, info.pivot.y), isNearest: info.filter == .nearest)
    }
    self.traits = traits
  }

  func traits(of sprite: Int?) -> SpriteTraits { sprite.flatMap { traits[$0] } ?? plain }

  /// The width and height of a particle in units.
  func size(of particle: Int, _ traits: SpriteTraits) -> SIMD2<Double> {
    var size = SIMD2(Double(widths[particle]), Double(heights[particle]))
    if isScale {
      size *= traits.size
    } else if !hasHeight {
      size.y = size.x / traits.aspect
    }
    if let factors { size *= SIMD2(amount(factors.x, 0, particle), amount(factors.y, 1, particle)) }
    return size * scale
  }

  /// A factor that grows with a track.
  private func amount(_ track: Track, _ axis: Int, _ particle: Int) -> Double {
    func sample(_ value: Value, _ part: String) -> Double {
      if case .constant(let number) = value { return number }
      return batch.sample(
        value, .property("size.stretch.axis[\(axis)].\(part)"), particle: particle)
    }
    let age = Double(batch.look.age[particle])
    let input: Double =
      switch track.over {
      case .age: age
      case .life, .speed, .distance, .emitter: batch.share(particle)
      }
    return 1
      + track.value(
        at: input, age: age, from: sample(track.from, "from"),
        to: track.to.map { sample($0, "to") } ?? 0, rate: sample(track.rate, "rate"))
  }
}
