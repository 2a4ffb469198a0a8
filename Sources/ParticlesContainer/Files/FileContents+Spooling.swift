public import ParticlesCore

extension FileContents {
  /// Contents that come from a stream whose length nobody knows beforehand.
  ///
  /// The stream is read to its end. What is 64 KiB or longer is compressed into a temporary file
  /// without a name, in the very blocks that a flat package will take, so that packing it with
  /// ``Container/PackingOptions/reusesBlocks`` compresses nothing again. Memory does not depend on
  /// the length.
  /// - Parameters:
  ///   - limits: ``ParticlesCore/Limits/entryBytes`` ends the stream with an error.
  ///   - next: gives the next bytes, as many as it likes; nil or none at the end.
  /// - Throws: what `next` throws; ``ParticlesCore/Rule/limit``; others of the family `file` if there
  ///   is no room for the temporary file.
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

/// A stream on its way into a temporary file.
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

  /// The contents: in memory if they are small, as small files share blocks.
  mutating func finish() throws -> FileContents {
    if blocks.isEmpty, pending.count < Layout.packSize { return FileContents(pending) }
    if !pending.isEmpty { try writeBlock() }
    guard let file else { return FileContents([]) }
    let stream = StreamReader(.file(file, size: position)) { [blocks] in blocks }
    return FileContents(size: size, origin: Origin(stream: stream, offset: 0))
  }

  private typealias Origin = FileContents.Origin

  /// Writes what is pending, which is a block.
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
