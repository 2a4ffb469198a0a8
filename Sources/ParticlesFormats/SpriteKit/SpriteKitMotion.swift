internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesModel

// Launch, forces and rotation: a direction, a speed, one acceleration.

extension KeyedEmitter<SpriteKitFamily> {
  var spread: Double {
    let range = angle("_emissionAngleVariance").magnitude
    if range > 360 {
      note(
        .approximated, "_emissionAngleVariance", "the maximum angle is 360°",
        found: "\(range)°", severity: .note)
    }
    return min(range / 2, 180).rounded
  }

  func forces() throws(Failure) -> [Force] {
    var vector = try pair("_acceleration")
    if vector == nil, object.index(of: "xAcceleration") ?? object.index(of: "yAcceleration") != nil
    {
      vector = (number("xAcceleration"), number("yAcceleration"))
    }
    guard let vector, vector != (0, 0) else { return [] }
    var force = Force.gravity(Vector(vector.x, vector.y))
    force.space = .local
    return [force]
  }

  func fieldMask() -> UInt32 {
    if let influence = try? object.object("_fieldInfluenceSequence"), influence.className != nil {
      object.reportUninterpreted("_fieldInfluenceSequence")
    }
    return UInt32(truncatingIfNeeded: object.integer(key("_fieldBitMask")) ?? 0)
  }

  /// Speed over life is possible only as a sequence.
  func motion() throws(Failure) -> Motion {
    var motion = Motion()
    guard let curve = try sequence("_particleSpeedSequence")?.curve() else { return motion }
    motion.speed = Track(from: 0, to: 1, curve: curve)
    motion.speedMode = .replace
    note(.assumed, "_particleSpeedSequence", "the sequence is assumed to replace the initial speed")
    return motion
  }

  func rotation() throws(Failure) -> Rotation {
    var rotation = Rotation()
    if let curve = try sequence("_particleRotationSequence")?.curve(times: 180 / .pi) {
      rotation.angle = Track(from: 0, to: 1, curve: curve)
      return rotation
    }
    rotation.angle = Track(
      Value(center: angle("_startRotation"), halfWidth: angle("_startRotationVariance") / 2))
    rotation.velocity = .constant(angle("_rotationSpeed"))
    return rotation
  }
}

extension EmitterWriter<SpriteKitFamily> {
  /// Restates radial forces that act along the motion, as SpriteKit has no centre of forces: as speed
  /// over life, or as a force that the speed takes into account.
  mutating func straightenForces() {
    for index in emitter.forcesAlongMotion {
      let (force, life) = (emitter.forces[index], lifetime)
      let speed = emitter.launch.speed.spread
      let change = force.strength.mean(lifetime: life) * life
      emitter.forces[index].kind = .linear
      // A constant speed misses a twelfth of the change in the mean. A sequence misses the random part.
      guard emitter.motion.speed == nil, emitter.forces.count == 1,
        change.magnitude / 12 > speed.half / (2 * 3.0.squareRoot())
      else { continue }
      emitter.forces[index].strength = 0
      emitter.motion.speed = Track(
        from: 0, to: 1,
        curve: Curve(through: [(0, speed.center), (1, speed.center + change)])
          .clamped(to: Interval(0, .infinity)))
      emitter.motion.speedMode = .replace
      lose(
        .approximated, .radial, at: "forces[\(index)]",
        also: ["motion.speed", "motion.speedMode", "launch.speed"],
        "radial acceleration is not supported. Particles start near the centre",
        recipe: "the mean speed over life")
    }
  }

  mutating func encodeDirection() {
    var spread = emitter.launch.spread
    let angle = planarAngle(&spread, "this direction is not supported and becomes random")
    set("_emissionAngle", Angle.radians(angle))
    set("_emissionAngleVariance", Angle.radians(2 * spread))
    if !isTurned { loseCone(spread) }
  }

  mutating func encodeSpeed() {
    let share = emitter.forces.reduce(1) { $0 * (speedShare(under: $1) ?? 1) }
    set(
      "_startSpeed", width: "_startSpeedVariance", launchSpeed(), .speedRange, at: "launch.speed",
      times: share)
  }

  private func speedShare(under force: Force) -> Double? {
    if force.kind == .linear, force.strength == 0 { return 1 }
    return force.speedShare(from: emitter.launch.speed.mean, over: lifetime)
  }

  mutating func encodeSpace() {
    guard emitter.space != .local else { return }
    lose(
      .approximated, .space, at: "space",
      "particles follow the node. Set its targetNode to keep them in world space")
  }

  mutating func encodeForces() {
    var sum = Vector.zero
    var count = 0
    for (index, force) in emitter.forces.enumerated() {
      let place = "forces[\(index)]"
      if force.kind == .gravity {
        let vector = gravity(force, place)
        sum = Vector(sum.x + vector.x, sum.y + vector.y)
        count += 1
      } else if speedShare(under: force) != nil {
        guard !hasLine(at: place) else { continue }
        lose(
          .approximated, system.emitters[self.index].forces[index].kind.capability, at: place,
          also: ["launch.speed"],
          force.kind == .drag
            ? "drag is not supported" : "acceleration along the velocity is not supported",
          recipe: "the speed that covers an equal distance in their life",
          level: .medium)
      } else {
        lose(.lost, force.kind.capability, at: place, force.kind.consequence)
      }
    }
    if emitter.forces.count > 1 || (count == 1 && sum == .zero) {
      lose(.restated, .gravity, at: "forces", "only one acceleration is supported")
    }
    set("_acceleration", pair: sum.x, sum.y)
  }

  private mutating func gravity(_ force: Force, _ place: String) -> Vector {
    let vector = acceleration(of: force, at: place)
    loseTraits(ofGravity: force, at: place)
    if vector.z != 0 { lose(.lost, .gravity, at: "\(place).vector", "SpriteKit is 2D only") }
    if force.space != .local {
      // Both coordinate spaces are equal unless the node is rotated.
      lose(
        emitter.transform.angle == 0 ? .restated : .approximated, .space, at: "\(place).space",
        "the acceleration is in the coordinate space of the node")
    }
    return vector
  }

  /// Writes the speed over life, which replaces the initial speed.
  mutating func encodeMotion() {
    let motion = emitter.motion
    if let speed = motion.speed {
      let isFactor = motion.speedMode == .multiply
      if isFactor {
        lose(
          .approximated, .speedCurve, at: "motion.speed", also: ["motion.speedMode"],
          "a sequence states the speed itself, equal for all particles", recipe: "the mean speed"
        )
      } else if system.emitters[index].motion.speed != nil {
        lose(.assumed, .speedCurve, at: "motion.speed", "the sequence replaces the initial speed")
      }
      set(
        "_particleSpeedSequence",
        over: isFactor ? speed.scaled(by: emitter.launch.speed.mean) : speed, .speedCurve,
        at: "motion.speed")
    } else {
      dropSpeedMode()
      set("_particleSpeedSequence", .null)
    }
    loseMotionMode()
  }

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    var angle = rotation.angle
    var change = angle.isStraight ? angle.rate.mean : 0
    if let ramp = TrackRamp(angle, lifetime: emitter.lifetime) {
      lose(
        .approximated, .randomEndRotation, at: "rotation.angle", also: ["rotation.velocity"],
        "all particles have one angular velocity", recipe: "start, range and speed")
      (angle, change) = (Track(ramp.from), ramp.rate)
    }
    set(
      "_startRotation", width: "_startRotationVariance", angle.isStraight ? angle.from : 0,
      .rotation,
      at: "rotation.angle", times: .pi / 180)
    var velocity = rotation.velocity.mean(lifetime: lifetime)
    if !rotation.velocity.isPlainValue || !rotation.velocity.from.isNumber {
      lose(
        .approximated, .rotationSpeed, at: "rotation.velocity",
        "all particles have one angular velocity",
        recipe: "the mean")
    }
    if rotation.acceleration != 0 {
      velocity += rotation.acceleration.mean * lifetime / 2
      lose(
        .approximated, .angularAcceleration, at: "rotation.acceleration",
        also: ["rotation.velocity"],
        "angular acceleration is not supported", recipe: "the mean velocity")
    }
    if angle.isStraight {
      velocity += change
      if angle.rate != 0 {
        lose(
          angle.rate.isNumber ? .restated : .approximated, .rotationSpeed, at: "rotation.angle",
          also: ["rotation.velocity"], "an angle with constant growth is written as a velocity")
      }
      set("_particleRotationSequence", .null)
    } else {
      set(
        "_particleRotationSequence", over: angle, .rotationCurve, at: "rotation.angle",
        times: .pi / 180)
      if velocity != 0 {
        lose(
          .lost, .rotationSpeed, at: "rotation.velocity", "a sequence replaces the angular velocity"
        )
        velocity = 0
      }
    }
    set("_rotationSpeed", Angle.radians(velocity))
  }
}
