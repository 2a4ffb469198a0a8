internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesImages
internal import ParticlesSystem

extension Command {
  /// Checks documents.
  static let validate = Command(
    name: "validate", group: .documents,
    summary: "Check documents: package, effect and images.",
    discussion: """
      Accepts packages of both forms and files of every format that can be converted, including \
      Apple's .particles documents. Each finding is one line: path, place, severity, message and \
      the code of the rule. The status is 0 if there are no errors, 1 if there are, and 2 if a \
      file cannot be read.

      With --fix, first repairs everything that has one possible correction: sorts the keys of \
      curves, exchanges the ends of ranges whose first one is greater, moves numbers that are out of range to \
      the nearest allowed number, corrects the stated properties of images, removes copies left by file wrappers, \
      draws a stale thumbnail again, writes the document in canonical form, and points in place of decimal commas \
      in text files of other programs. Packages keep their form and are saved \
      completely or not at all. The repairs are listed, then the remaining findings. With \
      --dry-run, the repairs are only listed.

      With --recursive, a folder means all documents in it and its subfolders, recognised by content or extension. \
      Damaged documents are errors. Files that .gitignore and .ignore name are left out, and other files are counted \
      as unknown. If there are no documents, the status is 1. A missing image is a warning.

      More than 20 findings of several documents are grouped: one line for each document with an error, then the ten \
      heaviest causes with the number of files. --verbose prints every finding, in the order of the documents, and \
      names the files that are unknown or ignored. --json has everything, too.
      """,
    arguments: [.documents()],
    options: Option.inputs + [
      .allowNone, .strict, .ignore, .fix, .dryRun, .engine, .images, .project, .json, .sarif,
    ],
    examples: [
      Example("particles validate fire.particles", "Check a document."),
      Example(
        "particles validate -r effects --strict",
        "Check all documents in a folder, and treat warnings as errors."),
      Example("particles validate --fix fire.particles", "Repair a document."),
      Example("particles validate --json fire.particles", "Print the findings as JSON."),
      Example(
        "particles validate -r effects --sarif > findings.sarif",
        "Write the findings for an editor or a code host."),
    ],
    run: { try Validation($0).run() })
}

/// The output format of the findings.
private enum Output {
  case text, json, sarif
}

/// A run of `validate`.
private struct Validation: Sendable {
  private let invocation: Invocation
  private let validator: Validator
  private let ignored: Set<Rule>
  private let output: Output

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    var validator = Validator(
      imageFolders: invocation.values(.images), engine: invocation.engine)
    validator.project = try invocation.project()
    let words = invocation.arguments("file")
    if try ConversionPlan.isBatch(words, to: nil, isRecursive: invocation.flag(.recursive)) {
      validator.batch = ValidationBatch()
    }
    self.validator = validator
    ignored = try Set(invocation.values(.ignore).map(Self.rule))
    guard !invocation.flag(.json) || !invocation.flag(.sarif) else {
      throw UsageError("'--json' and '--sarif' exclude each other")
    }
    guard !invocation.flag(.dryRun) || invocation.flag(.fix) else {
      throw UsageError("'--dry-run' needs '--fix'")
    }
    guard !invocation.flag(.fix) || !invocation.arguments("file").contains(Self.input) else {
      throw UsageError("standard input cannot be repaired", hint: "save it to a file")
    }
    output = invocation.flag(.json) ? .json : invocation.flag(.sarif) ? .sarif : .text
  }

  private static let input = Invocation.standardStream

  private static func rule(_ code: String) throws -> Rule {
    if let rule = Rule.all.first(where: { $0.code == code }) { return rule }
    let near = Suggestion.nearest(to: code, among: Rule.all.map(\.code))
    throw UsageError(
      "unknown rule '\(code)'",
      hint: near.map { "did you mean '\($0)'?" }
        ?? "the rule is in brackets at the end of each finding, such as image/mismatch")
  }

  func run() throws -> ExitStatus {
    let set = documents()
    let status = invocation.begin(set)
    var report = Report()
    var findings = FindingReport(invocation.console, isBatch: set.documents.count > 1)
    var failures = FailureLines(invocation, recording: false)
    var unknown = set.unknown
    let bar = ProgressBar("validating", total: set.documents.count, console: invocation.console)
    try Parallel.ordered(set.documents.count, state: {}) { index, _ in
      check(set.documents[index])
    } emit: { file, isDocument in
      if isDocument {
        invocation.noteUnsaved(file.path)
        report.files.append(file)
        try bar.aside { try show(file, &findings, &failures) }
      } else {
        unknown.append(file.path)
      }
      bar.advance()
    }
    bar.finish()
    try findings.finish(to: sink)
    failures.finish()
    invocation.tellOthers(set, unknown: unknown)
    switch output {
    case .text: break
    case .json: try invocation.print(report.json(unknown: unknown, ignored: set.ignored))
    case .sarif:
      let tool = invocation.tool
      try invocation.print(report.sarif(tool: tool.name, version: tool.version))
    }
    let (errors, warnings) = (report.count(.error), report.count(.warning))
    let repairs = report.files.reduce(0) { $0 + $1.repairs.count }
    let repaired =
      invocation.flag(.dryRun)
      ? repairs.of("repair possible", plural: "repairs possible") : repairs.of("repair")
    invocation.console.inform(
      "\(report.files.count.of("file")): \(errors.of("error")), \(warnings.of("warning"))"
        + (repairs > 0 ? ", \(repaired)" : "")
        + invocation.others(set, unknown: unknown.count))
    guard !report.files.isEmpty else { return invocation.noDocuments(set) }
    if report.files.contains(where: \.isUnreadable) { return .failed }
    return max(status, errors > 0 || invocation.flag(.strict) && warnings > 0 ? .answerNo : .done)
  }

  /// The documents to check, folders replaced by the documents in them.
  private func documents() -> DocumentSet {
    let paths = invocation.arguments("file")
    if !invocation.flag(.recursive) {
      for path in paths where (try? DocumentSet.isPlainFolder(path)) == true {
        invocation.console.inform(
          "'\(path)' is checked as a package; use --recursive to check the documents in a folder")
      }
    }
    return invocation.documents(paths)
  }

  /// Checks a document. `isDocument` is false for a file in a folder that is no document.
  private func check(_ document: DocumentSet.Document) -> (file: Report.File, isDocument: Bool) {
    let path = document.path
    var file: Report.File
    do {
      let repairs =
        invocation.flag(.fix)
        ? try validator.repair(path, saving: !invocation.flag(.dryRun)) : []
      file =
        try path == Self.input
        ? validator.check(
          invocation.console.input.read(.standard), named: path,
          images: invocation.imageFinder(besides: path))
        : validator.check(path)
      file.repairs = repairs
    } catch let diagnostic as Diagnostic {
      file = Report.File(
        path: path, diagnostics: [diagnostic.inside(Location(file: path)).withNextStep])
    } catch {
      file = Report.File(
        path: path,
        diagnostics: [Diagnostic(.fileUnreadable, at: Location(file: path), "\(error)")])
    }
    file.diagnostics = file.diagnostics.map {
      $0.rule == .noDocument ? Invocation.explaining($0, of: path) : $0
    }
    let faults = file.diagnostics.filter { $0.severity == .error }
    if faults.contains(where: { document.isUnknown(because: $0) }) { return (file, false) }
    file.diagnostics.removeAll { ignored.contains($0.rule) }
    return (file, true)
  }

  /// Findings go to standard output.
  private var sink: FindingReport.Sink {
    let console = invocation.console
    return FindingReport.Sink(
      finding: { try console.print($0) }, line: { try console.print(console.wording.text($0)) })
  }

  /// Prints findings. Reasons why a file could not be read go to standard error.
  private func show(
    _ file: Report.File, _ findings: inout FindingReport, _ failures: inout FailureLines
  ) throws {
    let word = invocation.flag(.dryRun) ? "to be fixed" : "fixed"
    for repair in file.repairs where output == .text {
      try invocation.console.print(repair.line(word))
    }
    file.diagnostics.filter(\.isUnreadable).forEach { failures.add($0, of: nil) }
    guard output == .text else { return }
    let shown = file.diagnostics.filter { !$0.isUnreadable && invocation.shows($0) }
    try findings.add(shown, to: sink)
  }
}

extension Diagnostic {
  /// Whether it reports that a file could not be read.
  fileprivate var isUnreadable: Bool { rule.family == "file" && severity == .error }
}

extension Report.File {
  fileprivate var isUnreadable: Bool { diagnostics.contains(where: \.isUnreadable) }
}

extension Option {
  fileprivate static let fix = Option("fix", "Repair everything that has one possible correction.")
  fileprivate static let ignore = Option(
    "ignore", value: .lookup("rule", .rules), repeatable: true,
    "Do not report findings of this rule.")
}
