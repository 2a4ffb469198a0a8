internal import ParticlesCore
internal import ParticlesDocuments

extension Command {
  /// Lists, restores and drops unsaved contents.
  static let recovery = Command(
    name: "recovery", group: .documents,
    summary: "List, restore and drop unsaved changes of programs that ended.",
    discussion: """
      An application that cannot save a document where it is, because the document is read-only, \
      was deleted or is in a conflict, keeps its unsaved contents in your data folder. They stay \
      there if the application ends, until they are saved or dropped.

      list shows the entries of all documents, the newest first. restore makes an entry the \
      contents of its document, after it has kept the present ones as a version, and drops the \
      entry; a document that is gone is created again. With --output, it writes the entry to \
      another path, and the entry stays. drop removes an entry. Entries of applications that are \
      running are listed, and can be neither restored nor dropped.
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
