extension ParticleSystem {
  /// A vector whose components change independently over the life of a particle.
  public struct VectorTrack: Sendable, Hashable {
    /// To the right.
    public var x: Track
    /// Up.
    public var y: Track
    /// Towards the viewer; 0 in the plane.
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
