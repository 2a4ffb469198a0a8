internal import ParticlesCore

/// Values at times, as stored in files of any syntax for properties over life.
package struct KeyFrames {
  package enum Values {
    case numbers([Double])
    case colors([Color])

    package var count: Int {
      switch self {
      case .numbers(let numbers): numbers.count
      case .colors(let colors): colors.count
      }
    }
  }

  /// The times as in the file, in any order; as many as values.
  package var times: [Double]
  package var values: Values
  package var interpolation = Interpolation.linear
  package var extend = Extend.clamp

  /// Slopes of a cubic curve before and after each key; empty for automatic slopes, which are not
  /// stored.
  package var slopes: [(before: Double, behind: Double)] = []

  /// Maps an input to time: time = scale · input + bias.
  package var scale = 1.0
  package var bias = 0.0

  package init(times: [Double], values: Values) {
    self.times = times
    self.values = values
  }

  package var isSorted: Bool { zip(times, times.dropFirst()).allSatisfy { $0 <= $1 } }

  /// The numbers, times a factor, as a curve over the input; nil if they are colours, or there are
  /// none.
  package func curve(times factor: Double = 1) -> Curve? {
    guard case .numbers(let numbers) = values, !numbers.isEmpty else { return nil }
    let keys = order.map { index in
      let number = factor == 1 ? numbers[index] : (numbers[index] * factor).rounded
      var key = CurveKey(input(times[index]), number)
      if slopes.indices.contains(index), interpolation == .cubic {
        let slope = slopes[index]
        key.inSlope = (scale < 0 ? slope.behind : slope.before) * scale
        key.outSlope = (scale < 0 ? slope.before : slope.behind) * scale
      }
      return key
    }
    return Curve(keys, interpolation, extend: extend)
  }

  /// The colours as a gradient over the input; nil if they are numbers, or there are none.
  package var gradient: Gradient? {
    guard case .colors(let colors) = values, !colors.isEmpty else { return nil }
    return Gradient(order.map { GradientKey(input(times[$0]), colors[$0]) }, interpolation)
  }

  /// Equidistant times of `count` keys, used if none are stated.
  package static func evenTimes(_ count: Int) -> [Double] {
    count < 2 ? [0] : (0..<count).map { Double($0) / Double(count - 1) }
  }

  /// Takes the slopes of a cubic curve with tension, continuity and bias at its keys (Kochanek and
  /// Bartels); none if all of these are zero, because those are the automatic slopes.
  package mutating func bend(tension: [Double], continuity: [Double], bias: [Double]) {
    guard (tension + continuity + bias).contains(where: { $0 != 0 }),
      case .numbers(let numbers) = values
    else { return }
    func at(_ numbers: [Double], _ index: Int) -> Double {
      numbers.indices.contains(index) ? numbers[index] : 0
    }
    func slope(_ index: Int) -> Double? {
      guard index > 0, index < times.count, times[index] > times[index - 1] else { return nil }
      return (numbers[index] - numbers[index - 1]) / (times[index] - times[index - 1])
    }
    let slopes = times.indices.map { index in
      let (t, c, b) = (at(tension, index), at(continuity, index), at(bias, index))
      let before = slope(index) ?? slope(index + 1) ?? 0
      let behind = slope(index + 1) ?? before
      return (
        before: (1 - t) / 2 * ((1 - c) * (1 + b) * before + (1 + c) * (1 - b) * behind),
        behind: (1 - t) / 2 * ((1 + c) * (1 + b) * before + (1 - c) * (1 - b) * behind)
      )
    }
    // Keys may be so close that the slope between them is not finite.
    if slopes.allSatisfy({ $0.before.isFinite && $0.behind.isFinite }) { self.slopes = slopes }
  }

  private func input(_ time: Double) -> Double {
    scale == 1 && bias == 0 ? time : (time - bias) / scale
  }

  /// The keys by ascending input; keys at the same time stay in their order.
  private var order: [Int] {
    let inputs = times.map(input)
    return times.indices.sorted { inputs[$0] == inputs[$1] ? $0 < $1 : inputs[$0] < inputs[$1] }
  }
}
