public import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesSystem

/// An item in a listing: a document, a folder, or another file.
public struct BrowserItem: Sendable, Hashable {
  /// The identity of an item for as long as the browser runs: a random text of letters and digits. A rename, a move, and
  /// a save that replaces the file keep it.
  public typealias ID = String

  /// The identity.
  public var id: ID
  /// The identity of its folder. Nil for roots.
  public var parent: ID?
  /// The identifier of its provider.
  public var provider: String
  /// The name, as it is stored. It may have any characters but `/`.
  public var name: String
  /// The name to show: without its extension if the configuration demands that, and with escapes for control characters.
  public var displayName: String
  /// The kind.
  public var kind: ProviderEntry.Kind
  /// Whether it is a symbolic link.
  public var isLink = false
  /// The path on this machine. Nil if the item is elsewhere.
  public var path: String?
  /// The identifier of its type.
  public var type: String
  /// The name of its type for users, or nil.
  public var typeTitle: String?
  /// The name of the format of an effect. Nil before the beginning of the file was read, and for other files.
  public var format: String?
  /// The size of a file in bytes. Nil for other items.
  public var size: Int?
  /// When it was changed, in seconds since 1970.
  public var modified: Double?
  /// When it was created, in seconds since 1970.
  public var created: Double?
  /// When it was opened last, in seconds since 1970. Nil if it is no recent document.
  public var opened: Double?
  /// The tags, in their order.
  public var tags: [String] = []
  /// Whether it is a favourite.
  public var isFavourite = false
  /// Where its contents are.
  public var state = ProviderEntry.State.local
  /// Whether its contents can be written.
  public var isWritable = true
  /// Whether the configuration allows it to be opened, or it is a folder. Others cannot be selected.
  public var isSelectable = true
  /// Whether it is open in this process.
  public var isOpen = false
  /// Whether it has changes that are not saved.
  public var hasChanges = false
  /// The original path of an item in the trash, and when it was removed, in seconds since 1970.
  public var trashed: (path: String, seconds: Double)? {
    trashedPath.map { ($0, trashedSeconds ?? 0) }
  }
  var trashedPath: String?
  var trashedSeconds: Double?
  /// Why it cannot be opened, or what else is wrong. Nil without a problem, and before the item was checked.
  public var problem: Diagnostic?

  /// Whether it is a folder that is browsed.
  public var isFolder: Bool { kind == .folder }
}

extension BrowserItem {
  /// The item as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "id": .string(id), "provider": .string(provider), "name": .string(name),
      "displayName": .string(displayName), "kind": .string(kind.rawValue), "type": .string(type),
      "state": .string(state.rawValue), "writable": .bool(isWritable),
      "selectable": .bool(isSelectable),
    ]
    object["parent"] = parent.map(JSONValue.string)
    object["path"] = path.map(JSONValue.string)
    object["typeTitle"] = typeTitle.map(JSONValue.string)
    object["format"] = format.map(JSONValue.string)
    object["size"] = size.map(JSONValue.int)
    object["modified"] = modified.map(JSONValue.double)
    object["created"] = created.map(JSONValue.double)
    object["opened"] = opened.map(JSONValue.double)
    if isLink { object["link"] = .bool(true) }
    if !tags.isEmpty { object["tags"] = .array(tags.map(JSONValue.string)) }
    if isFavourite { object["favourite"] = .bool(true) }
    if isOpen { object["open"] = .bool(true) }
    if hasChanges { object["changes"] = .bool(true) }
    if let trashed {
      object["trashed"] = ["path": .string(trashed.path), "seconds": .double(trashed.seconds)]
    }
    object["problem"] = problem?.json
    return .object(object)
  }
}

/// A place in the side bar: a root of a provider, the recent documents, a favourite folder, or the trash.
public struct BrowserLocation: Sendable, Hashable {
  /// The identity of the recent documents.
  public static let recents = "recents"
  /// The identity of the trash.
  public static let trash = "trash"

  /// The identity: ``recents``, ``trash``, or the identity of a folder's item.
  public var id: BrowserItem.ID
  /// The name to show.
  public var name: String
  /// The kind: `recents`, `trash`, `favourite`, or the kind of a root.
  public var kind: String
  /// The identifier of its provider. Empty for the recent documents.
  public var provider: String
  /// The path on this machine, or nil.
  public var path: String?
  /// Whether items can be created in it.
  public var isWritable: Bool
  /// Why it cannot be used now. Nil if it can.
  public var problem: String?

  /// The location as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "id": .string(id), "name": .string(name), "kind": .string(kind),
      "provider": .string(provider), "writable": .bool(isWritable),
    ]
    object["path"] = path.map(JSONValue.string)
    object["problem"] = problem.map(JSONValue.string)
    return .object(object)
  }
}

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
  /// The items of a folder by their names. Items without a folder are listed by provider and path.
  private var names: [BrowserItem.ID: [String: BrowserItem.ID]] = [:]

  subscript(id: BrowserItem.ID) -> Record? { records[id] }

  private static func key(_ parent: BrowserItem.ID?, _ provider: String) -> String {
    parent ?? "/\(provider)"
  }

  private static func name(_ entry: ProviderEntry, _ parent: BrowserItem.ID?) -> String {
    parent == nil ? entry.path : entry.name
  }

  /// The roots of providers, by providers and paths. A root has one identity, also as an entry of another folder.
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

  /// The identity of the entry of a folder. An unknown entry gets a new identity.
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

  /// Stores the present entries of a folder. Renamed entries keep their identities, and so do files that were replaced
  /// under their names.
  /// - Parameter some: the names whose present entries these are. Nil for all names in the folder.
  /// - Returns: the identities of the entries, in their order, and the identities of removed entries.
  mutating func store(
    _ entries: [ProviderEntry], named some: Set<String>? = nil, from provider: String,
    in parent: BrowserItem.ID
  ) -> (ids: [BrowserItem.ID], gone: [BrowserItem.ID]) {
    // Taken out of the table, so that it is changed without a copy.
    var now = names.removeValue(forKey: parent) ?? [:]
    var left: [String: BrowserItem.ID] = [:]
    if let some {
      for name in some { left[name] = now.removeValue(forKey: name) }
    } else {
      left = now
      now = Dictionary(minimumCapacity: entries.count)
      guard !left.isEmpty else {
        names[parent] = now
        return (entries.map { id(of: $0, from: provider, in: parent) }, [])
      }
    }
    var ids = [BrowserItem.ID?](repeating: nil, count: entries.count)
    // Unchanged entries are matched first, then renamed entries, then replaced entries. The rest is new.
    for (index, entry) in entries.enumerated() {
      guard let id = left[entry.name], records[id]?.identity == entry.identity else { continue }
      ids[index] = id
      left[entry.name] = nil
    }
    match(entries, &ids, &left)
    let gone = Array(left.values)
    for id in gone { records[id] = nil }
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

  /// Finds the identities of renamed entries first, then of replaced entries.
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
      // A new file may reuse the number of a deleted or replaced file. A rename keeps the time of modification, too.
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

  /// Notes that an operation of this browser has moved an item.
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

  /// The item with a name in a folder, or nil if it is not known.
  func id(named name: String, in parent: BrowserItem.ID) -> BrowserItem.ID? { names[parent]?[name] }
}

/// The thumbnails that are drawn now: two at a time, and each once.
struct PictureQueue {
  var running: [String: Task<[UInt8], any Error>] = [:]
}

extension Browser {
  /// The thumbnail of a document as PNG, from the cache of the desktop. A missing or outdated thumbnail is drawn and
  /// stored there.
  /// - Parameters:
  ///   - id: the document.
  ///   - size: 128, 256, 512 or 1024 pixels.
  /// - Throws: the error that makes the document unreadable, or ``ParticlesCore/Rule/limit`` if drawing exceeds the
  ///   standard limits: about 1.5 s, and 128 MB. The error stays until the document changes.
  public func thumbnail(of id: BrowserItem.ID, size: Int) async throws -> [UInt8] {
    let path = try await localFile(of: id)
    guard let folder = ThumbnailCache.folders.first(where: { $0.size == size }) else {
      throw Diagnostic(
        .range, "the size of a thumbnail", expected: "128, 256, 512 or 1024", found: "\(size)")
    }
    let modified = try Files.status(path)?.state.modified
    if let problem = problems[id], problem.state == modified, let fault = problem.problem,
      fault.severity == .error
    {
      throw fault
    }
    let cache = ThumbnailCache(environment.directories.cacheHome)
    if let bytes = cache.read(path, folder.name) { return bytes }
    let key = "\(path)\0\(size)"
    let task: Task<[UInt8], any Error>
    if let running = pictures.running[key] {
      task = running
    } else {
      task = Task { [places] in
        try await Painter.run(within: places) {
          try Task.checkCancellation()
          return try cache.draw(path, folder).bytes
        }
      }
      pictures.running[key] = task
    }
    defer { pictures.running[key] = nil }
    do {
      return try await task.value
    } catch {
      let fault = Self.diagnostic(error, at: path)
      if !(error is CancellationError) { note(fault, of: id, modified) }
      throw fault
    }
  }

  private func note(_ fault: Diagnostic, of id: BrowserItem.ID, _ modified: Double?) {
    problems[id] = (modified, fault)
  }

  /// Opens documents to find their problems. Called for visible rows, after a pause.
  /// - Returns: the items with their problems and formats. Changes are sent as events, too.
  public func inspect(_ ids: [BrowserItem.ID]) async -> [BrowserItem] {
    var result: [BrowserItem] = []
    var changed: [BrowserItem.ID: [BrowserItem]] = [:]
    for id in ids.prefix(400) {
      guard !Task.isCancelled, var item = try? await item(id) else { continue }
      if item.format != nil, item.problem == nil,
        problems[id]?.state != item.modified || problems[id] == nil,
        let path = try? await localFile(of: id)
      {
        let fault = await Painter.check(path, within: places)
        problems[id] = (item.modified, fault)
        if fault != nil {
          item.problem = fault
          if let parent = item.parent { changed[parent, default: []].append(item) }
        }
      }
      result.append(item)
    }
    for (folder, items) in changed { tell(items, in: folder) }
    return result
  }
}

/// Draws thumbnails on two threads. A new thumbnail goes to the thread with less work.
private actor Painter {
  private let queue = FileQueue()
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  private static let all = [Painter(), Painter()]
  private static let waiting = Lock([0, 0])

  static func run<Result: Sendable>(
    within places: Places, _ body: @Sendable () throws -> Result
  ) async throws -> Result {
    let number = waiting.withLock { waiting in
      let number = waiting[1] < waiting[0] ? 1 : 0
      waiting[number] += 1
      return number
    }
    defer { waiting.withLock { $0[number] -= 1 } }
    return try await all[number].perform { try Places.run(within: places, body) }
  }

  private func perform<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result {
    try body()
  }

  /// The error that makes a document unreadable, or nil.
  static func check(_ path: String, within places: Places) async -> Diagnostic? {
    do {
      try await run(within: places) { _ = try OpenedEffect(path: path).package.system() }
      return nil
    } catch {
      return Browser.diagnostic(error, at: path)
    }
  }
}
