public import ParticlesCore
package import ParticlesSystem

/// Bytes with random access: a file, memory, or what a closure reads.
public struct ByteSource: Sendable {
  /// State that copies share: a reader makes many.
  private final class Storage: Sendable {
    let size: Int
    let name: String?
    let file: OpenFile?
    let read: Read
    /// The last bytes, where they are kept in memory.
    let end: [UInt8]

    init(size: Int, name: String?, file: OpenFile?, end: [UInt8], read: @escaping Read) {
      (self.size, self.name, self.file, self.end, self.read) = (size, name, file, end, read)
    }
  }

  private typealias Read =
    @Sendable (Int, UnsafeMutableRawBufferPointer) throws(Failure) -> Void

  private let storage: Storage

  /// The number of bytes.
  public var size: Int { storage.size }

  /// The name of the source in the locations of diagnostics: a path or an address.
  public var name: String? { storage.name }

  /// The file that the bytes are read from, at equal offsets, or nil if they come from elsewhere.
  package var file: OpenFile? { storage.file }

  /// Creates a source.
  /// - Parameters:
  ///   - size: the number of bytes.
  ///   - name: the name of the source in diagnostics.
  ///   - read: fills the whole buffer with the bytes from an offset on, or throws. Its errors are rethrown unchanged.
  ///     It is only asked for bytes before `size`, possibly from several threads at once.
  public init(
    size: Int, name: String? = nil,
    read:
      @escaping @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer)
      throws(Failure) ->
      Void
  ) {
    storage = Storage(size: size, name: name, file: nil, end: [], read: read)
  }

  private init(_ storage: Storage) { self.storage = storage }

  /// Bytes in memory.
  public static func bytes(_ bytes: [UInt8], name: String? = nil) -> ByteSource {
    ByteSource(Storage(size: bytes.count, name: name, file: nil, end: bytes) { _, _ in })
  }

  /// A file, kept open as long as the source is in use. If another file replaces it later, the source still reads the
  /// opened file. Of many such files, few keep a descriptor.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` or ``ParticlesCore/Rule/fileUnreadable``.
  public static func file(_ path: String) throws(Failure) -> ByteSource {
    let file = try OpenFile(readingAtOnce: path)
    let status = try file.status()
    guard status.kind == .file else {
      throw Diagnostic(.fileUnreadable, at: Location(file: path), "not a regular file")
    }
    file.makeParkable()
    return .file(file, size: status.size)
  }

  /// The first `size` bytes of an open file.
  package static func file(_ file: OpenFile, size: Int) -> ByteSource {
    ByteSource(
      Storage(size: size, name: file.path, file: file, end: []) {
        try file.read(at: $0, into: $1)
      })
  }

  /// Whether the first bytes are the signature of a flat package.
  package var isFlatPackage: Bool {
    get throws { Header.isSignature(try bytes(at: 0, count: min(size, Layout.signature.count))) }
  }

  /// These bytes, and others behind them.
  func followed(by bytes: [UInt8]) -> ByteSource {
    let end = size
    return ByteSource(size: end + bytes.count, name: name) { offset, buffer in
      let count = min(max(0, end - offset), buffer.count)
      if count > 0 {
        try self.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      }
      if count < buffer.count {
        let start = offset + count - end
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
          .copyBytes(from: bytes[start..<start + buffer.count - count])
      }
    }
  }

  /// Returns a source of these bytes that reads the last `count` now and keeps them in memory.
  func cachingEnd(_ count: Int) throws(Failure) -> ByteSource {
    if count <= storage.end.count { return self }
    let end = try bytes(at: size - count, count: count)
    return ByteSource(
      Storage(size: size, name: name, file: file, end: end, read: storage.read))
  }

  /// Fills `buffer` with the bytes from `offset` on. The range must be inside the source.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) {
    guard let range = try rangeInEnd(offset, buffer.count) else {
      return try storage.read(offset, buffer)
    }
    storage.end.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range]))
    }
  }

  /// Calls `body` with `count` bytes from `offset` on. The range must be inside the source.
  func withBytes<Result>(
    at offset: Int, count: Int,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let range = try rangeInEnd(offset, count) else {
      return try withUnsafeTemporaryAllocation(byteCount: count, alignment: 16) { buffer in
        try storage.read(offset, buffer)
        return try body(UnsafeRawBufferPointer(buffer))
      }
    }
    return try storage.end.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[range]))
    }
  }

  /// Where bytes are in the part that is kept in memory, or nil if some are outside.
  /// - Throws: ``ParticlesCore/Rule/truncated`` if they are not inside the source.
  private func rangeInEnd(_ offset: Int, _ count: Int) throws(Failure) -> Range<
    Int
  >? {
    guard offset >= 0, count >= 0, count <= storage.size - offset else {
      throw Diagnostic(
        .truncated, at: .offset(max(0, offset)), expected: "\(count) bytes from byte \(offset) on",
        found: "\(storage.size) bytes in all")
    }
    let start = offset - (storage.size - storage.end.count)
    return start < 0 ? nil : start..<start + count
  }

  /// Returns `count` bytes from `offset` on. The range must be inside the source.
  package func bytes(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
    if let range = try rangeInEnd(offset, count) { return Array(storage.end[range]) }
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      try storage.read(offset, UnsafeMutableRawBufferPointer(buffer))
      initialized = count
    }
  }
}

/// Bytes that are kept at their positions: in memory up to 256 KiB, more in a temporary file. Gaps between
/// them read as zeros.
struct KeptBytes: ~Copyable {
  private static let memory = 256 << 10
  /// The memory of a part besides its bytes.
  private static let partSize = 48

  /// The parts in memory.
  private var parts: [(position: Int, bytes: [UInt8])] = []
  private var size = 0
  private var file: OpenFile?

  /// Keeps bytes. Positions ascend.
  mutating func keep(_ bytes: [UInt8], at position: Int) throws(Failure) {
    parts.append((position, bytes))
    size += bytes.count + Self.partSize
    if size > Self.memory { _ = try store() }
  }

  /// Returns the bytes before a position, up to which some are kept.
  mutating func source(size: Int) throws(Failure) -> ByteSource {
    let file = try store()
    return ByteSource(size: size) { try file.read(at: $0, into: $1) }
  }

  /// Moves everything to the file.
  private mutating func store() throws(Failure) -> OpenFile {
    let file = try self.file ?? Files.createAnonymous()
    var start = 0
    var run: [UInt8] = []
    for part in parts {
      // Parts that touch each other are written at once.
      if start + run.count != part.position {
        try run.withUnsafeBytes { try file.write($0, at: start) }
        (start, run) = (part.position, [])
      }
      run += part.bytes
    }
    try run.withUnsafeBytes { try file.write($0, at: start) }
    (parts, size) = ([], 0)
    self.file = file
    return file
  }
}
