internal import ParticlesCore
internal import ParticlesModel

// Shape, launch and motion.

extension FieldReader<CocosFamily> {
  var space: EmitterSpace {
    switch number("positionType") {
    case 0: return .world
    case 1: return .parent
    case 2: return .local
    case let other?:
      note(
        .assumed, "positionType", "particles move in world space",
        found: JSONNumber(other).text)
    case nil where format.dialect == .cocos2d && law != .cocosCreator:
      note(.assumed, "positionType", "particles move in world space, as in cocos2d-x")
    case nil: break
    }
    return .world
  }

  func decodeMotion(of emitter: inout Emitter) {
    let type = number("emitterType") ?? 0
    guard type != 1 else {
      emitter.motion.mode = .orbit
      emitter.motion.orbit = orbit(emitter.space)
      return
    }
    if type != 0 {
      note(.assumed, "emitterType", "type 0 (gravity) is assumed", found: JSONNumber(type).text)
    }
    let (x, y) = (number("sourcePositionVariancex") ?? 0, number("sourcePositionVariancey") ?? 0)
    if x != 0 || y != 0 { emitter.shape = .rect(width: 2 * x.magnitude, height: 2 * y.magnitude) }
    let angle = (number("angle") ?? 0) * surroundings.y + (surroundings.isReflected ? 180 : 0)
    emitter.launch.direction = Direction(angle: value(angle, width: "angleVariance"))
    emitter.launch.speed = value("speed", width: "speedVariance")
    emitter.forces = forces
    for index in emitter.forces.indices where emitter.space != .world {
      emitter.forces[index].space = .local
    }
  }

  private var forces: [Force] {
    let (away, y) = (surroundings.away, surroundings.y)
    var forces: [Force] = []
    let gravity = Vector(number("gravityx", times: away), number("gravityy", times: away * y))
    if gravity != .zero { forces.append(.gravity(gravity)) }
    let radial = value("radialAcceleration", width: "radialAccelVariance", times: away)
    if radial != 0 { forces.append(Force(.radial, strength: Track(radial))) }
    let tangential = value(
      "tangentialAcceleration", width: "tangentialAccelVariance", times: away * y)
    if tangential != 0 { forces.append(Force(.tangential, strength: Track(tangential))) }
    return forces
  }

  private func orbit(_ space: EmitterSpace) -> Orbit {
    var orbit = Orbit()
    // Orbits are flipped vertically only, never horizontally.
    let y = surroundings.isReflected ? -1 : surroundings.y
    orbit.angle = value("angle", width: "angleVariance", times: y)
    orbit.angularVelocity = cut(
      value("rotatePerSecond", width: "rotatePerSecondVariance", times: y))
    orbit.radius = track("maxRadius", "minRadius", isConstantAt: -1)
    orbit.radius.from = cut(orbit.radius.from)
    orbit.radius.to = orbit.radius.to.map(cut)
    if law == .cocos2d, number("minRadiusVariance") ?? 0 != 0, let end = orbit.radius.to {
      orbit.radius.to = .constant(end.spread.center)
    }
    orbit.center = format.orbitCenter(in: space)
    orbit.phase180 = true
    return orbit
  }

  /// cocos2d-x 3.7 to 4.0 cuts the means of orbits to whole numbers, if the file has a `configName`.
  private func cut(_ value: Value) -> Value {
    guard format.dialect == .cocos2d, law == .cocos2dX, text("configName") != nil else {
      return value
    }
    let (mean, half) = (value.spread.center, value.spread.half)
    return Value(center: mean.rounded(.towardZero), halfWidth: half)
  }

  /// A track between two values, or a constant if they cannot differ.
  /// - Parameter mark: the end value for which cocos2d keeps the start value.
  func track(
    _ start: String, _ end: String, times factor: Double = 1, isConstantAt mark: Double? = nil
  ) -> Track {
    let from = value(start, width: start + "Variance", times: factor)
    let to = value(end, width: end + "Variance", times: factor)
    if let mark, !format.isStarling, number(end) == mark { return Track(from) }
    return from.isNumber && from == to ? Track(from) : Track(from: from, to: to)
  }
}

extension CocosFamily {
  fileprivate func orbitCenter(in space: EmitterSpace) -> OrbitCenter {
    !isStarling && space == .world ? .birthEmitter : .emitter
  }
}

extension EmitterWriter<CocosFamily> {
  mutating func encodePlace() {
    let transform = emitter.transform
    set("sourcePositionx", transform.translation.x)
    set("sourcePositiony", transform.translation.y * surroundings.y)
    if format.isStarling, transform.translation != .zero {
      lose(
        .lost, .place, at: "transform.translation",
        "Starling does not read the position. Move the display object",
        level: system.emitters.count > 1 ? .medium : .info)
    } else if transform.translation.z != 0 {
      lose(.lost, .frame2D, at: "transform.translation", "depth is not supported", level: .low)
    }
    if transform.angle != 0 || transform.rotation != .identity {
      lose(
        .lost, .place, at: "transform.angle", also: ["transform.rotation"],
        "rotation of the emitter is not supported", level: .medium)
    }
  }

  mutating func encodeSpace() {
    let types: [EmitterSpace] = [.world, .parent, .local]
    if format.isStarling {
      drop("space", "the coordinate space has no effect on orbits")
    } else {
      set("positionType", emitter.space, of: types)
    }
  }

  var isOrbit: Bool { emitter.motion.mode == .orbit }

  mutating func encodeFlight() {
    let shape = emitter.shape
    let half = shape.halfSize
    set("sourcePositionVariancex", half.x)
    set("sourcePositionVariancey", half.y)
    if let capability = Self.capability(of: shape) {
      let isLost = [.shapePoints, .shapeMesh, .shapeRing].contains(capability)
      lose(
        isLost ? .lost : .approximated, capability, at: "shape",
        "only rectangles are supported", recipe: "bounding rectangle, or one of equal area")
    } else if shape
      != (half == Vector2(0, 0) ? Shape() : .rect(width: 2 * half.x, height: 2 * half.y))
    {
      lose(.restated, .shapeRectangle, at: "shape", "the shape is written as a rectangle")
    }
    if shape.kind != .point { dropSweep() }
    encodeLaunch()
    encodeForces()
  }

  private mutating func encodeLaunch() {
    let launch = emitter.launch
    var angle = launch.direction.angle
    switch launch.direction.mode {
    case .angle:
      drop("launch.direction.vector")
    case .vector:
      let vector = launch.direction.vector
      angle = .constant(Angle.direction(vector.x, vector.y) ?? 0)
      lose(
        vector.z == 0 ? .restated : .approximated, .cone3D, at: "launch.direction",
        vector.z == 0 ? "the direction is written as an angle" : "depth is not supported",
        recipe: vector.z == 0 ? nil : "the direction projected on the plane")
    case .random, .none:
      angle = launch.direction.mode == .random ? .range(-180, 180) : 0
      lose(.restated, .spread2D, at: "launch.direction", "written as an angle with full variance")
    case .normal:
      angle = .range(-180, 180)
      lose(
        .lost, .directionNormal, at: "launch.direction", "shape normals are not supported",
        recipe: "a random direction")
    }
    let isRandom = [.random, .normal, .none].contains(launch.direction.mode)
    if launch.spread != 0, isRandom {
      lose(
        .dead, .spread2D, at: "launch.spread", also: ["launch.spreadLaw"],
        "a spread does not change a random direction")
    } else if launch.spread != 0 {
      let spread = angle.spread
      let half = min(spread.half + launch.spread, max(spread.half, 180))
      angle = .range((spread.center - half).rounded, (spread.center + half).rounded)
      let isExact =
        spread.half == 0
        && (launch.spreadLaw == .planar
          || launch.spreadLaw == nil && !(system.asset.dimension == .space))
      guard !isTurned else { return setLaunch(angle) }
      lose(
        isExact ? .restated : .approximated, isExact ? .spread2D : .cone3D, at: "launch.spread",
        also: ["launch.direction", "launch.spreadLaw"],
        isExact ? "the spread is a variance of the angle" : "cones become fans in the plane",
        recipe: isExact ? nil : "an equal opening angle")
    } else {
      dropSpreadLaw()
    }
    setLaunch(angle)
  }

  private mutating func setLaunch(_ angle: Value) {
    let launch = emitter.launch
    let spread = angle.spread
    explain(angle, .spread2D, at: "launch.direction")
    set("angle", (spread.center - (surroundings.isReflected ? 180 : 0)) * surroundings.y)
    set("angleVariance", spread.half)
    let speed: Value = launch.direction.mode == .none ? 0 : launch.speed
    if let track = emitter.motion.speed {
      encodeSpeed(speed, along: track)
    } else {
      set("speed", width: "speedVariance", speed, .speedRange, at: "launch.speed")
      dropSpeedMode()
    }
    drop("launch.flatness")
    drop("launch.inheritVelocity")
  }

  /// A speed over life is replaced by its mean.
  private mutating func encodeSpeed(_ speed: Value, along track: Track) {
    let curve = track.curve(lifetime: life).curve
    let mean = curve.mean
    let replaces = emitter.motion.speedMode == .replace
    let spread = speed.spread
    set("speed", replaces ? mean : spread.center * mean)
    set(
      "speedVariance",
      replaces ? track.to?.spread.half ?? track.from.spread.half : spread.half * mean.magnitude)
    lose(
      .approximated, .speedCurve, at: "motion.speed", also: ["launch.speed", "motion.speedMode"],
      "speed over life is not supported", recipe: "the mean of the curve", level: .high)
  }

  private mutating func encodeForces() {
    var gravity = Vector.zero
    var strengths: [ForceKind: (center: Double, half: Double)] = [:]
    for (index, force) in emitter.forces.enumerated() {
      let place = "forces[\(index)]"
      switch force.kind {
      case .gravity:
        gravity = Vector(gravity.x + force.vector.x.from.mean, gravity.y + force.vector.y.from.mean)
        if [force.vector.x, force.vector.y].contains(where: {
          $0 != Track($0.from) || !$0.from.isNumber
        }) {
          lose(
            .approximated, .gravity, at: place, "gravity is constant",
            recipe: "the initial value")
        }
        if force.vector.z != 0 {
          lose(.lost, .gravity, at: place, "depth is not supported", level: .low)
        }
      case .radial, .tangential, .vortex:
        let kind = force.kind.withoutVortex
        let spread = force.strength.from.spread
        let sum = strengths[kind, default: (0, 0)]
        strengths[kind] = (sum.center + spread.center, sum.half + spread.half)
        check(force, place, isAlone: sum == (0, 0))
      case .linear:
        lose(
          .lost, .linearAcceleration, at: place, "acceleration along the velocity is not supported")
      case .drag:
        let capabilities: [DragLaw: Capability] = [.constant: .constantDrag, .euler: .linearDrag]
        lose(
          .lost, capabilities[force.law] ?? .exponentialDrag, at: place,
          "drag is not supported")
      case .noise: lose(.lost, .noise, at: place, "noise is not supported")
      case .field:
        lose(.lost, .extra, at: place, "fields of the scene are not supported", level: .medium)
      }
    }
    let away = surroundings.away
    set("gravityx", gravity.x * away)
    set("gravityy", gravity.y * away * surroundings.y)
    let (radial, tangential) = (
      strengths[.radial, default: (0, 0)], strengths[.tangential, default: (0, 0)]
    )
    set("radialAcceleration", radial.center * away)
    set("radialAccelVariance", radial.half)
    set("tangentialAcceleration", tangential.center * away * surroundings.y)
    set("tangentialAccelVariance", tangential.half)
    explainOrder(
      of: emitter.forces.map { $0.kind.withoutVortex }, by: [.gravity, .radial, .tangential],
      in: format.isStarling || emitter.space == .world ? .world : .local)
  }

  private mutating func check(_ force: Force, _ place: String, isAlone: Bool) {
    let capability: Capability = force.kind == .radial ? .radial : .tangent
    if force.strength != Track(force.strength.from) || !force.strength.from.spread.isExact
      || !isAlone
    {
      lose(
        .approximated, capability, at: place, "the strength of a force is constant",
        recipe: "the initial value")
    } else if !loseDistance(of: force, at: place, isSame: force.axis == Vector(0, 0, 1)),
      force.kind == .vortex
    {
      lose(.restated, .tangent, at: place, "written as a tangential acceleration")
    }
  }

  mutating func encodeOrbit() {
    let orbit = emitter.motion.orbit ?? Orbit()
    if emitter.motion.orbit == nil {
      lose(.restated, .orbit, at: "motion.orbit", "the default orbit is written explicitly")
    }
    let y = surroundings.isReflected ? -1 : surroundings.y
    let spread = orbit.angle.spread
    set("angle", (spread.center + (orbit.phase180 ? 0 : 180)) * y)
    set("angleVariance", spread.half)
    if !orbit.phase180 {
      lose(
        .restated, .orbit, at: "motion.orbit.phase180", also: ["motion.orbit.angle"],
        "angles are counted from the opposite side")
    }
    set(
      "rotatePerSecond", width: "rotatePerSecondVariance", orbit.angularVelocity, .orbit,
      at: "motion.orbit.angularVelocity", times: y)
    encode(
      orbit.radius, "maxRadius", "minRadius", curved: .orbit, apart: .orbit,
      at: "motion.orbit.radius")
    if orbit.center != format.orbitCenter(in: emitter.space) {
      lose(
        .approximated, .orbit, at: "motion.orbit.center",
        "the centre follows from the coordinate space of the particles",
        level: .low)
    }
    drop("shape")
    drop("launch")
    drop("forces")
  }

  var hasPath: Bool { emitter.motion.mode == .path }

  mutating func loseWorld() {
    if hasPath {
      lose(.lost, .path, at: "motion.mode", also: ["motion.path"], "paths are not supported")
    }
    losePhysics()
  }

  /// The capability that a shape needs. Nil for a rectangle.
  private static func capability(of shape: Shape) -> Capability? {
    guard shape.transform == Transform() else { return .shapeRectangle }
    switch shape.kind {
    case .point: return nil
    case .rect:
      return shape.placement == .volume && shape.distribution == .uniform ? nil : .shapeRing
    case .line: return shape.angle.truncatingRemainder(dividingBy: 90) == 0 ? nil : .shapeLine
    case .ellipse:
      return shape.isRing ? .shapeRing : .shapeDisc
    case .polyline, .points: return .shapePoints
    case .mesh: return .shapeMesh
    default: return .shape3D
    }
  }
}
