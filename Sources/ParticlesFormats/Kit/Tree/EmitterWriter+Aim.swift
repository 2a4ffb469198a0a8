internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform

// Directions of particles for engines that know no others than those of shapes: a direction with a spread
// becomes an arc of a circle in the plane, a cone in space, or a box, and the emitter is turned to it.

/// The shapes by which an engine aims particles.
struct AimingShapes: Sendable {
  /// The direction of an arc, in degrees: of its middle, or of its start.
  let arcAngle: Double

  /// The part of an arc that is before its direction: 0.5 for the middle, 0 for the start.
  let arcShare: Double

  /// The widest arc that is no full circle, in degrees.
  let widestArc: Double

  /// The direction of all particles of a box, in degrees; nil if boxes have none in the plane.
  var boxAngle: Double?

  /// The rotation of a cone along the z axis; nil for engines of the plane.
  var coneRotation: Quaternion?

  /// An arc of a width, in degrees, where the engine has it.
  fileprivate func arc(_ width: Double) -> Interval {
    if width > (widestArc + 360) / 2 || width == 360 { return Interval(0, 360) }
    let width = min(width, widestArc)
    return Interval(
      (arcAngle - arcShare * width).rounded, (arcAngle + (1 - arcShare) * width).rounded)
  }

  /// The angle by which that arc is turned to begin at a direction.
  fileprivate func turn(to start: Double, _ width: Double) -> Double {
    arc(width) == Interval(0, 360) && arcShare > 0
      ? 0 : (start + arcShare * width - arcAngle).rounded
  }
}

extension EmitterWriter where Format: TreeFormat {
  /// A radius too small to be seen. With 0, an engine could not normalise.
  private static var point: Double { 0.0001 }

  /// Restates the direction by a shape that emits in it, if particles travel farther than the shape is
  /// wide, or if the engine has boxes that keep the extent of the shape.
  mutating func aimShape(by aim: AimingShapes) {
    let launch = emitter.launch
    guard launch.flatness == 0 || aim.coneRotation == nil else { return }
    if launch.direction.mode == .normal { return turnNormals(by: aim) }
    let shape = emitter.shape
    let half = shape.halfSize
    let width = max(half.x, half.y, shape.kind == .box ? shape.size.z / 2 : 0)
    let travel = speedOverLife * max(emitter.lifetime.mean, 0)
    let isFlat = system.asset.dimension == .plane || aim.coneRotation == nil
    if isFlat, let (start, end) = fan, aimFlat(from: start, to: end, travel: travel, by: aim) {
      return
    }
    guard travel > 2 * width || shape.kind == .point else { return }
    if isFlat {
      guard let (start, end) = fan else { return }
      var circle = Shape.ellipse(Self.point, Self.point)
      circle.arc = aim.arc(end - start)
      let isExact = launch.spread == 0 || launch.direction.angle.isNumber
      self.aim(
        circle, by: aim.turn(to: start, end - start), isExact: isExact && shape.kind == .point,
        aim)
    } else if let axis, let rotation = aim.coneRotation {
      var cone = Shape(.cone)
      // The engine spreads directions as the root of a uniform number.
      let share = spreadLaw == .solidUniform ? 1 : 0.8
      (cone.radius, cone.angle) = (max(width, Self.point), (launch.spread * share).rounded)
      cone.transform.rotation = rotation
      self.aim(
        cone, turning: Quaternion(turning: Vector(0, 0, 1), to: axis), by: 0, isExact: false, aim)
    }
  }

  /// Aims directions in the plane by a shape that keeps the extent of that of the document.
  /// - Returns: whether the engine has such a shape.
  private mutating func aimFlat(
    from start: Double, to end: Double, travel: Double, by aim: AimingShapes
  ) -> Bool {
    let middle = (start + end) / 2
    if let rotation = aim.coneRotation {
      guard var cone = cone(from: start, to: end, travel: travel) else { return false }
      cone.transform.rotation = rotation
      let radians = Angle.radians(middle)
      let axis = Vector(cos(radians).rounded, sin(radians).rounded)
      self.aim(
        cone, turning: Quaternion(turning: Vector(0, 0, 1), to: axis), by: 0, isExact: false, aim)
      return true
    }
    guard let angle = aim.boxAngle else { return false }
    let places = deviations(along: middle)
    // The deviation of the directions, halfway.
    let fanned = travel / 2 * Angle.radians((end - start) / 2) / 3.0.squareRoot()
    let extent = length(places.across, places.along)
    if aim.arc(end - start) == Interval(0, 360) {
      // Away from the centre, the distances add up.
      let radius = 2.0.squareRoot() * (length(extent, travel / 2) - travel / 2)
      let circle = Shape.ellipse(radius.rounded, radius.rounded)
      self.aim(circle, by: 0, isExact: extent == 0, aim)
      return true
    }
    guard end == start || fanned < extent else { return false }
    let (turn, shape) = ((middle - angle).rounded, emitter.shape)
    let isBox = [.point, .rect, .box].contains(shape.kind)
    guard turn != 0 || end != start || !isBox else {
      if emitter.launch.direction == Direction(angle: .constant(angle)) { return true }
      self.aim(shape, by: 0, isExact: true, aim)
      return true
    }
    let side = 12.0.squareRoot()
    // The spread of the directions becomes one of the places.
    var box = Shape.rect(
      width: (length(places.across, fanned) * side).rounded, height: (places.along * side).rounded)
    if shape.kind == .box { (box.kind, box.size.z) = (.box, shape.size.z) }
    let isExact = end == start && isBox && turn.remainder(dividingBy: 90) == 0
    self.aim(box, by: turn, isExact: isExact, aim)
    return true
  }

  /// The mean of the speed over the life.
  private var speedOverLife: Double {
    let speed = emitter.launch.speed.mean.magnitude
    guard let track = emitter.motion.speed else { return speed }
    let mean = track.mean(lifetime: lifetime).magnitude
    return emitter.motion.speedMode == .replace ? mean : speed * mean
  }

  private func length(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }

  /// The deviations of places across a direction in the plane, and along it.
  private func deviations(along direction: Double) -> (across: Double, along: Double) {
    let shape = emitter.shape
    let isEllipse = shape.kind == .ellipse
    let half = isEllipse ? shape.radii : shape.halfSize
    // The squares of the deviations of a rectangle, of an ellipse, or of its edge.
    let share = !isEllipse ? 1.0 / 3 : shape.placement == .volume ? 1.0 / 4 : 1.0 / 2
    let (x, y) = (share.squareRoot() * half.x, share.squareRoot() * half.y)
    let turn = Angle.radians(direction - shape.transform.angle)
    let (sine, cosine) = (sin(turn), cos(turn))
    return (length(x * sine, y * cosine), length(x * cosine, y * sine))
  }

  /// A cone that looks from its side like a fan of directions from places that are side by side; nil if they
  /// are not, or if the fan is wide.
  private func cone(from start: Double, to end: Double, travel: Double) -> Shape? {
    let half = Angle.radians((end - start) / 2)
    guard emitter.transform.rotation == .identity, emitter.transform.angle == 0, half <= .pi / 3
    else { return nil }
    let (across, along) = deviations(along: (start + end) / 2)
    // Halfway, the deviations of place and direction add up in a cone, but their squares in the plane.
    let fanned = travel / 2 * half / 3.0.squareRoot()
    guard travel > 2 * along, across > 0.1 * fanned else { return nil }
    let narrowed = (length(across, fanned) - across) / max(fanned, 1e-9)
    // That of a cone is half its radius, or half its angle.
    var cone = Shape(.cone)
    cone.radius = (2 * across).rounded
    cone.angle = ((end - start) * narrowed / 3.0.squareRoot()).rounded
    return cone
  }

  /// Turns an arc that is elsewhere than the engine has it; other shapes of the plane become a disc where
  /// boxes have a direction of their own.
  private mutating func turnNormals(by aim: AimingShapes) {
    let shape = emitter.shape
    guard emitter.launch.spread == 0 else { return }
    let isRound = shape.kind == .ellipse && shape.radii.x == shape.radii.y
    let isDisc = isRound && shape.inner == 0 && shape.placement == .volume
    if aim.boxAngle != nil, !isDisc, shape.arc == Interval(0, 360),
      [.rect, .ellipse].contains(shape.kind)
    {
      let places = deviations(along: 0)
      let radius = (2.0.squareRoot() * length(places.across, places.along)).rounded
      return self.aim(Shape.ellipse(radius, radius), by: 0, isExact: false, aim)
    }
    guard shape.kind == .ellipse else { return }
    let width = shape.arc.upper - shape.arc.lower
    let turn = aim.turn(to: shape.arc.lower + shape.transform.angle, width)
    guard turn != 0 || aim.arc(width) != shape.arc else { return }
    var circle = shape
    circle.arc = aim.arc(width)
    circle.transform.angle = 0
    self.aim(circle, by: turn, isExact: width <= aim.widestArc || width == 360, aim)
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
    _ shape: Shape, turning rotation: Quaternion = .identity, by angle: Double, isExact: Bool,
    _ aim: AimingShapes
  ) {
    let isTurned = emitter.transform.rotation != .identity || emitter.transform.angle != 0
    guard emitter.transform.scale == .one, rotation == .identity || !isTurned else { return }
    if aim.coneRotation != nil {
      guard turnForces(against: rotation, by: angle, isTurned: isTurned) else { return }
    }
    emitter.shape = shape
    let isBox = [.point, .rect, .box].contains(shape.kind)
    emitter.launch.direction =
      isBox ? Direction(angle: .constant(aim.boxAngle ?? 0)) : Direction(.normal)
    (emitter.launch.spread, emitter.launch.spreadLaw) = (0, nil)
    if rotation != .identity { emitter.transform.rotation = rotation }
    emitter.transform.angle = (emitter.transform.angle + angle).rounded
    turnedBy += angle
    lose(
      isExact ? .restated : .approximated, .spread2D, at: "launch", also: ["shape", "transform"],
      "a direction is written as a shape that is turned to it",
      recipe: shape.kind == .cone ? "a cone" : isBox ? "a box" : "an arc of a circle",
      level: isExact ? nil : .low)
  }

  /// Accelerations act along the axes of the emitter, so that they are turned back.
  /// - Returns: false if one cannot be turned.
  private mutating func turnForces(
    against rotation: Quaternion, by angle: Double, isTurned: Bool
  ) -> Bool {
    var forces = emitter.forces
    let back =
      rotation == .identity
      ? Quaternion(inPlane: -angle)
      : Quaternion(-rotation.x, -rotation.y, -rotation.z, rotation.w)
    for index in forces.indices where forces[index].kind == .gravity {
      let parts = [forces[index].vector.x, forces[index].vector.y, forces[index].vector.z]
      guard !isTurned, parts.allSatisfy({ $0.isPlainValue && $0.from.isNumber }) else {
        return false
      }
      let means = parts.map(\.from.mean)
      let vector = back.turned(Vector(means[0], means[1], means[2]))
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
