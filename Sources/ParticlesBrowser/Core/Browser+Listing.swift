internal import ParticlesCore
internal import ParticlesDocuments

extension Browser {
  /// The most folders that are watched.
  private static let mostFolders = 32
  /// The most files whose beginnings are read for a listing.
  private static let mostHeads = 400
  /// With more changes, a folder is listed again.
  private static let mostChanges = 300

  /// Lists a location. It is watched from then on: changes are events. The last 32 locations that were listed are.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` for an unknown location; errors of reading.
  public func list(_ query: BrowserQuery) async throws -> BrowserListing {
    if query.location == BrowserLocation.recents { return await listRecents(query) }
    if query.location == BrowserLocation.trash { return try await listTrash(query) }
    let folder = try await item(query.location)
    guard folder.isFolder else {
      throw Diagnostic(.fileNotFound, at: Location(file: folder.path), "it is no folder")
    }
    if query.isRecursive, !query.search.isEmpty { return try await search(query, in: folder) }
    try await load(query.location)
    return try await arrange(query, location(folder), await ancestors(of: query.location))
  }

  /// The slice of a folder that was loaded.
  private func arrange(
    _ query: BrowserQuery, _ location: BrowserLocation, _ ancestors: [BrowserLocation]
  ) async throws -> BrowserListing {
    guard var state = folders[query.location] else { throw Self.gone(query.location) }
    let types = types
    let facts = FolderState.Facts(
      configuration: configuration, opened: recentTimes, favourites: Set(favourites.map(\.path))
    ) { types.conforms($0, to: $1) }
    let (indices, unfiltered) = state.arrange(query, facts)
    folders[query.location] = state
    let start = min(query.start, indices.count)
    let end = query.count.map { min(indices.count, start + $0) } ?? indices.count
    let slice = indices[start..<end]
    var location = location
    location.isWritable = state.isWritable && !configuration.isReadOnly
    let items = await items(
      slice.map { (state.ids[$0], state.entries[$0]) }, of: state.provider, in: query.location,
      heads: query.readsHeads)
    return BrowserListing(
      location: location, ancestors: ancestors, total: indices.count, unfiltered: unfiltered,
      start: start, items: items, revision: state.revision)
  }

  /// The folders that an item is in, the outermost first.
  private func ancestors(of id: BrowserItem.ID) async -> [BrowserLocation] {
    var result: [BrowserLocation] = []
    var next = id
    while result.count < 64 {
      if table[next]?.parent == nil { await connect(next) }
      guard let folder = table[next]?.parent, let record = table[folder] else { break }
      result.append(
        BrowserLocation(
          id: folder, name: record.name.escapingControls, kind: "folder", provider: record.provider,
          path: provider(record.provider) is FolderProvider ? record.path : nil, isWritable: false))
      next = folder
    }
    return result.reversed()
  }

  // MARK: Loading

  /// Reads a folder, unless it is watched and known.
  func load(_ id: BrowserItem.ID) async throws {
    listed.removeAll { $0 == id }
    listed.append(id)
    if listed.count > Self.mostFolders { folders[listed.removeFirst()] = nil }
    // A folder around it may have been moved or renamed.
    if let state = folders[id], state.path != table[id]?.path { folders[id] = nil }
    if folders[id]?.watch != nil { return }
    guard let record = table[id], let provider = provider(record.provider) else {
      throw Self.gone(id)
    }
    // Before it is read, so that no change is missed.
    let watch = try? await provider.watch(record.path) { [weak self] change in
      Task { [weak self] in await self?.folderChanged(id, change) }
    }
    let found = try await provider.entries(in: record.path)
    if folders[id] != nil {
      await take(found.entries, of: id, isWritable: found.isWritable, telling: false)
    } else {
      let (ids, gone) = table.take(found.entries, from: record.provider, in: id)
      forget(gone)
      folders[id] = FolderState(
        provider, record.path, found.entries, ids, isWritable: found.isWritable, &types)
    }
    folders[id]?.watch = watch ?? nil
  }

  private func forget(_ gone: [BrowserItem.ID]) {
    for id in gone { (formats[id], problems[id], shownTags[id]) = (nil, nil, nil) }
  }

  /// Whether another program has changed the tags of a file, which changes neither its size nor its time.
  private func hasOtherTags(_ id: BrowserItem.ID, _ entry: ProviderEntry) -> Bool {
    FileTags.read(entry.path) != shownTags[id] ?? []
  }

  /// Takes what has happened in a folder.
  func folderChanged(_ id: BrowserItem.ID, _ change: ProviderChange) async {
    guard let state = folders[id] else { return }
    switch change {
    case .state, .roots: await providerChanged(state.provider, change)
    case .entries(let names): await refresh(id, names)
    }
  }

  /// Reads a folder again, or some of its entries, and tells what has changed.
  func refresh(_ id: BrowserItem.ID, _ names: Set<String>? = nil) async {
    // Parts of the state: a copy of all would make changes copy its entries.
    guard let state = folders[id].map({ (provider: $0.provider, path: $0.path) }) else { return }
    if let names, names.count <= 64, let provider = state.provider as? FolderProvider,
      await refresh(id, names, state.path, provider)
    {
      return
    }
    do {
      let found = try await state.provider.entries(in: state.path)
      await take(found.entries, of: id, isWritable: found.isWritable, telling: true)
    } catch {
      // The folder itself is gone.
      folders[id] = nil
      listed.removeAll { $0 == id }
      hub.send(.reload(location: id))
    }
  }

  /// Reads some entries of a folder again.
  /// - Returns: false if all have to be read.
  private func refresh(
    _ id: BrowserItem.ID, _ names: Set<String>, _ path: String, _ provider: FolderProvider,
    attempts: Int = 4
  ) async -> Bool {
    let revision = folders[id]?.revision
    var entries: [ProviderEntry] = []
    for name in names.sorted() {
      // Names that are not UTF-8 are shown with escapes, and not told as they are.
      guard !name.contains("\u{FFFD}"), folders[id]?.entry(named: name)?.problem?.rule != .name
      else {
        return false
      }
      guard !FolderListing.isTemporary(name) else { continue }
      if let entry = (try? await provider.entry(at: Files.joined(path, name))) ?? nil {
        entries.append(entry)
      }
    }
    guard folders[id] != nil else { return true }
    guard folders[id]?.revision == revision else {
      // Something else was told meanwhile: these names may be among it.
      guard attempts > 0 else { return false }
      return await refresh(id, names, path, provider, attempts: attempts - 1)
    }
    let (ids, gone) = table.take(entries, named: names, from: provider.identifier, in: id)
    forget(gone)
    // In its place: a copy of the state would take time for all entries.
    let tagged = Set(zip(ids, entries).filter { hasOtherTags($0, $1) }.map(\.0))
    guard let found = folders[id]?.replace(names, by: entries, ids, &types, telling: tagged),
      !found.changed.isEmpty || !found.removed.isEmpty
    else { return true }
    await tell(found.changed, found.removed, of: id, provider)
    return true
  }

  /// Tells what has changed in a folder.
  private func tell(
    _ changed: [(BrowserItem.ID, ProviderEntry)], _ removed: [BrowserItem.ID],
    of id: BrowserItem.ID, _ provider: any BrowserProvider
  ) async {
    noteMoves(changed.map(\.0))
    await tellNames(changed.map(\.0))
    guard changed.count + removed.count <= Self.mostChanges else {
      return hub.send(.reload(location: id))
    }
    prune(removed)
    let revision = folders[id]?.revision ?? 0
    let items = await items(
      changed.map { (id: $0.0, entry: $0.1) }, of: provider, in: id, heads: changed.count <= 40)
    hub.send(.items(location: id, changed: items, removed: removed, revision: revision))
  }

  /// Takes the present entries of a folder.
  private func take(
    _ entries: [ProviderEntry], of id: BrowserItem.ID, isWritable: Bool, telling isTelling: Bool
  ) async {
    guard var state = folders[id] else { return }
    let old = Dictionary(
      zip(state.ids, state.entries), uniquingKeysWith: { first, _ in first })
    let (ids, gone) = table.take(entries, from: state.provider.identifier, in: id)
    forget(gone)
    // Operations of ours have removed some from the table already.
    let now = Set(ids)
    let removed = state.ids.filter { !now.contains($0) }
    let isLocal = state.provider is FolderProvider
    let changed = zip(ids, entries).filter { id, entry in
      old[id].map { !$0.isSame(as: entry) } ?? true || (isLocal && hasOtherTags(id, entry))
    }
    guard !changed.isEmpty || !removed.isEmpty || isWritable != state.isWritable else { return }
    state.isWritable = isWritable
    state.replace(entries, ids, &types)
    folders[id] = state
    guard isTelling else { return noteMoves(changed.map(\.0)) }
    await tell(changed.map { ($0.0, $0.1) }, removed, of: id, state.provider)
  }

  /// Items that are gone are not selected any more.
  private func prune(_ removed: [BrowserItem.ID]) {
    guard !removed.isEmpty else { return }
    let gone = Set(removed)
    for window in windows.deselect({ gone.contains($0) && table[$0] == nil }) {
      hub.send(.selection(window: window.name, window.selection))
    }
  }

  // MARK: Items

  /// The present state of an item.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` for an unknown item, or one that is gone.
  public func item(_ id: BrowserItem.ID) async throws -> BrowserItem {
    guard let record = table[id], let provider = provider(record.provider) else {
      throw Self.gone(id)
    }
    guard let entry = try await provider.entry(at: record.path) else {
      throw Diagnostic(.fileNotFound, at: Location(file: record.path))
    }
    guard let item = await items([(id, entry)], of: provider, in: record.parent, heads: true).first
    else { throw Self.gone(id) }
    return item
  }

  /// The path of the file or folder on this machine with the contents of an item, which are fetched if they are elsewhere.
  public func localFile(of id: BrowserItem.ID) async throws -> String {
    guard let record = table[id], let provider = provider(record.provider) else {
      throw Self.gone(id)
    }
    return try await provider.localFile(of: record.path)
  }

  /// Items of entries, with what is known of them besides.
  func items(
    _ entries: [(id: BrowserItem.ID, entry: ProviderEntry)], of provider: any BrowserProvider,
    in parent: BrowserItem.ID?, heads: Bool
  ) async -> [BrowserItem] {
    let local = provider as? FolderProvider
    var refined = entries.map(\.entry)
    // All at once: each takes calls of the system.
    if let local, refined.count <= 2 * Self.mostHeads { refined = await local.refined(refined) }
    if heads, local != nil {
      for (id, entry) in zip(entries.map(\.id), refined).prefix(Self.mostHeads) {
        readHead(of: id, entry)
      }
    }
    let marks = Set(favourites.map(\.path))
    var result: [BrowserItem] = []
    result.reserveCapacity(entries.count)
    for (id, entry) in zip(entries.map(\.id), refined) {
      let info = types.info(entry.name, entry.kind)
      var name = entry.name
      if !configuration.showsExtensions, entry.kind == .file || entry.kind == .package {
        name = Files.stem(of: name)
      }
      var item = BrowserItem(
        id: id, parent: parent, provider: provider.identifier, name: entry.name,
        displayName: name.escapingControls, kind: entry.kind, type: info.identifier)
      item.isLink = entry.isLink
      item.path = local == nil ? nil : entry.path
      item.typeTitle = info.title
      (item.size, item.modified, item.created) = (entry.size, entry.modified, entry.created)
      item.opened = recentTimes[entry.path]
      if local != nil {
        item.tags = FileTags.read(entry.path)
        if !item.tags.isEmpty || shownTags[id] != nil {
          shownTags[id] = item.tags.isEmpty ? nil : item.tags
        }
      }
      item.isFavourite = marks.contains(entry.path)
      item.state = entry.state
      item.isWritable = entry.isWritable && !configuration.isReadOnly
      item.isSelectable = info.isAllowed && entry.problem == nil
      if let head = formats[id], head.state == entry.modified { item.format = head.format }
      if let found = problems[id], found.state == entry.modified { item.problem = found.problem }
      item.problem = entry.problem ?? item.problem
      if let document = open[id] { (item.isOpen, item.hasChanges) = (true, document.hasChanges) }
      result.append(item)
    }
    return result
  }

  /// Reads the beginning of a file, unless that is known, so that its format is.
  private func readHead(of id: BrowserItem.ID, _ entry: ProviderEntry) {
    if entry.kind == .package { return formats[id] = (entry.modified, "particles") }
    guard entry.kind == .file, entry.problem == nil,
      formats[id]?.state != entry.modified || formats[id] == nil
    else { return }
    let info = types.info(entry.name, entry.kind)
    guard info.isAllowed else { return }
    formats[id] = (entry.modified, (try? types.format(of: entry.path, named: entry.name)) ?? nil)
  }
}

extension ProviderEntry {
  /// Whether nothing has changed that rows show.
  func isSame(as other: ProviderEntry) -> Bool {
    name == other.name && kind == other.kind && identity == other.identity && size == other.size
      && modified == other.modified && state == other.state && problem == other.problem
      && isLink == other.isLink
  }
}
