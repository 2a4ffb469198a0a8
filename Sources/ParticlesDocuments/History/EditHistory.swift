/// The edits of a document, to be undone and redone.
///
/// Each state has an identifier that is never used again. The document has unsaved changes if the
/// identifier of its state is not that of the saved one; so undoing back to the saved state makes it clean
/// again, and a saved state that can no longer be reached leaves it changed. A value without a clock or a
/// thread, so that it can be tested alone.
package struct EditHistory<Content: DocumentContent>: Sendable {
  /// An edit.
  private struct Edit: Sendable {
    /// The state after it.
    var id: UInt64
    var name: String
    var key: String?
    var seconds: Double
    var change: DocumentChange<Content>
  }

  /// The greatest number of edits that are kept; older ones are dropped. 10,000 by default.
  package var maximumCount = 10_000

  /// The greatest memory of the edits that are kept, in bytes; 32 MiB by default.
  package var maximumCost = 32 << 20

  /// How many seconds after an edit another one with the same key is merged into it; 1 by default. Of edits
  /// that were merged, the last one counts.
  package var coalescingInterval = 1.0

  private var past = DroppingArray<Edit>()
  private var future: [Edit] = []
  private var cost = 0
  private var base: UInt64 = 0
  private var next: UInt64 = 1
  private var isOpenForMerging = false

  /// The identifier of a present state with changes that are no edit yet; nil if there are none.
  private var provisional: UInt64?

  /// The open groups: the name of the outermost one, and the contents at its beginning.
  private var group: (name: String, old: Content, depth: Int)?

  /// Creates an empty history; the present state is saved.
  package init() {}

  // MARK: States

  /// The identifier of the present state.
  package var current: UInt64 { provisional ?? past.last?.id ?? base }

  /// The identifier of the saved state.
  package private(set) var savePoint: UInt64 = 0

  /// Whether the present state differs from the saved one.
  package var isDirty: Bool { group != nil || current != savePoint }

  /// Marks a state as the saved one.
  /// - Parameters:
  ///   - id: the identifier of the state.
  ///   - isAutomatic: whether the save was not asked for; false by default. The next edit may be merged with
  ///     the last one then, and makes another state; else it is an edit of its own.
  package mutating func markSaved(_ id: UInt64, automatically isAutomatic: Bool = false) {
    savePoint = id
    if !isAutomatic { isOpenForMerging = false }
  }

  /// Marks the present state as one that differs from what is stored.
  package mutating func markUnsaved() {
    if current == savePoint { savePoint = .max }
  }

  /// Gives the present state an identifier of its own: it has changes that are no edit yet.
  package mutating func beginState() {
    provisional = next
    next += 1
  }

  /// Makes a state of ``beginState()`` the present one again.
  mutating func resumeState(_ id: UInt64) { provisional = id }

  /// Ends the state of ``beginState()``: the present state is that after the last edit again.
  package mutating func endState() { provisional = nil }

  /// Whether a group is open.
  package var isGrouping: Bool { group != nil }

  // MARK: Edits

  /// The number of edits that can be undone.
  package var undoCount: Int { group == nil ? past.count : 0 }

  /// The number of edits that can be redone.
  package var redoCount: Int { group == nil ? future.count : 0 }

  /// The name of the edit that is undone next; nil if there is none.
  package var undoName: String? { group == nil ? past.last?.name : nil }

  /// The name of the edit that is redone next; nil if there is none.
  package var redoName: String? { group == nil ? future.last?.name : nil }

  /// The names of the edits that can be undone, the oldest first.
  package var undoNames: [String] { past.elements.map(\.name) }

  /// The memory of the edits in bytes; an estimate.
  package var memory: Int { cost }

  /// Adds an edit.
  /// - Parameters:
  ///   - old: the contents before it.
  ///   - new: the contents after it. Equal contents are no edit.
  ///   - name: its name in menus.
  ///   - key: merges it with the last edit if that has the same key, is recent, and was not saved on
  ///     request. Nil for an edit of its own.
  ///   - seconds: the time, of any clock that advances.
  ///   - state: the identifier of the contents after it, if they have one already: that of
  ///     ``beginState()``. Nil, the default, for a new one.
  /// - Returns: whether there is a new state.
  @discardableResult
  package mutating func add(
    from old: Content, to new: Content, name: String, key: String? = nil, at seconds: Double = 0,
    as state: UInt64? = nil
  ) -> Bool {
    if old == new { return false }
    // The group becomes one edit when it ends.
    if group != nil { return true }
    drop(future.indices)
    var before = old
    let id = state ?? next
    if let last = past.last, isOpenForMerging, let key, key == last.key,
      seconds - last.seconds <= coalescingInterval, (try? last.change(&before, .undo)) != nil
    {
      past.removeLast()
      cost -= last.change.cost
      if before == new {
        // The slider is back where it was; the state is that before both.
        isOpenForMerging = false
        return true
      }
    }
    next += 1
    let change = Content.change(from: before, to: new)
    past.append(Edit(id: id, name: name, key: key, seconds: seconds, change: change))
    cost += change.cost
    isOpenForMerging = true
    while past.count > maximumCount || cost > maximumCost && past.count > 1 {
      let oldest = past.removeFirst()
      cost -= oldest.change.cost
      base = oldest.id
    }
    return true
  }

  /// Begins a group: the edits until the end of the group are undone together. Groups may be nested; the
  /// outermost one gives the name.
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

  /// Undoes the last edit.
  /// - Returns: its name; nil if there is none, or if a group is open.
  /// - Throws: the error of the change; then nothing has changed.
  package mutating func undo(_ content: inout Content) throws -> String? {
    guard group == nil, let edit = past.last else { return nil }
    try edit.change(&content, .undo)
    past.removeLast()
    future.append(edit)
    isOpenForMerging = false
    return edit.name
  }

  /// Redoes the edit that was undone last.
  /// - Returns: its name; nil if there is none, or if a group is open.
  /// - Throws: the error of the change; then nothing has changed.
  package mutating func redo(_ content: inout Content) throws -> String? {
    guard group == nil, let edit = future.last else { return nil }
    try edit.change(&content, .redo)
    future.removeLast()
    past.append(edit)
    isOpenForMerging = false
    return edit.name
  }

  /// Drops all edits. The present state keeps its identifier.
  package mutating func clear() {
    base = current
    (past, future, cost, group, provisional) = (DroppingArray(), [], 0, nil, nil)
  }

  private mutating func drop(_ range: Range<Int>) {
    for edit in future[range] { cost -= edit.change.cost }
    future.removeSubrange(range)
  }
}

/// An array whose first element is removed without moving the others.
private struct DroppingArray<Element: Sendable>: Sendable {
  private var storage: [Element?] = []
  private var start = 0

  var count: Int { storage.count - start }
  var last: Element? { count > 0 ? storage[storage.count - 1] : nil }
  var elements: [Element] { storage[start...].compactMap(\.self) }

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
