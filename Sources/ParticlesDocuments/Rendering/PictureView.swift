internal import ParticlesCore
internal import ParticlesImages
public import ParticlesModel
internal import ParticlesRender
internal import ParticlesSimulation

/// The moment, the frame and the background of a picture.
public struct PictureView: Sendable, Hashable {
  /// The time of the picture, or of the first frame, in seconds.
  public var start: Double
  /// The camera.
  public var camera: ParticleSystem.Camera
  /// The background; nil if it is transparent.
  public var background: ParticleSystem.Color?
  /// How fast the effect runs in the picture, where its own speed is 0 and nothing would ever be visible;
  /// nil otherwise.
  public var speed: Double?
}

extension EffectAnimation {
  /// The view of the pictures; of a still picture, known once it is drawn.
  public var view: PictureView {
    PictureView(start: start, camera: camera, background: background, speed: speed)
  }

  /// The camera; for a still picture, known once it is drawn.
  public var camera: ParticleSystem.Camera { renderer.camera }

  /// The background, nil if it is transparent; for a still picture, known once it is drawn.
  public var background: ParticleSystem.Color? { renderer.background }

  /// Chooses the frame and the background of an animation for what can be seen in a part of the time.
  func aim(from start: Double, to end: Double) throws {
    guard renderer.isOpen else { return }
    let span = VisibleSpan(system, from: start, to: end, seed: plan.seed)
    renderer.aim(at: try renderer.spots(in: span, profile: plan.profile))
  }

  /// The effect, or, if its speed is 0 so that nothing ever moves, the same at its usual speed.
  static func running(_ system: ParticleSystem) -> (ParticleSystem, speed: Double?) {
    let emitters = system.emitters.filter(\.enabled)
    guard !emitters.isEmpty, emitters.allSatisfy({ $0.timing.speed == 0 && $0.timing.prewarm == 0 })
    else { return (system, nil) }
    var system = system
    for index in system.emitters.indices { system.emitters[index].timing.speed = 1 }
    return (system, 1)
  }

  /// Draws a still picture, with a frame and a background for what can be seen in it.
  func drawStill(_ body: (Bitmap) throws -> Void) throws {
    let simulation = simulation(frames: 0)
    advance(simulation, by: start)
    try WorkBudget.spend(particleSteps: simulation.usedSteps)
    let (bitmap, look) = try renderer.drawAimed(simulation)
    emptiness.look(at: look, of: [simulation], by: renderer)
    try body(bitmap)
  }
}

extension EffectAnimation.Background {
  /// The colour to begin with; nil for a transparent picture.
  func color(for system: ParticleSystem) -> ParticleSystem.Color? {
    switch self {
    case .automatic:
      let color = system.preview.background ?? EffectAnimation.darkness
      return Color(color.red, color.green, color.blue)
    case .transparent: return nil
    case .color(let color): return color
    }
  }
}
