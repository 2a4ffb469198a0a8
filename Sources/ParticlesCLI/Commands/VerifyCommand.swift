internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments

extension Command {
  /// Checks the bytes of packages.
  static let verify = Command(
    name: "verify", group: .packages,
    summary: "Check every byte of flat packages.",
    discussion: """
      Checks only the package, not its contents: checksums, lengths, order, names, and that \
      every block can be decompressed. Checks what the file still has of earlier saves, too, \
      which other commands ignore. 'validate' also checks the effect.
      """,
    arguments: [
      Argument(.file("file"), arity: .oneOrMore, "A flat package, or - for standard input.")
    ],
    options: [.quick, .json],
    examples: [
      Example("particles verify fire.particles", "Check a package."),
      Example("particles verify --quick fire.particles", "Check without decompressing."),
    ],
    run: { invocation in
      var report = Report()
      var status = try invocation.forEach(invocation.arguments("file")) { path in
        var file = Report.File(path: path, kind: "flat package")
        do {
          let source =
            try path == Invocation.standardStream
            ? ByteSource.bytes(invocation.console.input.read(.standard), name: path) : .file(path)
          file.diagnostics = try invocation.namingOtherFiles(path) {
            try ContainerReader(source).verify(invocation.flag(.quick) ? .quick : .full)
          }
        } catch let fault as Diagnostic where !["file", "limit"].contains(fault.rule.family) {
          file.diagnostics = [fault.inside(Location(file: path))]
        }
        report.files.append(file)
        if !invocation.flag(.json) { try file.diagnostics.forEach(invocation.console.print) }
        if let hint = file.diagnostics.first(where: { $0.rule == .signature })?.toolHint {
          invocation.console.inform("  hint: \(hint)")
        }
        return .done
      }
      if report.count(.error) > 0 { status = max(status, .answerNo) }
      if invocation.flag(.json) { try invocation.print(report.json) }
      invocation.console.inform(
        "\(report.files.count.of("package")): \(report.count(.error).of("error"))")
      return status
    })

  /// Rewrites packages without superseded data.
  static let compact = Command(
    name: "compact", group: .packages,
    summary: "Remove superseded data left by in-place saves.",
    discussion: """
      Writes each package again without superseded data and replaces the old file when the new \
      one is complete. Compact a package before you give it away: until then it contains the \
      data that was replaced or removed.
      """,
    arguments: [Argument(.file("file"), arity: .oneOrMore, "A flat package.")],
    options: [.json],
    examples: [Example("particles compact fire.particles", "Compact a package.")],
    run: { invocation in
      var files: [JSONValue] = []
      let status = try invocation.forEach(invocation.arguments("file")) { path in
        // A damaged package must not become one that seems to be sound.
        var container = try invocation.namingOtherFiles(path) {
          try Container(contentsOf: path, scope: .everyFrame)
        }
        guard container.form == .flat else { throw UsageError("'\(path)' is not a flat package") }
        let before = try Files.status(path)?.size ?? 0
        try container.save(mode: .replace)
        let after = try Files.status(path)?.size ?? 0
        files.append(["path": .string(path), "before": .int(before), "after": .int(after)])
        invocation.console.inform(
          "compacted \(path) (\(before.bytesText), now \(after.bytesText))")
        return .done
      }
      if invocation.flag(.json) { try invocation.print(["files": .array(files)]) }
      return status
    })
}

extension Option {
  fileprivate static let quick = Option("quick", "Check the checksums without decompressing.")
}
