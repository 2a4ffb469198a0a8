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

extension Vector2: ComponentValue {
  package static var typeName: String { "pair" }
  package static var count: Int { 2 }
  package static var expected: String { "two numbers" }

  package init(components: [Double]) {
    self.init(components[0], components[1])
  }

  package var components: [Double] { [x, y] }
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

extension Interval: ComponentValue {
  package static var typeName: String { "interval" }
  package static var count: Int { 2 }
  package static var expected: String { "two numbers" }

  package init(components: [Double]) {
    self.init(components[0], components[1])
  }

  package var components: [Double] { [lower, upper] }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    components.check(bounds, at: path, into: &diagnostics)
    guard lower > upper else { return }
    diagnostics.append(
      Diagnostic(
        .range, at: path.location, expected: "the smaller number first", found: json.line))
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

extension Rectangle: ComponentValue {
  package static var typeName: String { "rectangle" }
  package static var count: Int { 4 }
  package static var expected: String { "four numbers: x, y, width, height" }

  package init(components: [Double]) {
    self.init(x: components[0], y: components[1], width: components[2], height: components[3])
  }

  package var components: [Double] { [x, y, width, height] }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .tuple(
      [.number(.nonNegative), .number(.nonNegative), .number(.positive), .number(.positive)],
      least: 4)
  }
}
