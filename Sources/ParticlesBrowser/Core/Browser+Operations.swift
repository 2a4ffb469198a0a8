internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments

extension Browser {
  /// Does an operation. It is planned whole first; each item has a result, and one that fails leaves the others alone.
  public func perform(_ operation: BrowserOperation) async -> BrowserOutcome {
    await begin()
    defer { end() }
    _ = await roots()
    let steps = await steps(operation)
    var results: [BrowserResult] = []
    var notes: [CommandJournal.Step] = []
    var touched: [BrowserItem.ID: Set<String>] = [:]
    for step in steps {
      if let fault = step.fault {
        results.append(step.result(.failed, fault))
      } else if step.work == nil {
        results.append(step.result(.skipped))
      } else {
        if let record = step.id.flatMap({ table[$0] }), let parent = record.parent {
          touched[parent, default: []].insert(record.name)
        }
        let (result, note, folder) = await execute(step)
        results.append(result)
        if let note { notes.append(note) }
        if let folder {
          let made = result.item?.name ?? step.target.map { Files.lastComponent(of: $0) }
          touched[folder, default: []].insert(made ?? step.name)
        }
      }
      if case .importFiles(_, _, let mode) = operation, mode != .none {
        tell(results[results.count - 1])
      }
    }
    if case .renameAll(let pairs) = operation {
      let places = Dictionary(
        pairs.enumerated().map { ($0.element.item, $0.offset) }, uniquingKeysWith: min)
      results.sort { (places[$0.source] ?? 0) < (places[$1.source] ?? 0) }
    }
    let name = operation.name
    if operation.canBeUndone { journal.add(name, notes) }
    for (folder, names) in touched { await refresh(folder, names) }
    if touched[BrowserLocation.trash] != nil || operation.touchesTrash {
      hub.send(.reload(location: BrowserLocation.trash))
      await lookForGone()
    }
    tellUndo()
    let isUndoable = operation.canBeUndone && !notes.isEmpty
    return BrowserOutcome(results, undoName: isUndoable ? name : nil)
  }

  private func tell(_ result: BrowserResult) {
    if let item = result.item {
      hub.send(.imported(source: result.source, item))
    } else if let diagnostic = result.diagnostic {
      hub.send(.failedImport(source: result.source, diagnostic))
    }
  }

  func tellUndo() { hub.send(.undo(undoName: undoName, redoName: redoName)) }

  /// Does a step.
  /// - Returns: the result, the step for the journal, and the folder that has another entry.
  func execute(
    _ step: OperationStep
  ) async -> (BrowserResult, CommandJournal.Step?, BrowserItem.ID?) {
    do {
      switch step.work {
      case .move(let path, let place, let name):
        let isRestored = isInTrash(path, of: place.provider.identifier)
        let (new, isOpen) = try await move(step.id, path, to: place, name)
        let entry = try await place.provider.entry(at: new)
        var result = step.result(.done)
        if let entry {
          var id = step.id
          if isRestored, table.pinned(new, of: place.provider.identifier) != nil {
            // A window still shows it: the document keeps the identity that it had.
            if let id { forgetItem(id) }
            id = nil
          } else if let id, table[id] != nil {
            table.move(id, to: entry, in: place.id)
            noteMoves([id])
            await tellNames([id])
          }
          result.item = await self.item(entry, id, in: place)
        }
        if let item = result.item { hub.send(.moved(item, from: path)) }
        // An open document has told the list of recent ones by itself, or is told now.
        if recentTimes[path] != nil || isOpen { noteRecentMove(path, new) }
        let stamp = entry.map { Self.stamp($0, place.provider) } ?? nil
        let identifier = place.provider.identifier
        return (
          result,
          // Undo moves a restored item to the trash again.
          isRestored
            ? .made(provider: identifier, path: new, identity: stamp)
            : .moved(provider: identifier, from: path, to: new, identity: stamp), place.id
        )
      case .copy(let path, let place, let name):
        guard let provider = step.provider else { throw Self.gone(step.source) }
        try await saveIfOpen(step.id)
        let file = try await provider.localFile(of: path)
        let new = try await add(file, to: place, name, moving: false)
        return try await made(step, new, in: place)
      case .bring(let file, let place, let name, let isMoving):
        let new = try await add(file, to: place, name, moving: isMoving)
        var made = try await made(step, new, in: place)
        if isMoving, case .made(let provider, let path, let identity) = made.1 {
          // Undo puts the file back where it was.
          made.1 = .brought(provider: provider, from: file, to: path, identity: identity)
        }
        return made
      case .trash(let path):
        guard let provider = step.provider else { throw Self.gone(step.source) }
        let shown = try await prepareRemoval(of: step.id)
        let new = try await provider.remove(path, permanently: false)
        let note = new.map {
          CommandJournal.Step.trashed(provider: provider.identifier, from: path, to: $0)
        }
        if let id = step.id { forgetItem(id) }
        await removed(shown, by: note)
        return (step.result(.done), note, nil)
      case .delete(let path):
        guard let provider = step.provider else { throw Self.gone(step.source) }
        let shown = try await prepareRemoval(of: step.id)
        _ = try await provider.remove(path, permanently: true)
        if let id = step.id { forgetItem(id) }
        await removed(shown, by: nil)
        return (step.result(.done), nil, nil)
      case .makeFolder(let place, let name):
        let folder = try TemporaryFolder()
        let file = Files.joined(folder.path, "folder")
        try Files.makeDirectory(file)
        let new: String
        if place.provider is FolderProvider {
          new = Files.joined(place.path, name)
          try Files.makeDirectory(new)
        } else {
          new = try await place.provider.add(file, to: place.path, named: name, moving: true)
        }
        return try await made(step, new, in: place)
      case nil: return (step.result(.skipped), nil, nil)
      }
    } catch {
      return (step.result(.failed, Self.diagnostic(error)), nil, nil)
    }
  }

  /// Adds a file to a folder. If another program has taken the name since the plan was made, a number is added.
  private func add(
    _ file: String, to place: OperationStep.Place, _ name: String, moving isMoving: Bool
  ) async throws -> String {
    var free = name
    for isLast in [false, false, true] {
      do {
        return try await place.provider.add(file, to: place.path, named: free, moving: isMoving)
      } catch let fault as Diagnostic where fault.rule == .fileExists && !isLast {
        free = try await freeName(name, in: place)
      }
    }
    throw Diagnostic(.fileExists, at: Location(file: Files.joined(place.path, free)))
  }

  /// A name with a number that is free in a folder as it is now.
  private func freeName(_ name: String, in place: OperationStep.Place) async throws -> String {
    var names = PlannedNames()
    names.begin(place.id, try await place.provider.entries(in: place.path).entries.map(\.name))
    names.take(name, in: place.id)
    return names.unique(name, in: place.id)
  }

  /// The result of a step that has made an entry.
  private func made(
    _ step: OperationStep, _ path: String, in place: OperationStep.Place
  ) async throws -> (BrowserResult, CommandJournal.Step?, BrowserItem.ID?) {
    let entry = try await place.provider.entry(at: path)
    var result = step.result(.done)
    if let entry { result.item = await item(entry, nil, in: place) }
    return (
      result,
      .made(
        provider: place.provider.identifier, path: path,
        identity: entry.flatMap { Self.stamp($0, place.provider) }), place.id
    )
  }

  /// The identity of an entry for the journal. The numbers of files are used again after they were deleted; the time of
  /// creation tells the new one.
  static func stamp(_ entry: ProviderEntry, _ provider: any BrowserProvider) -> String? {
    provider is FolderProvider ? FolderListing.stamp(of: entry.path) : entry.identity
  }

  /// Whether a path of a provider is that of an item in a trash.
  private func isInTrash(_ path: String, of provider: String) -> Bool {
    guard let trash = trashProvider, trash.identifier == provider else { return false }
    return trash.trash.item(at: path) != nil
  }

  func item(
    _ entry: ProviderEntry, _ id: BrowserItem.ID?, in place: OperationStep.Place
  ) async -> BrowserItem? {
    let id = id ?? table.id(of: entry, from: place.provider.identifier, in: place.id)
    return await items([(id, entry)], of: place.provider, in: place.id, heads: true).first
  }

  /// Moves an entry. An open document moves its file itself, so that it and its versions follow.
  func move(
    _ id: BrowserItem.ID?, _ path: String, to place: OperationStep.Place, _ name: String
  ) async throws -> (path: String, isOpen: Bool) {
    if let id, let document = open[id]?.document, place.provider is FolderProvider,
      let folder = place.provider as? FolderProvider, await folder.isInside(place.path)
    {
      let target = Files.joined(place.path, name)
      try await document.move(to: target)
      return (target, true)
    }
    var free = name
    for isLast in [false, false, true] {
      do {
        return (try await place.provider.move(path, to: place.path, named: free), false)
      } catch let fault as Diagnostic
        where fault.rule == .fileExists && !isLast
        && isInTrash(path, of: place.provider.identifier)
      {
        // A restored item gets a number, also if another program has taken its name since the plan was made.
        free = try await freeName(free, in: place)
      }
    }
    throw Diagnostic(.fileExists, at: Location(file: Files.joined(place.path, free)))
  }

  /// Saves an open document, so that its copy is complete.
  private func saveIfOpen(_ id: BrowserItem.ID?) async throws {
    guard let id, let document = open[id]?.document, await document.hasUnsavedChanges else {
      return
    }
    try await document.save()
  }

  /// Closes an open document whose file is removed; unsaved contents go into the recovery journal.
  func leave(_ id: BrowserItem.ID?) async throws {
    guard let id else { return }
    // A folder may have open documents in it.
    for (other, entry) in open.all where other == id || isInside(other, id) {
      try await entry.document.closeIntoRecovery()
      ended(other)
    }
  }

  func isInside(_ id: BrowserItem.ID, _ folder: BrowserItem.ID) -> Bool {
    var next = table[id]?.parent
    var steps = 0
    while let parent = next, steps < 64 {
      if parent == folder { return true }
      next = table[parent]?.parent
      steps += 1
    }
    return false
  }

  func forgetItem(_ id: BrowserItem.ID) {
    table.remove(id)
    (formats[id], problems[id], shownTags[id]) = (nil, nil, nil)
  }

  func noteRecentMove(_ path: String, _ new: String) {
    try? recents?.move(path, to: new)
    if let seconds = recentTimes.removeValue(forKey: path) { recentTimes[new] = seconds }
  }
}

extension BrowserOperation {
  fileprivate var touchesTrash: Bool {
    switch self {
    case .trash, .restore, .delete, .emptyTrash: true
    default: false
    }
  }
}

/// A folder for one operation, which is removed with its contents.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = Files.temporaryName(beside: Files.joined(Files.temporaryFolder, "particles"))
    try Files.makeDirectory(path, mode: 0o700)
  }

  deinit { try? Files.removeAll(path) }
}
