extension SafeSave {
  /// The most files that are written before they get their names together. Each is open, and processes may have few
  /// open files.
  package static let groupSize = 192

  /// The most files each of which is flushed. More are flushed in groups: to flush each, and to look for what killed
  /// saves left beside it, takes longer than to write it.
  private static let mostFlushed = 8

  /// Writes files that belong together, and renames them in this order: all of them, or none. After an error, new files
  /// are removed, and files that were replaced are as before, unless they can neither be linked nor read; a crash may
  /// leave some of the files, each whole.
  /// - Parameters:
  ///   - files: the paths and the contents.
  ///   - replacing: whether existing files may be replaced; if not, ``Rule/fileExists`` is thrown.
  ///   - isFlushing: whether to wait for the disk; true by default.
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
  /// extended attributes. File systems may have no links, and systems refuse those to files of other users.
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
