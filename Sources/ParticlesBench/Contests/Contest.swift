internal import ParticlesCore

/// An operation on a shape, run by our tool and by its peers in turn.
struct Contest {
  let operation: Operation
  let shape: Shape
  let ours: Contestant
  let peers: [Contestant]
}

/// A participant of a contest.
struct Contestant {
  /// The work that is timed.
  enum Work {
    /// A process, from its start to its end.
    case process(ChildProcess)
    /// A call inside this process.
    case call(() throws -> Void)
    /// A call too short to be timed once: it is repeated for some milliseconds.
    case shortCall(() throws -> Void)
    /// Work that measures itself.
    case measured(() throws -> Sample)
  }

  let label: String
  /// The preparation before every run, not timed.
  var prepare: () throws -> Void = {}
  let work: Work
  /// Checks the result of the first run; throws if it is wrong.
  var check: () throws -> Void = {}
  /// The size of the result in bytes; nil where it does not matter.
  var size: () throws -> Int? = { nil }
  /// How close its pictures are to the original, as the peak signal-to-noise ratio in dB; nil where
  /// nothing is drawn.
  var quality: () throws -> Double? = { nil }
  /// The number of items that one run handles; times are compared per item.
  var count = 1
}

/// The result of a contestant.
struct Achievement {
  let label: String
  let sample: Sample
  let size: Int?
  var quality: Double?
  var count = 1

  /// Seconds per item.
  var each: Double { sample.wall / Double(count) }
}

extension Contest {
  /// The results of a contest.
  struct Result {
    let operation: Operation
    let shape: Shape
    let ours: Achievement
    let peers: [Achievement]
  }

  /// Runs every contestant once in every round, so that other load on the machine affects all of
  /// them alike. The first round is a warm-up that is checked and not counted.
  /// - Parameter failed: called with the name and error of each peer that failed.
  /// - Throws: the error of our own contestant; there is no contest without it.
  func run(rounds: Int, failed: (String) -> Void) throws -> Result {
    var runners = ([ours] + peers).map(Runner.init)
    for round in 0...rounds {
      for index in runners.indices where runners[index].isIn {
        try Interruption.check()
        do {
          try runners[index].run(counting: round > 0)
        } catch let error where index > 0 && !(error is Interruption) {
          runners[index].isIn = false
          failed("\(runners[index].contestant.label): \(error.text)")
        }
      }
    }
    let achievements = try runners.map { try $0.isIn ? $0.achievement() : nil }
    guard let ours = achievements[0] else { throw ChildProcess.Failure(text: "nothing measured") }
    return Result(
      operation: operation, shape: shape, ours: ours,
      peers: achievements.dropFirst().compactMap { $0 })
  }
}

/// A contestant and its samples so far.
private struct Runner {
  let contestant: Contestant
  var isIn = true
  private var samples: [Sample] = []
  private var repetitions = 1

  init(_ contestant: Contestant) { self.contestant = contestant }

  mutating func run(counting: Bool) throws {
    try contestant.prepare()
    let sample = try sample()
    if counting {
      samples.append(sample)
    } else {
      // Four milliseconds are long for the clock and short for whoever waits.
      if case .shortCall = contestant.work {
        repetitions = max(1, min(10_000, Int(saturating: 0.004 / max(sample.wall, 1e-7))))
      }
      try contestant.check()
    }
  }

  private func sample() throws -> Sample {
    switch contestant.work {
    case .process(let process): return try process.run()
    case .call(let body): return try Self.time(1, body)
    case .shortCall(let body): return try Self.time(repetitions, body)
    case .measured(let body): return try body()
    }
  }

  private static func time(_ repetitions: Int, _ body: () throws -> Void) throws -> Sample {
    let (wall, processor) = (Clock.wall, Clock.processor)
    for _ in 0..<repetitions { try body() }
    let times = (Clock.wall - wall, Clock.processor - processor)
    let count = Double(repetitions)
    return Sample(wall: times.0 / count, processor: times.1 / count, memory: nil)
  }

  func achievement() throws -> Achievement? {
    guard let median = Sample.median(of: samples) else { return nil }
    return Achievement(
      label: contestant.label, sample: median, size: try contestant.size(),
      quality: try contestant.quality(), count: contestant.count)
  }
}
