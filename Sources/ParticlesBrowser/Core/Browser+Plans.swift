internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments

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
        names.take(record.name, in: place.id)
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
