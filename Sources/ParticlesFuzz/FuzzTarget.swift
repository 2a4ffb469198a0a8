internal import ParticlesCore
internal import ParticlesFormats

/// An entry point of the library that accepts untrusted input.
struct FuzzTarget: Sendable {
  /// The name on the command line and in `Fixtures/crashers/`.
  let name: String

  /// A short description of the input.
  let about: String

  /// Tokens for the dictionary of the fuzzer; none by default.
  let words: [String]

  /// Initial inputs, made from a file of the project; empty if the file is of another kind.
  let seeds: @Sendable (_ file: [UInt8]) -> [[UInt8]]

  /// Feeds an input. A thrown ``ParticlesCore/Diagnostic`` is a valid result; a broken law ends the
  /// process.
  private let feed: @Sendable (_ bytes: [UInt8]) throws -> Void

  init(
    _ name: String, _ about: String, words: [String] = [],
    seeds: @escaping @Sendable (_ file: [UInt8]) -> [[UInt8]],
    feed: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void
  ) {
    self.name = name
    self.about = about
    self.words = words
    self.seeds = seeds
    self.feed = feed
  }

  /// Every target: one for each effect format, and the others.
  static let all =
    FormatRegistry.standard.formats.filter { !$0.isArchive && $0.canRead }.map { format in
      FuzzTarget(
        format.name, "a file of the format \(format.title)",
        words: format.table?().keys ?? [], seeds: { Seeds.files($0, of: format) },
        feed: { try EffectLaws.check($0, as: format) })
    } + others

  private static let others: [FuzzTarget] = [
    FuzzTarget("container", "a flat package", seeds: Seeds.packages, feed: PackageLaws.check),
    FuzzTarget(
      "container-structured", "a flat package whose frames get right checksums first",
      seeds: Seeds.packages, feed: { try PackageLaws.check(RepairedPackage($0).bytes) }),
    FuzzTarget(
      "recovery", "a damaged package", seeds: Seeds.packages, feed: RecoveryLaws.check),
    FuzzTarget(
      "saving", "edits of a package, and saves of every kind", seeds: Seeds.histories,
      feed: SavingLaws.check),
    FuzzTarget(
      "zip", "a ZIP archive", seeds: { Seeds.files($0, of: .zip) },
      feed: { try FileLaws.check($0, as: .zip) }),
    FuzzTarget(
      "tar", "a tar archive whose headers get right checksums first",
      seeds: { Seeds.files($0, of: .tar) },
      feed: { try FileLaws.check(FileLaws.repairedTar($0), as: .tar) }),
    FuzzTarget(
      "document", "an effect as JSON", seeds: Seeds.documents, feed: DocumentLaws.check),
    FuzzTarget(
      "png", "an image, in Apple's variant too", seeds: Seeds.images, feed: ImageLaws.check),
    FuzzTarget(
      "plist", "any property list, in XML or binary, and archives written again",
      seeds: Seeds.propertyLists,
      feed: {
        try PropertyListLaws.check($0)
        try WriterLaws.check($0)
      }),
    FuzzTarget("tiff", "an image as TIFF", seeds: Seeds.tiffs, feed: TIFFLaws.check),
    FuzzTarget("json", "any JSON", seeds: Seeds.documents, feed: JSONLaws.check),
    FuzzTarget(
      "types", "a property list, types.json, desktop entry, or dynamic identifier",
      seeds: Seeds.types, feed: TypesLaws.check),
  ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

  /// Feeds an input, whose work, time and memory must be in proportion to its bytes, and returns the
  /// diagnostic that it was refused with; nil if it was read.
  @discardableResult
  func run(_ bytes: [UInt8]) -> Diagnostic? {
    do {
      try Cost.check(bytes.count) { try feed(bytes) }
    } catch let diagnostic as Diagnostic {
      // A message is one line, even if it quotes a file that contains line breaks.
      Law.holds("a message is one line", !"\(diagnostic)".contains("\n"))
      return diagnostic
    } catch {
      Law.broken("only diagnostics are thrown, not \(error)")
    }
    return nil
  }

  /// Limits for an input: small, so that an input which exceeds them is a finding.
  static let limits: Limits = {
    var limits = Limits()
    limits.entries = 2000
    limits.depth = 16
    limits.entryBytes = 1 << 20
    limits.totalBytes = 4 << 20
    limits.indexBytes = 1 << 20
    limits.fileBytes = 1 << 20
    limits.objects = 20_000
    limits.types = 2000
    limits.textBytes = 1 << 20
    limits.emitters = 64
    limits.pixels = 1 << 16
    return limits
  }()
}
