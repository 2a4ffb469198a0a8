internal import ParticlesCore

/// The identities of items: a name for each that lasts while the browser runs, although files are renamed, moved and
/// replaced.
struct ItemTable {
  /// The facts about an item.
  struct Record {
    var provider: String
    var path: String
    var name: String
    var identity: String?
    var parent: BrowserItem.ID?
    var kind: ProviderEntry.Kind
    var modified: Double?
  }

  private var records: [BrowserItem.ID: Record] = [:]
  /// The items of a folder by their names; those without a folder by their providers and paths.
  private var names: [BrowserItem.ID: [String: BrowserItem.ID]] = [:]

  subscript(id: BrowserItem.ID) -> Record? { records[id] }

  private static func key(_ parent: BrowserItem.ID?, _ provider: String) -> String {
    parent ?? "/\(provider)"
  }

  private static func name(_ entry: ProviderEntry, _ parent: BrowserItem.ID?) -> String {
    parent == nil ? entry.path : entry.name
  }

  /// The roots of providers, by providers and paths: they have one identity, also where they are entries of
  /// another folder.
  private var roots: [String: BrowserItem.ID] = [:]

  /// The identity of a root.
  mutating func id(ofRoot entry: ProviderEntry, from provider: String) -> BrowserItem.ID {
    let key = "\(provider)\0\(entry.path)"
    let known = roots[key]
    let id = known ?? Self.newID()
    roots[key] = id
    let parent = records[id]?.parent
    records[id] = Record(
      provider: provider, path: entry.path, name: entry.name, identity: entry.identity,
      parent: parent, kind: .folder)
    return id
  }

  private func root(_ entry: ProviderEntry, _ provider: String) -> BrowserItem.ID? {
    entry.kind == .folder ? roots["\(provider)\0\(entry.path)"] : nil
  }

  /// The identity of the entry of a folder; a new one for an entry that is not known.
  mutating func id(
    of entry: ProviderEntry, from provider: String, in parent: BrowserItem.ID?
  ) -> BrowserItem.ID {
    let (key, name) = (Self.key(parent, provider), Self.name(entry, parent))
    let id = names[key]?[name] ?? fresh(entry, provider)
    names[key, default: [:]][name] = id
    records[id] = Record(
      provider: provider, path: entry.path, name: entry.name, identity: entry.identity,
      parent: parent, kind: entry.kind, modified: entry.modified)
    return id
  }

  /// The items of open documents, with their providers and paths: a file that comes back has the identity that it had.
  private var pins: [BrowserItem.ID: (provider: String, path: String)] = [:]

  /// Keeps the identity of an item for the file at its path, also while there is none.
  mutating func pin(_ id: BrowserItem.ID) {
    if let record = records[id] { pins[id] = (record.provider, record.path) }
  }

  mutating func unpin(_ id: BrowserItem.ID) { pins[id] = nil }

  /// The item whose file was at a path and is gone.
  func pinned(_ path: String, of provider: String) -> BrowserItem.ID? {
    guard !pins.isEmpty else { return nil }
    return pins.first {
      records[$0.key] == nil && $0.value.path == path && $0.value.provider == provider
    }?.key
  }

  /// The identity of an entry that no item has.
  private func fresh(_ entry: ProviderEntry, _ provider: String) -> BrowserItem.ID {
    root(entry, provider) ?? pinned(entry.path, of: provider) ?? Self.newID()
  }

  private static func newID() -> BrowserItem.ID {
    // Short enough to be stored without an allocation.
    String(UInt64.random(in: 1 << 60...UInt64.max), radix: 36)
  }

  /// Takes the present entries of a folder: those that were renamed keep their identities, and so do files that
  /// were replaced under their names.
  /// - Returns: the identities of the entries, in their order, and of those that are gone.
  mutating func take(
    _ entries: [ProviderEntry], from provider: String, in parent: BrowserItem.ID
  ) -> (ids: [BrowserItem.ID], gone: [BrowserItem.ID]) {
    let old = names[parent] ?? [:]
    guard !old.isEmpty else {
      names[parent] = Dictionary(minimumCapacity: entries.count)
      return (entries.map { id(of: $0, from: provider, in: parent) }, [])
    }
    var left = old
    var ids = [BrowserItem.ID?](repeating: nil, count: entries.count)
    // First the unchanged entries; then the renamed ones; then the replaced ones; the rest is new.
    for (index, entry) in entries.enumerated() {
      guard let id = old[entry.name], records[id]?.identity == entry.identity else { continue }
      ids[index] = id
      left[entry.name] = nil
    }
    match(entries, &ids, &left)
    let gone = Array(left.values)
    for id in gone { records[id] = nil }
    var now: [String: BrowserItem.ID] = Dictionary(minimumCapacity: entries.count)
    let result = zip(entries, ids).map { entry, known in
      let id = known ?? fresh(entry, provider)
      now[entry.name] = id
      records[id] = Record(
        provider: provider, path: entry.path, name: entry.name, identity: entry.identity,
        parent: parent, kind: entry.kind, modified: entry.modified)
      return id
    }
    names[parent] = now
    return (result, gone)
  }

  /// Takes the present entries of some names in a folder, as ``take(_:from:in:)`` takes all.
  mutating func take(
    _ entries: [ProviderEntry], named some: Set<String>, from provider: String,
    in parent: BrowserItem.ID
  ) -> (ids: [BrowserItem.ID], gone: [BrowserItem.ID]) {
    var left: [String: BrowserItem.ID] = [:]
    for name in some { left[name] = names[parent]?[name] }
    var ids = [BrowserItem.ID?](repeating: nil, count: entries.count)
    for (index, entry) in entries.enumerated() {
      guard let id = left[entry.name], records[id]?.identity == entry.identity else { continue }
      ids[index] = id
      left[entry.name] = nil
    }
    match(entries, &ids, &left)
    let gone = Array(left.values)
    for id in gone { records[id] = nil }
    for name in some { names[parent]?[name] = nil }
    let result = zip(entries, ids).map { entry, known in
      let id = known ?? fresh(entry, provider)
      names[parent, default: [:]][entry.name] = id
      records[id] = Record(
        provider: provider, path: entry.path, name: entry.name, identity: entry.identity,
        parent: parent, kind: entry.kind, modified: entry.modified)
      return id
    }
    return (result, gone)
  }

  /// Finds the identities of renamed entries, then those of replaced ones.
  private func match(
    _ entries: [ProviderEntry], _ ids: inout [BrowserItem.ID?],
    _ left: inout [String: BrowserItem.ID]
  ) {
    guard ids.contains(nil), !left.isEmpty else { return }
    var byIdentity: [String: String] = [:]
    for (name, id) in left {
      if let identity = records[id]?.identity { byIdentity[identity] = name }
    }
    for (index, entry) in entries.enumerated() where ids[index] == nil {
      // A new file may have got the number of one that was deleted or replaced; a rename keeps the time, too.
      guard let identity = entry.identity, let name = byIdentity[identity], let id = left[name],
        records[id]?.modified == entry.modified, records[id]?.kind == entry.kind
      else { continue }
      left[name] = nil
      ids[index] = id
    }
    for (index, entry) in entries.enumerated() where ids[index] == nil {
      ids[index] = left.removeValue(forKey: entry.name)
    }
  }

  /// Notes that an item has another place, by an operation of ours.
  mutating func move(_ id: BrowserItem.ID, to entry: ProviderEntry, in parent: BrowserItem.ID?) {
    guard let old = records[id] else { return }
    forgetName(of: id, old)
    if pins[id] != nil { pins[id] = (old.provider, entry.path) }
    let (key, name) = (Self.key(parent, old.provider), Self.name(entry, parent))
    if let other = names[key]?[name], other != id { records[other] = nil }
    names[key, default: [:]][name] = id
    records[id] = Record(
      provider: old.provider, path: entry.path, name: entry.name, identity: entry.identity,
      parent: parent, kind: entry.kind, modified: entry.modified)
    guard old.kind == .folder, old.path != entry.path else { return }
    // The items in it have moved with it.
    let prefix = "\(old.path)/"
    for (other, record) in records
    where record.provider == old.provider && record.path.hasPrefix(prefix) {
      records[other]?.path = entry.path + record.path.dropFirst(old.path.count)
    }
  }

  /// Forgets an item that is gone.
  mutating func remove(_ id: BrowserItem.ID) {
    guard let old = records.removeValue(forKey: id) else { return }
    forgetName(of: id, old)
  }

  private mutating func forgetName(of id: BrowserItem.ID, _ old: Record) {
    let key = Self.key(old.parent, old.provider)
    let name = old.parent == nil ? old.path : old.name
    if names[key]?[name] == id { names[key]?[name] = nil }
  }

  /// The item of a name in a folder; nil if it is not known.
  func id(named name: String, in parent: BrowserItem.ID) -> BrowserItem.ID? { names[parent]?[name] }
}
