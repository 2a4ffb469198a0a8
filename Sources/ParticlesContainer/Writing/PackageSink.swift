internal import ParticlesCore

/// Takes a package, front to back.
struct PackageSink {
  /// Takes the next bytes, which are valid during the call only.
  let write: (UnsafeRawBufferPointer) throws -> Void

  /// A file that the next bytes may stand in, and what takes them from there; nil if all have to be
  /// written.
  var shared: (file: OpenFile, take: (Range<Int>) throws -> Void)?
}

/// Writes a package to a file with few calls of the system: small pieces are collected, and so are
/// neighbouring ranges of a file that blocks are shared with.
final class FileSink {
  private let file: OpenFile
  /// The file that blocks are shared with, if the file system can do that.
  private let shared: OpenFile?

  private var position = 0
  private var pending: [UInt8] = []
  private var taken = 0..<0

  /// - Parameter other: a file that has bytes of the package already.
  init(_ file: OpenFile, sharingWith other: OpenFile?) throws {
    self.file = file
    shared = try other.flatMap { try file.canShare(blocksOf: $0) ? $0 : nil }
  }

  var sink: PackageSink { PackageSink(write: write, shared: shared.map { ($0, take) }) }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    try flushTaken()
    // Large pieces go their way without being copied once more.
    if bytes.count < Layout.packSize { pending += bytes }
    guard bytes.count >= Layout.packSize || pending.count >= Layout.blockSize else { return }
    try flushPending()
    if bytes.count >= Layout.packSize {
      try file.write(bytes, at: position)
      position += bytes.count
    }
  }

  private func take(_ range: Range<Int>) throws {
    try flushPending()
    if taken.upperBound == range.lowerBound {
      taken = taken.lowerBound..<range.upperBound
    } else {
      try flushTaken()
      taken = range
    }
  }

  /// Writes what has been collected.
  /// - Returns: how many bytes there are in all.
  func finish() throws -> Int {
    try flushPending()
    try flushTaken()
    return position
  }

  private func flushPending() throws {
    try pending.withUnsafeBytes { try file.write($0, at: position) }
    position += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  private func flushTaken() throws {
    if let shared, !taken.isEmpty { try file.write(taken, of: shared, at: position) }
    position += taken.count
    taken = 0..<0
  }
}
