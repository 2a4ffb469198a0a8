public import ParticlesContainer
internal import ParticlesCore

/// A document over time: it is opened, edited, undone, saved and closed; it notices what other programs do
/// to its file.
///
///     let document = Document<EffectPackage>(path: "fire.particles")
///     try await document.open()
///     try await document.edit("Change Rate", coalescing: "rate") { package in
///       var system = try package.system()
///       system.emitters[0].emission.rate = 240
///       try package.setSystem(system)
///     }
///     try await document.undo()
///     try await document.close()
///
/// The contents are a value. Saving encodes and writes a copy on another thread, while editing goes on. All
/// operations may be called from any task, also at the same time: opening and saving join those that are
/// running.
public actor Document<Content: DocumentContent> {
  /// How it is saved and watched.
  public nonisolated let configuration: DocumentConfiguration

  nonisolated let access: DocumentAccess<Content>
  nonisolated let hub = DocumentEvents()

  /// The phases of its life.
  enum Phase: Sendable { case closed, opening, open, closing }

  var phase = Phase.closed
  var flags: DocumentStates = []
  var current: Content?
  /// The contents that were read or written last, from which others have made theirs.
  var base: Content?
  var stored: StoredContents?
  var history = EditHistory<Content>()
  /// The gestures that have not ended, in the order in which they have begun. Their changes are in `current`.
  var gestures: [OpenGesture<Content>] = []
  /// The contents without the changes of the open gestures; nil if there is none.
  var settled: Content?
  var lastGesture = 0
  /// Whether a change beneath the open gestures is being made.
  var isBeneathGestures = false
  /// The state that a version was kept of on request.
  var versionPoint: UInt64?
  var opening: Task<Void, any Error>?
  /// The calls that wait for the opening. It goes on while there is one.
  var openers: [Int: CheckedContinuation<Void, any Error>] = [:]
  var nextOpener = 0
  /// Whether all of them have been cancelled.
  var isAbandoned = false
  /// The state that the recovery journal has.
  var keptPoint: UInt64?
  var saving: Task<Void, any Error>?
  var autosaving: Task<Void, Never>?
  /// Whether `autosaving` waits for another attempt after a failed one.
  var isAwaitingRetry = false
  /// The next attempt to save automatically in place after failures; nil if the last save succeeded.
  public internal(set) var autosaveRetry: AutosaveRetry?
  var pendingConflict: DocumentConflict<Content>?
  /// Why the stored contents cannot be read.
  var fault: (any Error)?
  private var reported = DocumentStates.closed
  /// The number of the last change of the contents; 0 when the document is opened. See ``DocumentRevision``.
  public private(set) var revision = 0
  /// The calls that wait for the end of closing.
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Creates a document in a storage. Nothing is read.
  public init(
    storage: any DocumentStorage, configuration: DocumentConfiguration = DocumentConfiguration()
  ) {
    self.configuration = configuration
    access = DocumentAccess(storage, configuration)
    history.maximumCount = configuration.undoCount
    history.maximumCost = configuration.undoCost
  }

  /// Creates a document at a path. Nothing is read.
  /// - Parameters:
  ///   - path: the path of a file or folder. All documents of this process at one path share an open file.
  ///   - form: the form in which a package is created.
  ///   - configuration: how it is saved and watched.
  public init(
    path: String, creating form: Container.Form = .flat,
    configuration: DocumentConfiguration = DocumentConfiguration()
  ) {
    self.init(
      storage: PathStorage.shared(path, creating: form), configuration: configuration)
  }

  deinit {
    // It was not closed. Contents that are not stored anywhere go into the recovery journal.
    let (history, storage, point) = (history, access.storage, keptPoint)
    let isChanged = history.isDirty || storage.isVolatile && history.undoCount > 0
    if phase == .open, let current, isChanged, point != history.current {
      access.rescue(current, madeOf: stored, holding: recovered)
    }
    hub.finish()
  }

  // MARK: State

  /// The path of the document; nil without one.
  public nonisolated var path: String? { access.storage.path }

  /// The name to show: that of the file without its extension.
  public nonisolated var displayName: String {
    path.map(DocumentNames.displayName) ?? "Untitled"
  }

  /// The states that it is in.
  public var states: DocumentStates {
    var states = flags
    if phase == .closed || phase == .opening { states.insert(.closed) }
    if phase == .closing { states.insert(.editingDisabled) }
    if hasUnsavedChanges { states.insert(.changed) }
    return states
  }

  /// Whether there are changes that are not saved.
  public var hasUnsavedChanges: Bool { current != nil && history.isDirty }

  /// The contents.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if the document is not open.
  public var content: Content {
    get throws {
      guard let current, phase == .open || phase == .closing else { throw closedFault }
      return current
    }
  }

  /// The values that a view shows of a document, all of one time.
  package struct Present: Sendable {
    package var states: DocumentStates
    package var content: Content?
    package var undoName: String?, redoName: String?
    package var retry: AutosaveRetry?
  }

  /// The present state for a view.
  package var present: Present {
    Present(
      states: states, content: try? content, undoName: undoName, redoName: redoName,
      retry: autosaveRetry)
  }

  /// The events of the document, beginning with ``DocumentEvent/opened`` if it is open and with its
  /// states. Each call returns a stream of its own, which ends with the document.
  public func events() -> AsyncStream<DocumentEvent> { hub.stream(beginning: firstEvents) }

  var firstEvents: [DocumentEvent] { (phase == .open ? [.opened] : []) + [.states(states)] }

  /// Tells listeners of states that have changed.
  func report() {
    let now = states
    guard now != reported, !isBeneathGestures else { return }
    let isChanged = now.contains(.changed)
    if isChanged != reported.contains(.changed), phase == .open,
      configuration.presenceFolder != nil
    {
      Task { [access] in await access.announce(hasChanges: isChanged) }
    }
    reported = now
    hub.send(.states(now))
  }

  /// Tells listeners of other contents.
  func announce(
    _ name: String, _ origin: DocumentRevision.Origin, from old: Content?
  ) {
    revision += 1
    hub.send(.changed(DocumentRevision(revision, origin, name, from: old, to: current)))
  }

  var location: Location { Location(file: path) }
  var closedFault: Diagnostic { Diagnostic(.fileClosed, at: location) }

  // MARK: Opening

  /// Opens the document. Does nothing if it is open; calls at the same time read it once.
  ///
  /// A call that is cancelled ends at once. The reading goes on while another call waits for it.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound``; errors of reading and decoding; `CancellationError`.
  ///   The document stays closed then.
  public func open() async throws {
    while true {
      switch phase {
      case .open: return
      case .closing:
        await withCheckedContinuation { waiting.append($0) }
      case .opening:
        guard isAbandoned else { return try await joinOpening() }
        _ = await opening?.result
      case .closed:
        phase = .opening
        flags = .progressAvailable
        report()
        opening = Waiting.task { try await self.load() }
        return try await joinOpening()
      }
    }
  }

  private func joinOpening() async throws {
    let number = nextOpener
    nextOpener += 1
    try Task.checkCancellation()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { openers[number] = $0 }
    } onCancel: {
      _ = Waiting.task { await self.leaveOpening(number) }
    }
  }

  private func leaveOpening(_ number: Int) {
    guard let call = openers.removeValue(forKey: number) else { return }
    call.resume(throwing: CancellationError())
    guard openers.isEmpty, let opening else { return }
    isAbandoned = true
    opening.cancel()
  }

  private func endOpening(_ result: Result<Void, any Error>) {
    (opening, isAbandoned) = (nil, false)
    let calls = openers.values
    openers = [:]
    for call in calls { call.resume(with: result) }
  }

  private func load() async throws {
    do {
      let loaded = try await access.read(hub.report(.reading))
      try Task.checkCancellation()
      begin(loaded.content, loaded.stored)
      await restoreEdits()
      await attend()
      let isWritable = await access.isWritable
      try Task.checkCancellation()
      hub.send(.progress(DocumentProgress(phase: .reading, fraction: 1)))
      enter(writable: isWritable && loaded.content.isWritable)
      endOpening(.success(()))
    } catch {
      await access.leave()
      (current, base, stored) = (nil, nil, nil)
      phase = .closed
      flags = []
      report()
      endOpening(.failure(error))
      throw error
    }
  }

  private func begin(_ content: Content, _ stored: StoredContents) {
    (current, base, self.stored) = (content, content, stored)
    revision = 0
    history.clear()
    history.markSaved(history.current)
    versionPoint = nil
    keptPoint = nil
    pendingConflict = nil
  }

  private func attend() async {
    await access.attend { [weak self] in
      Task { [weak self] in try? await self?.lookOutside() }
    }
    // Changes between reading and watching.
    if configuration.isWatching, (try? await access.inspect()) != .unchanged {
      Task { [weak self] in try? await self?.lookOutside() }
    }
  }

  private func enter(writable isWritable: Bool = true) {
    phase = .open
    flags = isWritable && !configuration.isViewing ? [] : .readOnly
    hub.send(.opened)
    report()
  }

  /// Creates the document: its path must not exist yet. It is open then.
  /// - Throws: ``ParticlesCore/Rule/fileExists``; errors of encoding and writing. Nothing is left then.
  public func create(_ content: Content) async throws {
    try checkRole()
    guard phase == .closed else { throw Diagnostic(.fileExists, at: location) }
    phase = .opening
    do {
      let saved = try await access.write(content, replacing: nil, options(automatic: false))
      // The document is there; versions of another one are no reason to report a failure.
      do { try await access.beginHistory() } catch { hub.send(.failed(error)) }
      begin(content, saved.stored)
      current?.adopt(saved.stored.contents, writtenAs: saved.written)
      await attend()
      await access.settle()
      enter()
      endOpening(.success(()))
    } catch {
      phase = .closed
      report()
      endOpening(.failure(error))
      throw error
    }
  }

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

  func take(recovered content: Content, of entry: RecoveredContents) async throws {
    // The entry may be older than the stored contents, which a save replaces.
    if let stored = base, stored != content {
      try? await access.addVersion(of: stored, as: .replaced)
    }
    endGestures()
    guard phase == .open, let old = current else { throw closedFault }
    current = content
    history.add(from: old, to: content, name: "Recover Changes", at: MonotonicClock.seconds)
    history.markUnsaved()
    recovered.append(entry)
    changed("Recover Changes", .resolution, from: old)
  }

  /// The entries whose contents are in the document, to be removed when it is saved.
  var recovered: [RecoveredContents] = []

  /// Removes an entry of the recovery journal.
  public nonisolated func discard(_ entry: RecoveredContents) throws {
    try RecoveryJournal.discard(entry)
  }

  // MARK: Closing

  /// Saves unsaved changes and closes the document. Does nothing if it is closed; waits for an opening
  /// that is running. A document that is not saved automatically, such as a file of another format, leaves unsaved
  /// changes in the recovery journal.
  /// - Parameter isDiscarding: whether unsaved changes are dropped instead.
  /// - Throws: the error of saving; then the document stays open, with its contents.
  public func close(discarding isDiscarding: Bool = false) async throws {
    _ = await opening?.result
    guard phase == .open else { return }
    // Their changes are saved, or dropped with the others.
    endGestures()
    phase = .closing
    report()
    do {
      while let saving { _ = await saving.result }
      if let current, !current.isSavedAutomatically, !isDiscarding, history.isDirty {
        guard configuration.dataFolder != nil else { throw unsavedFault }
        try await access.keep(current, madeOf: stored, holding: recovered)
        return await finish(keepingJournal: true)
      }
      while !isDiscarding, history.isDirty { try await save() }
      await noteEdits()
    } catch {
      phase = .open
      endWaiting()
      scheduleAutosave()  // One may have been due meanwhile.
      throw error
    }
    await finish()
  }

  private var unsavedFault: Diagnostic {
    Diagnostic(
      .fileUnwritable, at: location, "it has unsaved changes, which are saved on request only",
      hint: "save or discard them")
  }

  private func endWaiting() {
    report()
    for call in waiting { call.resume() }
    waiting = []
  }

  /// Ends everything, without a save.
  func finish(keepingJournal isKept: Bool = false) async {
    autosaving?.cancel()
    autosaving = nil
    if !isKept { await access.discardJournal() }
    await access.leave()
    phase = .closed
    (gestures, settled) = ([], nil)
    (flags, current, base, stored, pendingConflict) = ([], nil, nil, nil, nil)
    (autosaveRetry, keptPoint, fault) = (nil, nil, nil)
    history.clear()
    hub.send(.closed)
    endWaiting()
  }
}
