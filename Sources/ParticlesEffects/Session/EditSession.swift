package import ParticlesContainer
public import ParticlesCore

/// The contents of a document while it is edited: edits, undo, gestures, changes by other programs.
///
/// A value without an actor, a path, a clock, a file or a thread. Times and read contents come in as arguments. The
/// events for listeners are in ``takeNews()``.
package struct EditSession<Content: DocumentContent>: Sendable {
  package var history: EditHistory<Content>
  /// The contents without the changes of open gestures.
  package var settled: Content
  /// The contents with these changes, or nil if no gesture is open.
  var visible: Content?
  package var gestures = OpenGestures<Content>()
  /// Whether gestures have changes that are not made yet.
  var hasDeferred = false
  /// The stored contents, the common base for merges with other programs.
  package var known: LoadedContents<Content>
  /// The changes of another program that exclude ours, or nil.
  package var conflict: DocumentConflict<Content>?
  /// The stored contents before and after the last change by another program, until it is taken back.
  package var outside: (before: Content, after: Content)?
  /// The number of the last change of the contents.
  package var revision = 0
  /// Whether there are listeners. If not, contents are not kept for them.
  package var isObserved = false
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

  /// The unique identifier of the current state.
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

  /// Returns the events since the last call, in order.
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

  /// Makes an edit. See `Document.edit(_:coalescing:_:)`.
  /// - Throws: the error of `body`. Nothing has changed then.
  package mutating func edit<Result>(
    _ name: String, coalescing key: String? = nil, at seconds: Double,
    _ body: (inout Content) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var new = settled
    let result = try body(&new)
    _ = replace(name, .edit, with: new, coalescing: key, at: seconds)
    return result
  }

  /// Replaces the settled contents, as an edit, and makes the changes of open gestures again.
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

  /// Makes the changes of open gestures again, on new settled contents.
  /// - Returns: the gestures that have ended, because their changes cannot be made any more.
  mutating func remake() -> [DocumentGesture] {
    // A group sees the contents without gestures.
    guard !gestures.isEmpty, !history.isGrouping else { return [] }
    var new = settled
    hasDeferred = false
    let ended = gestures.apply(to: &new)
    visible = gestures.isEmpty ? nil : new
    if gestures.hasChanges { history.beginState() } else { history.endState() }
    return ended
  }

  /// Begins a group of edits. See `Document.group(_:_:)`.
  /// - Returns: the group, for ``end(_:done:at:)``.
  package mutating func beginGroup(_ name: String) -> EditGroup<Content> {
    makeDeferred()
    defer { history.beginGroup(name, in: settled) }
    return EditGroup(name: name, old: settled, seen: edited)
  }

  /// Ends a group.
  /// - Parameter isDone: whether its edits stay. If false, they are taken back.
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

  /// Undoes or redoes edits. The changes of open gestures are made again on the result.
  /// - Returns: how many.
  /// - Throws: ``ParticlesCore/Rule/fileUndo`` if no edit can be, because another program has changed its part.
  package mutating func walk(
    _ count: Int, _ direction: DocumentChange<Content>.Direction
  ) throws(Failure) -> Int {
    let before = edited
    let isBeside = history.isBesideLine
    var done = 0
    var last: String?
    var failure: Failure?
    // Drops the second reference, so that a step copies the contents only for a listener.
    if gestures.isEmpty { visible = nil }
    while done < count {
      do throws(Failure) {
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

  /// Finds out whether contents with changes by another program equal the stored contents.
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

  /// Makes the current changes of parts of a gesture, all or none.
  /// - Throws: ``ParticlesCore/Rule/fileGesture`` if it has ended, or the error of a change. Nothing changes then.
  package mutating func change(
    _ gesture: DocumentGesture, _ parts: [GesturePart<Content>], at seconds: Double
  ) throws(Failure) {
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

  /// Records changes of parts of a gesture, at a cost independent of the size of the contents. They are made when the
  /// contents are needed.
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

  /// Makes the deferred changes of gestures. Changes that fail are dropped.
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
  /// - Returns: the error of a deferred change that failed, or nil.
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
    do throws(Failure) { try ending.apply(to: &new) } catch { new = settled }
    gestures.remove(at: index)
    let isLast = gestures.isEmpty
    // The visible contents may have been saved, so the edit keeps their identifier.
    let state = history.current
    history.endState()
    history.add(
      from: settled, to: new, name: name ?? ending.gesture.name, at: seconds,
      as: isLast && new != settled ? state : nil)
    settled = new
    let ended = gestures.apply(to: &new)
    visible = gestures.isEmpty ? nil : new
    // The order of gestures matters if they change one part.
    if !isLast {
      if new == old { history.resumeState(state) } else { history.beginState() }
    }
    finish(ending.gesture, .edit, from: new == old ? nil : .some(before), state)
    tell(ended)
    return ending.fault
  }

  /// Tells that a gesture has ended.
  /// - Parameters:
  ///   - old: the contents before, or nil if they have not changed. Unchanged contents may be stored under the
  ///     identifier that they had during the gesture. If not, the change that made them has planned their save.
  ///   - state: the identifier during the gesture.
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

/// Contents that a session takes from the storage of its document, and edits that outlive it.
extension EditSession {
  /// Records a save: makes the written contents the known stored contents.
  /// - Parameters:
  ///   - snapshot: the contents that were written.
  ///   - written: their files.
  ///   - stored: the files as they are stored.
  ///   - reread: the contents as they are read again, if they differ.
  ///   - state: the identifier of the state that was written.
  ///   - isAutomatic: whether the save was automatic.
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

  /// Makes stored contents the current contents, as an edit. There are no unsaved changes then.
  package mutating func revert(to loaded: LoadedContents<Content>, at seconds: Double) {
    _ = replace("Revert", .revert, with: loaded.content, at: seconds)
    known = loaded
    history.markSaved(history.current)
  }

  /// Takes contents from the recovery journal, as an edit. Redoes edits instead if these lead to the contents.
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
  ///   - old: the contents that `new` was made of.
  ///   - state: the identifier of `old`.
  /// - Returns: how they were merged, or nil if there were no edits meanwhile.
  package mutating func update(
    _ name: String, to new: LoadedContents<Content>, from old: Content, _ state: UInt64,
    at seconds: Double
  ) throws(Failure) -> OutsideMerge<Content>.Kind? {
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
      return try mergeStored(new)
    }
    known = new
    _ = replace(name, .merge, with: content, at: seconds)
    if present == new.content { history.markSaved(history.current) } else { history.markUnsaved() }
    return .merged
  }

  /// The edits, for the time after the document was closed.
  package var closed: ClosedEdits<Content> { ClosedEdits(history: history, content: settled) }

  /// Restores the edits that the document was closed with. Contents that another program has stored since count as a
  /// change by that program. Edits that were not saved can be redone.
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

/// A change that goes on for a while, such as a drag: it is seen and saved at once, and is one edit when it ends.
///
///     let drag = try await document.beginGesture("Change Rate")
///     for rate in rates {
///       try await document.change(drag) { try $0.set("emitters[0].emission.rate", to: rate) }
///     }
///     try await document.end(drag)  // one edit to undo
public struct DocumentGesture: Sendable, Hashable {
  /// The number of the gesture. It grows with each gesture of a document.
  public let number: Int
  /// The name of the edit in menus.
  public let name: String

  /// How a gesture ended.
  public enum End: String, Sendable, CaseIterable {
    /// Its changes are an edit, unless they left the contents as they were.
    case edit
    /// Its changes were taken back.
    case cancelled
    /// Its changes became impossible through another change, such as the removal of the emitter. They were taken
    /// back.
    case impossible
  }
}

/// The current change that a gesture makes in a part of the contents, such as a property.
public struct GesturePart<Content: Sendable>: Sendable {
  let name: String
  let change: @Sendable (inout Content) throws(Failure) -> Void

  /// Creates a change.
  /// - Parameters:
  ///   - name: the name of the part. A change replaces the previous change of its part.
  ///   - change: changes the contents. It must not wait, and is called again when the settled contents change.
  public init(_ name: String, _ change: @escaping @Sendable (inout Content) throws(Failure) -> Void)
  {
    (self.name, self.change) = (name, change)
  }
}

/// A gesture that has not ended.
package struct OpenGesture<Content: Sendable>: Sendable {
  package let gesture: DocumentGesture
  /// The last change of each part, in order.
  private(set) var parts: [GesturePart<Content>] = []
  /// The last change of each part that is recorded, and not made yet.
  private(set) var deferred: [GesturePart<Content>] = []
  /// The time of the last change, in seconds of the clock of its owner.
  package var seconds: Double
  /// The error of a deferred change that failed, or nil.
  private(set) var fault: Diagnostic?

  init(_ gesture: DocumentGesture, at seconds: Double) {
    (self.gesture, self.seconds) = (gesture, seconds)
  }

  var hasChanges: Bool { !parts.isEmpty || !deferred.isEmpty }

  /// Replaces the change of a part.
  mutating func set(_ part: GesturePart<Content>) { Self.set(part, in: &parts) }

  /// Records the change of a part, to be made later.
  mutating func `defer`(_ part: GesturePart<Content>) { Self.set(part, in: &deferred) }

  private static func set(_ part: GesturePart<Content>, in parts: inout [GesturePart<Content>]) {
    parts.removeAll { $0.name == part.name }
    parts.append(part)
  }

  /// Makes all changes. Deferred changes that fail are dropped.
  /// - Throws: the error of a change that was made before, on other contents. Nothing has changed then.
  mutating func apply(to content: inout Content) throws(Failure) {
    let old = content
    var all = parts
    for part in deferred { Self.set(part, in: &all) }
    do throws(Failure) {
      try Self.apply(all, to: &content)
    } catch {
      content = old
      guard !deferred.isEmpty else { throw error }
      all = parts
      for part in deferred {
        var some = all
        Self.set(part, in: &some)
        do throws(Failure) {
          var trial = old
          try Self.apply(some, to: &trial)
          all = some
        } catch {
          fault = Diagnostic.of(error) ?? Diagnostic(.fileGesture, "'\(gesture.name)': \(error)")
        }
      }
      try Self.apply(all, to: &content)
    }
    (parts, deferred) = (all, [])
  }

  private static func apply(_ parts: [GesturePart<Content>], to content: inout Content)
    throws(Failure)
  {
    for part in parts { try part.change(&content) }
  }
}

/// The gestures that have not ended, in the order in which they have begun.
package struct OpenGestures<Content: Sendable>: Sendable {
  package private(set) var all: [OpenGesture<Content>] = []
  private var last = 0

  package var isEmpty: Bool { all.isEmpty }

  /// Whether any gesture changes anything.
  var hasChanges: Bool { all.contains { $0.hasChanges } }

  subscript(index: Int) -> OpenGesture<Content> {
    get { all[index] }
    set { all[index] = newValue }
  }

  mutating func begin(_ name: String, at seconds: Double) -> DocumentGesture {
    last += 1
    let gesture = DocumentGesture(number: last, name: name)
    all.append(OpenGesture(gesture, at: seconds))
    return gesture
  }

  /// - Throws: ``ParticlesCore/Rule/fileGesture`` if it has ended.
  func index(of gesture: DocumentGesture) throws(Diagnostic) -> Int {
    guard let index = all.firstIndex(where: { $0.gesture == gesture }) else {
      throw Diagnostic(.fileGesture, "'\(gesture.name)'")
    }
    return index
  }

  mutating func remove(at index: Int) { all.remove(at: index) }

  /// Makes the changes of the gestures in a range, and removes those whose changes cannot be made.
  /// - Returns: the removed gestures.
  mutating func apply(_ range: Range<Int>? = nil, to content: inout Content) -> [DocumentGesture] {
    let range = range ?? all.indices
    var (kept, ended): ([OpenGesture<Content>], [DocumentGesture]) = ([], [])
    for index in range {
      var new = content
      do throws(Failure) {
        try all[index].apply(to: &new)
        content = new
        kept.append(all[index])
      } catch {
        ended.append(all[index].gesture)
      }
    }
    all.replaceSubrange(range, with: kept)
    return ended
  }
}
