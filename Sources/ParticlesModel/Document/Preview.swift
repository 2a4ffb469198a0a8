public import ParticlesCore

extension ParticleSystem {
  /// How the effect is shown when nobody says how. It never changes the simulation.
  public struct Preview: Sendable, Hashable {
    /// Width and height of the picture in pixels; nil, the default, for what suits the program.
    public var size: Vector2?

    /// The colour behind the effect; nil, the default, for what suits the program.
    public var background: Color?

    /// Where it is seen from; nil, the default, for a camera that sees all of it.
    public var camera: Camera?

    /// How long the preview runs, in seconds; nil, the default, for what suits the effect.
    public var duration: Double?

    /// How much of the effect is skipped, in seconds; 0 by default.
    public var warmup = 0.0

    /// Pictures per second; 60 by default.
    public var fps = 60.0

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Preview: ModelObject {
  package static let title = "Preview"
  package static let about = "How the effect is shown when nobody says how."

  package static let properties: [Property<Preview>] = [
    .optional("size", \.size, unit: "px", in: .positive, "Width and height of the picture."),
    .optional("background", \.background, "The colour behind the effect."),
    .optional("camera", \.camera, "Where the effect is seen from."),
    .optional("duration", \.duration, unit: "s", in: .positive, "How long the preview runs."),
    .value("warmup", \.warmup, unit: "s", in: .nonNegative, "How much of the effect is skipped."),
    .value("fps", \.fps, unit: "1/s", in: .positive, "Pictures per second."),
  ]
}

extension ParticleSystem {
  /// Where the effect is seen from.
  public struct Camera: Sendable, Hashable {
    /// Where the camera stands; the origin by default.
    public var position = Vector.zero

    /// What it looks at; the origin by default.
    public var target = Vector.zero

    /// The vertical angle of view in degrees, for a camera with perspective; nil by default.
    public var fov: Double?

    /// The height of what is seen, for a camera without perspective; nil by default.
    public var orthoHeight: Double?

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Camera: ModelObject {
  package static let title = "Camera"
  package static let about = "Where the effect is seen from."

  package static let properties: [Property<Camera>] = [
    .value("position", \.position, unit: "unit", "Where the camera stands."),
    .value("target", \.target, unit: "unit", "What the camera looks at."),
    .optional(
      "fov", \.fov, unit: "°", in: .between(1, 179),
      "The vertical angle of view of a camera with perspective."),
    .optional(
      "orthoHeight", \.orthoHeight, unit: "unit", in: .positive,
      "The height of what a camera without perspective sees."),
  ]
}
