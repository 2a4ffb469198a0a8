internal import ParticlesCore
internal import ParticlesDocuments

/// Tags and favourites.
extension Browser {
  /// Sets the tags of items. Can be undone.
  public func setTags(_ tags: [String], of ids: [BrowserItem.ID]) async -> BrowserOutcome {
    await begin()
    defer { end() }
    var results: [BrowserResult] = []
    var notes: [CommandJournal.Step] = []
    for id in ids {
      var result = BrowserResult(
        source: id, name: table[id]?.name.escapingControls ?? id, status: .done)
      do {
        guard let record = table[id] else { throw Self.gone(id) }
        if configuration.isReadOnly { throw Self.readOnly(record.path) }
        guard provider(record.provider) is FolderProvider else {
          throw Diagnostic(
            .fileUnwritable, at: Location(file: record.path), "its provider has no tags")
        }
        let old = FileTags.read(record.path)
        try FileTags.write(tags, to: record.path)
        notes.append(.tagged(provider: record.provider, path: record.path, from: old, to: tags))
        result.item = try await item(id)
        if let parent = record.parent { tell([result.item].compactMap(\.self), in: parent) }
      } catch {
        (result.status, result.diagnostic) = (.failed, Self.diagnostic(error))
      }
      results.append(result)
    }
    journal.add("Set Tags", notes)
    tellUndo()
    return BrowserOutcome(results, undoName: notes.isEmpty ? nil : "Set Tags")
  }

  /// Makes items favourites, or ends that.
  public func setFavourite(_ isFavourite: Bool, _ ids: [BrowserItem.ID]) async throws {
    for id in ids {
      guard let record = table[id] else { throw Self.gone(id) }
      favourites.removeAll { $0.provider == record.provider && $0.path == record.path }
      if isFavourite { favourites.append(reference(record)) }
    }
    try storeSettings()
    hub.send(.locations)
    for id in ids {
      guard let item = try? await item(id), let parent = item.parent else { continue }
      tell([item], in: parent)
    }
  }

  /// Tells that items of a folder show something else, though its entries are the same.
  func tell(_ items: [BrowserItem], in folder: BrowserItem.ID) {
    guard var state = folders[folder], !items.isEmpty else { return }
    state.revision += 1
    state.forgetOrder()
    folders[folder] = state
    hub.send(.items(location: folder, changed: items, removed: [], revision: state.revision))
  }
}
