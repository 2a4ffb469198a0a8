public import ParticlesCore

/// The contents of a regular file: in memory, or read on access.
///
/// Contents are read in the state in which the file or package was opened. If the file has changed since, reading
/// throws ``ParticlesCore/Rule/fileChanged``. Each access reads again, unless the contents were made with a function
/// that keeps the bytes. May be used from several threads.
public struct FileContents: Sendable {
  /// The number of bytes.
  public let size: Int

  private let storage: Storage

  private enum Storage: Sendable {
    case memory(MemoryContents)
    case elsewhere(ContentsReader)
    case file(ForeignContents)
    case stored(Origin)
  }

  /// The place of contents in the blocks of an open package.
  package struct Origin: Sendable {
    package let stream: StreamReader
    package let offset: Int

    package init(stream: StreamReader, offset: Int) {
      (self.stream, self.offset) = (stream, offset)
    }

    /// The location of the contents, for messages.
    var location: Location { stream.location(of: offset) }
  }

  /// The place of contents that are stored in blocks, or nil for others.
  package var origin: Origin? { if case .stored(let origin) = storage { origin } else { nil } }

  func isStored(in stream: StreamReader, at offset: Int) -> Bool {
    origin.map { $0.stream === stream && $0.offset == offset } ?? false
  }

  /// Creates contents from bytes in memory.
  public init(_ bytes: [UInt8]) {
    size = bytes.count
    storage = .memory(MemoryContents(bytes))
  }

  /// Creates contents that a closure reads on access.
  /// - Parameters:
  ///   - size: the number of bytes.
  ///   - read: fills the whole buffer with the bytes from an offset on, or throws. It is only
  ///     asked for bytes before `size`, possibly from several threads at once.
  public init(
    size: Int,
    read:
      @escaping @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer)
      throws(Failure) ->
      Void
  ) {
    self.size = size
    storage = .elsewhere(ContentsReader(read: read))
  }

  /// Creates contents that are read from a file.
  package init(size: Int, of file: ForeignContents) {
    self.size = size
    storage = .file(file)
  }

  /// The file that the bytes are read from, or nil for other contents.
  package var file: ForeignContents? {
    if case .file(let file) = storage { file } else { nil }
  }

  /// Whether both are known to be equal without reading them: both share a place in a package, a file or memory, or the
  /// memory of one was saved where the second is.
  package func isSame(as other: FileContents) -> Bool {
    guard size == other.size else { return false }
    switch (storage, other.storage) {
    case (.stored(let a), .stored(let b)): return a.stream === b.stream && a.offset == b.offset
    case (.elsewhere(let a), .elsewhere(let b)): return a === b
    case (.memory(let a), .memory(let b)):
      return a === b
        || a.bytes.withUnsafeBufferPointer { a in
          b.bytes.withUnsafeBufferPointer { a.baseAddress == $0.baseAddress }
        }
    case (.memory(let memory), _): return memory.place.map { $0 == other.place } ?? false
    case (_, .memory(let memory)): return memory.place.map { $0 == place } ?? false
    default: return place.map { $0 == other.place } ?? false
    }
  }

  /// Whether the bytes are held in memory.
  package var isInMemory: Bool { if case .memory = storage { true } else { false } }

  /// Where the bytes are on the disk, or nil for contents that are not known to be there.
  private var place: Place? {
    switch storage {
    case .memory(let memory): memory.place
    case .elsewhere: nil
    case .file(let file): Place(file)
    case .stored(let origin): Place(origin)
    }
  }

  /// Remembers that these contents were saved, so that other values that hold them in memory are not
  /// written again.
  package func remember(savedAs saved: FileContents) {
    if case .memory(let memory) = storage { memory.place = saved.place }
  }

  /// Creates contents that are stored in blocks.
  package init(size: Int, origin: Origin) {
    self.size = size
    storage = .stored(origin)
  }

  /// Returns all bytes.
  /// - Throws: the errors of ``bytes(in:)``.
  public func bytes() throws(Failure) -> [UInt8] {
    if case .memory(let memory) = storage { return memory.bytes }
    return try bytes(in: 0..<size)
  }

  /// Returns the bytes of a range. It is a programming error if the range is not inside the contents.
  ///
  /// In a flat package this reads and unpacks the blocks that hold the range, of at most 512 KiB each
  /// if the package was written by this library.
  /// - Throws: ``ParticlesCore/Rule/checksum`` and others of the family `container` if the package is damaged,
  ///   ``ParticlesCore/Rule/fileChanged`` and others of the family `file`, and errors of the closure that reads the
  ///   bytes.
  public func bytes(in range: Range<Int>) throws(Failure) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= size, "range outside the contents")
    return try [UInt8](unsafeUninitializedCapacity: range.count) {
      buffer, initialized throws(Failure) in
      try read(at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
      initialized = range.count
    }
  }

  /// Fills `buffer` with the bytes from `offset` on.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) {
    guard !buffer.isEmpty else { return }
    switch storage {
    case .memory(let memory):
      buffer.copyBytes(from: memory.bytes[offset..<offset + buffer.count])
    case .elsewhere(let reader): try reader.read(offset, buffer)
    case .file(let file): try file.read(at: offset, into: buffer)
    case .stored(let origin):
      try locating(origin.location) { () throws(Failure) in
        try origin.stream.read(stream: origin.offset + offset, into: buffer)
      }
    }
  }

  /// Calls `body` with the bytes in order, in pieces of at most 512 KiB.
  package func forEachPiece(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    for offset in stride(from: 0, to: size, by: Layout.blockSize) {
      let range = offset..<min(offset + Layout.blockSize, size)
      if case .memory(let memory) = storage {
        try memory.bytes.withBytes { bytes throws(Failure) in
          try body(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
      } else {
        try bytes(in: range).withBytes(body)
      }
    }
  }
}

extension FileContents: Equatable {
  /// Whether both have equal bytes. Contents of equal size in different places are read, piece by piece. Contents that
  /// cannot be read are equal to themselves only.
  public static func == (a: FileContents, b: FileContents) -> Bool {
    a.isSame(as: b) || ((try? a.hasSameBytes(as: b)) ?? false)
  }

  /// Whether both have equal bytes. Reads one piece at a time.
  func hasSameBytes(as other: FileContents) throws(Failure) -> Bool {
    guard size == other.size else { return false }
    if isSame(as: other) { return true }
    for offset in stride(from: 0, to: size, by: Layout.blockSize) {
      let range = offset..<min(offset + Layout.blockSize, size)
      guard try bytes(in: range) == other.bytes(in: range) else { return false }
    }
    return true
  }
}

/// A file that contents are read from, as the module for disks knows it.
open class ForeignContents: @unchecked Sendable {
  /// A number that no other file of the process ever has.
  fileprivate let number = numbers.withLock {
    $0 += 1
    return $0
  }

  private static let numbers = Lock<UInt64>(0)

  package init() {}

  /// Fills `buffer` with the bytes from `offset` on.
  /// - Throws: errors of the system.
  open func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) {}
}

/// Where contents are on the disk. Does not keep the file open.
private enum Place: Sendable, Equatable {
  case stored(StreamReader.Identity, offset: Int)
  /// In the file of a number.
  case file(UInt64)

  init(_ origin: FileContents.Origin) {
    self = .stored(origin.stream.identity, offset: origin.offset)
  }

  init(_ file: ForeignContents) { self = .file(file.number) }

  static func == (a: Place, b: Place) -> Bool {
    switch (a, b) {
    case (.stored(let a, let offset), .stored(let b, let other)): a === b && offset == other
    case (.file(let a), .file(let b)): a == b
    default: false
    }
  }
}

/// Bytes in memory, which all copies of the contents share.
private final class MemoryContents: Sendable {
  let bytes: [UInt8]
  private let saved = Lock<Place?>(nil)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Where the bytes were last saved.
  var place: Place? {
    get { saved.withLock({ $0 }) }
    set { saved.withLock { $0 = newValue } }
  }
}

/// A closure that reads contents. Its identity is the identity of the contents.
private final class ContentsReader: Sendable {
  let read: @Sendable (Int, UnsafeMutableRawBufferPointer) throws(Failure) -> Void

  init(
    read:
      @escaping @Sendable (Int, UnsafeMutableRawBufferPointer) throws(Failure) ->
      Void
  ) {
    self.read = read
  }
}
