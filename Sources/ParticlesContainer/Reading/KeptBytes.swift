internal import ParticlesCore

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
  mutating func keep(_ bytes: [UInt8], at position: Int) throws {
    parts.append((position, bytes))
    size += bytes.count + Self.partSize
    if size > Self.memory { _ = try store() }
  }

  /// Returns the bytes before a position, up to which some are kept.
  mutating func source(size: Int) throws -> ByteSource {
    let file = try store()
    return ByteSource(size: size) { try file.read(at: $0, into: $1) }
  }

  /// Moves everything to the file.
  private mutating func store() throws -> OpenFile {
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
