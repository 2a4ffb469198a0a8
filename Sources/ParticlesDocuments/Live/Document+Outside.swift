internal import ParticlesContainer
internal import ParticlesCore

/// Changes of a document that exclude each other.
public struct DocumentConflict<Content: DocumentContent>: Sendable {
  /// The contents that both sides have changed.
  public let base: Content
  /// The contents in memory, with unsaved changes.
  public let ours: Content
  /// The contents that another program has saved.
  public let theirs: Content
  /// The parts that both sides have changed, by property or path.
  public let clashes: [String]
  /// Both changes, with ours wherever both sides have changed the same part; nil if contents of this type
  /// cannot be merged.
  public let merged: Content?

  let stored: StoredContents
}

/// How a conflict ends. The state that does not stay is kept as a version.
public enum ConflictResolution<Content: Sendable>: Sendable {
  /// Our contents replace those of the other program.
  case ours
  /// The contents of the other program stay.
  case theirs
  /// The contents of the other program stay; ours become a document beside it.
  case both
  /// Both changes; where both have changed the same part, ours.
  case merged
  /// Contents that the user has made of both.
  case contents(Content)
}

extension Document {
  /// The conflict that has to be resolved; nil if there is none.
  public var conflict: DocumentConflict<Content>? { pendingConflict }

  /// The programs that have the document open, this one included. Empty without a folder for the records.
  public func presenters() async throws -> [DocumentPresenter] { try await access.presenters() }

  var conflictFault: Diagnostic {
    let clashes = pendingConflict?.clashes ?? []
    let first = clashes.prefix(3).joined(separator: ", ")
    let more = clashes.count > 3 ? ", and \(clashes.count - 3) more" : ""
    return Diagnostic(.fileConflict, at: location, first.isEmpty ? nil : first + more)
  }

  /// Compares the document with its file, and takes what another program has done. Called when something
  /// happens in its folder.
  /// - Throws: errors of reading what another program has saved. Our contents stay then.
  public func lookOutside() async throws {
    guard phase == .open, !flags.contains(.inConflict) else { return }
    // Our own save is no change by another program.
    while let saving { _ = await saving.result }
    guard phase == .open else { return }
    try await takeOutside()
    report()
  }

  /// Takes what another program has done to the file.
  func takeOutside() async throws {
    let old = path
    switch try await access.inspect() {
    case .unchanged:
      flags.remove(.deleted)
      // Another document of this process in the same storage may have saved.
      guard try await access.revision() != stored?.revision else { return }
      try await take(outside: access.read())
    case .moved(let new):
      // It may have been changed before it was moved.
      try await take(outside: access.read())
      if let old, old != new { hub.send(.moved(from: old, to: new)) }
    case .missing:
      guard !flags.contains(.deleted) else { return }
      flags.insert(.deleted)
      hub.send(.deleted)
      // The only copy is the one in memory now.
      if hasUnsavedChanges, let current { try? await access.keep(current) }
    case .changed:
      let loaded = try await access.read()
      flags.remove(.deleted)
      try await take(outside: loaded)
    }
  }

  func take(outside loaded: DocumentAccess<Content>.Loaded) async throws {
    guard let ours = current, let base else { return }
    // A save was faster: this is an older state.
    if let stored, loaded.stored.revision < stored.revision { return }
    if loaded.content == base || loaded.content == ours {
      stored = loaded.stored
      if loaded.content == ours, loaded.content != base {
        self.base = loaded.content
        history.markSaved(history.current)
      }
      return
    }
    guard history.isDirty else {
      take(loaded, name: "Reload")
      hub.send(.reloaded)
      return
    }
    let merge = try Content.merge(base: base, ours: ours, theirs: loaded.content)
    guard let merge, merge.clashes.isEmpty else {
      pendingConflict = DocumentConflict(
        base: base, ours: ours, theirs: loaded.content,
        clashes: merge?.clashes ?? [], merged: merge?.content, stored: loaded.stored)
      flags.insert(.inConflict)
      hub.send(.conflict(clashes: merge?.clashes ?? []))
      try? await access.keep(ours)
      return
    }
    current = merge.content
    history.add(from: ours, to: merge.content, name: "Merge")
    (self.base, stored) = (loaded.content, loaded.stored)
    if merge.content == loaded.content {
      history.markSaved(history.current)
    } else {
      history.markUnsaved()
      scheduleAutosave()
    }
    hub.send(.merged)
  }

  /// Ends a conflict. The state that does not stay is kept as a version, or as a document.
  /// - Returns: the path of the document beside this one with ``ConflictResolution/both``; else nil.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if the contents cannot be merged; errors of writing.
  ///   The conflict stays then.
  @discardableResult
  public func resolve(_ resolution: ConflictResolution<Content>) async throws -> String? {
    guard let conflict = pendingConflict, phase == .open else { return nil }
    flags.insert(.editingDisabled)
    defer {
      flags.remove(.editingDisabled)
      report()
    }
    let ours = current ?? conflict.ours
    var beside: String?
    switch resolution {
    case .theirs:
      try await access.addVersion(of: ours, as: .conflict)
    case .both:
      let host = RunningProcess.host
      let date = WallClock.text(WallClock.seconds).prefix(10)
      guard let free = try await access.freeName("conflict \(host) \(date)") else {
        throw conflictFault
      }
      try await access.copy(ours, to: free, form: .flat)
      beside = free
    case .ours, .merged, .contents:
      try await access.addVersion(of: conflict.theirs, as: .conflict)
    }
    let result: Content
    switch resolution {
    case .ours: result = ours
    case .theirs, .both: result = conflict.theirs
    case .contents(let content): result = content
    case .merged:
      let merge = try Content.merge(base: conflict.base, ours: ours, theirs: conflict.theirs)
      guard let merge else { throw conflictFault }
      result = merge.content
    }
    history.add(from: ours, to: result, name: "Resolve Conflict")
    (current, base, stored) = (result, conflict.theirs, conflict.stored)
    if result == conflict.theirs {
      history.markSaved(history.current)
      await access.discardJournal()
    } else {
      history.markUnsaved()
    }
    pendingConflict = nil
    flags.remove(.inConflict)
    changed("Resolve Conflict")
    return beside
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
    let old = try self.content
    if old != base { try await access.addVersion(of: old, as: .replaced) }
    try replace("Restore Version", with: content)
  }

  /// Deletes versions.
  public func delete(_ versions: [DocumentVersion]) async throws {
    try checkRole()
    try await access.deleteVersions(Set(versions.map(\.number)))
  }
}
