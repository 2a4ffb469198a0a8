extension Option {
  // MARK: What every command has

  /// No status, no warnings.
  public static let quiet = Option("quiet", short: "q", "Print errors only.")
  /// More status.
  public static let verbose = Option("verbose", short: "v", "Print what is done on the way.")
  /// When to colour severities.
  public static let color = Option(
    "color", value: .choice("when", Style.Choice.allCases.map(\.rawValue)), default: "auto",
    "Colour severities.")
  /// Never colour.
  public static let noColor = Option("no-color", "The same as --color never.")
  /// The help screen.
  public static let help = Option("help", short: "h", "Show help and exit.")

  /// The options that every command has, and that may also stand before its name.
  public static let everywhere: [Option] = [.quiet, .verbose, .color, .noColor, .help]

  /// The version of the tool; stands without a command.
  public static let version = Option("version", "Show the version and exit.")

  // MARK: What several commands share

  /// Where the result goes.
  public static let output = Option(
    "output", short: "o", value: .file("path"),
    "Write the result to this path; - for standard output.")
  /// Leave to replace what is there.
  public static let force = Option("force", short: "f", "Replace what exists already.")
  /// A JSON document instead of text.
  public static let json = Option("json", "Print one JSON document instead of text.")
  /// What is in folders, too.
  public static let recursive = Option(
    "recursive", short: "r", "Take the documents in folders and below.")
  /// Warnings are as bad as errors.
  static let strict = Option("strict", "Count warnings as errors.")
  /// A log that other programs show.
  public static let sarif = Option(
    "sarif", "Print the findings as a SARIF 2.1.0 log, which editors and code hosts show.")
  /// Nothing but words.
  public static let dryRun = Option(
    "dry-run", short: "n", "Say what would be written, and write nothing.")
}
