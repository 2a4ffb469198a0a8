internal import ParticlesCore
internal import ParticlesModel

// Properties without effect, in most cases because another property does not use them.

extension EmitterWriter {
  /// Reports the repetition and the pause of emission without end.
  mutating func dropRepetition() {
    drop({ $0.timing.loop }, .loop, at: "timing.loop", "endless emission does not repeat", .dead)
    drop({ $0.timing.idle }, .idle, at: "timing.idle", "endless emission has no pause", .dead)
  }

  /// Reports a pause after a period that does not repeat.
  mutating func dropIdle() {
    drop(
      { $0.timing.idle }, .idle, at: "timing.idle", "without repetition the pause has no effect",
      .dead)
  }

  /// Reports that places along a shape are random.
  mutating func dropSweep() {
    drop({ $0.shape.sweep }, .shDisc, at: "shape.sweep", "the order along the shape is random")
  }

  /// Reports the offset of an alignment that there is not.
  mutating func dropAlignOffset() {
    drop(
      { $0.rotation.alignOffset }, .align, at: "rotation.alignOffset",
      "without alignment the offset has no effect", .dead)
  }

  /// Reports the mode of a speed over life that there is not.
  mutating func dropSpeedMode() {
    drop(
      { $0.motion.speedMode }, .speedCurve, at: "motion.speedMode",
      "without a curve it has no effect", .dead)
  }

  /// Reports the law of a spread of 0.
  mutating func dropSpreadLaw() {
    drop(
      { $0.launch.spreadLaw }, .spread2D, at: "launch.spreadLaw",
      "without a spread it has no effect", .dead)
  }
}
