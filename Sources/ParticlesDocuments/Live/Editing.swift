internal import ParticlesCore

/// Edits, undo and gestures of an open document.
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
    try editing { try $0.edit(name, coalescing: key, at: MonotonicClock.seconds, body) }
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
    let group = try editing { $0.beginGroup(name) }
    do {
      let result = try body(self)
      try perform { $0.end(group, done: true, at: MonotonicClock.seconds) }
      return result
    } catch {
      try perform { $0.end(group, done: false, at: MonotonicClock.seconds) }
      throw error
    }
  }

  /// Runs an operation of the session if the document can be edited. Its errors of gestures and undo name the document.
  private func editing<Result>(
    _ body: (inout EditSession<Content>) throws -> Result
  ) throws -> Result {
    try checkEditable()
    do {
      return try perform(body)
    } catch let fault as Diagnostic
      where [Rule.fileGesture, .fileUndo, .fileBusy].contains(fault.rule)
    {
      throw fault.inside(location)
    }
  }

  /// Throws if the document cannot be edited now.
  func checkEditable() throws {
    try checkRole()
    guard phase.step == .open, session != nil else { throw closedFault }
    guard !flags.contains(.editingDisabled) else {
      throw Diagnostic(.fileBusy, at: location, "it is being reverted or saved elsewhere")
    }
  }

  // MARK: Undo

  /// Whether there is an edit to undo.
  public var canUndo: Bool { undoName != nil }

  /// Whether there is an edit to redo.
  public var canRedo: Bool { redoName != nil }

  /// The name of the edit that is undone next; nil if there is none.
  public var undoName: String? { session?.history.undoName }

  /// The name of the edit that is redone next; nil if there is none.
  public var redoName: String? { session?.history.redoName }

  /// The names of the edits that can be undone, the oldest first.
  public var undoNames: [String] { session?.history.undoNames ?? [] }

  /// Undoes edits, also those before the last save. What other programs have changed since stays. An open gesture is no
  /// edit yet: it goes on, and its changes are made again on the result.
  /// - Parameter count: how many; fewer are undone if there are fewer.
  /// - Returns: the number of edits that were undone.
  /// - Throws: ``ParticlesCore/Rule/fileUndo`` if another program has changed the same part as the next edit, which
  ///   cannot be undone any more.
  @discardableResult
  public func undo(_ count: Int = 1) throws -> Int { try walk(count, .undo) }

  /// Redoes edits that were undone. What other programs have changed since stays.
  /// - Parameter count: how many; fewer are redone if there are fewer.
  /// - Returns: the number of edits that were redone.
  /// - Throws: ``ParticlesCore/Rule/fileUndo`` if another program has changed the same part as the next edit, which
  ///   cannot be redone any more.
  @discardableResult
  public func redo(_ count: Int = 1) throws -> Int { try walk(count, .redo) }

  private func walk(_ count: Int, _ direction: DocumentChange<Content>.Direction) throws -> Int {
    let names = direction == .undo && lastOutsideChange != nil ? undoNames : []
    let done = Result { try editing { try $0.walk(count, direction) } }
    let walked = (try? done.get()) ?? 0
    if undoName == nil, walked < count, walked < names.count {
      // Another program has changed the same part as the next one.
      lastOutsideChange?.endsUndo = names[names.count - 1 - walked]
      if let lastOutsideChange { hub.send(.outside(lastOutsideChange)) }
    }
    return try done.get()
  }

  // MARK: Gestures

  /// Begins a gesture. Several may be open at the same time, such as those of two windows.
  ///
  /// The contents include the changes of all open gestures, and so do automatic saves and ``save()``, which do not
  /// end them. Edits, undo, redo, and changes by other programs are made beneath them: the changes of the gestures
  /// are made again on the result. Operations that replace all of the contents — ``close(discarding:)``,
  /// ``revert()``, ``restore(_:)``, ``recover(_:)``, ``resolve(_:)``, ``save(to:as:)`` — end them first, as edits.
  /// - Parameter name: the name of the edit in menus.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if the document is not open; ``ParticlesCore/Rule/fileBusy`` inside
  ///   of a ``group(_:_:)``.
  public func beginGesture(_ name: String) throws -> DocumentGesture {
    try editing { try $0.beginGesture(name, at: MonotonicClock.seconds) }
  }

  /// Makes the present change of a gesture. It replaces the one before, and is applied to the contents without it:
  /// the last position of a slider counts, not the way to it.
  /// - Parameters:
  ///   - gesture: the gesture.
  ///   - part: the part of the contents that it changes, such as a property. A change replaces that of the same
  ///     part; changes of different parts are made one after the other. An empty name by default.
  ///   - body: changes the contents. It must not wait, and is called again when the contents beneath change.
  /// - Throws: ``ParticlesCore/Rule/fileGesture`` if the gesture has ended; ``ParticlesCore/Rule/fileClosed``; the
  ///   error of `body`. Nothing has changed then.
  public func change(
    _ gesture: DocumentGesture, part: String = "",
    _ body: @escaping @Sendable (inout Content) throws -> Void
  ) throws {
    try change(gesture, [GesturePart(part, body)])
  }

  /// Makes the present changes of several parts of a gesture, all or none. See ``change(_:part:_:)``.
  /// - Parameters:
  ///   - gesture: the gesture.
  ///   - parts: the changes.
  ///   - isDeferred: whether they are only recorded, in a time that does not depend on the size of the contents; false
  ///     by default. The document has unsaved changes then, and another revision. They are made when the contents are
  ///     asked for or saved, or when the gesture ends; one that cannot be made is dropped, and ``end(_:named:)`` throws its
  ///     error.
  public func change(
    _ gesture: DocumentGesture, _ parts: [GesturePart<Content>], deferred isDeferred: Bool = false
  ) throws {
    try editing { session in
      let now = MonotonicClock.seconds
      if isDeferred {
        try session.deferChange(gesture, parts, at: now)
      } else {
        try session.change(gesture, parts, at: now)
      }
    }
  }

  /// Ends a gesture: its changes are one edit. If the contents are as before, there is none.
  /// - Parameters:
  ///   - gesture: the gesture.
  ///   - name: the name of the edit in menus, which may state what has become of a value; nil, the default, for the name
  ///     with which the gesture has begun.
  /// - Throws: ``ParticlesCore/Rule/fileGesture`` if it has ended. The error of a deferred change that could not be
  ///   made; the gesture has ended then, with its other changes.
  public func end(_ gesture: DocumentGesture, named name: String? = nil) throws {
    guard session != nil else { throw Diagnostic(.fileGesture, at: location, "'\(gesture.name)'") }
    let fault = try locating(location) {
      try perform { try $0.end(gesture, named: name, at: MonotonicClock.seconds) }
    }
    if let fault { throw fault.inside(location) }
  }

  /// Takes the changes of a gesture back. Does nothing if it has ended.
  public func cancel(_ gesture: DocumentGesture) {
    try? perform { $0.cancel(gesture) }
  }

  /// Ends all open gestures, as edits, in the order in which they have begun.
  public func endGestures() {
    if session?.gestures.isEmpty == false {
      try? perform { $0.endGestures(at: MonotonicClock.seconds) }
    }
  }

  /// The open gestures, in the order in which they have begun, with the seconds since the last change: one whose
  /// window is gone can be ended.
  public var openGestures: [(gesture: DocumentGesture, idle: Double)] {
    let now = MonotonicClock.seconds
    return (session?.gestures.all ?? []).map { ($0.gesture, now - $0.seconds) }
  }
}
