internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Values at times, as archives have them for what changes over life, whatever their syntax.
struct KeyFrames {
  enum Values {
    case numbers([Double])
    case colors([Color])

    var count: Int {
      switch self {
      case .numbers(let numbers): numbers.count
      case .colors(let colors): colors.count
      }
    }
  }

  /// As the file has them, in whatever order; as many as values.
  var times: [Double]
  var values: Values
  var interpolation = Interpolation.linear
  var extend = Extend.clamp

  /// Slopes of a cubic curve before and behind each key; empty if they are those of the lines
  /// through the neighbours, which need not be stored.
  var slopes: [(before: Double, behind: Double)] = []

  /// How an input becomes time: time = scale · input + bias.
  var scale = 1.0
  var bias = 0.0

  init(times: [Double], values: Values) {
    self.times = times
    self.values = values
  }

  var isSorted: Bool { zip(times, times.dropFirst()).allSatisfy { $0 <= $1 } }

  /// The numbers, times a factor, as a curve over the input; nil if they are colours, or there are
  /// none.
  func curve(times factor: Double = 1) -> Curve? {
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
  var gradient: Gradient? {
    guard case .colors(let colors) = values, !colors.isEmpty else { return nil }
    return Gradient(order.map { GradientKey(input(times[$0]), colors[$0]) }, interpolation)
  }

  /// Times of as many keys, if none are stated.
  static func evenTimes(_ count: Int) -> [Double] {
    count < 2 ? [0] : (0..<count).map { Double($0) / Double(count - 1) }
  }

  /// Takes the slopes of a cubic curve with tension, continuity and bias at its keys.
  mutating func bend(tension: [Double], continuity: [Double], bias: [Double]) {
    guard case .numbers(let numbers) = values else { return }
    let points = zip(times, numbers).map { (time: $0, value: $1) }
    slopes = Curve.slopes(through: points, tension, continuity, bias) ?? slopes
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

extension ArchivedObject {
  /// Numbers that all have to be numbers; nil, after a report, if one is not, or if there is no array.
  func numbers(_ key: String, below limit: Double = 1e15) throws -> [Double]? {
    guard let elements = try array(key) else { return nil }
    guard let numbers = numbers(elements, below: limit) else {
      mismatch(key, expected: "numbers", found: "something else")
      return nil
    }
    return numbers
  }

  private func numbers(_ elements: [KeyedArchive.Index], below limit: Double) -> [Double]? {
    var numbers: [Double] = []
    for element in elements {
      switch archive.value(at: element) {
      case .real(let value, _) where value.magnitude < limit: numbers.append(value.tidy)
      case .integer(let value) where Double(value).magnitude < limit: numbers.append(Double(value))
      default: return nil
      }
    }
    return numbers
  }

  /// The values of key frames, at least one; nil, after a report, if they are neither numbers nor
  /// colours.
  func keyFrameValues(_ key: String) throws -> KeyFrames.Values? {
    guard let elements = try array(key), !elements.isEmpty else { return nil }
    if let numbers = numbers(elements, below: 1e15) { return .numbers(numbers) }
    var colors: [Color] = []
    // Keys may share a colour, and a hostile file would have a million of them do so.
    var known: [KeyedArchive.Index: Color] = [:]
    for (number, element) in elements.enumerated() {
      let place = archive.resolve(element)
      if known[place] == nil, case .object = archive.value(at: element) {
        known[place] = try object(at: element, "\(path(of: key))[\(number)]").color()
      }
      guard let color = known[place] else {
        mismatch(key, expected: "numbers or colours", found: archive.value(at: element).kind)
        return nil
      }
      colors.append(color)
    }
    return .colors(colors)
  }

  /// This object as a colour; nil, after a report, if it is none.
  func color() throws -> Color? { try ArchivedColor.sRGB(of: self).map { Color($0) } }
}
