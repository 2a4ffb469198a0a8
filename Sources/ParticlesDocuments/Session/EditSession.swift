package import ParticlesCore

/// The contents of a document while it is edited: edits, undo, gestures, changes by other programs.
///
/// A value without an actor, a path, a clock, a file or a thread. Times, and what was read, come in as arguments. What
/// listeners have to be told is in ``takeNews()``.
package struct EditSession<Content: DocumentContent>: Sendable {
  /// The edits.
  var history: EditHistory<Content>
  /// The contents without the changes of open gestures.
  var settled: Content
  /// The contents with them; nil if no gesture is open.
  var visible: Content?
  var gestures = OpenGestures<Content>()
  /// Whether gestures have changes that are not made yet.
  var hasDeferred = false
  /// The stored contents, from which others have made theirs.
  var known: LoadedContents<Content>
  /// The changes of another program that exclude ours; nil if there are none.
  var conflict: DocumentConflict<Content>?
  /// The stored contents before and after the last change by another program, until it is taken back.
  var outside: (before: Content, after: Content)?
  /// The number of the last change of the contents.
  var revision = 0
  /// Whether anybody listens: if not, contents are not kept for listeners.
  var isObserved = false
  private var news: [EditNews<Content>] = []

  /// Begins with contents that were read or written.
  /// - Parameters:
  ///   - undoCount: see ``EditHistory/maximumCount``.
  ///   - undoCost: see ``EditHistory/maximumCost``.
  package init(_ loaded: LoadedContents<Content>, undoCount: Int, undoCost: Int) {
    (settled, known) = (loaded.content, loaded)
    history = EditHistory()
    (history.maximumCount, history.maximumCost) = (undoCount, undoCost)
  }

  // MARK: State

  /// Whether the contents differ from the stored ones.
  package var isDirty: Bool { history.isDirty }

  /// The identifier of the present state, which is never used again.
  package var state: UInt64 { history.current }

  /// The contents, with all changes of open gestures that were made.
  var present: Content { history.isGrouping ? settled : visible ?? settled }

  /// The contents. Deferred changes are made first.
  package mutating func contents() -> Content {
    makeDeferred()
    return present
  }

  /// The contents as they are, for comparisons later.
  var edited: EditedContents<Content>? {
    guard isObserved else { return nil }
    return EditedContents(settled: settled, made: present, gestures: hasDeferred ? gestures : nil)
  }

  /// Returns what has happened since the last call, in order.
  package mutating func takeNews() -> [EditNews<Content>] {
    defer { news = [] }
    return news
  }

  mutating func announce(
    _ name: String, _ origin: DocumentRevision.Origin, from old: EditedContents<Content>?
  ) {
    revision += 1
    news.append(.changed(revision, origin, name, from: old, to: edited))
  }

  mutating func tellEdit(
    _ name: String, _ origin: DocumentRevision.Origin, from old: EditedContents<Content>?
  ) {
    news.append(.edited(name))
    announce(name, origin, from: old)
  }

  mutating func tell(_ ended: [DocumentGesture]) {
    for gesture in ended { news.append(.gestureEnded(gesture, .impossible)) }
  }

  // MARK: Edits

  /// Makes an edit. See ``Document/edit(_:coalescing:_:)``.
  /// - Throws: the error of `body`; then nothing has changed.
  package mutating func edit<Result>(
    _ name: String, coalescing key: String? = nil, at seconds: Double,
    _ body: (inout Content) throws -> Result
  ) throws -> Result {
    var new = settled
    let result = try body(&new)
    _ = replace(name, .edit, with: new, coalescing: key, at: seconds)
    return result
  }

  /// Replaces the contents beneath the gestures, as an edit.
  mutating func replace(
    _ name: String, _ origin: DocumentRevision.Origin, with new: Content,
    coalescing key: String? = nil, at seconds: Double
  ) -> Bool {
    let before = edited
    guard history.add(from: settled, to: new, name: name, key: key, at: seconds) else {
      return false
    }
    settled = new
    let ended = remake()
    tellEdit(name, origin, from: before)
    tell(ended)
    return true
  }

  /// Makes the changes of open gestures again, on other contents beneath them.
  /// - Returns: the gestures that have ended, because their changes cannot be made any more.
  mutating func remake() -> [DocumentGesture] {
    // A group is seen without them.
    guard !gestures.isEmpty, !history.isGrouping else { return [] }
    var new = settled
    hasDeferred = false
    let ended = gestures.apply(to: &new)
    visible = gestures.isEmpty ? nil : new
    if gestures.hasChanges { history.beginState() } else { history.endState() }
    return ended
  }

  /// Begins a group of edits. See ``Document/group(_:_:)``.
  /// - Returns: what ends it.
  package mutating func beginGroup(_ name: String) -> EditGroup<Content> {
    makeDeferred()
    defer { history.beginGroup(name, in: settled) }
    return EditGroup(name: name, old: settled, seen: edited)
  }

  /// Ends a group.
  /// - Parameter isDone: whether its edits stay; if not, they are taken back.
  package mutating func end(_ group: EditGroup<Content>, done isDone: Bool, at seconds: Double) {
    guard isDone else {
      let isChanged = settled != group.old
      let before = edited
      history.cancelGroup()
      settled = group.old
      if isChanged, !history.isGrouping { announce(group.name, .undo, from: before) }
      return
    }
    guard history.endGroup(in: settled, at: seconds) else { return }
    let ended = remake()
    tellEdit(group.name, .edit, from: group.seen)
    tell(ended)
  }

  // MARK: Undo

  /// Undoes or redoes edits, beneath the gestures.
  /// - Returns: how many.
  /// - Throws: ``ParticlesCore/Rule/fileUndo`` if none can be, because another program has changed the same part.
  package mutating func walk(
    _ count: Int, _ direction: DocumentChange<Content>.Direction
  ) throws -> Int {
    let before = edited
    let isBeside = history.isBesideLine
    var done = 0
    var last: String?
    var failure: (any Error)?
    // The only reference, so that a step does not copy the contents, unless there is a listener.
    if gestures.isEmpty { visible = nil }
    while done < count {
      do {
        let step =
          try direction == .undo ? history.undo(&settled) : history.redo(&settled)
        guard let step else { break }
        (done, last) = (done + 1, step)
      } catch {
        failure = error
        break
      }
    }
    if let last {
      if isBeside || history.isBesideLine { compareWithStored() }
      let ended = remake()
      tellEdit(last, .undo, from: before)
      tell(ended)
    } else if failure != nil, isBeside {
      // A change by the format may have been taken back.
      compareWithStored()
      announce("Undo", .undo, from: before)
    }
    if done == 0, let failure { throw failure }
    return done
  }

  /// Finds out whether contents with changes by another program are the stored ones.
  mutating func compareWithStored() {
    if settled == known.content {
      history.markSaved(history.settled)
    } else if history.savePoint == history.settled {
      history.markSaved(.max)
    }
  }

  // MARK: Gestures

  private func checkGroup() throws(Diagnostic) {
    if history.isGrouping { throw Diagnostic(.fileBusy, "a group of edits is being made") }
  }

  /// Begins a gesture.
  /// - Throws: ``ParticlesCore/Rule/fileBusy`` inside of a group.
  package mutating func beginGesture(
    _ name: String, at seconds: Double
  ) throws(Diagnostic) -> DocumentGesture {
    try checkGroup()
    if gestures.isEmpty { visible = settled }
    return gestures.begin(name, at: seconds)
  }

  /// Makes the present changes of parts of a gesture, all or none.
  /// - Throws: ``ParticlesCore/Rule/fileGesture`` if it has ended; the error of a change. Nothing has changed then.
  package mutating func change(
    _ gesture: DocumentGesture, _ parts: [GesturePart<Content>], at seconds: Double
  ) throws {
    try checkGroup()
    makeDeferred()
    let index = try gestures.index(of: gesture)
    let (before, old) = (edited, present)
    var new = gestures
    for part in parts { new[index].set(part) }
    new[index].seconds = seconds
    var content = settled
    for index in 0...index { try new[index].apply(to: &content) }
    let ended = new.apply(index + 1..<new.all.count, to: &content)
    gestures = new
    if content != old {
      visible = content
      history.beginState()
      tellEdit(gesture.name, .edit, from: before)
    }
    tell(ended)
  }

  /// Records changes of parts of a gesture, which are made when the contents are needed. Its cost does not depend on the
  /// size of the contents.
  /// - Throws: ``ParticlesCore/Rule/fileGesture`` if it has ended.
  package mutating func deferChange(
    _ gesture: DocumentGesture, _ parts: [GesturePart<Content>], at seconds: Double
  ) throws(Diagnostic) {
    try checkGroup()
    let index = try gestures.index(of: gesture)
    let before = edited
    for part in parts { gestures[index].defer(part) }
    gestures[index].seconds = seconds
    hasDeferred = true
    history.beginState()
    tellEdit(gesture.name, .edit, from: before)
  }

  /// Makes the changes of gestures that were deferred. Those that cannot be made are dropped.
  package mutating func makeDeferred() {
    guard hasDeferred else { return }
    hasDeferred = false
    let faults = gestures.all.filter { $0.fault != nil }.count
    var new = settled
    let ended = gestures.apply(to: &new)
    visible = gestures.isEmpty ? nil : new
    if !gestures.hasChanges { history.endState() }
    let dropped = gestures.all.last { $0.fault != nil }?.gesture.name
    if let name = ended.last?.name ?? dropped,
      !ended.isEmpty || gestures.all.filter({ $0.fault != nil }).count > faults
    {
      // Listeners were told of a change that is none.
      announce(name, .undo, from: nil)
    }
    tell(ended)
  }

  /// Ends a gesture: its changes are one edit.
  /// - Returns: why a deferred change could not be made; nil if all could.
  /// - Throws: ``ParticlesCore/Rule/fileGesture`` if it has ended.
  package mutating func end(
    _ gesture: DocumentGesture, named name: String? = nil, at seconds: Double
  ) throws(Diagnostic) -> Diagnostic? {
    try checkGroup()
    _ = try gestures.index(of: gesture)
    makeDeferred()
    // Its changes may have turned out to be impossible.
    guard let index = try? gestures.index(of: gesture) else { return nil }
    return end(at: index, named: name, at: seconds)
  }

  mutating func end(at index: Int, named name: String? = nil, at seconds: Double) -> Diagnostic? {
    var ending = gestures[index]
    let (before, old) = (edited, present)
    var new = settled
    do { try ending.apply(to: &new) } catch { new = settled }
    gestures.remove(at: index)
    let isLast = gestures.isEmpty
    // The identifier of the visible contents, which may have been saved, becomes that of the edit.
    let state = history.current
    history.endState()
    history.add(
      from: settled, to: new, name: name ?? ending.gesture.name, at: seconds,
      as: isLast && new != settled ? state : nil)
    settled = new
    let ended = gestures.apply(to: &new)
    visible = gestures.isEmpty ? nil : new
    // The order of gestures that change the same part has an effect.
    if !isLast {
      if new == old { history.resumeState(state) } else { history.beginState() }
    }
    finish(ending.gesture, .edit, from: new == old ? nil : .some(before), state)
    tell(ended)
    return ending.fault
  }

  /// Tells that a gesture has ended.
  /// - Parameters:
  ///   - old: the contents before; nil if they have not changed. These may be stored under the identifier that
  ///     they had during the gesture; if not, the change that made them has planned their save.
  ///   - state: that identifier.
  mutating func finish(
    _ gesture: DocumentGesture, _ end: DocumentGesture.End,
    from old: EditedContents<Content>??, _ state: UInt64
  ) {
    news.append(.gestureEnded(gesture, end))
    if let old {
      tellEdit(gesture.name, end == .edit ? .edit : .undo, from: old)
    } else if state == history.savePoint {
      history.markSaved(history.current, automatically: true)
    }
  }

  /// Takes the changes of a gesture back. Does nothing if it has ended.
  package mutating func cancel(_ gesture: DocumentGesture) {
    makeDeferred()
    guard let index = try? gestures.index(of: gesture) else { return }
    let (before, old, state) = (edited, present, history.current)
    let hadChanges = gestures[index].hasChanges
    gestures.remove(at: index)
    var new = settled
    let ended = gestures.apply(to: &new)
    visible = gestures.isEmpty ? nil : new
    if !gestures.hasChanges {
      history.endState()
    } else if hadChanges {
      history.beginState()
    }
    finish(gesture, .cancelled, from: new == old ? nil : .some(before), state)
    tell(ended)
  }

  /// Ends all open gestures, as edits, in the order in which they have begun.
  package mutating func endGestures(at seconds: Double) {
    makeDeferred()
    while !gestures.isEmpty { _ = end(at: 0, at: seconds) }
  }
}
