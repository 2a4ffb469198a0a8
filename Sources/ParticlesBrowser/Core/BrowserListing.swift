internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesIndex
internal import ParticlesSystem

extension Browser {
  /// The most folders that are watched.
  private static let mostFolders = 32
  /// The most files whose beginnings are read for a listing.
  private static let mostHeads = 400
  /// With more changes, a folder is listed again.
  private static let mostChanges = 300

  /// Lists a location. It is watched from then on: changes are events. The last 32 locations that were listed are.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` for an unknown location, and errors of reading.
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
      await apply(found.entries, of: id, isWritable: found.isWritable, telling: false)
    } else {
      let (ids, gone) = table.store(found.entries, from: record.provider, in: id)
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

  /// Applies a change in a folder.
  func folderChanged(_ id: BrowserItem.ID, _ change: ProviderChange) async {
    guard let state = folders[id] else { return }
    switch change {
    case .state, .roots: await providerChanged(state.provider, change)
    case .entries(let names): await refresh(id, names)
    }
  }

  /// Reads a folder again, or only the entries with some names, and sends events about the changes.
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
      await apply(found.entries, of: id, isWritable: found.isWritable, telling: true)
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
      // Names that are not UTF-8 are shown with escapes. Change notifications do not have their bytes.
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
      // Another change was applied meanwhile, perhaps to some of these names.
      guard attempts > 0 else { return false }
      return await refresh(id, names, path, provider, attempts: attempts - 1)
    }
    let (ids, gone) = table.store(entries, named: names, from: provider.identifier, in: id)
    forget(gone)
    // In its place: a copy of the state would take time for all entries.
    let tagged = Set(zip(ids, entries).filter { hasOtherTags($0, $1) }.map(\.0))
    guard let found = folders[id]?.replace(names, by: entries, ids, &types, telling: tagged),
      !found.changed.isEmpty || !found.removed.isEmpty
    else { return true }
    await tell(found.changed, found.removed, of: id, provider)
    return true
  }

  /// Sends an event about changes in a folder.
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

  /// Stores the present entries of a folder, and tells the changes.
  private func apply(
    _ entries: [ProviderEntry], of id: BrowserItem.ID, isWritable: Bool, telling isTelling: Bool
  ) async {
    guard var state = folders[id] else { return }
    let old = Dictionary(
      zip(state.ids, state.entries), uniquingKeysWith: { first, _ in first })
    let (ids, gone) = table.store(entries, from: state.provider.identifier, in: id)
    forget(gone)
    // Operations of this browser have removed some from the table already.
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
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` for an unknown or removed item.
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

  /// The path on this machine of an item's file or folder. Remote contents are fetched first.
  public func localFile(of id: BrowserItem.ID) async throws -> String {
    guard let record = table[id], let provider = provider(record.provider) else {
      throw Self.gone(id)
    }
    return try await provider.localFile(of: record.path)
  }

  /// The items of entries, with their types, favourites, heads and more.
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

extension Browser {
  /// The locations of the side bar: recent documents, the roots of the providers, favourite folders, the trash.
  public func locations() async -> [BrowserLocation] {
    var result: [BrowserLocation] = []
    if recents != nil { result.append(recentsLocation) }
    for (id, root, provider) in await roots() {
      result.append(
        BrowserLocation(
          id: id, name: root.name, kind: root.kind.rawValue, provider: provider.identifier,
          path: provider is FolderProvider ? root.path : nil,
          isWritable: isWritable(root.path, provider), problem: Self.words(provider.state)))
    }
    for favourite in favourites {
      // A root is shown once.
      guard let item = await item(of: favourite), item.isFolder,
        !result.contains(where: { $0.id == item.id })
      else { continue }
      result.append(location(item, kind: "favourite"))
    }
    if trashProvider != nil { result.append(trashLocation) }
    return result
  }

  var recentsLocation: BrowserLocation {
    BrowserLocation(
      id: BrowserLocation.recents, name: "Recents", kind: "recents", provider: "", isWritable: false
    )
  }

  var trashLocation: BrowserLocation {
    BrowserLocation(
      id: BrowserLocation.trash, name: "Trash", kind: "trash",
      provider: trashProvider?.identifier ?? "", isWritable: false)
  }

  /// The provider that the trash of this machine belongs to.
  nonisolated var trashProvider: FolderProvider? {
    providers.lazy.compactMap { $0 as? FolderProvider }.first
  }

  private func isWritable(_ path: String, _ provider: any BrowserProvider) -> Bool {
    guard !configuration.isReadOnly, provider.state == .available else { return false }
    return provider is FolderProvider ? Files.canCreate(in: path) : true
  }

  private static func words(_ state: ProviderState) -> String? {
    switch state {
    case .available, .replaced: nil
    case .unavailable(let reason): reason
    case .gone: "is gone"
    }
  }

  func location(_ item: BrowserItem, kind: String = "folder") -> BrowserLocation {
    BrowserLocation(
      id: item.id, name: item.displayName, kind: kind, provider: item.provider, path: item.path,
      isWritable: !configuration.isReadOnly && item.isWritable)
  }

  // MARK: Roots

  /// A root with its identity and its provider.
  typealias Root = (id: BrowserItem.ID, root: ProviderRoot, provider: any BrowserProvider)

  /// The roots with their identities. Providers that fail have none for now.
  func roots() async -> [Root] {
    if let rootItems { return rootItems }
    var found: [Root] = []
    for provider in providers {
      let state = provider.state
      states[provider.identifier] = state
      if state == .gone { continue }
      guard Self.words(state) == nil else {
        // They are shown, with the reason.
        found += knownRoots.filter { $0.provider.identifier == provider.identifier }
        continue
      }
      for root in (try? await provider.roots()) ?? [] {
        var entry = ProviderEntry(path: root.path, name: root.name, kind: .folder)
        entry.identity = (try? await provider.entry(at: root.path))??.identity
        let id = table.id(ofRoot: entry, from: provider.identifier)
        found.append((id, root, provider))
      }
    }
    if rootItems == nil, watches.isEmpty { await watchProviders() }
    (rootItems, knownRoots) = (found, found)
    return found
  }

  private func watchProviders() async {
    for provider in providers {
      let watch = try? await provider.watch(nil) { [weak self] change in
        Task { [weak self] in await self?.providerChanged(provider, change) }
      }
      if let watch { watches.append(watch) }
    }
  }

  /// Applies a change of a provider.
  func providerChanged(_ provider: any BrowserProvider, _ change: ProviderChange) async {
    switch change {
    case .entries: return
    case .roots: rootItems = nil
    case .state(let state):
      let old = states[provider.identifier]
      guard old != state else { return }
      states[provider.identifier] = state
      rootItems = nil
      switch state {
      case .available, .unavailable: break
      case .gone: await closeDocuments(of: provider)
      case .replaced:
        // The new owner's entries are unrelated to the old ones.
        await closeDocuments(of: provider)
        for (id, folder) in folders where folder.provider.identifier == provider.identifier {
          folders[id] = nil
          hub.send(.reload(location: id))
        }
      }
    }
    hub.send(.locations)
  }

  // MARK: Paths and references

  /// The item at a path of this machine, or nil if it is in no location.
  public func item(atPath path: String) async throws -> BrowserItem? {
    guard let provider = trashProvider, await provider.isInside(path, followingLinks: false) else {
      return nil
    }
    let place = Files.joined(
      try Files.resolve(Files.folder(of: path)), Files.lastComponent(of: path))
    return try await item(at: place, of: provider)
  }

  /// The item at a path of a provider. The folders around it become known, too.
  func item(at path: String, of provider: any BrowserProvider) async throws -> BrowserItem? {
    let roots = await roots().filter { $0.provider.identifier == provider.identifier }
    let around = roots.filter { path == $0.root.path || Self.isInside(path, $0.root.path) }
    guard let root = around.max(by: { $0.root.path.utf8.count < $1.root.path.utf8.count }) else {
      return nil
    }
    guard let id = try await descend(from: root, to: path) else { return nil }
    return try await item(id)
  }

  /// The identity of the item at a path below a root. The folders between them become known.
  private func descend(from root: Root, to path: String) async throws -> BrowserItem.ID? {
    var (parent, place) = (root.id, root.root.path)
    let names = path.dropFirst(place == "/" ? 1 : place.count + 1).split(separator: "/")
    for (index, name) in names.map(String.init).enumerated() {
      place = Files.joined(place, name)
      guard let entry = try await root.provider.entry(at: place) else { return nil }
      guard index == names.count - 1 || entry.kind == .folder else { return nil }
      parent = table.id(of: entry, from: root.provider.identifier, in: parent)
    }
    return parent
  }

  /// Adds a root to the folders of another root around it, such as the documents in the home folder. These folders are
  /// its ancestors, also before they are listed. A volume has no ancestors.
  func connect(_ id: BrowserItem.ID) async {
    let roots = await roots()
    guard let inner = roots.first(where: { $0.id == id }), inner.provider is FolderProvider,
      inner.root.kind != .volume
    else { return }
    let around = roots.filter {
      $0.provider.identifier == inner.provider.identifier && $0.root.kind != .volume
        && Self.isInside(inner.root.path, $0.root.path)
    }
    guard let outer = around.max(by: { $0.root.path.utf8.count < $1.root.path.utf8.count })
    else { return }
    _ = try? await descend(from: outer, to: inner.root.path)
  }

  private static func isInside(_ path: String, _ folder: String) -> Bool {
    path.hasPrefix(folder == "/" || folder.isEmpty ? folder : "\(folder)/")
  }

  /// The item of a reference, or nil if it is gone. An item that was renamed in its folder is found by its identity.
  func item(of reference: Reference) async -> BrowserItem? {
    guard let provider = provider(reference.provider) else { return nil }
    let entry = (try? await provider.entry(at: reference.path)) ?? nil
    let isOther = entry.map { Self.stamp($0, provider) != reference.identity } ?? true
    if isOther, let identity = reference.identity?.split(separator: "@").first,
      let folder = try? await provider.entries(in: Files.folder(of: reference.path)),
      let found = folder.entries.first(where: { $0.identity.map { $0 == identity } ?? false }),
      Self.stamp(found, provider) == reference.identity
    {
      return (try? await item(at: found.path, of: provider)) ?? nil
    }
    // A save replaces the file under its name.
    return entry == nil ? nil : (try? await item(at: reference.path, of: provider)) ?? nil
  }
}

/// Listings that are no folders: recent documents, the trash, the results of a search.
extension Browser {
  /// The most entries that a search looks at, and the most that it finds.
  private static let (mostSeen, mostFound) = (50_000, 1_000)
  /// For how many seconds a search goes on.
  private static let longestSearch = 5.0

  /// A listing of items that are in no single folder.
  private func listing(
    _ items: [BrowserItem], _ query: BrowserQuery, _ location: BrowserLocation,
    sorted isSorted: Bool
  ) -> BrowserListing {
    var shown = items
    if !query.search.isEmpty {
      let wanted = NaturalOrder.plain(query.search)
      shown = shown.filter { NaturalOrder.plain($0.name).contains(wanted) }
    }
    if !query.types.isEmpty {
      shown = shown.filter { $0.isFolder || types.conforms($0.type, to: query.types) }
    }
    if let tag = query.tag { shown = shown.filter { $0.tags.contains(tag) } }
    if query.favouritesOnly { shown = shown.filter(\.isFavourite) }
    if isSorted { shown = sorted(shown, query) }
    let start = min(query.start, shown.count)
    let end = query.count.map { min(shown.count, start + $0) } ?? shown.count
    return BrowserListing(
      location: location, ancestors: [], total: shown.count, unfiltered: items.count, start: start,
      items: Array(shown[start..<end]), revision: 0)
  }

  private func sorted(_ items: [BrowserItem], _ query: BrowserQuery) -> [BrowserItem] {
    let keys = items.map { NaturalOrder.Key($0.name) }
    func number(_ index: Int) -> Double {
      switch query.sort {
      case .modified: items[index].modified ?? 0
      case .created: items[index].created ?? 0
      case .opened: items[index].opened ?? items[index].trashed?.seconds ?? 0
      case .size: Double(items[index].size ?? -1)
      default: 0
      }
    }
    func text(_ index: Int) -> String {
      switch query.sort {
      case .kind: items[index].type
      case .tag: items[index].tags.first ?? "\u{10FFFF}"
      default: ""
      }
    }
    var order = items.indices.sorted { a, b in
      let (x, y) = (number(a), number(b))
      if x != y { return x > y }
      let (s, t) = (text(a), text(b))
      return s == t ? keys[a] < keys[b] : s < t
    }
    if query.isReversed { order.reverse() }
    let result = order.map { items[$0] }
    return query.foldersFirst ? result.filter(\.isFolder) + result.filter { !$0.isFolder } : result
  }

  // MARK: Recent documents

  /// The recent documents that are in a location, the last opened first.
  func listRecents(_ query: BrowserQuery) async -> BrowserListing {
    let entries = (try? recents?.entries()) ?? []
    recentTimes = Dictionary(entries.map { ($0.path, $0.seconds) }, uniquingKeysWith: max)
    var items: [BrowserItem] = []
    var seen: Set<BrowserItem.ID> = []
    for entry in entries {
      if var item = (try? await item(atPath: entry.path)) ?? nil {
        // No document twice, under two of its names.
        guard seen.insert(item.id).inserted else { continue }
        item.opened = entry.seconds
        items.append(item)
      }
    }
    return listing(
      items, query, recentsLocation, sorted: query.sort != .opened && query.sort != .name)
  }

  /// Notes that a document was opened.
  func noteRecent(_ path: String, _ name: String, _ kind: ProviderEntry.Kind) {
    guard let recents else { return }
    let type = types.info(name, kind).mimeType
    do {
      try recents.note(path, mimeType: type)
      recentTimes[path] = WallClock.seconds
      hub.send(.reload(location: BrowserLocation.recents))
    } catch {
      hub.send(.failed(Self.diagnostic(error)))
    }
  }

  /// Forgets recent documents, or all recent documents if `ids` is nil. The documents stay.
  public func forgetRecents(_ ids: [BrowserItem.ID]? = nil) async throws {
    let paths = ids?.compactMap { table[$0]?.path }
    try recents?.forget(paths)
    if let paths { for path in paths { recentTimes[path] = nil } } else { recentTimes = [:] }
    hub.send(.reload(location: BrowserLocation.recents))
  }

  // MARK: Trash

  /// The items in the trash, the newest first.
  func listTrash(_ query: BrowserQuery) async throws -> BrowserListing {
    guard let provider = trashProvider else { throw Self.gone(BrowserLocation.trash) }
    let found = provider.trash.items()
    var entries: [(entry: ProviderEntry, item: Trash.Item)] = []
    for item in found {
      guard let listed = (try? FolderListing.entry(at: item.path)) ?? nil else { continue }
      var entry = ProviderEntry(listed, in: Files.folder(of: item.path))
      // The original name replaces the name in the trash.
      entry.name = item.original.map(Files.lastComponent) ?? entry.name
      entries.append((entry, item))
    }
    // Several may have had one name.
    let named = entries.map { pair -> ProviderEntry in
      var entry = pair.entry
      entry.name = pair.item.path
      return entry
    }
    let (ids, gone) = table.store(named, from: provider.identifier, in: BrowserLocation.trash)
    for id in gone { (formats[id], problems[id], shownTags[id]) = (nil, nil, nil) }
    var items = await items(
      zip(ids, entries.map(\.entry)).map { ($0, $1) }, of: provider, in: BrowserLocation.trash,
      heads: query.readsHeads)
    for (index, pair) in entries.enumerated() {
      items[index].trashedPath = pair.item.original
      items[index].trashedSeconds = pair.item.seconds
      items[index].problem = pair.item.problem ?? items[index].problem
      // Items of all types can be restored and deleted.
      items[index].isSelectable = true
    }
    return listing(
      items, query, trashLocation, sorted: query.sort != .opened && query.sort != .name)
  }

  // MARK: Search

  /// Searches a folder and its subfolders, those nearest first. Packages are documents and are not searched.
  func search(_ query: BrowserQuery, in folder: BrowserItem) async throws -> BrowserListing {
    guard let provider = provider(folder.provider), let record = table[folder.id] else {
      throw Self.gone(folder.id)
    }
    let wanted = NaturalOrder.plain(query.search)
    var waiting = [(id: folder.id, path: record.path)]
    var seenFolders: Set<String> = []
    var found: [BrowserItem] = []
    var (seen, isPartial) = (0, false)
    var faults: [Diagnostic] = []
    var offers = SearchOffers()
    // It finds by contents, too, and beyond the limits of a search. A query with fields has no other answer.
    let indexed =
      provider is FolderProvider
      ? await indexed(query.search, in: record.path, most: Self.mostFound) : nil
    if let fault = indexed?.fault { faults.append(fault) }
    if let indexed, indexed.isQuery { (waiting, isPartial) = ([], indexed.isPartial) }
    // The answer of the index may have waited for a database that was locked.
    let deadline = MonotonicClock.seconds + Self.longestSearch
    while !waiting.isEmpty {
      let next = waiting.removeFirst()
      try Task.checkCancellation()
      guard seen < Self.mostSeen, found.count < Self.mostFound, MonotonicClock.seconds < deadline
      else {
        isPartial = true
        break
      }
      let listing: ProviderFolder
      do {
        listing = try await provider.entries(in: next.path)
      } catch {
        faults.append(Self.diagnostic(error, at: next.path))
        continue
      }
      seen += listing.entries.count
      var matches: [(BrowserItem.ID, ProviderEntry)] = []
      for entry in listing.entries {
        guard configuration.showsHidden || !entry.name.hasPrefix(".") else { continue }
        let plain = NaturalOrder.plain(entry.name)
        offers.note(plain)
        let id = table.id(of: entry, from: provider.identifier, in: next.id)
        if entry.kind == .folder, !entry.isLink {
          // Circles of mounted folders.
          if seenFolders.insert(entry.identity ?? entry.path).inserted {
            waiting.append((id, entry.path))
          }
        }
        let isShown =
          configuration.others == .dimmed || types.info(entry.name, entry.kind).isAllowed
        if isShown, plain.contains(wanted) { matches.append((id, entry)) }
      }
      found += await items(matches, of: provider, in: next.id, heads: query.readsHeads)
    }
    let known = Set(found.map(\.id))
    var distances: [BrowserItem.ID: Double] = [:]
    for match in indexed?.matches ?? [] where found.count < Self.mostFound {
      // The index may list files that are gone.
      if let item = (try? await item(atPath: match.path)) ?? nil, !known.contains(item.id),
        configuration.others == .dimmed || types.info(item.name, item.kind).isAllowed
      {
        distances[item.id] = match.distance
        found.append(item)
      }
    }
    var plain = query
    plain.search = ""
    // The nearest first.
    var result = listing(found, plain, location(folder), sorted: distances.isEmpty)
    (result.isPartial, result.problems, result.distances) = (isPartial, faults, distances)
    if found.isEmpty {
      result.offers = (indexed?.offers ?? [])
      for offer in offers.offers(for: query.search)
      where !result.offers.contains(where: { $0.search == offer.search }) {
        result.offers.append(offer)
      }
      result.offers = Array(result.offers.prefix(SearchOffers.most))
    }
    guard provider is FolderProvider else { return result }
    // Indexing a large folder takes long, so a search alone does not begin it.
    guard indexed != nil || !isPartial || query.makesIndex else {
      result.needsIndex = true
      return result
    }
    let update = updateIndex(of: folder.id, at: record.path, isFirst: indexed == nil)
    result.indexJob = update?.id
    if indexed == nil, let fault = indexUpdates.faults[record.path] {
      result.problems.append(fault)
    } else if let update, update.isFirst {
      result.indexing = update.fraction.withLock(\.self)
    }
    return result
  }
}
