internal import ParticlesCore

/// The command-line tool: a name, a version and a list of commands.
public struct Tool: Sendable {
  /// The name on the command line.
  public let name: String

  /// The version that it prints.
  public let version: String

  /// The release date, as the man page shows it: `January 31, 2030`.
  public let date: String

  /// Its purpose, in one line.
  public let summary: String

  /// The description, in paragraphs, see ``Command/discussion``.
  public let discussion: String

  /// Lines that many users type, at the beginning of the help.
  public let examples: [Example]

  /// The commands, in the order of the help.
  public let commands: [Command]

  /// Creates a tool.
  public init(
    name: String, version: String, date: String = "January 1, 2026", summary: String = "",
    discussion: String = "", examples: [Example] = [], commands: [Command]
  ) {
    self.name = name
    self.version = version
    self.date = date
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.commands = commands
  }

  /// The command of this name.
  public func command(_ name: String) -> Command? { commands.first { $0.name == name } }

  /// The commands, each followed by its subcommands.
  var allCommands: [Command] { commands.flatMap(\.withSubcommands) }

  /// Runs a command line. An argument that is not UTF-8 is accepted as a path. Elsewhere, it is an error, which shows
  /// its invalid bytes as escapes.
  /// - Parameters:
  ///   - arguments: the bytes of the words after the name of the tool.
  ///   - console: the standard streams.
  public func run(bytes arguments: [[UInt8]], console: Console) -> ExitStatus {
    run(arguments.map(RawPath.text), console: console)
  }

  /// Runs a command line. Every error becomes a message on standard error and an exit status.
  /// - Parameters:
  ///   - words: the words after the name of the tool.
  ///   - console: the standard streams.
  public func run(_ words: [String], console: Console) -> ExitStatus {
    var console = console
    console.toolName = name
    let isJSON = words.prefix { $0 != "--" }.contains(Option.json.spelling)
    var output = isJSON ? JSONOutput(command: nil) : nil
    do {
      switch try Parser.parse(words, for: self) {
      case .help(let command):
        try console.write(
          Help(tool: self, width: console.width, wording: console.wording).screen(of: command))
        return .done
      case .version:
        try console.print("\(name) \(version)")
        return .done
      case .run(let command, let words):
        console.obey(words)
        output = words.holds(.json) ? JSONOutput(command: command.path) : nil
        return try run(
          command, Invocation(tool: self, console: console, words: words, output: output))
      }
    } catch is BrokenPipe {
      // The reader has closed the pipe. This is no error.
      return .done
    } catch let error as UsageError {
      explain(error, console)
      output?.fail(error.diagnostic, console)
      return .usage
    } catch let diagnostic as Diagnostic {
      console.report(diagnostic)
      output?.fail(diagnostic, console)
      return [.usage, .indexQuery].contains(diagnostic.rule) ? .usage : .failed
    } catch {
      console.complain("\(error)")
      output?.fail(Diagnostic(.fileUnreadable, "\(error)"), console)
      return .failed
    }
  }

  private func run(_ command: Command, _ invocation: Invocation) throws -> ExitStatus {
    do {
      return try command.run(invocation)
    } catch let error as UsageError {
      throw error.about(command)
    }
  }

  /// Prints the error, the usage and the command that shows help.
  private func explain(_ error: UsageError, _ console: Console) {
    let usage = error.command?.usage ?? "<command> [<options>] [<arguments>]"
    let help = ["help", error.command?.path].compactMap(\.self).joined(separator: " ")
    console.complain(error.message, hint: error.hint)
    let wording = console.wording
    console.tell("  \(wording.text("usage")): \(name) \(usage)")
    console.tell("  \(wording.text("help")): \(name) \(help)")
  }
}

/// The exit status of the process. Ordered from best to worst: with several inputs, the worst status
/// counts.
public enum ExitStatus: Int32, Sendable, CaseIterable, Comparable {
  /// Done.
  case done = 0
  /// The command ran, and the result is negative.
  case answerNo = 1
  /// The command failed.
  case failed = 2
  /// The command line is wrong.
  case usage = 64
  /// Interrupted with control-C. The system ends the process, and shells report this status.
  case interrupted = 130

  /// Its meaning, for the manual.
  public var summary: String {
    switch self {
    case .done: "Success."
    case .answerNo:
      "Negative result: errors were found, more was lost than allowed, nothing matched, or two packages differ."
    case .failed: "Failure: a file cannot be read, recognised or written."
    case .usage: "The command line is wrong."
    case .interrupted: "Interrupted."
    }
  }

  /// From best to worst.
  public static func < (a: ExitStatus, b: ExitStatus) -> Bool { a.rawValue < b.rawValue }
}
