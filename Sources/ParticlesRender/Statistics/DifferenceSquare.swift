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
  /// The products of the residuals of each pair with those of each other, in rows.
  private var products: [Double]
  /// The residuals of the frame that was added last.
  private var residuals: [Double]

  /// The noise of nothing.
  init(_ pairs: Int) {
    slopes = [Double](repeating: 0, count: pairs)
    products = [Double](repeating: 0, count: pairs * pairs)
    residuals = slopes
  }

  /// Adds a frame.
  /// - Parameters:
  ///   - differences: the difference of each pair, nil where one side has no particle.
  ///   - known: those that are not nil.
  mutating func add(_ differences: [Double?], known: [Double], weight: Double) {
    guard known.count > 1 else { return }
    let count = Double(known.count)
    let mean = known.reduce(0, +) / count
    let share = weight / (count * (count - 1))
    let root = (weight * share).squareRoot()
    for (index, difference) in differences.enumerated() {
      residuals[index] = difference.map { $0 - mean } ?? 0
    }
    for (index, residual) in residuals.enumerated() where residual != 0 {
      slopes[index] += root * mean * residual
      let row = index * residuals.count
      for (other, another) in residuals.enumerated() {
        products[row + other] += share * residual * another
      }
    }
  }

  /// The variance of the sum: that of the mean differences times their slope, and that of their squares, which
  /// is all that there is where nothing differs.
  var variance: Double {
    let freedom = Double(slopes.count - 1)
    guard freedom > 0 else { return 0 }
    let trace = slopes.indices.reduce(0) { $0 + products[$1 * (slopes.count + 1)] }
    let squares = products.reduce(0) { $0 + $1 * $1 }
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
