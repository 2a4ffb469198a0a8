internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesRender
internal import ParticlesSystem

/// The document of a conversion of one document. It is opened once, also if the format of the result
/// depends on it.
final class ConversionSource: Sendable {
  private let invocation: Invocation
  /// The path of the only document. Nil for a batch.
  let path: String?
  private let early = Lock<Result<OpenedEffect, any Error>?>(nil)

  init(_ invocation: Invocation, _ path: String?) {
    (self.invocation, self.path) = (invocation, path)
  }

  /// The format that the document has or was imported from, and the extension of the file. Nil for a batch, and without
  /// an import.
  func origin() throws -> (format: ParticleFormat, extension: String)? {
    guard let path else { return nil }
    let result = Result { try opened(at: path) }
    early.withLock { $0 = result }
    let document = try result.get()
    do {
      return try locating(Location(file: path)) {
        guard let format = try document.originalFormat() else { return nil }
        let file = try document.package.originalFormat()?.path
        return (format, file.map(Files.pathExtension) ?? "")
      }
    } catch let fault as Diagnostic where [.noDocument, .foreign].contains(fault.rule) {
      return nil
    }
  }

  /// Opens a document, unless that was done to choose a format.
  func opened(at path: String) throws -> OpenedEffect {
    let known = early.withLock { early -> Result<OpenedEffect, any Error>? in
      defer { early = nil }
      return path == self.path ? early : nil
    }
    return try known?.get() ?? invocation.effectOfEngine(at: path)
  }
}

extension ConversionTarget {
  /// The word after `--to` that means the format that an effect was imported from.
  private static let originalWord = "original"

  /// The words that `--to` lists. It takes extensions, too.
  static var words: [String] {
    ["particles", originalWord] + FormatRegistry.standard.formats.filter(\.canWrite).map(\.name)
  }

  /// The target by the options, otherwise by the extension of the output. If several formats have the extension, the
  /// effect's original format is chosen and reported.
  init(_ invocation: Invocation, named output: String?, of source: ConversionSource) throws {
    let kind = output.map(Files.pathExtension) ?? ""
    let choice = FormatChoice(invocation, source, output)
    let word = invocation.value(.to)
    guard word != Self.originalWord else {
      guard invocation.form == nil else {
        throw UsageError(
          "'--form' applies to packages only, but '--to original' writes no packages")
      }
      self = .original
      return
    }
    let format = try word.map(choice.named) ?? choice.byOutput(kind)
    guard let format else {
      self = .package(invocation.form ?? .flat)
      return
    }
    guard invocation.form == nil else {
      throw UsageError("'--form' applies to packages only, but the result is a \(format.title)")
    }
    guard format.name != "tar" || !["gz", "tgz"].contains(kind) else {
      throw UsageError(
        "compressed tar archives cannot be written",
        hint: "write a .tar, then compress it with gzip")
    }
    self = format.isArchive ? .archive(format) : .effect(format)
  }
}

/// Finds the format of a result by a name, an extension, or the origin of the effect.
private struct FormatChoice {
  private let invocation: Invocation
  private let source: ConversionSource
  private let output: String?
  private let formats = FormatRegistry.standard

  init(_ invocation: Invocation, _ source: ConversionSource, _ output: String?) {
    (self.invocation, self.source, self.output) = (invocation, source, output)
  }

  /// The format of a name or extension. Nil for packages.
  func named(_ word: String) throws -> ParticleFormat? {
    if word == "particles" || word == ".particles" { return nil }
    if let format = formats[word] {
      return try format.canWrite ? format : writable([format], word)
    }
    let kind = (word.hasPrefix(".") ? String(word.dropFirst()) : word).lowercased()
    let known = formats.formats.filter { $0.extensions.contains(kind) }
    guard known.isEmpty else { return try writable(known, ".\(kind)") }
    let error = UsageError.unknown("value", word, among: ConversionTarget.words)
    throw UsageError(
      "\(error.message) (--to <format>)",
      hint: "the values are \(ConversionTarget.words.joined(separator: ", ")), and extensions")
  }

  /// The format that the extension of the output names. Nil for packages.
  func byOutput(_ kind: String) throws -> ParticleFormat? {
    guard let output, kind != "particles", output != Invocation.standardStream else { return nil }
    let isPackage = invocation.form != nil
    guard !kind.isEmpty else { return isPackage ? nil : try asked(about: output) }
    let known = formats.formats.filter { $0.extensions.contains(kind) }
    if known.isEmpty {
      if isPackage { return nil }
      throw UsageError.unwritable(output, kind)
    }
    return try writable(known, ".\(kind)")
  }

  /// Chooses a writable format among formats with a name or extension: the only format, or the effect's original
  /// format, which need not be writable to come back.
  private func writable(_ known: [ParticleFormat], _ word: String) throws -> ParticleFormat {
    let kind = word.hasPrefix(".") ? String(word.dropFirst()) : ""
    let isOnly = known.count == 1 && known[0].canWrite
    if isOnly, known[0].isArchive { return known[0] }
    // A property list or a JSON file can have the extension of another format than its own.
    if let origin = isOnly ? (try? source.origin()) ?? nil : try source.origin(),
      case let format = origin.format,
      origin.extension == kind || known.contains(where: { $0.name == format.name })
    {
      if isOnly, format.name == known[0].name { return format }
      if let path = source.path {
        let result = output.map { "; \($0) is written in this format" } ?? ""
        invocation.console.inform("\(path) comes from: \(format.title) (\(format.name))\(result)")
      }
      return format
    }
    if isOnly { return known[0] }
    let names = known.filter(\.canWrite).map(\.name)
    guard !names.isEmpty else {
      throw UsageError(
        "files of the format '\(known[0].name)' cannot be written",
        hint: "only a document that was imported from it can be converted back, with --to original")
    }
    if names.count == 1 { return known.first(where: \.canWrite) ?? known[0] }
    throw UsageError(
      "several formats have the extension \(word)",
      hint: "choose one with --to: \(names.joined(separator: ", "))")
  }

  /// Asks for the format of an output without an extension. Nil for packages.
  private func asked(about output: String) throws -> ParticleFormat? {
    // A folder is an error of its own, which names --recursive.
    if let path = source.path, (try? DocumentSet.isPlainFolder(path)) == true { return nil }
    let answer = try invocation.console.ask(
      "Which format shall \(output) have? A name or an extension: "
        + (["particles"] + ConversionTarget.words.dropFirst(2)).joined(separator: ", "))
    guard let answer, !answer.isEmpty else { throw UsageError.extensionless(output) }
    return try named(answer)
  }
}

extension UsageError {
  /// The error for an output whose extension belongs to no writable format.
  static func unwritable(_ output: String, _ kind: String) -> UsageError {
    UsageError(
      "cannot write '\(output)': no format has the extension .\(kind)",
      hint: "formats that can be written: \(writableExtensions)")
  }

  /// The error for an output that has no extension, while no option names a format.
  static func extensionless(_ output: String) -> UsageError {
    UsageError(
      "'\(output)' has no extension, which names the format",
      hint: "end the name in one of \(writableExtensions), name a format with --to, "
        + "or end it in / to write into a folder")
  }

  /// The extensions of all formats that can be written, each one once.
  private static var writableExtensions: String {
    let extensions = FormatRegistry.standard.formats.filter(\.canWrite).flatMap(\.extensions)
    var seen: Set<String> = []
    return (["particles"] + extensions).filter { seen.insert($0).inserted }.map { ".\($0)" }
      .joined(separator: ", ")
  }
}

extension Invocation {
  /// Runs `convert`.
  func convert() throws -> ExitStatus {
    let output = value(.output)
    let isDry = flag(.dryRun)
    let isBeside = try writesBeside("in")
    guard output != nil || isDry || isBeside else {
      throw UsageError(
        "missing option '--output'",
        hint: "for example: -o fire.sks, -o fire.json --to pixi, or --beside --to FORMAT")
    }
    if output == Self.standardStream, !isDry { try checkStandardOutput() }
    let paths = arguments("in")
    guard !flag(.keepGoing) || !flag(.failFast) else {
      throw UsageError("'--keep-going' and '--fail-fast' exclude each other")
    }
    let isBatch =
      try isBeside || ConversionPlan.isBatch(paths, to: output, isRecursive: flag(.recursive))
    let source = ConversionSource(self, isBatch ? nil : paths.first)
    let target = try ConversionTarget(self, named: isBatch ? nil : output, of: source)
    let limit = try LossLimit(self)
    let pictures = try sideBySide(target, isBatch: isBatch)
    let page = try reportPage(target)
    var conversion = Conversion(to: target)
    conversion.imagePlacement = value(.placeImages).flatMap(EncodingContext.ImagePlacement.init)
    conversion.isMeasuring = flag(.measure) || limit.difference != nil
    let isTelling =
      isDry || flag(.json) || console.verbosity != .quiet || limit.level != nil || page != nil
      || flag(.strictLosses)
    conversion.isEstimating = isTelling || limit.difference != nil
    conversion.firstSeed = try integer(.measureSeed, in: 0...Int.max).map { UInt64($0) } ?? 1
    if flag(.strictLosses) {
      conversion.maximumLoss = limit.level ?? (limit.difference == nil ? .info : nil)
      conversion.maximumDifference = limit.difference
    }
    conversion.isReplacing = flag(.force)
    conversion.isSkippingExisting = flag(.skipExisting)
    conversion.isSingle = flag(.single)
    conversion.isStoppingAtFailure = flag(.failFast)
    conversion.isDry = isDry
    conversion.write = { try console.write($0) }
    do {
      let plan =
        try isBeside
        ? ConversionPlan(beside: documents(paths)) { target.pathExtension(for: $0) }
        : ConversionPlan(
          paths, to: output, isRecursive: flag(.recursive), filter: filter
        ) { target.pathExtension(for: $0) }
      console.show(plan.documents.unpacked)
      var report = ConversionReport(self, plan, limit: limit)
      conversion.isSummarising = report.isOfMany
      // A single document's losses are measured, a batch's are estimated. A limit is about the whole effect.
      conversion.isMeasuringLosses = plan.isOfOne && isTelling && limit.difference == nil
      conversion.isMeasuringLines = flag(.measure) || conversion.isMeasuringLosses
      var pageReport = ConversionPageReport()
      let bar = ProgressBar("converting", total: plan.items.count, console: console)
      let seconds = try conversion.run(plan, open: { try source.opened(at: $0) }) { outcome in
        try bar.aside { try report.add(outcome) }
        if page != nil { pageReport.add(outcome) }
        bar.advance()
      }
      bar.finish()
      if let pictures, let item = plan.items.first, report.isConverted {
        try draw(item, conversion, to: pictures.path, as: pictures.format)
      }
      if let page, report.isConverted {
        try write(pageReport, of: conversion, named: Files.lastComponent(of: paths[0]), to: page)
      }
      return try report.finish(flushed: seconds)
    } catch let diagnostic as Diagnostic where diagnostic.rule == .usage {
      throw UsageError(
        "\(diagnostic.detail ?? diagnostic.message)", hint: diagnostic.hint.map { "\($0)" })
    }
  }
}

/// The value of `--max-loss`: a level, or a measured difference.
struct LossLimit {
  private(set) var level: Loss.Level?
  private(set) var difference: Double?

  init(_ invocation: Invocation) throws {
    guard let word = invocation.value(.maxLoss) else { return }
    level = Loss.Level(rawValue: word)
    guard level == nil else { return }
    guard let number = Double(word), (0...1).contains(number) else {
      let levels = Loss.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError(
        "'--max-loss' needs a level or a number from 0 to 1, found '\(word)'",
        hint: "levels: \(levels)")
    }
    difference = number
  }

  /// Whether a result has a greater loss.
  func isExceeded(by outcome: ConversionOutcome) -> Bool {
    if let level, outcome.worst > level { return true }
    return difference.map { outcome.difference?.whole ?? 0 > $0 } ?? false
  }
}

extension Invocation {
  /// The path and the format of `--side-by-side`, or nil.
  /// - Throws: ``UsageError`` if it cannot be written.
  func sideBySide(
    _ target: ConversionTarget, isBatch: Bool
  ) throws -> (path: String, format: AnimationFormat)? {
    guard let path = value(.sideBySide) else { return nil }
    guard !isBatch else { throw UsageError("'--side-by-side' needs a single document") }
    guard case .effect = target else {
      throw UsageError("'--side-by-side' needs a conversion to another format of effects")
    }
    guard let format = AnimationFormat.recognised(byExtension: Files.pathExtension(of: path)),
      format.isAnimated, format != .html
    else {
      throw UsageError(
        "cannot write '\(path)': no animation has this extension", hint: "use .gif, .webp or .apng")
    }
    if !flag(.force), try Files.status(path) != nil {
      throw Diagnostic(.fileExists, at: Location(file: path))
    }
    return (path, format)
  }

  /// Writes an animation of an effect before and after a conversion.
  func draw(
    _ item: ConversionPlan.Item, _ conversion: Conversion, to path: String,
    as format: AnimationFormat
  ) throws {
    guard case .effect(let target) = conversion.target else { return }
    let package = try effectOfEngine(at: item.input).package
    let exported = try package.exported(
      as: target, fileName: Files.lastComponent(of: item.output), images: conversion.imagePlacement)
    let pictures = try locating(Location(file: item.input)) {
      try SideBySide(package, exported, as: target)
    }
    let bar = ProgressBar(
      "drawing \(Files.lastComponent(of: path))", total: pictures.timing.count, console: console)
    try SafeSave.file(path, replacing: flag(.force)) { file in
      let writer = try AnimationWriter(
        format, width: pictures.width, height: pictures.height, timing: pictures.timing
      ) { try file.write($0) }
      try pictures.draw { frame in
        try writer.append(frame)
        bar.advance()
      }
      try writer.finish()
    }
    bar.finish()
    note(pictures.problems.map { $0.inside(Location(file: item.input)) })
    console.inform("wrote \(path): before (left) and after (right)")
  }
}
