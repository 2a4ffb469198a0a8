public import ParticlesCore

extension Emitter {
  /// How large particles are.
  public struct Size: Sendable, Hashable {
    /// What ``width`` and ``height`` are; units by default.
    public var mode = SizeMode.units

    /// The width; 1 by default.
    public var width: ParticleSystem.Track = 1

    /// The height; nil, the default, for what the width and ``aspect`` give.
    public var height: ParticleSystem.Track?

    /// Width over height, where there is no ``height``; that of the sprite by default.
    public var aspect = Aspect.sprite

    /// How particles are drawn out; nil, the default, for not at all.
    public var stretch: Stretch?

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Size: ModelObject {
  package static let title = "Size"
  package static let about = "How large particles are."

  package static let properties: [Property<Size>] = [
    .value("mode", \.mode, "What `width` and `height` are."),
    .value("width", \.width, in: .nonNegative, "The width."),
    .optional(
      "height", \.height, in: .nonNegative,
      "The height; what `width` and `aspect` give if null."),
    .value(
      "aspect", \.aspect,
      "Width over height where there is no height: `\"sprite\"` or a number."),
    .optional("stretch", \.stretch, "How particles are drawn out."),
  ]
}

extension Emitter {
  /// What a size is.
  public enum SizeMode: String, ClosedName {
    /// A length in units.
    case units
    /// A factor of the size of the sprite.
    case textureScale
  }

  /// How particles are drawn out, along their velocity or along their axes.
  public struct Stretch: Sendable, Hashable {
    /// The length that is added, in seconds of flight; 0 by default.
    public var factor: ParticleSystem.Value = 0

    /// Along what; the velocity by default.
    public var axis = StretchAxis.velocity

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Stretch: ModelObject {
  package static let title = "Stretch"
  package static let about = "How particles are drawn out."

  package static let properties: [Property<Stretch>] = [
    .value("factor", \.factor, unit: "s", "The length that is added, in seconds of flight."),
    .value(
      "axis", \.axis,
      "`\"velocity\"`, or what is added to the factors along x and y: a vector of Tracks."),
  ]
}
