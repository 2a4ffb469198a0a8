/// An option of a command: a flag, or a name with a value.
///
/// Two options are equal if their names are. Options that several commands share are static members, so
/// that they have the same name and help everywhere.
public struct Option: Sendable {
  /// The long name, without dashes.
  public let name: String

  /// The short form, for common options.
  public let short: Character?

  /// The value it takes; nil for a flag.
  public let parameter: Parameter?

  /// The default, in words.
  public var defaultText: String? { makeDefaultText() }

  /// Its effect in one line, in the imperative.
  public let summary: String

  /// Whether it may be given more than once. A flag always may.
  public let isRepeatable: Bool

  private let makeDefaultText: @Sendable () -> String?

  /// Creates an option; without `value`, a flag.
  public init(
    _ name: String, short: Character? = nil, value parameter: Parameter? = nil,
    default defaultText: @autoclosure @escaping @Sendable () -> String? = nil,
    repeatable isRepeatable: Bool = false, _ summary: String
  ) {
    self.name = name
    self.short = short
    self.parameter = parameter
    makeDefaultText = defaultText
    self.summary = summary
    self.isRepeatable = isRepeatable
  }

  /// The long name with its dashes.
  public var spelling: String { "--\(name)" }

  /// Short form and long name with their dashes.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [spelling] }

  /// `-o, --output <path>`
  var label: String {
    spellings.joined(separator: ", ") + (parameter.map { " \($0.label)" } ?? "")
  }

  /// The summary, followed by the possible values and the default.
  func description(_ wording: Wording = .english) -> String {
    let choices = parameter?.listed ?? []
    let notes = [
      choices.isEmpty ? nil : "\(wording.text("values")): " + choices.joined(separator: ", "),
      defaultText.map { "\(wording.text("default")): \(wording.text($0))" },
      isRepeatable ? wording.text("may be repeated") : nil,
    ].compactMap(\.self)
    let summary = wording.text(summary)
    return notes.isEmpty ? summary : "\(summary) (\(notes.joined(separator: "; ")))"
  }
}

extension Option: Hashable {
  /// Whether both have the same name.
  public static func == (a: Option, b: Option) -> Bool { a.name == b.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
