internal import ParticlesCore
internal import ParticlesModel

/// An emitter as keys and values of a format, and its losses.
///
/// The rows of the format's table fill it, in their order. Idioms are functions in an extension for
/// the format.
struct EmitterWriter<Format: EmitterFormat> {
  let format: Format
  let system: ParticleSystem

  let index: Int

  /// The emitter, as ``EmitterFormat/adapt(_:)`` restates it.
  var emitter: Emitter

  /// The angle in degrees by which the emitter has been turned, to aim its particles.
  var turnedBy = 0.0

  let surroundings: Format.Surroundings

  /// The keys with their values, in the order in which they were written.
  var fields: [(key: String, value: Format.Field)] = []

  /// The entries of ``KeyedFormat/dictionaryKey``, merged one by one.
  var entries: [(key: String, value: Format.Field)] = []

  /// The emitters that are inside of this one in an archive, by keys, in the order of reading.
  var inner: [(key: String, emitter: Int)] = []

  var losses: [Diagnostic] = []

  init(
    _ format: Format, _ system: ParticleSystem, emitter index: Int,
    _ surroundings: Format.Surroundings
  ) {
    self.format = format
    self.system = system
    self.index = index
    emitter = system.emitters.indices.contains(index) ? system.emitters[index] : Emitter()
    self.surroundings = surroundings
    restate()
    format.adapt(&self)
    for row in format.table.rows { row.encode?(&self) }
  }

  var path: String { "emitters[\(index)]" }

  /// The mean lifetime in seconds.
  var lifetime: Double { emitter.lifetime.mean }

  /// The first sprite that particles show. Nil if they show none.
  var sprite: Sprite? {
    emitter.sprites.first.flatMap {
      system.sprites.indices.contains($0) ? system.sprites[$0] : nil
    }
  }

  var image: ImageReference? {
    sprite.flatMap { system.images.indices.contains($0.image) ? system.images[$0.image] : nil }
  }

  /// Returns the part of the emitter that an accessor lends.
  /// - Parameter part: any value of its type.
  mutating func value<T>(_ access: Accessor<Emitter, T>, over part: T) -> T {
    var part = part
    access(&emitter) { part = $0 }
    return part
  }

  mutating func set(_ key: String, _ value: Format.Field) { fields.append((key, value)) }

  mutating func set(_ key: String, _ number: Double) { set(key, format.real(number)) }

  mutating func set(_ key: String, integer: Int) { set(key, format.integer(integer)) }

  mutating func set(_ key: String, flag: Bool) { set(key, format.flag(flag)) }

  mutating func remove(_ key: String) { fields.removeAll { $0.key == key } }

  /// Writes a number and the width of the uniform range around it, and reports any other
  /// distribution.
  /// - Parameters:
  ///   - scope: how often the engine samples it.
  ///   - factor: −1 for the opposite sign, or a conversion of units.
  mutating func set(
    _ key: String, width: String? = nil, _ value: Value, _ capability: Capability, at place: String,
    scope: Scope = .particle, times factor: Double = 1
  ) {
    explain(value, capability, at: place, scope: scope)
    let spread = value.spread
    let (center, half) = clamped(
      (spread.center * factor, spread.half * factor.magnitude), key, capability, at: place)
    set(key, center)
    set(width ?? key + Format.widthSuffix, format.randomness.width(ofHalf: half))
  }

  /// The centre and half width of a range within that to which the engine clamps samples of a key. A
  /// range that is partly inside stays, since the engine clamps its samples itself.
  mutating func clamped(
    _ ends: (center: Double, half: Double), _ key: String, _ capability: Capability,
    at place: String
  ) -> (center: Double, half: Double) {
    guard let range = format.table.range(of: key) else { return ends }
    let inside = range.clamp(ends.center)
    guard ends.center != inside,
      ends.half == 0 || (ends.center - inside).magnitude >= ends.half
    else { return ends }
    lose(
      .clamped, capability, at: place,
      "\(format.engine) clamps it to \(shortText(inside))",
      level: (ends.center - inside).magnitude <= 0.1 ? .info : nil)
    return (inside, 0)
  }

  /// Reports a value that is not uniformly distributed around a number.
  mutating func explain(
    _ value: Value, _ capability: Capability, at place: String, scope: Scope = .particle
  ) {
    let (_, half, isExact) = value.spread
    if !isExact {
      lose(
        .approximated, capability, at: place, "\(format.engine) supports uniform ranges only",
        recipe: half == 0 ? "the mean" : "minimum and maximum")
    } else if half != 0, value.scope != scope {
      lose(
        .approximated, capability, at: place,
        "\(format.engine) samples it for each \(scope == .particle ? "particle" : "period")")
    } else if half == 0, !value.isNumber {
      lose(.restated, capability, at: place, "a range of one number is written as a constant")
    }
  }

  /// Writes a value as its index in the list of supported values.
  /// - Returns: whether the list contains it. Otherwise the first is written.
  @discardableResult
  mutating func set<Choice: Equatable>(_ key: String, _ choice: Choice, of choices: [Choice])
    -> Bool
  {
    let place = choices.firstIndex(of: choice)
    set(key, integer: place ?? 0)
    return place != nil
  }

  /// Adds a line to the report. Paths are relative to the emitter.
  mutating func lose(
    _ rule: Rule, _ capability: Capability, at place: String, also places: [String] = [],
    _ detail: String, recipe: String? = nil, target: Loss.Side? = nil, metric: Loss.Metric? = nil,
    level: Loss.Level? = nil
  ) {
    losses.append(
      Diagnostic(
        rule, capability, at: "\(path).\(place)", also: places.map { "\(path).\($0)" }, detail,
        target: target, recipe: recipe, metric: metric, level: level))
  }

  mutating func lose(_ rule: Rule, _ capability: Capability, atRoot place: String, _ detail: String)
  {
    losses.append(Diagnostic(rule, capability, at: place, detail))
  }

  /// Reports a property that is left out, unless it has its default.
  mutating func drop(_ property: LostProperty) {
    guard property.isUsed(emitter) else { return }
    if property.path == "size.aspect" { return loseAspect(unless: .sprite, property.detail) }
    lose(
      property.rule, property.capability, at: property.path, property.detail, level: property.level)
  }

  mutating func drop(
    _ path: String, _ detail: String? = nil, rule: Rule? = nil, as capability: Capability? = nil,
    level: Loss.Level? = nil
  ) {
    drop(LostProperty(path, detail, rule, capability, level))
  }

  /// The losses that the emitter in its source file does not have: values that the file did not state
  /// either are not lost now.
  func losses(besides source: EmitterWriter) -> [Diagnostic] {
    let known = Set(source.losses)
    return losses.filter { !known.contains($0) }
  }

  /// Whether the table has no keys for a property.
  func lacks(_ property: String) -> Bool {
    format.table.rows.contains { $0.keys.isEmpty && $0.property == property }
  }

  func hasLine(at place: String) -> Bool { losses.contains { $0.loss?.path == "\(path).\(place)" } }
}

extension Emitter {
  static let standard = Emitter()
}

// Rows and functions that several families share.

extension EmitterWriter {
  /// The effective spread law.
  var spreadLaw: SpreadLaw {
    emitter.launch.deviationLaw(isFlat: system.asset.dimension == .plane)
  }

  /// Width and height in pixels of the region that the sprite shows, if known.
  var shownSize: (width: Double?, height: Double?) {
    let region = sprite?.region
    return (
      region?.width ?? image?.width.map(Double.init),
      region?.height ?? image?.height.map(Double.init)
    )
  }

  /// The length of a pixel of the image, in the unit of the effect.
  var texel: Double {
    if let sprite { return 1 / sprite.scale }
    var pixels = Asset()
    pixels.unit = .pixel
    return UnitConversion.factor(from: pixels, to: system.asset)
  }

  /// The part of the image, in pixels, that is the first frame. Nil if unknown.
  var frame: Rectangle? {
    guard let sprite, let width = shownSize.width, let height = shownSize.height else { return nil }
    return Rectangle(
      x: sprite.region?.x ?? 0, y: sprite.region?.y ?? 0,
      width: width / Double(max(sprite.grid?.columns ?? 1, 1)),
      height: height / Double(max(sprite.grid?.rows ?? 1, 1)))
  }

  /// Restates emission that keeps a number of particles alive, for formats that have no such key: as
  /// a burst, and as a rate if emission lasts longer than a life. Particles with a lifetime of
  /// 0 or less are never seen.
  mutating func fillPlaces() {
    let (emission, life) = (emitter.emission, emitter.lifetime)
    guard emission.minAlive > 0, emission.rate == 0, emission.bursts.isEmpty,
      life.spread.isExact, life.bounds.upper > 0
    else { return }
    let (least, most) = (life.bounds.lower, life.bounds.upper)
    let share = least >= 0 || most == least ? 1 : most / (most - least)
    let duration = emitter.timing.duration?.mean ?? .infinity
    let mean = (max(least, 0) + most) / 2
    emitter.lifetime = least < 0 ? .range(0, most) : life
    emitter.emission.minAlive = 0
    emitter.emission.maxAlive = nil
    emitter.emission.whenFull = Emission().whenFull
    if duration < min(mean, 0.1), !emitter.timing.loop {
      let count = (Double(emission.minAlive) * share).rounded()
      emitter.emission.bursts = [Burst(count: .constant(count))]
    } else {
      emitter.emission.rate = .constant((Double(emission.minAlive) / mean).rounded)
    }
    lose(
      .approximated, .rate, at: "emission", also: ["lifetime", "timing.duration"],
      "a number of particles to keep alive is not supported",
      recipe: emitter.emission.bursts.isEmpty ? "number / mean lifetime per second" : "a burst")
  }

  /// Restates a limit of particles for formats that have none: as the rate at which as many live.
  mutating func leaveLimit() {
    let emission = emitter.emission
    guard emission.maxAlive != nil, emission.rate.isNumber, emission.bursts.isEmpty,
      emission.minAlive == 0, emission.total == nil
    else { return }
    let timing = emitter.timing
    let rate = emitter.throughput(over: timing.loop ? nil : timing.duration?.mean)
    guard rate < emission.rate.mean * 0.999 else { return }
    emitter.emission.rate = .constant(rate.rounded)
    emitter.emission.maxAlive = nil
    emitter.emission.whenFull = Emission().whenFull
    let share = 1 - rate / emission.rate.mean
    lose(
      .approximated, .aliveLimit, at: "emission.maxAlive",
      also: ["emission.rate", "emission.whenFull"], "particle count is unbounded",
      recipe: "the rate at which as many are alive",
      // Only the start differs: it takes longer until as many are alive.
      level: share < 0.2 ? .low : share < 0.5 ? .medium : .high)
  }

  /// Reports a limit that ``leaveLimit()`` has not restated.
  mutating func dropLimit() {
    let (emission, detail) = (emitter.emission, "particle count is unbounded")
    guard let most = emission.maxAlive else {
      return drop("emission.whenFull", detail)
    }
    let fits = fits(in: most)
    lose(
      fits ? .restated : .lost, .aliveLimit, at: "emission.maxAlive", also: ["emission.whenFull"],
      fits ? Self.limitIsFar : detail)
  }

  /// Whether a limit of living particles is never reached.
  func fits(in most: Int) -> Bool {
    let emission = emitter.emission
    let alive = emission.rate.bounds.upper * max(emitter.lifetime.bounds.upper, 0)
    return emission.bursts.isEmpty && emission.minAlive == 0 && alive <= Double(most) * 1.001
  }

  static var limitIsFar: String { "the limit is never reached" }

  /// The initial speed, or 0 without a direction.
  mutating func launchSpeed() -> Value {
    guard emitter.launch.direction.mode == .none else { return emitter.launch.speed }
    lose(
      .restated, .speedRange, at: "launch.direction", also: ["launch.speed"],
      "without a direction the speed is 0")
    return 0
  }

  /// The speed of particles for engines in which it does not change by itself: the mean over the life.
  mutating func meanSpeed() -> Value {
    let speed = launchSpeed()
    guard let track = emitter.motion.speed else { return speed }
    let mean = track.mean(lifetime: lifetime)
    lose(
      .approximated, .speedCurve, at: "motion.speed", also: ["launch.speed", "motion.speedMode"],
      "speed over life is not supported", recipe: "the mean of the curve", level: .high)
    return emitter.motion.speedMode == .replace ? .constant(mean) : speed.scaled(by: mean)
  }

  /// The speed over life, for formats in which it replaces the initial speed.
  /// - Parameter launch: the initial speed.
  mutating func speedOverLife(_ track: Track, from launch: Value) -> Track {
    if emitter.motion.speedMode == .replace {
      if launch != 1 {
        lose(.dead, .speedRange, at: "launch.speed", "the speed over life replaces it")
      }
      return track
    }
    let (curve, isExact) = track.curve(lifetime: lifetime)
    lose(
      isExact ? .restated : .approximated, .speedCurve, at: "motion.speed",
      also: ["launch.speed", "motion.speedMode"], "a factor of the speed is written as the speed")
    return Track(from: 0, to: launch, curve: curve)
  }

  /// Reports orbits and paths for formats that have neither.
  mutating func loseMotionMode() {
    let motion = emitter.motion
    if motion.mode != .ballistic {
      let isOrbit = motion.mode == .orbit
      lose(
        .lost, isOrbit ? .orbit : .path, at: "motion.mode", also: ["motion.orbit", "motion.path"],
        isOrbit ? "orbits are not supported" : "paths are not supported")
    } else if motion.orbit != nil || motion.path != nil {
      lose(
        .dead, .orbit, at: "motion.orbit", also: ["motion.path"], "the motion mode does not use it")
    }
  }

  mutating func loseOrbitVelocity() {
    let motion = emitter.motion
    guard motion.orbitVelocity != 0 || motion.orbitAxis != Vector(0, 0, 1) else { return }
    lose(
      motion.orbitVelocity == 0 ? .dead : .lost, .orbitalVelocity, at: "motion.orbitVelocity",
      also: ["motion.orbitAxis"], "motion about the emitter is not supported")
  }

  mutating func losePhysics() {
    let physics = emitter.physics
    guard physics != Emitter.Physics() else { return }
    let acts = physics.collides || physics.sceneGravity || physics.fieldMask != 0
    lose(acts ? .lost : .dead, .collide, at: "physics", "physics of the scene is not supported")
  }

  /// Restates an orbit for formats that have none.
  mutating func leaveOrbit() {
    guard let straight = emitter.straightened else { return }
    emitter = straight.emitter
    lose(
      .approximated, .orbit, at: "motion", also: ["shape", "launch", "forces"],
      "orbits are not supported",
      recipe: "straight motion with an equal mean place and extent at each age",
      level: max(.medium, Loss.Level(difference: straight.rest)))
  }

  /// Whether ``turnLaunch(toPlane:)`` has restated the directions.
  var isTurned: Bool {
    losses.contains { $0.loss?.ownPaths.contains("\(path).launch") ?? false }
  }

  /// Restates directions in space for a format in the plane, or the reverse, so that particles go as far
  /// to every side as they did, seen from the front.
  /// - Parameters:
  ///   - isFlat: whether the format is in the plane.
  ///   - shapes: the kinds of shapes in space whose normals it supports.
  mutating func turnLaunch(toPlane isFlat: Bool, keepingNormalsOf shapes: Set<ShapeKind> = []) {
    let launch = emitter.launch
    let isNormal = launch.direction.mode == .normal
    guard (system.asset.dimension == .plane) != isFlat || isFlat && isNormal,
      emitter.motion.mode == .ballistic,
      !isNormal || isFlat && launch.spread == 0 && !shapes.contains(emitter.shape.kind),
      let front = isNormal
        ? Launch.front(
          ofNormals: emitter.shape, about: emitter.shape.transform.rotation.turned(.up))
        : launch.front(isFlat: !isFlat)
    else { return }
    let best = isFlat ? front.fan : front.cone
    // A direction in the plane that does not deviate is equal in both.
    guard best.rest > 1e-9 || best.spread != 0 || (best.speed - 1).magnitude > 1e-9 else { return }
    let (x, y) = Angle.turned(1, 0, by: front.angle)
    var written = Launch()
    (written.additions, written.inheritVelocity) = (launch.additions, launch.inheritVelocity)
    written.direction =
      isFlat ? Direction(angle: .constant(front.angle)) : Direction(vector: Vector(x, y))
    written.direction.additions = launch.direction.additions
    written.speed = launch.speed.scaled(by: (best.speed * 1e6).rounded() / 1e6)
    if let spread = best.spread {
      written.spread = spread
      written.spreadLaw = isFlat ? .planar : .polarUniform
    } else {
      written.direction.mode = .random
    }
    guard written != launch else { return }
    // Forces along the way of particles grow by the factor of the speed.
    let along = emitter.forcesAlongMotion
    for index in along {
      emitter.forces[index].strength = emitter.forces[index].strength.scaled(by: best.speed)
    }
    emitter.launch = written
    let recipe =
      best.spread.map {
        "\(isFlat ? "a fan" : "a cone") of \(shortText($0))° to each side"
      } ?? (isFlat ? "any direction in the plane" : "any direction in space")
    let speed = (best.speed * 100).rounded() / 100
    lose(
      .approximated, isNormal ? .directionNormal : isFlat ? .cone3D : .spread2D,
      at: launch.spread > 0 && launch.direction.mode != .random
        ? "launch.spread" : "launch.direction",
      also: ["launch"] + along.map { "forces[\($0)].strength" },
      isFlat ? "directions are in the plane" : "directions are not limited to the plane",
      recipe: recipe + (speed == 1 ? "" : ", speed × \(shortText(speed))"),
      level: max(.low, Loss.Level(difference: best.rest)))
  }

  /// Clamps a colour to the range of the format, and reports the change.
  mutating func clamped(_ color: Color, to range: Interval, _ detail: String) -> Color {
    let inside = Color(
      range.clamp(color.red), range.clamp(color.green), range.clamp(color.blue),
      Interval.unit.clamp(color.alpha))
    if inside != color { lose(.clamped, .gradient, at: "color.base", detail) }
    return inside
  }

  /// The mean of a constant acceleration.
  mutating func acceleration(of force: Force, at place: String) -> Vector {
    let tracks = [force.vector.x, force.vector.y, force.vector.z]
    if tracks.contains(where: { !$0.isPlainValue || !$0.from.isNumber }) {
      lose(.approximated, .gravity, at: place, "accelerations are constant", recipe: "the mean")
    }
    let means = tracks.map { $0.mean(lifetime: lifetime) }
    return Vector(means[0], means[1], means[2])
  }

  /// Reports that the alpha of the image takes effect once more, or once less, than in the engine that
  /// the effect was made for.
  mutating func explainImageAlpha(of written: Blend, in profile: Profile) {
    let origin = system.asset.profile
    guard sprite != nil, origin != profile,
      !format.table.capabilities.profiles.contains(origin),
      let before = origin.drawing.imageAlphas(for: emitter.render.blend),
      let now = profile.drawing.imageAlphas(for: written), before != now
    else { return }
    lose(
      .approximated, .premultipliedAlpha, at: "render.blend",
      before > now
        ? "\(origin.rawValue) multiplies the image by its alpha twice, \(format.engine) once: soft "
          + "edges become fuller"
        : "\(format.engine) multiplies the image by its alpha twice: soft edges become fainter",
      level: .low)
  }
}

extension Row {
  /// Reports each trigger.
  static func missingTriggers(_ detail: String) -> Row {
    .idiom(
      [], "triggers", "lost: \(detail)",
      encode: { writer in
        for (index, trigger) in writer.emitter.triggers.enumerated() {
          writer.lose(.lost, trigger.event.capability, at: "triggers[\(index)]", detail)
        }
      })
  }

  /// Images that change or are chosen, for formats with one image.
  static var missingFrames: [Row] {
    [
      .missing("flipbook"),
      .missing("spriteSelection", when: { $0.emitter.sprites.count < 2 }),
    ]
  }

  /// Orientations in space, for engines of the plane.
  static var missingBillboards: [Row] { missing(["render.billboard", "render.billboardAxis"]) }

  /// Properties of drawing in space that engines of the plane do not support.
  static var missingDepth: [Row] {
    missing([
      "render.lit", "render.soft", "render.blackPass", "render.writesDepth", "render.layer",
    ])
  }

  /// Properties that keyed archives do not support.
  static var missingInKeyedArchives: [Row] {
    missing([
      "emission.ratePerDistance", "emission.minAlive", "emission.jitter", "emission.lifeOffset",
      "launch.inheritVelocity",
    ]) + [
      .idiom(
        [], "motion.orbitVelocity", "lost: motion about the emitter is not supported",
        encode: { $0.loseOrbitVelocity() }),
      .missing("motion.drift"),
      .missing("motion.maxSpeed"),
      .missing("motion.direction"),
      .idiom(
        [], "rotation.align", "lost: alignment with the motion is not supported",
        encode: { writer in
          let rotation = writer.emitter.rotation
          guard rotation.align != .none || rotation.alignOffset != 0 else { return }
          writer.lose(
            rotation.align == .none ? .dead : .lost, .align, at: "rotation.align",
            also: ["rotation.alignOffset"], "alignment with the motion is not supported")
        }),
      .idiom(
        [], "spriteSelection", "lost: only one image is supported",
        encode: { writer in
          guard writer.emitter.sprites.count > 1 else {
            return writer.drop("spriteSelection")
          }
          writer.loseFurtherSprites()
        }),
      .missing("render.layer", "layers belong to the scene"),
      .missing("render.trail"),
      .missing("render.links"),
    ]
  }
}

// Properties without effect, in most cases because another property does not use them.

extension EmitterWriter {
  /// Reports the repetition and the pause of emission without end.
  mutating func dropRepetition() {
    drop("timing.loop", "endless emission does not repeat", rule: .dead)
    drop("timing.idle", "endless emission has no pause", rule: .dead)
  }

  /// Reports a pause after a period that does not repeat.
  mutating func dropIdle() {
    drop("timing.idle", "without repetition the pause has no effect", rule: .dead)
  }

  /// Reports that places along a shape are random.
  mutating func dropSweep() {
    drop("shape.sweep", "the order along the shape is random", rule: .lost)
  }

  /// Reports the offset of an alignment that there is not.
  mutating func dropAlignOffset() {
    drop("rotation.alignOffset", "without alignment the offset has no effect", rule: .dead)
  }

  /// Reports the mode of a speed over life that there is not.
  mutating func dropSpeedMode() {
    drop("motion.speedMode")
  }

  /// Reports the law of a spread of 0.
  mutating func dropSpreadLaw() {
    drop("launch.spreadLaw", "without a spread it has no effect", rule: .dead)
  }
}
