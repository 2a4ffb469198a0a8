package import ParticlesCore

/// The edits of a document, to be undone and redone.
///
/// A change by another program is no edit. The edits before it were made on older contents. These older contents,
/// called the *line*, are kept beside the current contents. A step is undone on the line, and the result is merged
/// with the current contents. So the cost of a change by another program does not depend on the number of edits.
///
/// Each state has a unique identifier. The document has unsaved changes if its state and the saved state have
/// different identifiers. So undoing back to the saved state makes it clean again. A saved state that can no longer
/// be reached leaves it changed. The history has no clock and no thread, so that it can be tested alone.
package struct EditHistory<Content: DocumentContent>: Sendable {
  /// An edit, or a change between edits that is passed together with one.
  private struct Step: Sendable {
    enum Kind: Sendable {
      case edit
      /// A change by another program, from the line of the edits before it. Undo leaves this change in place.
      case outside
      /// A change by the format of the file in a save. Undo takes it back.
      case conversion
    }

    var kind = Kind.edit
    /// The state after it.
    var id: UInt64
    var name = ""
    var key: String?
    var seconds = 0.0
    var change: DocumentChange<Content>
  }

  /// The greatest number of edits that are kept. Older edits are dropped. Default: 10,000.
  package var maximumCount = 10_000

  /// The greatest memory of the edits that are kept, in bytes. Default: 32 MiB.
  package var maximumCost = 32 << 20

  /// Merges edits that have one key and are at most this many seconds apart. Default: 1. The time counts from the
  /// last merged edit.
  package var coalescingInterval = 1.0

  private var past = DroppingArray<Step>()
  private var future: [Step] = []
  private var cost = 0
  private var base: UInt64 = 0
  private var next: UInt64 = 1
  private var isOpenForMerging = false

  /// The contents that the steps lead to, and the identifier of the current state. Nil if these are the current
  /// contents.
  private var line: (content: Content, state: UInt64)?

  /// The identifier of the current state while it has changes that are no edit yet, else nil.
  private var provisional: UInt64?

  /// The open groups: name and initial contents of the outermost group, and the nesting depth.
  private var group: (name: String, old: Content, depth: Int)?

  /// Creates an empty history, whose current state is saved.
  package init() {}

  // MARK: States

  /// The identifier of the current state.
  package var current: UInt64 { provisional ?? settled }

  /// The identifier of the current state without changes that are no edit yet.
  package var settled: UInt64 { line?.state ?? past.last?.id ?? base }

  /// Whether a change by another program has moved the current contents off the line of the steps.
  package var isBesideLine: Bool { line != nil }

  /// The identifier of the saved state.
  package private(set) var savePoint: UInt64 = 0

  /// Whether the current state differs from the saved state.
  package var isDirty: Bool { group != nil || current != savePoint }

  /// Marks a state as saved.
  /// - Parameters:
  ///   - id: the identifier of the state.
  ///   - isAutomatic: whether the save was automatic. Default: false. After an automatic save, the next edit may be
  ///     merged with the last edit, which makes a new state. Otherwise the next edit stays separate.
  package mutating func markSaved(_ id: UInt64, automatically isAutomatic: Bool = false) {
    savePoint = id
    if !isAutomatic { isOpenForMerging = false }
  }

  /// Marks the current state as different from the stored contents.
  package mutating func markUnsaved() {
    if current == savePoint { savePoint = .max }
  }

  /// Gives the current state a new identifier: it has changes that are no edit yet.
  package mutating func beginState() { provisional = newState() }

  private mutating func newState() -> UInt64 {
    defer { next += 1 }
    return next
  }

  /// Makes a state of ``beginState()`` the current state again.
  mutating func resumeState(_ id: UInt64) { provisional = id }

  /// Ends the state of ``beginState()``: the current state is again the state after the last edit.
  package mutating func endState() { provisional = nil }

  package var isGrouping: Bool { group != nil }

  // MARK: Edits

  /// The number of edits that can be undone.
  package var undoCount: Int { group == nil ? undoNames.count : 0 }

  /// The number of edits that can be redone.
  package var redoCount: Int { group == nil ? future.count { $0.kind == .edit } : 0 }

  /// The name of the edit that is undone next, or nil if there is none.
  package var undoName: String? { group == nil ? past.last { $0.kind == .edit }?.name : nil }

  /// The name of the edit that is redone next, or nil if there is none.
  package var redoName: String? { group == nil ? future.last { $0.kind == .edit }?.name : nil }

  /// The names of the edits that can be undone, the oldest first.
  package var undoNames: [String] { past.elements.filter { $0.kind == .edit }.map { $0.name } }

  /// The estimated memory of the edits, in bytes.
  package var memory: Int { cost }

  /// Adds an edit.
  /// - Parameters:
  ///   - old: the contents before it.
  ///   - new: the contents after it. Equal contents are no edit.
  ///   - name: its name in menus.
  ///   - key: merges it with the last edit if that has an equal key, is recent, and was not saved on request. Nil
  ///     never merges.
  ///   - seconds: the time, of any clock that advances.
  ///   - state: the identifier of ``beginState()`` for the contents after it. Nil, the default, for a new identifier.
  /// - Returns: whether there is a new state.
  @discardableResult
  package mutating func add(
    from old: Content, to new: Content, name: String, key: String? = nil, at seconds: Double = 0,
    as state: UInt64? = nil
  ) -> Bool {
    if old == new { return false }
    // The group becomes one edit when it ends.
    if group != nil { return true }
    dropFuture()
    leaveLine(for: old)
    var before = old
    let id = state ?? newState()
    if let last = past.last, last.kind == .edit, isOpenForMerging, let key, key == last.key,
      seconds - last.seconds <= coalescingInterval, (try? last.change(&before, .undo)) != nil
    {
      past.removeLast()
      cost -= last.change.cost
      if before == new {
        // The slider is back at its first value, so the state before both edits is restored.
        isOpenForMerging = false
        return true
      }
    }
    push(
      Step(
        id: id, name: name, key: key, seconds: seconds,
        change: Content.change(from: before, to: new)))
    isOpenForMerging = true
    return true
  }

  private mutating func push(_ step: Step) {
    past.append(step)
    cost += step.change.cost
    while past.count > maximumCount || cost > maximumCost && past.count > 1 { dropOldest() }
    // Nothing is before them.
    while let first = past.first, first.kind != .edit { dropOldest() }
  }

  private mutating func dropOldest() {
    let oldest = past.removeFirst()
    cost -= oldest.change.cost
    base = oldest.id
  }

  /// Begins a group: the edits until the end of the group are undone together. Groups may be nested. The outermost
  /// group gives the name.
  package mutating func beginGroup(_ name: String, in content: Content) {
    if group != nil {
      group?.depth += 1
    } else {
      group = (name, content, 1)
    }
  }

  /// Ends a group.
  /// - Returns: whether there is a new state: false inside another group, and if nothing changed.
  @discardableResult
  package mutating func endGroup(in content: Content, at seconds: Double = 0) -> Bool {
    guard let (name, old, depth) = group else { return false }
    guard depth == 1 else {
      group?.depth -= 1
      return false
    }
    group = nil
    return add(from: old, to: content, name: name, at: seconds)
  }

  /// Ends a group whose edits the caller has taken back.
  package mutating func cancelGroup() {
    guard let depth = group?.depth else { return }
    if depth > 1 { group?.depth -= 1 } else { group = nil }
  }

  // MARK: Undo

  /// Undoes the last edit, and keeps later changes by other programs.
  /// - Returns: its name. Nil if there is none, or if a group is open.
  /// - Throws: the error of the change. Nothing has changed then. ``ParticlesCore/Rule/fileUndo`` if another program
  ///   has changed the part of the edit. This edit and all earlier edits are dropped then.
  package mutating func undo(_ content: inout Content) throws(Failure) -> String? {
    guard undoName != nil else { return nil }
    isOpenForMerging = false
    while let step = past.last, step.kind != .edit {
      try pass(step, &content, .undo)
      past.removeLast()
      future.append(step)
    }
    guard let edit = past.last else { return nil }
    try move(edit, &content, .undo)
    past.removeLast()
    future.append(edit)
    return edit.name
  }

  /// Redoes the edit that was undone last, and keeps later changes by other programs.
  /// - Returns: its name. Nil if there is none, or if a group is open.
  /// - Throws: the errors of ``undo(_:)``. The edits after it are dropped.
  package mutating func redo(_ content: inout Content) throws(Failure) -> String? {
    guard redoName != nil else { return nil }
    isOpenForMerging = false
    while let edit = future.last {
      let isEdit = edit.kind == .edit
      if isEdit { try move(edit, &content, .redo) } else { try pass(edit, &content, .redo) }
      future.removeLast()
      past.append(edit)
      guard isEdit else { continue }
      // Steps that followed the edit directly belong to it.
      while let step = future.last, step.kind != .edit {
        try pass(step, &content, .redo)
        future.removeLast()
        past.append(step)
      }
      return edit.name
    }
    return nil
  }

  /// Makes an edit in one direction: on the line, and so in the contents.
  private mutating func move(
    _ edit: Step, _ content: inout Content, _ direction: DocumentChange<Content>.Direction
  ) throws(Failure) {
    guard let old = line?.content else { return try edit.change(&content, direction) }
    var new = old
    try edit.change(&new, direction)
    // `content` is passed as `theirs`, so that the text of its file stays.
    let merge = try Content.merge(base: old, ours: new, theirs: content)
    guard let merge, merge.clashes.isEmpty else {
      end(direction)
      let part = merge?.clashes.first.map { ": \($0)" } ?? ""
      throw Diagnostic(
        .fileUndo, "'\(edit.name)': another program has changed the same part since\(part)")
    }
    content = merge.content
    setLine(new, beside: content)
  }

  /// Passes a change between edits. Its identifier names the state after it.
  private mutating func pass(
    _ step: Step, _ content: inout Content, _ direction: DocumentChange<Content>.Direction
  ) throws(Failure) {
    let state = settled
    var new = line?.content ?? content
    let old = new
    try step.change(&new, direction)
    if step.kind == .outside {
      // The contents stay.
      line = direction == .redo && new == content ? nil : (new, state)
    } else if line == nil {
      content = new
    } else {
      let merge = try Content.merge(base: old, ours: new, theirs: content)
      if let merge, merge.clashes.isEmpty { content = merge.content }
      setLine(new, beside: content)
    }
  }

  private mutating func setLine(_ new: Content, beside content: Content) {
    line = new == content ? nil : (new, newState())
  }

  /// Ends the steps of one direction, which cannot be made any more.
  private mutating func end(_ direction: DocumentChange<Content>.Direction) {
    base = settled
    if direction == .redo {
      dropFuture()
    } else {
      for step in past.elements { cost -= step.change.cost }
      past = DroppingArray()
    }
    if undoName == nil, redoName == nil { line = nil }
  }

  /// Drops all edits. The current state keeps its identifier.
  package mutating func clear() {
    base = current
    (past, future, cost, group, provisional) = (DroppingArray(), [], 0, nil, nil)
    line = nil
  }

  private mutating func dropFuture() {
    for step in future { cost -= step.change.cost }
    future = []
  }

  // MARK: Changes that are no edits

  /// Takes a change by another program: the contents are others than before, and in another state.
  /// - Parameter old: the contents before it.
  package mutating func rebase(from old: Content) {
    isOpenForMerging = false
    let state = newState()
    if undoName == nil, redoName == nil {
      clear()
      base = state
    } else {
      line = (line?.content ?? old, state)
    }
  }

  /// Ends undo if the next step cannot be undone, because another program has changed its part.
  /// - Parameter content: the current contents.
  /// - Returns: the name of the step, or nil if it can be undone.
  package mutating func endBlockedUndo(in content: Content) -> String? {
    guard let name = undoName, var old = line?.content else { return nil }
    for step in past.elements.reversed() {
      var new = old
      guard (try? step.change(&new, .undo)) != nil else { break }
      if step.kind == .edit {
        let merge = try? Content.merge(base: old, ours: new, theirs: content)
        if let merge, merge.clashes.isEmpty { return nil }
        break
      }
      old = new
    }
    end(.undo)
    return name
  }

  /// Takes changes that the format of the file has made in a save. Undo takes them back.
  package mutating func convert(from old: Content, to new: Content) {
    guard undoName != nil, redoName == nil else { return rebase(from: old) }
    leaveLine(for: old)
    push(Step(kind: .conversion, id: newState(), change: Content.change(from: old, to: new)))
    isOpenForMerging = false
  }

  /// Begins a line for the current contents. Earlier steps stay on the old line.
  private mutating func leaveLine(for content: Content) {
    guard let (old, state) = line else { return }
    line = nil
    if past.last == nil { return base = state }
    push(Step(kind: .outside, id: state, change: Content.change(from: old, to: content)))
  }
}

/// An array that removes its first element without moving the remaining elements.
struct DroppingArray<Element: Sendable>: Sendable {
  private var storage: [Element?] = []
  private var start = 0

  var count: Int { storage.count - start }
  var first: Element? { count > 0 ? storage[start] : nil }
  var last: Element? { count > 0 ? storage[storage.count - 1] : nil }

  func last(where isWanted: (Element) -> Bool) -> Element? {
    storage[start...].last { $0.map(isWanted) ?? false } ?? nil
  }

  var elements: [Element] { storage[start...].compactMap { $0 } }

  mutating func append(_ element: Element) { storage.append(element) }

  mutating func removeLast() { storage.removeLast() }

  mutating func removeFirst() -> Element {
    defer {
      storage[start] = nil
      start += 1
      if start > 64, 2 * start > storage.count {
        storage.removeFirst(start)
        start = 0
      }
    }
    return storage[start].unsafelyUnwrapped
  }
}
