internal import ParticlesCore

/// The variant of PNG that Xcode puts into iOS applications.
///
/// It differs in three points: a chunk `CgBI` precedes the header, image data are a raw deflate
/// stream without zlib header and checksum, and pixels are BGRA with premultiplied alpha. Only
/// Apple's systems read it. There is no specification. The facts are from public descriptions.
enum ApplePNG {
  /// Whether a file is of this variant.
  static func isOne(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: PNG.signature) && bytes.dropFirst(12).starts(with: marker)
  }

  private static let marker = Array("CgBI".utf8)
  private static let header = Array("IHDR".utf8)
  private static let data = Array("IDAT".utf8)
  private static let end = Array("IEND".utf8)

  /// Decodes a picture.
  ///
  /// The rows are wrapped into a standard PNG and decoded, then the colours are
  /// corrected. Filters work on bytes, so the rows need not be unfiltered before.
  static func decode(_ bytes: [UInt8], limits: Limits) throws(Failure) -> Bitmap {
    var head: [UInt8] = []
    var stream: [UInt8] = []
    var others: [UInt8] = []
    var reader = ByteReader(bytes, rule: .image)
    _ = try reader.read(PNG.signature.count)
    chunks: while true {
      let length = Int(size: try reader.bigEndian(4))
      let kind = Array(try reader.read(4))
      let content = try reader.read(length)
      _ = try reader.read(4)
      switch kind {
      case header: head = Array(content)
      case data: stream += content
      case end: break chunks
      case marker: break
      default: others += chunk(kind, content)
      }
    }
    guard head.count == 13, head[8] == 8, let components = [2: 3, 6: 4][head[9]] else {
      throw Diagnostic(.image, expected: "8-bit RGB or RGBA in Apple's variant of PNG")
    }
    var sizes = ByteReader(head, rule: .image)
    let (width, height) = (Int(size: try sizes.bigEndian(4)), Int(size: try sizes.bigEndian(4)))
    guard (1..<1 << 31).contains(width), (1..<1 << 31).contains(height) else {
      throw Diagnostic(
        .image, expected: "a width and height of at least 1", found: "\(width) × \(height)")
    }
    try limits.checkImage(width: width, height: height)
    // Filtered rows, with a filter byte each. An interlaced picture has up to twice as many.
    let rows = try Zlib.inflate(
      stream, as: .deflate, limit: height * (width * components + 2) * 2, rule: .image)
    let compressed = rows.withUnsafeBytes { Deflate(level: 1).zlib($0, limit: rows.count * 2 + 64) }
    let plain =
      PNG.signature + chunk(header, head[...]) + others + chunk(data, (compressed ?? [])[...])
      + chunk(end, [])
    return try PNGDecoder.decode(plain, limits: limits).correctingAppleColors()
  }

  private static func chunk(_ kind: [UInt8], _ content: ArraySlice<UInt8>) -> [UInt8] {
    func bigEndian(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    let body = kind + content
    return bigEndian(UInt32(content.count)) + body + bigEndian(CRC32.checksum(body))
  }
}

extension Bitmap {
  /// Swaps red and blue, and divides colours by alpha.
  fileprivate func correctingAppleColors() -> Bitmap {
    var pixels = pixels
    for index in stride(from: 0, to: pixels.count, by: 4) {
      pixels.swapAt(index, index + 2)
      let alpha = Int(pixels[index + 3])
      guard alpha > 0, alpha < 255 else { continue }
      for component in index..<index + 3 {
        pixels[component] = UInt8(min(255, (Int(pixels[component]) * 255 + alpha / 2) / alpha))
      }
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }
}
