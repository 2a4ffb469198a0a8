internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesRender
internal import ParticlesSystem

/// The report of a conversion: each loss of one document, or groups of losses and a summary for many.
struct ConversionReport {
  private let invocation: Invocation
  private let isBatch: Bool
  /// Whether levels of losses are reported.
  private let isTelling: Bool
  private let limit: LossLimit

  private let set: DocumentSet
  private let unknown: [String]

  /// The outcomes, with `--json` only. Otherwise, they are only counted, so that the memory of a batch does not grow
  /// with the number of its documents.
  private var outcomes: [ConversionOutcome] = []
  private var groups = LossGroups()
  private var images = FindingGroups()
  private var failures: FailureLines
  /// The files with the greatest differences, the greatest first, and how many there are.
  private var different: [(outcome: String, weight: Double)] = []
  private var differentCount = 0
  private var counts: [ConversionOutcome.Status: Int] = [:]
  private var levels: [Loss.Level: Int] = [:]
  /// The number of documents whose greatest loss was neither measured nor estimated.
  private var unknownLevels = 0
  private var status: ExitStatus

  init(_ invocation: Invocation, _ plan: ConversionPlan, limit: LossLimit) {
    self.invocation = invocation
    isBatch = plan.isBatch && !plan.isOfOne
    isTelling =
      invocation.console.verbosity != .quiet || invocation.flag(.dryRun) || invocation.flag(.json)
    set = plan.documents
    unknown = plan.unknown
    self.limit = limit
    failures = FailureLines(invocation, recording: false)
    status = invocation.begin(plan.documents)
  }

  private var isDry: Bool { invocation.flag(.dryRun) }
  private var isJSON: Bool { invocation.flag(.json) }

  /// Whether a document was, or could be, converted.
  var isConverted: Bool { (counts[.converted] ?? 0) + (counts[.refused] ?? 0) > 0 }

  /// Whether the summaries of outcomes are counted.
  var isOfMany: Bool { isBatch && isTelling }

  // MARK: One document

  mutating func add(_ outcome: ConversionOutcome) throws {
    let console = invocation.console
    for image in outcome.unwritten { console.inform("not written: \(image)") }
    counts[outcome.status, default: 0] += 1
    if isJSON { outcomes.append(outcome) }
    switch outcome.status {
    case .unknown:
      if let failure = outcome.failure { console.detail("not a document: \(failure)") }
    case .skipped: console.detail("skipped \(outcome.item.input): \(skipReason(outcome))")
    case .failed:
      status = max(status, .failed)
      if let failure = outcome.failure {
        failures.add(failure, of: outcome.item.isFound ? nil : outcome.item.input)
      }
    case .converted, .refused: try addConverted(outcome)
    }
  }

  private func skipReason(_ outcome: ConversionOutcome) -> String {
    counts[.failed] != nil && invocation.flag(.failFast)
      ? "stopped after an error" : "\(outcome.item.output) exists"
  }

  private mutating func addConverted(_ outcome: ConversionOutcome) throws {
    let console = invocation.console
    let losses = outcome.file.diagnostics
    if isTelling {
      let known = outcome.worstKnown
      levels[known, default: 0] += 1
      if outcome.worst > known { unknownLevels += 1 }
    }
    images.add(losses.filter { $0.rule == .missingImage })
    if limit.isExceeded(by: outcome) { status = max(status, .answerNo) }
    if isOfMany {
      groups.add(outcome.summary.lines)
      note(outcome)
    }
    if !isBatch || console.verbosity == .verbose { try show(losses, outcome) }
    guard outcome.status == .converted else {
      status = max(status, .answerNo)
      let count = losses.count { $0.lossLevel > limit.level ?? .info }
      console.complain(
        "\(outcome.item.input) was not converted: \(count.of("loss", plural: "losses"))",
        hint: "without --strict it is converted with the losses above")
      return
    }
    if outcome.item.isRenamed {
      console.detail(
        "\(outcome.item.input) becomes \(outcome.item.output): another document has the same name")
    }
    guard !isDry else { return }
    let line: Phrase = "converted \(outcome.item.input) to \(outcome.item.output)"
    let more = outcome.outputs.dropFirst().map { ", \(Files.lastComponent(of: $0))" }.joined()
    isBatch ? console.detail("\(line)\(more)") : console.inform("\(line)\(more)")
  }

  /// Remembers a document that looks different, if few are worse.
  private mutating func note(_ outcome: ConversionOutcome) {
    guard outcome.worstKnown == .high else { return }
    differentCount += 1
    let lines = outcome.summary.highMessages
    let weight = outcome.difference?.whole ?? Double(lines)
    let number = outcome.difference.map(\.summary) ?? "\(lines.of("difference"))"
    guard different.count < Self.mostFiles || weight > different[different.count - 1].weight else {
      return
    }
    let place = different.firstIndex { $0.weight < weight } ?? different.count
    different.insert(("\(outcome.item.input): \(number)", weight), at: place)
    if different.count > Self.mostFiles { different.removeLast() }
  }

  /// The numbers of groups and files that are listed.
  private static let (mostGroups, mostFiles) = (10, 8)

  /// Prints the losses of a document. Losses of level info change nothing visible. `--dry-run` counts them, and
  /// `--verbose` prints them.
  private func show(_ losses: [Diagnostic], _ outcome: ConversionOutcome) throws {
    let console = invocation.console
    guard !isJSON, isDry || console.verbosity != .quiet else { return }
    let isWhole = console.verbosity == .verbose
    let all = LossLine.lines(of: losses)
    let lines = all.filter { isWhole || $0.level > .info || $0.isImage || $0.isNotice }
    let notes = all.count - lines.count
    guard isDry || !lines.isEmpty || outcome.difference != nil else { return }
    let names = outcome.files.enumerated()
      .map { $0 == 0 ? $1 : Files.lastComponent(of: $1) }.joined(separator: ", ")
    var heading = "\(outcome.item.input) \(isDry ? "becomes" : "to") \(names)"
    heading += outcome.difference.map { "; \($0.summary)" } ?? ""
    var texts = lines.isEmpty ? ["nothing is lost"] : lines.map(\.text)
    if isDry, notes > 0 {
      let verb = notes == 1 ? "changes" : "change"
      texts.append(
        "\(notes.of("technical note")) that \(verb) nothing visible; --verbose lists "
          + "\(notes == 1 ? "it" : "them")")
    }
    for line in [heading] + texts.map({ "  \($0)" }) {
      isDry ? try console.print(line) : console.inform("\(line)")
    }
  }

  // MARK: All documents

  func finish(flushed seconds: Double) throws -> ExitStatus {
    let console = invocation.console
    failures.finish()
    invocation.tellOthers(set, unknown: unknown)
    if isJSON {
      try invocation.print(json)
    } else if isBatch {
      for line in report { isDry ? try console.print(line) : console.inform("\(line)") }
    }
    if isBatch {
      console.inform(summary)
      if !isDry { console.detail("flushed to disk in \(Int(saturating: seconds * 1000)) ms") }
    }
    guard counts.contains(where: { $0.key != .unknown }) else {
      return invocation.noDocuments(set)
    }
    return status
  }

  /// The lines about all documents: the heaviest differences, the images, and the files to look at.
  private var report: [String] {
    let isWhole = invocation.console.verbosity == .verbose
    let all = groups.sorted.filter { !$0.line.isImage && (isWhole || $0.line.level > .info) }
    let shown = isWhole ? all[...] : all.prefix(Self.mostGroups)
    var table = Table(.right, .left)
    for (line, count) in shown { table.add("\(count.of("file"))", line.text) }
    var lines = table.text.split(separator: "\n").map { "  \($0)" }
    if shown.count < all.count {
      let others = (all.count - shown.count).of("other difference")
      lines.append("  and \(others); --verbose lists them")
    }
    if images.imageFiles > 0 { lines.append(images.imageLine.description) }
    if !different.isEmpty {
      let probably = invocation.flag(.measure) ? "" : "probably "
      let verb = differentCount == 1 ? "looks" : "look"
      lines.append("\(differentCount.of("file")) \(probably)\(verb) different:")
      lines += different.map { "  \($0.outcome)" }
      let rest = differentCount - different.count
      if rest > 0 { lines.append("  and \(rest.of("other file"))") }
    }
    return lines
  }

  /// The number of files that were seen. Each is counted in one of ``counts``, or is unknown.
  private var seen: Int { counts.values.reduce(unknown.count, +) }

  private var summary: Phrase {
    let losses = Loss.Level.allCases.reversed().compactMap { level -> Phrase? in
      levels[level].map { count -> Phrase in
        switch level {
        case .info: "nothing is lost in \(count)"
        case .low: "\(count) with hardly visible differences"
        case .medium: "\(count) with differences side by side"
        case .high: "\(count) that \(fixed: count == 1 ? "looks" : "look") different"
        }
      }
    }
    let converted: Phrase = "\(counts[.converted] ?? 0) \(fixed: isDry ? "checked" : "converted")"
    let others = [
      (counts[.refused], "refused because of losses"), (counts[.failed], "failed"),
      (counts[.skipped], "skipped"),
      (unknown.count + (counts[.unknown] ?? 0), "unknown"), (set.ignored.count, "ignored"),
      (set.excluded, "excluded"),
    ].compactMap { count, text -> Phrase? in
      count.flatMap { $0 > 0 ? "\($0) \(fixed: text)" : nil }
    }
    return "\(seen.of("file")): " + ([converted] + others).joined(separator: ", ")
      + (losses.isEmpty ? "" : "; \(losses.joined(separator: ", "))")
      + (unknownLevels > 0 ? "; \(unknownLevels) with losses that are not measured" : "")
  }

  /// The report, with the outcome and the output paths of each document.
  private var json: JSONValue {
    let documents = outcomes.filter { $0.status != .unknown }
    let report = Report(files: documents.map(\.file))
    guard var whole = report.json.object, let list = whole["files"]?.array else {
      return report.json
    }
    whole["files"] = .array(
      zip(list, documents).map { file, outcome in
        guard var object = file.object else { return file }
        object["outcome"] = .string(outcome.status.rawValue)
        object["difference"] = outcome.difference?.json
        object["files"] = .array(outcome.files.map(JSONValue.string))
        object["missingImages"] = .int(outcome.missingImages)
        object["outputs"] = .array(outcome.outputs.map(JSONValue.string))
        return .object(object)
      })
    var worst = JSONObject()
    for level in Loss.Level.allCases { worst[level.rawValue] = .int(levels[level] ?? 0) }
    whole["worst"] = .object(worst)
    var summary: JSONObject = ["seen": .int(seen)]
    for status in ConversionOutcome.Status.allCases {
      summary[status.rawValue] = .int(counts[status] ?? 0)
    }
    summary["unknown"] = .int(unknown.count + (counts[.unknown] ?? 0))
    whole["summary"] = .object(summary)
    whole["unknown"] = .array(
      (unknown + outcomes.filter { $0.status == .unknown }.map(\.item.input)).map(JSONValue.string))
    if !set.ignored.isEmpty { whole["ignored"] = .array(set.ignored.map(JSONValue.string)) }
    return .object(whole)
  }
}

extension EffectDifference {
  /// "difference 0.12 (position)"
  fileprivate var summary: String {
    "difference \(whole.hundredths)" + (greatest.map { " (\($0.rawValue))" } ?? "")
  }
}

extension Invocation {
  /// The path of `--report`, or nil.
  /// - Throws: ``UsageError`` if it cannot be a web page about this conversion, or ``ParticlesCore/Rule/fileExists``.
  func reportPage(_ target: ConversionTarget) throws -> String? {
    guard let path = value(.report) else { return nil }
    guard ["html", "htm"].contains(Files.pathExtension(of: path)) else {
      throw UsageError(
        "'--report' writes a web page, and '\(path)' does not end in .html",
        hint: "--json prints the report for programs")
    }
    switch target {
    case .effect, .original: break
    case .package, .archive:
      throw UsageError("'--report' needs a conversion to another format of effects")
    }
    if !flag(.force), try Files.status(path) != nil {
      throw Diagnostic(.fileExists, at: Location(file: path))
    }
    return path
  }

  /// Draws and writes the web page about a conversion.
  func write(
    _ report: ConversionPageReport, of conversion: Conversion, named name: String, to path: String
  ) throws {
    let bar = ProgressBar("drawing", total: report.pictureCount, console: console)
    let page = try report.page(
      title: "Conversion of \(name)", of: conversion, open: { try effectOfEngine(at: $0) },
      progress: { bar.advance() })
    bar.finish()
    var size = 0
    try SafeSave.file(path, replacing: flag(.force)) { file in
      try page.write {
        size += $0.count
        try file.write($0)
      }
    }
    let pictures = page.rows.count { $0.picture != nil }
    console.inform(
      "wrote \(path): \("\(page.rows.count.of("effect")), \(pictures.of("picture")), \(size.bytesText)" as Phrase)"
    )
  }
}

extension Option {
  static let report = Option(
    "report", value: .file("path"),
    "Write a web page with the losses, the most different effects first, and moving pictures of the "
      + "first \(ConversionPageReport.mostPictures) before and after, such as report.html.")
}
