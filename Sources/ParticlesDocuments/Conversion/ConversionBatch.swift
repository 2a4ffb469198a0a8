public import ParticlesCore
package import ParticlesEffects
public import ParticlesFormats
public import ParticlesRender
internal import ParticlesSystem

/// The folders that a conversion creates, and the results that wait for a flush of the disk.
///
/// Flushing each file takes longer than converting it. So results are written under temporary names,
/// flushed in groups and renamed after that: after a crash, a name refers to the old file or to all of
/// the new one.
final class ConversionBatch: Sendable {
  /// The number of outcomes that may wait for an earlier one.
  static let window = 64

  private struct State {
    var group = SaveGroup()
    var waiting: [ConversionOutcome] = []
    var files = 0
    var begin = MonotonicClock.seconds
    /// The digests of the images that documents of the batch have written, by path.
    var images: [String: ContentDigest] = [:]
  }

  private let isStaging: Bool
  private let groupSeconds: Double
  /// Used by one thread at a time: the reporting thread.
  nonisolated(unsafe) private var state = State()
  private let folders = Lock<(known: Set<String>, created: [String])>(([], []))

  /// - Parameters:
  ///   - isStaging: whether results are renamed in groups, or else one at a time.
  ///   - groupSeconds: the time after which a group is flushed, in seconds.
  init(isStaging: Bool, groupSeconds: Double) {
    self.isStaging = isStaging
    self.groupSeconds = groupSeconds
  }

  /// Creates the folder for a result in a batch, and returns the stage for its files. Nil if they get their names at
  /// once.
  func stage(for item: ConversionPlan.Item) throws -> SaveStage? {
    guard isStaging else { return nil }
    if item.output.contains("/") {
      try folders.withLock { try Self.make(Files.folder(of: item.output), &$0) }
    }
    return SaveStage()
  }

  private static func make(
    _ path: String, _ folders: inout (known: Set<String>, created: [String])
  ) throws {
    guard folders.known.insert(path).inserted, try Files.status(path) == nil else { return }
    let parent = Files.folder(of: path)
    if parent != path { try make(parent, &folders) }
    try Files.makeDirectory(path)
    folders.created.append(path)
  }

  /// Removes the created folders that are empty.
  func removeEmptyFolders() {
    let created = folders.withLock(\.created)
    for path in created.reversed() { try? Files.removeEmptyDirectory(path) }
  }

  /// Writes the files of an effect, without the images that other documents have written.
  func write(_ outcome: inout ConversionOutcome, for conversion: Conversion) {
    outcome.write(for: conversion, beside: &state.images)
  }

  // MARK: Groups

  /// Adds the next outcome, and reports all that are complete.
  func add(
    _ outcome: ConversionOutcome, _ report: (ConversionOutcome) throws -> Void
  ) throws {
    guard isStaging else {
      var outcome = outcome
      outcome.release()
      return try report(outcome)
    }
    state.waiting.append(outcome)
    state.files += outcome.stage?.count ?? 0
    let isDue =
      state.files >= SafeSave.groupSize || MonotonicClock.seconds - state.begin >= groupSeconds
    if isDue { try commit(report) }
  }

  /// Completes the last group.
  /// - Returns: the time spent in flushes, in seconds.
  func finish(_ report: (ConversionOutcome) throws -> Void) throws -> Double {
    try commit(report)
    if isStaging { try state.group.finish() }
    return state.group.seconds
  }

  private func commit(_ report: (ConversionOutcome) throws -> Void) throws {
    var outcomes = state.waiting
    (state.waiting, state.files, state.begin) = ([], 0, MonotonicClock.seconds)
    let staged = outcomes.indices.filter { (outcomes[$0].stage?.count ?? 0) > 0 }
    if !staged.isEmpty {
      let stages = staged.compactMap { outcomes[$0].stage }
      var images = state.images
      func forgetImages(_ errors: [(any Error)?]) {
        for (index, error) in zip(staged, errors) where error != nil {
          outcomes[index].forgetImages(in: &images)
        }
      }
      let errors = state.group.commit(stages) { index, errors in
        forgetImages(errors)
        try outcomes[staged[index]].writeMissingImages(beside: &images)
      }
      forgetImages(errors)
      state.images = images
      for (index, error) in zip(staged, errors) {
        if let error { outcomes[index].fail(error) }
      }
    }
    for index in outcomes.indices {
      outcomes[index].release()
      try report(outcomes[index])
    }
  }
}

/// The result of one document of a ``Conversion``.
public struct ConversionOutcome: Sendable {
  /// The kinds of results. Each document has exactly one.
  public enum Status: String, Sendable, CaseIterable {
    /// The result was written or, in a dry run, could be.
    case converted
    /// The result was not written because of ``Conversion/maximumLoss``.
    case refused
    /// The document could not be read, or the result could not be written.
    case failed
    /// The result exists, or the conversion was stopped before this document.
    case skipped
    /// The file was found in a folder and is well-formed, but not a document.
    case unknown
  }

  /// The document and the path of its result.
  public let item: ConversionPlan.Item

  /// The diagnostics: losses, findings of the import, and the reason for a failure.
  public internal(set) var file: Diagnostic.Report.File { didSet { known = nil } }

  /// The findings of a document that the report of a batch counts.
  package struct Summary: Sendable {
    /// The lines without the values of this document. Empty if only levels were asked for.
    package let lines: Set<LossLine>
    /// The greatest loss.
    package let worst: Loss.Level
    /// The greatest measured or estimated loss.
    package let worstKnown: Loss.Level
    /// How many different messages are of level high.
    package let highMessages: Int

    fileprivate init(_ diagnostics: [Diagnostic], hasLines: Bool = true) {
      var (lines, messages): (Set<LossLine>, Set<String>) = ([], [])
      var (worst, worstKnown) = (Loss.Level.info, Loss.Level.info)
      for diagnostic in diagnostics {
        if hasLines { lines.insert(LossLine(general: diagnostic)) }
        let level = diagnostic.lossLevel
        guard level > .info, diagnostic.rule != .missingImage else { continue }
        worst = max(worst, level)
        guard !diagnostic.isOfUnknownLevel else { continue }
        worstKnown = max(worstKnown, level)
        if level == .high { messages.insert(diagnostic.message) }
      }
      (self.lines, self.worst, self.worstKnown) = (lines, worst, worstKnown)
      highMessages = messages.count
    }
  }

  /// The summary, if it was made after the last change of the diagnostics.
  private var known: Summary?

  package var summary: Summary { known ?? Summary(file.diagnostics) }

  /// Keeps the summary until the diagnostics change.
  mutating func summarise() { known = Summary(file.diagnostics) }

  /// The levels, without the lines of a summary.
  private var levels: Summary { known ?? Summary(file.diagnostics, hasLines: false) }

  /// The kind of result.
  public internal(set) var status = Status.converted

  /// The difference between the running effects before and after the conversion. Nil if it was not measured, or if
  /// the effect emits nothing.
  public internal(set) var difference: EffectDifference?

  /// The paths that were written.
  public internal(set) var outputs: [String] = []

  /// The paths of the files that the document becomes, written or not: the result first.
  public private(set) var files: [String] = []

  /// The images that were not written, because the result went to a stream.
  package private(set) var unwritten: [String] = []

  /// The written files that wait for their names. Nil if files get their names at once.
  var stage: SaveStage?

  /// The files still to be written, by path: files of this document only, and images that several documents may
  /// share.
  private var parts: [(path: String, bytes: [UInt8])] = []
  private var images: [(path: String, bytes: [UInt8])] = []

  /// The images that this document has written, and the images that it uses from other documents of this run.
  private var ownImages: [(path: String, bytes: [UInt8])] = []
  private var sharedImages: [(path: String, bytes: [UInt8])] = []

  /// Whether existing files may be replaced.
  private var isReplacing = false

  /// Exports the effect again, with the name of the result before the names of its images.
  private var renamed: (@Sendable () throws -> Exported)?

  /// Whether it has files, or the effect. Callers keep the outcomes of a batch, which must not hold these.
  package var holdsFiles: Bool {
    !parts.isEmpty || !images.isEmpty || renamed != nil || stage != nil
  }

  /// Releases everything that only writing needs.
  mutating func release() { (parts, images, renamed, stage) = ([], [], nil, nil) }

  init(_ item: ConversionPlan.Item, status: Status = .converted) {
    self.item = item
    self.status = status
    files = [item.output]
    file = Report.File(path: item.input)
  }

  /// The reason why the document was not converted, or nil if it was.
  public var failure: Diagnostic? {
    status == .failed || status == .unknown ? file.diagnostics.last : nil
  }

  /// The greatest loss, or the level of the measured difference if greater. Missing images do not count: see
  /// ``missingImages``. A loss that was neither measured nor estimated has the level of its feature.
  public var worst: Loss.Level { max(levels.worst, measuredLevel) }

  /// The greatest loss that was measured or estimated.
  package var worstKnown: Loss.Level { max(levels.worstKnown, measuredLevel) }

  private var measuredLevel: Loss.Level {
    difference.map { Loss.Level(difference: $0.whole) } ?? .info
  }

  /// The number of images that were not found.
  public var missingImages: Int { file.diagnostics.count { $0.rule == .missingImage } }

  mutating func fail(_ diagnostic: Diagnostic) {
    file.diagnostics.append(diagnostic.inside(Location(file: item.input)))
    let isUnknown =
      item.isFound
      && (diagnostic.isOfOtherKind || !item.isCertain && diagnostic.rule.family != "file")
    status = isUnknown ? .unknown : .failed
    outputs = []
    stage?.discard()
    stage = nil
  }

  mutating func fail(_ error: any Error) {
    fail(
      error as? Diagnostic
        ?? Diagnostic(.fileUnwritable, at: Location(file: item.output), "\(error)"))
  }

  /// Stores the files of an effect.
  /// - Parameter renamed: exports the effect with images that are named after it, for when files with
  ///   their own names exist.
  mutating func setFiles(of exported: Exported, renamed: (@Sendable () throws -> Exported)?) {
    self.renamed = renamed
    let folder = Files.folder(of: item.output)
    func path(_ name: String) -> String {
      item.output == ConversionPlan.stream || !item.output.contains("/")
        ? name : Files.joined(folder, name)
    }
    // Findings of the import are not repeated.
    let known = Set(file.diagnostics)
    file.diagnostics += exported.losses.map { $0.inside(Location(file: item.input)) }
      .filter { !known.contains($0) }
    parts = exported.parts.enumerated().map { index, part in
      (index == 0 ? item.output : path(part.name), part.bytes)
    }
    images = exported.beside.sorted { $0.key < $1.key }.map { (path($0.key), $0.value) }
    files = (parts + images).map(\.path)
  }

  // MARK: Writing

  /// Writes the files of an effect, unless files with other contents would be replaced.
  /// - Parameter written: the digests of the images that documents of this run have written.
  mutating func write(for conversion: Conversion, beside written: inout [String: ContentDigest]) {
    guard status == .converted, !parts.isEmpty else { return }
    defer { (parts, images, renamed) = ([], [], nil) }
    do {
      if item.output == ConversionPlan.stream {
        try writeToStream(conversion.write)
      } else {
        isReplacing = conversion.isReplacing
        try writeFiles(beside: &written)
      }
    } catch {
      fail(error)
    }
  }

  private mutating func writeToStream(_ write: ([UInt8]) throws -> Void) throws {
    guard parts.count == 1 else {
      throw Diagnostic(
        .fileUnwritable, at: Location(file: item.output), "\(parts.count) files",
        expected: "one", hint: "name a file with --output")
    }
    try write(parts[0].bytes)
    outputs = [item.output]
    unwritten = images.map(\.path)
  }

  private mutating func writeFiles(beside written: inout [String: ContentDigest]) throws {
    var states = try images.map { try Image($0, in: written) }
    if let renamed, states.contains(where: { $0 == .other || $0 == .taken }) {
      // Files of these names with other contents belong to another effect.
      file.diagnostics.removeAll { $0.loss != nil }
      setFiles(of: try renamed(), renamed: nil)
      states = try images.map { try Image($0, in: written) }
    }
    if !isReplacing {
      for part in parts where try Files.status(part.path) != nil {
        throw Diagnostic(.fileExists, at: Location(file: part.path))
      }
    }
    let new = try zip(images, states).filter { try isToBeWritten($0, $1) }.map(\.0)
    // The result itself comes last: where it is, everything that belongs to it is, too.
    try write(new + parts.reversed())
    for image in new { written[image.path] = SHA256.digest(image.bytes) }
    ownImages = new
    sharedImages = zip(images, states).filter { $1 == .shared }.map(\.0)
    outputs = (parts + new).map(\.path)
  }

  /// Writes files in this order: all or none.
  private func write(_ files: [(path: String, bytes: [UInt8])]) throws {
    guard let stage else { return try SafeSave.files(files, replacing: isReplacing) }
    for file in files {
      try SafeSave.file(file.path, replacing: isReplacing, staging: stage) { open in
        try file.bytes.withUnsafeBytes { try open.write($0) }
      }
    }
  }

  /// Whether an image has to be written.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` if it would replace a file that must be kept.
  private func isToBeWritten(
    _ image: (path: String, bytes: [UInt8]), _ state: Image
  ) throws -> Bool {
    switch state {
    case .same, .shared: return false
    case .taken:
      throw Diagnostic(
        .fileExists, at: Location(file: image.path), "another document has an image of this name",
        hint: "convert the document into a folder of its own")
    case .other where !isReplacing: throw Diagnostic(.fileExists, at: Location(file: image.path))
    case .other, .new: return true
    }
  }

  /// Forgets written images that are not on disk, after this document could not get its name.
  func forgetImages(in written: inout [String: ContentDigest]) {
    for image in ownImages where (try? Image(image, in: [:])) != .same {
      written[image.path] = nil
    }
  }

  /// Writes the images that another document should have written and could not, at once.
  mutating func writeMissingImages(beside written: inout [String: ContentDigest]) throws {
    for image in sharedImages where written[image.path] == nil {
      if try isToBeWritten(image, Image(image, in: written)) {
        try SafeSave.file(image.path, replacing: isReplacing) { try $0.write(image.bytes) }
        outputs.append(image.path)
      }
      written[image.path] = SHA256.digest(image.bytes)
    }
  }

  /// The file with the name of an image.
  private enum Image {
    /// There is none.
    case new
    /// It has equal contents on disk.
    case same
    /// Another document of this run has written equal contents.
    case shared
    /// It exists on disk with other contents.
    case other
    /// Another document of this run has written other contents.
    case taken

    init(
      _ image: (path: String, bytes: [UInt8]), in written: [String: ContentDigest]
    ) throws {
      if let digest = written[image.path] {
        self = digest == SHA256.digest(image.bytes) ? .shared : .taken
      } else if let status = try Files.status(image.path) {
        let isSame =
          status.kind == .file && status.size == image.bytes.count
          && (try? Files.read(image.path)) == image.bytes
        self = isSame ? .same : .other
      } else {
        self = .new
      }
    }
  }
}

/// Collects the outcomes of a ``Conversion`` for a web page, and draws the effects that differ most.
package struct ConversionPageReport {
  /// The greatest number of effects with a picture.
  package static let mostPictures = 100

  /// The bytes of pictures after which no other effect gets one.
  private static let mostBytes = 24 << 20

  /// The most frames of a picture.
  private static let mostFrames = 30

  private var rows: [(row: ConversionPage.Row, item: ConversionPlan.Item)] = []
  private var failures: [String] = []
  private var counts: [ConversionOutcome.Status: Int] = [:]
  private var isMeasured = false

  /// Creates a report without effects.
  package init() {}

  package mutating func add(_ outcome: ConversionOutcome) {
    counts[outcome.status, default: 0] += 1
    if let failure = outcome.failure, outcome.status == .failed { failures.append("\(failure)") }
    guard outcome.status == .converted || outcome.status == .refused else { return }
    let lines = LossLine.lines(of: outcome.file.diagnostics)
      .filter { $0.level > .info || $0.isImage || $0.isNotice }
    let level = outcome.worst
    let difference = outcome.difference?.whole
    isMeasured = isMeasured || difference != nil
    let score =
      difference.map { "difference \($0.hundredths), \(level.rawValue)" }
      ?? "\(level.rawValue) (estimated)"
    // Without a measured difference: the level, and for equal levels the number of losses.
    let levels = Loss.Level.allCases
    let estimate = Double(levels.firstIndex(of: level) ?? 0) + Double(min(lines.count, 999)) / 1000
    var row = ConversionPage.Row(
      input: outcome.item.input, output: Files.lastComponent(of: outcome.item.output), score: score,
      level: level.rawValue, rank: difference ?? estimate)
    row.sentences = Self.once(lines.map(\.text))
    // The page counts each once for an effect.
    row.kinds = Set(
      outcome.file.diagnostics.map { LossLine(general: $0) }
        .filter { $0.level > .info || $0.isImage || $0.isNotice }.map(\.text)
    ).sorted()
    if outcome.status == .refused { row.remark = "Not written, because of its losses." }
    rows.append((row, outcome.item))
  }

  /// Equal sentences once, with their number.
  private static func once(_ sentences: [String]) -> [String] {
    var counts: [String: Int] = [:]
    var order: [String] = []
    for sentence in sentences {
      if counts[sentence] == nil { order.append(sentence) }
      counts[sentence, default: 0] += 1
    }
    return order.map { counts[$0] == 1 ? $0 : "\($0) (\(counts[$0] ?? 0) times)" }
  }

  /// The number of effects that will have a picture, unless the pictures are too large.
  package var pictureCount: Int { min(rows.count, Self.mostPictures) }

  /// Draws the effects that differ most, and returns the page.
  /// - Parameters:
  ///   - title: the title of the page.
  ///   - conversion: the conversion that was run.
  ///   - open: opens the document at a path once more.
  ///   - progress: called after each picture.
  /// - Throws: `CancellationError` if the current task is cancelled. An effect that cannot be drawn has the
  ///   reason in place of a picture.
  package func page(
    title: String, of conversion: Conversion,
    open: @escaping @Sendable (_ path: String) throws -> OpenedEffect, progress: () -> Void
  ) throws -> ConversionPage {
    var rows = rows.sorted { ($1.row.rank, $0.row.input) < ($0.row.rank, $1.row.input) }
    let items = rows.prefix(Self.mostPictures).map(\.item)
    var (bytes, drawn) = (0, 0)
    try Parallel.ordered(items.count, state: {}) { index, _ in
      Self.picture(of: items[index], conversion, open)
    } emit: { result in
      try Task.checkCancellation()
      defer { drawn += 1 }
      progress()
      switch result {
      case .success(let picture):
        bytes += picture.bytes.count
        guard bytes <= Self.mostBytes else { return }
        rows[drawn].row.picture = .picture(
          bytes: picture.bytes, mimeType: AnimationFormat.webp.mimeType, width: picture.width,
          height: picture.height)
      case .failure(let fault): rows[drawn].row.remark = "No picture: \(fault.message)"
      }
    }
    var page = ConversionPage(title: title, rows: rows.map(\.row))
    let pictures = page.rows.count { $0.picture != nil }
    page.subtitles = [summary]
    if pictures < page.rows.count {
      page.subtitles.append(
        "Moving pictures, before and after, for \(pictures) of \(page.rows.count) effects: those that "
          + "differ most.")
    }
    if !isMeasured, !rows.isEmpty {
      page.subtitles.append("The levels are estimates; --measure simulates both effects.")
    }
    page.failures = failures
    return page
  }

  private var summary: String {
    let words: [(ConversionOutcome.Status, String)] = [
      (.converted, "converted"), (.refused, "refused because of losses"), (.failed, "failed"),
      (.skipped, "skipped"), (.unknown, "unknown"),
    ]
    return words.compactMap { status, word in counts[status].map { "\($0) \(word)" } }
      .joined(separator: ", ")
  }

  private struct Picture: Sendable {
    var bytes: [UInt8]
    var width: Int
    var height: Int
  }

  private static func picture(
    of item: ConversionPlan.Item, _ conversion: Conversion,
    _ open: @Sendable (_ path: String) throws -> OpenedEffect
  ) -> Result<Picture, Diagnostic> {
    do {
      return .success(
        try WorkBudget.run(.standard) { try drawn(try open(item.input), item, conversion) })
    } catch let fault as Diagnostic {
      return .failure(fault)
    } catch {
      return .failure(Diagnostic(.fileUnreadable, "\(error)"))
    }
  }

  private static func drawn(
    _ opened: OpenedEffect, _ item: ConversionPlan.Item, _ conversion: Conversion
  ) throws -> Picture {
    guard
      case .effect(let format) = try conversion.target.resolved(
        for: opened, among: conversion.formats), format.canWrite
    else { throw Diagnostic(.unknownFormat, "the result is the imported file") }
    let exported = try opened.package.exported(
      as: format, fileName: Files.lastComponent(of: item.output), images: conversion.imagePlacement,
      among: conversion.formats)
    var plan = SideBySide.plan
    (plan.width, plan.height, plan.framesPerSecond, plan.threads) = (160, 160, 15, 1)
    let pace = EffectPace(
      try opened.package.system(), profile: nil, limits: .standard)
    plan.showWhole(pace, mostFrames: mostFrames)
    let pictures = try SideBySide(opened.package, exported, as: format, plan: plan)
    var options = AnimationWriter.Options()
    options.quality = .lossy(70)
    var bytes: [UInt8] = []
    let writer = try AnimationWriter(
      .webp, width: pictures.width, height: pictures.height, timing: pictures.timing,
      options: options
    ) { bytes += $0 }
    try pictures.draw { try writer.append($0) }
    try writer.finish()
    return Picture(bytes: bytes, width: pictures.width, height: pictures.height)
  }
}
