public import ParticlesContainer
public import ParticlesCore
public import ParticlesEffects
package import ParticlesSystem

/// A document that is opened, edited, undone, saved and closed. Notices changes of its file by other programs.
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
/// operations may be called from any task, also concurrently: a call joins an opening or a save that is running.
public actor Document<Content: DocumentContent> {
  /// How it is saved and watched.
  public nonisolated let configuration: DocumentConfiguration

  nonisolated let access: DocumentAccess<Content>
  nonisolated let hub = DocumentEvents()
  /// The edits of documents that were closed.
  nonisolated let closed: ClosedDocuments

  var phase = DocumentPhase()
  /// The contents and edits. Nil while the document is not open, and while an operation changes them.
  private(set) var session: EditSession<Content>?
  var plan = AutosavePlan()
  var flags: DocumentStates = []
  private var reported = DocumentStates.closed
  /// Why the stored contents cannot be read.
  var fault: (any Error)?
  /// The entries of the recovery journal whose contents are in the document, to be removed when it is saved.
  var recovered: [RecoveredContents] = []
  /// The last change by another program while the document is open. Nil if there was none, or if it was taken back.
  public internal(set) var lastOutsideChange: OutsideChange?

  private var opening: Task<Void, any Error>?
  private var openers: [Int: CheckedContinuation<Void, any Error>] = [:]
  /// The calls that wait for the end of closing.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  var saving: Task<Void, any Error>?
  var autosaving: Task<Void, Never>?
  /// Whether `autosaving` waits for another attempt after a failed one.
  var isAwaitingRetry = false

  /// Creates a document in a storage. Nothing is read.
  public init(
    storage: any DocumentStorage, configuration: DocumentConfiguration = DocumentConfiguration()
  ) {
    self.init(storage, configuration, ClosedDocuments())
  }

  init(
    _ storage: any DocumentStorage, _ configuration: DocumentConfiguration,
    _ closed: ClosedDocuments
  ) {
    self.configuration = configuration
    self.closed = closed
    access = DocumentAccess(storage, configuration)
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
    let (step, plan, recovered, storage) = (phase.step, plan, recovered, access.storage)
    if step == .open, var session {
      let isChanged = session.isDirty || storage.isVolatile && session.history.undoCount > 0
      if isChanged, !plan.isKept(session.state) {
        access.rescue(session.contents(), madeOf: session.known.stored, holding: recovered)
      }
    }
    hub.finish()
  }

  // MARK: State

  /// The path of the document, or nil without one.
  public nonisolated var path: String? { access.storage.path }

  /// The name to show: the file name without its extension, or `Untitled` without a path.
  public nonisolated var displayName: String {
    path.map(DocumentNames.displayName) ?? "Untitled"
  }

  /// The states that it is in.
  public var states: DocumentStates {
    var states = flags
    if !phase.hasContents { states.insert(.closed) }
    if phase.step == .closing { states.insert(.editingDisabled) }
    if hasUnsavedChanges { states.insert(.changed) }
    if session?.conflict != nil { states.insert(.inConflict) }
    return states
  }

  /// Whether there are changes that are not saved.
  public var hasUnsavedChanges: Bool { session.map { $0.isDirty || plan.isUndelivered } ?? false }

  /// The number of the last change of the contents, starting at 0 when the document is opened. See
  /// ``ParticlesEffects/DocumentRevision``.
  public var revision: Int { session?.revision ?? 0 }

  /// The next attempt to save automatically in place after failures. Nil if the last save succeeded.
  public internal(set) var autosaveRetry: AutosaveRetry? {
    get { plan.retry }
    set { plan.retry = newValue }
  }

  /// The contents.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if the document is not open.
  public var content: Content {
    get throws {
      guard phase.hasContents else { throw closedFault }
      return try perform { $0.contents() }
    }
  }

  /// The values that a view shows of a document, all of one time.
  package struct Present: Sendable {
    package var states: DocumentStates
    package var content: Content?
    package var undoName: String?, redoName: String?
    package var retry: AutosaveRetry?
  }

  /// The current state for a view.
  package var present: Present {
    let content = try? content
    return Present(
      states: states, content: content, undoName: undoName, redoName: redoName,
      retry: autosaveRetry)
  }

  /// The events of the document, beginning with ``DocumentEvent/opened`` if it is open and with its
  /// states. Each call returns a stream of its own, which ends after ``DocumentEvent/closed``.
  public func events() -> AsyncStream<DocumentEvent> { hub.stream(beginning: firstEvents) }

  /// The stream of ``events()``, which also reports dropped events.
  /// - Parameter missed: called for each event that is dropped because the listener does not keep up.
  package func events(missed: @escaping @Sendable () -> Void) -> AsyncStream<DocumentEvent> {
    hub.stream(beginning: firstEvents, missed: missed)
  }

  private var firstEvents: [DocumentEvent] {
    (phase.step == .open ? [.opened] : []) + [.states(states)]
  }

  var location: Location { Location(file: path) }
  var closedFault: Diagnostic { Diagnostic(.fileClosed, at: location) }

  /// Throws if the document is only viewed.
  func checkRole() throws {
    if configuration.isViewing {
      throw Diagnostic(.fileReadOnly, at: location, "it was opened for viewing")
    }
  }

  // MARK: The session

  /// Runs an operation of the session, informs listeners, and plans the next save.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if there are no contents, or the error of `body`.
  @discardableResult
  func perform<Result>(_ body: (inout EditSession<Content>) throws -> Result) throws -> Result {
    guard var session else { throw closedFault }
    // Drops the second reference, so that an edit does not copy the contents.
    self.session = nil
    session.isObserved = hub.hasListeners
    defer {
      let news = session.takeNews()
      self.session = session
      if tell(news) { scheduleAutosave() }
      report()
    }
    return try body(&session)
  }

  /// - Returns: whether the contents have changed.
  private func tell(_ news: [EditNews<Content>]) -> Bool {
    var isChanged = false
    for event in news {
      switch event {
      case .edited(let name): hub.send(.edited(name))
      case .changed(let number, let origin, let name, let old, let new):
        hub.send(.changed(DocumentRevision(number, origin, name, from: old, to: new)))
        isChanged = true
      case .gestureEnded(let gesture, let end): hub.send(.gestureEnded(gesture, end))
      }
    }
    return isChanged
  }

  /// Tells listeners of states that have changed.
  func report() {
    // Not in the middle of an operation.
    guard session != nil || !phase.hasContents else { return }
    let now = states
    guard now != reported else { return }
    let isChanged = now.contains(.changed)
    if isChanged != reported.contains(.changed), phase.step == .open,
      configuration.presenceFolder != nil
    {
      Task { [access] in await access.announce(hasChanges: isChanged) }
    }
    reported = now
    hub.send(.states(now))
  }

  // MARK: Opening

  /// Opens the document. Does nothing if it is open. Concurrent calls read it once.
  ///
  /// A call that is cancelled ends at once. The reading goes on while another call waits for it.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound``, errors of reading and decoding, or `CancellationError`. The
  ///   document stays closed then.
  public func open() async throws {
    while true {
      switch phase.enter() {
      case .done: return
      case .afterClosing: await withCheckedContinuation { waiting.append($0) }
      case .afterOpening: _ = await opening?.result
      case .join: return try await joinOpening()
      case .begin:
        flags = .progressAvailable
        report()
        opening = BlockingWait.task { try await self.load() }
        return try await joinOpening()
      }
    }
  }

  private func joinOpening() async throws {
    let number = phase.join()
    try Task.checkCancellation()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        phase.wait(number)
        openers[number] = $0
      }
    } onCancel: {
      _ = BlockingWait.task { await self.leaveOpening(number) }
    }
  }

  private func leaveOpening(_ number: Int) {
    openers.removeValue(forKey: number)?.resume(throwing: CancellationError())
    if phase.leave(number) { opening?.cancel() }
  }

  private func endOpening(_ result: Result<Void, any Error>) {
    opening = nil
    let calls = openers.values
    openers = [:]
    for call in calls { call.resume(with: result) }
  }

  private func load() async throws {
    do {
      let loaded = try await access.read(hub.report(.reading))
      try Task.checkCancellation()
      begin(loaded)
      await resumeEdits()
      await attend()
      let isWritable = await access.isWritable
      try Task.checkCancellation()
      hub.send(.progress(DocumentProgress(phase: .reading, fraction: 1)))
      enter(writable: isWritable && loaded.content.isWritable)
    } catch {
      await failOpening(error)
      throw error
    }
  }

  private func begin(_ loaded: LoadedContents<Content>) {
    session = EditSession(
      loaded, undoCount: configuration.undoCount, undoCost: configuration.undoCost)
    (plan, lastOutsideChange) = (AutosavePlan(), nil)
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
    phase.endOpening(isOpen: true)
    flags = isWritable && !configuration.isViewing ? [] : .readOnly
    hub.send(.opened)
    report()
    endOpening(.success(()))
  }

  private func failOpening(_ error: any Error) async {
    await access.leave()
    session = nil
    phase.endOpening(isOpen: false)
    flags = []
    report()
    endOpening(.failure(error))
  }

  /// Creates the document: its path must not exist yet. The document is open then.
  /// - Throws: ``ParticlesCore/Rule/fileExists``, or errors of encoding and writing. Nothing is left then.
  public func create(_ content: Content) async throws {
    try checkRole()
    guard phase.step == .closed, case .begin = phase.enter() else {
      throw Diagnostic(.fileExists, at: location)
    }
    do {
      let saved = try await access.write(content, replacing: nil, options(automatic: false))
      // The document is written. Old versions of another document at this path are no reason to fail.
      do { try await access.beginHistory() } catch { hub.send(.failed(error)) }
      var adopted = content
      adopted.adopt(saved.stored.contents, writtenAs: saved.written)
      begin(LoadedContents(content: adopted, stored: saved.stored))
      await attend()
      await access.settle()
      enter()
    } catch {
      await failOpening(error)
      throw error
    }
  }

  // MARK: Closing

  /// Saves unsaved changes and closes the document. Does nothing if it is closed. Waits for an opening that is
  /// running. A document without automatic saves, such as a file of another format, leaves unsaved changes in the
  /// recovery journal.
  /// - Parameter isDiscarding: whether unsaved changes are dropped instead.
  /// - Throws: the error of saving. The document then stays open with its contents. The recovery journal has them,
  ///   too, as the hint of the error states.
  public func close(discarding isDiscarding: Bool = false) async throws {
    _ = await opening?.result
    guard phase.step == .open else { return }
    // Their changes are saved, or dropped, as all others are.
    endGestures()
    phase.beginClosing()
    report()
    do {
      while let saving { _ = await saving.result }
      if let session, !session.settled.isSavedAutomatically, !isDiscarding, session.isDirty {
        guard configuration.dataFolder != nil else { throw unsavedFault }
        try await keepChanges(again: true)
        return await finish(keepingJournal: true)
      }
      while !isDiscarding, hasUnsavedChanges { try await save() }
      await noteEdits()
    } catch {
      phase.endClosing(isClosed: false)
      let fault = await keepingChanges(error)
      endWaiting()
      scheduleAutosave()  // One may have been due meanwhile.
      throw fault
    }
    await finish()
  }

  private func endWaiting() {
    report()
    for call in waiting { call.resume() }
    waiting = []
  }

  /// Ends everything, without a save.
  /// - Parameters:
  ///   - isKept: whether the contents stay in the recovery journal.
  ///   - keepsEdits: whether the edits can be undone when the document is opened again.
  func finish(keepingJournal isKept: Bool = false, keepingEdits keepsEdits: Bool = true) async {
    autosaving?.cancel()
    autosaving = nil
    if keepsEdits, let path, let session { closed.keep(session.closed, of: path) }
    if !isKept { await access.discardJournal() }
    await access.leave()
    phase.endClosing(isClosed: true)
    (flags, session, plan, fault, lastOutsideChange) = ([], nil, AutosavePlan(), nil, nil)
    hub.send(.closed)
    hub.finish()
    endWaiting()
  }
}

/// How a ``Document`` is saved and watched.
public struct DocumentConfiguration: Sendable {
  /// When changes are saved without being asked for.
  public enum Autosave: Sendable, Hashable {
    /// Never.
    case off
    /// To the path of the document, at most so many seconds after a change. A package is saved by appending. If the
    /// document cannot be saved there, into the recovery journal.
    case inPlace(seconds: Double)
    /// Into the recovery journal, at most so many seconds after a change. The document itself is saved on
    /// request only.
    case recovery(seconds: Double)

    /// The seconds after a change, or nil for never.
    var seconds: Double? {
      switch self {
      case .off: nil
      case .inPlace(let seconds), .recovery(let seconds): seconds
      }
    }
  }

  /// When changes are saved: in place within a second by default. The wait after a failure is twice this time. Each
  /// further failure doubles it, up to ``longestRetry``.
  public var autosave = Autosave.inPlace(seconds: 1)

  /// The longest time between attempts to save automatically after failures, in seconds. Default: 300.
  public var longestRetry = 300.0

  /// Whether the document is only viewed. Default: false. Edits, saves, renaming and deleting throw
  /// ``ParticlesCore/Rule/fileReadOnly`` then, and the document is in the state ``DocumentStates/readOnly``.
  public var isViewing = false

  /// Whether automatic saves wait until everything has reached the disk. Default: false. A crash of the program loses
  /// nothing in either case. A loss of power may lose the last seconds.
  public var isAutosaveDurable = false

  /// Whether states are kept as versions when the document is saved on request, and before anything is replaced.
  /// Default: true.
  public var keepsVersions = true

  /// How many versions of this document and of all documents are kept.
  public var versionLimits = VersionLimits()

  /// Whether the last edits can be undone after the document was opened again. Default: false.
  public var keepsEdits = false

  /// The greatest number of edits that can be undone. Default: 10,000.
  public var undoCount = 10_000

  /// The greatest memory of the edits that can be undone, in bytes. Default: 32 MiB.
  public var undoCost = 32 << 20

  /// Whether changes by other programs are noticed as they happen. Default: true. If false, they are noticed when the
  /// document is saved.
  public var isWatching = true

  /// For how many seconds operations wait for other programs. Default: 5.
  public var timeout = 5.0

  /// The limits for reading.
  public var limits = Limits.standard

  /// The folder for versions and the recovery journal. They are stored in its subfolder `particles`. Default:
  /// `XDG_DATA_HOME`, or `~/.local/share`. Nil keeps neither.
  public var dataFolder: String?

  /// The folder for the record that the document is open. Default: `XDG_RUNTIME_DIR`, or the data folder. Nil for no
  /// record.
  public var presenceFolder: String?

  /// The places to which reading and writing are confined, or nil for no limit.
  package var places: Places?

  /// Called with the path of the document after each write, to upload the contents to their destination, such as a
  /// server. Nil, the default, if they belong at the path. The document has unsaved changes until the closure
  /// returns. An error counts as a failed save: the closure is called again after a while, and on closing.
  public var afterSaving: (@Sendable (_ path: String) async throws -> Void)?

  /// Creates the default configuration of this process.
  public init() {
    let folders = BaseDirectories.current
    dataFolder = folders.dataHome
    presenceFolder = folders.runtime ?? folders.dataHome
  }

  /// Creates a configuration with all files of the library in one folder.
  public init(dataFolder: String?) {
    self.dataFolder = dataFolder
    presenceFolder = dataFolder
  }
}

/// The states of a document, similar to `UIDocument.State`. The set is empty for an open document without problems,
/// so test for single states.
public struct DocumentStates: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: Int

  /// Creates a set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The document is not open.
  public static let closed = DocumentStates(rawValue: 1)
  /// This program and another program have changed one part differently.
  public static let inConflict = DocumentStates(rawValue: 2)
  /// The last save failed.
  public static let savingError = DocumentStates(rawValue: 4)
  /// Edits are refused while the document is reverted or closed.
  public static let editingDisabled = DocumentStates(rawValue: 8)
  /// The document is being read or written.
  public static let progressAvailable = DocumentStates(rawValue: 16)
  /// There are changes that are not saved.
  public static let changed = DocumentStates(rawValue: 32)
  /// The document cannot be written at its path.
  public static let readOnly = DocumentStates(rawValue: 64)
  /// Another program has deleted the document. Ways out: ``Document/recreate()``,
  /// ``Document/save(to:as:)`` and ``Document/discard()``.
  public static let deleted = DocumentStates(rawValue: 128)
  /// Another program has stored something that cannot be decoded. Our contents are in memory. Ways out:
  /// ``Document/saveAnyway()``, ``Document/save(to:as:)`` and ``Document/discard()``. The state ends by itself when
  /// the stored contents can be read again.
  public static let undecodable = DocumentStates(rawValue: 256)
}

extension DocumentStates: CustomStringConvertible {
  private static let names: [(DocumentStates, String)] = [
    (.closed, "closed"), (.inConflict, "in conflict"), (.savingError, "not saved"),
    (.editingDisabled, "editing disabled"), (.progressAvailable, "at work"), (.changed, "changed"),
    (.readOnly, "read-only"), (.deleted, "deleted"), (.undecodable, "unreadable"),
  ]

  /// The names of the states, or `open` if there is none.
  public var description: String {
    let names = Self.names.filter { contains($0.0) }.map(\.1)
    return names.isEmpty ? "open" : names.joined(separator: ", ")
  }
}

/// A failed automatic save, which will be tried again. See ``Document/autosaveRetry``.
public struct AutosaveRetry: Sendable, Hashable {
  /// The number of attempts in sequence that have failed.
  public var failures: Int

  /// The seconds between the last attempt and the next one.
  public var delay: Double

  /// The time of the next attempt, in seconds of the monotonic clock.
  var next: Double

  /// - Parameters:
  ///   - last: the attempts that failed before, or nil if there are none.
  ///   - seconds: the time for automatic saves after a change.
  init(after last: AutosaveRetry?, window seconds: Double, longest: Double, now: Double) {
    failures = (last?.failures ?? 0) + 1
    delay = min(longest, max(0.01, 2 * (last?.delay ?? seconds)))
    next = now + delay
  }
}

/// A reported change of a document. See ``Document/events()``.
public enum DocumentEvent: Sendable {
  /// The document is open. Late listeners get this event, too.
  case opened
  /// The states have changed.
  case states(DocumentStates)
  /// The contents have changed by an edit, undo or redo of this name.
  case edited(String)
  /// The contents have changed, for any reason: sent once for each change, besides the event of the reason.
  case changed(DocumentRevision)
  /// A gesture has ended. With ``ParticlesEffects/DocumentGesture/End/edit``, this leaves the contents unchanged.
  case gestureEnded(DocumentGesture, DocumentGesture.End)
  /// The contents were saved, automatically or on request.
  case saved(automatically: Bool)
  /// Progress of reading or writing.
  case progress(DocumentProgress)
  /// The document has another path.
  case moved(from: String, to: String)
  /// Another program has saved the document, which had no unsaved changes: the contents are the new ones. Edits can be
  /// undone as before.
  case reloaded
  /// Another program has saved the document, and its changes were merged with ours. Edits can be undone as before.
  case merged
  /// A change by another program, after ``reloaded`` and ``merged``. See ``Document/lastOutsideChange``.
  case outside(OutsideChange)
  /// Another program and this one have changed the parts `clashes` differently. Reported again when that program
  /// changes something more.
  case conflict(clashes: [String])
  /// Another program has deleted the document.
  case deleted
  /// Another program has stored contents that cannot be read, because of this error. Our contents stay in memory.
  case undecodable(any Error)
  /// An automatic save failed. The contents stay in memory and, with a data folder, in the recovery
  /// journal.
  case failed(any Error)
  /// An automatic save in place failed and is tried again after so many seconds.
  case retrying(AutosaveRetry)
  /// The document is closed.
  case closed
}

/// The listeners of a document.
final class DocumentEvents: Sendable {
  private struct Listener: Sendable {
    let events: AsyncStream<DocumentEvent>.Continuation
    /// Called for each event that it misses.
    let missed: @Sendable () -> Void

    func yield(_ event: DocumentEvent) {
      if case .dropped = events.yield(event) { missed() }
    }
  }

  private let listeners = Lock<[Int: Listener]>([:])
  private let next = Lock(0)

  /// A stream that begins with `first`. A listener that does not keep up misses the oldest events.
  /// - Parameter missed: called for each missed event.
  func stream(
    beginning first: [DocumentEvent], missed: @escaping @Sendable () -> Void = {}
  ) -> AsyncStream<DocumentEvent> {
    let number = next.withLock { next -> Int in
      next += 1
      return next
    }
    let (stream, continuation) = AsyncStream.makeStream(
      of: DocumentEvent.self, bufferingPolicy: .bufferingNewest(256))
    for event in first { continuation.yield(event) }
    listeners.withLock { $0[number] = Listener(events: continuation, missed: missed) }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { $0[number] = nil }
    }
    return stream
  }

  /// Whether there are any.
  var hasListeners: Bool { listeners.withLock { !$0.isEmpty } }

  func send(_ event: DocumentEvent) {
    for listener in listeners.withLock({ Array($0.values) }) { listener.yield(event) }
  }

  /// Ends all streams.
  func finish() {
    for listener in listeners.withLock({ Array($0.values) }) { listener.events.finish() }
  }

  /// A closure that sends progress, at most a hundred times.
  func report(_ phase: DocumentProgress.Phase) -> DocumentProgress.Report {
    let last = Lock(-1)
    return { [weak self] done, total in
      let percent = total > 0 ? min(99, 100 * done / total) : 0
      let isNew = last.withLock { last in
        defer { last = max(last, percent) }
        return percent > last
      }
      guard isNew else { return }
      self?.send(.progress(DocumentProgress(phase: phase, fraction: Double(percent) / 100)))
    }
  }
}
