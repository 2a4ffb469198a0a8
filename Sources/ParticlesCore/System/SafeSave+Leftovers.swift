internal import ParticlesPlatform

/// What is left beside a document by a save that was killed.
///
/// Whoever saves holds the lock of the temporary file until it has its place, and the system takes
/// the lock away from the dead. So what nobody holds is left over, whoever made it and when.
extension SafeSave {
  /// The paths of what killed saves of a document left beside it.
  package static func leftovers(of path: String) throws -> [String] {
    let place = try Files.target(of: path)
    let isFolder = try Files.status(place)?.kind == .directory
    return try Files.temporaries(beside: place).filter { temporary in
      // A folder that stepped aside is the document until another has its place.
      if Files.isAside(temporary) && !isFolder { return false }
      let kind = try Files.status(temporary, followingLinks: false)?.kind
      guard kind == .file || kind == .directory else { return false }
      return (try? OpenFile(reading: temporary))?.tryLock() ?? false
    }
  }

  /// Removes what killed saves left, as far as that is possible: the document is safe without it.
  /// - Parameter folder: the folder that it is in, if it is open already.
  package static func removeLeftovers(of place: String, in folder: FolderReader? = nil) {
    guard let temporaries = try? Files.temporaries(beside: place, in: folder), !temporaries.isEmpty
    else {
      return
    }
    for leftover in (try? leftovers(of: place)) ?? [] {
      // In a folder that others write to, theirs is theirs: they may be changing it under our hands.
      guard let status = try? Files.status(leftover, followingLinks: false),
        status.owner.user == geteuid()
      else { continue }
      try? Files.removeAll(leftover)
    }
  }

  /// What stands at the path of a document, or nil if nothing does. A folder that had stepped aside
  /// for a new one when the save was killed is put back first.
  package static func status(of path: String) throws -> FileStatus? {
    if let status = try Files.status(path) { return status }
    guard let place = try? Files.target(of: path),
      let aside = try? Files.temporaries(beside: place).first(where: Files.isAside),
      try Files.status(aside, followingLinks: false)?.kind == .directory
    else { return nil }
    // A save that is just doing this holds the lock, and is done with it soon.
    let folder = try? OpenFile(reading: aside)
    _ = try folder?.lock()
    if try folder != nil && Files.status(place) == nil {
      do {
        try Files.renameExclusively(aside, place)
      } catch Rule.fileNotFound {
        return nil
      } catch Rule.fileExists {
        // Somebody else was quicker.
      }
    }
    return try Files.status(path)
  }
}
