/// The square of a difference, without its noise.
struct DifferenceSquare {
  var value = 0.0
  /// The variance of the value, which follows from the differences between the pairs.
  var variance = 0.0

  static func + (a: Self, b: Self) -> Self {
    Self(value: a.value + b.value, variance: a.variance + b.variance)
  }

  func scaled(by factor: Double) -> Self {
    Self(value: value * factor, variance: variance * factor * factor)
  }
}

/// How much the weighted sum over the frames of the squares of mean differences varies by chance, as the
/// differences between the pairs of records show.
///
/// Frames are not independent of each other, because the same particles live in them. The residuals of a pair
/// are therefore a vector over the frames.
struct SquareNoise {
  /// The products of the mean differences with the residuals of each pair.
  private var slopes: [Double]
  /// The products of the residuals of each pair with those of each other.
  private var products: [[Double]]

  /// The noise of nothing.
  init(_ pairs: Int) {
    slopes = [Double](repeating: 0, count: pairs)
    products = [[Double]](repeating: slopes, count: pairs)
  }

  /// Adds a frame: the difference of each pair, nil where one side has no particle.
  mutating func add(_ differences: [Double?], weight: Double) {
    let known = differences.compactMap(\.self)
    guard known.count > 1 else { return }
    let count = Double(known.count)
    let mean = known.reduce(0, +) / count
    let share = weight / (count * (count - 1))
    let root = (weight * share).squareRoot()
    let residuals = differences.map { difference in difference.map { $0 - mean } ?? 0 }
    for (index, residual) in residuals.enumerated() where residual != 0 {
      slopes[index] += root * mean * residual
      for (other, another) in residuals.enumerated() {
        products[index][other] += share * residual * another
      }
    }
  }

  /// The variance of the sum: that of the mean differences times their slope, and that of their squares, which
  /// is all that there is where nothing differs.
  var variance: Double {
    let freedom = Double(slopes.count - 1)
    guard freedom > 0 else { return 0 }
    let trace = products.indices.reduce(0) { $0 + products[$1][$1] }
    let squares = products.reduce(0) { $1.reduce($0) { $0 + $1 * $1 } }
    // Of a few pairs alone, the squares are too great.
    let unbiased =
      freedom > 1
      ? freedom * freedom / ((freedom + 2) * (freedom - 1)) * (squares - trace * trace / freedom)
      : squares
    // The noise that is taken out is twice the variance of the mean, and uncertain, too.
    let curved = 2 * max(unbiased, 0) * (1 + 4 / freedom)
    let sloped = 4 * slopes.reduce(0) { $0 + $1 * $1 }
    return max(sloped, curved)
  }
}
