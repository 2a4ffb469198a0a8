internal import ParticlesEffects
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesSystem

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

      list shows the versions, the newest last. show prints the files of a version with their differences from the \
      document. With --output, it writes the version to another path. restore makes a version the contents of the \
      document, after it has kept the present ones. A document that is gone is created again. delete deletes one \
      version. prune deletes versions beyond the limits: all of the last day are kept, one for each hour of the last \
      week, one for each day of the last month, one for each week before, at most \(VersionLimits().count) and \
      \(VersionLimits().bytes >> 30) GiB. Versions of conflicts stay until they are deleted. verify reads everything \
      that is kept. The status is 1 if something is damaged. repair removes lists and versions that cannot be read: \
      while there is one, nothing is deleted.

      With --all, lists all documents that have versions or edits. Once a day, the versions of \
      documents that are gone for \(Int(saturating: VersionLimits().goneSeconds / 86_400)) days are removed, \
      and the oldest ones of all documents beyond \(VersionLimits().totalBytes >> 30) GiB.
      """,
    arguments: [
      Argument(.file("file"), arity: .optional, "A document; required without --all."),
      Argument(
        .choice("action", VersionAction.allCases.map(\.rawValue)), arity: .optional,
        "What to do; list if it is missing."),
      Argument(.text("number"), arity: .optional, "The number of a version."),
    ],
    options: [.allDocuments, .output, .form, .json],
    examples: [
      Example("particles versions fire.particles", "List the versions."),
      Example(
        "particles versions fire.particles show 3 -o old.particles",
        "Write a version to another file."),
      Example("particles versions fire.particles restore 3", "Return to an earlier state."),
      Example("particles versions --all", "List the documents that have versions."),
    ],
    run: { invocation in
      let store = try VersionStore(environment: invocation.environment)
      if invocation.flag(.allDocuments) { return try listAll(invocation, store) }
      let path = try invocation.argument("file")
      let word = invocation.arguments("action").first
      let action = word.flatMap(VersionAction.init) ?? .list
      switch action {
      case .list: return try list(invocation, store, path)
      case .prune:
        let count = try store.prune(path)
        try invocation.answer(["deleted": .int(count)])
        invocation.console.inform("deleted \(count.of("version"))")
        return .done
      case .verify: return try verify(invocation, store, path)
      case .repair:
        let removed = try store.repair(path)
        try invocation.answer([
          "path": .string(path), "repaired": .array(removed.map(\.json)),
        ])
        for fault in removed { invocation.console.inform("removed \(fault)") }
        if removed.isEmpty { invocation.console.inform("nothing to repair in \(path)") }
        return .done
      case .show, .restore, .delete: break
      }
      let version = try number(invocation, store, path, action)
      switch action {
      case .show: return try show(invocation, store, path, version)
      case .restore:
        try invocation.replace(
          path, with: store.contents(of: version, of: path), name: "Restore Version \(version)",
          comment: "version \(version)")
      default: try store.delete([version], of: path)
      }
      try invocation.answer([
        "path": .string(path), "number": .int(version),
        "action": .string(action.rawValue),
      ])
      invocation.console.inform(
        "\(fixed: action == .restore ? "restored" : "deleted") version \(version) of \(path)")
      return .done
    })

  private enum VersionAction: String, CaseIterable {
    case list, show, restore, delete, prune, verify, repair
  }

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
    invocation.note(try store.faults(of: path))
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
      try invocation.write(contents, to: output)
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

  /// Reads everything that is kept.
  private static func verify(
    _ invocation: Invocation, _ store: VersionStore, _ path: String
  ) throws -> ExitStatus {
    let faults = try store.verify(path)
    let count = try store.versions(of: path).count
    if try !invocation.answer([
      "path": .string(path), "count": .int(count), "faults": .array(faults.map(\.json)),
    ]) {
      try faults.forEach(invocation.console.print)
    }
    invocation.console.inform("\(count.of("version")): \(faults.count.of("error"))")
    return faults.isEmpty ? .done : .answerNo
  }

  private static func listAll(
    _ invocation: Invocation, _ store: VersionStore
  ) throws -> ExitStatus {
    if let extra = invocation.arguments.first {
      throw UsageError("'--all' lists all documents, so '\(extra)' is too much")
    }
    let histories = try store.histories()
    invocation.note(histories.flatMap(\.faults))
    if try invocation.answer(["documents": .array(histories.map(\.outline))]) { return .done }
    var table = Table(.right, .right, .right, .left, .left)
    for history in histories {
      table.add(
        "\(history.versions.of("version"))", "\(history.edits.of("edit"))", "\(history.bytes)",
        history.gone.map { "gone \(WallClock.text($0).prefix(10))" } ?? "",
        history.path ?? history.identifier)
    }
    try invocation.console.write(table.text)
    let sum = histories.reduce(0) { $0 + $1.bytes }
    invocation.console.inform("\(histories.count.of("document")), \(sum.of("byte"))")
    return .done
  }
}

extension Option {
  fileprivate static let allDocuments = Option(
    "all", "List all documents that have versions or edits.")
}

extension Invocation {
  /// Replaces the contents of a document, as an edit that can be undone. The present contents are kept as a version. A
  /// document that is gone is created again.
  /// - Parameters:
  ///   - name: the name of the edit.
  ///   - comment: the description of the new version.
  func replace(
    _ path: String, with contents: FileNode, name: String, comment: String
  ) throws {
    let store = try VersionStore(environment: environment)
    let storage = PathStorage(path, creating: form ?? .flat)
    guard try SafeSave.status(of: path) != nil else {
      _ = try storage.write(contents, replacing: nil, StorageOptions())
      try store.add(contents, of: path, as: .saved, comment: comment)
      return
    }
    let stored = try storage.read(limits: .standard, progress: { _, _ in })
    try store.add(stored.contents, of: path, as: .replaced)
    let takeBack = try store.addEdit(name, of: path, from: stored.contents, to: contents)
    do {
      _ = try storage.write(contents, replacing: stored.revision, StorageOptions())
    } catch {
      try? takeBack()
      throw error
    }
    try store.add(contents, of: path, as: .saved, comment: comment)
  }

  /// Writes contents of a document to another path, or a plain file to standard output.
  func write(_ contents: FileNode, to output: String) throws {
    if contents.isDirectory {
      let form = form ?? .flat
      try check(placeOfPackage: output, as: form)
      try save(Container(root: contents), to: output, as: form)
    } else if output == Self.standardStream {
      try console.write(try contents.regularFileContents() ?? [])
    } else {
      _ = try PathStorage(output).write(contents, replacing: nil, StorageOptions())
    }
    console.inform("wrote \(output)")
  }
}

extension DocumentHistory {
  /// The document in the list for `--json`.
  fileprivate var outline: JSONValue {
    var object: JSONObject = [
      "identifier": .string(identifier), "versions": .int(versions), "edits": .int(edits),
      "bytes": .int(bytes), "gone": .bool(gone != nil),
    ]
    object["path"] = path.map(JSONValue.string)
    object["goneSince"] = gone.map(JSONValue.double)
    return .object(object)
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

extension Command {
  /// Undoes the last edit of a document.
  static let undo = Command(
    name: "undo", group: .documents,
    summary: "Undo the last edits that were made with 'edit'.",
    discussion: """
      Restores the files that the edit has changed. Other files stay as they are. An edit can be undone as long as \
      these files are as the edit has left them. The last \(RecentEdits.maximumCount) edits of a document are kept in \
      your data folder, also after the document was renamed. --list shows them. The status is 1 if there is nothing \
      to undo.
      """,
    arguments: [Argument(.file("file"), "A document.")],
    options: [.steps, .listEdits, .json],
    examples: [
      Example("particles undo fire.particles", "Undo the last edit."),
      Example("particles undo fire.particles --steps 3", "Undo the last three edits."),
    ],
    run: { try step($0, undoing: true) })

  /// Redoes an edit that was undone.
  static let redo = Command(
    name: "redo", group: .documents,
    summary: "Redo edits that were undone with 'undo'.",
    discussion: """
      Makes the edit again that was undone last. A new edit ends the list of edits that can be \
      redone. --list shows them. The status is 1 if there is nothing to redo.
      """,
    arguments: [Argument(.file("file"), "A document.")],
    options: [.steps, .listEdits, .json],
    examples: [Example("particles redo fire.particles", "Redo the edit that was undone last.")],
    run: { try step($0, undoing: false) })

  private static func step(_ invocation: Invocation, undoing isUndoing: Bool) throws -> ExitStatus {
    let path = try invocation.argument("file")
    let store = try VersionStore(environment: invocation.environment)
    if invocation.flag(.listEdits) {
      return try list(invocation, store.trail(of: path), undoing: isUndoing)
    }
    let count = try invocation.integer(.steps, in: 1...RecentEdits.maximumCount) ?? 1
    var names: [String] = []
    while names.count < count {
      let storage = PathStorage(path)
      let stored = try storage.read(limits: .standard, progress: { _, _ in })
      let name = try store.stepEdit(of: path, undoing: isUndoing, from: stored.contents) { tree in
        _ = try storage.write(tree, replacing: stored.revision, StorageOptions())
      }
      guard let name else { break }
      names.append(name)
      invocation.console.inform("\(fixed: isUndoing ? "undid" : "redid") \(name)")
    }
    try invocation.answer(["path": .string(path), "edits": .array(names.map(JSONValue.string))])
    if names.isEmpty {
      invocation.console.inform("nothing to \(fixed: isUndoing ? "undo" : "redo") in \(path)")
    }
    return names.isEmpty ? .answerNo : .done
  }

  private static func list(
    _ invocation: Invocation, _ trail: RecentEdits, undoing isUndoing: Bool
  ) throws -> ExitStatus {
    // The next one first.
    let names = isUndoing ? trail.undoNames.reversed() : trail.redoNames
    if try !invocation.answer(["edits": .array(names.map(JSONValue.string))]) {
      for name in names { try invocation.console.print(name) }
    }
    return .done
  }
}

extension Option {
  fileprivate static let steps = Option(
    "steps", value: .text("count"), default: "1", "The number of edits.")
  fileprivate static let listEdits = Option("list", "Show the edits, the next one first.")
}

extension Invocation {
  /// The versions in the user's data folder, or nil without a data folder.
  var versions: VersionStore? { try? VersionStore(environment: environment) }
}

extension Command {
  /// Lists, restores and drops unsaved contents.
  static let recovery = Command(
    name: "recovery", group: .documents,
    summary: "List, restore and drop unsaved changes of programs that ended.",
    discussion: """
      An application that cannot save a document where it is, because the document is read-only, \
      was deleted or is in a conflict, keeps its unsaved contents in your data folder. They stay \
      there if the application ends, until they are saved or dropped.

      list shows the entries of all documents, the newest first. restore makes an entry the contents of its \
      document, after it has kept the present ones as a version, and drops the entry. A document that is gone is \
      created again. With --output, it writes the entry to another path, and the entry stays. drop removes an entry. \
      Entries of applications that are running are listed, and can be neither restored nor dropped.
      """,
    arguments: [
      Argument(
        .choice("action", RecoveryAction.allCases.map(\.rawValue)), arity: .optional,
        "What to do; list if it is missing."),
      Argument(
        .lookup("entry", .recovery), arity: .any, "The names of entries, as list shows them."),
    ],
    options: [.output, .form, .json],
    examples: [
      Example("particles recovery", "List unsaved changes."),
      Example("particles recovery restore 1k8f3", "Save an entry in its document."),
      Example("particles recovery restore 1k8f3 -o rescued.particles", "Write it to another file."),
      Example("particles recovery drop 1k8f3", "Remove an entry."),
    ],
    run: { invocation in
      let store = try RecoveryStore(environment: invocation.environment)
      let action =
        invocation.arguments("action").first.flatMap(RecoveryAction.init) ?? .list
      let names = invocation.arguments("entry")
      if action == .list {
        if let extra = names.first {
          throw UsageError("'list' lists all entries, so '\(extra)' is too much")
        }
        return try list(invocation, store)
      }
      if names.isEmpty {
        throw UsageError(
          "'\(action.rawValue)' needs the name of an entry", hint: "'particles recovery' lists them"
        )
      }
      if names.count > 1, invocation.value(.output) != nil {
        throw UsageError("'--output' is for one entry")
      }
      var done: [JSONValue] = []
      let status = try invocation.forEach(names) { name in
        let entry = try entry(name, in: store)
        switch action {
        case .restore: try restore(invocation, store, entry)
        case .drop, .list:
          try store.discard(entry)
          invocation.console.inform("dropped \(name) of \(entry.path)")
        }
        done.append(.string(name))
        return .done
      }
      try invocation.answer(["action": .string(action.rawValue), "names": .array(done)])
      return status
    })

  private enum RecoveryAction: String, CaseIterable { case list, restore, drop }

  private static func entry(_ name: String, in store: RecoveryStore) throws -> RecoveredContents {
    guard let entry = try store.entries().first(where: { $0.identifier == name }) else {
      throw Diagnostic(
        .fileNotFound, "no entry '\(name)'", hint: "'particles recovery' lists the entries")
    }
    return entry
  }

  private static func list(
    _ invocation: Invocation, _ store: RecoveryStore
  ) throws -> ExitStatus {
    let entries = try store.entries()
    invocation.note(entries.compactMap(\.fault))
    if try invocation.answer(["entries": .array(entries.map(\.outline))]) { return .done }
    var table = Table(.left, .left, .right, .left, .left)
    for entry in entries {
      table.add(
        entry.identifier, WallClock.text(entry.seconds), "\(entry.size)", entry.state,
        entry.path)
    }
    try invocation.console.write(table.text)
    if entries.isEmpty { invocation.console.inform("no unsaved changes") }
    return .done
  }

  private static func restore(
    _ invocation: Invocation, _ store: RecoveryStore, _ entry: RecoveredContents
  ) throws {
    if entry.isInUse {
      throw Diagnostic(
        .fileBusy, at: Location(file: entry.path), "\(entry.program) has it open",
        hint: "save it there")
    }
    let contents = try store.contents(of: entry)
    if let output = invocation.value(.output) { return try invocation.write(contents, to: output) }
    guard !entry.path.isEmpty else {
      throw Diagnostic(
        .fileNotFound, "the entry does not name its document",
        hint: "write it to another path with --output")
    }
    try invocation.replace(
      entry.path, with: contents, name: "Recover Changes",
      comment: "recovered from \(entry.program)")
    try store.discard(entry)
    invocation.console.inform("restored \(entry.identifier) to \(entry.path)")
  }
}

extension RecoveredContents {
  fileprivate var state: String {
    fault != nil ? "damaged" : isInUse ? "in use by \(program)" : "left by \(program)"
  }

  /// The entry in the list for `--json`.
  fileprivate var outline: JSONValue {
    [
      "name": .string(identifier), "path": .string(path), "seconds": .double(seconds),
      "program": .string(program), "size": .int(size), "inUse": .bool(isInUse),
      "damaged": .bool(fault != nil),
    ]
  }
}
