internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// The position of a node in its scene: the combined transforms of its ancestors.
struct SpriteKitPlace {
  var transform = Transform()

  /// Its position in the drawing order.
  var z = 0.0

  /// The transform and the drawing order of the parent node.
  private(set) var above = (transform: Transform(), z: 0.0)

  var order: Int { Int(saturating: min(max(z.rounded(), -1e9), 1e9)) }

  /// The position of a child node.
  func node(_ node: ArchivedObject) throws -> SpriteKitPlace {
    var place = self
    place.above = (transform, z)
    let position = try node.geometry("_position", count: 2) ?? [0, 0]
    let (x, y) = Angle.turned(
      position[0] * transform.scale.x, position[1] * transform.scale.y, by: transform.angle)
    place.transform.translation.x = bounded(transform.translation.x + x)
    place.transform.translation.y = bounded(transform.translation.y + y)
    let angle = node.angle("_zRotation")
    if angle != 0, transform.scale.x != transform.scale.y {
      node.note(
        .approximated, "_zRotation",
        "skewing by a rotated child of a stretched node is not supported")
    }
    place.transform.angle = bounded((transform.angle + angle).rounded)
    place.transform.scale.x = bounded((transform.scale.x * node.number("_xScale", 1)).rounded)
    place.transform.scale.y = bounded((transform.scale.y * node.number("_yScale", 1)).rounded)
    place.z = bounded(z + node.number("_zPosition", 0))
    return place
  }

  /// Nested nodes with large numbers may overflow to infinity or NaN.
  private func bounded(_ number: Double) -> Double { min(max(number, -1e15), 1e15) }

}

extension EmitterWriter<SpriteKitFamily> {
  mutating func encodeTransform() {
    let place = surroundings.place
    let transform = emitter.transform.inside(of: place.above.transform)
    set("_position", .point(transform.translation.x, transform.translation.y))
    set("_zRotation", .sharedReal(Angle.radians(transform.angle)))
    set("_xScale", .sharedReal(transform.scale.x))
    set("_yScale", .sharedReal(transform.scale.y))
    set("_zPosition", .sharedReal(Double(emitter.render.order) - place.above.z))
    if emitter.transform.translation.z != 0 || emitter.transform.scale.z != 1 {
      lose(.lost, .shape3D, at: "transform", "SpriteKit is 2D only")
    }
  }
}
