internal import ParticlesCore
internal import ParticlesModel

extension Value {
  /// The value plus a number.
  func moved(by distance: Double) -> Value {
    guard case .ramp(var ramp) = self else { return mapped { ($0 + distance).rounded } }
    ramp.low = ramp.low.moved(by: distance)
    if !ramp.relative { ramp.high = ramp.high.moved(by: distance) }
    return .ramp(ramp)
  }

  /// The value with its bounds at 0 or above.
  var notNegative: Value {
    switch self {
    case .constant, .uniform: mapped { max($0, 0) }
    default: self
    }
  }

  /// The value with its numbers rounded to parts of a second or of a particle, at least 0, and the
  /// greatest change in such parts.
  func inWholes(times factor: Double) -> (value: Value, error: Double) {
    func whole(_ number: Double) -> Double { max((number * factor).rounded(), 0) }
    func error(_ number: Double) -> Double {
      let error = (number * factor - whole(number)).magnitude
      return error < 1e-6 ? 0 : error
    }
    switch self {
    case .constant(let number): return (.constant(whole(number) / factor), error(number))
    case .uniform(var range):
      let most = max(error(range.min), error(range.max))
      (range.min, range.max) = (whole(range.min) / factor, whole(range.max) / factor)
      return (.uniform(range), most)
    case .choice(var choice):
      let most = choice.numbers.map(error).max() ?? 0
      choice.numbers = choice.numbers.map { whole($0) / factor }
      return (.choice(choice), most)
    case .ramp(var ramp):
      let (low, high) = (ramp.low.inWholes(times: factor), ramp.high.inWholes(times: factor))
      (ramp.low, ramp.high) = (low.value, high.value)
      return (.ramp(ramp), max(low.error, high.error))
    }
  }
}

extension Value.Ramp {
  /// The mean over the period, times a factor.
  func meanCurve(times factor: Double) -> Curve {
    let (low, high) = (low.mean, relative ? high.mean : high.mean - low.mean)
    var curve = curve.multiplied(by: high * factor)
    for index in curve.keys.indices { curve.keys[index].value += low * factor }
    return curve
  }
}

extension Track {
  /// The track plus a number.
  func moved(by distance: Double) -> Track {
    var track = self
    track.from = from.moved(by: distance)
    if !relative { track.to = to?.moved(by: distance) }
    return track
  }

  /// The value at the emission of a particle; its bounds are exact.
  var initial: Value {
    guard let to else { return from }
    let share = curve.value(at: 0)
    if share == 0 { return from }
    if share == 1, !relative { return to }
    let (start, end) = (from.bounds, to.bounds)
    func mixed(_ start: Double, _ end: Double) -> Double {
      (start + (relative ? end : end - start) * share).rounded
    }
    let ends = [mixed(start.lower, end.lower), mixed(start.upper, end.upper)].sorted()
    return .between(ends[0], ends[1])
  }

  /// The random factor of the start, or else of the end: a range around 1.
  var randomFactor: Value {
    for value in [from, to ?? 0] {
      let (center, half, _) = value.spread
      guard half != 0, center != 0 else { continue }
      return Value(center: 1, halfWidth: min((half / center).magnitude, 1))
    }
    return 1
  }
}
