internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

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
        let most = moved.keys.map { $0.value.magnitude }.max() ?? 1
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

  /// The numbers in one form, large enough for all: constants, ranges, curves, pairs of curves.
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

  /// A gradient of at most eight points of colour and eight of opacity.
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

  /// At most eight points: the points that change the lines between points most.
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
  /// The track with only the properties of a curve by speed.
  fileprivate var ofSpeed: Track {
    var track = Track(from: from, to: to, relative: relative, curve: curve)
    (track.over, track.domain, track.range) = (over, domain, range)
    return track
  }
}

// Start colours, and the gradient over life.

extension EmitterWriter<UnityFamily> {
  mutating func encodeColor() {
    let base = emitter.color.base
    // The brightness is in the material.
    if emitter.color.hasPlainIntensity { emitter.color.intensity = 1 }
    if case .constant(let opacity) = emitter.color.opacity.from,
      emitter.color.opacity.isPlainValue, opacity != 1, base.to == nil, base.rate == .zero
    {
      emitter.color.opacity = 1
      emitter.color.base.from = base.from.multiplied(by: Color(1, 1, 1, opacity))
      lose(
        .restated, .opacityCurve, at: "color.opacity", also: ["color.base.from"],
        "the colour decides on opacity")
    }
    let parts = colorParts()
    var start = emitter.color.base.from
    if let parts {
      start = parts.low == parts.high ? .constant(parts.low) : .range(parts.low, parts.high, .line)
      loseColorParts()
    }
    set("InitialModule.startColor", startColor(start))
    var gradient: JSONValue?
    if let parts {
      let keys = parts.shares.enumerated().map { GradientKey(Double($0) / 16, $1) }
      gradient = written(keys, keys.map { ($0.time, $0.color.alpha) }, isStepped: false)
    } else if let stated = emitter.color.base.gradient {
      let isStepped =
        stated.interpolation == .step && stated.keys.count <= 8
        && stated.keys.first?.time == 0 && stated.alpha == nil && !stated.hasChannels
      if isStepped {
        gradient = written(
          stated.keys, stated.keys.map { ($0.time, $0.color.alpha) }, isStepped: true)
      } else if let lines = gradientLines() {
        if stated.hasChannels, place.isNew, !hasLine(at: "color.base.gradient") {
          lose(
            .restated, .gradient, at: "color.base.gradient",
            "channels are points of colour and of opacity")
        }
        gradient = written(lines.colors, lines.alpha, isStepped: false)
      }
    }
    turn("ColorModule", gradient != nil)
    if let gradient {
      set("ColorModule.gradient", UnityCurves.color(of: 1, ["maxGradient": gradient]))
    }
  }

  private mutating func written(
    _ colors: [GradientKey], _ alpha: [(time: Double, value: Double)], isStepped: Bool
  ) -> JSONValue {
    let (json, error) = UnityCurves.gradient(colors, alpha: alpha, isStepped: isStepped)
    if error > 1e-3, !hasLine(at: "color") {
      lose(
        .approximated, .gradient, at: "color.base.gradient",
        "a gradient has at most eight colours and eight opacities", level: .low)
    }
    return json
  }

  /// The start colour without the factor of the material.
  private mutating func startColor(_ value: ColorValue) -> JSONValue {
    func plain(_ color: Color) -> JSONValue {
      let parts = zip(color.components, place.tint.components).map { part, tint in
        tint > 0 ? (part / tint).rounded : part
      }
      return UnityCurves.color(Color(parts))
    }
    let path = "color.base.from"
    switch value {
    case .constant(let color): return UnityCurves.color(of: 0, ["maxColor": plain(color)])
    case .range(let range) where range.mode == .line && range.jitter == nil:
      return UnityCurves.color(
        of: 2, ["minColor": plain(range.min), "maxColor": plain(range.max)])
    case .gradient(let pick)
    where pick.gradient.interpolation == .linear && !pick.gradient.hasChannels
      && !pick.gradient.keys.isEmpty:
      let tint = place.tint
      let keys = pick.gradient.keys.map { key in
        GradientKey(
          key.time,
          Color(
            zip(key.color.components, tint.components).map { $1 > 0 ? ($0 / $1).rounded : $0 }))
      }
      return UnityCurves.color(
        of: 4,
        ["maxGradient": written(keys, keys.map { ($0.time, $0.color.alpha) }, isStepped: false)])
    default:
      let (low, high) = startColors()
      if !hasLine(at: path) {
        lose(
          .approximated, .randomColor, at: path, "one random number mixes two colours",
          recipe: "the bounds of the channels")
      }
      return UnityCurves.color(of: 2, ["minColor": plain(low), "maxColor": plain(high)])
    }
  }
}

extension Emitter.Tint {
  /// Whether the brightness is one number of at least 1, which a material can have.
  var hasPlainIntensity: Bool {
    guard case .constant(let number) = intensity.from, intensity.isPlainValue else { return false }
    return number >= 1
  }
}

/// The forms that older versions of Unity have for values and keys.
enum UnitySpelling {
  /// The values of a writer in the form of a file.
  static func fitted(_ tree: JSONValue, to source: JSONValue) -> JSONValue {
    guard case .object(var object) = tree, let old = source.object else { return tree }
    renameKeys(of: &object, as: old)
    return .object(
      JSONObject(
        members: object.members.map {
          .init(key: $0.key, value: value($0.value, like: old[$0.key]))
        }))
  }

  private static func value(_ value: JSONValue, like source: JSONValue?) -> JSONValue {
    guard case .object(let object) = value, let source else {
      if case .array(let elements) = value, let old = source?.array, old.count == elements.count {
        return .array(zip(elements, old).map { self.value($0, like: $1) })
      }
      return value
    }
    guard let old = source.object else {
      // Older files have a number where later ones have a curve or an object.
      return source.string == nil ? value : object["scalar"] ?? object["value"] ?? value
    }
    if old["rgba"] != nil, let red = object["r"]?.double {
      let parts = [red] + ["g", "b", "a"].map { object[$0]?.double ?? 1 }
      let bytes = parts.map { min(max(Int(saturating: ($0 * 255).rounded()), 0), 255) }
      let number = bytes.enumerated().reduce(Int64(0)) {
        $0 | Int64($1.element) << Int64(8 * $1.offset)
      }
      return ["rgba": .number(JSONNumber(number))]
    }
    if object["minMaxState"]?.int == 3, old["serializedVersion"] == nil {
      return shares(object, like: old)
    }
    var fitted = object
    // Constants of the first version have no second number.
    if old["serializedVersion"] == nil, object["minMaxState"] != nil {
      fitted["serializedVersion"] = nil
      fitted["minScalar"] = nil
    }
    return self.fitted(.object(fitted), to: source)
  }

  /// A range of the first version: both numbers are shares of the scalar, the values of the keys of two curves.
  private static func shares(_ range: JSONObject, like old: JSONObject) -> JSONValue {
    let (low, high) = (range["minScalar"]?.double ?? 0, range["scalar"]?.double ?? 0)
    let stated = old["scalar"]?.string?.double ?? 0
    let unit = stated != 0 ? stated : high != 0 ? high : 1
    func curve(_ key: String, _ number: Double) -> JSONValue {
      let count = max(old[key]?["m_Curve"]?.array?.count ?? 0, 1)
      let value: JSONValue = ["value": .real(number / unit)]
      return ["m_Curve": .array(Array(repeating: value, count: min(count, 16)))]
    }
    return [
      "minMaxState": .int(3), "scalar": .real(unit), "maxCurve": curve("maxCurve", high),
      "minCurve": curve("minCurve", low),
    ]
  }

  private static func renameKeys(of object: inout JSONObject, as old: JSONObject) {
    // Emission by time or by distance was one number with a type, bursts were four.
    if object["rateOverTime"] != nil, old["rateOverTime"] == nil, old["rate"] != nil {
      let isByDistance = old["m_Type"]?.string == "1"
      let rate = object[isByDistance ? "rateOverDistance" : "rateOverTime"]
      (object["rateOverTime"], object["rateOverDistance"], object["rate"]) = (nil, nil, rate)
    }
    guard let bursts = object["m_Bursts"]?.array, old["m_Bursts"] == nil, old["cnt0"] != nil else {
      return
    }
    object["m_Bursts"] = nil
    for (index, burst) in bursts.prefix(4).enumerated() {
      let count = burst["countCurve"]
      let most = count?["scalar"]
      object["time\(index)"] = burst["time"]
      object["cntmax\(index)"] = most
      object["cnt\(index)"] = count?["minScalar"] ?? most
    }
  }
}
