internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSimulation

/// Finds out whether nothing is visible in any frame of an animation, and why.
struct Emptiness {
  private(set) var problems: [Diagnostic] = []
  /// The pixel of the frames, as long as all have the same one everywhere.
  private var pixel: [UInt8]?
  private var isVaried = false
  /// The most particles that lived in a frame.
  private var mostLiving = 0

  /// Looks at a frame.
  /// - Parameter living: the number of living particles.
  mutating func look(at frame: Bitmap, living: Int) {
    mostLiving = max(mostLiving, living)
    guard !isVaried else { return }
    let first = Array(frame.pixels.prefix(4))
    isVaried = pixel ?? first != first || !frame.hasOneColor
    pixel = first
  }

  /// Reports that nothing is visible, if so, behind the last frame.
  /// - Parameter background: a picture without particles.
  mutating func conclude(
    _ system: ParticleSystem, background: @autoclosure () throws -> Bitmap
  ) throws {
    guard !isVaried, let pixel else { return }
    // The law of a profile may round the background in another way.
    let isBackground = zip(pixel, try background().pixels).allSatisfy {
      max($0, $1) - min($0, $1) <= 2
    }
    if isBackground { problems = [reason(system)] }
  }

  private func reason(_ system: ParticleSystem) -> Diagnostic {
    let emitters = system.emitters.filter(\.enabled)
    if mostLiving > 0 {
      return Diagnostic(
        .emptyPicture, "the particles are outside of it, transparent, or too small",
        expected: "a visible particle", found: "\(mostLiving) particles",
        hint: "choose another view with --camera or --scale")
    }
    guard !emitters.isEmpty else {
      return Diagnostic(
        .emptyPicture, expected: "an emitter that is enabled",
        found: "\(system.emitters.count) emitters")
    }
    let life = emitters.map { $0.lifetime.bounds.upper / max($0.timing.speed, 1e-6) }.max() ?? 0
    if life < Simulation.longestStep {
      return Diagnostic(
        .emptyPicture, "particles live for less than a step of the simulation",
        expected: "a lifetime of 1/60 s or more", found: "\(life) s")
    }
    return Diagnostic(
      .emptyPicture, "no particle lives in any frame", expected: "a particle",
      hint: "choose other times with --at and --duration")
  }
}
