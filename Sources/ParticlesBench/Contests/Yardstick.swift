internal import CParticlesYardstick

/// An idealised loop and a test of the memory, with which the simulation is compared.
final class Yardstick {
  private static let count = Int(particles_yardstick_columns)

  private let particles: Int
  private let memory: UnsafeMutableRawPointer
  private let columns: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(_ particles: Int) {
    self.particles = particles
    // Columns that begin at the same place of a page would displace each other in the cache.
    let spacing = (particles * 4 + 4_095) / 4_096 * 4_096 + 320
    memory = .allocate(byteCount: Self.count * spacing, alignment: 64)
    columns = .allocate(capacity: Self.count)
    for column in 0..<Self.count {
      let numbers = (memory + column * spacing).bindMemory(to: Float.self, capacity: particles)
      // Lives are long, so that shares stay within 0 and 1.
      numbers.initialize(repeating: column == 5 ? 1e6 : 0.5, count: particles)
      (columns + column).initialize(to: numbers)
    }
  }

  deinit {
    columns.deallocate()
    memory.deallocate()
  }

  /// The same step as an idealised loop in C.
  func step() { particles_yardstick_step(particles, columns, 1 / 60) }

  /// The least number of bytes that a step of one particle reads and writes: 18 columns are read,
  /// 5 of them written, and 6 more.
  static let bytes = (18 + 5 + 6) * 4

  /// Reads and writes as many bytes as a step, with hardly anything to compute.
  func triad() {
    var moved = 0
    var column = 0
    while moved < Self.bytes {
      particles_yardstick_triad(
        particles, columns[column], columns[column + 1], columns[column + 2], 0.5)
      moved += 12
      column = (column + 3) % (Self.count - 3)
    }
  }
  /// The share of the triads that a step needs: they are not a whole number.
  static let triadShare = Double(bytes) / Double((bytes + 11) / 12 * 12)
}
