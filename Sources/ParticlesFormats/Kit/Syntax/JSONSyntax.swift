internal import ParticlesCore

struct JSONSyntax: FieldSyntax {
  typealias Value = JSONValue

  private(set) var members: Members
  private(set) var findings: [Diagnostic] = []
  private var source: JSONText?
  /// The bytes of the file, which may have a byte order mark and keys that occur again.
  private var original: [UInt8] = []
  private var edited: [UInt8]?

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init() { members = [] }

  init(decoding bytes: [UInt8], limits: Limits) throws {
    original = bytes
    var plain = bytes
    if bytes.starts(with: Self.mark) { plain.replaceSubrange(..<3, with: [0x20, 0x20, 0x20]) }
    let (text, superseded) = try Self.unique(plain, limits: limits)
    findings = superseded.findings
    guard let object = text.value.object else {
      throw Diagnostic(.emitterRoot, expected: "an object", found: text.value.kind)
    }
    source = text
    members = object.members.map { ($0.key, $0.value) }
  }

  /// The text without members whose key occurs again, and those members.
  private static func unique(_ plain: [UInt8], limits: Limits) throws -> (
    text: JSONText, superseded: [JSONParser.Superseded]
  ) {
    do {
      return (try JSONText(plain, limits: limits), [])
    } catch {
      guard JSONParser.isOfRepeatedKey(error) else { throw error }
      let (text, superseded) = try JSONParser.withoutRepeatedKeys(plain, limits: limits)
      return (try JSONText(text, limits: limits), superseded)
    }
  }

  func applying(_ changes: FieldChanges<JSONValue>) -> JSONSyntax {
    var copy = self
    copy.members = changes.applied(to: members)
    copy.source = nil
    copy.edited = changes.isWhole ? nil : source.map { Self.edit($0, changes) }
    if original.starts(with: Self.mark) { copy.edited?.replaceSubrange(..<3, with: Self.mark) }
    return copy
  }

  /// The text of a file with changes. Of several new members in one place, the first comes first.
  private static func edit(_ source: JSONText, _ changes: FieldChanges<JSONValue>) -> [UInt8] {
    let members = source.members
    var edits = TextEdits(source.bytes)
    for (index, value) in changes.replaced {
      edits.replace(members[index].value, with: value.line.utf8)
    }
    let first = changes.successor(of: nil) ?? 0
    if first > 0 {
      edits.replace(members[0].key.lowerBound..<members[first].key.lowerBound, with: [])
    }
    for index in changes.removed where index > first {
      edits.replace(members[index - 1].value.upperBound..<members[index].value.upperBound, with: [])
    }
    for (key, value, index) in changes.added {
      // Before a member, because otherwise the line of the last one would get a comma.
      let next = members[changes.successor(of: index) ?? index ?? first]
      let colon = source.bytes[next.key.upperBound..<next.value.lowerBound]
      let isOneLine = !colon.contains(0x0A) && !colon.contains(0x0D)
      let gap = source.bytes[edits.gap(before: next.key.lowerBound)]
      let member =
        Array(JSONValue.string(key).line.utf8)
        + (isOneLine ? Array(colon) : Array(": ".utf8)) + value.line.utf8
      edits.insert(member + [UInt8(ascii: ",")] + gap, at: next.key.lowerBound)
    }
    return edits.bytes
  }

  var bytes: [UInt8] {
    if let text = edited ?? source.map({ _ in original }) { return text }
    let members = members.map { JSONObject.Member(key: $0.key, value: $0.value) }
    return Array(JSONValue.object(JSONObject(members: members)).text.utf8)
  }

  var encoding: String { "json" }
  static let decimalCommas: DecimalCommas.Syntax? = .json

  static func read(_ value: JSONValue) -> FieldValue {
    switch value {
    case .bool(let value): .flag(value)
    case .number(let number): number.double.map(FieldValue.real) ?? .text(number.text)
    case .string(let text): .text(text)
    default: .other(value.kind)
    }
  }

  static func write(_ value: FieldValue, like old: JSONValue?) -> JSONValue {
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
