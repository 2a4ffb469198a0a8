public import ParticlesCore
public import ParticlesImages

/// Writes frames, in order, to a file of an ``AnimationFormat``.
///
/// ```swift
/// let writer = try AnimationWriter(.gif, width: 256, height: 256, timing: FrameTiming(count: 60, rate: 30)) {
///   file += $0
/// }
/// for frame in frames { try writer.append(frame) }
/// try writer.finish()
/// ```
///
/// Bytes are passed on as soon as they are known. Only as many frames are held as all processors
/// compress in parallel. WebP and HTML alone keep the compressed frames until the end. Equal frames give
/// equal bytes on any number of processors. Not thread-safe.
public final class AnimationWriter {
  /// How partly transparent pixels become opaque or transparent, because GIF has nothing in between.
  public enum Transparency: Sendable, Hashable {
    /// Frames are drawn over a colour, with components from 0 to 255. No pixel is transparent.
    case matte(red: UInt8, green: UInt8, blue: UInt8)
    /// As many pixels become opaque as the mean opacity of a place requires, in a fixed pattern: soft
    /// light stays soft over any background.
    case dithered
    /// Pixels with less than half of the opacity become transparent. This suits hard edges. Soft light
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
    /// How often the animation is played, at most 65,535. With 0, the default, it is played for ever.
    public var plays = 0
    /// Whether GIF files are made smaller, with less exact colours (visible side by side). The default
    /// is false.
    public var isSmall = false
    /// Whether videos have no transparency. The default is false. If true, their frames must be opaque.
    public var isOpaque = false
    /// How GIF stores partly transparent pixels. The default is `dithered`.
    public var transparency = Transparency.dithered
    /// The compression of WebP, by default `lossless`. Unless it is set, HTML uses `lossy(90)` and
    /// videos `lossy(75)`.
    public var quality: Quality?
    /// Bounds for the size of frames (`pixels`) and their number (`frames`).
    public var limits = Limits.standard
    /// The heading, parameters and problems of an HTML page. The writer sets its picture.
    package var card = PreviewCard(name: "")

    /// Creates the default options.
    public init() {}
  }

  /// The number of frames appended so far.
  public private(set) var count = 0

  private let plan: FramePlan
  private let encoder: FrameEncoder
  private var isFinished = false

  /// Creates a writer.
  /// - Parameters:
  ///   - format: the format of the file.
  ///   - width: the width of every frame in pixels, at least 1.
  ///   - height: the height of every frame in pixels, at least 1.
  ///   - timing: the number of frames and their durations.
  ///   - options: repetition, transparency, compression and limits.
  ///   - sink: receives the next bytes of the file, on any thread, but never on two at once.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if the format cannot store such frames,
  ///   ``ParticlesCore/Rule/limit`` if they exceed the limits, and errors of `sink`.
  public init(
    _ format: AnimationFormat, width: Int, height: Int, timing: FrameTiming,
    options: Options = Options(),
    sink: @escaping (_ bytes: [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
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
    encoder = try format.encoder(plan, sink)
  }

  /// Encodes the next frame.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if the size differs or there were enough frames,
  ///   `CancellationError` if the current task is cancelled, and errors of the sink.
  public func append(_ frame: Bitmap) throws(Failure) {
    try plan.check(frame, number: count)
    try WorkBudget.checkCancellation()
    count += 1
    try encoder.append(frame)
  }

  /// Writes the rest of the file.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if frames are missing, errors of the sink.
  public func finish() throws(Failure) {
    try plan.checkEnd(count)
    guard !isFinished else { return }
    isFinished = true
    try encoder.finish()
  }
}

extension AnimationFormat {
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if the format has no pictures of this size,
  ///   ``ParticlesCore/Rule/limit`` if they have too many pixels.
  func check(width: Int, height: Int, limits: Limits) throws(Failure) {
    for (side, value) in [("width", width), ("height", height)]
    where !(1...largestSide).contains(value) {
      throw Diagnostic(
        .imageOutput, "the \(side) of \(name) pictures", expected: "1 to \(largestSide) pixels",
        found: "\(value)",
        hint: value > 0 ? "use a smaller size, or write .apng" : "use a size of at least 1 pixel")
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    try limits.check(overflow ? .max : pixels, { $0.pixels }, "pixels of an image")
  }
}

/// The input of an encoder before the first frame.
package struct FramePlan {
  package let width: Int
  package let height: Int
  package let timing: FrameTiming
  package let options: AnimationWriter.Options
  /// The number of threads, on which bytes do not depend.
  var threads = Parallel.defaultThreads

  var whole: PixelRectangle { PixelRectangle(x: 0..<width, y: 0..<height) }

  /// The number of frames that are encoded in parallel: enough for all threads, and no more than 64
  /// MiB.
  var groupSize: Int { limited(threads * 4) }

  /// The number of first frames that decide the colours of a file. It does not depend on the number of threads.
  var sampleSize: Int { limited(8) }

  /// So many frames, but no more than 64 MiB have room for, and at least one.
  private func limited(_ frames: Int) -> Int {
    max(1, min(frames, (64 << 20) / (width * height * 4)))
  }

  /// - Throws: ``Rule/imageOutput`` if a frame is one too many or has another size.
  func check(_ frame: Bitmap, number: Int) throws(Failure) {
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
  func checkEnd(_ count: Int) throws(Failure) {
    guard count == timing.count else {
      throw Diagnostic(
        .imageOutput, "frames are missing", expected: "\(timing.count)", found: "\(count)")
    }
  }
}

/// Turns frames into a file.
package struct FrameEncoder {
  package let append: (_ frame: Bitmap) throws(Failure) -> Void
  /// Called once, after the last frame.
  package let finish: () throws(Failure) -> Void

  package init(
    append: @escaping (_ frame: Bitmap) throws(Failure) -> Void,
    finish: @escaping () throws(Failure) -> Void
  ) {
    (self.append, self.finish) = (append, finish)
  }
}

/// A format in which ``AnimationWriter`` writes pictures.
public struct AnimationFormat: Sendable, Hashable {
  /// The name for users.
  public let name: String
  /// The media type.
  public let mimeType: String
  /// The extensions, lower case and without full stop, the usual extension first.
  public let fileExtensions: [String]
  /// The greatest width and height in pixels.
  public let largestSide: Int
  /// Whether it stores more than one frame.
  public let isAnimated: Bool
  /// Whether a pixel can be partly transparent. If not, see ``AnimationWriter/Transparency``.
  public let hasAlpha: Bool
  /// Creates an encoder, which passes the next bytes of a file to `sink`.
  let encoder: Encoder

  package typealias Encoder =
    @Sendable (
      _ plan: FramePlan, _ sink: @escaping ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) -> FrameEncoder

  package init(
    name: String, mimeType: String, fileExtensions: [String], largestSide: Int, isAnimated: Bool,
    hasAlpha: Bool, encoder: @escaping Encoder
  ) {
    (self.name, self.mimeType, self.fileExtensions) = (name, mimeType, fileExtensions)
    (self.largestSide, self.isAnimated, self.hasAlpha) = (largestSide, isAnimated, hasAlpha)
    self.encoder = encoder
  }

  /// Whether two formats have one name.
  public static func == (a: AnimationFormat, b: AnimationFormat) -> Bool { a.name == b.name }

  /// Feeds the name into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// One PNG picture (ISO 15948).
  public static let png = AnimationFormat(
    name: "PNG", mimeType: "image/png", fileExtensions: ["png"], largestSide: 0x7FFF_FFFF,
    isAnimated: false, hasAlpha: true
  ) { plan, sink throws(Failure) in
    let encoder = try APNGEncoder(plan, isAnimated: false, sink)
    return FrameEncoder(append: encoder.append, finish: encoder.finish)
  }
  /// Animated PNG: every pixel and every duration is exact.
  public static let apng = AnimationFormat(
    name: "APNG", mimeType: "image/apng", fileExtensions: ["apng"], largestSide: 0x7FFF_FFFF,
    isAnimated: true, hasAlpha: true
  ) { plan, sink throws(Failure) in
    let encoder = try APNGEncoder(plan, isAnimated: true, sink)
    return FrameEncoder(append: encoder.append, finish: encoder.finish)
  }
  /// GIF (89a): 256 colours in a frame, delays in hundredths of a second.
  public static let gif = AnimationFormat(
    name: "GIF", mimeType: "image/gif", fileExtensions: ["gif"], largestSide: 65_535,
    isAnimated: true, hasAlpha: false
  ) { plan, sink throws(Failure) in
    let encoder = try GIFEncoder(plan, sink)
    return FrameEncoder(append: encoder.append, finish: encoder.finish)
  }
  /// Animated WebP, lossless or lossy.
  public static let webp = AnimationFormat(
    name: "WebP", mimeType: "image/webp", fileExtensions: ["webp"], largestSide: 16_383,
    isAnimated: true, hasAlpha: true
  ) { plan, sink throws(Failure) in
    let encoder = try WebPEncoder(plan, sink)
    return FrameEncoder(append: encoder.append, finish: encoder.finish)
  }
  /// A web page that contains its frames and plays them without a network.
  public static let html = AnimationFormat(
    name: "HTML", mimeType: "text/html", fileExtensions: ["html", "htm"], largestSide: 16_383,
    isAnimated: true, hasAlpha: true
  ) { plan, sink throws(Failure) in
    let encoder = PreviewEncoder(plan, sink)
    return FrameEncoder(append: encoder.append, finish: encoder.finish)
  }

  /// All formats that are written without other programs.
  public static let all: [AnimationFormat] = [.png, .apng, .gif, .webp, .html]
}

/// The number of frames of an animation, and the duration of each frame.
public struct FrameTiming: Sendable, Hashable {
  /// The number of frames.
  public let count: Int
  /// Seconds of each frame, or nil if all take equally long.
  private let durations: [Double]?
  /// Seconds of each frame if all take equally long.
  private let interval: Double

  /// Frames that take equally long.
  /// - Parameters:
  ///   - count: the number of frames, at least 1.
  ///   - rate: frames per second, more than 0 and at most 1,000.
  public init(count: Int, rate: Double) {
    self.count = count
    durations = nil
    interval = 1 / rate
  }

  /// Frames that take equally long, except the last frame, which takes a pause longer.
  /// - Parameters:
  ///   - count: the number of frames, at least 1.
  ///   - rate: frames per second, more than 0 and at most 1,000.
  ///   - pause: seconds, at least 0.
  public init(count: Int, rate: Double, pause: Double) {
    guard pause > 0, count > 0 else {
      self.init(count: count, rate: rate)
      return
    }
    var durations = [Double](repeating: 1 / rate, count: count)
    durations[count - 1] += pause
    self.init(durations: durations)
  }

  /// Frames with own durations, in seconds, from 0.001 to 655.35 each.
  public init(durations: [Double]) {
    count = durations.count
    self.durations = durations
    interval = 0
  }

  /// One picture.
  public static let still = FrameTiming(count: 1, rate: 1)

  /// Seconds of a frame.
  public func duration(of frame: Int) -> Double { durations?[frame] ?? interval }

  /// Seconds of all frames together.
  public var total: Double { durations?.reduce(0, +) ?? interval * Double(count) }

  /// Seconds from the beginning to each frame, and to the end.
  package var starts: [Double] {
    guard let durations else { return (0...count).map { Double($0) * interval } }
    return durations.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }

  /// - Throws: ``ParticlesCore/Rule/imageOutput`` for durations that some format cannot store,
  ///   ``ParticlesCore/Rule/limit`` for too many frames.
  func check(_ limits: Limits) throws(Failure) {
    guard count > 0 else {
      throw Diagnostic(
        .imageOutput, expected: "at least 1 frame", found: "0", hint: "use a longer duration")
    }
    try limits.check(count, { $0.frames }, "frames of an animation")
    let bounds = 0.001...655.35
    for frame in 0..<(durations?.count ?? 1) {
      let seconds = duration(of: frame)
      guard bounds.contains((seconds * 1e9).rounded() / 1e9) else {
        throw Diagnostic(
          .imageOutput, "the duration of frame \(frame)", expected: "0.001 to 655.35 seconds",
          found: "\(seconds)", hint: "choose a rate from 0.002 to 1,000 frames per second")
      }
    }
  }
}

/// When a file shows which frame, in whole units of its clock.
///
/// Each frame begins at its true time, rounded, so that errors do not add up and the total is exact to
/// half a unit. A file with a least delay leaves out frames that would be late by more than a unit.
struct DelaySchedule: Sendable, Hashable {
  /// A frame that is stored.
  struct Item: Sendable, Hashable {
    /// The number of the frame in the animation.
    var frame: Int
    /// How long it is shown, in units.
    var delay: Int
  }

  let items: [Item]

  /// - Parameters:
  ///   - unit: units in a second.
  ///   - least: the smallest delay in units.
  init(_ timing: FrameTiming, unit: Double, least: Int) {
    var starts = timing.starts
    let total = max(least, Int(saturating: (starts.removeLast() * unit).rounded()))
    var shown: [(frame: Int, start: Int)] = []
    for (frame, seconds) in starts.enumerated() {
      let exact = seconds * unit
      func earliest() -> Int {
        max(Int(saturating: exact.rounded()), shown.last.map { $0.start + least } ?? 0)
      }
      var start = earliest()
      // A frame that is shown longer takes the place of shorter ones.
      while Double(start) - exact > 1 + 1e-6, let last = shown.last, last.frame > 0,
        timing.duration(of: last.frame) < timing.duration(of: frame) * (1 - 1e-9)
      {
        shown.removeLast()
        start = earliest()
      }
      guard Double(start) - exact <= 1 + 1e-6, start + least <= total || frame == 0 else {
        continue
      }
      shown.append((frame, start))
    }
    let ends = shown.dropFirst().map { $0.start } + [total]
    items = zip(shown, ends).map { Item(frame: $0.frame, delay: $1 - $0.start) }
  }
}

extension FrameTiming {
  /// The duration of a frame as a fraction of two numbers below 65,536: exact if there is one.
  package func fraction(of frame: Int) -> (numerator: UInt16, denominator: UInt16) {
    let seconds = duration(of: frame)
    // Convergents of the continued fraction.
    var (before, last) = ((p: 0.0, q: 1.0), (p: 1.0, q: 0.0))
    var rest = seconds
    while true {
      let whole = rest.rounded(.down)
      let next = (p: whole * last.p + before.p, q: whole * last.q + before.q)
      guard next.p <= 65_535, next.q <= 65_535 else { break }
      (before, last) = (last, next)
      guard abs(last.p / last.q - seconds) > 1e-12 * seconds, rest > whole else { break }
      rest = 1 / (rest - whole)
    }
    return (UInt16(saturating: last.p), UInt16(saturating: max(last.q, 1)))
  }
}
