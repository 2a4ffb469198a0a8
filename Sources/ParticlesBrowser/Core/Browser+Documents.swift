internal import ParticlesContainer
public import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages

/// An open document of a browser.
struct OpenEntry {
  var document: any OpenDocument
  var kind: BrowserDocument.Kind
  var windows: [String]
  var hasChanges = false
  /// The first of its revisions, greater than all that a document of this file had before.
  let base = Int(saturating: WallClock.seconds * 1000)
  /// Identifies the opening: revisions of another one tell nothing.
  let opening = String(UInt64.random(in: 1 << 60...UInt64.max), radix: 36)
  var progress: Double?
  /// The gestures that pages have begun.
  var gestures = PageGestures()
  /// Listens to its events.
  var task: Task<Void, Never>?
}

extension OpenDocument {
  /// The document as it is now: all of one moment, with a number that tells which of two descriptions is the older one.
  fileprivate func described(as id: BrowserItem.ID, _ entry: OpenEntry) -> BrowserDocument {
    let words = states.description
    return BrowserDocument(
      id: id, displayName: displayName.escapingControls, path: path ?? "", kind: entry.kind,
      states: words == "open"
        ? [] : words.split(separator: ",").map { String($0.drop { $0 == " " }) },
      revision: entry.base + revision, windows: entry.windows, undoName: undoName,
      redoName: redoName, progress: entry.progress, clashes: clashes, opening: entry.opening,
      sequence: BrowserDocument.nextSequence())
  }
}

extension Browser {
  private var documentConfiguration: DocumentConfiguration {
    let folders = environment.directories
    var configuration = DocumentConfiguration(dataFolder: folders.dataHome)
    configuration.presenceFolder = folders.runtime ?? folders.dataHome
    // Each takes 1 kB: an hour of editing must not fill the memory of many documents.
    configuration.undoCount = 1_000
    configuration.places = places
    configuration.isViewing = self.configuration.isReadOnly
    return configuration
  }

  /// Opens a document in a window, whose other document is closed first. Two windows have the same document.
  /// - Throws: the error that makes it unreadable. The window shows no document then.
  public func open(_ id: BrowserItem.ID, in window: String) async throws -> BrowserDocument {
    try await open(id, in: window, as: nil)
  }

  /// - Parameter wanted: `effect` to edit a file of another format as an effect; nil for the kind that it has.
  func open(
    _ id: BrowserItem.ID, in window: String, as wanted: BrowserDocument.Kind?
  ) async throws -> BrowserDocument {
    let item = try await item(id)
    guard item.isSelectable, !item.isFolder else {
      throw item.problem
        ?? Diagnostic(
          .range, at: Location(file: item.path), "it cannot be opened here",
          expected: "a document of an allowed type", found: item.type)
    }
    if open[id] == nil {
      do { try await hooks.willOpen(item) } catch {
        throw Self.diagnostic(error, at: item.path)
      }
    }
    if let other = self.window(window).document, other != id { try await closeDocument(in: window) }
    if open[id] == nil { try await openDocument(item, as: wanted) }
    guard joinDocument(id, in: window) else { throw Self.gone(id) }
    sessionChanged()
    return try await document(id)
  }

  /// Shows an open document in one more window, also if its file is gone.
  /// - Returns: whether it is open.
  func joinDocument(_ id: BrowserItem.ID, in window: String) -> Bool {
    guard let entry = open[id] else { return false }
    if !entry.windows.contains(window) { open[id]?.windows.append(window) }
    if let index = windows.firstIndex(where: { $0.name == window }) { windows[index].document = id }
    closedWindows[window] = nil
    return true
  }

  /// The open document that was at a path.
  func openDocument(atPath path: String) async -> BrowserDocument? {
    guard let id = open.first(where: { $0.value.document.path == path })?.key else { return nil }
    return try? await document(id)
  }

  private func openDocument(_ item: BrowserItem, as wanted: BrowserDocument.Kind?) async throws {
    let path = try await localFile(of: item.id)
    let own = documentTypes.first { $0.identifier == item.type }
    let kind = try wanted ?? (own != nil ? .own : Self.kind(of: path))
    let document: any OpenDocument
    switch kind {
    case .effect:
      document = try await registry.effect(at: path, configuration: documentConfiguration)
    case .text:
      document = try await registry.document(
        PlainText.self, at: path, configuration: documentConfiguration)
    case .own:
      guard let own else { throw Self.gone(item.id) }
      document = try await own.open(registry, path, documentConfiguration)
    case .other:
      document = try await registry.document(
        FileTree.self, at: path, configuration: viewing(documentConfiguration))
    }
    // Listened to before it is opened, for progress.
    var entry = OpenEntry(document: document, kind: kind, windows: [])
    entry.task = await listen(to: document, item.id)
    // Another window may have opened it meanwhile.
    if open[item.id] != nil {
      entry.task?.cancel()
      return try await document.open()
    }
    open[item.id] = entry
    do {
      try await document.open()
      // A package is opened before its effect is read.
      if let effect = document as? Document<EffectPackage> { _ = try await effect.content.system() }
      if kind == .other { _ = try OpenedEffect(path: path) }
    } catch {
      try? await document.close(discarding: true)
      ended(item.id)
      throw Self.diagnostic(error, at: path)
    }
    noteRecent(path, item.name, item.kind)
    await tellDocument(item.id, "opened")
  }

  private func viewing(_ configuration: DocumentConfiguration) -> DocumentConfiguration {
    var configuration = configuration
    configuration.isViewing = true
    return configuration
  }

  /// The kind of a document: a package; a text, if all of it is UTF-8; another file.
  private static func kind(of path: String) throws -> BrowserDocument.Kind {
    if try Files.status(path)?.kind == .directory { return .effect }
    let file = try OpenFile(readingRegular: path)
    let head = try file.readPiece(65_536)
    if Container.isFlatPackage(head) { return .effect }
    if head.contains(0) { return .other }
    let rest = try file.readToEnd(limits: .standard)
    return String(validating: head + rest, as: UTF8.self) == nil ? .other : .text
  }

  private func listen(to document: any OpenDocument, _ id: BrowserItem.ID) async -> Task<
    Void, Never
  > {
    let events = await document.events()
    return Task { [weak self] in
      for await event in events { await self?.documentChanged(id, event) }
    }
  }

  /// Takes an event of an open document.
  private func documentChanged(_ id: BrowserItem.ID, _ event: DocumentEvent) async {
    guard let entry = open[id] else { return }
    let what: String
    switch event {
    case .opened, .closed: return
    case .states:
      let hasChanges = await entry.document.hasUnsavedChanges
      let isOther = open[id]?.hasChanges != hasChanges
      open[id]?.hasChanges = hasChanges
      if isOther, let item = try? await item(id), let parent = item.parent {
        tell([item], in: parent)
      }
      what = "states"
    case .edited: what = "edited"
    case .changed: what = "changed"
    case .gestureEnded: what = "edited"
    case .saved: what = "saved"
    case .progress(let progress):
      open[id]?.progress = progress.fraction < 1 ? progress.fraction : nil
      what = "progress"
    case .moved(let old, let new):
      await follow(id, from: old, to: new)
      what = "moved"
    case .reloaded: what = "reloaded"
    case .merged: what = "merged"
    case .conflict: what = "conflict"
    case .deleted: what = "deleted"
    case .undecodable: what = "undecodable"
    case .failed(let error):
      hub.send(.failed(Self.diagnostic(error)))
      what = "failed"
    case .retrying: what = "retrying"
    }
    await tellDocument(id, what)
  }

  /// Another program has renamed an open document.
  private func follow(_ id: BrowserItem.ID, from old: String, to new: String) async {
    guard let record = table[id], record.path != new, let provider = provider(record.provider),
      let entry = (try? await provider.entry(at: new)) ?? nil,
      let folder = (try? await item(at: Files.folder(of: new), of: provider)) ?? nil
    else { return }
    table.move(id, to: entry, in: folder.id)
    noteMoves([id])
    try? recents?.move(old, to: new)
    await refresh(folder.id)
    if let parent = record.parent, parent != folder.id { await refresh(parent) }
  }

  private func tellDocument(_ id: BrowserItem.ID, _ what: String) async {
    guard let document = try? await document(id) else { return }
    hub.send(.document(document, what: what))
  }

  /// An open document as it is now.
  func document(_ id: BrowserItem.ID) async throws -> BrowserDocument {
    guard let entry = open[id] else {
      throw Diagnostic(.fileClosed, at: Location(file: table[id]?.path))
    }
    let document = await entry.document.described(as: id, entry)
    open[id]?.hasChanges = document.states.contains("changed")
    return document
  }

  /// The open documents.
  public func documents() async -> [BrowserDocument] {
    var result: [BrowserDocument] = []
    for id in open.keys.sorted() {
      if let document = try? await document(id) { result.append(document) }
    }
    return result
  }

  // MARK: Closing

  /// Closes the document of a window. If no other window shows it, it is saved and closed.
  /// - Parameters:
  ///   - window: the name of the window.
  ///   - isDiscarding: whether unsaved changes are dropped.
  /// - Throws: the error of saving; the document stays open then.
  public func closeDocument(
    in window: String, discarding isDiscarding: Bool = false
  ) async throws {
    guard let index = windows.firstIndex(where: { $0.name == window }),
      let id = windows[index].document
    else { return }
    if let entry = open[id], entry.windows.allSatisfy({ $0 == window }) {
      try await entry.document.close(discarding: isDiscarding)
      ended(id)
    } else {
      open[id]?.windows.removeAll { $0 == window }
      try? await endGestures(of: window, in: id)
    }
    if let index = windows.firstIndex(where: { $0.name == window }) {
      windows[index].document = nil
    }
    sessionChanged()
  }

  /// A document is not open any more.
  func ended(_ id: BrowserItem.ID) {
    guard let entry = open.removeValue(forKey: id) else { return }
    entry.task?.cancel()
    for index in windows.indices where windows[index].document == id {
      windows[index].document = nil
    }
    let closed = BrowserDocument(
      id: id, displayName: entry.document.displayName.escapingControls,
      path: entry.document.path ?? "", kind: entry.kind, states: ["closed"], revision: 0,
      windows: [])
    hub.send(.document(closed, what: "closed"))
    if let record = table[id], let parent = record.parent, folders[parent] != nil {
      Task { [weak self] in await self?.tellRow(id, in: parent) }
    }
  }

  private func tellRow(_ id: BrowserItem.ID, in parent: BrowserItem.ID) async {
    if let item = try? await item(id) { tell([item], in: parent) }
  }

  /// Keeps what is unsaved in the documents of a provider, and closes them.
  func closeDocuments(of provider: any BrowserProvider) async {
    for (id, entry) in open where table[id]?.provider == provider.identifier {
      do {
        try await entry.document.closeIntoRecovery()
        ended(id)
      } catch {
        hub.send(.failed(Self.diagnostic(error)))
      }
    }
  }

  /// Saves and closes all documents, and stores the session: the end of the program.
  /// - Returns: the errors of documents that could not be saved; their contents are in the recovery journal.
  public func close() async -> [Diagnostic] {
    var faults: [Diagnostic] = []
    do { try await saveSession() } catch { faults.append(Self.diagnostic(error)) }
    let shown = windows
    for (id, entry) in open {
      do {
        try await entry.document.close(discarding: false)
      } catch {
        faults.append(Self.diagnostic(error, at: entry.document.path))
        do { try await entry.document.closeIntoRecovery() } catch {
          faults.append(Self.diagnostic(error, at: entry.document.path))
        }
      }
      ended(id)
    }
    // The session that is stored has the documents that were open.
    windows = shown
    sessionTask?.cancel()
    return faults
  }
}
