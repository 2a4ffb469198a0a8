internal import ParticlesCore

/// An open text file with nested values. It keeps the position of each value, so that one changed
/// value is one changed line.
protocol TreeSyntax: SendableMetatype {
  /// Reads a file.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/json``,
  ///   ``ParticlesCore/Rule/emitterSyntax`` or ``ParticlesCore/Rule/limit``.
  init(decoding bytes: [UInt8], limits: Limits) throws

  /// The contents of the file, in the types of JSON.
  var value: JSONValue { get }

  /// Faults of a text that can be read nevertheless; none by default.
  var findings: [Diagnostic] { get }

  /// The file with other contents: values that are equal keep their text.
  func replacing(with value: JSONValue) -> [UInt8]

  /// A new file.
  static func bytes(of value: JSONValue) -> [UInt8]

  /// The syntax, for the source bag: `json`, `lua`.
  static var encoding: String { get }

  /// Where decimal commas are told from separators; nil, the default, if they cannot be.
  static var decimalCommas: DecimalCommas.Syntax? { get }
}

extension TreeSyntax {
  var findings: [Diagnostic] { [] }
  static var decimalCommas: DecimalCommas.Syntax? { nil }
}

/// A value of a text with the range of its bytes.
struct TextNode {
  /// A member or an element.
  struct Child {
    var key: String?
    /// From the key, or from the value of an element, to the end of the value.
    var span: Range<Int>
    var node: TextNode
  }

  var range: Range<Int>
  var value: JSONValue
  var children: [Child] = []
}

/// A syntax whose values are written one inside another, with or without a separator.
protocol NestedSyntax: TreeSyntax {
  var text: [UInt8] { get }
  var root: TextNode { get }

  /// The character between members or elements; nil if only white space is.
  static var separator: String? { get }

  /// The text of a value.
  /// - Parameter indent: the indentation of the line that it begins on; nil for a text on one line.
  static func text(of value: JSONValue, indent: String?) -> String

  /// The text of a member, or of an element if there is no key.
  static func member(_ key: String?, _ value: JSONValue, indent: String?) -> String
}

extension NestedSyntax {
  var value: JSONValue { root.value }

  func replacing(with value: JSONValue) -> [UInt8] {
    var edits = TextEdits(text)
    edit(root, to: value, &edits)
    return edits.bytes
  }

  func edit(_ node: TextNode, to new: JSONValue, _ edits: inout TextEdits) {
    guard node.value != new else { return }
    switch (node.value, new) {
    case (.object, .object(let object)) where !object.isEmpty && !node.children.isEmpty:
      let keys = node.children.map { $0.key ?? "" }
      let places = Dictionary(
        zip(keys, keys.indices).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
      let values = Dictionary(
        object.members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
      var added: [(after: Int?, key: String?, value: JSONValue)] = []
      var previous: Int?
      for member in object.members {
        if let place = places[member.key] {
          previous = place
        } else {
          added.append((previous, member.key, member.value))
        }
      }
      change(node, keys.map { values[$0] }, added, &edits)
    case (.array(let old), .array(let elements)) where !elements.isEmpty && !node.children.isEmpty:
      let pairs = TreeMerge.alignment(old, elements)
      var kept = [JSONValue?](repeating: nil, count: old.count)
      var added: [(after: Int?, key: String?, value: JSONValue)] = []
      var previous: Int?
      for (place, element) in elements.enumerated() {
        if let index = pairs[place] {
          kept[index] = element
          previous = index
        } else {
          added.append((previous, node.children[0].key, element))
        }
      }
      change(node, kept, added, &edits)
    default:
      edits.replace(node.range, with: Self.text(of: new, indent: indent(at: node.range)).utf8)
    }
  }

  /// - Parameters:
  ///   - values: the new value of each child; nil for one that is removed.
  ///   - added: new children, each with the place of the one that it follows.
  private func change(
    _ node: TextNode, _ values: [JSONValue?],
    _ added: [(after: Int?, key: String?, value: JSONValue)], _ edits: inout TextEdits
  ) {
    let children = node.children
    let kept = children.indices.filter { values[$0] != nil }
    guard let first = kept.first, let last = kept.last else {
      var whole = added.map { ($0.key ?? "", $0.value) }
      if case .array = node.value { whole = whole.map { ("", $0.1) } }
      let value: JSONValue =
        node.value.array != nil
        ? .array(whole.map(\.1))
        : .object(JSONObject(members: whole.map { .init(key: $0.0, value: $0.1) }))
      edits.replace(node.range, with: Self.text(of: value, indent: indent(at: node.range)).utf8)
      return
    }
    for index in kept {
      if let value = values[index] { edit(children[index].node, to: value, &edits) }
    }
    let separator = Self.separator ?? ""
    for index in children.indices where values[index] == nil {
      if separator.isEmpty {
        let start = edits.gap(before: children[index].span.lowerBound).lowerBound
        edits.replace(start..<children[index].span.upperBound, with: [])
      } else if index > first {
        edits.replace(
          children[index - 1].span.upperBound..<children[index].span.upperBound, with: [])
      }
    }
    if !separator.isEmpty, first > 0 {
      edits.replace(children[0].span.lowerBound..<children[first].span.lowerBound, with: [])
    }
    let isArray = node.value.array != nil
    for (after, key, value) in added {
      let neighbour = children[after ?? first].span
      let gap = Array(text[edits.gap(before: neighbour.lowerBound)])
      let member = Array(
        Self.member(key, value, indent: indent(at: neighbour)).utf8)
      let next = kept.first { $0 > after ?? -1 }
      if separator.isEmpty, let after, let place = kept.last(where: { $0 <= after }) {
        edits.insert(gap + member, at: children[place].span.upperBound)
      } else if let next {
        edits.insert(
          member + Array(separator.utf8) + gap, at: children[next].span.lowerBound)
      } else if isArray {
        edits.insert(Array(separator.utf8) + gap + member, at: children[last].span.upperBound)
      } else {
        // Before the last member, because otherwise its line would get a separator.
        edits.insert(member + Array(separator.utf8) + gap, at: children[last].span.lowerBound)
      }
    }
  }

  /// The indentation of the line of a value; nil if the file is one line.
  private func indent(at range: Range<Int>) -> String? {
    guard text.dropLast().contains(0x0A) else { return nil }
    let line = text[..<range.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let indent = text[line...].prefix { $0 == 0x20 || $0 == 0x09 }
    return String(decoding: indent, as: UTF8.self)
  }
}

/// Reads bytes of a text for a syntax.
struct TextScanner {
  let bytes: [UInt8]
  let limits: Limits
  var position = 0
  private var values = 0

  init(_ bytes: [UInt8], limits: Limits) throws {
    try limits.checkText(bytes.count, "bytes of text")
    self.bytes = bytes
    self.limits = limits
    // A byte order mark is no part of the text.
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  func peek(_ offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  func starts(with word: String) -> Bool { bytes[position...].starts(with: word.utf8) }

  mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Counts a value against the limits.
  mutating func count(depth: Int) throws {
    values += 1
    try limits.check(depth, \.nesting, "nested values", at: .offset(position))
    try limits.check(values, \.objects, "values", at: .offset(position))
    if values % WorkBudget.valuesOfPayment == 0 {
      try WorkBudget.spend(onValues: 4, memory: 112, at: .offset(position))
    }
  }

  /// The bytes up to the first that does not fit.
  mutating func take(while condition: (UInt8) -> Bool) -> Range<Int> {
    let start = position
    while let byte = next, condition(byte) { position += 1 }
    return start..<position
  }

  /// A text of the file.
  /// - Throws: ``ParticlesCore/Rule/limit`` if it is too long for a name, a number or any other value.
  func string(_ range: Range<Int>) throws(Diagnostic) -> String {
    try string(bytes[range], at: range.lowerBound)
  }

  /// The text of bytes that were read at a place.
  func string(_ text: some Collection<UInt8>, at start: Int) throws(Diagnostic) -> String {
    try limits.checkScalar(text, at: .offset(start))
    return String(decoding: text, as: UTF8.self)
  }

  /// A word without quotes: a key or a number.
  func word(_ range: Range<Int>) throws(Diagnostic) -> String {
    try limits.checkWord(range.count, at: .offset(range.lowerBound))
    return String(decoding: bytes[range], as: UTF8.self)
  }

  func failure(_ expected: String) -> Diagnostic {
    let found =
      next.map {
        (0x20..<0x7F).contains($0)
          ? "'\(Character(Unicode.Scalar($0)))'" : "byte \([$0].hexDigits)"
      } ?? "the end of the text"
    return Diagnostic(.emitterSyntax, at: .offset(position), expected: expected, found: found)
  }

  static func isName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || isDigit(byte)
      || byte == UInt8(ascii: "_")
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// A number as JSON writes it; nil for a text that is none, or not finite.
  static func number(_ text: String) -> JSONValue? {
    if let value = try? JSONParser.parse(Array(text.utf8)), value.double != nil { return value }
    guard let number = Double(text), number.isFinite else { return nil }
    return .double(number)
  }
}
