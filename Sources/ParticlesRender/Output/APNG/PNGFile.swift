internal import ParticlesCore
internal import ParticlesImages

/// The chunks of a PNG or APNG (ISO 15948, and the extension by Mozilla that is part of PNG 3).
enum PNGFile {
  /// How a frame changes the picture before it.
  enum Blend: UInt8 {
    /// Its pixels replace the old ones, with their transparency.
    case source = 0
    /// Its pixels are drawn over the old ones.
    case over = 1
  }

  /// Returns signature and header of an 8-bit RGBA picture; sRGB.
  static func head(width: Int, height: Int) -> [UInt8] {
    var header = ByteWriter()
    header.bigEndian(UInt64(width), 4)
    header.bigEndian(UInt64(height), 4)
    header.write([8, 6, 0, 0, 0])
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header.bytes)
      + chunk("sRGB", [0])
  }

  /// Returns the chunk that makes a picture an animation.
  /// - Parameter plays: 0 for ever.
  static func animation(frames: Int, plays: Int) -> [UInt8] {
    var content = ByteWriter()
    content.bigEndian(UInt64(frames), 4)
    content.bigEndian(UInt64(plays), 4)
    return chunk("acTL", content.bytes)
  }

  /// Returns a chunk: length, name, content and checksum.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    PNGChunks.chunk(name, content)
  }

  /// The last chunk.
  static let end = chunk("IEND", [])
}
