public import ParticlesCore

extension VersionStore {
  /// Damage in the lists of versions and edits of a document. As long as there is something,
  /// nothing of the document is deleted.
  public func faults(of path: String) throws -> [Diagnostic] { try existing(path)?.faults() ?? [] }

  /// Reads everything that is kept of a document.
  /// - Returns: damaged and missing parts; empty if every version can be restored, and the files that edits
  ///   need are there.
  public func verify(_ path: String) throws -> [Diagnostic] {
    let deletion = "'particles versions \(path) delete NUMBER' removes a damaged version"
    return try whileLocked(existing: path) { shelf in
      var faults = shelf.faults()
      var sound: Set<String> = []
      func check(_ digests: some Sequence<String>, _ subject: String) {
        for digest in digests where !sound.contains(digest) {
          do {
            try shelf.objects.verify(digest)
            sound.insert(digest)
          } catch {
            let fault = error as? Diagnostic
            faults.append(
              Diagnostic(
                .fileVersion, at: fault?.location ?? Location(file: shelf.folder),
                "\(subject): \(fault?.detail ?? fault?.message ?? "\(error)")", hint: deletion))
            return
          }
        }
      }
      for version in (try? shelf.versions()) ?? [] {
        let subject = "number \(version.number)"
        // The list of files itself.
        check([version.tree], subject)
        if let objects = try? StoredTree.objects(of: version.tree, in: shelf.objects) {
          check(objects, subject)
        }
      }
      check(((try? EditTrail(shelf)) ?? EditTrail()).objects.sorted(), "an edit")
      return faults
    } ?? []
  }

  /// Removes what ``faults(of:)`` reports: damaged lines of the lists, and versions whose lists of files
  /// cannot be read. A list of edits that is damaged is removed as a whole. Versions of which only contents
  /// are damaged stay.
  /// - Returns: the removed parts.
  @discardableResult
  public func repair(_ path: String) throws -> [Diagnostic] {
    try whileLocked(existing: path) { shelf in
      var faults = shelf.faults()
      try shelf.removeUnreadableLists()
      var unreadable: Set<Int> = []
      for version in try shelf.versions() {
        do {
          _ = try StoredTree.objects(of: version.tree, in: shelf.objects)
        } catch {
          unreadable.insert(version.number)
          faults.append(
            Diagnostic(
              .fileStore, at: Location(file: shelf.folder),
              "the list of files of version \(version.number)"))
        }
      }
      if !faults.isEmpty { try shelf.remove(unreadable, damaged: true) }
      try shelf.collect()
      return faults
    } ?? []
  }
}
