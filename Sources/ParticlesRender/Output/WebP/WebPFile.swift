internal import CParticlesWebP
internal import ParticlesCore
internal import ParticlesImages

/// WebP files, written by libwebp.
enum WebPFile {
  /// Returns a file with one picture.
  static func still(_ bitmap: Bitmap, _ quality: AnimationWriter.Quality) throws -> [UInt8] {
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
  final class Animation {
    private let encoder: OpaquePointer
    private var config: WebPConfig

    /// - Parameter plays: 0 for ever.
    init(width: Int, height: Int, plays: Int, _ quality: AnimationWriter.Quality) throws {
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
    func append(_ bitmap: Bitmap, time: Int) throws {
      try withPicture(bitmap) { picture in
        try check(WebPAnimEncoderAdd(encoder, picture, CInt(time), &config))
      }
    }

    /// Returns the file.
    /// - Parameter time: the end of the last frame in milliseconds.
    func finish(time: Int) throws -> [UInt8] {
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

  private static func configuration(_ quality: AnimationWriter.Quality) throws -> WebPConfig {
    var config = WebPConfig()
    guard WebPConfigInit(&config) != 0 else { throw failure("this libwebp has another interface") }
    switch quality {
    case .lossless:
      config.lossless = 1
      // Higher values make files of particles less than 3 % smaller, in several times the time.
      config.method = 2
      config.quality = 20
    case .lossy(let quality):
      // Transparency stays exact: fewer levels make files of soft light larger.
      config.quality = Float(quality)
      config.method = 3
    }
    return config
  }

  private static func withPicture<Result>(
    _ bitmap: Bitmap, _ body: (UnsafeMutablePointer<WebPPicture>) throws -> Result
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
}
