extension ParticleSystem {
  /// The number of particles of an emitter, estimated from the document alone.
  public struct Population: Sendable, Hashable {
    /// Particles emitted per second, including repeated bursts.
    public var rate = 0.0

    /// Particles emitted at once.
    public var burst = 0.0

    /// Upper bound of particles alive at once. Infinite if nothing ends them.
    public var alive = 0.0
  }
}

extension ParticleSystem {
  /// Upper bound of the particles of each emitter: every random value at its maximum, no particle
  /// lost in a collision. Particles emitted by movement (`ratePerDistance`) are not counted.
  /// Emitters that trigger each other in a cycle count as if they were not triggered.
  public func populations() -> [Population] {
    var populations = [Population](repeating: Population(), count: emitters.count)
    for index in startingEmitters where emitters.indices.contains(index) {
      guard emitters[index].enabled, !emitters[index].timing.isStopped else { continue }
      populations[index] = emitters[index].ownPopulation
    }
    // An emitter comes before the emitters that it triggers.
    var open = [Int](repeating: 0, count: emitters.count)
    for trigger in emitters.flatMap({ $0.triggers })
    where emitters.indices.contains(trigger.emitter) {
      open[trigger.emitter] += 1
    }
    var ready = emitters.indices.filter { open[$0] == 0 }
    while let index = ready.popLast() {
      let population = emitters[index].settle(populations[index])
      populations[index] = population
      for trigger in emitters[index].triggers where emitters.indices.contains(trigger.emitter) {
        let target = trigger.emitter
        trigger.add(to: &populations[target], of: emitters[target], from: population)
        open[target] -= 1
        if open[target] == 0 { ready.append(target) }
      }
    }
    for index in emitters.indices where open[index] > 0 {
      populations[index] = emitters[index].settle(populations[index])
    }
    return populations
  }
}

extension Emitter {
  /// The maximum lifetime in seconds.
  private var longestLife: Double { max(0, lifetime.bounds.upper) }

  /// The total duration of all periods in seconds; infinite if it does not end.
  fileprivate var activity: Double {
    timing.loop ? .infinity : timing.duration.map { max(0, $0.bounds.upper) } ?? .infinity
  }

  /// The emission of the emitter itself, without triggers.
  fileprivate var ownPopulation: Population {
    var population = Population()
    let steady = max(0, emission.rate.bounds.upper) * emission.probability
    population.rate = steady
    let period = timing.duration.map { max(0, $0.bounds.upper) }
    if let period { population.burst += steady * period * emission.explosiveness }
    for burst in emission.bursts {
      let count = max(0, burst.count.bounds.upper) * burst.probability * emission.probability
      population.burst += count
      if burst.cycles != 1 {
        population.rate += count / burst.interval
      } else if timing.loop, let period {
        population.rate += count / max(period + max(0, timing.idle.bounds.lower), 1e-3)
      }
    }
    population.burst = max(population.burst, Double(emission.minAlive))
    return population
  }

  /// Computes the number alive from the emission, within the limits of the emitter.
  fileprivate func settle(_ population: Population) -> Population {
    // A stopped emitter does not emit when others trigger it, either.
    guard !timing.isStopped else { return Population() }
    var population = population
    let window = min(longestLife, activity)
    let born = product(population.rate, window)
    population.alive = longestLife > 0 ? born + population.burst : 0
    for limit in [emission.total, emission.maxAlive] {
      if let limit { population.alive = min(population.alive, Double(limit)) }
    }
    return population
  }
}

extension Trigger {
  /// Adds the particles that one emitter triggers in another.
  fileprivate func add(
    to population: inout Population, of emitter: Emitter, from parent: Population
  ) {
    // Events per second, and at once.
    let (rate, burst) =
      switch event {
      case .birth, .death, .collision: (parent.rate, parent.burst)
      case .interval: (parent.alive / interval, parent.alive)
      case .frame: (parent.alive * 60, parent.alive)
      case .living: (0, parent.alive)
      }
    if let count {
      let share = max(0, count.bounds.upper) * probability
      population.rate += product(rate, share)
      population.burst += product(burst, share)
    } else {
      let own = emitter.ownPopulation
      // With `living` a copy ends with the particle that started it.
      let running = burst + product(rate, emitter.activity)
      population.rate += product(running, probability, own.rate)
      population.rate += product(rate, probability, own.burst)
      population.burst += product(burst, probability, own.burst)
    }
  }
}

/// The product, where 0 times infinity is 0.
private func product(_ factors: Double...) -> Double {
  factors.contains(0) ? 0 : factors.reduce(1, *)
}
