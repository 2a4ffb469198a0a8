internal import CParticlesPNG
package import ParticlesCore

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

/// PNG files, read and written by libpng.
package enum PNGLibrary {
  /// Decodes a file with the chunks that decoding needs, and no others: libpng allocates the length that a chunk states.
  /// - Throws: ``ParticlesCore/Rule/image``, or ``ParticlesCore/Rule/limit`` if it has more pixels than the limits allow.
  ///   `CancellationError`, after the row that is read, if the current task is cancelled.
  package static func decode(_ bytes: [UInt8], limits: Limits) throws -> PixelRows {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    // libpng keeps the pointer until the picture has been read.
    return try bytes.withUnsafeBytes { bytes in
      guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
        throw failure(image)
      }
      try limits.checkImage(Int(image.width) * Int(image.height))
      image.format = rgba
      var picture = PixelRows(width: Int(image.width), height: Int(image.height))
      particles_png_ask(&image) { Task.isCancelled ? 1 : 0 }
      guard png_image_finish_read(&image, nil, &picture.pixels, 0, nil) != 0 else {
        try Task.checkCancellation()
        throw failure(image)
      }
      return picture
    }
  }

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
