internal import ParticlesCore

// The rate at which particles are really emitted, if there are places for some only.

extension Emitter {
  /// The most particles that are emitted to find the rate; with more places the difference is small.
  private static let mostEmissions = 60_000.0

  /// The mean number of particles that are emitted per second; less than `emission.rate`, if particles
  /// wait for places or are lost without one. Bursts and periods are not counted.
  /// - Parameter duration: the seconds of emission; nil for endless emission, of which the start does
  ///   not count.
  package func throughput(over duration: Double?) -> Double {
    let rate = emission.rate.mean
    guard let most = emission.maxAlive, rate > 0, emission.bursts.isEmpty,
      emission.whenFull != .recycle
    else { return rate }
    let longest = lifetime.bounds.upper
    let time = duration ?? 8 * longest
    // Few particles that just fit wait for each other's death, which takes a part of an interval.
    let room = Double(most) * ((2..<12).contains(most) ? 0.999 : 1.001)
    guard longest > 0, longest.isFinite, time > 0, rate * longest > room else { return rate }
    // Particles with a lifetime below 0 take no place.
    let mean = lifetime.clampedSamples(to: Interval(0, .infinity)).mean
    let bound = min(rate, Double(most) / max(mean, 1e-6))
    guard rate * time < Self.mostEmissions else { return bound }
    let step = max(1.0 / 60, time / 20_000)
    let steps = Int(saturating: (time / step).rounded(.up))
    var deaths = [Int](repeating: 0, count: steps + 1)
    var (alive, emitted, counted, counter) = (0, 0, 0, 0.0)
    for index in 0..<steps {
      if emission.whenFull == .skip || alive < most { counter += step }
      while counter > 1 / rate {
        counter -= 1 / rate
        guard alive < most else {
          if emission.whenFull == .skip { continue }
          break
        }
        // Shares of the golden ratio are evenly spread, in any order.
        let share = Double(emitted) * 0.618_033_988_749_895
        let unit = share - share.rounded(.down)
        emitted += 1
        if duration != nil || index >= steps / 2 { counted += 1 }
        let life = lifetime.sample(unit)
        guard life > 0 else { continue }
        alive += 1
        // Before the addition: a life may be as long as numbers go.
        deaths[index + min(Int(saturating: (life / step).rounded(.up)), steps - index)] += 1
      }
      alive -= deaths[index + 1]
    }
    let seconds = duration ?? Double(steps - steps / 2) * step
    return min(rate, Double(counted) / seconds)
  }
}
