internal import ParticlesCore
internal import ParticlesImages

/// Parts of GIF files (version 89a).
struct GIFFile: Sendable {
  let width: Int
  let height: Int
  /// The colours of frames without own ones. The last one is for pixels without a colour.
  let palette: Palette
  /// A colour that every palette has exactly, so that no trace of a particle is left on it.
  let background: UInt32

  /// A frame.
  struct Frame {
    var rectangle: PixelRectangle
    /// Own colours; nil for those of the file.
    var palette: Palette?
    /// The number of transparent pixels; nil if there are none.
    var transparent: Int?
    /// In hundredths of a second.
    var delay: Int
    /// Whether the rectangle becomes transparent before the next frame.
    var isCleared: Bool
  }

  /// Returns the beginning of a file: header, colours and, for animations, how often it is played.
  /// - Parameter plays: 0 for ever; nil for a still picture.
  func head(plays: Int?) -> [UInt8] {
    var head = ByteWriter()
    head.write(Array("GIF89a".utf8))
    for side in [width, height] { head.littleEndian(UInt64(side), 2) }
    // A table of colours, of 8 bits each.
    head.write([0xF0 | UInt8(palette.bits - 1), 0, 0])
    head.write(Self.table(palette))
    // The block counts repetitions after the first time; without it, there are none.
    if let plays, plays != 1 {
      head.write([0x21, 0xFF, 11])
      head.write(Array("NETSCAPE2.0".utf8))
      head.write([3, 1])
      head.littleEndian(UInt64(plays == 0 ? 0 : plays - 1), 2)
      head.write([0])
    }
    return head.bytes
  }

  /// Returns the bytes of a frame.
  /// - Parameter data: its compressed pixels.
  func bytes(of frame: Frame, _ data: [UInt8]) -> [UInt8] {
    var bytes = ByteWriter()
    // Graphic control: how it is disposed of, and whether a colour is transparent.
    bytes.write([
      0x21, 0xF9, 4, (frame.isCleared ? 8 : 4) | (frame.transparent == nil ? 0 : 1),
    ])
    bytes.littleEndian(UInt64(frame.delay), 2)
    bytes.write([UInt8(frame.transparent ?? 0), 0, 0x2C])
    let (x, y) = (frame.rectangle.x, frame.rectangle.y)
    for number in [x.lowerBound, y.lowerBound, x.count, y.count] {
      bytes.littleEndian(UInt64(number), 2)
    }
    if let palette = frame.palette {
      bytes.write([0x80 | UInt8(palette.bits - 1)])
      bytes.write(Self.table(palette))
    } else {
      bytes.write([0])
    }
    return bytes.bytes + data
  }

  /// The last byte of a file.
  static let trailer: [UInt8] = [0x3B]

  private static func table(_ palette: Palette) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 << palette.bits)
    for color in palette.colors {
      bytes += [UInt8(color & 255), UInt8(color >> 8 & 255), UInt8(color >> 16 & 255)]
    }
    return bytes + [UInt8](repeating: 0, count: (3 << palette.bits) - bytes.count)
  }
}

extension Palette {
  /// The number of bits of a number in the palette of a file, at least 1.
  var bits: Int {
    var bits = 1
    while 1 << bits < colors.count { bits += 1 }
    return bits
  }
}
