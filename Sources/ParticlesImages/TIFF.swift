package import ParticlesCore

/// Baseline TIFF files (revision 6.0) as effects embed them: 8-bit gray, RGB or RGBA in strips.
/// libtiff is not used: its attack surface is much larger than this subset.
package enum TIFF {
  /// Decodes the first picture of a file to 8-bit RGBA.
  ///
  /// Supports no compression, LZW, PackBits and Deflate; horizontal prediction; interleaved and
  /// planar components; straight and premultiplied alpha.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/image``, also for files of
  ///   another kind, or of ``ParticlesCore/Rule/limit`` if it has more pixels than the limits allow.
  package static func decode(_ bytes: [UInt8], limits: Limits = .standard) throws -> Bitmap {
    let layout = try TIFFLayout(TIFFDirectory(bytes), limits: limits)
    var pixels = [UInt8](repeating: 255, count: layout.width * layout.height * 4)
    for (number, strip) in try layout.strips(of: bytes.count).enumerated() {
      try Task.checkCancellation()
      let content = try layout.unpack(strip, number: number, of: bytes)
      layout.place(content, from: strip, in: &pixels)
    }
    var bitmap = Bitmap(width: layout.width, height: layout.height, pixels: pixels)
    if layout.alpha == .multiplied { bitmap.divideByAlpha() }
    return bitmap
  }
}

/// The integer entries of the first directory of a TIFF file.
package struct TIFFDirectory: Sendable {
  /// Where the values of a tag begin, how many bytes each has, and how many there are.
  private struct Place {
    let start: Int
    let size: Int
    let count: Int
  }

  private let bytes: [UInt8]
  private let isLittle: Bool
  /// The values of each tag, which are read when they are asked for: many tags may share many bytes.
  private var places: [Int: Place] = [:]

  package init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    var reader = ByteReader(bytes, rule: .image)
    let order = Array(try reader.read(2))
    let isLittle = order == [0x49, 0x49]
    self.isLittle = isLittle
    func number(_ size: Int) throws -> Int {
      Int(try isLittle ? reader.littleEndian(size) : reader.bigEndian(size))
    }
    guard isLittle || order == [0x4D, 0x4D], try number(2) == 42 else {
      throw Diagnostic(.image, at: .offset(0), expected: "a TIFF header: 'II' or 'MM', then 42")
    }
    try reader.seek(to: number(4))
    for _ in 0..<(try number(2)) {
      let (tag, type, count) = try (number(2), number(2), number(4))
      let next = reader.position + 4
      // 1, 3 and 4 are whole numbers of 1, 2 and 4 bytes; no tag of interest has another type.
      if let size = [1: 1, 3: 2, 4: 4][type], count > 0 {
        guard count <= bytes.count / size else {
          throw reader.failure(
            "tag \(tag) has more values than the file has bytes", found: "\(count)")
        }
        if size * count > 4 { try reader.seek(to: number(4)) }
        places[tag] = Place(start: reader.position, size: size, count: count)
        try reader.seek(to: reader.position + size * count)
      }
      try reader.seek(to: next)
    }
  }

  /// The values of a tag, or nil if it is absent.
  package subscript(tag: Int) -> [Int]? {
    guard let place = places[tag] else { return nil }
    return (0..<place.count).map { index in
      let start = place.start + index * place.size
      let value = bytes[start..<(start + place.size)]
      return isLittle
        ? value.reversed().reduce(0) { $0 << 8 | Int($1) } : value.reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

extension Bitmap {
  /// Divides colours by alpha.
  fileprivate mutating func divideByAlpha() {
    mapColors { color, alpha in
      alpha == 0 ? 0 : UInt8(min(255, (Int(color) * 255 + Int(alpha) / 2) / Int(alpha)))
    }
  }
}
