internal import ParticlesCore
internal import ParticlesModel

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

extension ArchivedEmitter<SpriteKitFamily> {
  /// The sequence under a key; nil if there is none that can be used.
  func sequence(_ name: String) throws -> SpriteKitSequence? {
    let key = key(name)
    guard let sequence = try object.object(key) else { return nil }
    guard sequence.isA("SKKeyframeSequence") else {
      object.mismatch(
        key, expected: "an SKKeyframeSequence", found: sequence.className?.excerpt ?? "an object")
      return nil
    }
    return try SpriteKitSequence(sequence)
  }
}

extension EmitterWriter<SpriteKitFamily> {
  /// Writes the values of a track over life as a sequence, after lines about what is not the same.
  mutating func set(
    _ key: String, over track: Track, _ capability: Capability, at place: String,
    times factor: Double = 1
  ) {
    var (curve, isExact) = track.curve(lifetime: lifetime)
    if track.over != .life { isExact = false }
    if !curve.hasOneInterpolation {
      (curve, isExact) = (.through(16) { [curve] in curve.value(at: $0) }, false)
    }
    if !isExact {
      lose(
        .approximated, capability, at: place,
        "a sequence has the same values for all particles, over their life",
        recipe: "the mean, at points on the way")
    } else if track != Track(from: 0, to: 1, curve: curve) {
      lose(.restated, capability, at: place, "a sequence goes through the values themselves")
    }
    if curve.interpolation == .cubic {
      lose(.assumed, capability, at: place, "a spline is as steep as between its neighbours")
    }
    set(
      key,
      .sequence(
        curve.keys.map(\.time), curve.keys.map { .sharedReal($0.value * factor) },
        curve.keys.first?.interpolation ?? curve.interpolation))
  }
}

extension Archivable {
  /// A number behind a reference, as the properties of nodes are.
  static func sharedReal(_ number: Double) -> Archivable {
    .shared(.real(Double(Float(number)), width: 8))
  }

  /// An `SKKeyframeSequence`.
  static func sequence(
    _ times: [Double], _ values: [Archivable], _ mode: Interpolation
  ) -> Archivable {
    .object(
      ["SKKeyframeSequence", "NSObject"],
      [
        .init("_values", .array(values)), .init("_times", .array(times.map(sharedReal))),
        .init("_interpolationMode", .integer(mode == .cubic ? 2 : mode == .step ? 3 : 1)),
        .init("_repeatMode", .integer(1)),
      ])
  }
}
