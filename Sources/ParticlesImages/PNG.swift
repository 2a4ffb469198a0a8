internal import CParticlesPNG
public import ParticlesCore

/// PNG files (ISO 15948), read and written by libpng.
public enum PNG {
  /// The first bytes of every PNG file.
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Decodes a picture of any PNG colour type to 8-bit RGBA, also from Apple's variant of PNG.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/image``, or of
  ///   ``ParticlesCore/Rule/limit`` if it has more pixels than the limits allow. `CancellationError`, after
  ///   the row that is read, if the current task is cancelled.
  public static func decode(_ bytes: [UInt8], limits: Limits = .standard) throws(Failure) -> Bitmap
  {
    try isAppleVariant(bytes)
      ? ApplePNG.decode(bytes, limits: limits) : decodePlain(bytes, limits: limits)
  }

  /// Returns whether a file is of the variant that Xcode writes for iOS.
  package static func isAppleVariant(_ bytes: [UInt8]) -> Bool { ApplePNG.isOne(bytes) }

  static func decodePlain(_ bytes: [UInt8], limits: Limits) throws(Failure) -> Bitmap {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    // libpng keeps the pointer until the picture has been read.
    return try PNGChunks.needed(of: bytes).withUnsafeBytes { bytes in
      guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
        throw failure(image)
      }
      try limits.checkImage(Int(image.width) * Int(image.height))
      image.format = rgba
      let (width, height) = (Int(image.width), Int(image.height))
      var pixels = [UInt8](repeating: 0, count: width * height * 4)
      particles_png_ask(&image) { Task.isCancelled ? 1 : 0 }
      guard png_image_finish_read(&image, nil, &pixels, 0, nil) != 0 else {
        try WorkBudget.checkCancellation()
        throw failure(image)
      }
      return Bitmap(width: width, height: height, pixels: pixels)
    }
  }

  /// Encodes a picture with 8-bit RGBA pixels.
  public static func encode(_ bitmap: Bitmap) throws(Failure) -> [UInt8] {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    image.width = UInt32(bitmap.width)
    image.height = UInt32(bitmap.height)
    image.format = rgba
    defer { png_image_free(&image) }
    // Enough for pixels that do not compress.
    var size = bitmap.pixels.count * 2 + bitmap.height * 16 + 4096
    var bytes = [UInt8](repeating: 0, count: size)
    guard png_image_write_to_memory(&image, &bytes, &size, 0, bitmap.pixels, 0, nil) != 0 else {
      throw failure(image)
    }
    return Array(bytes.prefix(size))
  }

  /// Encodes a picture as ``encode(_:)`` does, in less than a third of the time and with an eighth more bytes: for pictures
  /// that are waited for.
  package static func encodeFast(_ bitmap: Bitmap) -> [UInt8] {
    var header = ByteWriter()
    header.bigEndian(UInt64(bitmap.width), 4)
    header.bigEndian(UInt64(bitmap.height), 4)
    // 8 bits, colours with alpha, deflate, filters, no interlacing.
    header.write([8, 6, 0, 0, 0])
    let whole = PixelRectangle(x: 0..<bitmap.width, y: 0..<bitmap.height)
    let rows = PNGRows(level: 1).compress(bitmap.pixels, width: bitmap.width, whole)
    return signature + PNGChunks.chunk("IHDR", header.bytes) + PNGChunks.chunk("sRGB", [0])
      + PNGChunks.chunk("IDAT", rows) + PNGChunks.chunk("IEND", [])
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
