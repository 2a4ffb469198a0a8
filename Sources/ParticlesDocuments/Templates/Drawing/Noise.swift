internal import ParticlesModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Smooth noise in the plane, which clouds and flames are drawn from: random numbers at the points
/// of a grid, and smooth ways between them. The same each time.
struct Noise {
  private let numbers: RandomNumbers

  /// Noise that looks different for each seed.
  init(seed: UInt64) { numbers = RandomNumbers(seed: seed) }

  /// A number from 0 to 1 at a point; features are about 1 wide.
  func value(_ x: Double, _ y: Double) -> Double {
    let (column, row) = (floor(x), floor(y))
    let (u, v) = ((x - column).smooth(0, 1), (y - row).smooth(0, 1))
    let bottom = mix(point(column, row), point(column + 1, row), u)
    let top = mix(point(column, row + 1), point(column + 1, row + 1), u)
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

  private func point(_ x: Double, _ y: Double) -> Double {
    numbers.unit(
      emitter: UInt64(bitPattern: Int64(x)), particle: UInt64(bitPattern: Int64(y)),
      channel: RandomChannel(rawValue: 0))
  }

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
