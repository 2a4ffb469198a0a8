internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform

// Where particles set off, and how they move.

extension CocosWriter {
  mutating func writePlace() {
    let transform = emitter.transform
    set("sourcePositionx", transform.translation.x)
    set("sourcePositiony", transform.translation.y * axes.y)
    if transform.translation.z != 0 {
      lose(.lost, .frame2D, "transform.translation", "there is no depth", level: .low)
    }
    if transform.angle != 0 || transform.rotation != .identity {
      lose(
        .lost, .extra, "transform.angle", also: ["transform.rotation"],
        "an emitter is not turned", level: .medium)
    }
    drop(\.transform.scale, .extra, "transform.scale", "an emitter has its size", level: .medium)
    let types: [EmitterSpace: Int] = [.world: 0, .parent: 1, .local: 2]
    if dialect != .starling {
      set("positionType", integer: types[emitter.space] ?? 0)
    } else {
      drop(\.space, .space, "space", "particles move in the space around the emitter")
    }
  }

  // MARK: Flight

  mutating func writeFlight() {
    let shape = emitter.shape
    let half = Self.halfSize(of: shape)
    set("sourcePositionVariancex", half.x)
    set("sourcePositionVariancey", half.y)
    if let capability = Self.capability(of: shape) {
      let isLost = [.shPoly, .shMesh, .shRing].contains(capability)
      lose(
        isLost ? .lost : .approximated, capability, "shape",
        "particles are born in a rectangle", recipe: "the rectangle around it, or of equal area")
    } else if shape
      != (half == Vector2(0, 0) ? Shape() : .rect(width: 2 * half.x, height: 2 * half.y))
    {
      lose(.restated, .shRect, "shape", "it is a rectangle")
    }
    if shape.sweep != .random, shape.kind != .point {
      lose(.lost, .shDisc, "shape.sweep", "births are anywhere")
    }
    writeLaunch()
    writeForces()
  }

  private mutating func writeLaunch() {
    let launch = emitter.launch
    var angle = launch.direction.angle
    switch launch.direction.mode {
    case .angle:
      drop(
        \.launch.direction.vector, .cone3D, "launch.direction.vector",
        "the angle is the direction", .dead)
    case .vector:
      let vector = launch.direction.vector
      angle = .constant((atan2(vector.y, vector.x) * 180 / .pi).rounded)
      lose(
        vector.z == 0 ? .restated : .approximated, .cone3D, "launch.direction",
        vector.z == 0 ? "the direction is an angle" : "there is no depth",
        recipe: vector.z == 0 ? nil : "the direction as seen from the front")
    case .random, .none:
      angle = launch.direction.mode == .random ? .range(-180, 180) : 0
      lose(.restated, .spread2D, "launch.direction", "it is any angle")
    case .normal:
      angle = .range(-180, 180)
      lose(
        .lost, .dirNormal, "launch.direction", "particles know nothing of the shape",
        recipe: "any direction")
    }
    if launch.spread != 0 {
      let spread = angle.spread
      angle = .range(
        (spread.center - spread.half - launch.spread).rounded,
        (spread.center + spread.half + launch.spread).rounded)
      let isExact =
        spread.half == 0 && (launch.spreadLaw == .planar || launch.spreadLaw == nil && !isInSpace)
      lose(
        isExact ? .restated : .approximated, isExact ? .spread2D : .cone3D, "launch.spread",
        also: ["launch.direction", "launch.spreadLaw"],
        isExact ? "the spread is a variance of the angle" : "particles fan out in the plane",
        recipe: isExact ? nil : "the same opening")
    } else {
      drop(\.launch.spreadLaw, .spread2D, "launch.spreadLaw", "there is no spread", .dead)
    }
    let spread = angle.spread
    set("angle", (spread.center - (axes.isReflected ? 180 : 0)) * axes.y)
    set("angleVariance", spread.half)
    explain(angle, .spread2D, at: "launch.direction")
    let speed: Value = launch.direction.mode == .none ? 0 : launch.speed
    if let track = emitter.motion.speed {
      writeSpeed(speed, along: track)
    } else {
      set("speed", "speedVariance", speed, .speedRange, at: "launch.speed")
      drop(\.motion.speedMode, .speedCurve, "motion.speedMode", "there is no curve", .dead)
    }
    drop(\.launch.flatness, .cone3D, "launch.flatness", "there is the plane only", .dead)
    drop(
      \.launch.inheritVelocity, .inherit, "launch.inheritVelocity",
      "particles set off as if the emitter stood still")
  }

  /// Speeds that change over life are said by their mean.
  private mutating func writeSpeed(_ speed: Value, along track: Track) {
    let curve = track.curve(lifetime: life).curve
    let mean = (0...16).reduce(0) { $0 + curve.value(at: Double($1) / 16) } / 17
    let replaces = emitter.motion.speedMode == .replace
    let spread = speed.spread
    set("speed", replaces ? mean : spread.center * mean)
    set(
      "speedVariance",
      replaces ? track.to?.spread.half ?? track.from.spread.half : spread.half * mean.magnitude)
    lose(
      .approximated, .speedCurve, "motion.speed", also: ["launch.speed", "motion.speedMode"],
      "the speed follows from forces only", recipe: "the mean of the curve", level: .high)
  }

  // MARK: Forces

  private mutating func writeForces() {
    var gravity = Vector.zero
    var strengths: [ForceKind: (center: Double, half: Double)] = [:]
    for (index, force) in emitter.forces.enumerated() {
      let place = "forces[\(index)]"
      switch force.kind {
      case .gravity:
        gravity = Vector(gravity.x + force.vector.x.from.mean, gravity.y + force.vector.y.from.mean)
        if [force.vector.x, force.vector.y].contains(where: {
          $0 != Track($0.from) || !$0.from.isConstant
        }) {
          lose(
            .approximated, .gravity, place, "gravity is always the same", recipe: "that at birth")
        }
        if force.vector.z != 0 { lose(.lost, .gravity, place, "there is no depth", level: .low) }
      case .radial, .tangential, .vortex:
        let kind: ForceKind = force.kind == .radial ? .radial : .tangential
        let spread = force.strength.from.spread
        let sum = strengths[kind, default: (0, 0)]
        strengths[kind] = (sum.center + spread.center, sum.half + spread.half)
        check(force, place, isAlone: sum == (0, 0))
      case .linear: lose(.lost, .linAcc, place, "nothing acts along the velocity")
      case .drag:
        let capabilities: [DragLaw: Capability] = [.constant: .dragConst, .euler: .dragLin]
        lose(.lost, capabilities[force.law] ?? .dragExp, place, "nothing slows particles")
      case .noise: lose(.lost, .noise, place, "particles fly smoothly")
      case .field: lose(.lost, .extra, place, "fields of the scene do not act", level: .medium)
      }
    }
    let away = axes.isReflected ? -1.0 : 1.0
    set("gravityx", gravity.x * away)
    set("gravityy", gravity.y * away * axes.y)
    let (radial, tangential) = (
      strengths[.radial, default: (0, 0)], strengths[.tangential, default: (0, 0)]
    )
    set("radialAcceleration", radial.center * away)
    set("radialAccelVariance", radial.half)
    set("tangentialAcceleration", tangential.center * away * axes.y)
    set("tangentialAccelVariance", tangential.half)
    let kinds = emitter.forces.map { $0.kind == .vortex ? .tangential : $0.kind }
    let order: [ForceKind] = [.gravity, .radial, .tangential]
    let kept = kinds.filter(order.contains)
    if kept != order.filter(kept.contains) || kept.count != kinds.count {
      lose(.restated, .gravity, "forces", "of each kind there is one, in an order of its own")
    } else if emitter.forces.contains(where: { $0.space != spaceOfForces }) {
      lose(.restated, .gravity, "forces", "forces act in the space of the particles")
    }
  }

  private var spaceOfForces: ForceSpace {
    dialect == .starling || emitter.space == .world ? .world : .local
  }

  private mutating func check(_ force: Force, _ place: String, isAlone: Bool) {
    let capability: Capability = force.kind == .radial ? .radial : .tangent
    if force.strength != Track(force.strength.from) || !force.strength.from.spread.isExact
      || !isAlone
    {
      lose(.approximated, capability, place, "a force has one strength", recipe: "that at birth")
    } else if force.center != .zero || force.falloff != 0 || force.maxDistance != nil {
      lose(
        .approximated, .attract, place, "forces act from the emitter, at any distance alike",
        recipe: "the same strength")
    } else if force.kind == .vortex {
      lose(.restated, .tangent, place, "it is a tangential acceleration")
    }
  }

  // MARK: Orbits

  mutating func writeOrbit() {
    let orbit = emitter.motion.orbit ?? Orbit()
    if emitter.motion.orbit == nil {
      lose(.restated, .orbit, "motion.orbit", "an orbit of which nothing is stated is stated")
    }
    let y = axes.isReflected ? -1 : axes.y
    let spread = orbit.angle.spread
    set("angle", (spread.center + (orbit.phase180 ? 0 : 180)) * y)
    set("angleVariance", spread.half)
    if !orbit.phase180 {
      lose(
        .restated, .orbit, "motion.orbit.phase180", also: ["motion.orbit.angle"],
        "angles count from the other side")
    }
    set(
      "rotatePerSecond", "rotatePerSecondVariance", orbit.angularVelocity, times: y, .orbit,
      at: "motion.orbit.angularVelocity")
    write(
      orbit.radius, from: ("maxRadius", "maxRadiusVariance"),
      to: ("minRadius", "minRadiusVariance"),
      curved: .orbit, apart: .orbit, at: "motion.orbit.radius")
    let center: OrbitCenter =
      dialect != .starling && emitter.space == .world ? .birthEmitter : .emitter
    if orbit.center != center {
      lose(
        .approximated, .orbit, "motion.orbit.center", "the space of the particles decides",
        level: .low)
    }
    drop(\.shape, .shRect, "shape", "particles are where their orbit is", .dead)
    drop(\.launch, .spread2D, "launch", "particles are where their orbit is", .dead)
    drop(\.forces, .gravity, "forces", "particles are where their orbit is", .dead)
  }

  mutating func checkMotion(isOrbit: Bool) {
    if emitter.motion.mode == .path {
      lose(.lost, .path, "motion.mode", also: ["motion.path"], "particles follow no path")
    } else {
      drop(\.motion.path, .path, "motion.path", "nothing follows it", .dead)
    }
    if !isOrbit {
      drop(\.motion.orbit, .orbit, "motion.orbit", "nothing follows it", .dead)
      drop(
        \.motion.orbitVelocity, .orbitVel, "motion.orbitVelocity",
        "particles do not turn about the emitter while they fly")
      drop(\.motion.drift, .drift, "motion.drift", "there is no wind")
      drop(\.motion.maxSpeed, .speedCurve, "motion.maxSpeed", "nothing limits the speed")
    }
    drop(\.motion.orbitAxis, .orbitVel, "motion.orbitAxis", "there is the plane only", .dead)
    let physics = emitter.physics
    guard physics != Physics() else { return }
    let acts = physics.collides || physics.sceneGravity || physics.fieldMask != 0
    lose(
      acts ? .lost : .dead, .collide, "physics", "particles know nothing of the world around them")
  }

  // MARK: Shapes

  /// What it takes to say a shape; nil if a rectangle says it.
  private static func capability(of shape: Shape) -> Capability? {
    guard shape.transform == Transform() else { return .shRect }
    switch shape.kind {
    case .point: return nil
    case .rect: return shape.placement == .volume && shape.distribution == .uniform ? nil : .shRing
    case .line: return shape.angle.truncatingRemainder(dividingBy: 90) == 0 ? nil : .shLine
    case .ellipse:
      return shape.inner > 0 || shape.placement != .volume || shape.arc != Interval(0, 360)
        ? .shRing : .shDisc
    case .polyline, .points: return .shPoly
    case .mesh: return .shMesh
    default: return .sh3D
    }
  }

  /// Half of width and height of the rectangle that stands for a shape.
  private static func halfSize(of shape: Shape) -> Vector2 {
    // Half the edge of the square that has the area of a disc.
    let edge = Double.pi.squareRoot() / 2
    switch shape.kind {
    case .point, .mesh: return Vector2(0, 0)
    case .rect, .box: return Vector2(shape.size.x / 2, shape.size.y / 2)
    case .line:
      let angle = shape.angle * .pi / 180
      return Vector2(
        (shape.length / 2 * cos(angle).magnitude).rounded,
        (shape.length / 2 * sin(angle).magnitude).rounded)
    case .ellipse: return Vector2((shape.radii.x * edge).rounded, (shape.radii.y * edge).rounded)
    case .polyline, .points:
      let points = shape.kind == .points ? shape.positions : shape.points.flatMap(\.self)
      return Vector2(
        points.map(\.x.magnitude).max() ?? 0, points.map(\.y.magnitude).max() ?? 0)
    case .cone, .cylinder, .capsule, .tube:
      return Vector2(shape.radius, shape.height / 2)
    default:
      let radius = (shape.radius + shape.pipe) * edge
      return Vector2(radius.rounded, radius.rounded)
    }
  }
}
