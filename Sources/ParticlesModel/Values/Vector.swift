package import ParticlesCore

extension ParticleSystem {
  /// A point, direction or extent with three components; effects in the plane leave `z` at 0.
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

    /// Creates factors; `z` is 1 unless given.
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
