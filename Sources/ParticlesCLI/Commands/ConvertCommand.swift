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
      digest stays. Nor does it on the way to an archive and back, where any tree of files will do, \
      an effect or not.

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
      Example("particles convert fire.particles -o fire.zip", "Export everything as an archive."),
    ],
    run: { invocation in
      guard let output = invocation.value(.output) else {
        throw UsageError("missing option '--output'")
      }
      let inputs = invocation.arguments("in")
      let intoFolder = try inputs.count > 1 || isFolder(output)
      let result = try ConversionResult(invocation, named: intoFolder ? nil : output)
      if intoFolder { try makeFolder(output) }
      var report = Report()
      let status = try invocation.forEach(inputs) { input in
        let target = intoFolder ? Files.joined(output, result.name(for: input)) : output
        var file = Report.File(path: input)
        defer { report.files.append(file) }
        return try convert(input, to: target, as: result, invocation, &file)
      }
      if invocation.flag(.json) { try invocation.print(report.json) }
      return status
    })

  private static func convert(
    _ input: String, to target: String, as result: ConversionResult, _ invocation: Invocation,
    _ file: inout Report.File
  ) throws -> ExitStatus {
    do {
      let opened = try invocation.effect(at: input)
      file.kind = opened.kindName
      file.diagnostics = opened.diagnostics
      // A package without a sound document is not an effect, and converts to nothing.
      if !opened.isArchive, result.archive == nil {
        _ = try locating(Location(file: input)) { try opened.package.system() }
      }
      let losses = opened.diagnostics.filter { $0.severity > .note }
      if !invocation.flag(.json) { invocation.report(opened.diagnostics) }
      guard losses.isEmpty || !invocation.flag(.strict) else {
        invocation.console.complain(
          "\(input) is not converted: \(losses.count.of("loss", plural: "losses"))",
          hint: "without --strict it is, with the losses above")
        return .answerNo
      }
      if let archive = result.archive {
        let remarks = try invocation.save(opened.package.container, to: target, as: archive)
          .map { $0.inside(Location(file: target)) }
        file.diagnostics += remarks
        if !invocation.flag(.json) { invocation.report(remarks) }
      } else {
        try invocation.save(opened.package.container, to: target, as: result.form)
      }
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
}

/// What the results are to be: packages in one of the forms, or archives.
private struct ConversionResult {
  var form: Container.Form
  var archive: ParticleFormat?

  /// Takes the options at their word; where they leave it open, the name of the result tells.
  init(_ invocation: Invocation, named output: String?) throws {
    let kind = output.map(Files.pathExtension) ?? ""
    let archives = ParticleFormat.all.filter(\.isArchive)
    archive =
      if let name = invocation.value(.to) {
        archives.first { $0.name == name }
      } else {
        archives.first { $0.extensions.contains(kind) }
      }
    if let archive {
      guard invocation.form == nil else {
        throw UsageError("'--form' is for packages, and the result is a \(archive.title)")
      }
      guard archive.name != "tar" || !["gz", "tgz"].contains(kind) else {
        throw UsageError(
          "compressed tar archives are only read", hint: "write a .tar, and compress it with gzip")
      }
    }
    form = invocation.form ?? .flat
  }

  /// What the result of an input is called among others.
  func name(for input: String) -> String {
    let stem = input == Invocation.standardStream ? "effect" : Files.stem(of: input)
    return "\(stem).\(archive?.extensions.first ?? "particles")"
  }
}

extension Option {
  fileprivate static let to = Option(
    "to",
    value: .choice("format") {
      ["particles"] + ParticleFormat.all.filter(\.isArchive).map(\.name)
    }, default: "told by the name of the output, or particles", "The format of the output.")
  fileprivate static let strict = Option(
    "strict", "Write nothing, and end with status 1, if anything could not be taken over.")
}
