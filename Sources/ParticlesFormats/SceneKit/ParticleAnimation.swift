internal import ParticlesCore
internal import ParticlesModel

/// The keys of a property controller, whichever of its encodings they come from.
struct ParticleAnimation {
  /// What stands at a key: one number, or the four components of a colour.
  enum Values {
    case numbers([Double])
    case colors([Color])
  }

  /// Times of the keys, as the file has them; as many as values.
  var times: [Double]
  var values: Values
  var interpolation = Interpolation.linear

  /// Slopes of a cubic curve before and behind each key; empty if they are those of the lines
  /// through the neighbours, which need not be stored.
  var slopes: [(before: Double, behind: Double)] = []

  /// How the input of the controller becomes time: time = scale · input + bias.
  var scale = 1.0
  var bias = 0.0

  var count: Int { times.count }

  /// The numbers as a curve over the input; nil if they are colours, or there are none.
  func curve() -> Curve? {
    guard case .numbers(let numbers) = values, !numbers.isEmpty else { return nil }
    let keys = order.map { index in
      var key = CurveKey(input(times[index]), numbers[index])
      if slopes.indices.contains(index), interpolation == .cubic {
        let slope = slopes[index]
        key.inSlope = (scale < 0 ? slope.behind : slope.before) * scale
        key.outSlope = (scale < 0 ? slope.before : slope.behind) * scale
      }
      return key
    }
    return Curve(keys, interpolation)
  }

  /// The colours as a gradient over the input; nil if they are numbers, or there are none.
  func gradient() -> Gradient? {
    guard case .colors(let colors) = values, !colors.isEmpty else { return nil }
    return Gradient(order.map { GradientKey(input(times[$0]), colors[$0]) }, interpolation)
  }

  private func input(_ time: Double) -> Double { scale == 1 && bias == 0 ? time : unscaled(time) }

  private func unscaled(_ time: Double) -> Double { (time - bias) / scale }

  /// The keys by ascending input; keys at the same time stay in their order.
  private var order: [Int] {
    let inputs = times.map(input)
    return times.indices.sorted { inputs[$0] == inputs[$1] ? $0 < $1 : inputs[$0] < inputs[$1] }
  }

  /// Whether the file has its keys in ascending order.
  var isSorted: Bool { zip(times, times.dropFirst()).allSatisfy { $0 <= $1 } }
}
