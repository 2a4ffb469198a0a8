internal import ParticlesCore
package import ParticlesImages
internal import ParticlesModel

extension Bitmap {
  private static let circles = 8
  private static let spokes = 24

  /// How much an image changes along circles about its middle: the standard deviation of alpha there, as a
  /// share of its root mean square.
  package var unevenness: Double {
    var (squares, deviations) = (0.0, 0.0)
    for circle in 1...Self.circles {
      let radius = (Double(circle) - 0.5) / Double(Self.circles)
      var (sum, square) = (0.0, 0.0)
      for spoke in 0..<Self.spokes {
        let (sine, cosine) = sineAndCosine(degrees: 360 * Double(spoke) / Double(Self.spokes))
        let alpha = light(cosine * radius, sine * radius)
        sum += alpha
        square += alpha * alpha
      }
      let (mean, meanSquare) = (sum / Double(Self.spokes), square / Double(Self.spokes))
      squares += radius * meanSquare
      deviations += radius * max(0, meanSquare - mean * mean)
    }
    guard squares > 0 else { return 1 }
    return min(1, (deviations / squares).squareRoot() * 2)
  }

  /// The opacity times the brightness at a point from −1 to 1, interpolated between four pixels.
  private func light(_ x: Double, _ y: Double) -> Double {
    let column = min(max((x + 1) / 2 * Double(width) - 0.5, 0), Double(width - 1))
    let row = min(max((y + 1) / 2 * Double(height) - 0.5, 0), Double(height - 1))
    let (left, top) = (Int(saturating: column), Int(saturating: row))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    func pixel(_ x: Int, _ y: Int) -> Double {
      let first = (y * width + x) * 4
      let brightest = pixels[first..<first + 3].max() ?? 0
      return Double(brightest) * Double(pixels[first + 3]) / 65_025
    }
    let (u, v) = (column - Double(left), row - Double(top))
    let upper = pixel(left, top) * (1 - u) + pixel(right, top) * u
    let lower = pixel(left, bottom) * (1 - u) + pixel(right, bottom) * u
    return upper * (1 - v) + lower * v
  }
}
