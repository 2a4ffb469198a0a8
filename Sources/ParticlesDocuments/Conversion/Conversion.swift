internal import ParticlesContainer
internal import ParticlesCore
public import ParticlesFormats
internal import ParticlesPropertyLists

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

  /// The greatest loss with which a result is written; nil for no limit.
  public var maximumLoss: Loss.Level?

  /// Whether existing files are replaced; false by default.
  public var isReplacing = false

  /// Whether to report losses without writing; false by default.
  public var isDry = false

  /// Writes the bytes of a result whose path is ``ConversionPlan/stream``.
  package var write: @Sendable ([UInt8]) throws -> Void = { _ in }

  /// Creates a conversion.
  public init(to target: ConversionTarget) { self.target = target }

  /// Converts the documents of a plan on all processors.
  /// - Parameters:
  ///   - plan: the documents, and the paths of the results.
  ///   - open: opens the document at a path; nil to open it as one of ``formats``.
  ///   - report: receives the outcomes in the order of the plan, one at a time, on any thread.
  ///     Documents that cannot be converted have an outcome too.
  /// - Throws: errors of creating the folders of the plan, of `open` and of `report`, except that a
  ///   ``ParticlesCore/Diagnostic`` of `open` becomes an outcome.
  public func run(
    _ plan: ConversionPlan,
    open: (@Sendable (_ path: String) throws -> OpenedEffect)? = nil,
    report: (ConversionOutcome) throws -> Void
  ) throws {
    if !isDry {
      for folder in plan.folders { try Self.makeFolder(folder) }
    }
    var written: [String: ContentDigest] = [:]
    try Parallel.ordered(plan.items.count, state: {}) { index, _ in
      try convert(plan.items[index], open ?? { try OpenedEffect(path: $0, among: formats) })
    } emit: { outcome in
      var outcome = outcome
      if !isDry { outcome.write(for: self, beside: &written) }
      try report(outcome)
    }
  }

  /// Creates a folder and its missing parents.
  private static func makeFolder(_ path: String) throws {
    guard !path.isEmpty, try Files.status(path) == nil else { return }
    let parent = Files.folder(of: path)
    if parent != path { try makeFolder(parent) }
    try Files.makeDirectory(path)
  }

  // MARK: One document

  private func convert(
    _ item: ConversionPlan.Item, _ open: (String) throws -> OpenedEffect
  ) throws -> ConversionOutcome {
    var outcome = ConversionOutcome(item)
    do {
      try OpenKeyedArchives.shared { try convert(try open(item.input), &outcome) }
    } catch let diagnostic as Diagnostic where diagnostic.rule != .usage {
      outcome.fail(diagnostic)
    }
    return outcome
  }

  private func convert(_ opened: OpenedEffect, _ outcome: inout ConversionOutcome) throws {
    let item = outcome.item
    outcome.file.kind = opened.kindName
    outcome.file.diagnostics = opened.diagnostics
    let input = Location(file: item.input)
    if case .effect(let format) = target {
      if case .imported(let source) = opened.kind, source.name == format.name {
        // Values that the document does not represent are kept in the source file.
        for index in opened.diagnostics.indices { outcome.file.diagnostics[index].severity = .note }
      }
      let name = Files.lastComponent(of: item.output)
      let package = opened.package
      var exported = try locating(input) {
        try package.exported(as: format, fileName: name, images: imagePlacement, among: formats)
      }
      if case .imported = opened.kind {
        // The import has already reported missing images.
        exported.losses.removeAll { $0.rule == .missingImage }
      }
      outcome.take(exported) { [imagePlacement, formats] in
        try package.namingImages(after: Files.stem(of: name))
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
    if let maximumLoss { outcome.isRefused = outcome.worst > maximumLoss }
    guard !isDry, !outcome.isRefused else { return }
    let container = opened.package.container
    let isStream = item.output == ConversionPlan.stream
    switch target {
    case .effect: return
    case .archive(let format):
      let diagnostics: [Diagnostic]
      if isStream {
        let packed = try format.packed(container.root)
        try write(packed.bytes)
        diagnostics = packed.diagnostics
      } else {
        diagnostics = try format.pack(container.root, to: item.output, replacing: isReplacing)
      }
      outcome.file.diagnostics += diagnostics.map { $0.inside(Location(file: item.output)) }
    case .package(let form):
      if isStream {
        guard form == .flat else {
          throw Diagnostic(.usage, "a directory cannot be written to standard output")
        }
        try write(container.encoded())
      } else {
        try container.write(to: item.output, as: form, replacing: isReplacing)
      }
    }
    outcome.outputs = [item.output]
  }
}
