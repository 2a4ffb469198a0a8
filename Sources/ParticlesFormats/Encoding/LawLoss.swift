internal import ParticlesCore
internal import ParticlesModel

// Differences between engines that interpret the same values, apart from blending.

extension ParticleSystem {
  /// A line about the laws of two engines; nil if their difference does not show.
  /// - Parameter result: what the files of the other format are read as.
  func lawLine(of result: ParticleSystem) -> Diagnostic? {
    guard let own = asset.profile.law, let other = result.asset.profile.law, own != other else {
      return nil
    }
    var reasons: [String] = []
    var greatest = 0.0
    func add(_ difference: Double, _ reason: String) {
      guard Loss.Level(difference: difference) > .info else { return }
      greatest = max(greatest, difference)
      if !reasons.contains(reason) { reasons.append(reason) }
    }
    for (source, written) in zip(emitters, result.emitters) where !source.isInvisible {
      // Differences in the values have lines of their own.
      let whole = LawNumbers(source, own).difference(from: LawNumbers(written, other))
      let byValues = LawNumbers(source, own).difference(from: LawNumbers(written, own))
      if byValues < whole / 2 {
        add(
          whole,
          "\(asset.profile.rawValue) and \(result.asset.profile.rawValue) emit the first particles at "
            + "different times")
      }
      if own.clamping != other.clamping {
        add(
          written.color.base.clampingDifference(own.clamping, other.clamping),
          "\(asset.profile.rawValue) and \(result.asset.profile.rawValue) clamp colours at different "
            + "times")
      }
    }
    guard !reasons.isEmpty else { return nil }
    var line = Diagnostic(
      .approximated, at: .key("asset.profile"), reasons.joined(separator: "; "))
    line.loss = Loss(
      feature: "law", level: Loss.Level(difference: greatest), path: "asset.profile")
    line.loss?.basis = .estimated
    return line
  }
}

/// The expected numbers of living particles in the first five seconds.
private struct LawNumbers {
  /// One number for each twelfth of a second; none for emission that is not even.
  let counts: [Double]

  init(_ emitter: Emitter, _ law: EngineLaw) {
    let (emission, timing) = (emitter.emission, emitter.timing)
    let (rate, life) = (emission.rate.mean * emission.probability, emitter.lifetime.mean)
    let duration = timing.loop ? nil : timing.duration?.mean
    guard emission.bursts.isEmpty, emission.minAlive == 0, emission.total == nil, rate > 0, life > 0
    else {
      counts = []
      return
    }
    let isAtOnce = [.stretched, .intervals, .milliseconds].contains(law.account)
    let end = duration.map {
      law.clock == .beforeEmission ? $0 : (($0 * 60).rounded(.down) + 1) / 60
    }
    func emitted(_ time: Double) -> Double {
      guard time > 0 else { return 0 }
      let seconds = min(time, end ?? time)
      return (rate * seconds - 1e-9).rounded(.down) + (isAtOnce ? 1 : 0)
    }
    let most = Double(emission.maxAlive ?? .max)
    counts = (1...60).map { index in
      let time = Double(index) / 12
      return min(emitted(time) - emitted(time - life), most)
    }
  }

  func difference(from other: LawNumbers) -> Double {
    let pairs = zip(counts, other.counts)
    let scale = pairs.reduce(0) { $0 + max($1.0, $1.1) * max($1.0, $1.1) }
    let square = pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    return scale > 0 ? (square / scale).squareRoot() : 0
  }
}

extension ColorTrack {
  /// How much mean and deviation of the visible colour depend on whether samples or results are clamped.
  fileprivate func clampingDifference(
    _ own: EngineLaw.Clamping, _ other: EngineLaw.Clamping
  ) -> Double {
    guard (own == .samples) != (other == .samples), gradient == nil, let start = from.channels,
      let end = (to ?? from).channels
    else { return 0 }
    let shares = (0..<6).map { (Double($0) + 0.5) / 6 }
    var (means, deviations) = (0.0, 0.0)
    for channel in 0..<4 {
      let range = (start.low.channels[channel], start.high.channels[channel])
      let last = (end.low.channels[channel], end.high.channels[channel])
      for age in shares {
        var (sums, squares) = ([0.0, 0.0], [0.0, 0.0])
        for a in shares {
          for b in to == nil ? [a] : shares {
            let first = range.0 + (range.1 - range.0) * a
            let second = to == nil ? first : last.0 + (last.1 - last.0) * b
            let late = Interval.unit.clamp(first + (second - first) * age)
            let clamped = (Interval.unit.clamp(first), Interval.unit.clamp(second))
            let early = clamped.0 + (clamped.1 - clamped.0) * age
            for (index, value) in [late, early].enumerated() {
              sums[index] += value
              squares[index] += value * value
            }
          }
        }
        let count = Double(shares.count * (to == nil ? 1 : shares.count))
        let mean = sums.map { $0 / count }
        let deviation = zip(squares, mean).map { max($0 / count - $1 * $1, 0).squareRoot() }
        means += (mean[0] - mean[1]) * (mean[0] - mean[1]) / 6
        deviations += (deviation[0] - deviation[1]) * (deviation[0] - deviation[1]) / 6
      }
    }
    return max(means, deviations).squareRoot()
  }
}
