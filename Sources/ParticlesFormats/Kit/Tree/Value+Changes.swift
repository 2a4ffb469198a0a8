internal import ParticlesCore
internal import ParticlesModel

extension Value {
  /// The value plus a number.
  func moved(by distance: Double) -> Value {
    switch self {
    case .constant(let number): return .constant((number + distance).rounded)
    case .uniform(var range):
      (range.min, range.max) = ((range.min + distance).rounded, (range.max + distance).rounded)
      return .uniform(range)
    case .choice(var choice):
      choice.numbers = choice.numbers.map { ($0 + distance).rounded }
      return .choice(choice)
    case .ramp(var ramp):
      ramp.low = ramp.low.moved(by: distance)
      if !ramp.relative { ramp.high = ramp.high.moved(by: distance) }
      return .ramp(ramp)
    }
  }

  /// The value with its bounds at 0 or above.
  var notNegative: Value {
    switch self {
    case .constant(let number): .constant(max(number, 0))
    case .uniform(var range):
      {
        (range.min, range.max) = (max(range.min, 0), max(range.max, 0))
        return .uniform(range)
      }()
    default: self
    }
  }
}
