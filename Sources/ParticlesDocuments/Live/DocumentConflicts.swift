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

  /// Returns the contents that end it.
  /// - Parameter ours: our side now.
  /// - Returns: nil if contents of this type cannot be merged.
  func result(of resolution: ConflictResolution<Content>, _ ours: Content) throws -> Content? {
    switch resolution {
    case .ours: ours
    case .theirs, .both: theirs
    case .contents(let content): content
    case .merged: try Content.merge(base: base, ours: ours, theirs: theirs)?.content
    }
  }
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
  public var conflict: DocumentConflict<Content>? { session?.conflict }

  var conflictFault: Diagnostic {
    let clashes = conflict?.clashes ?? []
    let first = clashes.prefix(3).joined(separator: ", ")
    let more = clashes.count > 3 ? ", and \(clashes.count - 3) more" : ""
    return Diagnostic(.fileConflict, at: location, first.isEmpty ? nil : first + more)
  }

  /// Throws if there is a conflict.
  func checkConflict() throws {
    if conflict != nil { throw conflictFault }
  }

  /// Looks at the file under its lock, and at what is stored there now, before a conflict ends.
  /// - Returns: the conflict with what is stored now.
  private func refreshedConflict() async throws -> DocumentConflict<Content>? {
    let loaded: LoadedContents<Content>
    do {
      loaded = try await access.readLocked()
    } catch {
      // It may have been deleted, or cannot be read any more.
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
  /// The file is looked at first: what the other program has stored last is its side of the conflict.
  /// - Returns: the path of the document beside this one with ``ConflictResolution/both``; else nil.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if the contents cannot be merged, or, with
  ///   ``ConflictResolution/contents(_:)``, if the other program has changed something since the conflict
  ///   was reported; errors of reading and writing. The conflict stays then.
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

  /// Compares the document with its file, and takes what another program has done. Called when something
  /// happens to it.
  /// - Throws: errors of reading what another program has saved. Our contents stay then.
  public func lookOutside() async throws {
    guard phase.step == .open else { return }
    // Our own save is no change by another program.
    while let saving { _ = await saving.result }
    guard phase.step == .open else { return }
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
      guard try await access.revision() != session?.known.stored.revision else {
        flags.remove(.undecodable)
        return
      }
      try await takeStored()
    case .moved(let new):
      // It may have been changed before it was moved.
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
    try await take(outside: loaded)
  }

  /// Takes contents that another program has stored.
  func take(outside loaded: LoadedContents<Content>) async throws {
    guard session != nil else { return }
    try await follow(perform { try $0.take(outside: loaded) })
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

  /// Keeps the states before and after a change by another program, and tells of it.
  private func noteOutside() async {
    var change = OutsideChange(seconds: WallClock.seconds, parts: [])
    change.endsUndo = (try? perform { $0.endBlockedUndo() }) ?? nil
    lastOutsideChange = change
    guard let (old, new) = session?.outside else { return }
    let noted = await access.noteOutside(change, from: old, to: new)
    // Another one may have come meanwhile.
    guard lastOutsideChange == change else { return }
    lastOutsideChange = noted
    hub.send(.outside(noted))
  }

  /// Restores what another program has changed last, as an edit of this one. Later changes stay. Does nothing if
  /// there is nothing to take back.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if contents of this type cannot be merged, and were changed since;
  ///   ``ParticlesCore/Rule/fileClosed``. Nothing has changed then.
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
    // The only copy is the one in memory now.
    if let failure = await keepingFailure() { hub.send(.failed(failure)) }
    await endConflict()
    hub.send(.undecodable(error))
  }

  /// Whether an error is one of the contents rather than of the file system.
  private static func isOfContents(_ error: any Error) -> Bool {
    if error is CancellationError { return false }
    guard let rule = (error as? Diagnostic)?.rule else { return true }
    return rule.family != "file" || rule == .fileText
  }

  private func takeDeletion() async {
    guard flags.insert(.deleted).inserted else { return }
    flags.remove(.undecodable)
    // The only copy is the one in memory now.
    if hasUnsavedChanges, let failure = await keepingFailure() { hub.send(.failed(failure)) }
    await endConflict()
    hub.send(.deleted)
  }

  /// Ends a conflict whose other side is gone. It stays as a version.
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

  /// Stores the contents in any state that another program has brought about: the document is created again if it was
  /// deleted; what cannot be read is replaced, and kept as a version, or beside the document if there are no
  /// versions; a conflict ends with our side. In other states it is saved as by ``save()``.
  /// - Throws: the errors of ``save()`` and ``resolve(_:)``. The stored contents stay then, and so do our
  ///   contents.
  public func saveAnyway() async throws {
    try checkRole()
    if conflict != nil { try await resolve(.ours) }
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
