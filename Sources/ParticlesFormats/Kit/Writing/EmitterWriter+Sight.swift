internal import ParticlesCore
internal import ParticlesModel

// The end of life, for engines that support no curves over life.

extension EmitterWriter {
  /// Ends the life of particles at the age at which they lose their size or their alpha for good, if
  /// cutting it makes tracks straight.
  mutating func endAtSight() {
    guard let end = emitter.sightEnd else { return }
    let before = emitter
    emitter = before.ending(at: end)
    let changed = Self.tracks.filter { !$0.isSame(before, emitter) }.map(\.path)
    lose(
      .restated, .life, at: "lifetime", also: changed,
      "the rest of a life is not seen after \(end.property == "size.width" ? "size" : "alpha") 0 at "
        + "\(shortText((end.share * 1000).rounded() / 10)) % of it",
      recipe: "particles end there")
  }

  private static var tracks: [(path: String, isSame: @Sendable (Emitter, Emitter) -> Bool)] {
    [
      ("size.width", { $0.size.width == $1.size.width }),
      ("size.height", { $0.size.height == $1.size.height }),
      ("color.base", { $0.color.base == $1.color.base }),
      ("color.opacity", { $0.color.opacity == $1.color.opacity }),
      ("color.intensity", { $0.color.intensity == $1.color.intensity }),
      ("color.mix", { $0.color.mix == $1.color.mix }),
      ("rotation.angle", { $0.rotation.angle == $1.rotation.angle }),
      ("rotation.velocity", { $0.rotation.velocity == $1.rotation.velocity }),
      ("motion.speed", { $0.motion.speed == $1.motion.speed }),
      ("motion.orbit", { $0.motion.orbit == $1.motion.orbit }),
      ("forces", { $0.forces == $1.forces }), ("render.z", { $0.render.z == $1.render.z }),
    ]
  }
}
