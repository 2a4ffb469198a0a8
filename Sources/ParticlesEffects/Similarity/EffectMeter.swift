public import ParticlesCore
public import ParticlesModel
public import ParticlesRender

/// Measures the difference of other effects from a given effect.
///
/// ```swift
/// let meter = try EffectMeter(package.system())
/// let difference = try meter.difference(from: other)
/// print(difference.whole, difference.aspects[.position] ?? 0)
/// ```
///
/// Both run for five seconds with equal seeds, each under the law of the engine that it names. They run longer if
/// nothing is emitted in that time. Invisible particles of the first effect count or not, whichever makes the
/// difference smaller. `Spec/conversion/README.md`, section Difference, defines the numbers.
public struct EffectMeter: Sendable {
  /// As many groups as runs, but at least 4 and at most 8. The differences between groups are noise. In smaller
  /// groups, deviations and directions are biased.
  private static let (leastGroups, mostGroups) = (4, 8)
  /// The greatest standard error of an aspect, above which there are more runs.
  private static let greatestError = 0.005
  /// How often the comparison is repeated with more runs.
  private static let mostRepetitions = 2
  /// The greatest number of times as many runs.
  private static let mostTimes = 16
  /// The number of particles at a moment, of all runs together, that makes noise small.
  private static let sample = 4_000.0
  /// The most runs.
  private static let mostSeeds = 256
  /// The most living particles of an emitter. More take long, and change no mean.
  private static let mostParticles = 20_000
  /// The number of particles above which fewer frames are sampled and there are fewer groups.
  private static let many = 2_500.0
  /// The most frames, if nothing is emitted before.
  private static let mostFrames = 4_800

  private let source: ParticleSystem
  private let turning: [Double]
  private let limits: Limits
  private let length: Double
  private let plan: ParticleStatistics.Plan
  private let groups: Int
  /// The runs, with the particles that can be seen.
  private let records: [EffectRecord]
  /// The records with all particles, or nil if all are visible.
  private let all: [EffectRecord]?

  /// Whether the effect emits anything in the time that is compared.
  public let isEmitting: Bool

  /// Whether anything of the effect is visible in that time.
  package var isVisible: Bool { records.contains { $0.showsAny } }

  /// Whether particles were left out because of the limits.
  public var isOverCapacity: Bool { records.contains { $0.isOverCapacity } }

  /// Runs an effect.
  /// - Parameters:
  ///   - system: the effect.
  ///   - length: the factor from its lengths to the unit of the effects that it is compared with. Default: 1.
  ///   - firstSeed: the seed of the first run. Default: 1.
  ///   - limits: `particles` is the most living particles of an emitter, and 20,000 are enough. `particleSteps`
  ///     bounds all runs of an effect together, and `work` how often many emitters run.
  /// - Throws: `CancellationError` if the current task is cancelled.
  public init(
    _ system: ParticleSystem, length: Double = 1, firstSeed: UInt64 = 1,
    limits: Limits = .standard
  ) throws(Failure) {
    try self.init(system, length: length, turning: [], firstSeed: firstSeed, limits: limits)
  }

  /// Runs an effect. `turning` is how visible a rotation of the particles of each emitter is, 0 to 1.
  package init(
    _ system: ParticleSystem, length: Double = 1, turning: [Double], firstSeed: UInt64 = 1,
    times: Int = 1, limits: Limits = .standard
  ) throws(Failure) {
    (source, self.length, self.turning, self.limits) = (system, length, turning, limits)
    var plan = ParticleStatistics.Plan()
    plan.firstSeed = firstSeed
    plan.capacity = min(limits.particles, Self.mostParticles)
    plan.limits = limits
    (self.plan, groups, isEmitting) = try Self.adjusted(plan, for: system, times: times)
    let (runs, count) = (self.plan, groups)
    func record(showsAll: Bool) throws(Failure) -> [EffectRecord] {
      var records = try EffectRecord.runs(
        of: system, profile: system.asset.profile, plan: runs, groups: count, length: length,
        showsAll: showsAll)
      for index in records.indices { records[index].turning = turning }
      return records
    }
    records = try record(showsAll: false)
    all = records.contains { $0.hidesAny } ? try record(showsAll: true) : nil
  }

  /// Chooses frames and runs by a trial with one run and few samples.
  private static func adjusted(
    _ plan: ParticleStatistics.Plan, for system: ParticleSystem, times: Int
  ) throws(Failure) -> (plan: ParticleStatistics.Plan, groups: Int, isEmitting: Bool) {
    var plan = plan
    var trial = plan
    (trial.seeds, trial.every) = (1, 30)
    var record = try EffectRecord.runs(of: system, profile: system.asset.profile, plan: trial)[0]
    while !record.isEmitting, trial.frames < mostFrames {
      trial.frames *= 4
      record = try EffectRecord.runs(of: system, profile: system.asset.profile, plan: trial)[0]
    }
    plan.every *= trial.frames / plan.frames
    plan.frames = trial.frames
    let count = max(record.meanCount, 0.1)
    let runs = min(
      Int(saturating: min(max((sample / count).rounded(.up), 1), Double(mostSeeds))),
      plan.mostRuns(of: system))
    let groups = count > many ? leastGroups / 2 : min(max(runs, leastGroups), mostGroups)
    plan.seeds = (runs + groups - 1) / groups * groups * times
    if count > many { plan.every *= 2 }
    return (plan, groups, record.isEmitting)
  }

  /// Runs another effect and compares it.
  /// - Parameters:
  ///   - other: the effect.
  ///   - profile: the law that it follows. Default: the law that it names.
  /// - Throws: `CancellationError` if the current task is cancelled.
  public func difference(
    from other: ParticleSystem, profile: ParticleSystem.Profile? = nil
  ) throws(Failure) -> EffectDifference {
    try difference(from: other, profile: profile, firstSeed: plan.firstSeed)
  }

  /// The difference with enough runs for a small standard error: at most 16 times as many, and no more for effects
  /// with very many particles.
  /// - Parameter firstSeed: the first seed of `other`. Default: the first seed of this effect.
  package func stableDifference(
    from other: ParticleSystem, firstSeed: UInt64? = nil
  ) throws(Failure) -> EffectDifference {
    let seed = firstSeed ?? plan.firstSeed
    var difference = try difference(from: other, firstSeed: seed, estimatesError: true)
    var times = 1
    for _ in 0..<Self.mostRepetitions
    where difference.error > Self.greatestError && times < Self.mostTimes
      && groups >= Self.leastGroups
    {
      // The error is inverse to the root of the number of runs.
      let ratio = difference.error / Self.greatestError
      times = min(
        Int(saturating: Double(times) * min(1.2 * ratio * ratio, 100)) + 1, Self.mostTimes)
      difference = try EffectMeter(
        source, length: length, turning: turning, firstSeed: plan.firstSeed, times: times,
        limits: limits
      ).difference(from: other, firstSeed: seed, estimatesError: true)
    }
    return difference
  }

  /// The difference with separate seeds, so that the effects share no noise.
  package func difference(
    from other: ParticleSystem, profile: ParticleSystem.Profile? = nil, firstSeed: UInt64,
    length: Double = 1, onlyEmitter: Int? = nil, isFlat: Bool = false,
    estimatesError: Bool = false
  ) throws(Failure) -> EffectDifference {
    let law = profile ?? other.asset.profile
    var plan = plan
    plan.firstSeed = firstSeed
    // A recording of an engine counts invisible particles, too.
    var others = try EffectRecord.runs(
      of: other, profile: law, plan: plan, groups: groups, length: length, showsAll: true)
    if let onlyEmitter {
      others = zip(others, all ?? records).map { $0.withEmitters(of: $1, except: onlyEmitter) }
    }
    if isFlat { for index in others.indices { others[index].isFlat = true } }
    var difference = EffectDifference.least(
      of: [records, all].compactMap({ $0 }).map {
        EffectDifference($0, others, estimatesError: estimatesError)
      })
    difference.aspects[.blending] = blending(of: other, law)
    return difference
  }

  /// The difference from another effect, or nil if both are invisible.
  package func visibleDifference(from other: ParticleSystem) throws(Failure) -> EffectDifference? {
    if !isVisible {
      guard try EffectMeter(other, limits: limits).isVisible else { return nil }
    }
    return try difference(from: other)
  }

  /// Compares another form of the first effect, in its unit.
  /// - Parameters:
  ///   - onlyEmitter: the emitter that is compared. All others count as equal. Default: all are compared.
  ///   - isFlat: whether depth is not compared.
  func difference(
    fromForm other: ParticleSystem, onlyEmitter: Int? = nil, isFlat: Bool
  ) throws(Failure) -> EffectDifference {
    try difference(
      from: other, firstSeed: plan.firstSeed, length: length, onlyEmitter: onlyEmitter,
      isFlat: isFlat)
  }

  /// The difference of the blend modes, of each emitter by its share of the picture.
  private func blending(of other: ParticleSystem, _ profile: ParticleSystem.Profile) -> Double {
    let squares = blendSquares(of: other, profile)
    return squares.reduce(0, +).squareRoot()
  }

  /// The share of one emitter in the difference of the blend modes.
  func blending(ofEmitter index: Int, of other: ParticleSystem) -> Double {
    let squares = blendSquares(of: other, other.asset.profile)
    return squares.indices.contains(index) ? squares[index].squareRoot() : 0
  }

  /// The square of the difference of each emitter, times its share of the picture.
  private func blendSquares(
    of other: ParticleSystem, _ profile: ParticleSystem.Profile
  ) -> [Double] {
    let looks = source.emitters.indices.map { EffectRecord.look(ofEmitter: $0, in: records) }
    let count = min(source.emitters.count, other.emitters.count)
    let whole = looks.prefix(count).reduce(0) { $0 + ($1?.cover ?? 0) }
    return (0..<count).map { index in
      guard let look = looks[index], whole > 0 else { return 0 }
      let difference = BlendDifference.between(
        (source.emitters[index].render.blend, source.asset.profile),
        (other.emitters[index].render.blend, profile), color: look.color)
      return look.cover / whole * difference * difference
    }
  }
}
