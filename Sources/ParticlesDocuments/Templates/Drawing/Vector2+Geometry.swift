internal import ParticlesModel
internal import ParticlesPlatform

// Geometry of textures: the axes run from −1 to 1.

extension Vector2 {
  /// The distance from the origin.
  var length: Double { (x * x + y * y).squareRoot() }

  /// The angle in degrees, counter-clockwise from +x.
  var angle: Double { atan2(y, x) * 180 / .pi }

  /// The point at a distance from the origin, in the direction of an angle in degrees.
  static func polar(_ radius: Double, _ degrees: Double) -> Vector2 {
    Vector2(radius * cos(degrees * .pi / 180), radius * sin(degrees * .pi / 180))
  }

  /// This point turned about the origin.
  func turned(_ degrees: Double) -> Vector2 { .polar(length, angle + degrees) }

  /// The distance from another point.
  func distance(to other: Vector2) -> Double { Vector2(x - other.x, y - other.y).length }

  /// The distance from the line between two points.
  func distance(toLine start: Vector2, _ end: Vector2) -> Double {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let along = ((x - start.x) * dx + (y - start.y) * dy) / (dx * dx + dy * dy)
    let share = min(max(along, 0), 1)
    return distance(to: Vector2(start.x + share * dx, start.y + share * dy))
  }

  /// The distance from the nearest of the lines that join points.
  func distance(toPath points: [Vector2]) -> Double {
    points.indices.dropLast().reduce(.infinity) {
      min($0, distance(toLine: points[$1], points[$1 + 1]))
    }
  }
}
