package import ParticlesContainer
internal import ParticlesCore

/// The last edits of a document, in the data folder of the user: the files that each changed, before and
/// after. So edits of one program can be undone by another, and after the document was opened again.
package struct EditTrail: Sendable, Hashable {
  /// An edit.
  struct Step: Sendable, Hashable {
    var name: String
    var changes: [Change]

    /// Why a tree is not in the state before or after the edit; nil if it is.
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

    /// Makes the changes in a tree that is in the other state.
    func make(
      undoing isUndoing: Bool, in tree: inout FileNode, _ objects: ObjectStore, _ limits: Limits
    ) throws {
      for change in isUndoing ? changes.reversed() : changes {
        let target = isUndoing ? change.old : change.new
        guard let target else {
          tree.removeFileNode(at: change.path)
          continue
        }
        // The entries of a folder are changes of their own.
        if target.isDirectory, tree[change.path]?.isDirectory == true { continue }
        let node = try target.node(in: objects, limits)
        if change.path.isEmpty { tree = node } else { try tree.setFileNode(node, at: change.path) }
      }
    }
  }

  /// A node that an edit changed; nil where there is none.
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

  init() {}

  /// The trail of a document; empty if there is none.
  /// - Throws: ``ParticlesCore/Rule/fileStore`` if it is damaged.
  init(_ shelf: VersionShelf) throws {
    let bytes = try shelf.reporting { try Files.readRegular(shelf.trail) }
    guard let bytes else { return }
    guard let object = try? JSONParser.parse(bytes).object, let position = object["position"]?.int,
      let steps = object["steps"]?.array, (0...steps.count).contains(position)
    else { throw Self.damage(shelf) }
    self.steps = steps.compactMap(Step.init)
    self.position = position
    guard self.steps.count == steps.count else { throw Self.damage(shelf) }
  }

  private static func damage(_ shelf: VersionShelf) -> Diagnostic {
    Diagnostic(.fileStore, at: Location(file: shelf.trail), "the list of edits")
  }

  func save(_ shelf: VersionShelf) throws {
    let object: JSONObject = [
      "position": .int(position), "steps": .array(steps.map(\.json)),
    ]
    try VersionShelf.replace(shelf.trail, Array("\(JSONValue.object(object).denseText)\n".utf8))
  }

  /// The digests of the contents that the steps need.
  var objects: Set<String> {
    Set(steps.flatMap(\.changes).flatMap { [$0.old?.digest, $0.new?.digest] }.compactMap(\.self))
  }

  /// Adds an edit, and stores the files that it changed.
  mutating func add(
    _ name: String, from old: FileNode, to new: FileNode, in objects: ObjectStore
  ) throws {
    let changes = try Self.changes(from: old, to: new).map { path, old, new in
      Change(
        path: path, old: try old.map { try StoredNode($0, in: objects) },
        new: try new.map { try StoredNode($0, in: objects) })
    }
    if changes.isEmpty { return }
    steps.removeSubrange(position...)
    steps.append(Step(name: name, changes: changes))
    if steps.count > Self.maximumCount { steps.removeFirst(steps.count - Self.maximumCount) }
    position = steps.count
  }

  /// Removes an edit that was not saved.
  fileprivate mutating func remove(_ step: Step?) {
    guard let index = steps.lastIndex(where: { $0 == step }) else { return }
    steps.remove(at: index)
    if index < position { position -= 1 }
  }

  /// Undoes or redoes a step in a tree. A step that the tree shows to be undone or redone already is passed
  /// over: the program that made it was ended between its record and its save, or the other way round.
  /// - Returns: the name of the edit; nil if there is none.
  /// - Throws: ``ParticlesCore/Rule/fileUndo`` if the files of the edit are others now.
  mutating func step(
    undoing isUndoing: Bool, _ tree: inout FileNode, in objects: ObjectStore, limits: Limits
  ) throws -> String? {
    while isUndoing ? position > 0 : position < steps.count {
      let step = steps[isUndoing ? position - 1 : position]
      let fault = try step.fault(in: tree, isUndone: !isUndoing)
      let isDone = try fault != nil && step.fault(in: tree, isUndone: isUndoing) == nil
      if let fault, !isDone { throw fault }
      position += isUndoing ? -1 : 1
      if isDone { continue }
      try step.make(undoing: isUndoing, in: &tree, objects, limits)
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
  /// - Throws: ``ParticlesCore/Rule/fileStore`` if the list of them is damaged.
  package func trail(of path: String) throws -> EditTrail {
    try existing(path).map { try EditTrail($0) } ?? EditTrail()
  }

  /// Notes an edit, before it is saved: an edit whose program is ended after the save can be undone then.
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
    /// Takes the note back.
    var takeBack: @Sendable () throws -> Void
    /// Whether another program had replaced the file before the edit.
    var isReplaced: Bool
  }

  func noteEdit(
    _ name: String, of path: String, from old: FileNode, to new: FileNode
  ) throws -> NotedEdit {
    try whileLocked(path) { shelf in
      let isReplaced = try shelf.identify(path)
      let before = try EditTrail(shelf)
      var after = before
      try after.add(name, from: old, to: new, in: shelf.objects)
      try after.save(shelf)
      let noted = after
      return NotedEdit(
        takeBack: {
          _ = try shelf.whileLocked {
            // Other programs may have noted edits meanwhile.
            var trail = try EditTrail(shelf)
            if trail == noted { trail = before } else { trail.remove(noted.steps.last) }
            try trail.save(shelf)
          }
        }, isReplaced: isReplaced)
    }
  }

  /// Undoes or redoes the last edit that was noted.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - isUndoing: false to redo.
  ///   - present: the files of the document now.
  ///   - write: saves the files of the other state.
  /// - Returns: the name of the edit; nil if there is none.
  /// - Throws: ``ParticlesCore/Rule/fileUndo`` if the files of the edit are others now; the errors of
  ///   `write`.
  package func stepEdit(
    of path: String, undoing isUndoing: Bool, from present: FileNode,
    write: (FileNode) throws -> Void
  ) throws -> String? {
    try whileLocked(existing: path) { shelf -> String? in
      var trail = try EditTrail(shelf)
      var tree = present
      let name = try locating(Location(file: path)) {
        try trail.step(
          undoing: isUndoing, &tree, in: shelf.objects, limits: readingLimits)
      }
      guard let name else { return nil }
      try write(tree)
      try trail.save(shelf)
      // The file that was written is no replacement by another program.
      try shelf.identify(path)
      return name
    } ?? nil
  }
}

// MARK: - Text

extension EditTrail.Step {
  fileprivate var json: JSONValue {
    .object(["name": .string(name), "changes": .array(changes.map(\.json))])
  }

  fileprivate init?(_ json: JSONValue) {
    guard let object = json.object, let name = object["name"]?.string,
      let changes = object["changes"]?.array
    else { return nil }
    self.init(name: name, changes: changes.compactMap(EditTrail.Change.init))
    guard self.changes.count == changes.count else { return nil }
  }
}

extension EditTrail.Change {
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
