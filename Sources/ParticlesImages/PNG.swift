public import ParticlesCore

/// PNG files (ISO 15948), natively written by libpng.
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
      ? ApplePNG.decode(bytes, limits: limits) : PNGDecoder.decode(bytes, limits: limits)
  }

  /// Returns whether a file is of the variant that Xcode writes for iOS.
  package static func isAppleVariant(_ bytes: [UInt8]) -> Bool { ApplePNG.isOne(bytes) }

  /// Encodes a picture with 8-bit RGBA pixels.
  public static func encode(_ bitmap: Bitmap) throws(Failure) -> [UInt8] {
    try PictureLibraries.encodePNG(bitmap)
  }

  /// Encodes a picture as ``encode(_:)`` does, in less than a third of the time and with an eighth more bytes: for pictures
  /// that are waited for.
  package static func encodeFast(_ bitmap: Bitmap) -> [UInt8] { encode(bitmap, level: 1) }

  /// Encodes a picture with our own filters.
  /// - Parameter level: of the compressor, from 1 to 12.
  static func encode(_ bitmap: Bitmap, level: Int) -> [UInt8] {
    var header = ByteWriter()
    header.bigEndian(UInt64(bitmap.width), 4)
    header.bigEndian(UInt64(bitmap.height), 4)
    // 8 bits, colours with alpha, deflate, filters, no interlacing.
    header.write([8, 6, 0, 0, 0])
    let whole = PixelRectangle(x: 0..<bitmap.width, y: 0..<bitmap.height)
    let rows = PNGRows(level: level).compress(bitmap.pixels, width: bitmap.width, whole)
    return signature + PNGChunks.chunk("IHDR", header.bytes) + PNGChunks.chunk("sRGB", [0])
      + PNGChunks.chunk("IDAT", rows) + PNGChunks.chunk("IEND", [])
  }
}
