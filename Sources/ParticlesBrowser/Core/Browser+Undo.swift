internal import ParticlesCore
internal import ParticlesDocuments

extension Browser {
  /// The name of the operation that can be undone next; nil if there is none.
  public var undoName: String? { journal.done.last?.name }

  /// The name of the operation that can be redone next; nil if there is none.
  public var redoName: String? { journal.undone.last?.name }

  /// Takes the last operation back. An item that was changed since is left alone, with the reason.
  @discardableResult
  public func undo() async -> BrowserOutcome { await walk(redo: false) }

  /// Does the last operation that was taken back again.
  @discardableResult
  public func redo() async -> BrowserOutcome { await walk(redo: true) }

  private func walk(redo isRedo: Bool) async -> BrowserOutcome {
    await begin()
    defer { end() }
    guard !configuration.isReadOnly else {
      return BrowserOutcome([
        BrowserResult(source: "", name: "", status: .failed, diagnostic: Self.readOnly(nil))
      ])
    }
    _ = await roots()
    guard let command = journal.take(redo: isRedo) else { return BrowserOutcome([]) }
    var results: [BrowserResult] = []
    var inverse: [CommandJournal.Step] = []
    var touched: [BrowserItem.ID: Set<String>] = [:]
    for step in command.steps.reversed() {
      let (result, other, folders) = await invert(step)
      results.append(result)
      if let other { inverse.append(other) }
      // The names that it has left and taken.
      let names = Set([step.path, other?.path].compactMap(\.self).map(Files.lastComponent))
      for folder in folders { touched[folder, default: []].formUnion(names) }
    }
    // In the order of the operation.
    results.reverse()
    journal.put(
      CommandJournal.Command(name: command.name, steps: inverse, seconds: WallClock.seconds),
      redo: isRedo)
    for (folder, names) in touched { await refresh(folder, names) }
    // Tags are no change of an entry.
    let tagged = zip(command.steps, results).compactMap { step, result -> BrowserItem? in
      if case .tagged = step { result.item } else { nil }
    }
    for (folder, items) in Dictionary(grouping: tagged, by: \.parent) {
      if let folder { tell(items, in: folder) }
    }
    hub.send(.reload(location: BrowserLocation.trash))
    await lookForGone()
    tellUndo()
    return BrowserOutcome(results, undoName: undoName)
  }

  /// Does the opposite of a step.
  /// - Returns: the result, and the opposite of what was done, which is noted for redo.
  func invert(
    _ step: CommandJournal.Step
  ) async -> (BrowserResult, CommandJournal.Step?, [BrowserItem.ID]) {
    var result = BrowserResult(
      source: step.path, name: Files.lastComponent(of: step.path), status: .done)
    do {
      guard let provider = provider(step.provider) else { throw Self.gone(step.path) }
      var folders = [await folder(of: step.path, provider)]
      let other: CommandJournal.Step
      switch step {
      case .moved(_, let from, let to, let identity):
        let id = try await check(to, identity, provider)
        let place = try await place(at: Files.folder(of: from), provider)
        let (new, _) = try await move(id, to, to: place, Files.lastComponent(of: from))
        let entry = try await provider.entry(at: new)
        if let id, let entry {
          table.move(id, to: entry, in: place.id)
          noteMoves([id])
        }
        if let entry { result.item = await item(entry, id, in: place) }
        noteRecentMove(to, new)
        other = .moved(
          provider: step.provider, from: to, to: new,
          identity: entry.flatMap { Self.stamp($0, provider) })
        folders.append(place.id)
      case .made(_, let path, let identity):
        let id = try await check(path, identity, provider)
        let shown = try await prepareRemoval(of: id)
        guard let trash = try await provider.remove(path, permanently: false) else {
          throw Self.gone(path)
        }
        if let id { forgetItem(id) }
        other = .trashed(provider: step.provider, from: path, to: trash)
        await removed(shown, by: other)
      case .brought(_, let from, let to, let identity):
        let id = try await check(to, identity, provider)
        try await leave(id)
        try await giveBack(to, of: provider, to: from)
        if let id { forgetItem(id) }
        other = .returned(provider: step.provider, from: to, to: from)
      case .returned(_, let from, let to):
        let place = try await place(at: Files.folder(of: from), provider)
        let new = try await provider.add(
          to, to: place.path, named: Files.lastComponent(of: from), moving: true)
        let entry = try await provider.entry(at: new)
        if let entry { result.item = await item(entry, nil, in: place) }
        other = .brought(
          provider: step.provider, from: to, to: new,
          identity: entry.flatMap { Self.stamp($0, provider) })
        folders.append(place.id)
      case .trashed(_, let from, let to):
        let place = try await place(at: Files.folder(of: from), provider)
        let new = try await provider.move(to, to: place.path, named: Files.lastComponent(of: from))
        let entry = try await provider.entry(at: new)
        if let entry { result.item = await item(entry, nil, in: place) }
        other = .made(
          provider: step.provider, path: new, identity: entry.flatMap { Self.stamp($0, provider) })
        folders.append(place.id)
      case .tagged(_, let path, let old, let new):
        guard provider is FolderProvider else { throw Self.gone(path) }
        guard FileTags.read(path) == new else {
          throw Diagnostic(.fileChanged, at: Location(file: path))
        }
        try FileTags.write(old, to: path)
        let id = folders[0].flatMap { table.id(named: Files.lastComponent(of: path), in: $0) }
        if let id { result.item = try? await item(id) }
        other = .tagged(provider: step.provider, path: path, from: new, to: old)
      }
      return (result, other, folders.compactMap(\.self))
    } catch {
      (result.status, result.diagnostic) = (.failed, Self.diagnostic(error, at: step.path))
      return (result, nil, [])
    }
  }

  /// Moves an entry that an import has moved into a folder to where the file was.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` if another file is there now, and others of the family `file`. The entry
  ///   stays then.
  private func giveBack(
    _ path: String, of provider: any BrowserProvider, to target: String
  ) async throws {
    guard try Files.status(target, followingLinks: false) == nil else {
      throw Diagnostic(
        .fileExists, at: Location(file: target), hint: "look at it, and move the document by hand")
    }
    if let folders = provider as? FolderProvider {
      return try await folders.giveBack(path, to: target)
    }
    try DocumentPlaces.copy(try await provider.localFile(of: path), to: target)
    _ = try await provider.remove(path, permanently: false)
  }

  /// Throws unless the entry at a path is the one of a step.
  /// - Returns: its item, if it is known.
  private func check(
    _ path: String, _ identity: String?, _ provider: any BrowserProvider
  ) async throws -> BrowserItem.ID? {
    guard let entry = try await provider.entry(at: path) else {
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    let parent = await folder(of: path, provider)
    let id = parent.flatMap { table.id(named: entry.name, in: $0) }
    // A save of ours has replaced the file; the item is the same.
    let isSame = Self.stamp(entry, provider) == identity || id.map { open[$0] != nil } ?? false
    guard isSame else {
      throw Diagnostic(
        .fileChanged, at: Location(file: path), "another file has this name now",
        hint: "look at it, and move it by hand")
    }
    return id
  }

  private func folder(of path: String, _ provider: any BrowserProvider) async -> BrowserItem.ID? {
    ((try? await item(at: Files.folder(of: path), of: provider)) ?? nil)?.id
  }

  private func place(
    at folder: String, _ provider: any BrowserProvider
  ) async throws -> OperationStep.Place {
    guard let id = ((try? await item(at: folder, of: provider)) ?? nil)?.id else {
      throw Diagnostic(.fileNotFound, at: Location(file: folder))
    }
    return OperationStep.Place(id: id, provider: provider, path: folder)
  }
}

extension CommandJournal.Step {
  fileprivate var provider: String {
    switch self {
    case .moved(let provider, _, _, _), .made(let provider, _, _), .trashed(let provider, _, _),
      .brought(let provider, _, _, _), .returned(let provider, _, _),
      .tagged(let provider, _, _, _):
      provider
    }
  }

  /// The path that it has left.
  fileprivate var path: String {
    switch self {
    case .moved(_, _, let path, _), .made(_, let path, _), .trashed(_, let path, _),
      .brought(_, _, let path, _), .returned(_, let path, _), .tagged(_, let path, _, _):
      path
    }
  }
}
