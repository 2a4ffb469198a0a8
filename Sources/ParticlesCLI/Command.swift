/// A command as data: name, arguments, options, help and action.
///
/// Parser, help screens, man pages, completions and reference are generated from these values. To add
/// a command, write one and list it in ``all``.
///
/// Texts for the help alone are closures: every run of the tool builds the table of commands and uses one command.
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

  /// The words on the command line: its name, after the name of the command that contains it.
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

  /// Its own options, besides ``Option/everywhere``.
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

  var withSubcommands: [Command] { [self] + subcommands }

  /// Its own options and the options of every command.
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

/// A value on the command line, of an option or an argument: its name in the help and the words it
/// accepts.
public struct Parameter: Sendable {
  /// The words that are accepted, which also decides how a shell completes them.
  public enum Kind: Sendable {
    /// Any text. Shells propose nothing.
    case text
    /// The path of a file.
    case file
    /// The path of a folder.
    case folder
    /// The name of a command of the tool.
    case command
    /// One of these words.
    case choice(@Sendable () -> [String])
    /// Any text. During completion, shells propose words that the tool finds.
    case lookup(Lookup, listed: @Sendable () -> [String])
  }

  /// The name, without the angle brackets that the help puts around it.
  public let name: String

  /// The words that are accepted.
  public let kind: Kind

  /// Any text.
  public static func text(_ name: String) -> Parameter { Parameter(name: name, kind: .text) }

  /// The path of a file.
  public static func file(_ name: String) -> Parameter { Parameter(name: name, kind: .file) }

  /// The path of a folder.
  public static func folder(_ name: String) -> Parameter { Parameter(name: name, kind: .folder) }

  /// The name of a command of the tool.
  public static func command(_ name: String) -> Parameter { Parameter(name: name, kind: .command) }

  /// One of these words. The list is evaluated when it is first needed, since most runs need the words of
  /// few options.
  public static func choice(
    _ name: String, _ words: @autoclosure @escaping @Sendable () -> [String]
  ) -> Parameter {
    Parameter(name: name, kind: .choice(words))
  }

  /// One of the words that the closure returns when they are needed.
  public static func choice(
    _ name: String, _ words: @escaping @Sendable () -> [String]
  ) -> Parameter {
    Parameter(name: name, kind: .choice(words))
  }

  /// Any text. Shells propose the words of a lookup.
  /// - Parameters:
  ///   - name: the name, without angle brackets.
  ///   - lookup: the words that shells propose.
  ///   - listed: the words that the help lists.
  public static func lookup(
    _ name: String, _ lookup: Lookup, listed: @escaping @Sendable () -> [String] = { [] }
  ) -> Parameter {
    Parameter(name: name, kind: .lookup(lookup, listed: listed))
  }

  /// The accepted words. Empty if any text is accepted.
  var choices: [String] {
    if case .choice(let words) = kind { words() } else { [] }
  }

  /// The words that the help lists.
  var listed: [String] {
    switch kind {
    case .choice(let words), .lookup(_, let words): words()
    case .text, .file, .folder, .command: []
    }
  }

  /// Whether it is a path. An empty path is refused: it comes from an unset variable of the shell.
  var isPath: Bool {
    switch kind {
    case .file, .folder: true
    case .text, .command, .choice, .lookup: false
    }
  }

  /// Whether it is the name of a command.
  var isCommand: Bool { if case .command = kind { true } else { false } }

  /// The name as the help shows it.
  var label: String { "<\(name)>" }
}

/// An argument of a command, as opposed to an option.
public struct Argument: Sendable {
  /// How many words it takes.
  public enum Arity: Sendable {
    /// Exactly one.
    case one
    /// One or none.
    case optional
    /// One or more.
    case oneOrMore
    /// Any number, none included.
    case any
  }

  /// Its name and the words it accepts.
  public let parameter: Parameter

  /// How many words it takes.
  public let arity: Arity

  /// Its meaning, in one line.
  public let summary: String

  /// Creates an argument.
  public init(_ parameter: Parameter, arity: Arity = .one, _ summary: String) {
    self.parameter = parameter
    self.arity = arity
    self.summary = summary
  }

  /// Its name, without brackets.
  public var name: String { parameter.name }

  /// The summary, followed by the possible values.
  func description(_ wording: Wording = .english, of command: String = "") -> String {
    let choices = parameter.listed
    let summary = wording.help(["\(command).<\(name)>"], summary)
    guard !choices.isEmpty else { return summary }
    return "\(summary) (\(wording.text("values")): \(choices.joined(separator: ", ")))"
  }

  /// The argument in a line of usage.
  var usage: String {
    switch arity {
    case .one: parameter.label
    case .optional: "[\(parameter.label)]"
    case .oneOrMore: "\(parameter.label) ..."
    case .any: "[\(parameter.label) ...]"
    }
  }
}

extension Argument.Arity {
  /// The least number of words.
  var minimum: Int {
    switch self {
    case .one, .oneOrMore: 1
    case .optional, .any: 0
    }
  }

  /// Whether it takes as many words as there are.
  var isGreedy: Bool {
    switch self {
    case .one, .optional: false
    case .oneOrMore, .any: true
    }
  }
}

/// An option of a command: a flag, or a name with a value.
///
/// Two options are equal if their names are. Options that several commands share are static members, for one name and
/// help everywhere.
public struct Option: Sendable {
  /// The long name, without dashes.
  public let name: String

  /// The short form, for common options.
  public let short: Character?

  /// The value it takes. Nil for a flag.
  public let parameter: Parameter?

  /// The default, in words.
  public var defaultText: String? { makeDefaultText() }

  /// Its effect in one line, in the imperative.
  public let summary: String

  /// Whether it may be given more than once. A flag always may.
  public let isRepeatable: Bool

  private let makeDefaultText: @Sendable () -> String?

  /// Creates an option, or a flag without `value`.
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
  func description(_ wording: Wording = .english, of command: String = "") -> String {
    let choices = parameter?.listed ?? []
    let keys = ["\(command).\(spelling)", spelling]
    let notes = [
      choices.isEmpty ? nil : "\(wording.text("values")): " + choices.joined(separator: ", "),
      defaultText.map {
        "\(wording.text("default")): \(wording.help(keys.map { "\($0).default" }, $0))"
      },
      isRepeatable ? wording.text("may be repeated") : nil,
    ].compactMap(\.self)
    return ([wording.help(keys, summary)] + notes.map { "(\($0))" }).joined(separator: " ")
  }
}

extension Option: Hashable {
  /// Whether the names are equal.
  public static func == (a: Option, b: Option) -> Bool { a.name == b.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Option {
  // MARK: Options of every command

  /// Suppresses status lines and warnings.
  public static let quiet = Option("quiet", short: "q", "Print errors only.")
  /// Prints more status lines.
  public static let verbose = Option("verbose", short: "v", "Print notes and each step.")
  /// Whether severities are coloured.
  public static let color = Option(
    "color", value: .choice("when", Style.Choice.allCases.map(\.rawValue)), default: "auto",
    "Colour severities.")
  /// Disables colour.
  public static let noColor = Option("no-color", "The same as --color never.")
  /// Prints the help screen.
  public static let help = Option("help", short: "h", "Show help and exit.")

  /// The options of every command, which may also precede its name.
  public static let everywhere: [Option] = [.quiet, .verbose, .color, .noColor, .help]

  /// Prints the version of the tool. Used without a command.
  public static let version = Option("version", "Show the version and exit.")

  // MARK: Options that several commands share

  /// The path of the result.
  public static let output = Option(
    "output", short: "o", value: .file("path"),
    "Write the result to this path; - for standard output.")
  /// Writes results into the folders of their inputs, under free names.
  public static let beside = Option(
    "beside",
    "Write each result into the folder of its input; if its name is taken, a number is added.")
  /// Permits replacing existing files.
  public static let force = Option("force", short: "f", "Replace existing files.")
  /// Prints JSON instead of text.
  public static let json = Option("json", "Print one JSON document instead of text.")
  /// Processes the documents in folders.
  public static let recursive = Option(
    "recursive", short: "r", "Process all documents in folders and their subfolders.")
  /// Processes only some files.
  static let include = Option(
    "include", value: .text("glob"), repeatable: true,
    "Process only files that match, such as '*.pex' or 'fire/**'.")
  /// Leaves out some files and folders.
  static let exclude = Option(
    "exclude", value: .text("glob"), repeatable: true,
    "Leave out files and folders that match.")
  /// Searches files that ignore files leave out.
  static let noIgnore = Option(
    "no-ignore", "Also search files and folders that .gitignore and .ignore leave out.")

  /// Accepts that there is nothing to process.
  static let allowNone = Option(
    "allow-none", "Succeed if there are no documents, for scripts that pass on what has changed.")

  /// The options of every command that takes documents, folders and patterns.
  static let inputs: [Option] = [.recursive, .include, .exclude, .noIgnore]

  static let strict = Option("strict", "Treat warnings as errors.")
  /// Prints a log in SARIF.
  public static let sarif = Option(
    "sarif", "Print the findings as a SARIF 2.1.0 log for editors and code hosts.")
  /// Writes nothing.
  public static let dryRun = Option(
    "dry-run", short: "n", "Report what would be written, and write nothing.")
}

/// Lists of words by name. An array, as there are few: the first use of a dictionary type makes the
/// runtime search all protocol conformances, which takes longer than most commands.
struct NamedValues: Sendable {
  private var all: [(name: String, values: [String])] = []

  subscript(name: String) -> [String]? {
    get { all.first { $0.name == name }?.values }
    set {
      all.removeAll { $0.name == name }
      if let newValue { all.append((name, newValue)) }
    }
  }
}

/// A variable of the environment that the tool reads. It reads no other.
struct EnvironmentVariable: Sendable {
  let name: String
  /// Its effect, for the manual.
  let summary: String

  static let all = [
    EnvironmentVariable(
      name: "COLUMNS",
      summary: "The width of help and listings, instead of the width of the terminal."),
    EnvironmentVariable(
      name: "HOME",
      summary:
        "The folder of .local/share, .config and .cache, used if the XDG variables are not set."),
    EnvironmentVariable(
      name: "LANG",
      summary: "The locale of messages and help, such as de_DE.UTF-8, see LC_ALL."),
    EnvironmentVariable(
      name: "LANGUAGE",
      summary: "The languages of messages and help, the preferred one first, separated by colons."),
    EnvironmentVariable(
      name: "LC_ALL", summary: "The locale, instead of LC_MESSAGES and LANG."),
    EnvironmentVariable(
      name: "LC_MESSAGES", summary: "The locale of messages and help, instead of LANG."),
    EnvironmentVariable(name: "NO_COLOR", summary: "Disables colour if it is set and not empty."),
    EnvironmentVariable(
      name: "PATH", summary: "Folders with the programs of this machine, separated by colons."
    ),
    EnvironmentVariable(name: "TERM", summary: "Disables colour and progress bars if it is dumb."),
    EnvironmentVariable(
      name: "XDG_CACHE_HOME",
      summary: "The user's folder with the index and the pages that 'show' opens."),
    EnvironmentVariable(
      name: "XDG_CONFIG_DIRS", summary: "System folders with desktop settings, separated by colons."
    ),
    EnvironmentVariable(
      name: "XDG_CONFIG_HOME", summary: "The user's folder with desktop settings."),
    EnvironmentVariable(
      name: "XDG_CURRENT_DESKTOP", summary: "The desktop whose settings take precedence."),
    EnvironmentVariable(
      name: "XDG_DATA_DIRS",
      summary: "System folders with templates, MIME types and programs, separated by colons."
    ),
    EnvironmentVariable(
      name: "XDG_DATA_HOME",
      summary: "The user's folder with templates, versions, MIME types and programs."),
    EnvironmentVariable(
      name: "XDG_RUNTIME_DIR",
      summary: "The folder for records of open documents and of the running browser."),
    EnvironmentVariable(
      name: "XDG_STATE_HOME",
      summary: "The folder in which earlier versions kept the session of the browser."),
  ]
}
