package import ParticlesCore

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

extension VectorTrack: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws {
    let elements = try json.elements(2...3, "two or three tracks", at: path)
    let tracks = try [Track](json: .array(elements), at: path)
    self.init(tracks[0], tracks[1], tracks.count > 2 ? tracks[2] : 0)
  }

  package var json: JSONValue { .array((z == 0 ? [x, y] : [x, y, z]).map(\.json)) }

  package static var typeName: String { "vector of Tracks" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .array(of: Track.schema(nil), 2...3)
  }

  package static var objects: [any ModelObject.Type] { Track.objects }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    (z == 0 ? [x, y] : [x, y, z]).check(bounds, at: path, into: &diagnostics)
  }
}
