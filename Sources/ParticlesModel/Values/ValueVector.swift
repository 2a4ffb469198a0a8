extension ParticleSystem {
  /// A vector whose components are sampled independently.
  public struct ValueVector: Sendable, Hashable {
    /// To the right.
    public var x: Value
    /// Up.
    public var y: Value
    /// Towards the viewer; 0 in the plane.
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

    /// Creates factors; `z` is 1 unless given.
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
