internal import CParticlesJPEG
internal import CParticlesJPEGReader
internal import ParticlesCore

/// JPEG files, read by libjpeg-turbo.
enum JPEG {
  /// The most scans of a file. Programs write about ten. Each scan, however short, takes the time of a whole picture.
  private static let mostScans = 100

  /// Decodes a gray or coloured picture. Inks (CMYK, YCCK) become colours without a profile.
  static func decode(_ bytes: [UInt8], limits: Limits) throws(Failure) -> Bitmap {
    try bytes.withUnsafeBufferPointer { source in
      var jpeg = particles_jpeg()
      try check(particles_jpeg_open(&jpeg, source.baseAddress, source.count), jpeg)
      let (width, height) = (Int(jpeg.width), Int(jpeg.height))
      try limits.checkImage(width * height)
      var pixels = [UInt8](repeating: 0, count: width * height * 4)
      let status = particles_jpeg_read(
        &jpeg, source.baseAddress, source.count, &pixels, pixels.count, CInt(mostScans)
      ) { Task.isCancelled ? 1 : 0 }
      try check(status, jpeg)
      if jpeg.has_inks != 0 { mixInks(&pixels, areInverted: jpeg.is_of_adobe != 0) }
      return Bitmap(width: width, height: height, pixels: pixels)
    }
  }

  private static func check(_ status: CInt, _ jpeg: particles_jpeg) throws(Failure) {
    guard status != CInt(PARTICLES_JPEG_READ) else { return }
    try WorkBudget.checkCancellation()
    let message = withUnsafeBytes(of: jpeg.message) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    throw Diagnostic(.image, message.isEmpty ? nil : message)
  }

  /// Replaces cyan, magenta, yellow and black by opaque colours.
  private static func mixInks(_ pixels: inout [UInt8], areInverted: Bool) {
    for index in stride(from: 0, to: pixels.count, by: 4) {
      if !areInverted { for part in index..<index + 4 { pixels[part] = 255 - pixels[part] } }
      let light = Int(pixels[index + 3])
      for part in index..<index + 3 {
        pixels[part] = UInt8((Int(pixels[part]) * light + 127) / 255)
      }
      pixels[index + 3] = 255
    }
  }
}
