package import ParticlesContainer
package import ParticlesCore

/// Tar archives, and what reading and writing them have in common.
package enum Tar {
  /// Whether this is the beginning of an archive, also of one in gzip.
  package static func isArchive(_ bytes: [UInt8]) -> Bool {
    hasSignature(bytes) || isCompressed(bytes) && hasSignature(beginning(of: bytes))
  }

  /// Opens an archive. Contents are read when they are asked for, except for those in gzip.
  package static func unpack(_ source: ByteSource, limits: Limits) throws -> Container {
    var source = source
    if isCompressed(try source.bytes(at: 0, count: min(source.size, 2))) {
      source = try unpacked(source, limits: limits)
    }
    var reader = TarReader(source, limits: limits)
    return try reader.read()
  }

  /// Writes all that is in a directory. An archive holds it all, so there is nothing to report.
  package static func pack(
    _ root: FileNode, _ sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> [Diagnostic] {
    try TarWriter(sink).write(root)
    return []
  }

  /// Headers are blocks, and contents are filled up to blocks.
  static let blockSize = 512
  private static let signature = Array("ustar".utf8)
  private static let signatureOffset = 257

  /// The bytes that `size` bytes of contents take.
  static func padded(_ size: Int) -> Int { (size + blockSize - 1) / blockSize * blockSize }

  private static func hasSignature(_ bytes: [UInt8]) -> Bool {
    bytes.dropFirst(signatureOffset).starts(with: signature)
  }

  /// Whether this is gzip.
  private static func isCompressed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// The first block of what was compressed, or as much of it as the bytes allow; empty if they are
  /// damaged.
  private static func beginning(of bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    let stream = InflateStream(.automatic, rule: .tar) { buffer in
      let piece = rest.prefix(min(buffer.count, 32))
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
    var output = [UInt8](repeating: 0, count: signatureOffset + signature.count)
    let count = try? output.withUnsafeMutableBytes { try stream.read(into: $0) }
    return count == output.count ? output : []
  }

  /// A compressed archive, unpacked in memory: its files stand in any order, and going back in a
  /// compressed stream means to begin anew.
  private static func unpacked(_ source: ByteSource, limits: Limits) throws -> ByteSource {
    try locating(Location(file: source.name)) {
      var position = 0
      var output: [UInt8] = []
      // A file of gzip may be several, one after the other.
      while position < source.size {
        let start = position
        guard isCompressed(try source.bytes(at: start, count: min(2, source.size - start))) else {
          throw Diagnostic(.tar, at: .offset(start), "something follows the compressed archive")
        }
        var taken = start
        let stream = InflateStream(.automatic, rule: .tar) { buffer in
          let count = min(buffer.count, source.size - taken)
          try source.read(
            at: taken, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
          taken += count
          return count
        }
        while !stream.isAtEnd {
          output += try [UInt8](unsafeUninitializedCapacity: InflateStream.pieceSize) {
            $1 = try stream.read(into: UnsafeMutableRawBufferPointer($0))
          }
          try limits.check(output.count, \.fileBytes, "bytes of a compressed archive")
        }
        position = start + stream.consumed
      }
      return .bytes(output, name: source.name)
    }
  }
}
