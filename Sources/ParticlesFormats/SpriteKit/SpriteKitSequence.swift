internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// An archived `SKKeyframeSequence`.
struct SpriteKitSequence {
  private enum Values {
    case numbers([Double])
    case colors([Color])
  }

  private let times: [Double]
  private let values: Values
  private var interpolation = Interpolation.linear
  private var extend = Extend.clamp

  /// Reads a sequence; nil, after a report, if it cannot be used.
  init?(_ object: ArchivedObject) throws {
    func key(_ archived: String, _ name: String) -> String {
      object.index(of: archived) == nil ? name : archived
    }
    let valuesKey = key("_values", "keyframeValues")
    guard let elements = try object.array(valuesKey), !elements.isEmpty,
      let values = try Self.values(elements, of: object, key: valuesKey)
    else { return nil }
    let timesKey = key("_times", "keyframeTimes")
    var times: [Double] = []
    for element in try object.array(timesKey) ?? [] {
      switch object.archive.value(at: element) {
      case .real(let time, _) where time.isFinite && time.magnitude < 1e6: times.append(time.tidy)
      case .integer(let time) where time.magnitude < 1_000_000: times.append(Double(time))
      case let other: object.mismatch(timesKey, expected: "times", found: other.kind)
      }
    }
    guard times.count == elements.count else {
      object.mismatch(
        timesKey, expected: "\(elements.count) times", found: "\(times.count)")
      return nil
    }
    self.times = times
    self.values = values
    readModes(of: object)
    object.reportUnasked()
  }

  private mutating func readModes(of object: ArchivedObject) {
    func report(_ rule: Rule, _ key: String, _ detail: String) { object.note(rule, key, detail) }
    interpolation = object.choice(
      "_interpolationMode", [.linear, .linear, .cubic, .step], .linear)
    if interpolation == .cubic, times.count > 1 {
      report(
        .assumed, "_interpolationMode", "a spline is taken to be as steep as between its neighbours"
      )
    }
    extend = object.choice("_repeatMode", [.clamp, .clamp, .loop], .clamp)
    if !zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) {
      report(.approximated, "_times", "keys out of order are sorted by time")
    }
    if extend == .loop, case .colors = values, times.count > 1 {
      report(.approximated, "_repeatMode", "colours of a sequence are not repeated")
    }
  }

  /// The numbers as a curve over life; nil if they are colours.
  func curve(scale: Double = 1) -> Curve? {
    guard case .numbers(let numbers) = values else { return nil }
    let keys = order.map { CurveKey(times[$0], (numbers[$0] * scale).rounded) }
    return Curve(keys, interpolation, extend: extend)
  }

  /// The colours as a gradient over life; nil if they are numbers.
  func gradient() -> Gradient? {
    guard case .colors(let colors) = values else { return nil }
    return Gradient(order.map { GradientKey(times[$0], colors[$0]) }, interpolation)
  }

  /// The keys by ascending time; keys at the same time stay in their order.
  private var order: [Int] {
    times.indices.sorted { times[$0] == times[$1] ? $0 < $1 : times[$0] < times[$1] }
  }

  private static func values(
    _ elements: [KeyedArchive.Index], of object: ArchivedObject, key: String
  ) throws -> Values? {
    var numbers: [Double] = []
    var colors: [Color] = []
    // Keys may share a colour, and a hostile file would have a million of them do so.
    var known: [KeyedArchive.Index: Color] = [:]
    for (number, element) in elements.enumerated() {
      switch object.archive.value(at: element) {
      case .real(let value, _) where value.isFinite && value.magnitude < 1e15:
        numbers.append(value.tidy)
      case .integer(let value): numbers.append(Double(value))
      case .object:
        let place = object.archive.resolve(element)
        if let color = known[place] {
          colors.append(color)
          continue
        }
        let path = "\(object.path(of: key))[\(number)]"
        guard let rgba = try ArchivedColor.sRGB(of: object.object(at: element, path)) else {
          return nil
        }
        let color = Color(rgba[0], rgba[1], rgba[2], rgba[3])
        known[place] = color
        colors.append(color)
      default: break
      }
    }
    if numbers.count == elements.count { return .numbers(numbers) }
    if colors.count == elements.count { return .colors(colors) }
    object.mismatch(key, expected: "numbers or colours", found: "something else")
    return nil
  }
}

extension SpriteKitEmitter {
  /// The sequence under a key; nil if there is none that can be used.
  func sequence(_ archived: String) throws -> SpriteKitSequence? {
    let key = key(archived)
    guard let object = try object.object(key) else { return nil }
    guard object.isA("SKKeyframeSequence") else {
      self.object.mismatch(
        key, expected: "an SKKeyframeSequence", found: object.className?.excerpt ?? "an object")
      return nil
    }
    return try SpriteKitSequence(object)
  }
}
