internal import ParticlesCore
public import ParticlesModel

/// Statistics of an effect over several runs: for each emitter, columns of means over the living
/// particles of all runs, at regular frames.
///
/// The columns have the names, units and axes of the engine whose profile is simulated, so that they
/// can be laid beside a recording of that engine.
public struct ParticleStatistics: Sendable {
  /// The length of a simulation, and the frames that are sampled.
  public struct Plan: Sendable, Hashable {
    /// The number of frames, at least 1; 300 by default.
    public var frames = 300
    /// Frames per second; 60 by default.
    public var framesPerSecond = 60.0
    /// The number of runs, at least 1; 16 by default.
    public var seeds = 16
    /// The seed of the first run; the next one has the next number. 1 by default.
    public var firstSeed: UInt64 = 1
    /// The distance of the frames that are sampled; 5 by default.
    public var every = 5
    /// The most living particles of an emitter; those beyond it are not emitted.
    public var capacity = 1_000_000

    /// Creates a plan of 300 frames at 60 per second, 16 runs, every fifth frame.
    public init() {}

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
  ///   - profile: the law to follow; by default the one that the effect names.
  ///   - plan: the length of a run, the frames that are sampled, and the number of runs.
  public init(
    of system: ParticleSystem, profile: ParticleSystem.Profile? = nil, plan: Plan = Plan()
  ) {
    let frames = plan.sampledFrames
    let name = profile ?? system.asset.profile
    dimension = system.asset.dimension
    let view = EngineView(name, dimension)
    var sums = system.emitters.map { _ in frames.map { _ in FrameSums() } }
    var isOverCapacity = false
    // Runs are added in their order, so that the number of threads does not change a sum.
    try? Parallel.ordered(
      max(1, plan.seeds), state: { Appearance() },
      work: { run, appearance -> Run in
        Run(
          Simulation(
            system, profile: name, seed: plan.firstSeed &+ UInt64(run), capacity: plan.capacity),
          frames: frames, plan: plan, view: view, appearance)
      },
      emit: { run in
        isOverCapacity = isOverCapacity || run.isOverCapacity
        for emitter in sums.indices {
          for frame in frames.indices {
            sums[emitter][frame].add(run.sums[emitter][frame])
          }
        }
      })
    self.isOverCapacity = isOverCapacity
    sampledFrames = frames
    emitters = zip(sums, system.emitters).map { frames, emitter in
      let names = FrameSums.names(view)
      let rows = frames.map { $0.values(view) }
      return EmitterColumns(
        name: emitter.name,
        columns: names.indices.map { column in
          (names[column], rows.map { $0[column] })
        })
    }
  }

  /// The sums of one run.
  private struct Run: Sendable {
    var sums: [[FrameSums]]
    var isOverCapacity: Bool

    init(
      _ simulation: Simulation, frames: [Int], plan: Plan, view: EngineView,
      _ appearance: Appearance
    ) {
      let emitters = simulation.system.emitters
      sums = emitters.map { _ in [] }
      var frame = 0
      for next in frames {
        while frame < next {
          simulation.advance(by: 1 / plan.framesPerSecond)
          frame += 1
        }
        for emitter in emitters.indices {
          simulation.appearance(ofEmitter: emitter, into: appearance)
          sums[emitter].append(
            FrameSums(
              appearance, emitted: simulation.population(ofEmitter: emitter).emitted, view: view,
              emitter: emitters[emitter]))
        }
      }
      isOverCapacity = simulation.isOverCapacity
    }
  }
}

/// Sums over the particles of one frame.
private struct FrameSums: Sendable {
  private var runs = 0.0
  private var count = 0.0
  private var countSquares = 0.0
  private var emitted = 0.0
  private var place = SIMD4<Double>.zero
  private var placeSquares = SIMD4<Double>.zero
  private var color = SIMD4<Double>.zero
  private var speed = 0.0
  private var angle = 0.0
  private var sine = 0.0
  private var cosine = 0.0
  private var share = 0.0
  private var width = 0.0
  private var height = 0.0

  /// The sums over nothing.
  init() {}

  /// The sums of one run.
  init(_ look: Appearance, emitted: Int, view: EngineView, emitter: Emitter) {
    runs = 1
    count = Double(look.count)
    countSquares = count * count
    self.emitted = Double(emitted)
    for index in 0..<look.count {
      let particle = ViewedParticle(look, index, view: view, emitter: emitter)
      place += particle.place
      placeSquares += particle.place * particle.place
      color += particle.color
      speed += (particle.velocity * particle.velocity).sum().squareRoot()
      angle += particle.angle
      let direction = sineAndCosine(degrees: particle.angle)
      sine += direction.sine
      cosine += direction.cosine
      share += particle.age / particle.life
      width += particle.width
      height += particle.height
    }
  }

  mutating func add(_ other: FrameSums) {
    runs += other.runs
    count += other.count
    countSquares += other.countSquares
    emitted += other.emitted
    place += other.place
    placeSquares += other.placeSquares
    color += other.color
    speed += other.speed
    angle += other.angle
    sine += other.sine
    cosine += other.cosine
    share += other.share
    width += other.width
    height += other.height
  }

  static func names(_ view: EngineView) -> [String] {
    [
      "count", "countSd", "births", "x", "xSd", "y", "ySd", "z", "zSd", "speed", "rot",
      "rotCircSd", "r", "g", "b", "a", "age",
    ] + view.sizeNames
  }

  func values(_ view: EngineView) -> [Double?] {
    let mean = count / runs
    let deviation = max(0, countSquares / runs - mean * mean).squareRoot()
    var result: [Double?] = [mean, deviation, emitted / runs]
    guard count > 0 else {
      return result + [Double?](repeating: nil, count: Self.names(view).count - result.count)
    }
    for axis in 0..<3 {
      let mean = place[axis] / count
      result.append(mean)
      result.append(max(0, placeSquares[axis] / count - mean * mean).squareRoot())
    }
    let length = min((sine * sine + cosine * cosine).squareRoot() / count, 1)
    let logarithm = logarithmToBaseTwo(max(length, 1e-12)) * 0.693_147_180_559_945_3
    result.append(speed / count)
    result.append(angle / count)
    result.append((-2 * logarithm).squareRoot() * 180 / Double.pi)
    for channel in 0..<4 { result.append(color[channel] / count) }
    return result + [share / count, width / count, height / count]
  }
}
