internal import ParticlesPlatform

/// Temporary files that an interrupted save left beside a document.
///
/// A save holds the lock of its temporary file until the rename, and the system releases the locks of
/// a process that ends. A temporary file that is not locked is therefore a leftover.
extension SafeSave {
  /// Returns the paths of the leftovers of interrupted saves of a document.
  package static func leftovers(of path: String) throws -> [String] {
    let place = try Files.target(of: path)
    let isFolder = try Files.status(place)?.kind == .directory
    return try Files.temporaries(beside: place).filter { temporary in
      // A folder under this name is the only copy of the document until the new one is in place.
      if Files.isAside(temporary) && !isFolder { return false }
      let kind = try Files.status(temporary, followingLinks: false)?.kind
      guard kind == .file || kind == .directory else { return false }
      return (try? OpenFile(reading: temporary))?.tryLock() ?? false
    }
  }

  /// Removes the leftovers of interrupted saves. Errors are ignored.
  /// - Parameter folder: the folder of the document, if it is already open.
  package static func removeLeftovers(of place: String, in folder: FolderReader? = nil) {
    guard let temporaries = try? Files.temporaries(beside: place, in: folder), !temporaries.isEmpty
    else {
      return
    }
    for leftover in (try? leftovers(of: place)) ?? [] {
      // In a shared folder, files of other users are left alone.
      guard let status = try? Files.status(leftover, followingLinks: false),
        status.owner.user == geteuid()
      else { continue }
      try? Files.removeAll(leftover)
    }
  }

  /// Removes what interrupted saves and copies of all documents in a folder have left, if it has not changed
  /// for a minute: not every temporary file is locked. Errors are ignored.
  package static func removeLeftovers(inFolder folder: String) {
    for path in (try? Files.temporaries(in: folder)) ?? [] {
      // The old folder of a document may be the only copy.
      guard !Files.isAside(path), let status = try? Files.status(path, followingLinks: false),
        status.kind == .file || status.kind == .directory, status.owner.user == geteuid(),
        // Another name of a file that is being replaced, from which it may come back.
        status.kind != .file || status.links == 1,
        WallClock.seconds - status.state.modified > 60,
        (try? OpenFile(readingAtOnce: path))?.tryLock() ?? false
      else { continue }
      try? Files.removeAll(path)
    }
  }

  /// Returns the status of a document, or nil if there is none. If an interrupted save had moved the
  /// old folder aside, it is moved back first.
  package static func status(of path: String) throws -> FileStatus? {
    if let status = try Files.status(path) { return status }
    guard let place = try? Files.target(of: path),
      let aside = try? Files.temporaries(beside: place).first(where: Files.isAside),
      try Files.status(aside, followingLinks: false)?.kind == .directory
    else { return nil }
    // A running save holds the lock, for a short time only.
    let folder = try? OpenFile(reading: aside)
    _ = try folder?.lock()
    if try folder != nil && Files.status(place) == nil {
      do {
        try Files.renameExclusively(aside, place)
      } catch Rule.fileNotFound {
        return nil
      } catch Rule.fileExists {
        // Another process was faster.
      }
    }
    return try Files.status(path)
  }
}
