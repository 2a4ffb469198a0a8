internal import ParticlesCore
internal import ParticlesModel

/// The particles of an emitter at even moments of a time, and how they differ from those of another one.
struct ExpectedRun {
  private typealias Vectors = [SIMD4<Double>]

  let times: ExpectedTimes
  /// Mean width and height, and the deviation of the width. It is empty where it was not computed, as the others.
  private var size: Vectors = []
  private var color: Vectors = []
  private var colorDeviation: Vectors = []
  private var direction: Vectors = []
  private var place: Vectors = []
  private var placeDeviation: Vectors = []
  /// The roots of the mean squares of width and height, and of the opacity.
  private var sizeScale = SIMD2(0.0, 0.0)
  private var alphaScale = 0.0
  /// The variance of a mean place over the sample, as a share of that of the places.
  private var samplingVariance = 0.0
  /// Four standard deviations of all places, by axis.
  private var extent = SIMD4<Double>.zero

  init(_ particles: ExpectedParticles, _ times: ExpectedTimes, _ parts: ExpectedParts) {
    self.times = times
    compute(parts, of: particles)
  }

  /// Computes parts anew, at the same times.
  mutating func compute(_ parts: ExpectedParts, of particles: ExpectedParticles) {
    if parts.contains(.size) {
      size = times.means(particles.size)
      sizeScale = SIMD2(scale(size, 0), scale(size, 1))
      for index in size.indices {
        size[index].z = max(0, size[index].z - size[index].x * size[index].x).squareRoot()
      }
    }
    if parts.contains(.color) {
      color = times.means(particles.color)
      colorDeviation = Self.deviations(times.means(particles.colorSquares), color)
      for index in color.indices {
        color[index] = color[index].clamped(lowerBound: .zero, upperBound: .one)
      }
      alphaScale = scale(color, 3)
    }
    if parts.contains(.rotation) { direction = times.means(particles.direction) }
    if parts.contains(.place) {
      samplingVariance = particles.samplingVariance
      place = times.means(particles.place)
      let squares = times.means(particles.placeSquares)
      placeDeviation = Self.deviations(squares, place)
      var (sum, square, whole) = (SIMD4<Double>.zero, SIMD4<Double>.zero, 0.0)
      for (index, count) in times.counts.enumerated() where count > 0 {
        sum += place[index] * count
        square += squares[index] * count
        whole += count
      }
      extent = whole > 0 ? Self.deviations([square / whole], [sum / whole])[0] * 4 : .zero
    }
  }

  private func scale(_ values: Vectors, _ axis: Int) -> Double {
    var (whole, squares) = (0.0, 0.0)
    for (index, count) in times.counts.enumerated() where count > 0 {
      whole += count
      squares += values[index][axis] * values[index][axis] * count
    }
    return whole > 0 ? (squares / whole).squareRoot() : 0
  }

  private static func deviations(_ squares: Vectors, _ means: Vectors) -> Vectors {
    squares.indices.map { index in
      let variance = squares[index] - means[index] * means[index]
      return variance.replacing(with: 0, where: variance .< 0).squareRoot()
    }
  }

  /// Whether anything lives.
  var isEmpty: Bool { times.counts.allSatisfy { $0 <= 0 } }

  /// The mean colour, and how much of the picture the emitter takes: number, width and opacity.
  var look: (color: SIMD4<Double>, cover: Double) {
    var (sum, whole) = (SIMD4<Double>.zero, 0.0)
    for (index, count) in times.counts.enumerated() where count > 0 {
      let weight = count * size[index].x
      sum += color[index] * weight
      whole += weight
    }
    guard whole > 0 else { return (.one, 0) }
    return (sum / whole, sum.w)
  }

  // MARK: - Differences

  /// The squares of the differences of each aspect, as `Spec/conversion/README.md` defines it.
  /// - Parameters:
  ///   - parts: what both have.
  ///   - isFlat: whether depth does not show.
  ///   - turning: how much it shows that particles are turned.
  func difference(
    from other: ExpectedRun, _ parts: ExpectedParts, isFlat: Bool, turning: () -> Double
  ) -> ExpectedDifference {
    var result = ExpectedDifference()
    result.add(countSquare(other), to: .count)
    var weights = [Double](repeating: 0, count: ExpectedTimes.moments)
    var whole = 0.0
    for index in weights.indices {
      let (a, b) = (times.counts[index], other.times.counts[index])
      guard a > 0, b > 0 else { continue }
      weights[index] = 2 * a * b / (a + b)
      whole += weights[index]
    }
    guard whole > 0 else {
      if result.greatest > 0 { result.add(1, to: .count) }
      return result
    }
    func mean(_ a: Vectors, _ b: Vectors) -> SIMD4<Double> {
      var sum = SIMD4<Double>.zero
      for index in weights.indices where weights[index] > 0 {
        let difference = a[index] - b[index]
        sum += difference * difference * weights[index]
      }
      return sum / whole
    }
    if parts.contains(.size) {
      let squares = mean(size, other.size)
      let scale = sizeScale.replacing(with: other.sizeScale, where: other.sizeScale .> sizeScale)
      for axis in 0..<2 where scale[axis] > 0 {
        result.add(squares[axis] / (scale[axis] * scale[axis]), to: .size)
      }
      if scale.x > 0 { result.add(squares.z / (scale.x * scale.x), to: .variety) }
    }
    if parts.contains(.color) {
      let (means, deviations) = (
        mean(color, other.color), mean(colorDeviation, other.colorDeviation)
      )
      result.add(means.x + means.y + means.z, to: .color)
      result.add(deviations.x + deviations.y + deviations.z, to: .variety)
      let scale = max(alphaScale, other.alphaScale)
      if scale > 0 {
        result.add(means.w / (scale * scale), to: .opacity)
        result.add(deviations.w / (scale * scale), to: .variety)
      }
    }
    if parts.contains(.rotation) {
      let square = mean(direction, other.direction).sum() / 4
      // Pictures are read where it matters only.
      if square > max(result.greatest, Self.leastRotation) {
        let shown = turning()
        result.add(square * shown * shown, to: .rotation)
      }
    }
    if parts.contains(.place) {
      let mask: SIMD4<Double> = isFlat ? SIMD4(1, 1, 0, 0) : SIMD4(1, 1, 1, 0)
      let width = max(
        (extent * mask).max() + sizeScale.x, (other.extent * mask).max() + other.sizeScale.x)
      guard width > 0 else { return result }
      // Sampling noise is subtracted: of a deviation, about half as much as of a mean.
      let zero = Vectors(repeating: .zero, count: placeDeviation.count)
      let noise = [self, other].reduce(0) { sum, run in
        run.samplingVariance == 0
          ? sum : sum + (mean(run.placeDeviation, zero) * mask).sum() * run.samplingVariance
      }
      let places = max((mean(place, other.place) * mask).sum() - noise, 0)
      let deviations = max(
        (mean(placeDeviation, other.placeDeviation) * mask).sum() - noise / 2, 0)
      result.add(places / (width * width), to: .position)
      result.add(deviations * 16 / (width * width), to: .spread)
    }
    return result
  }

  private func countSquare(_ other: ExpectedRun) -> Double {
    var (sum, scale) = (0.0, 0.0)
    for index in times.counts.indices {
      let (a, b) = (times.counts[index], other.times.counts[index])
      scale += max(a, b) * max(a, b)
      guard a != b else { continue }
      let change = max(times.changes[index], other.times.changes[index])
      // One particle more, or a frame earlier, is the same effect.
      sum += (a - b) * (a - b) - 0.5 - change * change
    }
    return scale > 0 ? max(sum / scale, 0) : 0
  }

  /// The square of the difference of directions below which it does not show.
  private static let leastRotation = 1e-4
}

/// The squares of the differences of the aspects.
struct ExpectedDifference {
  enum Aspect: Int { case count, position, spread, size, rotation, color, opacity, variety }

  var squares = SIMD8<Double>.zero

  /// The square of the most different aspect.
  var greatest: Double { squares.max() }

  /// Takes the greater square of an aspect, at most 1.
  mutating func add(_ square: Double, to aspect: Aspect) {
    let index = aspect.rawValue
    squares[index] = max(squares[index], square.isFinite ? min(square, 1) : 1)
  }
}
