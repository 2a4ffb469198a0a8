internal import ParticlesCore
internal import ParticlesModel

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

/// Memory for the computed columns, and for the constants that fill the rest.
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
  init(_ count: Int = 0, on team: Workers? = nil) {
    // An effect may have thousands of emitters with a few particles each.
    let unit = count < 1_024 ? 64 : 1_024
    capacity = (count + unit - 1) / unit * unit
    memory = allocateColumns(bytes: Part.allCases.count * Self.spacing(capacity), on: team)
  }

  /// Bytes from one column to the next. Columns that begin at equal offsets of a page would
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

extension EmitterState {
  typealias Part = AppearanceStorage.Part

  /// Evaluates all that is drawn.
  func appearance(into result: Appearance, progress: Double) {
    let count = columns.count
    if result.storage.capacity < count {
      result.storage = AppearanceStorage(count + count / 4, on: team)
    }
    let storage = result.storage
    let look = plan.look
    for part in Part.allCases {
      if let constant = look.constants[part.rawValue] {
        storage.fill(part, with: constant, count: count)
      } else {
        storage.empty(part)
      }
    }
    if !look.isConstant {
      withUnsafeTemporaryAllocation(
        of: UnsafeMutablePointer<Float>?.self, capacity: Part.allCases.count
      ) { targets in
        for part in Part.allCases {
          targets[part.rawValue] = look.isComputed(part) ? storage[part] : nil
        }
        forEach(chunks(from: 0), progress: progress) { plan, chunk, _ in
          plan.evaluate(chunk, lastStep: lastStep) { part in
            targets[part.rawValue].map { Slice(base: $0 + chunk.first, count: chunk.count) }
          }
        }
      }
    }
    func computed(_ part: Part) -> AppearanceColumn<Float> {
      AppearanceColumn(storage[part], count: count, of: storage)
    }
    let owners = columns.owners
    func kept(_ column: Int) -> AppearanceColumn<Float> {
      AppearanceColumn(columns[column], count: count, of: owners.columns)
    }
    result.count = count
    (result.x, result.y, result.z) = (kept(Fixed.x), kept(Fixed.y), kept(Fixed.z))
    (result.velocityX, result.velocityY) = (kept(Fixed.vx), kept(Fixed.vy))
    result.velocityZ = kept(Fixed.vz)
    (result.age, result.life) = (kept(Fixed.age), kept(Fixed.life))
    result.ordinal = AppearanceColumn(columns.ordinals, count: count, of: owners.ordinals)
    result.width = computed(.width)
    result.height = look.isSquare ? result.width : computed(.height)
    result.angle = computed(.angle)
    (result.red, result.green) = (computed(.red), computed(.green))
    (result.blue, result.alpha) = (computed(.blue), computed(.alpha))
    (result.intensity, result.mix) = (computed(.intensity), computed(.mix))
    result.depth = computed(.depth)
  }

  /// One particle, as it is now.
  func snapshot(_ place: Int) -> ParticleSnapshot {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Part.allCases.count) { numbers in
      let base = numbers.baseAddress
      let chunk = Chunk(
        place..<place + 1, of: columns.table, progress: activations.first?.progress ?? 0,
        scratch: workspaces[thread])
      plan.evaluate(chunk, lastStep: lastStep) { part in
        base.map { Slice(base: $0 + part.rawValue, count: 1) }
      }
      func look(_ part: Part) -> Double { Double(numbers[part.rawValue]) }
      func vector(_ x: Int, _ y: Int, _ z: Int) -> Vector {
        Vector(Double(columns[x][place]), Double(columns[y][place]), Double(columns[z][place]))
      }
      return ParticleSnapshot(
        emitter: Int(plan.index), ordinal: columns.ordinals[place],
        place: vector(Fixed.x, Fixed.y, Fixed.z),
        velocity: vector(Fixed.vx, Fixed.vy, Fixed.vz),
        color: Color(look(.red), look(.green), look(.blue), look(.alpha)),
        angle: look(.angle), size: look(.width))
    }
  }
}

/// The state of a particle that other emitters may inherit.
struct ParticleSnapshot {
  var emitter: Int
  var ordinal: UInt64
  var place: Vector
  var velocity: Vector
  var color: Color
  var angle: Double
  var size: Double
}
