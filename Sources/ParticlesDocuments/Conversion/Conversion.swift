internal import ParticlesContainer
internal import ParticlesCore
public import ParticlesFormats
internal import ParticlesImages
internal import ParticlesPropertyLists
internal import ParticlesRender

/// Converts documents between formats and forms, and writes the results.
///
///     let plan = try ConversionPlan(["effects"], to: "out", isRecursive: true, extension: "scnp")
///     try Conversion(to: .effect(.sceneKit)).run(plan) { outcome in
///       for loss in outcome.file.diagnostics { print(loss) }
///     }
public struct Conversion: Sendable {
  /// The kind of the results.
  public var target: ConversionTarget

  /// The formats of documents and of the sources of imported effects.
  public var formats = FormatRegistry.standard

  /// Whether images are stored in the file or beside it; nil for the default of the format.
  public var imagePlacement: EncodingContext.ImagePlacement?

  /// The greatest loss with which a result is written; nil for no limit. Missing images do not count.
  public var maximumLoss: Loss.Level?

  /// The greatest measured difference with which a result is written, 0 to 1; nil for no limit. It
  /// implies ``isMeasuring``.
  public var maximumDifference: Double?

  /// Whether source and result are simulated and compared, which takes tenths of a second for an
  /// effect; false by default. Levels of losses are estimates otherwise.
  public var isMeasuring = false

  /// Whether source and result are simulated and compared if something visible may be lost; false by default.
  package var isMeasuringLosses = false

  /// Whether levels of losses are estimated where they are not measured; true by default. Otherwise they are those of
  /// their features.
  package var isEstimating = true

  /// Whether the lines of the report are measured, too, each by simulations of its own; true by default.
  /// It has an effect if the difference is measured.
  public var isMeasuringLines = true

  /// The seed of the first of the simulations that are compared; 1 by default.
  public var firstSeed: UInt64 = 1

  /// Whether existing files are replaced; false by default. An image is never replaced by that of
  /// another effect: its name then begins with the name of the result, as in `fire-dot.png`.
  public var isReplacing = false

  /// Whether a document whose result exists is skipped, so that an interrupted conversion can be
  /// continued; false by default.
  public var isSkippingExisting = false

  /// Whether an effect that needs several files, because the format holds one emitter, is refused;
  /// false by default.
  public var isSingle = false

  /// Whether the first failure ends the conversion; false by default.
  public var isStoppingAtFailure = false

  /// Whether nothing is written, so that only losses are found; false by default.
  public var isDry = false

  /// Takes the bytes of a result whose path is ``ConversionPlan/stream``.
  package var write: @Sendable ([UInt8]) throws -> Void = { _ in }

  /// Whether outcomes have the ``ConversionOutcome/summary`` that the report of a batch counts. It is made by the
  /// threads that convert.
  package var isSummarising = false

  /// The time in seconds after which the finished results of a batch are flushed and get their names; 1 by
  /// default. It bounds the work that an interrupt loses.
  package var groupSeconds = 1.0

  /// Creates a conversion.
  public init(to target: ConversionTarget) { self.target = target }

  /// Converts the documents of a plan, on all processors.
  ///
  /// Each result is written under a temporary name. The results of a batch are flushed to the disk in
  /// groups and renamed after that; when this method returns, all names are durable, too. Folders for
  /// results are created when they are needed.
  /// - Parameters:
  ///   - plan: the documents, and the paths of the results.
  ///   - open: opens the document at a path; nil to open it as one of ``formats``.
  ///   - report: takes the outcomes in the order of the plan, one at a time, on any thread. A
  ///     document that cannot be converted is an outcome too, and the others are converted.
  /// - Returns: the time spent in flushes, in seconds.
  /// - Throws: errors of `open` and `report`, except that a ``ParticlesCore/Diagnostic`` of `open`
  ///   becomes an outcome; a ``ParticlesCore/Diagnostic`` if the last flush fails.
  @discardableResult
  public func run(
    _ plan: ConversionPlan,
    open: (@Sendable (_ path: String) throws -> OpenedEffect)? = nil,
    report: (ConversionOutcome) throws -> Void
  ) throws -> Double {
    let batch = ConversionBatch(
      isStaging: plan.isBatch && !isDry, groupSeconds: groupSeconds)
    defer { batch.removeEmptyFolders() }
    let images = SharedImages()
    var done = 0
    do {
      try Parallel.ordered(plan.items.count, window: ConversionBatch.window, state: {}) {
        index, _ in
        try images.share {
          var outcome = try convert(
            plan.items[index], in: batch, open ?? { try OpenedEffect(path: $0, among: formats) })
          if isSummarising { outcome.summarise() }
          return outcome
        }
      } emit: { outcome in
        var outcome = outcome
        if !isDry { batch.write(&outcome, for: self) }
        done += 1
        try batch.add(outcome, report)
        if isStoppingAtFailure, outcome.status == .failed { throw Stop() }
      }
    } catch is Stop {}
    let seconds = try batch.finish(report)
    for item in plan.items[done...] { try report(ConversionOutcome(item, status: .skipped)) }
    return seconds
  }

  /// Ends a conversion after a failure.
  private struct Stop: Error {}

  // MARK: One document

  private func convert(
    _ item: ConversionPlan.Item, in batch: ConversionBatch,
    _ open: (String) throws -> OpenedEffect
  ) throws -> ConversionOutcome {
    var outcome = ConversionOutcome(item)
    do {
      if isSkippingExisting, item.output != ConversionPlan.stream,
        try Files.status(item.output) != nil
      {
        outcome.status = .skipped
        return outcome
      }
      try OpenKeyedArchives.shared {
        try WorkBudget.run(.standard) { try convert(try open(item.input), in: batch, &outcome) }
      }
    } catch let diagnostic as Diagnostic where diagnostic.rule != .usage {
      outcome.fail(diagnostic)
    }
    return outcome
  }

  private func convert(
    _ opened: OpenedEffect, in batch: ConversionBatch, _ outcome: inout ConversionOutcome
  ) throws {
    let item = outcome.item
    outcome.file.kind = opened.kindName
    outcome.file.diagnostics = opened.diagnostics
    // A damaged package must not become a file that seems to be sound.
    try opened.package.checkEveryFrame()
    let input = Location(file: item.input)
    let target = try locating(input) { try self.target.resolved(for: opened, among: formats) }
    if case .effect(let format) = target {
      if case .imported(let source) = opened.kind, source.name == format.name {
        // Values that the document does not represent are kept in the source file.
        for index in opened.diagnostics.indices { outcome.file.diagnostics[index].severity = .note }
      }
      let name = Files.lastComponent(of: item.output)
      let package = opened.package
      var exported = try locating(input) {
        try format.canWrite
          ? package.exported(
            as: format, fileName: name, inPlace: false, images: imagePlacement,
            isEstimating: isEstimating, among: formats)
          : Exported(
            parts: [.init(name: name, bytes: package.originalFile(among: formats), emitters: [])])
      }
      if isSingle, exported.parts.count > 1 {
        let names = exported.parts.map(\.name)
        throw Diagnostic(
          .fileUnwritable, at: Location(file: item.output),
          "\(names.count) files, one for each emitter: \(names.prefix(3).joined(separator: ", "))"
            + (names.count > 3 ? ", ..." : ""), expected: "one file",
          hint: "leave out --single, or convert to a format that holds several emitters")
      }
      if case .imported = opened.kind {
        // The import has already reported missing images.
        exported.losses.removeAll { $0.rule == .missingImage }
      }
      let hasLosses = exported.losses.contains { $0.lossLevel > .info }
      if isMeasuring || maximumDifference != nil || isMeasuringLosses && hasLosses,
        outcome.failure == nil
      {
        let measurement = try locating(input) {
          try ConversionMeasurement(
            of: package, exported: exported, as: format, firstSeed: firstSeed,
            measuresLines: isMeasuringLines)
        }
        exported.losses = measurement.losses
        outcome.difference = measurement.difference
      }
      outcome.take(exported) { [imagePlacement, formats] in
        try package.namingImages(after: RawPath.readable(Files.stem(of: name)))
          .exported(as: format, fileName: name, images: imagePlacement, among: formats)
      }
    } else if case .package = target {
      do {
        _ = try locating(input) { try opened.package.system() }
      } catch let fault as Diagnostic where opened.isArchive {
        // An archive is unpacked in any case: it can hold other files than those of an effect.
        var warning = fault
        warning.severity = .warning
        outcome.file.diagnostics.append(warning)
      }
    }
    if let maximumLoss, outcome.worst > maximumLoss { outcome.status = .refused }
    if let maximumDifference, outcome.difference?.whole ?? 0 > maximumDifference {
      outcome.status = .refused
    }
    guard !isDry, outcome.status == .converted else { return }
    let isStream = item.output == ConversionPlan.stream
    if !isStream { outcome.stage = try batch.stage(for: item) }
    switch target {
    case .effect, .original: return
    case .archive(let format):
      let container = opened.package.container
      let diagnostics: [Diagnostic]
      if isStream {
        let packed = try format.packed(container.root)
        try write(packed.bytes)
        diagnostics = packed.diagnostics
      } else {
        diagnostics = try format.pack(
          container.root, to: item.output, replacing: isReplacing, staging: outcome.stage)
      }
      outcome.file.diagnostics += diagnostics.map { $0.inside(Location(file: item.output)) }
    case .package(let form):
      let container = opened.package.container
      if isStream {
        guard form == .flat else {
          throw Diagnostic(.usage, "a directory cannot be written to standard output")
        }
        try write(container.encoded())
      } else if let stage = outcome.stage {
        try container.write(to: item.output, as: form, replacing: isReplacing, staging: stage)
      } else {
        try container.write(to: item.output, as: form, replacing: isReplacing)
      }
    }
    outcome.outputs = [item.output]
  }
}
