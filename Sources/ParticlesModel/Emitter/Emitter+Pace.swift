internal import ParticlesCore
internal import ParticlesPlatform

// Conversion to another pace: scales every duration, frequency, velocity and acceleration, and
// nothing else.

extension Emitter {
  /// The paces that can be converted without losing all precision.
  private static let paces = 1e-6...1e6

  /// Returns the same emitter with a `timing.speed` of 1: its clock runs like that of the effect,
  /// and everything measured in it is divided or multiplied by the previous speed.
  ///
  /// Returns nil if there is none: the speed is 0, or differs from 1 by a factor of more than a
  /// million.
  public var atPlainPace: Emitter? {
    let pace = timing.speed
    guard Self.paces.contains(pace) else { return nil }
    return pace == 1 ? self : paced(by: pace)
  }

  private func paced(by pace: Double) -> Emitter {
    var emitter = self
    emitter.timing = timing.paced(by: pace)
    emitter.emission = emission.paced(by: pace)
    emitter.launch.speed = launch.speed.scaled(by: pace)
    emitter.launch.inheritVelocity *= pace
    emitter.lifetime = lifetime.scaled(by: 1 / pace)
    emitter.motion = motion.paced(by: pace)
    emitter.forces = forces.map { $0.paced(by: pace) }
    emitter.rotation.angle = rotation.angle.paced(by: pace)
    emitter.rotation.velocity = rotation.velocity.paced(by: pace, power: 1)
    emitter.rotation.acceleration = rotation.acceleration.scaled(by: pace * pace)
    emitter.size.width = size.width.paced(by: pace)
    emitter.size.height = size.height?.paced(by: pace)
    emitter.size.stretch = size.stretch?.paced(by: pace)
    emitter.color.base.rate = color.base.rate.scaled(by: pace)
    emitter.color.opacity = color.opacity.paced(by: pace)
    emitter.color.intensity = color.intensity.paced(by: pace)
    emitter.color.mix = color.mix.paced(by: pace)
    emitter.render.z = render.z.paced(by: pace)
    if case .fixed(let fps)? = flipbook?.fps {
      emitter.flipbook?.fps = .fixed(fps.scaled(by: pace))
    }
    emitter.render.trail?.length /= pace
    for index in triggers.indices { emitter.triggers[index].interval /= pace }
    return emitter
  }
}

extension Timing {
  /// Steps belong to the simulation; their length is independent of the pace.
  fileprivate func paced(by pace: Double) -> Timing {
    var timing = self
    timing.speed = 1
    timing.delay = delay.scaled(by: 1 / pace)
    timing.duration = duration?.scaled(by: 1 / pace)
    timing.idle = idle.scaled(by: 1 / pace)
    timing.prewarm /= pace
    return timing
  }
}

extension Emission {
  fileprivate func paced(by pace: Double) -> Emission {
    var emission = self
    emission.rate = rate.scaled(by: pace)
    emission.lifeOffset = lifeOffset.scaled(by: 1 / pace)
    for index in bursts.indices {
      emission.bursts[index].time /= pace
      emission.bursts[index].interval /= pace
    }
    return emission
  }
}

extension Motion {
  fileprivate func paced(by pace: Double) -> Motion {
    var motion = self
    motion.speed = speed?.paced(by: pace, power: speedMode == .replace ? 1 : 0)
    if let orbit {
      motion.orbit?.angularVelocity = orbit.angularVelocity.scaled(by: pace)
      motion.orbit?.radius = orbit.radius.paced(by: pace)
    }
    motion.orbitVelocity = orbitVelocity.paced(by: pace, power: 1)
    motion.drift = drift.paced(by: pace, power: 1)
    motion.maxSpeed = maxSpeed?.paced(by: pace, power: 1)
    motion.direction = direction?.paced(by: pace)
    return motion
  }
}

extension Force {
  fileprivate func paced(by pace: Double) -> Force {
    var force = self
    force.vector = vector.paced(by: pace, power: 2)
    force.limit *= pace
    force.speed *= pace
    switch (kind, law) {
    case (.drag, .perFrame60): force.strength = strength.sharePaced(by: pace)
    case (.drag, .exponential), (.drag, .euler), (.drag, .limit):
      force.strength = strength.paced(by: pace, power: 1)
    case (.noise, _) where target == .position:
      force.strength = strength.paced(by: pace, power: 1)
    default: force.strength = strength.paced(by: pace, power: 2)
    }
    return force
  }
}

extension Stretch {
  fileprivate func paced(by pace: Double) -> Stretch {
    var stretch = self
    stretch.factor = factor.scaled(by: 1 / pace)
    if case .factors(let factors) = axis { stretch.axis = .factors(factors.paced(by: pace)) }
    return stretch
  }
}

// MARK: - Values

extension Track {
  /// - Parameter power: the power of 1/s in the unit of the track: 0 for a length, 1 for a
  ///   velocity, 2 for an acceleration.
  fileprivate func paced(by pace: Double, power: Int = 0) -> Track {
    let factor = (0..<power).reduce(1) { product, _ in product * pace }
    var track = self
    track.from = from.scaled(by: factor)
    track.to = to?.scaled(by: factor)
    track.rate = rate.scaled(by: factor * pace)
    track.range = range.map { Interval($0.lower * factor, $0.upper * factor) }
    return track.withDomainPaced(by: pace)
  }

  /// Converts a track of fractions that are lost in a sixtieth of a second. Values between two
  /// keys, or with a rate, are converted as if they were small.
  fileprivate func sharePaced(by pace: Double) -> Track {
    func share(_ share: Double) -> Double { 1 - pow(1 - min(max(share, 0), 1), pace) }
    var track = self
    track.from = from.mapped(share)
    track.to = to?.mapped(share)
    track.rate = rate.scaled(by: pace * pace)
    return track.withDomainPaced(by: pace)
  }

  private func withDomainPaced(by pace: Double) -> Track {
    guard to != nil, over == .age || over == .speed else { return self }
    let factor = over == .age ? 1 / pace : pace
    let known = domain ?? .unit
    var track = self
    track.domain = Interval(known.lower * factor, known.upper * factor)
    return track
  }
}

extension VectorTrack {
  fileprivate func paced(by pace: Double, power: Int = 0) -> VectorTrack {
    VectorTrack(
      x.paced(by: pace, power: power), y.paced(by: pace, power: power),
      z.paced(by: pace, power: power))
  }
}

extension Value {
  /// Returns this value with an increasing function applied to its numbers.
  fileprivate func mapped(_ function: (Double) -> Double) -> Value {
    switch self {
    case .constant(let number): return .constant(function(number))
    case .uniform(var range):
      (range.min, range.max) = (function(range.min), function(range.max))
      return .uniform(range)
    case .choice(var choice):
      choice.numbers = choice.numbers.map(function)
      return .choice(choice)
    case .ramp(var ramp):
      ramp.low = ramp.low.mapped(function)
      ramp.high = ramp.high.mapped(function)
      return .ramp(ramp)
    }
  }
}

extension ColorRate {
  fileprivate func scaled(by factor: Double) -> ColorRate {
    ColorRate(red * factor, green * factor, blue * factor, alpha * factor)
  }
}
