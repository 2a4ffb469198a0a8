public import ParticlesContainer
internal import ParticlesCore

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

  /// Saves the document if it has unsaved changes, as the configuration demands: in place by appending, or
  /// into the recovery journal. Called at the configured times.
  /// - Throws: the errors of ``save()``, unless the changes are in the recovery journal.
  public func autosave() async throws {
    autosaveRetry?.next = 0
    try await autosaveInTime()
  }

  /// The same, but in place only if no attempt has failed shortly before.
  private func autosaveInTime() async throws {
    guard phase == .open, hasUnsavedChanges else { return }
    let isInPlace =
      if case .recovery = configuration.autosave { false } else {
        current?.isSavedAutomatically ?? true
      }
    let isDue = autosaveRetry.map { MonotonicClock.seconds >= $0.next } ?? true
    if isInPlace, isDue, flags.isDisjoint(with: Self.unsavable), !access.storage.isVolatile {
      do {
        return try await store(automatic: true)
      } catch {
        // A document that cannot be saved where it is is kept elsewhere.
        hub.send(.failed(error))
        retryLater()
      }
    }
    try await keepChanges()
  }

  /// The states in which nothing can be saved where the document is.
  static var unsavable: DocumentStates { [.inConflict, .readOnly, .deleted, .undecodable] }

  /// Keeps unsaved contents in the recovery journal.
  func keepChanges() async throws {
    guard let current, configuration.dataFolder != nil else { return }
    let id = history.current
    guard keptPoint != id else { return }
    try await access.keep(current, madeOf: stored, holding: recovered)
    keptPoint = id
  }

  func scheduleAutosave() {
    guard let seconds = configuration.autosave.seconds, hasUnsavedChanges else { return }
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
    let before = history.current
    do {
      try await autosaveInTime()
    } catch {
      hub.send(.failed(error))
    }
    guard autosaving == nil else { return }
    if history.current != before {
      // Edits that were made during the save.
      scheduleAutosave()
    } else if let autosaveRetry, hasUnsavedChanges {
      autosave(after: autosaveRetry.next - MonotonicClock.seconds, retrying: true)
    }
  }

  /// Plans another attempt after a failed one. A document that cannot be written where it is, or is in
  /// conflict, needs its user instead.
  private func retryLater() {
    guard let seconds = configuration.autosave.seconds,
      flags.isDisjoint(with: Self.unsavable)
    else { return }
    let retry = AutosaveRetry(
      after: autosaveRetry, window: seconds, longest: configuration.longestRetry,
      now: MonotonicClock.seconds)
    autosaveRetry = retry
    hub.send(.retrying(retry))
  }

  private func store(automatic isAutomatic: Bool) async throws {
    while true {
      // A save that is running may have begun before the last edit.
      if let saving {
        _ = await saving.result
        continue
      }
      guard phase == .open || phase == .closing, current != nil else { throw closedFault }
      let isKept = isAutomatic || versionPoint == history.current
      guard history.isDirty || !isKept else { return }
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

  /// Keeps what was saved as a version. The document is saved; a version that cannot be kept is no reason
  /// to report a failure.
  func keepVersion(of saved: StoredContents, _ id: UInt64) async {
    do {
      try await access.addVersion(saved.contents, as: .saved)
    } catch {
      hub.send(.failed(error))
    }
    versionPoint = id
  }

  private func write(automatic isAutomatic: Bool) async throws {
    defer { saving = nil }
    if flags.contains(.inConflict) { throw conflictFault }
    if flags.contains(.undecodable) {
      // It may be whole again.
      try await takeOutside()
      if flags.contains(.undecodable) { throw undecodableFault }
    }
    let deadline = Deadline(seconds: configuration.timeout)
    flags.insert(.progressAvailable)
    report()
    defer {
      flags.remove(.progressAvailable)
      report()
    }
    do {
      while true {
        guard let snapshot = current, let stored else { throw closedFault }
        let id = history.current
        do {
          try await write(snapshot, id, stored, automatic: isAutomatic)
          break
        } catch let fault as Diagnostic where fault.rule == .fileChanged && !deadline.isOver {
          try await takeOutside()
          // If it was no lasting change, another program is at work.
          if stored.revision == self.stored?.revision {
            await access.pause(0.005)
          }
          if flags.contains(.inConflict) { throw conflictFault }
          if flags.contains(.undecodable) { throw undecodableFault }
          if flags.contains(.deleted) {
            throw Diagnostic(
              .fileNotFound, at: location, "it was deleted by another program",
              hint: "recreate it, or save it to another path")
          }
        }
      }
      await access.settle()
      succeeded(automatically: isAutomatic)
    } catch {
      if !(error is CancellationError) { flags.insert(.savingError) }
      if (error as? Diagnostic)?.rule == .fileReadOnly { flags.insert(.readOnly) }
      throw error
    }
  }

  private func write(
    _ snapshot: Content, _ id: UInt64, _ stored: StoredContents, automatic isAutomatic: Bool
  ) async throws {
    var saved = stored
    if history.isDirty {
      let result = try await access.write(
        snapshot, replacing: stored.revision, options(automatic: isAutomatic))
      saved = result.stored
      took(result, snapshot, id, automatic: isAutomatic)
    }
    if !isAutomatic { await keepVersion(of: saved, id) }
  }

  /// Takes what was written.
  func took(
    _ saved: DocumentAccess<Content>.Saved, _ snapshot: Content, _ id: UInt64,
    automatic isAutomatic: Bool
  ) {
    stored = saved.stored
    base = snapshot
    base?.adopt(saved.stored.contents, writtenAs: saved.written)
    current?.adopt(saved.stored.contents, writtenAs: saved.written)
    settled?.adopt(saved.stored.contents, writtenAs: saved.written)
    history.markSaved(id, automatically: isAutomatic)
    keptPoint = nil
    forgetRecovered()
  }

  /// Removes the entries of the recovery journal whose contents were saved. The document is saved; an entry that cannot
  /// be removed is reported, and tried again after the next save.
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

  /// Notes and reports that the document was saved.
  func succeeded(automatically isAutomatic: Bool) {
    (autosaveRetry, keptPoint) = (nil, nil)
    flags.subtract([.savingError, .deleted, .readOnly, .undecodable])
    hub.send(.progress(DocumentProgress(phase: .writing, fraction: 1)))
    hub.send(.saved(automatically: isAutomatic))
    // While it was written, an undo may have gone back to the state that was stored before.
    if phase == .open { scheduleAutosave() }
  }

  // MARK: Elsewhere

  /// Saves the document to another path and continues there. The document at the old path keeps what was
  /// saved last.
  /// - Parameters:
  ///   - path: the path, at which there must be nothing.
  ///   - form: the form of a package.
  /// - Returns: the document at the new path, open, with the same contents and edits. This one is closed.
  /// - Throws: ``ParticlesCore/Rule/fileExists``; errors of writing. This one stays open then.
  public func save(
    to path: String, as form: Container.Form = .flat
  ) async throws -> Document<Content> {
    let copy = Document<Content>(path: path, creating: form, configuration: configuration)
    endGestures()
    let content = try content
    // An edit from now on would be in neither document.
    flags.insert(.editingDisabled)
    report()
    do {
      try await copy.create(content)
    } catch {
      flags.remove(.editingDisabled)
      report()
      throw error
    }
    await copy.inherit(history, from: content)
    forgetRecovered()
    autosaving?.cancel()
    await finish()
    return copy
  }

  /// Takes over the edits of a document that is saved here.
  private func inherit(_ other: EditHistory<Content>, from content: Content) {
    guard current == content else { return }
    history = other
    history.markSaved(history.current)
  }

  /// Writes a copy of the present contents. The document stays where it is.
  /// - Parameters:
  ///   - path: the path, at which there must be nothing; nil for a free name beside the document.
  ///   - form: the form of a package.
  /// - Returns: the path of the copy.
  /// - Throws: ``ParticlesCore/Rule/fileExists``; errors of writing.
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

  /// Drops unsaved changes and takes the stored contents. It can be undone, and the dropped state is kept
  /// as a version. Open gestures end before, as edits.
  /// - Throws: errors of reading; then the contents stay.
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
    if let old = current, old != loaded.content {
      try? await access.addVersion(of: old, as: .replaced)
    }
    // A save that ended after the reading has stored a newer state.
    while let stored, loaded.stored.revision < stored.revision {
      loaded = try await access.read()
    }
    guard phase == .open else { throw closedFault }
    take(loaded, name: "Revert")
    keptPoint = nil
    await access.discardJournal()
  }

  /// Makes stored contents the present ones, as an edit; there are no unsaved changes then.
  func take(
    _ loaded: DocumentAccess<Content>.Loaded, name: String,
    _ origin: DocumentRevision.Origin = .revert
  ) {
    guard let old = current else { return }
    history.add(from: old, to: loaded.content, name: name)
    history.markSaved(history.current)
    (current, base, stored) = (loaded.content, loaded.content, loaded.stored)
    guard old != loaded.content else { return }
    hub.send(.edited(name))
    announce(name, origin, from: old)
  }

  /// Gives the document another name in its folder. The extension stays, unless the name has one.
  /// - Throws: ``ParticlesCore/Rule/name``; ``ParticlesCore/Rule/fileExists``: nothing is overwritten.
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
    if phase == .open, let loaded = try? await access.read() { try await take(outside: loaded) }
    if let old { hub.send(.moved(from: old, to: path)) }
    await access.watchAgain()
  }

  /// Closes the document without saving, and deletes it. Its contents stay as a version.
  /// - Throws: errors of deleting; then the document stays open.
  public func delete() async throws {
    try checkRole()
    _ = await saving?.result
    if let current { try? await access.addVersion(of: current, as: .replaced) }
    try await access.delete()
    await finish()
  }
}
