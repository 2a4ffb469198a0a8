public import ParticlesCore
public import ParticlesModel

/// A feature of effects that formats may support: a row of the capability matrix.
public struct Capability: Sendable, Hashable {
  /// The name in JSON, such as `radial`.
  public let id: String

  /// The level of a loss if the difference was not measured.
  public let weight: Loss.Level

  /// The name in reports for people: "radial acceleration".
  public let title: String

  /// Creates a capability.
  public init(_ id: String, _ weight: Loss.Level, _ title: String) {
    self.id = id
    self.weight = weight
    self.title = title
  }

  /// Whether statistics of a run in an empty scene show it. They do not show images, the order of
  /// drawing, trails, or what needs a scene or an emitter that moves.
  package var isMeasurable: Bool { !Self.unmeasurable.contains(self) }

  private static let unmeasurable: Set<Capability> = [
    .rateOverDistance, .space, .inherit, .collide, .emissionAtCollision, .stretch, .rotation3D,
    .mix, .texture, .embeddedImage,
    .flipbook, .randomSprites, .premultipliedAlpha, .sort, .billboard, .soft, .trail, .links, .seed,
    .metadata, .frame2D, .preview,
    .extra,
  ]
}

/// The features that a format supports: its column of the capability matrix.
public struct Capabilities: Sendable {
  /// How well a format supports a feature.
  public enum Support: String, Sendable {
    /// Exactly.
    case exact
    /// Approximately.
    case approximated
    /// Not supported.
    case lost
  }

  /// The features that are written exactly.
  public var exact: Set<Capability>

  /// The features that are approximated, or exact in some cases only.
  public var approximated: Set<Capability>

  /// The unit of length of its files. Effects in another are converted before they are encoded.
  public var unit: ParticleSystem.LengthUnit

  /// The engine whose law effects of the format follow; neutral by default.
  public var profile: ParticleSystem.Profile

  /// The engines that read its files, each by a law of its own; ``profile`` alone by default. An effect
  /// that was made for one of them is written for it.
  public var profiles: [ParticleSystem.Profile]

  /// The unit of length of its files for effects in space; nil, the default, for ``unit``.
  public var unitInSpace: ParticleSystem.LengthUnit?

  /// Whether the engine divides the capacity by the lifetime to get the rate of emission: a file has no rate of its own.
  /// False by default.
  public var derivesRate = false

  /// Creates a column. Features in neither list are lost.
  public init(
    unit: ParticleSystem.LengthUnit = .point, profile: ParticleSystem.Profile = .neutral,
    exact: Set<Capability>, approximated: Set<Capability>
  ) {
    (self.unit, self.profile, profiles) = (unit, profile, [profile])
    self.exact = exact
    self.approximated = approximated
  }

  /// How well the format supports a feature.
  public subscript(capability: Capability) -> Support {
    if exact.contains(capability) { return .exact }
    return approximated.contains(capability) ? .approximated : .lost
  }
}

extension Diagnostic {
  /// A line of the loss report.
  ///
  ///     Diagnostic(
  ///       .lost, .radial, at: "emitters[0].forces[1]",
  ///       "SpriteKit has no radial acceleration; dropped")
  ///
  /// - Parameters:
  ///   - rule: what happened: ``ParticlesCore/Rule/lost``, `approximated`, `assumed`, `clamped`,
  ///     `dead`, `restated`, `uninterpreted` or `missingImage`.
  ///   - capability: the row of the matrix that it is about.
  ///   - path: the path in the document. The line covers everything below.
  ///   - alsoPaths: other paths that it covers.
  ///   - detail: the effect of the loss.
  ///   - target: key and value in the result, if there is one.
  ///   - recipe: the replacement, in a few words.
  ///   - metric: the error, if it was measured.
  ///   - level: the severity of the loss; derived from the rule and the capability by default.
  ///   - hint: the next step.
  public init(
    _ rule: Rule, _ capability: Capability, at path: String, also alsoPaths: [String] = [],
    _ detail: String, target: Loss.Side? = nil, recipe: String? = nil, metric: Loss.Metric? = nil,
    level: Loss.Level? = nil, hint: String? = nil
  ) {
    let level = level ?? Self.level(of: rule, weight: capability.weight)
    let isNote = level == .info && rule != .missingImage
    self.init(rule, at: .key(path), detail, severity: isNote ? .note : .warning, hint: hint)
    loss = Loss(
      feature: capability.id, level: level, path: path, alsoPaths: alsoPaths, target: target,
      recipe: recipe, metric: metric)
  }

  /// The level of the loss: that of the line itself, or that of its rule, as for findings of an
  /// import. A missing image is no loss of the effect, and neither is one that cannot be read or a key that
  /// its own engine does not read: their level is `info`.
  public var lossLevel: Loss.Level {
    if let loss { return loss.level }
    guard severity > .note else { return .info }
    return [.missingImage, .image, .imageUnchecked, .ignoredKey].contains(rule) ? .info : .medium
  }

  /// Whether how much the loss shows in this effect is not known, so that ``lossLevel`` is what the feature suggests.
  public var isOfUnknownLevel: Bool {
    lossLevel > .info && loss?.basis ?? .feature == .feature
  }

  private static func level(of rule: Rule, weight: Loss.Level) -> Loss.Level {
    switch rule {
    case .missingImage: .info
    case .lost, .uninterpreted: weight
    case .approximated, .clamped: weight == .high ? .medium : min(weight, .low)
    default: .info
    }
  }
}
