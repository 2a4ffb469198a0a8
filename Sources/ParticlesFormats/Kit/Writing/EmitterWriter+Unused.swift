internal import ParticlesCore
internal import ParticlesModel

// Properties without effect, in most cases because another property does not use them.

extension EmitterWriter {
  /// Reports the repetition and the pause of emission without end.
  mutating func dropRepetition() {
    drop("timing.loop", "endless emission does not repeat", rule: .dead)
    drop("timing.idle", "endless emission has no pause", rule: .dead)
  }

  /// Reports a pause after a period that does not repeat.
  mutating func dropIdle() {
    drop("timing.idle", "without repetition the pause has no effect", rule: .dead)
  }

  /// Reports that places along a shape are random.
  mutating func dropSweep() {
    drop("shape.sweep", "the order along the shape is random", rule: .lost)
  }

  /// Reports the offset of an alignment that there is not.
  mutating func dropAlignOffset() {
    drop("rotation.alignOffset", "without alignment the offset has no effect", rule: .dead)
  }

  /// Reports the mode of a speed over life that there is not.
  mutating func dropSpeedMode() {
    drop("motion.speedMode")
  }

  /// Reports the law of a spread of 0.
  mutating func dropSpreadLaw() {
    drop("launch.spreadLaw", "without a spread it has no effect", rule: .dead)
  }
}
