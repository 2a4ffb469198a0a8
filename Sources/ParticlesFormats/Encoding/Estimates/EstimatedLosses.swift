package import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Estimates how much each line of a loss report shows. Gives the property of the line the value that it
/// has in the result, and compares the source before and after, by the expected values of a few particles.
struct EstimatedLosses {
  private let source: ParticleSystem
  private let result: ParticleSystem
  private let law: EngineLaw
  private let isFlat: Bool
  private let length: Double
  private let context: EncodingContext
  /// By emitter. Nothing is computed before a line needs it.
  private var runs: [Int: Known?] = [:]
  private var blendSquares: [Int: Double] = [:]
  private var wholeCover: Double?
  private var wholeSquares: [Int: SIMD8<Double>] = [:]
  private var others: [Int: Known?] = [:]
  private var turnings: [Int: Double] = [:]
  /// The squares of changes that several lines are about.
  private var changes:
    [(emitter: Emitter, index: Int, parts: ExpectedParts, isFlat: Bool, squares: SIMD8<Double>)] =
      []

  private struct Known {
    var particles: ExpectedParticles
    var run: ExpectedRun
    /// The particles that can be seen. Nil if all can be seen.
    var seen: ExpectedRun?
    var look: (color: SIMD4<Double>, cover: Double)
    /// The computed parts of the particles.
    var parts: ExpectedParts
    /// The parts that can be computed: no places, if a field moves the particles.
    var all: ExpectedParts

    /// The difference of another run. Particles that cannot be seen count or not, whichever makes it smaller.
    func difference(
      to run: ExpectedRun, _ parts: ExpectedParts, isFlat: Bool, turning: () -> Double
    ) -> ExpectedDifference {
      let all = run.difference(from: self.run, parts, isFlat: isFlat, turning: turning)
      guard let seen, all.greatest > 0 else { return all }
      let visible = run.difference(from: seen, parts, isFlat: isFlat, turning: turning)
      return visible.greatest < all.greatest ? visible : all
    }

    /// The compared parts after a change of the emitter.
    func compared(after parts: ExpectedParts) -> ExpectedParts {
      parts.isDisjoint(with: [.times, .lives]) ? parts.intersection(.all) : all
    }
  }

  /// The time that is compared, as by `--measure`.
  private static let seconds = 5.0
  /// The most emitters of an effect. More take long, and lines about them are not estimated.
  private static let mostEmitters = 32
  /// The square of the difference below which no other emitter or line matters.
  private static let leastSquare = 1e-4

  /// - Parameters:
  ///   - source: the effect.
  ///   - result: the effect that its files are read as.
  ///   - context: reads the pictures.
  /// - Returns: nil for an effect whose course depends on more than its emitters alone.
  init?(_ source: ParticleSystem, _ result: ParticleSystem, _ context: EncodingContext) {
    guard let law = source.asset.profile.law, source.emitters.count == result.emitters.count,
      source.emitters.count <= Self.mostEmitters,
      source.emitters.allSatisfy({ $0.triggers.isEmpty && $0.enabled })
    else { return nil }
    var result = result
    result.placeEmitters(as: source, length: 1)
    (self.source, self.result, self.law, self.context) = (source, result, law, context)
    isFlat = source.asset.dimension == .plane || result.asset.dimension == .plane
    // Where all is over sooner, moments lie closer.
    var end = 0.0
    for emitter in source.emitters + result.emitters where end < Self.seconds {
      let emission = ExpectedEmission(emitter, law)
      let life = max(emitter.lifetime.bounds.upper, 0)
      let last = [0.1, 0.25, 0.5, 1, 2].first { emission.ends(before: $0) }
      end = max(end, last.map { $0 + life } ?? Self.seconds)
    }
    length = end > 0 ? min(end, Self.seconds) : Self.seconds
  }

  /// The lines with levels that follow from the effect.
  mutating func leveled(_ lines: [Diagnostic]) -> [Diagnostic] {
    lines.map { line in
      if line.isOfAssumedPicture { return line.leveled(.low, .feature) }
      guard let loss = line.loss, let (index, _) = ParticleSystem.emitterPart(at: loss.path),
        source.emitters.indices.contains(index), line.isMeasurable, line.blendedEmitter == nil,
        let square = square(of: loss, emitter: index)
      else { return line }
      return line.leveled(Loss.Level(difference: square.squareRoot()), .estimated)
    }
  }

  /// The difference that only the law of the result's engine makes to how particles look and move.
  mutating func differenceOfLaw() -> Double {
    guard let other = result.asset.profile.law, other != law else { return 0 }
    var squares = SIMD8<Double>.zero
    for index in source.emitters.indices {
      guard let known = known(index, .all), known.all == .all else { continue }
      let lawful = made(source.emitters[index], index, in: source, other, .all)
      guard let run = lawful?.run else { continue }
      let difference = known.difference(to: run, .all, isFlat: isFlat) {
        turning(source.emitters[index])
      }
      squares += difference.squares * known.look.cover
    }
    return limited(squares / max(cover(), 1e-12), .all).squareRoot()
  }

  /// The difference that the blend modes of an emitter make under the laws of both engines.
  mutating func blending(ofEmitter index: Int) -> Double? {
    guard let known = known(index, []) else { return nil }
    return (blendSquare(index) * known.look.cover / max(cover(), 1e-12)).squareRoot()
  }

  private mutating func blendSquare(_ index: Int) -> Double {
    if let square = blendSquares[index] { return square }
    let color = known(index, [])?.look.color ?? .one
    let difference = BlendDifference.between(
      (source.emitters[index].render.blend, source.asset.profile),
      (result.emitters[index].render.blend, result.asset.profile), color: SIMD4<Float>(color))
    blendSquares[index] = difference * difference
    return difference * difference
  }

  /// The square of the difference that a line makes alone. Nil if it cannot be estimated.
  private mutating func square(of loss: Loss, emitter index: Int) -> Double? {
    let (old, new) = (source.emitters[index], result.emitters[index])
    var changed = old
    var parts: ExpectedParts = []
    for path in [loss.path] + loss.alsoPaths {
      guard let (other, rest) = ParticleSystem.emitterPart(at: path), other == index else {
        continue
      }
      guard let part = changed.copy(rest, from: new) else { return nil }
      parts.formUnion(part)
    }
    guard changed.differs(from: old, in: parts) else { return 0 }
    // The places of all emitters count from the first one.
    guard index > 0 || source.emitters.count == 1 || changed.transform == old.transform else {
      return nil
    }
    guard let known = known(index, parts), !known.run.isEmpty else { return nil }
    // In the plane, cones are seen as fans.
    let isFanned = loss.path.contains("].launch") && isFlat
    let squares: SIMD8<Double>
    if let same = changes.first(where: {
      $0.index == index && $0.parts == parts && $0.isFlat == isFanned && $0.emitter == changed
    }) {
      squares = same.squares
    } else {
      squares = self.squares(of: changed, index, parts, known, isFanned: isFanned)
      changes.append((changed, index, parts, isFanned, squares))
    }
    guard squares != .zero else { return 0 }
    return limited(
      squares * min(known.look.cover / max(cover(), 1e-12), 1), known.compared(after: parts))
  }

  /// The square of the most different aspect. No aspect differs more than it does in the whole effect.
  private mutating func limited(_ squares: SIMD8<Double>, _ parts: ExpectedParts) -> Double {
    guard squares.max() >= Self.leastSquare else { return squares.max() }
    let whole = whole(parts)
    return squares.replacing(with: whole, where: whole .< squares).max()
  }

  private mutating func squares(
    of changed: Emitter, _ index: Int, _ parts: ExpectedParts, _ known: Known, isFanned: Bool
  ) -> SIMD8<Double> {
    let old = source.emitters[index]
    var (particles, run) = (known.particles, known.run)
    let computed = known.compared(after: parts)
    var view = view(of: changed, index, in: source, law)
    view.isFlat = view.isFlat || isFanned
    if parts.contains(.lives) {
      guard let new = ExpectedParticles(changed, view, computed) else { return .one }
      particles = new
    } else {
      particles.compute(parts.intersection(.all), of: changed, view)
    }
    if !parts.isDisjoint(with: [.times, .lives]) {
      let times = ExpectedTimes(
        particles.ages, ExpectedEmission(changed, law), length: length)
      run = ExpectedRun(particles, times, computed)
    } else {
      run.compute(computed, of: particles)
    }
    return known.difference(to: run, computed, isFlat: isFlat) { turning(old) }.squares
  }

  /// The squares of the differences of the whole effect. 1 if they cannot be estimated.
  private mutating func whole(_ parts: ExpectedParts) -> SIMD8<Double> {
    if let squares = wholeSquares[parts.rawValue] { return squares }
    var (squares, covers) = (SIMD8<Double>.zero, 0.0)
    for index in source.emitters.indices {
      guard let known = known(index, parts), known.all.isSuperset(of: parts),
        let other = other(index, parts), other.all.isSuperset(of: parts)
      else {
        wholeSquares[parts.rawValue] = .one
        return .one
      }
      let cover = max(known.look.cover, other.look.cover)
      let difference = known.difference(to: other.run, parts, isFlat: isFlat) {
        turning(source.emitters[index])
      }
      squares += difference.squares * cover
      covers += cover
    }
    squares /= max(covers, 1e-12)
    wholeSquares[parts.rawValue] = squares
    return squares
  }

  /// How much of the picture all emitters take.
  private mutating func cover() -> Double {
    if let wholeCover { return wholeCover }
    let sum = source.emitters.indices.reduce(0) { $0 + (known($1, [])?.look.cover ?? 0) }
    wholeCover = sum
    return sum
  }

  /// An emitter of the source, with some parts of its particles.
  private mutating func known(_ index: Int, _ parts: ExpectedParts) -> Known? {
    if runs[index] == nil {
      runs[index] = .some(made(source.emitters[index], index, in: source, law, parts))
    } else if let known = runs[index] ?? nil {
      let wanted = known.compared(after: parts).intersection(known.all)
      if !known.parts.isSuperset(of: wanted) {
        runs[index] = completed(known, wanted, source.emitters[index], index, in: source, law)
      }
    }
    return runs[index] ?? nil
  }

  /// The estimate for an emitter of the result, under the law of the result.
  private mutating func other(_ index: Int, _ parts: ExpectedParts) -> Known? {
    let law = result.asset.profile.law ?? law
    if others[index] == nil {
      others[index] = .some(made(result.emitters[index], index, in: result, law, parts))
    } else if let known = others[index] ?? nil, !known.parts.isSuperset(of: parts) {
      others[index] = completed(
        known, parts.intersection(known.all), result.emitters[index], index, in: result, law)
    }
    return others[index] ?? nil
  }

  /// An emitter under a law. Sizes and colours are always computed: the share in the picture follows from them.
  private func made(
    _ emitter: Emitter, _ index: Int, in system: ParticleSystem, _ law: EngineLaw,
    _ changes: ExpectedParts
  ) -> Known? {
    let all: ExpectedParts = ExpectedMotion.isKnown(emitter) ? .all : .looks
    let isOfTimes = !changes.isDisjoint(with: [.times, .lives])
    let parts = (isOfTimes ? all : changes.intersection(all)).union([.size, .color])
    let view = view(of: emitter, index, in: system, law)
    guard let particles = ExpectedParticles(emitter, view, parts) else { return nil }
    let times = ExpectedTimes(
      particles.ages, ExpectedEmission(emitter, law), length: length)
    let run = ExpectedRun(particles, times, parts)
    let state = BlendState(emitter.render.blend, system.asset.profile.drawing)
    let visible = particles.visible(
      usesAlpha: state.isTintPremultiplied || state.source == .sourceAlpha)
    var seen: ExpectedRun?
    if visible.contains(false), visible.contains(true) {
      seen = ExpectedRun(
        particles, ExpectedTimes(times, of: visible, particles.ages), parts)
      if seen?.isEmpty == true { seen = nil }
    }
    return Known(
      particles: particles, run: run, seen: seen, look: (seen ?? run).look, parts: parts, all: all)
  }

  private func completed(
    _ known: Known, _ parts: ExpectedParts, _ emitter: Emitter, _ index: Int,
    in system: ParticleSystem, _ law: EngineLaw
  ) -> Known {
    var known = known
    let rest = parts.subtracting(known.parts)
    known.particles.compute(rest, of: emitter, view(of: emitter, index, in: system, law))
    known.run.compute(rest, of: known.particles)
    known.seen?.compute(rest, of: known.particles)
    known.parts.formUnion(rest)
    return known
  }

  private func view(
    of emitter: Emitter, _ index: Int, in system: ParticleSystem, _ law: EngineLaw
  ) -> ExpectedParticles.View {
    ExpectedParticles.View(
      law: law, isFlat: system.asset.dimension == .plane, offset: offset(emitter, in: system),
      picture: emitter.size.mode == .textureScale || emitter.size.aspect == .sprite
        ? picture(index, in: system) : .one)
  }

  /// The place of an emitter, counted from the first one.
  private func offset(_ emitter: Emitter, in system: ParticleSystem) -> SIMD4<Double> {
    guard system.emitters.count > 1 else { return .zero }
    let (own, first) = (emitter.transform.translation, system.emitters[0].transform.translation)
    return SIMD4(own.x - first.x, own.y - first.y, own.z - first.z, 0)
  }

  /// Mean width and height of the pictures that the particles of an emitter show.
  /// - Parameter system: the effect whose file states the scale of the picture.
  private func picture(_ index: Int, in system: ParticleSystem) -> SIMD2<Double> {
    let usual = SIMD2(Self.usualPixels, Self.usualPixels)
    let places = source.emitters[index].sprites.filter(source.sprites.indices.contains)
    guard !places.isEmpty else { return usual }
    let own = system.emitters[index].sprites.first
    let scale =
      own.flatMap { system.sprites.indices.contains($0) ? system.sprites[$0].scale : nil } ?? 1
    let sizes = places.map { place -> SIMD2<Double> in
      let sprite = source.sprites[place]
      guard source.images.indices.contains(sprite.image),
        let width = source.images[sprite.image].width,
        let height = source.images[sprite.image].height
      else { return usual }
      let size =
        sprite.region.map { SIMD2($0.width, $0.height) } ?? SIMD2(Double(width), Double(height))
      let (columns, rows) = (max(sprite.grid?.columns ?? 1, 1), max(sprite.grid?.rows ?? 1, 1))
      return size / SIMD2(Double(columns), Double(rows))
    }
    return sizes.reduce(.zero, +) / Double(sizes.count) / (scale > 0 ? scale : 1)
  }

  /// The width that a missing picture is taken to have.
  private static let usualPixels = 32.0

  /// How much a rotation of the particles of an emitter shows: a soft dot looks alike at every angle.
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
  /// Whether an emitter has other values in some parts.
  fileprivate func differs(from other: Emitter, in parts: ExpectedParts) -> Bool {
    parts.contains(.size) && size != other.size || parts.contains(.color) && color != other.color
      || parts.contains(.rotation) && rotation != other.rotation
      || parts.contains(.place)
        && (launch != other.launch || motion != other.motion || forces != other.forces
          || shape != other.shape || transform != other.transform)
      || parts.contains(.times) && (emission != other.emission || timing != other.timing)
      || parts.contains(.lives) && lifetime != other.lifetime
  }
}

extension Diagnostic {
  /// Whether statistics of a running effect show the change of the line.
  package var isMeasurable: Bool {
    isAboutMotionOrLook && !isOfAssumedPicture
      && [Rule.lost, .approximated, .assumed, .clamped, .changed, .uninterpreted].contains(rule)
  }

  /// Whether it is about the size of a picture that is missing.
  fileprivate var isOfAssumedPicture: Bool {
    guard rule == .assumed, let path = loss?.path else { return false }
    return path.hasSuffix("].size.aspect") || path.hasSuffix("].size.mode")
  }

  /// The line with a level, and the basis of the level.
  package func leveled(_ level: Loss.Level, _ basis: Loss.Basis) -> Diagnostic {
    var line = self
    line.loss?.level = level
    line.loss?.basis = basis
    line.severity = level == .info ? .note : .warning
    return line
  }

  /// Whether it only restates a value in another form.
  package var isOfAnotherForm: Bool { rule == .restated && isAboutMotionOrLook }

  private static let measurable = Dictionary(first: Capability.all.map { ($0.id, $0.isMeasurable) })

  private var isAboutMotionOrLook: Bool {
    guard let loss, loss.path.hasPrefix("emitters[") else { return false }
    guard let isMeasurable = Self.measurable[loss.feature] else { return rule == .changed }
    // The place of an emitter or a shape is no feature of its own.
    return isMeasurable || loss.path.contains(".transform")
  }
}

extension Emitter {
  /// Takes the value of a property from another emitter.
  /// - Parameters:
  ///   - path: the path in the emitter: `size.width`.
  ///   - other: the emitter that the result of a conversion has in its place.
  /// - Returns: the aspects of the particles that may change. Nil if the change cannot be estimated.
  mutating func copy(_ path: Substring, from other: Emitter) -> ExpectedParts? {
    let steps = path.split { $0 == "." || $0 == "[" || $0 == "]" }
    guard let section = steps.first else { return nil }
    let key = steps.count > 1 ? String(steps[1]) : ""
    switch section {
    case "size": return copySize(key, from: other.size)
    case "color": return copyColor(key, from: other.color)
    case "rotation":
      switch key {
      case "angle": rotation.angle = other.rotation.angle
      case "velocity": rotation.velocity = other.rotation.velocity
      case "acceleration": rotation.acceleration = other.rotation.acceleration
      case "align", "alignOffset", "":
        rotation.align = other.rotation.align
        rotation.alignOffset = other.rotation.alignOffset
        if key.isEmpty { rotation = other.rotation }
      default: return nil
      }
      return .rotation
    case "launch", "motion", "forces", "shape", "transform":
      guard ExpectedMotion.isKnown(self), ExpectedMotion.isKnown(other),
        copyMotion(section, steps.dropFirst(), from: other)
      else { return nil }
      return rotation.align == .none ? .place : [.place, .rotation]
    case "lifetime":
      lifetime = other.lifetime
      return .lives
    case "emission": return copyEmission(key, from: other.emission)
    case "timing":
      switch key {
      case "duration": timing.duration = other.timing.duration
      case "loop": timing.loop = other.timing.loop
      case "idle": timing.idle = other.timing.idle
      case "delay": timing.delay = other.timing.delay
      case "prewarm": timing.prewarm = other.timing.prewarm
      case "": timing = other.timing
      default: return nil
      }
      return .times
    default: return nil
    }
  }

  private mutating func copySize(_ key: String, from other: Size) -> ExpectedParts? {
    switch key {
    case _ where size.mode != other.mode, "": size = other
    case "width": size.width = other.width
    case "height": size.height = other.height
    case "aspect": size.aspect = other.aspect
    case "mode": break
    default: return nil
    }
    return .size
  }

  private mutating func copyColor(_ key: String, from other: Tint) -> ExpectedParts? {
    switch key {
    case "base", "opacity":
      // Alpha may be in either of both.
      if color.base != other.base, color.opacity != other.opacity {
        (color.base, color.opacity) = (other.base, other.opacity)
      } else if key == "base" {
        color.base = other.base
      } else {
        color.opacity = other.opacity
      }
    case "intensity": color.intensity = other.intensity
    case "":
      (color.base, color.opacity, color.intensity) = (other.base, other.opacity, other.intensity)
    default: return nil
    }
    return .color
  }

  private mutating func copyEmission(
    _ key: String, from other: Emission
  ) -> ExpectedParts? {
    switch key {
    case "rate": emission.rate = other.rate
    case "bursts": emission.bursts = other.bursts
    case "maxAlive": emission.maxAlive = other.maxAlive
    case "total": emission.total = other.total
    case "explosiveness": emission.explosiveness = other.explosiveness
    case "probability": emission.probability = other.probability
    case "minAlive": emission.minAlive = other.minAlive
    case "whenFull": emission.whenFull = other.whenFull
    case "": emission = other
    default: return nil
    }
    return .times
  }

  private mutating func copyMotion(
    _ section: Substring, _ steps: ArraySlice<Substring>, from other: Emitter
  ) -> Bool {
    let key = steps.first.map(String.init) ?? ""
    switch section {
    case "launch":
      switch key {
      case "direction": launch.direction = other.launch.direction
      case "spread": launch.spread = other.launch.spread
      case "spreadLaw": launch.spreadLaw = other.launch.spreadLaw
      case "speed": launch.speed = other.launch.speed
      case "": launch = other.launch
      default: return false
      }
    case "motion":
      switch key {
      case "drift": motion.drift = other.motion.drift
      case "orbitVelocity": motion.orbitVelocity = other.motion.orbitVelocity
      case "orbitAxis": break
      case "speed", "speedMode":
        (motion.speed, motion.speedMode) = (other.motion.speed, other.motion.speedMode)
      case "maxSpeed": motion.maxSpeed = other.motion.maxSpeed
      case "direction": motion.direction = other.motion.direction
      case "", "mode", "orbit": motion = other.motion
      default: return false
      }
    case "forces":
      guard let index = Int(key) else {
        forces = other.forces
        return true
      }
      guard forces.indices.contains(index) else { return false }
      let kind = forces[index].kind
      let place = forces[..<index].count { $0.kind == kind }
      let same = other.forces.filter { $0.kind == kind }
      if same.indices.contains(place) {
        forces[index] = same[place]
      } else {
        forces.remove(at: index)
      }
    case "shape":
      let transform = shape.transform
      if key == "transform" {
        shape.transform = other.shape.transform
      } else {
        shape = other.shape
        if !key.isEmpty { shape.transform = transform }
      }
    default: transform = other.transform
    }
    return true
  }
}
