extension JSONValue {
  /// The value as text in the canonical layout, with a line feed at the end: two spaces of
  /// indentation and a line for each member of an object. Objects of at most two scalar members, and
  /// arrays without objects, are on one line. Equal values give equal text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes of ``text``, in UTF-8.
  package var bytes: [UInt8] {
    var writer = JSONWriter(margin: "")
    writer.write(self, level: 0)
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// Returns the value in the same layout, for a line with the indentation `indent`, without line
  /// feed at the end.
  package func text(indent: String) -> String {
    var writer = JSONWriter(margin: indent)
    writer.write(self, level: 0)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// This value on one line, with spaces after commas and colons.
  package var line: String { oneLine(comma: ", ", colon: ": ") }

  /// This value without white space.
  package var denseText: String { oneLine(comma: ",", colon: ":") }

  private func oneLine(comma: String, colon: String) -> String {
    switch self {
    case .array(let elements):
      let items = elements.map { $0.oneLine(comma: comma, colon: colon) }
      return "[" + items.joined(separator: comma) + "]"
    case .object(let object):
      let items = object.members.map { member in
        JSONValue.string(member.key).text(indent: "") + colon
          + member.value.oneLine(comma: comma, colon: colon)
      }
      return "{" + items.joined(separator: comma) + "}"
    default: return text(indent: "")
    }
  }

  var holdsObject: Bool {
    switch self {
    case .object: true
    case .array(let elements): elements.contains(where: { $0.holdsObject })
    default: false
    }
  }

  var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }
}

/// Writes values in the canonical layout.
private struct JSONWriter {
  /// The indentation of the first line.
  let margin: String

  private(set) var bytes: [UInt8] = []

  init(margin: String) { self.margin = margin }

  mutating func write(_ value: JSONValue, level: Int) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .number(let number): bytes += number.text.utf8
    case .string(let string): writeQuoted(string)
    case .array(let elements): write(elements, level: level)
    case .object(let object): write(object.members, level: level)
    }
  }

  private mutating func write(_ elements: [JSONValue], level: Int) {
    let lines = elements.contains(where: { $0.holdsObject })
    append("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { append(lines ? "," : ", ") }
      if lines { startLine(level: level + 1) }
      write(element, level: lines ? level + 1 : level)
    }
    if lines { startLine(level: level) }
    append("]")
  }

  private mutating func write(_ members: [JSONObject.Member], level: Int) {
    let lines = members.count > 2 || !members.allSatisfy { $0.value.isScalar }
    append("{")
    for (index, member) in members.enumerated() {
      if index > 0 { append(lines ? "," : ", ") }
      if lines { startLine(level: level + 1) }
      writeQuoted(member.key)
      append(": ")
      write(member.value, level: level + 1)
    }
    if lines { startLine(level: level) }
    append("}")
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes += $0 }
  }

  private mutating func startLine(level: Int) {
    append("\n")
    bytes += margin.utf8
    for _ in 0..<level { append("  ") }
  }

  private mutating func writeQuoted(_ string: String) {
    append("\"")
    var string = string
    string.withUTF8 { text in
      // The beginning of the bytes that are written as they are.
      var (start, index) = (0, 0)
      while index < text.count {
        if Self.isPlain(text[index]) {
          index += 1
          continue
        }
        let length = text[index] < 0x80 ? 1 : text[index] < 0xE0 ? 2 : text[index] < 0xF0 ? 3 : 4
        if let escape = Self.escape(of: text[index..<index + length]) {
          bytes += text[start..<index]
          bytes += escape.utf8
          start = index + length
        }
        index += length
      }
      bytes += text[start...]
    }
    append("\"")
  }

  /// Whether a byte is a character that is written as it is: most are.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Returns the escape of a character in UTF-8; nil for one that is written as it is.
  private static func escape(of character: UnsafeBufferPointer<UInt8>.SubSequence) -> String? {
    let first = character[character.startIndex]
    switch first {
    case UInt8(ascii: "\""): return "\\\""
    case UInt8(ascii: "\\"): return "\\\\"
    case UInt8(ascii: "\n"): return "\\n"
    case UInt8(ascii: "\r"): return "\\r"
    case UInt8(ascii: "\t"): return "\\t"
    case 0x8: return "\\b"
    case 0xC: return "\\f"
    // No control character has four bytes.
    case 0xF0...: return nil
    default:
      let head = UInt32(first) & (character.count == 1 ? 0x7F : character.count == 2 ? 0x1F : 0xF)
      let value = character.dropFirst().reduce(head) { $0 << 6 | UInt32($1) & 0x3F }
      guard let scalar = Unicode.Scalar(value), scalar.isControl else { return nil }
      return "\\u" + scalar.fourDigits
    }
  }
}
