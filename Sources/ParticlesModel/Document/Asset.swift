public import ParticlesCore

extension ParticleSystem {
  /// Metadata of the document.
  public struct Asset: Sendable, Hashable {
    /// The version of the format, `major.minor`.
    public var version = ParticleSystem.version

    /// The minimum version that a reader must support. Default: nil (any minor version).
    public var minVersion: String?

    /// The program that wrote the document. Default: nil.
    public var generator: String?

    /// The name of the effect. Default: nil.
    public var name: String?

    /// Who made the effect. Default: nil.
    public var author: String?

    /// Rights and licence. Default: nil.
    public var copyright: String?

    /// A free-form comment. Default: nil.
    public var comment: String?

    /// Whether the effect is two- or three-dimensional. Default: in the plane.
    public var dimension = Dimension.plane

    /// The unit of distances. Default: a point.
    public var unit = LengthUnit.point

    /// Units per metre, for conversion between 2D and 3D. Default: nil (unknown).
    public var unitsPerMeter: Double?

    /// The program whose deviations from the specified simulation the effect relies on. Default: none.
    public var profile = Profile.neutral

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Asset: ModelObject {
  package static let title = "Asset"
  package static let about = "Metadata of the document."

  package static let properties: [Property<Asset>] = [
    .required(
      "version", { $1(&$0.version) }, schema: .version, "The version of the format, `major.minor`."),
    .optional(
      "minVersion", { $1(&$0.minVersion) }, schema: .knownVersion,
      "The minimum version that a reader must support."),
    .optional("generator", { $1(&$0.generator) }, "The program that wrote the document."),
    .optional("name", { $1(&$0.name) }, "The name of the effect."),
    .optional("author", { $1(&$0.author) }, "Who made the effect."),
    .optional("copyright", { $1(&$0.copyright) }, "Rights and licence."),
    .optional("comment", { $1(&$0.comment) }, "A free-form comment."),
    .value(
      "dimension", { $1(&$0.dimension) },
      "Whether the effect is two- or three-dimensional; decides the camera and the "
        + "default of `launch.spreadLaw`."),
    .value(
      "unit", { $1(&$0.unit) },
      "The unit of distances: `point`, `pixel`, `meter`, `unit`, `normalized`, or another name."),
    .optional(
      "unitsPerMeter", { $1(&$0.unitsPerMeter) }, in: .positive,
      label: "Units per metre", "Units per metre; only for conversion between 2D and 3D."),
    .value(
      "profile", { $1(&$0.profile) },
      "The program whose deviations from the specified simulation the effect relies on."),
  ]
}

extension ParticleSystem {
  /// The number of dimensions of an effect.
  public enum Dimension: String, ClosedName {
    /// The plane z = 0.
    case plane = "2d"
    /// Space.
    case space = "3d"
  }

  /// The unit of distances. An open set.
  public struct LengthUnit: OpenName {
    /// The name as it is in the document.
    public let rawValue: String

    /// Creates a name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A point of a user interface.
    public static let point = LengthUnit(rawValue: "point")
    /// A pixel of the source images.
    public static let pixel = LengthUnit(rawValue: "pixel")
    /// A metre.
    public static let meter = LengthUnit(rawValue: "meter")
    /// A game unit.
    public static let unit = LengthUnit(rawValue: "unit")
    /// The size of the view.
    public static let normalized = LengthUnit(rawValue: "normalized")
  }

  /// A program whose deviations from the specified simulation an effect relies on. An open set.
  public struct Profile: OpenName {
    /// The name as it is in the document.
    public let rawValue: String

    /// Creates a name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// None: the simulation that the specification describes.
    public static let neutral = Profile(rawValue: "neutral")
    /// Property lists of Particle Designer, as cocos2d-html5 shows them.
    public static let cocos2d = Profile(rawValue: "cocos2d")
    /// Property lists of Particle Designer, as cocos2d-x shows them.
    public static let cocos2dX = Profile(rawValue: "cocos2d-x")
    /// Property lists of Particle Designer, as Cocos Creator shows them.
    public static let cocosCreator = Profile(rawValue: "cocos-creator")
    /// Starling.
    public static let starling = Profile(rawValue: "starling")
    /// LÖVE.
    public static let love = Profile(rawValue: "love")
    /// libGDX.
    public static let libgdx = Profile(rawValue: "libgdx")
    /// The particle emitter of PixiJS, version 3 and before.
    public static let pixi3 = Profile(rawValue: "pixi-3")
    /// The particle emitter of PixiJS, version 5.
    public static let pixi5 = Profile(rawValue: "pixi-5")
    /// Phaser 3.
    public static let phaser = Profile(rawValue: "phaser")
    /// CPU particles of Godot 3.
    public static let godot3 = Profile(rawValue: "godot3")
    /// CPU particles of Godot 4.
    public static let godot4 = Profile(rawValue: "godot4")
    /// Defold.
    public static let defold = Profile(rawValue: "defold")
    /// three.quarks.
    public static let quarks = Profile(rawValue: "quarks")
    /// tsParticles.
    public static let tsParticles = Profile(rawValue: "tsparticles")
    /// particles.js 2.
    public static let particlesJS = Profile(rawValue: "particlesjs")
    /// SceneKit.
    public static let sceneKit = Profile(rawValue: "scenekit")
    /// SpriteKit.
    public static let spriteKit = Profile(rawValue: "spritekit")
    /// Unity.
    public static let unity = Profile(rawValue: "unity")
  }

  /// Default settings for showing the effect. They never change the simulation.
  public struct Preview: Sendable, Hashable {
    /// Width and height of the picture in pixels. Default: nil (the program decides).
    public var size: Vector2?

    /// The background colour. Default: nil (the program decides).
    public var background: Color?

    /// The camera. Default: nil (the whole effect is visible).
    public var camera: Camera?

    /// The duration of the preview in seconds. Default: nil (the program decides).
    public var duration: Double?

    /// The time that is skipped at the start, in seconds. Default: 0.
    public var warmup = 0.0

    /// Frames per second. Default: 60.
    public var fps = 60.0

    /// Unknown JSON members, preserved on save. See ``Extensible``.
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
      "size", { $1(&$0.size) }, unit: "px", in: .positive, label: "Picture size",
      "Width and height of the picture."),
    .optional("background", { $1(&$0.background) }, "The background colour."),
    .optional("camera", { $1(&$0.camera) }, "The camera that shows the effect."),
    .optional(
      "duration", { $1(&$0.duration) }, unit: "s", in: .positive, "The duration of the preview."),
    .value(
      "warmup", { $1(&$0.warmup) }, unit: "s", in: .nonNegative,
      label: "Warm-up", "The time that is skipped at the start."),
    .value(
      "fps", { $1(&$0.fps) }, unit: "1/s", in: .positive, label: "Frame rate", "Frames per second."),
  ]
}

extension ParticleSystem {
  /// The camera that shows the effect.
  public struct Camera: Sendable, Hashable {
    /// The position of the camera. Default: the origin.
    public var position = Vector.zero

    /// The point that the camera looks at. Default: the origin.
    public var target = Vector.zero

    /// The vertical field of view in degrees, for a perspective camera. Default: nil.
    public var fov: Double?

    /// The visible height, for an orthographic camera. Default: nil.
    public var orthoHeight: Double?

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Camera: ModelObject {
  package static let title = "Camera"
  package static let about = "The camera that shows the effect."

  package static let properties: [Property<Camera>] = [
    .value(
      "position", { $1(&$0.position) }, unit: "unit", label: "Camera position",
      "The position of the camera."),
    .value(
      "target", { $1(&$0.target) }, unit: "unit", label: "Camera target",
      "The point that the camera looks at."),
    .optional(
      "fov", { $1(&$0.fov) }, unit: "°", in: .between(1, 179),
      label: "Field of view", "The vertical field of view of a perspective camera."),
    .optional(
      "orthoHeight", { $1(&$0.orthoHeight) }, unit: "unit", in: .positive,
      label: "Visible height", "The visible height of an orthographic camera."),
  ]
}
