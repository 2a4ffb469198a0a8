internal import ParticlesCore

/// A JSON file of Particle Designer: an object with the keys of the property lists.
struct CocosJSON: CocosContainer {
  typealias Value = JSONValue

  private(set) var fields: Fields

  init() { fields = [] }

  init(decoding bytes: [UInt8], limits: Limits) throws {
    let json = try JSONParser.parse(bytes, limits: limits)
    guard let object = json.object else {
      throw Diagnostic(.emitterRoot, expected: "an object", found: json.kind)
    }
    fields = Self.unique(object.members.map { ($0.key, $0.value) })
  }

  func replacing(_ fields: Fields, changed: [CocosKey]) -> CocosJSON {
    var copy = self
    copy.fields = fields
    return copy
  }

  var bytes: [UInt8] {
    let members = fields.map { JSONObject.Member(key: $0.key.spelling, value: $0.value) }
    return Array(JSONValue.object(JSONObject(members: members)).text.utf8)
  }

  var encoding: String { "json" }

  static func read(_ value: JSONValue) -> CocosValue {
    switch value {
    case .bool(let value): .flag(value)
    case .number(let number): number.double.map(CocosValue.real) ?? .text(number.text)
    case .string(let text): .text(text)
    default: .other(value.kind)
    }
  }

  static func write(_ value: CocosValue, like old: JSONValue?) -> JSONValue {
    let wantsText = old?.string != nil
    switch value {
    case .integer(let number): return wantsText ? .string("\(number)") : .int(number)
    case .real(let number): return wantsText ? .string(shortText(number)) : .double(number)
    case .flag(let flag):
      if wantsText { return .string(flag ? "1" : "0") }
      return old?.double == nil ? .bool(flag) : .int(flag ? 1 : 0)
    case .text(let text), .other(let text): return .string(text)
    }
  }

  static func typed(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null: ["t": "nil"]
    case .bool: ["t": "b", "v": value]
    case .number: ["t": value.int == nil ? "f64" : "i", "v": value]
    case .string(let text): text.typed
    case .array(let elements): ["t": "obj", "class": "array", "count": .int(elements.count)]
    case .object(let object):
      ["t": "obj", "class": "object", "count": .int(object.members.count)]
    }
  }
}
