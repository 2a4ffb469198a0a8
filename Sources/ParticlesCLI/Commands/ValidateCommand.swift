internal import ParticlesCore
internal import ParticlesDocuments

extension Command {
  /// Checks documents.
  static let validate = Command(
    name: "validate", group: .documents,
    summary: "Check documents: package, effect and images.",
    discussion: """
      Takes packages of both forms, and files of every format that can be converted, Apple's \
      .particles documents among them. Each finding is one line: path, place, severity, message and \
      the code of the rule. The status is 0 if there are no errors, 1 if there are, and 2 if a file \
      could not be looked into.

      With --fix, what can be repaired without guessing is repaired first: keys of curves are sorted, \
      what the document says of images is made true, copies that file wrappers left are removed, the \
      document is written in canonical form. Packages are saved in their own form, whole or not at \
      all. What was done is said; what is left is found as usual. With --dry-run, it is only said.

      With --recursive, a folder stands for the packages of both forms in it and below. Documents are \
      looked at with all processors; findings come in the order of the documents.
      """,
    arguments: [
      Argument(
        .file("file"), arity: .oneOrMore,
        "A document, - for standard input, or a folder of documents with --recursive.")
    ],
    options: [.recursive, .strict, .ignore, .fix, .dryRun, .images, .json, .sarif],
    examples: [
      Example("particles validate fire.particles", "Check a document."),
      Example(
        "particles validate -r effects --strict", "Check all packages in a folder, warnings too."),
      Example("particles validate --fix fire.particles", "Repair what can be repaired."),
      Example("particles validate --json fire.particles", "Print the findings as JSON."),
      Example(
        "particles validate -r effects --sarif > findings.sarif",
        "Write the findings for an editor or a code host."),
    ],
    run: { try Validation($0).run() })
}

/// What the results of a check are printed as.
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
    validator = Validator(imageFolders: invocation.values(.images))
    ignored = try Set(invocation.values(.ignore).map(Self.rule))
    guard !invocation.flag(.json) || !invocation.flag(.sarif) else {
      throw UsageError("'--json' and '--sarif' exclude each other")
    }
    guard !invocation.flag(.dryRun) || invocation.flag(.fix) else {
      throw UsageError("'--dry-run' is for '--fix'")
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
      "there is no rule '\(code)'",
      hint: near.map { "did you mean '\($0)'?" }
        ?? "each finding ends in its rule, such as image/mismatch; say --ignore for each rule")
  }

  func run() throws -> ExitStatus {
    let paths = try documents()
    var report = Report()
    let bar = ProgressBar("validating", total: paths.count, console: invocation.console)
    try Parallel.ordered(paths.count, state: {}) { index, _ in
      check(paths[index])
    } emit: { file in
      report.files.append(file)
      try bar.aside { try show(file) }
      bar.advance()
    }
    bar.finish()
    switch output {
    case .text: break
    case .json: try invocation.print(report.json)
    case .sarif:
      let tool = invocation.tool
      try invocation.print(report.sarif(tool: tool.name, version: tool.version))
    }
    let (errors, warnings) = (report.count(.error), report.count(.warning))
    let repairs = report.files.reduce(0) { $0 + $1.repairs.count }
    let isDry = invocation.flag(.dryRun)
    invocation.console.say(
      "\(report.files.count.of("file")): \(errors.of("error")), \(warnings.of("warning"))"
        + (repairs > 0 ? ", \(repairs.of("repair"))\(isDry ? " to be done" : "")" : ""))
    if report.files.contains(where: \.isUnseen) { return .failed }
    return errors > 0 || invocation.flag(.strict) && warnings > 0 ? .answerNo : .done
  }

  /// What was asked for, with the packages in a folder instead of it.
  private func documents() throws -> [String] {
    let paths = invocation.arguments("file")
    let finder = PackageFinder()
    guard invocation.flag(.recursive) else {
      for path in paths where (try? finder.isPlainFolder(path)) == true {
        invocation.console.say("'\(path)' is taken for a package; --recursive looks into folders")
      }
      return paths
    }
    return paths.flatMap { path in
      // What cannot be looked into is told when it is opened.
      (try? finder.isPlainFolder(path)) == true ? finder.packages(below: path) : [path]
    }
  }

  private func check(_ path: String) -> Report.File {
    var file: Report.File
    do {
      let repairs =
        invocation.flag(.fix)
        ? try validator.repair(path, saving: !invocation.flag(.dryRun)) : []
      file =
        try path == Self.input
        ? validator.check(invocation.console.input.read(.standard), named: path)
        : validator.check(path)
      file.repairs = repairs
    } catch let diagnostic as Diagnostic {
      file = Report.File(path: path, diagnostics: [diagnostic.inside(Location(file: path))])
    } catch {
      file = Report.File(
        path: path,
        diagnostics: [Diagnostic(.fileUnreadable, at: Location(file: path), "\(error)")])
    }
    file.diagnostics.removeAll { ignored.contains($0.rule) }
    return file
  }

  /// Findings are the product; why a file could not be looked into is said to a person.
  private func show(_ file: Report.File) throws {
    let word = invocation.flag(.dryRun) ? "to be fixed" : "fixed"
    for repair in file.repairs where output == .text {
      try invocation.console.print(repair.line(word))
    }
    for diagnostic in file.diagnostics {
      if diagnostic.isUnseen {
        invocation.console.report(diagnostic)
      } else if output == .text, invocation.shows(diagnostic) {
        try invocation.console.print(diagnostic)
      }
    }
  }
}

extension Diagnostic {
  /// Whether it says that a file could not be looked into.
  fileprivate var isUnseen: Bool { rule.family == "file" && severity == .error }
}

extension Report.File {
  fileprivate var isUnseen: Bool { diagnostics.contains(where: \.isUnseen) }
}

extension Option {
  fileprivate static let fix = Option("fix", "Repair what can be repaired without guessing.")
  fileprivate static let ignore = Option(
    "ignore", value: .text("rule"), repeatable: true, "Do not look at this rule.")
}
