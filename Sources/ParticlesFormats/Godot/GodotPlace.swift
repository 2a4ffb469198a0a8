internal import ParticlesCore
internal import ParticlesModel

// The place of the emitter in its scene.

extension GodotReader {
  func decodePlace(of emitter: inout Emitter) {
    let isLocal = kind.generation == .three
    emitter.space = flag("local_coords", isLocal) ? .local : .world
    emitter.render.order = node.position.order
    let position = node.position.axes
    if kind.isSpace {
      emitter.transform = position.transformInSpace
      if position.isSkewed {
        note(.approximated, "transform", "skewing by stretched parents is not supported")
      }
    } else {
      emitter.transform = position.transformInPlane
      if (position.x.dot(position.y)).magnitude > 1e-3 * position.x.length * position.y.length {
        note(.approximated, "skew", "skewing is not supported")
      }
    }
  }
}

extension EmitterWriter<GodotFamily> {
  mutating func encodePlace() {
    put("local_coords", .flag(emitter.space != .world))
    if emitter.space == .parent, kind.hasNode {
      lose(.approximated, .space, at: "space", "particles follow the node")
    }
    guard kind.hasNode else { return }
    let whole = AffineTransform(emitter.transform, y: kind.y)
    guard let own = whole.inside(of: surroundings.above.axes) else {
      return lose(
        .lost, .place, at: "transform", "the parent of the node has a scale of 0", level: .medium)
    }
    guard !kind.isSpace else {
      put(
        "transform",
        .call(
          kind.generation == .three ? "Transform" : "Transform3D",
          [
            own.x.x, own.y.x, own.z.x, own.x.y, own.y.y, own.z.y, own.x.z, own.y.z, own.z.z,
            own.origin.x, own.origin.y, own.origin.z,
          ].map(format.real)))
      return drop(
        \.render.order, .sort, at: "render.order", "3D nodes are drawn by distance")
    }
    let transform = own.transformInPlane
    put("position", vector(own.origin, isPlane: true))
    put("rotation", Angle.radians(-transform.angle))
    put("scale", vector(Vector(transform.scale.x, transform.scale.y), isPlane: true))
    let order = emitter.render.order - surroundings.above.order
    put("z_index", .integer(min(max(order, -4096), 4096)))
    let given = emitter.transform
    if given.translation.z != 0 || given.rotation != .identity || given.scale.z != 1 {
      lose(.lost, .frame2D, at: "transform", "Godot 2D has no depth", level: .low)
    }
  }
}
