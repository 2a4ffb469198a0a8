internal import ParticlesCore
internal import ParticlesImages

// An image inside of a text: PNG or TIFF in gzip in base64.

extension CocosFamily {
  func unpack(_ text: String, limits: Limits) throws -> [UInt8] {
    var bytes = try [UInt8](base64: text, rule: .embeddedImage)
    // gzip, or zlib without it.
    if bytes.starts(with: [0x1F, 0x8B]) || bytes.first == 0x78 {
      bytes = try Zlib.inflate(bytes, limit: limits.fileBytes, rule: .embeddedImage)
    }
    switch ImageFormat(of: bytes) {
    case .png?: _ = try PNG.decode(bytes, limits: limits)
    case .tiff?: _ = try TIFF.decode(bytes, limits: limits)
    case nil:
      throw Diagnostic(
        .embeddedImage, expected: "an image",
        found: "bytes that begin with \(bytes.prefix(4).hexDigits)")
    default: break
    }
    return bytes
  }

  func pack(_ image: [UInt8]) -> String { Deflate(level: 9).gzip(image).base64 }
}
