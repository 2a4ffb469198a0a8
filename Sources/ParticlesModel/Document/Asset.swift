public import ParticlesCore

extension ParticleSystem {
  /// What the document says of itself.
  public struct Asset: Sendable, Hashable {
    /// The version of the format, `major.minor`.
    public var version = ParticleSystem.version

    /// The least version that a reader must know; nil, the default, for any of the same major
    /// version.
    public var minVersion: String?

    /// The program that wrote the document; nil by default.
    public var generator: String?

    /// The name of the effect; nil by default.
    public var name: String?

    /// Who made the effect; nil by default.
    public var author: String?

    /// Rights and licence; nil by default.
    public var copyright: String?

    /// Anything worth knowing; nil by default.
    public var comment: String?

    /// Whether the effect lives in the plane or in space; in the plane by default.
    public var dimension = Dimension.plane

    /// What a distance of 1 is; a point by default.
    public var unit = LengthUnit.point

    /// How many units make a metre, for conversion between plane and space; nil, the default, if
    /// that is not known.
    public var unitsPerMeter: Double?

    /// Whose deviations from the one simulation the effect counts on; nobody's by default.
    public var profile = Profile.neutral

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Asset: ModelObject {
  package static let title = "Asset"
  package static let about = "What the document says of itself."

  package static let properties: [Property<Asset>] = [
    .required("version", \.version, schema: .version, "The version of the format, `major.minor`."),
    .optional(
      "minVersion", \.minVersion, schema: .knownVersion,
      "The least version that a reader must know."),
    .optional("generator", \.generator, "The program that wrote the document."),
    .optional("name", \.name, "The name of the effect."),
    .optional("author", \.author, "Who made the effect."),
    .optional("copyright", \.copyright, "Rights and licence."),
    .optional("comment", \.comment, "Anything worth knowing."),
    .value(
      "dimension", \.dimension,
      "Whether the effect lives in the plane or in space; decides the camera and the "
        + "default of `launch.spreadLaw`."),
    .value(
      "unit", \.unit,
      "What a distance of 1 is: `point`, `pixel`, `meter`, `unit`, `normalized`, or another name."),
    .optional(
      "unitsPerMeter", \.unitsPerMeter, in: .positive,
      "How many units make a metre; for conversion between plane and space only."),
    .value(
      "profile", \.profile,
      "The program whose deviations from the one simulation the effect counts on."),
  ]
}

extension ParticleSystem {
  /// The space that an effect lives in.
  public enum Dimension: String, ClosedName {
    /// The plane z = 0.
    case plane = "2d"
    /// Space.
    case space = "3d"
  }

  /// What a distance of 1 is. An open set.
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
    /// A unit of some game.
    public static let unit = LengthUnit(rawValue: "unit")
    /// The size of the view.
    public static let normalized = LengthUnit(rawValue: "normalized")
  }

  /// A program whose deviations from the one simulation an effect counts on. An open set.
  public struct Profile: OpenName {
    /// The name as it is in the document.
    public let rawValue: String

    /// Creates a name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// None: the simulation that the specification describes.
    public static let neutral = Profile(rawValue: "neutral")
    /// Cocos2d and Particle Designer.
    public static let cocos2d = Profile(rawValue: "cocos2d")
    /// Starling.
    public static let starling = Profile(rawValue: "starling")
    /// libGDX.
    public static let libgdx = Profile(rawValue: "libgdx")
    /// Pixi.
    public static let pixi = Profile(rawValue: "pixi")
    /// The processor particles of Godot.
    public static let godotCPU = Profile(rawValue: "godot-cpu")
    /// Defold.
    public static let defold = Profile(rawValue: "defold")
    /// three.quarks.
    public static let quarks = Profile(rawValue: "quarks")
    /// SceneKit.
    public static let sceneKit = Profile(rawValue: "scenekit")
    /// SpriteKit.
    public static let spriteKit = Profile(rawValue: "spritekit")
  }
}
