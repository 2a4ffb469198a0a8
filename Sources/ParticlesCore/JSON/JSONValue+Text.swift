extension JSONValue {
  /// The value as text in the canonical layout, with a line feed at the end: two spaces of
  /// indentation and a line for each member of an object. Objects of at most two scalar members, and
  /// arrays without objects, are on one line. Equal values give equal text.
  public var text: String {
    var text = ""
    write(to: &text, indent: "")
    return text + "\n"
  }

  /// Returns the value in the same layout, for a line with the indentation `indent`, without line
  /// feed at the end.
  package func text(indent: String) -> String {
    var text = ""
    write(to: &text, indent: indent)
    return text
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

  private func write(to text: inout String, indent: String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let number): text += number.text
    case .string(let string): string.writeQuoted(to: &text)
    case .array(let elements): Self.write(elements, to: &text, indent: indent)
    case .object(let object): object.write(to: &text, indent: indent)
    }
  }

  private var holdsObject: Bool {
    switch self {
    case .object: true
    case .array(let elements): elements.contains(where: \.holdsObject)
    default: false
    }
  }

  fileprivate var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private static func write(_ elements: [JSONValue], to text: inout String, indent: String) {
    let inner = indent + "  "
    let lines = elements.contains(where: \.holdsObject)
    text += "["
    for (index, element) in elements.enumerated() {
      if index > 0 { text += lines ? "," : ", " }
      if lines { text += "\n" + inner }
      element.write(to: &text, indent: lines ? inner : indent)
    }
    text += lines ? "\n" + indent + "]" : "]"
  }

  fileprivate static func write(
    _ members: [JSONObject.Member], to text: inout String, indent: String
  ) {
    let inner = indent + "  "
    let lines = members.count > 2 || !members.allSatisfy(\.value.isScalar)
    text += "{"
    for (index, member) in members.enumerated() {
      if index > 0 { text += lines ? "," : ", " }
      if lines { text += "\n" + inner }
      member.key.writeQuoted(to: &text)
      text += ": "
      member.value.write(to: &text, indent: inner)
    }
    text += lines ? "\n" + indent + "}" : "}"
  }
}

extension JSONObject {
  fileprivate func write(to text: inout String, indent: String) {
    JSONValue.write(members, to: &text, indent: indent)
  }
}

extension String {
  fileprivate func writeQuoted(to text: inout String) {
    text += "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
