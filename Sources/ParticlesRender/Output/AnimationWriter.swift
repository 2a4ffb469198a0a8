public import ParticlesCore
public import ParticlesImages

/// Writes frames, one after the other, to a file of an ``AnimationFormat``.
///
/// ```swift
/// let writer = try AnimationWriter(.gif, width: 256, height: 256, timing: FrameTiming(count: 60, rate: 30)) {
///   file += $0
/// }
/// for frame in frames { try writer.append(frame) }
/// try writer.finish()
/// ```
///
/// Bytes are passed on as soon as they are known, and no more frames are held than are compressed at the
/// same time on all processors; only WebP and HTML keep the compressed frames until the end. The same
/// frames give the same bytes on any number of processors. Not thread-safe.
public final class AnimationWriter {
  /// How pixels that are partly transparent become opaque or transparent ones, which is all that GIF
  /// has.
  public enum Transparency: Sendable, Hashable {
    /// Frames are drawn over a colour, with components from 0 to 255; nothing is transparent.
    case matte(red: UInt8, green: UInt8, blue: UInt8)
    /// As many pixels become opaque as the mean opacity of a place requires, in a fixed pattern: soft
    /// light stays soft over any background.
    case dithered
    /// Pixels with less than half of the opacity become transparent. This suits hard edges; soft light
    /// becomes smaller.
    case threshold
  }

  /// The compression of WebP.
  public enum Quality: Sendable, Hashable {
    /// Every visible pixel is exact.
    case lossless
    /// From 0 (small) to 100 (good).
    case lossy(Double)
  }

  /// Repetition, transparency, compression and limits.
  public struct Options: Sendable {
    /// How often the animation is played; 0 (default) for ever. At most 65,535.
    public var plays = 0
    /// Whether GIF files are made smaller, with colours that are visibly less exact side by side; false by
    /// default.
    public var isSmall = false
    /// Whether videos have no transparency; false by default. Their frames must be opaque then.
    public var isOpaque = false
    /// How GIF stores pixels that are partly transparent; `dithered` by default.
    public var transparency = Transparency.dithered
    /// The compression of WebP; `lossless` by default. HTML uses `lossy(90)` unless it is set, videos
    /// `lossy(75)`.
    public var quality: Quality?
    /// Bounds for the size of frames (`pixels`) and their number (`frames`).
    public var limits = Limits.standard
    /// The heading, parameters and problems of an HTML page; its picture is set by the writer.
    package var card = PreviewCard(name: "")

    /// Creates the default options.
    public init() {}
  }

  /// The number of frames appended so far.
  public private(set) var count = 0

  private let plan: FramePlan
  private let encoder: any FrameEncoder
  private var isFinished = false

  /// Creates a writer.
  /// - Parameters:
  ///   - format: the format of the file.
  ///   - width: the width of every frame in pixels, at least 1.
  ///   - height: the height of every frame in pixels, at least 1.
  ///   - timing: the number of frames and their durations.
  ///   - options: repetition, transparency, compression and limits.
  ///   - sink: receives the next bytes of the file; on any thread, but never on two at once.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if the format cannot store such frames,
  ///   ``ParticlesCore/Rule/limit`` if they exceed the limits; errors of `sink`.
  public init(
    _ format: AnimationFormat, width: Int, height: Int, timing: FrameTiming,
    options: Options = Options(), sink: @escaping (_ bytes: [UInt8]) throws -> Void
  ) throws {
    try format.check(width: width, height: height, limits: options.limits)
    try timing.check(options.limits)
    guard format.isAnimated || timing.count == 1 else {
      throw Diagnostic(
        .imageOutput, "\(format.name) files have one frame", expected: "1 frame",
        found: "\(timing.count)", hint: "write .apng, .gif, .webp or .html, or a sheet")
    }
    guard (0...65_535).contains(options.plays) else {
      throw Diagnostic(
        .imageOutput, "the number of plays", expected: "0 to 65,535", found: "\(options.plays)")
    }
    if case .lossy(let quality) = options.quality, !(0...100).contains(quality) {
      throw Diagnostic(.imageOutput, "the quality", expected: "0 to 100", found: "\(quality)")
    }
    plan = FramePlan(width: width, height: height, timing: timing, options: options)
    encoder =
      switch format {
      case .gif: try GIFEncoder(plan, sink)
      case .webp: try WebPEncoder(plan, sink)
      case .html: PreviewEncoder(plan, sink)
      case .webm, .mp4: try VideoEncoder(plan, format, sink)
      default: try APNGEncoder(plan, isAnimated: format.isAnimated, sink)
      }
  }

  /// Encodes the next frame.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if the size differs or there were enough frames;
  ///   errors of the sink; `CancellationError` if the current task is cancelled.
  public func append(_ frame: Bitmap) throws {
    try plan.check(frame, number: count)
    try Task.checkCancellation()
    count += 1
    try encoder.append(frame)
  }

  /// Writes the rest of the file.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if frames are missing, errors of the sink.
  public func finish() throws {
    try plan.checkEnd(count)
    guard !isFinished else { return }
    isFinished = true
    try encoder.finish()
  }
}

extension AnimationFormat {
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if the format has no pictures of this size,
  ///   ``ParticlesCore/Rule/limit`` if they have too many pixels.
  func check(width: Int, height: Int, limits: Limits) throws {
    for (side, value) in [("width", width), ("height", height)]
    where !(1...largestSide).contains(value) {
      throw Diagnostic(
        .imageOutput, "the \(side) of \(name) pictures", expected: "1 to \(largestSide) pixels",
        found: "\(value)",
        hint: value > 0 ? "use a smaller size, or write .apng" : "use a size of at least 1 pixel")
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    try limits.check(overflow ? .max : pixels, \.pixels, "pixels of an image")
  }
}

/// The input of an encoder before the first frame.
struct FramePlan {
  let width: Int
  let height: Int
  let timing: FrameTiming
  let options: AnimationWriter.Options
  /// The number of threads, on which bytes do not depend.
  var threads = Parallel.defaultThreads

  var whole: PixelRectangle { PixelRectangle(x: 0..<width, y: 0..<height) }

  /// The number of frames that are encoded at the same time: enough for all threads, and no more than
  /// 64 MiB.
  var groupSize: Int { limited(threads * 4) }

  /// The number of first frames that decide the colours of a file: the same for any number of threads.
  var sampleSize: Int { limited(8) }

  /// So many frames, but no more than 64 MiB have room for, and at least one.
  private func limited(_ frames: Int) -> Int {
    max(1, min(frames, (64 << 20) / (width * height * 4)))
  }

  /// - Throws: ``Rule/imageOutput`` if a frame is one too many or has another size.
  func check(_ frame: Bitmap, number: Int) throws {
    guard (frame.width, frame.height) == (width, height) else {
      throw Diagnostic(
        .imageOutput, "the size of frame \(number)", expected: "\(width) × \(height)",
        found: "\(frame.width) × \(frame.height)", hint: "draw all frames with one size")
    }
    guard number < timing.count else {
      throw Diagnostic(
        .imageOutput, "too many frames", expected: "\(timing.count)", found: "\(number + 1)")
    }
  }

  /// - Throws: ``Rule/imageOutput`` if frames are missing.
  func checkEnd(_ count: Int) throws {
    guard count == timing.count else {
      throw Diagnostic(
        .imageOutput, "frames are missing", expected: "\(timing.count)", found: "\(count)")
    }
  }
}

/// Turns frames into a file.
protocol FrameEncoder: AnyObject {
  func append(_ frame: Bitmap) throws
  /// Called once, after the last frame.
  func finish() throws
}
