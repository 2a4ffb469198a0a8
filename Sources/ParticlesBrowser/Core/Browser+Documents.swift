internal import ParticlesContainer
public import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages

extension Browser {
  private var documentConfiguration: DocumentConfiguration {
    let folders = environment.directories
    var configuration = DocumentConfiguration(dataFolder: folders.dataHome)
    configuration.presenceFolder = folders.runtime ?? folders.dataHome
    configuration.autosave = self.configuration.autosave
    // Each takes 1 kB: an hour of editing must not fill the memory of many documents.
    configuration.undoCount = 1_000
    configuration.places = places
    configuration.isViewing = self.configuration.isReadOnly
    return configuration
  }

  /// Opens a document in a window, whose other document is closed first. One that cannot be closed stays open in the
  /// background. Two windows have the same document.
  /// - Throws: the error that makes it unreadable. The window shows no document then.
  public func open(_ id: BrowserItem.ID, in window: String) async throws -> BrowserDocument {
    try await open(id, in: window, as: nil)
  }

  /// - Parameter wanted: `effect` to edit a file of another format as an effect; nil for the kind that it has.
  func open(
    _ id: BrowserItem.ID, in window: String, as wanted: BrowserDocument.Kind?
  ) async throws -> BrowserDocument {
    // An open document needs no item: its file may be gone.
    var item: BrowserItem?
    if open[id] == nil {
      let found = try await self.item(id)
      guard found.isSelectable, !found.isFolder else {
        throw found.problem
          ?? Diagnostic(
            .range, at: Location(file: found.path), "it cannot be opened here",
            expected: "a document of an allowed type", found: found.type)
      }
      do { try await hooks.willOpen(found) } catch {
        throw Self.diagnostic(error, at: found.path)
      }
      item = found
    }
    if let other = self.window(window).document, other != id { await leaveDocument(in: window) }
    if open[id] == nil, let item { try await openDocument(item, as: wanted) }
    guard open.join(id, window) else { throw Self.gone(id) }
    windows.show(id, in: window)
    windows.comeBack(window)
    sessionChanged()
    return try await document(id)
  }

  /// The document at a path, or the one of this identity that was there and has another name since.
  func item(atPath path: String, identity: String?) async throws -> BrowserItem? {
    if let identity {
      if let id = open.item(ofFile: identity) {
        return try await item(id)
      }
      for provider in providers where provider is FolderProvider {
        let reference: JSONValue = [
          "provider": .string(provider.identifier), "path": .string(path),
          "identity": .string(identity),
        ]
        if let found = Reference(json: reference), let item = await item(of: found) { return item }
      }
    }
    return try await item(atPath: path)
  }

  /// The open document that was at a path.
  func openDocument(atPath path: String) async -> BrowserDocument? {
    guard let id = open.item(atPath: path) else { return nil }
    return try? await document(id)
  }

  private func openDocument(_ item: BrowserItem, as wanted: BrowserDocument.Kind?) async throws {
    let path = try await localFile(of: item.id)
    let configuration = documentConfiguration(of: item)
    let own = documentTypes.first { $0.identifier == item.type }
    let kind = try wanted ?? (own != nil ? .own : Self.kind(of: path))
    let document: any OpenDocument
    switch kind {
    case .effect:
      document = try await registry.effect(at: path, configuration: configuration)
    case .text:
      document = try await registry.document(
        PlainText.self, at: path, configuration: configuration)
    case .own:
      guard let own else { throw Self.gone(item.id) }
      document = try await own.open(registry, path, configuration)
    case .other:
      document = try await registry.document(
        FileTree.self, at: path, configuration: viewing(configuration))
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
    table.pin(item.id)
    do {
      try await document.open()
      // A package is opened before its effect is read.
      if let effect = document as? Document<EffectPackage> { _ = try await effect.content.system() }
      if kind == .other { _ = try OpenedEffect(path: path) }
    } catch {
      try? await document.close(discarding: true)
      ended(item.id, wasOpened: false)
      throw Self.diagnostic(error, at: path)
    }
    noteIdentity(item.id)
    noteRecent(path, item.name, item.kind)
    await tellDocument(item.id, "opened")
  }

  /// The configuration of a document of a provider: what it has elsewhere gets every save, and what it cannot write
  /// is only viewed.
  private func documentConfiguration(of item: BrowserItem) -> DocumentConfiguration {
    guard let record = table[item.id], !(provider(record.provider) is FolderProvider) else {
      return documentConfiguration
    }
    var configuration = documentConfiguration
    configuration.afterSaving = { [weak self, id = item.id] in
      try await self?.store($0, of: id)
    }
    return item.isWritable ? configuration : viewing(configuration)
  }

  /// Hands what was saved in a local file to the provider of its document.
  private func store(_ file: String, of id: BrowserItem.ID) async throws {
    guard let record = table[id], let provider = provider(record.provider) else {
      throw Self.gone(id)
    }
    do { try await provider.store(file, at: record.path) } catch {
      throw Self.diagnostic(error, at: record.path)
    }
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
    case .saved, .moved, .reloaded, .merged: noteIdentity(id)
    default: break
    }
    switch event {
    case .opened, .closed: return
    case .states:
      let hasChanges = await entry.document.hasUnsavedChanges
      let isOther = open[id]?.hasChanges != hasChanges
      open[id]?.hasChanges = hasChanges
      if !hasChanges, let path = entry.document.path { edits.saved(id, entry.opening, at: path) }
      if isOther, let item = try? await item(id), let parent = item.parent {
        tell([item], in: parent)
      }
      await settle(id)
      what = "states"
    case .edited: what = "edited"
    case .changed: what = "changed"
    case .gestureEnded: what = "edited"
    case .saved:
      if await !entry.document.hasUnsavedChanges, let path = entry.document.path {
        edits.saved(id, entry.opening, at: path)
      }
      what = "saved"
    case .progress(let progress):
      open[id]?.progress = progress.fraction < 1 ? progress.fraction : nil
      what = "progress"
    case .moved(let old, let new):
      await follow(id, from: old, to: new)
      what = "moved"
    case .reloaded: what = "reloaded"
    case .merged: what = "merged"
    case .outside(let change):
      if var document = try? await document(id) {
        document.outside = .object(Self.outline(change))
        hub.send(.document(document, what: "outside"))
      }
      return
    case .conflict: what = "conflict"
    case .deleted:
      open[id]?.isGone = true
      what = "deleted"
    case .undecodable: what = "undecodable"
    case .failed(let error):
      hub.send(.failed(Self.diagnostic(error)))
      what = "failed"
    case .retrying: what = "retrying"
    }
    await tellDocument(id, what)
  }

  private func noteIdentity(_ id: BrowserItem.ID) {
    guard let path = open[id]?.document.path else { return }
    let identity = FolderListing.stamp(of: path)
    open[id]?.identity = identity
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

  func tellDocument(_ id: BrowserItem.ID, _ what: String) async {
    guard let document = try? await document(id) else { return }
    hub.send(.document(document, what: what))
  }

  /// An open document as it is now.
  func document(_ id: BrowserItem.ID) async throws -> BrowserDocument {
    guard let entry = open[id] else {
      throw Diagnostic(.fileClosed, at: Location(file: table[id]?.path))
    }
    var document = await entry.document.described(as: id, entry)
    open[id]?.hasChanges = document.states.contains("changed")
    if let name = providedName(id) { document.displayName = name }
    return document
  }

  /// The title of a document that a provider of an application or an archive has: its local file keeps the name that it had when it was
  /// opened. Nil for files of this machine, which tell their names.
  private func providedName(_ id: BrowserItem.ID) -> String? {
    guard let record = table[id], !(provider(record.provider) is FolderProvider) else { return nil }
    return DocumentNames.displayName(of: record.name).escapingControls
  }

  /// Tells open documents of a provider of an application that they have other names: none of their files was renamed.
  func tellNames(_ ids: [BrowserItem.ID]) async {
    for id in ids where open[id] != nil && providedName(id) != nil {
      await tellDocument(id, "moved")
    }
  }

  /// The open documents.
  public func documents() async -> [BrowserDocument] {
    var result: [BrowserDocument] = []
    for id in open.items {
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
    guard let id = windows[window]?.document else { return }
    if let entry = open[id], open.isShown(id, onlyIn: window) {
      try await entry.document.close(discarding: isDiscarding)
      ended(id)
    } else {
      open.leave(id, window)
      try? await endGestures(of: window, in: id)
    }
    windows.show(nil, in: window)
    sessionChanged()
  }

  /// A document is not open any more.
  /// - Parameters:
  ///   - isKept: whether its contents are stored nowhere else than in the journal of edits.
  ///   - wasOpened: whether its opening was told, so that its end is.
  func ended(
    _ id: BrowserItem.ID, keepingJournal isKept: Bool = false, wasOpened: Bool = true
  ) {
    guard let entry = open.remove(id) else { return }
    edits.end(id, entry.opening, keepingJournal: isKept)
    entry.task?.cancel()
    table.unpin(id)
    windows.forget(id)
    let closed = BrowserDocument(
      id: id, displayName: providedName(id) ?? entry.document.displayName.escapingControls,
      path: entry.document.path ?? "", kind: entry.kind, states: ["closed"], revision: 0,
      windows: [])
    if wasOpened { hub.send(.document(closed, what: "closed")) }
    if let record = table[id], let parent = record.parent, folders[parent] != nil {
      Task { [weak self] in await self?.tellRow(id, in: parent) }
    }
  }

  private func tellRow(_ id: BrowserItem.ID, in parent: BrowserItem.ID) async {
    if let item = try? await item(id) { tell([item], in: parent) }
  }

  /// Keeps what is unsaved in the documents of a provider, and closes them.
  func closeDocuments(of provider: any BrowserProvider) async {
    for (id, entry) in open.all where table[id]?.provider == provider.identifier {
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
    for (id, entry) in open.all {
      var isKept = false
      do {
        // The user has removed it: its changes stay in the journal.
        if entry.isRemoved {
          try await entry.document.closeIntoRecovery()
        } else {
          try await entry.document.close(discarding: false)
        }
      } catch {
        faults.append(Self.diagnostic(error, at: entry.document.path))
        do { try await entry.document.closeIntoRecovery() } catch {
          faults.append(Self.diagnostic(error, at: entry.document.path))
          isKept = true
        }
      }
      ended(id, keepingJournal: isKept)
    }
    // The session that is stored has the documents that were open.
    windows = shown
    sessionTask?.cancel()
    return faults
  }
}
