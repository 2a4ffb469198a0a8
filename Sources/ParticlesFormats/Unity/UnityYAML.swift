internal import ParticlesCore
internal import ParticlesPropertyLists

/// The part of YAML that Unity writes: maps and lists by indentation, `{…}` and `[…]` in one value, and plain or quoted texts that
/// may continue on further lines. Every number is a text.
///
/// Anchors, aliases and tags have no meaning: Unity writes none inside of an object.
struct UnityYAML {
  private let bytes: [UInt8]
  private let end: Int
  private let limits: Limits
  private let keepsPlaces: Bool
  /// The first byte of the current line after its indentation.
  private var position: Int
  /// The byte after the last value.
  private var valueEnd: Int
  private var indent = 0
  private var nodes = 0

  /// - Parameters:
  ///   - range: the bytes of the value, from the beginning of a line.
  ///   - keepsPlaces: whether the ranges of members are wanted, for changes.
  init(_ bytes: [UInt8], _ range: Range<Int>, limits: Limits, keepsPlaces: Bool = false) {
    self.bytes = bytes
    self.limits = limits
    self.keepsPlaces = keepsPlaces
    (position, end, valueEnd) = (range.lowerBound, range.upperBound, range.lowerBound)
  }

  /// The whole value.
  /// - Throws: ``ParticlesCore/Rule/limit`` for a value that is nested too deeply or has too many members.
  mutating func value() throws(Diagnostic) -> JSONValue { try node().value }

  /// The whole value with its place. Values in braces or brackets have no children. The range of a member begins after its colon,
  /// the range of an element after its dash.
  /// - Throws: as ``value()``.
  mutating func node() throws(Diagnostic) -> TextNode {
    settle()
    let start = position
    return position < end
      ? try block(from: start, depth: 0)
      : TextNode(range: start..<start, value: .object(JSONObject()))
  }

  // MARK: Lines

  /// Skips line ends and empty lines, and counts the indentation of the line.
  private mutating func settle() {
    while position < end {
      var next = position
      while next < end, bytes[next] == UInt8(ascii: " ") { next += 1 }
      guard next < end, isEnd(next) else {
        (indent, position) = (next - position, next)
        return
      }
      position = next + 1
    }
  }

  private func isEnd(_ place: Int) -> Bool { bytes[place] == 0x0A || bytes[place] == 0x0D }

  /// Ends the line. The rest of the line has no meaning.
  private mutating func endLine() {
    while position < end, !isEnd(position) { position += 1 }
    settle()
  }

  private func byte(_ place: Int) -> UInt8? { place < end ? bytes[place] : nil }

  /// Whether the line is an element of a list.
  private var isElement: Bool {
    guard byte(position) == UInt8(ascii: "-") else { return false }
    guard let next = byte(position + 1) else { return true }
    return next == UInt8(ascii: " ") || next == 0x0A || next == 0x0D
  }

  /// The end of the key at the start of the line, or nil. A colon ends a key before a space or at the end of the line.
  private func keyEnd() -> Int? {
    var place = position
    if let quote = byte(place), quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
      place += 1
      while let next = byte(place), next != quote, !isEnd(place) { place += 1 }
    }
    while let next = byte(place), !isEnd(place) {
      if next == UInt8(ascii: ":") {
        guard let after = byte(place + 1), after != UInt8(ascii: " "), !isEnd(place + 1) else {
          return place
        }
      }
      place += 1
    }
    return nil
  }

  private mutating func count(_ depth: Int) throws(Diagnostic) {
    nodes += 1
    guard depth <= limits.nesting else {
      throw Diagnostic(
        .limit, "values in an asset of Unity", expected: "at most \(limits.nesting) levels")
    }
    guard nodes <= limits.objects else {
      throw Diagnostic(.limit, "values in an asset of Unity", expected: "at most \(limits.objects)")
    }
  }

  // MARK: Blocks

  /// The map or the list that begins with this line, or its text.
  /// - Parameter start: where its range begins.
  private mutating func block(from start: Int, depth: Int) throws(Diagnostic) -> TextNode {
    try count(depth)
    if isElement { return try list(from: start, depth) }
    if keyEnd() != nil { return try map(from: start, depth) }
    let value = try scalar(deeperThan: indent - 1, depth)
    return TextNode(range: start..<valueEnd, value: value)
  }

  private mutating func list(from start: Int, _ depth: Int) throws(Diagnostic) -> TextNode {
    let level = indent
    var elements: [JSONValue] = []
    var children: [TextNode.Child] = []
    while position < end, indent == level, isElement {
      try count(depth)
      let dash = position
      position += 1
      valueEnd = position
      while byte(position) == UInt8(ascii: " ") {
        position += 1
        indent += 1
      }
      indent += 1
      var node = TextNode(range: dash + 1..<dash + 1, value: "")
      if position == end || isEnd(position) {
        endLine()
        if indent > level, position < end { node = try block(from: dash + 1, depth: depth + 1) }
      } else if begins(with: "{[\"'") {
        let value = try scalar(deeperThan: level, depth + 1)
        node = TextNode(range: dash + 1..<valueEnd, value: value)
      } else {
        node = try block(from: dash + 1, depth: depth + 1)
      }
      elements.append(node.value)
      if keepsPlaces { children.append(.init(key: nil, span: dash..<valueEnd, node: node)) }
    }
    return TextNode(range: start..<valueEnd, value: .array(elements), children: children)
  }

  private func begins(with characters: String) -> Bool {
    byte(position).map { characters.utf8.contains($0) } ?? false
  }

  private mutating func map(from start: Int, _ depth: Int) throws(Diagnostic) -> TextNode {
    let level = indent
    var members: [JSONObject.Member] = []
    var children: [TextNode.Child] = []
    var known: Set<String> = []
    while position < end, indent == level, !isElement, let colon = keyEnd() {
      try count(depth)
      let place = position
      var key = String(decoding: bytes[position..<colon], as: UTF8.self)
      if let quote = key.first, quote == "'" || quote == "\"" {
        key = String(key.dropFirst().dropLast())
      }
      position = colon + 1
      valueEnd = position
      while byte(position) == UInt8(ascii: " ") { position += 1 }
      var node = TextNode(range: colon + 1..<colon + 1, value: "")
      if position == end || isEnd(position) {
        endLine()
        let isBelow = position < end && (indent > level || indent == level && isElement)
        if isBelow { node = try block(from: colon + 1, depth: depth + 1) }
      } else {
        let value = try scalar(deeperThan: level, depth + 1)
        node = TextNode(range: colon + 1..<valueEnd, value: value)
      }
      guard known.insert(key).inserted else { continue }
      members.append(.init(key: key, value: node.value))
      if keepsPlaces { children.append(.init(key: key, span: place..<valueEnd, node: node)) }
    }
    // A line that fits nowhere ends the map. Passing over it keeps the lines after it.
    if position < end, indent > level { endLine() }
    return TextNode(
      range: start..<valueEnd, value: .object(JSONObject(members: members)), children: children)
  }

  // MARK: Texts and values in a line

  /// The rest of the line as a value. It continues on lines that are indented more than `level`.
  private mutating func scalar(deeperThan level: Int, _ depth: Int) throws(Diagnostic) -> JSONValue
  {
    try count(depth)
    if begins(with: "{[") {
      let value = try flow(depth)
      valueEnd = min(position, end)
      endLine()
      return value
    }
    if begins(with: "\"'") {
      let text = quoted()
      valueEnd = position
      endLine()
      return .string(text)
    }
    let isBlock = begins(with: "|>")
    var lines: [String] = []
    var size = 0
    repeat {
      let start = position
      while position < end, !isEnd(position) { position += 1 }
      valueEnd = position
      while valueEnd > start, bytes[valueEnd - 1] <= 0x20 { valueEnd -= 1 }
      size += position - start
      if size <= limits.scalarBytes {
        lines.append(String(decoding: bytes[start..<position], as: UTF8.self).trimmed)
      }
      settle()
    } while position < end && indent > level
    if isBlock { lines.removeFirst() }
    return .string(lines.joined(separator: isBlock ? "\n" : " "))
  }

  /// A value in braces or brackets, or a text between them.
  private mutating func flow(_ depth: Int) throws(Diagnostic) -> JSONValue {
    try count(depth)
    skipSpace()
    switch byte(position) {
    case UInt8(ascii: "{"):
      position += 1
      var members: [JSONObject.Member] = []
      var known: Set<String> = []
      while skipSpace(), let next = byte(position), next != UInt8(ascii: "}") {
        let key = flowText(endingAt: ":,}")
        var value: JSONValue = ""
        if byte(position) == UInt8(ascii: ":") {
          position += 1
          value = try flow(depth + 1)
        }
        if known.insert(key).inserted { members.append(.init(key: key, value: value)) }
        skipSeparator()
      }
      position += 1
      return .object(JSONObject(members: members))
    case UInt8(ascii: "["):
      position += 1
      var elements: [JSONValue] = []
      while skipSpace(), let next = byte(position), next != UInt8(ascii: "]") {
        elements.append(try flow(depth + 1))
        skipSeparator()
      }
      position += 1
      return .array(elements)
    default: return .string(flowText(endingAt: ",}]"))
    }
  }

  /// Skips white space and ends of lines.
  @discardableResult
  private mutating func skipSpace() -> Bool {
    while position < end, bytes[position] <= 0x20 { position += 1 }
    return position < end
  }

  /// Skips a comma. A character that fits nowhere is passed over, so that every pass of a loop advances.
  private mutating func skipSeparator() {
    skipSpace()
    guard let next = byte(position), next != UInt8(ascii: "}"), next != UInt8(ascii: "]") else {
      return
    }
    position += 1
  }

  private mutating func flowText(endingAt ends: String) -> String {
    skipSpace()
    if begins(with: "\"'") { return quoted() }
    let start = position
    while let next = byte(position), !ends.utf8.contains(next) { position += 1 }
    let text = String(
      decoding: bytes[start..<min(position, start + limits.scalarBytes)], as: UTF8.self)
    return text.trimmed
  }

  /// A text in quotes, with the escapes of double ones. An end of a line in it is a space.
  private mutating func quoted() -> String {
    let quote = bytes[position]
    position += 1
    var result: [UInt8] = []
    while let next = byte(position) {
      position += 1
      if next == quote {
        // Two single quotes are one.
        guard quote == UInt8(ascii: "'"), byte(position) == quote else { break }
        position += 1
        result.append(quote)
      } else if next == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        escape(&result)
      } else if next == 0x0A || next == 0x0D {
        while result.last == UInt8(ascii: " ") { result.removeLast() }
        skipSpace()
        result.append(UInt8(ascii: " "))
      } else if result.count < limits.scalarBytes {
        result.append(next)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func escape(_ result: inout [UInt8]) {
    guard let kind = byte(position) else { return }
    position += 1
    let digits = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8][kind]
    if let digits, position + digits <= end {
      let text = String(decoding: bytes[position..<position + digits], as: UTF8.self)
      position += digits
      let scalar = UInt32(text, radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
      return result.append(contentsOf: Array(String(Character(scalar)).utf8))
    }
    switch kind {
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "r"): result.append(0x0D)
    case 0x0A, 0x0D: skipSpace()
    default: result.append(kind)
    }
  }
}

/// The text of values as Unity writes them: maps and lists by indentation, vectors, colours and references in braces.
struct UnityText {
  /// The end of a line.
  var line = "\n"

  /// The text of the member of a map, from its key on.
  /// - Parameter column: the column of the key.
  func member(_ key: String, _ value: JSONValue, column: Int) -> String {
    "\(key):\(self.value(value, column: column, start: column + key.count + 2))"
  }

  /// The text of the element of a list, from its dash on.
  /// - Parameter column: the column of the dash.
  func element(_ value: JSONValue, column: Int) -> String {
    guard case .object(let object) = value, !Self.isFlow(object) else {
      return "-\(self.value(value, column: column, start: column + 2))"
    }
    return "- " + members(object, column: column + 2)
  }

  /// The members of a map, one on each line, without the indentation of the first.
  func members(_ object: JSONObject, column: Int) -> String {
    object.members.map { member($0.key, $0.value, column: column) }
      .joined(separator: line + spaces(column))
  }

  /// The text after the colon or the dash before a value.
  /// - Parameters:
  ///   - column: the column of the key or the dash.
  ///   - start: the column of the value, if it is on the same line.
  func value(_ value: JSONValue, column: Int, start: Int) -> String {
    switch value {
    case .object(let object) where !Self.isFlow(object):
      return line + spaces(column + 2) + members(object, column: column + 2)
    case .array(let elements) where !elements.isEmpty:
      return elements.map { line + spaces(column) + element($0, column: column) }.joined()
    default: return " " + flow(value, column: column, start: start)
    }
  }

  /// A line in braces goes on in the next line beyond so many columns.
  private static let width = 80

  /// The text of a value in braces. As Unity does, a member begins a new line if its predecessor ends too far right.
  func flow(_ value: JSONValue, column: Int, start: Int) -> String {
    switch value {
    case .object(let object):
      var (text, end) = ("{", start + 1)
      for (index, member) in object.members.enumerated() {
        if index > 0 {
          let isFull = end + 1 > Self.width
          text += isFull ? "," + line + spaces(column + 2) : ", "
          end = isFull ? column + 2 : end + 2
        }
        let part = "\(member.key): \(flow(member.value, column: column, start: end))"
        text += part
        end += part.count
      }
      return text + "}"
    case .array(let elements):
      return "[" + elements.map { flow($0, column: column, start: start) }.joined(separator: ", ")
        + "]"
    case .string(let text): return Self.scalar(text)
    case .number(let number): return number.text
    case .bool(let flag): return flag ? "1" : "0"
    case .null: return ""
    }
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// Whether Unity writes an object in braces: nothing, vectors, colours, references.
  private static func isFlow(_ object: JSONObject) -> Bool {
    let keys = object.members.map { $0.key }
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

  /// Changes a value. Members that are equal keep their text.
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
      let start = placeInLine(of: node.range.lowerBound) + 1
      let value =
        isFlow
        ? " " + text.flow(new, column: column, start: start)
        : text.value(new, column: column, start: start)
      edits.replace(node.range, with: value.utf8)
    }
  }

  private mutating func change(_ node: TextNode, _ object: JSONObject) {
    var last: TextNode.Child?
    let known = Dictionary(first: node.children.map { ($0.key ?? "", $0) })
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

  /// The column of the key before a colon: the start of the line's text, past the dashes of elements.
  private func keyColumn(at place: Int) -> Int {
    let start = place - placeInLine(of: place)
    return edits.source[start..<place].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }
      .count
  }

  /// The column of the first key or element of the line of a place.
  private func indentation(at place: Int) -> Int {
    edits.source[(place - placeInLine(of: place))...].prefix { $0 == UInt8(ascii: " ") }.count
  }

  private func placeInLine(of place: Int) -> Int {
    place - (edits.source[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)
  }
}
