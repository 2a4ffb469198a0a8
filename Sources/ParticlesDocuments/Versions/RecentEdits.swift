package import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDatabase

/// The last edits of a document, in the store of the user: the files that each changed, before and after. So edits of one program can be undone by another, and after the document was opened again.
package struct RecentEdits: Sendable, Hashable {
  /// An edit.
  struct Step: Sendable, Hashable {
    /// Its row in the store, or 0 before it is stored.
    var id = 0
    var name: String
    var changes: [Change]

    /// The fault if a tree is not in the state before or after the edit, else nil.
    func fault(in tree: FileNode, isUndone: Bool) throws -> Diagnostic? {
      for change in changes {
        let node = change.path.isEmpty ? tree : tree[change.path]
        if try (isUndone ? change.old : change.new).matches(node) { continue }
        return Diagnostic(
          .fileUndo, at: change.path.isEmpty ? .unknown : .entry(change.path),
          "'\(name)' cannot be \(isUndone ? "redone" : "undone")",
          hint: "use 'particles versions' to go back to an earlier state")
      }
      return nil
    }

    /// Makes the changes in a tree that is in the opposite state.
    func make(
      undoing isUndoing: Bool, in tree: inout FileNode, _ store: ContentStore, _ limits: Limits
    ) throws {
      for change in isUndoing ? changes.reversed() : changes {
        let target = isUndoing ? change.old : change.new
        guard let target else {
          tree.removeFileNode(at: change.path)
          continue
        }
        // The entries of a folder are changes of their own.
        if target.isDirectory, tree[change.path]?.isDirectory == true { continue }
        let node = try target.node(in: store, limits)
        if change.path.isEmpty { tree = node } else { try tree.setFileNode(node, at: change.path) }
      }
    }
  }

  /// A node that an edit changed. Nil means no node.
  struct Change: Sendable, Hashable {
    var path: String
    var old: StoredNode?
    var new: StoredNode?
  }

  /// The greatest number of edits that are kept (100).
  package static let maximumCount = 100

  private(set) var steps: [Step] = []
  /// The number of steps that are part of the document.
  private(set) var position = 0

  /// The names of the edits that can be undone, the oldest first.
  package var undoNames: [String] { steps.prefix(position).map(\.name) }

  /// The names of the edits that can be redone, the next one first.
  package var redoNames: [String] { steps.dropFirst(position).map(\.name) }

  init(steps: [Step] = [], position: Int = 0) { (self.steps, self.position) = (steps, position) }

  /// The trail of a document, empty if there is none.
  /// - Throws: ``ParticlesCore/Rule/fileStore`` if an edit is damaged.
  init(of document: Int, in database: SQLite) throws {
    try database.run(
      "SELECT id, name, changes, undone FROM edits WHERE document = ? ORDER BY id",
      [.integer(document)]
    ) { row in
      guard let step = Step(id: row.integer(0), name: row.text(1), changes: row.text(2)) else {
        throw Diagnostic(.fileStore, at: Location(file: database.path), "the list of edits")
      }
      steps.append(step)
      if row.integer(3) == 0 { position = steps.count }
      return true
    }
  }

  /// The digests of the contents that the steps need.
  var contents: Set<String> {
    Set(steps.flatMap(\.changes).flatMap { [$0.old?.digest, $0.new?.digest] }.compactMap(\.self))
  }

  /// The edit between two trees, or nil if they are equal. Stores their changed files.
  static func step(
    _ name: String, from old: FileNode, to new: FileNode, in batch: ContentBatch
  ) throws -> Step? {
    let changes = try changes(from: old, to: new).map { path, old, new in
      Change(
        path: path, old: try old.map { try StoredNode($0, in: batch) },
        new: try new.map { try StoredNode($0, in: batch) })
    }
    return changes.isEmpty ? nil : Step(name: name, changes: changes)
  }

  /// Undoes or redoes a step in a tree. Skips a step that is already undone or redone in the tree: its program ended
  /// between recording and saving the step.
  /// - Returns: the name of the edit, or nil if there is none.
  /// - Throws: ``ParticlesCore/Rule/fileUndo`` if the files of the edit have changed.
  mutating func step(
    undoing isUndoing: Bool, _ tree: inout FileNode, in store: ContentStore, limits: Limits
  ) throws -> String? {
    while isUndoing ? position > 0 : position < steps.count {
      let step = steps[isUndoing ? position - 1 : position]
      let fault = try step.fault(in: tree, isUndone: !isUndoing)
      let isDone = try fault != nil && step.fault(in: tree, isUndone: isUndoing) == nil
      if let fault, !isDone { throw fault }
      position += isUndoing ? -1 : 1
      if isDone { continue }
      try step.make(undoing: isUndoing, in: &tree, store, limits)
      return step.name
    }
    return nil
  }

  /// The nodes that differ, folders before their entries.
  private static func changes(
    from old: FileNode, to new: FileNode
  ) -> [(path: String, old: FileNode?, new: FileNode?)] {
    guard old.isDirectory, new.isDirectory else { return old == new ? [] : [("", old, new)] }
    var changes: [(String, FileNode?, FileNode?)] = []
    compare(old, new, at: "", &changes)
    return changes
  }

  private static func compare(
    _ old: FileNode?, _ new: FileNode?, at path: String,
    _ changes: inout [(String, FileNode?, FileNode?)]
  ) {
    let (a, b) = (old?.children ?? [], new?.children ?? [])
    if a.isSame(as: b), !a.isEmpty { return }
    for name in Set(a.map(\.name) + b.map(\.name)).sorted() {
      let (before, after) = (old?[name], new?[name])
      let inner = Files.joined(path, name)
      let areFolders = before?.isDirectory == true && after?.isDirectory == true
      if !areFolders, before != after { changes.append((inner, before, after)) }
      compare(before, after, at: inner, &changes)
    }
  }
}

extension VersionStore {
  /// The edits of the document at a path that can be undone and redone.
  /// - Throws: ``ParticlesCore/Rule/fileStore`` if their list is damaged.
  package func trail(of path: String) throws -> RecentEdits {
    try existing(path).map(trail) ?? RecentEdits()
  }

  func trail(of document: DocumentRow) throws -> RecentEdits {
    try store.read { try RecentEdits(of: document.id, in: $0) } ?? RecentEdits()
  }

  /// Records an edit before it is saved, so that it can be undone even if its program ends right after the save.
  /// - Parameters:
  ///   - name: the name of the edit.
  ///   - path: the path of the document.
  ///   - old: the files before it.
  ///   - new: the files after it.
  /// - Returns: a function that takes the note back, to be called if the save fails.
  @discardableResult
  package func addEdit(
    _ name: String, of path: String, from old: FileNode, to new: FileNode
  ) throws -> @Sendable () throws -> Void {
    try noteEdit(name, of: path, from: old, to: new).takeBack
  }

  /// An edit that was noted.
  struct NotedEdit: Sendable {
    var takeBack: @Sendable () throws -> Void
    /// Whether another program had replaced the file before the edit.
    var isReplaced: Bool
  }

  func noteEdit(
    _ name: String, of path: String, from old: FileNode, to new: FileNode
  ) throws -> NotedEdit {
    try store.telling { try note(name, of: path, from: old, to: new) }
  }

  private func note(
    _ name: String, of path: String, from old: FileNode, to new: FileNode
  ) throws -> NotedEdit {
    let document = try document(path)
    let (place, identity) = try (Self.absolute(path), DocumentRow.Identity(of: path))
    let store = store
    return try ContentBatch.add(to: store, of: document.id) { batch in
      let step = try RecentEdits.step(name, from: old, to: new, in: batch)
      return { database in
        try document.identify(place, identity, in: database)
        let isReplaced = document.isReplaced(by: identity, at: place)
        guard let step else { return NotedEdit(takeBack: {}, isReplaced: isReplaced) }
        let before = try RecentEdits(of: document.id, in: database)
        let removed = try before.removeRedone(most: RecentEdits.maximumCount - 1, in: database)
        let id = try step.add(to: document.id, undone: false, in: database)
        try DocumentRow.change(document.id, in: database)
        return NotedEdit(
          takeBack: {
            try store.write { database in
              try database.run("DELETE FROM edits WHERE id = ?", [.integer(id)])
              // Other programs may have noted edits meanwhile.
              let now = try RecentEdits(of: document.id, in: database)
              if !now.steps.contains(where: { $0.id > id }) {
                for (step, isUndone) in removed {
                  try step.add(to: document.id, undone: isUndone, in: database)
                }
              }
              try DocumentRow.change(document.id, in: database)
            }
          }, isReplaced: isReplaced)
      }
    }
  }

  /// Replaces all edits of a document.
  /// - Parameter states: the files before and after the edits, the oldest first, with the names of the edits that led to them.
  func replaceEdits(of path: String, by states: [(name: String, contents: FileNode)]) throws {
    let document = try document(path)
    let (place, identity) = try (Self.absolute(path), DocumentRow.Identity(of: path))
    try ContentBatch.add(to: store, of: document.id) { batch in
      let steps = try zip(states, states.dropFirst()).compactMap { old, new in
        try RecentEdits.step(new.name, from: old.contents, to: new.contents, in: batch)
      }
      return { database in
        try document.identify(place, identity, in: database)
        try database.run("DELETE FROM edits WHERE document = ?", [.integer(document.id)])
        for step in steps.suffix(RecentEdits.maximumCount) {
          try step.add(to: document.id, undone: false, in: database)
        }
        try DocumentRow.change(document.id, in: database)
      }
    }
  }

  /// Undoes or redoes the last recorded edit.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - isUndoing: false to redo.
  ///   - present: the current files of the document.
  ///   - write: saves the files of the new state. Fails if the document differs from `present`.
  /// - Returns: the name of the edit, or nil if there is none.
  /// - Throws: ``ParticlesCore/Rule/fileUndo`` if the files of the edit have changed. Also the errors of `write`.
  package func stepEdit(
    of path: String, undoing isUndoing: Bool, from present: FileNode,
    write: (FileNode) throws -> Void
  ) throws -> String? {
    guard let document = try existing(path) else { return nil }
    let before = try trail(of: document)
    var (after, tree) = (before, present)
    let name = try locating(Location(file: path)) {
      try after.step(undoing: isUndoing, &tree, in: contentStore, limits: readingLimits)
    }
    guard let name else { return nil }
    try write(tree)
    let (place, identity) = try (Self.absolute(path), DocumentRow.Identity(of: path))
    let moved = isUndoing ? after.position..<before.position : before.position..<after.position
    try store.write { database in
      for step in before.steps[moved] {
        try database.run(
          "UPDATE edits SET undone = ? WHERE id = ?",
          [.integer(isUndoing ? 1 : 0), .integer(step.id)])
      }
      // The file that was written is no replacement by another program.
      try document.identify(place, identity, in: database)
      try DocumentRow.change(document.id, in: database)
    }
    return name
  }
}

extension RecentEdits {
  /// Removes the edits that can be redone, and the oldest ones.
  /// - Parameter most: how many stay.
  /// - Returns: the removed edits, and whether they are undone.
  fileprivate func removeRedone(
    most: Int, in database: SQLite
  ) throws -> [(step: Step, isUndone: Bool)] {
    let old = steps.prefix(max(0, position - most)).map { ($0, false) }
    let removed = old + steps.dropFirst(position).map { ($0, true) }
    for (step, _) in removed {
      try database.run("DELETE FROM edits WHERE id = ?", [.integer(step.id)])
    }
    return removed
  }
}

extension RecentEdits.Step {
  /// Adds a row, under its number if it had one.
  @discardableResult
  func add(to document: Int, undone isUndone: Bool, in database: SQLite) throws -> Int {
    let changes = JSONValue.array(changes.map(\.json)).denseText
    try database.run(
      "INSERT INTO edits(id, document, name, changes, undone) VALUES(?, ?, ?, ?, ?)",
      [
        id == 0 ? .null : .integer(id), .integer(document), .text(name), .text(changes),
        .integer(isUndone ? 1 : 0),
      ])
    return database.lastRow
  }

  /// Nil if the text is damaged.
  init?(id: Int, name: String, changes text: String) {
    guard let changes = try? JSONParser.parse(Array(text.utf8)).array else { return nil }
    self.init(id: id, name: name, changes: changes.compactMap(RecentEdits.Change.init))
    guard self.changes.count == changes.count else { return nil }
  }
}

extension RecentEdits.Change {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["path": .string(path)]
    object["old"] = (old?.members).map(JSONValue.object)
    object["new"] = (new?.members).map(JSONValue.object)
    return .object(object)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let object = json.object, let path = object["path"]?.string else { return nil }
    self.init(
      path: path, old: object["old"]?.object.flatMap(StoredNode.init),
      new: object["new"]?.object.flatMap(StoredNode.init))
    guard (old == nil) == (object["old"] == nil), (new == nil) == (object["new"] == nil) else {
      return nil
    }
  }
}
