internal import ParticlesCore
internal import ParticlesModel

/// The way from emitters whose clocks run at a speed of their own to a format where all run alike.
struct PaceConversion {
  /// The effect with all clocks that can be at the speed 1. What stands still stays as it is, and
  /// is for the encoder to report.
  let system: ParticleSystem

  /// What there is to say of it: a line for each emitter that has changed.
  let lines: [Diagnostic]

  init(_ system: ParticleSystem) {
    var (system, lines) = (system, [Diagnostic]())
    for (index, emitter) in system.emitters.enumerated() where emitter.timing.speed != 1 {
      guard let plain = emitter.atPlainPace else { continue }
      system.emitters[index] = plain
      let path = "emitters[\(index)]"
      var line = Diagnostic(
        .restated, .speed, at: "\(path).timing.speed", "there is one clock for all",
        recipe: "times divided by the speed; rates and velocities multiplied by it, "
          + "accelerations by its square")
      line.loss?.emitter = emitter.name
      line.loss?.source = Loss.Side("\(path).timing.speed", .finite(emitter.timing.speed))
      lines.append(line)
    }
    (self.system, self.lines) = (system, lines)
  }
}
