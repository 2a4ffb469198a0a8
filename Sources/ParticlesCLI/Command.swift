/// A command as data: what it is called, what it takes, what is said of it, and what it does.
///
/// Parser, help screens, man page, completions and reference are all made from these values, so
/// that a command is added by writing one and listing it in ``all``.
///
/// What only help is made of is made when it is asked for: every run of the tool makes the table of
/// commands, and needs one of them.
public struct Command: Sendable {
  /// The heading under which a command is listed.
  public enum Group: String, Sendable, CaseIterable {
    /// Commands on effect documents.
    case documents = "Documents"
    /// Commands on packages as trees of files.
    case packages = "Packages"
    /// Commands on formats and types.
    case formats = "Formats"
    /// Commands about the tool.
    case help = "Help"
  }

  /// The word that calls it.
  public let name: String

  /// All words that call it: its name, and before it that of the command that it belongs to.
  public private(set) var path: String

  /// The heading it is listed under.
  public let group: Group

  /// What it does, in one line.
  public let summary: String

  /// More about it: paragraphs with an empty line between them. Line breaks inside a paragraph
  /// mean nothing.
  public var discussion: String { makeDiscussion() }

  /// What it takes besides options, in order.
  public var arguments: [Argument] { makeArguments() }

  /// The options that are its own; it has ``Option/everywhere`` besides.
  public var options: [Option] { makeOptions() }

  /// How it is used, the commonest use first.
  public var examples: [Example] { makeExamples() }

  /// The commands that belong to it. One that has any does nothing by itself.
  public var subcommands: [Command] {
    makeSubcommands().map { subcommand in
      var copy = subcommand
      copy.path = "\(name) \(subcommand.name)"
      return copy
    }
  }

  /// What it does. A ``UsageError`` that it throws is explained with the usage of the command.
  public let run: @Sendable (Invocation) throws -> ExitStatus

  private let makeDiscussion: @Sendable () -> String
  private let makeArguments: @Sendable () -> [Argument]
  private let makeOptions: @Sendable () -> [Option]
  private let makeExamples: @Sendable () -> [Example]
  private let makeSubcommands: @Sendable () -> [Command]

  /// Creates a command.
  public init(
    name: String, group: Group, summary: String,
    discussion: @autoclosure @escaping @Sendable () -> String = "",
    arguments: @autoclosure @escaping @Sendable () -> [Argument] = [],
    options: @autoclosure @escaping @Sendable () -> [Option] = [],
    examples: @autoclosure @escaping @Sendable () -> [Example] = [],
    run: @escaping @Sendable (Invocation) throws -> ExitStatus
  ) {
    self.name = name
    path = name
    self.group = group
    self.summary = summary
    makeDiscussion = discussion
    makeArguments = arguments
    makeOptions = options
    makeExamples = examples
    makeSubcommands = { [] }
    self.run = run
  }

  /// Creates a command that is a heading for others.
  public init(
    name: String, group: Group, summary: String,
    discussion: @autoclosure @escaping @Sendable () -> String = "",
    subcommands: @autoclosure @escaping @Sendable () -> [Command]
  ) {
    self.name = name
    path = name
    self.group = group
    self.summary = summary
    makeDiscussion = discussion
    makeArguments = { [] }
    makeOptions = { [] }
    makeExamples = { [] }
    makeSubcommands = subcommands
    run = { _ in
      throw UsageError(
        "missing subcommand", hint: "one of \(subcommands().map(\.name).joined(separator: ", "))")
    }
  }

  /// It and the commands that belong to it.
  var withSubcommands: [Command] { [self] + subcommands }

  /// Its own options and those that every command has.
  public var allOptions: [Option] { options + Option.everywhere }

  /// What stands behind the name of the tool: `convert [<options>] <input> <output>`.
  var usage: String {
    guard subcommands.isEmpty else { return "\(path) <subcommand> [<options>] [<arguments>]" }
    return ([path, "[<options>]"] + arguments.map(\.usage)).joined(separator: " ")
  }
}

/// A use of a command, as it would be typed, and what it is good for.
public struct Example: Sendable, Hashable {
  /// The whole line, beginning with the name of the tool.
  public let commandLine: String

  /// What that does, in one line.
  public let summary: String

  /// Creates an example.
  public init(_ commandLine: String, _ summary: String) {
    self.commandLine = commandLine
    self.summary = summary
  }
}
