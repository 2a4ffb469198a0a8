internal import ParticlesPropertyLists
internal import ParticlesCore

/// A property list of cocos2d: a dictionary, in XML or binary.
struct CocosPropertyList: CocosContainer {
  typealias Value = PropertyListValue

  private(set) var fields: Fields
  private let isBinary: Bool
  /// The text of a file in XML, and its keys and values.
  private var source: (text: XMLText, elements: [XMLElement])?

  init() {
    fields = []
    isBinary = false
  }

  init(decoding bytes: [UInt8], limits: Limits) throws {
    isBinary = bytes.starts(with: BinaryPropertyList.signature)
    let list: PropertyListValue
    if isBinary {
      list = try PropertyListValue(decoding: bytes, limits: limits)
    } else {
      let root = try XMLParser.parse(bytes, limits: limits)
      list = try PropertyListValue(xml: root)
      source = XMLText(bytes, root: root).map { ($0, root.children[0].children) }
    }
    guard let members = list.members else {
      throw Diagnostic(.emitterRoot, expected: "a dictionary", found: list.kind)
    }
    fields = Self.unique(members.map { ($0.key, $0.value) })
  }

  func replacing(_ fields: Fields, changed: [CocosKey]) -> CocosPropertyList {
    var copy = self
    copy.fields = fields
    copy.source?.elements = []
    let changes = CocosChanges<Self>(of: self.fields, to: fields, changed: changed)
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
        [XMLElement("key", text: key.spelling), value.element],
        besides: member(index ?? changes.successor(of: nil) ?? 0), isBefore: index == nil)
    }
    return copy
  }

  var bytes: [UInt8] {
    if let source { return source.text.bytes }
    let list = PropertyListValue.dictionary(fields.map { .init($0.key.spelling, $0.value) })
    return isBinary ? list.binary : list.xml
  }

  var encoding: String { isBinary ? "bplist" : "xml" }

  static func read(_ value: PropertyListValue) -> CocosValue {
    switch value {
    case .bool(let value): .flag(value)
    case .integer(let text): PropertyListValue.integer(text).map(CocosValue.integer) ?? .text(text)
    case .real(let text, _): text.trimmed.double.map(CocosValue.real) ?? .text(text)
    case .string(let text): .text(text)
    default: .other(value.kind)
    }
  }

  static func write(_ value: CocosValue, like old: PropertyListValue?) -> PropertyListValue {
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

extension String {
  /// The number with this very text, or the text where JSON has no such number.
  var jsonNumber: JSONValue {
    if let value = try? JSONParser.parse(Array(trimmed.utf8)), case .number = value { return value }
    return .string(excerpt)
  }

  /// This text as the source bag keeps it; what is long is only counted, since the file is kept too.
  var typed: JSONValue {
    utf8.count <= 4096
      ? ["t": "s", "v": .string(self)] : ["t": "s", "count": .int(utf8.count)]
  }
}
