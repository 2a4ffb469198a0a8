internal import ParticlesContainer
internal import ParticlesCore

/// Saves of an open document: on request and automatic ones, where it is or into the recovery journal.
extension Document {
  func options(automatic isAutomatic: Bool) -> StorageOptions {
    StorageOptions(
      isAutomatic: isAutomatic, isDurable: !isAutomatic || configuration.isAutosaveDurable,
      timeout: configuration.timeout, progress: hub.report(.writing))
  }

  /// Saves the document and keeps a version. Does nothing if there is nothing to save. Returns when a state
  /// that includes all edits before the call is stored; calls at the same time share a save.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if another program has changed the same parts;
  ///   ``ParticlesCore/Rule/fileReadOnly``, ``ParticlesCore/Rule/fileBusy`` and others of the family
  ///   `file`; errors of encoding; `CancellationError`. The stored contents are the old ones then, and the
  ///   changes stay unsaved.
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

  /// The same, but in place only if no attempt has failed shortly before.
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
      // A document that cannot be saved where it is is kept elsewhere, before anything else.
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
  /// - Parameter isAgain: whether they are written also if the journal has them; false by default.
  package func keepChanges(again isAgain: Bool = false) async throws {
    guard let state = session?.state, configuration.dataFolder != nil,
      isAgain || !plan.isKept(state)
    else { return }
    let snapshot = try perform { ($0.contents(), $0.known.stored, $0.state) }
    try await access.keep(snapshot.0, madeOf: snapshot.1, holding: recovered)
    if session != nil { plan.keptPoint = snapshot.2 }
  }

  /// Keeps unsaved contents in the recovery journal after an error.
  /// - Returns: the error, with a hint where they are.
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

  /// Runs a save, which other calls wait for, and which is cancelled with this one.
  func runSave(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Waiting.task(body)
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
  /// - Returns: whether they are written; if not, the change of the other program was taken.
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

  /// Brings what was written to where it belongs.
  private func deliver() async throws {
    guard plan.isUndelivered, let path, let afterSaving = configuration.afterSaving else { return }
    try await afterSaving(path)
    plan.isUndelivered = false
  }

  /// Keeps what was saved as a version. The document is saved; a version that cannot be kept is no reason
  /// to report a failure.
  func keepVersion(of saved: StoredContents, _ state: UInt64) async {
    do {
      try await access.addVersion(saved.contents, as: .saved)
    } catch {
      hub.send(.failed(error))
    }
    plan.versionPoint = state
  }

  /// Takes what was written.
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
