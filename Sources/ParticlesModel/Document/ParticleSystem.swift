public import ParticlesCore

/// An effect: emitters, what their particles look like, and how to show them.
///
/// This is a plain value without reference to files. Times are in seconds, angles in degrees
/// counter-clockwise, distances in ``Asset/unit``; y points up. Colours are sRGB with straight
/// alpha. Elements of one array refer to those of another by their indices.
public struct ParticleSystem: Sendable, Hashable {
  /// The version of the format that this library writes.
  public static let version = "1.0"

  /// The name of the extension that stores the imported source; see the specification.
  public static let sourceExtension = "PTX_source"

  /// Metadata of the document.
  public var asset = Asset()

  /// The extensions that the document uses; none by default.
  public var extensionsUsed: [String] = []

  /// The extensions that a reader must support; none by default.
  public var extensionsRequired: [String] = []

  /// The images in the package; none by default.
  public var images: [ImageReference] = []

  /// The sprites that particles show; none by default.
  public var sprites: [Sprite] = []

  /// The surfaces that emit particles; none by default.
  public var meshes: [Mesh] = []

  /// The emitters; none by default.
  public var emitters: [Emitter] = []

  /// The indices of the emitters that start with the effect; nil, the default, for all emitters
  /// that no trigger starts.
  public var roots: [Int]?

  /// Default settings for showing the effect.
  public var preview = Preview()

  /// The seed of the random numbers; 0 by default. The same seed always gives the same effect.
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

  /// The indices of the emitters that start with the effect: ``roots``, or all emitters that no
  /// trigger starts.
  public var startingEmitters: [Int] {
    if let roots { return roots }
    let triggered = Set(emitters.flatMap { $0.triggers.map { $0.emitter } })
    return emitters.indices.filter { !triggered.contains($0) }
  }
}

extension ParticleSystem: ModelObject {
  package static let title = "Document"
  package static let about = "An effect."

  package static let properties: [Property<ParticleSystem>] = [
    .required("asset", { $1(&$0.asset) }, "Metadata of the document."),
    .value("extensionsUsed", { $1(&$0.extensionsUsed) }, "The extensions that the document uses."),
    .value(
      "extensionsRequired", { $1(&$0.extensionsRequired) }, schema: .emptyArray,
      "The extensions that a reader must support."),
    .value("images", { $1(&$0.images) }, "The images in the package."),
    .value("sprites", { $1(&$0.sprites) }, "The sprites that particles show."),
    .value("meshes", { $1(&$0.meshes) }, "The surfaces that emit particles."),
    .value("emitters", { $1(&$0.emitters) }, "The emitters."),
    .optional(
      "roots", { $1(&$0.roots) },
      "The indices of the emitters that start with the effect; all emitters that no trigger starts "
        + "if null."),
    .value("preview", { $1(&$0.preview) }, "Default settings for showing the effect."),
    .value("seed", { $1(&$0.seed) }, "The seed of the random numbers."),
  ]
}
