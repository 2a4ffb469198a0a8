internal import ParticlesCore

extension Document {
  /// Changes the contents. The document has unsaved changes then, which are saved as the configuration
  /// demands.
  /// - Parameters:
  ///   - name: the name of the edit in menus.
  ///   - key: merges edits with the same key that follow each other within a second into one, as those of a
  ///     slider; nil for an edit of its own.
  ///   - body: changes the contents. It must not wait.
  /// - Returns: the result of `body`.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if the document is not open; the error of `body`. Nothing
  ///   has changed then.
  @discardableResult
  public func edit<Result: Sendable>(
    _ name: String, coalescing key: String? = nil,
    _ body: @Sendable (inout Content) throws -> Result
  ) throws -> Result {
    try beneathGestures {
      let old = try editable()
      var new = old
      let result = try body(&new)
      let isNew = history.add(from: old, to: new, name: name, key: key, at: MonotonicClock.seconds)
      current = new
      if isNew { changed(name, .edit, from: old) }
      return result
    }
  }

  /// Replaces the contents, as an edit.
  public func replace(_ name: String, with content: Content) throws {
    try edit(name) { $0 = content }
  }

  /// Runs edits, undos and reads without interruption by other tasks; the edits are undone together.
  /// - Parameters:
  ///   - name: the name of the edits in menus.
  ///   - body: must not wait.
  /// - Throws: the error of `body`. Nothing has changed then.
  @discardableResult
  public func group<Result: Sendable>(
    _ name: String, _ body: @Sendable (isolated Document) throws -> Result
  ) throws -> Result {
    try beneathGestures {
      let old = try editable()
      history.beginGroup(name, in: old)
      do {
        let result = try body(self)
        if let current, history.endGroup(in: current, at: MonotonicClock.seconds) {
          changed(name, .edit, from: old)
        }
        return result
      } catch {
        history.cancelGroup()
        current = old
        report()
        throw error
      }
    }
  }

  func editable() throws -> Content {
    try checkRole()
    guard phase == .open, let current else { throw closedFault }
    guard !flags.contains(.editingDisabled) else {
      throw Diagnostic(.fileBusy, at: location, "it is being reverted or saved elsewhere")
    }
    return current
  }

  /// Throws if the document is only viewed.
  func checkRole() throws {
    if configuration.isViewing {
      throw Diagnostic(.fileReadOnly, at: location, "it was opened for viewing")
    }
  }

  /// Tells listeners of an edit and plans its save.
  func changed(_ name: String, _ origin: DocumentRevision.Origin, from old: Content?) {
    hub.send(.edited(name))
    announce(name, origin, from: old)
    report()
    scheduleAutosave()
  }

  /// The same as ``events()``.
  /// - Parameter missed: called for each event that is dropped because the listener does not keep up.
  package func events(missed: @escaping @Sendable () -> Void) -> AsyncStream<DocumentEvent> {
    hub.stream(beginning: firstEvents, missed: missed)
  }

  // MARK: Undo

  /// Whether there is an edit to undo.
  public var canUndo: Bool { history.undoCount > 0 }

  /// Whether there is an edit to redo.
  public var canRedo: Bool { history.redoCount > 0 }

  /// The name of the edit that is undone next; nil if there is none.
  public var undoName: String? { history.undoName }

  /// The name of the edit that is redone next; nil if there is none.
  public var redoName: String? { history.redoName }

  /// The names of the edits that can be undone, the oldest first.
  public var undoNames: [String] { history.undoNames }

  /// Undoes edits, also those before the last save. An open gesture is no edit yet: it goes on, and its changes are
  /// made again on the result.
  /// - Parameter count: how many; fewer are undone if there are fewer.
  /// - Returns: the number of edits that were undone.
  @discardableResult
  public func undo(_ count: Int = 1) throws -> Int {
    try beneathGestures { try walk(count) { try $0.undo(&$1) } }
  }

  /// Redoes edits that were undone.
  /// - Parameter count: how many; fewer are redone if there are fewer.
  /// - Returns: the number of edits that were redone.
  @discardableResult
  public func redo(_ count: Int = 1) throws -> Int {
    try beneathGestures { try walk(count) { try $0.redo(&$1) } }
  }

  private func walk(
    _ count: Int, _ step: (inout EditHistory<Content>, inout Content) throws -> String?
  ) throws -> Int {
    var content = try editable()
    // The only reference, so that a step does not copy the contents, unless there is a listener.
    let old = hub.hasListeners ? content : nil
    current = nil
    var done = 0
    var last: String?
    defer {
      current = content
      if let last { changed(last, .undo, from: old) }
    }
    while done < count, let name = try step(&history, &content) {
      (done, last) = (done + 1, name)
    }
    return done
  }

  // MARK: Edits that outlive the program

  /// The last edits of the program before, to be undone.
  func restoreEdits() async {
    guard configuration.keepsEdits, let now = stored?.contents,
      let states = try? await access.trail(to: now), states.count > 1
    else { return }
    for (old, new) in zip(states, states.dropFirst()) {
      history.add(from: old.content, to: new.content, name: new.name)
    }
    history.markSaved(history.current)
  }

  /// Keeps the last edits for the next program.
  func noteEdits() async {
    guard configuration.keepsEdits, let current else { return }
    var states: [(name: String, content: Content)] = []
    var walk = history
    var content = current
    for _ in 0..<EditTrail.maximumCount {
      let now = content
      guard let name = try? walk.undo(&content) else { break }
      states.append((name, now))
    }
    states.append(("", content))
    try? await access.note(states.reversed())
  }
}
