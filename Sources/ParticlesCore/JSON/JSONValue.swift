/// A JSON value (RFC 8259) that keeps the order of keys and the text of numbers, so that unknown
/// members survive a round trip unchanged.
public enum JSONValue: Sendable, Hashable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object(JSONObject)

  /// A whole number.
  public static func int(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

  /// A finite number.
  public static func double(_ value: Double) -> JSONValue { .number(JSONNumber(value)) }

  /// The number as a double, or nil if this is not a number or is too large for a double.
  public var double: Double? {
    guard case .number(let number) = self else { return nil }
    return number.double
  }

  /// The number as an integer, or nil if this is not a number or not an integer.
  public var int: Int? {
    guard case .number(let number) = self else { return nil }
    // Digits are parsed directly, because a double is inexact above 2^53.
    return Int(number.text) ?? number.double.flatMap { Int(exactly: $0) }
  }

  /// The string, or nil if this is not a string.
  public var string: String? {
    guard case .string(let string) = self else { return nil }
    return string
  }

  /// The boolean, or nil if this is not a boolean.
  public var bool: Bool? {
    guard case .bool(let bool) = self else { return nil }
    return bool
  }

  /// The elements, or nil if this is not an array.
  public var array: [JSONValue]? {
    guard case .array(let array) = self else { return nil }
    return array
  }

  /// The members, or nil if this is not an object.
  public var object: JSONObject? {
    guard case .object(let object) = self else { return nil }
    return object
  }

  /// The name of the kind in messages, such as "a number" or "an object".
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
  /// An object with these members, in this order. Keys must differ.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(members: elements.map { .init(key: $0.0, value: $0.1) }))
  }

  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
}

/// The members of a JSON object, in order. Keys are unique.
public struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// A key and its value.
  public struct Member: Sendable, Hashable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members, in order.
  public private(set) var members: [Member]

  /// An object with these members, in this order. Keys must differ.
  package init(members: [Member]) { self.members = members }

  /// An object without members.
  public init() { members = [] }

  /// An object with these members, in this order. Keys must differ.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { Member(key: $0.0, value: $0.1) }
  }

  /// The value of a key. A new key is appended, and nil removes the key.
  public subscript(key: String) -> JSONValue? {
    get { index(of: key).map { members[$0].value } }
    set {
      let index = index(of: key)
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Keys are compared by their bytes, not by canonical equivalence.
  private func index(of key: String) -> Int? {
    members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
  }

  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }
}

/// A JSON number, stored as text.
public struct JSONNumber: Sendable, Hashable {
  /// The number as written, in the grammar of RFC 8259.
  public let text: String

  init(text: String) { self.text = text }

  /// Creates an integer.
  public init(_ value: Int) { text = String(value) }

  /// Creates an integer of 64 bits, such as a seed.
  public init(_ value: UInt64) { text = String(value) }

  /// A whole number, also where `Int` has 32 bits.
  package init(_ value: Int64) { text = String(value) }

  /// Creates a number with the shortest text that reads back as `value`, in the form of RFC 8785
  /// (ECMAScript): without exponent from 1e-6 up to 1e21. Negative zero becomes zero.
  /// - Precondition: the value is finite.
  public init(_ value: Double) {
    precondition(value.isFinite, "JSON has no number for \(value)")
    if let integer = Int64(exactly: value), integer.magnitude < 1 << 53 {
      text = String(integer)
    } else {
      text = Self.text(of: value)
    }
  }

  /// The value, or nil if it is too large for a double.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// Swift prints the shortest digits too, but with other rules for point and exponent.
  private static func text(of value: Double) -> String {
    let description = value.description
    let (zero, dot) = (UInt8(ascii: "0"), UInt8(ascii: "."))
    // Digits before and after the point, and the exponent after an e. The first digits that are kept are not 0.
    var digits: [UInt8] = []
    var (point, exponent, isNegative) = (0, 0, false)
    var (isFraction, isExponent) = (false, false)
    for byte in description.utf8 {
      switch byte {
      case UInt8(ascii: "-"): isNegative = isExponent
      case UInt8(ascii: "e"): isExponent = true
      case dot: isFraction = true
      case zero...UInt8(ascii: "9"):
        if isExponent {
          exponent = exponent * 10 + Int(byte - zero)
        } else if byte == zero, digits.isEmpty {
          point -= isFraction ? 1 : 0
        } else {
          digits.append(byte)
          point += isFraction ? 0 : 1
        }
      default: break
      }
    }
    // For most numbers, this text equals the description.
    let isWhole = digits.count <= point || digits[max(0, point)...].allSatisfy { $0 == zero }
    if !isExponent, !isWhole, (1e-4..<1e15).contains(value.magnitude) { return description }
    point += isNegative ? -exponent : exponent
    while digits.last == zero { digits.removeLast() }
    if digits.isEmpty { (digits, point) = ([zero], 1) }
    let text = (value < 0 ? [UInt8(ascii: "-")] : []) + place(point, in: digits)
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes 0.`digits` × 10^`point`.
  private static func place(_ point: Int, in digits: [UInt8]) -> [UInt8] {
    let (zero, dot) = (UInt8(ascii: "0"), UInt8(ascii: "."))
    var text = digits
    switch point {
    case digits.count...21:
      text += [UInt8](repeating: zero, count: point - digits.count)
    case 1..<max(digits.count, 1): text.insert(dot, at: point)
    case -5...0: text = [zero, dot] + [UInt8](repeating: zero, count: -point) + digits
    default:
      if text.count > 1 { text.insert(dot, at: 1) }
      text += (point > 0 ? "e+" : "e").utf8
      text += String(point - 1).utf8
    }
    return text
  }
}

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

  /// Returns the value in the layout of ``text``, for a line with the indentation `indent`, without
  /// a line feed at the end.
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

  /// Returns the escape of a character in UTF-8, or nil if the character needs none.
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
