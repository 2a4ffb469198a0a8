package import ParticlesCore
internal import ParticlesDocuments

/// One run of a command: its arguments and its console.
public struct Invocation: Sendable {
  /// The tool that the command belongs to.
  public let tool: Tool

  /// The standard streams.
  public let console: Console

  private let words: Parser.Words
  private let output: JSONOutput?
  let notes = CollectedNotes()

  /// - Parameter output: takes the result of a run with `--json`; nil for any other run.
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

  /// The value of an option, or nil if it was not given; the last one if it is repeatable.
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

  /// Prints an error that prevented a part of the result; with `--json`, it is in the document too.
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

  /// Prints what was written, of many results with `--verbose` only.
  func tellResult(_ line: String) {
    notes.tellsResults ? console.inform(line) : console.detail(line)
  }

  /// Sets whether ``tellResult(_:)`` prints without `--verbose`; true by default.
  func tellsResults(_ isTelling: Bool) { notes.tellsResults = isTelling }

  /// Runs `body` for a number of documents, and prints what it notes about several of them as few lines.
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
    try console.write((output?.document(of: json) ?? json).text)
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
