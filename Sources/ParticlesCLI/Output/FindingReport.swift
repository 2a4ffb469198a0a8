internal import ParticlesCore
internal import ParticlesDocuments

/// The findings of a run as few lines. Up to 20 lines of several documents are printed as they are; of more, one line
/// for each document with an error, then the causes, heaviest first. With `--verbose`, everything is printed at once.
struct FindingReport: Sendable {
  /// Where lines go.
  struct Sink: Sendable {
    let finding: @Sendable (Diagnostic) throws -> Void
    let line: @Sendable (String) throws -> Void
  }

  private static let mostLines = 20
  private static let mostGroups = 10

  private let console: Console
  private let isBatch: Bool

  /// The lines, as long as they are few.
  private var lines: [Diagnostic] = []
  /// The first error of each document, as long as they are few.
  private var faults: [Diagnostic] = []
  /// The errors of the other documents.
  private var otherFaults = FindingGroups()
  private var groups = FindingGroups()

  /// - Parameter isBatch: whether there are several documents.
  init(_ console: Console, isBatch: Bool) {
    self.console = console
    self.isBatch = isBatch
  }

  private var isWhole: Bool { console.verbosity == .verbose }

  /// Adds the findings of a document that are to be printed.
  mutating func add(_ findings: [Diagnostic], to sink: Sink) throws {
    guard !isWhole else { return try findings.forEach(sink.finding) }
    let short = findings.condensed
    guard isBatch else { return try short.forEach(sink.finding) }
    let errors = findings.filter { $0.severity == .error }
    groups.add(findings.filter { $0.severity != .error })
    if lines.count <= Self.mostLines { lines += short }
    guard var first = errors.first else { return }
    guard faults.count < Self.mostLines else { return otherFaults.add(errors) }
    if errors.count > 1 {
      let more = "and \((errors.count - 1).of("more error"))"
      let wording = console.wording
      first.detail = [first.detail.map(wording.text), wording.text(more)].compactMap(\.self)
        .joined(separator: ", ")
    }
    faults.append(first)
  }

  /// Prints what was not printed yet.
  func finish(to sink: Sink) throws {
    guard isBatch, !isWhole else { return }
    // Images that many documents lack have one cause.
    let imagesAreGrouped = groups.imageFiles > 1
    let few = lines.filter { !imagesAreGrouped || !$0.isOfImage || $0.severity == .error }
    if lines.count <= Self.mostLines {
      try few.forEach(sink.finding)
    } else {
      try faults.forEach(sink.finding)
      let all = otherFaults.sorted + groups.sorted
      let wording = console.wording
      var table = Table(.right, .left)
      for group in all.prefix(Self.mostGroups) {
        let more = group.count > group.files ? wording.text(", \(group.count) times") : ""
        let severity = wording.text("\(group.severity)")
        let text = group.first.cause(group.text, wording)
        table.add(wording.line(group.files.of("file")), "\(severity): \(text)\(more)")
      }
      for line in table.text.split(separator: "\n") { try sink.line(String(line)) }
      let rest = all.dropFirst(Self.mostGroups)
      if !rest.isEmpty {
        let findings = rest.reduce(0) { $0 + $1.count }
        try sink.line(
          "and \(findings.of("finding")) of \(rest.count.of("other cause")); --verbose lists them")
      }
    }
    if imagesAreGrouped { try sink.line(groups.imageLine) }
  }
}

extension Diagnostic {
  /// A cause that begins with the summary of the rule, in the language of the user.
  fileprivate func cause(_ text: String, _ wording: Wording) -> String {
    wording.text(rule.summary) + text.dropFirst(rule.summary.count)
  }
}

extension FindingGroups {
  /// "12 images not found in 9 effects; --images FOLDER"
  var imageLine: String {
    "\(images.count.of("image")) not found in \(imageFiles.of("effect"));"
      + " name their folder with --images FOLDER"
  }
}

/// The findings about documents of a batch that were processed all the same.
final class CollectedNotes: Sendable {
  private struct State: Sendable {
    var report: FindingReport?
    var sink: FindingReport.Sink?
    var tellsResults = true
    var hasLooked = false
    /// The folder of the records of open documents.
    var folder: String?
    /// The documents that were looked for there.
    var files: Set<String> = []
  }

  // One lock: the runtime makes each type of a lock when it is needed first, which costs every command.
  private let state = Lock(State())

  /// Whether a document is to be looked for in the records of open documents: there are any, and it was not looked for.
  /// - Parameter folder: returns the folder of the records; nil without any. Asked once.
  /// - Returns: the folder; nil if there is nothing to look for.
  func recordFolder(for path: String, _ folder: () -> String?) -> String? {
    state.withLock { state in
      if !state.hasLooked { (state.hasLooked, state.folder) = (true, folder()) }
      guard let folder = state.folder, state.files.insert(path).inserted else { return nil }
      return folder
    }
  }

  /// Whether each result is told.
  var tellsResults: Bool {
    get { state.withLock { $0.tellsResults } }
    set { state.withLock { $0.tellsResults = newValue } }
  }

  /// Begins to collect.
  func begin(_ report: FindingReport, to sink: FindingReport.Sink) {
    state.withLock { ($0.report, $0.sink) = (report, sink) }
  }

  /// Takes the findings of a document.
  /// - Returns: false if they are not collected.
  func collect(_ findings: [Diagnostic]) -> Bool {
    state.withLock { state in
      guard let sink = state.sink else { return false }
      // Standard error takes every line.
      try? state.report?.add(findings, to: sink)
      return true
    }
  }

  /// Prints what was collected.
  func finish() {
    state.withLock { state in
      if let sink = state.sink { try? state.report?.finish(to: sink) }
      (state.report, state.sink) = (nil, nil)
    }
  }
}
