internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments

extension Command {
  /// Lists, shows and restores the versions of a document.
  static let versions = Command(
    name: "versions", group: .documents,
    summary: "List, show and restore earlier states of a document.",
    discussion: """
      Versions are kept in your data folder, never in the document: before the first and after \
      each edit with 'edit', when an application saves the document, and of both sides of a \
      conflict. Of packages above \(VersionStore.wholeSize >> 20) MiB, 'edit' keeps the changed \
      files only, for 'undo'.

      list shows the versions, the newest last. show prints the files of a version with their \
      differences from the document; with --output, it writes the version to another path. \
      restore makes a version the contents of the document, after it has kept the present ones. \
      delete deletes one version. prune deletes those beyond the limits: all of the last day are \
      kept, one for each hour of the last week, one for each day of the last month, one for each \
      week before, at most \(VersionLimits().count) and \(VersionLimits().bytes >> 30) GiB; those \
      of conflicts stay until they are deleted.
      """,
    arguments: [
      Argument(.file("file"), "A document."),
      Argument(
        .choice("action", VersionAction.allCases.map(\.rawValue)), arity: .optional,
        "What to do; list if it is missing."),
      Argument(.text("number"), arity: .optional, "The number of a version."),
    ],
    options: [.output, .form, .json],
    examples: [
      Example("particles versions fire.particles", "List the versions."),
      Example(
        "particles versions fire.particles show 3 -o old.particles",
        "Write a version to another file."),
      Example("particles versions fire.particles restore 3", "Return to an earlier state."),
    ],
    run: { invocation in
      let path = try invocation.argument("file")
      let store = try VersionStore(environment: invocation.environment)
      let word = invocation.arguments("action").first
      let action = word.flatMap(VersionAction.init) ?? .list
      switch action {
      case .list: return try list(invocation, store, path)
      case .prune:
        let count = try store.prune(path)
        try invocation.answer(["deleted": .int(count)])
        invocation.console.inform("deleted \(count.of("version"))")
        return .done
      case .show, .restore, .delete: break
      }
      let version = try number(invocation, store, path, action)
      switch action {
      case .show: return try show(invocation, store, path, version)
      case .restore: try restore(store, path, version)
      default: try store.delete([version], of: path)
      }
      try invocation.answer([
        "path": .string(path), "number": .int(version),
        "action": .string(action.rawValue),
      ])
      invocation.console.inform(
        "\(action == .restore ? "restored" : "deleted") version \(version) of \(path)")
      return .done
    })

  private enum VersionAction: String, CaseIterable { case list, show, restore, delete, prune }

  private static func number(
    _ invocation: Invocation, _ store: VersionStore, _ path: String, _ action: VersionAction
  ) throws -> Int {
    guard let word = invocation.arguments("number").first, let number = Int(word) else {
      throw UsageError(
        "'\(action.rawValue)' needs the number of a version",
        hint: "'particles versions \(path)' lists them")
    }
    return number
  }

  private static func list(
    _ invocation: Invocation, _ store: VersionStore, _ path: String
  ) throws -> ExitStatus {
    let versions = try store.versions(of: path)
    if try invocation.answer(["path": .string(path), "versions": .array(versions.map(\.outline))]) {
      return .done
    }
    var table = Table(.right, .left, .left, .right, .left)
    for version in versions {
      table.add(
        "\(version.number)", WallClock.text(version.seconds), version.kind.rawValue,
        "\(version.size)", version.comment ?? "")
    }
    try invocation.console.write(table.text)
    if versions.isEmpty { invocation.console.inform("no versions of \(path)") }
    return .done
  }

  private static func show(
    _ invocation: Invocation, _ store: VersionStore, _ path: String, _ number: Int
  ) throws -> ExitStatus {
    let contents = try store.contents(of: number, of: path)
    if let output = invocation.value(.output) {
      if contents.isDirectory {
        let form = invocation.form ?? .flat
        try invocation.check(placeOfPackage: output, as: form)
        try invocation.save(Container(root: contents), to: output, as: form)
      } else if output == Invocation.standardStream {
        try invocation.console.write(try contents.regularFileContents() ?? [])
      } else {
        _ = try PathStorage(output).write(contents, replacing: nil, StorageOptions())
      }
      invocation.console.inform("wrote \(output)")
      return .done
    }
    let now = try PathStorage(path).read(limits: .standard, progress: { _, _ in }).contents
    // A text is compared as a folder with one file.
    func folder(_ node: FileNode) throws -> FileNode {
      try node.isDirectory
        ? node : FileNode(directoryWithFileNodes: [Files.lastComponent(of: path): node])
    }
    let changes = try folder(now).differences(from: folder(contents))
    if try !invocation.answer([
      "path": .string(path), "number": .int(number),
      "changes": .array(changes.map(\.json)),
    ]) {
      for change in changes { try invocation.console.print(change.line) }
      if changes.isEmpty { invocation.console.inform("the document is version \(number)") }
    }
    return .done
  }

  private static func restore(_ store: VersionStore, _ path: String, _ number: Int) throws {
    let contents = try store.contents(of: number, of: path)
    let storage = PathStorage(path)
    let stored = try storage.read(limits: .standard, progress: { _, _ in })
    try store.add(stored.contents, of: path, as: .replaced)
    let takeBack = try store.addEdit(
      "Restore Version \(number)", of: path, from: stored.contents, to: contents)
    do {
      _ = try storage.write(contents, replacing: stored.revision, StorageOptions())
    } catch {
      try? takeBack()
      throw error
    }
    try store.add(contents, of: path, as: .saved, comment: "version \(number)")
  }
}

extension DocumentVersion {
  /// The version in the list for `--json`.
  fileprivate var outline: JSONValue {
    var object: JSONObject = [
      "number": .int(number), "kind": .string(kind.rawValue), "seconds": .double(seconds),
      "program": .string(program), "host": .string(host), "size": .int(size),
    ]
    object["comment"] = comment.map(JSONValue.string)
    return .object(object)
  }
}
