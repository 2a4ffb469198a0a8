/// Puts a finished file or directory in the place of an old one: whatever dies when, the place
/// holds the old thing or the new one.
package enum SafeSave {
  /// Writes a file through a temporary one beside it.
  ///
  /// A symbolic link is followed and stays, and what it leads to is created if it is not there.
  /// Permission bits, owner and extended attributes of a file that is replaced are kept.
  /// - Parameters:
  ///   - replacing: whether something that stands there may be replaced; if not,
  ///     ``Rule/fileExists`` is thrown.
  ///   - body: writes the contents.
  ///   - confirm: called when all is written, with what stands there and its lock, right before that
  ///     is replaced. What it throws keeps the old thing where it is.
  /// - Returns: what `body` returned.
  @discardableResult
  package static func file<Result>(
    _ path: String, replacing: Bool, executable: Bool = false,
    _ body: (OpenFile) throws -> Result, confirm: () throws -> Void = {}
  ) throws -> Result {
    let place = try place(path, replacing: replacing)
    let old = try Files.status(place)
    if let old, old.kind != .file {
      // A device or pipe would not be written to but replaced, for everybody.
      let what = old.kind == .directory ? "it is a folder" : "it is no regular file"
      throw Diagnostic(.fileExists, at: Location(file: path), what, hint: otherName)
    }
    // What replaces a file is for nobody's eyes until it has the permissions of that.
    let mode: UInt32 = old != nil ? 0o600 : executable ? 0o777 : 0o666
    return try save(
      path, at: place, create: { try OpenFile(creating: $0, mode: mode) },
      { file in
        let result = try body(file)
        if let old { try file.succeed(place, old) }
        try file.synchronize()
        if replacing {
          try withLock(of: place) {
            try confirm()
            try Files.rename(file.path, place)
          }
        } else {
          try Files.renameExclusively(file.path, place)
        }
        // If this fails, the new one is in its place, but a loss of power may bring back the old one.
        return (result, try settle(place, file))
      })
  }

  /// Builds a directory beside its place and moves or swaps it in. Permission bits, owner and
  /// extended attributes of one that is replaced are kept.
  /// - Parameter confirm: as above.
  package static func directory(
    _ path: String, replacing: Bool, _ body: (String) throws -> Void,
    confirm: () throws -> Void = {}
  ) throws {
    // One that stepped aside for a save that was killed is the old one.
    _ = try status(of: path)
    let place = try place(path, replacing: replacing)
    let old = try Files.status(place)
    if let old, old.kind != .directory {
      throw Diagnostic(.fileExists, at: Location(file: path), "it is a file", hint: otherName)
    }
    try save(
      path, at: place, create: { try makeDirectory($0, mode: old != nil ? 0o700 : 0o777) },
      { folder in
        try body(folder.path)
        guard let old else {
          try Files.renameExclusively(folder.path, place)
          return ((), try settle(place, folder))
        }
        try folder.succeed(place, old)
        try folder.synchronize()
        // Whoever tidies up leaves it alone while it has stepped aside.
        try withLock(of: place) {
          try confirm()
          try exchange(folder, place)
        }
        return ((), nil)
      })
  }

  /// Keeps those away meanwhile that append to what stands at `place`, or replace it.
  private static func withLock(of place: String, _ body: () throws -> Void) throws {
    // One that we may not read nobody else of us has open either.
    let old = try? OpenFile(readingAtOnce: place)
    _ = try old?.lock()
    defer { old?.unlock() }
    try body()
  }

  private static let otherName = "choose another name"

  /// Creates something beside its place, which `body` fills and moves there. With its result, it
  /// returns the folder if that is still open.
  private static func save<Result>(
    _ path: String, at place: String, create: (String) throws -> OpenFile?,
    _ body: (OpenFile) throws -> (Result, FolderReader?)
  ) throws -> Result {
    var temporary = Files.temporaryName(beside: place)
    let result: (Result, folder: FolderReader?)
    do {
      while true {
        if let file = try create(temporary), try file.lock() {
          result = try body(file)
          break
        }
        // Before it was locked, somebody who tidies up took it for a leftover.
        temporary = Files.temporaryName(beside: place)
      }
    } catch {
      try? Files.removeAll(temporary)
      guard var fault = (error as? Diagnostic)?.naming(path, insteadOf: [temporary, place]) else {
        throw error
      }
      let folder = Files.folder(of: place)
      if fault.rule == .fileNotFound, try Files.status(folder) == nil {
        fault.hint = "make the folder '\(folder)' first"
      }
      throw fault
    }
    removeLeftovers(of: place, in: result.folder)
    return result.0
  }

  /// An open directory that was just created; nil if it is gone again.
  private static func makeDirectory(_ path: String, mode: UInt32) throws -> OpenFile? {
    try Files.makeDirectory(path, mode: mode)
    do {
      return try OpenFile(reading: path)
    } catch Rule.fileNotFound {
      return nil
    }
  }

  /// Puts `new` in the place of `old` and removes `old`. Where the system cannot swap, the old one
  /// steps aside first and comes back if the new one cannot be put in its place.
  private static func exchange(_ folder: OpenFile, _ old: String) throws {
    let new = folder.path
    if try Files.swap(new, old) {
      do {
        try settle(old, folder)
      } catch {
        _ = try? Files.swap(new, old)
        throw error
      }
      // What cannot be removed is left over, and goes with the next save.
      try? Files.removeAll(new)
      return
    }
    let aside = Files.temporaryName(beside: old, isAside: true)
    try blaming(old) { try Files.rename(old, aside) }
    do {
      try Files.rename(new, old)
      try settle(old, folder)
    } catch {
      try? Files.rename(old, new)
      try Files.rename(aside, old)
      throw error
    }
    try? Files.removeAll(aside)
  }

  /// Waits until the name of what has its place now has reached the disk. Only then may what stood
  /// there before be removed.
  /// - Returns: the folder, unless it may not be opened.
  @discardableResult
  private static func settle(_ place: String, _ new: OpenFile) throws -> FolderReader? {
    try blaming(place) {
      let folder = Files.folder(of: place)
      guard Files.canList(folder) else {
        // A folder that may not be opened cannot be waited for alone.
        try new.synchronizeFileSystem()
        return nil
      }
      let reader = try FolderReader(folder, writing: true)
      try reader.synchronize()
      return reader
    }
  }

  /// Makes a failure one of `place`, whatever path the system was asked for.
  private static func blaming<Result>(
    _ place: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let diagnostic as Diagnostic {
      throw Diagnostic(diagnostic.rule, at: Location(file: place), diagnostic.detail)
    }
  }

  /// Where the result really goes: behind a symbolic link, to what it points to.
  private static func place(_ path: String, replacing: Bool) throws -> String {
    guard try Files.status(path, followingLinks: false) != nil else { return path }
    guard replacing else { throw Diagnostic(.fileExists, at: Location(file: path)) }
    return try Files.target(of: path)
  }
}

extension Diagnostic {
  /// This diagnostic with the name that the user knows instead of a temporary one.
  fileprivate func naming(_ path: String, insteadOf others: [String]) -> Diagnostic {
    guard let file = location.file?.utf8 else { return self }
    var copy = self
    for other in others
    where file.elementsEqual(other.utf8) || file.starts(with: "\(other)/".utf8) {
      copy.location.file = path + String(decoding: file.dropFirst(other.utf8.count), as: UTF8.self)
    }
    return copy
  }
}
