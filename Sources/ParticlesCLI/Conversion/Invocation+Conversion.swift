internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesRender

extension Invocation {
  /// Runs `convert`.
  func convert() throws -> ExitStatus {
    let output = value(.output)
    let isDry = flag(.dryRun)
    let isBeside = try writesBeside("in")
    guard output != nil || isDry || isBeside else {
      throw UsageError("missing option '--output'")
    }
    if output == Self.standardStream, !isDry { try checkStandardOutput() }
    let paths = arguments("in")
    guard !flag(.keepGoing) || !flag(.failFast) else {
      throw UsageError("'--keep-going' and '--fail-fast' exclude each other")
    }
    let isBatch =
      try isBeside || ConversionPlan.isBatch(paths, to: output, isRecursive: flag(.recursive))
    let target = try ConversionTarget(self, named: isBatch ? nil : output)
    let limit = try LossLimit(self)
    let pictures = try sideBySide(target, isBatch: isBatch)
    var conversion = Conversion(to: target)
    conversion.imagePlacement = value(.placeImages).flatMap(EncodingContext.ImagePlacement.init)
    conversion.isMeasuring = flag(.measure) || limit.difference != nil
    // A limit is about the whole effect.
    conversion.isMeasuringLines = flag(.measure)
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
        ? ConversionPlan(beside: documents(paths), extension: target.pathExtension)
        : ConversionPlan(
          paths, to: output, isRecursive: flag(.recursive), filter: filter,
          extension: target.pathExtension)
      var report = ConversionReport(self, plan, limit: limit)
      let bar = ProgressBar("converting", total: plan.items.count, console: console)
      let seconds = try conversion.run(plan, open: { try effectOfEngine(at: $0) }) { outcome in
        try bar.aside { try report.add(outcome) }
        bar.advance()
      }
      bar.finish()
      if let pictures, let item = plan.items.first, report.isConverted {
        try draw(item, conversion, to: pictures.path, as: pictures.format)
      }
      return try report.finish(flushed: seconds)
    } catch let diagnostic as Diagnostic where diagnostic.rule == .usage {
      throw UsageError(diagnostic.detail ?? diagnostic.message, hint: diagnostic.hint)
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

extension ConversionTarget {
  /// The target that the options name, otherwise the one that the extension of the output does.
  fileprivate init(_ invocation: Invocation, named output: String?) throws {
    let kind = output.map(Files.pathExtension) ?? ""
    let format =
      if let name = invocation.value(.to) {
        FormatRegistry.standard[name]
      } else {
        try Self.format(of: output, extension: kind, isPackage: invocation.form != nil)
      }
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

  /// The format that the extension of an output names; nil for packages.
  private static func format(
    of output: String?, extension kind: String, isPackage: Bool
  ) throws -> ParticleFormat? {
    guard let output, !["particles", ""].contains(kind) else { return nil }
    let known = FormatRegistry.standard.formats.filter { $0.extensions.contains(kind) }
    let writable = known.filter(\.canWrite)
    if writable.count > 1 {
      throw UsageError(
        "several formats have the extension .\(kind)",
        hint: "choose one with --to: \(writable.map(\.name).joined(separator: ", "))")
    }
    if writable.isEmpty, let format = known.first {
      throw UsageError("files of the format '\(format.name)' cannot be written")
    }
    guard let format = writable.first else {
      if isPackage { return nil }
      throw UsageError.unwritable(output, kind)
    }
    return format
  }
}

extension UsageError {
  /// The error for an output whose extension is not that of a format that can be written.
  static func unwritable(_ output: String, _ kind: String) -> UsageError {
    let extensions = FormatRegistry.standard.formats.filter(\.canWrite).flatMap(\.extensions)
    let known = (["particles"] + extensions).map { ".\($0)" }.joined(separator: ", ")
    return UsageError(
      "cannot write '\(output)': no format has the extension .\(kind)",
      hint: "formats that can be written: \(known)")
  }
}
