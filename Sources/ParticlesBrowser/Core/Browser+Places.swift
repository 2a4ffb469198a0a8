internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesIndex

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

  /// Forgets recent documents; all if `ids` is nil. The documents stay.
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
      // The name that it had, not the one that the trash has given it.
      entry.name = item.original.map(Files.lastComponent) ?? entry.name
      entries.append((entry, item))
    }
    // Several may have had one name.
    let named = entries.map { pair -> ProviderEntry in
      var entry = pair.entry
      entry.name = pair.item.path
      return entry
    }
    let (ids, gone) = table.take(named, from: provider.identifier, in: BrowserLocation.trash)
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
      // Only what is still there.
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
    // A large folder takes long, and is often one of many things.
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
