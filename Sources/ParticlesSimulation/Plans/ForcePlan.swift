internal import ParticlesCore
internal import ParticlesModel

/// A force, ready for evaluation. The formulas are in `Spec/document.md`, section Forces.
struct ForcePlan {
  let kind: ForceKind
  let isDrag: Bool
  private let law: DragLaw
  private let isImplicit: Bool
  private let vector: (x: TrackPlan, y: TrackPlan, z: TrackPlan)?
  private let strength: TrackPlan
  private let center: FloatVector
  private let axis: FloatVector
  private let direction: FloatVector?
  private let greatestDistance: Float
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
    center = FloatVector(transform.translation + turned(force.center))
    axis = FloatVector(turned(force.axis).direction ?? Vector(0, 0, 1))
    direction = force.direction.flatMap { turned($0).direction }.map { FloatVector($0) }
    greatestDistance = force.maxDistance.map { Float($0) } ?? .infinity
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

  /// The acceleration of a gravity that all particles share at all times.
  var constant: FloatVector? {
    guard kind == .gravity, let vector, let x = vector.x.constant, let y = vector.y.constant,
      let z = vector.z.constant
    else { return nil }
    guard isTurned else { return FloatVector(x: x, y: y, z: z) }
    let (right, up, front) = turnedAxes
    return FloatVector(
      x: x * right.x + y * up.x + z * front.x, y: x * right.y + y * up.y + z * front.y,
      z: x * right.z + y * up.z + z * front.z)
  }

  private var turnedAxes: (right: FloatVector, up: FloatVector, front: FloatVector) {
    (
      FloatVector(transform.rotated(Vector(1, 0))), FloatVector(transform.rotated(.up)),
      FloatVector(transform.rotated(Vector(0, 0, 1)))
    )
  }

  func accelerate(_ chunk: Chunk, clock: Double, into sum: Slices) {
    let (ways, length) = (chunk[.wayX, .wayY, .wayZ], chunk[.length])
    switch kind {
    case .gravity:
      guard let vector else { return }
      vector.x.evaluate(chunk, into: ways.x)
      vector.y.evaluate(chunk, into: ways.y)
      vector.z.evaluate(chunk, into: ways.z)
      if isTurned {
        let (right, up, front) = turnedAxes
        sum.addTurned(ways, right: right, up: up, front: front)
      } else {
        sum.x.add(ways.x.operand)
        sum.y.add(ways.y.operand)
        sum.z.add(ways.z.operand)
      }
    case .linear:
      length.setDistance(chunk.velocities, from: .zero)
      sum.push(along: chunk.velocities, strength(chunk), length: length)
    case .radial, .tangential, .vortex:
      ways.setWays(
        chunk.places, from: center, axis: axis, isVortex: kind == .vortex, length: length)
      var factor: Slice?
      if falloff != 0 {
        let factors = chunk[.factor]
        factors.setPower(of: length, -falloff)
        factor = factors
      }
      sum.pull(
        ways, length: length, strength: strength(chunk), factor: factor,
        farthest: greatestDistance, axis: axis, isRadial: kind == .radial)
    case .noise:
      guard let noise else { return }
      noise.evaluate(chunk.places, clock: clock, into: ways)
      sum.addProduct(ways, strength(chunk))
    case .drag, .field: break
    }
  }

  private func strength(_ chunk: Chunk) -> Operand {
    if let constant = strength.constant { return .constant(constant) }
    if let source = strength.source { return chunk.operand(source) }
    let value = chunk[.value]
    strength.evaluate(chunk, into: value)
    return value.operand
  }

  /// Changes the velocity by drag over a time.
  func slow(_ chunk: Chunk, time: Operand) {
    let (strength, speed) = (strength(chunk), chunk[.length])
    let velocities = chunk.velocities
    if isNeedingSpeed {
      if let direction {
        speed.setSpeed(velocities, along: direction)
      } else {
        speed.setDistance(velocities, from: .zero)
      }
    }
    let factor = factor(chunk, strength, speed, time)
    if let direction {
      velocities.slow(along: direction, factor: factor)
    } else {
      velocities.scale(factor)
    }
  }

  private var isNeedingSpeed: Bool { !isImplicit && [.constant, .limit].contains(law) }

  private func factor(
    _ chunk: Chunk, _ strength: Operand, _ speed: Slice, _ time: Operand
  ) -> Operand {
    let factor = chunk[.factor]
    func kernel(_ law: DragKernel) -> Operand {
      factor.setDrag(strength, time: time, speed: speed, limit: limit, law)
      return factor.operand
    }
    if isImplicit { return kernel(.implicit) }
    switch law {
    case .euler: return kernel(.euler)
    case .constant: return kernel(.constant)
    case .limit: return kernel(.limit)
    case .exponential:
      return map(factor, strength, time) { powerOfTwo(-$0 * $1 * 1.442_695_040_888_963_4) }
    case .perFrame60:
      return map(factor, strength, time) { power(1 - min(max($0, 0), 1), 60 * $1) }
    }
  }

  /// A function of two numbers, computed once if all particles share both numbers.
  private func map(
    _ out: Slice, _ s: Operand, _ time: Operand, _ function: (Double, Double) -> Double
  ) -> Operand {
    if s.column == nil, time.column == nil {
      return .constant(Float(function(Double(s.number), Double(time.number))))
    }
    // Neighbours often have equal numbers, for example if both began in an earlier step.
    var last = (strength: Float.nan, time: Float.nan, value: Float(0))
    for index in 0..<out.count {
      let (a, b) = (s.column?[index] ?? s.number, time.column?[index] ?? time.number)
      if a != last.strength || b != last.time {
        last = (a, b, Float(function(Double(a), Double(b))))
      }
      out[index] = last.value
    }
    return out.operand
  }
}

extension FloatVector {
  init(_ vector: Vector) {
    self.init(x: Float(vector.x), y: Float(vector.y), z: Float(vector.z))
  }
}

/// Smooth noise in space and time: each component within −1 and 1, with the mean 0.
///
/// Value noise: random vectors at the points of a lattice, with the fade 6x⁵ − 15x⁴ + 10x³ between
/// them. Time moves the lattice along z.
struct NoiseField {
  private let scale: Double
  private let speed: Double
  private let octaves: Int

  init(_ force: Force) {
    scale = force.scale
    speed = force.speed
    octaves = min(max(force.octaves, 1), 16)
  }

  func evaluate(_ places: Slices, clock: Double, into out: Slices) {
    out.setNoise(at: places, factor: 1 / scale, shift: clock * speed, octaves: octaves)
  }
}
