internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesImages

/// The documents of a command that writes a result for each: in a folder with the same subfolders, beside the
/// documents, or at one path.
struct BatchOfResults {
  private let invocation: Invocation
  private let plan: ConversionPlan
  private let place: String
  /// Whether the folder of a single result is created, too.
  private let createsFolder: Bool

  /// The number of results that are told one by one.
  private static let mostTold = 10

  /// Finds the documents and names the results.
  /// - Parameters:
  ///   - words: the arguments.
  ///   - output: the path of the result, or the folder for results; nil to write beside the documents.
  ///   - kind: the file name extension of results.
  ///   - createsFolder: whether the folder of a single result is created, too.
  init(
    _ invocation: Invocation, _ words: [String], to output: String?, extension kind: String,
    creatingFolder createsFolder: Bool = false
  ) throws {
    self.invocation = invocation
    self.createsFolder = createsFolder
    if let output {
      plan = try ConversionPlan(
        words, to: output, isRecursive: invocation.flag(.recursive), filter: invocation.filter,
        extension: kind)
      place = "to \(output)"
    } else {
      plan = try ConversionPlan(
        beside: invocation.documents(words), isFamily: false
      ) { _ in kind }
      place = "beside their inputs"
    }
  }

  /// Writes each result with `body`, which takes the paths of the document and of the result. Folders for results
  /// are created. A failure is reported, and the other documents are processed. With `--json`, what `body` returns
  /// is printed once all documents were processed.
  /// - Returns: the worst status.
  func run(
    _ body: (_ input: String, _ output: String) throws -> JSONValue?
  ) throws -> ExitStatus {
    let outputs = Dictionary(
      plan.items.map { ($0.input, $0.output) }, uniquingKeysWith: { first, _ in first })
    var unknown = plan.unknown
    var created: [String] = []
    defer { for folder in created.reversed() { try? Files.removeEmptyDirectory(folder) } }
    var written = 0
    var rows: [JSONValue] = []
    invocation.tellsResults(plan.items.count <= Self.mostTold)
    let status = try invocation.forEach(plan.documents, unknown: &unknown) { path in
      guard let output = outputs[path] else { return .done }
      if plan.isBatch || createsFolder {
        try Files.makeDirectories(Files.folder(of: output), mode: 0o777, noting: &created)
      }
      if let row = try body(path, output) { rows.append(row) }
      written += 1
      return .done
    }
    if invocation.flag(.json) {
      var answer: JSONObject = ["files": .array(rows)]
      addOthers(unknown, to: &answer)
      try invocation.print(.object(answer))
    }
    invocation.tellOthers(plan.documents, unknown: unknown)
    if plan.documents.isSearch || plan.items.count > Self.mostTold {
      let failed = plan.items.count - written - (unknown.count - plan.unknown.count)
      invocation.console.inform(
        "\(plan.items.count.of("file")): \(written) written \(place)"
          + (failed > 0 ? ", \(failed) failed" : "")
          + invocation.others(plan.documents, unknown: unknown.count))
    }
    guard written > 0 || status > .done else { return invocation.noDocuments(plan.documents) }
    return status
  }

  /// The files that were not processed, for `--json`.
  private func addOthers(_ unknown: [String], to object: inout JSONObject) {
    guard plan.documents.isSearch else { return }
    object["unknown"] = .array(unknown.map(JSONValue.string))
    object["ignored"] = .array(plan.documents.ignored.map(JSONValue.string))
  }
}
