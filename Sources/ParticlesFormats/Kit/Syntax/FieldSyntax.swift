internal import ParticlesCore
internal import ParticlesPropertyLists

/// The value behind a key of a text file, whatever language the file is written in.
enum FieldValue: Hashable, Sendable {
  case integer(Int)
  case real(Double)
  case text(String)
  case flag(Bool)
  /// Something that no property is, by its kind: "an array".
  case other(String)

  var excerpt: String {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): shortText(value)
    case .text(let text): "'\(text.excerpt)'"
    case .flag(let flag): "\(flag)"
    case .other(let kind): kind
    }
  }

  /// The number, however it is spelled; nil for anything else.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .text(let text): text.trimmed.double
    case .flag, .other: nil
    }
  }
}

/// A key of a text file: its spelling, and what tells it from other keys.
struct FieldKey: Hashable, Sendable {
  let spelling: String

  /// What is equal for keys that are the same.
  let meaning: String

  /// Whether it has no meaning, whatever its spelling.
  var isUnrelated: Bool { meaning.hasPrefix("//") }

  /// Whether it is there for people only.
  var isComment: Bool { spelling.hasPrefix("//") }

  static func == (a: FieldKey, b: FieldKey) -> Bool { a.meaning == b.meaning }

  func hash(into hasher: inout Hasher) { hasher.combine(meaning) }
}

/// A language of text files with keys and values, opened. It knows where each value is and how it is
/// spelled, so that one changed value is one changed line.
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

  /// A value, whatever its type.
  static func read(_ value: Value) -> FieldValue

  /// A value of the type of another, where that can hold it.
  static func write(_ value: FieldValue, like old: Value?) -> Value

  /// A value with its type, for the source bag.
  static func typed(_ value: Value) -> JSONValue

  /// The language, for the source bag: `xml`, `bplist`, `json`.
  var encoding: String { get }
}

/// The shortest text of a number, as JavaScript writes it; 0 for what is no number.
func shortText(_ number: Double) -> String { JSONNumber(number.isFinite ? number : 0).text }

extension String {
  /// The number with this text, or the text where JSON has no such number.
  var jsonNumber: JSONValue {
    if let value = try? JSONParser.parse(Array(trimmed.utf8)), case .number = value { return value }
    return .string(excerpt)
  }

  /// This text for the source bag; a long one is only counted, since the file is kept too.
  var typed: JSONValue {
    utf8.count <= 4096
      ? ["t": "s", "v": .string(self)] : ["t": "s", "count": .int(utf8.count)]
  }
}
