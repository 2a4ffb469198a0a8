package import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Estimates how much each line of a loss report shows: the source is compared with itself after the property of
/// the line took the value that it has in the result, by what is expected of a few particles.
struct EstimatedLosses {
  private let source: ParticleSystem
  private var result: ParticleSystem
  private let law: EngineLaw
  private let isFlat: Bool
  private let length: Double
  private var runs: [Int: Known] = [:]
  private var cover: Double?
  private let context: EncodingContext
  private var turnings: [Int: Double] = [:]

  private struct Known {
    var particles: ExpectedParticles
    var run: ExpectedRun
    var cover: Double
    /// The square of the difference of the whole emitter.
    var whole: Double
  }

  /// The time that is compared, as by `--measure`.
  private static let seconds = 5.0
  /// The most emitters of an effect. More take long, and lines about them keep the levels of their features.
  private static let mostEmitters = 8

  /// - Parameters:
  ///   - source: the effect.
  ///   - result: what its files are read as.
  ///   - context: reads the pictures.
  /// - Returns: nil for an effect whose course depends on more than its emitters alone.
  init?(_ source: ParticleSystem, _ result: ParticleSystem, _ context: EncodingContext) {
    guard let law = source.asset.profile.law, source.emitters.count == result.emitters.count,
      source.emitters.count <= Self.mostEmitters,
      source.emitters.allSatisfy({ $0.triggers.isEmpty && $0.enabled })
    else { return nil }
    (self.source, self.result, self.law, self.context) = (source, result, law, context)
    self.result.placeEmitters(as: source, length: 1)
    isFlat = source.asset.dimension == .plane || result.asset.dimension == .plane
    // Where all is over sooner, moments lie closer.
    let ends = zip(source.emitters, result.emitters).map { old, new in
      [old, new].map { emitter in
        let emission = ExpectedEmission(emitter, law)
        let life = max(emitter.lifetime.bounds.upper, 0)
        let end = [0.1, 0.25, 0.5, 1, 2].first { emission.ends(before: $0) }
        return end.map { $0 + life } ?? Self.seconds
      }.max() ?? Self.seconds
    }
    length = min(ends.max() ?? Self.seconds, Self.seconds)
  }

  /// The lines with levels that follow from the effect.
  mutating func leveled(_ lines: [Diagnostic]) -> [Diagnostic] {
    lines.map { line in
      if line.isOfAssumedPicture { return line.leveled(.low) }
      guard line.isMeasurable, line.blendedEmitter == nil, let loss = line.loss,
        let index = ParticleSystem.emitterIndex(at: loss.path),
        source.emitters.indices.contains(index),
        let difference = difference(of: loss, emitter: index)
      else { return line }
      return line.leveled(Loss.Level(difference: difference))
    }
  }

  /// The difference that the law of the other engine alone makes to how particles look and move.
  mutating func differenceOfLaw() -> Double {
    guard let other = result.asset.profile.law, other != law else { return 0 }
    return source.emitters.indices.reduce(0) { greatest, index in
      guard let known = known(index), ExpectedMotion.isKnown(source.emitters[index]) else {
        return greatest
      }
      let emitter = source.emitters[index]
      let particles = ExpectedParticles(
        emitter, other, isFlat: source.asset.dimension == .plane,
        offset: offset(emitter, in: source),
        picture: picture(index, in: source), parts: .all)
      let run = ExpectedRun(
        particles, ExpectedEmission(emitter, other), maxAlive: emitter.emission.maxAlive,
        length: length)
      let square = run.square(from: known.run, .all, isFlat: isFlat) { turning(emitter) }
      return max(
        greatest, (min(square, known.whole) * known.cover / max(wholeCover(), 1e-12)).squareRoot())
    }
  }

  private mutating func difference(
    of loss: Loss, emitter index: Int
  ) -> Double? {
    let (old, new) = (source.emitters[index], result.emitters[index])
    var changed = old
    var parts: ExpectedParticles.Parts = []
    for path in [loss.path] + loss.alsoPaths {
      guard let end = path.firstRange(of: "]."), path.hasPrefix("emitters["),
        ParticleSystem.emitterIndex(at: path) == index
      else { continue }
      guard let part = changed.take(path[end.upperBound...], from: new) else { return nil }
      parts.formUnion(part)
    }
    guard changed != old else { return 0 }
    // The places of all emitters count from the first one.
    guard index > 0 || source.emitters.count == 1 || changed.transform == old.transform else {
      return nil
    }
    guard let known = known(index) else { return nil }
    // In the plane, cones are seen as fans.
    let isFanned = loss.path.contains("].launch") && isFlat
    let isSame = changed.isSameLook(as: old)
    let run = ExpectedRun(
      isSame ? known.particles : particles(changed, index, isFlat: isFanned, parts),
      ExpectedEmission(changed, law), maxAlive: changed.emission.maxAlive, length: length)
    guard !known.run.isEmpty else { return nil }
    let square = run.square(from: known.run, parts, isFlat: isFlat) { turning(old) }
    let share = known.cover / max(wholeCover(), 1e-12)
    return (min(square, known.whole) * min(share, 1)).squareRoot()
  }

  private mutating func wholeCover() -> Double {
    if let cover { return cover }
    let sum = source.emitters.indices.reduce(0) { $0 + (known($1)?.cover ?? 0) }
    cover = sum
    return sum
  }

  private mutating func known(_ index: Int) -> Known? {
    if let known = runs[index] { return known }
    let (old, new) = (source.emitters[index], result.emitters[index])
    let own = particles(old, index, .all)
    let run = ExpectedRun(
      own, ExpectedEmission(old, law), maxAlive: old.emission.maxAlive, length: length)
    let otherLaw = result.asset.profile.law ?? law
    let other = ExpectedRun(
      ExpectedParticles(
        new, otherLaw, isFlat: result.asset.dimension == .plane, offset: offset(new, in: result),
        picture: picture(index, in: result), parts: .all),
      ExpectedEmission(new, otherLaw), maxAlive: new.emission.maxAlive, length: length)
    let parts: ExpectedParticles.Parts =
      ExpectedMotion.isKnown(old) && ExpectedMotion.isKnown(new)
      ? .all : [.size, .color, .rotation]
    let whole =
      parts == .all
      ? other.square(from: run, parts, isFlat: isFlat) { turning(old) } : 1
    let known = Known(
      particles: own, run: run, cover: max(run.cover(), other.cover()), whole: whole)
    runs[index] = known
    return known
  }

  private func particles(
    _ emitter: Emitter, _ index: Int, isFlat: Bool = false, _ parts: ExpectedParticles.Parts
  ) -> ExpectedParticles {
    ExpectedParticles(
      emitter, law, isFlat: isFlat || source.asset.dimension == .plane,
      offset: offset(emitter, in: source), picture: picture(index, in: source), parts: parts)
  }

  /// The place of an emitter, counted from the first one.
  private func offset(_ emitter: Emitter, in system: ParticleSystem) -> SIMD4<Double> {
    guard system.emitters.count > 1 else { return .zero }
    let (own, first) = (emitter.transform.translation, system.emitters[0].transform.translation)
    return SIMD4(own.x - first.x, own.y - first.y, own.z - first.z, 0)
  }

  /// Width and height of the picture that the particles of an emitter show.
  /// - Parameter system: the effect whose file states the scale of the picture.
  private func picture(_ index: Int, in system: ParticleSystem) -> SIMD2<Double> {
    let usual = SIMD2(Self.usualPixels, Self.usualPixels)
    guard let place = source.emitters[index].sprites.first, source.sprites.indices.contains(place)
    else { return usual }
    let sprite = source.sprites[place]
    guard source.images.indices.contains(sprite.image),
      let width = source.images[sprite.image].width, let height = source.images[sprite.image].height
    else { return usual }
    let own = system.emitters[index].sprites.first
    let scale =
      own.flatMap { system.sprites.indices.contains($0) ? system.sprites[$0].scale : nil } ?? 1
    let size =
      sprite.region.map { SIMD2($0.width, $0.height) } ?? SIMD2(Double(width), Double(height))
    let (columns, rows) = (max(sprite.grid?.columns ?? 1, 1), max(sprite.grid?.rows ?? 1, 1))
    return size / SIMD2(Double(columns), Double(rows)) / (scale > 0 ? scale : 1)
  }

  /// The width that a missing picture is taken to have.
  private static let usualPixels = 32.0

  /// How much it shows that the particles of an emitter are turned: a soft dot looks the same at every angle.
  private mutating func turning(_ emitter: Emitter) -> Double {
    guard let place = emitter.sprites.first, source.sprites.indices.contains(place) else {
      return 1
    }
    if let known = turnings[place] { return known }
    let sprite = source.sprites[place]
    var turning = 1.0
    if sprite.grid == nil, sprite.region == nil, source.images.indices.contains(sprite.image),
      let bytes = try? context.readImage(source.images[sprite.image].uri),
      let bitmap = try? Bitmap(decoding: bytes, limits: context.limits)
    {
      turning = bitmap.unevenness
    }
    turnings[place] = turning
    return turning
  }
}

extension Emitter {
  /// Whether particles look and move as those of another emitter; when they are emitted may differ.
  fileprivate func isSameLook(as other: Emitter) -> Bool {
    var copy = self
    (copy.emission, copy.timing) = (other.emission, other.timing)
    return copy == other
  }
}

extension Diagnostic {
  /// Whether the change of the line is one that statistics of a running effect show.
  package var isMeasurable: Bool {
    isAboutMotionOrLook && !isOfAssumedPicture
      && [Rule.lost, .approximated, .assumed, .clamped, .changed, .uninterpreted].contains(rule)
  }

  /// Whether it is about the size of a picture that is missing.
  fileprivate var isOfAssumedPicture: Bool {
    guard rule == .assumed, let path = loss?.path else { return false }
    return path.hasSuffix("].size.aspect") || path.hasSuffix("].size.mode")
  }

  /// The line with a level.
  func leveled(_ level: Loss.Level) -> Diagnostic {
    var line = self
    line.loss?.level = level
    line.severity = level == .info ? .note : .warning
    return line
  }

  /// Whether it is about another form of the same value.
  package var isOfAnotherForm: Bool { rule == .restated && isAboutMotionOrLook }

  private var isAboutMotionOrLook: Bool {
    guard let loss, loss.path.hasPrefix("emitters[") else { return false }
    guard let capability = Capability.all.first(where: { $0.id == loss.feature }) else {
      return rule == .changed
    }
    // The place of an emitter or a shape is no feature of its own.
    return capability.isMeasurable || loss.path.contains(".transform")
  }
}
