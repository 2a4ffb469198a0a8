/// Replaces a file or directory atomically: after a crash at any moment, the path has the old or the
/// new contents.
package enum SafeSave {
  /// Writes a temporary file and renames it.
  ///
  /// A symbolic link is followed and kept; its target is created if it does not exist. Permission
  /// bits, owner and extended attributes of a replaced file are kept.
  /// - Parameters:
  ///   - replacing: whether an existing file may be replaced; if not, ``Rule/fileExists`` is thrown.
  ///   - isPrivate: whether a new file is private before `body` has set its permissions.
  ///   - permissions: the permission bits of the file, independent of the mask of the process. Nil for those
  ///     of the replaced file, and for a new file those that the mask leaves.
  ///   - stage: receives the written file, which a ``SaveGroup`` flushes and renames later; nil to do
  ///     that at once.
  ///   - deadline: until when to wait for programs that have locked the existing file; nil for
  ///     ``Deadline/standard``, counted from the wait.
  ///   - isFlushing: whether to wait for the disk; true by default.
  ///   - body: writes the contents.
  ///   - confirm: called when everything is written, with the lock of the existing file, right before
  ///     that is replaced. If it throws, the existing file is kept.
  ///   - unflushed: called with ``Rule/fileUnflushed`` if the folder of the new file cannot be flushed; may
  ///     throw it.
  /// - Returns: the result of `body`.
  /// - Throws: ``Rule/fileBusy`` if the file is locked until the deadline; others of the family `file`;
  ///   the errors of `body` and `confirm`.
  @discardableResult
  package static func file<Result>(
    _ path: String, replacing: Bool, executable: Bool = false, private isPrivate: Bool = false,
    permissions: UInt32? = nil, staging stage: SaveStage? = nil, until deadline: Deadline? = nil,
    flushing isFlushing: Bool = true, _ body: (OpenFile) throws -> Result,
    confirm: () throws -> Void = {}, unflushed: (Diagnostic) throws -> Void = { throw $0 }
  ) throws -> Result {
    let place = try place(path, replacing: replacing)
    let old = try Files.status(place)
    if let old, old.kind != .file {
      // A device or pipe would be replaced, not written to.
      let what = old.kind == .directory ? "it is a folder" : "it is not a regular file"
      throw Diagnostic(.fileExists, at: Location(file: path), what, hint: otherName)
    }
    // Private until it gets the permissions of the file that it replaces.
    let mode: UInt32 = old != nil || isPrivate ? 0o600 : executable ? 0o777 : 0o666
    return try save(
      path, at: place, replacing: replacing, staging: stage, flushing: isFlushing,
      create: { try OpenFile(creating: $0, mode: mode) },
      { file in
        let result = try body(file)
        if let old { try file.succeed(place, old) }
        if let permissions { try file.setMode(permissions) }
        return (
          result,
          { isFlushing, confirm in
            if isFlushing { try file.synchronize() }
            if replacing {
              try withLock(of: place, until: deadline) {
                try confirm()
                try Files.rename(file.path, place)
              }
            } else {
              try Files.renameExclusively(file.path, place)
            }
            return isFlushing ? try flush(place, file) : nil
          }
        )
      }, confirm, unflushed)
  }

  /// Builds a temporary directory and renames it, or swaps it with the existing one. Permission bits,
  /// owner and extended attributes of a replaced directory are kept.
  /// - Parameters:
  ///   - isPrivate: as for files.
  ///   - stage: as for files. A directory that replaces another is flushed and renamed at once.
  ///   - deadline: as for files.
  ///   - isFlushing: as for files.
  ///   - body: writes the contents, and flushes them unless `stage` is given.
  ///   - confirm: as for files.
  package static func directory(
    _ path: String, replacing: Bool, private isPrivate: Bool = false,
    staging stage: SaveStage? = nil,
    until deadline: Deadline? = nil, flushing isFlushing: Bool = true,
    _ body: (String) throws -> Void, confirm: () throws -> Void = {}
  ) throws {
    // Moves the old directory back if an interrupted save had moved it aside.
    _ = try status(of: path)
    let place = try place(path, replacing: replacing)
    let old = try Files.status(place)
    if let old, old.kind != .directory {
      throw Diagnostic(.fileExists, at: Location(file: path), "it is a file", hint: otherName)
    }
    try save(
      path, at: place, staging: old == nil ? stage : nil, flushing: isFlushing,
      create: { try makeDirectory($0, mode: old != nil || isPrivate ? 0o700 : 0o777) },
      { folder in
        try body(folder.path)
        guard let old else {
          return (
            (),
            { isFlushing, _ in
              try Temporaries.delayingSignals { try Files.renameExclusively(folder.path, place) }
              return isFlushing ? try flush(place, folder) : nil
            }
          )
        }
        try folder.succeed(place, old)
        let isFlushed = stage == nil
        return (
          (),
          { isFlushing, confirm in
            if isFlushing {
              try isFlushed ? folder.synchronize() : folder.synchronizeFileSystem()
            }
            // The lock protects the old directory from clean-up while it is moved aside.
            try withLock(of: place, until: deadline) {
              try confirm()
              try Temporaries.delayingSignals {
                try exchange(folder, place, flushing: isFlushing)
              }
            }
            return nil
          }
        )
      }, confirm)
  }

  /// Replaces one regular file in a folder, which is locked meanwhile; all other files stay as they are.
  /// The temporary file is beside the folder. Permission bits, owner and extended attributes are kept.
  /// - Parameters:
  ///   - entry: the path of the file in the folder.
  ///   - folder: the path of the folder. A symbolic link is followed.
  ///   - deadline: as for files, for the lock of the folder.
  ///   - unflushed: as for files.
  ///   - body: writes the contents.
  ///   - confirm: as for files. It must check that no folder on the way is a link.
  /// - Returns: false if there is no such file, or if it is on another file system than the folder; then
  ///   nothing was done.
  package static func file(
    _ entry: String, in folder: String, until deadline: Deadline? = nil,
    unflushed: (Diagnostic) throws -> Void = { throw $0 }, _ body: (OpenFile) throws -> Void,
    confirm: () throws -> Void
  ) throws -> Bool {
    let place = try Files.target(of: folder)
    let target = Files.joined(place, entry)
    let parent = try Files.status(Files.folder(of: place))
    guard let old = try Files.status(target, followingLinks: false), old.kind == .file,
      old.state.identity.device == parent?.state.identity.device
    else { return false }
    try save(
      folder, at: place, staging: nil, create: { try OpenFile(creating: $0, mode: 0o600) },
      { file in
        try body(file)
        try file.succeed(target, old)
        return (
          (),
          { _, confirm in
            try file.synchronize()
            try withLock(of: place, until: deadline) {
              try confirm()
              try Files.rename(file.path, target)
            }
            try flush(target, file)
            return nil
          }
        )
      }, confirm, unflushed)
    return true
  }

  /// Runs `body` with the lock of the file at `place`, which excludes other saves.
  private static func withLock(
    of place: String, until deadline: Deadline?, _ body: () throws -> Void
  ) throws {
    // A file that this user cannot read has no lock to wait for.
    let old = try? OpenFile(readingAtOnce: place)
    _ = try old?.lock(until: deadline ?? .standard)
    defer { old?.unlock() }
    try body()
  }

  private static let otherName = "choose another name"

  /// Renames what was written, and flushes before and after if `isFlushing`. Returns the parent folder
  /// if that is open.
  typealias Commit =
    @Sendable (_ isFlushing: Bool, _ confirm: () throws -> Void) throws -> FolderReader?

  /// Creates a temporary file or folder, which `body` fills. The result of `body` includes the
  /// function that renames it.
  private static func save<Result>(
    _ path: String, at place: String, replacing: Bool = false, staging stage: SaveStage?,
    flushing isFlushing: Bool = true, create: (String) throws -> OpenFile?,
    _ body: (OpenFile) throws -> (Result, Commit), _ confirm: () throws -> Void,
    _ unflushed: (Diagnostic) throws -> Void = { throw $0 }
  ) throws -> Result {
    while true {
      let temporary = Files.temporaryName(beside: place)
      let registration = Temporaries.register(temporary)
      do {
        guard let file = try create(temporary), try file.lock() else {
          // Another process may remove the file as a leftover before it is locked.
          Temporaries.forget(registration)
          continue
        }
        let (value, commit) = try body(file)
        if let stage {
          stage.add(
            SaveStage.Save(
              path: path, place: place, temporary: temporary, file: file, commit: commit,
              registration: registration, isReplacing: replacing))
          return value
        }
        var folder: FolderReader?
        do {
          folder = try commit(isFlushing, confirm)
        } catch let fault as Diagnostic where fault.rule == .fileUnflushed {
          var named = fault
          named.location.file = path
          try unflushed(named)
          Temporaries.forget(registration)
          return value
        }
        Temporaries.forget(registration)
        removeLeftovers(of: place, in: folder)
        return value
      } catch {
        // The error may be a consequence of a signal that ends the process.
        Temporaries.stopIfEnding()
        try? Files.removeAll(temporary)
        Temporaries.forget(registration)
        throw try explained(error, path, at: place, insteadOf: temporary)
      }
    }
  }

  /// Returns an error with the path that the user gave, and with a hint if its folder is missing.
  private static func explained(
    _ error: any Error, _ path: String, at place: String, insteadOf temporary: String
  ) throws -> any Error {
    guard var fault = renamed(error, path, insteadOf: [temporary, place]) as? Diagnostic else {
      return error
    }
    let folder = Files.folder(of: place)
    if fault.rule == .fileNotFound, try Files.status(folder) == nil {
      fault.hint = "create the folder '\(folder)' first"
    } else if fault.rule == .fileUnwritable, !Files.canCreate(in: folder) {
      fault.location.file = folder
      fault.hint = "files cannot be created in this folder; save to another one"
    }
    return fault
  }

  /// The error with the path that the user knows instead of a temporary one.
  static func renamed(_ error: any Error, _ path: String, insteadOf others: [String]) -> any Error {
    (error as? Diagnostic)?.naming(path, insteadOf: others) ?? error
  }

  /// Creates and opens a directory; nil if it was removed in between.
  private static func makeDirectory(_ path: String, mode: UInt32) throws -> OpenFile? {
    try Files.makeDirectory(path, mode: mode)
    do {
      return try OpenFile(reading: path)
    } catch Rule.fileNotFound {
      return nil
    }
  }

  /// Replaces `old` with `folder` and removes the old directory. If the system cannot swap, the old
  /// one is renamed first, and renamed back if the new one cannot be put in place.
  private static func exchange(
    _ folder: OpenFile, _ old: String, flushing isFlushing: Bool
  ) throws {
    let new = folder.path
    if try Files.swap(new, old) {
      do {
        if isFlushing { try settle(old, folder) }
      } catch {
        _ = try? Files.swap(new, old)
        throw error
      }
      // If this fails, the next save removes it as a leftover.
      try? Files.removeAll(new)
      return
    }
    let aside = Files.temporaryName(beside: old, isAside: true)
    try blaming(old) { try Files.rename(old, aside) }
    do {
      try Files.rename(new, old)
      if isFlushing { try settle(old, folder) }
    } catch {
      try? Files.rename(old, new)
      try Files.rename(aside, old)
      throw error
    }
    try? Files.removeAll(aside)
  }

  /// Flushes the new name of what is in its place.
  /// - Throws: ``Rule/fileUnflushed``: it stays there, but a loss of power may bring back the old one.
  @discardableResult
  private static func flush(_ place: String, _ new: OpenFile) throws -> FolderReader? {
    do {
      return try settle(place, new)
    } catch let fault as Diagnostic {
      throw Diagnostic(.fileUnflushed, at: Location(file: place), fault.detail)
    }
  }

  /// Flushes a file or folder that was saved before, and whose name could not be flushed then.
  /// - Throws: ``Rule/fileUnflushed``.
  package static func flush(_ path: String) throws {
    do {
      let place = try Files.target(of: path)
      let file = try OpenFile(reading: place)
      if try file.status().kind == .directory { return try file.synchronizeFileSystem() }
      try settle(place, file)
    } catch let fault as Diagnostic {
      throw Diagnostic(.fileUnflushed, at: Location(file: path), fault.detail)
    }
  }

  /// Flushes the new name to the disk. The old file must not be removed before.
  /// - Returns: the parent folder, unless it cannot be opened.
  @discardableResult
  private static func settle(_ place: String, _ new: OpenFile) throws -> FolderReader? {
    try blaming(place) {
      let folder = Files.folder(of: place)
      guard Files.canList(folder) else {
        // The folder cannot be opened, so the whole file system is flushed.
        try new.synchronizeFileSystem()
        return nil
      }
      let reader = try FolderReader(folder, writing: true)
      try reader.synchronize()
      return reader
    }
  }

  /// Reports errors of `body` with the path `place`.
  private static func blaming<Result>(
    _ place: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch var diagnostic as Diagnostic {
      diagnostic.location = Location(file: place)
      throw diagnostic
    }
  }

  /// Returns the path to write to: the target if `path` is a symbolic link.
  private static func place(_ path: String, replacing: Bool) throws -> String {
    guard try Files.status(path, followingLinks: false) != nil else { return path }
    guard replacing else { throw Diagnostic(.fileExists, at: Location(file: path)) }
    return try Files.target(of: path)
  }
}

extension Diagnostic {
  /// Returns this diagnostic with the path that the user gave in place of a temporary one.
  package func naming(_ path: String, insteadOf others: [String]) -> Diagnostic {
    guard let file = location.file?.utf8 else { return self }
    var copy = self
    for other in others
    where file.elementsEqual(other.utf8) || file.starts(with: "\(other)/".utf8) {
      copy.location.file = path + String(decoding: file.dropFirst(other.utf8.count), as: UTF8.self)
    }
    return copy
  }
}
