internal import ParticlesCore

/// The documents that were opened last: a list of our own, and that of the desktop, `recently-used.xbel`.
public struct RecentDocuments: Sendable {
  /// A document.
  public struct Entry: Sendable, Hashable {
    /// The path.
    public var path: String
    /// The MIME type.
    public var mimeType: String
    /// When it was opened last, in seconds since 1970.
    public var seconds: Double
    /// Whether there is nothing at the path any more, and it was not found in its folder either.
    public var isMissing = false
    /// The identity of the file, which a rename keeps, with the time of its creation.
    var identity: String?
  }

  /// The most documents that are kept.
  public static let most = 100

  /// How long a document that is missing stays in the list, in seconds: 7 days.
  private static let patience = 7 * 86_400.0

  private let stored: StoredState
  private let shared: RecentlyUsed?

  /// The list of an environment: in the store of the user, and `recently-used.xbel`, both below `XDG_DATA_HOME`, or
  /// `~/.local/share`.
  /// - Returns: nil without a home folder.
  public init?(environment: [String: String]) {
    let folders = BaseDirectories(environment: environment)
    guard let data = folders.dataHome else { return nil }
    stored = StoredState(
      "recents", in: UserStore.of(dataFolder: data),
      insteadOf: folders.stateHome.map { Files.joined($0, "particles/recents.json") })
    shared = RecentlyUsed(Files.joined(data, "recently-used.xbel"))
  }

  // MARK: Looking

  /// The documents, the last opened first. Those that were renamed in their folder have their new paths.
  /// - Throws: errors of reading.
  public func entries() throws -> [Entry] {
    let known = Self.read(try stored.read())
    var entries: [Entry] = []
    var folders: [String: [String: String]] = [:]
    for entry in known {
      let found = Self.found(entry, &folders)
      if found.isMissing, WallClock.seconds - found.seconds > Self.patience { continue }
      entries.append(found)
    }
    if entries != known {
      // Another program may be at it: the list is put in order another time then.
      try? stored.change { _ in Self.json(entries) }
    }
    return entries
  }

  /// Looks for a document: at its path, else under another name in its folder.
  /// - Parameter folders: the names of files by their identities, by folder.
  private static func found(_ entry: Entry, _ folders: inout [String: [String: String]]) -> Entry {
    var entry = entry
    entry.isMissing = false
    if let stamp = FolderListing.stamp(of: entry.path) {
      entry.identity = stamp
      return entry
    }
    let folder = Files.folder(of: entry.path)
    if folders[folder] == nil {
      var names: [String: String] = [:]
      for other in (try? FolderListing(folder))?.entries ?? [] {
        if let identity = other.identity, other.bytes == nil { names[identity] = other.name }
      }
      folders[folder] = names
    }
    let identity = entry.identity?.split(separator: "@").first.map(String.init)
    if let identity, let name = folders[folder]?[identity],
      FolderListing.stamp(of: Files.joined(folder, name)) == entry.identity
    {
      entry.path = Files.joined(folder, name)
    } else {
      entry.isMissing = true
    }
    return entry
  }

  // MARK: Changing

  /// Notes that a document was opened now, in both lists.
  /// - Throws: errors of writing our own list. That of the desktop is left alone if it cannot be read or written.
  public func note(_ path: String, mimeType: String) throws {
    let place = (try? Files.resolve(path)) ?? path
    var new = Entry(path: place, mimeType: mimeType, seconds: WallClock.seconds)
    new.identity = FolderListing.stamp(of: place)
    try stored.change { old in
      let others = Self.read(old).filter { $0.path != place }
      return Self.json(Array(([new] + others).prefix(Self.most)))
    }
    try? shared?.add(place, mimeType: mimeType, at: new.seconds)
  }

  /// Notes that a document has another path.
  public func move(_ path: String, to target: String) throws {
    try stored.change { old in
      var entries = Self.read(old)
      guard let index = entries.firstIndex(where: { $0.path == path }) else { return nil }
      entries[index].path = target
      return Self.json(entries)
    }
    try? shared?.move(path, to: target)
  }

  /// Forgets documents; all of them if `paths` is nil. In the list of the desktop, those that only this program has
  /// opened.
  public func forget(_ paths: [String]? = nil) throws {
    var gone: [String] = []
    try stored.change { old in
      let entries = Self.read(old)
      let wanted = paths.map(Set.init)
      gone = entries.map(\.path).filter { wanted?.contains($0) ?? true }
      return Self.json(entries.filter { !gone.contains($0.path) })
    }
    try? shared?.remove(gone)
  }

  // MARK: The file

  private static func read(_ json: JSONValue?) -> [Entry] {
    (json?.object?["documents"]?.array ?? []).compactMap { value in
      guard let object = value.object, let path = object["path"]?.string, path.hasPrefix("/"),
        let seconds = object["opened"]?.double
      else { return nil }
      var entry = Entry(
        path: path, mimeType: object["type"]?.string ?? "application/octet-stream", seconds: seconds
      )
      entry.identity = object["identity"]?.string
      entry.isMissing = object["missing"]?.bool ?? false
      return entry
    }
  }

  private static func json(_ entries: [Entry]) -> JSONValue {
    let documents = entries.map { entry -> JSONValue in
      var object: JSONObject = [
        "path": .string(entry.path), "type": .string(entry.mimeType),
        "opened": .double(entry.seconds),
      ]
      object["identity"] = entry.identity.map(JSONValue.string)
      if entry.isMissing { object["missing"] = .bool(true) }
      return .object(object)
    }
    return ["version": .int(1), "documents": .array(documents)]
  }
}
