package import ParticlesCore
internal import ParticlesImages
package import ParticlesModel

/// How much it shows that particles are turned: a soft dot looks the same at every angle.
struct TurningImages {
  /// A number for each emitter, 0 for round images to 1. It is 1 if an image is missing or the emitter
  /// has none, for nothing is known then.
  let visibility: [Double]

  init(_ package: EffectPackage, of system: ParticleSystem, limits: Limits) {
    var known: [Int: Double] = [:]
    var images = DecodedImages(package, limits: limits)
    for sprite in Set(system.emitters.flatMap(\.sprites)).sorted()
    where system.sprites.indices.contains(sprite) {
      let info = system.sprites[sprite]
      guard info.grid == nil, info.region == nil, system.images.indices.contains(info.image),
        let bitmap = try? images.bitmap(at: system.images[info.image].uri)
      else { continue }
      known[sprite] = Self.unevenness(of: bitmap)
    }
    visibility = system.emitters.map { emitter in
      emitter.sprites.map { known[$0] ?? 1 }.max() ?? 1
    }
  }

  private static let circles = 8
  private static let spokes = 24

  /// How much an image changes along circles about its middle: the standard deviation of alpha there, as a
  /// share of its root mean square.
  static func unevenness(of bitmap: Bitmap) -> Double {
    var (squares, deviations) = (0.0, 0.0)
    for circle in 1...circles {
      let radius = (Double(circle) - 0.5) / Double(circles)
      var (sum, square) = (0.0, 0.0)
      for spoke in 0..<spokes {
        let (sine, cosine) = sineAndCosine(degrees: 360 * Double(spoke) / Double(spokes))
        let alpha = mean(bitmap, cosine * radius, sine * radius)
        sum += alpha
        square += alpha * alpha
      }
      let (mean, meanSquare) = (sum / Double(spokes), square / Double(spokes))
      squares += radius * meanSquare
      deviations += radius * max(0, meanSquare - mean * mean)
    }
    guard squares > 0 else { return 1 }
    return min(1, (deviations / squares).squareRoot() * 2)
  }

  /// The opacity times the brightness at a point from −1 to 1, interpolated between four pixels.
  private static func mean(_ bitmap: Bitmap, _ x: Double, _ y: Double) -> Double {
    let column = min(max((x + 1) / 2 * Double(bitmap.width) - 0.5, 0), Double(bitmap.width - 1))
    let row = min(max((y + 1) / 2 * Double(bitmap.height) - 0.5, 0), Double(bitmap.height - 1))
    let (left, top) = (Int(saturating: column), Int(saturating: row))
    let (right, bottom) = (min(left + 1, bitmap.width - 1), min(top + 1, bitmap.height - 1))
    func light(_ x: Int, _ y: Int) -> Double {
      let pixel = (y * bitmap.width + x) * 4
      let brightest = bitmap.pixels[pixel..<pixel + 3].max() ?? 0
      return Double(brightest) * Double(bitmap.pixels[pixel + 3]) / 65_025
    }
    let (u, v) = (column - Double(left), row - Double(top))
    let upper = light(left, top) * (1 - u) + light(right, top) * u
    let lower = light(left, bottom) * (1 - u) + light(right, bottom) * u
    return upper * (1 - v) + lower * v
  }
}

extension EffectPackage {
  /// How much it shows that the particles of each emitter are turned, 0 to 1.
  package func turning(of system: ParticleSystem, limits: Limits = .standard) -> [Double] {
    TurningImages(self, of: system, limits: limits).visibility
  }
}
