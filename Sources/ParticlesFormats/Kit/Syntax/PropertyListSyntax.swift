internal import ParticlesPropertyLists
internal import ParticlesCore

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

  init(decoding bytes: [UInt8], limits: Limits) throws {
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
    case .integer(let text): PropertyListValue.integer(text).map(FieldValue.integer) ?? .text(text)
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
