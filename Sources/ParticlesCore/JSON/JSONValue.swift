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

  /// The value of a key. Setting a new key appends it; setting nil removes the key.
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
