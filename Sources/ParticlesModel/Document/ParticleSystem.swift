public import ParticlesCore

/// An effect: emitters, what their particles look like, and how to show them.
///
/// This is a plain value that knows nothing of files. Times are in seconds, angles in degrees
/// counter-clockwise, distances in ``Asset/unit``; y points up. Colours are sRGB with straight
/// alpha. Elements of one array refer to those of another by their indices.
public struct ParticleSystem: Sendable, Hashable {
  /// The version of the format that this library writes.
  public static let version = "1.0"

  /// The name of the extension that keeps what was imported; see the specification.
  public static let sourceExtension = "PTX_source"

  /// What the document says of itself.
  public var asset = Asset()

  /// The extensions that the document uses; none by default.
  public var extensionsUsed: [String] = []

  /// The extensions without which the document cannot be understood; none by default.
  public var extensionsRequired: [String] = []

  /// The images in the package; none by default.
  public var images: [ImageReference] = []

  /// The parts of images that particles show; none by default.
  public var sprites: [Sprite] = []

  /// The surfaces that particles are born on; none by default.
  public var meshes: [Mesh] = []

  /// The emitters; none by default.
  public var emitters: [Emitter] = []

  /// The indices of the emitters that start with the effect; nil, the default, for all that no
  /// trigger starts.
  public var roots: [Int]?

  /// How the effect is shown when nobody says how.
  public var preview = Preview()

  /// Where the random numbers come from; 0 by default. The same seed always gives the same effect.
  public var seed: UInt64 = 0

  /// Unknown JSON members, preserved on save; see ``Extensible``.
  public var additions = JSONObject()

  /// Creates an effect without emitters.
  public init() {}

  /// Creates an effect.
  public init(name: String, emitters: [Emitter]) {
    asset.name = name
    self.emitters = emitters
  }

  /// The indices of the emitters that start with the effect: ``roots``, or all that no trigger
  /// starts.
  public var startingEmitters: [Int] {
    if let roots { return roots }
    let triggered = Set(emitters.flatMap { $0.triggers.map(\.emitter) })
    return emitters.indices.filter { !triggered.contains($0) }
  }
}

extension ParticleSystem: ModelObject {
  package static let title = "Document"
  package static let about = "An effect."

  package static let properties: [Property<ParticleSystem>] = [
    .required("asset", \.asset, "What the document says of itself."),
    .value("extensionsUsed", \.extensionsUsed, "The extensions that the document uses."),
    .value(
      "extensionsRequired", \.extensionsRequired, schema: .emptyArray,
      "The extensions without which the document cannot be understood."),
    .value("images", \.images, "The images in the package."),
    .value("sprites", \.sprites, "The parts of images that particles show."),
    .value("meshes", \.meshes, "The surfaces that particles are born on."),
    .value("emitters", \.emitters, "The emitters."),
    .optional(
      "roots", \.roots,
      "The indices of the emitters that start with the effect; all that no trigger starts if null."
    ),
    .value("preview", \.preview, "How the effect is shown when nobody says how."),
    .value("seed", \.seed, "Where the random numbers come from."),
  ]
}
