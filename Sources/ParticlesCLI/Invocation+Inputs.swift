internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages

extension Argument {
  /// The documents of a command: files, folders and patterns.
  static func documents(_ name: String = "file") -> Argument {
    Argument(
      .file(name), arity: .oneOrMore,
      "A document, a pattern such as 'effects/**/*.pex', - for standard input, or a folder with --recursive."
    )
  }
}

/// The one model of inputs: files, folders, patterns, filters and ignore files.
extension Invocation {
  /// The files that the options leave out.
  var filter: DocumentSet.Filter {
    DocumentSet.Filter(
      include: values(.include), exclude: values(.exclude), readsIgnoreFiles: !flag(.noIgnore))
  }

  /// The documents that words mean.
  /// - Parameter isRecursive: whether folders are searched; that of `--recursive` by default.
  func documents(_ words: [String], recursive isRecursive: Bool? = nil) -> DocumentSet {
    DocumentSet(words, isRecursive: isRecursive ?? flag(.recursive), filter: filter)
  }

  // MARK: Reports

  /// Reports patterns that match nothing, and what a search left out.
  /// - Returns: the status so far.
  func begin(_ set: DocumentSet) -> ExitStatus {
    set.failures.forEach(reportFailure)
    note(set.problems)
    for folder in set.passedOver {
      console.inform("'\(folder)' was not searched: results are written there")
    }
    return set.failures.isEmpty ? .done : .failed
  }

  /// Names the files that were not processed, with `--verbose`.
  func tellOthers(_ set: DocumentSet, unknown: [String]) {
    for path in unknown { console.detail("not a document: \(path)") }
    for path in set.ignored { console.detail("left out by an ignore file: \(path)") }
  }

  /// The end of a summary: `; 3 unknown, 2 ignored`.
  func others(_ set: DocumentSet, unknown: Int) -> String {
    let counts = [
      (unknown, "unknown"), (set.ignored.count, "ignored"), (set.excluded, "excluded"),
    ].filter { $0.0 > 0 }
    return counts.isEmpty ? "" : "; " + counts.map { "\($0) \($1)" }.joined(separator: ", ")
  }

  /// The error of a folder that is no package states how to process the documents in it.
  static func explaining(_ failure: Diagnostic, of path: String) -> Diagnostic {
    if failure.rule == .noDocument, failure.hint == nil, let archive = archive(at: path) {
      return Diagnostic(
        .noDocument, at: Location(file: path), found: "a \(archive.title)",
        hint: "unpack it with 'particles unpack', and name the effects in it")
    }
    guard failure.rule.family != "file", (try? DocumentSet.isPlainFolder(path)) == true else {
      return failure
    }
    return Diagnostic(
      .noDocument, at: Location(file: path),
      hint: "use --recursive to process the documents in a folder")
  }

  /// The format of an archive; nil for another file.
  private static func archive(at path: String) -> ParticleFormat? {
    guard let head = try? OpenFile(readingAtOnce: path).readPiece(4096) else { return nil }
    let name = Files.lastComponent(of: path)
    return FormatRegistry.standard.formats.first { $0.isArchive && $0.recognise(head, name) }
  }

  /// Runs `body` on one document; see ``explaining(_:of:)``.
  func explainingFolder<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as Diagnostic {
      throw Self.explaining(failure, of: path)
    }
  }

  /// Reports that there are no documents, and why: a negative result, or a failure if patterns match nothing.
  func noDocuments(_ set: DocumentSet) -> ExitStatus {
    defer { completeJSON() }
    guard set.failures.isEmpty else { return .failed }
    if flag(.allowNone) { return .done }
    let ignored = set.ignored.count.of("file or folder", plural: "files and folders")
    let excluded = "--include and --exclude leave out \(set.excluded.of("file"))"
    if !set.ignored.isEmpty {
      console.complain(
        "no documents found: ignore files leave out \(ignored)"
          + (set.excluded > 0 ? ", \(excluded)" : ""),
        hint: "include them with --no-ignore; --verbose names them")
    } else if set.excluded > 0 {
      console.complain(
        "no documents found: \(excluded)",
        hint: "without a slash, a pattern matches names; with one, paths in the searched folder")
    } else if let folder = set.passedOver.first {
      console.complain(
        "no documents found except results in '\(folder)'", hint: "write to a folder elsewhere")
    } else {
      console.complain(
        "no documents found",
        hint: "'particles formats' lists the formats; --verbose names the other files")
    }
    return .answerNo
  }

  // MARK: Batches

  /// Runs `body` for each document of a set. Failures are reported, and the remaining documents are still
  /// processed; files that turn out to be no documents are added to `unknown`.
  /// - Returns: the worst status.
  func forEach(
    _ set: DocumentSet, unknown: inout [String], _ body: (String) throws -> ExitStatus
  ) throws -> ExitStatus {
    var status = begin(set)
    var failures = FailureLines(self)
    // Sharing costs a single document more than it saves.
    let images = set.documents.count > 1 ? SharedImages() : nil
    try collectingNotes(of: set.documents.count) {
      for document in set.documents {
        do {
          status = max(
            status, try images?.share { try body(document.path) } ?? body(document.path))
        } catch let diagnostic as Diagnostic where document.isUnknown(because: diagnostic) {
          unknown.append(document.path)
        } catch let diagnostic as Diagnostic where diagnostic.rule != .usage {
          failures.add(
            diagnostic.inside(Location(file: document.path)),
            of: document.isFound ? nil : document.path)
          status = max(status, .failed)
        } catch let error as UsageError where set.documents.count > 1 {
          // It is about one of many documents.
          failures.add(
            error.diagnostic.inside(Location(file: document.path)),
            of: document.isFound ? nil : document.path)
          status = max(status, .failed)
        }
      }
    }
    failures.finish()
    return status
  }
}

/// Errors of a batch, one line for each document: the first 20, then their number.
struct FailureLines {
  private static let most = 20

  private let invocation: Invocation
  private let isRecording: Bool
  private var count = 0

  /// Whether no document has failed.
  var isEmpty: Bool { count == 0 }

  /// - Parameter isRecording: whether errors are added to the document of `--json`.
  init(_ invocation: Invocation, recording isRecording: Bool = true) {
    self.invocation = invocation
    self.isRecording = isRecording
  }

  /// - Parameter path: the document, if it was named. If it is a folder that is no package, the message states how to
  ///   process the documents in it.
  mutating func add(_ failure: Diagnostic, of path: String?) {
    let failure = path.map { Invocation.explaining(failure, of: $0) } ?? failure
    count += 1
    if count <= Self.most || invocation.console.verbosity == .verbose {
      invocation.console.report(failure)
    }
    if isRecording { invocation.record([failure]) }
  }

  func finish() {
    guard count > Self.most, invocation.console.verbosity != .verbose else { return }
    invocation.console.complain("\(count - Self.most) more files failed; --verbose names them")
  }
}
