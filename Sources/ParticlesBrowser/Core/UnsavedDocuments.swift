internal import ParticlesContainer
internal import ParticlesPackages
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesSystem

/// An open document of any contents that may be unsavable, or whose file may be gone.
protocol KeptDocument: OpenDocument {
  /// Keeps unsaved contents in the recovery journal.
  func keepChanges(again isAgain: Bool) async throws
  /// See ``ParticlesDocuments/Document/lookOutside()``.
  func lookOutside() async throws
  /// Stores the contents now, where automatic saves do.
  func autosave() async throws
  /// See ``ParticlesDocuments/Document/recreate()``.
  func recreate() async throws
  /// See ``ParticlesDocuments/Document/discard()``.
  func discard() async throws
  /// See ``ParticlesDocuments/Document/takeBackOutside()``.
  func takeBackOutside() throws
  /// See ``ParticlesDocuments/Document/duplicate(to:as:)``.
  func duplicate(to path: String?, as form: Container.Form) async throws -> String
  /// See ``ParticlesDocuments/Document/recoverable()``.
  func recoverable() async throws -> [RecoveredContents]
  /// See ``ParticlesDocuments/Document/recoverMerging(_:)``.
  func recoverMerging(_ entry: RecoveredContents) async throws
}

extension Document: KeptDocument {}

/// The ways out for an open document that cannot be saved, or whose file is gone.
enum Rescue: String, CaseIterable, Sendable {
  /// Takes its file out of the trash.
  case restore
  /// Writes its file again where it was.
  case recreate
  /// Gives the unsaved changes up.
  case discard
  /// Writes the document elsewhere, and discards its changes here.
  case copy
  /// Takes the last change by another program back.
  case outside
}

extension Browser {
  /// The description of a change by another program, for pages.
  static func outline(_ change: OutsideChange) -> JSONObject {
    var object: JSONObject = [
      "seconds": .double(change.seconds),
      "parts": .array(change.parts.prefix(8).map(JSONValue.string)),
    ]
    object["program"] = change.program.map { .string($0.escapingControls) }
    object["before"] = change.before.map { .int($0) }
    object["after"] = change.after.map { .int($0) }
    object["endsUndo"] = change.endsUndo.map { .string($0.escapingControls) }
    return object
  }
}

// Documents that cannot be closed or saved, and those whose files this browser removes.

extension Browser {
  /// The open documents that no window shows, because they could not be closed.
  func backgroundDocuments() async -> [BrowserDocument] {
    var result: [BrowserDocument] = []
    for (id, entry) in open.all where entry.isInBackground {
      if let document = try? await document(id) { result.append(document) }
    }
    return result
  }

  /// Closes the document of a window. If that fails, the document stays open in the background, and its changes are in
  /// the recovery journal.
  /// - Returns: the document in the background, or nil if it was closed.
  @discardableResult
  func leaveDocument(in window: String) async -> BrowserDocument? {
    guard let id = windows[window]?.document else { return nil }
    do {
      try await closeDocument(in: window)
      return nil
    } catch {
      do { try await kept(id)?.keepChanges(again: false) } catch {
        hub.send(.failed(Self.diagnostic(error)))
      }
    }
    open.putAside(id, from: window)
    if windows[window]?.document == id { windows.show(nil, in: window) }
    sessionChanged()
    await tellDocument(id, "background")
    return try? await document(id)
  }

  private func kept(_ id: BrowserItem.ID) -> (any KeptDocument)? {
    open[id]?.document as? any KeptDocument
  }

  /// Notes that the file of a document has come back. Closes a document in the background without unsaved changes.
  func settle(_ id: BrowserItem.ID) async {
    guard let document = open[id]?.document else { return }
    var states = await document.states
    if open[id]?.isGone == true, !states.contains(.deleted) {
      open[id]?.isGone = false
      open[id]?.isRemoved = false
      open[id]?.trashed = nil
      // With the edits made meanwhile.
      try? await kept(id)?.autosave()
      states = await document.states
    }
    guard open[id]?.isInBackground == true, states.isDisjoint(with: [.changed, .inConflict]) else {
      return
    }
    do { try await document.close(discarding: false) } catch { return }
    ended(id)
  }

  // MARK: Removal by this browser

  /// Prepares the open documents of an item that is removed. Unsaved contents are in the recovery journal then.
  /// Documents that no window shows are closed.
  /// - Returns: the documents that windows show.
  func prepareRemoval(of id: BrowserItem.ID?) async throws -> [BrowserItem.ID] {
    guard let id else { return [] }
    var shown: [BrowserItem.ID] = []
    for (other, entry) in open.all where other == id || isInside(other, id) {
      if !entry.windows.isEmpty, let document = kept(other) {
        if await document.hasUnsavedChanges { try await document.keepChanges(again: false) }
        shown.append(other)
      } else {
        try await entry.document.closeIntoRecovery()
        ended(other)
      }
    }
    return shown
  }

  /// Tells the windows that show documents that their files were removed.
  /// - Parameter step: how they were moved to the trash, or nil if they were deleted for good.
  func removed(_ ids: [BrowserItem.ID], by step: CommandJournal.Step?) async {
    for id in ids {
      open[id]?.isRemoved = true
      open[id]?.trashed = step
      try? await kept(id)?.lookOutside()
      await tellDocument(id, "trashed")
    }
  }

  /// Looks again at the documents whose files are gone: an operation may have brought them back.
  func lookForGone() async {
    for (id, entry) in open.all where entry.isGone || entry.trashed != nil {
      try? await kept(id)?.lookOutside()
      await settle(id)
      await tellDocument(id, "returned")
    }
  }

  // MARK: Ways out

  /// Takes a way out.
  /// - Parameters:
  ///   - id: the document.
  ///   - window: the window that asks.
  ///   - folder: the location of a copy.
  ///   - name: the name of a copy.
  /// - Returns: the item of a copy.
  func rescue(
    _ id: BrowserItem.ID, by way: Rescue, in window: String, to folder: BrowserItem.ID? = nil,
    named name: String? = nil
  ) async throws -> BrowserItem? {
    guard let document = kept(id) else {
      throw Diagnostic(.fileClosed, at: Location(file: table[id]?.path))
    }
    switch way {
    case .restore: try await putBack(id)
    case .recreate:
      try await document.recreate()
      await settle(id)
    case .discard: try await giveUp(id, document)
    case .outside: try await document.takeBackOutside()
    case .copy:
      let path = document.path ?? ""
      let item = try await add(
        named: name ?? Files.lastComponent(of: path), pathExtension: Files.pathExtension(of: path),
        to: folder ?? "", "New Document"
      ) { place in try await Self.copy(document, to: place) }
      // The copy has the changes. Other windows go on with the document.
      if open.isShown(id, onlyIn: window) {
        try await document.close(discarding: true)
        ended(id)
      }
      return item
    }
    return nil
  }

  private func giveUp(_ id: BrowserItem.ID, _ document: any KeptDocument) async throws {
    try await document.discard()
    if await document.states.contains(.closed) { ended(id) } else { await settle(id) }
  }

  private static func copy(_ document: any KeptDocument, to path: String) async throws {
    _ = try await document.duplicate(to: path, as: .flat)
  }

  /// Takes the file of a document out of the trash again: the opposite of the step that has moved it there. Later
  /// operations stay.
  private func putBack(_ id: BrowserItem.ID) async throws {
    await begin()
    defer { end() }
    guard let step = open[id]?.trashed else {
      throw Diagnostic(
        .fileNotFound, at: Location(file: open[id]?.document.path), "it is not in the trash",
        hint: "save it as a new document")
    }
    let (result, _, folders) = await invert(step)
    if let fault = result.diagnostic { throw fault }
    journal.remove(step)
    let name = open[id]?.document.path.map(Files.lastComponent)
    for folder in folders { await refresh(folder, name.map { [$0] }) }
    hub.send(.reload(location: BrowserLocation.trash))
    tellUndo()
    await lookForGone()
  }
}

// Unsaved contents that programs have left, and why a document cannot be saved.

extension Browser {
  private var recovery: RecoveryStore? {
    environment.directories.dataHome.map { RecoveryStore(dataFolder: $0) }
  }

  /// The entries that no running program holds, the newest first. Empty in a read-only browser.
  func recoveredEntries() throws -> [RecoveredContents] {
    guard !configuration.isReadOnly else { return [] }
    return try recovery?.entries().filter { !$0.isInUse } ?? []
  }

  /// An entry by its identifier.
  func recoveredEntry(_ name: String) throws -> RecoveredContents {
    guard let entry = try recoveredEntries().first(where: { $0.identifier == name }) else {
      throw Diagnostic(
        .fileNotFound, "the unsaved changes are not there any more", hint: "list them again")
    }
    return entry
  }

  /// An entry, as pages show it.
  static func outline(_ entry: RecoveredContents) -> JSONObject {
    var object: JSONObject = [
      "entry": .string(entry.identifier), "path": .string(entry.path.escapingControls),
      "name": .string(Files.lastComponent(of: entry.path).escapingControls),
      "seconds": .double(entry.seconds), "program": .string(entry.program),
      "size": .int(entry.size),
    ]
    object["fault"] = entry.fault?.json
    return object
  }

  /// The item of an entry's document. Nil if it is gone, or in no location.
  func document(of entry: RecoveredContents) async -> BrowserItem? {
    entry.path.isEmpty ? nil : (try? await item(atPath: entry.path)) ?? nil
  }

  /// Takes the newest entry of an open document into it as an edit. If the file was changed since, both are merged.
  /// - Parameter name: the identifier of the entry. Nil for the newest.
  /// - Returns: the entry, if the document has changed by it.
  func takeRecovered(_ id: BrowserItem.ID, _ name: String? = nil) async throws -> RecoveredContents?
  {
    guard let document = open[id]?.document as? any KeptDocument,
      let entry = try await document.recoverable().first(where: {
        name == nil || $0.identifier == name
      })
    else { return nil }
    let before = await document.revision
    try await document.recoverMerging(entry)
    return await document.revision == before ? nil : entry
  }

  /// The newest entry of an open document that was not taken.
  func offeredEntry(_ id: BrowserItem.ID) async -> RecoveredContents? {
    guard !configuration.isReadOnly, let document = open[id]?.document as? any KeptDocument else {
      return nil
    }
    return try? await document.recoverable().first
  }

  func recoveredEffect(_ name: String) throws -> EffectPackage {
    try recoveredContents(name).effect
  }

  /// The text of an entry, or nil if the entry is no text.
  func recoveredText(_ name: String) throws -> String? {
    let entry = try recoveredEntry(name)
    guard let bytes = try recovery?.contents(of: entry, limits: .untrusted).regularFileContents()
    else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private func recoveredContents(_ name: String) throws -> EffectFile {
    let entry = try recoveredEntry(name)
    guard let contents = try recovery?.contents(of: entry, limits: .untrusted) else {
      throw Diagnostic(.fileNotFound)
    }
    return try EffectFile(
      contents: contents, limits: .untrusted, path: entry.path.isEmpty ? nil : entry.path)
  }

  /// Writes an entry as a document to a folder, and removes it. An edited file of another format becomes a package.
  /// - Parameter title: the name of the file. Nil selects the name of the document that was not saved.
  func saveRecovered(
    _ name: String, as title: String?, in folder: BrowserItem.ID
  ) async throws -> BrowserItem {
    let entry = try recoveredEntry(name)
    guard let recovery else { throw Diagnostic(.fileNotFound) }
    let contents = try recovery.contents(of: entry, limits: .untrusted)
    let path = entry.path.isEmpty ? "Untitled.particles" : entry.path
    let effect = contents.isDirectory ? try recoveredContents(name).effect : nil
    let kind = effect == nil ? Files.pathExtension(of: path) : "particles"
    let stem = title ?? Files.lastComponent(of: path)
    let named = Files.pathExtension(of: stem) == kind ? stem : "\(Files.stem(of: stem)).\(kind)"
    let item = try await add(named: named, pathExtension: kind, to: folder, "New Document") {
      if var container = effect?.container {
        try container.save(to: $0, as: .flat)
      } else {
        _ = try PathStorage($0).write(contents, replacing: nil, StorageOptions())
      }
    }
    try recovery.discard(entry)
    return item
  }

  /// Removes an entry.
  func discardRecovered(_ name: String) throws {
    try recovery?.discard(recoveredEntry(name))
  }

  // MARK: Obstacles

  /// Why an open document cannot be saved in place, in a word for pages, with the folder. Nil if it can be saved, or in
  /// a browser for viewing.
  func obstacle(_ id: BrowserItem.ID) async -> JSONObject? {
    guard !configuration.isReadOnly, let document = open[id]?.document,
      await document.states.contains(.readOnly), let path = document.path
    else { return nil }
    let folder = Files.folder(of: (try? Files.target(of: path)) ?? path)
    let words: String
    if let effect = document as? any EditedEffect, await effect.foreign?.isWritable == false {
      words = "format"
    } else if Files.canCreate(in: folder) {
      words = "file"
    } else {
      words = "folder"
    }
    return [
      "kind": .string(words), "folder": .string(Files.lastComponent(of: folder).escapingControls),
    ]
  }
}
