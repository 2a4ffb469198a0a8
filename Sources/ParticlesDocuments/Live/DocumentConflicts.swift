internal import ParticlesContainer
internal import ParticlesCore
public import ParticlesEffects
internal import ParticlesSystem

extension Document {
  /// The conflict that has to be resolved, or nil if there is none.
  public var conflict: DocumentConflict<Content>? { session?.conflict }

  var conflictFault: Diagnostic {
    let clashes = conflict?.clashes ?? []
    let first = clashes.prefix(3).joined(separator: ", ")
    let more = clashes.count > 3 ? ", and \(clashes.count - 3) more" : ""
    return Diagnostic(.fileConflict, at: location, first.isEmpty ? nil : first + more)
  }

  func checkConflict() throws {
    if conflict != nil { throw conflictFault }
  }

  /// Reads the file under its lock again, before a conflict ends.
  /// - Returns: the conflict with the contents that are stored now.
  private func refreshedConflict() async throws -> DocumentConflict<Content>? {
    let loaded: LoadedContents<Content>
    do {
      loaded = try await access.readLocked()
    } catch {
      // The file may have been deleted, or may be unreadable now.
      try await takeOutside()
      throw error
    }
    if conflict != nil, try perform({ try $0.refreshConflict(loaded) }) {
      hub.send(.conflict(clashes: conflict?.clashes ?? []))
    }
    return conflict
  }

  /// Ends a conflict. The state that does not stay is kept as a version, or as a document.
  ///
  /// The file is read first: its last stored contents are the opposite side of the conflict.
  /// - Returns: the path of the document beside this one with ``ParticlesEffects/ConflictResolution/both``, else nil.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if the contents cannot be merged, or, with
  ///   ``ParticlesEffects/ConflictResolution/contents(_:)``, if another program has changed something since the conflict was reported.
  ///   Also errors of reading and writing. The conflict stays then.
  @discardableResult
  public func resolve(_ resolution: ConflictResolution<Content>) async throws -> String? {
    guard let seen = conflict?.stored.revision, phase.step == .open else { return nil }
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
      let ours = try content
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
      guard phase.step == .open else { throw closedFault }
      guard isSame, self.conflict?.stored.revision == conflict.stored.revision else {
        if deadline.isOver { throw conflictFault }
        continue
      }
      guard let result = try conflict.result(of: resolution, ours) else { throw conflictFault }
      try perform { $0.resolve(conflict, with: result, at: MonotonicClock.seconds) }
      if !hasUnsavedChanges {
        plan.keptPoint = nil
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
}

/// Changes by other programs to the file of an open document, and the ways out of the states that they bring about.
extension Document {
  /// The programs that have the document open, this one included. Empty without a folder for the records.
  public func presenters() async throws -> [DocumentPresenter] { try await access.presenters() }

  /// Compares the document with its file, and takes changes by other programs. Called when the file changes.
  /// - Throws: errors of reading the file. Our contents stay then.
  public func lookOutside() async throws {
    guard phase.step == .open else { return }
    // Our own save is no change by another program.
    while let saving { _ = await saving.result }
    guard phase.step == .open else { return }
    defer { report() }
    try await takeOutside()
  }

  /// Takes changes of the file by other programs.
  func takeOutside() async throws {
    let old = path
    switch try await access.inspect() {
    case .unchanged:
      flags.remove(.deleted)
      // Another document of this process may have saved to this storage.
      guard try await access.revision() != session?.known.stored.revision else {
        flags.remove(.undecodable)
        return
      }
      try await takeStored()
    case .moved(let new):
      // The file may have been changed before it was moved.
      try await takeStored()
      if let old, old != new { hub.send(.moved(from: old, to: new)) }
    case .missing: await takeDeletion()
    case .changed: try await takeStored()
    }
  }

  private func takeStored() async throws {
    let loaded: LoadedContents<Content>
    do {
      loaded = try await access.read()
    } catch  where Self.isOfContents(error) {
      return await takeUndecodable(error)
    }
    flags.subtract([.deleted, .undecodable])
    try await mergeStored(loaded)
  }

  /// Merges contents that another program has stored.
  func mergeStored(_ loaded: LoadedContents<Content>) async throws {
    guard session != nil else { return }
    try await follow(perform { try $0.mergeStored(loaded) })
  }

  /// Tells how contents of another program were taken.
  func follow(_ kind: OutsideMerge<Content>.Kind) async throws {
    switch kind {
    case .nothing: scheduleAutosave()
    case .conflict:
      hub.send(.conflict(clashes: session?.conflict?.clashes ?? []))
      try? await keepChanges()
    case .reloaded, .merged:
      plan.rebased()
      hub.send(kind == .reloaded ? .reloaded : .merged)
      await noteOutside()
      scheduleAutosave()
    }
  }

  /// Keeps the states before and after a change by another program, and reports the change.
  private func noteOutside() async {
    var change = OutsideChange(seconds: WallClock.seconds)
    change.endsUndo = (try? perform { $0.endBlockedUndo() }) ?? nil
    lastOutsideChange = change
    guard let (old, new) = session?.outside else { return }
    let noted = await access.noteOutside(change, from: old, to: new)
    // Another change may have come meanwhile.
    guard lastOutsideChange == change else { return }
    lastOutsideChange = noted
    hub.send(.outside(noted))
  }

  /// Takes back the last change by another program, as an edit of this program. Later changes stay. Does nothing
  /// without such a change.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if contents of this type cannot be merged, and were changed since.
  ///   Also ``ParticlesCore/Rule/fileClosed``. Nothing has changed then.
  public func takeBackOutside() throws {
    try checkEditable()
    try locating(location) { try perform { try $0.takeBackOutside(at: MonotonicClock.seconds) } }
    lastOutsideChange = nil
  }

  // MARK: Deletion and damage

  private func takeUndecodable(_ error: any Error) async {
    flags.remove(.deleted)
    fault = error
    guard flags.insert(.undecodable).inserted else { return }
    // The only copy is now in memory.
    if let failure = await keepingFailure() { hub.send(.failed(failure)) }
    await endConflict()
    hub.send(.undecodable(error))
  }

  /// Whether an error lies in the contents rather than in the file system.
  private static func isOfContents(_ error: any Error) -> Bool {
    if error is CancellationError { return false }
    guard let rule = (error as? Diagnostic)?.rule else { return true }
    return rule.family != "file" || rule == .fileText
  }

  private func takeDeletion() async {
    guard flags.insert(.deleted).inserted else { return }
    flags.remove(.undecodable)
    // The only copy is now in memory.
    if hasUnsavedChanges, let failure = await keepingFailure() { hub.send(.failed(failure)) }
    await endConflict()
    hub.send(.deleted)
  }

  /// Ends a conflict whose other side is gone. That side is kept as a version.
  private func endConflict() async {
    guard let theirs = (try? perform { $0.dropConflict() }) ?? nil else { return }
    try? await access.addVersion(of: theirs, as: .conflict)
  }

  /// The error of saving over contents of another program that cannot be read.
  var undecodableFault: Diagnostic {
    let reason = (fault as? Diagnostic)?.description ?? fault.map { "\($0)" }
    return Diagnostic(
      .fileConflict, at: location, "another program has stored what cannot be read",
      found: reason, hint: "save it anyway, or to another path")
  }

  /// The error of saving a document that is gone.
  var deletedFault: Diagnostic {
    let folder = path.map { Files.folder(of: $0) }
    let isFolderGone = folder.map { (try? Files.status($0) != nil) != true } ?? false
    return Diagnostic(
      .fileNotFound, at: location,
      isFolderGone ? "its folder is gone" : "it was deleted by another program",
      hint: isFolderGone ? "save it to another path" : "recreate it, or save it to another path")
  }

  // MARK: Ways out

  /// Stores the contents in spite of changes by another program. A deleted document is created again. An unreadable
  /// file is replaced, and kept as a version, or beside the document if there are no versions. A conflict ends with
  /// our side. Otherwise this is ``save()``.
  /// - Throws: the errors of ``save()`` and ``resolve(_:)``. The stored contents stay then, and so do our
  ///   contents.
  public func saveAnyway() async throws {
    try checkRole()
    if conflict != nil { try await resolve(.ours) }
    if flags.isDisjoint(with: [.deleted, .undecodable]) { return try await save() }
    try await put { access, content, options in try await access.overwrite(content, options) }
  }

  /// Creates the document again at its path, after another program has deleted it. Does nothing in other states.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` if something else is at the path by now, which counts as a change by
  ///   another program. Also errors of writing. The contents stay in memory then.
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

  /// Gives our contents up. They stay as a version. A deleted or unreadable document is closed. A conflict ends with
  /// the stored contents. In other states, the document is reverted to the stored contents.
  /// - Throws: the errors of ``resolve(_:)`` and ``revert()``.
  public func discard() async throws {
    guard phase.step == .open else { throw closedFault }
    if conflict != nil {
      try await resolve(.theirs)
    } else if flags.isDisjoint(with: [.deleted, .undecodable]) {
      try await revert()
      forgetRecovered()
    } else {
      while let saving { _ = await saving.result }
      if let content = try? content { try? await access.addVersion(of: content, as: .replaced) }
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
    guard phase.step == .open else { throw closedFault }
    try await runSave { try await self.putNow(body) }
  }

  private func putNow(
    _ body:
      @Sendable (
        DocumentAccess<Content>, Content, StorageOptions
      ) async throws -> DocumentAccess<Content>.Saved
  ) async throws {
    defer { saving = nil }
    let (snapshot, state) = try perform { ($0.contents(), $0.state) }
    do {
      try await atWork {
        let saved = try await body(access, snapshot, options(automatic: false))
        try took(saved, snapshot, state, automatic: false)
        await keepVersion(of: saved.stored, session?.state ?? state)
        fault = nil
        await access.watchAgain()
        await access.settle()
      }
      succeeded(automatically: false)
    } catch {
      failed(error)
      throw error
    }
  }
}
