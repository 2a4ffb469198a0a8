package import ParticlesCore

extension ParticleSystem {
  /// A point that a curve goes through.
  ///
  /// In JSON `[time, value]`, `[time, value, inSlope, outSlope]` or the same with an interpolation
  /// as fifth element.
  public struct CurveKey: Sendable, Hashable {
    /// The time, usually from 0 to 1.
    public var time: Double

    /// The value at that time.
    public var value: Double

    /// The slope of a cubic curve before the key, per unit of time; nil for the slope of the line
    /// through the neighbours.
    public var inSlope: Double?

    /// The slope of a cubic curve after the key, per unit of time; nil for the slope of the line
    /// through the neighbours.
    public var outSlope: Double?

    /// The interpolation after this key; nil for that of the curve.
    public var interpolation: Interpolation?

    /// Creates a key.
    public init(
      _ time: Double, _ value: Double, inSlope: Double? = nil, outSlope: Double? = nil,
      interpolation: Interpolation? = nil
    ) {
      self.time = time
      self.value = value
      self.inSlope = inSlope
      self.outSlope = outSlope
      self.interpolation = interpolation
    }
  }
}

extension CurveKey: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    let expected = "a key: two numbers, two slopes or none, an interpolation or none"
    let elements = try json.elements(2...5, expected, at: path)
    guard elements.count != 3 else { throw json.mismatch(expected, at: path) }
    func slope(_ index: Int) throws(Diagnostic) -> Double? {
      guard index < elements.count, elements[index] != .null else { return nil }
      return try Double(json: elements[index], at: path.appending(index))
    }
    time = try Double(json: elements[0], at: path.appending(0))
    value = try Double(json: elements[1], at: path.appending(1))
    inSlope = try slope(2)
    outSlope = try slope(3)
    interpolation =
      elements.count < 5 ? nil : try Interpolation(json: elements[4], at: path.appending(4))
  }

  package var json: JSONValue {
    var elements = [time.json, value.json]
    if inSlope != nil || outSlope != nil || interpolation != nil {
      elements += [inSlope?.json ?? .null, outSlope?.json ?? .null]
    }
    if let interpolation { elements.append(interpolation.json) }
    return .array(elements)
  }

  package static var typeName: String { "curve key" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    let slope = JSONSchema.number().orNull
    return .tuple(
      [.number(), .number(), slope, slope, Interpolation.schema(nil)], least: 2
    ).and(.not(3))
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    for (index, number) in [time, value, inSlope, outSlope].enumerated() {
      number?.check(nil, at: path.appending(index), into: &diagnostics)
    }
  }
}
