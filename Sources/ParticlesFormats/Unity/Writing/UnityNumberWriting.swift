internal import ParticlesCore
internal import ParticlesModel

// Numbers and colours of Unity: constants, ranges, curves and gradients.

extension EmitterWriter<UnityFamily> {
  /// A number of new particles. Curves run over the period.
  mutating func number(
    _ value: Value, _ capability: Capability, at place: String, times factor: Double = 1
  ) -> JSONValue {
    if case .ramp(let ramp) = value {
      let track = Track(
        from: ramp.low, to: ramp.high, relative: ramp.relative, curve: ramp.curve)
      if let curves = UnityCurves(track, times: factor) { return curves.json }
      lose(
        .approximated, capability, at: place, "a value over the period is one curve",
        recipe: "the mean curve")
      let mean = Track(from: 0, to: 1, curve: ramp.meanCurve(times: 1))
      return UnityCurves(mean, times: factor)?.json ?? UnityCurves.constant(value.mean * factor)
    }
    let bounds = bounds(of: value, capability, at: place)
    return UnityCurves.range(bounds.least * factor, bounds.most * factor)
  }

  /// A number over the life of particles.
  mutating func number(
    _ track: Track, _ capability: Capability, at place: String, times factor: Double = 1
  ) -> JSONValue {
    if track.isPlainValue { return number(track.from, capability, at: place, times: factor) }
    if track.isPlainCurve || track == track.ofSpeed, track.to != nil,
      let curves = UnityCurves(track, times: factor)
    {
      if track.from.isNumber, track.from != 0, surroundings.isNew, !hasLine(at: place) {
        lose(.restated, capability, at: place, "a value over life is a curve")
      }
      return curves.json
    }
    let (curve, isExact) = track.curve(lifetime: lifetime)
    lose(
      isExact ? .restated : .approximated, capability, at: place,
      "a value over life is a curve, or between two", recipe: isExact ? nil : "the mean curve")
    let mean = Track(from: 0, to: 1, curve: curve)
    return UnityCurves(mean, times: factor)?.json
      ?? UnityCurves.constant(track.mean(lifetime: lifetime) * factor)
  }

  /// Writes numbers for three axes, which Unity wants in one form.
  mutating func setAxes(
    _ numbers: [JSONValue], _ module: String, _ keys: [String], _ capability: Capability,
    at place: String
  ) {
    let written = UnityCurves.inOneForm(numbers)
    if written != numbers, surroundings.isNew, !hasLine(at: place) {
      lose(.restated, capability, at: place, "all axes are constant, random or curves")
    }
    for (key, number) in zip(keys, written) { set("\(module).\(key)", number) }
  }
}

/// A number of Unity that changes: one curve, or two between which it is random, and a factor of both.
struct UnityCurves {
  let high: Curve
  var low: Curve?
  let factor: Double

  /// nil for a track that is random otherwise.
  init?(_ track: Track, times scale: Double) {
    guard let to = track.to, track.curve.extend == .clamp, !track.curve.keys.isEmpty else {
      return nil
    }
    let curve = track.curve
    switch (track.from, to) {
    case (.constant(let from), .constant(let end)):
      let span = track.relative ? end : end - from
      if from == 0 {
        (high, factor) = (curve, span * scale)
      } else {
        let moved = curve.moved(times: span, plus: from)
        let most = moved.keys.map(\.value.magnitude).max() ?? 1
        let unit = most > 0 ? most : 1
        (high, factor) = (moved.moved(times: 1 / unit, plus: 0), unit * scale)
      }
    case (0, .uniform(let range)) where range.scope == .particle:
      let (a, b) = (range.min, range.max)
      let isLast = b.magnitude >= a.magnitude
      let most = isLast ? b : a
      guard most != 0 else { return nil }
      let other = curve.moved(times: (isLast ? a : b) / most, plus: 0)
      (high, factor) = (isLast ? curve : other, most * scale)
      low = isLast ? other : curve
    case (.uniform(let range), .constant(let end))
    where track.relative && range.scope == .particle && end != 0:
      factor = end * scale
      low = curve.moved(times: 1, plus: range.min / end)
      high = curve.moved(times: 1, plus: range.max / end)
    default: return nil
    }
  }

  var json: JSONValue {
    var value: JSONObject = [
      "serializedVersion": .int(2), "minMaxState": .int(low == nil ? 1 : 2),
      "scalar": .real(factor), "minScalar": .real(factor), "maxCurve": Self.keys(of: high),
    ]
    if let low { value["minCurve"] = Self.keys(of: low) }
    return .object(value)
  }

  static func constant(_ number: Double) -> JSONValue {
    ["serializedVersion": .int(2), "minMaxState": .int(0), "scalar": .real(number)]
  }

  /// A constant, or a range between two numbers in either order.
  static func range(_ a: Double, _ b: Double) -> JSONValue {
    guard a != b else { return constant(a) }
    return [
      "serializedVersion": .int(2), "minMaxState": .int(3), "scalar": .real(max(a, b)),
      "minScalar": .real(min(a, b)),
    ]
  }

  static func curve(_ curve: Curve, times factor: Double = 1) -> JSONValue {
    UnityCurves(Track(from: 0, to: .constant(factor), curve: curve), times: 1)?.json
      ?? constant(factor)
  }

  /// The numbers in the form of the one that needs most: constants, ranges, curves, pairs of curves.
  static func inOneForm(_ numbers: [JSONValue]) -> [JSONValue] {
    let states = Set(numbers.compactMap { $0["minMaxState"]?.int })
    guard states.count > 1 else { return numbers }
    let isPair = states.contains(2) || states.isSuperset(of: [1, 3])
    let isRange = !isPair && !states.contains(1)
    return numbers.map { number in
      let (state, high) = (number["minMaxState"]?.int ?? 0, number["scalar"]?.double ?? 0)
      let low = state == 3 ? number["minScalar"]?.double ?? 0 : high
      var object = number.object ?? JSONObject()
      object["minMaxState"] = .int(isRange ? 3 : isPair ? 2 : 1)
      if isRange { object["minScalar"] = .real(low) }
      if !isRange, state == 0 || state == 3 {
        let most = max(high.magnitude, low.magnitude)
        object["scalar"] = .real(most == 0 ? 1 : most)
        object["minScalar"] = object["scalar"]
        let unit = most == 0 ? 1 : most
        object["maxCurve"] = keys(of: .constant((high / unit).rounded))
        if isPair { object["minCurve"] = keys(of: .constant((low / unit).rounded)) }
      }
      if isPair, state == 1 { object["minCurve"] = object["maxCurve"] }
      return .object(object)
    }
  }

  /// The keys of a curve, as Unity has them: Hermite keys with a slope on either side.
  static func keys(of curve: Curve) -> JSONValue {
    var keys: [JSONValue] = []
    for (index, key) in curve.keys.enumerated() {
      let before = index > 0 ? curve.keys[index - 1] : nil
      let after = index + 1 < curve.keys.count ? curve.keys[index + 1] : nil
      // Two keys at one time make a jump. Unity has one key at a time.
      let time = after.map { $0.time <= key.time } ?? false ? key.time - 1e-4 : key.time
      keys.append([
        "serializedVersion": .int(3), "time": .real(time), "value": .real(key.value),
        "inSlope": slope(before, key, curve, isOut: false),
        "outSlope": slope(key, after, curve, isOut: true), "tangentMode": .int(0),
        "weightedMode": .int(0), "inWeight": .double(0.33333334),
        "outWeight": .double(0.33333334),
      ])
    }
    return [
      "serializedVersion": .int(2), "m_Curve": .array(keys), "m_PreInfinity": .int(2),
      "m_PostInfinity": .int(2), "m_RotationOrder": .int(4),
    ]
  }

  /// The slope between two keys at one end.
  private static func slope(
    _ first: CurveKey?, _ second: CurveKey?, _ curve: Curve, isOut: Bool
  ) -> JSONValue {
    guard let first, let second, second.time > first.time else {
      return .real((isOut ? first?.outSlope : second?.inSlope) ?? 0)
    }
    let line = (second.value - first.value) / (second.time - first.time)
    switch first.interpolation ?? curve.interpolation {
    case .step: return first.value == second.value ? .int(0) : "Infinity"
    case .linear: return .real(line)
    case .cubic:
      let stated = isOut ? first.outSlope : second.inSlope
      if let stated { return .real(stated) }
      // The line through the neighbours.
      guard let index = curve.keys.firstIndex(of: isOut ? first : second) else { return .int(0) }
      let (low, high) = (max(index - 1, 0), min(index + 1, curve.keys.count - 1))
      let (a, b) = (curve.keys[low], curve.keys[high])
      return .real(b.time > a.time ? (b.value - a.value) / (b.time - a.time) : 0)
    }
  }

  // MARK: Colours

  static func color(_ color: Color) -> JSONValue {
    [
      "r": .real(color.red), "g": .real(color.green), "b": .real(color.blue),
      "a": .real(color.alpha),
    ]
  }

  static func color(of state: Int, _ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    var value: JSONObject = ["serializedVersion": .int(2), "minMaxState": .int(state)]
    for (key, member) in members { value[key] = member }
    return .object(value)
  }

  /// The most keys of colours, and of opacities.
  private static let most = 8

  /// A gradient of points of colour and of opacity, of which at most eight each are kept.
  /// - Returns: the gradient, and the greatest difference that leaving out points makes.
  static func gradient(
    _ colors: [GradientKey], alpha: [(time: Double, value: Double)], isStepped: Bool = false
  ) -> (json: JSONValue, error: Double) {
    let (shades, error) = thinned(colors.map { ($0.time, Array($0.color.channels.prefix(3))) })
    let (alphas, other) = thinned(alpha.map { ($0.time, [$0.value]) })
    var value: JSONObject = ["serializedVersion": .int(2)]
    for index in 0..<most {
      let shade = index < shades.count ? shades[index].channels : [0, 0, 0]
      let opacity = index < alphas.count ? alphas[index].channels[0] : 0
      value["key\(index)"] = color(Color(shade + [opacity]))
    }
    func times(_ key: String, _ points: [(time: Double, channels: [Double])]) {
      for index in 0..<most {
        // In steps, a colour holds up to its time.
        let place = isStepped ? index + 1 : index
        let time =
          index >= points.count ? 0 : place < points.count ? points[place].time : isStepped ? 1 : 0
        value["\(key)\(index)"] = .int(
          Int(saturating: (Interval.unit.clamp(time) * 65535).rounded()))
      }
    }
    times("ctime", shades)
    times("atime", alphas)
    value["m_Mode"] = .int(isStepped ? 1 : 0)
    value["m_NumColorKeys"] = .int(max(shades.count, 1))
    value["m_NumAlphaKeys"] = .int(max(alphas.count, 1))
    return (.object(value), max(error, other))
  }

  /// At most eight of the points: those without which lines between points differ most.
  private static func thinned(
    _ points: [(time: Double, channels: [Double])]
  ) -> (points: [(time: Double, channels: [Double])], error: Double) {
    guard points.count > most else { return (points, 0) }
    var kept = [0, points.count - 1]
    while true {
      var worst = (index: 0, error: 0.0)
      for (first, last) in zip(kept, kept.dropFirst()) where last > first + 1 {
        let (a, b) = (points[first], points[last])
        for index in first + 1..<last {
          let share = b.time > a.time ? (points[index].time - a.time) / (b.time - a.time) : 0
          let error = zip(zip(a.channels, b.channels), points[index].channels).reduce(0) {
            max($0, ($1.0.0 + ($1.0.1 - $1.0.0) * share - $1.1).magnitude)
          }
          if error > worst.error { worst = (index, error) }
        }
      }
      guard worst.error > 1e-9, kept.count < most else {
        return (kept.map { points[$0] }, worst.error)
      }
      kept = (kept + [worst.index]).sorted()
    }
  }
}

extension Curve {
  /// Returns the curve with other values.
  func moved(times factor: Double, plus offset: Double) -> Curve {
    var curve = self
    for index in curve.keys.indices {
      curve.keys[index].value = (curve.keys[index].value * factor + offset).rounded
      curve.keys[index].inSlope = curve.keys[index].inSlope.map { ($0 * factor).rounded }
      curve.keys[index].outSlope = curve.keys[index].outSlope.map { ($0 * factor).rounded }
    }
    return curve
  }
}

extension Track {
  /// The track with nothing but what a curve by speed has.
  fileprivate var ofSpeed: Track {
    var track = Track(from: from, to: to, relative: relative, curve: curve)
    (track.over, track.domain, track.range) = (over, domain, range)
    return track
  }
}
