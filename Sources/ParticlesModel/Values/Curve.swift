public import ParticlesCore

extension ParticleSystem {
  /// A function of a number that usually runs from 0 to 1: keys and interpolation between them.
  ///
  /// In JSON a number is the short form of a constant curve, and `"linear"` that of ``linear``.
  public struct Curve: Sendable, Hashable {
    /// The keys, in ascending order of time. Two keys at the same time make a jump.
    public var keys: [CurveKey] = []

    /// The interpolation after a key that does not state its own; linear by default.
    public var interpolation = Interpolation.linear

    /// The extrapolation outside the keys; ``Extend/clamp`` by default.
    public var extend = Extend.clamp

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates a curve without keys, which is no valid curve yet.
    public init() {}

    /// Creates a curve.
    public init(
      _ keys: [CurveKey], _ interpolation: Interpolation = .linear, extend: Extend = .clamp
    ) {
      self.keys = keys
      self.interpolation = interpolation
      self.extend = extend
    }

    /// Creates a curve of linear pieces through points.
    public init(through points: [(time: Double, value: Double)]) {
      self.init(points.map { CurveKey($0.time, $0.value) })
    }

    /// From 0 to 1 in a straight line.
    public static let linear = Curve([CurveKey(0, 0), CurveKey(1, 1)])

    /// The same value everywhere.
    public static func constant(_ value: Double) -> Curve { Curve([CurveKey(0, value)]) }
  }
}

extension Curve: ModelObject {
  package static let title = "Curve"
  package static let about = "A function of a number that usually runs from 0 to 1."

  package static let properties: [Property<Curve>] = [
    .required(
      "keys", { $1(&$0.keys) }, schema: .someArray(of: CurveKey.schema(nil)),
      "The keys, in ascending order of time; two at the same time make a jump."),
    .value("interp", { $1(&$0.interpolation) }, "The interpolation after a key."),
    .value(
      "extend", { $1(&$0.extend) }, "The extrapolation before the first and after the last key."),
  ]

  package static let schemaName = "Curve.object"

  package static func schema(_ bounds: Bounds?) -> JSONSchema { .reference(title) }

  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    switch json {
    case .number: self = .constant(try Double(json: json, at: path))
    case .string("linear"): self = .linear
    case .object: try self.init(object: json, at: path)
    default: throw json.mismatch("a curve, a number or \"linear\"", at: path)
    }
  }

  package var json: JSONValue {
    if self == .linear { return "linear" }
    if keys.count == 1, let key = keys.first, self == .constant(key.value) { return key.value.json }
    return objectJSON
  }

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    keys.map { $0.time }.checkKeys(at: path.appending("keys"), into: &diagnostics)
  }
}

extension [Double] {
  /// Appends a diagnostic if there are no times of keys, and for every one before its predecessor.
  func checkKeys(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    if isEmpty {
      diagnostics.append(
        Diagnostic(.keys, at: path.location, expected: "at least one key", found: "none"))
    }
    for (index, pair) in zip(self, dropFirst()).enumerated() where pair.1 < pair.0 {
      diagnostics.append(
        Diagnostic(
          .keys, at: path.appending(index + 1).location, expected: "at least \(pair.0.plain)",
          found: pair.1.plain))
    }
  }
}
