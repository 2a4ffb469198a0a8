internal import ParticlesCore

/// Reads values of a tree and collects the ones that are not of the expected kind.
struct EntryReader {
  private(set) var faults: [Diagnostic] = []

  /// How many unknown keys are compared with known ones, so that a file of them cannot keep a reader
  /// busy.
  private var suggestionsLeft = 500

  mutating func complain(_ rule: Rule, _ key: String, expected: String? = nil, found: String? = nil)
  {
    faults.append(Diagnostic(rule, at: .key(key), expected: expected, found: found))
  }

  private mutating func mismatch(_ value: JSONValue, _ key: String, _ expected: String) {
    complain(.typesStructure, key, expected: expected, found: value.kind)
  }

  mutating func object(_ value: JSONValue?, _ key: String) -> JSONObject? {
    guard let value, value != .null else { return nil }
    guard let object = value.object else {
      mismatch(value, key, "an object")
      return nil
    }
    return object
  }

  mutating func string(_ value: JSONValue?, _ key: String) -> String? {
    guard let value, value != .null else { return nil }
    guard let text = value.string else {
      mismatch(value, key, "a string")
      return nil
    }
    return text
  }

  mutating func bool(_ value: JSONValue?, _ key: String) -> Bool? {
    guard let value, value != .null else { return nil }
    // Old property lists have numbers and words for truth values.
    switch value {
    case .bool(let bool): return bool
    case .number(let number) where number.double == 1 || number.double == 0:
      return number.double == 1
    case .string(let text) where ["YES", "NO"].contains(text.uppercased()):
      return text.uppercased() == "YES"
    default:
      mismatch(value, key, "a truth value")
      return nil
    }
  }

  mutating func int(_ value: JSONValue?, _ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let value, value != .null else { return nil }
    guard let int = value.int, range.contains(int) else {
      complain(
        .typesStructure, key,
        expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
        found: value.int.map { "\($0)" } ?? value.kind)
      return nil
    }
    return int
  }

  /// One string, or an array of strings.
  mutating func strings(_ value: JSONValue?, _ key: String) -> [TypesFile.Entry<String>] {
    guard let value, value != .null else { return [] }
    if let text = value.string { return [.init(text, at: key)] }
    guard let array = value.array else {
      mismatch(value, key, "a string or an array of strings")
      return []
    }
    return array.enumerated().compactMap { index, element in
      let place = "\(key)[\(index)]"
      return string(element, place).map { .init($0, at: place) }
    }
  }

  /// The strings of an array, without reports.
  func texts(_ value: JSONValue?) -> [String] {
    value?.string.map { [$0] } ?? (value?.array ?? []).compactMap(\.string)
  }

  /// The objects of an array. Empty ones are reported.
  mutating func objects(_ value: JSONValue?, _ key: String) -> [TypesFile.Entry<JSONObject>] {
    guard let value, value != .null else { return [] }
    guard let array = value.array else {
      mismatch(value, key, "an array of objects")
      return []
    }
    return array.enumerated().compactMap { index, element in
      let place = "\(key)[\(index)]"
      guard let object = object(element, place) else {
        if element == .null { mismatch(element, place, "an object") }
        return nil
      }
      guard !object.isEmpty else {
        complain(.typesStructure, place, expected: "an entry", found: "an empty object")
        return nil
      }
      return .init(object, at: place)
    }
  }

  /// A word of a list, in upper or lower case.
  mutating func word<Word>(
    _ value: JSONValue?, _ key: String, among words: [String], _ rule: Rule,
    _ make: (String) -> Word?
  ) -> Word? {
    guard let text = string(value, key) else { return nil }
    if let word = make(text) { return word }
    faults.add(
      rule, at: .key(key), expected: "one of \(words.joined(separator: ", "))", found: "'\(text)'",
      severity: .error)
    return nil
  }

  mutating func hex(_ value: JSONValue?, _ key: String) -> [UInt8]? {
    guard let text = string(value, key) else { return nil }
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else {
      complain(.typesStructure, key, expected: "pairs of hexadecimal digits", found: "'\(text)'")
      return nil
    }
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  /// Reports unknown keys. Those with a prefix of the system, or similar to a known key, are most
  /// likely misspelt; tag classes belong into the tag specification.
  mutating func noteUnknown(in object: JSONObject, besides known: Set<String>, at key: String) {
    for member in object.members where !known.contains(member.key) && !member.key.hasPrefix("_") {
      let name = member.key
      let place = key.isEmpty ? name : "\(key).\(name)"
      let near = spendSuggestion(name) ? Suggestion.nearest(to: name, among: known.sorted()) : nil
      if PropertyListKeys.tagClasses.contains(where: { $0.rawValue == name }) {
        warn(place, found: "a tag class", hint: "move it into UTTypeTagSpecification")
      } else if near != nil || PropertyListKeys.prefixes.contains(where: name.hasPrefix) {
        warn(
          place, found: "an unknown key, which is ignored",
          hint: near.map { "did you mean '\($0)'?" })
      } else {
        note(place, found: "an unknown key")
      }
    }
  }

  /// Reports a key that is similar to one of `words` and not equal to it.
  mutating func noteMisspelt(_ name: String, among words: [String], at key: String = "") {
    guard !words.contains(name), spendSuggestion(name),
      let near = words.first(where: { Suggestion.distance(name, $0) <= 2 })
    else { return }
    let place = key.isEmpty ? name : "\(key).\(name)"
    warn(place, found: "an unknown key, which is ignored", hint: "did you mean '\(near)'?")
  }

  private mutating func spendSuggestion(_ name: String) -> Bool {
    guard suggestionsLeft > 0, name.utf8.count < 64 else { return false }
    suggestionsLeft -= 1
    return true
  }

  private mutating func warn(_ key: String, found: String, hint: String?) {
    faults.add(.typesStructure, at: .key(key), found: found, severity: .warning, hint: hint)
  }

  /// Reports something harmless.
  mutating func note(_ key: String, found: String) {
    faults.append(Diagnostic(.typesStructure, at: .key(key), found: found, severity: .note))
  }
}
