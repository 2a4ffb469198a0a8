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
      """,
    arguments: [Argument(.file("file"), arity: .oneOrMore, "A document.")],
    options: [.strict, .images, .json],
    examples: [
      Example("particles validate fire.particles", "Check a document."),
      Example("particles validate --json fire.particles", "Print the findings as JSON."),
    ],
    run: { invocation in
      let validator = Validator(imageFolders: invocation.values(.images))
      var report = Report()
      var status = try invocation.forEach(invocation.arguments("file")) { path in
        let file = try validator.check(path)
        report.files.append(file)
        if !invocation.flag(.json) {
          for diagnostic in file.diagnostics where invocation.shows(diagnostic) {
            try invocation.console.print(diagnostic)
          }
        }
        return .done
      }
      let (errors, warnings) = (report.count(.error), report.count(.warning))
      if errors > 0 || invocation.flag(.strict) && warnings > 0 { status = max(status, .answerNo) }
      if invocation.flag(.json) { try invocation.print(report.json) }
      invocation.console.say(
        "\(report.files.count.of("file")): \(errors.of("error")), \(warnings.of("warning"))")
      return status
    })
}

extension Option {
  fileprivate static let strict = Option("strict", "Count warnings as errors.")
}

extension Invocation {
  /// Notes are for those who want to know everything.
  fileprivate func shows(_ diagnostic: Diagnostic) -> Bool {
    switch diagnostic.severity {
    case .note: console.verbosity == .verbose
    case .warning: console.verbosity != .quiet
    case .error: true
    }
  }
}
