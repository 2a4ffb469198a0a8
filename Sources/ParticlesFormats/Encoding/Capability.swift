public import ParticlesCore
public import ParticlesModel

/// Something that effects can do and formats can say, or not: a row of the capability matrix.
public struct Capability: Sendable, Hashable {
  /// The name in reports, such as `radial`.
  public let id: String

  /// How bad it is where it is lost and nobody measured the difference.
  public let weight: Loss.Level

  /// What it is, in a few words.
  public let title: String

  /// Creates a capability.
  public init(_ id: String, _ weight: Loss.Level, _ title: String) {
    self.id = id
    self.weight = weight
    self.title = title
  }
}

/// What a format can say: its column of the capability matrix.
public struct Capabilities: Sendable {
  /// How well a format says something.
  public enum Support: String, Sendable {
    /// As the document means it.
    case exact
    /// By something similar.
    case approximated
    /// Not at all.
    case lost
  }

  /// What it says exactly.
  public var exact: Set<Capability>

  /// What it says by something similar, or exactly in some cases only.
  public var approximated: Set<Capability>

  /// The unit of length of its files. Effects in another are converted before they are encoded.
  public var unit: ParticleSystem.LengthUnit

  /// Creates a column. What is in neither list is lost.
  public init(
    unit: ParticleSystem.LengthUnit = .point, exact: Set<Capability>, approximated: Set<Capability>
  ) {
    self.unit = unit
    self.exact = exact
    self.approximated = approximated
  }

  /// How well the format says something.
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
  ///       "SpriteKit has no radial acceleration; particles fly straight")
  ///
  /// - Parameters:
  ///   - rule: what happened: ``ParticlesCore/Rule/lost``, `approximated`, `assumed`, `clamped`,
  ///     `dead`, `restated`, `uninterpreted` or `missingImage`.
  ///   - capability: the row of the matrix that it is about.
  ///   - path: where in the document. The line speaks for everything below that.
  ///   - alsoPaths: other places that it speaks for.
  ///   - detail: what it means for the effect.
  ///   - target: key and value in the result, if there is one.
  ///   - recipe: what was done instead, in a few words.
  ///   - metric: how large the error is, if it was measured.
  ///   - level: how bad it is; by rule and weight of the capability unless given.
  ///   - hint: what to do about it.
  public init(
    _ rule: Rule, _ capability: Capability, at path: String, also alsoPaths: [String] = [],
    _ detail: String, target: Loss.Side? = nil, recipe: String? = nil, metric: Loss.Metric? = nil,
    level: Loss.Level? = nil, hint: String? = nil
  ) {
    let level = level ?? Self.level(of: rule, weight: capability.weight)
    self.init(rule, at: .key(path), detail, severity: level == .info ? .note : .warning, hint: hint)
    loss = Loss(
      feature: capability.id, level: level, path: path, alsoPaths: alsoPaths, target: target,
      recipe: recipe, metric: metric)
  }

  /// How much is gone: what the line itself says, or what its rule stands for, as for the findings
  /// of an import.
  public var lossLevel: Loss.Level {
    if let loss { return loss.level }
    guard severity > .note else { return .info }
    return rule == .missingImage ? .high : .medium
  }

  private static func level(of rule: Rule, weight: Loss.Level) -> Loss.Level {
    switch rule {
    case .lost, .uninterpreted, .missingImage: weight
    case .approximated, .clamped: weight == .high ? .medium : min(weight, .low)
    default: .info
    }
  }
}
