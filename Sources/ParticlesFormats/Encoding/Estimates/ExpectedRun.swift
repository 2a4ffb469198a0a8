internal import ParticlesCore
internal import ParticlesModel

/// The particles of an emitter at even moments of a time, and how they differ from those of another one.
struct ExpectedRun {
  /// The moments that are compared.
  static let moments = 30

  let frames: [ExpectedSums]
  /// The change of the number of particles in a sixtieth of a second.
  private let changes: [Double]

  init(
    _ particles: ExpectedParticles, _ emission: ExpectedEmission, maxAlive: Int?, length: Double,
    delay: Double = 0
  ) {
    let distance = length / Double(Self.moments)
    let step = particles.step
    frames = (0..<Self.moments).map { index in
      let time = (Double(index) + 0.5) * distance
      var sum = ExpectedSums()
      guard step > 0 else { return sum }
      var later = emission.number(at: time)
      for (age, sums) in particles.sums.enumerated() {
        let before = emission.number(at: time - Double(age + 1) * step)
        if later > before { sum.add(sums, times: later - before) }
        later = before
      }
      if let most = maxAlive.map(Double.init), sum.count > most {
        var limited = ExpectedSums()
        limited.add(sum, times: most / sum.count)
        sum = limited
      }
      return sum
    }
    let counts = frames.map(\.count)
    changes = counts.indices.map { index in
      let (first, last) = (max(index - 1, 0), min(index + 1, counts.count - 1))
      return (counts[last] - counts[first]).magnitude / (Double(last - first) * distance * 60)
    }
  }

  /// How much of the picture the emitter takes: number, width and opacity.
  func cover(_ parts: ExpectedParticles.Parts = .all) -> Double {
    frames.reduce(0) { sum, frame in
      guard frame.count > 0 else { return sum }
      let size = parts.contains(.size) ? frame.size.x / frame.count : 1
      return sum + size * (parts.contains(.color) ? frame.color.w : frame.count)
    }
  }

  // MARK: - Differences

  /// The square of the greatest difference of an aspect, each as `Spec/conversion/README.md` defines it.
  /// - Parameters:
  ///   - parts: what both have.
  ///   - isFlat: whether depth does not show.
  ///   - turning: how much it shows that particles are turned.
  func square(
    from other: ExpectedRun, _ parts: ExpectedParticles.Parts, isFlat: Bool, turning: () -> Double
  ) -> Double {
    var greatest = countSquare(other)
    let pairs = zip(frames, other.frames).filter { $0.count > 0 && $1.count > 0 }
    guard !pairs.isEmpty else { return greatest > 0 ? 1 : 0 }
    let weights = pairs.map { 2 * $0.count * $1.count / ($0.count + $1.count) }
    let whole = weights.reduce(0, +)
    func mean(_ square: (ExpectedSums, ExpectedSums) -> Double) -> Double {
      zip(pairs, weights).reduce(0) { $0 + $1.1 * square($1.0.0, $1.0.1) } / whole
    }
    func add(_ square: Double) { greatest = max(greatest, square.isFinite ? min(square, 1) : 1) }
    if parts.contains(.size) {
      for axis in 0..<2 {
        let scale = max(self.scale { $0.size[axis] }, other.scale { $0.size[axis] })
        guard scale > 0 else { continue }
        add(
          mean { Self.squared($0.size[axis] / $0.count - $1.size[axis] / $1.count) }
            / (scale * scale))
        guard axis == 0 else { continue }
        func deviation(_ sums: ExpectedSums) -> Double {
          Self.deviation(sums.size.x, sums.size.z, sums.count)
        }
        add(mean { Self.squared(deviation($0) - deviation($1)) } / (scale * scale))
      }
    }
    if parts.contains(.color) {
      func deviations(_ sums: ExpectedSums) -> SIMD4<Double> {
        Self.deviations(sums.color, sums.colorSquares, sums.count)
      }
      func sum(_ difference: SIMD4<Double>) -> Double {
        difference.x * difference.x + difference.y * difference.y + difference.z * difference.z
      }
      add(mean { sum($0.color / $0.count - $1.color / $1.count) })
      add(mean { sum(deviations($0) - deviations($1)) })
      let scale = max(self.scale(\.color.w), other.scale(\.color.w))
      if scale > 0 {
        add(mean { Self.squared($0.color.w / $0.count - $1.color.w / $1.count) } / (scale * scale))
        add(mean { Self.squared(deviations($0).w - deviations($1).w) } / (scale * scale))
      }
    }
    if parts.contains(.rotation) {
      let square = mean { a, b in
        let difference = a.direction / a.count - b.direction / b.count
        return (difference * difference).sum() / 4
      }
      // Pictures are read where it matters only.
      if square > max(greatest, Self.leastRotation) { add(square * Self.squared(turning())) }
    }
    if parts.contains(.place) {
      let mask: SIMD4<Double> = isFlat ? SIMD4(1, 1, 0, 0) : SIMD4(1, 1, 1, 0)
      let extent = max(self.extent(mask, parts), other.extent(mask, parts))
      guard extent > 0 else { return greatest }
      func deviations(_ sums: ExpectedSums) -> SIMD4<Double> {
        Self.deviations(sums.place, sums.placeSquares, sums.count) * mask
      }
      add(
        mean { a, b in
          let difference = (a.place / a.count - b.place / b.count) * mask
          return (difference * difference).sum()
        } / (extent * extent))
      add(
        mean { a, b in
          let difference = deviations(a) - deviations(b)
          return (difference * difference).sum()
        } * 16 / (extent * extent))
    }
    return greatest
  }

  private func countSquare(_ other: ExpectedRun) -> Double {
    var (sum, scale) = (0.0, 0.0)
    for index in frames.indices {
      let (a, b) = (frames[index].count, other.frames[index].count)
      scale += Self.squared(max(a, b))
      guard a != b else { continue }
      // One particle more, or a frame earlier, is the same effect.
      sum += Self.squared(a - b) - 0.5 - Self.squared(max(changes[index], other.changes[index]))
    }
    return scale > 0 ? min(max(sum / scale, 0), 1) : 0
  }

  private func scale(_ value: (ExpectedSums) -> Double) -> Double {
    var (whole, squares) = (0.0, 0.0)
    for frame in frames where frame.count > 0 {
      whole += frame.count
      squares += Self.squared(value(frame)) / frame.count
    }
    return whole > 0 ? (squares / whole).squareRoot() : 0
  }

  /// Four standard deviations of all places along the axis with the most, and the size of a particle.
  private func extent(_ mask: SIMD4<Double>, _ parts: ExpectedParticles.Parts) -> Double {
    var all = ExpectedSums()
    for frame in frames { all.add(frame, times: 1) }
    guard all.count > 0 else { return 0 }
    return 4 * (Self.deviations(all.place, all.placeSquares, all.count) * mask).max()
      + scale(\.size.x)
  }

  /// The square of the difference of directions below which it does not show.
  private static let leastRotation = 1e-4

  /// Whether anything lives.
  var isEmpty: Bool { frames.allSatisfy { $0.count <= 0 } }

  private static func squared(_ number: Double) -> Double { number * number }

  private static func deviation(_ sum: Double, _ squares: Double, _ count: Double) -> Double {
    max(0, squares / count - squared(sum / count)).squareRoot()
  }

  private static func deviations(
    _ sum: SIMD4<Double>, _ squares: SIMD4<Double>, _ count: Double
  ) -> SIMD4<Double> {
    let mean = sum / count
    return (squares / count - mean * mean).clamped(
      lowerBound: .zero, upperBound: SIMD4(repeating: .greatestFiniteMagnitude)
    ).squareRoot()
  }
}
