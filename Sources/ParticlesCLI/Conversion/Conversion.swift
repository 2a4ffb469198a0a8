internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats

/// A run of `convert`.
struct Conversion: Sendable {
  private let invocation: Invocation
  private let target: ConversionTarget
  private let inputs: ConversionInputs

  /// The most that may be lost.
  private let limit: Loss.Level?

  private var isDry: Bool { invocation.flag(.dryRun) }

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    let output = invocation.value(.output)
    guard output != nil || invocation.flag(.dryRun) else {
      throw UsageError("missing option '--output'")
    }
    if output == Invocation.standardStream, !invocation.flag(.dryRun) {
      try invocation.checkStandardOutput()
    }
    let paths = invocation.arguments("in")
    let isNamed = paths.count == 1
    target = try ConversionTarget(invocation, named: isNamed ? output : nil)
    inputs = try ConversionInputs(
      paths, output: output, isRecursive: invocation.flag(.recursive),
      extension: target.pathExtension)
    limit = invocation.value(.maxLoss).flatMap(Loss.Level.init)
  }

  func run() throws -> ExitStatus {
    if !isDry {
      for folder in inputs.folders { try Self.makeFolder(folder) }
    }
    var report = ConversionReport(invocation, isBatch: inputs.isBatch, limit: limit)
    var written: [String: Digest] = [:]
    let bar = ProgressBar("converting", total: inputs.pairs.count, console: invocation.console)
    try Parallel.ordered(inputs.pairs.count, state: {}) { index, _ in
      try convert(inputs.pairs[index])
    } emit: { outcome in
      var outcome = outcome
      if !isDry { outcome.write(with: invocation, beside: &written) }
      try bar.aside { try report.add(outcome) }
      bar.advance()
    }
    bar.finish()
    return try report.finish()
  }

  /// Makes a folder, and those around it, where there is none.
  private static func makeFolder(_ path: String) throws {
    guard !path.isEmpty, try Files.status(path) == nil else { return }
    let parent = Files.folder(of: path)
    if parent != path { try makeFolder(parent) }
    try Files.makeDirectory(path)
  }

  // MARK: One document

  private func convert(_ pair: ConversionInputs.Pair) throws -> ConversionOutcome {
    var outcome = ConversionOutcome(pair)
    do {
      try convert(pair, &outcome)
    } catch let diagnostic as Diagnostic where diagnostic.rule != .usage {
      outcome.fail(explained(diagnostic, pair))
    }
    return outcome
  }

  /// A folder that is no package may be one of documents.
  private func explained(_ fault: Diagnostic, _ pair: ConversionInputs.Pair) -> Diagnostic {
    guard fault.rule == .noDocument, (try? PackageFinder().isPlainFolder(pair.input)) == true
    else { return fault }
    var fault = fault
    fault.hint = "--recursive takes the documents in a folder"
    return fault
  }

  private func convert(
    _ pair: ConversionInputs.Pair, _ outcome: inout ConversionOutcome
  ) throws {
    let opened = try invocation.effect(at: pair.input)
    outcome.file.kind = opened.kindName
    outcome.file.diagnostics = opened.diagnostics
    let input = Location(file: pair.input)
    if case .effect(let format) = target {
      if case .imported(let source) = opened.kind, source.name == format.name {
        // What the document could not take over stays in the file all the same.
        for index in opened.diagnostics.indices { outcome.file.diagnostics[index].severity = .note }
      }
      let name = Files.lastComponent(of: pair.output)
      let place = invocation.value(.placeImages).flatMap(EncodingContext.ImagePlacement.init)
      let package = opened.package
      var exported = try locating(input) {
        try package.exported(as: format, fileName: name, images: place)
      }
      if case .imported = opened.kind {
        // The import has reported each image that is missing, and under which key.
        exported.losses.removeAll { $0.rule == .missingImage }
      }
      outcome.take(exported) {
        try package.namingImages(after: Files.stem(of: name))
          .exported(as: format, fileName: name, images: place)
      }
    } else if !opened.isArchive, case .package = target {
      // A package without a sound document is not an effect, and converts to nothing.
      _ = try locating(input) { try opened.package.system() }
    }
    outcome.isRefused = invocation.flag(.strictLosses) && outcome.worst > limit ?? .info
    guard !isDry, !outcome.isRefused else { return }
    switch target {
    case .effect: break
    case .archive(let format):
      outcome.file.diagnostics += try invocation.save(
        opened.package.container, to: pair.output, as: format
      ).map { $0.inside(Location(file: pair.output)) }
      outcome.outputs = [pair.output]
    case .package(let form):
      try invocation.save(opened.package.container, to: pair.output, as: form)
      outcome.outputs = [pair.output]
    }
  }
}
