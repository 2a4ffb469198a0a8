internal import ParticlesCore
internal import ParticlesTypes

extension Command {
  /// Checks declarations and claims.
  static let typesLint = Command(
    name: "lint", group: .formats,
    summary: "Check applications, property lists, types.json files and desktop entries.",
    discussion: """
      An application is checked with its extensions, and the findings in each property list are reported \
      under its path. Each finding is one line: path, key, severity, message and the code of the rule. The status is 0 \
      if there are no errors, 1 if there are, and 2 if a file could not be read.
      """,
    arguments: [
      Argument(
        .file("plist"), arity: .oneOrMore,
        "An application or extension, a property list, a types.json, or a desktop entry.")
    ],
    options: [.strict, .with, .json, .sarif],
    examples: [
      Example("particles types lint Info.plist", "Check the types of an application."),
      Example(
        "particles types lint /Applications/Draw.app", "Check an application with its extensions."),
      Example(
        "particles types lint --sarif types.json > findings.sarif",
        "Write the findings for an editor or a code host."),
    ],
    run: { invocation in
      guard !invocation.flag(.json) || !invocation.flag(.sarif) else {
        throw UsageError("'--json' and '--sarif' exclude each other")
      }
      let isText = !invocation.flag(.json) && !invocation.flag(.sarif)
      let known = try KnownTypes(invocation).registry
      var report = Report()
      var status = try invocation.forEach(invocation.arguments("plist")) { path in
        let files = try lint(path, known, isComplete: !invocation.values(.with).isEmpty)
        report.files += files
        for diagnostic in files.flatMap(\.diagnostics) where isText && invocation.shows(diagnostic)
        {
          try invocation.console.print(diagnostic)
          if let hint = diagnostic.hint { invocation.console.detail("  hint: \(hint)") }
        }
        return .done
      }
      if invocation.flag(.json) { try invocation.print(report.json) }
      if invocation.flag(.sarif) {
        let tool = invocation.tool
        try invocation.print(report.sarif(tool: tool.name, version: tool.version))
      }
      let (errors, warnings) = (report.count(.error), report.count(.warning))
      invocation.console.inform(
        "\(report.files.count.of("file")): \(errors.of("error")), \(warnings.of("warning"))")
      let isBad = errors > 0 || invocation.flag(.strict) && warnings > 0
      if isBad { status = max(status, .answerNo) }
      return status
    })

  /// The findings in a file, or in a bundle and its extensions.
  private static func lint(
    _ path: String, _ known: TypeRegistry, isComplete: Bool
  ) throws -> [Report.File] {
    let bundle: TypesBundle
    do {
      bundle = try TypesBundle(contentsOf: path)
    } catch let diagnostic as Diagnostic where diagnostic.rule.family != "file" {
      return [report(of: path, [diagnostic])]
    }
    let results = bundle.findings(known: known, isComplete: isComplete) { template in
      try? Files.status(Files.joined(Files.folder(of: path), template))?.size
    }
    let files = results.map { report(of: $0.file.source.path ?? path, $0.findings) }
    let faults = bundle.faults.map { report(of: $0.location.file ?? path, [$0]) }
    return files + faults
  }

  private static func report(of path: String, _ findings: [Diagnostic]) -> Report.File {
    Report.File(
      path: path, kind: "types", diagnostics: findings.map { $0.inside(Location(file: path)) }
    ).locatingLines { $0 == nil ? try? Files.read(path) : nil }
  }
}
