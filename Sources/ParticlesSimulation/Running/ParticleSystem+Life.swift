package import ParticlesModel

extension ParticleSystem {
  /// The seconds that particles live at most, with those that they trigger; 0 without emitters that emit.
  package var longestLife: Double {
    let running = emitters.filter { $0.enabled && !$0.timing.isStopped }
    let lives = running.map { max(0, $0.lifetime.bounds.upper) / max($0.timing.speed, 1e-6) }
    return running.allSatisfy { $0.triggers.isEmpty } ? lives.max() ?? 0 : lives.reduce(0, +)
  }
}
