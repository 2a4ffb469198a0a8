/// The state of particles, a column for each number, in the order of their emission.
///
/// Columns are padded to whole lanes, so that kernels may read and write up to seven numbers behind
/// the last particle.
final class ParticleColumns {
  /// A column, by its place.
  typealias Column = Int

  private(set) var count = 0
  private var capacity = 0
  private var columns: [UnsafeMutablePointer<Float>] = []
  /// How many particles of the emitter were emitted before each.
  private(set) var ordinals: UnsafeMutablePointer<UInt64>

  /// - Parameter width: the number of columns.
  init(width: Int) {
    columns = (0..<width).map { _ in Self.column(0) }
    ordinals = .allocate(capacity: Lanes.width)
  }

  deinit {
    for column in columns { UnsafeMutableRawPointer(column).deallocate() }
    ordinals.deallocate()
  }

  /// The numbers of a column.
  subscript(column: Column) -> UnsafeMutablePointer<Float> { columns[column] }

  /// The lanes of a column.
  @inline(__always)
  func lanes(_ column: Column) -> UnsafeMutablePointer<Lanes> {
    UnsafeMutableRawPointer(columns[column]).assumingMemoryBound(to: Lanes.self)
  }

  /// Appends a particle, whose numbers are all 0.
  /// - Returns: its place.
  func append(ordinal: UInt64) -> Int {
    if count == capacity { grow(to: max(64, capacity * 2)) }
    for column in columns { column[count] = 0 }
    ordinals[count] = ordinal
    count += 1
    return count - 1
  }

  /// Removes particles and keeps the order of the others.
  /// - Parameter places: ascending.
  func remove(_ places: [Int]) {
    guard let first = places.first else { return }
    // Runs of particles that stay, each moved to the front at once.
    var runs: [(start: Int, length: Int)] = []
    for (index, place) in places.enumerated() {
      let end = index + 1 < places.count ? places[index + 1] : count
      if end > place + 1 { runs.append((place + 1, end - place - 1)) }
    }
    for column in columns {
      var target = column + first
      for run in runs {
        target.update(from: column + run.start, count: run.length)
        target += run.length
      }
    }
    var target = ordinals + first
    for run in runs {
      target.update(from: ordinals + run.start, count: run.length)
      target += run.length
    }
    count -= places.count
  }

  private func grow(to capacity: Int) {
    for index in columns.indices {
      let column = Self.column(capacity)
      column.update(from: columns[index], count: count)
      UnsafeMutableRawPointer(columns[index]).deallocate()
      columns[index] = column
    }
    let old = ordinals
    ordinals = .allocate(capacity: capacity)
    ordinals.update(from: old, count: count)
    old.deallocate()
    self.capacity = capacity
  }

  private static func column(_ capacity: Int) -> UnsafeMutablePointer<Float> {
    let padded = (capacity + 2 * Lanes.width - 1) / Lanes.width * Lanes.width
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: padded * MemoryLayout<Float>.stride, alignment: MemoryLayout<Lanes>.alignment)
    let column = memory.bindMemory(to: Float.self, capacity: padded)
    column.initialize(repeating: 0, count: padded)
    return column
  }
}
