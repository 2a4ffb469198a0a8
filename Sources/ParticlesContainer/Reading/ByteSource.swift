public import ParticlesCore

/// Bytes with random access: a file, memory, or what a closure reads.
public struct ByteSource: Sendable {
  /// State that copies share: a reader makes many.
  private final class Storage: Sendable {
    let size: Int
    let name: String?
    let file: ForeignFile?
    let read: Read
    /// The last bytes, where they are kept in memory.
    let end: [UInt8]

    init(size: Int, name: String?, file: ForeignFile?, end: [UInt8], read: @escaping Read) {
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
  package var file: ForeignFile? { storage.file }

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

  /// Creates a source of the first bytes of a file.
  package init(size: Int, name: String, of file: ForeignFile) {
    storage = Storage(size: size, name: name, file: file, end: []) {
      offset, buffer throws(Failure) in
      try file.read(at: offset, into: buffer)
    }
  }

  /// Bytes in memory.
  public static func bytes(_ bytes: [UInt8], name: String? = nil) -> ByteSource {
    ByteSource(Storage(size: bytes.count, name: name, file: nil, end: bytes) { _, _ in })
  }

  /// Whether the first bytes are the signature of a flat package.
  package var isFlatPackage: Bool {
    get throws(Failure) {
      Header.isSignature(try bytes(at: 0, count: min(size, Layout.signature.count)))
    }
  }

  /// These bytes, and others behind them.
  func followed(by bytes: [UInt8]) -> ByteSource {
    let end = size
    return ByteSource(size: end + bytes.count, name: name) { offset, buffer throws(Failure) in
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
    storage.end.withBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range]))
    }
  }

  /// Calls `body` with `count` bytes from `offset` on. The range must be inside the source.
  func withBytes<Result>(
    at offset: Int, count: Int,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let range = try rangeInEnd(offset, count) else {
      return try withUnsafeTemporaryAllocation(byteCount: count, alignment: 16) {
        buffer throws(Failure) in
        try storage.read(offset, buffer)
        return try body(UnsafeRawBufferPointer(buffer))
      }
    }
    return try storage.end.withBytes { end throws(Failure) in
      try body(UnsafeRawBufferPointer(rebasing: end[range]))
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
    return try [UInt8](unsafeUninitializedCapacity: count) {
      buffer, initialized throws(Failure) in
      try storage.read(offset, UnsafeMutableRawBufferPointer(buffer))
      initialized = count
    }
  }
}

/// A file that a source reads, as the module for disks knows it.
open class ForeignFile: @unchecked Sendable {
  package init() {}

  /// Fills `buffer` with the bytes from `offset` on.
  /// - Throws: errors of the system.
  open func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) {}

  /// Whether another program is appending to the file, or has finished since it had a size.
  /// - Throws: errors of the system.
  open func isGrowing(beyond size: Int) throws(Failure) -> Bool { false }
}
