internal import ParticlesModel

/// The work that particles of an emitter take where it is more than that of a usual one, in particle steps of
/// the budget.
struct EmitterWeight {
  /// For each step of a particle; 1 for that of a usual emitter.
  let step: Int
  /// For each emission, beside those that every one takes.
  let emission: Int

  /// Six particles move while the noise of an octave is computed for one.
  private static let octave = 6
  /// So many particles move while one finds its place on a path.
  private static let path = 12
  /// So many forces are usual.
  private static let usualForces = 4
  /// So many numbers to choose from, or keys of a ramp, are looked at in a particle step.
  private static let partsOfStep = 2

  init(_ emitter: Emitter) {
    var step = 1 + max(0, emitter.forces.count - Self.usualForces)
    if emitter.motion.mode == .path { step += Self.path }
    for force in emitter.forces {
      if force.kind == .noise { step += Self.octave * min(max(force.octaves, 1), 16) }
      if force.falloff != 0 { step += 2 }
    }
    self.step = step
    let sampled: [Value?] = [
      emitter.lifetime, emitter.emission.lifeOffset, emitter.launch.speed,
      emitter.launch.direction.angle, emitter.size.width.from, emitter.size.width.to,
      emitter.rotation.angle.from, emitter.rotation.velocity.from, emitter.color.opacity.from,
    ]
    emission = sampled.reduce(0) { sum, value in
      sum + (value.map { $0.partCount / Self.partsOfStep } ?? 0)
    }
  }
}

extension Value {
  /// How many numbers or keys a sample looks at: the weights of a choice, the keys of ramps.
  fileprivate var partCount: Int {
    switch self {
    case .constant, .uniform: 0
    case .choice(let choice): choice.weights.count
    case .ramp(let ramp): ramp.curve.keys.count + ramp.low.partCount + ramp.high.partCount
    }
  }
}
