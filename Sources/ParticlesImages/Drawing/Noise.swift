internal import ParticlesCore

/// Smooth noise in the plane, for textures such as clouds and flames: random numbers at the points
/// of a grid, smoothly interpolated.
package struct Noise: Sendable {
  /// The random numbers, row by row. The grid repeats.
  private let grid: [Double]

  private static let size = 64

  /// Creates noise from random numbers.
  /// - Parameter random: the number for a point of the grid of 64 × 64 points, from 0 to 1.
  package init(random: (_ row: Int, _ column: Int) -> Double) {
    grid = (0..<Self.size * Self.size).map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: Self.size)
      return random(row, column)
    }
  }

  /// Returns a number from 0 to 1 at a point. Features are about 1 wide.
  package func value(_ x: Double, _ y: Double) -> Double {
    let (column, row) = ((x).rounded(.down), (y).rounded(.down))
    let (u, v) = ((x - column).smooth(0, 1), (y - row).smooth(0, 1))
    let (left, below) = (wrapped(column), wrapped(row) * Self.size)
    let (right, above) = (wrapped(column + 1), wrapped(row + 1) * Self.size)
    let bottom = mix(grid[below + left], grid[below + right], u)
    let top = mix(grid[above + left], grid[above + right], u)
    return mix(bottom, top, v)
  }

  /// Returns noise with details at a point: the sum of layers, each twice as fine and half as
  /// strong as the previous layer. From 0 to 1, mostly near 0.5.
  package func fractal(_ x: Double, _ y: Double, octaves: Int) -> Double {
    var (sum, weight, scale) = (0.0, 0.5, 1.0)
    for octave in 0..<octaves {
      // Layers are moved against each other, so that their grids do not coincide.
      let shift = Double(octave) * 17.3
      sum += weight * value(x * scale + shift, y * scale - shift)
      weight /= 2
      scale *= 2
    }
    return sum / (1 - weight * 2)
  }

  private func wrapped(_ place: Double) -> Int { Int(saturating: place) & (Self.size - 1) }

  private func mix(_ a: Double, _ b: Double, _ share: Double) -> Double { a + (b - a) * share }
}

extension Double {
  /// Returns 0 up to `from`, 1 from `to` on, and a smooth step in between. If `from` is greater
  /// than `to`, the step falls from 1 to 0.
  package func smooth(_ from: Double, _ to: Double) -> Double {
    let share = Swift.min(Swift.max((self - from) / (to - from), 0), 1)
    return share * share * (3 - 2 * share)
  }
}
