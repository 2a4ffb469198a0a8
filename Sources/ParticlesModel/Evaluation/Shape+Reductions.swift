internal import ParticlesCore
internal import ParticlesPlatform

// Approximations of shapes for formats that support rectangles only.

extension Shape {
  /// Whether an ellipse is not a whole disc.
  package var isRing: Bool { inner > 0 || placement != .volume || arc != Interval(0, 360) }

  /// The points of a shape that consists of points; nil otherwise.
  package var corners: [Vector] { kind == .points ? positions : points.flatMap(\.self) }

  /// Half of width and height of the rectangle around the origin that approximates the shape.
  package var halfSize: Vector2 {
    // Half the edge of the square that has the area of a disc.
    let edge = Double.pi.squareRoot() / 2
    switch kind {
    case .point, .mesh: return Vector2(0, 0)
    case .rect, .box: return Vector2(size.x / 2, size.y / 2)
    case .line:
      let angle = Angle.radians(angle)
      return Vector2(
        (length / 2 * cos(angle).magnitude).rounded,
        (length / 2 * sin(angle).magnitude).rounded)
    case .ellipse: return Vector2((radii.x * edge).rounded, (radii.y * edge).rounded)
    case .polyline, .points:
      return Vector2(corners.map(\.x.magnitude).max() ?? 0, corners.map(\.y.magnitude).max() ?? 0)
    case .cone, .cylinder, .capsule, .tube: return Vector2(radius, height / 2)
    default:
      let radius = (radius + pipe) * edge
      return Vector2(radius.rounded, radius.rounded)
    }
  }
}

extension Shape {
  /// A rectangle with the mean place and the deviations of a sector of a circle; the shape itself, if it is none
  /// or more than half a circle.
  package var squared: Shape {
    let width = arc.upper - arc.lower
    guard kind == .ellipse, radii.x == radii.y, radii.x > 0, width > 0, width <= 180,
      distribution == .uniform, placement == .volume, transform.scale == .one,
      transform.rotation == .identity
    else { return self }
    let (least, most) = (inner * radii.x, radii.x)
    // Means of the distance and its square, if areas are equally likely.
    let square = (least * least + most * most) / 2
    let distance = 2.0 / 3 * (most * most + most * least + least * least) / (most + least)
    let middle = Angle.radians((arc.lower + arc.upper) / 2 + transform.angle)
    let half = Angle.radians(width / 2)
    let mean = distance * sin(half) / half
    let along = square / 2 * (1 + sin(2 * half) / (2 * half))
    let (sine, cosine) = (sin(middle), cos(middle))
    let deviations = [(cosine, sine), (sine, cosine)].map { first, second in
      max(
        (along - mean * mean) * first * first + (square - along) * second * second, 0
      ).squareRoot()
    }
    let side = 12.0.squareRoot()
    var rectangle = Shape.rect(
      width: (deviations[0] * side).rounded, height: (deviations[1] * side).rounded)
    rectangle.transform.translation = Vector(
      (transform.translation.x + mean * cosine).rounded,
      (transform.translation.y + mean * sine).rounded, transform.translation.z)
    return rectangle
  }
}
