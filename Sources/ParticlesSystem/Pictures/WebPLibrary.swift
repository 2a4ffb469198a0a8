internal import CParticlesWebP
package import ParticlesCore

/// WebP files, read and written by libwebp.
package enum WebPLibrary {
  /// - Parameter quality: from 0 (small) to 100 (good), or nil for pictures whose visible pixels are all exact.
  private static func configuration(_ quality: Double?) throws -> WebPConfig {
    var config = WebPConfig()
    guard WebPConfigInit(&config) != 0 else { throw failure("this libwebp has another interface") }
    if let quality {
      // Transparency stays exact: fewer levels make files of soft light larger.
      config.quality = Float(quality)
      config.method = 3
    } else {
      config.lossless = 1
      // Higher values make files of particles less than 3 % smaller, in several times the time.
      config.method = 2
      config.quality = 20
    }
    return config
  }

  /// Returns a file with one picture.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if libwebp fails.
  package static func still(_ bitmap: PixelRows, _ quality: Double?) throws -> [UInt8] {
    var config = try configuration(quality)
    return try withPicture(bitmap) { picture in
      var writer = WebPMemoryWriter()
      WebPMemoryWriterInit(&writer)
      defer { WebPMemoryWriterClear(&writer) }
      return try withUnsafeMutablePointer(to: &writer) { writer in
        picture.pointee.writer = WebPMemoryWrite
        picture.pointee.custom_ptr = UnsafeMutableRawPointer(writer)
        guard WebPEncode(&config, picture) != 0 else {
          throw failure("error \(picture.pointee.error_code.rawValue) of libwebp")
        }
        return Array(UnsafeBufferPointer(start: writer.pointee.mem, count: writer.pointee.size))
      }
    }
  }

  /// An animation. libwebp compresses each frame when it is added, and keeps the results.
  package final class Animation {
    private let encoder: OpaquePointer
    private var config: WebPConfig

    /// - Parameter plays: 0 for ever.
    package init(width: Int, height: Int, plays: Int, _ quality: Double?) throws {
      config = try configuration(quality)
      var options = WebPAnimEncoderOptions()
      guard WebPAnimEncoderOptionsInit(&options) != 0 else {
        throw failure("this libwebpmux has another interface")
      }
      options.anim_params.loop_count = CInt(plays)
      options.anim_params.bgcolor = 0
      guard let encoder = WebPAnimEncoderNew(CInt(width), CInt(height), &options) else {
        throw failure("out of memory")
      }
      self.encoder = encoder
    }

    deinit { WebPAnimEncoderDelete(encoder) }

    /// - Parameter time: the beginning of the frame in milliseconds.
    package func append(_ bitmap: PixelRows, time: Int) throws {
      try withPicture(bitmap) { picture in
        try check(WebPAnimEncoderAdd(encoder, picture, CInt(time), &config))
      }
    }

    /// Returns the file.
    /// - Parameter time: the end of the last frame in milliseconds.
    package func finish(time: Int) throws -> [UInt8] {
      try check(WebPAnimEncoderAdd(encoder, nil, CInt(time), nil))
      var data = WebPData()
      defer { WebPDataClear(&data) }
      try check(WebPAnimEncoderAssemble(encoder, &data))
      return Array(UnsafeBufferPointer(start: data.bytes, count: data.size))
    }

    private func check(_ status: CInt) throws {
      guard status != 0 else {
        let message = WebPAnimEncoderGetError(encoder).map { String(cString: $0) } ?? ""
        throw failure(message.isEmpty ? "libwebp failed" : message)
      }
    }
  }

  private static func withPicture<Result>(
    _ bitmap: PixelRows,
    _ body: (UnsafeMutablePointer<WebPPicture>) throws -> Result
  ) throws -> Result {
    var picture = WebPPicture()
    guard WebPPictureInit(&picture) != 0 else {
      throw failure("this libwebp has another interface")
    }
    defer { WebPPictureFree(&picture) }
    picture.use_argb = 1
    picture.width = CInt(bitmap.width)
    picture.height = CInt(bitmap.height)
    guard WebPPictureImportRGBA(&picture, bitmap.pixels, CInt(bitmap.width * 4)) != 0 else {
      throw failure("out of memory")
    }
    return try body(&picture)
  }

  private static func failure(_ message: String) -> Diagnostic {
    Diagnostic(.imageOutput, message)
  }

  /// Decodes a picture. An animation gives its first frame in its place on the transparent canvas.
  package static func decode(_ bytes: [UInt8], limits: Limits) throws -> PixelRows {
    try bytes.withUnsafeBufferPointer { source in
      var features = WebPBitstreamFeatures()
      guard WebPGetFeatures(source.baseAddress, source.count, &features) == VP8_STATUS_OK else {
        throw Diagnostic(.image, "a damaged WebP header")
      }
      try limits.checkImage(Int(features.width) * Int(features.height))
      return try features.has_animation == 0 ? picture(source) : firstFrame(source)
    }
  }

  /// Decodes a file, or a frame of one, without animation.
  private static func picture(_ source: UnsafeBufferPointer<UInt8>) throws -> PixelRows {
    var (width, height) = (CInt(0), CInt(0))
    guard WebPGetInfo(source.baseAddress, source.count, &width, &height) != 0 else {
      throw Diagnostic(.image, "a damaged WebP header")
    }
    var bitmap = PixelRows(width: Int(width), height: Int(height))
    let count = bitmap.pixels.count
    guard
      WebPDecodeRGBAInto(source.baseAddress, source.count, &bitmap.pixels, count, width * 4) != nil
    else { throw Diagnostic(.image, "damaged or missing WebP pixels") }
    return bitmap
  }

  private static func firstFrame(_ source: UnsafeBufferPointer<UInt8>) throws -> PixelRows {
    var data = WebPData(bytes: source.baseAddress, size: source.count)
    guard let mux = WebPMuxCreate(&data, 0) else {
      throw Diagnostic(.image, "a damaged WebP animation")
    }
    defer { WebPMuxDelete(mux) }
    var (width, height) = (CInt(0), CInt(0))
    var frame = WebPMuxFrameInfo()
    guard WebPMuxGetCanvasSize(mux, &width, &height) == WEBP_MUX_OK, width > 0, height > 0,
      WebPMuxGetFrame(mux, 1, &frame) == WEBP_MUX_OK
    else { throw Diagnostic(.image, "a damaged WebP animation") }
    defer { WebPDataClear(&frame.bitstream) }
    let part = try picture(
      UnsafeBufferPointer(start: frame.bitstream.bytes, count: frame.bitstream.size))
    var canvas = PixelRows(width: Int(width), height: Int(height))
    let (x, y) = (Int(frame.x_offset), Int(frame.y_offset))
    guard x >= 0, y >= 0, x + part.width <= canvas.width, y + part.height <= canvas.height else {
      throw Diagnostic(.image, "a WebP frame outside of its canvas")
    }
    for row in 0..<part.height {
      let target = ((y + row) * canvas.width + x) * 4
      let line = row * part.width * 4
      canvas.pixels.replaceSubrange(
        target..<target + part.width * 4, with: part.pixels[line..<line + part.width * 4])
    }
    return canvas
  }
}
