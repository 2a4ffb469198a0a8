package import ParticlesCore

extension ParticleSystem {
  /// A point, direction or extent with three components. Effects in the plane leave `z` at 0.
  public struct Vector: Sendable, Hashable {
    /// To the right.
    public var x: Double
    /// Up.
    public var y: Double
    /// Towards the viewer.
    public var z: Double

    /// Creates a vector, in the plane unless `z` is given.
    public init(_ x: Double, _ y: Double, _ z: Double = 0) {
      self.x = x
      self.y = y
      self.z = z
    }

    /// The origin.
    public static let zero = Vector(0, 0, 0)
    /// Straight up, one unit.
    public static let up = Vector(0, 1, 0)
  }
}

extension Vector: ComponentValue {
  package static var typeName: String { "vector" }
  package static var count: Int { 3 }
  package static var lastComponent: Double? { 0 }
  package static var expected: String { "two or three numbers" }

  package init(components: [Double]) {
    self.init(components[0], components[1], components[2])
  }

  package var components: [Double] { [x, y, z] }
}

extension ParticleSystem {
  /// A factor for each axis.
  public struct Scale: Sendable, Hashable {
    /// Along x.
    public var x: Double
    /// Along y.
    public var y: Double
    /// Along z.
    public var z: Double

    /// Creates factors. `z` is 1 unless given.
    public init(_ x: Double, _ y: Double, _ z: Double = 1) {
      self.x = x
      self.y = y
      self.z = z
    }

    /// The identity.
    public static let one = Scale(1, 1, 1)
  }
}

extension Scale: ComponentValue {
  package static var typeName: String { "scale" }
  package static var count: Int { 3 }
  package static var lastComponent: Double? { 1 }
  package static var expected: String { "two or three factors" }

  package init(components: [Double]) {
    self.init(components[0], components[1], components[2])
  }

  package var components: [Double] { [x, y, z] }
}

extension ParticleSystem {
  /// A rotation in space as a quaternion of length 1.
  public struct Quaternion: Sendable, Hashable {
    /// The x component of the axis, times the sine of half the angle.
    public var x: Double
    /// The y component of the axis, times the sine of half the angle.
    public var y: Double
    /// The z component of the axis, times the sine of half the angle.
    public var z: Double
    /// The cosine of half the angle.
    public var w: Double

    /// Creates a rotation from its components.
    public init(_ x: Double, _ y: Double, _ z: Double, _ w: Double) {
      self.x = x
      self.y = y
      self.z = z
      self.w = w
    }

    /// The identity.
    public static let identity = Quaternion(0, 0, 0, 1)
  }
}

extension Quaternion: ComponentValue {
  package static var typeName: String { "quaternion" }
  package static var count: Int { 4 }
  package static var expected: String { "four numbers: x, y, z, w" }

  package init(components: [Double]) {
    self.init(components[0], components[1], components[2], components[3])
  }

  package var components: [Double] { [x, y, z, w] }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .array(of: .number(.between(-1.001, 1.001)), 4...4)
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    let count = diagnostics.count
    components.check(bounds, at: path, into: &diagnostics)
    guard diagnostics.count == count, !isUnit else { return }
    diagnostics.append(
      Diagnostic(
        .range, at: path.location, expected: "a quaternion of length 1",
        found: "one whose length is \(square.squareRoot().plain)"))
  }

  private var square: Double { x * x + y * y + z * z + w * w }

  /// Whether the length is 1, up to rounding.
  var isUnit: Bool { (0.998...1.002).contains(square) }
}

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
  /// A closed interval. The first number is not greater than the second.
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
  /// Whether the rectangle is not empty and could be inside an image. False with NaN.
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

extension ParticleSystem {
  /// A vector whose components change independently over the life of a particle.
  public struct VectorTrack: Sendable, Hashable {
    /// To the right.
    public var x: Track
    /// Up.
    public var y: Track
    /// Towards the viewer, 0 in the plane.
    public var z: Track

    /// Creates a vector, in the plane unless `z` is given.
    public init(_ x: Track, _ y: Track, _ z: Track = 0) {
      self.x = x
      self.y = y
      self.z = z
    }

    /// Creates a constant vector.
    public init(_ vector: Vector) {
      self.init(.constant(vector.x), .constant(vector.y), .constant(vector.z))
    }

    /// Always 0.
    public static let zero = VectorTrack(0, 0, 0)
  }
}

extension VectorTrack: ComponentValue {
  package static var typeName: String { "vector of Tracks" }
  package static var count: Int { 3 }
  package static var lastComponent: Track? { 0 }
  package static var expected: String { "two or three tracks" }

  package init(components: [Track]) {
    self.init(components[0], components[1], components[2])
  }

  package var components: [Track] { [x, y, z] }
}

extension ParticleSystem {
  /// A vector whose components are sampled independently.
  public struct ValueVector: Sendable, Hashable {
    /// To the right.
    public var x: Value
    /// Up.
    public var y: Value
    /// Towards the viewer, 0 in the plane.
    public var z: Value

    /// Creates a vector, in the plane unless `z` is given.
    public init(_ x: Value, _ y: Value, _ z: Value = 0) {
      self.x = x
      self.y = y
      self.z = z
    }

    /// Creates a constant vector.
    public init(_ vector: Vector) {
      self.init(.constant(vector.x), .constant(vector.y), .constant(vector.z))
    }

    /// Always 0.
    public static let zero = ValueVector(0, 0, 0)
  }

  /// A factor for each axis, sampled independently.
  public struct ValueScale: Sendable, Hashable {
    /// Along x.
    public var x: Value
    /// Along y.
    public var y: Value
    /// Along z.
    public var z: Value

    /// Creates factors. `z` is 1 unless given.
    public init(_ x: Value, _ y: Value, _ z: Value = 1) {
      self.x = x
      self.y = y
      self.z = z
    }

    /// The identity.
    public static let one = ValueScale(1, 1, 1)
  }
}

extension ValueVector: ComponentValue {
  package static var typeName: String { "vector of Values" }
  package static var count: Int { 3 }
  package static var lastComponent: Value? { 0 }
  package static var expected: String { "two or three values" }

  package init(components: [Value]) {
    self.init(components[0], components[1], components[2])
  }

  package var components: [Value] { [x, y, z] }
}

extension ValueScale: ComponentValue {
  package static var typeName: String { "scale of Values" }
  package static var count: Int { 3 }
  package static var lastComponent: Value? { 1 }
  package static var expected: String { "two or three factors" }

  package init(components: [Value]) {
    self.init(components[0], components[1], components[2])
  }

  package var components: [Value] { [x, y, z] }
}
