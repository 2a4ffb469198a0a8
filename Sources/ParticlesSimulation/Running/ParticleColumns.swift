internal import ParticlesCore

/// The state of particles, a column for each number, in the order of their emission.
///
/// All columns are in one piece of memory. Old particles leave room before the first particle. Most
/// deaths are among the oldest, so moving the particles before a gap up takes less time than moving
/// all later particles down.
final class ParticleColumns {
  private(set) var count = 0
  /// The first particle of each column.
  let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// How many particles of the emitter were emitted before each.
  private(set) var ordinals: UnsafeMutablePointer<UInt64>
  private let width: Int
  /// Whether particles leave the plane. If not, their columns for the third axis are all 0.
  var hasDepth = false
  /// Particles that there is memory for, behind `start`.
  private var capacity = 0
  /// Free places before the first particle.
  private var start = 0
  private var block: ColumnMemory
  private var memory: UnsafeMutableRawPointer { block.start }
  private var ordinalBlock: ColumnMemory
  private var ordinalMemory: UnsafeMutablePointer<UInt64> {
    ordinalBlock.start.assumingMemoryBound(to: UInt64.self)
  }

  /// - Parameter width: the number of columns.
  init(width: Int) {
    self.width = width
    table = .allocate(capacity: width)
    block = ColumnMemory(bytes: 64)
    ordinalBlock = ColumnMemory(bytes: 64)
    ordinals = ordinalBlock.start.assumingMemoryBound(to: UInt64.self)
    for column in 0..<width {
      (table + column).initialize(to: block.start.assumingMemoryBound(to: Float.self))
    }
  }

  deinit { table.deallocate() }

  /// The memory of the columns and of the ordinals. Code that shows particles to others keeps both alive,
  /// because a step may allocate new memory.
  var owners: (columns: ColumnMemory, ordinals: ColumnMemory) { (block, ordinalBlock) }

  /// The numbers of a column.
  subscript(column: Int) -> UnsafeMutablePointer<Float> { table[column] }

  /// The numbers of a cache line.
  static let line = 16

  /// The place, which may be below 0, where the cache line of a particle begins in every column.
  func start(ofLineWith place: Int) -> Int { place - (start + place) % Self.line }

  /// Appends a particle, whose numbers are to be set.
  /// - Returns: its place.
  func append(ordinal: UInt64) -> Int {
    if start + count == capacity { makeRoom(for: 1, on: nil) }
    ordinals[count] = ordinal
    count += 1
    return count - 1
  }

  /// Appends particles with successive ordinals, whose numbers are to be set.
  /// - Parameter team: shares the work on many particles.
  func append(_ number: Int, from ordinal: UInt64, on team: Workers?) {
    if start + count + number > capacity { makeRoom(for: number, on: team) }
    let first = ordinals + count
    for index in 0..<number { first[index] = ordinal &+ UInt64(index) }
    count += number
  }

  /// Takes over all particles of other columns of equal width, and leaves those columns empty.
  func takeOver(_ other: ParticleColumns) {
    swap(&block, &other.block)
    swap(&ordinalBlock, &other.ordinalBlock)
    swap(&ordinals, &other.ordinals)
    swap(&capacity, &other.capacity)
    swap(&start, &other.start)
    (count, other.count) = (other.count, 0)
    hasDepth = hasDepth || other.hasDepth
    table.update(from: other.table, count: width)
  }

  /// Removes particles and keeps the order of the rest.
  /// - Parameters:
  ///   - places: ascending.
  ///   - team: shares the work, a column for each thread.
  func remove(_ places: UnsafeBufferPointer<Int>, on team: Workers? = nil) {
    guard let oldest = places.first, let last = places.last else { return }
    let (before, after) = (last + 1 - places.count, count - oldest - places.count)
    let isUp = before <= after
    if min(before, after) > 0 {
      let firstColumn = hasDepth ? EmitterPlan.Fixed.z : EmitterPlan.Fixed.vz + 1
      let columns = UnsafeBufferPointer(
        start: table + firstColumn, count: max(0, width - firstColumn))
      let (ordinals, count) = (ordinals, count)
      let size = team == nil ? max(1, columns.count) : 1
      Workers.share(1 + (columns.count + size - 1) / size, on: team) { _, next in
        while let piece = next() {
          guard piece > 0 else {
            Self.close(ordinals, count: count, at: places, isUp: isUp)
            continue
          }
          let part = columns[(piece - 1) * size..<min(columns.count, piece * size)]
          closeHoles(
            in: UnsafeBufferPointer(rebasing: part), count: count, at: places, isUp: isUp)
        }
      }
    }
    count -= places.count
    if count == 0 {
      place(at: 0)
    } else if isUp {
      place(at: start + places.count)
    }
  }

  private static func close(
    _ ordinals: UnsafeMutablePointer<UInt64>, count: Int, at places: UnsafeBufferPointer<Int>,
    isUp: Bool
  ) {
    if isUp {
      for index in places.indices.reversed() {
        let from = index > 0 ? places[index - 1] + 1 : 0
        (ordinals + from + places.count - index).update(
          from: ordinals + from, count: places[index] - from)
      }
    } else {
      for index in places.indices {
        let from = places[index] + 1
        let end = index + 1 < places.count ? places[index + 1] : count
        (ordinals + from - index - 1).update(from: ordinals + from, count: end - from)
      }
    }
  }

  /// The particles that there is memory for at first. An effect may have thousands of emitters with a few each.
  private static let leastCapacity = 16

  /// Bytes from one column to the next. Columns that begin at equal offsets of a page would displace each
  /// other in the cache. Short columns share pages, so that few particles take little memory.
  private static func spacing(_ capacity: Int) -> Int {
    let bytes = capacity * MemoryLayout<Float>.stride
    return bytes < 4_096 ? (bytes + 63) / 64 * 64 + 64 : (bytes + 4_095) / 4_096 * 4_096 + 320
  }

  private func place(at start: Int) {
    let stride = Self.spacing(capacity)
    for column in 0..<width {
      table[column] = (memory + column * stride).assumingMemoryBound(to: Float.self) + start
    }
    ordinals = ordinalMemory + start
    self.start = start
  }

  /// Makes room for more particles: moves all to the front, or into more memory.
  /// - Parameter team: shares the work, a column for each thread.
  private func makeRoom(for number: Int, on team: Workers?) {
    let old = (block, ordinalBlock)
    if start <= capacity / 4 || count + number > capacity {
      capacity = max(Self.leastCapacity, capacity * 2, count + number)
      block = ColumnMemory(bytes: width * Self.spacing(capacity), on: team)
      ordinalBlock = ColumnMemory(bytes: capacity * MemoryLayout<UInt64>.stride, on: team)
    }
    let (table, width, count) = (table, width, count)
    withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: width) { from in
      guard let from = from.baseAddress else { return }
      from.initialize(from: table, count: width)
      let oldOrdinals = ordinals
      place(at: 0)
      let ordinals = ordinals
      Workers.share(1 + width, on: team) { _, next in
        while let piece = next() {
          if piece == width {
            ordinals.update(from: oldOrdinals, count: count)
          } else {
            table[piece].update(from: from[piece], count: count)
          }
        }
      }
    }
    withExtendedLifetime(old) {}
  }
}

/// Memory of columns, with an owner.
final class ColumnMemory {
  let start: UnsafeMutableRawPointer

  init(bytes: Int, on team: Workers? = nil) { start = allocateColumns(bytes: bytes, on: team) }

  deinit { freeColumns(start) }
}

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
  /// The greatest number if the particles exceed the caches: memory is faster if more of a column is
  /// read at once.
  static let largeSize = 8 * size

  /// How particles are divided into chunks.
  struct Division {
    /// The places of the particles.
    let places: Range<Int>
    /// Where the first chunk begins, which may be before the first particle.
    let origin: Int
    /// The number of particles of a chunk.
    let size: Int

    /// - Parameter threads: get equal numbers of chunks of equal size.
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

  /// Columns that begin at equal offsets of a cache would displace each other.
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
