/// A text for people that has its values apart, so that it can be translated: `"saved \(path)"` is the text `saved {0}` with
/// one value. Literals are written as those of `String`.
public struct Phrase: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible
{
  private enum Value: Sendable, Hashable {
    case text(String)
    case phrase(Phrase)
  }

  /// The parts before, between and after the values: one more than values.
  private var parts: [String]
  private var values: [Value]

  private init(_ parts: [String], _ values: [Value]) { (self.parts, self.values) = (parts, values) }

  /// Creates a text without values.
  public init(stringLiteral text: String) { self.init([text], []) }

  /// Creates a text from a literal.
  public init(stringInterpolation literal: StringInterpolation) {
    self.init(literal.phrase.parts, literal.phrase.values)
  }

  /// The text in English.
  public var description: String { around(texts(\.description)) }

  /// The English text with `{0}` for the first value.
  package var key: String {
    parts.dropLast().enumerated().map { "\($1){\($0)}" }.joined() + (parts.last ?? "")
  }

  /// Whether it is nothing but its values.
  package var isPlain: Bool { parts.allSatisfy(\.isEmpty) }

  /// The values, each of which may be a text that is translated.
  package func texts(_ translated: (Phrase) -> String) -> [String] {
    values.map { value in
      switch value {
      case .text(let text): text
      case .phrase(let phrase): translated(phrase)
      }
    }
  }

  /// The English text around other values.
  package func around(_ texts: [String]) -> String {
    zip(parts, texts).map { $0 + $1 }.joined() + (parts.last ?? "")
  }

  /// A text behind another one.
  public static func + (first: Phrase, second: Phrase) -> Phrase {
    let seam = (first.parts.last ?? "") + (second.parts.first ?? "")
    return Phrase(
      first.parts.dropLast() + [seam] + second.parts.dropFirst(), first.values + second.values)
  }

  /// Collects the parts of a literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var phrase = Phrase([""], [])

    /// Begins a literal.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds text.
    public mutating func appendLiteral(_ literal: String) {
      phrase.parts[phrase.parts.count - 1] += literal
    }

    /// Adds a value by its description, without the look-ups of conformances that any value needs.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      add(.text(value.description))
    }

    /// Adds a value.
    public mutating func appendInterpolation<T>(_ value: T) {
      add(.text("\(value)"))
    }

    /// Adds a text as a value, which is translated by itself.
    public mutating func appendInterpolation(_ phrase: Phrase) { add(.phrase(phrase)) }

    /// Adds one of several words as a part of the text.
    public mutating func appendInterpolation(fixed word: String) { appendLiteral(word) }

    private mutating func add(_ value: Value) {
      phrase.values.append(value)
      phrase.parts.append("")
    }
  }
}

extension [Phrase] {
  /// The texts with a separator between them.
  package func joined(separator: Phrase) -> Phrase {
    guard let first else { return "" }
    return dropFirst().reduce("\(first)") { $0 + separator + "\($1)" }
  }
}
