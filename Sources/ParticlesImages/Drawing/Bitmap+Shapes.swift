internal import ParticlesPlatform

// Textures are white, since particles are tinted, with the shape in alpha.

extension Bitmap {
  /// Creates a round texture whose alpha depends on the distance from the centre, which is 1 in the
  /// middle of each edge.
  private static func round(size: Int, _ alpha: (_ radius: Double) -> Double) -> Bitmap {
    Bitmap(width: size, height: size) { x, y in (1, 1, 1, alpha((x * x + y * y).squareRoot())) }
  }

  /// Creates a round spot that fades towards its edge, the faster the greater the hardness.
  package static func spot(size: Int, hardness: Double) -> Bitmap {
    round(size: size) { radius in pow(0.5 + 0.5 * cos(min(radius, 1) * .pi), hardness) }
  }

  /// Creates a bright point in a wide, faint halo.
  package static func glow(size: Int) -> Bitmap {
    round(size: size) { radius in
      exp(-60 * radius * radius) + 0.42 * exp(-4.2 * radius) * radius.smooth(1, 0.35)
    }
  }

  /// Creates a thin ring that is soft on both sides.
  package static func ring(size: Int, width: Double) -> Bitmap {
    round(size: size) { radius in
      let distance = (radius - 0.94 + width) / width
      return exp(-4 * distance * distance) * radius.smooth(1, 0.95)
    }
  }

  /// Creates a cloud with ragged edges, whose details come from noise.
  package static func cloud(size: Int, noise: Noise) -> Bitmap {
    Bitmap(width: size, height: size) { x, y in
      let radius = (x * x + y * y).squareRoot()
      let detail = noise.fractal(2.1 * x + 5, 2.1 * y + 5, octaves: 5)
      let body = 1 - radius + 1.3 * (detail - 0.5)
      return (
        1, 1, 1, body.smooth(0.02, 0.85) * radius.smooth(1, 0.62) * (0.55 + 0.7 * detail)
      )
    }
  }
}
