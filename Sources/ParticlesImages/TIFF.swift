package import ParticlesCore

/// TIFF files (revision 6.0) of the simple kind that effects embed: gray, RGB or RGBA of 8 bits in
/// strips. Own code, because the common library brings far more than that, and far more faults.
package enum TIFF {
  /// Reads the first picture of a file, converted to 8-bit RGBA.
  ///
  /// Pictures may be uncompressed or compressed by LZW, PackBits or Deflate, with or without
  /// horizontal prediction, with components beside each other or in planes, and with alpha that
  /// colours are multiplied by or not.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/image``, also for files of
  ///   another kind, or of ``ParticlesCore/Rule/limit`` if it has more pixels than the limits allow.
  package static func decode(_ bytes: [UInt8], limits: Limits = .standard) throws -> Bitmap {
    let layout = try TIFFLayout(TIFFDirectory(bytes), limits: limits)
    var pixels = [UInt8](repeating: 255, count: layout.width * layout.height * 4)
    for (number, strip) in try layout.strips(of: bytes.count).enumerated() {
      let content = try layout.unpack(strip, number: number, of: bytes)
      layout.place(content, from: strip, in: &pixels)
    }
    var bitmap = Bitmap(width: layout.width, height: layout.height, pixels: pixels)
    if layout.alpha == .multiplied { bitmap.divideByAlpha() }
    return bitmap
  }
}

/// The entries of the first directory of a TIFF file, as far as they are whole numbers.
package struct TIFFDirectory: Sendable {
  /// The numbers of each tag.
  private var entries: [Int: [Int]] = [:]

  package init(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes, rule: .image)
    let order = Array(try reader.read(2))
    let isLittle = order == [0x49, 0x49]
    func number(_ size: Int) throws -> Int {
      Int(try isLittle ? reader.littleEndian(size) : reader.bigEndian(size))
    }
    guard isLittle || order == [0x4D, 0x4D], try number(2) == 42 else {
      throw Diagnostic(.image, at: .offset(0), expected: "'II' or 'MM' and 42, as TIFF begins")
    }
    try reader.seek(to: number(4))
    for _ in 0..<(try number(2)) {
      let (tag, type, count) = try (number(2), number(2), number(4))
      let next = reader.position + 4
      // 1, 3 and 4 are whole numbers of 1, 2 and 4 bytes; no tag of interest has another type.
      if let size = [1: 1, 3: 2, 4: 4][type], count > 0 {
        guard count <= bytes.count / size else {
          throw reader.failure("tag \(tag) has more values than the file bytes", found: "\(count)")
        }
        if size * count > 4 { try reader.seek(to: number(4)) }
        entries[tag] = try (0..<count).map { _ in try number(size) }
      }
      try reader.seek(to: next)
    }
  }

  /// The numbers of a tag, or nil if there is none.
  package subscript(tag: Int) -> [Int]? { entries[tag] }
}

extension Bitmap {
  /// Makes colours that are multiplied by alpha those that they were.
  fileprivate mutating func divideByAlpha() {
    mapColors { color, alpha in
      alpha == 0 ? 0 : UInt8(min(255, (Int(color) * 255 + Int(alpha) / 2) / Int(alpha)))
    }
  }
}
