public import ParticlesCore

extension ParticleSystem {
  /// Default settings for showing the effect. They never change the simulation.
  public struct Preview: Sendable, Hashable {
    /// Width and height of the picture in pixels; nil, the default, if the program decides.
    public var size: Vector2?

    /// The background colour; nil, the default, if the program decides.
    public var background: Color?

    /// The camera; nil, the default, for one that shows the whole effect.
    public var camera: Camera?

    /// The duration of the preview in seconds; nil, the default, if the program decides.
    public var duration: Double?

    /// The time that is skipped at the start, in seconds; 0 by default.
    public var warmup = 0.0

    /// Frames per second; 60 by default.
    public var fps = 60.0

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Preview: ModelObject {
  package static let title = "Preview"
  package static let about = "Default settings for showing the effect."

  package static let properties: [Property<Preview>] = [
    .optional(
      "size", { $1(&$0.size) }, unit: "px", in: .positive, "Width and height of the picture."),
    .optional("background", { $1(&$0.background) }, "The background colour."),
    .optional("camera", { $1(&$0.camera) }, "The camera that shows the effect."),
    .optional(
      "duration", { $1(&$0.duration) }, unit: "s", in: .positive, "The duration of the preview."),
    .value(
      "warmup", { $1(&$0.warmup) }, unit: "s", in: .nonNegative,
      "The time that is skipped at the start."),
    .value("fps", { $1(&$0.fps) }, unit: "1/s", in: .positive, "Frames per second."),
  ]
}

extension ParticleSystem {
  /// The camera that shows the effect.
  public struct Camera: Sendable, Hashable {
    /// The position of the camera; the origin by default.
    public var position = Vector.zero

    /// The point that the camera looks at; the origin by default.
    public var target = Vector.zero

    /// The vertical field of view in degrees, for a perspective camera; nil by default.
    public var fov: Double?

    /// The visible height, for an orthographic camera; nil by default.
    public var orthoHeight: Double?

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Camera: ModelObject {
  package static let title = "Camera"
  package static let about = "The camera that shows the effect."

  package static let properties: [Property<Camera>] = [
    .value("position", { $1(&$0.position) }, unit: "unit", "The position of the camera."),
    .value("target", { $1(&$0.target) }, unit: "unit", "The point that the camera looks at."),
    .optional(
      "fov", { $1(&$0.fov) }, unit: "°", in: .between(1, 179),
      "The vertical field of view of a perspective camera."),
    .optional(
      "orthoHeight", { $1(&$0.orthoHeight) }, unit: "unit", in: .positive,
      "The visible height of an orthographic camera."),
  ]
}
