internal import ParticlesCore

/// What stands in a PNG before its image data.
///
/// libpng takes the memory that a chunk asks for before it looks at what is there, and unpacks texts
/// whatever they become; so it gets to see only chunks that are there, and that a picture needs.
enum PNGChunks {
  /// Besides those without which there is no picture, whose names begin with a capital letter.
  private static let needed: Set = ["tRNS", "gAMA", "sRGB", "cHRM", "sBIT", "iCCP"]
  /// A profile that is longer describes a printer.
  private static let longest = 64 << 10

  /// The same file without what its picture does not need.
  /// - Throws: ``Rule/image`` if a chunk before the image data is cut off.
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
      if length <= longest, isCritical || needed.contains(name) {
        result += bytes[start..<reader.position]
      }
    }
    return result
  }
}
