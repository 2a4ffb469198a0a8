public import ParticlesCore

/// A summary of the versions of a document.
public struct DocumentHistory: Sendable, Hashable {
  /// The absolute path of the document; nil if that is not known.
  public var path: String?

  /// The name of its folder in the store.
  public var identifier: String

  /// The number of versions.
  public var versions: Int

  /// The number of edits that can be undone or redone.
  public var edits: Int

  /// The room on the disk, in bytes. What several documents share counts for each.
  public var bytes: Int

  /// Since when the document has been gone, in seconds since 1970; nil if it is there.
  public var gone: Double?

  /// Damage in its lists.
  public var faults: [Diagnostic]
}

/// The result of ``VersionStore/sweep(at:)``.
public struct SweepOutcome: Sendable, Hashable {
  /// The paths of the documents that were gone for too long, whose versions were removed.
  public var documents: [String] = []

  /// The number of versions that were removed to save room.
  public var versions = 0

  /// The room for everything that is left, in bytes.
  public var bytes = 0

  /// The documents of which nothing was removed, because something is damaged or in use.
  public var diagnostics: [Diagnostic] = []
}

extension VersionStore {
  /// How often the limits for all documents are enforced, in seconds.
  static let sweepSeconds = 86_400.0

  /// The folders of all documents, also of those whose paths other documents have now.
  private func shelves() throws -> [VersionShelf] {
    guard try Files.status(folder) != nil else { return [] }
    return try Files.list(folder, passingOver: { _ in }).compactMap { name in
      let key = name.prefix { $0 != "-" }
      guard key.utf8.count == 32, key.allSatisfy(\.isHexDigit) else { return nil }
      return VersionShelf(Files.joined(folder, name))
    }
  }

  /// All documents of which something is kept, by path.
  public func histories() throws -> [DocumentHistory] {
    let now = WallClock.seconds
    return try shelves().map { shelf in
      var faults = shelf.faults()
      var (bytes, gone) = (0, Double?.none)
      do {
        bytes = try shelf.files().values.reduce(0, +)
        gone = try shelf.goneTime(now: now)
      } catch let fault as Diagnostic {
        faults.append(fault)
      }
      let trail = (try? EditTrail(shelf)) ?? EditTrail()
      return DocumentHistory(
        path: shelf.document()?.path, identifier: Files.lastComponent(of: shelf.folder),
        versions: ((try? shelf.versions()) ?? []).count,
        edits: trail.undoNames.count + trail.redoNames.count, bytes: bytes, gone: gone,
        faults: faults)
    }.sorted { ($0.path ?? "", $0.identifier) < ($1.path ?? "", $1.identifier) }
  }

  /// Enforces the limits for all documents, if that was not done for a day. Looks at one file otherwise.
  func sweepIfDue() throws {
    let stamp = Files.joined(folder, "swept")
    let now = WallClock.seconds
    let last = try Files.status(stamp)?.state.modified
    // A time in the future is one of a wrong clock.
    if let last, abs(now - last) < Self.sweepSeconds { return }
    // First, so that other programs do not begin, too. A new store has nothing to sweep.
    try VersionShelf.replace(stamp, [])
    if last != nil { try sweep(at: now) }
  }

  /// Removes the versions of documents that are gone for ``VersionLimits/goneSeconds``, the oldest versions of
  /// all documents beyond ``VersionLimits/totalBytes``, and what ended programs have left. Nothing is removed
  /// of a document with a list that cannot be read, or that another program is working with.
  /// - Parameter seconds: the time, in seconds since 1970; nil for now.
  @discardableResult
  public func sweep(at seconds: Double? = nil) throws -> SweepOutcome {
    let now = seconds ?? WallClock.seconds
    var outcome = SweepOutcome()
    var rest: [(shelf: VersionShelf, isGone: Bool)] = []
    for shelf in try shelves() {
      do {
        let gone = try shelf.goneTime(now: now, noting: true)
        guard let gone, now - gone >= limits.goneSeconds else {
          rest.append((shelf, gone != nil))
          continue
        }
        let path = shelf.document()?.path
        if try remove(shelf) { outcome.documents.append(path ?? shelf.folder) }
      } catch let fault as Diagnostic {
        outcome.diagnostics.append(fault)
        rest.append((shelf, false))
      }
    }
    try removeLeftovers(now: now)
    try enforceTotal(rest, &outcome)
    return outcome
  }

  /// Removes a folder. It is renamed first: a program that is waiting for its lock notices that.
  /// - Returns: false if it has just been renamed by another program.
  private func remove(_ shelf: VersionShelf) throws -> Bool {
    // Throws if a list cannot be read.
    _ = try VersionInventory(shelf)
    let removed = Files.temporaryName(beside: shelf.folder)
    let isDone: Void? = try shelf.whileLocked(until: Deadline(seconds: 0)) {
      try Files.rename(shelf.folder, removed)
    }
    guard isDone != nil else { return false }
    // Contents that no other document has are removed from the pool, too.
    try? VersionShelf(removed).objects.keep(only: [])
    try Files.removeAll(removed)
    return true
  }

  /// Removes what programs have left that ended while they wrote, and names of files that lead nowhere.
  private func removeLeftovers(now: Double) throws {
    for name in try Files.list(folder, passingOver: { _ in })
    where name.hasPrefix(".") && name.hasSuffix(".tmp") {
      let path = Files.joined(folder, name)
      guard let status = try Files.status(path, followingLinks: false),
        now - status.state.modified > 3600
      else { continue }
      if status.kind == .directory { try? VersionShelf(path).objects.keep(only: []) }
      try Files.removeAll(path)
    }
    let links = Files.joined(folder, "by-file")
    guard try Files.status(links) != nil else { return }
    for name in try Files.list(links, passingOver: { _ in }) {
      let path = Files.joined(links, name)
      guard let bytes = try? Files.readRegular(path) else { continue }
      let target = Files.joined(folder, String(decoding: bytes, as: UTF8.self))
      guard try bytes.count != 32 || Files.status(target) == nil,
        let status = try Files.status(path), now - status.state.modified > 3600
      else { continue }
      try Files.removeAll(path)
    }
  }

  /// Removes the oldest versions of all documents, those of documents that are gone first.
  private func enforceTotal(
    _ shelves: [(shelf: VersionShelf, isGone: Bool)], _ outcome: inout SweepOutcome
  ) throws {
    outcome.bytes = total(shelves.map(\.shelf))
    if outcome.bytes <= limits.totalBytes { return }
    var candidates: [(index: Int, version: DocumentVersion)] = []
    for (index, entry) in shelves.enumerated() {
      let versions = (try? entry.shelf.versions()) ?? []
      let all = entry.isGone ? versions[...] : versions.dropLast()
      candidates += all.filter { $0.isDiscardable || entry.isGone }.map { (index, $0) }
    }
    candidates.sort { a, b in
      let (first, second) = (shelves[a.index].isGone, shelves[b.index].isGone)
      return first == second ? a.version.seconds < b.version.seconds : first
    }
    var inventories: [Int: VersionInventory] = [:]
    var dropped: [Int: Set<Int>] = [:]
    var excess = outcome.bytes - limits.totalBytes
    var damaged: Set<Int> = []
    for (index, version) in candidates where excess > 0 && !damaged.contains(index) {
      do {
        var inventory = try inventories[index] ?? VersionInventory(shelves[index].shelf)
        excess -= inventory.drop(version.number)
        inventories[index] = inventory
        dropped[index, default: []].insert(version.number)
      } catch let fault as Diagnostic {
        outcome.diagnostics.append(fault)
        damaged.insert(index)
      }
    }
    for (index, numbers) in dropped {
      do {
        let shelf = shelves[index].shelf
        let isDone: Void? = try shelf.whileLocked(until: Deadline(seconds: 0)) {
          try shelf.remove(numbers)
          try shelf.collect()
        }
        if isDone != nil { outcome.versions += numbers.count }
      } catch let fault as Diagnostic {
        outcome.diagnostics.append(fault)
      }
    }
    outcome.bytes = total(shelves.map(\.shelf))
  }

  /// The room on the disk. Contents that several documents share count once.
  private func total(_ shelves: [VersionShelf]) -> Int {
    var files: [FileIdentity: Int] = [:]
    for shelf in shelves { files.merge((try? shelf.files()) ?? [:]) { size, _ in size } }
    return files.values.reduce(0, +)
  }
}
