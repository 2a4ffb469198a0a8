internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesModel

// How particles set off, what moves them and how they turn: a direction, a speed, one acceleration.

extension KeyedEmitter<SpriteKitFamily> {
  var spread: Double {
    let range = angle("_emissionAngleVariance").magnitude
    if range > 360 {
      note(
        .approximated, "_emissionAngleVariance", "there is no more than all around",
        found: "\(range)°", severity: .note)
    }
    return min(range / 2, 180).rounded
  }

  func forces() throws -> [Force] {
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

  func fieldMask() -> Int {
    if let influence = try? object.object("_fieldInfluenceSequence"), influence.className != nil {
      object.reportUninterpreted("_fieldInfluenceSequence")
    }
    return object.int(key("_fieldBitMask")).map { $0 & 0xFFFF_FFFF } ?? 0
  }

  /// Nothing but a sequence can say anything of the speed over life.
  func motion() throws -> Motion {
    var motion = Motion()
    guard let curve = try sequence("_particleSpeedSequence")?.curve() else { return motion }
    motion.speed = Track(from: 0, to: 1, curve: curve)
    motion.speedMode = .replace
    note(.assumed, "_particleSpeedSequence", "the sequence is taken to replace the speed at birth")
    return motion
  }

  func rotation() throws -> Rotation {
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
  mutating func encodeDirection() {
    let launch = emitter.launch
    var spread = launch.spread
    let angle = direction(&spread)
    set("_emissionAngle", Angle.radians(angle))
    set("_emissionAngleVariance", Angle.radians(2 * spread))
    if spread > 0, spreadLaw != .planar {
      lose(
        .approximated, .cone3D, at: "launch.spread", also: ["launch.spreadLaw"],
        "a cone becomes a fan", recipe: "the same angle")
    } else {
      drop(
        \.launch.spreadLaw, .spread2D, at: "launch.spreadLaw", "directions are spread in the plane",
        .restated)
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
          at: "launch.direction", also: ["launch.spread"], "there is one direction with a spread")
      } else if direction != Direction(angle: direction.angle) {
        lose(.dead, .spread2D, at: "launch.direction", "only the angle counts")
      }
      return center
    case .none: return 90
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
      return Angle.direction(vector.x, vector.y) ?? 90
    }
  }

  mutating func encodeSpeed() {
    let share = emitter.forces.reduce(1) { $0 * (speedShare(under: $1) ?? 1) }
    set(
      "_startSpeed", width: "_startSpeedVariance", launchSpeed(), .speedRange, at: "launch.speed",
      times: share)
  }

  private func speedShare(under force: Force) -> Double? {
    force.speedShare(from: emitter.launch.speed.mean, over: lifetime)
  }

  mutating func encodeSpace() {
    guard emitter.space != .local else { return }
    lose(
      .approximated, .space, at: "space",
      "particles move with the node; set its targetNode to leave them where they are")
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
        lose(
          .approximated, force.kind.capability, at: place, also: ["launch.speed"],
          "particles keep their speed", recipe: "a speed at which they come as far in their life",
          level: .medium)
      } else {
        lose(.lost, force.kind.capability, at: place, force.kind.consequence)
      }
    }
    if emitter.forces.count > 1 || (count == 1 && sum == .zero) {
      lose(.restated, .gravity, at: "forces", "there is one acceleration")
    }
    set("_acceleration", pair: sum.x, sum.y)
  }

  private mutating func gravity(_ force: Force, _ place: String) -> Vector {
    let vector = acceleration(of: force, at: place)
    var plain = Force(.gravity)
    (plain.vector, plain.space) = (force.vector, force.space)
    if force != plain {
      lose(.dead, .gravity, at: place, "only the vector of an acceleration counts", level: .info)
    }
    if vector.z != 0 { lose(.lost, .gravity, at: "\(place).vector", "SpriteKit is flat") }
    if force.space != .local {
      // Both axes are the same as long as nobody turns the node.
      lose(
        emitter.transform.angle == 0 ? .restated : .approximated, .space, at: "\(place).space",
        "the acceleration has the axes of the node")
    }
    return vector
  }

  /// The speed over life in the place of that at birth.
  mutating func encodeMotion() {
    let motion = emitter.motion
    if let speed = motion.speed {
      let isFactor = motion.speedMode == .multiply
      if isFactor {
        lose(
          .approximated, .speedCurve, at: "motion.speed", also: ["motion.speedMode"],
          "a sequence has the speed itself, the same for all particles", recipe: "the mean speed")
      } else {
        lose(.assumed, .speedCurve, at: "motion.speed", "the sequence replaces the speed at birth")
      }
      set(
        "_particleSpeedSequence",
        over: isFactor ? speed.scaled(by: emitter.launch.speed.mean) : speed, .speedCurve,
        at: "motion.speed")
    } else {
      drop(
        \.motion.speedMode, .speedCurve, at: "motion.speedMode", "the speed does not change", .dead)
      set("_particleSpeedSequence", .null)
    }
    if motion.mode != .ballistic {
      let isOrbit = motion.mode == .orbit
      lose(
        .lost, isOrbit ? .orbit : .path, at: "motion.mode", also: ["motion.orbit", "motion.path"],
        isOrbit ? "particles do not circle" : "particles do not follow a path")
    } else if motion.orbit != nil || motion.path != nil {
      lose(.dead, .orbit, at: "motion.orbit", also: ["motion.path"], "particles just fly")
    }
  }

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    let angle = rotation.angle
    set(
      "_startRotation", width: "_startRotationVariance", angle.isStraight ? angle.from : 0, .rot,
      at: "rotation.angle", times: .pi / 180)
    var velocity = rotation.velocity.mean(lifetime: lifetime)
    if !rotation.velocity.isPlainValue || !rotation.velocity.from.isNumber {
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
    if angle.isStraight {
      if angle.rate != 0 {
        velocity += angle.rate.mean
        lose(
          angle.rate.isNumber ? .restated : .approximated, .rotVel, at: "rotation.angle",
          also: ["rotation.velocity"], "an angle that grows evenly is a velocity")
      }
      set("_particleRotationSequence", .null)
    } else {
      set(
        "_particleRotationSequence", over: angle, .rotCurve, at: "rotation.angle", times: .pi / 180)
      if velocity != 0 {
        lose(.lost, .rotVel, at: "rotation.velocity", "a sequence says all of the angle")
        velocity = 0
      }
    }
    set("_rotationSpeed", Angle.radians(velocity))
  }
}
