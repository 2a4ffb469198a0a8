internal import ParticlesCore

/// How many frames an animation has, and how long each of them is shown.
public struct FrameTiming: Sendable, Hashable {
  /// The number of frames.
  public let count: Int
  /// Seconds of each frame; nil if all take the same time.
  private let durations: [Double]?
  /// Seconds of each frame if all take the same time.
  private let interval: Double

  /// Frames that take the same time each.
  /// - Parameters:
  ///   - count: the number of frames, at least 1.
  ///   - rate: frames per second, more than 0 and at most 1,000.
  public init(count: Int, rate: Double) {
    self.count = count
    durations = nil
    interval = 1 / rate
  }

  /// Frames that take the same time each, but the last one a pause longer.
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

  /// Frames with own durations, in seconds; from 0.001 to 655.35 each.
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
  var starts: [Double] {
    guard let durations else { return (0...count).map { Double($0) * interval } }
    return durations.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }

  /// - Throws: ``ParticlesCore/Rule/imageOutput`` for durations outside of what every format stores,
  ///   ``ParticlesCore/Rule/limit`` for too many frames.
  func check(_ limits: Limits) throws {
    guard count > 0 else {
      throw Diagnostic(
        .imageOutput, expected: "at least 1 frame", found: "0", hint: "use a longer duration")
    }
    try limits.check(count, \.frames, "frames of an animation")
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
    let ends = shown.dropFirst().map(\.start) + [total]
    items = zip(shown, ends).map { Item(frame: $0.frame, delay: $1 - $0.start) }
  }
}

extension FrameTiming {
  /// The duration of a frame as a fraction of two numbers below 65,536: exact if there is one.
  func fraction(of frame: Int) -> (numerator: UInt16, denominator: UInt16) {
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
