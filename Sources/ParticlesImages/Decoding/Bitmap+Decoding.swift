public import ParticlesCore

extension Bitmap {
  /// Decodes a picture of any format that is read: PNG, also in Apple's variant, JPEG, WebP, GIF, BMP, TGA and
  /// TIFF. Of several frames, it is the first one.
  ///
  /// ```swift
  /// let spark = try Bitmap(decoding: bytes)
  /// ```
  /// - Throws: a ``ParticlesCore/Diagnostic``: ``ParticlesCore/Rule/image`` if the file is damaged,
  ///   ``ParticlesCore/Rule/imageUnchecked`` if it has another format, with the name of the format and the next step,
  ///   ``ParticlesCore/Rule/limit`` if it has more pixels than the limits allow. `CancellationError` if the current
  ///   task is cancelled.
  public init(decoding bytes: [UInt8], limits: Limits = .standard) throws {
    try Task.checkCancellation()
    self =
      switch ImageFormat(of: bytes) {
      case .png?: try PNG.decode(bytes, limits: limits)
      case .tiff?: try TIFF.decode(bytes, limits: limits)
      case .jpeg?: try JPEG.decode(bytes, limits: limits)
      case .webP?: try WebPFile.decode(bytes, limits: limits)
      case .gif?: try GIF.decode(bytes, limits: limits)
      case .bmp?: try BMP.decode(bytes, limits: limits)
      case .tga?: try TGA.decode(bytes, limits: limits)
      default: throw UnreadFile.fault(of: bytes)
      }
    try Task.checkCancellation()
  }
}
