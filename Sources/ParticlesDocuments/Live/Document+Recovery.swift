internal import ParticlesCore

extension Document {
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
    guard let seen = stored else { throw closedFault }
    let isMadeOfIt = await access.isMade(entry, of: seen)
    if let base, content == base, !hasUnsavedChanges {
      // Its program had saved it, and ended before it removed the entry. Left here, it would be in conflict with the
      // next change.
      return try RecoveryJournal.discard(entry)
    }
    try await take(recovered: content, of: entry)
    // From here on nothing else runs until the conflict is there.
    guard let theirs = base, let stored, content != theirs else { return }
    let loaded = DocumentAccess<Content>.Loaded(content: theirs, stored: stored)
    if let made {
      guard made != theirs else { return }
      base = made
      try await take(outside: loaded)
    } else if !isMadeOfIt || stored.revision != seen.revision {
      conflict(content, with: loaded)
    }
    // Its changes are in the stored contents.
    if !hasUnsavedChanges, self.conflict == nil { forgetRecovered() }
    report()
  }
}
