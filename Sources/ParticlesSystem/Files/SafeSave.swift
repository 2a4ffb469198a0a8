package import ParticlesCore
internal import ParticlesPlatform

/// Replaces a file or directory atomically: after a crash at any moment, the path has the old or the
/// new contents.
package enum SafeSave {
  /// Writes a temporary file and renames it.
  ///
  /// A symbolic link is followed and kept, and its target is created if missing. Permission bits,
  /// owner and extended attributes of a replaced file are kept.
  /// - Parameters:
  ///   - replacing: whether an existing file may be replaced. If not, ``Rule/fileExists`` is thrown.
  ///   - isPrivate: whether a new file is private before `body` has set its permissions.
  ///   - permissions: the permission bits of the file, independent of the mask of the process. With nil, the
  ///     bits of the replaced file, or for a new file the bits that the mask leaves.
  ///   - stage: receives the written file, which a ``SaveGroup`` flushes and renames later. With nil,
  ///     that is done at once.
  ///   - deadline: until when to wait for programs that have locked the existing file. With nil,
  ///     ``Deadline/standard``, counted from the wait.
  ///   - isFlushing: whether to wait for the disk. The default is true.
  ///   - body: writes the contents.
  ///   - confirm: called when everything is written, with the lock of the existing file, right before
  ///     that is replaced. If it throws, the existing file is kept.
  ///   - unflushed: called with ``Rule/fileUnflushed`` if the folder of the new file cannot be flushed. It
  ///     may throw it.
  /// - Returns: the result of `body`.
  /// - Throws: ``Rule/fileBusy`` if the file is locked until the deadline, rules of the family `file`,
  ///   and the errors of `body` and `confirm`.
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
            try file.complete()
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

  /// Replaces one regular file in a folder, which is locked meanwhile. No other file changes. The
  /// temporary file is beside the folder. Permission bits, owner and extended attributes are kept.
  /// - Parameters:
  ///   - entry: the path of the file in the folder.
  ///   - folder: the path of the folder. A symbolic link is followed.
  ///   - deadline: as for files, for the lock of the folder.
  ///   - unflushed: as for files.
  ///   - body: writes the contents.
  ///   - confirm: as for files. It must check that no folder on the way is a link.
  /// - Returns: false, without any change, if there is no such file, or if it is on another file system
  ///   than the folder.
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
            try file.complete()
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

  /// Returns a `confirm` for contents that were made of those at a path: it throws ``Rule/fileChanged`` if another program
  /// has written to the path since.
  /// - Parameter state: the state that the file had before it was read. Nil for a path without a file.
  package static func unchanged(_ path: String, since state: FileState?) -> () throws -> Void {
    {
      guard try Files.status(path)?.state == state else {
        throw Diagnostic(.fileChanged, at: Location(file: path))
      }
    }
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

  /// Renames the written file, and flushes before and after if `isFlushing`. Returns the parent folder
  /// if it is open.
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

  /// Creates and opens a directory. Returns nil if it was removed in between.
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

  /// Flushes the new name of a renamed file or directory.
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

  /// Removes leftovers of interrupted saves and copies of all documents in a folder. Leftovers that changed
  /// within a minute stay, because not every temporary file is locked. Errors are ignored.
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

  /// The most files that are written before they get their names together. Each is open, and processes may have few
  /// open files.
  package static let groupSize = 192

  /// The most files that are flushed one by one. More files are flushed in groups: to flush each, and to look for
  /// leftovers of killed saves beside it, takes longer than to write it.
  private static let mostFlushed = 8

  /// Writes files that belong together, and renames them in this order: all or none. After an error, new files are
  /// removed, and replaced files are as before, unless they can neither be linked nor read. A crash may leave some of
  /// the files, each whole.
  /// - Parameters:
  ///   - files: the paths and the contents.
  ///   - replacing: whether existing files may be replaced. If not, ``Rule/fileExists`` is thrown.
  ///   - isFlushing: whether to wait for the disk. The default is true.
  /// - Throws: the errors of ``file(_:replacing:executable:private:permissions:staging:until:flushing:_:confirm:unflushed:)``.
  package static func files(
    _ files: [(path: String, bytes: [UInt8])], replacing: Bool, flushing isFlushing: Bool = true
  ) throws {
    let isGrouped = isFlushing && files.count > mostFlushed
    var (group, stages, rest) = (SaveGroup(), [SaveStage](), files[...])
    do {
      while !rest.isEmpty {
        let stage = SaveStage()
        stages.append(stage)
        for file in rest.prefix(groupSize) {
          try write(file.bytes, to: file.path, replacing: replacing, staging: stage)
        }
        rest = rest.dropFirst(groupSize)
        guard isGrouped else {
          for (place, folder) in try stage.commit(flushing: isFlushing) {
            removeLeftovers(of: place, in: folder)
          }
          continue
        }
        if let error = group.commit([stage], settling: false)[0] { throw error }
      }
      if isGrouped { try group.finish() }
    } catch {
      for stage in stages.reversed() { stage.takeBack() }
      throw error
    }
  }

  /// Gives a file another name, from which it can come back: a hard link, or else a copy with owner, permissions and
  /// extended attributes. Some file systems have no links, and systems refuse links to files of other users.
  static func keep(_ place: String, as path: String, linking: Bool = true) throws {
    if linking, (try? Files.share(place, as: path)) != nil { return }
    let old = try OpenFile(readingRegular: place)
    let status = try old.status()
    let copy = try OpenFile(creating: path, mode: 0o600)
    try copy.write(0..<status.size, of: old, at: 0)
    try copy.succeed(place, status)
  }

  private static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool, staging stage: SaveStage
  ) throws {
    try file(path, replacing: replacing, staging: stage) { open in
      try bytes.withUnsafeBytes { try open.write($0) }
    }
  }
}

/// Files of one document that are written under temporary names and renamed later, so that many
/// documents share one flush of the disk.
///
/// Pass a stage to ``SafeSave/file(_:replacing:executable:private:permissions:staging:until:flushing:_:confirm:unflushed:)``, then give it to a
/// ``SaveGroup``. A stage that is released without that removes its temporary files.
package final class SaveStage: Sendable {
  /// A file or directory that has all of its contents, but still a temporary name.
  struct Save: Sendable {
    let path: String
    let place: String
    let temporary: String
    let file: OpenFile
    let commit: SafeSave.Commit
    /// Of the temporary name, which a signal removes.
    let registration: CInt
    /// Whether it may replace a file.
    let isReplacing: Bool

    /// Removes the written file.
    func discard() {
      try? Files.removeAll(temporary)
      Temporaries.forget(registration)
    }
  }

  /// A file or directory that has got its name, and how to undo that.
  private struct Renamed: Sendable {
    let place: String
    let identity: FileIdentity?
    /// The path and the registration of another name of the file that was replaced.
    var old: (path: String, registration: CInt)?
    /// Whether there was nothing at its place.
    var isNew = true

    init(_ save: Save) throws {
      (place, identity) = (save.place, save.file.identity)
      guard save.isReplacing, try Files.status(place, followingLinks: false) != nil else { return }
      isNew = false
      let path = Files.temporaryName(beside: place)
      let registration = Temporaries.register(path)
      // A file that can neither be linked nor read does not come back.
      if (try? SafeSave.keep(place, as: path)) != nil {
        old = (path, registration)
      } else {
        try? Files.removeAll(path)
        Temporaries.forget(registration)
      }
    }

    /// Restores the former state, unless another program has replaced the file since.
    func takeBack() {
      guard let identity,
        (try? Files.status(place, followingLinks: false))?.state.identity == identity
      else { return settle() }
      if let old {
        // If this fails, the old contents have only the temporary name.
        try? Files.rename(old.path, place)
        Temporaries.forget(old.registration)
      } else if isNew {
        try? Files.removeAll(place)
      }
    }

    /// Removes the temporary name of the old file.
    func settle() {
      guard let old else { return }
      try? Files.removeAll(old.path)
      Temporaries.forget(old.registration)
    }
  }

  private let saves = Lock<[Save]>([])
  private let renamed = Lock<[Renamed]>([])

  package init() {}

  deinit {
    discard()
    settle()
  }

  /// The number of files and directories that wait for their names.
  package var count: Int { saves.withLock { $0.count } }

  func add(_ save: Save) { saves.withLock { $0.append(save) } }

  /// The open files, for the flush.
  var files: [OpenFile] { saves.withLock { $0.map(\.file) } }

  /// Renames the files in the order in which they were written: all or none. If there are several, the replaced
  /// files have another name until ``settle()``.
  /// - Parameters:
  ///   - isFlushing: whether each is flushed, too.
  ///   - isKeeping: whether files of other stages are renamed, too.
  /// - Returns: the paths of the files, and their folders if these are open.
  func commit(
    flushing isFlushing: Bool = false, keeping isKeeping: Bool = false
  ) throws -> [(place: String, folder: FolderReader?)] {
    // Each file is closed right after its rename, which ends its lock, so that no other program waits
    // for the rest.
    var waiting = saves.withLock { saves in
      defer { saves = [] }
      return Array(saves.reversed())
    }
    let isKeeping = isKeeping || waiting.count > 1
    var places: [(String, FolderReader?)] = []
    while let save = waiting.popLast() {
      do {
        // A file that may replace one has its lock then, so that the state that is kept is the replaced one.
        func record() throws {
          guard isKeeping else { return }
          let renamed = try Renamed(save)
          self.renamed.withLock { $0.append(renamed) }
        }
        if !save.isReplacing { try record() }
        let folder = try save.commit(isFlushing) { if save.isReplacing { try record() } }
        Temporaries.forget(save.registration)
        places.append((save.place, folder))
      } catch {
        for save in [save] + waiting { save.discard() }
        takeBack()
        throw SafeSave.renamed(error, save.path, insteadOf: [save.temporary, save.place])
      }
    }
    return places
  }

  /// Removes the files that have got their names, and restores the files that they have replaced.
  func takeBack() { for file in takeRenamed().reversed() { file.takeBack() } }

  /// Ends the possibility to take the files back.
  func settle() { for file in takeRenamed() { file.settle() } }

  private func takeRenamed() -> [Renamed] {
    renamed.withLock { renamed in
      defer { renamed = [] }
      return renamed
    }
  }

  /// Removes the temporary files.
  package func discard() {
    let discarded = saves.withLock { saves in
      defer { saves = [] }
      return saves
    }
    for save in discarded { save.discard() }
  }
}

/// Renames the files of many documents after one flush for each file system. So a name never refers
/// to incomplete contents, even after a loss of power.
package struct SaveGroup {
  /// An open file on each file system, by the device: a descriptor of its own, because the saved files
  /// are closed when they are renamed.
  private var fileSystems: [UInt64: OpenFile] = [:]

  /// The renamed files by their folder.
  private var places: [String: [String]] = [:]

  /// The time spent in flushes, in seconds.
  package private(set) var seconds = 0.0

  package init() {}

  /// Flushes the file systems of the stages, then renames the files of each.
  /// - Parameters:
  ///   - isSettling: whether the files stay even if a later step fails. The default is true.
  ///   - prepare: called before the files of a stage are renamed, with the index of the stage and
  ///     the errors of earlier stages. If it throws, the files of the stage are removed.
  /// - Returns: for each stage the error that kept its files from their names, or nil.
  package mutating func commit(
    _ stages: [SaveStage], settling isSettling: Bool = true,
    preparing prepare: (_ index: Int, _ errors: [(any Error)?]) throws -> Void = { _, _ in }
  ) -> [(any Error)?] {
    do {
      for file in stages.flatMap(\.files) {
        let device = try file.status().state.device
        if fileSystems[device] == nil { fileSystems[device] = try OpenFile(reading: file.path) }
      }
      try flush()
    } catch {
      for stage in stages { stage.discard() }
      return stages.map { _ in error }
    }
    var errors: [(any Error)?] = []
    for (index, stage) in stages.enumerated() {
      do {
        try prepare(index, errors)
        for (place, _) in try stage.commit(keeping: !isSettling) {
          places[Files.folder(of: place), default: []].append(place)
        }
        if isSettling { stage.settle() }
        errors.append(nil)
      } catch {
        stage.discard()
        errors.append(error)
      }
    }
    return errors
  }

  /// Makes the new names durable, and removes leftovers of killed saves of these documents.
  package mutating func finish() throws {
    try flush()
    for (folder, places) in places {
      // One list serves all documents in the folder, because leftovers are rare.
      let names = (try? Files.list(folder)) ?? []
      guard names.contains(where: { $0.hasPrefix(".") && $0.hasSuffix(".tmp") }) else { continue }
      for place in places { SafeSave.removeLeftovers(of: place) }
    }
    places = [:]
  }

  private mutating func flush() throws {
    let start = MonotonicClock.seconds
    defer { seconds += MonotonicClock.seconds - start }
    for file in fileSystems.values { try file.synchronizeFileSystem() }
  }
}
