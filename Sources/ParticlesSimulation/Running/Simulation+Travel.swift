public import ParticlesModel

// The coordinates of particles are relative to the effect, so that shapes, centres of forces and orbits stay
// where they are when it moves. Particles that stay in place in the world are moved against its way.

extension Simulation {
  /// Moves the effect at once: nothing is emitted on the way. Particles in the space `world` stay in place.
  public func jump(to target: ParticleSystem.Vector) {
    travel(target - place, Self.longestStep)
    for state in states { state.travel = nil }
  }

  /// Places the effect with all its particles, before it is advanced.
  package func begin(at target: ParticleSystem.Vector) { place = target }

  /// Moves the effect in the next step.
  /// - Parameter dt: the length of the step in seconds.
  func travel(_ way: Vector, _ dt: Double) {
    place = place + way
    for state in states { state.follow(way, dt) }
  }
}

extension EmitterState {
  /// Keeps living particles in their place in the world, if they stay there, while the effect moves.
  func follow(_ way: Vector, _ dt: Double) {
    travel = nil
    guard way != .zero, !plan.emitter.timing.isStopped else { return }
    travel = Travel(
      way: way, step: dt * plan.emitter.timing.speed, isInWorld: plan.emitter.space == .world,
      inheritance: plan.emitter.launch.inheritVelocity)
    for index in activations.indices {
      if let origin = activations[index].origin { activations[index].origin = origin - way }
    }
    guard plan.emitter.space == .world else { return }
    var places = [(Fixed.x, way.x), (Fixed.y, way.y), (Fixed.z, way.z)]
    if let path = plan.path { places += [(path.x, way.x), (path.y, way.y), (path.z, way.z)] }
    if way.z != 0 { columns.hasDepth = true }
    for (column, distance) in places where distance != 0 {
      let (numbers, shift) = (columns[column], Float(distance))
      for place in 0..<columns.count { numbers[place] -= shift }
    }
  }

  /// Particles per second that the way of the effect in this step emits.
  func rate(perDistanceOf travel: Travel, _ activation: Activation) -> Double {
    let perUnit = numbers.sample(
      emission.ratePerDistance, .property("emission.ratePerDistance"), activation.period,
      progress: activation.progress)
    return max(0, perUnit) * travel.way.length / travel.step
  }

  /// Removes all particles and what they have started.
  func clear() {
    let all = Array(0..<columns.count)
    all.withUnsafeBufferPointer { remove($0) }
    for slot in slots.indices { slots[slot] = nil }
    events.removeAll()
    waiting = 0
    activations.removeAll { $0.parent != nil }
  }
}

/// How the effect moves in a step.
struct Travel {
  /// The way in units.
  let way: Vector
  /// Seconds of the step on the clock of the emitter.
  let step: Double
  /// Whether particles stay in place when the effect moves on.
  let isInWorld: Bool
  /// The fraction of the velocity of the effect that particles inherit.
  let inheritance: Double

  /// Where a particle is that the emitter has emitted at a place.
  /// - Parameter rest: seconds since then.
  func place(_ origin: Vector, rest: Double) -> Vector {
    isInWorld ? origin - way * min(rest / step, 1) : origin
  }

  /// The velocity that a particle inherits from the effect, in units per second.
  var velocity: Vector { way * (inheritance / step) }
}
