internal import ParticlesCore
internal import ParticlesContainer
internal import ParticlesSystem

/// Writes a package to a file with few system calls: collects small pieces and adjacent shared ranges.
final class FileSink {
  private let file: OpenFile
  /// The file that blocks are shared with, if the file system supports it.
  private let shared: (file: ForeignFile, open: OpenFile)?

  private var position = 0
  private var pending: [UInt8] = []
  private var taken = 0..<0

  /// - Parameter other: a source that already has blocks of the package.
  init(_ file: OpenFile, sharingWith other: ByteSource?) throws(Failure) {
    self.file = file
    if let place = other?.file, let open = other?.diskFile, try file.canShare(blocksOf: open) {
      shared = (place, open)
    } else {
      shared = nil
    }
  }

  var sink: PackageSink {
    PackageSink(write: write, shared: shared.map { ($0.file, appendRange) })
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
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

  private func appendRange(_ range: Range<Int>) throws(Failure) {
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
  func finish() throws(Failure) -> Int {
    try flushPending()
    try flushTaken()
    return position
  }

  private func flushPending() throws(Failure) {
    try pending.withUnsafeBytes { try file.write($0, at: position) }
    position += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  private func flushTaken() throws(Failure) {
    if let shared, !taken.isEmpty { try file.write(taken, of: shared.open, at: position) }
    position += taken.count
    taken = 0..<0
  }
}
