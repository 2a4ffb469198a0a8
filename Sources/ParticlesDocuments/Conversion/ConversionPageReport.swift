internal import ParticlesCore
internal import ParticlesFormats
package import ParticlesRender

/// Collects the outcomes of a ``Conversion`` for a web page, and draws those that differ most.
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

  /// Adds the outcome of a document.
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
    // Without a measured difference: the level, and among equal ones the number of losses.
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
