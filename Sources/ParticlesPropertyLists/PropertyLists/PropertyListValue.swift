package import ParticlesCore

/// A value of a property list as a tree.
///
/// Numbers are stored as text, so that they are written as they were read. The order of keys is preserved.
package indirect enum PropertyListValue: Sendable, Hashable {
  case bool(Bool)
  case integer(String)
  /// A real and its width in a binary list in bytes, 4 or 8.
  case real(String, width: Int = 8)
  case string(String)
  case date(String)
  case data([UInt8])
  case array([PropertyListValue])
  case dictionary([Member])

  /// A key and its value.
  package struct Member: Sendable, Hashable {
    package var key: String
    package var value: PropertyListValue

    package init(_ key: String, _ value: PropertyListValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members of a dictionary. Nil for anything else.
  package var members: [Member]? {
    guard case .dictionary(let members) = self else { return nil }
    return members
  }

  /// The kind of the value, for messages.
  package var kind: String {
    switch self {
    case .bool: "a truth value"
    case .integer: "an integer"
    case .real: "a real"
    case .string: "a string"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }
}

extension PropertyListValue {
  /// Reads a property list, binary or XML.
  /// - Parameter onDuplicate: called for duplicate keys of XML dictionaries. Without it, they are errors.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/plist`` or
  ///   ``ParticlesCore/Rule/limit``, and for XML what ``XMLParser`` throws.
  package init(
    decoding bytes: [UInt8], limits: Limits = .standard, onDuplicate: DuplicateKey? = nil
  ) throws(Diagnostic) {
    if bytes.starts(with: BinaryPropertyList.signature) {
      let list = try BinaryPropertyList(bytes, limits: limits)
      var expansion = Expansion(size: bytes.count, limits: limits)
      self = try Self.copy(list.root, of: list, &expansion)
    } else {
      try self.init(xml: XMLParser.parse(bytes, limits: limits), onDuplicate: onDuplicate)
    }
  }

  /// The size of an expanded list so far. Shared objects are repeated, so a small file may ask for a large tree. Its
  /// limits are the limits of other unpacked files.
  private struct Expansion {
    let size: Int
    let limits: Limits
    private var values = 0
    private var bytes = 0

    init(size: Int, limits: Limits) { (self.size, self.limits) = (size, limits) }

    mutating func add(
      values: Int = 0, bytes: Int = 0, at location: @autoclosure () -> Location
    ) throws(Diagnostic) {
      self.values += values
      self.bytes += bytes
      let what = "of a property list, counting repeats"
      try limits.check(self.values, { $0.objects }, "values \(what)", at: location())
      if values > 0, self.values % WorkBudget.valuesOfPayment == 0 {
        try WorkBudget.spend(onValues: 4, memory: 112, at: location())
      }
      try limits.check(self.bytes, { $0.fileBytes }, "bytes \(what)", at: location())
      try limits.checkAmplification(
        bytes: self.bytes, entries: self.values, from: size, of: "a property list", at: location())
    }
  }

  /// Expands an object to a tree.
  private static func copy(
    _ index: BinaryPropertyList.Index, of list: BinaryPropertyList,
    _ expansion: inout Expansion
  ) throws(Diagnostic) -> PropertyListValue {
    try expansion.add(values: 1, at: list.location(of: index))
    switch list[index] {
    case .scalar(.bool(let value)): return .bool(value)
    case .scalar(.integer(let value)): return .integer("\(value)")
    case .scalar(.unsigned(let value)): return .integer("\(value)")
    case .scalar(.real(let value, let width)): return .real(Self.realText(value), width: width)
    case .scalar(.date(let value)):
      let isWhole = value == value.rounded()
      return .date(isWhole ? PropertyListDate.text(of: value) ?? "\(value)" : "\(value)")
    case .scalar(.string(let value)):
      try expansion.add(bytes: value.utf8.count, at: list.location(of: index))
      return .string(value)
    case .scalar(.data(let value)):
      try expansion.add(bytes: value.count, at: list.location(of: index))
      return .data(value)
    case .array(let elements), .set(let elements):
      return .array(
        try elements.map { element throws(Diagnostic) in try copy(element, of: list, &expansion) })
    case .dictionary(let keys, let values):
      return .dictionary(
        try zip(keys, values).map { key, value throws(Diagnostic) in
          guard case .scalar(.string(let name)) = list[key] else {
            throw Diagnostic(.plist, at: list.location(of: key), expected: "a string as key")
          }
          try expansion.add(bytes: name.utf8.count, at: list.location(of: key))
          return Member(name, try copy(value, of: list, &expansion))
        })
    case .scalar(.null), .uid:
      throw Diagnostic(
        .plist, at: list.location(of: index), expected: "a value", found: list[index].kind)
    }
  }
}

// MARK: - Writing

extension PropertyListValue {
  package var binary: [UInt8] {
    var builder = PropertyListBuilder()
    return builder.encoded(built)
  }

  private var built: PropertyListBuilder.Value {
    switch self {
    case .bool(let value): .scalar(.bool(value))
    case .integer(let text):
      .scalar(Self.integer(text).map(PropertyListScalar.integer) ?? .string(text))
    case .real(let text, let width): .scalar(.real(Self.real(text) ?? 0, width: width))
    case .string(let text): .scalar(.string(text))
    case .date(let text):
      .scalar(
        (text.double ?? PropertyListDate.seconds(of: text)).map { .date($0) } ?? .string(text))
    case .data(let bytes): .scalar(.data(bytes))
    case .array(let elements): .array(elements.map { $0.built })
    case .dictionary(let members):
      .dictionary(members.map { (key: $0.key, value: $0.value.built) })
    }
  }

  /// The tree as JSON: dates and data as strings.
  package var json: JSONValue {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let text): Self.integer(text).map { .number(JSONNumber($0)) } ?? .string(text)
    case .real(let text, _):
      Double(text).flatMap { $0.isFinite ? .double($0) : nil } ?? .string(text)
    case .string(let text), .date(let text): .string(text)
    case .data(let bytes): .string(bytes.base64)
    case .array(let elements): .array(elements.map { $0.json })
    case .dictionary(let members):
      .object(JSONObject(members: members.map { .init(key: $0.key, value: $0.value.json) }))
    }
  }

  /// Creates a property list from JSON. Null members and elements are left out.
  package init(_ json: JSONValue) {
    switch json {
    case .null: self = .string("")
    case .bool(let value): self = .bool(value)
    case .number(let number):
      self = json.int.map { .integer("\($0)") } ?? .real(number.text)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.filter { $0 != .null }.map { .init($0) })
    case .object(let object):
      self = .dictionary(
        object.members.filter { $0.value != .null }.map { Member($0.key, .init($0.value)) })
    }
  }
}

// Property lists as XML: `<plist>` around one value.

extension PropertyListValue {
  /// Called with the element of a key that occurs again in a dictionary. The value of the last
  /// occurrence is used.
  package typealias DuplicateKey = (XMLElement) -> Void

  /// The value that a document holds.
  /// - Parameter onDuplicate: called for duplicate keys. Without it, they are errors.
  package init(xml root: XMLElement, onDuplicate: DuplicateKey? = nil) throws(Diagnostic) {
    guard root.name == "plist" else {
      throw Self.fault(root, expected: "<plist>", found: "<\(root.name.excerpt)>")
    }
    guard root.children.count == 1, root.text.isEmpty else {
      throw Self.fault(root, expected: "one value", found: "\(root.children.count)")
    }
    try self.init(root.children[0], onDuplicate)
  }

  private init(_ element: XMLElement, _ onDuplicate: DuplicateKey?) throws(Diagnostic) {
    switch element.name {
    case "dict": self = .dictionary(try Self.members(of: element, onDuplicate))
    case "array":
      self = .array(
        try element.children.map { child throws(Diagnostic) in
          try PropertyListValue(child, onDuplicate)
        })
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

  private static func scalar(_ element: XMLElement) throws(Diagnostic) -> PropertyListValue {
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
          () throws(Diagnostic) in
          do throws(Diagnostic) {
            return try [UInt8](base64: text, rule: .plist)
          } catch {
            var fault = error
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
  package static func integer(_ text: String) -> Int64? {
    var digits = text.trimmed[...]
    let isNegative = digits.hasPrefix("-")
    if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
    let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    if isHex { digits.removeFirst(2) }
    guard let first = digits.first, first != "-", first != "+",
      let value = UInt64(digits, radix: isHex ? 16 : 10)
    else { return nil }
    // Unsigned integers above the signed range wrap around.
    guard isNegative else { return Int64(bitPattern: value) }
    return value <= Int64.min.magnitude ? Int64(bitPattern: 0 &- value) : nil
  }

  private static func members(
    of element: XMLElement, _ onDuplicate: DuplicateKey?
  ) throws(Diagnostic) -> [Member] {
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
    case .array(let elements): XMLElement("array", children: elements.map { $0.element })
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

  /// The finite decimal number in this text, or nil.
  package var double: Double? {
    guard let first = utf8.first, utf8.count < 400,
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= first || "+-.".utf8.contains(first),
      !utf8.contains(UInt8(ascii: "x")), !utf8.contains(UInt8(ascii: "X")),
      let value = Double(self), value.isFinite
    else { return nil }
    return value
  }
}

/// A value of a property list that is not a container.
package enum PropertyListScalar: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer above the signed range.
  case unsigned(UInt64)
  /// A real and its width in bytes, 4 or 8.
  case real(Double, width: Int)
  /// Seconds since the beginning of 2001.
  case date(Double)
  case data([UInt8])
  case string(String)

  /// The kind of the value, for messages: "a string", "an integer".
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .integer, .unsigned: "an integer"
    case .real: "a real"
    case .date: "a date"
    case .data: "data"
    case .string: "a string"
    }
  }
}

/// A type with a case for scalars, which can be written like the cases of ``PropertyListScalar``.
package protocol PropertyListScalarConvertible {
  static func scalar(_ value: PropertyListScalar) -> Self
}

extension PropertyListScalarConvertible {
  package static var null: Self { scalar(.null) }
  package static func bool(_ value: Bool) -> Self { scalar(.bool(value)) }
  package static func integer(_ value: Int) -> Self { scalar(.integer(Int64(value))) }
  package static func unsigned(_ value: UInt64) -> Self { scalar(.unsigned(value)) }
  package static func real(_ value: Double, width: Int) -> Self {
    scalar(.real(value, width: width))
  }
  package static func date(_ seconds: Double) -> Self { scalar(.date(seconds)) }
  package static func data(_ bytes: [UInt8]) -> Self { scalar(.data(bytes)) }
  package static func string(_ text: String) -> Self { scalar(.string(text)) }
}

/// Dates of property lists: seconds since the beginning of 2001 in binary ones, and text such as
/// `2011-02-03T04:05:06Z` in XML.
enum PropertyListDate {
  private static let secondsPerDay = 86_400
  /// Days from the beginning of the year 0 (proleptic Gregorian calendar) to the beginning of 2001.
  private static let reference = days(year: 2001, month: 1, day: 1)
  private static let range =
    Double(
      (days(year: 1, month: 1, day: 1) - reference) * secondsPerDay)..<Double(
      (days(year: 10_000, month: 1, day: 1) - reference) * secondsPerDay)

  /// The text of a date, without fractions of a second. Nil outside of the years 1 to 9999.
  static func text(of seconds: Double) -> String? {
    guard range.contains(seconds) else { return nil }
    let whole = Int(saturating: seconds.rounded(.down))
    let day = whole >= 0 ? whole / secondsPerDay : -((secondsPerDay - 1 - whole) / secondsPerDay)
    let time = whole - day * secondsPerDay
    let (year, month, dayOfMonth) = date(day + reference)
    func digits(_ number: Int, _ count: Int = 2) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
    }
    return "\(digits(year, 4))-\(digits(month))-\(digits(dayOfMonth))T"
      + "\(digits(time / 3600)):\(digits(time / 60 % 60)):\(digits(time % 60))Z"
  }

  /// The seconds of a text. Nil if the text is no date.
  static func seconds(of text: String) -> Double? {
    let bytes = Array(text.trimmed.utf8)
    let layout = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == layout.count else { return nil }
    for (byte, expected) in zip(bytes, layout) {
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      guard expected == UInt8(ascii: "0") ? isDigit : byte == expected else { return nil }
    }
    func number(_ range: Range<Int>) -> Int {
      bytes[range].reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard year > 0, 1...12 ~= month, day > 0, hour < 24, minute < 60, second < 61 else {
      return nil
    }
    let ordinal = days(year: year, month: month, day: day)
    guard date(ordinal) == (year, month, day) else { return nil }
    return Double((ordinal - reference) * secondsPerDay + hour * 3600 + minute * 60 + second)
  }

  /// The number of a day, counted from 1 March of the year 0. Years begin in March here, so that leap
  /// days are at their end.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let months = (month + 9) % 12
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * months + 2) / 5 + day - 1
  }

  /// The date of a day by its number. Inverse of ``days(year:month:day:)``.
  private static func date(_ number: Int) -> (year: Int, month: Int, day: Int) {
    let era = number / 146_097
    let dayOfEra = number % 146_097
    let year =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let months = (5 * dayOfYear + 2) / 153
    let month = months < 10 ? months + 3 : months - 9
    return (
      year + 400 * era + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * months + 2) / 5 + 1
    )
  }
}

/// Builds a binary property list from nested values.
///
/// Equal scalars become one object, and a container is before its elements, as in the files of Apple's
/// writers. Equal values give equal lists.
struct PropertyListBuilder {
  /// A value to build a list from.
  indirect enum Value {
    case scalar(PropertyListScalar)
    /// A reference of a keyed archive.
    case uid(Int)
    case array([Value])
    case dictionary([(key: String, value: Value)])
    /// An object of the source, with all objects that it contains.
    case copy(BinaryPropertyList.Index)
  }

  private typealias Index = BinaryPropertyList.Index

  private let source: KeyedArchive?
  private let numbers: [KeyedArchive.Index: Int]
  private var objects: [BinaryPropertyList.Object] = []
  /// The places of scalars and references. Most are strings and references, which have tables of their
  /// own, because the identity of an object takes longer to hash.
  private var places: [BinaryPropertyList.Object.Identity: BinaryPropertyList.Index] = [:]
  private var strings: [String: BinaryPropertyList.Index] = [:]
  private var references: [Int: BinaryPropertyList.Index] = [:]
  private var copies: [BinaryPropertyList.Index: BinaryPropertyList.Index] = [:]

  /// Creates a builder.
  /// - Parameters:
  ///   - source: the archive to copy from.
  ///   - numbers: the new references to its objects, by the place of the object.
  init(source: KeyedArchive? = nil, numbers: [KeyedArchive.Index: Int] = [:]) {
    self.source = source
    self.numbers = numbers
  }

  /// The bytes of a list with a value as root.
  mutating func encoded(_ value: Value) -> [UInt8] {
    let root = add(value)
    return BinaryPropertyList.encode(objects, root: root)
  }

  private mutating func add(_ value: Value) -> BinaryPropertyList.Index {
    switch value {
    case .scalar(let scalar): return place(.scalar(scalar))
    case .uid(let number): return place(.uid(number))
    case .copy(let index): return copy(index)
    case .array(let elements):
      let index = reserve()
      objects[Int(index)] = .array(elements.map { add($0) })
      return index
    case .dictionary(let members):
      let index = reserve()
      let keys = members.map { place(.string($0.key)) }
      objects[Int(index)] = .dictionary(keys: keys, values: members.map { add($0.value) })
      return index
    }
  }

  private mutating func reserve() -> BinaryPropertyList.Index {
    objects.append(.null)
    return Index(objects.count - 1)
  }

  private mutating func place(_ object: BinaryPropertyList.Object) -> BinaryPropertyList.Index {
    let new = Index(objects.count)
    switch object {
    // `$null` is nil in an archive. A string with this text must be another object.
    case .scalar(.string("$null")): break
    case .scalar(.string(let text)):
      if let known = strings[text] { return known }
      strings[text] = new
    case .uid(let number):
      if let known = references[number] { return known }
      references[number] = new
    default:
      let identity = object.identity
      if let known = places[identity] { return known }
      places[identity] = new
    }
    objects.append(object)
    return new
  }

  /// Copies an object once, so that shared objects stay shared. The reader has limited the depth.
  private mutating func copy(_ index: BinaryPropertyList.Index) -> BinaryPropertyList.Index {
    guard let source else { return place(.null) }
    if let known = copies[index] { return known }
    let copied: BinaryPropertyList.Index
    switch source.plist[index] {
    case .uid: copied = place(.uid(numbers[source.resolve(index)] ?? 0))
    case .array(let elements):
      copied = reserve()
      objects[Int(copied)] = .array(elements.map { copy($0) })
    case .set(let elements):
      copied = reserve()
      objects[Int(copied)] = .set(elements.map { copy($0) })
    case .dictionary(let keys, let values):
      copied = reserve()
      let keys = keys.map { copy($0) }
      objects[Int(copied)] = .dictionary(keys: keys, values: values.map { copy($0) })
    case let scalar: copied = place(scalar)
    }
    copies[index] = copied
    return copied
  }
}

extension BinaryPropertyList.Object {
  /// The identity of scalars: their value, and for reals their bits, so that zero and negative zero
  /// are different objects.
  struct Identity: Hashable {
    fileprivate let object: BinaryPropertyList.Object
    fileprivate let bits: UInt64
  }

  var identity: Identity {
    guard case .scalar(.real(let value, let width)) = self else {
      return Identity(object: self, bits: 0)
    }
    return Identity(object: .real(0, width: width), bits: value.bitPattern)
  }
}
