internal import ParticlesCore
internal import ParticlesPropertyLists

/// The value of a key of a text file, in any syntax.
enum FieldValue: Hashable, Sendable {
  case integer(Int)
  case real(Double)
  case text(String)
  case flag(Bool)
  /// A value of a type that no property has: "an array".
  case other(String)

  var excerpt: String {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): value.isFinite ? shortText(value) : "\(value)"
    case .text(let text): "'\(text.excerpt)'"
    case .flag(let flag): "\(flag)"
    case .other(let kind): kind
    }
  }

  /// The number in any spelling; nil for other types.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .text(let text): text.trimmed.double
    case .flag, .other: nil
    }
  }
}

/// A key of a text file: its spelling, and its identity.
struct FieldKey: Hashable, Sendable {
  let spelling: String

  /// The identity: equal for keys with the same meaning.
  let meaning: String

  /// Whether the key is ignored.
  var isUnrelated: Bool { meaning.hasPrefix("//") }

  /// Whether the key is a comment.
  var isComment: Bool { spelling.hasPrefix("//") }

  static func == (a: FieldKey, b: FieldKey) -> Bool { a.meaning == b.meaning }

  func hash(into hasher: inout Hasher) { hasher.combine(meaning) }
}

/// An open text file with keys and values. It keeps the position and spelling of each value, so
/// that one changed value is one changed line.
protocol FieldSyntax: SendableMetatype {
  associatedtype Value: Equatable
  typealias Members = [(key: String, value: Value)]

  init(decoding bytes: [UInt8], limits: Limits) throws

  init()

  /// Keys and values in the order of the file. Keys may occur more than once.
  var members: Members { get }

  /// The file with some keys and values changed.
  func applying(_ changes: FieldChanges<Value>) -> Self

  var bytes: [UInt8] { get }

  /// A value of any type.
  static func read(_ value: Value) -> FieldValue

  /// A value converted to the type of another, if possible.
  static func write(_ value: FieldValue, like old: Value?) -> Value

  /// A value with its type, for the source bag.
  static func typed(_ value: Value) -> JSONValue

  /// The syntax, for the source bag: `xml`, `bplist`, `json`.
  var encoding: String { get }

  /// Faults of a text that can be read nevertheless; none by default.
  var findings: [Diagnostic] { get }

  /// Where values are, in which decimal commas are told.
  static var decimalCommas: DecimalCommas.Syntax? { get }
}

extension FieldSyntax {
  var findings: [Diagnostic] { [] }
}

/// The shortest text of a number, as in JavaScript; 0 for NaN.
func shortText(_ number: Double) -> String { JSONNumber(number.isFinite ? number : 0).text }

extension String {
  /// The number with this text, or the text where JSON has no such number.
  var jsonNumber: JSONValue {
    if let value = try? JSONParser.parse(Array(trimmed.utf8)), case .number = value { return value }
    return .string(excerpt)
  }

  /// This text for the source bag; of a long one only the length is stored, because the file is
  /// kept too.
  var typed: JSONValue {
    utf8.count <= 4096
      ? ["t": "s", "v": .string(self)] : ["t": "s", "count": .int(utf8.count)]
  }
}
