internal import ParticlesCore

/// The contents of a regular file: in memory, or read on access.
///
/// Contents are read in the state in which the file or package was opened; if the file has changed
/// since, reading throws ``ParticlesCore/Rule/fileChanged``. Each access reads again; nothing is
/// cached. May be used from several threads.
public struct FileContents: Sendable {
  /// The number of bytes.
  public let size: Int

  private let storage: Storage

  private enum Storage: Sendable {
    case memory([UInt8])
    case elsewhere(@Sendable (Int, UnsafeMutableRawBufferPointer) throws -> Void)
    case file(FoundFile)
    case stored(Origin)
  }

  /// The place of contents that are stored in blocks, those of an open package or a spool.
  struct Origin: Sendable {
    let stream: StreamReader
    /// The offset in the stream.
    let offset: Int

    /// The location of the contents, for messages.
    var location: Location { stream.location(of: offset) }
  }

  /// The place of contents that are stored in blocks; nil for others.
  var origin: Origin? {
    if case .stored(let origin) = storage { origin } else { nil }
  }

  /// Whether the contents are stored in `stream` from `offset` on.
  func isStored(in stream: StreamReader, at offset: Int) -> Bool {
    if case .stored(let origin) = storage {
      origin.stream === stream && origin.offset == offset
    } else {
      false
    }
  }

  /// Creates contents from bytes in memory.
  public init(_ bytes: [UInt8]) {
    size = bytes.count
    storage = .memory(bytes)
  }

  /// Creates contents that a closure reads on access.
  /// - Parameters:
  ///   - size: the number of bytes.
  ///   - read: fills the whole buffer with the bytes from an offset on, or throws. It is only
  ///     asked for bytes before `size`, possibly from several threads at once.
  public init(
    size: Int,
    read:
      @escaping @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws ->
      Void
  ) {
    self.size = size
    storage = .elsewhere(read)
  }

  /// Creates contents that are read from a file.
  init(size: Int, of file: FoundFile) {
    self.size = size
    storage = .file(file)
  }

  /// The file that the bytes are read from; nil for other contents.
  var foundFile: FoundFile? {
    if case .file(let file) = storage { file } else { nil }
  }

  /// Whether both are known to be equal without reading them: the same place in the same package, the
  /// same file, or the same memory.
  func isSame(as other: FileContents) -> Bool {
    switch (storage, other.storage) {
    case (.stored(let a), .stored(let b)):
      return size == other.size && a.stream === b.stream && a.offset == b.offset
    case (.file(let a), .file(let b)):
      return a === b
    case (.memory(let a), .memory(let b)):
      return a.count == b.count
        && a.withUnsafeBufferPointer { a in
          b.withUnsafeBufferPointer { a.baseAddress == $0.baseAddress }
        }
    default: return false
    }
  }

  /// Creates contents that are stored in blocks.
  init(size: Int, origin: Origin) {
    self.size = size
    storage = .stored(origin)
  }

  /// Returns all bytes.
  /// - Throws: the errors of ``bytes(in:)``.
  public func bytes() throws -> [UInt8] {
    if case .memory(let bytes) = storage { return bytes }
    return try bytes(in: 0..<size)
  }

  /// Returns the bytes of a range. It is a programming error if the range is not inside the contents.
  ///
  /// In a flat package this reads and unpacks the blocks that hold the range, of at most 512 KiB each
  /// if the package was written by this library.
  /// - Throws: ``ParticlesCore/Rule/checksum`` and others of the family `container` if the package is
  ///   damaged; ``ParticlesCore/Rule/fileChanged`` and others of the family `file`; errors of the
  ///   closure that reads the bytes.
  public func bytes(in range: Range<Int>) throws -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= size, "range outside the contents")
    return try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
      try read(at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
      initialized = range.count
    }
  }

  /// Fills `buffer` with the bytes from `offset` on.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    guard !buffer.isEmpty else { return }
    switch storage {
    case .memory(let bytes): buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    case .elsewhere(let read): try read(offset, buffer)
    case .file(let file): try file.read(at: offset, into: buffer)
    case .stored(let origin):
      try locating(origin.location) {
        try origin.stream.read(stream: origin.offset + offset, into: buffer)
      }
    }
  }

  /// Calls `body` with the bytes in order, in pieces of at most 512 KiB.
  package func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    for offset in stride(from: 0, to: size, by: Layout.blockSize) {
      let range = offset..<min(offset + Layout.blockSize, size)
      if case .memory(let bytes) = storage {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
      } else {
        try bytes(in: range).withUnsafeBytes(body)
      }
    }
  }
}
