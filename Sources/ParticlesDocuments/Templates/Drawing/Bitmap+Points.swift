internal import ParticlesImages
internal import ParticlesModel

internal import ParticlesPlatform

// Drawing functions that several templates share.

extension Bitmap {
  /// Creates a white picture whose alpha is computed at every point; axes run from −1 to 1.
  static func mask(_ width: Int, _ height: Int, _ alpha: (Vector2) -> Double) -> Bitmap {
    Bitmap(width: width, height: height) { (1, 1, 1, alpha(Vector2($0, $1))) }
  }

  /// Creates a picture whose colour is computed at every point; axes run from −1 to 1.
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
          return sum + fade * fade * exp(-pow(arm.1 / (0.012 + 0.05 * fade), 2))
        }
      }
      let core = exp(-26 * point.length * point.length)
      return core + 0.9 * rays(point, reach: 1) + 0.5 * rays(point.turned(45), reach: 0.5)
    }
  }
}

extension Noise {
  /// Creates noise, the same each time for a seed.
  init(seed: UInt64) {
    let numbers = RandomNumbers(seed: seed)
    self.init { row, column in
      numbers.unit(
        emitter: UInt64(column), particle: UInt64(row), channel: RandomChannel(rawValue: 0))
    }
  }
}
