internal import ParticlesCore
internal import ParticlesPropertyLists

/// The text of values as Unity writes them: maps and lists by indentation, vectors, colours and references in braces.
struct UnityText {
  /// The end of a line.
  var line = "\n"

  /// The text of the member of a map, from its key on.
  /// - Parameter column: the column of the key.
  func member(_ key: String, _ value: JSONValue, column: Int) -> String {
    "\(key):\(self.value(value, column: column))"
  }

  /// The text of the element of a list, from its dash on.
  /// - Parameter column: the column of the dash.
  func element(_ value: JSONValue, column: Int) -> String {
    guard case .object(let object) = value, !Self.isFlow(object) else {
      return "-\(self.value(value, column: column))"
    }
    return "- " + members(object, column: column + 2)
  }

  /// The members of a map, one on each line, without the indentation of the first.
  func members(_ object: JSONObject, column: Int) -> String {
    object.members.map { member($0.key, $0.value, column: column) }
      .joined(separator: line + spaces(column))
  }

  /// The text after the colon or the dash before a value.
  func value(_ value: JSONValue, column: Int) -> String {
    switch value {
    case .object(let object) where !Self.isFlow(object):
      return line + spaces(column + 2) + members(object, column: column + 2)
    case .array(let elements) where !elements.isEmpty:
      return elements.map { line + spaces(column) + element($0, column: column) }.joined()
    default: return " " + flow(value)
    }
  }

  /// The text of a value on one line.
  func flow(_ value: JSONValue) -> String {
    switch value {
    case .object(let object):
      "{" + object.members.map { "\($0.key): \(flow($0.value))" }.joined(separator: ", ") + "}"
    case .array(let elements): "[" + elements.map(flow).joined(separator: ", ") + "]"
    case .string(let text): Self.scalar(text)
    case .number(let number): number.text
    case .bool(let flag): flag ? "1" : "0"
    case .null: ""
    }
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// Whether Unity writes an object in braces: nothing, vectors, colours, references.
  private static func isFlow(_ object: JSONObject) -> Bool {
    let keys = object.members.map(\.key)
    return keys.first == "fileID" || keys.isEmpty || keys.allSatisfy(["x", "y", "z", "w"].contains)
      || keys == ["r", "g", "b", "a"]
  }

  private static let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off"]

  /// A text without quotes where it means itself, otherwise in double ones.
  private static func scalar(_ text: String) -> String {
    if text.isEmpty || text.double != nil { return text }
    let isPlain =
      text.utf8.allSatisfy { TextScanner.isName($0) || " ._/()+-[]".utf8.contains($0) }
      && TextScanner.isName(text.utf8.first ?? 0) && text.utf8.last != UInt8(ascii: " ")
    if isPlain, !words.contains(text.lowercased()) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: result += "\\" + String(Character(scalar))
      case 0x0A: result += "\\n"
      case 0x20...0x7E: result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let isLong = scalar.value > 0xFFFF
        let count = isLong ? 8 : 4
        result +=
          (isLong ? "\\U" : "\\u") + String(repeating: "0", count: count - digits.count) + digits
      }
    }
    return "\"\(result)\""
  }
}

/// Changes values of objects of a file. Everything else stays as it is, byte for byte.
struct UnityEditor {
  private var edits: TextEdits
  private let text: UnityText

  init(_ bytes: [UInt8]) {
    edits = TextEdits(bytes)
    text = UnityText(line: bytes.contains(0x0D) ? "\r\n" : "\n")
  }

  var bytes: [UInt8] { edits.bytes }

  /// Gives a value another one. Members that are equal keep their text.
  mutating func change(_ node: TextNode, to new: JSONValue) {
    guard node.value != new else { return }
    switch (node.value, new) {
    case (.object, .object(let object)) where !object.isEmpty && !node.children.isEmpty:
      change(node, object)
    case (.array(let old), .array(let elements)) where !elements.isEmpty && !node.children.isEmpty:
      change(node, TreeMerge.alignment(old, elements), elements)
    default:
      let source = edits.source[node.range].drop { $0 == UInt8(ascii: " ") }
      let isFlow = source.first == UInt8(ascii: "{") && new.object != nil
      let column = keyColumn(at: node.range.lowerBound)
      edits.replace(
        node.range, with: (isFlow ? " " + text.flow(new) : text.value(new, column: column)).utf8)
    }
  }

  private mutating func change(_ node: TextNode, _ object: JSONObject) {
    var last: TextNode.Child?
    let known = Dictionary(
      node.children.map { ($0.key ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    let column = column(of: node.children[0])
    for member in object.members {
      if let child = known[member.key] {
        change(child.node, to: member.value)
        last = child
      } else {
        let text = text.member(member.key, member.value, column: column)
        insert(text, after: last, before: node.children[0], column: column)
      }
    }
    for child in node.children where object[child.key ?? ""] == nil { remove(child, of: node) }
  }

  private mutating func change(_ node: TextNode, _ pairs: [Int: Int], _ elements: [JSONValue]) {
    var last: TextNode.Child?
    let column = column(of: node.children[0])
    for (place, element) in elements.enumerated() {
      if let index = pairs[place] {
        change(node.children[index].node, to: element)
        last = node.children[index]
      } else {
        let text = text.element(element, column: column)
        insert(text, after: last, before: node.children[0], column: column)
      }
    }
    let kept = Set(pairs.values)
    for (index, child) in node.children.enumerated() where !kept.contains(index) {
      remove(child, of: node)
    }
  }

  private mutating func insert(
    _ new: String, after last: TextNode.Child?, before first: TextNode.Child, column: Int
  ) {
    let gap = text.line + String(repeating: " ", count: column)
    if let last {
      edits.insert((gap + new).utf8, at: last.span.upperBound)
    } else {
      edits.insert((new + gap).utf8, at: first.span.lowerBound)
    }
  }

  /// Removes the lines of a member. The first member of an element shares its line with a dash, so that the second one moves there.
  private mutating func remove(_ child: TextNode.Child, of node: TextNode) {
    let source = edits.source
    if let first = node.children.first, first.span == child.span,
      indentation(at: child.span.lowerBound) != column(of: child), node.children.count > 1
    {
      return edits.replace(child.span.lowerBound..<node.children[1].span.lowerBound, with: [])
    }
    let start = source[..<child.span.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = source[child.span.upperBound...].firstIndex(of: 0x0A).map { $0 + 1 } ?? source.count
    edits.replace(start..<end, with: [])
  }

  private func column(of child: TextNode.Child) -> Int {
    let source = edits.source
    let start = source[..<child.span.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return child.span.lowerBound - start
  }

  /// The column of the key before a colon: that of the line, past the dashes of elements.
  private func keyColumn(at place: Int) -> Int {
    let source = edits.source
    let start = source[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return source[start..<place].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }.count
  }

  /// The column of the first key or element of the line of a place.
  private func indentation(at place: Int) -> Int {
    let source = edits.source
    let start = source[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return source[start...].prefix { $0 == UInt8(ascii: " ") }.count
  }
}
