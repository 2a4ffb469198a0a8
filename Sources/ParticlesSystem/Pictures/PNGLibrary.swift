internal import CParticlesPNG
internal import ParticlesCore

/// Pixels of 8-bit RGBA with straight alpha, row by row from the top: what the libraries for pictures read and write.
package struct PixelRows {
  package var width: Int
  package var height: Int
  package var pixels: [UInt8]

  /// Creates a picture.
  /// - Parameter pixels: 4 bytes for each pixel.
  package init(width: Int, height: Int, pixels: [UInt8]) {
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// Creates a transparent picture.
  init(width: Int, height: Int) {
    self.init(width: width, height: height, pixels: Array(repeating: 0, count: width * height * 4))
  }
}

/// PNG files, written by libpng.
package enum PNGLibrary {
  /// Encodes a picture with 8-bit RGBA pixels.
  package static func encode(_ picture: PixelRows) throws -> [UInt8] {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    image.width = UInt32(picture.width)
    image.height = UInt32(picture.height)
    image.format = rgba
    defer { png_image_free(&image) }
    // Enough for pixels that do not compress.
    var size = picture.pixels.count * 2 + picture.height * 16 + 4096
    var bytes = [UInt8](repeating: 0, count: size)
    guard png_image_write_to_memory(&image, &bytes, &size, 0, picture.pixels, 0, nil) != 0 else {
      throw failure(image)
    }
    return Array(bytes.prefix(size))
  }

  // PNG_FORMAT_RGBA is a macro with casts, which Swift does not import.
  private static let rgba = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)

  private static func failure(_ image: png_image) -> Diagnostic {
    let message = withUnsafeBytes(of: image.message) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return Diagnostic(.image, message.isEmpty ? nil : message)
  }
}
