internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

// Drawing functions that several templates share.

extension Bitmap {
  /// Creates a white picture whose alpha is computed at every point. Axes run from −1 to 1.
  static func mask(_ width: Int, _ height: Int, _ alpha: (Vector2) -> Double) -> Bitmap {
    Bitmap(width: width, height: height) { (1, 1, 1, alpha(Vector2($0, $1))) }
  }

  /// Creates a picture whose colour is computed at every point. Axes run from −1 to 1.
  static func painting(_ width: Int, _ height: Int, _ color: (Vector2) -> Color) -> Bitmap {
    Bitmap(width: width, height: height) {
      let color = color(Vector2($0, $1))
      return (color.red, color.green, color.blue, color.alpha)
    }
  }

  /// Creates a star with four long rays and four short ones.
  static func star(size: Int) -> Bitmap {
    mask(size, size) { point in
      func rays(_ point: Vector2, reach: Double) -> Double {
        let arms = [(point.x.magnitude, point.y.magnitude), (point.y.magnitude, point.x.magnitude)]
        return arms.reduce(0) { sum, arm in
          let fade = max(0, 1 - arm.0 / reach)
          return sum + fade * fade * exponential(-power(arm.1 / (0.012 + 0.05 * fade), 2))
        }
      }
      let core = exponential(-26 * point.length * point.length)
      return core + 0.9 * rays(point, reach: 1) + 0.5 * rays(point.turned(45), reach: 0.5)
    }
  }
}

extension Noise {
  /// Creates noise that depends only on the seed.
  init(seed: UInt64) {
    let numbers = RandomNumbers(seed: seed)
    self.init { row, column in
      numbers.unit(
        emitter: UInt64(column), particle: UInt64(row), channel: RandomChannel(rawValue: 0))
    }
  }
}

// Geometry of textures: the axes run from −1 to 1.

extension Vector2 {
  /// The distance from the origin.
  var length: Double { (x * x + y * y).squareRoot() }

  /// The angle in degrees, counter-clockwise from +x.
  var angle: Double { angleInDegrees(y, x) }

  /// The point at a distance from the origin, in the direction of an angle in degrees.
  static func polar(_ radius: Double, _ degrees: Double) -> Vector2 {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    return Vector2(radius * cosine, radius * sine)
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
