internal import ParticlesCore
internal import ParticlesImages

/// Encodes animated WebP files. Times are whole milliseconds. Equal frames become one.
final class WebPEncoder {
  private let sink: ([UInt8]) throws(Failure) -> Void
  private let animation: WebPFile.Animation
  /// In milliseconds: the beginning of each frame, and the end.
  private let times: [Int]
  private var count = 0

  init(_ plan: FramePlan, _ sink: @escaping ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    self.sink = sink
    times = plan.timing.starts.map { Int(saturating: ($0 * 1000).rounded()) }
    animation = try WebPFile.Animation(
      width: plan.width, height: plan.height, plays: plan.options.plays,
      (plan.options.quality ?? .lossless).ofWebP)
  }

  func append(_ frame: Bitmap) throws(Failure) {
    try animation.append(frame, time: times[count])
    count += 1
  }

  func finish() throws(Failure) { try sink(animation.finish(time: times[count])) }
}

extension AnimationWriter.Quality {
  /// The quality in the terms of libwebp.
  var ofWebP: WebPFile.Quality {
    switch self {
    case .lossless: .lossless
    case .lossy(let quality): .lossy(quality)
    }
  }
}
