public import ParticlesCore

extension Emitter {
  /// Frames of a sprite shown one behind the other.
  public struct Flipbook: Sendable, Hashable {
    /// The first frame, counted from 0; 0 by default.
    public var start: ParticleSystem.Value = 0

    /// Frames per second, or all frames over the life of the particle; 0 by default.
    public var fps = FrameRate.fixed(0)

    /// What follows the last frame; the first by default.
    public var mode = FlipbookMode.loop

    /// Whether frames blend into each other; false by default.
    public var crossfade = false

    /// Whether particles start with any frame; false by default.
    public var startRandom = false

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Flipbook: ModelObject {
  package static let title = "Flipbook"
  package static let about = "Frames of a sprite shown one behind the other."

  package static let properties: [Property<Flipbook>] = [
    .value("start", \.start, unit: "frame", in: .nonNegative, "The first frame, counted from 0."),
    .value(
      "fps", \.fps, unit: "1/s",
      "Frames per second, or `\"life\"`: all frames over the life of the particle."),
    .value("mode", \.mode, "What follows the last frame."),
    .value("crossfade", \.crossfade, "Whether frames blend into each other."),
    .value("startRandom", \.startRandom, "Whether particles start with any frame."),
  ]
}

extension Emitter {
  /// What follows the last frame.
  public enum FlipbookMode: String, ClosedName {
    /// The first.
    case loop
    /// Nothing: the last frame stays.
    case once
    /// The frames backwards.
    case pingpong
  }

  /// Which of several sprites a particle shows.
  public enum SpriteSelection: String, ClosedName {
    /// The first.
    case first
    /// Any of them.
    case random
    /// One particle after the other the next.
    case sequence
    /// All, one behind the other, over its life.
    case life
  }
}
