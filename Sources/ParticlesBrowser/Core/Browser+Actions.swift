public import ParticlesCore
internal import ParticlesDocuments

extension Browser {
  /// The actions for some items, those of the built-in ones first.
  public func offers(for ids: [BrowserItem.ID]) async -> [BrowserOffer] {
    actions.map { offer($0, for: ids) }
  }

  func offer(_ action: BrowserAction, for ids: [BrowserItem.ID]) -> BrowserOffer {
    let reason = reason(against: action, ids)
    return BrowserOffer(
      identifier: action.identifier, title: action.title,
      isInMenu: action.availability.contains(.menu), isInBar: action.availability.contains(.bar),
      isEnabled: reason == nil, reason: reason)
  }

  /// Whether an action takes items of this name, by its types and by those of the browser, as both state.
  private func isMatch(_ action: BrowserAction, _ record: ItemTable.Record) -> Bool {
    let type = types.info(record.name, record.kind).identifier
    return action.types.isEmpty || types.conforms(type, to: action.types)
  }

  /// Why an action cannot be done with some items, in words; nil if it can.
  private func reason(against action: BrowserAction, _ ids: [BrowserItem.ID]) -> String? {
    if ids.isEmpty { return "nothing is selected" }
    if action.changesFiles, configuration.isReadOnly { return "the browser changes nothing" }
    if ids.count > 1, !action.allowsMultiple { return "it takes one document" }
    for id in ids {
      guard let record = table[id] else { return "an item is gone" }
      let isEffect =
        formats[id]?.format != nil && action.types.contains("org.particles-format.particles")
      guard record.kind != .folder, types.info(record.name, record.kind).isAllowed,
        isMatch(action, record) || isEffect
      else {
        return "it is not for \(record.name.escapingControls)"
      }
    }
    return nil
  }

  /// Runs an action on items. Cancelling the task cancels it.
  /// - Parameters:
  ///   - identifier: the identifier of the action.
  ///   - ids: the items.
  ///   - options: its options, an object.
  ///   - job: a name for the events of progress.
  /// - Throws: ``ParticlesCore/Rule/range`` for an action that is not offered or not enabled; its errors.
  public func run(
    _ identifier: String, on ids: [BrowserItem.ID], options: JSONValue = [:], job: String = ""
  ) async throws -> BrowserActionOutcome {
    guard let action = actions.first(where: { $0.identifier == identifier }) else {
      let names = actions.map(\.identifier).joined(separator: ", ")
      throw Diagnostic(
        .range, "the action", expected: "one of \(names)", found: "'\(identifier.excerpt)'")
    }
    return try await run(action, on: ids, options: options, job: job)
  }

  func run(
    _ action: BrowserAction, on ids: [BrowserItem.ID], options: JSONValue, job: String
  ) async throws -> BrowserActionOutcome {
    let identifier = action.identifier
    // The extension of a property list or of JSON does not tell whether it is an effect, and a long listing has read no contents.
    for id in ids where table[id].map({ !isMatch(action, $0) }) ?? false { _ = try? await item(id) }
    if let reason = reason(against: action, ids) {
      throw Diagnostic(.range, "'\(action.title)' cannot be done: \(reason)")
    }
    var paths: [String] = []
    for id in ids {
      // The action reads the file.
      if let document = open[id]?.document, await document.hasUnsavedChanges,
        !configuration.isReadOnly
      {
        try await document.save()
      }
      paths.append(try await localFile(of: id))
    }
    let last = Lock(-1)
    let request = BrowserActionRequest(paths: paths, options: options) { [hub] part in
      let percent = Int(saturating: (100 * min(1, max(0, part))).rounded(.down))
      let isNew = last.withLock { last in
        defer { last = max(last, percent) }
        return percent > last
      }
      if isNew {
        hub.send(.progress(action: identifier, job: job, Double(percent) / 100))
      }
    }
    // On a thread of its own: drawing takes seconds.
    let outcome = try await ActionRunner(places).run(action, request)
    if last.withLock(\.self) < 100 { hub.send(.progress(action: identifier, job: job, 1)) }
    // A menu has three dots where a sheet follows.
    await took(outcome, by: action.title.replacing("…", with: ""))
    return outcome
  }

  /// Lists the folders again in which an action has made or changed files, and makes its files undoable.
  private func took(_ outcome: BrowserActionOutcome, by name: String) async {
    var notes: [CommandJournal.Step] = []
    var touched: Set<BrowserItem.ID> = []
    for path in outcome.created + outcome.changed {
      guard let item = (try? await item(atPath: path)) ?? nil, let parent = item.parent else {
        continue
      }
      touched.insert(parent)
      if outcome.created.contains(path), let record = table[item.id] {
        notes.append(
          .made(
            provider: item.provider, path: record.path,
            identity: FolderListing.stamp(of: path)))
      }
    }
    journal.add(name, notes)
    for folder in touched { await refresh(folder) }
    if !notes.isEmpty { tellUndo() }
  }
}

/// Runs an action on a thread that may wait, and not on those of a browser.
private actor ActionRunner {
  private let queue: FileQueue
  private let places: Places
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(_ places: Places) { (queue, self.places) = (FileQueue(within: places), places) }

  func run(
    _ action: BrowserAction, _ request: BrowserActionRequest
  ) async throws -> BrowserActionOutcome {
    // An action may leave this thread, but not its task.
    try await Places.run(taskWithin: places) { try await action.perform(request) }
  }
}
