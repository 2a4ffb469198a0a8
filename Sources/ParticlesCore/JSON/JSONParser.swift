/// Parses JSON (RFC 8259) under limits on nesting, number of values and size. Keys must be unique,
/// text must be UTF-8 without lone surrogates, and nothing may follow the value.
package struct JSONParser {
  private let bytes: [UInt8]
  private let limits: Limits
  private var position = 0
  private var values = 0

  /// A member of an object whose key occurs again behind it.
  package struct Superseded: Sendable, Hashable {
    package let key: String
    /// From the key to the end of the value.
    package let range: Range<Int>
  }

  /// The superseded members so far, or nil if keys must be unique.
  private var superseded: [Superseded]?

  private init(_ bytes: [UInt8], _ limits: Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// Parses a whole document, see ``JSONValue/init(parsing:limits:)``.
  package static func parse(_ bytes: [UInt8], limits: Limits = .standard) throws(Diagnostic)
    -> JSONValue
  {
    try limits.checkText(bytes.count, "bytes of JSON")
    var parser = JSONParser(bytes, limits)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.failure("the end of the text") }
    return value
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func failure(_ expected: String, at place: Int? = nil) -> Diagnostic {
    let found =
      next.map { $0 < 0x80 ? "'\(Character(Unicode.Scalar($0)))'" : "byte \($0.hex)" }
      ?? "the end of the text"
    return Diagnostic(.json, at: .offset(place ?? position), expected: expected, found: found)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(Diagnostic) {
    skipSpace()
    guard next == UInt8(ascii: character) else { throw failure("'\(character)'") }
    position += 1
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(Diagnostic) -> JSONValue {
    try limits.check(depth, { $0.nesting }, "levels of JSON", at: .offset(position))
    values += 1
    try limits.check(values, { $0.objects }, "values in JSON", at: .offset(position))
    if values % WorkBudget.valuesOfPayment == 0 {
      try WorkBudget.spend(onValues: 8, memory: 48, at: .offset(position))
    }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      return .number(try number())
    default: throw failure("a value")
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(Diagnostic) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw failure(word) }
    position += word.utf8.count
    return value
  }

  private mutating func array(depth: Int) throws(Diagnostic) -> [JSONValue] {
    try expect("[")
    var elements: [JSONValue] = []
    if accept("]") { return elements }
    repeat { elements.append(try value(depth: depth + 1)) } while accept(",")
    guard accept("]") else { throw failure("',' or ']'") }
    return elements
  }

  private mutating func object(depth: Int) throws(Diagnostic) -> JSONObject {
    try expect("{")
    var members: [JSONObject.Member] = []
    // Keys are compared by bytes, because canonically equivalent strings are different keys. A key with a new hash is
    // new. Any other key is searched for.
    var hashes: Set<Int> = []
    var ranges: [[UInt8]: Range<Int>] = [:]
    if accept("}") { return JSONObject() }
    repeat {
      skipSpace()
      let start = position
      guard next == UInt8(ascii: "\"") else { throw failure("a key in quotes") }
      let key = try string()
      try limits.checkWord(key.utf8.count, at: .offset(start))
      if superseded != nil {
        try expect(":")
        let value = try self.value(depth: depth + 1)
        if let earlier = ranges.updateValue(start..<position, forKey: Array(key.utf8)) {
          superseded?.append(Superseded(key: key, range: earlier))
        }
        members.append(.init(key: key, value: value))
        continue
      }
      let isNew =
        hashes.insert(key.hashOfBytes).inserted
        || !members.contains { $0.key.utf8.elementsEqual(key.utf8) }
      guard isNew else {
        throw Diagnostic(.json, at: .offset(start), "the key '\(key)' \(Self.again)")
      }
      try expect(":")
      members.append(.init(key: key, value: try value(depth: depth + 1)))
    } while accept(",")
    guard accept("}") else { throw failure("',' or '}'") }
    return JSONObject(members: members)
  }

  private mutating func number() throws(Diagnostic) -> JSONNumber {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if next == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    try limits.checkWord(position - start, at: .offset(start))
    return JSONNumber(text: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private mutating func digits() throws(Diagnostic) {
    let start = position
    while let byte = next, Self.isDigit(byte) { position += 1 }
    guard position > start else { throw failure("a digit") }
  }

  private mutating func string() throws(Diagnostic) -> String {
    let start = position
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        try limits.checkScalar(text, at: .offset(start))
        guard let string = String(validating: text, as: UTF8.self) else {
          throw Diagnostic(.json, at: .offset(start), "a string is not valid UTF-8")
        }
        return string
      case UInt8(ascii: "\\"):
        position += 1
        try escape(into: &text)
      case 0..<0x20: throw failure("no control character inside a string")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw Diagnostic(.json, at: .offset(start), "a string does not end")
  }

  private mutating func escape(into text: inout [UInt8]) throws(Diagnostic) {
    guard let byte = next else { throw failure("an escape") }
    let plain: UInt8? =
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
      case UInt8(ascii: "b"): 0x08
      case UInt8(ascii: "f"): 0x0C
      case UInt8(ascii: "n"): 0x0A
      case UInt8(ascii: "r"): 0x0D
      case UInt8(ascii: "t"): 0x09
      default: nil
      }
    if let plain {
      position += 1
      text.append(plain)
      return
    }
    let start = position - 1
    var units = [try codeUnit()]
    if UTF16.isLeadSurrogate(units[0]) {
      guard next == UInt8(ascii: "\\") else {
        throw failure("the second half of a surrogate pair", at: start)
      }
      position += 1
      units.append(try codeUnit())
    }
    guard let string = String(validating: units, as: UTF16.self) else {
      throw Diagnostic(.json, at: .offset(start), "half a surrogate pair in a string")
    }
    text += string.utf8
  }

  /// `uXXXX`
  private mutating func codeUnit() throws(Diagnostic) -> UInt16 {
    guard next == UInt8(ascii: "u") else { throw failure("an escape") }
    guard position + 5 <= bytes.count else { throw failure("four hexadecimal digits after \\u") }
    var unit: UInt16 = 0
    for byte in bytes[(position + 1)..<(position + 5)] {
      guard let digit = byte.hexDigitValue else {
        throw failure("four hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt16(digit)
    }
    position += 5
    return unit
  }
}

extension JSONParser {
  private static let again = "occurs twice in an object"

  /// Whether a fault reports a key that occurs again in its object.
  package static func isOfRepeatedKey(_ fault: Diagnostic) -> Bool {
    fault.rule == .json && fault.detail?.hasSuffix(again) == true
  }

  /// Finds the members that JavaScript does not use, because their key occurs again later in the object.
  /// - Returns: the members, and the text with spaces in their place: a document with unique keys, whose values are where
  ///   they were.
  package static func withoutRepeatedKeys(_ bytes: [UInt8], limits: Limits) throws(Diagnostic)
    -> (text: [UInt8], superseded: [Superseded])
  {
    try limits.checkText(bytes.count, "bytes of JSON")
    var parser = JSONParser(bytes, limits)
    parser.superseded = []
    _ = try parser.value(depth: 0)
    let superseded = parser.superseded ?? []
    var text = bytes
    for member in superseded {
      // A comma follows, because another member does.
      let rest = bytes[member.range.upperBound...]
      let end = rest.firstIndex(of: UInt8(ascii: ",")).map { $0 + 1 } ?? member.range.upperBound
      for place in member.range.lowerBound..<end where text[place] != 0x0A && text[place] != 0x0D {
        text[place] = 0x20
      }
    }
    return (text, superseded)
  }
}

extension JSONValue {
  /// Parses a document.
  /// - Throws: ``Rule/json`` with the offset of the first error, or ``Rule/limit``.
  public init(parsing bytes: [UInt8], limits: Limits = .standard) throws(Diagnostic) {
    self = try JSONParser.parse(bytes, limits: limits)
  }
}

extension String {
  /// A hash of the bytes, with the seed of the process.
  fileprivate var hashOfBytes: Int {
    var (text, hasher) = (self, Hasher())
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }
}
