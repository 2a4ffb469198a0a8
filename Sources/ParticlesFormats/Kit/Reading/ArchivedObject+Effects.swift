internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesModel

// Numbers as effects need them: within reason, and as somebody wrote them.

extension ArchivedObject {
  /// A number. Garbage below all measure, which old editors left behind, is zero.
  func number(_ key: String, _ standard: Double) -> Double {
    guard let number = double(key) else { return standard }
    guard number.magnitude < 1e15 else {
      mismatch(key, expected: "a number below 1e15", found: "\(number)")
      return standard
    }
    return number.tidy
  }

  /// A number that must not be less than `least`.
  func number(_ key: String, _ standard: Double, atLeast least: Double) -> Double {
    let found = number(key, standard)
    guard found < least else { return found }
    reader.report(
      Diagnostic(
        .approximated, at: .key(path(of: key)), expected: "at least \(least)", found: "\(found)"))
    return least
  }

  /// One of the names behind the numbers of an enumeration.
  func choice<Choice>(_ key: String, _ choices: [Choice], _ standard: Choice) -> Choice {
    guard let number = int(key) else { return standard }
    guard choices.indices.contains(number) else {
      mismatch(key, expected: "0 to \(choices.count - 1)", found: "\(number)")
      return standard
    }
    return choices[number]
  }

  func note(_ rule: Rule, _ key: String, _ detail: String, found: String? = nil) {
    reader.report(Diagnostic(rule, at: .key(path(of: key)), detail, found: found))
  }

  /// So many 32-bit floats, least significant byte first; nil if there are none.
  func floats(_ key: String, count: Int) -> [Double]? {
    guard let bytes = data(key) else { return nil }
    let starts = bytes.count == 4 * count ? (0..<count).map { 4 * $0 } : []
    let numbers = starts.map { bytes[$0..<$0 + 4].reversed().real }
    guard !numbers.isEmpty, numbers.allSatisfy({ $0.magnitude < 1e15 }) else {
      mismatch(key, expected: "\(count) floats", found: "\(bytes.count) bytes")
      return nil
    }
    return numbers.map(\.tidy)
  }

  /// A number, or a truth value as 0 or 1.
  func numberOrBool(_ key: String) -> Double? {
    if case .bool(let value)? = value(key) { return value ? 1 : 0 }
    return double(key)
  }

  /// Reports that the value of a key is not understood.
  func reportUninterpreted(_ key: String, _ detail: String? = nil, found: String? = nil) {
    reader.report(Diagnostic(.uninterpreted, at: .key(path(of: key)), detail, found: found))
  }

  /// Reports every key that nobody asked for.
  func reportUnasked() {
    for key in unaskedKeys where index(of: key) != nil {
      reportUninterpreted(key, found: value(key).map(\.summary))
    }
  }

  /// Whether a value says nothing: nil, zero, or a container or text without contents.
  func isEmpty(_ key: String) throws -> Bool {
    switch value(key) {
    case nil, .null?, .bool(false)?, .integer(0)?: return true
    case .real(let value, _)?: return value == 0
    case .string(let text)?: return text.isEmpty
    case .array(let elements)?: return elements.isEmpty
    case .dictionary(let keys, _)?: return keys.isEmpty
    default: return false
    }
  }
}

extension ArchivedValue {
  /// What a message shows of the value.
  var summary: String {
    switch self {
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .real(let value, _): "\(value)"
    case .string(let value): "'\(value.excerpt)'"
    default: kind
    }
  }
}

extension Collection<UInt8> {
  /// The float or double that these bytes are, the most significant one first.
  var real: Double {
    let pattern = reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return count == 8
      ? Double(bitPattern: pattern)
      : Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
  }
}
