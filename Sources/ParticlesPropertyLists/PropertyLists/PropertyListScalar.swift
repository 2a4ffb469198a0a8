/// A value of a property list that is not a container.
package enum PropertyListScalar: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
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
  package static func integer(_ value: Int) -> Self { scalar(.integer(value)) }
  package static func unsigned(_ value: UInt64) -> Self { scalar(.unsigned(value)) }
  package static func real(_ value: Double, width: Int) -> Self {
    scalar(.real(value, width: width))
  }
  package static func date(_ seconds: Double) -> Self { scalar(.date(seconds)) }
  package static func data(_ bytes: [UInt8]) -> Self { scalar(.data(bytes)) }
  package static func string(_ text: String) -> Self { scalar(.string(text)) }
}
