package import ParticlesCore

/// Bytes with random access: a file, memory, or what a closure reads.
public struct ByteSource: Sendable {
  /// The number of bytes.
  public let size: Int

  /// The name of the source in the locations of diagnostics: a path or an address.
  public let name: String?

  /// The file that the bytes are read from, at the same offsets; nil if they come from elsewhere.
  package private(set) var file: OpenFile?

  private let read: @Sendable (Int, UnsafeMutableRawBufferPointer) throws -> Void

  /// Creates a source.
  /// - Parameters:
  ///   - size: the number of bytes.
  ///   - name: the name of the source in diagnostics.
  ///   - read: fills the whole buffer with the bytes from an offset on, or throws; its errors are
  ///     rethrown unchanged. It is only asked for bytes before `size`, possibly from several threads
  ///     at once.
  public init(
    size: Int, name: String? = nil,
    read:
      @escaping @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws ->
      Void
  ) {
    self.size = size
    self.name = name
    self.read = read
  }

  /// Bytes in memory.
  public static func bytes(_ bytes: [UInt8], name: String? = nil) -> ByteSource {
    ByteSource(size: bytes.count, name: name) { offset, buffer in
      buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    }
  }

  /// A file, kept open as long as the source is in use. If another file replaces it later, the source
  /// still reads the one that was opened. It is never mapped into memory.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` or ``ParticlesCore/Rule/fileUnreadable``.
  public static func file(_ path: String) throws -> ByteSource {
    let file = try OpenFile(readingAtOnce: path)
    let status = try file.status()
    guard status.kind == .file else {
      throw Diagnostic(.fileUnreadable, at: Location(file: path), "not a regular file")
    }
    return .file(file, size: status.size)
  }

  /// The first `size` bytes of an open file.
  package static func file(_ file: OpenFile, size: Int) -> ByteSource {
    var source = ByteSource(size: size, name: file.path) { offset, buffer in
      try file.read(at: offset, into: buffer)
    }
    source.file = file
    return source
  }

  /// Whether the first bytes are the signature of a flat package.
  package var isFlatPackage: Bool {
    get throws { Header.isSignature(try bytes(at: 0, count: min(size, Layout.signature.count))) }
  }

  /// Returns a source with the same bytes that reads the last `count` now and keeps them in memory.
  func cachingEnd(_ count: Int) throws -> ByteSource {
    let start = size - count
    let end = try bytes(at: start, count: count)
    var source = ByteSource(size: size, name: name) { [read] offset, buffer in
      guard offset >= start else { return try read(offset, buffer) }
      buffer.copyBytes(from: end[(offset - start)..<(offset - start + buffer.count)])
    }
    source.file = file
    return source
  }

  /// Fills `buffer` with the bytes from `offset` on; the range must be inside the source.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    try read(offset, buffer)
  }

  /// Returns `count` bytes from `offset` on; the range must be inside the source.
  package func bytes(at offset: Int, count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      try read(offset, UnsafeMutableRawBufferPointer(buffer))
      initialized = count
    }
  }
}
