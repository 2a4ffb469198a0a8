internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Where a node is in its scene: what the transforms of the nodes above make of it.
struct SpriteKitPlace {
  var transform = Transform()

  /// Its place in the order of drawing.
  var z = 0.0

  /// The transform and the place in that order of the node above.
  private(set) var above = (transform: Transform(), z: 0.0)

  var order: Int { Int(min(max(z.rounded(), -1e9), 1e9)) }

  /// The place of a node in the one that is here.
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
        .approximated, "_zRotation", "what is turned inside of something stretched is not skewed")
    }
    place.transform.angle = bounded((transform.angle + angle).rounded)
    place.transform.scale.x = bounded((transform.scale.x * node.number("_xScale", 1)).rounded)
    place.transform.scale.y = bounded((transform.scale.y * node.number("_yScale", 1)).rounded)
    place.z = bounded(z + node.number("_zPosition", 0))
    return place
  }

  /// Many nodes inside of each other may make of large numbers what is none any more.
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
      lose(.lost, .sh3D, at: "transform", "SpriteKit is flat")
    }
  }
}
