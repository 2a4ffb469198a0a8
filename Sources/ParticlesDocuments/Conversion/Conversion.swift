public import ParticlesContainer
internal import ParticlesPackages
internal import ParticlesCore
public import ParticlesEffects
public import ParticlesFormats
internal import ParticlesImages
internal import ParticlesPropertyLists
internal import ParticlesRender
internal import ParticlesSystem

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

  /// Whether images are stored in the file or beside it. Nil for the default of the format.
  public var imagePlacement: EncodingContext.ImagePlacement?

  /// The greatest loss with which a result is written, or nil for no limit. Missing images do not count.
  public var maximumLoss: Loss.Level?

  /// The greatest measured difference with which a result is written, 0 to 1, or nil for no limit. It implies
  /// ``isMeasuring``.
  public var maximumDifference: Double?

  /// Whether source and result are simulated and compared, which takes tenths of a second for an effect. Default:
  /// false. Levels of losses are estimates otherwise.
  public var isMeasuring = false

  /// Whether source and result are simulated and compared if something visible may be lost. Default: false.
  package var isMeasuringLosses = false

  /// Whether levels of losses are estimated where they are not measured. Default: true. Otherwise they are the levels
  /// of their features.
  package var isEstimating = true

  /// Whether the lines of the report are measured, too, each by separate simulations. Default: true. Only used if the
  /// difference is measured.
  public var isMeasuringLines = true

  /// The seed of the first of the simulations that are compared. Default: 1.
  public var firstSeed: UInt64 = 1

  /// Whether existing files are replaced. Default: false. An image never replaces an image of another effect: its
  /// name then begins with the name of the result, as in `fire-dot.png`.
  public var isReplacing = false

  /// Whether a document whose result exists is skipped, so that an interrupted conversion can be continued. Default:
  /// false.
  public var isSkippingExisting = false

  /// Whether an effect that needs several files, because the format holds one emitter, is refused. Default: false.
  public var isSingle = false

  /// Whether the first failure ends the conversion. Default: false.
  public var isStoppingAtFailure = false

  /// Whether nothing is written, so that only losses are found. Default: false.
  public var isDry = false

  /// Takes the bytes of a result whose path is ``ConversionPlan/stream``.
  package var write: @Sendable ([UInt8]) throws -> Void = { _ in }

  /// Whether outcomes have the ``ConversionOutcome/summary`` that the report of a batch counts. The converting
  /// threads make it.
  package var isSummarising = false

  /// The time in seconds after which the finished results of a batch are flushed and get their names. Default: 1. It
  /// bounds the work that an interrupt loses.
  package var groupSeconds = 1.0

  /// Creates a conversion.
  public init(to target: ConversionTarget) { self.target = target }

  /// Converts the documents of a plan, on all processors.
  ///
  /// Each result is written under a temporary name. The results of a batch are flushed to the disk in groups and then
  /// renamed. When this method returns, all names are durable, too. Folders for results are created when they are
  /// needed.
  /// - Parameters:
  ///   - plan: the documents, and the paths of the results.
  ///   - open: opens the document at a path, or nil to open it as one of ``formats``.
  ///   - report: takes the outcomes in the order of the plan, one at a time, on any thread. A document that cannot be
  ///     converted is an outcome too, and the remaining documents are converted.
  /// - Returns: the time spent in flushes, in seconds.
  /// - Throws: errors of `open` and `report`, except that a ``ParticlesCore/Diagnostic`` of `open` becomes an
  ///   outcome. A ``ParticlesCore/Diagnostic`` if the last flush fails.
  @discardableResult
  public func run(
    _ plan: ConversionPlan,
    open: (@Sendable (_ path: String) throws -> OpenedEffect)? = nil,
    report: (ConversionOutcome) throws -> Void
  ) throws -> Double {
    let batch = ConversionBatch(
      isStaging: plan.isBatch && !isDry, groupSeconds: groupSeconds)
    defer { batch.removeEmptyFolders() }
    let images = BatchFiles()
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
      outcome.setFiles(of: exported) { [imagePlacement, formats] in
        try package.namingImages(after: RawPath.readable(Files.stem(of: name)))
          .exported(as: format, fileName: name, images: imagePlacement, among: formats)
      }
    } else if case .package = target {
      do {
        _ = try locating(input) { try opened.package.system() }
      } catch let fault as Diagnostic where opened.isArchive {
        // An archive is unpacked in any case, because it can hold files that belong to no effect.
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

/// The kind of file that a conversion writes.
public enum ConversionTarget: Sendable {
  /// A package in one of the forms.
  case package(Container.Form)
  /// An archive of all files in a package.
  case archive(ParticleFormat)
  /// An effect in another format.
  case effect(ParticleFormat)
  /// An effect in the format that it was imported from, each document in its own. A file of a format that
  /// cannot be written comes back with the bytes that it had, if the effect was not edited since.
  case original

  /// The file name extension of the results. Empty if each document has its own, see ``pathExtension(for:among:)``.
  public var pathExtension: String {
    switch self {
    case .package: "particles"
    case .archive(let format), .effect(let format): format.extensions.first ?? format.name
    case .original: ""
    }
  }

  /// The file name extension of the result of one document. A document that is unreadable or was not imported gets
  /// the extension of a package: its conversion is an error.
  public func pathExtension(
    for path: String, among formats: FormatRegistry = .standard
  ) -> String {
    guard case .original = self else { return pathExtension }
    do {
      guard let files = try OpenedFiles(path: path, among: formats, scope: .lastGeneration) else {
        return Files.pathExtension(of: path)
      }
      guard let origin = try EffectPackage(files.container).originalFormat() else {
        return "particles"
      }
      let kind = origin.path.map(Files.pathExtension) ?? ""
      return kind.isEmpty ? formats[origin.name]?.extensions.first ?? "particles" : kind
    } catch {
      return "particles"
    }
  }

  /// The target for an opened document: ``original`` becomes a format.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if the effect was not imported, or from a format that
  ///   is not known.
  func resolved(
    for opened: OpenedEffect, among formats: FormatRegistry
  ) throws -> ConversionTarget {
    guard case .original = self else { return self }
    if let format = try opened.originalFormat(among: formats) { return .effect(format) }
    throw Diagnostic(
      .fileUnwritable, "the effect was not imported from a file of another format",
      hint: "name a format with --to; 'particles formats' lists them")
  }
}

extension OpenedEffect {
  /// The format of an imported file, or the original format of the effect in a package. Nil if it was not imported,
  /// or if its format is unknown.
  /// - Throws: read errors of the package.
  public func originalFormat(among formats: FormatRegistry = .standard) throws -> ParticleFormat? {
    if case .imported(let format) = kind { return format }
    return try package.originalFormat().flatMap { formats[$0.name] }
  }
}

/// The documents to convert, and the paths of the results.
public struct ConversionPlan: Sendable {
  /// A document and the path of its result.
  public struct Item: Sendable, Hashable {
    /// The path of the document.
    public var input: String
    /// The path of the result.
    public var output: String
    /// Whether the document was found in a folder or by a pattern rather than named.
    public var isFound = false
    /// Whether it must be an effect, and not only looks like one. See ``DocumentSet/Document``.
    var isCertain = true
    /// Whether the result has a longer name, because another document has its name.
    public var isRenamed = false
  }

  /// The path that means a stream instead of a file. The caller of ``Conversion`` reads and writes it.
  package static let stream = "-"

  /// The documents.
  public private(set) var items: [Item] = []

  /// The set that the documents are from.
  public let documents: DocumentSet

  /// The files in searched folders that are not documents.
  public var unknown: [String] { documents.unknown }

  /// Whether results go into a folder.
  public let isBatch: Bool

  /// Whether it is about one document that the caller has named, wherever its result goes.
  package var isOfOne: Bool { items.count == 1 && !items[0].isFound }

  /// Finds the documents and names the results.
  ///
  /// A result has the name of its document. If several results would have one name, each result is named after the
  /// document and its extension: `fire.pex` and `fire.plist` become `fire-pex.sks` and `fire-plist.sks`. If that name
  /// is taken as well, a number follows: `fire-pex-2.sks`. Upper and lower case are not distinguished.
  /// - Parameters:
  ///   - paths: the documents, at least one. A path that is given twice counts once.
  ///   - output: the path of the result if there is one document. With several, or if it ends in a slash or is a
  ///     folder without a document, it is the folder for results. The subfolders of a searched folder are created in
  ///     it. Nil for the current folder.
  ///   - isRecursive: whether a folder that is not a package means the documents in it. See ``DocumentSet``.
  ///   - filter: the files to leave out. A folder for results inside a searched folder is not searched.
  ///   - kind: the file name extension of results. See ``ConversionTarget/pathExtension``.
  ///   - formats: the formats that documents may be of.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file`.
  public init(
    _ paths: [String], to output: String?, isRecursive: Bool = false,
    filter: DocumentSet.Filter = DocumentSet.Filter(), extension kind: String,
    among formats: FormatRegistry = .standard
  ) throws {
    try self.init(paths, to: output, isRecursive: isRecursive, filter: filter, among: formats) {
      _ in
      kind
    }
  }

  /// Finds the documents, and names results with an extension for each document, such as its original extension.
  package init(
    _ paths: [String], to output: String?, isRecursive: Bool,
    filter: DocumentSet.Filter = DocumentSet.Filter(), among formats: FormatRegistry = .standard,
    extension kind: (_ path: String) -> String
  ) throws {
    isBatch = try Self.isBatch(paths, to: output, isRecursive: isRecursive)
    var filter = filter
    filter.results = isBatch ? output : nil
    documents = DocumentSet(paths, isRecursive: isRecursive, filter: filter, among: formats)
    guard isBatch else {
      items = documents.documents.map {
        Item(input: $0.path, output: output ?? Self.name(for: $0.path, kind($0.path)))
      }
      return
    }
    var seen: Set<String> = []
    for document in documents.documents where seen.insert(document.path).inserted {
      let folder = [output ?? "", document.subfolder].reduce("", Self.joined)
      items.append(
        Item(
          input: document.path,
          output: Self.joined(folder, Self.name(for: document.path, kind(document.path))),
          isFound: document.isFound, isCertain: document.isCertain))
    }
    resolveNames(documents)
  }

  /// Names results in the folders of their documents, or in one folder, so that no existing file has their names:
  /// beside `fire.sks`, `fire.pex` becomes `fire 2.sks`.
  /// - Parameters:
  ///   - set: the documents.
  ///   - folder: the folder for all results. Nil, the default, for the folders of the documents.
  ///   - isFamily: whether a result can be several files.
  ///   - kind: the file name extension of the result of a document.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file` if a folder cannot be listed.
  package init(
    beside set: DocumentSet, in folder: String? = nil, isFamily: Bool = true,
    extension kind: (_ path: String) -> String
  ) throws {
    var names = FreeNames()
    documents = set
    items = try set.documents.map {
      Item(
        input: $0.path,
        output: try names.path(
          beside: $0.path, in: folder, extension: kind($0.path), isFamily: isFamily),
        isFound: $0.isFound, isCertain: $0.isCertain)
    }
    isBatch = set.documents.count > 1 || !set.folders.isEmpty
  }

  /// Whether results go into a folder: there are several paths, a folder to search, or the output is a
  /// folder.
  package static func isBatch(
    _ paths: [String], to output: String?, isRecursive: Bool
  ) throws -> Bool {
    if paths.count > 1 || paths.contains(where: DocumentSet.isPattern) { return true }
    if isRecursive,
      paths.contains(where: {
        (try? DocumentSet.isPlainFolder($0)) == true || UnpackedArchives.isArchive($0)
      })
    {
      return true
    }
    return try isFolder(output)
  }

  /// An existing directory that is a package is a result to be replaced. Any other directory takes results.
  private static func isFolder(_ path: String?) throws -> Bool {
    guard let path, path != Self.stream else { return false }
    guard try Files.status(path)?.kind == .directory else { return path.hasSuffix("/") }
    return try Files.status(Files.joined(path, EffectPackage.documentPath)) == nil
  }

  private static func name(for input: String, _ kind: String) -> String {
    "\(input == Self.stream ? "effect" : Files.stem(of: input)).\(kind)"
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : name.isEmpty ? folder : Files.joined(folder, name)
  }

  // MARK: Names

  /// Gives each result a unique name, even on a file system that does not distinguish upper and lower case.
  private mutating func resolveNames(_ set: DocumentSet) {
    let groups = Dictionary(grouping: items.indices) { items[$0].output.lowercased() }
    var taken = Set(groups.keys)
    let clashes = groups.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    for group in clashes {
      // A file that is not a document has no result.
      let documents = group.filter { !items[$0].isFound || isDocument(items[$0].input, set) }
      guard documents.count > 1 else { continue }
      taken.remove(items[group[0]].output.lowercased())
      for index in documents {
        let item = items[index]
        let (stem, kind) = (Files.stem(of: item.output), Files.pathExtension(of: item.output))
        let own = Files.pathExtension(of: item.input)
        let base = own.isEmpty ? stem : "\(stem)-\(own)"
        let folder = Files.folder(of: item.output)
        let names = [base] + (2...items.count + 1).lazy.map { "\(base)-\($0)" }
        let paths = names.lazy.map { name in
          item.output.contains("/") ? Files.joined(folder, "\(name).\(kind)") : "\(name).\(kind)"
        }
        guard let path = paths.first(where: { taken.insert($0.lowercased()).inserted }) else {
          continue
        }
        items[index].output = path
        items[index].isRenamed = true
      }
    }
  }

  private func isDocument(_ path: String, _ set: DocumentSet) -> Bool {
    (try? Files.status(path)?.kind == .directory || set.isRecognised(path)) ?? false
  }
}
