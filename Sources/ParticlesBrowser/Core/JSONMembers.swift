internal import ParticlesCore

/// The members of a JSON object that comes from outside, by their types.
struct JSONMembers {
  private let object: JSONObject?
  private let kind: String

  init(_ json: JSONValue) {
    object = json.object
    kind = json.kind
  }

  /// Throws for a value that is no object, and for members of other names.
  func check(known: Set<String>) throws {
    guard let object else { throw Diagnostic(.type, expected: "an object", found: kind) }
    for member in object.members where !known.contains(member.key) {
      throw Diagnostic(.type, at: .key(member.key), "no such member", severity: .error)
    }
  }

  private func value<Value>(
    _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws -> Value? {
    guard let value = object?[key], value != .null else { return nil }
    guard let result = read(value) else {
      throw Diagnostic(.type, at: .key(key), expected: expected, found: value.kind)
    }
    return result
  }

  func string(_ key: String) throws -> String? { try value(key, "a string") { $0.string } }

  func bool(_ key: String) throws -> Bool? { try value(key, "a truth value") { $0.bool } }

  func int(_ key: String) throws -> Int? { try value(key, "a whole number") { $0.int } }

  func strings(_ key: String) throws -> [String]? {
    try value(key, "an array of strings") { value in
      guard let array = value.array else { return nil }
      let strings = array.compactMap(\.string)
      return strings.count == array.count ? strings : nil
    }
  }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String
  ) throws -> Choice? where Choice.RawValue == String {
    guard let text = try string(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw Diagnostic(.range, at: .key(key), expected: "one of \(names)", found: "'\(text)'")
    }
    return choice
  }
}
