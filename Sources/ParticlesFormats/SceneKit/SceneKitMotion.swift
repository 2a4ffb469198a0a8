internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Launch, motion and forces.

extension KeyedEmitter<SceneKitFamily> {
  func decodeDirection(of emitter: inout Emitter) {
    var vector = object.floats("emittingDirection", count: 3) ?? [0, 0, 1]
    let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
    // A system without a direction uses the default one.
    vector = length > 1e-12 ? vector.map { ($0 / length).rounded } : [0, 0, 1]
    emitter.launch.direction = Direction(vector: Vector(vector[0], vector[1], vector[2]))
  }

  func decodeSpread(of emitter: inout Emitter) {
    let angle = number("spreadingAngle", atLeast: 0)
    emitter.launch.spread = min(angle / 2, 180)
    if angle > 360 {
      note(.approximated, "spreadingAngle", "the maximum angle is 360°", found: "\(angle)")
    }
  }

  func decodeForces(of emitter: inout Emitter) {
    if let vector = vector("acceleration") {
      var force = Force.gravity(vector)
      force.space = flag("isLocal") ? .local : .world
      emitter.forces.append(force)
    }
    let damping = number("dampingFactor")
    guard damping != 0 else { return }
    // Documented as 0 to 1. Files contain 5, and the engine subtracts that many hundredths each
    // frame.
    let strength = (min(max(damping, 0), 100) / 100).rounded
    emitter.forces.append(.drag(.perFrame60, strength: .constant(strength)))
    note(
      .assumed, "dampingFactor",
      "damping is read as hundredths of the speed lost in a sixtieth of a second",
      found: "\(damping)")
  }
}

extension EmitterWriter<SceneKitFamily> {
  /// Restates a random angle as a spread about its mean, or as a random direction.
  mutating func spreadDirection() {
    let launch = emitter.launch
    let (center, half, isExact) = launch.direction.angle.spread
    guard launch.direction.mode == .angle, half > 0, isExact else { return }
    let whole = half + launch.spread >= 180
    emitter.launch.direction.angle = .constant(center)
    if whole {
      let (x, y) = Angle.turned(1, 0, by: center)
      emitter.launch.direction = Direction(vector: Vector(x, y, 0))
      emitter.launch.direction.mode = .random
      emitter.launch.spread = 0
    } else {
      emitter.launch.spread = (half + launch.spread).rounded
    }
    lose(
      .approximated, .spread2D, at: "launch.direction", also: ["launch.spread"],
      "directions are not limited to the plane",
      recipe: whole ? "a random direction in space" : "a cone of equal angle")
  }

  mutating func encodeDirection() {
    let direction = emitter.launch.direction
    var unit = Vector(0, 0, 1)
    switch direction.mode {
    case .angle:
      let angle = direction.angle.mean
      if direction.angle.isNumber {
        lose(
          .restated, .spread2D, at: "launch.direction",
          "the angle is written as a direction in space",
          target: .init("emittingDirection"))
      } else {
        lose(
          .approximated, .spread2D, at: "launch.direction",
          "a random direction angle is not supported",
          recipe: "the mean")
      }
      let (x, y) = Angle.turned(1, 0, by: angle)
      unit = Vector(x, y, 0)
    case .none: break
    case .vector, .normal, .random:
      let vector = direction.vector
      let length = (vector.x * vector.x + vector.y * vector.y + vector.z * vector.z).squareRoot()
      guard length > 1e-12 else { break }
      if (length - 1).magnitude > 1e-6 {
        lose(.restated, .cone3D, at: "launch.direction.vector", "its length has no effect")
      }
      unit = Vector(vector.x / length, vector.y / length, vector.z / length)
    }
    set("emittingDirection", unit)
  }

  mutating func encodeSpread() {
    let launch = emitter.launch
    set("spreadingAngle", 2 * launch.spread)
    guard !isTurned else { return }
    if launch.spread > 0, spreadLaw == .planar {
      lose(
        .approximated, .spread2D, at: "launch.spread", also: ["launch.spreadLaw"],
        "a fan becomes a cone", recipe: "an equal angle")
    } else if launch.spreadLaw != nil {
      lose(.assumed, .cone3D, at: "launch.spreadLaw", "SceneKit's spread law is used")
    }
  }

  mutating func encodeSpeed() {
    let share = emitter.forces.reduce(1) { share, force in
      force.kind == .linear ? share * (speedShare(under: force) ?? 1) : share
    }
    set("particleVelocity", meanSpeed().scaled(by: share), .speedRange, at: "launch.speed")
  }

  private func speedShare(under force: Force) -> Double? {
    force.speedShare(from: emitter.launch.speed.mean, over: lifetime)
  }

  /// Writes one acceleration and one damping, in the order of SceneKit. Further forces are lost.
  mutating func encodeForces() {
    var sum = Vector.zero
    /// The fraction of the speed that is kept in a sixtieth of a second.
    var kept = 1.0
    var kinds: [ForceKind] = []
    for (index, force) in emitter.forces.enumerated() {
      let place = "forces[\(index)]"
      switch force.kind {
      case .gravity:
        let vector = acceleration(of: force, at: place)
        if (force.space == .local) != (emitter.space != .world) {
          lose(
            .approximated, .space, at: "\(place).space",
            // A force with another number is another force.
            also: index == kinds.count ? [] : [place],
            "the acceleration is in the coordinate space of the particles")
        }
        sum = Vector(sum.x + vector.x, sum.y + vector.y, sum.z + vector.z)
        kinds.append(.gravity)
      case .drag:
        guard let share = drag(force, place) else { continue }
        kept *= 1 - share
        kinds.append(.drag)
      case .linear where speedShare(under: force) != nil:
        let capability = system.emitters[self.index].forces[index].kind.capability
        lose(
          .approximated, capability, at: place, also: ["launch.speed"],
          capability == .radial
            ? "radial acceleration is not supported. Particles start near the centre"
            : "acceleration along the velocity is not supported",
          recipe: "the speed that covers an equal distance in their life", level: .medium)
      default:
        lose(.lost, force.kind.capability, at: place, force.kind.consequence)
      }
    }
    if ![[], [.gravity], [.drag], [.gravity, .drag]].contains(kinds) {
      lose(
        .restated, .gravity, at: "forces", "written as one acceleration, followed by damping")
    }
    if kinds.contains(.gravity), sum == .zero {
      lose(.dead, .gravity, at: "forces", "the force is 0")
    }
    set("acceleration", sum)
    set("dampingFactor", 100 * (1 - kept))
  }

  /// The fraction of the speed that is lost in a sixtieth of a second. Nil for other kinds.
  private mutating func drag(_ force: Force, _ place: String) -> Double? {
    guard let share = force.dragShare(over: lifetime) else {
      lose(.lost, .constantDrag, at: place, "damping is always proportional to the speed")
      return nil
    }
    if force.law == .perFrame60, force.direction == nil, force.strength.isConstantOverLife,
      force.strength.from.isNumber, 0...1 ~= share
    {
      return share
    }
    lose(
      .approximated, force.law == .euler ? .linearDrag : .exponentialDrag, at: place,
      "damping is a constant fraction of the speed per sixtieth of a second",
      recipe: "the fraction in the first sixtieth",
      target: .init("dampingFactor", .finite(100 * share)))
    return min(max(share, 0), 1)
  }

  mutating func loseMotion() {
    let motion = emitter.motion
    if motion.mode != .ballistic {
      let isOrbit = motion.mode == .orbit
      let what = isOrbit ? "orbits" : "paths"
      lose(
        .lost, isOrbit ? .orbit : .path, at: "motion.mode",
        also: [isOrbit ? "motion.orbit" : "motion.path"],
        "\(what) are not supported. Particles move by velocity and forces")
    }
    // The initial speed is the mean of a curve.
    if motion.speed == nil { dropSpeedMode() }
  }
}

// Rotation: a start angle and an angular velocity, both with a random range, in degrees.
// Controllers of both are in radians.

extension EmitterWriter<SceneKitFamily> {
  mutating func encodeRotation() {
    let rotation = emitter.rotation
    var (angle, velocity) = (rotation.angle, rotation.velocity)
    if velocity.isPlainValue, let (start, change) = straightAngle {
      if angle != Track(start) {
        let isExact = emitter.lifetime.isNumber || angle.to == nil
        lose(
          isExact && start.isNumber && change.isNumber ? .restated : .approximated,
          .randomEndRotation,
          at: "rotation.angle", also: ["rotation.velocity"],
          "an angle that changes over life is written as an angular velocity",
          recipe: "change / mean lifetime", level: isExact ? nil : .low)
      }
      angle = Track(start)
      velocity = Track(velocity.from.plus(change))
    }
    encode(angle, "particleAngle", "Angle", .rotationCurve, at: "rotation.angle")
    encode(
      velocity, "particleAngularVelocity", "AngularVelocity", .rotationCurve,
      at: "rotation.velocity")
  }

  /// The start angle and the angular velocity of an angle that changes evenly. Nil for others.
  private var straightAngle: (start: Value, change: Value)? {
    let angle = emitter.rotation.angle
    guard angle.range == nil, angle.over == .life else { return nil }
    guard let to = angle.to else { return (angle.from, angle.rate) }
    guard angle.curve == .linear, angle.warp == .linear, angle.rate == 0, lifetime > 0 else {
      return nil
    }
    let (start, end) = (angle.from.spread, to.spread)
    guard start.isExact, end.isExact else { return nil }
    let (change, half) =
      angle.relative
      ? (end.center, end.half)
      : (end.center - start.center, (start.half * start.half + end.half * end.half).squareRoot())
    return (
      angle.from,
      Value(center: (change / lifetime).rounded, halfWidth: (half / lifetime).rounded)
    )
  }

  /// A number that is replaced by a property controller if it changes over life.
  private mutating func encode(
    _ track: Track, _ key: String, _ controller: String, _ capability: Capability, at place: String
  ) {
    let isPlain = track.isPlainValue
    set(key, isPlain ? track.from : 0, capability, at: isPlain ? "\(place).from" : place)
    guard !isPlain else { return }
    encodeController(controller, track, capability, at: place, times: .pi / 180)
  }
}

extension Value {
  /// The sum of two independent random numbers, as a uniform range with an equal deviation.
  fileprivate func plus(_ other: Value) -> Value {
    if other == 0 { return self }
    if self == 0 { return other }
    let (a, b) = (spread, other.spread)
    return Value(
      center: (a.center + b.center).rounded,
      halfWidth: (a.half * a.half + b.half * b.half).squareRoot().rounded)
  }
}
