internal import ParticlesCore

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
  private(set) var table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// How many particles of the emitter were emitted before each.
  private(set) var ordinals: UnsafeMutablePointer<UInt64>
  private let width: Int
  /// Whether particles leave the plane; otherwise their columns for it are all 0.
  var hasDepth = false
  /// Particles that there is memory for, behind `start`.
  private var capacity = 0
  /// Free places before the first particle.
  private var start = 0
  private var memory: UnsafeMutableRawPointer
  private var ordinalMemory: UnsafeMutablePointer<UInt64>

  /// - Parameter width: the number of columns.
  init(width: Int) {
    self.width = width
    table = .allocate(capacity: width)
    memory = .allocate(byteCount: 64, alignment: 64)
    ordinalMemory = .allocate(capacity: 1)
    ordinals = ordinalMemory
    for column in 0..<width {
      (table + column).initialize(to: memory.assumingMemoryBound(to: Float.self))
    }
  }

  deinit {
    table.deallocate()
    memory.deallocate()
    ordinalMemory.deallocate()
  }

  /// The numbers of a column.
  subscript(column: Column) -> UnsafeMutablePointer<Float> { table[column] }

  /// The place behind the chunk that begins at another one; chunks end where cache lines do.
  func end(ofChunkAt place: Int) -> Int {
    place + Chunk.size - (start + place) % 16
  }

  /// Appends a particle, whose numbers are to be set.
  /// - Returns: its place.
  func append(ordinal: UInt64) -> Int {
    if start + count == capacity { makeRoom() }
    ordinals[count] = ordinal
    count += 1
    return count - 1
  }

  /// Removes particles and keeps the order of the others.
  /// - Parameters:
  ///   - places: ascending.
  ///   - team: shares the work if there is much.
  func remove(_ places: UnsafeBufferPointer<Int>, team: WorkerTeam? = nil) {
    guard let oldest = places.first, let last = places.last else { return }
    let (before, after) = (last + 1 - places.count, count - oldest - places.count)
    let isUp = before <= after
    let moved = min(before, after)
    if moved > 0 {
      nonisolated(unsafe) let (table, ordinals, places) = (table, ordinals, places)
      let first = hasDepth ? EmitterPlan.Fixed.z : EmitterPlan.Fixed.vz + 1
      let (width, count) = (max(0, width - first), count)
      let pieces = moved * width > 1 << 16 ? 8 : 1
      WorkerTeam.run(pieces, on: team) { piece, _ in
        let range = piece * width / pieces..<(piece + 1) * width / pieces
        closeHoles(
          in: UnsafeBufferPointer(start: table + first + range.lowerBound, count: range.count),
          count: count, at: places, isUp: isUp)
        if piece == 0 { Self.close(ordinals, count: count, at: places, isUp: isUp) }
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

  /// Bytes from one column to the next. Columns that begin at the same place of a page would
  /// displace each other in the cache.
  private static func spacing(_ capacity: Int) -> Int {
    (capacity * 4 + 4_095) / 4_096 * 4_096 + 320
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
    let (oldTable, oldOrdinals) = (Array(UnsafeBufferPointer(start: table, count: width)), ordinals)
    let (oldMemory, oldOrdinalMemory) = (memory, ordinalMemory)
    let isLarger = start <= capacity / 4
    if isLarger {
      capacity = max(64, capacity * 2)
      let bytes = width * Self.spacing(capacity)
      memory = .allocate(byteCount: bytes, alignment: 64)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
      ordinalMemory = .allocate(capacity: capacity)
    }
    place(at: 0)
    for column in 0..<width { table[column].update(from: oldTable[column], count: count) }
    ordinals.update(from: oldOrdinals, count: count)
    if isLarger {
      oldMemory.deallocate()
      oldOrdinalMemory.deallocate()
    }
  }
}
