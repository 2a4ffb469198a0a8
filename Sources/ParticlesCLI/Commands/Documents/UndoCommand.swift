internal import ParticlesCore
internal import ParticlesDocuments

extension Command {
  /// Undoes the last edit of a document.
  static let undo = Command(
    name: "undo", group: .documents,
    summary: "Undo the last edits that were made with 'edit'.",
    discussion: """
      Restores the files that the edit has changed; other files stay as they are. An edit can be \
      undone as long as these files are as the edit has left them. The last \
      \(EditTrail.maximumCount) edits of a document are kept in your data folder, also after the \
      document was renamed. --list shows them. The status is 1 if there is nothing to undo.
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
    let count = try invocation.integer(.steps, in: 1...EditTrail.maximumCount) ?? 1
    var names: [String] = []
    while names.count < count {
      let storage = PathStorage(path)
      let stored = try storage.read(limits: .standard, progress: { _, _ in })
      let name = try store.stepEdit(of: path, undoing: isUndoing, from: stored.contents) { tree in
        _ = try storage.write(tree, replacing: stored.revision, StorageOptions())
      }
      guard let name else { break }
      names.append(name)
      invocation.console.inform("\(isUndoing ? "undid" : "redid") \(name)")
    }
    try invocation.answer(["path": .string(path), "edits": .array(names.map(JSONValue.string))])
    if names.isEmpty {
      invocation.console.inform("nothing to \(isUndoing ? "undo" : "redo") in \(path)")
    }
    return names.isEmpty ? .answerNo : .done
  }

  private static func list(
    _ invocation: Invocation, _ trail: EditTrail, undoing isUndoing: Bool
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
  /// The versions in the data folder of the user; nil without a data folder.
  var versions: VersionStore? { try? VersionStore(environment: environment) }
}
