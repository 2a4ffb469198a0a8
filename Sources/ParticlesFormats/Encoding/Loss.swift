public import ParticlesCore

/// The effect of a conversion on a property: the part of a ``ParticlesCore/Diagnostic`` that only
/// conversions have. The rule of the diagnostic is the kind (``ParticlesCore/Rule/lost``,
/// ``ParticlesCore/Rule/approximated``, …), its detail the text for people.
public struct Loss: DiagnosticDetail {
  /// "loss"
  public static let key = "loss"

  /// The severity of a loss.
  public enum Level: String, Sendable, Hashable, CaseIterable, Comparable {
    /// No visible difference.
    case info
    /// Hardly visible.
    case low
    /// Visible side by side.
    case medium
    /// Looks different.
    case high

    /// From info to high.
    public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

    private var rank: Int { Level.allCases.firstIndex(of: self) ?? 0 }

    /// The level of a measured difference: `info` below 0.01, `low` below 0.05, `medium` below 0.2,
    /// `high` otherwise.
    /// - Parameter difference: 0 for the same to 1 for nothing in common.
    public init(difference: Double) {
      self = Self.limits.first { difference < $0.below }?.level ?? .high
    }

    /// The levels below `high`, and the differences that they end at.
    package static let limits: [(level: Level, below: Double)] = [
      (.info, 0.01), (.low, 0.05), (.medium, 0.2),
    ]
  }

  /// The basis of a level.
  public enum Basis: String, Sendable, Hashable {
    /// Simulations of the effect before and after the change.
    case measured
    /// The expected particles of the effect.
    case estimated
    /// The feature alone: how much it shows in this effect is not known.
    case feature
  }

  /// A key and its value, as text, on one side of a conversion.
  public struct Side: Sendable, Hashable {
    /// The key, or the path of keys.
    public var key: String?
    /// The value.
    public var value: JSONValue?
    /// The value with its unit, in words: "10 to 20 px"; nil if it takes more than a few.
    public var text: String?

    /// Creates a side.
    public init(_ key: String? = nil, _ value: JSONValue? = nil) {
      self.key = key
      self.value = value
    }
  }

  /// A measure of the error.
  public struct Metric: Sendable, Hashable {
    /// The measured quantity, such as "rate error".
    public var name: String
    /// The value.
    public var value: Double
    /// The unit.
    public var unit: String

    /// Creates a measure.
    public init(_ name: String, _ value: Double, _ unit: String) {
      self.name = name
      self.value = value
      self.unit = unit
    }

    /// The error as a share of the whole, if the unit tells it.
    var share: Double? {
      switch unit {
      case "%": value / 100
      case "of 1": value
      default: value == 0 ? 0 : nil
      }
    }
  }

  /// The row of the capability matrix, such as `radial`.
  public var feature: String

  /// The severity.
  public var level: Level

  /// The basis of ``level``; the feature alone by default.
  public var basis = Basis.feature

  /// The path in the document: `emitters[0].forces[1]`. The line covers everything below.
  public var path: String

  /// Other paths in the document that the line covers; none by default.
  public var alsoPaths: [String] {
    get { ownPaths + (moved?.paths ?? []) }
    set { (ownPaths, moved) = (newValue, nil) }
  }

  /// Those of ``alsoPaths`` that are stated one by one.
  private(set) var ownPaths: [String] = []

  /// The others.
  var moved: MovedSprites?

  /// The name of the emitter; nil if the loss concerns the whole effect.
  public var emitter: String?

  /// The source value, usually key and value of the document.
  public var source: Side?

  /// The value in the result.
  public var target: Side?

  /// The replacement, in a few words: "mean of the range".
  public var recipe: String?

  /// The error of the value itself, if the encoder knows it.
  public var metric: Metric?

  /// The difference that this change alone makes to the running effect, 0 to 1; nil if it was not
  /// measured, so that ``level`` is an estimate.
  public var difference: Double?

  /// The aspect of the effect in which that difference is greatest, such as "position"; nil if nothing
  /// was measured.
  public var aspect: String?

  /// Creates a loss.
  public init(
    feature: String, level: Level, path: String, alsoPaths: [String] = [], target: Side? = nil,
    recipe: String? = nil, metric: Metric? = nil
  ) {
    self.feature = feature
    self.level = level
    self.path = path
    ownPaths = alsoPaths
    self.target = target
    self.recipe = recipe
    self.metric = metric
  }

  /// Whether the line covers a property of the document: one at or below one of its paths.
  public func covers(_ path: String) -> Bool {
    ([self.path] + ownPaths).contains { path.isPath(at: $0) } || moved?.covers(path) ?? false
  }
}

extension Loss {
  /// This loss as JSON: a part of the JSON of its diagnostic.
  public var json: JSONValue {
    var object: JSONObject = [
      "feature": .string(feature), "level": .string(level.rawValue), "path": .string(path),
    ]
    if !alsoPaths.isEmpty { object["alsoPaths"] = .array(alsoPaths.map(JSONValue.string)) }
    object["emitter"] = emitter.map(JSONValue.string)
    object["source"] = source?.json
    object["target"] = target?.json
    object["recipe"] = recipe.map(JSONValue.string)
    object["metric"] = metric.map {
      ["name": .string($0.name), "value": .double($0.value), "unit": .string($0.unit)]
    }
    object["difference"] = difference.map { .double(($0 * 10_000).rounded() / 10_000) }
    object["aspect"] = aspect.map(JSONValue.string)
    object["estimated"] = .bool(basis != .measured)
    object["basis"] = .string(basis.rawValue)
    return .object(object)
  }
}

extension Loss.Side {
  /// The key and the value, `null` where there is none.
  fileprivate var json: JSONValue {
    var object: JSONObject = ["key": key.map(JSONValue.string) ?? .null, "value": value ?? .null]
    object["text"] = text.map(JSONValue.string)
    return .object(object)
  }
}

extension Diagnostic {
  /// The loss, if the diagnostic is a line of a conversion; nil otherwise.
  public var loss: Loss? {
    get { detailed as? Loss }
    set { detailed = newValue }
  }
}
