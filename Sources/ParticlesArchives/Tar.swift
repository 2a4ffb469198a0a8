package import ParticlesContainer
package import ParticlesCore

/// Reads and writes tar archives.
package enum Tar {
  /// Whether these bytes begin a tar archive, possibly compressed with gzip.
  package static func isArchive(_ bytes: [UInt8]) -> Bool {
    hasSignature(bytes) || isCompressed(bytes) && hasSignature(beginning(of: bytes))
  }

  /// Opens an archive. Contents are read on demand, except from gzip, which is unpacked to memory.
  package static func unpack(_ source: ByteSource, limits: Limits) throws -> Container {
    let size = source.size
    var source = source
    if isCompressed(try source.bytes(at: 0, count: min(source.size, 2))) {
      source = try unpacked(source, limits: limits)
    }
    var reader = TarReader(source, size: size, limits: limits)
    return try reader.read()
  }

  /// Writes the contents of a directory. Returns warnings on names that are not portable; a tar archive
  /// holds everything else.
  package static func pack(
    _ root: FileNode, _ sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> [Diagnostic] {
    try TarWriter(sink).write(root)
    return root.portabilityWarnings()
  }

  /// The size of a header, and the unit to which contents are padded.
  static let blockSize = 512
  private static let signature = Array("ustar".utf8)
  private static let signatureOffset = 257

  /// Returns the size of contents with padding.
  static func padded(_ size: Int) -> Int { (size + blockSize - 1) / blockSize * blockSize }

  private static func hasSignature(_ bytes: [UInt8]) -> Bool {
    bytes.dropFirst(signatureOffset).starts(with: signature)
  }

  /// Whether this is gzip.
  private static func isCompressed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// Returns the decompressed bytes up to the signature; empty if the stream is damaged or short.
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

  /// Decompresses an archive to memory, because files are read in any order and a compressed stream
  /// cannot be read backwards.
  private static func unpacked(_ source: ByteSource, limits: Limits) throws -> ByteSource {
    try locating(Location(file: source.name)) {
      var position = 0
      var output: [UInt8] = []
      // A gzip file may have several members.
      while position < source.size {
        let start = position
        guard isCompressed(try source.bytes(at: start, count: min(2, source.size - start))) else {
          throw Diagnostic(.tar, at: .offset(start), "data follows the compressed archive")
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
