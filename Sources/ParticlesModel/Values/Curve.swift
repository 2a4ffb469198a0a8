public import ParticlesCore

extension ParticleSystem {
  /// A function of a number that usually runs from 0 to 1: keys and interpolation between them.
  ///
  /// In JSON a number is the short form of a constant curve, and `"linear"` of ``linear``.
  public struct Curve: Sendable, Hashable {
    /// The keys, in ascending order of time. Two keys at one time make a jump.
    public var keys: [CurveKey] = []

    /// The interpolation after a key that does not state its own. Default: linear.
    public var interpolation = Interpolation.linear

    /// The extrapolation outside the keys. Default: ``Extend/clamp``.
    public var extend = Extend.clamp

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates a curve without keys. It is not valid before it has one.
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

    /// A curve with one value everywhere.
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

extension ParticleSystem {
  /// A point that a curve goes through.
  ///
  /// In JSON `[time, value]` or `[time, value, inSlope, outSlope]`. A fifth element is the interpolation.
  public struct CurveKey: Sendable, Hashable {
    /// The time, usually from 0 to 1.
    public var time: Double

    /// The value at that time.
    public var value: Double

    /// The slope of a cubic curve before the key, per unit of time. Nil: the slope of the line through the neighbours.
    public var inSlope: Double?

    /// The slope of a cubic curve after the key, per unit of time. Nil: the slope of the line through the neighbours.
    public var outSlope: Double?

    /// The interpolation after this key. Nil: the interpolation of the curve.
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

/// Values at times, as stored in files of any syntax for properties over life.
package struct KeyFrames {
  package enum Values {
    case numbers([Double])
    case colors([Color])

    package var count: Int {
      switch self {
      case .numbers(let numbers): numbers.count
      case .colors(let colors): colors.count
      }
    }
  }

  /// The times as in the file, in any order. There are as many as values.
  package var times: [Double]
  package var values: Values
  package var interpolation = Interpolation.linear
  package var extend = Extend.clamp

  /// Slopes of a cubic curve before and after each key. Empty: automatic slopes, not stored.
  package var slopes: [(before: Double, behind: Double)] = []

  /// Maps an input to time: time = scale · input + bias.
  package var scale = 1.0
  package var bias = 0.0

  package init(times: [Double], values: Values) {
    self.times = times
    self.values = values
  }

  package var isSorted: Bool { zip(times, times.dropFirst()).allSatisfy { $0 <= $1 } }

  /// The numbers, times a factor, as a curve over the input. Nil for colours, and without numbers.
  package func curve(times factor: Double = 1) -> Curve? {
    guard case .numbers(let numbers) = values, !numbers.isEmpty else { return nil }
    let keys = order.map { index in
      let number = factor == 1 ? numbers[index] : (numbers[index] * factor).rounded
      var key = CurveKey(input(times[index]), number)
      if slopes.indices.contains(index), interpolation == .cubic {
        let slope = slopes[index]
        key.inSlope = (scale < 0 ? slope.behind : slope.before) * scale
        key.outSlope = (scale < 0 ? slope.before : slope.behind) * scale
      }
      return key
    }
    return Curve(keys, interpolation, extend: extend)
  }

  /// The colours as a gradient over the input. Nil for numbers, and without colours.
  package var gradient: Gradient? {
    guard case .colors(let colors) = values, !colors.isEmpty else { return nil }
    return Gradient(order.map { GradientKey(input(times[$0]), colors[$0]) }, interpolation)
  }

  /// Equidistant times of `count` keys, used if none are stated.
  package static func evenTimes(_ count: Int) -> [Double] {
    count < 2 ? [0] : (0..<count).map { Double($0) / Double(count - 1) }
  }

  /// Takes the slopes of a cubic curve with tension, continuity and bias at its keys (Kochanek and Bartels). If all of
  /// these are zero, the slopes stay automatic.
  package mutating func bend(tension: [Double], continuity: [Double], bias: [Double]) {
    guard (tension + continuity + bias).contains(where: { $0 != 0 }),
      case .numbers(let numbers) = values
    else { return }
    func at(_ numbers: [Double], _ index: Int) -> Double {
      numbers.indices.contains(index) ? numbers[index] : 0
    }
    func slope(_ index: Int) -> Double? {
      guard index > 0, index < times.count, times[index] > times[index - 1] else { return nil }
      return (numbers[index] - numbers[index - 1]) / (times[index] - times[index - 1])
    }
    let slopes = times.indices.map { index in
      let (t, c, b) = (at(tension, index), at(continuity, index), at(bias, index))
      let before = slope(index) ?? slope(index + 1) ?? 0
      let behind = slope(index + 1) ?? before
      return (
        before: (1 - t) / 2 * ((1 - c) * (1 + b) * before + (1 + c) * (1 - b) * behind),
        behind: (1 - t) / 2 * ((1 + c) * (1 + b) * before + (1 - c) * (1 - b) * behind)
      )
    }
    // Keys may be so close that the slope between them is not finite.
    if slopes.allSatisfy({ $0.before.isFinite && $0.behind.isFinite }) { self.slopes = slopes }
  }

  private func input(_ time: Double) -> Double {
    scale == 1 && bias == 0 ? time : (time - bias) / scale
  }

  /// The keys by ascending input. Keys at one time stay in their order.
  private var order: [Int] {
    let inputs = times.map(input)
    return times.indices.sorted { inputs[$0] == inputs[$1] ? $0 < $1 : inputs[$0] < inputs[$1] }
  }
}

extension ParticleSystem {
  /// The interpolation from one key to the next.
  public enum Interpolation: String, ClosedName {
    /// Linear.
    case linear
    /// Constant until the next key.
    case step
    /// As a cubic Hermite spline through the keys, with their slopes.
    case cubic
  }

  /// The extrapolation of a curve before its first and after its last key.
  public enum Extend: String, ClosedName {
    /// The value of the nearest key.
    case clamp
    /// The curve is repeated.
    case loop
    /// The curve is repeated, alternately reversed.
    case mirror

    func map(_ x: Double, first: Double, last: Double) -> Double {
      let length = last - first
      guard x < first || x > last, length > 0, x.isFinite else { return min(max(x, first), last) }
      switch self {
      case .clamp: return min(max(x, first), last)
      case .loop:
        let rest = (x - first).truncatingRemainder(dividingBy: length)
        return first + (rest < 0 ? rest + length : rest)
      case .mirror:
        let rest = (x - first).magnitude.truncatingRemainder(dividingBy: 2 * length)
        return first + (rest > length ? 2 * length - rest : rest)
      }
    }
  }
}
