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
      var report = ConversionReport(self, plan, limit: limit)
      conversion.isSummarising = report.isOfMany
      // Losses of a single document are measured, those of a batch are estimated. A limit is about the whole effect.
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
