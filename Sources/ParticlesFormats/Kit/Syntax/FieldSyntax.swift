internal import ParticlesCore
internal import ParticlesPropertyLists

/// The value of a key of a text file, in any syntax.
enum FieldValue: Hashable, Sendable {
  case integer(Int)
  case real(Double)
  case text(String)
  case flag(Bool)
  /// A value of a type that no property has: "an array".
  case other(String)

  var excerpt: String {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): value.isFinite ? shortText(value) : "\(value)"
    case .text(let text): "'\(text.excerpt)'"
    case .flag(let flag): "\(flag)"
    case .other(let kind): kind
    }
  }

  /// The number in any spelling. Nil for other types.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .text(let text): text.trimmed.double
    case .flag, .other: nil
    }
  }
}

/// A key of a text file: its spelling, and its identity.
struct FieldKey: Hashable, Sendable {
  let spelling: String

  /// The identity. It is equal for keys with equal meanings.
  let meaning: String

  /// Whether the key is ignored.
  var isUnrelated: Bool { meaning.hasPrefix("//") }

  var isComment: Bool { spelling.hasPrefix("//") }

  static func == (a: FieldKey, b: FieldKey) -> Bool { a.meaning == b.meaning }

  func hash(into hasher: inout Hasher) { hasher.combine(meaning) }
}

/// An open text file with keys and values. It keeps the position and spelling of each value, so
/// that one changed value is one changed line.
protocol FieldSyntax: SendableMetatype {
  associatedtype Value: Equatable
  typealias Members = [(key: String, value: Value)]

  init(decoding bytes: [UInt8], limits: Limits) throws(Failure)

  init()

  /// Keys and values in the order of the file. Keys may occur more than once.
  var members: Members { get }

  /// The file with some keys and values changed.
  func applying(_ changes: FieldChanges<Value>) -> Self

  var bytes: [UInt8] { get }

  /// A value of any type.
  static func read(_ value: Value) -> FieldValue

  /// A value converted to the type of another, if possible.
  static func write(_ value: FieldValue, like old: Value?) -> Value

  /// A value with its type, for the source bag.
  static func typed(_ value: Value) -> JSONValue

  /// The syntax, for the source bag: `xml`, `bplist`, `json`.
  var encoding: String { get }

  /// Faults of a text that can be read nevertheless. None by default.
  var findings: [Diagnostic] { get }

  /// Where its values are, in which decimal commas are detected.
  static var decimalCommas: DecimalCommas.Syntax? { get }
}

extension FieldSyntax {
  var findings: [Diagnostic] { [] }
}

/// The shortest text of a number, as in JavaScript. 0 for NaN and infinity.
func shortText(_ number: Double) -> String { JSONNumber(number.isFinite ? number : 0).text }

extension String {
  /// The number with this text, or the text where JSON has no such number.
  var jsonNumber: JSONValue {
    if let value = try? JSONParser.parse(Array(trimmed.utf8)), case .number = value { return value }
    return .string(excerpt)
  }

  /// This text for the source bag. For a text of more than 4096 bytes only the length is stored,
  /// because the file is kept too.
  var typed: JSONValue {
    utf8.count <= 4096
      ? ["t": "s", "v": .string(self)] : ["t": "s", "count": .int(utf8.count)]
  }
}

/// The changes of a text file, by the positions of its members.
struct FieldChanges<Value> {
  private(set) var replaced: [(index: Int, value: Value)] = []

  private(set) var removed: [Int] = []

  /// New members, each with the index of the member that it follows, or nil if it comes first.
  private(set) var added: [(key: String, value: Value, after: Int?)] = []

  private let kept: [Int]

  /// Collects the changes of a merge.
  /// - Parameters:
  ///   - source: the fields of the file, one for each member.
  ///   - order: the place of a key in the order of the format, for new members.
  ///   - isSame: whether two values are equal despite different spelling.
  init(
    of source: [(key: FieldKey, value: Value)], by merge: FieldMerge<FieldKey, Value>,
    order: (FieldKey) -> Int, isSame: (_ key: FieldKey, _ old: Value, _ new: Value) -> Bool
  ) where Value: Equatable {
    let places = Dictionary(first: source.indices.map { (source[$0].key, $0) })
    let values = Dictionary(first: merge.fields.map { ($0.key, $0.value) })
    let kept = places.filter { values[$0.key] != nil }
    self.kept = kept.values.sorted()
    // The kept member that comes closest before a new one in the order of the format.
    let ordered = kept.map { (order: order($0.key), index: $0.value) }.sorted {
      $0.order < $1.order
    }
    for key in merge.changed {
      switch (places[key], values[key]) {
      case (let index?, let value?):
        if !isSame(key, source[index].value, value) { replaced.append((index, value)) }
      case (let index?, nil): removed.append(index)
      case (nil, let value?):
        let place = order(key)
        added.append((key.spelling, value, ordered.last { $0.order < place }?.index))
      case (nil, nil): break
      }
    }
  }

  /// Whether no member is kept next to which new ones could be written.
  var isWhole: Bool { kept.isEmpty }

  /// The first kept member after a given one, or after the beginning.
  func successor(of index: Int?) -> Int? { kept.first { $0 > index ?? -1 } }

  /// The members after the changes: the kept ones in their order, then the new ones.
  func applied(to members: [(key: String, value: Value)]) -> [(key: String, value: Value)] {
    var new = members
    for (index, value) in replaced { new[index].value = value }
    for index in removed.sorted(by: >) { new.remove(at: index) }
    return new + added.map { ($0.key, $0.value) }
  }
}

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

  init(decoding bytes: [UInt8], limits: Limits) throws(Failure) {
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

  /// The text without members whose key occurs again, and the removed members.
  private static func unique(_ plain: [UInt8], limits: Limits) throws(Failure) -> (
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

/// A property list that holds a dictionary, in XML or binary.
struct PropertyListSyntax: FieldSyntax {
  typealias Value = PropertyListValue

  private(set) var members: Members
  private(set) var findings: [Diagnostic] = []
  private let isBinary: Bool
  /// The text of a file in XML, and its keys and values.
  private var source: (text: XMLText, elements: [XMLElement])?

  init() {
    members = []
    isBinary = false
  }

  init(decoding bytes: [UInt8], limits: Limits) throws(Failure) {
    isBinary = bytes.starts(with: BinaryPropertyList.signature)
    let list: PropertyListValue
    if isBinary {
      list = try PropertyListValue(decoding: bytes, limits: limits)
    } else {
      var found: [Diagnostic] = []
      let root = try XMLParser.parse(bytes, limits: limits) { found.append($0) }
      findings = found
      list = try PropertyListValue(xml: root)
      source = XMLText(bytes, root: root).map { ($0, root.children[0].children) }
    }
    guard let dictionary = list.members else {
      throw Diagnostic(.emitterRoot, expected: "a dictionary", found: list.kind)
    }
    members = dictionary.map { ($0.key, $0.value) }
  }

  func applying(_ changes: FieldChanges<PropertyListValue>) -> PropertyListSyntax {
    var copy = self
    copy.members = changes.applied(to: members)
    copy.source?.elements = []
    guard let elements = source?.elements, !elements.isEmpty, !changes.isWhole else {
      copy.source = nil
      return copy
    }
    func member(_ index: Int) -> [XMLElement] { Array(elements[2 * index...2 * index + 1]) }
    for (index, value) in changes.replaced {
      let isTrimmed = if case .string = value { false } else { true }
      copy.source?.text.replace(member(index)[1], with: value.element, isTrimmed: isTrimmed)
    }
    for index in changes.removed { copy.source?.text.remove(member(index)) }
    for (key, value, index) in changes.added {
      copy.source?.text.insert(
        [XMLElement("key", text: key), value.element],
        besides: member(index ?? changes.successor(of: nil) ?? 0), isBefore: index == nil)
    }
    return copy
  }

  var bytes: [UInt8] {
    if let source { return source.text.bytes }
    let list = PropertyListValue.dictionary(members.map { .init($0.key, $0.value) })
    return isBinary ? list.binary : list.xml
  }

  var encoding: String { isBinary ? "bplist" : "xml" }
  static let decimalCommas: DecimalCommas.Syntax? = .propertyList

  static func read(_ value: PropertyListValue) -> FieldValue {
    switch value {
    case .bool(let value): .flag(value)
    case .integer(let text):
      PropertyListValue.integer(text).flatMap { Int(exactly: $0) }.map { .integer($0) }
        ?? .text(text)
    case .real(let text, _): text.trimmed.double.map(FieldValue.real) ?? .text(text)
    case .string(let text): .text(text)
    default: .other(value.kind)
    }
  }

  static func write(_ value: FieldValue, like old: PropertyListValue?) -> PropertyListValue {
    switch (value, old) {
    case (.integer(let number), .real(_, let width)?): .real("\(number)", width: width)
    case (.integer(let number), .string?): .string("\(number)")
    case (.integer(let number), _): .integer("\(number)")
    case (.real(let number), .integer?) where Int(exactly: number) != nil:
      .integer(shortText(number))
    case (.real(let number), .string?): .string(shortText(number))
    case (.real(let number), .real(_, let width)?): .real(shortText(number), width: width)
    case (.real(let number), _): .real(shortText(number))
    case (.flag(let flag), .integer?): .integer(flag ? "1" : "0")
    case (.flag(let flag), .real(_, let width)?): .real(flag ? "1" : "0", width: width)
    case (.flag(let flag), .string?): .string(flag ? "1" : "0")
    case (.flag(let flag), _): .bool(flag)
    case (.text(let text), _), (.other(let text), _): .string(text)
    }
  }

  static func typed(_ value: PropertyListValue) -> JSONValue {
    switch value {
    case .bool(let value): ["t": "b", "v": .bool(value)]
    case .integer(let text): ["t": "i", "v": text.jsonNumber]
    case .real(let text, let width): ["t": width == 4 ? "f32" : "f64", "v": text.jsonNumber]
    case .string(let text): text.typed
    case .date(let text): ["t": "date", "v": .string(text.excerpt)]
    case .data(let bytes): ["t": "d", "count": .int(bytes.count)]
    case .array(let elements): ["t": "obj", "class": "array", "count": .int(elements.count)]
    case .dictionary(let members):
      ["t": "obj", "class": "dictionary", "count": .int(members.count)]
    }
  }
}
