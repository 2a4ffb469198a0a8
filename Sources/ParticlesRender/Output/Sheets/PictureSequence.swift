public import ParticlesCore
public import ParticlesImages

/// Names of the frames of an animation: a stem, a hyphen and the number from 0, with as many digits as
/// the last one has, such as `fire-07.png`.
public struct FrameNames: Sendable, Hashable {
  /// The part of the name before the number.
  public let stem: String
  /// The number of frames.
  public let count: Int

  /// Creates names.
  public init(stem: String, count: Int) {
    self.stem = stem
    self.count = count
  }

  /// Returns the name of a frame.
  /// - Parameter index: the number of the frame, from 0.
  public subscript(index: Int) -> String {
    let (digits, last) = (String(index), String(max(0, count - 1)))
    let zeros = String(repeating: "0", count: max(0, last.utf8.count - digits.utf8.count))
    return "\(stem)-\(zeros)\(digits).png"
  }
}

/// Writes frames as PNG files, one for each. Not thread-safe.
public final class PictureSequence {
  private let names: FrameNames
  private let plan: FramePlan
  private let sink: (_ name: String, _ bytes: [UInt8]) throws -> Void
  private var waiting: [Bitmap] = []
  private var appended = 0
  private var written = 0

  /// Creates a writer.
  /// - Parameters:
  ///   - names: the names and the number of the files.
  ///   - width: the width of every frame in pixels.
  ///   - height: the height of every frame in pixels.
  ///   - limits: bounds for `pixels` of a frame and the number of `frames`.
  ///   - sink: receives each file; on any thread, but never on two at once.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` or ``ParticlesCore/Rule/limit`` for frames that are
  ///   too large or too many.
  public init(
    _ names: FrameNames, width: Int, height: Int, limits: Limits = .standard,
    sink: @escaping (_ name: String, _ bytes: [UInt8]) throws -> Void
  ) throws {
    try AnimationFormat.png.check(width: width, height: height, limits: limits)
    let timing = FrameTiming(count: names.count, rate: 1)
    try timing.check(limits)
    self.names = names
    self.sink = sink
    plan = FramePlan(width: width, height: height, timing: timing, options: .init())
  }

  /// Encodes the next frame.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if the size differs or there were enough frames;
  ///   errors of the sink; `CancellationError` if the current task is cancelled.
  public func append(_ frame: Bitmap) throws {
    try plan.check(frame, number: appended)
    try Task.checkCancellation()
    appended += 1
    waiting.append(frame)
    if waiting.count >= plan.groupSize { try encode() }
  }

  /// Writes the remaining files.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if frames are missing, errors of the sink.
  public func finish() throws {
    try plan.checkEnd(appended)
    try encode()
  }

  private func encode() throws {
    let (frames, whole) = (waiting, plan.whole)
    waiting.removeAll(keepingCapacity: true)
    try Parallel.ordered(frames.count, state: { PNGRows() }) { index, rows in
      PNGFile.head(width: whole.x.count, height: whole.y.count)
        + PNGFile.chunk(
          "IDAT", rows.compress(frames[index].pixels, width: whole.x.count, whole)) + PNGFile.end
    } emit: { bytes in
      try sink(names[written], bytes)
      written += 1
    }
  }
}
