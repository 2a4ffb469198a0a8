internal import ParticlesCore
internal import ParticlesModel

/// Writes a value of the document in words, with its unit.
struct ValueText {
  /// The unit, such as "px/s". Nil for plain numbers.
  var unit: String?

  /// The text. Nil for values that take more than a few words, such as curves and colours.
  func text(of json: JSONValue) -> String? {
    switch json {
    case .number(let number): number.double.map { amount(Self.number($0)) }
    case .string(let name): name.isEmpty ? nil : name
    case .object(let object): text(of: object)
    case .array(let elements): vector(elements)
    case .null, .bool: nil
    }
  }

  private func text(of object: JSONObject) -> String? {
    if let least = object["min"]?.double, let most = object["max"]?.double {
      return amount("\(Self.number(least)) to \(Self.number(most))")
    }
    if let start = object["from"], let end = object["to"]?.double, let begin = start.double {
      return amount("\(Self.number(begin)) to \(Self.number(end))") + " over life"
    }
    if object["type"] != nil, let strength = object["vector"] ?? object["strength"] {
      return text(of: strength)
    }
    return nil
  }

  private func vector(_ elements: [JSONValue]) -> String? {
    let numbers = elements.compactMap { $0.double }
    guard numbers.count == elements.count, unit != nil, 2...3 ~= numbers.count else { return nil }
    return amount("(\(numbers.map(Self.number).joined(separator: ", ")))")
  }

  private func amount(_ text: String) -> String {
    guard let unit else { return text }
    return unit.hasPrefix("°") ? text + unit : "\(text) \(unit)"
  }

  /// Whether the text of a value can have a unit.
  static func takesUnit(_ json: JSONValue?) -> Bool {
    switch json {
    case .number, .object, .array: true
    case .null, .bool, .string, nil: false
    }
  }

  /// Four significant digits.
  private static func number(_ value: Double) -> String {
    guard value != 0, value.isFinite, value.magnitude < 1e15 else { return "0" }
    var scale = 1.0
    while value.magnitude * scale < 1000, scale < 1e9 { scale *= 10 }
    return JSONNumber((value * scale).rounded() / scale).shortText
  }

  /// The unit of the property at a path, with the unit of the effect for lengths.
  static func unit(of path: String, _ asset: Asset) -> String? {
    var types: [PropertyCatalog.Object] = [ParticleSystem.object]
    var unit: String?
    let steps = path.split { $0 == "." || $0 == "[" || $0 == "]" }
    for step in steps where Int(step) == nil {
      guard let property = types.lazy.compactMap({ $0.property(String(step)) }).first else {
        return nil
      }
      (types, unit) = (property.objects, property.unit)
    }
    if steps.dropLast().last == "forces" { unit = "unit/s²" }
    let length =
      switch asset.unit {
      case .point: "pt"
      case .pixel: "px"
      case .meter: "m"
      default: "units"
      }
    guard let unit else { return nil }
    let parts = unit.split(separator: "/", omittingEmptySubsequences: false)
    return parts.map { $0 == "unit" ? length : String($0) }.joined(separator: "/")
  }
}

extension JSONNumber {
  /// The text without a fraction of zero.
  fileprivate var shortText: String { text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
}
