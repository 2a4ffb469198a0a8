internal import ParticlesModel

/// Extents and offsets of a shape that are sampled for each particle.
struct ShapeVariation {
  private let shape: Shape

  private static let extents = channels(of: "shape.extent")
  private static let offsets = channels(of: "shape.offset")

  /// Those of a shape; nil if it has none.
  init?(of shape: Shape) {
    guard shape.extent != .one || shape.offset != .zero else { return nil }
    self.shape = shape
  }

  private static func channels(of property: String) -> [RandomChannel] {
    (0..<3).map { .property("\(property)[\($0)]") }
  }

  /// A place of the transformed shape, at the time of emission of a particle.
  func applied(to place: Vector, _ draws: Draws) -> Vector {
    let (extent, offset) = (shape.extent, shape.offset)
    return Vector(
      place.x * draws.sample(extent.x, Self.extents[0]) + draws.sample(offset.x, Self.offsets[0]),
      place.y * draws.sample(extent.y, Self.extents[1]) + draws.sample(offset.y, Self.offsets[1]),
      place.z * draws.sample(extent.z, Self.extents[2]) + draws.sample(offset.z, Self.offsets[2]))
  }
}
