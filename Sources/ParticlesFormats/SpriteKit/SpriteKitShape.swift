internal import ParticlesCore
internal import ParticlesModel

// Where particles are born: in a rectangle along the axes, or in one place.

extension KeyedEmitter<SpriteKitFamily> {
  func shape() throws -> Shape {
    var shape = Shape()
    if let size = try pair("_startPositionVariance"), size != (0, 0) {
      shape = .rect(width: size.x.magnitude, height: size.y.magnitude)
    }
    if let center = try pair("_startPosition") {
      shape.transform.translation = Vector(center.x, center.y)
    }
    return shape
  }
}

extension EmitterWriter<SpriteKitFamily> {
  /// The rectangle that births are in, around its centre.
  private typealias Area = (width: Double, height: Double, center: Vector)

  mutating func encodeShape() {
    let shape = emitter.shape
    let (width, height, center) = placed(rectangle(of: shape))
    set("_startPosition", pair: center.x, center.y)
    set("_startPositionVariance", pair: width, height)
    if shape.transform.translation.z != 0 {
      lose(.lost, .sh3D, at: "shape.transform", "SpriteKit is flat")
    }
    if shape.kind != .point {
      drop(\.shape.sweep, .shDisc, at: "shape.sweep", "births are anywhere")
    }
    // What else the shape says, and what nobody would see.
    guard !hasLine(at: "shape") else { return }
    var said = width == 0 && height == 0 ? Shape() : .rect(width: width, height: height)
    said.transform.translation = center
    if hasLine(at: "shape.placement") { said.placement = shape.placement }
    if hasLine(at: "shape.transform") { said.transform = shape.transform }
    if hasLine(at: "shape.sweep") { said.sweep = shape.sweep }
    guard said != shape else { return }
    lose(.dead, .shRect, at: "shape", "only the place and the size of a rectangle count")
  }

  private mutating func rectangle(of shape: Shape) -> Area {
    let across = 2 * shape.radius
    switch shape.kind {
    case .point: return (0, 0, .zero)
    case .rect:
      if shape.placement != .volume {
        lose(.lost, .shRing, at: "shape.placement", "births are all over the rectangle")
      }
      return (shape.size.x, shape.size.y, .zero)
    case .line: return line(shape)
    case .ellipse:
      let side = Double.pi.squareRoot()
      let isRing = shape.isRing
      lose(
        isRing ? .lost : .approximated, isRing ? .shRing : .shDisc, at: "shape",
        isRing ? "rings become a rectangle" : "an ellipse becomes a rectangle",
        recipe: "of the same area")
      return (shape.radii.x * side, shape.radii.y * side, .zero)
    case .polyline, .points:
      lose(.lost, .shPoly, at: "shape", "particles are born anywhere between the points")
      return bounds(of: shape.corners)
    case .mesh:
      lose(.lost, .shMesh, at: "shape", "particles are born at the origin")
      return (0, 0, .zero)
    // The others as they look from the front.
    case .box: return solid(shape.size.x, shape.size.y)
    case .sphere: return solid(across, across)
    case .hemisphere: return solid(across, shape.radius)
    case .capsule: return solid(across, max(shape.height, across))
    case .torus: return solid(across + 2 * shape.pipe, 2 * shape.pipe)
    case .cone, .cylinder, .tube: return solid(across, shape.height)
    }
  }

  private mutating func solid(_ width: Double, _ height: Double) -> Area {
    lose(.lost, .sh3D, at: "shape", "what is solid becomes the rectangle that it covers")
    return (width, height, .zero)
  }

  private mutating func line(_ shape: Shape) -> Area {
    let isAlongAxis = shape.angle.truncatingRemainder(dividingBy: 90) == 0
    lose(
      isAlongAxis ? .restated : .approximated, .shLine, at: "shape",
      isAlongAxis
        ? "a line is a rectangle without height" : "a line becomes the rectangle around it")
    let end = Angle.turned(shape.length, 0, by: shape.angle)
    return (end.x.magnitude, end.y.magnitude, .zero)
  }

  private func bounds(of points: [Vector]) -> Area {
    guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
      let bottom = points.map(\.y).min(), let top = points.map(\.y).max()
    else { return (0, 0, .zero) }
    return (right - left, top - bottom, Vector((left + right) / 2, (bottom + top) / 2))
  }

  private mutating func placed(_ area: Area) -> Area {
    let transform = emitter.shape.transform
    let (scale, move) = (transform.scale, transform.translation)
    if scale != .one {
      lose(.restated, .shRect, at: "shape", "the shape is as large as its scale makes it")
    }
    if transform.angle != 0 || transform.rotation != .identity, area.width != 0 || area.height != 0
    {
      lose(.lost, .shRect, at: "shape.transform", "rectangles lie along the axes")
    }
    return (
      (area.width * scale.x).magnitude, (area.height * scale.y).magnitude,
      Vector(move.x + area.center.x * scale.x, move.y + area.center.y * scale.y)
    )
  }
}
