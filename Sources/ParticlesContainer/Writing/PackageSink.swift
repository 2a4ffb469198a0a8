internal import ParticlesCore

/// The destination of a package that is written front to back.
struct PackageSink {
  /// Writes the next bytes, which are valid during the call only.
  let write: (UnsafeRawBufferPointer) throws -> Void

  /// A file that blocks can be shared with, and a closure that appends a range of it; nil if all bytes
  /// have to be written.
  var shared: (file: OpenFile, take: (Range<Int>) throws -> Void)?
}

/// Writes a package to a file with few system calls: collects small pieces and adjacent shared ranges.
final class FileSink {
  private let file: OpenFile
  /// The file that blocks are shared with, if the file system supports it.
  private let shared: OpenFile?

  private var position = 0
  private var pending: [UInt8] = []
  private var taken = 0..<0

  /// - Parameter other: a file that already has blocks of the package.
  init(_ file: OpenFile, sharingWith other: OpenFile?) throws {
    self.file = file
    shared = try other.flatMap { try file.canShare(blocksOf: $0) ? $0 : nil }
  }

  var sink: PackageSink { PackageSink(write: write, shared: shared.map { ($0, take) }) }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    try flushTaken()
    // Large pieces are written without another copy.
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

  /// Writes the pending pieces.
  /// - Returns: the size of the file in bytes.
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
