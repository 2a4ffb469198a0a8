// In place of the threads of ParticlesSystem, in the module for web pages: there is one thread.

/// A team of one thread. The native build has a file of this name.
public final class WorkerTeam: Sendable {
  /// One.
  public var threads: Int { 1 }

  /// Creates a team.
  public init(threads: Int? = nil) {}

  package static func share(
    _ count: Int, on team: WorkerTeam?, leavingLast: Bool = false,
    _ work: (inout WorkShare) -> Void
  ) {
    var share = WorkShare(count: count)
    work(&share)
  }

  package static func run(
    _ count: Int, on team: WorkerTeam?, _ work: (_ piece: Int, _ thread: Int) -> Void
  ) {
    for piece in 0..<count { work(piece, 0) }
  }
}

/// All pieces of a work.
package struct WorkShare {
  package let thread = 0
  private var rest: Range<Int>

  init(count: Int) { rest = 0..<count }

  package mutating func next() -> Int? {
    guard let piece = rest.first else { return nil }
    rest = piece + 1..<rest.upperBound
    return piece
  }
}

package enum Parallel {
  package static let defaultThreads = 1

  package static func forEach<State>(
    _ count: Int, threads: Int? = nil, state: () -> State,
    work: (Int, inout State) throws(Diagnostic) -> Void
  ) throws(Diagnostic) {
    var own = state()
    for index in 0..<count { try work(index, &own) }
  }
}

// In place of the files about writing, soundness, comparison, mending and the catalogue, in the module for web pages:
// there, tables read and check only.

package import ParticlesCore

package protocol JSONDescribed {}

extension Array: JSONDescribed where Element: JSONConvertible {}

struct PropertyAspects<Root>: Sendable {
  var typeName: String { "a value" }

  init<T: JSONConvertible>(
    _ access: @escaping Accessor<Root, T>, unit: String?, bounds: Bounds?,
    schema: () -> JSONSchema?, label: String?,
    _ summary: String, isRequired: Bool, key: String
  ) {}

  init<T: JSONConvertible>(
    optional access: @escaping Accessor<Root, T?>, unit: String?, bounds: Bounds?,
    schema: () -> JSONSchema?, label: String?, _ summary: String, key: String
  ) {}
}

extension ModelObject {
  package var json: JSONValue { .null }

  var objectJSON: JSONValue { .null }
}

// In place of how laws are known.

extension ParticleSystem.EngineLaw {
  struct Grounds: Sendable {
    init(
      _ engine: String, _ evidence: Evidence, _ source: String,
      _ exceptions: @autoclosure () -> [Exception]
    ) {}
  }

  struct Exception: Sendable {
    init(_ evidence: Evidence, _ source: String, _ names: String...) {}
  }
}

/// The CRC-32 of ISO 3309 for short texts, without the tables of a library.
package enum CRC32 {
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
