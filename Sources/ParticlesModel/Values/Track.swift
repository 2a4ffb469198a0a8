public import ParticlesCore

extension ParticleSystem {
  /// How a number of a particle changes over its life:
  ///
  ///     from + (relative ? to : to − from) · curve(warp(x)) + rate · age
  ///
  /// clamped to ``range``, where x is what ``over`` says. In JSON a ``Value`` alone stands for a
  /// track that has only ``from``.
  public struct Track: Sendable, Hashable {
    /// The number where the curve is 0; 0 by default, also where the track as a whole has another
    /// default.
    public var from: Value = 0

    /// The number where the curve is 1; nil, the default, if the curve plays no part.
    public var to: Value?

    /// Whether ``to`` is added to ``from`` instead of taking its place; false by default.
    public var relative = false

    /// The way from ``from`` to ``to``; a straight line by default.
    public var curve = Curve.linear

    /// Easing: what becomes of x before the curve sees it; nothing by default.
    public var warp = Curve.linear

    /// What is added for each second of age, in units per second; 0 by default.
    public var rate: Value = 0

    /// The bounds of the result; nil, the default, for none.
    public var range: Interval?

    /// What x is; the share of its life that a particle has lived, by default.
    public var over = TrackInput.life

    /// The input that counts as x = 0 and x = 1; nil, the default, for 0 and 1. Not used for
    /// ``TrackInput/life``.
    public var domain: Interval?

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates a track that is 0.
    public init() {}

    /// Creates a track that keeps the value with which the particle is born.
    public init(_ from: Value) { self.from = from }

    /// Creates a track.
    public init(
      from: Value, to: Value? = nil, relative: Bool = false, curve: Curve = .linear,
      rate: Value = 0
    ) {
      self.from = from
      self.to = to
      self.relative = relative
      self.curve = curve
      self.rate = rate
    }

    /// A track that keeps a constant.
    public static func constant(_ value: Double) -> Track { Track(.constant(value)) }

    /// Whether particles keep the value with which they are born.
    public var isConstantOverLife: Bool { to == nil && rate == 0 }
  }

  /// What a track looks at.
  public enum TrackInput: String, ClosedName {
    /// The share of its life that the particle has lived, 0 to 1.
    case life
    /// The age of the particle in seconds.
    case age
    /// The speed of the particle in units per second.
    case speed
    /// The distance of the particle from the emitter in units.
    case distance
    /// How far the emission is, 0 to 1.
    case emitter
  }
}

extension Track: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A constant.
  public init(floatLiteral value: Double) { self.init(.constant(value)) }

  /// A constant.
  public init(integerLiteral value: Int) { self.init(.constant(Double(value))) }
}

extension Track: ModelObject {
  package static let title = "Track"
  package static let about = "How a number of a particle changes over its life."

  package static let properties: [Property<Track>] = [
    .value("from", \.from, "The number where the curve is 0."),
    .optional("to", \.to, "The number where the curve is 1; without it the curve plays no part."),
    .value("relative", \.relative, "Whether `to` is added to `from` instead of replacing it."),
    .value("curve", \.curve, "The way from `from` to `to`."),
    .value("warp", \.warp, "Easing: what becomes of x before the curve sees it."),
    .value("rate", \.rate, unit: "1/s", "What is added for each second of age."),
    .optional("range", \.range, "The bounds of the result."),
    .value("over", \.over, "What x is."),
    .optional("domain", \.domain, "The input that counts as x = 0 and x = 1; not for `life`."),
  ]

  package static let schemaName = "Track.object"

  package static func schema(_ bounds: Bounds?) -> JSONSchema { .reference(title) }

  package init(json: JSONValue, at path: JSONPath) throws {
    guard case .object(let object) = json else {
      guard case .number = json else { throw json.mismatch("a value or a track", at: path) }
      self.init(try Value(json: json, at: path))
      return
    }
    if Self.isValue(object) {
      self.init(try Value(json: json, at: path))
    } else {
      try self.init(object: json, at: path)
    }
  }

  package var json: JSONValue {
    guard self == Track(from) else { return objectJSON }
    let value = from.json
    return value.object.map(Self.isValue) ?? true ? value : objectJSON
  }

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard let domain, domain.lower == domain.upper else { return }
    diagnostics.append(
      Diagnostic(
        .range, at: path.appending("domain").location, expected: "two numbers that differ",
        found: domain.json.line))
  }

  /// Whether an object is a value. One with properties that only a track has is none.
  private static func isValue(_ object: JSONObject) -> Bool {
    let keys = object.members.map(\.key)
    return keys.contains(where: valueKeys.contains) && !keys.contains(where: ownKeys.contains)
  }

  /// The keys by which an object is told to be a value.
  static let valueKeys = ["min", "max", "oneOf", "low", "high"]
  /// The keys that only a track has.
  static let ownKeys = ["from", "to", "rate", "warp", "over", "range", "domain"]

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    if self == Track(from) {
      from.check(bounds, at: path, into: &diagnostics)
    } else {
      checkObject(at: path, into: &diagnostics)
    }
  }
}
