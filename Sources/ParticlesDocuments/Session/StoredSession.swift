package import ParticlesContainer
internal import ParticlesCore

/// Contents that a session takes from the storage of its document, and edits that outlive it.
extension EditSession {
  /// Takes what was written.
  /// - Parameters:
  ///   - snapshot: the contents that were written.
  ///   - written: their files.
  ///   - stored: the files as they are stored.
  ///   - reread: the contents as they are read again, if they differ.
  ///   - state: the identifier of the state that was written.
  ///   - isAutomatic: whether the save was not asked for.
  package mutating func saved(
    _ snapshot: Content, _ written: FileNode, as stored: StoredContents, reread: Content?,
    state: UInt64, automatically isAutomatic: Bool
  ) {
    known = LoadedContents(content: snapshot, stored: stored)
    known.content.adopt(stored.contents, writtenAs: written)
    settled.adopt(stored.contents, writtenAs: written)
    visible?.adopt(stored.contents, writtenAs: written)
    history.markSaved(state, automatically: isAutomatic)
    guard let reread, history.current == state, gestures.isEmpty else { return }
    let before = edited
    history.convert(from: settled, to: reread)
    (settled, known.content) = (reread, reread)
    history.markSaved(history.current, automatically: isAutomatic)
    announce("Save", .save, from: before)
  }

  /// Makes stored contents the present ones, as an edit; there are no unsaved changes then.
  package mutating func revert(to loaded: LoadedContents<Content>, at seconds: Double) {
    _ = replace("Revert", .revert, with: loaded.content, at: seconds)
    known = loaded
    history.markSaved(history.current)
  }

  /// Takes contents from the recovery journal, as an edit. Edits that lead to them are made again instead.
  package mutating func recover(_ content: Content, at seconds: Double) {
    let before = edited
    var (steps, result) = (history, settled)
    while (try? steps.redo(&result)) != nil, result != content {}
    if result == content, settled != content {
      (history, settled) = (steps, content)
    } else {
      history.add(from: settled, to: content, name: "Recover Changes", at: seconds)
      settled = content
    }
    history.markUnsaved()
    tellEdit("Recover Changes", .resolution, from: before)
  }

  /// Takes the contents that an update has saved.
  /// - Parameters:
  ///   - new: the contents.
  ///   - old: the contents that they were made of.
  ///   - state: the identifier of these.
  /// - Returns: how they were taken, if there were other edits meanwhile; nil if there were none.
  package mutating func update(
    _ name: String, to new: LoadedContents<Content>, from old: Content, _ state: UInt64,
    at seconds: Double
  ) throws -> OutsideMerge<Content>.Kind? {
    makeDeferred()
    if history.current == state, gestures.isEmpty {
      let before = edited
      history.add(from: settled, to: new.content, name: name, at: seconds)
      history.markSaved(history.current)
      (settled, known) = (new.content, new)
      tellEdit(name, .edit, from: before)
      return nil
    }
    let merge = try OutsideMerge(
      base: old, settled: settled, ours: present, theirs: new.content, isClean: false,
      isInGesture: !gestures.isEmpty)
    guard case .merged(let content) = merge.result else {
      history.markUnsaved()
      known.content = old
      return try take(outside: new)
    }
    known = new
    _ = replace(name, .merge, with: content, at: seconds)
    if present == new.content { history.markSaved(history.current) } else { history.markUnsaved() }
    return .merged
  }

  /// The edits, for the time after the document was closed.
  package var closed: ClosedEdits<Content> { ClosedEdits(history: history, content: settled) }

  /// Takes up the edits that the document was closed with. Contents that another program has stored since are taken as
  /// a change by it; edits that were not saved can be redone.
  package mutating func resume(_ last: ClosedEdits<Content>) {
    var (steps, content) = (last.history, last.content)
    steps.endState()
    while steps.isDirty, (try? steps.undo(&content)) != nil {}
    guard !steps.isDirty else { return }
    if content != settled {
      steps.rebase(from: content)
      _ = steps.endBlockedUndo(in: settled)
    }
    history = steps
    history.markSaved(history.current)
  }

  /// Takes the edits of another session, whose contents are these.
  package mutating func inherit(_ other: EditHistory<Content>) {
    history = other
    history.endState()
    history.markSaved(history.current)
  }

  /// Adds the edits of the program before, whose states these are, the oldest first.
  package mutating func restore(_ states: [(name: String, content: Content)]) {
    for (old, new) in zip(states, states.dropFirst()) {
      history.add(from: old.content, to: new.content, name: new.name)
    }
    history.markSaved(history.current)
  }

  /// The last edits, for the next program: states, the oldest first, with the names of the edits that led to them.
  package func lastStates(_ count: Int) -> [(name: String, content: Content)] {
    var states: [(name: String, content: Content)] = []
    var (steps, content) = (history, settled)
    for _ in 0..<count {
      let now = content
      guard let name = try? steps.undo(&content) else { break }
      states.append((name, now))
    }
    states.append(("", content))
    return states.reversed()
  }
}
