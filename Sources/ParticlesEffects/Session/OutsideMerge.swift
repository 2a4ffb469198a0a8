package import ParticlesCore

/// How contents that another program has stored are taken.
package struct OutsideMerge<Content: DocumentContent>: Sendable {
  /// The ways to take them.
  package enum Kind: Sendable {
    /// They are known already.
    case nothing
    /// They replace ours, which have no unsaved changes.
    case reloaded
    /// Both changes stay.
    case merged
    /// Both have changed one part differently.
    case conflict
  }

  package enum Result: Sendable {
    case same
    case reloaded
    case merged(Content)
    case conflict(DocumentMerge<Content>?)
  }

  package let result: Result

  /// - Parameters:
  ///   - base: the contents that both sides were made of.
  ///   - settled: our contents, without the changes of open gestures.
  ///   - ours: our contents, with these changes.
  ///   - theirs: the contents that another program has stored.
  ///   - isClean: whether our contents have no unsaved changes.
  ///   - isInGesture: whether gestures are open. Their changes may have been saved, and are made again on the result.
  init(
    base: Content, settled: Content, ours: Content, theirs: Content, isClean: Bool,
    isInGesture: Bool
  ) throws(Failure) {
    if theirs == base || theirs == ours {
      result = .same
    } else if isClean, !isInGesture {
      result = .reloaded
    } else if let merge = try Content.merge(base: base, ours: settled, theirs: theirs),
      merge.clashes.isEmpty
    {
      result = .merged(merge.content)
    } else if isClean {
      result = .reloaded
    } else {
      result = .conflict(try Content.merge(base: base, ours: ours, theirs: theirs))
    }
  }

  package var kind: Kind {
    switch result {
    case .same: .nothing
    case .reloaded: .reloaded
    case .merged: .merged
    case .conflict: .conflict
    }
  }
}

extension EditSession {
  /// Merges contents that another program has stored.
  /// - Returns: how they were merged.
  /// - Throws: errors of the merge. Nothing has changed then.
  package mutating func mergeStored(
    _ loaded: LoadedContents<Content>
  ) throws(Failure) -> OutsideMerge<Content>.Kind {
    makeDeferred()
    // A save was faster, so these contents are older.
    if loaded.stored.revision < known.stored.revision { return .nothing }
    if let last = conflict {
      if loaded.stored.revision <= last.stored.revision { return .nothing }
      // Another change came during a conflict.
      conflict = nil
      guard last.isBaseKnown else {
        begin(conflictWith: loaded)
        return .conflict
      }
    }
    let isInGesture = !gestures.isEmpty
    let merge = try OutsideMerge(
      base: known.content, settled: settled, ours: present, theirs: loaded.content,
      isClean: !isDirty, isInGesture: isInGesture)
    let new: Content
    switch merge.result {
    case .same:
      if loaded.content == present, loaded.content != known.content {
        known.content = loaded.content
        history.markSaved(history.current)
      }
      known.stored = loaded.stored
      return .nothing
    case .conflict(let both):
      conflict = DocumentConflict(
        base: known.content, ours: present, theirs: loaded.content, clashes: both?.clashes ?? [],
        merged: both?.content, stored: loaded.stored)
      return .conflict
    case .reloaded: new = loaded.content
    case .merged(let content): new = content
    }
    let before = edited
    history.rebase(from: settled)
    outside = (known.content, loaded.content)
    (settled, known) = (new, loaded)
    history.markSaved(new == loaded.content ? history.settled : .max)
    let ended = remake()
    if isInGesture, present == loaded.content { history.markSaved(history.current) }
    let isReload = merge.kind == .reloaded
    announce(isReload ? "Reload" : "Merge", isReload ? .outside : .merge, from: before)
    tell(ended)
    return merge.kind
  }

  /// Ends undo if the next step cannot be undone, because another program has changed its part.
  /// - Returns: the name of the step, or nil if it can be undone.
  package mutating func endBlockedUndo() -> String? { history.endBlockedUndo(in: settled) }

  /// Takes back the last change by another program, as an edit. Parts that were changed since then stay.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if such contents cannot be merged. Nothing has changed then.
  package mutating func takeBackOutside(at seconds: Double) throws(Failure) {
    guard let (old, new) = outside else { return }
    let merge = try Content.merge(base: new, ours: settled, theirs: old)
    guard let content = merge?.content ?? (settled == new ? old : nil) else {
      throw Diagnostic(.fileConflict, "it was changed since, and such contents cannot be merged")
    }
    outside = nil
    _ = replace("Undo Outside Change", .edit, with: content, at: seconds)
  }

  /// Begins a conflict of contents that were made of an unknown state.
  package mutating func begin(conflictWith theirs: LoadedContents<Content>) {
    conflict = DocumentConflict(
      base: theirs.content, ours: contents(), theirs: theirs.content, clashes: [], merged: nil,
      stored: theirs.stored, isBaseKnown: false)
  }

  /// Updates a conflict if another program has stored something new since it began.
  /// - Returns: whether the conflict was updated.
  package mutating func refreshConflict(_ loaded: LoadedContents<Content>) throws(Failure) -> Bool {
    guard let old = conflict, loaded.stored.revision > old.stored.revision else { return false }
    guard old.isBaseKnown else {
      begin(conflictWith: loaded)
      return true
    }
    let ours = contents()
    let merge = try Content.merge(base: old.base, ours: ours, theirs: loaded.content)
    conflict = DocumentConflict(
      base: old.base, ours: ours, theirs: loaded.content, clashes: merge?.clashes ?? [],
      merged: merge?.content, stored: loaded.stored)
    return true
  }

  /// Ends a conflict whose stored side is gone.
  /// - Returns: the contents of that side, or nil without a conflict.
  package mutating func dropConflict() -> Content? {
    defer { conflict = nil }
    return conflict?.theirs
  }

  /// Ends a conflict with contents that were made of both sides.
  package mutating func resolve(
    _ conflict: DocumentConflict<Content>, with result: Content, at seconds: Double
  ) {
    let before = edited
    history.add(from: settled, to: result, name: "Resolve Conflict", at: seconds)
    known = LoadedContents(content: conflict.theirs, stored: conflict.stored)
    settled = result
    history.markSaved(result == conflict.theirs ? history.current : .max)
    self.conflict = nil
    tellEdit("Resolve Conflict", .resolution, from: before)
  }

  /// Makes contents the state that these were made of, as if no program had stored others since.
  package mutating func setBase(_ base: Content) { known.content = base }
}

/// The last change of an open document by another program. See `Document.lastOutsideChange`.
public struct OutsideChange: Sendable, Hashable {
  /// When it was noticed, in seconds since 1970.
  public var seconds: Double
  /// The name of that program, or nil if it does not have the document open any more.
  public var program: String?
  /// The numbers of the versions before and after the change, or nil if they are not kept.
  public var before: Int?, after: Int?
  /// The parts that are different: properties of an effect, or paths of files. Empty for contents that are one file.
  public var parts: [String]
  /// The name of the step at which undo ends, because both programs have changed its part. Nil if undo does not end.
  public var endsUndo: String?

  package init(seconds: Double) { (self.seconds, parts) = (seconds, []) }
}
