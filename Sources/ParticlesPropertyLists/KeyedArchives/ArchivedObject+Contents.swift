package import ParticlesCore

// Accessors for enumerations, vectors and geometry, and reports about keys that were not read.

extension ArchivedObject {
  /// The case of an enumeration that is stored as a number.
  package func choice<Choice>(_ key: String, _ choices: [Choice], _ standard: Choice) -> Choice {
    guard let number = int(key) else { return standard }
    guard choices.indices.contains(number) else {
      mismatch(key, expected: "0 to \(choices.count - 1)", found: "\(number)")
      return standard
    }
    return choices[number]
  }

  /// Reports something about a key.
  package func note(
    _ rule: Rule, _ key: String, _ detail: String, found: String? = nil, severity: Severity? = nil
  ) {
    reader.report(
      Diagnostic(rule, at: .key(path(of: key)), detail, found: found, severity: severity))
  }

  /// Reports something about the object as a whole.
  package func note(
    _ rule: Rule, _ detail: String, found: String? = nil, severity: Severity? = nil
  ) {
    reader.report(Diagnostic(rule, at: .key(path), detail, found: found, severity: severity))
  }

  /// An array of 32-bit floats, least significant byte first; nil if it is absent or malformed.
  package func floats(_ key: String, count: Int) -> [Double]? {
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
  package func numberOrBool(_ key: String) -> Double? {
    if case .scalar(.bool(let value))? = value(key) { return value ? 1 : 0 }
    return double(key)
  }

  /// Reports that the value of a key was not interpreted.
  package func reportUninterpreted(_ key: String, _ detail: String? = nil, found: String? = nil) {
    reader.report(Diagnostic(.uninterpreted, at: .key(path(of: key)), detail, found: found))
  }

  /// Reports every key that was not read.
  package func reportUnasked() {
    for key in unaskedKeys where index(of: key) != nil {
      reportUninterpreted(key, found: value(key).map(\.summary))
    }
  }

  /// Whether a value has no effect: nil, false, zero, or an empty container or text.
  package func isEmpty(_ key: String) throws -> Bool {
    switch value(key) {
    case nil, .scalar(.null)?, .scalar(.bool(false))?, .scalar(.integer(0))?: return true
    case .scalar(.real(let value, _))?: return value == 0
    case .scalar(.string(let text))?: return text.isEmpty
    case .array(let elements)?: return elements.isEmpty
    case .dictionary(let keys, _)?: return keys.isEmpty
    default: return false
    }
  }

  /// The numbers in a text such as `{{0, 0}, {1, 1}}`, bare or in an `NSValue`.
  package func geometry(_ key: String, count: Int) throws -> [Double]? {
    let text: String
    switch value(key) {
    case nil: return nil
    case .scalar(.string(let bare))?: text = bare
    case .object?:
      guard let object = try object(key) else { return nil }
      text =
        ["NS.pointval", "NS.sizeval", "NS.rectval"].lazy.compactMap { object.string($0) }.first
        ?? ""
    case let other?:
      mismatch(key, expected: "\(count) numbers as text", found: other.kind)
      return nil
    }
    let words = text.prefix(512).split { "{}, \t".contains($0) }
    let numbers = words.compactMap { Double($0) }.filter { $0.isFinite && $0.magnitude < 1e15 }
    guard numbers.count == count, words.count == count else {
      mismatch(key, expected: "\(count) numbers as text", found: "'\(text.excerpt)'")
      return nil
    }
    // Editors write a negative zero for a zero that they flipped.
    return numbers.map { ($0 + 0).tidy }
  }
}

extension ArchivedValue {
  /// The value as messages show it.
  package var summary: String {
    switch self {
    case .scalar(.bool(let value)): "\(value)"
    case .scalar(.integer(let value)): "\(value)"
    case .scalar(.real(let value, _)): "\(value)"
    case .scalar(.string(let value)): "'\(value.excerpt)'"
    default: kind
    }
  }
}

extension Collection<UInt8> {
  /// The float or double in these bytes, the most significant one first.
  package var real: Double {
    let pattern = reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return count == 8
      ? Double(bitPattern: pattern)
      : Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
  }
}
