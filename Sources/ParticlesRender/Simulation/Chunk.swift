internal import ParticlesModel

/// Memory for intermediate results of chunks, for each thread of a team.
final class ChunkScratch: @unchecked Sendable {
  private let threads: Int
  // Each thread uses its own element.
  private let memory: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  init(threads: Int) {
    self.threads = threads
    memory = .allocate(capacity: threads)
    memory.initialize(repeating: nil, count: threads)
  }

  deinit {
    for thread in 0..<threads { memory[thread]?.deallocate() }
    memory.deallocate()
  }

  subscript(thread: Int) -> UnsafeMutablePointer<Float> {
    if let numbers = memory[thread] { return numbers }
    let size = Chunk.scratchSize
    let numbers = UnsafeMutableRawPointer.allocate(
      byteCount: size * MemoryLayout<Float>.stride, alignment: 64
    ).bindMemory(to: Float.self, capacity: size)
    memory[thread] = numbers
    return numbers
  }
}

/// Neighbouring particles that are computed together, few enough for the first-level cache.
struct Chunk {
  /// The greatest number of particles.
  static let size = 512

  /// The place of the first particle.
  let first: Int
  let count: Int
  private let table: UnsafePointer<UnsafeMutablePointer<Float>>
  private let scratch: UnsafeMutablePointer<Float>
  /// How far the emission of the period is, 0…1.
  let progress: Float

  /// Numbers that are needed for a moment only.
  enum Scratch: Int, CaseIterable {
    case share, time, speed, distance
    /// The argument of a track, and its value.
    case argument, value
    case sumX, sumY, sumZ, noiseX, noiseY, noiseZ, moveX, moveY, moveZ
    case oldX, oldY, oldZ, wayX, wayY, wayZ, keptZ, keptVZ, length, factor
  }

  /// Columns that begin at the same place of a cache would displace each other.
  private static let stride = size + 48

  /// The number of intermediate results.
  static let scratchSize = Scratch.allCases.count * stride

  /// Runs `body` with the chunks of a range of particles.
  /// - Parameter scratch: memory of the calling thread.
  static func forEach(
    _ places: Range<Int>, of columns: ParticleColumns, progress: Double,
    scratch: UnsafeMutablePointer<Float>, _ body: (Chunk) -> Void
  ) {
    var first = places.lowerBound
    while first < places.upperBound {
      let end = min(places.upperBound, columns.end(ofChunkAt: first))
      body(
        Chunk(
          first: first, count: end - first, table: columns.table, scratch: scratch,
          progress: Float(progress)))
      first = end
    }
  }

  func column(_ column: Int) -> Slice { Slice(base: table[column] + first, count: count) }

  func columns(_ x: Int, _ y: Int, _ z: Int) -> Slices {
    Slices(x: column(x), y: column(y), z: column(z))
  }

  func operand(_ source: Source) -> Operand {
    switch source {
    case .constant(let number): .constant(number)
    case .column(let column): .column(table[column] + first)
    }
  }

  subscript(scratch: Scratch) -> Slice {
    Slice(base: self.scratch + scratch.rawValue * Self.stride, count: count)
  }

  subscript(x: Scratch, y: Scratch, z: Scratch) -> Slices {
    Slices(x: self[x], y: self[y], z: self[z])
  }

  var age: Slice { column(EmitterPlan.Fixed.age) }
  var life: Slice { column(EmitterPlan.Fixed.life) }
  var places: Slices {
    columns(EmitterPlan.Fixed.x, EmitterPlan.Fixed.y, EmitterPlan.Fixed.z)
  }
  var velocities: Slices {
    columns(EmitterPlan.Fixed.vx, EmitterPlan.Fixed.vy, EmitterPlan.Fixed.vz)
  }

  /// Computes the arguments of tracks.
  func setInputs(_ plan: EmitterPlan) {
    if let lifetime = plan.greatestLifetime {
      self[.argument].set(.constant(lifetime))
      self[.share].setShare(age: age, life: self[.argument])
    } else {
      self[.share].setShare(age: age, life: life)
    }
    if plan.needsSpeed { self[.speed].setDistance(velocities, from: .zero) }
    if plan.needsDistance { self[.distance].setDistance(places, from: plan.origin) }
  }
}
