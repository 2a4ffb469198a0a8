package import ParticlesCore

/// WebP files, natively read and written by libwebp.
package enum WebPFile {
  /// The compression of a file.
  package enum Quality: Sendable {
    /// Every visible pixel is exact.
    case lossless
    /// From 0 (small) to 100 (good).
    case lossy(Double)

    var number: Double? { if case .lossy(let number) = self { number } else { nil } }
  }

  /// Returns a file with one picture.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if libwebp fails.
  package static func still(_ bitmap: Bitmap, _ quality: Quality) throws(Failure) -> [UInt8] {
    try PictureLibraries.encodeWebP(bitmap, quality: quality.number)
  }

  /// An animation. libwebp compresses each frame when it is added, and keeps the results.
  package final class Animation {
    private let file: PictureLibraries.WebPAnimation

    /// - Parameter plays: 0 for ever.
    package init(width: Int, height: Int, plays: Int, _ quality: Quality) throws(Failure) {
      file = try PictureLibraries.WebPAnimation(
        width: width, height: height, plays: plays, quality.number)
    }

    /// - Parameter time: the beginning of the frame in milliseconds.
    package func append(_ bitmap: Bitmap, time: Int) throws(Failure) {
      try file.append(bitmap, time: time)
    }

    /// Returns the file.
    /// - Parameter time: the end of the last frame in milliseconds.
    package func finish(time: Int) throws(Failure) -> [UInt8] { try file.finish(time: time) }
  }

  /// The fault in pages, where libwebp is absent.
  static var absent: Diagnostic { Diagnostic(.imageOutput, "pages write no WebP") }
}
