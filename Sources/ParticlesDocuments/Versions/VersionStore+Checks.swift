public import ParticlesCore
internal import ParticlesDatabase

extension VersionStore {
  /// Damage in the lists of versions and edits of a document. As long as there is something,
  /// nothing of the document is deleted.
  public func faults(of path: String) throws -> [Diagnostic] {
    guard let document = try existing(path) else { return [] }
    return try faults(of: document.id).faults
  }

  /// - Returns: damage in the lists, and the versions that have it.
  func faults(of document: Int) throws -> (faults: [Diagnostic], versions: Set<Int>) {
    var faults: [Diagnostic] = []
    var damaged: Set<Int> = []
    for version in try store.read({ try DocumentVersion.all(of: document, in: $0) }) ?? [] {
      do {
        _ = try StoredTree.contents(
          of: contentStore.bytes(ofList: version.tree), version.tree)
      } catch Rule.fileVersion {
        faults.append(VersionInventory.fault(version, store.path))
        damaged.insert(version.number)
      }
    }
    do {
      _ = try store.read { try EditTrail(of: document, in: $0) }
    } catch let fault as Diagnostic where fault.rule == .fileStore {
      faults.append(fault)
    }
    return (faults, damaged)
  }

  /// Reads everything that is kept of a document.
  /// - Returns: damaged and missing parts; empty if every version can be restored, and the files that edits
  ///   need are there.
  public func verify(_ path: String) throws -> [Diagnostic] {
    try store.telling { try faultsOfEverything(path) }
  }

  private func faultsOfEverything(_ path: String) throws -> [Diagnostic] {
    guard let document = try existing(path) else { return [] }
    let deletion = "'particles versions \(path) delete NUMBER' removes a damaged version"
    var (faults, damaged) = try faults(of: document.id)
    var sound: Set<String> = []
    func check(_ digests: some Sequence<String>, _ subject: String) {
      for digest in digests where !sound.contains(digest) {
        do {
          try contentStore.verify(digest)
          sound.insert(digest)
        } catch {
          let fault = error as? Diagnostic
          faults.append(
            Diagnostic(
              .fileVersion, at: fault?.location ?? Location(file: store.path),
              "\(subject): \(fault?.detail ?? fault?.message ?? "\(error)")", hint: deletion))
          return
        }
      }
    }
    for version in try versions(of: document) where !damaged.contains(version.number) {
      let list = try contentStore.bytes(ofList: version.tree)
      check(try StoredTree.contents(of: list, version.tree), "number \(version.number)")
    }
    let trail = (try? store.read { try EditTrail(of: document.id, in: $0) }) ?? nil
    check(trail?.contents.sorted() ?? [], "an edit")
    return faults
  }

  /// Removes what ``faults(of:)`` reports: versions whose lists of files cannot be read. Edits of which one
  /// is damaged are removed as a whole. Versions of which only contents are damaged stay.
  /// - Returns: the removed parts.
  @discardableResult
  public func repair(_ path: String) throws -> [Diagnostic] {
    guard let document = try existing(path) else { return [] }
    let (faults, damaged) = try faults(of: document.id)
    if faults.isEmpty { return [] }
    try store.write { database in
      for number in damaged {
        try database.run(
          "DELETE FROM versions WHERE document = ? AND number = ?",
          [.integer(document.id), .integer(number)])
      }
      if (try? EditTrail(of: document.id, in: database)) == nil {
        try database.run("DELETE FROM edits WHERE document = ?", [.integer(document.id)])
      }
      try DocumentRow.change(document.id, in: database)
    }
    try remove(of: document.id) { _ in [] }
    return faults
  }
}
