internal import ParticlesCore

/// The contents that the versions and edits of a document need, and those that are stored.
struct VersionInventory {
  private(set) var versions: [DocumentVersion]
  /// The number of changes of the document when it was looked at.
  let changes: Int
  /// The digests of the contents that each version needs, by its number.
  private var needs: [Int: Set<String>] = [:]
  /// How many versions and edits need contents, by digest.
  private var users: [String: Int] = [:]
  private let sizes: [String: Int]

  /// - Returns: nil if the document is not in the store any more.
  /// - Throws: ``ParticlesCore/Rule/fileStore`` for the first list that cannot be read: it may need anything.
  init?(_ document: Int, in store: UserStore) throws {
    let found = try store.read { database in
      try DocumentRow.numbered(document, in: database).map { row in
        let rows = StoredContentRows(database: database)
        return try (
          row.changes, DocumentVersion.all(of: document, in: database),
          EditTrail(of: document, in: database), rows.contents(of: document)
        )
      }
    }
    guard let (changes, versions, trail, contents) = found ?? nil else { return nil }
    (self.changes, self.versions) = (changes, versions)
    sizes = contents.reduce(into: [:]) { $0[$1.digest] = $1.stored }
    let reader = ContentStore(store)
    for version in versions {
      do {
        let list = try reader.bytes(ofList: version.tree)
        needs[version.number] = Set(try StoredTree.contents(of: list, version.tree))
      } catch Rule.fileVersion {
        throw Self.fault(version, store.path)
      }
    }
    for digest in needs.values.joined() { users[digest, default: 0] += 1 }
    for digest in trail.contents { users[digest, default: 0] += 1 }
  }

  static func fault(_ version: DocumentVersion, _ path: String) -> Diagnostic {
    Diagnostic(
      .fileStore, at: Location(file: path), "the list of files of version \(version.number)")
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

  /// The numbers of the versions that the limits do not keep. They are left out.
  mutating func superfluous(_ limits: VersionLimits, now: Double) -> Set<Int> {
    var dropped = limits.superfluous(versions, now: now)
    for number in dropped { _ = drop(number) }
    var room = room
    // The oldest first; the newest stays.
    for version in versions.dropLast()
    where room > limits.bytes && version.isDiscardable && !dropped.contains(version.number) {
      room -= drop(version.number)
      dropped.insert(version.number)
    }
    return dropped
  }
}
