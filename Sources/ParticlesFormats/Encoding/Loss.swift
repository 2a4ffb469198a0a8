public import ParticlesCore

/// What a conversion did to a property: the part of a ``ParticlesCore/Diagnostic`` that only
/// conversions have. The rule of the diagnostic tells what happened (``ParticlesCore/Rule/lost``,
/// ``ParticlesCore/Rule/approximated``, …), its detail tells it to people.
public struct Loss: DiagnosticDetail {
  /// "loss"
  public static let key = "loss"

  /// How much of the effect is gone, from nothing to something that everybody sees.
  public enum Level: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Nothing; worth knowing.
    case info
    /// Hardly to be seen.
    case low
    /// To be seen by those who compare.
    case medium
    /// Another effect.
    case high

    /// From info to high.
    public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

    private var rank: Int { Level.allCases.firstIndex(of: self) ?? 0 }
  }

  /// A key and its value, as text, on one side of a conversion.
  public struct Side: Sendable, Hashable {
    /// The key, or the path of keys.
    public var key: String?
    /// The value.
    public var value: JSONValue?

    /// Creates a side.
    public init(_ key: String? = nil, _ value: JSONValue? = nil) {
      self.key = key
      self.value = value
    }
  }

  /// A measure of the error.
  public struct Metric: Sendable, Hashable {
    /// What is measured, such as "rate error".
    public var name: String
    /// How much.
    public var value: Double
    /// In what.
    public var unit: String

    /// Creates a measure.
    public init(_ name: String, _ value: Double, _ unit: String) {
      self.name = name
      self.value = value
      self.unit = unit
    }
  }

  /// The row of the capability matrix, such as `radial`.
  public var feature: String

  /// How much is gone.
  public var level: Level

  /// Where in the document: `emitters[0].forces[1]`. The line speaks for all that stands below.
  public var path: String

  /// Other places in the document that the line speaks for; none by default.
  public var alsoPaths: [String] = []

  /// The name of the emitter; nil where it is about the effect as a whole.
  public var emitter: String?

  /// What the effect said, mostly the document's key and value.
  public var source: Side?

  /// What the result says.
  public var target: Side?

  /// What was done instead, in a few words: "mean of the range".
  public var recipe: String?

  /// How large the error is, if somebody measured it.
  public var metric: Metric?

  /// Creates a loss.
  public init(
    feature: String, level: Level, path: String, alsoPaths: [String] = [], target: Side? = nil,
    recipe: String? = nil, metric: Metric? = nil
  ) {
    self.feature = feature
    self.level = level
    self.path = path
    self.alsoPaths = alsoPaths
    self.target = target
    self.recipe = recipe
    self.metric = metric
  }

  /// Whether the line speaks for a property of the document: one that stands at one of its places
  /// or below.
  public func covers(_ path: String) -> Bool {
    ([self.path] + alsoPaths).contains { path.isPath(at: $0) }
  }
}

extension Loss {
  /// This loss as JSON: part of that of its diagnostic.
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
    return .object(object)
  }
}

extension Loss.Side {
  /// The key and the value, `null` where there is none.
  fileprivate var json: JSONValue {
    ["key": key.map(JSONValue.string) ?? .null, "value": value ?? .null]
  }
}

extension Diagnostic {
  /// What a conversion did to a property, if this is about one; nil otherwise.
  public var loss: Loss? {
    get { detailed as? Loss }
    set { detailed = newValue }
  }
}
