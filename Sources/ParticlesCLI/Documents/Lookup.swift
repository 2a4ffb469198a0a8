internal import ParticlesCore
internal import ParticlesDocuments

/// Words that depend on files or folders. Completion scripts get them from the tool with
/// `help --candidates`.
public enum Lookup: String, Sendable, CaseIterable {
  /// The commands.
  case commands
  /// The built-in templates, and those of the user and of the system.
  case templates
  /// The keys that `edit` can set, with the index 0 for elements of arrays.
  case keys
  /// The entries of the package that the command line names.
  case entries
  /// The codes of the rules.
  case rules
  /// The entries of the recovery journal.
  case recovery
  /// The names of all formats.
  case formats
  /// The values of `convert --to`: names of formats that can be written, and `original`.
  case targets
}

extension Invocation {
  /// The words of a lookup, without control characters. A lookup that fails has none.
  /// - Parameter words: the words of the command line after the command.
  func candidates(_ lookup: Lookup, _ words: [String]) -> [String] {
    let found: [String]
    switch lookup {
    case .commands: found = tool.commands.map(\.name)
    case .templates: found = ((try? templates.entries()) ?? []).map(\.name)
    case .keys: found = SettableKey.all("").map { $0.key.writing(["]": "0]"]) }
    case .formats: found = FormatRow.all.map(\.name)
    case .targets: found = ConversionTarget.words
    case .rules: found = Rule.all.map(\.code)
    case .recovery:
      let entries = try? RecoveryStore(environment: environment).entries()
      found = (entries ?? []).map(\.identifier)
    case .entries:
      let file = words.first { !$0.hasPrefix("-") && !$0.isEmpty }
      found = file.flatMap { try? container(at: $0, reporting: false) }?.entries.map(\.path) ?? []
    }
    return found.filter { $0.escapingControls == $0 }
  }
}
