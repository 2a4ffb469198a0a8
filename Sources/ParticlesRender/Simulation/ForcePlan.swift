internal import ParticlesModel

/// The velocity and the place of eight particles.
struct MotionLanes {
  var x: Lanes
  var y: Lanes
  var z: Lanes
  var vx: Lanes
  var vy: Lanes
  var vz: Lanes

  var speed: Lanes { (vx * vx + vy * vy + vz * vz).squareRoot() }
}

/// A force, ready for evaluation; the formulas are in `Spec/document.md`, section Forces.
struct ForcePlan {
  let kind: ForceKind
  let isDrag: Bool
  private let law: DragLaw
  private let isImplicit: Bool
  private let vector: (x: TrackPlan, y: TrackPlan, z: TrackPlan)?
  private let strength: TrackPlan
  private let center: Vector
  private let axis: Vector
  private let direction: Vector?
  private let greatestDistance: Float?
  private let falloff: Double
  private let limit: Float
  private let noise: NoiseField?
  let movesPlaces: Bool

  /// - Parameters:
  ///   - index: its place among the forces of the emitter.
  ///   - transform: of the emitter.
  init(
    _ force: Force, index: Int, transform: Transform, law engine: EngineLaw,
    in layout: inout ColumnLayout
  ) {
    let path = "forces[\(index)]"
    kind = force.kind
    isDrag = force.kind == .drag
    law = force.law
    isImplicit = engine.drag == .implicit && [.exponential, .euler].contains(force.law)
    func turned(_ vector: Vector) -> Vector {
      force.space == .local ? transform.rotated(vector) : vector
    }
    if force.kind == .gravity {
      vector = (
        TrackPlan(force.vector.x, "\(path).vector[0]", in: &layout),
        TrackPlan(force.vector.y, "\(path).vector[1]", in: &layout),
        TrackPlan(force.vector.z, "\(path).vector[2]", in: &layout)
      )
    } else {
      vector = nil
    }
    strength = TrackPlan(
      force.strength, "\(path).strength", from: .force(UInt64(index)), in: &layout)
    center = transform.translation + turned(force.center)
    axis = turned(force.axis).direction ?? Vector(0, 0, 1)
    direction = force.direction.flatMap { turned($0).direction }
    greatestDistance = force.maxDistance.map { Float($0) }
    falloff = force.falloff
    limit = Float(force.limit)
    noise = force.kind == .noise ? NoiseField(force) : nil
    movesPlaces = force.kind == .noise && force.target == .position
    // A force seen from the emitter turns with it.
    isTurned = force.kind == .gravity && force.space == .local
    self.transform = transform
  }

  private let isTurned: Bool
  private let transform: Transform

  /// The acceleration.
  @inline(__always)
  func acceleration(
    _ m: MotionLanes, _ columns: ParticleColumns, _ lane: Int, _ inputs: TrackInputs,
    clock: Double
  ) -> (x: Lanes, y: Lanes, z: Lanes) {
    switch kind {
    case .gravity:
      guard let vector else { return (.zeros, .zeros, .zeros) }
      let x = vector.x(columns, lane, inputs)
      let y = vector.y(columns, lane, inputs)
      let z = vector.z(columns, lane, inputs)
      guard isTurned else { return (x, y, z) }
      let (right, up) = (transform.rotated(Vector(1, 0)), transform.rotated(.up))
      let front = transform.rotated(Vector(0, 0, 1))
      return (
        x * Float(right.x) + y * Float(up.x) + z * Float(front.x),
        x * Float(right.y) + y * Float(up.y) + z * Float(front.y),
        x * Float(right.z) + y * Float(up.z) + z * Float(front.z)
      )
    case .linear:
      let s = strength(columns, lane, inputs) * inverse(m.speed)
      return (m.vx * s, m.vy * s, m.vz * s)
    case .radial, .tangential, .vortex:
      return central(m, strength(columns, lane, inputs))
    case .noise:
      guard let noise else { return (.zeros, .zeros, .zeros) }
      let s = strength(columns, lane, inputs)
      let n = noise.lanes(m.x, m.y, m.z, clock: clock)
      return (n.x * s, n.y * s, n.z * s)
    case .drag, .field: return (.zeros, .zeros, .zeros)
    }
  }

  /// A force along, or at a right angle to, the way from the centre.
  @inline(__always)
  private func central(_ m: MotionLanes, _ strength: Lanes) -> (x: Lanes, y: Lanes, z: Lanes) {
    var x = m.x - Float(center.x)
    var y = m.y - Float(center.y)
    var z = m.z - Float(center.z)
    let (ax, ay, az) = (Float(axis.x), Float(axis.y), Float(axis.z))
    if kind == .vortex {
      let along = x * ax + y * ay + z * az
      x -= along * ax
      y -= along * ay
      z -= along * az
    }
    let distance = (x * x + y * y + z * z).squareRoot()
    var s = strength * inverse(distance)
    if falloff != 0 {
      var factor = Lanes.ones
      for index in 0..<Lanes.width {
        factor[index] = Float(power(Double(distance[index]), -falloff))
      }
      s *= factor
    }
    if let greatestDistance { s.replace(with: .zeros, where: distance .> greatestDistance) }
    if kind == .radial { return (x * s, y * s, z * s) }
    return ((ay * z - az * y) * s, (az * x - ax * z) * s, (ax * y - ay * x) * s)
  }

  /// 1 ÷ a length, 0 for no length.
  @inline(__always)
  private func inverse(_ length: Lanes) -> Lanes {
    var inverse = Lanes.ones / length
    inverse.replace(with: .zeros, where: length .== 0)
    return inverse
  }

  /// Changes the velocity by drag over a time.
  @inline(__always)
  func slow(
    _ m: inout MotionLanes, _ columns: ParticleColumns, _ lane: Int, _ inputs: TrackInputs,
    time h: Lanes
  ) {
    let s = strength(columns, lane, inputs)
    if let direction {
      let (dx, dy, dz) = (Float(direction.x), Float(direction.y), Float(direction.z))
      let along = m.vx * dx + m.vy * dy + m.vz * dz
      let speed = along.replacing(with: -along, where: along .< 0)
      let change = along * (factor(s, speed, h) - 1)
      m.vx += change * dx
      m.vy += change * dy
      m.vz += change * dz
    } else {
      let factor = factor(s, m.speed, h)
      m.vx *= factor
      m.vy *= factor
      m.vz *= factor
    }
  }

  /// The factor of the speed.
  @inline(__always)
  private func factor(_ s: Lanes, _ speed: Lanes, _ h: Lanes) -> Lanes {
    if isImplicit { return Lanes.ones / (1 + s * h) }
    switch law {
    case .euler: return 1 - pointwiseMin(s * h, .ones)
    case .constant:
      let rest = pointwiseMax(speed - s * h, .zeros)
      return rest * inverse(speed)
    case .limit:
      let excess = pointwiseMax(speed - limit, .zeros)
      return (speed - pointwiseMin(s * h, .ones) * excess) * inverse(speed)
    case .exponential:
      return map(s, h) { powerOfTwo(-$0 * $1 * 1.442_695_040_888_963_4) }
    case .perFrame60:
      return map(s, h) { power(1 - min(max($0, 0), 1), 60 * $1) }
    }
  }

  /// A function of two numbers, computed once where they are the same for all.
  @inline(__always)
  private func map(_ s: Lanes, _ h: Lanes, _ function: (Double, Double) -> Double) -> Lanes {
    let first = Float(function(Double(s[0]), Double(h[0])))
    if s == Lanes(repeating: s[0]), h == Lanes(repeating: h[0]) { return Lanes(repeating: first) }
    var result = Lanes(repeating: first)
    for index in 1..<Lanes.width {
      result[index] = Float(function(Double(s[index]), Double(h[index])))
    }
    return result
  }
}
