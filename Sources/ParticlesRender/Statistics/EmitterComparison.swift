internal import ParticlesCore
internal import ParticlesModel

/// The squares of the differences of two emitters, with the noise of sampling taken out.
struct EmitterComparison {
  private typealias Column = EffectRecord.Column
  private typealias Aspect = EffectDifference.Aspect

  /// How many variances of a mean difference are noise: with one, the mean would be right, but half of all
  /// equal effects would differ.
  private static let variances = 2.0
  /// The square of a difference that does not count, because recordings round numbers.
  private static let rounding = 0.5
  /// The standard deviation that is assumed if no column has it, as a share of the scale.
  private static let unknownDeviation = 0.3

  private let pairs: [Pair]
  private let seeds: (a: Int, b: Int)
  /// The number of frames between samples.
  private let every: Int
  /// Depth is not compared if one of the effects has none: from the front it is not seen.
  private let axes: [(place: Column, spread: Column)]
  /// The means of both sides over all pairs.
  private let a: EffectRecord.Emitter
  private let b: EffectRecord.Emitter
  private let frames: Int
  /// The weight of each frame in means of columns other than the counts. It is the harmonic mean of the
  /// numbers of particles, because the variance of a difference of means is inverse to it.
  private let weights: [Double]
  /// How much of the picture the emitter takes: the sum over frames of count, size and opacity.
  let cover: Double

  init(
    _ pairs: [(a: EffectRecord.Emitter, b: EffectRecord.Emitter)], seeds: (a: Int, b: Int),
    every: Int, isFlat: Bool
  ) {
    self.every = every
    self.pairs = pairs
    axes = [(.x, .xSd), (.y, .ySd)] + (isFlat ? [] : [(.z, .zSd)])
    self.seeds = seeds
    let (a, b) = (Self.mean(pairs.map { $0.a }), Self.mean(pairs.map { $0.b }))
    (self.a, self.b) = (a, b)
    frames = max(a.frames, b.frames)
    weights = (0..<frames).map { frame in
      let (one, other) = (a.value(.count, frame), b.value(.count, frame))
      return one > 0 && other > 0 ? 2 * one * other / (one + other) : 0
    }
    cover = max(Self.cover(a, frames), Self.cover(b, frames))
  }

  /// The mean of each column over several records.
  private static func mean(_ records: [EffectRecord.Emitter]) -> EffectRecord.Emitter {
    guard records.count > 1, let first = records.first else {
      return records.first ?? EffectRecord.Emitter()
    }
    var result = EffectRecord.Emitter(frames: first.frames)
    for column in Column.allCases where records.allSatisfy({ $0.has(column) }) {
      result[column] = (0..<first.frames).map { frame in
        var (sum, count) = (0.0, 0)
        for record in records {
          guard let number = record.known(column, frame) else { continue }
          sum += number
          count += 1
        }
        return count == 0 ? nil : sum / Double(count)
      }
    }
    return result
  }

  private static func cover(_ emitter: EffectRecord.Emitter, _ frames: Int) -> Double {
    (0..<frames).reduce(0) { sum, frame in
      let size = emitter.known(.size, frame).map { $0.magnitude } ?? 1
      let opacity = emitter.known(.a, frame).map { min(max($0, 0), 1) } ?? 1
      return sum + emitter.value(.count, frame) * size * opacity
    }
  }

  // MARK: Aspects

  /// The square of the difference of each aspect that both sides have.
  func squares() -> [EffectDifference.Aspect: DifferenceSquare] {
    var result: [Aspect: DifferenceSquare] = [:]
    func add(_ aspect: Aspect, _ square: DifferenceSquare?) {
      guard let square else { return }
      let before = result[aspect] ?? DifferenceSquare()
      result[aspect] = DifferenceSquare(
        value: max(before.value, square.value), variance: max(before.variance, square.variance))
    }
    add(.count, counts())
    guard weights.contains(where: { $0 > 0 }) else { return [.count: DifferenceSquare(value: 1)] }
    let extent = max(self.extent(a), self.extent(b))
    add(.position, sum(axes.map { $0.place }, scale: extent))
    add(.spread, sum(axes.map { $0.spread }, scale: extent / 4))
    let size = max(scale(a, .size), scale(b, .size))
    add(.size, square(.size, scale: size))
    add(.size, square(.sizeY, scale: max(scale(a, .sizeY), scale(b, .sizeY))))
    add(.rotation, rotation())
    add(.color, sum([.r, .g, .b], scale: 1))
    let opacity = max(scale(a, .a), scale(b, .a))
    add(.opacity, square(.a, scale: opacity))
    add(.variety, square(.sizeSd, scale: size))
    add(.variety, sum([.rSd, .gSd, .bSd], scale: 1))
    add(.variety, square(.aSd, scale: opacity))
    return result
  }

  /// Numbers of particles: each frame counts as much as any other, and the greatest is the scale.
  private func counts() -> DifferenceSquare? {
    let scale = (0..<frames).reduce(0) {
      $0 + square(max(a.value(.count, $1), b.value(.count, $1)))
    }
    guard scale > 0 else { return nil }
    var sum = 0.0
    var noise = SquareNoise(pairs.count)
    for frame in 0..<frames {
      let differences = pairs.map { $0.a.value(.count, frame) - $0.b.value(.count, frame) }
      // A particle more, or a frame earlier, does not count as a difference.
      let tolerance = Self.rounding + square(change(at: frame))
      guard differences.contains(where: { $0 != 0 }) else { continue }
      noise.add(differences.map { $0 }, known: differences, weight: 1)
      sum +=
        square(differences) {
          square(a.value(.countSd, frame)) / Double(seeds.a)
            + square(b.value(.countSd, frame)) / Double(seeds.b)
        } - tolerance
    }
    return DifferenceSquare(value: sum, variance: noise.variance).scaled(by: 1 / scale)
  }

  /// How much the number of particles changes within a frame, from sample to sample.
  private func change(at frame: Int) -> Double {
    let (before, after) = (max(frame - 1, 0), min(frame + 1, frames - 1))
    let samples = Double(max(after - before, 1) * every)
    func change(_ emitter: EffectRecord.Emitter) -> Double {
      (emitter.value(.count, after) - emitter.value(.count, before)).magnitude
    }
    return max(change(a), change(b)) / samples
  }

  /// The sum of the squares of several columns, or nil if none is on both sides.
  private func sum(_ columns: [Column], scale: Double) -> DifferenceSquare? {
    let squares = columns.compactMap { square($0, scale: scale) }
    return squares.isEmpty ? nil : squares.reduce(DifferenceSquare(), +)
  }

  private func square(_ column: Column, scale: Double) -> DifferenceSquare? {
    guard a.has(column), b.has(column) else { return nil }
    guard scale > 0 else { return DifferenceSquare() }
    let deviation = Self.deviations[column]
    func error(_ emitter: EffectRecord.Emitter, _ seeds: Int, _ frame: Int) -> Double {
      let count = max(emitter.value(.count, frame) * Double(seeds), 1)
      // The error of a standard deviation is the error of the mean divided by the root of two.
      if column.isDeviation { return square(emitter.value(column, frame) / scale) / count / 2 }
      // Recordings lack the deviation of some columns, which simulations have.
      let spread = deviation.flatMap {
        emitter.known($0, frame) ?? a.known($0, frame) ?? b.known($0, frame)
      }
      return square(spread.map { $0 / scale } ?? Self.unknownDeviation) / count
    }
    return mean { pair, frame in
      guard let x = pair.a.known(column, frame), let y = pair.b.known(column, frame) else {
        return nil
      }
      return (Self.limited(x, column) - Self.limited(y, column)) / scale
    } noise: { frame in
      error(a, seeds.a, frame) + error(b, seeds.b, frame)
    }
  }

  /// Half the distance of the mean directions as vectors. The vectors are the shorter the more particles differ.
  private func rotation() -> DifferenceSquare? {
    guard a.has(.rot), b.has(.rot), a.has(.rotCircSd), b.has(.rotCircSd) else { return nil }
    func direction(_ emitter: EffectRecord.Emitter, _ frame: Int) -> SIMD2<Double>? {
      guard let angle = emitter.known(.rot, frame), let spread = emitter.known(.rotCircSd, frame)
      else { return nil }
      let (sine, cosine) = sineAndCosine(degrees: angle)
      return SIMD2(cosine, sine) * Self.length(spread)
    }
    func error(_ emitter: EffectRecord.Emitter, _ seeds: Int, _ frame: Int) -> Double {
      let length = Self.length(emitter.value(.rotCircSd, frame))
      return (1 - length * length) / max(emitter.value(.count, frame) * Double(seeds), 1)
    }
    func component(_ axis: Int) -> DifferenceSquare {
      mean { pair, frame in
        guard let x = direction(pair.a, frame), let y = direction(pair.b, frame) else {
          return nil
        }
        return (x[axis] - y[axis]) / 2
      } noise: { frame in
        (error(a, seeds.a, frame) + error(b, seeds.b, frame)) / 8
      }
    }
    return component(0) + component(1)
  }

  /// The length of the mean vector of directions with a circular standard deviation in degrees.
  private static func length(_ deviation: Double) -> Double {
    let radians = deviation * Double.pi / 180
    return powerOfTwo(max(-radians * radians / 2 / 0.693_147_180_559_945_3, -60))
  }

  // MARK: Noise

  private typealias Pair = (a: EffectRecord.Emitter, b: EffectRecord.Emitter)

  /// The weighted mean over the frames of a squared difference without its noise.
  /// - Parameters:
  ///   - difference: the difference of a pair at a frame, or nil if it is not known.
  ///   - noise: the square at a frame without any difference, for one pair.
  private func mean(
    _ difference: (Pair, Int) -> Double?, noise: (Int) -> Double
  ) -> DifferenceSquare {
    var (sum, whole) = (0.0, 0.0)
    var variation = SquareNoise(pairs.count)
    var all: [Double?] = []
    var known: [Double] = []
    for frame in 0..<frames where weights[frame] > 0 {
      all.removeAll(keepingCapacity: true)
      known.removeAll(keepingCapacity: true)
      for pair in pairs {
        let difference = difference(pair, frame)
        all.append(difference)
        if let difference { known.append(difference) }
      }
      // A difference in one of several pairs alone may be noise.
      guard known.count > 1 || known.count == pairs.count, !known.isEmpty else { continue }
      sum += weights[frame] * square(known) { noise(frame) }
      whole += weights[frame]
      variation.add(all, known: known, weight: weights[frame])
    }
    guard whole > 0 else { return DifferenceSquare() }
    return DifferenceSquare(value: sum, variance: variation.variance).scaled(by: 1 / whole)
  }

  /// The square of the mean of the differences, less the part that noise explains. It can be negative.
  private func square(_ differences: [Double], noise: () -> Double) -> Double {
    let count = Double(differences.count)
    let mean = differences.reduce(0, +) / count
    guard differences.count > 1 else {
      // Where nothing differs there is no noise either.
      return mean == 0 ? 0 : mean * mean - Self.variances * noise()
    }
    let squares = differences.reduce(0) { $0 + square($1 - mean) }
    return mean * mean - Self.variances * squares / (count * (count - 1))
  }

  private func square(_ number: Double) -> Double { number * number }

  // MARK: Scales

  /// The width of the effect: four standard deviations of all places of all frames, along the axis with
  /// the most, and the size of a particle.
  private func extent(_ emitter: EffectRecord.Emitter) -> Double {
    let widths = axes.map { place, spread -> Double in
      var (whole, sum, squares) = (0.0, 0.0, 0.0)
      for frame in 0..<frames {
        guard let mean = emitter.known(place, frame) else { continue }
        let (count, deviation) = (emitter.value(.count, frame), emitter.value(spread, frame))
        whole += count
        sum += count * mean
        squares += count * (mean * mean + deviation * deviation)
      }
      guard whole > 0 else { return 0 }
      return 4 * max(0, squares / whole - square(sum / whole)).squareRoot()
    }
    return (widths.max() ?? 0) + scale(emitter, .size)
  }

  /// The root of the mean square of a column over the particles of all frames.
  private func scale(_ emitter: EffectRecord.Emitter, _ column: Column) -> Double {
    var (whole, squares) = (0.0, 0.0)
    for frame in 0..<frames {
      guard let mean = emitter.known(column, frame) else { continue }
      let count = emitter.value(.count, frame)
      whole += count
      squares += count * square(Self.limited(mean, column))
    }
    return whole > 0 ? (squares / whole).squareRoot() : 0
  }

  /// Colours as they are drawn.
  private static func limited(_ number: Double, _ column: Column) -> Double {
    switch column {
    case .r, .g, .b, .a: min(max(number, 0), 1)
    default: number
    }
  }

  private static let deviations: [Column: Column] = [
    .x: .xSd, .y: .ySd, .z: .zSd, .size: .sizeSd, .sizeY: .sizeSd, .r: .rSd, .g: .gSd, .b: .bSd,
    .a: .aSd,
  ]
}
