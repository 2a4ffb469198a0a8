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
  private static let data = Array("IDAT".utf8)
  private static let end = Array("IEND".utf8)

  /// Decodes a picture, and then corrects the colours. Filters work on bytes, so the rows need not be unfiltered before.
  static func decode(_ bytes: [UInt8], limits: Limits) throws(Failure) -> Bitmap {
    // Checksums of chunks are not looked at. These are the other chunks, with right ones.
    var plain = PNG.signature
    var stream: [UInt8] = []
    var reader = ByteReader(bytes, rule: .image)
    _ = try reader.read(PNG.signature.count)
    chunks: while true {
      let length = Int(size: try reader.bigEndian(4))
      let kind = Array(try reader.read(4))
      let content = try reader.read(length)
      _ = try reader.read(4)
      switch kind {
      case data: stream += content
      case end: break chunks
      case marker: break
      default: plain += PNGChunks.chunk(kind, content)
      }
    }
    let head = try PNGHead(plain + PNGChunks.chunk(data, []))
    guard head.depth == 8, head.kind == 2 || head.kind == 6 else {
      throw Diagnostic(.image, expected: "8-bit RGB or RGBA in Apple's variant of PNG")
    }
    try limits.checkImage(width: head.width, height: head.height)
    // Filtered rows, with a filter byte each. An interlaced picture has up to twice as many.
    let limit = head.height * (head.width * head.samples + 2) * 2
    let rows = try Zlib.inflate(stream, as: .deflate, limit: limit, rule: .image)
    return try PNGDecoder.decode(head, PNGData(rows: rows)).correctingAppleColors()
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
