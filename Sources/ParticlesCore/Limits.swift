/// Limits on the resources that a reader uses for untrusted input.
///
/// Every limit is checked before memory is allocated, and the error that reports it names the limit.
/// The defaults suit documents that a user opens; a server should lower them.
public struct Limits: Sendable, Hashable {
  /// Entries of a package (default 100,000).
  public var entries = 100_000

  /// Components of a path in a package (default 64).
  public var depth = 64

  /// Bytes of one entry when unpacked (default 4 GiB).
  public var entryBytes = 4 << 30

  /// Bytes of all entries together when unpacked (default 64 GiB).
  public var totalBytes = 64 << 30

  /// Unpacked bytes for each byte of input (default 1,100, a little more than deflate reaches). An
  /// entry of an archive counts as 1 KiB and up to 16 MiB are always allowed; an entry of a package
  /// counts as 256 bytes, and 1 MiB is always allowed.
  public var amplification = 1_100

  /// Bytes of each part of the index of a package when unpacked: its pages, the complete paths on
  /// them, and its block tables (default 64 MiB each).
  public var indexBytes = 64 << 20

  /// Bytes of a file that is read into memory as a whole, such as a document, a compressed archive or
  /// an image (default 64 MiB).
  public var fileBytes = 64 << 20

  /// Objects of a keyed archive, or values of a JSON document (default 1,000,000).
  public var objects = 1_000_000

  /// Types that one file declares, claims or conforms to (default 10,000).
  public var types = 10_000

  /// Levels of nesting in a keyed archive or in JSON (default 128).
  public var nesting = 128

  /// Keyed archives inside keyed archives (default 8).
  public var archives = 8

  /// Living particles of one emitter (default 1,000,000). A simulation emits no more, and warns.
  public var particles = 1_000_000

  /// Pixels of an image (default 64 million).
  public var pixels = 64_000_000

  /// Frames of an animation that is written (default 36,000: ten minutes at 60 frames per second).
  public var frames = 36_000

  /// Samples that the particles of one picture paint together (default 4 billion, which takes half a
  /// minute); of particles that cover more, some are left out.
  public var paint = 4_000_000_000

  /// Creates the default limits.
  public init() {}

  /// The default limits.
  public static let standard = Limits()

  /// No limits on packages, for packages that this process wrote.
  package static let none: Limits = {
    var limits = Limits()
    limits.entries = .max
    limits.depth = 4096
    limits.entryBytes = .max
    limits.totalBytes = .max
    limits.indexBytes = .max
    limits.amplification = .max
    return limits
  }()
}

extension Limits {
  /// Throws ``Rule/limit`` if `value` is more than `limit`.
  ///
  /// Inlined, so that the key path is resolved at compile time: a dynamic lookup costs more than
  /// reading the entry that is checked.
  @inlinable @inline(__always)
  package func check(
    _ value: Int, _ limit: KeyPath<Limits, Int>, _ what: String,
    at location: @autoclosure () -> Diagnostic.Location = .unknown
  ) throws {
    if value > self[keyPath: limit] {
      throw Self.excess(value, over: self[keyPath: limit], what, location())
    }
  }

  /// The unpacked bytes that are allowed for any file, however small.
  package static let freeBytes = 16 << 20
  /// The bytes that an entry counts for besides its contents: roughly its cost in a file system.
  package static let bytesPerEntry = 1 << 10

  /// Throws ``Rule/limit`` if a file unpacks to more than ``amplification`` allows.
  /// - Parameters:
  ///   - bytes: the bytes of all entries.
  ///   - entries: the number of entries.
  ///   - size: the size of the package or archive.
  package func checkAmplification(
    bytes: Int, entries: Int, from size: Int,
    at location: @autoclosure () -> Diagnostic.Location = .unknown
  ) throws {
    let (product, isUnlimited) = size.multipliedReportingOverflow(by: amplification)
    let (cost, isTooMuch) = bytes.addingReportingOverflow(entries * Self.bytesPerEntry)
    let limit = isUnlimited ? .max : max(product, Self.freeBytes)
    if isTooMuch || cost > limit {
      throw Self.excess(
        isTooMuch ? .max : cost, over: limit,
        "unpacked bytes for a file of \(size) bytes (amplification)", location())
    }
  }

  /// Throws ``Rule/limit`` if `output` bytes are too many for `input` bytes; see ``amplification``.
  package func check(
    _ output: Int, outOf input: Int, _ what: String,
    at location: @autoclosure () -> Diagnostic.Location = .unknown
  ) throws {
    let (product, overflow) = input.multipliedReportingOverflow(by: amplification)
    let most = overflow ? Int.max : product.addingReportingOverflow(1 << 20).partialValue
    guard most < 0 || output <= most else {
      throw Self.excess(output, over: most, what, location())
    }
  }

  /// Throws ``Rule/limit`` if there are too many entries for the bytes that list them; see
  /// ``amplification``.
  package func check(
    entries: Int, onPagesOf bytes: Int,
    at location: @autoclosure () -> Diagnostic.Location = .unknown
  ) throws {
    let (output, overflow) = entries.multipliedReportingOverflow(by: 256)
    try check(
      overflow ? .max : output, outOf: bytes, "bytes for entries listed in \(bytes) bytes",
      at: location())
  }

  @inline(never) @usableFromInline
  static func excess(
    _ value: Int, over limit: Int, _ what: String, _ location: Diagnostic.Location
  ) -> Diagnostic {
    Diagnostic(.limit, at: location, what, expected: "at most \(limit)", found: "\(value)")
  }
}
