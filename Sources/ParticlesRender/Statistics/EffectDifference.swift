public import ParticlesCore

/// How different two effects are: a number for each aspect, from 0 for no difference to 1 for nothing in common.
///
/// `Spec/conversion/README.md`, section Difference, defines the numbers.
public struct EffectDifference: Sendable, Hashable {
  /// An aspect of a running effect.
  public enum Aspect: String, Sendable, Hashable, CaseIterable {
    /// The number of living particles.
    case count
    /// The centre of the particles.
    case position
    /// How far particles are from the centre.
    case spread
    /// The mean size.
    case size
    /// The mean direction of particles, and how much they differ in it.
    case rotation
    /// The mean colour.
    case color
    /// The mean opacity.
    case opacity
    /// How much the particles of a moment differ in size, colour and opacity.
    case variety
    /// The effect of a particle on the picture behind it.
    case blending
  }

  /// The differences of the aspects that both effects have, 0 to 1.
  public package(set) var aspects: [Aspect: Double]

  /// The greatest standard error of an aspect, or 0 if it is not known.
  package private(set) var error = 0.0

  /// The fewest records with one left out of which the standard error is estimated.
  private static let leastRecords = 4

  /// Creates differences.
  package init(_ aspects: [Aspect: Double] = [:]) { self.aspects = aspects }

  /// The difference of the effects, equal to the difference of their most different aspect.
  public var whole: Double { aspects.values.max() ?? 0 }

  /// The greatest difference of the aspects that recordings of engines contain: all but variety and
  /// blending. Compare it with the difference of a recording.
  public var particles: Double {
    aspects.filter { $0.key != .variety && $0.key != .blending }.values.max() ?? 0
  }

  /// The aspect that differs most, or nil if nothing was compared.
  public var greatest: Aspect? {
    Aspect.allCases.filter { aspects[$0] != nil }.max { aspects[$0] ?? 0 < aspects[$1] ?? 0 }
  }
}

extension EffectDifference {
  /// The numbers as JSON, rounded to four digits: `difference`, `similarity` (1 less the difference),
  /// both for ``particles``, `greatest` and `aspects`.
  public var json: JSONValue {
    func number(_ value: Double) -> JSONValue { .double((value * 10_000).rounded() / 10_000) }
    let aspects = Aspect.allCases.compactMap { aspect in
      self.aspects[aspect].map { JSONObject.Member(key: aspect.rawValue, value: number($0)) }
    }
    var object: JSONObject = [
      "difference": number(whole), "similarity": number(1 - whole),
    ]
    object["particles"] = [
      "difference": number(particles), "similarity": number(1 - particles),
    ]
    object["greatest"] = greatest.map { .string($0.rawValue) }
    object["aspects"] = .object(JSONObject(members: aspects))
    return .object(object)
  }

  /// The smallest of several differences. It belongs to the form of the source nearest to the result.
  package static func least(of differences: [EffectDifference]) -> EffectDifference {
    differences.min { $0.particles < $1.particles } ?? EffectDifference()
  }

  /// Compares two effects by their records.
  ///
  /// With several records of each effect, record n of one effect is compared with record n of the
  /// second, and variation from pair to pair is noise. With one record each, the noise follows from
  /// its standard deviations.
  /// - Parameter estimatesError: whether the standard error includes the error of the scales, which takes longer.
  package init(_ a: [EffectRecord], _ b: [EffectRecord], estimatesError: Bool = false) {
    let count = min(a.count, b.count)
    let size = max(a.first?.emitters.count ?? 0, b.first?.emitters.count ?? 0)
    let isFlat = a.first?.isFlat ?? false || b.first?.isFlat ?? false
    var sums: [Aspect: DifferenceSquare] = [:]
    var weights: [Aspect: Double] = [:]
    for index in 0..<size {
      let pairs = (0..<count).map { (a: a[$0].emitters.at(index), b: b[$0].emitters.at(index)) }
      let comparison = EmitterComparison(
        pairs, seeds: (a.first?.seeds ?? 1, b.first?.seeds ?? 1), every: a.first?.plan.every ?? 1,
        isFlat: isFlat)
      guard comparison.cover > 0 else { continue }
      let turning = [a.first, b.first].compactMap { record in
        record?.turning.indices.contains(index) == true ? record?.turning[index] : nil
      }
      for (aspect, whole) in comparison.squares() {
        let shown = aspect == .rotation ? turning.first ?? 1 : 1
        var square = whole.scaled(by: shown * shown)
        square.value = min(square.value, 1)
        sums[aspect] =
          (sums[aspect] ?? DifferenceSquare()) + square.scaled(by: comparison.cover)
        weights[aspect, default: 0] += comparison.cover
      }
    }
    var aspects: [Aspect: Double] = [:]
    for (aspect, sum) in sums {
      let share = sum.scaled(by: 1 / (weights[aspect] ?? 1))
      let difference = min(max(share.value, 0).squareRoot(), 1)
      aspects[aspect] = difference
      // The error of the root. Near 0, half of the value for the square, because no difference is below 0.
      let ofSquare = share.variance.squareRoot()
      guard ofSquare > 0 else { continue }
      error = max(error, ofSquare / max(2 * difference, 2 * ofSquare.squareRoot()))
    }
    self.aspects = aspects
    if estimatesError, count >= Self.leastRecords { estimateError(a, b, count) }
  }

  /// The error by the differences without one of the records each: the jackknife.
  private mutating func estimateError(_ a: [EffectRecord], _ b: [EffectRecord], _ count: Int) {
    var others: [EffectDifference] = []
    // Nothing throws.
    try? Parallel.ordered(count, state: {}) { left, _ in
      func rest(_ records: [EffectRecord]) -> [EffectRecord] {
        records[..<count].enumerated().filter { $0.offset != left }.map { $0.element }
      }
      return EffectDifference(rest(a), rest(b))
    } emit: {
      others.append($0)
    }
    for aspect in aspects.keys {
      let values = others.map { $0.aspects[aspect] ?? 0 }
      let mean = values.reduce(0, +) / Double(count)
      let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      error = max(error, (squares * Double(count - 1) / Double(count)).squareRoot())
    }
  }
}

extension [EffectRecord.Emitter] {
  fileprivate func at(_ index: Int) -> Element {
    indices.contains(index) ? self[index] : EffectRecord.Emitter()
  }
}

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
/// Frames are not independent, because neighbouring frames share particles. The residuals of a pair are
/// therefore a vector over the frames.
struct SquareNoise {
  /// The products of the mean differences with the residuals of each pair.
  private var slopes: [Double]
  /// The products of the residuals of each two pairs, in rows.
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
  ///   - known: the differences that are not nil.
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

  /// The variance of the sum. It has a part from the mean differences and their slope, and a part from the
  /// squares of the residuals, which alone remains if nothing differs.
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
