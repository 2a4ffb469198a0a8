internal import ParticlesCore

/// The appearance of the particles of an emitter at a moment: a number for each particle in each
/// column, in the order of their emission.
///
/// Columns share memory with the simulation, which changes when it advances. So evaluate an
/// appearance again after each step, and copy the columns that are needed for longer (`Array(look.x)`).
package final class Appearance {
  /// The number of particles.
  package internal(set) var count = 0
  /// Places in the effect, in units.
  package internal(set) var x = AppearanceColumn<Float>()
  package internal(set) var y = AppearanceColumn<Float>()
  package internal(set) var z = AppearanceColumn<Float>()
  /// Velocities in units per second, without drift.
  package internal(set) var velocityX = AppearanceColumn<Float>()
  package internal(set) var velocityY = AppearanceColumn<Float>()
  package internal(set) var velocityZ = AppearanceColumn<Float>()
  /// Width and height, in the unit that `size.mode` states.
  package internal(set) var width = AppearanceColumn<Float>()
  package internal(set) var height = AppearanceColumn<Float>()
  /// Angles in degrees, counter-clockwise.
  package internal(set) var angle = AppearanceColumn<Float>()
  /// The colour in sRGB, with straight alpha and the opacity in it.
  package internal(set) var red = AppearanceColumn<Float>()
  package internal(set) var green = AppearanceColumn<Float>()
  package internal(set) var blue = AppearanceColumn<Float>()
  package internal(set) var alpha = AppearanceColumn<Float>()
  /// A factor of red, green and blue.
  package internal(set) var intensity = AppearanceColumn<Float>()
  /// How much of the colour the image takes on.
  package internal(set) var mix = AppearanceColumn<Float>()
  /// The order of drawing.
  package internal(set) var depth = AppearanceColumn<Float>()
  /// Ages and lifetimes in seconds.
  package internal(set) var age = AppearanceColumn<Float>()
  package internal(set) var life = AppearanceColumn<Float>()
  /// How many particles the emitter emitted before each.
  package internal(set) var ordinal = AppearanceColumn<UInt64>()

  /// The columns that are computed.
  var storage = AppearanceStorage()

  package init() {}
}

/// A column of an appearance.
package struct AppearanceColumn<Number: Equatable>: RandomAccessCollection, Equatable,
  @unchecked Sendable
{
  /// The numbers, valid as long as the column.
  package let numbers: UnsafeBufferPointer<Number>
  /// Keeps the memory.
  private let owner: AnyObject?

  init() {
    numbers = UnsafeBufferPointer(start: nil, count: 0)
    owner = nil
  }

  init(_ base: UnsafePointer<Number>, count: Int, of owner: AnyObject) {
    numbers = UnsafeBufferPointer(start: base, count: count)
    self.owner = owner
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { numbers.count }

  /// Debug builds check the index.
  package subscript(index: Int) -> Number { numbers[index] }

  package func withContiguousStorageIfAvailable<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<Number>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try body(numbers)
  }

  package static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) }
}

/// Memory for the columns that are computed, and what those are filled with that are constant.
final class AppearanceStorage {
  /// A computed column.
  enum Part: Int, CaseIterable {
    case width, height, angle, red, green, blue, alpha, intensity, mix, depth
  }

  private let memory: UnsafeMutableRawPointer
  /// The number of particles that there is room for.
  let capacity: Int
  /// The number that a column is filled with, and how far.
  private var fillings = [(number: Float, count: Int)?](repeating: nil, count: Part.allCases.count)

  deinit { freeColumns(memory) }

  /// - Parameters:
  ///   - count: the number of particles that there is room for, at least.
  ///   - team: shares the work on many particles.
  init(_ count: Int = 0, on team: WorkerTeam? = nil) {
    // An effect may have thousands of emitters with a few particles each.
    let unit = count < 1_024 ? 64 : 1_024
    capacity = (count + unit - 1) / unit * unit
    memory = allocateColumns(bytes: Part.allCases.count * Self.spacing(capacity), on: team)
  }

  /// Bytes from one column to the next. Columns that begin at the same place of a page would
  /// displace each other in the cache.
  private static func spacing(_ capacity: Int) -> Int {
    capacity * MemoryLayout<Float>.stride + 448
  }

  subscript(part: Part) -> UnsafeMutablePointer<Float> {
    (memory + part.rawValue * Self.spacing(capacity)).assumingMemoryBound(to: Float.self)
  }

  /// Notes that a column is to be computed.
  func empty(_ part: Part) { fillings[part.rawValue] = nil }

  /// Fills a column with a number, unless it is already.
  func fill(_ part: Part, with number: Float, count: Int) {
    if let filling = fillings[part.rawValue], filling.number == number, filling.count >= count {
      return
    }
    self[part].initialize(repeating: number, count: capacity)
    fillings[part.rawValue] = (number, capacity)
  }
}
