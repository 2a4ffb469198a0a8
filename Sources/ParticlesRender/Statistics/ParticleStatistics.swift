public import ParticlesCore
public import ParticlesModel
internal import ParticlesSimulation

/// Statistics of an effect over several runs: for each emitter, columns of means over the living
/// particles of all runs, at regular frames.
///
/// The columns have the names, units and axes of the engine whose profile is simulated, so that they
/// can be laid beside a recording of that engine.
public struct ParticleStatistics: Sendable {
  /// The length of a simulation, and the frames that are sampled.
  public struct Plan: Sendable, Hashable {
    /// The number of frames, at least 1. The default is 300.
    public var frames = 300
    /// Frames per second. The default is 60.
    public var framesPerSecond = 60.0
    /// The number of runs, at least 1. The default is 16.
    public var seeds = 16
    /// The seed of the first run, by default 1. Each later run adds 1.
    public var firstSeed: UInt64 = 1
    /// The distance of sampled frames. The default is 5.
    public var every = 5
    /// The most living particles of an emitter. More are not emitted. All runs together have at most as
    /// many particle steps as the standard limits specify.
    public var capacity = 1_000_000

    /// The work that all runs together may take.
    package var limits = Limits.standard

    /// Creates a plan of 300 frames at 60 per second, 16 runs, every fifth frame.
    public init() {}

    /// The duration of a run in seconds.
    var seconds: Double { Double(max(1, frames)) / max(framesPerSecond, 1) }

    /// The work that a run may take: a part of the limit of all, but enough for 20,000 particles that live
    /// for a second, if all runs together then stay within the limit.
    /// - Parameters:
    ///   - stepsPerResult: the particle steps that take as long as the result for a particle.
    ///   - runs: the number of runs.
    ///   - results: the number of frames with results.
    func budget(stepsPerResult: Int, runs: Int, results: Int) -> SimulationBudget {
      let steps = seconds / Simulation.longestStep + Double(frames)
      let stepsPerResult = stepsPerResult * runs
      return SimulationBudget(
        steps: max(
          limits.particleSteps / stepsPerResult,
          min(limits.particleSteps / runs, Int(saturating: min(14_000 * steps, 1e15)))),
        particles: min(
          2 * capacity,
          max(20_000, limits.particleSteps / (2 * stepsPerResult * max(1, results)))),
        duration: max(1, frames) * Simulation.stepCount(of: 1 / framesPerSecond),
        // The work of emitters is checked earlier, see `check(_:hint:)`.
        ofEmitter: 16)
    }

    /// The next step if effects that are compared take too much work.
    package static let hintOfComparison = "lower the number of emitters, or allow more with --work"

    /// The most runs, at least 1, of an effect whose emitters stay within ``ParticlesCore/Limits/work``,
    /// whether they emit or not.
    package func mostRuns(of system: ParticleSystem) -> Int {
      let work = Double(system.emitters.count) * Double(max(1, frames)) * Self.workOfEmitter
      return Int(saturating: min(max(1, Double(limits.work) / max(work, 1)), 1e6))
    }

    /// Checks the work of the emitters of an effect in all runs, whether they emit or not.
    /// - Parameter hint: the next step.
    /// - Throws: ``ParticlesCore/Rule/limit`` if that is more than the limits allow.
    package func check(
      _ system: ParticleSystem,
      hint: String = "run fewer --frames and --seeds, or allow more with --work"
    ) throws(Failure) {
      let emitters = Double(system.emitters.count)
      let steps = Double(max(1, frames)) * Double(max(1, seeds))
      func whole(_ number: Double) -> Int { Int(saturating: min(number, 1e15)) }
      let budget = WorkBudget.shared(limits, hint: hint)
      budget.grant(work: whole(Double(limits.frameWork) / 64 * steps))
      let sums = emitters * Double(sampledFrames.count) * Double(MemoryLayout<FrameSums>.stride)
      try budget.run { () throws(Failure) in
        try WorkBudget.spend(
          work: whole(emitters * steps * Self.workOfEmitter),
          memory: whole(Self.runsAtOnce * (sums + emitters * Self.memoryOfEmitter)),
          on: "the emitters of all runs")
      }
    }

    /// Steps of work for an emitter in a frame of a run, the bytes that it holds, and how many runs are in
    /// memory.
    private static let (workOfEmitter, memoryOfEmitter, runsAtOnce) = (0.4, 8_000.0, 4.0)

    /// The frames that are sampled, from 1.
    public var sampledFrames: [Int] {
      let every = max(1, every)
      return Array(stride(from: every, through: max(every, frames), by: every))
    }
  }

  /// The statistics of an emitter: a number for each frame that was sampled, or nil where no
  /// particle lived.
  public struct EmitterColumns: Sendable {
    /// The name of the emitter.
    public var name: String?
    /// Names and columns, in a fixed order.
    public var columns: [(name: String, values: [Double?])]
    /// For each frame the mean of the unit vectors (cosine, sine) of the particles' angles.
    package var headings: [SIMD2<Double>?]
  }

  /// The frames that were sampled, from 1.
  public let sampledFrames: [Int]
  /// One element for each emitter of the effect.
  public let emitters: [EmitterColumns]
  /// Whether particles were left out because an emitter reached the capacity.
  public let isOverCapacity: Bool
  /// Whether the effect is in the plane or in space.
  let dimension: Dimension

  /// Runs an effect.
  /// - Parameters:
  ///   - system: the effect.
  ///   - profile: the law to follow. By default, the effect names it.
  ///   - plan: the length of a run, the frames that are sampled, and the number of runs.
  /// - Throws: `CancellationError` if the current task is cancelled.
  public init(
    of system: ParticleSystem, profile: ParticleSystem.Profile? = nil, plan: Plan = Plan()
  ) throws(Failure) {
    let name = profile ?? system.asset.profile
    dimension = system.asset.dimension
    let view = EngineUnits(name, dimension)
    let sums = try Self.sums(of: system, profile: name, plan: plan, seenAs: view)
    isOverCapacity = sums.isOverCapacity
    sampledFrames = plan.sampledFrames
    emitters = zip(sums.groups[0], system.emitters).map { frames, emitter in
      let names = FrameSums.names(view)
      let rows = frames.map { $0.values }
      return EmitterColumns(
        name: emitter.name,
        columns: names.indices.map { column in
          (names[column], rows.map { $0[column] })
        }, headings: frames.map { $0.heading })
    }
  }

  /// Sums over all runs, for each group of runs, emitter and frame that is sampled.
  /// - Parameter groups: the number of groups that the runs are shared out to: as many runs to each.
  /// - Throws: `CancellationError` if the current task is cancelled.
  static func sums(
    of system: ParticleSystem, profile: ParticleSystem.Profile, plan: Plan,
    seenAs view: EngineUnits,
    groups: Int = 1
  ) throws(Failure) -> (groups: [[[FrameSums]]], isOverCapacity: Bool) {
    let frames = plan.sampledFrames
    let empty = system.emitters.map { _ in frames.map { _ in FrameSums() } }
    var sums = [[[FrameSums]]](repeating: empty, count: max(1, groups))
    let runs = max(1, plan.seeds)
    let size = max(1, runs / sums.count)
    var (done, isOverCapacity) = (0, false)
    // Runs are added in their order, so that the number of threads does not change a sum.
    try Parallel.stoppable { check throws(Failure) in
      // Fewer runs than threads share the threads.
      let threads = runs < Parallel.defaultThreads ? Parallel.defaultThreads / runs : 1
      try Parallel.ordered(
        runs, state: { Appearance() },
        work: { run, appearance throws(Failure) -> Run in
          let simulation = Simulation(
            system, profile: profile, seed: plan.firstSeed &+ UInt64(run), capacity: plan.capacity,
            team: .suited(to: system, capacity: plan.capacity, atMost: threads),
            budget: plan.budget(stepsPerResult: 8, runs: runs, results: frames.count))
          return try Run(
            simulation, frames: frames, plan: plan,
            views: system.emitters.map { view.view(of: $0, profile) }, appearance,
            check)
        },
        emit: { run in
          isOverCapacity = isOverCapacity || run.isOverCapacity
          let group = min(done / size, sums.count - 1)
          done += 1
          for emitter in sums[group].indices {
            for frame in frames.indices {
              sums[group][emitter][frame].add(run.sums[emitter][frame])
            }
          }
        })
    }
    return (sums, isOverCapacity)
  }

  /// The sums of one run.
  private struct Run: Sendable {
    var sums: [[FrameSums]]
    var isOverCapacity: Bool

    init(
      _ simulation: Simulation, frames: [Int], plan: Plan, views: [EngineUnits],
      _ appearance: Appearance, _ check: () throws(Failure) -> Void
    ) throws(Failure) {
      let emitters = simulation.system.emitters
      sums = emitters.map { _ in [] }
      var frame = 0
      for next in frames {
        while frame < next {
          try check()
          simulation.advance(by: 1 / plan.framesPerSecond)
          frame += 1
        }
        for emitter in emitters.indices {
          simulation.appearance(ofEmitter: emitter, into: appearance)
          sums[emitter].append(
            FrameSums(
              appearance, emitted: simulation.population(ofEmitter: emitter).emitted,
              view: views[emitter], index: emitter, emitter: emitters[emitter],
              team: simulation.team))
        }
      }
      isOverCapacity = simulation.isOverCapacity
    }
  }
}

extension ParticleStatistics {
  /// The file that was simulated, and the program.
  public struct Origin: Sendable {
    /// The name of the file.
    public var file: String
    /// The SHA-256 digest of its bytes, in hexadecimal digits, or nil for a folder.
    public var sha256: String?
    /// The version of the program.
    public var version: String
    /// The unit of length of the effect, or nil if it is not known.
    public var unit: ParticleSystem.LengthUnit?

    /// Creates a description.
    public init(
      file: String, sha256: String? = nil, version: String,
      unit: ParticleSystem.LengthUnit? = nil
    ) {
      self.unit = unit
      self.file = file
      self.sha256 = sha256
      self.version = version
    }
  }

  /// The statistics as one JSON document, in the form of recordings of engines.
  ///
  /// `emitters` has an object for each emitter with one member for each column. A column whose
  /// frames are all equal is a single number, and `null` is a frame without particles. Numbers have
  /// six significant digits.
  public func json(_ origin: Origin, plan: Plan, profile: ParticleSystem.Profile) -> JSONValue {
    let view = EngineUnits(profile, dimension)
    var members = Self.header(origin, plan: plan, profile: profile, view: view)
    members.append(
      JSONObject.Member(key: "sampledFrames", value: .array(sampledFrames.map { .int($0) })))
    members.append(JSONObject.Member(key: "seeds", value: .int(plan.seeds)))
    let emitters = emitters.map { emitter in
      var members = emitter.name.map { [JSONObject.Member(key: "name", value: .string($0))] } ?? []
      members += emitter.columns.map {
        JSONObject.Member(key: $0.name, value: Self.column($0.values))
      }
      return JSONValue.object(JSONObject(members: members))
    }
    members.append(JSONObject.Member(key: "emitters", value: .array(emitters)))
    return .object(JSONObject(members: members))
  }

  /// The first members of a recording.
  static func header(
    _ origin: Origin, plan: Plan, profile: ParticleSystem.Profile, view: EngineUnits
  ) -> [JSONObject.Member] {
    var members: [(String, JSONValue)] = [
      ("engine", "particles"), ("version", .string(origin.version)),
      ("profile", .string(profile.rawValue)), ("file", .string(origin.file)),
    ]
    if let digest = origin.sha256 { members.append(("sha256", .string(digest))) }
    members += [
      ("dt", .double(1 / plan.framesPerSecond)), ("frames", .int(plan.frames)),
      ("units", .string(view.units)), ("axis", .string(view.axis)),
    ]
    if let unit = origin.unit { members.append(("unit", .string(unit.rawValue))) }
    return members.map { JSONObject.Member(key: $0.0, value: $0.1) }
  }

  private static func column(_ values: [Double?]) -> JSONValue {
    let rounded = values.map { $0.map { $0.significant(6) } }
    let present = Set(rounded.compactMap { $0 })
    if present.count == 1, let number = present.first { return .double(number) }
    return .array(rounded.map { $0.map { .double($0) } ?? .null })
  }
}
