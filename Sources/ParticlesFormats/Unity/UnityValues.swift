internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// A number of a particle system (`MinMaxCurve`): a constant, one between two, a curve, or one between two curves.
struct UnityNumber {
  enum Form {
    case constant(Double)
    case between(Double, Double)
    case curve(Curve, factor: Double)
    case curves(Curve, Curve, factor: Double)
  }

  var form: Form
  private let node: SourceNode?

  /// - Parameters:
  ///   - node: the value, nil if the file has none.
  ///   - factor: converts it, such as from radians.
  init(_ node: SourceNode?, _ standard: Double = 0, times factor: Double = 1) {
    self.node = node
    guard let node else {
      form = .constant(standard * factor)
      return
    }
    // Old files have a number where later ones have a curve.
    if node.text != nil {
      form = .constant(((node.number ?? standard) * factor).rounded)
      return
    }
    let scalar = node.number("scalar", standard) * factor
    // The first version has no second number: both are shares of the scalar, the first keys of the curves.
    let isFirst = node["serializedVersion"] == nil
    let (most, least) = (node["maxCurve"], node["minCurve"])
    func first(_ curve: SourceNode?, _ standard: Double) -> Double {
      curve?["m_Curve"]?.all().first?.number("value", standard) ?? standard
    }
    switch Int(saturating: node.number("minMaxState")) {
    case 1: form = .curve(most.map(Curve.init(unity:)) ?? .constant(1), factor: scalar)
    case 2:
      form = .curves(
        least.map(Curve.init(unity:)) ?? .constant(1), most.map(Curve.init(unity:)) ?? .constant(1),
        factor: scalar)
    case 3:
      let low = isFirst ? scalar * first(least, 0) : node.number("minScalar") * factor
      let high = isFirst ? scalar * first(most, 1) : scalar
      form = low == high ? .constant(high.rounded) : .between(low.rounded, high.rounded)
    default: form = .constant(scalar.rounded)
    }
    node.passAll()
  }

  /// Whether it is this number, always.
  func isAlways(_ number: Double) -> Bool {
    switch form {
    case .constant(let constant): constant == number
    case .between(let low, let high): low == number && high == number
    case .curve(let curve, let factor):
      factor == 0
        ? number == 0 : curve.keys.allSatisfy { $0.value * factor == number && !$0.isSloped }
    case .curves(let low, let high, let factor):
      factor == 0
        ? number == 0
        : (low.keys + high.keys).allSatisfy { $0.value * factor == number && !$0.isSloped }
    }
  }

  /// The mean over time and all particles.
  var mean: Double {
    switch form {
    case .constant(let number): number
    case .between(let low, let high): (low + high) / 2
    case .curve(let curve, let factor): curve.meanOfUnit * factor
    case .curves(let low, let high, let factor): (low.meanOfUnit + high.meanOfUnit) / 2 * factor
    }
  }

  /// The value at the start of a particle, which follows curves over the period of the system.
  var value: Value {
    switch form {
    case .constant(let number): return .constant(number)
    case .between(let low, let high): return .range(min(low, high), max(low, high))
    case .curve(let curve, let factor):
      return .ramp(.init(low: 0, high: .constant(factor.rounded), curve: curve))
    case .curves(let low, let high, let factor):
      let line = line(between: low, high)
      return .ramp(
        .init(
          low: line.from.scaled(by: factor), high: line.to.scaled(by: factor), curve: line.curve,
          relative: line.isRelative))
    }
  }

  /// The value over the life of a particle.
  var track: Track {
    switch form {
    case .constant, .between: return Track(value)
    case .curve(let curve, let factor):
      return Track(from: 0, to: .constant(factor.rounded), curve: curve)
    case .curves(let low, let high, let factor):
      let line = line(between: low, high)
      return Track(
        from: line.from.scaled(by: factor), to: line.to.scaled(by: factor),
        relative: line.isRelative, curve: line.curve)
    }
  }

  /// A random curve between two curves as one curve with a random factor or a random start. It is exact if one curve is a multiple
  /// of the second, or has a constant distance from it.
  private func line(
    between low: Curve, _ high: Curve
  ) -> (from: Value, to: Value, isRelative: Bool, curve: Curve) {
    let places = (0...32).map { Double($0) / 32 }
    let (lows, highs) = (places.map { low.value(at: $0) }, places.map { high.value(at: $0) })
    func range(_ a: Double, _ b: Double) -> Value { .range(min(a, b).rounded, max(a, b).rounded) }
    let differences = zip(lows, highs).map { $1 - $0 }
    if let first = differences.first, differences.allSatisfy({ ($0 - first).magnitude < 1e-4 }) {
      return (range(0, first), 1, true, low)
    }
    let isHighGreater =
      (highs.map { $0.magnitude }.max() ?? 0) >= (lows.map { $0.magnitude }.max() ?? 0)
    let (whole, part) = isHighGreater ? (highs, lows) : (lows, highs)
    let curve = isHighGreater ? high : low
    if let peak = whole.indices.max(by: { whole[$0].magnitude < whole[$1].magnitude }),
      whole[peak] != 0
    {
      let share = part[peak] / whole[peak]
      if zip(whole, part).allSatisfy({ ($0 * share - $1).magnitude < 1e-4 }) {
        return (0, range(share, 1), false, curve)
      }
    }
    node?.note(.approximated, "a random curve between two becomes their mean")
    let middle = Curve(
      through: places.indices.map { (places[$0], ((lows[$0] + highs[$0]) / 2).rounded) })
    return (0, 1, false, middle)
  }
}

extension CurveKey {
  fileprivate var isSloped: Bool { (inSlope ?? 0) != 0 || (outSlope ?? 0) != 0 }
}

extension Curve {
  /// The mean from 0 to 1.
  fileprivate var meanOfUnit: Double {
    (0..<32).reduce(0) { $0 + value(at: (Double($1) + 0.5) / 32) } / 32
  }

  /// A curve of Unity (`AnimationCurve`): Hermite keys. A slope that is infinite keeps the value up to the next key. Keys with
  /// weights are points of a Bézier curve, which becomes pieces of lines.
  init(unity node: SourceNode) {
    struct Key {
      var time, value, inSlope, outSlope, inWeight, outWeight: Double
      var isIn, isOut: Bool
    }
    func slope(_ node: SourceNode, _ key: String) -> Double {
      guard let text = node[key]?.text?.lowercased() else { return 0 }
      return text.contains("inf") ? .infinity : text.double ?? 0
    }
    let keys = (node["m_Curve"]?.all() ?? []).prefix(1000).map { key in
      let mode = Int(saturating: key.number("weightedMode"))
      return Key(
        time: key.number("time"), value: key.number("value"), inSlope: slope(key, "inSlope"),
        outSlope: slope(key, "outSlope"), inWeight: key.number("inWeight", 1.0 / 3),
        outWeight: key.number("outWeight", 1.0 / 3), isIn: mode & 1 != 0, isOut: mode & 2 != 0)
    }.sorted { $0.time < $1.time }
    node.passAll()
    self.init([], .cubic)
    for (index, key) in keys.enumerated() {
      let next = index + 1 < keys.count ? keys[index + 1] : nil
      let isStep = key.outSlope.isInfinite || next?.inSlope.isInfinite ?? false
      self.keys.append(
        CurveKey(
          key.time, key.value, inSlope: key.inSlope.isFinite ? key.inSlope : 0,
          outSlope: key.outSlope.isFinite ? key.outSlope : 0,
          interpolation: isStep && next != nil ? .step : nil))
      guard let next, !isStep, key.isOut || next.isIn, next.time > key.time else { continue }
      self.keys[self.keys.count - 1].interpolation = .linear
      let width = next.time - key.time
      let out = key.isOut ? key.outWeight : 1.0 / 3
      let into = next.isIn ? next.inWeight : 1.0 / 3
      func bezier(_ t: Double, _ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
        let u = 1 - t
        return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
      }
      for step in 1..<16 {
        let t = Double(step) / 16
        let time = bezier(
          t, key.time, key.time + out * width, next.time - into * width, next.time)
        let value = bezier(
          t, key.value, key.value + key.outSlope * out * width,
          next.value - next.inSlope * into * width, next.value)
        self.keys.append(CurveKey(time.rounded, value.rounded, interpolation: .linear))
      }
    }
    if self.keys.isEmpty { self = .constant(1) }
    self = simplified
  }

  /// This curve without slopes where all keys are at one height or in a line.
  private var simplified: Curve {
    let isFlat = keys.allSatisfy { $0.value == keys[0].value && !$0.isSloped }
    if isFlat { return .constant(keys[0].value) }
    guard keys.allSatisfy({ $0.interpolation == nil }) else { return self }
    let isStraight = zip(keys, keys.dropFirst()).allSatisfy { first, second in
      guard second.time > first.time else { return false }
      let slope = (second.value - first.value) / (second.time - first.time)
      return ((first.outSlope ?? 0) - slope).magnitude < 1e-4 * max(1, slope.magnitude)
        && ((second.inSlope ?? 0) - slope).magnitude < 1e-4 * max(1, slope.magnitude)
    }
    return isStraight ? Curve(keys.map { CurveKey($0.time, $0.value) }) : self
  }
}

/// A colour of a particle system (`MinMaxGradient`).
enum UnityColor: Equatable {
  case constant(Color)
  case between(Color, Color)
  case gradient(Gradient)
  case gradients(Gradient, Gradient)
  case random(Gradient)

  /// - Parameter node: the value. Without a value, the colour is white.
  init(_ node: SourceNode?) {
    guard let node else {
      self = .constant(.white)
      return
    }
    let (most, least) = (Color(unity: node["maxColor"]), Color(unity: node["minColor"]))
    func gradient(_ key: String) -> Gradient {
      node[key].map(Gradient.init(unity:)) ?? Gradient([GradientKey(0, .white)])
    }
    self =
      switch Int(saturating: node.number("minMaxState")) {
      case 1: .gradient(gradient("maxGradient"))
      case 2: .between(least, most)
      case 3: .gradients(gradient("minGradient"), gradient("maxGradient"))
      case 4: .random(gradient("maxGradient"))
      default: .constant(most)
      }
    node.passAll()
  }
}

extension Color {
  /// Four numbers, or one with a byte for each channel, red in the lowest.
  init(unity node: SourceNode?) {
    guard let node else {
      self = .white
      return
    }
    if let text = node["rgba"]?.text, let number = UInt32(text) {
      self.init((0..<4).map { (Double(number >> (8 * UInt32($0)) & 255) / 255).rounded })
      return
    }
    self.init(["r", "g", "b", "a"].map { node.number($0, 1) })
  }
}

extension Gradient {
  /// A gradient of Unity: up to 8 colours and up to 8 opacities, each with its times. In the fixed mode a colour holds up to its
  /// time.
  init(unity node: SourceNode) {
    func times(_ name: String, _ count: String) -> [Double] {
      let number = min(max(Int(saturating: node.number(count, 2)), 1), 8)
      return (0..<number).map { node.number("\(name)\($0)") / 65535 }
    }
    let isFixed = node.number("m_Mode") == 1
    let colors = times("ctime", "m_NumColorKeys").enumerated()
      .map { (time: $0.element, color: Color(unity: node["key\($0.offset)"])) }
      .sorted { $0.time < $1.time }
    let alphas = times("atime", "m_NumAlphaKeys").enumerated()
      .map { (time: $0.element, color: Color(unity: node["key\($0.offset)"])) }
      .sorted { $0.time < $1.time }
    node.passAll()
    func mixed(_ keys: [(time: Double, color: Color)], at time: Double) -> Color {
      guard let next = keys.firstIndex(where: { $0.time >= time }) else {
        return keys[keys.count - 1].color
      }
      guard next > 0, !isFixed else { return keys[next].color }
      let (a, b) = (keys[next - 1], keys[next])
      let share = b.time > a.time ? (time - a.time) / (b.time - a.time) : 1
      return Color(
        zip(a.color.components, b.color.components).map { $0 + ($1 - $0) * share })
    }
    func color(_ time: Double) -> Color {
      var color = mixed(colors, at: time)
      color.alpha = mixed(alphas, at: time).alpha
      return Color(color.components.map { ($0 * 1e6).rounded() / 1e6 })
    }
    let all = Set((colors + alphas).map { $0.time }).sorted()
    if isFixed {
      // A key of the document holds up to the next one.
      let starts = [0] + all.dropLast()
      self.init(zip(starts, all).map { GradientKey($0, color($1)) }, .step)
    } else {
      self.init(all.map { GradientKey(($0 * 1e4).rounded() / 1e4, color($0)) })
    }
  }
}
