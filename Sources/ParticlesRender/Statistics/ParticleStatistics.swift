public import ParticlesModel

/// Statistics of an effect over several runs: for each emitter, columns of means over the living
/// particles of all runs, at regular frames.
///
/// The columns have the names, units and axes of the engine whose profile is simulated, so that they
/// can be laid beside a recording of that engine.
public struct ParticleStatistics: Sendable {
  /// The length of a simulation, and the frames that are sampled.
  public struct Plan: Sendable {
    /// The number of frames.
    public var frames = 300
    /// Frames per second.
    public var framesPerSecond = 60.0
    /// The number of runs, with the seeds 1, 2 and so on.
    public var seeds = 16
    /// The distance of the frames that are looked at.
    public var every = 5

    /// Creates a plan of 300 frames at 60 per second, 16 runs, every fifth frame.
    public init() {}
  }

  /// The statistics of an emitter: a number for each frame that was looked at, or nil where no
  /// particle lived.
  public struct EmitterColumns: Sendable {
    /// Names and columns, in a fixed order.
    public var columns: [(name: String, values: [Double?])]
  }

  /// The frames that were looked at, from 1.
  public let sampledFrames: [Int]
  /// One element for each emitter of the effect.
  public let emitters: [EmitterColumns]

  /// Runs an effect.
  public init(
    of system: ParticleSystem, profile: ParticleSystem.Profile? = nil, plan: Plan = Plan()
  ) {
    let every = max(1, plan.every)
    let frames = Array(stride(from: every, through: max(every, plan.frames), by: every))
    let name = profile ?? system.asset.profile
    let view = EngineView(name)
    var sums = system.emitters.map { emitter in
      frames.map { _ in FrameSums(runs: plan.seeds) }
    }
    let appearance = Appearance()
    for run in 0..<max(1, plan.seeds) {
      let simulation = Simulation(system, profile: name, seed: UInt64(run + 1))
      var index = 0
      for frame in 1...frames[frames.count - 1] {
        simulation.advance(by: 1 / plan.framesPerSecond)
        guard frame == frames[index] else { continue }
        for emitter in system.emitters.indices {
          simulation.appearance(ofEmitter: emitter, into: appearance)
          let population = simulation.population(ofEmitter: emitter)
          sums[emitter][index].add(
            appearance, run: run, emitted: population.emitted, view: view,
            origin: system.emitters[emitter].transform.translation)
        }
        index += 1
      }
    }
    sampledFrames = frames
    emitters = sums.map { frames in
      let names = FrameSums.names(size: view.size)
      let rows = frames.map(\.values)
      return EmitterColumns(
        columns: names.indices.map { column in
          (names[column], rows.map { $0[column] })
        })
    }
  }
}

/// The sums of one frame over all runs.
private struct FrameSums {
  private var counts: [Double]
  private var emitted = 0.0
  private var sums = [Double](repeating: 0, count: 13)
  private var squares = [Double](repeating: 0, count: 3)
  private var sine = 0.0
  private var cosine = 0.0

  init(runs: Int) { counts = [Double](repeating: 0, count: max(1, runs)) }

  static func names(size: String) -> [String] {
    [
      "count", "countSd", "births", "x", "xSd", "y", "ySd", "z", "zSd", "speed", size, "rot",
      "rotCircSd", "r", "g", "b", "a", "age", "w", "h",
    ]
  }

  mutating func add(
    _ look: Appearance, run: Int, emitted: Int, view: EngineView, origin: Vector
  ) {
    counts[run] += Double(look.count)
    self.emitted += Double(emitted)
    let base = view.isRelative ? origin : .zero
    let up = view.isDown ? -1.0 : 1.0
    let turn = view.isClockwise ? -1.0 : 1.0
    for index in 0..<look.count {
      let place = [
        Double(look.x[index]) - base.x, (Double(look.y[index]) - base.y) * up,
        Double(look.z[index]) - base.z,
      ]
      for axis in 0..<3 {
        sums[axis] += place[axis]
        squares[axis] += place[axis] * place[axis]
      }
      let (vx, vy, vz) = (
        Double(look.velocityX[index]), Double(look.velocityY[index]),
        Double(look.velocityZ[index])
      )
      sums[3] += (vx * vx + vy * vy + vz * vz).squareRoot()
      sums[4] += Double(look.width[index])
      let angle = Double(look.angle[index]) * turn
      sums[5] += angle
      let direction = sineAndCosine(degrees: angle)
      sine += direction.sine
      cosine += direction.cosine
      sums[6] += Double(look.red[index] * look.intensity[index])
      sums[7] += Double(look.green[index] * look.intensity[index])
      sums[8] += Double(look.blue[index] * look.intensity[index])
      sums[9] += Double(look.alpha[index])
      sums[10] += Double(look.age[index] / look.life[index])
      sums[11] += Double(look.width[index])
      sums[12] += Double(look.height[index])
    }
  }

  var values: [Double?] {
    let runs = Double(counts.count)
    let total = counts.reduce(0, +)
    let mean = total / runs
    let variance = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / runs
    func average(_ index: Int) -> Double? { total > 0 ? sums[index] / total : nil }
    func deviation(_ axis: Int) -> Double? {
      guard total > 0 else { return nil }
      let mean = sums[axis] / total
      return max(0, squares[axis] / total - mean * mean).squareRoot()
    }
    var spread: Double?
    if total > 0 {
      let length = (sine * sine + cosine * cosine).squareRoot() / total
      let logarithm = logarithmToBaseTwo(min(max(length, 1e-12), 1)) * 0.693_147_180_559_945_3
      spread = (-2 * logarithm).squareRoot() * 180 / Double.pi
    }
    return [
      mean, variance.squareRoot(), emitted / runs, average(0), deviation(0), average(1),
      deviation(1), average(2), deviation(2), average(3), average(4), average(5), spread,
      average(6), average(7), average(8), average(9), average(10), average(11), average(12),
    ]
  }
}
