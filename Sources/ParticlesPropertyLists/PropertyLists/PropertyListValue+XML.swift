internal import ParticlesCore

// Property lists as XML: `<plist>` around one value.

extension PropertyListValue {
  /// Called with the element of a key that occurs again in a dictionary. The value of the last
  /// occurrence is used.
  package typealias DuplicateKey = (XMLElement) -> Void

  /// The value that a document holds.
  /// - Parameter onDuplicate: called for duplicate keys; without it, they are errors.
  package init(xml root: XMLElement, onDuplicate: DuplicateKey? = nil) throws {
    guard root.name == "plist" else {
      throw Self.fault(root, expected: "<plist>", found: "<\(root.name.excerpt)>")
    }
    guard root.children.count == 1, root.text.isEmpty else {
      throw Self.fault(root, expected: "one value", found: "\(root.children.count)")
    }
    try self.init(root.children[0], onDuplicate)
  }

  private init(_ element: XMLElement, _ onDuplicate: DuplicateKey?) throws {
    switch element.name {
    case "dict": self = .dictionary(try Self.members(of: element, onDuplicate))
    case "array":
      self = .array(try element.children.map { try PropertyListValue($0, onDuplicate) })
    default:
      guard element.children.isEmpty else {
        throw Self.fault(element, expected: "text", found: "<\(element.children[0].name.excerpt)>")
      }
      self = try Self.scalar(element)
    }
    switch self {
    case .array, .dictionary:
      guard element.text.utf8.allSatisfy({ $0 <= 0x20 }) else {
        throw Self.fault(element, expected: "elements", found: "text")
      }
    default: break
    }
  }

  private static func scalar(_ element: XMLElement) throws -> PropertyListValue {
    let text = element.text
    switch element.name {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "string": return .string(text)
    case "date": return .date(text)
    case "integer":
      guard integer(text) != nil else {
        throw fault(element, expected: "an integer", found: "'\(text.excerpt)'")
      }
      return .integer(text)
    case "real":
      guard real(text) != nil else {
        throw fault(element, expected: "a real", found: "'\(text.excerpt)'")
      }
      return .real(text)
    case "data":
      return .data(
        try locating(element.place.map { .offset($0.offset) } ?? .unknown) {
          do {
            return try [UInt8](base64: text, rule: .plist)
          } catch var fault as Diagnostic {
            fault.location = .unknown
            throw fault
          }
        })
    default: throw fault(element, expected: "a value", found: "<\(element.name.excerpt)>")
    }
  }

  /// Parses a real: decimal, or `nan` or `infinity` in upper or lower case.
  static func real(_ text: String) -> Double? {
    let text = text.trimmed
    if let number = text.double { return number }
    switch text.lowercased() {
    case "nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: return nil
    }
  }

  /// A real as Apple's writers spell it. The payload of a NaN is lost.
  static func realText(_ number: Double) -> String {
    if number.isNaN { return "nan" }
    if number.isInfinite { return number < 0 ? "-infinity" : "+infinity" }
    return "\(number)"
  }

  /// Parses an integer: decimal, or hexadecimal after `0x`.
  package static func integer(_ text: String) -> Int? {
    var digits = text.trimmed[...]
    let isNegative = digits.hasPrefix("-")
    if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
    let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    if isHex { digits.removeFirst(2) }
    guard let first = digits.first, first != "-", first != "+",
      let value = UInt64(digits, radix: isHex ? 16 : 10)
    else { return nil }
    // Unsigned integers above the signed range wrap around.
    guard isNegative else { return Int(truncatingIfNeeded: value) }
    return value <= Int.min.magnitude ? Int(truncatingIfNeeded: 0 &- value) : nil
  }

  private static func members(
    of element: XMLElement, _ onDuplicate: DuplicateKey?
  ) throws -> [Member] {
    guard element.children.count.isMultiple(of: 2) else {
      throw fault(element, expected: "a value for each key", found: "none for the last")
    }
    var members: [Member] = []
    var places: [[UInt8]: Int] = [:]
    for index in stride(from: 0, to: element.children.count, by: 2) {
      let key = element.children[index]
      guard key.name == "key", key.children.isEmpty else {
        throw fault(key, expected: "<key>", found: "<\(key.name.excerpt)>")
      }
      let value = try PropertyListValue(element.children[index + 1], onDuplicate)
      let bytes = Array(key.text.utf8)
      guard let place = places[bytes] else {
        places[bytes] = members.count
        members.append(Member(key.text, value))
        continue
      }
      guard let onDuplicate else {
        throw fault(key, expected: "each key once", found: "'\(key.text.excerpt)' again")
      }
      onDuplicate(key)
      members[place].value = value
    }
    return members
  }

  private static func fault(
    _ element: XMLElement, expected: String, found: String
  ) -> Diagnostic {
    Diagnostic(
      .plist, at: element.place.map { .offset($0.offset) } ?? .unknown,
      element.place.map { "at \($0.description)" }, expected: expected, found: found)
  }

  // MARK: Writing

  /// The value as a document, in the layout of Apple's writers.
  package var xml: [UInt8] {
    let root = XMLElement("plist", [.init("version", "1.0")], children: [element])
    let head = """
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">

      """
    return Array(root.document(head: head, indent: "\t", indentsRoot: false).utf8)
  }

  /// The value as an element of a document.
  package var element: XMLElement {
    switch self {
    case .bool(let value): XMLElement(value ? "true" : "false")
    case .integer(let text): XMLElement("integer", text: text)
    case .real(let text, _): XMLElement("real", text: text)
    case .string(let text): XMLElement("string", text: text)
    case .date(let text):
      XMLElement("date", text: text.double.flatMap(PropertyListDate.text(of:)) ?? text)
    case .data(let bytes): XMLElement("data", text: bytes.base64)
    case .array(let elements): XMLElement("array", children: elements.map(\.element))
    case .dictionary(let members):
      XMLElement(
        "dict",
        children: members.flatMap { [XMLElement("key", text: $0.key), $0.value.element] })
    }
  }
}

extension String {
  /// This text without leading and trailing white space.
  package var trimmed: String {
    // Most texts begin and end with a visible ASCII character.
    let visible = UInt8(ascii: "!")...UInt8(ascii: "~")
    if let first = utf8.first, let last = utf8.last, visible ~= first, visible ~= last {
      return self
    }
    var scalars = unicodeScalars[...]
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return String(scalars)
  }

  /// The finite decimal number in this text; nil if it is not one.
  package var double: Double? {
    guard let first = utf8.first, utf8.count < 400,
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= first || "+-.".utf8.contains(first),
      !utf8.contains(UInt8(ascii: "x")), !utf8.contains(UInt8(ascii: "X")),
      let value = Double(self), value.isFinite
    else { return nil }
    return value
  }
}
