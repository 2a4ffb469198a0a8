internal import ParticlesCore
internal import ParticlesModel

// Emission that is gathered at the beginning of a period, for formats that have bursts only.

extension ParticleSystem {
  /// Replaces emission that is gathered by bursts, if the format has these but not that.
  /// - Returns: a line for each changed emitter.
  mutating func settleEmission(for capabilities: Capabilities) -> [Diagnostic] {
    guard capabilities[.explosiveness] == .lost, capabilities[.burst] != .lost else { return [] }
    return emitters.indices.compactMap { index in
      let emission = emitters[index].emission
      guard let burst = emitters[index].gatheredBurst else { return nil }
      (emitters[index].emission.rate, emitters[index].emission.explosiveness) = (0, 0)
      emitters[index].emission.bursts = [burst]
      let path = "emitters[\(index)].emission.explosiveness"
      var line =
        emission.explosiveness == 1
        ? Diagnostic(
          .restated, .explosiveness, at: path,
          "particles that a period begins with are written as a burst"
        )
        : Diagnostic(
          .lost, .explosiveness, at: path, "emission is even or in bursts", recipe: "a burst",
          metric: Loss.Metric(
            "part of the period", ((1 - emission.explosiveness) * 1e3).rounded() / 1e3, "of 1"))
      line.loss?.emitter = emitters[index].name
      line.loss?.source = Loss.Side(path, .finite(emission.explosiveness))
      return line
    }
  }
}

extension Emitter {
  /// The burst that a period begins with, if that is nearly all that it emits.
  fileprivate var gatheredBurst: Burst? {
    guard emission.explosiveness > 0.9, emission.bursts.isEmpty, emission.rate.isConstant,
      emission.rate.mean > 0, emission.ratePerDistance == 0, emission.jitter == 0,
      let duration = timing.duration, duration.isConstant, duration.mean > 0
    else { return nil }
    // Amounts are whole; rates are numbers for each second: 8 particles in 0.3 s are 26.67.
    let count = (emission.rate.mean * duration.mean).rounded()
    return count > 0 ? Burst(count: .constant(count)) : nil
  }
}
