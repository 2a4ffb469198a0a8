public import ParticlesContainer
internal import ParticlesPackages
public import ParticlesCore
public import ParticlesEffects
internal import ParticlesSystem

/// Edits, undo and gestures of an open document.
extension Document {
  /// Changes the contents. The document has unsaved changes then, and ``DocumentConfiguration/autosave`` decides when
  /// they are saved.
  /// - Parameters:
  ///   - name: the name of the edit in menus.
  ///   - key: merges edits that have one key and follow each other within a second, such as the steps of a slider.
  ///     Nil never merges.
  ///   - body: changes the contents. It must not wait.
  /// - Returns: the result of `body`.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if the document is not open, or the error of `body`. Nothing has
  ///   changed then.
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

  /// Runs edits, undos and reads without interruption by other tasks. The edits are undone together.
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

  /// The name of the edit that is undone next, or nil if there is none.
  public var undoName: String? { session?.history.undoName }

  /// The name of the edit that is redone next, or nil if there is none.
  public var redoName: String? { session?.history.redoName }

  /// The names of the edits that can be undone, the oldest first.
  public var undoNames: [String] { session?.history.undoNames ?? [] }

  /// Undoes edits, also edits before the last save. Later changes by other programs stay. An open gesture is no edit
  /// yet: it goes on, and its changes are made again on the result.
  /// - Parameter count: the greatest number of edits to undo.
  /// - Returns: the number of edits that were undone.
  /// - Throws: ``ParticlesCore/Rule/fileUndo`` if the next edit cannot be undone any more, because another program
  ///   has changed its part.
  @discardableResult
  public func undo(_ count: Int = 1) throws -> Int { try walk(count, .undo) }

  /// Redoes edits that were undone. Later changes by other programs stay.
  /// - Parameter count: the greatest number of edits to redo.
  /// - Returns: the number of edits that were redone.
  /// - Throws: ``ParticlesCore/Rule/fileUndo`` if the next edit cannot be redone any more, because another program
  ///   has changed its part.
  @discardableResult
  public func redo(_ count: Int = 1) throws -> Int { try walk(count, .redo) }

  private func walk(_ count: Int, _ direction: DocumentChange<Content>.Direction) throws -> Int {
    let names = direction == .undo && lastOutsideChange != nil ? undoNames : []
    let done = Result { try editing { try $0.walk(count, direction) } }
    let walked = (try? done.get()) ?? 0
    if undoName == nil, walked < count, walked < names.count {
      // Another program has changed the part that the next edit had changed.
      lastOutsideChange?.endsUndo = names[names.count - 1 - walked]
      if let lastOutsideChange { hub.send(.outside(lastOutsideChange)) }
    }
    return try done.get()
  }

  // MARK: Gestures

  /// Begins a gesture. Several gestures may be open at once, for example in two windows.
  ///
  /// The contents include the changes of all open gestures, and so do automatic saves and ``save()``, which do not
  /// end them. Edits, undo, redo, and changes by other programs are made first: the changes of the gestures are made
  /// again on the result. Operations that replace all of the contents — ``close(discarding:)``, ``revert()``,
  /// ``restore(_:)``, ``recover(_:)``, ``resolve(_:)``, ``save(to:as:)`` — end them first, as edits.
  /// - Parameter name: the name of the edit in menus.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if the document is not open, ``ParticlesCore/Rule/fileBusy`` inside
  ///   a ``group(_:_:)``.
  public func beginGesture(_ name: String) throws -> DocumentGesture {
    try editing { try $0.beginGesture(name, at: MonotonicClock.seconds) }
  }

  /// Makes the current change of a gesture. It replaces the previous change, and is applied to the contents without
  /// that: only the last position of a slider counts.
  /// - Parameters:
  ///   - gesture: the gesture.
  ///   - part: the part of the contents that it changes, such as a property. A change replaces the previous change of
  ///     its part. Changes of different parts are made in sequence. Default: an empty name.
  ///   - body: changes the contents. It must not wait, and is called again when the contents change otherwise.
  /// - Throws: ``ParticlesCore/Rule/fileGesture`` if the gesture has ended, ``ParticlesCore/Rule/fileClosed``, or the
  ///   error of `body`. Nothing has changed then.
  public func change(
    _ gesture: DocumentGesture, part: String = "",
    _ body: @escaping @Sendable (inout Content) throws -> Void
  ) throws {
    try change(gesture, [GesturePart(part, body)])
  }

  /// Makes the current changes of several parts of a gesture, all or none. See ``change(_:part:_:)``.
  /// - Parameters:
  ///   - gesture: the gesture.
  ///   - parts: the changes.
  ///   - isDeferred: whether the changes are only recorded, at a cost independent of the size of the contents.
  ///     Default: false. The document has unsaved changes then, and a new revision. The changes are made when the
  ///     contents are read or saved, or when the gesture ends. A change that fails is dropped, and ``end(_:named:)``
  ///     throws its error.
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
  ///   - name: the name of the edit in menus, which may state the final value. Nil, the default, for the name given
  ///     to ``beginGesture(_:)``.
  /// - Throws: ``ParticlesCore/Rule/fileGesture`` if the gesture has ended. The error of a deferred change that
  ///   failed: the gesture has ended then, with its other changes.
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

/// How ``Document/update(_:_:_:)`` makes a change and saves it.
public struct UpdateOptions: Sendable {
  /// The digest that the stored contents must have, in hexadecimal digits, at least the first eight. Nil, the
  /// default, for any. See ``ParticlesContainer/FileNode/treeDigest()``.
  public var expectedDigest: String?

  /// Whether a read-only document is saved. Default: false.
  public var isForced = false

  /// Whether a flat package of any size is written completely, without superseded data. Default: false. See
  /// ``StorageOptions/appendingSize``.
  public var isRewriting = false

  /// Whether to save. Default: true. If false, the change is made in a copy of the contents.
  public var isSaving = true

  /// Creates the default options.
  public init() {}
}

/// The result of ``Document/update(_:_:_:)``.
public struct UpdateOutcome<Content: DocumentContent, Result: Sendable>: Sendable {
  /// The result of the last call of the closure.
  public var result: Result

  /// The contents after the change.
  public var content: Content

  /// Whether the document was saved: false if nothing was changed, or without
  /// ``UpdateOptions/isSaving``.
  public var isSaved: Bool

  /// How a package was saved, or nil if it was not saved.
  public var mode: Container.SaveMode?

  /// How many times the change was made: more than 1 if other programs saved the document meanwhile.
  public var attempts: Int

  /// Warnings: the owner of the file has changed, or other hard links have the old contents.
  public var diagnostics: [Diagnostic]
}

extension Document {
  /// Changes the contents and saves them, while other programs may save the document, too. The document is
  /// opened first if it is closed, and stays open.
  ///
  ///     let outcome = try await document.update("Set Seed") { package, _ in
  ///       var system = try package.system()
  ///       system.seed = 7
  ///       try package.setSystem(system)
  ///     }
  ///     for warning in outcome.diagnostics { print(warning) }
  ///
  /// If another program saves the document before this one can, the change is made again, on the new state. So
  /// programs that change different properties do not overwrite each other. If two programs change one property, the
  /// later change wins. Other tasks see the old contents until the change is saved. The edits that they make
  /// meanwhile are merged. With ``DocumentConfiguration/keepsVersions``, the edit can be undone by other programs,
  /// and the states before and after it are kept as versions. A state above ``VersionStore/wholeSize`` is kept as its
  /// changed files only.
  /// - Parameters:
  ///   - name: the name of the edit in menus.
  ///   - options: how to make and save the change.
  ///   - change: changes the contents, on a thread that may wait. A repeated call gets the result of the first call,
  ///     and the first call gets nil.
  /// - Returns: the result of the last call of `change`, and how the document was saved.
  /// - Throws: ``ParticlesCore/Rule/fileChanged`` if the contents do not have the expected digest, or if other
  ///   programs kept saving them until ``DocumentConfiguration/timeout``. ``ParticlesCore/Rule/fileBusy`` if another
  ///   program held the lock for that long. ``ParticlesCore/Rule/fileConflict`` if unsaved edits exclude edits of
  ///   another program. ``ParticlesCore/Rule/fileReadOnly``, others of the family `file`, and the error of `change`.
  ///   Nothing is changed then.
  @discardableResult
  public func update<Result: Sendable>(
    _ name: String, _ options: UpdateOptions = UpdateOptions(),
    _ change: @escaping @Sendable (_ content: inout Content, _ first: Result?) throws -> Result
  ) async throws -> UpdateOutcome<Content, Result> {
    try await open()
    while let saving { _ = await saving.result }
    guard phase.step == .open else { throw closedFault }
    let task = BlockingWait.task { try await self.repeatedly(name, options, change) }
    // Other saves wait for this one.
    saving = BlockingWait.task { _ = try await task.value }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Makes a change again until no other program has saved the document in between.
  private func repeatedly<Result: Sendable>(
    _ name: String, _ options: UpdateOptions,
    _ change: @escaping @Sendable (inout Content, Result?) throws -> Result
  ) async throws -> UpdateOutcome<Content, Result> {
    defer { saving = nil }
    let deadline = Deadline(seconds: configuration.timeout)
    let first = Lock<Result?>(nil)
    return try await atWork {
      var attempts = 0
      while true {
        attempts += 1
        do {
          if attempts > 1 { try await takeOutside() }
          try checkConflict()
          if flags.contains(.undecodable) { throw undecodableFault }
          let outcome = try await attempt(name, options, attempts, deadline) { content in
            let result = try change(&content, first.withLock(\.self))
            first.withLock { $0 = $0 ?? result }
            return result
          }
          await access.settle()
          return outcome
        } catch let fault as Diagnostic where isChange(fault) {
          guard !deadline.isOver else { throw exhausted(fault, attempts) }
        }
        // Programs that failed together try again at different times.
        await access.pause(Double.random(in: 0.001...0.02) * Double(min(attempts, 5)))
      }
    }
  }

  private func attempt<Result: Sendable>(
    _ name: String, _ options: UpdateOptions, _ number: Int, _ deadline: Deadline,
    _ change: @escaping @Sendable (inout Content) throws -> Result
  ) async throws -> UpdateOutcome<Content, Result> {
    try checkEditable()
    let (old, stored, state) = try perform { ($0.contents(), $0.known.stored, $0.state) }
    var writing = self.options(automatic: false)
    (writing.isForced, writing.isRewriting) = (options.isForced, options.isRewriting)
    var attempt = try await access.attempt(
      name, old, replacing: stored.revision, options, writing, deadline, change)
    var outcome = UpdateOutcome(
      result: attempt.result, content: attempt.content, isSaved: false, attempts: number,
      diagnostics: [])
    guard let saved = attempt.saved else { return outcome }
    attempt.content.adopt(saved.stored.contents, writtenAs: saved.written)
    outcome.content = attempt.content
    (outcome.isSaved, outcome.mode) = (true, saved.stored.mode)
    outcome.diagnostics = saved.stored.diagnostics
    let new = LoadedContents(content: attempt.content, stored: saved.stored)
    let kind = try perform {
      try $0.update(name, to: new, from: old, state, at: MonotonicClock.seconds)
    }
    // Other tasks have made edits meanwhile, which exclude the change.
    if kind == .conflict { try await follow(.conflict) }
    plan.versionPoint = session?.state
    forgetRecovered()
    succeeded(automatically: false)
    outcome.diagnostics += attempt.diagnostics
    if attempt.diagnostics.isEmpty {
      outcome.diagnostics += await access.keepStates(
        name, from: attempt.old, replaced: attempt.isReplaced, to: saved.written)
    }
    return outcome
  }

  /// Whether another program has changed the document since it was read. A directory that is exchanged
  /// while it is read lacks entries.
  private func isChange(_ fault: Diagnostic) -> Bool {
    if fault.rule == .fileChanged { return fault.detail(as: DigestMismatch.self) == nil }
    return fault.rule == .fileNotFound && path.map { (try? Files.status($0)) != nil } ?? false
  }

  private func exhausted(_ fault: Diagnostic, _ attempts: Int) -> Diagnostic {
    guard fault.rule == .fileChanged, configuration.timeout > 0 else { return fault }
    return Diagnostic(
      .fileChanged, at: location,
      "other programs saved it \(attempts) times in \(JSONNumber(configuration.timeout).text) s",
      hint: "try again, or wait longer")
  }
}

/// Marks a difference from ``UpdateOptions/expectedDigest``, after which no other attempt is made.
struct DigestMismatch: DiagnosticDetail {
  static let key = "digest"
  var json: JSONValue { .bool(true) }
}

extension DocumentAccess {
  /// A change that was made, and saved if it changed anything.
  struct Attempt<Result: Sendable>: Sendable {
    var result: Result
    var old: FileNode
    var content: Content
    var saved: Saved?
    var diagnostics: [Diagnostic] = []
    /// Whether another program had replaced the file.
    var isReplaced = false
  }

  /// Makes a change and saves it.
  func attempt<Result: Sendable>(
    _ name: String, _ content: Content, replacing revision: Int, _ options: UpdateOptions,
    _ writing: StorageOptions, _ deadline: Deadline,
    _ change: @Sendable (inout Content) throws -> Result
  ) throws -> Attempt<Result> {
    try Task.checkCancellation()
    let old = try content.contents()
    if let digest = options.expectedDigest { try check(digest, of: old) }
    if options.isSaving { try storage.check(writing) }
    var new = content
    let result = try change(&new)
    var attempt = Attempt(result: result, old: old, content: new, saved: nil)
    let tree = try new.contents()
    if options.isSaving, try !tree.matchesContents(of: old) {
      var writing = writing
      writing.deadline = deadline
      let noted = noteEdit(name, from: old, to: tree, &attempt.diagnostics)
      attempt.isReplaced = noted?.isReplaced ?? false
      do {
        attempt.saved = try write(new, replacing: revision, writing)
      } catch {
        try? noted?.takeBack()
        throw error
      }
      unsettled.append(old)
    }
    return attempt
  }

  private func check(_ expected: String, of contents: FileNode) throws {
    let digest = try contents.contentDigest().description
    let wanted = expected.lowercased()
    guard wanted.utf8.count >= 8, digest.hasPrefix(wanted) else {
      var fault = Diagnostic(
        .fileChanged, at: Location(file: storage.path), expected: "digest \(wanted)",
        found: "digest \(digest)", hint: "look at the document again, and repeat the change")
      fault.setDetail(DigestMismatch())
      throw fault
    }
  }

  /// Notes an edit that will be saved, so that it can be undone later. An error is a warning: the document
  /// is more important.
  /// - Returns: nil if there is no note.
  private func noteEdit(
    _ name: String, from old: FileNode, to new: FileNode, _ warnings: inout [Diagnostic]
  ) -> VersionStore.NotedEdit? {
    guard !configuration.keepsEdits, let versions, let path = storage.path else { return nil }
    return warning(path, "the edit cannot be undone later", &warnings) {
      try versions.noteEdit(name, of: path, from: old, to: new)
    }
  }

  /// Keeps the states before and after an edit that was saved as versions.
  /// - Parameter isReplaced: whether another program had replaced the file before.
  func keepStates(
    _ name: String, from old: FileNode, replaced isReplaced: Bool, to new: FileNode
  ) -> [Diagnostic] {
    guard let versions, let path = storage.path else { return [] }
    var warnings: [Diagnostic] = []
    warning(path, "the state after the edit is not kept", &warnings) {
      guard new.size <= VersionStore.wholeSize else {
        return _ = try versions.identify(path)
      }
      let isFirst = try versions.versions(of: path).isEmpty
      var memory: StoredTree.Memory?
      let before = VersionStore.State(
        contents: old, kind: isFirst ? .opened : .outside,
        comment: isReplaced && !isFirst ? "replaced from outside" : nil)
      let after = VersionStore.State(contents: new, kind: .saved, comment: name)
      try versions.add([before, after], of: path, knowing: &memory)
    }
    return warnings
  }

  @discardableResult
  private func warning<Result>(
    _ path: String, _ effect: String, _ warnings: inout [Diagnostic], _ body: () throws -> Result
  ) -> Result? {
    do {
      return try body()
    } catch {
      warnings.append(.history(of: path, effect, error))
      return nil
    }
  }

  /// Waits, on the thread of the files.
  func pause(_ seconds: Double) { MonotonicClock.wait(seconds: seconds) }
}
