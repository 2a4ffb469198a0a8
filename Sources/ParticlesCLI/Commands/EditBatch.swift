internal import ParticlesCore
internal import ParticlesDocuments

/// A run of `edit` that makes one change in several documents. Nothing is written unless all of them can be changed, and a
/// file that several scenes share is changed once.
struct EditBatch {
  private let invocation: Invocation
  private let edits: [Edit]
  private let results = EditResults()

  init(_ invocation: Invocation, _ paths: [String], _ words: [String]) throws {
    for option in [Option.output, .form, .ifUnchanged]
    where invocation.value(option) != nil {
      throw UsageError("'\(option.spelling)' is for one document")
    }
    guard !paths.contains(Invocation.standardStream) else {
      throw UsageError("standard input is one document, which is edited alone")
    }
    self.invocation = invocation
    var known: Set<String> = []
    edits = try paths.filter { known.insert($0).inserted }.map { [results] path in
      try Edit(invocation, path, words, into: results)
    }
  }

  func run() throws -> ExitStatus {
    let opened = try edits.map { try $0.document() }
    // A scene that another one instances is edited by itself.
    let own = Set(edits.compactMap { try? Files.resolve($0.path) })
    var shared: [String: (bytes: [UInt8], users: [String])] = [:]
    for (edit, document) in zip(edits, opened) {
      guard let others = try edit.others(of: document) else {
        // It reports why, and writes nothing.
        let status = try edit.run(document, writingOthers: false)
        return try finish(max(status, .failed))
      }
      for (path, bytes) in others where (try? Files.resolve(path)).map(own.contains) != true {
        if let known = shared[path], known.bytes != bytes {
          throw Diagnostic(
            .fileUnwritable, at: Location(file: path),
            "'\(known.users[0])' and '\(edit.path)' share it, and the edit gives it different values",
            hint: "edit one of them, or write --shared copy")
        }
        shared[path, default: (bytes, [])].users.append(edit.path)
      }
    }
    var options = UpdateOptions()
    options.isForced = invocation.flag(.force)
    if !invocation.flag(.dryRun) {
      for (path, file) in shared.sorted(by: { $0.key < $1.key }) {
        let remark =
          file.users.count == 1
          ? ", which other scenes may share"
          : ", which \(file.users.count) of these documents share"
        try edits[0].write(file.bytes, toOther: path, options, remark)
      }
    }
    var status = ExitStatus.done
    for (edit, document) in zip(edits, opened) {
      status = max(status, try edit.run(document, writingOthers: false))
    }
    return try finish(status)
  }

  private func finish(_ status: ExitStatus) throws -> ExitStatus {
    if invocation.flag(.json) {
      try invocation.print(["version": .int(1), "documents": .array(results.documents)])
    }
    return status
  }
}

/// The JSON of several edited documents.
final class EditResults: Sendable {
  private let all = Lock([JSONValue]())

  var documents: [JSONValue] { all.withLock { $0 } }

  func add(_ document: JSONValue) { all.withLock { $0.append(document) } }
}
