/// Memory for intermediate results, for each thread of a team.
final class Workspaces {
  let threads: Int
  private let scratch: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(threads: Int) {
    self.threads = threads
    scratch = .allocate(capacity: threads)
    for thread in 0..<threads {
      (scratch + thread).initialize(to: allocateScratch(count: Chunk.scratchSize))
    }
  }

  deinit {
    for thread in 0..<threads { freeColumns(scratch[thread]) }
    scratch.deallocate()
  }

  subscript(thread: Int) -> UnsafeMutablePointer<Float> { scratch[thread] }
}

/// Neighbouring particles that are computed together, few enough for the first-level cache.
struct Chunk {
  /// The greatest number of particles of a chunk.
  static let size = 1_024
  /// The same where there are more particles than the caches hold: memory is faster if more of a column
  /// is read at once.
  static let largeSize = 8 * size

  /// How particles are divided into chunks.
  struct Division {
    /// The places of the particles.
    let places: Range<Int>
    /// Where the first chunk begins, which may be before the first particle.
    let origin: Int
    /// The number of particles of a chunk.
    let size: Int

    /// - Parameter threads: get equal parts: each the same number of chunks, which are of equal size.
    init(_ places: Range<Int>, of columns: ParticleColumns, threads: Int) {
      self.places = places
      origin = columns.start(ofLineWith: places.lowerBound)
      let length = places.upperBound - origin
      let most = places.count > 200 * Chunk.size ? Chunk.largeSize : Chunk.size
      let count = max(1, (length + most * threads - 1) / (most * threads)) * threads
      let line = ParticleColumns.line
      size = max(line, (length + count * line - 1) / (count * line) * line)
    }

    var count: Int { places.isEmpty ? 0 : (places.upperBound - origin + size - 1) / size }

    subscript(number: Int) -> Range<Int> {
      let start = origin + number * size
      return max(places.lowerBound, start)..<min(places.upperBound, start + size)
    }
  }

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
  private static let stride = largeSize + 48

  /// The number of intermediate results.
  static let scratchSize = Scratch.allCases.count * stride

  /// - Parameter scratch: memory of the calling thread.
  init(
    _ places: Range<Int>, of table: UnsafePointer<UnsafeMutablePointer<Float>>, progress: Double,
    scratch: UnsafeMutablePointer<Float>
  ) {
    first = places.lowerBound
    count = places.count
    self.table = table
    self.scratch = scratch
    self.progress = Float(progress)
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
