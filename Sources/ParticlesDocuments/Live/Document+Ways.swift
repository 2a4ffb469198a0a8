internal import ParticlesContainer
internal import ParticlesCore

/// The ways out of the states that another program has brought about.
extension Document {
  /// Stores the contents in any state that another program has brought about: the document is created again if it was
  /// deleted; what cannot be read is replaced, and kept as a version, or beside the document if there are no
  /// versions; a conflict ends with our side. In other states it is saved as by ``save()``.
  /// - Throws: the errors of ``save()`` and ``resolve(_:)``. The stored contents stay then, and so do our
  ///   contents.
  public func saveAnyway() async throws {
    try checkRole()
    if pendingConflict != nil { try await resolve(.ours) }
    if flags.isDisjoint(with: [.deleted, .undecodable]) { return try await save() }
    try await put { access, content, options in try await access.overwrite(content, options) }
  }

  /// Creates the document again where it was, after another program has deleted it. Does nothing in other
  /// states.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` if something else is there by now, which is taken as a
  ///   change by another program; errors of writing. The contents stay in memory then.
  public func recreate() async throws {
    try checkRole()
    guard flags.contains(.deleted) else { return }
    do {
      try await put { access, content, options in
        try await access.write(content, replacing: nil, options)
      }
    } catch let fault as Diagnostic where fault.rule == .fileExists {
      try? await lookOutside()
      throw fault
    }
  }

  /// Gives our contents up. They stay as a version. A document that was deleted, or that cannot be read any
  /// more, is closed then; of a conflict, the other side stays; in other states, the document is reverted to
  /// the stored contents.
  /// - Throws: the errors of ``resolve(_:)`` and ``revert()``.
  public func discard() async throws {
    guard phase == .open else { throw closedFault }
    if pendingConflict != nil {
      try await resolve(.theirs)
    } else if flags.isDisjoint(with: [.deleted, .undecodable]) {
      try await revert()
      forgetRecovered()
    } else {
      while let saving { _ = await saving.result }
      if let current { try? await access.addVersion(of: current, as: .replaced) }
      try await close(discarding: true)
    }
  }

  /// Writes the contents in another way than a save does.
  private func put(
    _ body:
      @escaping @Sendable (
        DocumentAccess<Content>, Content, StorageOptions
      ) async throws -> DocumentAccess<Content>.Saved
  ) async throws {
    while let saving { _ = await saving.result }
    guard phase == .open else { throw closedFault }
    try await runSave { try await self.putNow(body) }
  }

  private func putNow(
    _ body:
      @Sendable (
        DocumentAccess<Content>, Content, StorageOptions
      ) async throws -> DocumentAccess<Content>.Saved
  ) async throws {
    defer { saving = nil }
    guard let snapshot = current else { throw closedFault }
    let id = history.current
    flags.insert(.progressAvailable)
    report()
    defer {
      flags.remove(.progressAvailable)
      report()
    }
    do {
      let saved = try await body(access, snapshot, options(automatic: false))
      took(saved, snapshot, id, automatic: false)
      await keepVersion(of: saved.stored, id)
      fault = nil
      await access.watchAgain()
      await access.settle()
      succeeded(automatically: false)
    } catch {
      if !(error is CancellationError) { flags.insert(.savingError) }
      throw error
    }
  }
}
