public import ParticlesCore

extension FileContents {
  /// Reads a stream of unknown length to its end.
  ///
  /// Contents of 64 KiB or more are compressed into an unnamed temporary file, in the blocks of a flat
  /// package, so that packing with ``Container/PackingOptions/reusesBlocks`` does not compress them
  /// again. Memory use does not depend on the length.
  /// - Parameters:
  ///   - limits: ``ParticlesCore/Limits/entryBytes`` is the greatest length.
  ///   - next: returns the next bytes, of any number; nil or none at the end.
  /// - Throws: errors of `next`; ``ParticlesCore/Rule/limit``; others of the family `file` if the
  ///   temporary file cannot be written.
  public static func spooling(
    limits: Limits = .standard, _ next: () throws -> [UInt8]?
  ) throws -> FileContents {
    var spool = Spool()
    while let bytes = try next(), !bytes.isEmpty {
      try limits.check(spool.size + bytes.count, \.entryBytes, "bytes of an entry")
      try spool.append(bytes)
    }
    return try spool.finish()
  }
}

/// Compresses a stream into a temporary file.
private struct Spool {
  private(set) var size = 0

  private var pending: [UInt8] = []
  private var file: OpenFile?
  private var position = 0
  private var blocks: [Block] = []
  private let compressor = PayloadCompressor(level: .standard)

  mutating func append(_ bytes: [UInt8]) throws {
    size += bytes.count
    var rest = bytes[...]
    while pending.count + rest.count >= Layout.blockSize {
      let count = Layout.blockSize - pending.count
      pending += rest.prefix(count)
      rest = rest.dropFirst(count)
      try writeBlock()
    }
    pending += rest
  }

  /// Returns the contents: in memory if they are small, because small files share blocks.
  mutating func finish() throws -> FileContents {
    if blocks.isEmpty, pending.count < Layout.packSize { return FileContents(pending) }
    if !pending.isEmpty { try writeBlock() }
    guard let file else { return FileContents([]) }
    file.makeParkable()
    let stream = StreamReader(.file(file, size: position)) { [blocks] in blocks }
    return FileContents(size: size, origin: Origin(stream: stream, offset: 0))
  }

  private typealias Origin = FileContents.Origin

  /// Writes the pending bytes as a block.
  private mutating func writeBlock() throws {
    let file = try file ?? Files.createAnonymous()
    self.file = file
    let payload = pending.withUnsafeBytes { compressor.compressBlock($0) }
    pending.removeAll(keepingCapacity: true)
    let offset = blocks.last?.end ?? 0
    let head = try FrameHeader(.data, payload, place: offset)
    try file.write(head.bytes + payload.stored)
    blocks.append(
      Block(
        offset: offset, rawLength: payload.rawLength,
        frame: .init(position: position, length: head.frameLength)))
    position += head.frameLength
  }
}
