package import ParticlesCore
package import ParticlesModel

/// One vector for each effect, from the statistics of its simulation: effects that look alike have near ones.
///
/// The numbers do not depend on units: number of particles, size, shape in time, place and spread, colour, speed.
/// The stage `similar` of `particles.ray` computes them, too (Spec/scale.md).
package struct SimilarityVector: Sendable, Hashable {
  /// How many numbers a vector has.
  package static let count = 38

  /// The length of a run: 2 s.
  package static var plan: ParticleStatistics.Plan {
    var plan = ParticleStatistics.Plan()
    (plan.frames, plan.seeds) = (120, 1)
    plan.limits = .untrusted
    plan.capacity = plan.limits.particles
    return plan
  }

  /// When the run is sampled, as fractions of its length.
  private static let times = [0.1, 0.35, 0.65, 1]

  /// The numbers, −4 to 4.
  package let numbers: [Double]

  /// The particles that were emitted in the run.
  package let emitted: Double

  /// Describes an effect by its statistics.
  /// - Parameters:
  ///   - statistics: of a run by ``plan``.
  ///   - system: the effect.
  package init(_ statistics: ParticleStatistics, of system: ParticleSystem) {
    let sums = Sums(statistics)
    let isDown = EngineUnits(system.asset.profile, statistics.dimension).axis.contains("y down")
    let up = isDown ? -1.0 : 1.0
    let emitters = Double(max(1, sums.emitters))
    let samples = sums.samples
    let scale = sums.extent
    var numbers = [Self.log10(1 + sums.meanCount)]
    numbers.append(Self.log10(sums.weighed("size") / scale + 1e-3))
    for part in Self.times {
      let index = min(samples - 1, Int(saturating: part * Double(samples - 1) + 0.5))
      numbers.append(sums.count(at: index) / max(1, sums.peak * emitters))
      for (name, sign) in [("x", 1.0), ("y", up)] {
        numbers.append(sign * sums.weighed(name, at: index) / scale)
        numbers.append(sums.weighed("\(name)Sd", at: index) / scale)
      }
      numbers += ["r", "g", "b", "a"].map { sums.weighed($0, at: index) }
    }
    // The last alpha gives way to the speed, as in the stage. Each effect has a vector: values that are not finite are 0.
    numbers[Self.count - 1] = min(1, sums.weighed("speed") / scale / 4)
    self.numbers = numbers.map { number in
      number.isFinite ? (max(-4, min(4, number)) * 1e5).rounded() / 1e5 : 0
    }
    emitted = sums.emitted
  }

  /// Runs an effect and describes it.
  /// - Throws: ``ParticlesCore/Rule/limit``.
  package init(running system: ParticleSystem) throws(Failure) {
    let plan = Self.plan
    self = try WorkBudget.run(.standard) { () throws(Failure) in
      try plan.check(system, hint: "name an effect with fewer emitters")
      return try SimilarityVector(ParticleStatistics(of: system, plan: plan), of: system)
    }
  }

  private static func log10(_ value: Double) -> Double {
    logarithmToBaseTwo(value) * 0.301_029_995_663_981_2
  }
}

/// The columns of all emitters of statistics.
private struct Sums {
  let samples: Int
  let emitters: Int
  private let columns: [[String: [Double?]]]

  init(_ statistics: ParticleStatistics) {
    samples = statistics.sampledFrames.count
    emitters = statistics.emitters.count
    columns = statistics.emitters.map { emitter in
      Dictionary(first: emitter.columns.map { ($0.name, $0.values) })
    }
  }

  /// A number has six significant digits, as in a recording, and is 0 if no particle lived.
  private func value(_ emitter: [String: [Double?]], _ name: String, _ index: Int) -> Double {
    guard let values = emitter[name], values.indices.contains(index) else { return 0 }
    return values[index]?.significant(6) ?? 0
  }

  /// The particles that live at a time.
  func count(at index: Int) -> Double {
    columns.reduce(0) { $0 + value($1, "count", index) }
  }

  /// The sum of the mean numbers of living particles.
  var meanCount: Double {
    columns.reduce(0) { sum, emitter in
      let counts = (0..<samples).reduce(0.0) { $0 + value(emitter, "count", $1) }
      return sum + counts / Double(max(1, samples))
    }
  }

  /// The most living particles of an emitter.
  var peak: Double {
    columns.flatMap { emitter in (0..<samples).map { value(emitter, "count", $0) } }.max() ?? 0
  }

  /// The particles that were emitted until the last sample.
  var emitted: Double {
    columns.reduce(0) { $0 + value($1, "births", samples - 1) }
  }

  /// The mean over all particles of a time, or of all times.
  func weighed(_ name: String, at index: Int? = nil) -> Double {
    var (weights, total) = (0.0, 0.0)
    for emitter in columns {
      for sample in index.map({ $0...$0 }) ?? 0...max(0, samples - 1) {
        let count = value(emitter, "count", sample)
        weights += count
        total += count * value(emitter, name, sample)
      }
    }
    return weights > 0 ? total / weights : 0
  }

  /// The distance from the origin and the size of particles, as one number that is never 0.
  var extent: Double {
    let spread = ["xSd", "ySd", "zSd"].map { weighed($0) }.max() ?? 0
    let means = ["x", "y"].flatMap { name in
      (0..<samples).map { weighed(name, at: $0).magnitude }
    }
    return max(spread, (means.max() ?? 0) / 2, weighed("size") / 2, 1e-6)
  }
}
