public import ParticlesCore
public import ParticlesFormats
public import ParticlesRender

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
    /// The lines that are the same in all documents; empty if only levels were asked for.
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

  /// The summary of the diagnostics.
  package var summary: Summary { known ?? Summary(file.diagnostics) }

  /// Keeps the summary until the diagnostics change.
  mutating func summarise() { known = Summary(file.diagnostics) }

  /// The levels, without the lines of a summary.
  private var levels: Summary { known ?? Summary(file.diagnostics, hasLines: false) }

  /// The kind of result.
  public internal(set) var status = Status.converted

  /// The difference between the running effects before and after the conversion; nil if it was not
  /// measured, or if the effect emits nothing.
  public internal(set) var difference: EffectDifference?

  /// The paths that were written.
  public internal(set) var outputs: [String] = []

  /// The paths of the files that the document becomes, written or not: the result first.
  public private(set) var files: [String] = []

  /// The images that were not written, because the result went to a stream.
  package private(set) var unwritten: [String] = []

  /// The written files that wait for their names; nil if files get them at once.
  var stage: SaveStage?

  /// The files still to be written, by path: those that belong to this document only, and images,
  /// which several documents may share.
  private var parts: [(path: String, bytes: [UInt8])] = []
  private var images: [(path: String, bytes: [UInt8])] = []

  /// The images that this document has written, and those that it uses because another document of this
  /// run has written them.
  private var ownImages: [(path: String, bytes: [UInt8])] = []
  private var sharedImages: [(path: String, bytes: [UInt8])] = []

  /// Whether existing files may be replaced.
  private var isReplacing = false

  /// Exports the effect again, with the name of the result before those of its images.
  private var renamed: (@Sendable () throws -> Exported)?

  /// Whether it has files, or the effect. Callers keep outcomes, so those of a batch must not.
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

  /// The reason why the document was not converted; nil if it was.
  public var failure: Diagnostic? {
    status == .failed || status == .unknown ? file.diagnostics.last : nil
  }

  /// The greatest loss; that of the measured difference, if that is greater. Missing images do not
  /// count: see ``missingImages``. A loss that was neither measured nor estimated has the level of its feature.
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

  /// Takes the files of an effect.
  /// - Parameter renamed: exports the effect with images that are named after it, for when files with
  ///   their own names exist.
  mutating func take(_ exported: Exported, renamed: (@Sendable () throws -> Exported)?) {
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
      take(try renamed(), renamed: nil)
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

  /// Writes files in this order: all of them, or none.
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

  /// Removes the images that are not on disk from those that were written, after this document could
  /// not get its name.
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
    /// It has the same contents on disk.
    case same
    /// Another document of this run has written the same contents.
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
