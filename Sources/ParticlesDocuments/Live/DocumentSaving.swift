public import ParticlesContainer
internal import ParticlesCore
internal import ParticlesEffects
internal import ParticlesSystem

/// Saves of an open document: on request or automatic, in place or into the recovery journal.
extension Document {
  func options(automatic isAutomatic: Bool) -> StorageOptions {
    StorageOptions(
      isAutomatic: isAutomatic, isDurable: !isAutomatic || configuration.isAutosaveDurable,
      timeout: configuration.timeout, progress: hub.report(.writing))
  }

  /// Saves the document and keeps a version. Does nothing if there is nothing to save. Returns when a state that
  /// includes all edits before the call is stored. Concurrent calls share a save.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if another program has changed parts that were edited here.
  ///   ``ParticlesCore/Rule/fileReadOnly``, ``ParticlesCore/Rule/fileBusy`` and others of the family `file`, errors
  ///   of encoding, `CancellationError`. The stored contents are unchanged then, and the edits stay unsaved.
  public func save() async throws {
    try checkRole()
    try await store(automatic: false)
  }

  // MARK: Automatic saves

  /// Saves the document if it has unsaved changes, as the configuration demands: in place by appending, or
  /// into the recovery journal. Called at the configured times.
  /// - Throws: the errors of ``save()``, unless the changes are in the recovery journal.
  public func autosave() async throws {
    plan.retry?.next = 0
    try await autosaveInTime()
  }

  /// Saves automatically, but in place only if no attempt has failed shortly before.
  private func autosaveInTime() async throws {
    guard phase.step == .open, hasUnsavedChanges, let session else { return }
    var isInPlace = session.settled.isSavedAutomatically && !access.storage.isVolatile
    if case .recovery = configuration.autosave { isInPlace = false }
    guard plan.savesInPlace(states, allowed: isInPlace, at: MonotonicClock.seconds) else {
      return try await keepChanges()
    }
    do {
      try await store(automatic: true)
    } catch {
      // Contents that cannot be saved in place go into the recovery journal, before anything else.
      let kept = await keepingFailure()
      hub.send(.failed(error))
      let retry = plan.failed(
        states, window: configuration.autosave.seconds, longest: configuration.longestRetry,
        at: MonotonicClock.seconds)
      if let retry { hub.send(.retrying(retry)) }
      if let kept { throw kept }
    }
  }

  /// Keeps unsaved contents in the recovery journal.
  /// - Returns: the error, if it cannot be written.
  func keepingFailure() async -> (any Error)? {
    do {
      try await keepChanges()
      return nil
    } catch {
      return error
    }
  }

  /// Keeps unsaved contents in the recovery journal.
  /// - Parameter isAgain: whether contents that the journal has already are written again. Default: false.
  package func keepChanges(again isAgain: Bool = false) async throws {
    guard let state = session?.state, configuration.dataFolder != nil,
      isAgain || !plan.isKept(state)
    else { return }
    let snapshot = try perform { ($0.contents(), $0.known.stored, $0.state) }
    try await access.keep(snapshot.0, madeOf: snapshot.1, holding: recovered)
    if session != nil { plan.keptPoint = snapshot.2 }
  }

  /// Keeps unsaved contents in the recovery journal after an error.
  /// - Returns: the error, with a hint that tells where the contents are.
  func keepingChanges(_ error: any Error) async -> any Error {
    guard hasUnsavedChanges, configuration.dataFolder != nil else { return error }
    if let failure = await keepingFailure() { hub.send(.failed(failure)) }
    guard var fault = error as? Diagnostic, let session, plan.isKept(session.state) else {
      return error
    }
    let place = "the changes are in the recovery journal: 'particles recovery' lists them"
    fault.hint = fault.hint.map { "\($0); \(place)" } ?? place
    return fault
  }

  func scheduleAutosave() {
    guard let seconds = configuration.autosave.seconds, phase.hasContents, hasUnsavedChanges else {
      return
    }
    // After an edit, the recovery journal does not wait for the next attempt in place.
    if isAwaitingRetry { autosaving?.cancel() } else if autosaving != nil { return }
    autosave(after: seconds)
  }

  private func autosave(after seconds: Double, retrying isRetry: Bool = false) {
    isAwaitingRetry = isRetry
    autosaving = Task { [weak self] in
      try? await Task.sleep(nanoseconds: UInt64(saturating: max(0, seconds) * 1e9))
      guard !Task.isCancelled else { return }
      await self?.autosaveDue()
    }
  }

  private func autosaveDue() async {
    (autosaving, isAwaitingRetry) = (nil, false)
    let before = session?.state
    do {
      try await autosaveInTime()
    } catch {
      hub.send(.failed(error))
    }
    guard autosaving == nil else { return }
    if session?.state != before {
      // Edits that were made during the save.
      scheduleAutosave()
    } else if let retry = plan.retry, hasUnsavedChanges {
      autosave(after: retry.next - MonotonicClock.seconds, retrying: true)
    }
  }

  // MARK: Writing

  private func store(automatic isAutomatic: Bool) async throws {
    while true {
      // A save that is running may have begun before the last edit.
      if let saving {
        _ = await saving.result
        continue
      }
      guard phase.hasContents, let session else { throw closedFault }
      let isKept = isAutomatic || plan.versionPoint == session.state
      guard session.isDirty || plan.isUndelivered || !isKept else { return }
      return try await runSave { try await self.write(automatic: isAutomatic) }
    }
  }

  /// Runs a save that other calls wait for. Cancelling this call cancels the save.
  func runSave(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = BlockingWait.task(body)
    saving = task
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Runs `body` in the state of a document at work.
  func atWork<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    flags.insert(.progressAvailable)
    report()
    defer {
      flags.remove(.progressAvailable)
      report()
    }
    return try await body()
  }

  private func write(automatic isAutomatic: Bool) async throws {
    defer { saving = nil }
    try checkConflict()
    if flags.contains(.undecodable) {
      // It may be whole again.
      try await takeOutside()
      if flags.contains(.undecodable) { throw undecodableFault }
    }
    let deadline = Deadline(seconds: configuration.timeout)
    do {
      try await atWork {
        while try await !writeOnce(automatic: isAutomatic, until: deadline) {}
        await access.settle()
      }
      succeeded(automatically: isAutomatic)
    } catch {
      failed(error)
      throw error
    }
  }

  /// Notes that a save has failed.
  func failed(_ error: any Error) {
    if !(error is CancellationError) { flags.insert(.savingError) }
    if (error as? Diagnostic)?.rule == .fileReadOnly { flags.insert(.readOnly) }
    report()
  }

  /// Writes the contents, unless another program has changed the document.
  /// - Returns: whether the contents are written. If not, the change by that program was taken.
  private func writeOnce(automatic isAutomatic: Bool, until deadline: Deadline) async throws -> Bool
  {
    let (snapshot, stored, state, isDirty) = try perform {
      ($0.contents(), $0.known.stored, $0.state, $0.isDirty)
    }
    do {
      guard isDirty else {
        try await deliver()
        if !isAutomatic { await keepVersion(of: stored, state) }
        return true
      }
      let saved = try await access.write(
        snapshot, replacing: stored.revision, options(automatic: isAutomatic))
      plan.isUndelivered = configuration.afterSaving != nil
      try took(saved, snapshot, state, automatic: isAutomatic)
      try await deliver()
      if !isAutomatic { await keepVersion(of: saved.stored, session?.state ?? state) }
      return true
    } catch let fault as Diagnostic
      where fault.rule == .fileChanged && !deadline.isOver || fault.rule == .fileNotFound
    {
      try await takeOutside()
      try checkConflict()
      if flags.contains(.undecodable) { throw undecodableFault }
      if flags.contains(.deleted) { throw deletedFault }
      guard fault.rule == .fileChanged else { throw fault }
      // If it was no lasting change, another program is at work.
      if stored.revision == session?.known.stored.revision { await access.pause(0.005) }
      return false
    }
  }

  /// Calls ``DocumentConfiguration/afterSaving`` for written contents that are not delivered yet.
  private func deliver() async throws {
    guard plan.isUndelivered, let path, let afterSaving = configuration.afterSaving else { return }
    try await afterSaving(path)
    plan.isUndelivered = false
  }

  /// Keeps the saved contents as a version. A failure is only sent as an event, because the document is saved.
  func keepVersion(of saved: StoredContents, _ state: UInt64) async {
    do {
      try await access.addVersion(saved.contents, as: .saved)
    } catch {
      hub.send(.failed(error))
    }
    plan.versionPoint = state
  }

  /// Records a save in the session.
  func took(
    _ saved: DocumentAccess<Content>.Saved, _ snapshot: Content, _ state: UInt64,
    automatic isAutomatic: Bool
  ) throws {
    try perform {
      $0.saved(
        snapshot, saved.written, as: saved.stored, reread: saved.reread, state: state,
        automatically: isAutomatic)
    }
    plan.keptPoint = nil
    forgetRecovered()
  }

  /// Notes and reports that the document was saved.
  func succeeded(automatically isAutomatic: Bool) {
    plan.saved()
    flags.subtract([.savingError, .deleted, .readOnly, .undecodable])
    hub.send(.progress(DocumentProgress(phase: .writing, fraction: 1)))
    hub.send(.saved(automatically: isAutomatic))
    report()
    // While it was written, an undo may have gone back to the state that was stored before.
    if phase.step == .open { scheduleAutosave() }
  }
}

/// Contents and edits of earlier times: the recovery journal, versions, and edits that outlive the document.
extension Document {
  // MARK: Recovery

  /// The unsaved contents that a program has left in the recovery journal, because it ended before they
  /// could be saved. The newest first.
  public func recoverable() async throws -> [RecoveredContents] { try await access.left() }

  /// Takes the contents of an entry of the recovery journal, as an edit that can be undone. The entry is
  /// removed when the document is saved.
  /// - Throws: errors of reading and decoding the entry.
  public func recover(_ entry: RecoveredContents) async throws {
    try checkRole()
    try await open()
    try await apply(recovered: access.recovered(entry), of: entry)
  }

  private func apply(recovered content: Content, of entry: RecoveredContents) async throws {
    // The entry may be older than the stored contents, which a save replaces.
    if let stored = session?.known.content, stored != content {
      try? await access.addVersion(of: stored, as: .replaced)
    }
    endGestures()
    guard phase.step == .open else { throw closedFault }
    recovered.append(entry)
    try perform { $0.recover(content, at: MonotonicClock.seconds) }
  }

  /// Takes the contents of an entry of the recovery journal as ``recover(_:)`` does. If the file was changed after
  /// that, both changes are merged, as if another program had saved. Changes that exclude each other are a
  /// ``conflict``. If the base state of the entry is unknown, all of the contents are in conflict. An entry whose
  /// changes are stored already is removed.
  /// - Throws: errors of reading and decoding the entry. Nothing has changed then.
  public func recoverMerging(_ entry: RecoveredContents) async throws {
    try checkRole()
    try await open()
    let content = try await access.recovered(entry)
    let made = content.keptBase
    guard let seen = session?.known else { throw closedFault }
    let isMadeOfIt = await access.isMade(entry, of: seen.stored)
    if content == seen.content, !hasUnsavedChanges {
      // A program saved the contents, and ended before it removed the entry. A remaining entry would conflict with
      // the next change.
      return try RecoveryJournal.discard(entry)
    }
    try await apply(recovered: content, of: entry)
    // From here on nothing else runs until the conflict is there.
    guard let theirs = session?.known, content != theirs.content else { return }
    if let made {
      guard made != theirs.content else { return }
      try perform { $0.setBase(made) }
      try await mergeStored(theirs)
    } else if !isMadeOfIt || theirs.stored.revision != seen.stored.revision {
      try perform { $0.begin(conflictWith: theirs) }
      hub.send(.conflict(clashes: []))
    }
    // Its changes are in the stored contents.
    if !hasUnsavedChanges, conflict == nil { forgetRecovered() }
    report()
  }

  /// Removes an entry of the recovery journal.
  public nonisolated func discard(_ entry: RecoveredContents) throws {
    try RecoveryJournal.discard(entry)
  }

  /// Removes the entries of the recovery journal whose contents were saved. An entry that cannot be removed is
  /// reported, and tried again after the next save.
  func forgetRecovered() {
    recovered.removeAll { entry in
      do {
        try RecoveryJournal.discard(entry)
      } catch Rule.fileNotFound {
        // Its user has removed it.
      } catch {
        hub.send(.failed(error))
        return false
      }
      return true
    }
  }

  /// Keeps unsaved contents in the recovery journal, and closes the document without a save: for a storage that has
  /// gone.
  /// - Throws: errors of writing the journal. The document stays open then.
  public func closeIntoRecovery() async throws {
    guard phase.step == .open else { return }
    endGestures()
    if hasUnsavedChanges { try await keepChanges(again: true) } else { await noteEdits() }
    await finish(keepingJournal: true)
  }

  /// The error of closing without a recovery journal.
  var unsavedFault: Diagnostic {
    Diagnostic(
      .fileUnwritable, at: location, "it has unsaved changes, which are saved on request only",
      hint: "save or discard them")
  }

  // MARK: Edits that outlive the document

  /// Restores the undo history: from this process, or else the edits that an earlier program has kept.
  func resumeEdits() async {
    if let path, let last: ClosedEdits<Content> = closed.remove(path) {
      _ = try? perform { $0.resume(last) }
    } else if configuration.keepsEdits, let stored = session?.known.stored.contents,
      let states = try? await access.trail(to: stored), states.count > 1
    {
      _ = try? perform { $0.restore(states) }
    }
  }

  /// Keeps the last edits for the next program.
  func noteEdits() async {
    guard configuration.keepsEdits, let session else { return }
    try? await access.note(session.lastStates(RecentEdits.maximumCount))
  }

  /// Takes over the edits of a document that is saved here.
  func inherit(_ other: EditHistory<Content>, from content: Content) {
    if session?.settled == content { _ = try? perform { $0.inherit(other) } }
  }

  // MARK: Versions

  /// The versions that were kept, the oldest first.
  public func versions() async throws -> [DocumentVersion] { try await access.versionList() }

  /// Returns the contents of a version.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if there is none, or if it is damaged.
  public func contents(of version: DocumentVersion) async throws -> Content {
    try await access.version(version.number)
  }

  /// Takes the contents of a version, as an edit that can be undone. The name of the document stays.
  public func restore(_ version: DocumentVersion) async throws {
    let content = try await access.version(version.number)
    endGestures()
    let old = try self.content
    if old != session?.known.content { try await access.addVersion(of: old, as: .replaced) }
    try replace("Restore Version", with: content)
  }
}

/// An open document at other places: copies, other names, the stored contents again.
extension Document {
  /// Saves the document to another path and continues there. The document at the old path keeps its last saved
  /// contents.
  /// - Parameters:
  ///   - path: the path, at which there must be nothing.
  ///   - form: the form of a package.
  /// - Returns: the open document at the new path, with the contents and edits of this document, which closes.
  /// - Throws: ``ParticlesCore/Rule/fileExists``, or errors of writing. This document stays open then.
  public func save(
    to path: String, as form: Container.Form = .flat
  ) async throws -> Document<Content> {
    let copy = Document<Content>(path: path, creating: form, configuration: configuration)
    try await moveOut { content, history in
      try await copy.create(content)
      await copy.inherit(history, from: content)
    }
    return copy
  }

  /// Closes this document after `body` has created its successor.
  func moveOut(
    _ body: (Content, EditHistory<Content>) async throws -> Void
  ) async throws {
    endGestures()
    let content = try content
    guard let history = session?.history else { throw closedFault }
    // An edit from now on would be in neither document.
    flags.insert(.editingDisabled)
    report()
    do {
      try await body(content, history)
    } catch {
      flags.remove(.editingDisabled)
      report()
      throw error
    }
    forgetRecovered()
    await finish(keepingEdits: false)
  }

  /// Writes a copy of the current contents. The document stays where it is.
  /// - Parameters:
  ///   - path: the path, at which there must be nothing. Nil for a free name beside the document.
  ///   - form: the form of a package.
  /// - Returns: the path of the copy.
  /// - Throws: ``ParticlesCore/Rule/fileExists``, or errors of writing.
  @discardableResult
  public func duplicate(
    to path: String? = nil, as form: Container.Form = .flat
  ) async throws -> String {
    let content = try content
    let target: String
    if let path {
      target = path
    } else if let own = self.path {
      target = try DocumentNames.free(beside: own)
    } else {
      throw Diagnostic(.fileNotFound, "the document has no path", hint: "name the copy")
    }
    try await access.copy(content, to: target, form: form)
    return target
  }

  /// Replaces unsaved changes by the stored contents. The dropped state is kept as a version, and the change can be
  /// undone. Open gestures end before, as edits.
  /// - Throws: errors of reading. The contents stay then.
  public func revert() async throws {
    _ = try content
    _ = await saving?.result
    endGestures()
    flags.insert(.editingDisabled)
    report()
    defer {
      flags.remove(.editingDisabled)
      report()
    }
    var loaded = try await access.read(hub.report(.reading))
    if let old = session?.settled, old != loaded.content {
      try? await access.addVersion(of: old, as: .replaced)
    }
    // A save that ended after the reading has stored a newer state.
    while let stored = session?.known.stored, loaded.stored.revision < stored.revision {
      loaded = try await access.read()
    }
    guard phase.step == .open else { throw closedFault }
    try perform { $0.revert(to: loaded, at: MonotonicClock.seconds) }
    plan.keptPoint = nil
    await access.discardJournal()
  }

  /// Gives the document another name in its folder. The extension stays, unless the name has one.
  /// - Throws: ``ParticlesCore/Rule/name``, or ``ParticlesCore/Rule/fileExists``: nothing is overwritten.
  public func rename(to name: String) async throws {
    guard let path else { throw Diagnostic(.fileNotFound, "the document has no path") }
    try await move(to: DocumentNames.path(renaming: path, to: name))
  }

  /// Moves the document to another path. Unsaved changes stay unsaved. Versions move with it.
  /// - Throws: ``ParticlesCore/Rule/fileExists``: nothing is overwritten. The document stays then.
  public func move(to path: String) async throws {
    try checkRole()
    _ = await saving?.result
    let old = self.path
    if let failure = try await access.move(to: path) { hub.send(.failed(failure)) }
    if phase.step == .open, let loaded = try? await access.read() {
      try await mergeStored(loaded)
    }
    if let old { hub.send(.moved(from: old, to: path)) }
    await access.watchAgain()
  }

  /// Closes the document without saving, and deletes it. Its contents stay as a version.
  /// - Throws: errors of deleting. The document stays open then.
  public func delete() async throws {
    try checkRole()
    _ = await saving?.result
    if let content = try? content { try? await access.addVersion(of: content, as: .replaced) }
    try await access.delete()
    await finish(keepingEdits: false)
  }
}
