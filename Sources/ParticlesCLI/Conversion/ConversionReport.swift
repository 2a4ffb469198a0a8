internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats

/// The report of a conversion: each loss of one document, or groups of losses and a summary for many.
struct ConversionReport {
  private let invocation: Invocation
  private let isBatch: Bool
  private let limit: Loss.Level?

  private var report = Report()
  private var outputs: [[String]] = []
  private var groups = LossGroups()
  private var status = ExitStatus.done
  private var (converted, refused, failed, passedOver) = (0, 0, 0, 0)
  private var files: [Loss.Level: Int] = [:]

  init(_ invocation: Invocation, isBatch: Bool, limit: Loss.Level?) {
    self.invocation = invocation
    self.isBatch = isBatch
    self.limit = limit
  }

  private var isDry: Bool { invocation.flag(.dryRun) }
  private var isJSON: Bool { invocation.flag(.json) }

  // MARK: One document

  mutating func add(_ outcome: ConversionOutcome) throws {
    let console = invocation.console
    var outcome = outcome
    for image in outcome.unwritten { console.inform("not written: \(image)") }
    // A folder that is not a package may contain documents.
    if outcome.failure?.rule == .noDocument,
      (try? PackageFinder().isPlainFolder(outcome.item.input)) == true
    {
      outcome.advise("use --recursive to convert the documents in a folder")
    }
    if outcome.isPassedOver, let failure = outcome.failure {
      passedOver += 1
      console.detail("skipped: \(failure)")
      return
    }
    report.files.append(outcome.file)
    outputs.append(outcome.outputs)
    if let failure = outcome.failure {
      failed += 1
      status = max(status, .failed)
      console.report(failure)
      return
    }
    let losses = outcome.file.diagnostics
    files[outcome.worst, default: 0] += 1
    if let limit, outcome.worst > limit { status = max(status, .answerNo) }
    if isBatch { groups.add(losses) }
    if !isBatch || console.verbosity == .verbose { try show(losses, outcome) }
    if outcome.isRefused {
      refused += 1
      status = max(status, .answerNo)
      let count = losses.count { $0.lossLevel > limit ?? .info }
      console.complain(
        "\(outcome.item.input) was not converted: \(count.of("loss", plural: "losses"))",
        hint: "without --strict it is converted with the losses above")
      return
    }
    converted += 1
    guard !isDry else { return }
    let line = "converted \(outcome.item.input) to \(outcome.item.output)"
    let more = outcome.outputs.dropFirst().map { ", \(Files.lastComponent(of: $0))" }.joined()
    isBatch ? console.detail(line + more) : console.inform(line + more)
  }

  /// Prints the losses of a document; those of level info with `--dry-run` or `--verbose` only.
  private func show(_ losses: [Diagnostic], _ outcome: ConversionOutcome) throws {
    guard !isJSON else { return }
    let all = isDry || invocation.console.verbosity == .verbose
    let shown = losses.filter { all || $0.lossLevel > .info }
    let text = Table(losses: shown).text
    if isDry {
      let none = losses.isEmpty ? "nothing is lost\n" : ""
      try invocation.console.write(text + none)
    } else if invocation.console.verbosity != .quiet, !text.isEmpty {
      invocation.console.inform(
        "\(outcome.item.input): \(shown.count.of("difference"))")
      for line in text.split(separator: "\n") { invocation.console.inform("  \(line)") }
    }
  }

  // MARK: All documents

  func finish() throws -> ExitStatus {
    let console = invocation.console
    if isJSON {
      try invocation.print(json)
    } else if isBatch {
      let text = Table(groups, all: console.verbosity == .verbose).text
      if isDry {
        try console.write(text)
      } else {
        for line in text.split(separator: "\n") { console.inform("  \(line)") }
      }
    }
    if isBatch { console.inform(summary) }
    return status
  }

  private var summary: String {
    let count = converted + refused + failed
    var text = "\(isDry ? "checked" : "converted") \(converted) of \(count.of("file"))"
    let losses = Loss.Level.allCases.reversed().compactMap { level in
      files[level].map {
        level == .info ? "nothing lost in \($0)" : "\(level.rawValue) losses in \($0)"
      }
    }
    if !losses.isEmpty { text += ": " + losses.joined(separator: ", ") }
    if refused > 0 { text += "; \(refused) not converted because of losses" }
    if failed > 0 { text += "; \(failed) failed" }
    if passedOver > 0 { text += "; \(passedOver.of("file")) of other kinds skipped" }
    return text
  }

  /// The report, with the output paths of each document.
  private var json: JSONValue {
    guard var whole = report.json.object, let list = whole["files"]?.array else {
      return report.json
    }
    whole["files"] = .array(
      zip(list, outputs).map { file, outputs in
        guard var object = file.object else { return file }
        object["outputs"] = .array(outputs.map(JSONValue.string))
        return .object(object)
      })
    let counts = Loss.Level.allCases.map { level in
      JSONObject.Member(key: level.rawValue, value: .int(files[level] ?? 0))
    }
    var losses = JSONObject()
    for count in counts { losses[count.key] = count.value }
    whole["worst"] = .object(losses)
    return .object(whole)
  }
}
