/// An option of a command: a flag, or a name with a value.
///
/// Two options are the same if their names are. Those that several commands share are static
/// members, so that they are called and explained alike everywhere.
public struct Option: Sendable {
  /// The long name, without dashes.
  public let name: String

  /// The letter that stands for it, if it is common enough to have one.
  public let short: Character?

  /// The value behind it; nil for a flag.
  public let parameter: Parameter?

  /// What holds where the option is not given, in words.
  public let defaultText: String?

  /// What it does, in one line.
  public let summary: String

  /// Whether it may be given more than once. A flag may in any case.
  public let isRepeatable: Bool

  /// Creates an option, without `value` a flag.
  public init(
    _ name: String, short: Character? = nil, value parameter: Parameter? = nil,
    default defaultText: String? = nil, repeatable isRepeatable: Bool = false, _ summary: String
  ) {
    self.name = name
    self.short = short
    self.parameter = parameter
    self.defaultText = defaultText
    self.summary = summary
    self.isRepeatable = isRepeatable
  }

  /// The long name with its dashes.
  public var spelling: String { "--\(name)" }

  /// Letter and long name with their dashes.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [spelling] }

  /// `-o, --output <path>`
  var label: String {
    spellings.joined(separator: ", ") + (parameter.map { " \($0.label)" } ?? "")
  }

  /// The summary, and behind it what may be chosen and what holds otherwise.
  var description: String {
    let choices = parameter?.proposals ?? []
    let notes = [
      choices.isEmpty ? nil : "values: " + choices.joined(separator: ", "),
      defaultText.map { "default: \($0)" },
      isRepeatable ? "may be repeated" : nil,
    ].compactMap(\.self)
    return notes.isEmpty ? summary : "\(summary) (\(notes.joined(separator: "; ")))"
  }
}

extension Option: Hashable {
  /// Whether both have the same name.
  public static func == (a: Option, b: Option) -> Bool { a.name == b.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
