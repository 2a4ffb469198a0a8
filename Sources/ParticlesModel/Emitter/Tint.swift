public import ParticlesCore

extension Emitter {
  /// The colour of particles: `texel · lerp(1, base, mix) · intensity`, with the opacity `texel ·
  /// base · opacity`.
  public struct Tint: Sendable, Hashable {
    /// The colour; white by default.
    public var base = ParticleSystem.ColorTrack()

    /// A factor of alpha, 0 to 1; 1 by default.
    public var opacity: ParticleSystem.Track = 1

    /// A factor of red, green and blue; 1 by default.
    public var intensity: ParticleSystem.Track = 1

    /// How far the colour is multiplied with that of the image, 0 to 1; 1, the default, fully.
    public var mix: ParticleSystem.Track = 1

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Tint: ModelObject {
  package static let title = "Color"
  package static let about = "The colour of particles."

  package static let properties: [Property<Tint>] = [
    .value("base", { $1(&$0.base) }, "The colour."),
    .value("opacity", { $1(&$0.opacity) }, in: .fraction, "A factor of alpha."),
    .value(
      "intensity", { $1(&$0.intensity) }, in: .nonNegative, "A factor of red, green and blue."),
    .value(
      "mix", { $1(&$0.mix) }, in: .fraction,
      "How far the colour is multiplied with that of the image: 0 not at all, 1 fully."),
  ]
}
