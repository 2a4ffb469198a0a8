/// What a reader may spend on a file that nobody vouches for.
///
/// Every limit is checked before memory is taken, and the error that reports it names the limit.
/// The defaults suit documents opened by hand; a server would lower them.
public struct Limits: Sendable, Hashable {
  /// Entries of a package (default 100,000).
  public var entries = 100_000

  /// Components of a path in a package (default 64).
  public var depth = 64

  /// Bytes of one entry when unpacked (default 4 GiB).
  public var entryBytes = 4 << 30

  /// Bytes of all entries together when unpacked (default 64 GiB).
  public var totalBytes = 64 << 30

  /// Bytes of the index of a package unpacked: of its pages, of the paths on them written out, and
  /// of its tables of blocks, each by itself (default 64 MiB).
  public var indexBytes = 64 << 20

  /// Bytes of a file that has to be read whole: a document, an archive, an image (default 64 MiB).
  public var fileBytes = 64 << 20

  /// Objects of an archive, or values of a JSON document (default 1,000,000).
  public var objects = 1_000_000

  /// Types that one file declares, claims or conforms to (default 10,000).
  public var types = 10_000

  /// Levels of nesting in an archive or in JSON (default 128).
  public var nesting = 128

  /// Archives inside archives (default 8).
  public var archives = 8

  /// Pixels of an image (default 64 million).
  public var pixels = 64_000_000

  /// Creates the default limits.
  public init() {}

  /// The default limits.
  public static let standard = Limits()

  /// No limits on packages, for those that we wrote ourselves.
  package static let none: Limits = {
    var limits = Limits()
    limits.entries = .max
    limits.depth = 4096
    limits.entryBytes = .max
    limits.totalBytes = .max
    limits.indexBytes = .max
    return limits
  }()
}

extension Limits {
  /// Throws ``Rule/limit`` if `value` is more than `limit`.
  ///
  /// Inlined, so that the compiler knows which limit is meant: looking one up while the program
  /// runs costs more than reading the entry that it is checked for.
  @inlinable @inline(__always)
  package func check(
    _ value: Int, _ limit: KeyPath<Limits, Int>, _ what: String,
    at location: @autoclosure () -> Diagnostic.Location = .unknown
  ) throws {
    if value > self[keyPath: limit] {
      throw Self.excess(value, over: self[keyPath: limit], what, location())
    }
  }

  @inline(never) @usableFromInline
  static func excess(
    _ value: Int, over limit: Int, _ what: String, _ location: Diagnostic.Location
  ) -> Diagnostic {
    Diagnostic(.limit, at: location, what, expected: "at most \(limit)", found: "\(value)")
  }
}
