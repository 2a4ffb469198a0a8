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
  /// Whether ``base`` is that state; if not, it is ``theirs``, and nothing can be merged.
  var isBaseKnown = true
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
  /// happens to it.
  /// - Throws: errors of reading what another program has saved. Our contents stay then.
  public func lookOutside() async throws {
    guard phase == .open else { return }
    // Our own save is no change by another program.
    while let saving { _ = await saving.result }
    guard phase == .open else { return }
    defer { report() }
    try await takeOutside()
  }

  /// Takes what another program has done to the file.
  func takeOutside() async throws {
    let old = path
    switch try await access.inspect() {
    case .unchanged:
      flags.remove(.deleted)
      // Another document of this process in the same storage may have saved.
      guard try await access.revision() != stored?.revision else {
        flags.remove(.undecodable)
        return
      }
      try await takeStored()
    case .moved(let new):
      // It may have been changed before it was moved.
      try await takeStored()
      if let old, old != new { hub.send(.moved(from: old, to: new)) }
    case .missing: await takeDeletion()
    case .changed:
      try await takeStored()
    }
  }

  private func takeStored() async throws {
    guard let loaded = try await readOutside() else { return }
    flags.subtract([.deleted, .undecodable])
    try await take(outside: loaded)
  }

  /// Reads what another program has stored; nil if it cannot be decoded, which is a state then.
  private func readOutside() async throws -> DocumentAccess<Content>.Loaded? {
    do {
      return try await access.read()
    } catch  where Self.isOfContents(error) {
      flags.remove(.deleted)
      fault = error
      if flags.insert(.undecodable).inserted {
        await endConflict()
        hub.send(.undecodable(error))
        // The only copy is the one in memory now.
        try? await keepChanges()
      }
      return nil
    }
  }

  /// Whether an error is one of the contents rather than of the file system.
  private static func isOfContents(_ error: any Error) -> Bool {
    if error is CancellationError { return false }
    guard let rule = (error as? Diagnostic)?.rule else { return true }
    return rule.family != "file" || rule == .fileText
  }

  /// The error of saving over contents of another program that cannot be read.
  var undecodableFault: Diagnostic {
    let reason = (fault as? Diagnostic)?.description ?? fault.map { "\($0)" }
    return Diagnostic(
      .fileConflict, at: location, "another program has stored what cannot be read",
      found: reason, hint: "save it anyway, or to another path")
  }

  private func takeDeletion() async {
    guard !flags.contains(.deleted) else { return }
    flags.insert(.deleted)
    flags.remove(.undecodable)
    await endConflict()
    hub.send(.deleted)
    // The only copy is the one in memory now.
    if hasUnsavedChanges { try? await keepChanges() }
  }

  /// Ends a conflict whose other side is gone. It stays as a version.
  private func endConflict() async {
    guard let theirs = pendingConflict?.theirs else { return }
    pendingConflict = nil
    flags.remove(.inConflict)
    try? await access.addVersion(of: theirs, as: .conflict)
  }

  func take(outside loaded: DocumentAccess<Content>.Loaded) async throws {
    guard let ours = current, let base else { return }
    // A save was faster: this is an older state.
    if let stored, loaded.stored.revision < stored.revision { return }
    if let conflict = pendingConflict {
      if loaded.stored.revision <= conflict.stored.revision { return }
      // The other program has changed it again.
      pendingConflict = nil
      flags.remove(.inConflict)
      guard conflict.isBaseKnown else { return self.conflict(ours, with: loaded) }
    }
    if loaded.content == base || loaded.content == ours {
      stored = loaded.stored
      if loaded.content == ours, loaded.content != base {
        self.base = loaded.content
        history.markSaved(history.current)
      }
      scheduleAutosave()
      return
    }
    let isClean = !history.isDirty
    let isInGesture = !gestures.isEmpty
    let isTaken = try beneathGestures {
      if isClean, !isInGesture { return reload(loaded) }
      // Without the changes of open gestures, which may have been saved, and are made again afterwards.
      if try mergeOutside(loaded, base) { return true }
      return isClean ? reload(loaded) : false
    }
    guard isTaken else {
      let merge = try Content.merge(base: base, ours: ours, theirs: loaded.content)
      conflict(
        DocumentConflict(
          base: base, ours: ours, theirs: loaded.content,
          clashes: merge?.clashes ?? [], merged: merge?.content, stored: loaded.stored))
      try? await keepChanges()
      return
    }
    if isInGesture, current == loaded.content { history.markSaved(history.current) }
    if hasUnsavedChanges { scheduleAutosave() }
  }

  private func reload(_ loaded: DocumentAccess<Content>.Loaded) -> Bool {
    take(loaded, name: "Reload", .outside)
    hub.send(.reloaded)
    return true
  }

  /// Merges what another program has saved with the contents.
  /// - Returns: whether they have no clashes; else nothing has changed.
  private func mergeOutside(
    _ loaded: DocumentAccess<Content>.Loaded, _ base: Content
  ) throws -> Bool {
    guard let ours = current,
      let merge = try Content.merge(base: base, ours: ours, theirs: loaded.content),
      merge.clashes.isEmpty
    else { return false }
    current = merge.content
    history.add(from: ours, to: merge.content, name: "Merge")
    (self.base, stored) = (loaded.content, loaded.stored)
    if merge.content == loaded.content {
      history.markSaved(history.current)
    } else {
      history.markUnsaved()
    }
    hub.send(.merged)
    announce("Merge", .merge, from: ours)
    return true
  }

  /// A conflict of contents that were made of an unknown state.
  func conflict(_ ours: Content, with theirs: DocumentAccess<Content>.Loaded) {
    conflict(
      DocumentConflict(
        base: theirs.content, ours: ours, theirs: theirs.content, clashes: [], merged: nil,
        stored: theirs.stored, isBaseKnown: false))
  }

  private func conflict(_ conflict: DocumentConflict<Content>) {
    pendingConflict = conflict
    flags.insert(.inConflict)
    hub.send(.conflict(clashes: conflict.clashes))
  }

  /// Looks at the file under its lock, and at what is stored there now, before a conflict ends.
  /// - Returns: the conflict with what is stored now.
  private func refreshedConflict() async throws -> DocumentConflict<Content>? {
    let loaded: DocumentAccess<Content>.Loaded
    do {
      loaded = try await access.readLocked()
    } catch {
      // It may have been deleted, or cannot be read any more.
      try await takeOutside()
      throw error
    }
    guard let old = pendingConflict, let ours = current else { return nil }
    if loaded.stored.revision <= old.stored.revision { return old }
    guard old.isBaseKnown else {
      conflict(ours, with: loaded)
      return pendingConflict
    }
    let merge = try Content.merge(base: old.base, ours: ours, theirs: loaded.content)
    conflict(
      DocumentConflict(
        base: old.base, ours: ours, theirs: loaded.content, clashes: merge?.clashes ?? [],
        merged: merge?.content, stored: loaded.stored))
    return pendingConflict
  }

  /// Ends a conflict. The state that does not stay is kept as a version, or as a document.
  ///
  /// The file is looked at first: what the other program has stored last is its side of the conflict.
  /// - Returns: the path of the document beside this one with ``ConflictResolution/both``; else nil.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if the contents cannot be merged, or, with
  ///   ``ConflictResolution/contents(_:)``, if the other program has changed something since the conflict
  ///   was reported; errors of reading and writing. The conflict stays then.
  @discardableResult
  public func resolve(_ resolution: ConflictResolution<Content>) async throws -> String? {
    guard let seen = pendingConflict?.stored.revision, phase == .open else { return nil }
    endGestures()
    flags.insert(.editingDisabled)
    defer {
      flags.remove(.editingDisabled)
      report()
    }
    let deadline = Deadline(seconds: configuration.timeout)
    var beside: String?
    while let conflict = try await refreshedConflict() {
      if case .contents = resolution, conflict.stored.revision != seen { throw conflictFault }
      let ours = current ?? conflict.ours
      switch resolution {
      case .theirs:
        try await access.addVersion(of: ours, as: .conflict)
      case .both:
        if beside == nil { beside = try await saveBeside(ours) }
      case .ours, .merged, .contents:
        try await access.addVersion(of: conflict.theirs, as: .conflict)
      }
      // Something may have happened meanwhile.
      let isSame = try await access.revision() == conflict.stored.revision
      guard phase == .open else { throw closedFault }
      guard isSame, pendingConflict?.stored.revision == conflict.stored.revision else {
        if deadline.isOver { throw conflictFault }
        continue
      }
      try end(conflict, with: resolution, ours)
      if !hasUnsavedChanges {
        keptPoint = nil
        await access.discardJournal()
        // Ours is a version, or a document beside this one.
        forgetRecovered()
      }
      return beside
    }
    return beside
  }

  private func saveBeside(_ ours: Content) async throws -> String {
    let host = RunningProcess.host
    let date = WallClock.text(WallClock.seconds).prefix(10)
    guard let free = try await access.freeName("conflict \(host) \(date)") else {
      throw conflictFault
    }
    try await access.copy(ours, to: free, form: .flat)
    return free
  }

  private func end(
    _ conflict: DocumentConflict<Content>, with resolution: ConflictResolution<Content>,
    _ ours: Content
  ) throws {
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
    } else {
      history.markUnsaved()
    }
    pendingConflict = nil
    flags.remove(.inConflict)
    changed("Resolve Conflict", .resolution, from: ours)
  }
}
