internal import ParticlesCore
internal import ParticlesModel

// Shapes: an axis-parallel rectangle or a point.

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
  /// The rectangle that emits, around its centre.
  private typealias Area = (width: Double, height: Double, center: Vector)

  mutating func encodeShape() {
    let shape = emitter.shape
    let (width, height, center) = placed(rectangle(of: shape))
    set("_startPosition", pair: center.x, center.y)
    set("_startPositionVariance", pair: width, height)
    if shape.transform.translation.z != 0 {
      lose(.lost, .shape3D, at: "shape.transform", "SpriteKit is 2D only")
    }
    if shape.kind != .point { dropSweep() }
    // Reports stated properties of the shape that have no visible effect.
    guard !hasLine(at: "shape") else { return }
    var written = width == 0 && height == 0 ? Shape() : .rect(width: width, height: height)
    written.transform.translation = center
    if hasLine(at: "shape.placement") { written.placement = shape.placement }
    if hasLine(at: "shape.transform") { written.transform = shape.transform }
    if hasLine(at: "shape.sweep") { written.sweep = shape.sweep }
    guard written != shape else { return }
    lose(
      .dead, .shapeRectangle, at: "shape", "only the position and the size of a rectangle are used")
  }

  private mutating func rectangle(of shape: Shape) -> Area {
    switch shape.kind {
    case .point: return (0, 0, .zero)
    case .rect:
      if shape.placement != .volume {
        lose(
          .lost, .shapeRing, at: "shape.placement",
          "edges are not supported; the whole rectangle emits")
      }
      return (shape.size.x, shape.size.y, .zero)
    case .line: return line(shape)
    case .ellipse:
      let side = Double.pi.squareRoot()
      let isRing = shape.isRing
      lose(
        isRing ? .lost : .approximated, isRing ? .shapeRing : .shapeDisc, at: "shape",
        isRing ? "rings become a rectangle" : "an ellipse becomes a rectangle",
        recipe: "of the same area")
      return (shape.radii.x * side, shape.radii.y * side, .zero)
    case .polyline, .points:
      lose(
        .lost, .shapePoints, at: "shape",
        "point shapes are not supported; particles are emitted between the points")
      return bounds(of: shape.corners)
    case .mesh:
      lose(
        .lost, .shapeMesh, at: "shape",
        "the shape is not supported; particles are emitted at the origin")
      return (0, 0, .zero)
    case .box, .sphere, .hemisphere, .capsule, .torus, .cone, .cylinder, .tube:
      lose(
        .approximated, .shape3D, at: "shape", "only rectangles are supported",
        recipe: "bounding rectangle, or one of equal area")
      let half = shape.halfSize
      return (2 * half.x, 2 * half.y, .zero)
    }
  }

  private mutating func line(_ shape: Shape) -> Area {
    explainLine(shape)
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
      lose(.restated, .shapeRectangle, at: "shape", "the scale is applied to the shape")
    }
    if transform.angle != 0 || transform.rotation != .identity, area.width != 0 || area.height != 0
    {
      lose(.lost, .shapeRectangle, at: "shape.transform", "rectangles are always axis-parallel")
    }
    return (
      (area.width * scale.x).magnitude, (area.height * scale.y).magnitude,
      Vector(move.x + area.center.x * scale.x, move.y + area.center.y * scale.y)
    )
  }
}
