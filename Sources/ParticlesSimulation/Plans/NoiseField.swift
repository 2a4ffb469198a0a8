internal import ParticlesModel

/// Smooth noise in space and time: each component within −1 and 1, with the mean 0.
///
/// Value noise: random vectors at the points of a lattice, with the fade 6x⁵ − 15x⁴ + 10x³ between
/// them. Time moves the lattice along z.
struct NoiseField {
  private let scale: Double
  private let speed: Double
  private let octaves: Int

  init(_ force: Force) {
    scale = force.scale
    speed = force.speed
    octaves = min(max(force.octaves, 1), 16)
  }

  /// Evaluates the noise at places.
  func evaluate(_ places: Slices, clock: Double, into out: Slices) {
    out.setNoise(at: places, factor: 1 / scale, shift: clock * speed, octaves: octaves)
  }
}
