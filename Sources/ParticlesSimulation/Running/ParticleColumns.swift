internal import ParticlesCore
internal import Synchronization

/// The state of particles, a column for each number, in the order of their emission.
///
/// All columns are in one piece of memory. Room before the first particle is what old ones left:
/// most deaths are among the oldest, so that it is shorter to move those before a gap up than those
/// behind it down.
final class ParticleColumns {
  /// A column, by its place.
  typealias Column = Int

  private(set) var count = 0
  /// The first particle of each column.
  let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// How many particles of the emitter were emitted before each.
  private(set) var ordinals: UnsafeMutablePointer<UInt64>
  private let width: Int
  /// Whether particles leave the plane; otherwise their columns for it are all 0.
  var hasDepth = false
  /// Particles that there is memory for, behind `start`.
  private var capacity = 0
  /// Free places before the first particle.
  private var start = 0
  private var block: ColumnMemory
  private var memory: UnsafeMutableRawPointer { block.start }
  /// The pieces of the work of ``closeUp()`` that no thread has taken; 0 or less if there is none.
  private let untaken = Atomic(0)
  /// Those that are not done.
  private let undone = Atomic(0)
  private var holes: Holes
  /// `table` as it was before the removal.
  private let oldTable: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private var ordinalBlock: ColumnMemory
  private var ordinalMemory: UnsafeMutablePointer<UInt64> {
    ordinalBlock.start.assumingMemoryBound(to: UInt64.self)
  }

  /// - Parameter width: the number of columns.
  init(width: Int) {
    self.width = width
    table = .allocate(capacity: width)
    oldTable = .allocate(capacity: width)
    block = ColumnMemory(bytes: 64)
    ordinalBlock = ColumnMemory(bytes: 64)
    ordinals = ordinalBlock.start.assumingMemoryBound(to: UInt64.self)
    holes = Holes(
      places: UnsafeBufferPointer(start: nil, count: 0), ordinals: ordinals, count: 0,
      firstColumn: 0, isUp: true)
    for column in 0..<width {
      (table + column).initialize(to: block.start.assumingMemoryBound(to: Float.self))
      (oldTable + column).initialize(to: table[column])
    }
  }

  deinit {
    table.deallocate()
    oldTable.deallocate()
  }

  /// The memory of the columns, and that of the ordinals: what shows particles to others keeps them, because a
  /// step may take more memory.
  var owners: (columns: ColumnMemory, ordinals: ColumnMemory) { (block, ordinalBlock) }

  /// The numbers of a column.
  subscript(column: Column) -> UnsafeMutablePointer<Float> { table[column] }

  /// The numbers of a cache line.
  static let line = 16

  /// The place, which may be below 0, where the cache line of a particle begins in every column.
  func start(ofLineWith place: Int) -> Int { place - (start + place) % Self.line }

  /// Appends a particle, whose numbers are to be set.
  /// - Returns: its place.
  func append(ordinal: UInt64) -> Int {
    if start + count == capacity { makeRoom() }
    ordinals[count] = ordinal
    count += 1
    return count - 1
  }

  /// Takes over all particles of columns of the same width, which have none then.
  func takeOver(_ other: ParticleColumns) {
    other.closeUp()
    swap(&block, &other.block)
    swap(&ordinalBlock, &other.ordinalBlock)
    swap(&ordinals, &other.ordinals)
    swap(&capacity, &other.capacity)
    swap(&start, &other.start)
    (count, other.count) = (other.count, 0)
    hasDepth = hasDepth || other.hasDepth
    table.update(from: other.table, count: width)
  }

  /// Removes particles and keeps the order of the others.
  /// - Parameter places: ascending.
  func remove(_ places: UnsafeBufferPointer<Int>) {
    removeLater(places)
    closeUp()
  }

  /// Removes particles, but leaves the work to ``closeUp()``, which comes before anything reads the
  /// columns of older particles again. Particles may be appended before it.
  /// - Parameter places: ascending; they are kept until then.
  func removeLater(_ places: UnsafeBufferPointer<Int>) {
    closeUp()
    guard let oldest = places.first, let last = places.last else { return }
    let (before, after) = (last + 1 - places.count, count - oldest - places.count)
    let isUp = before <= after
    if min(before, after) > 0 {
      holes = Holes(
        places: places, ordinals: ordinals, count: count,
        firstColumn: hasDepth ? EmitterPlan.Fixed.z : EmitterPlan.Fixed.vz + 1, isUp: isUp)
      oldTable.update(from: table, count: width)
      undone.store(Self.pieces, ordering: .relaxed)
      untaken.store(Self.pieces, ordering: .releasing)
    }
    count -= places.count
    if count == 0 {
      place(at: 0)
    } else if isUp {
      place(at: start + places.count)
    } else {
      // New particles would take the places of those that are to move down.
      closeUp()
    }
  }

  /// The places that ``closeUp()`` still needs.
  var openPlaces: Int { undone.load(ordering: .acquiring) == 0 ? 0 : holes.places.count }

  /// Moves the particles beside removed ones. Several threads may call it and share the work; it
  /// returns when all is done.
  func closeUp() {
    while undone.load(ordering: .acquiring) > 0 {
      let piece = untaken.subtract(1, ordering: .acquiringAndReleasing).oldValue
      guard piece > 0 else { break }
      close(piece - 1)
      undone.subtract(1, ordering: .acquiringAndReleasing)
    }
    while undone.load(ordering: .acquiring) > 0 { WorkerTeam.waitAMoment() }
  }

  /// The columns, and the ordinals.
  private static let pieces = 2

  /// Closes up the columns, which are taken first, or the ordinals. Columns are not divided between
  /// threads: a thread would get numbers that are in the cache of another, and give them back.
  private func close(_ piece: Int) {
    guard piece > 0 else {
      Self.close(holes.ordinals, count: holes.count, at: holes.places, isUp: holes.isUp)
      return
    }
    closeHoles(
      in: UnsafeBufferPointer(
        start: oldTable + holes.firstColumn, count: max(0, width - holes.firstColumn)),
      count: holes.count, at: holes.places, isUp: holes.isUp)
  }

  /// Places of removed particles, and where the columns began before.
  private struct Holes {
    let places: UnsafeBufferPointer<Int>
    let ordinals: UnsafeMutablePointer<UInt64>
    let count: Int
    let firstColumn: Int
    let isUp: Bool
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

  /// Bytes from one column to the next. Columns that begin at the same place of a page would
  /// displace each other in the cache. Short columns share pages, so that few particles take little memory.
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

  /// Makes room for another particle: moves all to the front, or into more memory.
  private func makeRoom() {
    closeUp()
    let (oldTable, oldOrdinals) = (Array(UnsafeBufferPointer(start: table, count: width)), ordinals)
    let old = (block, ordinalBlock)
    let isLarger = start <= capacity / 4
    if isLarger {
      capacity = max(Self.leastCapacity, capacity * 2)
      block = ColumnMemory(bytes: width * Self.spacing(capacity))
      ordinalBlock = ColumnMemory(bytes: capacity * MemoryLayout<UInt64>.stride)
    }
    place(at: 0)
    for column in 0..<width { table[column].update(from: oldTable[column], count: count) }
    ordinals.update(from: oldOrdinals, count: count)
    withExtendedLifetime(old) {}
  }
}

/// Memory of columns, with an owner.
final class ColumnMemory {
  let start: UnsafeMutableRawPointer

  init(bytes: Int) { start = allocateColumns(bytes: bytes) }

  deinit { freeColumns(start) }
}
