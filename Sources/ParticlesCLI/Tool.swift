internal import ParticlesCore

/// The command-line tool: a name, a version and a list of commands.
public struct Tool: Sendable {
  /// The name it is called by.
  public let name: String

  /// The version that it prints.
  public let version: String

  /// The day of the version, as the man page shows it: `January 31, 2030`.
  public let date: String

  /// What it is, in one line.
  public let summary: String

  /// More about it, in paragraphs; see ``Command/discussion``.
  public let discussion: String

  /// What it can do, in the order of the help.
  public let commands: [Command]

  /// Creates a tool.
  public init(
    name: String, version: String, date: String = "January 1, 2026", summary: String = "",
    discussion: String = "", commands: [Command]
  ) {
    self.name = name
    self.version = version
    self.date = date
    self.summary = summary
    self.discussion = discussion
    self.commands = commands
  }

  /// The command of this name.
  public func command(_ name: String) -> Command? { commands.first { $0.name == name } }

  /// The commands, and behind each those that belong to it.
  var allCommands: [Command] { commands.flatMap(\.withSubcommands) }

  /// Does what the words behind the name of the tool say. Every error ends here, as words on
  /// standard error and a status.
  /// - Parameters:
  ///   - arguments: the words; nil for one that is no text, which would be that of another file.
  ///   - console: where to read and write.
  public func run(_ arguments: [String?], console: Console) -> ExitStatus {
    var console = console
    console.toolName = name
    do {
      let words = arguments.compactMap(\.self)
      guard words.count == arguments.count else {
        throw UsageError("an argument is not UTF-8", hint: "name files in UTF-8")
      }
      switch try Parser.parse(words, for: self) {
      case .help(let command):
        try console.write(Help(tool: self, width: console.width).screen(of: command))
        return .done
      case .version:
        try console.print("\(name) \(version)")
        return .done
      case .run(let command, let words):
        console.obey(words)
        return try run(command, Invocation(tool: self, console: console, words: words))
      }
    } catch is BrokenPipe {
      // Whoever read our output has read enough.
      return .done
    } catch let error as UsageError {
      explain(error, console)
      return .usage
    } catch let diagnostic as Diagnostic {
      console.report(diagnostic)
      return diagnostic.rule == .usage ? .usage : .failed
    } catch {
      console.complain("\(error)")
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

  /// What is wrong, the usage, and where there is more to read.
  private func explain(_ error: UsageError, _ console: Console) {
    let usage = error.command?.usage ?? "<command> [<options>] [<arguments>]"
    let help = ["help", error.command?.path].compactMap(\.self).joined(separator: " ")
    console.complain(error.message, hint: error.hint)
    console.tell("  usage: \(name) \(usage)")
    console.tell("  help: \(name) \(help)")
  }
}
