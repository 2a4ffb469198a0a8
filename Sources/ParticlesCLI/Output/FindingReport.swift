internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesSystem

/// The findings of a run as few lines. Up to 20 lines of several documents are printed as they are. Otherwise, each
/// document with an error has one line. Then follow the causes, heaviest first. `--verbose` prints everything at once.
struct FindingReport: Sendable {
  /// Where lines go.
  struct Sink: Sendable {
    let finding: @Sendable (Diagnostic) throws -> Void
    let line: @Sendable (Phrase) throws -> Void
  }

  private static let mostLines = 20
  private static let mostGroups = 10

  private let console: Console
  private let isBatch: Bool

  /// The lines, as long as they are few.
  private var lines: [Diagnostic] = []
  /// The first error of each document, as long as they are few.
  private var faults: [Diagnostic] = []
  /// The errors of the remaining documents.
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
      let more: Phrase = "and \((errors.count - 1).of("more error"))"
      let wording = console.wording
      first.detail = [first.detail.map(wording.value), wording.text(more)].compactMap(\.self)
        .joined(separator: ", ")
    }
    faults.append(first)
  }

  /// Prints all remaining lines.
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
        let severity = wording.word("\(group.severity)")
        let text = group.first.cause(group.text, wording)
        table.add(wording.text(group.files.of("file")), "\(severity): \(text)\(more)")
      }
      for line in table.text.split(separator: "\n") { try sink.line("\(line)") }
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
    wording.summary(of: rule) + text.dropFirst(rule.summary.count)
  }
}

extension FindingGroups {
  /// "12 images not found in 9 effects; --images FOLDER"
  var imageLine: Phrase {
    "\(images.count.of("image")) not found in \(imageFiles.of("effect"));"
      + " name their folder with --images FOLDER"
  }
}

/// The findings about documents of a batch that were processed nevertheless.
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
  /// - Parameter folder: returns the folder of the records, or nil. Called once.
  /// - Returns: the folder, or nil if there is nothing to look for.
  func recordFolder(for path: String, _ folder: () -> String?) -> String? {
    state.withLock { state in
      if !state.hasLooked { (state.hasLooked, state.folder) = (true, folder()) }
      guard let folder = state.folder, state.files.insert(path).inserted else { return nil }
      return folder
    }
  }

  /// Whether each result is printed.
  var tellsResults: Bool {
    get { state.withLock { $0.tellsResults } }
    set { state.withLock { $0.tellsResults = newValue } }
  }

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

  /// Prints the collected findings.
  func finish() {
    state.withLock { state in
      if let sink = state.sink { try? state.report?.finish(to: sink) }
      (state.report, state.sink) = (nil, nil)
    }
  }
}

extension Report {
  /// The report as JSON, with files in searched folders that are no documents, and files that ignore files left out.
  func json(unknown: [String], ignored: [String]) -> JSONValue {
    guard var object = json.object else { return json }
    object["unknown"] = .array(unknown.map(JSONValue.string))
    if !ignored.isEmpty { object["ignored"] = .array(ignored.map(JSONValue.string)) }
    return .object(object)
  }
}

extension Diagnostic {
  /// The formats that can be read, if this is about a file of an unsupported format.
  var readableFormats: Phrase? {
    guard [.foreign, .unknownFormat].contains(rule) else { return nil }
    let titles = FormatRegistry.standard.formats.filter(\.canRead).map(\.title)
    return "formats that are read: \(titles.joined(separator: ", "))"
  }

  /// The hint for users of the tool. It names options and commands where they help. The hints of the library cannot.
  var toolHint: String? { hint == rule.hint ? Self.toolHints[rule.code] ?? hint : hint }

  private static let damage =
    "fetch the file again, restore it from a copy, or save what is intact with "
    + "'particles unpack --recover'"

  private static let toolHints: [String: String] = [
    Rule.fileExists.code: "choose another name, or use --force to replace it",
    Rule.signature.code: "'particles info' shows the format; 'particles convert' writes packages",
    Rule.limit.code: "the tool has no option for higher limits, but the library does",
    Rule.noEntry.code: "'particles list' shows the entries",
    Rule.torn.code: "'particles compact' removes it",
    Rule.fileStore.code: "'particles versions FILE repair' removes the damaged parts",
    Rule.truncated.code: damage, Rule.checksum.code: damage, Rule.frame.code: damage,
    Rule.payload.code: damage, Rule.index.code: damage, Rule.coverage.code: damage,
    Rule.canonical.code: "'particles validate --fix' rewrites it",
    Rule.decimalCommas.code: "'particles validate --fix' writes points in their place",
    Rule.unknownFormat.code:
      "the file may be damaged; name its format with --from ('particles formats' lists them)",
    Rule.absentImage.code: "'particles edit FILE --image PICTURE' embeds it",
    Rule.missingImage.code: "put it beside the file, or name its folder with --images",
    Rule.indexMissing.code: "make one with 'particles index FOLDER'",
    Rule.indexForeign.code: "name another file with --database",
    Rule.indexVersion.code: "name a new file with --database, or remove this one",
    Rule.indexQuery.code:
      "'particles help find' lists the fields; quote texts with special characters",
  ]

  /// This fault, with the next step if it is a path that does not exist.
  ///
  /// The step is looked for when the fault is reported, and not where it occurs: most callers only ask whether there is a
  /// file.
  var withNextStep: Diagnostic {
    guard rule == .fileNotFound, hint == nil, detail == nil, location.entry == nil,
      let path = location.file, !path.isEmpty
    else { return self }
    var copy = self
    copy.hint = MissingPath.hint(for: path)
    return copy
  }
}

private enum MissingPath {
  /// The most names of a folder that are compared.
  private static let mostNames = 2_000

  static func hint(for path: String) -> String {
    var (missing, folder) = (path, Files.folder(of: path))
    while kind(folder) == nil, folder != ".", folder != "/" {
      (missing, folder) = (folder, Files.folder(of: folder))
    }
    guard kind(folder) == .directory else {
      return "'\(folder)' is a file, and not a folder; correct the path"
    }
    let names = (try? Files.list(folder, passingOver: { _ in })) ?? []
    let name = Files.lastComponent(of: missing)
    if names.contains(name) {
      return "'\(missing)' is a link that leads nowhere; restore its target, or remove it"
    }
    let shown = names.filter { !$0.hasPrefix(".") }.prefix(mostNames)
    let guess = Suggestion.nearest(to: name, among: Array(shown)).map { near in
      "did you mean '\(missing.hasPrefix("./") || folder != "." ? Files.joined(folder, near) : near)'?"
    }
    guard missing == path else {
      return "there is no folder '\(missing)'; \(guess ?? "create it, or correct the path")"
    }
    return guess ?? "no name in the folder is like it; list them with 'ls \(folder)'"
  }

  private static func kind(_ path: String) -> FileStatus.Kind? {
    (try? Files.status(path))??.kind
  }
}
