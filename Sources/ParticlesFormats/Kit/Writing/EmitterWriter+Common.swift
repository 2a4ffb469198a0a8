internal import ParticlesCore
internal import ParticlesModel

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

  /// The part of the image, in pixels, that is the first frame; nil if unknown.
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

  /// The initial speed, which is 0 without a direction.
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
      recipe: "straight motion with the same mean place and extent at each age",
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
    // A direction in the plane that does not deviate is the same in both.
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
    // What accelerates particles along their way is as much faster.
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
