internal import ParticlesCore
internal import ParticlesModel

/// The notation of values in files of three.quarks: generators of numbers, colours, and gradients.
enum QuarksValue {
  // MARK: Numbers

  /// Whether a value is a number or a generator of numbers.
  static func isGenerator(_ value: JSONValue) -> Bool {
    value.double != nil
      || ["ConstantValue", "IntervalValue", "PiecewiseBezier"].contains(value["type"]?.string)
  }

  /// The value of a generator. A curve over the period becomes a ramp. Nil for other generators.
  static func value(of generator: JSONValue) -> Value? {
    func number(_ key: String) -> Double { (generator[key]?.coerced ?? 0).tidy }
    if let number = generator.double { return .constant(number.tidy) }
    switch generator["type"]?.string {
    case "ConstantValue": return .constant(number("value"))
    case "IntervalValue": return .between(number("a"), number("b"))
    default: return curve(of: generator).map { .ramp(.init(low: 0, high: 1, curve: $0)) }
    }
  }

  /// The curve of a `PiecewiseBezier`. Nil for other generators. Handles that are absent are on the line.
  static func curve(of generator: JSONValue) -> Curve? {
    let segments = generator["functions"]?.array ?? []
    guard generator["type"]?.string == "PiecewiseBezier", segments.count < 10_000 else {
      return nil
    }
    return Curve(
      segments.map { segment in
        let function = segment["function"] ?? segment
        // The engine takes a handle that is null for 0, and a text for its number.
        func handle(_ key: String) -> Double? { function[key]?.coerced }
        return BezierSegment(
          start: segment["start"]?.double ?? 0,
          ends: (handle("p0") ?? 0, handle("p3") ?? 0),
          handles: (handle("p1"), handle("p2")))
      })
  }

  static func constant(_ number: Double) -> JSONValue {
    ["type": "ConstantValue", "value": .real(number)]
  }

  /// The generator of a uniform range, or of a number if both bounds are equal.
  static func generator(_ least: Double, _ most: Double) -> JSONValue {
    least == most
      ? constant(least) : ["type": "IntervalValue", "a": .real(least), "b": .real(most)]
  }

  static func generator(_ curve: Curve) -> JSONValue {
    let functions = curve.segments.map { segment -> JSONValue in
      let (ends, handles) = (segment.ends, segment.handles)
      return [
        "function": [
          "p0": .real(ends.first), "p1": .real(handles.first ?? ends.first),
          "p2": .real(handles.second ?? ends.last), "p3": .real(ends.last),
        ], "start": .real(segment.start),
      ]
    }
    return ["type": "PiecewiseBezier", "functions": .array(functions)]
  }

  /// The direction of a behaviour: an array of numbers, or an object.
  static func vector(_ behavior: JSONValue, _ key: String) -> Vector {
    guard let list = behavior[key]?.array?.compactMap({ $0.double }) else {
      return behavior.vector(key)
    }
    let axes = list + [0, 0, 0]
    return Vector(axes[0], axes[1], axes[2])
  }

  // MARK: Colours

  static func color(of value: JSONValue?) -> Color {
    func channel(_ key: String) -> Double { (value?[key]?.arithmetic ?? 1).tidy }
    return Color(channel("r"), channel("g"), channel("b"), channel("a"))
  }

  /// The colour of a generator. Nil for an unknown generator.
  static func colorValue(of generator: JSONValue) -> ColorValue? {
    let ends = (color(of: generator["a"]), color(of: generator["b"]))
    return switch generator["type"]?.string {
    case "ConstantColor": .constant(color(of: generator["color"]))
    case "ColorRange": .range(ends.0, ends.1, .line)
    case "RandomColor": .range(ends.0, ends.1)
    default: nil
    }
  }

  private static func color(_ color: Color, hasAlpha: Bool = true) -> JSONValue {
    var value: JSONObject = [
      "r": .real(color.red), "g": .real(color.green), "b": .real(color.blue),
    ]
    if hasAlpha { value["a"] = .real(color.alpha) }
    return .object(value)
  }

  /// The generator of colours between two, or of one colour if both are equal.
  /// - Parameter isLine: whether one random number mixes them, and not one for each channel.
  static func generator(_ a: Color, _ b: Color, isLine: Bool) -> JSONValue {
    a == b
      ? ["type": "ConstantColor", "color": color(a)]
      : ["type": .string(isLine ? "ColorRange" : "RandomColor"), "a": color(a), "b": color(b)]
  }

  // MARK: Gradients

  /// The colours over life of a generator, and whether they replace random colours. Nil for an
  /// unknown generator.
  static func colorOverLife(of generator: JSONValue) -> (gradient: Gradient, isMean: Bool)? {
    switch generator["type"]?.string {
    case "Gradient": gradient(of: generator).map { ($0, false) }
    case "RandomColorBetweenGradient":
      generator["gradient1"].flatMap(gradient).map { ($0, true) }
    default:
      colorValue(of: generator).map { (Gradient([GradientKey(0, $0.mean)]), !$0.isColor) }
    }
  }

  /// The gradient in either of its forms: pieces between two colours, or points of colour and of alpha. nil
  /// for others.
  static func gradient(of value: JSONValue) -> Gradient? {
    if let functions = value["functions"]?.array { return gradient(ofPieces: functions) }
    guard let colors = value["color.keys"]?.array, !colors.isEmpty else { return nil }
    let keys = colors.map {
      var color = color(of: $0["value"])
      color.alpha = 1
      return GradientKey($0["pos"]?.double ?? 0, color)
    }
    var gradient = Gradient(keys.sorted { $0.time < $1.time })
    let alpha = (value["alpha.keys"]?.array ?? []).map {
      (time: $0["pos"]?.double ?? 0, value: ($0["value"]?.arithmetic ?? 1).tidy)
    }
    if !alpha.isEmpty { gradient.alpha = .lines(alpha) }
    return gradient
  }

  private static func gradient(ofPieces functions: [JSONValue]) -> Gradient? {
    var keys: [GradientKey] = []
    for (index, part) in functions.enumerated() {
      let start = part["start"]?.double ?? 0
      let end = index + 1 < functions.count ? functions[index + 1]["start"]?.double ?? 1 : 1
      let (a, b) = (color(of: part["function.a"]), color(of: part["function.b"]))
      if keys.last != GradientKey(start, a) { keys.append(GradientKey(start, a)) }
      keys.append(GradientKey(end, b))
    }
    return keys.isEmpty ? nil : Gradient(keys.sorted { $0.time < $1.time })
  }

  /// A gradient of points of colour, and of points of alpha.
  static func gradient(
    _ colors: [GradientKey], alpha: [(time: Double, value: Double)]
  ) -> JSONValue {
    func points(_ subType: String, _ points: [(value: JSONValue, time: Double)]) -> JSONValue {
      [
        "type": "CLinearFunction", "subType": .string(subType),
        "keys": .array(points.map { ["value": $0.value, "pos": .real($0.time)] }),
      ]
    }
    return [
      "type": "Gradient",
      "color": points("Color", colors.map { (color($0.color, hasAlpha: false), $0.time) }),
      "alpha": points("Number", alpha.map { (.real($0.value), $0.time) }),
    ]
  }
}
