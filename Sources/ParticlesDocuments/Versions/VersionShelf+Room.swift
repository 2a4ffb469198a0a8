internal import ParticlesCore

/// The contents that the versions of a document need, and those that are stored.
struct VersionInventory {
  private(set) var versions: [DocumentVersion]
  /// The digests of the contents that each version needs, by its number.
  private var needs: [Int: Set<String>] = [:]
  /// How many versions and lists of edits need contents, by digest.
  private var users: [String: Int] = [:]
  private let sizes: [String: Int]

  /// - Throws: the first fault of a list: what cannot be read may need anything.
  init(_ shelf: VersionShelf) throws {
    if let fault = shelf.faults().first { throw fault }
    versions = try shelf.versions()
    sizes = try shelf.objects.all()
    for version in versions {
      do {
        needs[version.number] = Set(try StoredTree.objects(of: version.tree, in: shelf.objects))
      } catch {
        throw Diagnostic(
          .fileStore, at: Location(file: shelf.folder),
          "the list of files of version \(version.number)")
      }
    }
    for digest in needs.values.joined() { users[digest, default: 0] += 1 }
    for digest in try EditTrail(shelf).objects { users[digest, default: 0] += 1 }
  }

  /// The room for everything that is needed, in bytes.
  var room: Int { users.keys.reduce(0) { $0 + (sizes[$1] ?? 0) } }

  /// The contents that are needed.
  var needed: Set<String> { Set(users.keys) }

  /// Leaves out a version, and returns the room that this frees, in bytes.
  mutating func drop(_ number: Int) -> Int {
    var freed = 0
    for digest in needs.removeValue(forKey: number) ?? [] {
      users[digest, default: 1] -= 1
      guard users[digest] == 0 else { continue }
      users[digest] = nil
      freed += sizes[digest] ?? 0
    }
    return freed
  }
}

extension VersionShelf {
  /// Removes contents that nothing needs.
  /// - Throws: the first fault of a list; nothing is removed then.
  func collect() throws { try objects.keep(only: VersionInventory(self).needed) }

  /// Removes the versions that the limits do not keep, and returns their number.
  /// - Throws: the first fault of a list; nothing is removed then.
  @discardableResult
  func prune(_ limits: VersionLimits, now: Double) throws -> Int {
    var inventory = try VersionInventory(self)
    var dropped = limits.superfluous(inventory.versions, now: now)
    for number in dropped { _ = inventory.drop(number) }
    var room = inventory.room
    // The oldest first; the newest stays.
    for version in inventory.versions.dropLast()
    where room > limits.bytes && version.isDiscardable && !dropped.contains(version.number) {
      room -= inventory.drop(version.number)
      dropped.insert(version.number)
    }
    if !dropped.isEmpty { try remove(dropped) }
    try objects.keep(only: inventory.needed)
    return dropped.count
  }

  /// The sizes of all files of the document, by identity, so that shared ones can be counted once.
  func files() throws -> [FileIdentity: Int] {
    var sizes: [FileIdentity: Int] = [:]
    func add(_ path: String) throws {
      guard let status = try Files.status(path, followingLinks: false) else { return }
      if status.kind == .directory {
        for name in try Files.list(path, passingOver: { _ in }) {
          try add(Files.joined(path, name))
        }
      } else {
        sizes[status.state.identity] = status.size
      }
    }
    try add(folder)
    return sizes
  }
}
