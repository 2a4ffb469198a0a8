internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// The older encoding: an archive inside the archive, of a `CAKeyframeAnimation`.

extension ParticleAnimation {
  /// Reads an animation; nil, after a report, if it cannot be used.
  init?(coreAnimation object: ArchivedObject) throws {
    guard object.isA("CAKeyframeAnimation") else {
      object.mismatch(
        "$class", expected: "a CAKeyframeAnimation",
        found: object.className?.excerpt ?? "a dictionary")
      return nil
    }
    guard let elements = try object.array("values"), !elements.isEmpty,
      let values = try Self.values(elements, of: object)
    else { return nil }
    var times = try Self.times(of: object) ?? Self.evenTimes(elements.count)
    // Steps may also have the time at which the last of them ends, which is that of the life.
    if object.string("calculationMode") == "discrete", times.count == elements.count + 1 {
      times.removeLast()
    }
    guard times.count == elements.count else {
      object.mismatch("keyTimes", expected: "\(elements.count) times", found: "\(times.count)")
      return nil
    }
    self.init(times: times, values: values)
    try readMode(of: object)
    // What these say is inside of the model, or says nothing of a particle.
    for key in ["duration", "__CACodingContents", "keyPath", "repeatCount"] {
      _ = object.index(of: key)
    }
    object.reportUnasked()
  }

  private mutating func readMode(of object: ArchivedObject) throws {
    let mode = object.string("calculationMode") ?? "linear"
    switch mode {
    case "linear": break
    case "discrete": interpolation = .step
    case "cubic": interpolation = .cubic
    case "paced", "cubicPaced":
      interpolation = mode == "paced" ? .linear : .cubic
      object.reader.report(
        Diagnostic(
          .approximated, at: .key(object.path(of: "calculationMode")),
          "keys at an even pace keep their times"))
    default:
      object.mismatch("calculationMode", expected: "a known mode", found: "'\(mode.excerpt)'")
    }
    guard interpolation == .cubic, case .numbers(let numbers) = values else { return }
    slopes = kochanekBartels(
      times, numbers, tension: try Self.numbers("tensionValues", of: object),
      continuity: try Self.numbers("continuityValues", of: object),
      bias: try Self.numbers("biasValues", of: object))
  }

  static func evenTimes(_ count: Int) -> [Double] {
    count < 2 ? [0] : (0..<count).map { Double($0) / Double(count - 1) }
  }

  private static func times(of object: ArchivedObject) throws -> [Double]? {
    let times = try numbers("keyTimes", of: object)
    return times.isEmpty ? nil : times
  }

  /// The numbers of an array; none, after a report, if any of its elements is not a number.
  private static func numbers(_ key: String, of object: ArchivedObject) throws -> [Double] {
    guard let elements = try object.array(key) else { return [] }
    guard let numbers = numbers(elements, in: object.archive) else {
      object.mismatch(key, expected: "numbers", found: "something else")
      return []
    }
    return numbers
  }

  private static func numbers(
    _ elements: [KeyedArchive.Index], in archive: KeyedArchive
  ) -> [Double]? {
    var numbers: [Double] = []
    for element in elements {
      switch archive.value(at: element) {
      case .real(let value, _) where value.isFinite && value.magnitude < 1e15:
        numbers.append(value.tidy)
      case .integer(let value): numbers.append(Double(value))
      default: return nil
      }
    }
    return numbers
  }

  private static func values(
    _ elements: [KeyedArchive.Index], of object: ArchivedObject
  ) throws -> Values? {
    if let numbers = numbers(elements, in: object.archive) { return .numbers(numbers) }
    var colors: [Color] = []
    // Keys may share a colour, and a hostile file would have a million of them do so.
    var known: [KeyedArchive.Index: Color] = [:]
    for (number, element) in elements.enumerated() {
      if let color = known[object.archive.resolve(element)] {
        colors.append(color)
        continue
      }
      let path = "\(object.path(of: "values"))[\(number)]"
      let value = object.archive.value(at: element)
      guard case .object = value,
        let rgba = try ArchivedColor.sRGB(of: object.object(at: element, path))
      else {
        object.mismatch("values", expected: "numbers or colours", found: value.kind)
        return nil
      }
      let color = Color(rgba[0], rgba[1], rgba[2], rgba[3])
      known[object.archive.resolve(element)] = color
      colors.append(color)
    }
    return .colors(colors)
  }
}

/// The slopes of a cubic curve with tension, continuity and bias at its keys; none if all of these
/// are zero, as that is what a curve without slopes has.
func kochanekBartels(
  _ times: [Double], _ values: [Double], tension: [Double], continuity: [Double], bias: [Double]
) -> [(before: Double, behind: Double)] {
  guard (tension + continuity + bias).contains(where: { $0 != 0 }) else { return [] }
  func at(_ numbers: [Double], _ index: Int) -> Double {
    numbers.indices.contains(index) ? numbers[index] : 0
  }
  func slope(_ index: Int) -> Double? {
    guard index > 0, index < times.count, times[index] > times[index - 1] else { return nil }
    return (values[index] - values[index - 1]) / (times[index] - times[index - 1])
  }
  let slopes = times.indices.map { index in
    let (t, c, b) = (at(tension, index), at(continuity, index), at(bias, index))
    let before = slope(index) ?? slope(index + 1) ?? 0
    let behind = slope(index + 1) ?? before
    return (
      (1 - t) / 2 * ((1 - c) * (1 + b) * before + (1 + c) * (1 - b) * behind),
      (1 - t) / 2 * ((1 + c) * (1 + b) * before + (1 - c) * (1 - b) * behind)
    )
  }
  // Keys may be so close to each other that no number says how steep it is between them.
  return slopes.allSatisfy { $0.0.isFinite && $0.1.isFinite } ? slopes : []
}
