internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats

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
  /// Writes a document elsewhere, and gives this one up.
  case copy
  /// Takes the last change by another program back.
  case outside
}

extension Browser {
  /// A change by another program, as pages tell it.
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

  /// Takes the document of a window out of its way: it is closed, or, if that fails, stays open in the background, with its
  /// changes in the recovery journal.
  /// - Returns: the document in the background; nil if it was closed.
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

  /// Takes note of a document whose file has come back, and closes one in the background that has nothing unsaved any more.
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
  /// - Returns: those that windows show.
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
  /// - Parameter step: how they were moved to the trash; nil if they were deleted for good.
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
