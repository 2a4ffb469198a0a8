internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesSystem

extension Browser {
  /// Plans the whole operation, then performs it. Each item has a result. Failures do not stop the rest.
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
        // An open document updates the list of recent documents itself, or is updated here.
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
    names.reserve(name, in: place.id)
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

  /// The identity of an entry for the journal. File systems reuse the numbers of deleted files, so the time of creation
  /// is added.
  static func stamp(_ entry: ProviderEntry, _ provider: any BrowserProvider) -> String? {
    provider is FolderProvider ? FolderListing.stamp(of: entry.path) : entry.identity
  }

  /// Whether an item in a trash has this path.
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

  /// Closes an open document whose file is removed. Unsaved contents go into the recovery journal.
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

/// A folder for one operation. Deinitialising removes it with its contents.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = Files.temporaryName(beside: Files.joined(Files.temporaryFolder, "particles"))
    try Files.makeDirectory(path, mode: 0o700)
  }

  deinit { try? Files.removeAll(path) }
}

extension Browser {
  /// The results that an operation would have, without doing it.
  public func plan(_ operation: BrowserOperation) async -> BrowserOutcome {
    let steps = await steps(operation, planning: true)
    return BrowserOutcome(
      steps.map { step in
        let isNothing = step.work == nil && step.planned == nil
        return step.result(step.fault != nil ? .failed : isNothing ? .skipped : .done, step.fault)
      })
  }

  /// The steps of an operation, one for each item.
  /// - Parameter isPlanning: whether nothing is prepared either: folders to restore into are not made again.
  func steps(
    _ operation: BrowserOperation, planning isPlanning: Bool = false
  ) async -> [OperationStep] {
    var names = PlannedNames()
    var steps: [OperationStep]
    switch operation {
    case .rename(let id, let name): steps = [await renaming(id, name, &names)]
    case .renameAll(let pairs): steps = await renaming(pairs, &names)
    case .duplicate(let ids):
      steps = []
      for id in ids { steps.append(await duplicating(id, &names)) }
    case .move(let ids, let folder), .copy(let ids, let folder):
      let isMoving = if case .move = operation { true } else { false }
      let place = await place(folder, &names)
      steps = []
      for id in ids { steps.append(await placing(id, place, moving: isMoving, &names)) }
    case .trash(let ids): steps = ids.map { removing($0, permanently: false) }
    case .delete(let ids): steps = ids.map { removing($0, permanently: true) }
    case .restore(let ids, let folder):
      let place: Result<OperationStep.Place, Diagnostic>?
      if let folder { place = await self.place(folder, &names) } else { place = nil }
      steps = []
      for id in ids { steps.append(await restoring(id, place, planning: isPlanning, &names)) }
    case .emptyTrash:
      let listing = try? await listTrash(BrowserQuery(BrowserLocation.trash))
      steps = (listing?.items ?? []).map { removing($0.id, permanently: true) }
    case .importFiles(let paths, let folder, let mode):
      let place = await place(folder, &names)
      steps = []
      for path in paths { steps.append(importing(path, place, mode, &names)) }
    case .createFolder(let name, let folder):
      let place = await place(folder, &names)
      steps = [makingFolder(name, place, &names)]
    }
    guard configuration.isReadOnly else { return steps }
    for index in steps.indices where steps[index].work != nil {
      steps[index].fault = Self.readOnly(steps[index].name)
    }
    return steps
  }

  static func readOnly(_ name: String?) -> Diagnostic {
    Diagnostic(
      .fileReadOnly, at: Location(file: name), "the browser changes nothing",
      hint: "start it without --read-only")
  }

  /// A step for an item, without work yet.
  func step(_ id: BrowserItem.ID) -> (OperationStep, ItemTable.Record?) {
    guard let record = table[id], let provider = provider(record.provider) else {
      return (OperationStep(source: id, name: id.excerpt, fault: Self.gone(id)), nil)
    }
    var step = OperationStep(
      source: id, name: Files.lastComponent(of: record.name).escapingControls, id: id,
      provider: provider)
    if provider.state != .available {
      step.fault = Diagnostic(
        .fileUnreadable, at: Location(file: record.path), "its provider is not available")
      return (step, nil)
    }
    if rootItems?.contains(where: { $0.id == id }) ?? false {
      step.fault = Diagnostic(
        .fileUnwritable, at: Location(file: record.path), "it is one of the opened folders")
      return (step, nil)
    }
    return (step, record)
  }

  /// A folder that items are put into.
  func place(
    _ id: BrowserItem.ID, _ names: inout PlannedNames
  ) async -> Result<OperationStep.Place, Diagnostic> {
    guard let record = table[id], let provider = provider(record.provider) else {
      return .failure(Self.gone(id))
    }
    guard provider.state == .available else {
      return .failure(
        Diagnostic(
          .fileUnreadable, at: Location(file: record.path), "its provider is not available"))
    }
    do {
      if !names.knows(id), folders[id]?.watch != nil, folders[id]?.isWritable ?? false,
        let there = folders[id]?.loweredNames()
      {
        // A name that was taken since is found when it is given: nothing is overwritten.
        names.begin(id, lowered: there)
      }
      if !names.knows(id) {
        let listing = try await provider.entries(in: record.path)
        guard listing.isWritable else {
          throw Diagnostic(
            .fileReadOnly, at: Location(file: record.path), hint: "choose another folder")
        }
        names.begin(id, listing.entries.map(\.name))
      }
      return .success(.init(id: id, provider: provider, path: record.path))
    } catch {
      return .failure(Self.diagnostic(error, at: record.path))
    }
  }

  private func duplicating(
    _ id: BrowserItem.ID, _ names: inout PlannedNames
  ) async -> OperationStep {
    var (step, found) = step(id)
    guard let record = found, let parent = record.parent else { return step }
    switch await place(parent, &names) {
    case .failure(let fault): step.fault = fault
    case .success(let place):
      let name = names.unique(
        record.name, in: parent, comment: "copy", hasExtension: record.kind != .folder)
      step.work = .copy(path: record.path, to: place, name: name)
    }
    return step
  }

  private func placing(
    _ id: BrowserItem.ID, _ place: Result<OperationStep.Place, Diagnostic>, moving isMoving: Bool,
    _ names: inout PlannedNames
  ) async -> OperationStep {
    var (step, found) = step(id)
    guard let record = found else { return step }
    do {
      let place = try place.get()
      if isMoving, record.parent == place.id { return step }
      let provider = step.provider
      if place.id == id || (ancestors(of: place.id).contains(id)) {
        throw Diagnostic(
          .fileUnwritable, at: Location(file: record.path), "a folder cannot be in itself")
      }
      if isMoving {
        guard !names.isTaken(record.name, in: place.id) else {
          throw Diagnostic(
            .fileExists, at: Location(file: Files.joined(place.path, record.name)),
            hint: "rename one of both")
        }
        names.reserve(record.name, in: place.id)
        let isSame = provider?.identifier == place.provider.identifier
        if isSame {
          step.work = .move(path: record.path, to: place, name: record.name)
        } else if let provider {
          let file = try await provider.localFile(of: record.path)
          // The file of another provider is its own copy, which stays.
          step.work = .bring(
            file: file, to: place, name: record.name, isMoving: provider is FolderProvider)
        }
      } else {
        let isInPlace = record.parent == place.id
        let name = names.unique(
          record.name, in: place.id, comment: isInPlace ? "copy" : nil,
          hasExtension: record.kind != .folder)
        step.work = .copy(path: record.path, to: place, name: name)
      }
    } catch {
      step.fault = Self.diagnostic(error)
    }
    return step
  }

  private func ancestors(of id: BrowserItem.ID) -> [BrowserItem.ID] {
    var result: [BrowserItem.ID] = []
    var next = table[id]?.parent
    while let folder = next, result.count < 64 {
      result.append(folder)
      next = table[folder]?.parent
    }
    return result
  }

  private func removing(_ id: BrowserItem.ID, permanently isPermanent: Bool) -> OperationStep {
    var (step, found) = step(id)
    guard let record = found else { return step }
    if record.parent == BrowserLocation.trash, !isPermanent { return step }
    step.work = isPermanent ? .delete(path: record.path) : .trash(path: record.path)
    return step
  }

  private func restoring(
    _ id: BrowserItem.ID, _ place: Result<OperationStep.Place, Diagnostic>?,
    planning isPlanning: Bool, _ names: inout PlannedNames
  ) async -> OperationStep {
    var (step, found) = step(id)
    guard let record = found else { return step }
    do {
      guard let trash = trashProvider, let item = trash.trash.item(at: record.path) else {
        throw Diagnostic(.fileNotFound, at: Location(file: record.path), "it is not in the trash")
      }
      step.name = item.original.map { Files.lastComponent(of: $0).escapingControls } ?? step.name
      var target: OperationStep.Place
      if let place {
        target = try place.get()
      } else {
        guard let original = item.original else {
          throw item.problem ?? Diagnostic(.fileNotFound, at: Location(file: record.path))
        }
        let folder = Files.folder(of: original)
        if try Files.status(folder) == nil, await trash.isInside(Self.existing(folder)) {
          // Folders that are gone are made again.
          if isPlanning {
            step.planned = original
            return step
          }
          try Files.makeDirectories(folder)
        }
        guard let folderItem = try await self.item(at: folder, of: trash) else {
          throw Diagnostic(
            .fileNotFound, at: Location(file: original), "it was outside of the opened folders",
            hint: "restore it to a folder")
        }
        target = try await self.place(folderItem.id, &names).get()
      }
      let name = names.unique(
        Files.lastComponent(of: item.original ?? record.path), in: target.id,
        hasExtension: record.kind != .folder)
      step.work = .move(path: record.path, to: target, name: name)
    } catch {
      step.fault = Self.diagnostic(error)
    }
    return step
  }

  /// The nearest folder around a path that exists.
  private static func existing(_ path: String) -> String {
    var path = path
    while path != "/", (try? Files.status(path)) ?? nil == nil { path = Files.folder(of: path) }
    return path
  }

  private func importing(
    _ path: String, _ place: Result<OperationStep.Place, Diagnostic>,
    _ mode: BrowserOperation.ImportMode, _ names: inout PlannedNames
  ) -> OperationStep {
    var step = OperationStep(source: path, name: Files.lastComponent(of: path).escapingControls)
    guard mode != .none else { return step }
    do {
      let place = try place.get()
      guard let status = try Files.status(path) else {
        throw Diagnostic(.fileNotFound, at: Location(file: path))
      }
      guard status.kind == .file || status.kind == .directory else {
        throw Diagnostic(
          .fileUnreadable, at: Location(file: path),
          "a \(status.special?.rawValue ?? "special file")")
      }
      let isFolder = status.kind == .directory && !FolderListing.isPackage(path)
      let name = names.unique(
        Files.lastComponent(of: path), in: place.id, hasExtension: !isFolder)
      step.work = .bring(file: path, to: place, name: name, isMoving: mode == .move)
    } catch {
      step.fault = Self.diagnostic(error, at: path)
    }
    return step
  }

  private func makingFolder(
    _ name: String, _ place: Result<OperationStep.Place, Diagnostic>, _ names: inout PlannedNames
  ) -> OperationStep {
    var step = OperationStep(source: name, name: name.escapingControls)
    do {
      let place = try place.get()
      try DocumentNames.check(name)
      let free = names.unique(name, in: place.id, hasExtension: false)
      step.work = .makeFolder(in: place, name: free)
    } catch {
      step.fault = Self.diagnostic(error)
    }
    return step
  }
}

/// Plans new names, for one item and for many.
extension Browser {
  /// A new name, with the old extension if it has none.
  private static func completed(_ name: String, _ record: ItemTable.Record) -> String {
    guard record.kind != .folder, !Files.pathExtension(of: record.name).isEmpty,
      Files.pathExtension(of: name).isEmpty
    else { return name }
    return name + "." + (record.name.split(separator: ".").last.map(String.init) ?? "")
  }

  func renaming(
    _ id: BrowserItem.ID, _ name: String, _ names: inout PlannedNames
  ) async -> OperationStep {
    var (step, found) = step(id)
    guard let record = found, let parent = record.parent else { return step }
    do {
      let old = record.name
      let name = Self.completed(name, record)
      try DocumentNames.check(name)
      let place = try await place(parent, &names).get()
      if name == old { return step }
      if name.lowercased() == old.lowercased() { names.free(old, in: parent) }
      guard !names.isTaken(name, in: parent) else {
        throw Diagnostic(
          .fileExists, at: Location(file: Files.joined(place.path, name)),
          hint: "choose another name")
      }
      names.reserve(name, in: parent)
      step.work = .move(path: record.path, to: place, name: name)
    } catch {
      step.fault = Self.diagnostic(error)
    }
    return step
  }

  /// The steps of several renamings. Each step follows the step that frees its name.
  func renaming(
    _ pairs: [BrowserOperation.Renaming], _ names: inout PlannedNames
  ) async -> [OperationStep] {
    var failed: Set<Int> = []
    var steps: [OperationStep] = []
    // A name stays taken if its item cannot be renamed, which may concern others.
    while true {
      var planned = names
      for (index, pair) in pairs.enumerated() where !failed.contains(index) {
        guard let record = table[pair.item], let parent = record.parent,
          Self.completed(pair.name, record) != record.name,
          case .success = await place(parent, &planned)
        else { continue }
        planned.free(record.name, in: parent)
      }
      steps = []
      for pair in pairs { steps.append(await renaming(pair.item, pair.name, &planned)) }
      let now = Set(steps.indices.filter { steps[$0].fault != nil })
      if now.isSubset(of: failed) { break }
      failed.formUnion(now)
    }
    return inOrder(steps)
  }

  /// Sorts renamings so that each follows the renaming that frees its name.
  private func inOrder(_ steps: [OperationStep]) -> [OperationStep] {
    var steps = steps
    var owners: [String: Int] = [:]
    for (index, step) in steps.enumerated() {
      if case .move(let path, _, _) = step.work { owners[path.lowercased()] = index }
    }
    var order: [Int] = []
    var isPlaced = [Bool](repeating: false, count: steps.count)
    for start in steps.indices where !isPlaced[start] {
      // From one to the next that has its name.
      var chain: [Int] = []
      var next: Int? = start
      while let index = next, !isPlaced[index], !chain.contains(index) {
        chain.append(index)
        next = steps[index].target.flatMap { owners[$0.lowercased()] }.flatMap {
          $0 == index ? nil : $0
        }
      }
      if let last = next, !isPlaced[last] {
        for index in chain {
          steps[index].fault = Diagnostic(
            .fileExists, at: Location(file: steps[index].target),
            "names are exchanged in a circle", hint: "give one of them a third name first")
        }
      }
      for index in chain.reversed() {
        isPlaced[index] = true
        order.append(index)
      }
    }
    return order.map { steps[$0] }
  }
}
