internal import CParticlesPNG
internal import ParticlesCore

/// libpng, which judges our own decoder.
package enum PNGReferee {
  /// Returns the size of a picture and its pixels as 8-bit RGBA, or nil for a file that libpng refuses.
  /// - Parameters:
  ///   - bytes: a file. libpng gets the chunks that decoding needs: it allocates the length that a chunk states, and
  ///     inflates texts without a bound.
  ///   - limit: the most pixels.
  package static func decode(
    _ bytes: [UInt8], limit: Int
  ) -> (width: Int, height: Int, pixels: [UInt8])? {
    guard let bytes = try? needed(of: bytes) else { return nil }
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    // libpng keeps the pointer until the picture has been read.
    return bytes.withUnsafeBytes { bytes in
      guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
        return nil
      }
      let (width, height) = (Int(image.width), Int(image.height))
      guard width * height <= limit else { return nil }
      // PNG_FORMAT_RGBA is a macro with casts, which Swift does not import.
      image.format = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
      var pixels = [UInt8](repeating: 0, count: width * height * 4)
      guard png_image_finish_read(&image, nil, &pixels, 0, nil) != 0 else { return nil }
      return (width, height, pixels)
    }
  }

  /// Ancillary chunks that decoding needs. Critical ones have names that begin with a capital
  /// letter.
  private static let needed: Set = ["tRNS", "gAMA", "sRGB", "cHRM", "sBIT", "iCCP"]
  /// In bytes. Longer colour profiles belong to printers.
  private static let longest = 64 << 10

  private static func needed(of bytes: [UInt8]) throws -> [UInt8] {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    guard bytes.starts(with: signature) else { return bytes }
    var reader = ByteReader(bytes, rule: .image)
    _ = try reader.read(signature.count)
    var result = signature
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
