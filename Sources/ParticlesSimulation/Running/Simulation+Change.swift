package import ParticlesModel

// Properties that are changed while an effect runs, as an editor and a page do.

extension Simulation {
  /// Whether the effect is over: no particle lives, and none will be emitted.
  public var isOver: Bool { states.allSatisfy { $0.isOver } }

  /// Continues with changed properties: living particles keep what was sampled at their emission, and go on
  /// under the new properties; the time goes on.
  /// - Parameter system: the effect with the changes, and with the same emitters.
  /// - Returns: nil if an emitter needs other numbers of its particles than it has: emitters were added or
  ///   removed, or a number is constant in one of both effects and not in the other.
  package func continued(with system: ParticleSystem) -> Simulation? {
    guard system.emitters.count == states.count else { return nil }
    let simulation = Simulation(continuing: self, with: system)
    let pairs = zip(simulation.states, states)
    guard pairs.allSatisfy({ $0.plan.hasSameColumns(as: $1.plan) }) else { return nil }
    for (state, other) in pairs { state.takeOver(other) }
    return simulation
  }

  /// The same moment without the living particles. Both emit the same from now on, with the same random
  /// numbers. This one stays as it is, but for its particles, which are removed.
  package func withoutParticles() -> Simulation {
    clear()
    let simulation = Simulation(continuing: self, with: system)
    for (state, other) in zip(simulation.states, states) {
      state.takeClocks(of: other)
      state.freed = other.freed
    }
    return simulation
  }
}

extension EmitterState {
  /// Whether no particle lives, and none will be emitted.
  fileprivate var isOver: Bool {
    columns.count == 0 && waiting == 0 && activations.allSatisfy { $0.isDone }
  }

  /// Takes over the particles and the clocks of another state, which is not used any more.
  fileprivate func takeOver(_ other: EmitterState) {
    other.sampleSpawned()
    columns.takeOver(other.columns)
    takeClocks(of: other)
    (firstNew, lastEmitted) = (columns.count, other.lastEmitted)
    suspect(0..<columns.count)
  }

  fileprivate func takeClocks(of other: EmitterState) {
    (ordinal, born, fraction, waiting) = (other.ordinal, other.born, other.fraction, other.waiting)
    (slots, lastStep, activations) = (other.slots, other.lastStep, other.activations)
  }
}

extension EmitterPlan {
  /// Whether the columns of both hold numbers of the same meaning.
  fileprivate func hasSameColumns(as other: EmitterPlan) -> Bool {
    layoutWidth == other.layoutWidth && turned == other.turned && launchAngle == other.launchAngle
      && (inherited == nil) == (other.inherited == nil) && isFlat == other.isFlat
      && (path == nil) == (other.path == nil) && (orbit == nil) == (other.orbit == nil)
      && samples.count == other.samples.count && colorSamples.count == other.colorSamples.count
      && zip(samples, other.samples).allSatisfy {
        $0.channel == $1.channel && $0.column == $1.column
      }
      && zip(colorSamples, other.colorSamples).allSatisfy {
        $0.columns == $1.columns && $0.isEnd == $1.isEnd
      }
  }
}
