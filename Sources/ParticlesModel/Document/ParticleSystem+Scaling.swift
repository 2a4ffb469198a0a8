// Conversion to another unit of length: scales every length, speed and acceleration, and nothing
// else.

extension ParticleSystem {
  /// Returns the same effect in another unit of length; one current unit is `factor` new units.
  public func scaled(by factor: Double) -> ParticleSystem {
    guard factor != 1 else { return self }
    var system = self
    system.asset.unitsPerMeter = asset.unitsPerMeter.map { $0 * factor }
    system.emitters = emitters.map { $0.scaled(by: factor) }
    for index in sprites.indices { system.sprites[index].scale /= factor }
    return system
  }
}

extension Emitter {
  fileprivate func scaled(by factor: Double) -> Emitter {
    var emitter = self
    emitter.transform.translation *= factor
    emitter.emission.ratePerDistance = emission.ratePerDistance.scaled(by: 1 / factor)
    emitter.shape = shape.scaled(by: factor)
    emitter.launch.speed = launch.speed.scaled(by: factor)
    emitter.motion = motion.scaled(by: factor)
    emitter.forces = forces.map { $0.scaled(by: factor) }
    if size.mode == .units {
      emitter.size.width = size.width.multiplied(by: factor)
      emitter.size.height = size.height?.multiplied(by: factor)
    }
    emitter.render.soft?.near *= factor
    emitter.render.soft?.far *= factor
    emitter.render.links?.distance *= factor
    emitter.render.links?.width *= factor
    emitter.scaleDomains(by: factor)
    return emitter
  }

  /// Scales the inputs of sizes, angles, colours and depth that are a length or a speed.
  private mutating func scaleDomains(by factor: Double) {
    size.width.scaleDomain(by: factor)
    rotation.angle.scaleDomain(by: factor)
    rotation.velocity.scaleDomain(by: factor)
    color.opacity.scaleDomain(by: factor)
    color.intensity.scaleDomain(by: factor)
    color.mix.scaleDomain(by: factor)
    render.z.scaleDomain(by: factor)
    size.height?.scaleDomain(by: factor)
  }

  /// The emitter with motion and forces in the coordinates of the effect: in the space `local`, its scale
  /// applies to them (`Spec/document.md`, Space).
  package func scalingMotion(in dimension: Dimension) -> Emitter {
    let factor = transform.scale.mean(in: dimension)
    guard space == .local, factor != 1 else { return self }
    var emitter = self
    emitter.motion = motion.scaled(by: factor)
    emitter.forces = forces.map { $0.space == .local ? $0.scaled(by: factor) : $0 }
    emitter.scaleDomains(by: factor)
    return emitter
  }

  /// The emitter without a scale, which its lengths are multiplied by: exact if the factors of the axes are
  /// equal and positive.
  package func withoutScale(in dimension: Dimension) -> Emitter {
    let factor = transform.scale.mean(in: dimension)
    var emitter = scalingMotion(in: dimension)
    emitter.transform.scale = .one
    emitter.shape = shape.scaled(by: factor)
    emitter.launch.speed = launch.speed.scaled(by: factor)
    guard space == .local else { return emitter }
    emitter.size.width = emitter.size.width.multiplied(by: factor)
    emitter.size.height = emitter.size.height?.multiplied(by: factor)
    return emitter
  }
}

extension Scale {
  /// One factor for numbers without a direction: the mean of the magnitudes of the factors of the axes.
  package func mean(in dimension: Dimension) -> Double {
    let plane = x.magnitude + y.magnitude
    return dimension == .plane ? plane / 2 : (plane + z.magnitude) / 3
  }
}

extension Shape {
  fileprivate func scaled(by factor: Double) -> Shape {
    var shape = self
    shape.length *= factor
    shape.radius *= factor
    shape.pipe *= factor
    shape.height *= factor
    shape.size *= factor
    shape.radii = Vector2(radii.x * factor, radii.y * factor)
    shape.points = points.map { $0.map { $0 * factor } }
    shape.positions = positions.map { $0 * factor }
    shape.transform.translation *= factor
    if offset != .zero {
      shape.offset = ValueVector(
        offset.x.scaled(by: factor), offset.y.scaled(by: factor), offset.z.scaled(by: factor))
    }
    return shape
  }
}

extension Motion {
  fileprivate func scaled(by factor: Double) -> Motion {
    var motion = self
    if speedMode == .replace {
      motion.speed = speed?.scaled(by: factor)
    } else {
      motion.speed?.scaleDomain(by: factor)
    }
    motion.orbit?.radius = orbit?.radius.scaled(by: factor) ?? 0
    motion.orbitVelocity.scaleDomain(by: factor)
    motion.drift = drift.scaled(by: factor)
    motion.path?.points = path?.points.map { $0 * factor } ?? []
    motion.maxSpeed = maxSpeed?.scaled(by: factor)
    motion.direction?.scaleDomain(by: factor)
    return motion
  }
}

extension Force {
  fileprivate func scaled(by factor: Double) -> Force {
    var force = self
    force.vector = vector.scaled(by: factor)
    force.center *= factor
    force.maxDistance = maxDistance.map { $0 * factor }
    force.limit *= factor
    switch kind {
    case .drag where law != .constant: force.strength.scaleDomain(by: factor)
    case .field: force.strength.scaleDomain(by: factor)
    case .radial, .tangential, .vortex:
      // The strength is divided by a power of the distance, which is scaled too.
      var power = factor
      if falloff != 0, let exponent = Int(exactly: falloff) {
        for _ in 0..<min(abs(exponent), 16) { power *= exponent > 0 ? factor : 1 / factor }
      }
      force.strength = strength.scaled(by: power)
    default: force.strength = strength.scaled(by: factor)
    }
    if kind == .noise { force.scale *= factor }
    return force
  }
}

// MARK: - Values

extension Value {
  /// This value with every number multiplied.
  public func scaled(by factor: Double) -> ParticleSystem.Value {
    mapped(isFalling: factor < 0) { $0 * factor }
  }

  /// This value with a monotonic function applied to its numbers.
  /// - Parameter isFalling: whether the function exchanges the ends of a range.
  package func mapped(isFalling: Bool = false, _ function: (Double) -> Double) -> Value {
    switch self {
    case .constant(let number): return .constant(function(number))
    case .uniform(var range):
      (range.min, range.max) = (function(range.min), function(range.max))
      if isFalling { swap(&range.min, &range.max) }
      return .uniform(range)
    case .choice(var choice):
      choice.numbers = choice.numbers.map(function)
      return .choice(choice)
    case .ramp(var ramp):
      ramp.low = ramp.low.mapped(isFalling: isFalling, function)
      ramp.high = ramp.high.mapped(isFalling: isFalling, function)
      return .ramp(ramp)
    }
  }
}

extension Track {
  /// This track with every number multiplied, and its input scaled too if it is a length or a
  /// speed.
  public func scaled(by factor: Double) -> ParticleSystem.Track {
    var track = multiplied(by: factor)
    track.scaleDomain(by: factor)
    return track
  }

  /// This track with every number multiplied, and the same input.
  fileprivate func multiplied(by factor: Double) -> ParticleSystem.Track {
    var track = self
    track.from = from.scaled(by: factor)
    track.to = to?.scaled(by: factor)
    track.rate = rate.scaled(by: factor)
    track.range = range.map { Interval($0.lower * factor, $0.upper * factor) }
    return track
  }

  fileprivate mutating func scaleDomain(by factor: Double) {
    guard over == .speed || over == .distance, to != nil else { return }
    let known = domain ?? .unit
    domain = Interval(known.lower * factor, known.upper * factor)
  }
}

extension VectorTrack {
  fileprivate func scaled(by factor: Double) -> VectorTrack {
    VectorTrack(x.scaled(by: factor), y.scaled(by: factor), z.scaled(by: factor))
  }
}

extension Vector {
  package static func * (vector: Vector, factor: Double) -> Vector {
    Vector(vector.x * factor, vector.y * factor, vector.z * factor)
  }

  fileprivate static func *= (vector: inout Vector, factor: Double) { vector = vector * factor }
}
