package import ParticlesCore

extension PropertyListValue {
  /// The tree as JSON: dates and data as strings.
  package var json: JSONValue {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let text): Self.integer(text).map { .int($0) } ?? .string(text)
    case .real(let text, _):
      Double(text).flatMap { $0.isFinite ? .double($0) : nil } ?? .string(text)
    case .string(let text), .date(let text): .string(text)
    case .data(let bytes): .string(bytes.base64)
    case .array(let elements): .array(elements.map(\.json))
    case .dictionary(let members):
      .object(JSONObject(members: members.map { .init(key: $0.key, value: $0.value.json) }))
    }
  }

  /// Creates a property list from JSON; null members and elements are left out.
  package init(_ json: JSONValue) {
    switch json {
    case .null: self = .string("")
    case .bool(let value): self = .bool(value)
    case .number(let number):
      self = json.int.map { .integer("\($0)") } ?? .real(number.text)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.filter { $0 != .null }.map { .init($0) })
    case .object(let object):
      self = .dictionary(
        object.members.filter { $0.value != .null }.map { Member($0.key, .init($0.value)) })
    }
  }
}
