internal import ParticlesCore

/// The chunks of a PNG before its image data.
///
/// libpng allocates the length that a chunk specifies before it checks the file size, and inflates
/// texts without a bound. So it is given only complete chunks that decoding needs.
package enum PNGChunks {
  /// Returns a chunk: length, name, content and checksum.
  package static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.bigEndian(UInt64(content.count), 4)
    writer.write(name.utf8)
    writer.write(content)
    writer.bigEndian(UInt64(CRC32.checksum(writer.bytes.dropFirst(4))), 4)
    return writer.bytes
  }

  /// Whether these bytes are a complete PNG file whose chunks all have the right checksums.
  package static func areSound(in bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: PNG.signature) else { return false }
    var position = PNG.signature.count
    // Length, name and checksum.
    while bytes.count - position >= 12 {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - position - 12 else { return false }
      let checksum = position + 8 + length
      let stated = bytes[checksum..<checksum + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      guard CRC32.checksum(bytes[(position + 4)..<checksum]) == stated else { return false }
      let isLast = bytes[(position + 4)..<(position + 8)].elementsEqual("IEND".utf8)
      position = checksum + 4
      if isLast { return position == bytes.count }
    }
    return false
  }

  /// Ancillary chunks that decoding needs. Critical ones have names that begin with a capital
  /// letter.
  private static let needed: Set = ["tRNS", "gAMA", "sRGB", "cHRM", "sBIT", "iCCP"]
  /// In bytes; longer colour profiles are those of printers.
  private static let longest = 64 << 10

  /// Returns the file without chunks that decoding does not need.
  /// - Throws: ``Rule/image`` if a chunk before the image data is truncated.
  static func needed(of bytes: [UInt8]) throws -> [UInt8] {
    guard bytes.starts(with: PNG.signature) else { return bytes }
    var reader = ByteReader(bytes, rule: .image)
    _ = try reader.read(PNG.signature.count)
    var result = PNG.signature
    while !reader.isAtEnd {
      let start = reader.position
      let length = Int(try reader.bigEndian(4))
      let name = String(decoding: try reader.read(4), as: UTF8.self)
      if name == "IDAT" { return start == result.count ? bytes : result + bytes[start...] }
      _ = try reader.read(length)
      _ = try reader.read(4)
      let isCritical = name.utf8.first.map { $0 & 0x20 == 0 } ?? false
      if isCritical || length <= longest && needed.contains(name) {
        result += bytes[start..<reader.position]
      }
    }
    return result
  }
}
