package import ParticlesCore

/// A value of a property list as a tree.
///
/// Numbers are stored as text, so that they are written as they were read; the order of keys is
/// preserved.
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

  /// The members of a dictionary; nil for anything else.
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
  /// - Parameter onDuplicate: called for duplicate keys of XML dictionaries; without it, they are
  ///   errors.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/plist`` or
  ///   ``ParticlesCore/Rule/limit``, and for XML what ``XMLParser`` throws.
  package init(
    decoding bytes: [UInt8], limits: Limits = .standard, onDuplicate: DuplicateKey? = nil
  ) throws {
    if bytes.starts(with: BinaryPropertyList.signature) {
      let list = try BinaryPropertyList(bytes, limits: limits)
      var expansion = Expansion(size: bytes.count, limits: limits)
      self = try Self.copy(list.root, of: list, &expansion)
    } else {
      try self.init(xml: XMLParser.parse(bytes, limits: limits), onDuplicate: onDuplicate)
    }
  }

  /// What an expanded list holds so far. Shared objects are repeated, so a small file may ask for a large
  /// tree; it may have as much as any other file that unpacks.
  private struct Expansion {
    let size: Int
    let limits: Limits
    private var values = 0
    private var bytes = 0

    init(size: Int, limits: Limits) { (self.size, self.limits) = (size, limits) }

    mutating func add(
      values: Int = 0, bytes: Int = 0, at location: @autoclosure () -> Location
    ) throws {
      self.values += values
      self.bytes += bytes
      let what = "of a property list, counting repeats"
      try limits.check(self.values, \.objects, "values \(what)", at: location())
      if values > 0, self.values % WorkBudget.valuesOfPayment == 0 {
        try WorkBudget.spend(onValues: 4, memory: 112, at: location())
      }
      try limits.check(self.bytes, \.fileBytes, "bytes \(what)", at: location())
      try limits.checkAmplification(
        bytes: self.bytes, entries: self.values, from: size, of: "a property list", at: location())
    }
  }

  /// Expands an object to a tree.
  private static func copy(
    _ index: BinaryPropertyList.Index, of list: BinaryPropertyList,
    _ expansion: inout Expansion
  ) throws -> PropertyListValue {
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
      return .array(try elements.map { try copy($0, of: list, &expansion) })
    case .dictionary(let keys, let values):
      return .dictionary(
        try zip(keys, values).map { key, value in
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
  /// The value as a binary property list.
  package var binary: [UInt8] {
    var builder = PropertyListBuilder()
    return builder.encoded(built)
  }

  private var built: PropertyListBuilder.Value {
    switch self {
    case .bool(let value): .scalar(.bool(value))
    case .integer(let text): .scalar(Self.integer(text).map { .integer($0) } ?? .string(text))
    case .real(let text, let width): .scalar(.real(Self.real(text) ?? 0, width: width))
    case .string(let text): .scalar(.string(text))
    case .date(let text):
      .scalar(
        (text.double ?? PropertyListDate.seconds(of: text)).map { .date($0) } ?? .string(text))
    case .data(let bytes): .scalar(.data(bytes))
    case .array(let elements): .array(elements.map(\.built))
    case .dictionary(let members):
      .dictionary(members.map { (key: $0.key, value: $0.value.built) })
    }
  }
}
