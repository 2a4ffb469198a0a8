internal import ParticlesCore
internal import ParticlesModel

// The place of the emitter in its scene.

extension GodotReader {
  func decodePlace(of emitter: inout Emitter) {
    emitter.space = flag("local_coords", kind.generation == .three) ? .local : .world
    emitter.enabled = node.position.isVisible
    emitter.render.order = node.position.order
    let axes = node.position.axes
    emitter.transform = kind.isSpace ? axes.transformInSpace : axes.transformInPlane
    if axes.isSkewed {
      note(
        .approximated, kind.isSpace ? "transform" : "skew",
        kind.isSpace ? "skewing by stretched parents is not supported" : "skewing is not supported")
    }
  }
}

extension EmitterWriter<GodotFamily> {
  mutating func encodePlace() {
    set("local_coords", flag: emitter.space != .world)
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
      set("transform", .transform(own, kind.generation))
      return drop("render.order", "3D nodes are drawn by distance")
    }
    let transform = own.transformInPlane
    set("position", .vector(own.origin, isPlane: true))
    set("rotation", Angle.radians(-transform.angle))
    set("scale", .vector(Vector(transform.scale.x, transform.scale.y), isPlane: true))
    let order = emitter.render.order - surroundings.above.order
    set("z_index", integer: min(max(order, -4096), 4096))
    let given = emitter.transform
    if given.translation.z != 0 || given.rotation != .identity || given.scale.z != 1 {
      lose(.lost, .frame2D, at: "transform", "Godot 2D has no depth", level: .low)
    }
  }
}
