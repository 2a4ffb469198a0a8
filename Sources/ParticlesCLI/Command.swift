/// A command as data: name, arguments, options, help and action.
///
/// Parser, help screens, man pages, completions and reference are generated from these values. To add
/// a command, write one and list it in ``all``.
///
/// Texts that only the help needs are closures: every run of the tool builds the table of commands and
/// needs one of them.
public struct Command: Sendable {
  /// The heading under which a command is listed.
  public enum Group: String, Sendable, CaseIterable {
    /// Commands on effect documents.
    case documents = "Documents"
    /// Commands that run and draw effects.
    case pictures = "Pictures"
    /// Commands on packages as trees of files.
    case packages = "Packages"
    /// Commands on formats and types.
    case formats = "Formats"
    /// Commands about the tool.
    case help = "Help"
  }

  /// The word on the command line.
  public let name: String

  /// The words on the command line: its name, preceded by that of the command that contains it.
  public private(set) var path: String

  /// The heading it is listed under.
  public let group: Group

  /// Its purpose in one line, in the imperative.
  public let summary: String

  /// The description: paragraphs separated by empty lines. Line breaks inside a paragraph are not
  /// significant.
  public var discussion: String { makeDiscussion() }

  /// Its arguments, in order.
  public var arguments: [Argument] { makeArguments() }

  /// Its own options; it also has those in ``Option/everywhere``.
  public var options: [Option] { makeOptions() }

  /// Examples, the most common task first.
  public var examples: [Example] { makeExamples() }

  /// Its subcommands. A command with subcommands has no action.
  public var subcommands: [Command] {
    makeSubcommands().map { subcommand in
      var copy = subcommand
      copy.path = "\(name) \(subcommand.name)"
      return copy
    }
  }

  /// The action. A ``UsageError`` that it throws is shown with the usage of the command.
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

  /// Creates a command that has subcommands.
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

  /// This command and its subcommands.
  var withSubcommands: [Command] { [self] + subcommands }

  /// Its own options and those that every command has.
  public var allOptions: [Option] { options + Option.everywhere }

  /// The usage without the name of the tool: `convert [<options>] <input> <output>`.
  var usage: String {
    guard subcommands.isEmpty else { return "\(path) <subcommand> [<options>] [<arguments>]" }
    return ([path, "[<options>]"] + arguments.map(\.usage)).joined(separator: " ")
  }
}

/// A command line and the task that it does.
public struct Example: Sendable, Hashable {
  /// The whole line, beginning with the name of the tool.
  public let commandLine: String

  /// The task in one line, in the imperative.
  public let summary: String

  /// Creates an example.
  public init(_ commandLine: String, _ summary: String) {
    self.commandLine = commandLine
    self.summary = summary
  }
}
