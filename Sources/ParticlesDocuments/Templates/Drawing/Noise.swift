internal import ParticlesModel
internal import ParticlesPlatform

/// Smooth noise in the plane, which clouds and flames are drawn from: random numbers at the points
/// of a grid, and smooth ways between them. The same each time.
struct Noise {
  /// The random numbers, row by row; the grid begins again behind its last point.
  private let grid: [Double]

  private static let size = 64

  /// Noise that looks different for each seed.
  init(seed: UInt64) {
    let numbers = RandomNumbers(seed: seed)
    grid = (0..<Self.size * Self.size).map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: Self.size)
      return numbers.unit(
        emitter: UInt64(column), particle: UInt64(row), channel: RandomChannel(rawValue: 0))
    }
  }

  /// A number from 0 to 1 at a point; features are about 1 wide.
  func value(_ x: Double, _ y: Double) -> Double {
    let (column, row) = (floor(x), floor(y))
    let (u, v) = ((x - column).smooth(0, 1), (y - row).smooth(0, 1))
    let (left, below) = (wrapped(column), wrapped(row) * Self.size)
    let (right, above) = (wrapped(column + 1), wrapped(row + 1) * Self.size)
    let bottom = mix(grid[below + left], grid[below + right], u)
    let top = mix(grid[above + left], grid[above + right], u)
    return mix(bottom, top, v)
  }

  /// Noise with details: layers, each twice as fine and half as strong as the one before. From 0
  /// to 1, mostly around a half.
  func fractal(_ x: Double, _ y: Double, octaves: Int) -> Double {
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

  private func wrapped(_ place: Double) -> Int { Int(place) & (Self.size - 1) }

  private func mix(_ a: Double, _ b: Double, _ share: Double) -> Double { a + (b - a) * share }
}

extension Double {
  /// 0 up to `from`, 1 from `to` on, and an even way between them; the other way round if `from`
  /// is the greater one.
  func smooth(_ from: Double, _ to: Double) -> Double {
    let share = Swift.min(Swift.max((self - from) / (to - from), 0), 1)
    return share * share * (3 - 2 * share)
  }
}
