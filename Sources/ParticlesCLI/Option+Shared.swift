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

  /// Prints the version of the tool; used without a command.
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

  /// Treats warnings as errors.
  static let strict = Option("strict", "Treat warnings as errors.")
  /// Prints a log in SARIF.
  public static let sarif = Option(
    "sarif", "Print the findings as a SARIF 2.1.0 log for editors and code hosts.")
  /// Writes nothing.
  public static let dryRun = Option(
    "dry-run", short: "n", "Report what would be written, and write nothing.")
}
