internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Emission. SpriteKit supports a rate and a total number of particles.

extension KeyedEmitter<SpriteKitFamily> {
  /// 0 is unlimited.
  var total: Int? {
    let total = number("_numParticlesToEmit")
    return total > 0 ? Int(saturating: min(total, 1e9).rounded()) : nil
  }
}

extension EmitterWriter<SpriteKitFamily> {
  mutating func encodeEmission() {
    let emission = emitter.emission
    var rate = emission.rate.mean
    var total = emission.total
    loseRateChanges()
    if emission.bursts.isEmpty || rate > 0 {
      drop("emission.bursts", "SpriteKit supports a rate only")
      limit(&rate, &total)
    } else {
      burst(&rate, &total)
    }
    if emission.probability != 1 {
      rate *= emission.probability
      lose(
        .approximated, .probability, at: "emission.probability",
        also: ["emission.rate", "emission.total"], "spawn probability is not supported",
        recipe: "rate × probability")
    }
    if total == 0 {
      // In a file, 0 is unlimited.
      (rate, total) = (0, nil)
      lose(
        .restated, .total, at: "emission.total", also: ["emission.rate"], "no particles are emitted"
      )
    }
    set("_birthrate", rate)
    set("_numParticlesToEmit", .shared(.integer(Int64(total ?? 0))))
  }

  /// Converts a period to a total number of particles, and repeated periods to endless emission.
  private mutating func limit(_ rate: inout Double, _ total: inout Int?) {
    let timing = emitter.timing
    guard let duration = timing.duration else {
      guard timing.loop || timing.idle != 0 else { return }
      return lose(.dead, .loop, at: "timing.loop", also: ["timing.idle"], "emission is endless")
    }
    let (length, pause) = (duration.mean, timing.idle.mean)
    if timing.loop, pause == 0 || length + pause == 0 {
      lose(.restated, .loop, at: "timing", "periods without pause become endless emission")
    } else if timing.loop {
      rate *= length / (length + pause)
      lose(
        .approximated, .idle, at: "timing.idle",
        also: ["timing.duration", "timing.loop", "emission.rate"], "pauses are not supported",
        recipe: "an equal number of particles, spread over the pause", level: .medium)
    } else {
      let particles = max(Int(saturating: min(rate * length, 1e9).rounded()), 1)
      total = min(total ?? particles, particles)
      lose(
        .approximated, .duration, at: "timing.duration", also: ["emission.total", "timing.idle"],
        "emission ends after a total, not after a duration", recipe: "rate × duration",
        target: .init("_numParticlesToEmit", .int(particles)), level: .low)
    }
  }

  /// Converts a burst to a very high rate. Repeated bursts become a constant rate.
  private mutating func burst(_ rate: inout Double, _ total: inout Int?) {
    let (timing, bursts) = (emitter.timing, emitter.emission.bursts)
    guard let burst = emitter.emission.largestBurst else { return }
    let count = burst.count.mean * burst.probability
    let period =
      burst.cycles != 1
      ? burst.interval : timing.loop ? (timing.duration?.mean ?? 0) + timing.idle.mean : 0
    let repeats = burst.cycles != 1 || timing.loop
    rate = repeats ? count / max(period, 1 / 60) : count * 60
    if !repeats { total = max(Int(saturating: min(count, 1e9).rounded()), 1) }
    lose(
      .approximated, bursts.count > 1 ? .burstList : .burst, at: "emission.bursts",
      also: ["emission.rate", "emission.total", "timing"],
      repeats
        ? "repeated bursts are not supported" : "a burst takes a sixtieth of a second",
      recipe: repeats ? "an equal number, evenly" : "rate 60 × count, total count",
      target: .init("_birthrate", .finite(rate)), level: repeats ? .high : nil)
  }
}

// Shapes: an axis-parallel rectangle or a point.

extension KeyedEmitter<SpriteKitFamily> {
  func shape() throws(Failure) -> Shape {
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
          "edges are not supported. The whole rectangle emits")
      }
      return (shape.size.x, shape.size.y, .zero)
    case .line: return line(shape)
    case .ellipse:
      let side = Double.pi.squareRoot()
      let isRing = shape.isRing
      lose(
        isRing ? .lost : .approximated, isRing ? .shapeRing : .shapeDisc, at: "shape",
        isRing ? "rings become a rectangle" : "an ellipse becomes a rectangle",
        recipe: "of equal area")
      return (shape.radii.x * side, shape.radii.y * side, .zero)
    case .polyline, .points:
      lose(
        .lost, .shapePoints, at: "shape",
        "point shapes are not supported. Particles are emitted between the points")
      return bounds(of: shape.corners)
    case .mesh:
      lose(
        .lost, .shapeMesh, at: "shape",
        "the shape is not supported. Particles are emitted at the origin")
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
    guard let left = points.map({ $0.x }).min(), let right = points.map({ $0.x }).max(),
      let bottom = points.map({ $0.y }).min(), let top = points.map({ $0.y }).max()
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

/// The position of a node in its scene: the combined transforms of its ancestors.
struct SpriteKitPlace {
  var transform = Transform()

  /// Its position in the drawing order.
  var z = 0.0

  /// The transform and the drawing order of the parent node.
  private(set) var above = (transform: Transform(), z: 0.0)

  var order: Int { Int(saturating: min(max(z.rounded(), -1e9), 1e9)) }

  /// The position of a child node.
  func node(_ node: ArchivedObject) throws(Failure) -> SpriteKitPlace {
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
