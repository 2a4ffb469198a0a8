internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesRender

/// The report of a conversion: each loss of one document, or groups of losses and a summary for many.
struct ConversionReport {
  private let invocation: Invocation
  private let isBatch: Bool
  private let limit: LossLimit

  private let unknown: [String]

  /// The outcomes, with `--json` only. The others are counted, so that the memory of a batch does not
  /// grow with the number of its documents.
  private var outcomes: [ConversionOutcome] = []
  private var groups = LossGroups()
  private var counts: [ConversionOutcome.Status: Int] = [:]
  private var levels: [Loss.Level: Int] = [:]
  private var missingImages = 0
  private var status = ExitStatus.done

  init(_ invocation: Invocation, _ plan: ConversionPlan, limit: LossLimit) {
    self.invocation = invocation
    isBatch = plan.isBatch
    unknown = plan.unknown
    self.limit = limit
  }

  private var isDry: Bool { invocation.flag(.dryRun) }
  private var isJSON: Bool { invocation.flag(.json) }

  /// Whether a document was, or could be, converted.
  var isConverted: Bool { (counts[.converted] ?? 0) + (counts[.refused] ?? 0) > 0 }

  // MARK: One document

  mutating func add(_ outcome: ConversionOutcome) throws {
    let console = invocation.console
    var outcome = outcome
    for image in outcome.unwritten { console.inform("not written: \(image)") }
    // A folder that is not a package may contain documents.
    if outcome.failure?.rule == .noDocument,
      (try? DocumentSet.isPlainFolder(outcome.item.input)) == true
    {
      outcome.advise("use --recursive to convert the documents in a folder")
    }
    counts[outcome.status, default: 0] += 1
    if isJSON { outcomes.append(outcome) }
    switch outcome.status {
    case .unknown:
      if let failure = outcome.failure { console.detail("not a document: \(failure)") }
    case .skipped: console.detail("skipped \(outcome.item.input): \(skipReason(outcome))")
    case .failed:
      status = max(status, .failed)
      outcome.failure.map(console.report)
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
    levels[outcome.worst, default: 0] += 1
    missingImages += outcome.missingImages > 0 ? 1 : 0
    if limit.isExceeded(by: outcome) { status = max(status, .answerNo) }
    if isBatch { groups.add(losses) }
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
    let line = "converted \(outcome.item.input) to \(outcome.item.output)"
    let more = outcome.outputs.dropFirst().map { ", \(Files.lastComponent(of: $0))" }.joined()
    isBatch ? console.detail(line + more) : console.inform(line + more)
  }

  /// Prints the losses of a document; those of level info with `--dry-run` or `--verbose` only.
  private func show(_ losses: [Diagnostic], _ outcome: ConversionOutcome) throws {
    let console = invocation.console
    guard !isJSON, isDry || console.verbosity != .quiet else { return }
    let all = isDry || console.verbosity == .verbose
    let lines = LossLine.lines(of: losses).filter {
      all || $0.level > .info || $0.isImage || $0.isNotice
    }
    guard isDry || !lines.isEmpty || outcome.difference != nil else { return }
    let names = outcome.files.enumerated()
      .map { $0 == 0 ? $1 : Files.lastComponent(of: $1) }.joined(separator: ", ")
    var heading = "\(outcome.item.input) \(isDry ? "becomes" : "to") \(names)"
    heading += outcome.difference.map { "; \($0.summary)" } ?? ""
    let none = lines.isEmpty ? ["nothing is lost"] : []
    for line in [heading] + (lines.map(\.text) + none).map({ "  \($0)" }) {
      isDry ? try console.print(line) : console.inform(line)
    }
  }

  // MARK: All documents

  func finish(flushed seconds: Double) throws -> ExitStatus {
    let console = invocation.console
    for path in unknown { console.detail("not a document: \(path)") }
    if isJSON {
      try invocation.print(json)
    } else if isBatch {
      let text = Table(groups, all: isDry || console.verbosity == .verbose).text
      if isDry {
        try console.write(text)
      } else {
        for line in text.split(separator: "\n") { console.inform("  \(line)") }
      }
    }
    if isBatch {
      console.inform(summary)
      if !isDry { console.detail("flushed to disk in \(Int(seconds * 1000)) ms") }
    }
    guard !isBatch || counts.contains(where: { $0.key != .unknown }) else {
      return invocation.noDocuments()
    }
    return status
  }

  /// The number of files that were seen. Each is counted in one of ``counts``, or is unknown.
  private var seen: Int { counts.values.reduce(unknown.count, +) }

  private var summary: String {
    let losses = Loss.Level.allCases.reversed().compactMap { level in
      levels[level].map {
        level == .info ? "nothing lost in \($0)" : "\(level.rawValue) losses in \($0)"
      }
    }
    let converted = "\(counts[.converted] ?? 0) \(isDry ? "checked" : "converted")"
    let others = [
      (counts[.refused], "refused because of losses"), (counts[.failed], "failed"),
      (counts[.skipped], "skipped"),
      (unknown.count + (counts[.unknown] ?? 0), "unknown"),
    ].compactMap { count, text in count.flatMap { $0 > 0 ? "\($0) \(text)" : nil } }
    let images = missingImages > 0 ? ["images missing in \(missingImages)"] : []
    return "\(seen.of("file")): " + ([converted] + others + images).joined(separator: ", ")
      + (losses.isEmpty ? "" : "; \(losses.joined(separator: ", "))")
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
    return .object(whole)
  }
}

extension EffectDifference {
  /// "difference 0.12 (position)"
  fileprivate var summary: String {
    "difference \(whole.hundredths)" + (greatest.map { " (\($0.rawValue))" } ?? "")
  }
}
