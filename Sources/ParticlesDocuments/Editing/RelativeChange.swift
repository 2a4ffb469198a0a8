internal import ParticlesCore
internal import ParticlesModel

/// A change relative to the current value of a property: `*=1.5`, `+=10`, `-=10`.
struct RelativeChange {
  enum Operation: Character, Sendable {
    case multiply = "*"
    case add = "+"
    case subtract = "-"
  }

  let operation: Operation
  /// The operand as text.
  let text: String

  /// Computes the new value.
  /// - Throws: ``ParticlesCore/Rule/usage`` if the operand or the old value is not numeric.
  func result(of old: JSONValue, property: PropertyInfo?, key: String) throws -> JSONValue {
    let type = property?.type ?? ""
    let isColor = PropertyText.colors.contains { type.hasPrefix($0) }
    let operand = PropertyText(property: nil)
    let location = Location(entry: EffectPackage.documentPath, position: .key(key))
    let value = try operand.value(of: text, at: location)
    guard !isColor, let new = changed(old, by: value) else {
      let isVector = old.array != nil && operation != .multiply && !isColor
      throw Diagnostic(
        .usage, "'\(key)' cannot be changed by '\(operation.rawValue)=\(text)'",
        expected: isVector ? "a vector of the same size" : nil,
        hint: isVector
          ? nil : "numbers, ranges, tracks and vectors can; set other values with \(key)=VALUE")
    }
    // A negative factor exchanges the ends.
    if type.hasPrefix("interval"), let ends = new.array, ends.count == 2,
      let lower = ends[0].double, let upper = ends[1].double, lower > upper
    {
      return .array([ends[1], ends[0]])
    }
    guard type.hasPrefix("integer"), let number = new.double else { return new }
    return Int(exactly: number.rounded()).map(JSONValue.int) ?? new
  }

  private func changed(_ old: JSONValue, by operand: JSONValue) -> JSONValue? {
    switch (old, operand) {
    case (.number, .number): return number(old, operand)
    case (.array(let elements), .number) where operation == .multiply:
      return array(elements.map { changed($0, by: operand) })
    case (.array(let elements), .array(let operands))
    where operation != .multiply && elements.count == operands.count:
      return array(zip(elements, operands).map { changed($0, by: $1) })
    case (.object(let object), .number): return self.object(object, operand)
    default: return nil
    }
  }

  private func array(_ elements: [JSONValue?]) -> JSONValue? {
    let values = elements.compactMap(\.self)
    return values.count == elements.count ? .array(values) : nil
  }

  private func number(_ old: JSONValue, _ operand: JSONValue) -> JSONValue? {
    guard let a = old.double, let b = operand.double else { return nil }
    switch operation {
    case .multiply: return Self.value(a * b)
    case .add: return Self.value(a + b)
    case .subtract: return Self.value(a - b)
    }
  }

  /// Rounds away the digits that only the arithmetic added: 0.1 · 3 is 0.3.
  private static func value(_ number: Double) -> JSONValue? {
    number.isFinite ? .double(number.rounded) : nil
  }

  /// The members of value and track objects that scale with the result.
  private static let scaled = ["min", "max", "oneOf", "low", "high", "from", "to", "rate", "range"]

  /// The members that an addition shifts. Those that are added to others are not shifted.
  private static func shifted(_ object: JSONObject) -> [String] {
    let isRelative = object["relative"]?.bool ?? false
    let ends = isRelative ? [] : ["high", "to"]
    return ["min", "max", "oneOf", "low", "from", "range"] + ends
  }

  private func object(_ old: JSONObject, _ operand: JSONValue) -> JSONValue? {
    var new = old
    let isTrack = ["from", "to", "rate", "warp", "over", "range", "domain"].contains {
      old[$0] != nil
    }
    // A missing `from` is 0.
    if isTrack, operation != .multiply, old["from"] == nil { new["from"] = .int(0) }
    let keys = operation == .multiply ? Self.scaled : Self.shifted(old)
    var isChanged = false
    for member in new.members where keys.contains(member.key) {
      let changes: JSONValue?
      if let elements = member.value.array {
        changes = array(elements.map { changed($0, by: operand) })
      } else {
        changes = member.value == .null ? .null : changed(member.value, by: operand)
      }
      guard let changes else { return nil }
      new[member.key] = changes
      isChanged = true
    }
    guard isChanged else { return nil }
    // A negative factor exchanges the ends.
    if let min = new["min"]?.double, let max = new["max"]?.double, min > max {
      (new["min"], new["max"]) = (new["max"], new["min"])
    }
    if let ends = new["range"]?.array, ends.count == 2, let lower = ends[0].double,
      let upper = ends[1].double, lower > upper
    {
      new["range"] = .array([ends[1], ends[0]])
    }
    return .object(new)
  }
}
