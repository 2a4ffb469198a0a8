internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesRender

// The options of a page: JSON objects whose members may all be missing.

extension PlayedEffect.Options {
  /// - Throws: a ``Diagnostic`` of ``Rule/json`` or ``Rule/range``.
  init(_ bytes: [UInt8]) throws(Diagnostic) {
    guard let object = try OptionReader(bytes) else { return }
    seed = try object.seed("seed")
    profile = object.text("profile").map { ParticleSystem.Profile(rawValue: $0) }
    if let profile, profile.law == nil {
      throw Diagnostic(
        .range, at: .key("profile"), "the law of an engine", expected: "the name of a profile",
        found: "'\(profile.rawValue.excerpt)'")
    }
    rate = try object.number("rate", 0...1e6) ?? rate
    speed = try object.number("speed", 0...100) ?? speed
    if let numbers = try object.numbers("place", 3...3) {
      place = ParticleSystem.Vector(numbers[0], numbers[1], numbers[2])
    }
    guard let limits = try object.object("limits") else { return }
    particles =
      try limits.number("particles", 1...1_000_000).map { Int(saturating: $0) } ?? particles
    particleSteps =
      try limits.number("particleSteps", 1...1e9).map { Int(saturating: $0) } ?? particleSteps
  }
}

extension EffectRenderer.Settings {
  /// - Throws: a ``Diagnostic`` of ``Rule/json``, ``Rule/type`` or ``Rule/range``.
  init(width: Int, height: Int, _ bytes: [UInt8]) throws(Diagnostic) {
    self.init(width: max(1, width), height: max(1, height))
    guard let object = try OptionReader(bytes) else { return }
    scale = try object.number("scale", 1e-6...1e6) ?? scale
    samples = try object.number("samples", 1...4).map { Int(saturating: $0) } ?? samples
    if let camera = object.value("camera"), camera != .null {
      view = .camera(try ParticleSystem.Camera(json: camera, at: .key(.root, "camera")))
    } else if let name = object.text("view") {
      switch name {
      case "auto": view = .automatic
      case "plane": view = .plane
      case "space": view = .space
      case "pixels": view = .pixels
      default:
        throw Diagnostic(
          .range, at: .key("view"), expected: "auto, plane, space or pixels",
          found: "'\(name.excerpt)'")
      }
    }
    if object.text("background") == "auto" {
      (background, isBackgroundOpen) = (EffectRenderer.dark, true)
    } else if let parts = try object.numbers("background", 3...4) {
      background = ParticleSystem.Color(
        parts[0], parts[1], parts[2], parts.count > 3 ? parts[3] : 1)
    }
  }
}

/// Reads the members of an object of options.
struct OptionReader {
  private let members: JSONObject

  /// - Returns: nil for no bytes.
  init?(_ bytes: [UInt8]) throws(Diagnostic) {
    guard !bytes.isEmpty else { return nil }
    let json = try JSONParser.parse(bytes, limits: .untrusted)
    guard let object = json.object else {
      throw Diagnostic(.json, "the options", expected: "an object", found: json.kind)
    }
    members = object
  }

  private init(_ members: JSONObject) { self.members = members }

  func value(_ key: String) -> JSONValue? { members[key] }

  func text(_ key: String) -> String? { members[key]?.string }

  private func failure(_ key: String, _ expected: String, _ found: JSONValue) -> Diagnostic {
    Diagnostic(.range, at: .key(key), expected: expected, found: found.line.excerpt)
  }

  func object(_ key: String) throws(Diagnostic) -> OptionReader? {
    guard let value = members[key] else { return nil }
    guard let object = value.object else { throw failure(key, "an object", value) }
    return OptionReader(object)
  }

  func number(_ key: String, _ range: ClosedRange<Double>) throws(Diagnostic) -> Double? {
    guard let value = members[key] else { return nil }
    guard let number = value.double, range.contains(number) else {
      throw failure(
        key,
        "a number from \(JSONValue.double(range.lowerBound).line) to "
          + JSONValue.double(range.upperBound).line, value)
    }
    return number
  }

  func numbers(_ key: String, _ count: ClosedRange<Int>) throws(Diagnostic) -> [Double]? {
    guard let value = members[key], value != .null else { return nil }
    let numbers = value.array?.compactMap { $0.double } ?? []
    guard count.contains(numbers.count), numbers.count == value.array?.count else {
      throw failure(key, "an array of \(count.upperBound) numbers", value)
    }
    return numbers
  }

  func seed(_ key: String) throws(Diagnostic) -> UInt64? {
    switch members[key] {
    case nil, .null?: return nil
    case .number(let number)?:
      if let seed = UInt64(number.text) { return seed }
    case .string(let text)?:
      if let seed = UInt64(text) { return seed }
    default: break
    }
    throw failure(key, "a whole number of 64 bits", members[key] ?? .null)
  }
}
