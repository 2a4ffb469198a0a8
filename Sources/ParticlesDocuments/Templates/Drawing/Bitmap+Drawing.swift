internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPlatform

// The textures that several templates share. They are white, since particles are tinted, with the
// shape in alpha.

extension Bitmap {
  /// A white picture whose alpha is computed at every point; axes run from −1 to 1.
  static func mask(_ width: Int, _ height: Int, _ alpha: (Vector2) -> Double) -> Bitmap {
    Bitmap(width: width, height: height) { (1, 1, 1, alpha(Vector2($0, $1))) }
  }

  /// A picture whose colour is computed at every point; axes run from −1 to 1.
  static func painting(_ width: Int, _ height: Int, _ color: (Vector2) -> Color) -> Bitmap {
    Bitmap(width: width, height: height) {
      let color = color(Vector2($0, $1))
      return (color.red, color.green, color.blue, color.alpha)
    }
  }

  /// A round spot that fades towards its edge, the faster the greater the hardness.
  static func spot(size: Int, hardness: Double) -> Bitmap {
    mask(size, size) { point in
      pow(0.5 + 0.5 * cos(min(point.length, 1) * .pi), hardness)
    }
  }

  /// A bright point in a wide, faint halo.
  static func glow(size: Int) -> Bitmap {
    mask(size, size) { point in
      let radius = point.length
      return exp(-60 * radius * radius) + 0.42 * exp(-4.2 * radius) * radius.smooth(1, 0.35)
    }
  }

  /// A cloud with ragged edges; each seed gives another one.
  static func cloud(size: Int, seed: UInt64) -> Bitmap {
    let noise = Noise(seed: seed)
    return mask(size, size) { point in
      let detail = noise.fractal(2.1 * point.x + 5, 2.1 * point.y + 5, octaves: 5)
      let body = 1 - point.length + 1.3 * (detail - 0.5)
      return body.smooth(0.02, 0.85) * point.length.smooth(1, 0.62) * (0.55 + 0.7 * detail)
    }
  }

  /// A thin ring that is soft on both sides.
  static func ring(size: Int, width: Double) -> Bitmap {
    mask(size, size) { point in
      let distance = (point.length - 0.94 + width) / width
      return exp(-4 * distance * distance) * point.length.smooth(1, 0.95)
    }
  }

  /// A star with four long rays and four short ones.
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
