public import ParticlesCore

extension Emitter {
  /// Flip-book animation: the frames of a sprite in sequence.
  public struct Flipbook: Sendable, Hashable {
    /// The first frame, counted from 0. Default: 0.
    public var start: ParticleSystem.Value = 0

    /// Frames per second, or all frames over the life of the particle. Default: 0.
    public var fps = FrameRate.fixed(0)

    /// The behaviour after the last frame. Default: a loop.
    public var mode = FlipbookMode.loop

    /// Whether consecutive frames are cross-faded. Default: false.
    public var crossfade = false

    /// Whether particles start with a random frame. Default: false.
    public var startRandom = false

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Flipbook: ModelObject {
  package static let title = "Flipbook"
  package static let about = "Flip-book animation: the frames of a sprite in sequence."

  package static let properties: [Property<Flipbook>] = [
    .value(
      "start", { $1(&$0.start) }, unit: "frame", in: .nonNegative,
      label: "First frame", "The first frame, counted from 0."),
    .value(
      "fps", { $1(&$0.fps) }, unit: "1/s",
      label: "Frame rate",
      "Frames per second, or `\"life\"`: all frames over the life of the particle."),
    .value("mode", { $1(&$0.mode) }, label: "At the end", "The behaviour after the last frame."),
    .value(
      "crossfade", { $1(&$0.crossfade) }, label: "Cross-fade",
      "Whether consecutive frames are cross-faded."),
    .value(
      "startRandom", { $1(&$0.startRandom) }, label: "Random start",
      "Whether particles start with a random frame."),
  ]
}

extension Emitter {
  /// The behaviour after the last frame.
  public enum FlipbookMode: String, ClosedName {
    /// From the first frame again.
    case loop
    /// The last frame stays.
    case once
    /// The frames in reverse order.
    case pingpong
  }

  /// The sprite that a particle shows, if there are several.
  public enum SpriteSelection: String, ClosedName {
    /// The first.
    case first
    /// A random one.
    case random
    /// The next one for each particle.
    case sequence
    /// All in sequence, over the life of the particle.
    case life
  }
}
