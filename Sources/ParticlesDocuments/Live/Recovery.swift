internal import ParticlesCore

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
    try await take(recovered: access.recovered(entry), of: entry)
  }

  private func take(recovered content: Content, of entry: RecoveredContents) async throws {
    // The entry may be older than the stored contents, which a save replaces.
    if let stored = session?.known.content, stored != content {
      try? await access.addVersion(of: stored, as: .replaced)
    }
    endGestures()
    guard phase.step == .open else { throw closedFault }
    recovered.append(entry)
    try perform { $0.recover(content, at: MonotonicClock.seconds) }
  }

  /// Takes the contents of an entry of the recovery journal as ``recover(_:)`` does. If the file was changed since they
  /// were made, both changes are merged, as those of a program that saves while this one has unsaved changes: what
  /// excludes each other is a ``conflict``. If the state that they were made of is not known any more, everything is.
  /// An entry whose changes are stored already is removed.
  /// - Throws: errors of reading and decoding the entry. Nothing has changed then.
  public func recoverMerging(_ entry: RecoveredContents) async throws {
    try checkRole()
    try await open()
    let content = try await access.recovered(entry)
    let made = content.keptBase
    guard let seen = session?.known else { throw closedFault }
    let isMadeOfIt = await access.isMade(entry, of: seen.stored)
    if content == seen.content, !hasUnsavedChanges {
      // Its program had saved it, and ended before it removed the entry. Left here, it would be in conflict with the
      // next change.
      return try RecoveryJournal.discard(entry)
    }
    try await take(recovered: content, of: entry)
    // From here on nothing else runs until the conflict is there.
    guard let theirs = session?.known, content != theirs.content else { return }
    if let made {
      guard made != theirs.content else { return }
      try perform { $0.setBase(made) }
      try await take(outside: theirs)
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

  /// Keeps unsaved contents in the recovery journal, and closes the document without a save: for a storage that has
  /// gone.
  /// - Throws: errors of writing the journal. The document stays open then.
  public func closeIntoRecovery() async throws {
    guard phase.step == .open else { return }
    endGestures()
    if hasUnsavedChanges { try await keepChanges(again: true) }
    await finish(keepingJournal: true)
  }

  /// The error of closing without a recovery journal.
  var unsavedFault: Diagnostic {
    Diagnostic(
      .fileUnwritable, at: location, "it has unsaved changes, which are saved on request only",
      hint: "save or discard them")
  }

  // MARK: Edits that outlive the document

  /// Takes up the last edits of the document: those of this program, or of the program before.
  func resumeEdits() async {
    if let path, let last: ClosedEdits<Content> = closed.take(path) {
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
    try? await access.note(session.lastStates(EditTrail.maximumCount))
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

  /// Deletes versions.
  public func delete(_ versions: [DocumentVersion]) async throws {
    try checkRole()
    try await access.deleteVersions(Set(versions.map(\.number)))
  }
}
