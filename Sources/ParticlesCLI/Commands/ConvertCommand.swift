internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesModel

extension Command {
  /// Converts documents.
  static let convert = Command(
    name: "convert", group: .formats,
    summary: "Convert documents between formats and forms.",
    discussion: """
      What a format cannot say, or we could not take over exactly, is reported; nothing is dropped \
      in silence. The file that an effect was imported from is kept in the package, and so is every \
      property that has no home in it. Between the two forms of a package nothing changes: the tree \
      digest stays.

      With several inputs, the output is a folder, and each result gets the name of its input.
      """,
    arguments: [
      Argument(.file("in"), arity: .oneOrMore, "A document, or - for standard input.")
    ],
    options: [.output, .to, .from, .form, .images, .strict, .force, .json],
    examples: [
      Example("particles convert fire.scnp -o fire.particles", "Import a SceneKit effect."),
      Example(
        "particles convert fire.particles -o fire --form directory",
        "Turn a flat package into a directory."),
      Example(
        "particles convert fire.scnp smoke.scnp -o effects --images textures",
        "Convert several files into a folder."),
    ],
    run: { invocation in
      guard let output = invocation.value(.output) else {
        throw UsageError("missing option '--output'")
      }
      let inputs = invocation.arguments("in")
      let intoFolder = try inputs.count > 1 || isFolder(output)
      if intoFolder { try makeFolder(output) }
      var report = Report()
      let status = try invocation.forEach(inputs) { input in
        let target = intoFolder ? Files.joined(output, resultName(for: input)) : output
        var file = Report.File(path: input)
        defer { report.files.append(file) }
        return try convert(input, to: target, invocation, &file)
      }
      if invocation.flag(.json) { try invocation.print(report.json) }
      return status
    })

  private static func convert(
    _ input: String, to target: String, _ invocation: Invocation, _ file: inout Report.File
  ) throws -> ExitStatus {
    do {
      let opened = try invocation.effect(at: input)
      file.kind = opened.kindName
      file.diagnostics = opened.diagnostics
      // A package without a sound document is not an effect, and converts to nothing.
      _ = try locating(Location(file: input)) { try opened.package.system() }
      let losses = opened.diagnostics.filter { $0.severity > .note }
      if !invocation.flag(.json) {
        for diagnostic in opened.diagnostics
        where diagnostic.severity > .note || invocation.console.verbosity == .verbose {
          invocation.console.report(diagnostic)
        }
      }
      guard losses.isEmpty || !invocation.flag(.strict) else {
        invocation.console.complain(
          "\(input) is not converted: \(losses.count.of("loss", plural: "losses"))",
          hint: "without --strict it is, with the losses above")
        return .answerNo
      }
      try invocation.save(opened.package.container, to: target, as: invocation.form ?? .flat)
      invocation.console.say("converted \(input) to \(target)")
      return .done
    } catch let diagnostic as Diagnostic {
      file.diagnostics.append(diagnostic.inside(Location(file: input)))
      throw diagnostic
    }
  }

  /// An existing directory that is a package is a result to be replaced; any other takes results.
  private static func isFolder(_ path: String) throws -> Bool {
    guard try Files.status(path)?.kind == .directory else { return path.hasSuffix("/") }
    let document = Files.joined(path, EffectPackage.documentPath)
    return try Files.status(document) == nil
  }

  private static func makeFolder(_ path: String) throws {
    if try Files.status(path) == nil { try Files.makeDirectory(path) }
  }

  private static func resultName(for input: String) -> String {
    let stem = input == Invocation.standardStream ? "effect" : Files.stem(of: input)
    return "\(stem).particles"
  }
}

extension Option {
  fileprivate static let to = Option(
    "to", value: .choice("format", ["particles"]), default: "particles",
    "The format of the output.")
  fileprivate static let strict = Option(
    "strict", "Write nothing, and end with status 1, if anything could not be taken over.")
}
