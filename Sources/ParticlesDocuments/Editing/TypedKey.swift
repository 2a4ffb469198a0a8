internal import ParticlesCore

/// A parsed property key: `emitters[0].emission.rate`, `emitters["Smoke"].lifetime`,
/// `sprites[+]`, `emitters[*].enabled`.
struct TypedKey: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    /// A member of an object.
    case key(String)
    /// An element of an array, counted from 0.
    case index(Int)
    /// The element with this name, or the member with this key if the key contains `.` or `[`.
    case name(String)
    /// A new element after the last one.
    case end
    /// Every element.
    case all
  }

  /// The key as given.
  let text: String
  let steps: [Step]

  /// Creates the key of an element of a top-level array, by index or by name.
  init(element designator: String, of array: String) {
    let step = Int(designator).map(Step.index) ?? .name(designator)
    (text, steps) = ("\(array)[\(designator)]", [.key(array), step])
  }

  /// Creates a key from its steps.
  init(_ steps: [Step], from text: String) { (self.steps, self.text) = (steps, text) }

  /// Parses a key.
  /// - Throws: ``ParticlesCore/Rule/usage`` for a syntax error.
  init(_ text: String) throws {
    self.text = text
    var steps: [Step] = []
    var rest = text[...]
    while !rest.isEmpty {
      if rest.first == "[" {
        guard let end = Self.end(ofBracket: rest) else { throw Self.fault(text, "a ']'") }
        steps.append(try Self.bracket(rest[rest.index(after: rest.startIndex)..<end], in: text))
        rest = rest[rest.index(after: end)...]
        continue
      }
      if !steps.isEmpty {
        guard rest.popFirst() == "." else { throw Self.fault(text, "'.' or '['") }
      }
      let key = rest.prefix { $0 != "." && $0 != "[" }
      guard !key.isEmpty else { throw Self.fault(text, "a key") }
      steps.append(.key(String(key)))
      rest = rest[key.endIndex...]
    }
    guard !steps.isEmpty else { throw Self.fault(text, "a key") }
    self.steps = steps
  }

  /// Returns the index of the closing bracket; a bracket in quotes does not count.
  private static func end(ofBracket text: Substring) -> String.Index? {
    let isQuoted = text.dropFirst().first == "\""
    guard isQuoted else { return text.firstIndex(of: "]") }
    let quote = text.dropFirst(2).firstIndex(of: "\"")
    return quote.flatMap { text[$0...].firstIndex(of: "]") }
  }

  private static func bracket(_ inside: Substring, in text: String) throws -> Step {
    if inside == "+" { return .end }
    if inside == "*" { return .all }
    if let index = Int(inside), index >= 0 { return .index(index) }
    let name =
      inside.first == "\"" && inside.last == "\"" && inside.count > 1
      ? inside.dropFirst().dropLast() : inside
    guard !name.isEmpty else { throw fault(text, "an index, a name, '*' or '+' in brackets") }
    return .name(String(name))
  }

  private static func fault(_ text: String, _ expected: String) -> Diagnostic {
    Diagnostic(
      .usage, "'\(text)' is not a key", expected: expected,
      hint: "keys look like emitters[0].emission.rate")
  }
}
