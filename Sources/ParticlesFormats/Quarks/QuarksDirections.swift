internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform

// Directions of particles. The engine knows no others than those of a shape, so that a direction with a
// spread becomes a small shape: an arc of a circle in the plane, a cone in space.

extension QuarksFamily {
  func adapt(_ writer: inout EmitterWriter<QuarksFamily>) {
    writer.endAtTotal()
    writer.aimShape()
  }
}

extension EmitterWriter<QuarksFamily> {
  /// A radius too small to be seen. With 0, the engine could not normalise.
  private static var point: Double { 0.0001 }

  /// Restates the direction by a shape that emits in it, if particles travel farther than the shape is
  /// wide. Files that are there already keep their shape.
  fileprivate mutating func aimShape() {
    let (launch, shape) = (emitter.launch, emitter.shape)
    guard surroundings.origin == nil, launch.flatness == 0 else { return }
    if launch.direction.mode == .normal { return turnArc() }
    let half = shape.halfSize
    let width = max(half.x, half.y, shape.kind == .box ? shape.size.z / 2 : 0)
    let travel = launch.speed.mean.magnitude * max(emitter.lifetime.mean, 0)
    if system.asset.dimension == .plane, let (start, end) = fan,
      let cone = cone(from: start, to: end, travel: travel)
    {
      let middle = Angle.radians((start + end) / 2)
      let axis = Vector(cos(middle).rounded, sin(middle).rounded)
      return aim(
        cone, turning: Quaternion(turning: Vector(0, 0, 1), to: axis), by: 0, isExact: false)
    }
    guard travel > 2 * width || shape.kind == .point else { return }
    if system.asset.dimension == .plane {
      guard let (start, end) = fan else { return }
      var circle = Shape.ellipse(Self.point, Self.point)
      circle.arc = Interval(0, end - start)
      let isExact = launch.spread == 0 || launch.direction.angle.isNumber
      aim(circle, turning: .identity, by: start, isExact: isExact && shape.kind == .point)
    } else if let axis = axis {
      var cone = Shape(.cone)
      // The engine spreads directions as the root of a uniform number.
      let share = spreadLaw == .solidUniform ? 1 : 0.8
      (cone.radius, cone.angle) = (max(width, Self.point), (launch.spread * share).rounded)
      cone.height = 0
      let half = 0.5.squareRoot().rounded
      cone.transform.rotation = Quaternion(half, 0, 0, half)
      aim(
        cone, turning: Quaternion(turning: Vector(0, 0, 1), to: axis), by: 0, isExact: false)
    }
  }

  /// A cone that looks from its side like a fan of directions from places that are side by side; nil if they
  /// are not, or if the fan is wide.
  private func cone(from start: Double, to end: Double, travel: Double) -> Shape? {
    let (shape, half) = (emitter.shape, Angle.radians((end - start) / 2))
    guard emitter.transform.rotation == .identity, emitter.transform.angle == 0, half <= .pi / 3
    else { return nil }
    // The squares of the deviations of a rectangle, or of an ellipse.
    let share = shape.kind == .ellipse ? 1.0 / 4 : 1.0 / 3
    func length(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
    let (x, y) = (share.squareRoot() * shape.halfSize.x, share.squareRoot() * shape.halfSize.y)
    let turn = Angle.radians((start + end) / 2 - shape.transform.angle)
    let (sine, cosine) = (sin(turn), cos(turn))
    let (across, along) = (length(x * sine, y * cosine), length(x * cosine, y * sine))
    // Halfway, the deviations of place and direction add up in a cone, but their squares in the plane.
    let fanned = travel / 2 * half / 3.0.squareRoot()
    guard travel > 2 * along, across > 0.1 * fanned else { return nil }
    let narrowed = (length(across, fanned) - across) / max(fanned, 1e-9)
    // That of a cone is half its radius, or half its angle.
    var cone = Shape(.cone)
    cone.radius = (2 * across).rounded
    cone.angle = ((end - start) * narrowed / 3.0.squareRoot()).rounded
    cone.height = 0
    let root = 0.5.squareRoot().rounded
    cone.transform.rotation = Quaternion(root, 0, 0, root)
    return cone
  }

  /// Turns an arc that begins elsewhere than at 0.
  private mutating func turnArc() {
    let (shape, start) = (emitter.shape, emitter.shape.arc.lower + emitter.shape.transform.angle)
    guard shape.kind == .ellipse, start != 0, emitter.launch.spread == 0 else { return }
    var circle = shape
    circle.arc = Interval(0, shape.arc.upper - shape.arc.lower)
    circle.transform.angle = 0
    aim(circle, turning: .identity, by: start, isExact: true)
  }

  /// The angles between which directions in the plane are, in degrees; nil for those of the shape.
  private var fan: (start: Double, end: Double)? {
    let launch = emitter.launch
    switch launch.direction.mode {
    case .random: return (0, 360)
    case .angle:
      let bounds = launch.direction.angle.bounds
      let width = bounds.upper - bounds.lower + 2 * launch.spread
      guard width < 360 else { return (0, 360) }
      return ((bounds.lower - launch.spread).rounded, (bounds.upper + launch.spread).rounded)
    case .vector:
      let vector = launch.direction.vector
      guard let middle = Angle.direction(vector.x, vector.y) else { return nil }
      return ((middle - launch.spread).rounded, (middle + launch.spread).rounded)
    case .normal, .none: return nil
    }
  }

  /// The middle of the directions in space; nil for those of the shape, and for all.
  private var axis: Vector? {
    let launch = emitter.launch
    guard launch.spread < 90 else { return nil }
    switch launch.direction.mode {
    case .vector: return launch.direction.vector.length > 0 ? launch.direction.vector : nil
    case .angle:
      let angle = Angle.radians(launch.direction.angle.mean)
      return Vector(cos(angle).rounded, sin(angle).rounded)
    case .normal, .random, .none: return nil
    }
  }

  private mutating func aim(
    _ shape: Shape, turning rotation: Quaternion, by angle: Double, isExact: Bool
  ) {
    let isTurned = emitter.transform.rotation != .identity || emitter.transform.angle != 0
    guard emitter.transform.scale == .one, rotation == .identity || !isTurned,
      turnForces(against: rotation, by: angle, isTurned: isTurned)
    else { return }
    emitter.shape = shape
    emitter.launch.direction = Direction(.normal)
    (emitter.launch.spread, emitter.launch.spreadLaw) = (0, nil)
    if rotation != .identity { emitter.transform.rotation = rotation }
    emitter.transform.angle = (emitter.transform.angle + angle).rounded
    lose(
      isExact ? .restated : .approximated, .spread2D, at: "launch",
      also: ["shape", "transform"],
      "a direction is written as a shape that is turned to it",
      recipe: shape.kind == .cone ? "a cone" : "an arc of a circle")
  }

  /// Accelerations act along the axes of the emitter, so that they are turned back.
  /// - Returns: false if one cannot be turned.
  private mutating func turnForces(
    against rotation: Quaternion, by angle: Double, isTurned: Bool
  ) -> Bool {
    var forces = emitter.forces
    for index in forces.indices where forces[index].kind == .gravity {
      let parts = [forces[index].vector.x, forces[index].vector.y, forces[index].vector.z]
      guard !isTurned, parts.allSatisfy({ $0.isPlainValue && $0.from.isNumber }) else {
        return false
      }
      let (x, y, z) = (parts[0].from.mean, parts[1].from.mean, parts[2].from.mean)
      let half = Angle.radians(-angle) / 2
      let back =
        rotation == .identity
        ? Quaternion(0, 0, sin(half), cos(half))
        : Quaternion(-rotation.x, -rotation.y, -rotation.z, rotation.w)
      let vector = back.turned(Vector(x, y, z))
      forces[index].vector = VectorTrack(
        Track(.constant(vector.x.rounded)), Track(.constant(vector.y.rounded)),
        Track(.constant(vector.z.rounded)))
      forces[index].space = .local
    }
    guard forces != emitter.forces else { return true }
    emitter.forces = forces
    lose(
      .restated, .gravity, at: "forces", "accelerations act along the axes of the emitter",
      recipe: "turned back")
    if emitter.space == .world {
      emitter.space = .local
      lose(.approximated, .space, at: "space", "particles follow an emitter that moves")
    }
    return true
  }
}
