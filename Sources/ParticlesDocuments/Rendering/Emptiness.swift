internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSimulation

/// Finds out whether nothing, or next to nothing, is visible in all frames of an animation, and why.
struct Emptiness {
  private(set) var problems: [Diagnostic] = []
  /// Whether a frame shows more than next to nothing.
  private var isVisible = false
  /// The most pixels that can be seen in a frame, and those that would be enough.
  private var visible = (most: 0, enough: 1)
  /// The most particles that lived in a frame, and why they could not be seen.
  private var hidden: (living: Int, reason: EffectRenderer.Hiding)?

  /// Looks at a frame.
  mutating func look(
    at frame: Bitmap, of simulations: [Simulation], by renderer: EffectRenderer
  ) {
    guard !isVisible else { return }
    look(at: PictureLook(frame, background: renderer.background), of: simulations, by: renderer)
  }

  /// The same where it is known what can be seen in the frame.
  mutating func look(
    at look: PictureLook, of simulations: [Simulation], by renderer: EffectRenderer
  ) {
    visible.most = max(visible.most, look.visible)
    visible.enough = look.enough
    isVisible = !look.isPoor
    let living = simulations.reduce(0) { $0 + $1.count }
    // The reason is looked for anew where there are many more particles than before only.
    guard !isVisible, living > 2 * (hidden?.living ?? 0) else { return }
    hidden = (living, renderer.hiding(of: simulations))
  }

  /// Reports that nothing is visible, if so, behind the last frame.
  mutating func conclude(_ system: ParticleSystem) {
    if !isVisible { problems = [reason(system)] }
  }

  private func reason(_ system: ParticleSystem) -> Diagnostic {
    let emitters = system.emitters.filter(\.enabled)
    if let hidden { return reason(hidden.reason, living: hidden.living) }
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

  private func reason(_ hiding: EffectRenderer.Hiding, living: Int) -> Diagnostic {
    let (detail, hint) =
      switch hiding {
      case .outside:
        ("the particles are outside of it", "choose another view with --camera or --scale")
      case .transparent: ("the particles are transparent", "raise the opacity of the effect")
      case .likeBackground:
        (
          "the particles have the colour of the background",
          "choose another colour with --background"
        )
      case .small: ("the particles are too small", "choose another view with --camera or --scale")
      }
    return Diagnostic(
      .emptyPicture, detail,
      expected: "\(visible.enough) pixels that differ from the background",
      found: "\(visible.most) pixels of \(living) particles", hint: hint)
  }
}
