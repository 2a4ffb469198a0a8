internal import ParticlesContainer
internal import ParticlesCore
public import ParticlesEffects
internal import ParticlesSystem

/// The files of a document: its storage, versions, recovery journal and presence. Everything here may wait
/// for the disk and for other programs, so it runs on a thread of its own.
actor DocumentAccess<Content: DocumentContent> {
  private let queue: FileQueue
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  nonisolated let storage: any DocumentStorage
  let configuration: DocumentConfiguration
  /// Also used when the document is released, which waits for nothing.
  private nonisolated let journal = Lock<RecoveryJournal?>(nil)
  /// The absolute path of the document, also when its folder is gone.
  private nonisolated let place = Lock<String?>(nil)
  private nonisolated let lastDigest = Lock<(revision: Int, digest: String)?>(nil)
  private var presence: DocumentPresence?
  private var watch: FolderWatch?
  private var memory: StoredTree.Memory?
  private var hasVersionOfOpening = false
  private var opened: FileNode?
  /// The files of a save whose result the document has not taken yet. They are kept so that their memory is
  /// freed here: freeing 100 MiB takes longer than callers of the document may wait.
  var unsettled: [FileNode] = []

  init(_ storage: any DocumentStorage, _ configuration: DocumentConfiguration) {
    queue = FileQueue(within: configuration.places)
    self.storage = storage
    self.configuration = configuration
  }

  /// The store. Opened when something is kept for the first time.
  private lazy var store = configuration.dataFolder.map {
    VersionStore(
      dataFolder: $0, limits: configuration.versionLimits, readingLimits: configuration.limits)
  }

  var versions: VersionStore? {
    configuration.keepsVersions && storage.path != nil ? store : nil
  }

  // MARK: Reading

  func read(_ progress: DocumentProgress.Report = { _, _ in }) throws -> LoadedContents<Content> {
    try Task.checkCancellation()
    let stored = try storage.read(limits: configuration.limits, progress: progress)
    let location = Location(file: storage.path)
    let content = try locating(location) {
      try Content(contents: stored.contents, limits: configuration.limits, path: storage.path)
    }
    if opened == nil { opened = stored.contents }
    try rememberPlace()
    return LoadedContents(content: content, stored: stored)
  }

  private func rememberPlace() throws {
    guard let now = try storage.path.map(VersionStore.absolute) else { return }
    place.withLock { $0 = now }
  }

  /// Reads the contents under the lock of the file, while no other program saves.
  func readLocked() throws -> LoadedContents<Content> {
    guard let path = storage.path, let file = try? OpenFile(readingAtOnce: Files.target(of: path))
    else { return try read() }
    _ = try file.lock(until: Deadline(seconds: configuration.timeout))
    defer { file.unlock() }
    return try read()
  }

  /// Whether the document can be saved at its path.
  var isWritable: Bool { (try? storage.check(StorageOptions())) != nil }

  func revision() throws -> Int {
    try storage.read(limits: configuration.limits, progress: { _, _ in }).revision
  }

  func decode(_ contents: FileNode) throws -> Content {
    try Content(contents: contents, limits: configuration.limits, path: storage.path)
  }

  /// Announces that the document is open, and begins to watch it.
  func attend(_ change: @escaping @Sendable () -> Void) {
    guard let path = storage.path else { return }
    if let folder = configuration.presenceFolder {
      presence = try? DocumentPresence(of: path, in: folder)
    }
    guard configuration.isWatching else { return }
    // Without this, another time of the file is taken for a change, which costs a comparison.
    try? (storage as? PathStorage)?.remember()
    watchFolder(of: path, change)
  }

  private var change: (@Sendable () -> Void)?

  private func watchFolder(of path: String, _ change: @escaping @Sendable () -> Void) {
    self.change = change
    watch = try? FolderWatch(document: path, change)
  }

  /// Watches a document again that was moved, or whose folders a save has replaced.
  func watchAgain() {
    guard watch != nil, let path = storage.path, let change else { return }
    watchFolder(of: path, change)
  }

  func announce(hasChanges: Bool) { try? presence?.update(hasChanges: hasChanges) }

  func presenters() throws -> [DocumentPresenter] {
    guard let path = storage.path, let folder = configuration.presenceFolder else { return [] }
    return try DocumentPresence.presenters(of: path, in: folder)
  }

  /// Ends everything that is open.
  func leave() {
    watch = nil
    change = nil
    presence = nil
    journal.withLock { $0 = nil }
    memory = nil
    opened = nil
    unsettled = []
  }

  func inspect() throws -> StorageCondition {
    let condition: StorageCondition
    do {
      condition = try storage.inspect()
    } catch Rule.fileNotFound {
      // Its folder is gone.
      return .missing
    }
    if case .moved(let path) = condition {
      try (storage as? PathStorage)?.relocate(to: path)
      try? rememberPlace()
      // Other programs look for the record under the current path.
      if presence != nil, let folder = configuration.presenceFolder {
        presence = try? DocumentPresence(of: path, in: folder)
      }
      watchAgain()
    }
    return condition
  }

  // MARK: Writing

  /// The files that were written, and the files as they are stored.
  struct Saved: Sendable {
    var written: FileNode
    var stored: StoredContents
    /// The contents as they are read again, if they differ.
    var reread: Content?
  }

  func write(
    _ content: Content, replacing revision: Int?, _ options: StorageOptions
  ) throws -> Saved {
    try Task.checkCancellation()
    let tree = try content.contents()
    var options = options
    if let path = storage.path {
      let beside: @Sendable () throws -> Void = { [self] in
        // The storage calls it on this thread, while it writes.
        try assumeIsolated { try $0.writeBeside(content, path) }
      }
      if storage is PathStorage { options.beside = beside } else { try beside() }
    }
    let stored = try storage.write(tree, replacing: revision, options)
    discardJournal()
    unsettled.append(tree)
    try? rememberPlace()
    // The document is saved. If the contents cannot be read again, they stay as they are.
    let reread = try? content.reread(
      stored.contents, limits: configuration.limits, path: storage.path)
    return Saved(written: tree, stored: stored, reread: reread ?? nil)
  }

  private func writeBeside(_ content: Content, _ path: String) throws {
    try content.writeBeside(path) { files in
      guard versions != nil else { return false }
      try addVersion(files, as: .replaced, durably: true)
      return true
    }
  }

  /// Ends a save whose result the document has taken.
  func settle() {
    unsettled = []
    guard let path = storage.path, (try? Files.status(path))??.kind == .directory else { return }
    watchAgain()
  }

  /// Keeps contents in the recovery journal.
  /// - Parameters:
  ///   - stored: the stored contents that they were made of.
  ///   - entries: the entries that they were continued from.
  nonisolated private func record(
    _ content: Content, madeOf stored: StoredContents?, holding entries: [RecoveredContents]
  ) throws {
    guard let folder = configuration.dataFolder,
      storage.path != nil || storage.isVolatile
    else { return }
    let journal = try journal.withLock { journal in
      let path = try place.withLock(\.self) ?? storage.path.map(VersionStore.absolute)
      let now = try journal ?? RecoveryJournal(of: path, in: folder)
      journal = now
      return now
    }
    // Contents that keep their base state need no digest.
    let digest = content.keptBase == nil ? stored.flatMap { self.digest(of: $0) } : nil
    let held = entries.flatMap { [$0.identifier] + $0.holds }
    try journal.keep(
      content.keptContents(), madeOf: digest, holding: held,
      durably: configuration.isAutosaveDurable)
  }

  /// The digest of stored contents. Each state is read once.
  nonisolated private func digest(of stored: StoredContents) -> String? {
    if let known = lastDigest.withLock(\.self), known.revision == stored.revision {
      return known.digest
    }
    guard let digest = try? stored.contents.contentDigest().description else { return nil }
    lastDigest.withLock { $0 = (stored.revision, digest) }
    return digest
  }

  /// Keeps contents in the recovery journal.
  func keep(
    _ content: Content, madeOf stored: StoredContents?, holding entries: [RecoveredContents]
  ) throws {
    try record(content, madeOf: stored, holding: entries)
  }

  /// Keeps the contents of a document that was not closed. An error cannot be reported any more.
  nonisolated func rescue(
    _ content: Content, madeOf stored: StoredContents?, holding entries: [RecoveredContents]
  ) {
    try? record(content, madeOf: stored, holding: entries)
  }

  /// Whether an entry was made of stored contents. One of an earlier version, which does not tell, was if it is the
  /// younger one.
  func isMade(_ entry: RecoveredContents, of stored: StoredContents) -> Bool {
    if let digest = entry.madeOf { return digest == self.digest(of: stored) }
    guard let path = storage.path, let status = try? Files.status(path) else { return true }
    return status.state.modified <= entry.seconds
  }

  func discardJournal() {
    let old = journal.withLock { journal in
      defer { journal = nil }
      return journal
    }
    old?.discard()
  }

  /// The contents that programs have left in the recovery journal.
  func left() throws -> [RecoveredContents] {
    guard let folder = configuration.dataFolder, storage.path != nil || storage.isVolatile else {
      return []
    }
    return try RecoveryJournal.left(of: storage.path.map(VersionStore.absolute), in: folder)
  }

  func recovered(_ entry: RecoveredContents) throws -> Content {
    try decode(RecoveryJournal.contents(of: entry, limits: configuration.limits))
  }

  // MARK: Versions

  /// Keeps a version of the stored contents, and before the first one the state that was opened. Errors
  /// are no reason not to save.
  func addVersion(
    _ contents: FileNode, as kind: DocumentVersion.Kind, comment: String? = nil,
    durably isDurable: Bool = false
  ) throws {
    guard let versions, let path = storage.path else { return }
    var states = [VersionStore.State(contents: contents, kind: kind, comment: comment)]
    if !hasVersionOfOpening, let opened, opened != contents {
      states.insert(VersionStore.State(contents: opened, kind: .opened), at: 0)
    }
    hasVersionOfOpening = true
    opened = nil
    try versions.add(states, of: path, durably: isDurable, knowing: &memory)
  }

  func addVersion(of content: Content, as kind: DocumentVersion.Kind) throws {
    try addVersion(content.keptContents(), as: kind, durably: kind == .conflict)
  }

  func versionList() throws -> [DocumentVersion] {
    guard let path = storage.path else { return [] }
    return try versions?.versions(of: path) ?? []
  }

  func version(_ number: Int) throws -> Content {
    guard let versions, let path = storage.path else { throw Diagnostic(.fileVersion) }
    return try decode(versions.contents(of: number, of: path))
  }

  // MARK: Edits that outlive the program

  /// The states before and after the noted edits, the oldest first, each with the name of the edit that led there.
  /// Nil if they do not lead to the stored contents.
  func trail(to contents: FileNode) throws -> [(name: String, content: Content)]? {
    guard configuration.keepsEdits, let versions, let path = storage.path,
      let document = try versions.existing(path)
    else { return nil }
    var trail = try versions.trail(of: document)
    var tree = contents
    var states: [(name: String, content: Content)] = []
    while true {
      let content = try decode(tree)
      let name = try trail.step(
        undoing: true, &tree, in: versions.contentStore, limits: configuration.limits)
      states.append((name ?? "", content))
      if name == nil { return states.reversed() }
    }
  }

  /// Notes the last edits: states, the oldest first, with the names of the edits that led to them.
  func note(_ states: [(name: String, content: Content)]) throws {
    guard configuration.keepsEdits, let versions, let path = storage.path, states.count > 1 else {
      return
    }
    try versions.replaceEdits(
      of: path, by: states.map { (name: $0.name, contents: try $0.content.contents()) })
  }

  // MARK: Places

  func copy(_ content: Content, to path: String, form: Container.Form) throws {
    let copy = PathStorage(path, creating: form)
    _ = try copy.write(content.contents(), replacing: nil, StorageOptions())
  }

  /// - Returns: the error that kept the versions from moving, or nil.
  func move(to path: String) throws -> (any Error)? {
    // While the old path can be resolved.
    let old = storage.path
    let link = try old.map { try Files.status($0, followingLinks: false)?.kind == .symbolicLink }
    try storage.move(to: path)
    try? rememberPlace()
    var failure: (any Error)?
    if let old, link != true, let data = configuration.dataFolder {
      do { try VersionStore(dataFolder: data).move(old, to: path) } catch { failure = error }
    }
    if presence != nil, let folder = configuration.presenceFolder {
      presence = try? DocumentPresence(of: path, in: folder)
    }
    return failure
  }

  /// Ends the history of a document that was at the path before.
  func beginHistory() throws { if let path = storage.path { try versions?.begin(path) } }

  func delete() throws {
    let path = storage.path
    try storage.delete()
    if let path { try? versions?.end(path) }
  }

  /// An unused path for a document beside this one, or nil if this one has no path.
  func freeName(_ comment: String) throws -> String? {
    guard let path = storage.path else { return nil }
    return try DocumentNames.free(beside: path, comment)
  }
}

/// Replaces contents of another program that are unreadable or unwanted.
extension DocumentAccess {
  /// Replaces anything that is at the path. The replaced file is kept as a version, or else beside the document.
  func overwrite(_ content: Content, _ options: StorageOptions) throws -> Saved {
    var options = options
    options.isOverwriting = true
    // Another program may store something else in between.
    for isLast in [false, false, true] {
      try keepForeign()
      do {
        return try write(content, replacing: nil, options)
      } catch let fault as Diagnostic where fault.rule == .fileChanged && !isLast {
      } catch let fault as Diagnostic where fault.rule == .fileExists && !isLast {
        // A folder in place of a file, or a file in place of a folder.
        if let path = storage.path { try setAside(path) }
      }
    }
    throw Diagnostic(.fileChanged, at: Location(file: storage.path))
  }

  private func keepForeign() throws {
    guard let storage = storage as? PathStorage, let path = storage.path else { return }
    do {
      guard let foreign = try storage.present(limits: configuration.limits) else { return }
      guard let versions else { throw Diagnostic(.fileVersion) }
      try versions.add(
        foreign, of: path, as: .conflict, comment: "stored by another program", durably: true)
    } catch {
      // Renamed rather than copied: a folder may have names that cannot be read.
      try setAside(path)
    }
  }

  private func setAside(_ path: String) throws {
    let place = try Files.target(of: path)
    try Files.renameExclusively(place, foreignName(of: place))
  }

  private func foreignName(of path: String) throws -> String {
    let date = WallClock.text(WallClock.seconds).prefix(10)
    return try DocumentNames.free(beside: path, "other program \(date)")
  }

  /// Keeps the states before and after a change by another program as versions. A version that cannot be kept does
  /// not stop the change.
  /// - Returns: the change with its parts, its program and its two versions, as far as they are known.
  func noteOutside(_ change: OutsideChange, from old: Content, to new: Content) -> OutsideChange {
    var change = change
    change.parts = (try? Content.changedParts(from: old, to: new)) ?? []
    let others = try? presenters().filter { $0.process != RunningProcess.identifier }
    change.program = others?.last?.program
    guard !configuration.isViewing, let versions, let path = storage.path,
      let (before, after) = try? (old.keptContents(), new.keptContents())
    else { return change }
    // That program may have kept both versions.
    let last = (try? versions.versions(of: path))?.suffix(2) ?? []
    if last.count == 2, let first = last.first, let second = last.last,
      first.size == before.size, second.size == after.size,
      (try? versions.contents(of: first.number, of: path)) == before,
      (try? versions.contents(of: second.number, of: path)) == after
    {
      (change.before, change.after) = (first.number, second.number)
      change.program = second.program
    } else {
      try? addVersion(before, as: .replaced)
      change.before = (try? versionList())?.last?.number
      try? addVersion(after, as: .outside)
      change.after = (try? versionList())?.last?.number
    }
    return change
  }
}

/// The side of a conflict that stays, for contents of any type. See ``ParticlesEffects/ConflictResolution``.
public enum ConflictSide: String, Sendable, CaseIterable {
  /// Our contents replace the stored contents.
  case ours
  /// The stored contents stay.
  case theirs
  /// The stored contents stay. Ours become a document beside it.
  case both
  /// Both changes, with ours wherever both sides have changed a part.
  case merged
}

/// An open document of any contents, for code that does not know them: a list of documents, a browser.
public protocol OpenDocument: Actor {
  /// The path, or nil without one.
  nonisolated var path: String? { get }
  /// The name to show.
  nonisolated var displayName: String { get }
  /// The states.
  var states: DocumentStates { get }
  /// Whether there are changes that are not saved.
  var hasUnsavedChanges: Bool { get }
  /// The number of the last change. See ``ParticlesEffects/DocumentRevision``.
  var revision: Int { get }
  /// The name of the edit to undo next, or nil if there is none.
  var undoName: String? { get }
  /// The name of the edit to redo next, or nil if there is none.
  var redoName: String? { get }
  /// The events. Each call returns a new stream.
  func events() -> AsyncStream<DocumentEvent>
  /// Opens it. Does nothing if it is open.
  func open() async throws
  /// Saves unsaved changes.
  func save() async throws
  /// Saves unsaved changes, unless they are discarded, and closes it.
  func close(discarding isDiscarding: Bool) async throws
  /// Keeps unsaved contents in the recovery journal, and closes it without a save.
  func closeIntoRecovery() async throws
  /// Moves it to another path.
  func move(to path: String) async throws
  /// Undoes edits, and returns how many.
  func undo(_ count: Int) throws -> Int
  /// Redoes edits, and returns how many.
  func redo(_ count: Int) throws -> Int
  /// The parts that another program and this one have both changed. Nil without a conflict, and empty if contents of
  /// this type cannot be merged.
  var clashes: [String]? { get }
  /// Ends a conflict. See ``Document/resolve(_:)``. Returns the path of a new document beside this one, or nil.
  func resolve(keeping side: ConflictSide) async throws -> String?
}

extension Document: OpenDocument {
  /// The parts that another program and this one have both changed, or nil without a conflict.
  public var clashes: [String]? { conflict?.clashes }

  /// Ends a conflict with one side, or with both.
  /// - Returns: the path of the document beside this one with ``ConflictSide/both``, else nil.
  /// - Throws: the errors of ``resolve(_:)``.
  public func resolve(keeping side: ConflictSide) async throws -> String? {
    switch side {
    case .ours: try await resolve(.ours)
    case .theirs: try await resolve(.theirs)
    case .both: try await resolve(.both)
    case .merged: try await resolve(.merged)
    }
  }
}

/// The documents of a process: one for each file, of any contents. Two windows that ask for one file share a
/// document, even if they use different names of that file.
///
///     let document = try await DocumentRegistry.shared.document(PlainText.self, at: "notes.txt")
///     try await document.open()
public actor DocumentRegistry {
  /// The registry of this process.
  public static let shared = DocumentRegistry()

  private struct Entry {
    weak var document: (any OpenDocument)?
  }

  private var entries: [Entry] = []
  /// The edits of its documents that were closed.
  private let closed = ClosedDocuments()

  /// Creates a registry of its own.
  public init() {}

  /// Returns the document of a file, or a new document that is not open yet. The registry does not keep the document
  /// alive. While the program runs it keeps the edits that can be undone, for the next document of the file.
  /// - Parameters:
  ///   - content: the type of the contents.
  ///   - path: the path, which may be a symbolic or a hard link.
  ///   - configuration: the configuration for a new document.
  /// - Throws: ``ParticlesCore/Rule/fileBusy`` if the file is open with other contents, such as an effect as text.
  public func document<Content: DocumentContent>(
    _ content: Content.Type, at path: String,
    configuration: DocumentConfiguration = DocumentConfiguration()
  ) throws -> Document<Content> {
    if let known = known(path) {
      guard let document = known as? Document<Content> else {
        throw Diagnostic(
          .fileBusy, at: Location(file: path), "it is open with contents of another kind",
          hint: "close it first")
      }
      return document
    }
    let new = Document<Content>(PathStorage.shared(path), configuration, closed)
    entries.append(Entry(document: new))
    return new
  }

  /// All documents, in the order in which they were made.
  public var documents: [any OpenDocument] {
    entries.removeAll { $0.document == nil }
    return entries.compactMap(\.document)
  }

  /// Compares the files at the current paths, because saves replace files and programs rename them.
  private func known(_ path: String) -> (any OpenDocument)? {
    let identity = (try? Files.status(path))??.state.identity
    let absolute = try? VersionStore.absolute(path)
    return documents.first { document in
      guard let place = document.path else { return false }
      if place == path { return true }
      if let identity { return (try? Files.status(place))??.state.identity == identity }
      return absolute != nil && (try? VersionStore.absolute(place)) == absolute
    }
  }
}

/// The edits of the last documents that were closed, while the program runs.
final class ClosedDocuments: Sendable {
  /// The greatest number of documents.
  static let maximumCount = 32

  private struct Entry: Sendable {
    var path: String
    var edits: any Sendable
  }

  private let entries = Lock<[Entry]>([])

  private static func place(_ path: String) -> String {
    (try? VersionStore.absolute(path)) ?? path
  }

  /// Keeps the edits of a document, if there are any.
  func keep<Content>(_ edits: ClosedEdits<Content>, of path: String) {
    let place = Self.place(path)
    let hasEdits = edits.history.undoName != nil || edits.history.redoName != nil
    entries.withLock { entries in
      entries.removeAll { $0.path == place }
      if hasEdits { entries.append(Entry(path: place, edits: edits)) }
      if entries.count > Self.maximumCount { entries.removeFirst() }
    }
  }

  /// Removes and returns the edits of a document. Nil if there are none for contents of this type.
  func remove<Content>(_ path: String) -> ClosedEdits<Content>? {
    let place = Self.place(path)
    return entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.path == place }) else { return nil }
      return entries.remove(at: index).edits as? ClosedEdits<Content>
    }
  }
}
