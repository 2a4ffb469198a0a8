internal import ParticlesCore
internal import ParticlesModel

/// A running emitter: its clock and periods, and where its copy was started.
struct Activation {
  /// Seconds of the emitter's time since the start.
  var clock = 0.0
  /// The number of the period, from 0.
  private(set) var period: UInt64 = 0
  /// The progress of the emission in the period, 0…1. It is 0 if the period does not end.
  var progress = 0.0
  /// The rest of the account: less than one particle, or seconds, as the law counts.
  var account = 0.0
  /// Whether particles were emitted at the start, by the laws that do so.
  var hasBegun = false
  /// How much of the period emissions have used up: seconds by the law `perEmission`, milliseconds by the
  /// account `reaching`, and a number of emissions by `perStep`.
  var spent = 0.0
  /// Seconds that are left of the period by the law `counter`, or nil before the first step.
  var left: Float?
  /// Milliseconds that the law `milliseconds` has counted in the period. The first period starts at -1.
  var milliseconds = -1.0
  /// Milliseconds of the pause before the period that this law has counted.
  var paused = 0.0
  /// Seconds between the end of the period before and the start of this one.
  private(set) var pause = 0.0
  /// When the period begins and ends, on the clock.
  private(set) var start = 0.0
  private(set) var end = Double.infinity
  private(set) var isDone = false
  /// Where its particles are emitted if not at the emitter, and the values that they take over.
  var origin: Vector?
  var inheritedVelocity: Vector?
  var inheritedColor: Color?
  var inheritedAngle = 0.0
  var inheritedSize = 1.0
  /// The particle that started it.
  var parent: (emitter: Int, ordinal: UInt64)?
  /// Whether it ends with that particle.
  var endsWithParent = false

  /// An activation that starts now, or `age` seconds ago.
  init(_ emitter: Emitter, _ numbers: PeriodNumbers) {
    start = max(0, numbers.sample(emitter.timing.delay, .delay, 0))
    pause = start
    setDuration(emitter, numbers)
  }

  /// An activation for single particles, without a period of its own.
  static func single(_ emitter: Emitter, _ numbers: PeriodNumbers) -> Activation {
    var activation = Activation(emitter, numbers)
    activation.isDone = true
    return activation
  }

  private mutating func setDuration(_ emitter: Emitter, _ numbers: PeriodNumbers) {
    end =
      emitter.timing.duration.map {
        start + max(0, numbers.sample($0, .duration, period))
      } ?? .infinity
  }

  /// Whether the clock is in the period.
  var isEmitting: Bool { !isDone && clock >= start && clock < end }

  /// Sets the progress for a moment.
  mutating func setProgress(at clock: Double) { progress = progress(at: clock) }

  /// How far the emission of the period is at a moment, 0…1.
  func progress(at clock: Double) -> Double {
    end.isFinite && end > start ? min(max((clock - start) / (end - start), 0), 1) : 0
  }

  /// Ends the period. If the emitter loops, the next period begins after the pause.
  /// - Parameter step: the length of a step, if a pause lasts whole steps, counting the step that ends the period.
  mutating func endPeriod(_ emitter: Emitter, _ numbers: PeriodNumbers, step: Double? = nil) {
    guard emitter.timing.loop else {
      isDone = true
      return
    }
    var idle = max(0, numbers.sample(emitter.timing.idle, .idle, period))
    if let step { idle = max((idle / step - 1e-6).rounded(.up) - 1, 0) * step }
    let next = end + idle
    // Periods that take no time would never end.
    guard next > start else {
      isDone = true
      return
    }
    period += 1
    pause = idle
    start = next
    setDuration(emitter, numbers)
  }

  /// The most periods of a step that emit.
  static let mostPeriods = 1_000

  /// Skips the emissions of periods, if a step has too many. As many periods remain as a particle lives
  /// through.
  /// - Parameter target: the end of the step.
  /// - Returns: whether there are such periods.
  mutating func skipPeriods(to target: Double, _ emitter: Emitter) -> Bool {
    guard !isDone, emitter.timing.loop, let duration = emitter.timing.duration else { return false }
    let length = max(0, duration.mean) + max(0, emitter.timing.idle.mean)
    let count = ((target - start) / length).rounded(.down)
    guard length > 0, count > Double(Self.mostPeriods) else { return false }
    let lived = (max(0, emitter.lifetime.bounds.upper) / length).rounded(.up) + 1
    let skipped = count - min(lived, Double(Self.mostPeriods))
    let shift = skipped * length
    (start, end) = (start + shift, end + shift)
    period &+= UInt64(saturating: min(skipped, 1e15))
    return true
  }

  /// Stops emitting for good.
  mutating func finish() { isDone = true }
}

/// The random numbers of the periods of an emitter.
struct PeriodNumbers {
  let random: RandomNumbers
  let emitter: UInt64

  /// A sample that is taken when a period begins, or once for the effect.
  func sample(
    _ value: Value, _ channel: RandomChannel, _ period: UInt64, progress: Double = 0
  ) -> Double {
    // Most rates and durations are constant. Their random numbers would take longer than the rest of a copy's step.
    if case .constant(let number) = value { return number }
    let cycle = RandomNumbers.cycle(value.scope == .effect ? 0 : period)
    return value.sample(
      random.unit(emitter: emitter, particle: cycle, channel: channel), progress: progress)
  }
}
