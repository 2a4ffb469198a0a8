/// Puts a finished file or directory in the place of an old one: whatever dies when, the place
/// holds the old thing or the new one.
package enum SafeSave {
  /// Writes a file through a temporary one beside it.
  ///
  /// A symbolic link is followed and stays; the permission bits of a file that is replaced are kept.
  /// - Parameters:
  ///   - replacing: whether something that stands there may be replaced; if not,
  ///     ``Rule/fileExists`` is thrown.
  ///   - body: writes the contents.
  package static func file(
    _ path: String, replacing: Bool, executable: Bool = false, _ body: (OpenFile) throws -> Void
  ) throws {
    let place = try place(path, replacing: replacing)
    let old = try Files.status(place)
    if let old, old.kind != .file {
      // A device or pipe would not be written to but replaced, for everybody.
      let what = old.kind == .directory ? "it is a folder" : "it is no regular file"
      throw Diagnostic(.fileExists, at: Location(file: path), what, hint: otherName)
    }
    let temporary = Files.temporaryName(beside: place)
    do {
      let file = try OpenFile(creating: temporary, mode: executable ? 0o777 : 0o666)
      try body(file)
      if let old { try file.setMode(old.mode) }
      try file.synchronize()
      try replacing ? Files.rename(temporary, place) : Files.renameExclusively(temporary, place)
    } catch {
      try? Files.removeAll(temporary)
      throw (error as? Diagnostic)?.naming(path, insteadOf: [temporary, place]) ?? error
    }
    try Files.synchronizeDirectory(Files.folder(of: place))
  }

  /// Builds a directory beside its place and moves or swaps it in.
  package static func directory(
    _ path: String, replacing: Bool, _ body: (String) throws -> Void
  ) throws {
    let place = try place(path, replacing: replacing)
    let old = try Files.status(place)
    if let old, old.kind != .directory {
      throw Diagnostic(.fileExists, at: Location(file: path), "it is a file", hint: otherName)
    }
    let temporary = Files.temporaryName(beside: place)
    do {
      try Files.makeDirectory(temporary)
      try body(temporary)
      if old == nil {
        try Files.renameExclusively(temporary, place)
      } else {
        try exchange(temporary, place)
      }
    } catch {
      try? Files.removeAll(temporary)
      throw (error as? Diagnostic)?.naming(path, insteadOf: [temporary, place]) ?? error
    }
    try Files.synchronizeDirectory(Files.folder(of: place))
  }

  private static let otherName = "choose another name"

  /// Puts `new` in the place of `old` and removes `old`. Where the system cannot swap, the old one
  /// steps aside first and comes back if the new one cannot be put in its place.
  private static func exchange(_ new: String, _ old: String) throws {
    if try Files.swap(new, old) { return try Files.removeAll(new) }
    let aside = Files.temporaryName(beside: old)
    try Files.rename(old, aside)
    do {
      try Files.rename(new, old)
    } catch {
      try Files.rename(aside, old)
      throw error
    }
    try Files.removeAll(aside)
  }

  /// Where the result really goes: behind a symbolic link, to what it points to.
  private static func place(_ path: String, replacing: Bool) throws -> String {
    guard let status = try Files.status(path, followingLinks: false) else { return path }
    guard replacing else { throw Diagnostic(.fileExists, at: Location(file: path)) }
    return status.kind == .symbolicLink ? try Files.resolve(path) : path
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
