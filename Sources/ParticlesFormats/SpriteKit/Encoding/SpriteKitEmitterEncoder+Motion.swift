internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform
internal import ParticlesPropertyLists

// How particles set off and what moves them: a direction, a speed and one acceleration.

extension SpriteKitEmitterEncoder {
  mutating func encodeLaunch() {
    let launch = emitter.launch
    var spread = launch.spread
    let angle = direction(&spread)
    set("_emissionAngle", Angle.radians(angle))
    set("_emissionAngleVariance", Angle.radians(2 * spread))
    let law = launch.spreadLaw ?? (system.asset.dimension == .plane ? .planar : .polarUniform)
    if spread > 0, law != .planar {
      lose(
        .approximated, .cone3D, at: "launch.spread", also: ["launch.spreadLaw"],
        "a cone becomes a fan", recipe: "the same angle")
    } else if launch.spreadLaw != nil {
      lose(.restated, .spread2D, at: "launch.spreadLaw", "directions are spread in the plane")
    }
    if launch.flatness != 0 { lose(.dead, .cone3D, at: "launch.flatness", "SpriteKit is flat") }
    set(
      "_startSpeed", width: "_startSpeedVariance",
      launch.direction.mode == .none ? 0 : launch.speed, .speedRange, at: "launch.speed",
      times: slowdown())
    lose(
      .inherit, at: "launch.inheritVelocity", launch.inheritVelocity, unless: 0,
      "particles do not take over the motion of the emitter")
    if emitter.space != .local {
      lose(
        .approximated, .space, at: "space",
        "particles move with the node; set its targetNode to leave them where they are")
    }
  }

  /// The angle in degrees; what is random in it is added to the spread.
  private mutating func direction(_ spread: inout Double) -> Double {
    let direction = emitter.launch.direction
    switch direction.mode {
    case .angle:
      let (center, half, isExact) = direction.angle.spread
      if half != 0 || !isExact {
        spread = min(spread + half, 180)
        lose(
          isExact && emitter.launch.spread == 0 ? .restated : .approximated, .spread2D,
          at: "launch.direction", also: ["launch.spread"],
          "there is one direction with a spread")
      } else if direction != Direction(angle: direction.angle) {
        lose(.dead, .spread2D, at: "launch.direction", "only the angle counts")
      }
      return center
    case .none:
      lose(
        .restated, .speedRange, at: "launch.direction", also: ["launch.speed"],
        "particles that go nowhere have no speed")
      return 90
    case .random, .normal:
      spread = 180
      let isRandom = direction.mode == .random
      lose(
        isRandom ? .restated : .lost, isRandom ? .spread2D : .dirNormal, at: "launch.direction",
        also: ["launch.spread"],
        isRandom ? "everywhere is a spread all around" : "particles fly everywhere")
      return 90
    case .vector:
      let vector = direction.vector
      let isFlat = vector.z == 0
      lose(
        isFlat ? .restated : .approximated, .cone3D, at: "launch.direction",
        isFlat ? "a direction is an angle" : "SpriteKit is flat",
        recipe: isFlat ? nil : "as seen from the front")
      guard vector.x != 0 || vector.y != 0 else { return 90 }
      return (atan2(vector.y, vector.x) * 180 / .pi).rounded
    }
  }

  // MARK: Forces

  mutating func encodeForces() {
    var acceleration = Vector.zero
    var count = 0
    for (index, force) in emitter.forces.enumerated() {
      let place = "forces[\(index)]"
      switch force.kind {
      case .gravity:
        let vector = gravity(force, place)
        acceleration = Vector(acceleration.x + vector.x, acceleration.y + vector.y)
        count += 1
      case .drag, .linear:
        if slowdown(by: force) != nil {
          lose(
            .approximated, force.kind == .linear ? .linAcc : .dragExp, at: place,
            also: ["launch.speed"], "particles keep their speed",
            recipe: "a speed at which they come as far in their life", level: .medium)
        } else {
          lose(.lost, force.kind.capability, at: place, force.kind.consequence)
        }
      default: lose(.lost, force.kind.capability, at: place, force.kind.consequence)
      }
    }
    if emitter.forces.count > 1 || (count == 1 && acceleration == .zero) {
      lose(.restated, .gravity, at: "forces", "there is one acceleration")
    }
    set("_acceleration", pair: acceleration.x, acceleration.y)
    set("_fieldBitMask", integer: emitter.physics.fieldMask)
  }

  private mutating func gravity(_ force: Force, _ place: String) -> Vector {
    let tracks = [force.vector.x, force.vector.y, force.vector.z]
    if tracks.contains(where: { !$0.isPlainValue || !$0.from.isConstant }) {
      lose(.approximated, .gravity, at: place, "the acceleration is constant", recipe: "the mean")
    }
    var plain = Force(.gravity)
    (plain.vector, plain.space) = (force.vector, force.space)
    if force != plain {
      lose(.dead, .gravity, at: place, "only the vector of an acceleration counts", level: .info)
    }
    let means = tracks.map { $0.mean(lifetime: lifetime) }
    if means[2] != 0 { lose(.lost, .gravity, at: "\(place).vector", "SpriteKit is flat") }
    if force.space != .local {
      // Both axes are the same as long as nobody turns the node.
      lose(
        emitter.transform.angle == 0 ? .restated : .approximated, .space, at: "\(place).space",
        "the acceleration has the axes of the node")
    }
    return Vector(means[0], means[1])
  }

  /// The share of the speed at which particles come as far as with the forces along their way.
  private func slowdown() -> Double {
    emitter.forces.reduce(1) { $0 * (slowdown(by: $1) ?? 1) }
  }

  /// The same for one force; nil if there is no such speed.
  private func slowdown(by force: Force) -> Double? {
    let (life, speed) = (lifetime, emitter.launch.speed.mean)
    let strength = force.strength.mean(lifetime: life)
    guard life > 0, force.direction == nil, strength.isFinite else { return nil }
    func decay(_ rate: Double) -> Double {
      rate * life < 1e-9 ? 1 : (1 - exp(-rate * life)) / (rate * life)
    }
    switch (force.kind, force.law) {
    case (.linear, _): return speed > 0 ? max(1 + strength * life / (2 * speed), 0) : nil
    case (.drag, .exponential), (.drag, .euler): return strength >= 0 ? decay(strength) : nil
    case (.drag, .perFrame60):
      return 0...1 ~= strength ? decay(-60 * log(max(1 - strength, 1e-9))) : nil
    case (.drag, .constant):
      guard speed > 0, strength > 0 else { return nil }
      // It may stop before its life ends.
      let time = min(life, speed / strength)
      return (speed * time - strength * time * time / 2) / (speed * life)
    default: return nil
    }
  }

  // MARK: Motion

  mutating func encodeMotion() {
    let motion = emitter.motion
    set("_particleSpeedSequence", sequence: speedSequence())
    if motion.mode != .ballistic {
      let isOrbit = motion.mode == .orbit
      lose(
        .lost, isOrbit ? .orbit : .path, at: "motion.mode", also: ["motion.orbit", "motion.path"],
        isOrbit ? "particles do not circle" : "particles do not follow a path")
    } else if motion.orbit != nil || motion.path != nil {
      lose(.dead, .orbit, at: "motion.orbit", also: ["motion.path"], "particles just fly")
    }
    if motion.orbitVelocity != 0 || motion.orbitAxis != Vector(0, 0, 1) {
      lose(
        motion.orbitVelocity == 0 ? .dead : .lost, .orbitVel, at: "motion.orbitVelocity",
        also: ["motion.orbitAxis"], "particles do not turn about the emitter")
    }
    lose(.drift, at: "motion.drift", motion.drift, unless: .zero, "there is no wind")
    lose(
      .speedCurve, at: "motion.maxSpeed", motion.maxSpeed, unless: nil, "speeds have no limit")
  }

  /// The speed over life in the place of that at birth.
  private mutating func speedSequence() -> Curve? {
    let motion = emitter.motion
    guard let speed = motion.speed else {
      if motion.speedMode != .multiply {
        lose(.dead, .speedCurve, at: "motion.speedMode", "the speed does not change")
      }
      return nil
    }
    let isFactor = motion.speedMode == .multiply
    let track = isFactor ? speed.scaled(by: emitter.launch.speed.mean) : speed
    if isFactor {
      lose(
        .approximated, .speedCurve, at: "motion.speed", also: ["motion.speedMode"],
        "a sequence has the speed itself, the same for all particles", recipe: "the mean speed")
    } else {
      lose(.assumed, .speedCurve, at: "motion.speed", "the sequence replaces the speed at birth")
    }
    return sequence(of: track, .speedCurve, at: "motion.speed")
  }

  // MARK: Rotation

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    let angle = rotation.angle
    let isStraight = angle == Track(from: angle.from, rate: angle.rate)
    set(
      "_startRotation", width: "_startRotationVariance", isStraight ? angle.from : 0, .rot,
      at: "rotation.angle", times: .pi / 180)
    var velocity = rotation.velocity.mean(lifetime: lifetime)
    if !rotation.velocity.isPlainValue || !rotation.velocity.from.isConstant {
      lose(
        .approximated, .rotVel, at: "rotation.velocity", "all particles turn equally fast",
        recipe: "the mean")
    }
    if rotation.acceleration != 0 {
      velocity += rotation.acceleration.mean * lifetime / 2
      lose(
        .approximated, .rotAcc, at: "rotation.acceleration", also: ["rotation.velocity"],
        "particles turn evenly", recipe: "the mean velocity")
    }
    if isStraight {
      if angle.rate != 0 {
        velocity += angle.rate.mean
        lose(
          angle.rate.isConstant ? .restated : .approximated, .rotVel, at: "rotation.angle",
          also: ["rotation.velocity"], "an angle that grows evenly is a velocity")
      }
      set("_particleRotationSequence", .null)
    } else {
      let curve = sequence(of: angle, .rotCurve, at: "rotation.angle")
      set("_particleRotationSequence", sequence: curve, times: .pi / 180)
      if velocity != 0 {
        lose(.lost, .rotVel, at: "rotation.velocity", "a sequence says all of the angle")
        velocity = 0
      }
    }
    set("_rotationSpeed", Angle.radians(velocity))
    if rotation.align != .none || rotation.alignOffset != 0 {
      lose(
        rotation.align == .none ? .dead : .lost, .align, at: "rotation.align",
        also: ["rotation.alignOffset"], "particles do not face where they fly")
    }
    lose(.rot3D, at: "rotation.axis", rotation.axis, unless: .screen, "SpriteKit is flat")
  }
}

extension Angle {
  static func sine(_ radians: Double) -> Double { sin(radians) }
  static func cosine(_ radians: Double) -> Double { cos(radians) }
}
