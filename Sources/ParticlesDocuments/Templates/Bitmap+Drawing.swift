internal import ParticlesImages

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

// The textures of the templates: white, since particles are tinted, with the shape in alpha.

extension Bitmap {
  /// A round spot that fades towards its edge, the faster the greater the hardness.
  static func spot(size: Int, hardness: Double) -> Bitmap {
    Bitmap(width: size, height: size) { x, y in
      let distance = min((x * x + y * y).squareRoot(), 1)
      let edge = 0.5 + 0.5 * cos(distance * .pi)
      return (1, 1, 1, pow(edge, hardness))
    }
  }

  /// A cloud: round puffs laid over each other, thinner towards the edge.
  static func puff(size: Int) -> Bitmap {
    // Positions and radii by the golden angle: even, but without a pattern that the eye finds.
    let puffs = (0..<14).map { index in
      let turn = Double(index) * 2.399963
      let reach = 0.5 * (Double(index) / 14).squareRoot()
      return (x: reach * cos(turn), y: reach * sin(turn), radius: 0.5 - 0.018 * Double(index))
    }
    return Bitmap(width: size, height: size) { x, y in
      let clear = puffs.reduce(1.0) { clear, puff in
        let distance = ((x - puff.x) * (x - puff.x) + (y - puff.y) * (y - puff.y)).squareRoot()
        let cover = max(0, 1 - distance / puff.radius)
        return clear * (1 - 0.55 * cover * cover)
      }
      let edge = max(0, 1 - (x * x + y * y))
      return (1, 1, 1, (1 - clear) * min(1, edge * 2.2))
    }
  }
}
