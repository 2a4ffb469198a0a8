package import ParticlesCore

extension ParticleSystem {
  /// A pair of numbers: a size, a pair of radii, a point in an image.
  public struct Vector2: Sendable, Hashable {
    /// The first: a width, or to the right.
    public var x: Double
    /// The second: a height, or up.
    public var y: Double

    /// Creates a pair.
    public init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }
  }
}

extension Vector2: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws {
    let array = try json.elements(2...2, "two numbers", at: path)
    x = try Double(json: array[0], at: path.appending(0))
    y = try Double(json: array[1], at: path.appending(1))
  }

  package var json: JSONValue { .array([x.json, y.json]) }

  package static var typeName: String { "pair" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .array(of: .number(bounds), 2...2)
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    [x, y].check(bounds, at: path, into: &diagnostics)
  }
}

extension ParticleSystem {
  /// A closed interval; the first number is not greater than the second.
  public struct Interval: Sendable, Hashable {
    /// The minimum.
    public var lower: Double
    /// The maximum.
    public var upper: Double

    /// Creates an interval.
    public init(_ lower: Double, _ upper: Double) {
      self.lower = lower
      self.upper = upper
    }

    /// 0 to 1.
    public static let unit = Interval(0, 1)

    /// The number of the interval that is closest to `value`.
    public func clamp(_ value: Double) -> Double { max(lower, min(upper, value)) }
  }
}

extension Interval: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws {
    let array = try json.elements(2...2, "two numbers", at: path)
    lower = try Double(json: array[0], at: path.appending(0))
    upper = try Double(json: array[1], at: path.appending(1))
  }

  package var json: JSONValue { .array([lower.json, upper.json]) }

  package static var typeName: String { "interval" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .array(of: .number(bounds), 2...2)
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    [lower, upper].check(bounds, at: path, into: &diagnostics)
    guard lower > upper else { return }
    diagnostics.append(
      Diagnostic(
        .range, at: path.location, expected: "the smaller number first",
        found: json.line))
  }
}

extension ParticleSystem {
  /// A rectangle of an image, in pixels from its top left corner.
  public struct Rectangle: Sendable, Hashable {
    /// The distance from the left edge, in pixels.
    public var x: Double
    /// The distance from the top edge, in pixels.
    public var y: Double
    /// The width in pixels.
    public var width: Double
    /// The height in pixels.
    public var height: Double

    /// Creates a rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }
}

extension Rectangle {
  /// Whether the rectangle is not empty and could be inside an image; false with NaN.
  var isPartOfSomeImage: Bool { x >= 0 && y >= 0 && width > 0 && height > 0 }
}

extension Rectangle: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws {
    let array = try json.elements(4...4, "four numbers: x, y, width, height", at: path)
    let numbers = try [Double](json: .array(array), at: path)
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  package var json: JSONValue { .array([x, y, width, height].map(\.json)) }

  package static var typeName: String { "rectangle" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .tuple(
      [.number(.nonNegative), .number(.nonNegative), .number(.positive), .number(.positive)],
      least: 4)
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    [x, y, width, height].check(bounds, at: path, into: &diagnostics)
  }
}
