internal import ParticlesCore
internal import ParticlesSystem

/// A folder that was listed: its entries as they are now, and their order.
struct FolderState {
  var provider: any BrowserProvider
  var path: String
  var entries: [ProviderEntry]
  var ids: [BrowserItem.ID]
  var keys: [NaturalOrder.Key]
  var isWritable: Bool
  /// Grows with each change, and from one listing of the folder to the next.
  var revision = Int(saturating: MonotonicClock.seconds * 1000)
  /// Keeps the watch. Nil if watching is not possible: each listing then reads the folder.
  var watch: (any AnyObject & Sendable)?
  /// The names for searches.
  private var plain: [String]?
  /// All entries in the last order, with the part of a query that it is for.
  private var ordered: (query: BrowserQuery, indices: [Int])?
  /// The last selection of entries, with its query.
  private var arranged: (query: BrowserQuery, indices: [Int], unfiltered: Int)?

  /// The types of the entries, and whether they can be opened.
  private(set) var typeNames: [String] = []
  private(set) var allowed: [Bool] = []
  /// The tags of the entries, if they were needed.
  private var tags: [[String]]?
  /// The positions of the entries by their names, and the names in lower case, if they were needed.
  private var positions: [String: Int]?
  private var lowered: Set<String>?

  init(
    _ provider: any BrowserProvider, _ path: String, _ entries: [ProviderEntry],
    _ ids: [BrowserItem.ID], isWritable: Bool, _ types: inout TypeTable
  ) {
    (self.provider, self.path, self.entries, self.ids) = (provider, path, entries, ids)
    self.isWritable = isWritable
    keys = entries.map { NaturalOrder.Key($0.name) }
    readTypes(&types)
  }

  private mutating func readTypes(_ types: inout TypeTable) {
    typeNames = []
    allowed = []
    typeNames.reserveCapacity(entries.count)
    for entry in entries {
      let info = types.info(entry.name, entry.kind)
      typeNames.append(info.identifier)
      allowed.append(info.isAllowed)
    }
  }

  mutating func replace(
    _ entries: [ProviderEntry], _ ids: [BrowserItem.ID], _ types: inout TypeTable
  ) {
    let known = Dictionary(
      zip(self.entries.map(\.name), keys), uniquingKeysWith: { first, _ in first })
    keys = entries.map { known[$0.name] ?? NaturalOrder.Key($0.name) }
    (self.entries, self.ids) = (entries, ids)
    (plain, arranged, ordered, tags) = (nil, nil, nil, nil)
    (positions, lowered) = (nil, nil)
    revision += 1
    readTypes(&types)
  }

  /// The names in lower case, as names are compared that must not be given twice.
  mutating func loweredNames() -> Set<String> {
    if let lowered { return lowered }
    let names = Set(entries.map { $0.name.lowercased() })
    lowered = names
    return names
  }

  mutating func entry(named name: String) -> ProviderEntry? {
    position(of: name).map { entries[$0] }
  }

  private mutating func position(of name: String) -> Int? {
    if positions == nil {
      positions = Dictionary(
        zip(entries.map(\.name), entries.indices), uniquingKeysWith: { first, _ in first })
    }
    return positions?[name]
  }

  /// Replaces the entries with some names by the present entries. The time depends on the number of these names alone.
  /// - Parameter told: entries that always count as changed.
  /// - Returns: the new and changed entries, and the identities of removed entries.
  mutating func replace(
    _ names: Set<String>, by new: [ProviderEntry], _ newIDs: [BrowserItem.ID],
    _ types: inout TypeTable, telling told: Set<BrowserItem.ID> = []
  ) -> (changed: [(BrowserItem.ID, ProviderEntry)], removed: [BrowserItem.ID]) {
    var old: [BrowserItem.ID: ProviderEntry] = [:]
    for name in names {
      guard let index = position(of: name) else { continue }
      old[ids[index]] = entries[index]
    }
    let now = Set(newIDs)
    let removed = old.keys.filter { !now.contains($0) }.sorted()
    let changed = zip(newIDs, new).filter { id, entry in
      told.contains(id) || old[id].map { !$0.isSame(as: entry) } ?? true
    }
    guard !changed.isEmpty || !removed.isEmpty else { return ([], []) }
    for name in names {
      guard let index = position(of: name) else { continue }
      remove(at: index, named: name)
    }
    for (id, entry) in zip(newIDs, new) {
      positions?[entry.name] = entries.count
      lowered?.insert(entry.name.lowercased())
      let info = types.info(entry.name, entry.kind)
      entries.append(entry)
      ids.append(id)
      keys.append(NaturalOrder.Key(entry.name))
      typeNames.append(info.identifier)
      allowed.append(info.isAllowed)
    }
    (plain, arranged, ordered, tags) = (nil, nil, nil, nil)
    revision += 1
    return (changed, removed)
  }

  /// Removes an entry. The last entry takes its position, as the order of entries has no meaning.
  private mutating func remove(at index: Int, named name: String) {
    lowered?.remove(name.lowercased())
    positions?[name] = nil
    let last = entries.count - 1
    if index != last { positions?[entries[last].name] = index }
    entries.swapAt(index, last)
    ids.swapAt(index, last)
    keys.swapAt(index, last)
    typeNames.swapAt(index, last)
    allowed.swapAt(index, last)
    entries.removeLast()
    ids.removeLast()
    keys.removeLast()
    typeNames.removeLast()
    allowed.removeLast()
  }

  mutating func forgetOrder() { (arranged, ordered, tags) = (nil, nil, nil) }

  /// Facts that are not in the entries, and that the order depends on.
  struct Facts {
    var configuration: BrowserConfiguration
    /// When documents were opened last, by their paths.
    var opened: [String: Double]
    /// The paths of favourites.
    var favourites: Set<String>
    /// Whether a type is one of some.
    var conforms: (_ type: String, _ types: [String]) -> Bool
  }

  /// The positions of the entries that a query shows, in its order, and the number without search and filter.
  mutating func arrange(_ query: BrowserQuery, _ facts: Facts) -> (indices: [Int], unfiltered: Int)
  {
    var key = query
    (key.start, key.count, key.readsHeads) = (0, nil, false)
    if let arranged, arranged.query == key { return (arranged.indices, arranged.unfiltered) }
    let shown = order(query, facts)
    var indices = shown
    if !query.search.isEmpty {
      let names = plain ?? entries.map { NaturalOrder.plain($0.name) }
      plain = names
      let wanted = Array(NaturalOrder.plain(query.search).utf8)
      indices = indices.filter { Self.contains(names[$0], wanted) }
    }
    if !query.types.isEmpty {
      var known: [String: Bool] = [:]
      indices = indices.filter { index in
        if entries[index].kind == .folder { return true }
        let type = typeNames[index]
        let isOne = known[type] ?? facts.conforms(type, query.types)
        known[type] = isOne
        return isOne
      }
    }
    if let tag = query.tag {
      readTags()
      indices = indices.filter { tags?[$0].contains(tag) ?? false }
    }
    if query.favouritesOnly {
      indices = indices.filter { facts.favourites.contains(entries[$0].path) }
    }
    arranged = (key, indices, shown.count)
    return (indices, shown.count)
  }

  private mutating func readTags() {
    guard tags == nil, provider is FolderProvider else { return }
    tags = entries.map { FileTags.read($0.path) }
  }

  /// All entries that are shown, in the order of a query. It is kept, so that each key of a search only filters it.
  private mutating func order(_ query: BrowserQuery, _ facts: Facts) -> [Int] {
    var key = BrowserQuery(query.location)
    (key.sort, key.isReversed, key.foldersFirst) = (
      query.sort, query.isReversed, query.foldersFirst
    )
    if let ordered, ordered.query == key { return ordered.indices }
    let configuration = facts.configuration
    let shown = entries.indices.filter { index in
      (configuration.showsHidden || entries[index].name.utf8.first != UInt8(ascii: "."))
        && (configuration.others == .dimmed || allowed[index])
    }
    if query.sort == .tag { readTags() }
    if query.sort == .created, provider is FolderProvider {
      for index in entries.indices where entries[index].created == nil {
        entries[index].created = Files.created(entries[index].path)
      }
    }
    let indices = sorted(shown, query, facts)
    ordered = (key, indices)
    return indices
  }

  private static func contains(_ text: String, _ wanted: [UInt8]) -> Bool {
    // An accent alone is no text.
    guard !wanted.isEmpty else { return true }
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.count >= wanted.count else { return false }
      return (0...(bytes.count - wanted.count)).contains { start in
        bytes[start] == wanted[0]
          && bytes[start..<(start + wanted.count)].elementsEqual(wanted)
      }
    }
  }

  private func sorted(_ indices: [Int], _ query: BrowserQuery, _ facts: Facts) -> [Int] {
    let byName = indices.sorted { keys[$0] < keys[$1] }
    var result: [Int]
    switch query.sort {
    case .name: result = byName
    case .modified: result = Self.newest(byName) { entries[$0].modified ?? 0 }
    case .created: result = Self.newest(byName) { entries[$0].created ?? 0 }
    case .opened: result = Self.newest(byName) { facts.opened[entries[$0].path] ?? 0 }
    case .size: result = Self.newest(byName) { Double(entries[$0].size ?? -1) }
    case .kind: result = Self.grouped(byName) { typeNames[$0] }
    case .tag: result = Self.grouped(byName) { tags?[$0].first ?? "\u{10FFFF}" }
    }
    if query.isReversed { result.reverse() }
    guard query.foldersFirst else { return result }
    return result.filter { entries[$0].kind == .folder }
      + result.filter { entries[$0].kind != .folder }
  }

  /// Sorts by falling values. The sort is stable.
  private static func newest(_ indices: [Int], _ value: (Int) -> Double) -> [Int] {
    indices.map { ($0, value($0)) }.enumerated()
      .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element.0)
  }

  private static func grouped(_ indices: [Int], _ value: (Int) -> String) -> [Int] {
    indices.map { ($0, value($0)) }.enumerated()
      .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
  }
}
