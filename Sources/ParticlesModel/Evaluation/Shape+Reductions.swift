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
