public import ParticlesCore

extension Emitter {
  /// The size of particles.
  public struct Size: Sendable, Hashable {
    /// Whether ``width`` and ``height`` are lengths or factors. Default: lengths.
    public var mode = SizeMode.units

    /// The width. Default: 1.
    public var width: ParticleSystem.Track = 1

    /// The height. Default: nil (computed from the width and ``aspect``).
    public var height: ParticleSystem.Track?

    /// Width divided by height, used without ``height``. Default: the aspect ratio of the sprite.
    public var aspect = Aspect.sprite

    /// Stretching. Default: nil (none).
    public var stretch: Stretch?

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Size: ModelObject {
  package static let title = "Size"
  package static let about = "The size of particles."

  package static let properties: [Property<Size>] = [
    .value(
      "mode", { $1(&$0.mode) }, label: "Unit",
      "Whether `width` and `height` are lengths or factors."),
    .value("width", { $1(&$0.width) }, in: .nonNegative, "The width."),
    .optional(
      "height", { $1(&$0.height) }, in: .nonNegative,
      "The height; computed from `width` and `aspect` if null."),
    .value(
      "aspect", { $1(&$0.aspect) },
      "Width divided by height, used without `height`: `\"sprite\"` or a number."),
    .optional("stretch", { $1(&$0.stretch) }, "Stretching of particles."),
  ]
}

extension Emitter {
  /// The unit of a size.
  public enum SizeMode: String, ClosedName {
    /// A length in units.
    case units
    /// A factor of the size of the sprite.
    case textureScale
  }

  /// Stretching of particles along their velocity or their axes.
  public struct Stretch: Sendable, Hashable {
    /// The length that is added, in seconds times speed. Default: 0.
    public var factor: ParticleSystem.Value = 0

    /// The axis of stretching. Default: the velocity.
    public var axis = StretchAxis.velocity

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Stretch: ModelObject {
  package static let title = "Stretch"
  package static let about = "Stretching of particles."

  package static let properties: [Property<Stretch>] = [
    .value(
      "factor", { $1(&$0.factor) }, unit: "s", label: "Stretch",
      "The length that is added, in seconds times speed."),
    .value(
      "axis", { $1(&$0.axis) },
      label: "Stretch axis",
      "`\"velocity\"`, or amounts added to the factors along x and y: a vector of Tracks."),
  ]
}

extension Emitter {
  /// The aspect ratio of a particle: width divided by height.
  public enum Aspect: Sendable, Hashable {
    /// The aspect ratio of its sprite.
    case sprite
    /// A number, 1 for a square.
    case ratio(Double)
  }
}

extension Aspect {
  /// Width divided by height. For `sprite` this is `image`, the aspect ratio of the image.
  package func ratio(of image: Double) -> Double {
    switch self {
    case .sprite: image
    case .ratio(let ratio): ratio
    }
  }
}

extension Aspect: NamedAlternative {
  package static let named: [Aspect] = [.sprite]
  package static let expected = "\"sprite\" or a number"
  package static let typeName = "aspect"
  package static let bounds: Bounds? = .positive
  package static func states(_ json: JSONValue) -> Bool {
    if case .number = json { true } else { false }
  }
  package init(stating ratio: Double) { self = .ratio(ratio) }
  package var name: String { "sprite" }
  package var stated: Double? { if case .ratio(let ratio) = self { ratio } else { nil } }
}

extension Emitter {
  /// The frame rate of a flipbook.
  public enum FrameRate: Sendable, Hashable {
    /// Frames per second.
    case fixed(ParticleSystem.Value)
    /// All frames over the life of the particle.
    case life
  }
}

extension FrameRate: NamedAlternative {
  package static let named: [FrameRate] = [.life]
  package static let expected = "\"life\" or a value"
  package static let typeName = "frame rate"
  package static func states(_ json: JSONValue) -> Bool {
    switch json {
    case .number, .object: true
    default: false
    }
  }
  package init(stating value: Value) { self = .fixed(value) }
  package var name: String { "life" }
  package var stated: Value? { if case .fixed(let value) = self { value } else { nil } }
}
