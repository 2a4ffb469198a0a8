internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// How many particles are born, where, and how they move.

extension SpriteKitEmitter {
  func emission() -> Emission {
    var emission = Emission()
    emission.rate = .constant(object.number(key("_birthrate"), 0, atLeast: 0))
    let total = number("_numParticlesToEmit")
    // 0 is for ever.
    if total > 0 { emission.total = Int(min(total, 1e9).rounded()) }
    return emission
  }

  /// A rectangle, or the one place.
  func shape() throws -> Shape {
    var shape = Shape()
    if let size = try pair("_startPositionVariance"), size != (0, 0) {
      shape = .rect(width: size.x.magnitude, height: size.y.magnitude)
    }
    if let center = try pair("_startPosition") {
      shape.transform.translation = Vector(center.x, center.y)
    }
    return shape
  }

  func launch() -> Launch {
    var launch = Launch()
    launch.direction = Direction(angle: .constant(angle("_emissionAngle")))
    let range = angle("_emissionAngleVariance").magnitude
    launch.spread = min(range / 2, 180).rounded
    if range > 360 {
      object.reader.report(
        Diagnostic(
          .approximated, at: .key(object.path(of: key("_emissionAngleVariance"))),
          "there is no more than all around", found: "\(range)°", severity: .note))
    }
    launch.speed = value("_startSpeed", "_startSpeedVariance")
    return launch
  }

  func forces() throws -> [Force] {
    var vector = try pair("_acceleration")
    if vector == nil, object.index(of: "xAcceleration") ?? object.index(of: "yAcceleration") != nil
    {
      vector = (object.number("xAcceleration", 0), object.number("yAcceleration", 0))
    }
    guard let vector, vector != (0, 0) else { return [] }
    var force = Force.gravity(Vector(vector.x, vector.y))
    force.space = .local
    return [force]
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

  func fieldMask() -> Int {
    if let influence = try? object.object("_fieldInfluenceSequence"), influence.className != nil {
      object.reportUninterpreted("_fieldInfluenceSequence")
    }
    return object.int(key("_fieldBitMask")).map { $0 & 0xFFFF_FFFF } ?? 0
  }

  func rotation() throws -> Rotation {
    var rotation = Rotation()
    if let curve = try sequence("_particleRotationSequence")?.curve(scale: 180 / .pi) {
      rotation.angle = Track(from: 0, to: 1, curve: curve)
      return rotation
    }
    rotation.angle = Track(
      Value(center: angle("_startRotation"), width: angle("_startRotationVariance")))
    rotation.velocity = .constant(angle("_rotationSpeed"))
    return rotation
  }
}
