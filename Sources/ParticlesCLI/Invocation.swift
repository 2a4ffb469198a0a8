package import ParticlesContainer
internal import ParticlesPackages
package import ParticlesCore
package import ParticlesDocuments
package import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesSystem

/// One run of a command: its arguments and its console.
public struct Invocation: Sendable {
  /// The tool that the command belongs to.
  public let tool: Tool

  /// The standard streams.
  public let console: Console

  private let words: Parser.Words
  private let output: JSONOutput?
  let notes = CollectedNotes()

  /// - Parameter output: takes the result of a run with `--json`. Nil for any other run.
  init(tool: Tool, console: Console, words: Parser.Words, output: JSONOutput? = nil) {
    self.tool = tool
    self.console = console
    self.words = words
    self.output = output
  }

  /// All arguments, in the order given.
  public var arguments: [String] { words.arguments }

  /// The variables of the environment that the tool reads.
  public var environment: [String: String] { console.environment }

  /// Whether an option was given.
  public func flag(_ option: Option) -> Bool { words.holds(option) }

  /// The value of an option, or nil if it was not given. For a repeated option, the last value.
  public func value(_ option: Option) -> String? { words.options[option.name]?.last }

  /// All values of a repeatable option, in the order given.
  public func values(_ option: Option) -> [String] { words.options[option.name] ?? [] }

  /// The words for the declared argument of this name.
  public func arguments(_ name: String) -> [String] { words.assigned[name] ?? [] }

  /// The word for the declared argument of this name. The parser has checked that a required argument
  /// is there, so the error is thrown for optional ones only.
  public func argument(_ name: String) throws -> String {
    guard let word = arguments(name).first else { throw UsageError("missing argument <\(name)>") }
    return word
  }

  /// The value of an option as a whole number.
  /// - Throws: ``UsageError`` if it is not a number, or not in `range`.
  public func integer(_ option: Option, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "'\(option.spelling)' needs a whole number from \(range.lowerBound) to \(range.upperBound),"
          + " not '\(text)'")
    }
    return number
  }

  /// The value of an option as a number.
  /// - Throws: ``UsageError`` if it is not a number, or not in `range`.
  public func number(_ option: Option, in range: ClosedRange<Double>) throws -> Double? {
    guard let text = value(option) else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw UsageError(
        "'\(option.spelling)' needs a number from \(range.lowerBound) to \(range.upperBound),"
          + " not '\(text)'")
    }
    return number
  }

  /// Runs `body` for each input. A failure is reported, and the remaining inputs are still processed.
  /// Returns the worst status.
  public func forEach(
    _ inputs: [String], _ body: (String) throws -> ExitStatus
  ) throws -> ExitStatus {
    var status = ExitStatus.done
    for input in inputs {
      do {
        status = max(status, try body(input))
      } catch let diagnostic as Diagnostic where diagnostic.rule != .usage {
        reportFailure(diagnostic.inside(Location(file: input)))
        status = max(status, .failed)
      }
    }
    return status
  }

  /// Prints an error that prevented a part of the result. With `--json`, the document has the error, too.
  func reportFailure(_ diagnostic: Diagnostic) {
    console.report(diagnostic)
    output?.add(diagnostic)
  }

  /// Whether a finding is printed: notes with `--verbose` only, warnings without `--quiet`.
  func shows(_ diagnostic: Diagnostic) -> Bool {
    switch diagnostic.severity {
    case .note: console.verbosity == .verbose
    case .warning: console.verbosity != .quiet
    case .error: true
    }
  }

  /// Prints findings that do not prevent the result on standard error, notes only with `--verbose`.
  /// With `--json`, they are in the document too.
  func note(_ findings: [Diagnostic]) {
    record(findings)
    guard !notes.collect(findings.filter(shows)) else { return }
    let shown = console.verbosity == .verbose ? findings : findings.condensed
    for finding in shown where shows(finding) { console.report(finding) }
  }

  /// Prints a line about a written file. With many results, only `--verbose` prints it.
  func tellResult(_ line: Phrase) {
    notes.tellsResults ? console.inform(line) : console.detail(line)
  }

  /// Sets whether ``tellResult(_:)`` prints without `--verbose`. Default: true.
  func tellsResults(_ isTelling: Bool) { notes.tellsResults = isTelling }

  /// Runs `body` for a number of documents, and prints its notes about several documents as few lines.
  func collectingNotes(of documents: Int, _ body: () throws -> Void) throws {
    guard documents > 1 else { return try body() }
    let console = console
    notes.begin(
      FindingReport(console, isBatch: true),
      to: FindingReport.Sink(finding: { console.report($0) }, line: { console.inform($0) }))
    defer { notes.finish() }
    try body()
  }

  /// Prints the document of `--json` if no result was printed.
  func completeJSON() { output?.complete(console) }

  /// Adds findings to the document of `--json` without printing them.
  func record(_ findings: [Diagnostic]) {
    for finding in findings { output?.add(finding) }
  }

  /// Prints the result for `--json`: a JSON object with the member `version`. The name of the command and
  /// the errors of ``forEach(_:_:)`` are added.
  package func print(_ json: JSONValue) throws {
    try console.write(output?.document(of: json) ?? json)
  }

  /// Prints the members of a result and `version`, if `--json` is given.
  /// - Returns: whether it is given.
  @discardableResult
  func answer(_ members: @autoclosure () throws -> JSONObject) throws -> Bool {
    guard flag(.json) else { return false }
    var object: JSONObject = ["version": .int(1)]
    for member in try members().members { object[member.key] = member.value }
    try print(.object(object))
    return true
  }
}

extension Argument {
  /// The documents of a command: files, folders and patterns.
  static func documents(_ name: String = "file") -> Argument {
    Argument(
      .file(name), arity: .oneOrMore,
      "A document, a pattern such as 'effects/**/*.pex', - for standard input, or a folder with --recursive."
    )
  }
}

/// Handles inputs for all commands: files, folders, patterns, filters and ignore files.
extension Invocation {
  /// The files that the options leave out.
  var filter: DocumentSet.Filter {
    DocumentSet.Filter(
      include: values(.include), exclude: values(.exclude), readsIgnoreFiles: !flag(.noIgnore))
  }

  /// The documents that words mean.
  /// - Parameter isRecursive: whether folders are searched. Default: the value of `--recursive`.
  func documents(_ words: [String], recursive isRecursive: Bool? = nil) -> DocumentSet {
    let set = DocumentSet(words, isRecursive: isRecursive ?? flag(.recursive), filter: filter)
    console.show(set.unpacked)
    return set
  }

  // MARK: Reports

  /// Reports patterns that match nothing, and files that a search left out.
  /// - Returns: the status so far.
  func begin(_ set: DocumentSet) -> ExitStatus {
    set.failures.forEach(reportFailure)
    note(set.problems)
    for folder in set.passedOver {
      console.inform("'\(folder)' was not searched: results are written there")
    }
    return set.failures.isEmpty ? .done : .failed
  }

  /// Names the files that were not processed, with `--verbose`.
  func tellOthers(_ set: DocumentSet, unknown: [String]) {
    for path in unknown { console.detail("not a document: \(path)") }
    for path in set.ignored { console.detail("left out by an ignore file: \(path)") }
  }

  /// The end of a summary: `; 3 unknown, 2 ignored`.
  func others(_ set: DocumentSet, unknown: Int) -> Phrase {
    let counts = [
      (unknown, "unknown"), (set.ignored.count, "ignored"), (set.excluded, "excluded"),
    ].filter { $0.0 > 0 }
    guard !counts.isEmpty else { return "" }
    return "; " + counts.map { "\($0) \(fixed: $1)" as Phrase }.joined(separator: ", ")
  }

  /// The error of a folder that is no package states how to process the documents in it.
  static func explaining(_ failure: Diagnostic, of path: String) -> Diagnostic {
    if failure.rule == .noDocument, failure.hint == nil, let archive = archive(at: path) {
      return Diagnostic(
        .noDocument, at: Location(file: path), found: "a \(archive.title)",
        hint: "use --recursive to process the effects in it, or unpack it with 'particles unpack'")
    }
    guard failure.rule.family != "file", (try? DocumentSet.isPlainFolder(path)) == true else {
      return failure
    }
    return Diagnostic(
      .noDocument, at: Location(file: path),
      hint: "use --recursive to process the documents in a folder")
  }

  /// The format of an archive. Nil for another file.
  private static func archive(at path: String) -> ParticleFormat? {
    guard let head = try? OpenFile(readingAtOnce: path).readPiece(4096) else { return nil }
    let name = Files.lastComponent(of: path)
    return FormatRegistry.standard.formats.first { $0.isArchive && $0.recognise(head, name) }
  }

  /// Runs `body` on one document, see ``explaining(_:of:)``.
  func explainingFolder<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as Diagnostic {
      throw Self.explaining(failure, of: path)
    }
  }

  /// Reports that there are no documents, and why: a negative result, or a failure if patterns match nothing.
  func noDocuments(_ set: DocumentSet) -> ExitStatus {
    defer { completeJSON() }
    guard set.failures.isEmpty else { return .failed }
    if flag(.allowNone) { return .done }
    let ignored = set.ignored.count.of("file or folder", plural: "files and folders")
    let excluded: Phrase = "--include and --exclude leave out \(set.excluded.of("file"))"
    if !set.ignored.isEmpty {
      console.complain(
        "no documents found: ignore files leave out \(ignored)"
          + (set.excluded > 0 ? ", \(excluded)" : ""),
        hint: "include them with --no-ignore; --verbose names them")
    } else if set.excluded > 0 {
      console.complain(
        "no documents found: \(excluded)",
        hint: "without a slash, a pattern matches names; with one, paths in the searched folder")
    } else if let folder = set.passedOver.first {
      console.complain(
        "no documents found except results in '\(folder)'", hint: "write to a folder elsewhere")
    } else {
      console.complain(
        "no documents found",
        hint: "'particles formats' lists the formats; --verbose names the other files")
    }
    return .answerNo
  }

  // MARK: Batches

  /// Runs `body` for each document of a set. Failures are reported, and the remaining documents are still processed.
  /// Files that are no documents are added to `unknown`.
  /// - Returns: the worst status.
  func forEach(
    _ set: DocumentSet, unknown: inout [String], _ body: (String) throws -> ExitStatus
  ) throws -> ExitStatus {
    var status = begin(set)
    var failures = FailureLines(self)
    // Sharing costs a single document more than it saves.
    let images = set.documents.count > 1 ? BatchFiles() : nil
    try collectingNotes(of: set.documents.count) {
      for document in set.documents {
        do {
          status = max(
            status, try images?.share { try body(document.path) } ?? body(document.path))
        } catch let diagnostic as Diagnostic where document.isUnknown(because: diagnostic) {
          unknown.append(document.path)
        } catch let diagnostic as Diagnostic where diagnostic.rule != .usage {
          failures.add(
            diagnostic.inside(Location(file: document.path)),
            of: document.isFound ? nil : document.path)
          status = max(status, .failed)
        } catch let error as UsageError where set.documents.count > 1 {
          // It is about one of many documents.
          failures.add(
            error.diagnostic.inside(Location(file: document.path)),
            of: document.isFound ? nil : document.path)
          status = max(status, .failed)
        }
      }
    }
    failures.finish()
    return status
  }
}

/// Errors of a batch, one line for each document: the first 20, then their number.
struct FailureLines {
  private static let most = 20

  private let invocation: Invocation
  private let isRecording: Bool
  private var count = 0

  /// Whether no document has failed.
  var isEmpty: Bool { count == 0 }

  /// - Parameter isRecording: whether errors are added to the document of `--json`.
  init(_ invocation: Invocation, recording isRecording: Bool = true) {
    self.invocation = invocation
    self.isRecording = isRecording
  }

  /// - Parameter path: the document, if it was named. If it is a folder that is no package, the message states how to
  ///   process the documents in it.
  mutating func add(_ failure: Diagnostic, of path: String?) {
    let failure = path.map { Invocation.explaining(failure, of: $0) } ?? failure
    count += 1
    if count <= Self.most || invocation.console.verbosity == .verbose {
      invocation.console.report(failure)
    }
    if isRecording { invocation.record([failure]) }
  }

  func finish() {
    guard count > Self.most, invocation.console.verbosity != .verbose else { return }
    invocation.console.complain("\(count - Self.most) more files failed; --verbose names them")
  }
}

extension Invocation {
  /// Runs the part of a command for packages that opens a file. For a file of another kind, the error names the kind
  /// and the commands that take it.
  func namingOtherFiles<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let fault as Diagnostic where fault.rule == .signature && path != Self.standardStream {
      throw otherFile(path, fault) ?? fault
    }
  }

  /// - Returns: nil if the kind of the file is not known, too.
  private func otherFile(_ path: String, _ fault: Diagnostic) -> Diagnostic? {
    let formats = FormatRegistry.standard
    let name = Files.lastComponent(of: path)
    guard let bytes = try? Files.read(path) else { return nil }
    var named = Diagnostic(.signature, at: Location(file: path))
    if let format = formats.formats.first(where: { $0.canRead && $0.recognise(bytes, name) }) {
      named.found = "a file of the format \(format.name): \(format.title)"
      named.hint =
        "'particles info' and 'particles render' take it as it is; "
        + "'particles convert \(path) -o \(Files.stem(of: path)).particles' makes a package of it"
    } else if let kind = formats.foreign(bytes, fileName: name) {
      (named.found, named.hint) = (kind.found, kind.hint)
    } else {
      return nil
    }
    return named
  }

  /// Warns once about a document with unsaved changes in another program: this command reads the saved contents.
  ///
  /// Without records of open documents this is one system call for all documents of a run.
  package func noteUnsaved(_ path: String) {
    guard path != Self.standardStream else { return }
    let folder = notes.recordFolder(for: path) {
      let folders = BaseDirectories(console.variable)
      let base = folders.runtime ?? folders.dataHome
      return base.flatMap { DocumentPresence.hasRecords(in: $0) ? $0 : nil }
    }
    guard let folder, let presenter = DocumentPresence.unsaved(path, in: folder) else { return }
    note([
      Diagnostic(
        .fileUnsaved, at: Location(file: path),
        "\(presenter.program) (process \(presenter.process)) has it open, and this command reads the saved state"
      )
    ])
  }
}

extension Option {
  /// The form of a package that is written.
  static let form = Option(
    "form", value: .choice("form", Container.Form.allCases.map(\.rawValue)), default: "flat",
    "Write the package as one file, or as a directory.")

  /// Folders with images that other files name.
  static let images = Option(
    "images", value: .folder("folder"), repeatable: true,
    """
    Search this folder, too, for images that a file names. A folder with project.godot or game.project counts as the root \
    of a project, and pictures and materials of Unity are found in any folder with their .meta files.
    """)

  /// The root of the project that files belong to.
  static let project = Option(
    "project", value: .folder("folder"), default: "the nearest one above each file",
    "The root of the project of Godot, Defold or Unity, where paths such as res://fire.png begin.")

  /// The format of the input.
  static let from = Option(
    "from", value: .choice("format", FormatRegistry.standard.formats.filter(\.canRead).map(\.name)),
    default: "recognised by content", "The format of the input.")
}

/// Functions that the commands on documents share: `-` for the standard streams, forms, saving.
extension Invocation {
  /// The argument that means standard input or standard output.
  package static let standardStream = ConversionPlan.stream

  package var form: Container.Form? { value(.form).flatMap(Container.Form.init) }

  /// The package at a path, or on standard input. An archive of files counts as a package.
  /// - Parameters:
  ///   - isReporting: whether warnings are printed.
  ///   - scope: how much of a flat package has to be sound.
  package func container(
    at path: String, reporting isReporting: Bool = true,
    scope: ContainerReader.Scope = .allGenerations
  ) throws -> Container {
    if isReporting { noteUnsaved(path) }
    let container: Container
    // For anything else, the error of the container states why it is not a package.
    if path == Self.standardStream {
      let bytes = try console.input.read(.standard)
      container = try locating(Location(file: path)) {
        try OpenedFiles(bytes: bytes, name: path, scope: scope)?.container
          ?? Container(decoding: bytes)
      }
    } else {
      container = try namingOtherFiles(path) {
        try OpenedFiles(path: path, scope: scope)?.container ?? Container(contentsOf: path)
      }
    }
    if isReporting { note(container.warnings) }
    return container
  }

  /// The flat package at a path, with its tree not yet read. Nil for any other file.
  package func flatPackage(
    at path: String, scope: ContainerReader.Scope = .lastGeneration
  ) throws -> ContainerReader? {
    guard path != Self.standardStream, try Files.status(path)?.kind == .file else { return nil }
    let source = try ByteSource.file(path)
    guard try source.isFlatPackage else { return nil }
    noteUnsaved(path)
    let reader = try ContainerReader(source, scope: scope)
    note(reader.warnings)
    return reader
  }

  /// Prints diagnostics on standard error, notes only with `--verbose`.
  package func report(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics
    where diagnostic.severity > .note || console.verbosity == .verbose {
      console.report(diagnostic)
    }
  }

  /// The effect at a path, or on standard input, in any format.
  package func effect(at path: String) throws -> OpenedEffect {
    noteUnsaved(path)
    let format = value(.from).flatMap { FormatRegistry.standard[$0] }
    guard path == Self.standardStream else {
      return try OpenedEffect(
        path: path, as: format, imageFolders: values(.images), project: project(), engine: engine)
    }
    // Images that it names are searched for in the current folder.
    let finder = try imageFinder(besides: path)
    return try OpenedEffect(
      bytes: console.input.read(.standard), name: path, as: format, images: finder, engine: engine)
  }

  /// Finds the images that a file names.
  func imageFinder(besides path: String) throws -> ImageFinder {
    var finder = ImageFinder(besides: path, folders: values(.images))
    finder.project = try project()
    return finder
  }

  /// The value of `--project`, or nil.
  /// - Throws: ``UsageError`` for a folder that is not the root of a project.
  func project() throws -> String? {
    guard let folder = value(.project) else { return nil }
    guard ImageFinder.isProject(folder) else {
      throw UsageError(
        "'\(folder)' is no project: it has no project.godot, no game.project and no folder Assets",
        hint: "name the folder that has one of them; --images searches any folder for images")
    }
    return folder
  }

  /// The engine that `--engine` names, or nil.
  var engine: ParticleSystem.Profile? {
    value(.engine).map { ParticleSystem.Profile(rawValue: $0) }
  }

  /// The effect at a path, with the profile that `--engine` names, for commands that show or convert a package.
  func effectOfEngine(at path: String) throws -> OpenedEffect {
    var opened = try effect(at: path)
    if let engine, opened.isPackage {
      var system = try opened.package.system()
      system.asset.profile = engine
      try opened.package.setSystem(system)
    }
    return opened
  }

  /// The value of `--output`, for commands that cannot do without.
  /// - Throws: ``UsageError`` if the option is missing.
  func requiredOutput() throws -> String {
    guard let output = value(.output) else { throw UsageError("missing option '--output'") }
    return output
  }

  /// Rejects output paths that are likely mistakes, before any work is done.
  /// - Throws: ``UsageError`` if both JSON and the package would go to standard output, or if the path has the
  ///   extension of another format. ``ParticlesCore/Rule/fileExists`` for a folder with other files, which `--force`
  ///   would remove.
  func check(placeOfPackage path: String, as form: Container.Form) throws {
    guard path != Self.standardStream else { return try checkStandardOutput() }
    let kind = Files.pathExtension(of: path)
    if kind != "particles",
      let other = FormatRegistry.standard.formats.first(where: { $0.extensions.contains(kind) })
    {
      throw UsageError(
        "'\(path)' has the extension of a \(other.title), but this command writes packages",
        hint: "write a .particles file, then use 'particles convert'")
    }
    guard form == .directory || ["particles", ""].contains(kind) else {
      throw UsageError(
        "'\(path)' would be a package with the extension .\(kind)",
        hint: "end the name in .particles")
    }
    if form == .directory, flag(.force), try DocumentSet.isPlainFolder(path),
      try !Files.list(path).isEmpty
    {
      throw Diagnostic(
        .fileExists, at: Location(file: path), "it is a folder with other files",
        hint: "choose another name")
    }
  }

  /// Whether `--beside` names the results, which excludes other options that do.
  /// - Parameter inputs: the name of the argument for the inputs.
  func writesBeside(_ inputs: String) throws -> Bool {
    guard flag(.beside) else { return false }
    for option in [Option.output, .force, .skipExisting]
    where value(option) != nil || flag(option) {
      throw UsageError("'--beside' and '\(option.spelling)' exclude each other")
    }
    guard !arguments(inputs).contains(Self.standardStream) else {
      throw UsageError("'--beside' needs a file, not standard input")
    }
    return true
  }

  /// Rejects `--json` together with a result on standard output.
  func checkStandardOutput() throws {
    guard flag(.json) else { return }
    throw UsageError(
      "'--json' and the result cannot both go to standard output",
      hint: "write the result to a file")
  }

  /// Prints the result of a command that writes files, for `--json`.
  /// - Parameter files: how many files were written.
  func printWritten(_ members: JSONObject, files: Int) throws {
    guard flag(.json) else { return }
    var result = members
    result["files"] = .int(files)
    try print(.object(result))
  }

  /// Changes a package in place, as an application does that has the document open.
  /// - Parameters:
  ///   - opened: the package. It is not read again unless another program saves it meanwhile.
  ///   - path: its path.
  ///   - name: the name of the edit.
  ///   - options: how to make and save the change.
  ///   - timeout: for how many seconds to wait for other programs. Nil selects the default.
  ///   - isKeeping: whether the edit and the states before and after it are kept in the data folder.
  ///   - change: changes the package, see `Document.update(_:_:_:)`.
  package func update<Result: Sendable>(
    _ opened: OpenedEffect, at path: String, _ name: String, _ options: UpdateOptions,
    timeout: Double? = nil, keepingVersions isKeeping: Bool = false,
    _ change:
      @escaping @Sendable (_ package: inout EffectPackage, _ first: Result?) throws ->
      Result
  ) throws -> UpdateOutcome<EffectPackage, Result> {
    try update(
      PathStorage(path, opened: opened.package.container), name, options, timeout: timeout,
      keepingVersions: isKeeping, change)
  }

  /// Reads contents of any kind, and updates them.
  func update<Content: DocumentContent, Result: Sendable>(
    _ storage: PathStorage, _ name: String, _ options: UpdateOptions, timeout: Double? = nil,
    keepingVersions isKeeping: Bool,
    _ change: @escaping @Sendable (_ content: inout Content, _ first: Result?) throws -> Result
  ) throws -> UpdateOutcome<Content, Result> {
    var configuration = DocumentConfiguration(
      dataFolder: isKeeping ? BaseDirectories(environment: environment).dataHome : nil)
    configuration.presenceFolder = nil
    configuration.autosave = .off
    configuration.isWatching = false
    if let timeout { configuration.timeout = timeout }
    let document = Document<Content>(storage: storage, configuration: configuration)
    return try BlockingWait.run { try await document.update(name, options, change) }
  }

  /// Writes a package to a path, or in flat form to standard output. Returns its size in bytes, or nil for a directory.
  @discardableResult
  package func save(
    _ container: Container, to path: String, as form: Container.Form,
    options: PackingOptions = PackingOptions()
  ) throws -> Int? {
    if path == Self.standardStream {
      guard form == .flat else {
        throw UsageError("a directory cannot be written to standard output")
      }
      let bytes = try container.encoded(options)
      try console.write(bytes)
      return bytes.count
    }
    try container.write(to: path, as: form, replacing: flag(.force), options: options)
    return form == .flat ? try Files.status(path)?.size : nil
  }
}

extension Int {
  /// The number with a noun: `1 file`, `3 files`.
  package func of(_ thing: String, plural: String? = nil) -> Phrase {
    "\(self) \(fixed: self == 1 ? thing : plural ?? thing + "s")"
  }
}

/// The documents of a command that writes a result for each: in a folder with equal subfolders, beside the documents,
/// or at one path.
struct BatchOfResults {
  private let invocation: Invocation
  private let plan: ConversionPlan
  private let place: String
  /// Whether the folder of a single result is created, too.
  private let createsFolder: Bool

  /// The number of results that are printed one by one.
  private static let mostTold = 10

  /// Finds the documents and names the results.
  /// - Parameters:
  ///   - words: the arguments.
  ///   - output: the path of the result, or the folder for results. Nil writes beside the documents.
  ///   - kind: the file name extension of results.
  ///   - createsFolder: whether the folder of a single result is created, too.
  init(
    _ invocation: Invocation, _ words: [String], to output: String?, extension kind: String,
    creatingFolder createsFolder: Bool = false
  ) throws {
    self.invocation = invocation
    self.createsFolder = createsFolder
    if let output {
      plan = try ConversionPlan(
        words, to: output, isRecursive: invocation.flag(.recursive), filter: invocation.filter,
        extension: kind)
      invocation.console.show(plan.documents.unpacked)
      place = "to \(output)"
    } else {
      plan = try ConversionPlan(
        beside: invocation.documents(words), isFamily: false
      ) { _ in kind }
      place = "beside their inputs"
    }
  }

  /// Writes each result with `body`, which takes the paths of the document and of the result. Folders for results are
  /// created. A failure is reported, and the remaining documents are processed. With `--json`, the values that `body`
  /// returns are printed after all documents.
  /// - Returns: the worst status.
  func run(
    _ body: (_ input: String, _ output: String) throws -> JSONValue?
  ) throws -> ExitStatus {
    let outputs = Dictionary(
      plan.items.map { ($0.input, $0.output) }, uniquingKeysWith: { first, _ in first })
    var unknown = plan.unknown
    var created: [String] = []
    defer { for folder in created.reversed() { try? Files.removeEmptyDirectory(folder) } }
    var written = 0
    var rows: [JSONValue] = []
    invocation.tellsResults(plan.items.count <= Self.mostTold)
    let status = try invocation.forEach(plan.documents, unknown: &unknown) { path in
      guard let output = outputs[path] else { return .done }
      if plan.isBatch || createsFolder {
        try Files.makeDirectories(Files.folder(of: output), mode: 0o777, noting: &created)
      }
      if let row = try body(path, output) { rows.append(row) }
      written += 1
      return .done
    }
    if invocation.flag(.json) {
      var answer: JSONObject = ["files": .array(rows)]
      addOthers(unknown, to: &answer)
      try invocation.print(.object(answer))
    }
    invocation.tellOthers(plan.documents, unknown: unknown)
    if plan.documents.isSearch || plan.items.count > Self.mostTold {
      let failed = plan.items.count - written - (unknown.count - plan.unknown.count)
      invocation.console.inform(
        "\(plan.items.count.of("file")): \(written) written \(place)"
          + (failed > 0 ? ", \("\(failed) failed" as Phrase)" : "")
          + invocation.others(plan.documents, unknown: unknown.count))
    }
    guard written > 0 || status > .done else { return invocation.noDocuments(plan.documents) }
    return status
  }

  /// The files that were not processed, for `--json`.
  private func addOthers(_ unknown: [String], to object: inout JSONObject) {
    guard plan.documents.isSearch else { return }
    object["unknown"] = .array(unknown.map(JSONValue.string))
    object["ignored"] = .array(plan.documents.ignored.map(JSONValue.string))
  }
}
