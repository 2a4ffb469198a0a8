internal import ParticlesCore

extension Container {
  /// How a flat package is saved at its path. After a crash at any time, the file opens as the old
  /// or as the new package.
  public enum SaveMode: String, Sendable, CaseIterable {
    /// Appends, unless more than a third of the contents in the file would be unused afterwards, or the
    /// file has ``Container/generationLimit(ofFileSize:)`` generations; then replaces. If nothing changed,
    /// removes an unfinished save or does nothing.
    case automatic
    /// Appends the changes to the file. The cost depends on the changes, not on the size of the file.
    /// Replaced and removed contents stay in the file: use `replace` before sharing it. An unfinished
    /// save at the end of the file is removed, also if nothing changed.
    case append
    /// Writes a new file beside the old one and renames it. Blocks that did not change are copied
    /// without compressing them again, or shared where the file system supports it. Writes the file
    /// even if nothing changed.
    case replace
  }
}

extension Container {
  /// Returns how many generations a file of this size in bytes may have before an automatic save replaces it:
  /// 4, or one for each MiB. So opening it reads few more heads of frames than it has blocks, and the
  /// bytes that are written to replace it are at most 1 MiB for each save.
  public static func generationLimit(ofFileSize size: Int) -> Int { max(4, size >> 20) }

  /// Saves the package at the path where it was opened, in its form.
  ///
  /// Of a directory, the only file that has changed is replaced; after any other change, a new directory is
  /// written and exchanged with the old one. Afterwards contents are read from the saved package. If saving fails or is cancelled, the old package stays,
  /// and no temporary file is left. Waits for at most 5 seconds for a program that has locked the file.
  /// - Parameters:
  ///   - mode: how to save the flat form.
  ///   - level: the compression level of new blocks. Existing blocks are copied, so `replace` gives the
  ///     canonical bytes only if all of them were packed at this level.
  ///   - work: threads and progress. Progress counts the contents that are written: the new ones when
  ///     appending, all otherwise.
  ///   - synchronizing: whether appending waits until everything has reached the disk. If not, the
  ///     package still opens as the old or the new one after a crash of the program; a loss of power
  ///     soon afterwards may damage it. Replacing always waits.
  /// - Returns: how it was saved, `append` or `replace`; nil if there was nothing to do.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` if the package has no path yet (use
  ///   ``save(to:as:replacing:options:)``); ``ParticlesCore/Rule/fileChanged`` if another program
  ///   changed it since it was opened; ``ParticlesCore/Rule/fileBusy`` if one held its lock; others of the family `file`; faults of names and links; errors
  ///   of reading the contents; `CancellationError` if the current task is cancelled.
  @discardableResult
  public mutating func save(
    mode: SaveMode = .automatic, level: CompressionLevel = .standard,
    work: WorkOptions = WorkOptions(), synchronizing: Bool = true
  ) throws -> SaveMode? {
    try save(
      mode: mode, level: level, work: work, synchronizing: synchronizing, until: .standard)
  }

  /// The same, but waits for locks until a deadline.
  @discardableResult
  package mutating func save(
    mode: SaveMode, level: CompressionLevel = .standard, work: WorkOptions = WorkOptions(),
    synchronizing: Bool = true, until deadline: Deadline
  ) throws -> SaveMode? {
    guard let saved else {
      throw Diagnostic(
        .fileNotFound, "the package was made in memory and has no path yet",
        hint: "save it to a path first")
    }
    try Task.checkCancellation()
    guard root.isDirectory else { throw FileNode.rootFault }
    let options = PackingOptions(level: level, reusesBlocks: true, work: work)
    let others = !isKnownUniquelyReferenced(&holder) || saved.hasValues(besides: holder)
    var late: Diagnostic?
    let used = try saved.whileSaving {
      let used = try save(
        saved, saved.state, mode, options, others: others, synchronizing, until: deadline,
        unflushed: { late = $0 })
      // An earlier save could not flush the folder.
      if late == nil, saved.isUnflushed { try SafeSave.flush(saved.path) }
      saved.isUnflushed = late != nil
      return used
    }
    if used != nil { holder = saved.makeHolder() }
    // The next save goes on from the new file.
    if let late { throw late }
    return used
  }

  /// - Parameters:
  ///   - others: whether there are other values of the package: copies of this one, or older.
  ///   - unflushed: called if the folder of the new file cannot be flushed.
  private mutating func save(
    _ saved: SavedPackage, _ old: SavedPackage.State, _ mode: SaveMode, _ options: PackingOptions,
    others: Bool, _ synchronizing: Bool, until deadline: Deadline,
    unflushed: (Diagnostic) -> Void
  ) throws -> SaveMode? {
    let changes = TreeChanges(from: old.root, to: root)
    guard let reader = old.reader else {
      if changes.isEmpty { return nil }
      let found = try saved.checkUnchanged()
      try replaceDirectory(
        saved, changes, options, keeping: found, others: others, until: deadline,
        unflushed: unflushed)
      saved.rememberAgain()
      return .replace
    }
    var wanted = mode == .automatic ? Self.automaticMode(changes, old, reader) : mode
    if changes.isEmpty && (wanted == .append || mode == .automatic) {
      guard reader.warnings.contains(where: { $0.rule == .torn }) else { return nil }
      wanted = .append
    }
    _ = try saved.checkUnchanged()
    if wanted == .append {
      try append(changes, saved, old, reader, options, synchronizing, until: deadline)
    } else {
      // Checked again at the end: another program may append meanwhile, which must not be lost.
      let file = try writeFile(
        saved.path, replacing: true, options, until: deadline,
        confirm: { _ = try saved.checkUnchanged() }, unflushed: unflushed)
      let new = try SavedPackage.State(root, in: file)
      saved.state = new
      // Other values may still read from the file that was replaced.
      if let stream = new.reader?.stream {
        reader.stream.succeed(by: stream, Self.copies(of: reader.stream, in: root, to: new.root))
        saved.keptStreams.add(reader.stream)
      }
      root = new.root
      warnings = []
    }
    saved.rememberAgain()
    return wanted
  }

  /// Returns where contents that were in a stream are in it, and in the stream that was just written.
  private static func copies(
    of stream: StreamReader, in old: FileNode, to new: FileNode
  ) -> [(old: Range<Int>, new: Int)] {
    func contents(_ node: FileNode) -> [FileContents] {
      var contents: [FileContents] = []
      node.forEachDescendant { _, _, node in
        if let file = node.contents, file.size > 0 { contents.append(file) }
      }
      return contents
    }
    return zip(contents(old), contents(new)).compactMap { old, new in
      guard let from = old.origin, from.stream === stream, let to = new.origin else { return nil }
      return (from.offset..<from.offset + old.size, to.offset)
    }
  }

  /// - Parameter found: the directory as it is now, of which metadata of the system stays.
  private mutating func replaceDirectory(
    _ saved: SavedPackage, _ changes: TreeChanges, _ options: PackingOptions,
    keeping found: FileNode?, others: Bool, until deadline: Deadline,
    unflushed: (Diagnostic) -> Void
  ) throws {
    let confirm = { [root] in
      _ = try saved.checkUnchanged()
      if others { try saved.keepFiles(missingIn: root) }
    }
    let isWritten = try replaceFile(
      saved, changes, options, until: deadline, confirm: confirm, unflushed: unflushed)
    if !isWritten {
      try root.addingMetadata(of: found ?? root).write(
        toDirectory: saved.path, replacing: true, synchronizing: true, work: options.work,
        until: deadline, confirm: confirm)
    }
    let found = try FileNode(readingDirectory: saved.path, limits: .none)
    root = saved.adopt(root, found)
    saved.state = .init(root: root, liveBytes: 0)
  }

  /// Writes the only file of the directory that has changed. More than one could not be replaced at once.
  /// - Returns: false if other entries have changed, or if the file cannot be replaced by itself.
  private func replaceFile(
    _ saved: SavedPackage, _ changes: TreeChanges, _ options: PackingOptions,
    until deadline: Deadline, confirm: () throws -> Void, unflushed: (Diagnostic) -> Void
  ) throws -> Bool {
    guard changes.removed.isEmpty, changes.written.count == 1,
      let (path, node) = changes.written.first,
      let contents = node.contents, let old = saved.state.root[path], old.isRegularFile,
      old.isExecutable == node.isExecutable
    else { return false }
    let work = SharedWork(total: contents.size, options.work)
    return try SafeSave.file(
      path, in: saved.path, until: deadline, unflushed: unflushed,
      { file in
        var done = 0
        try contents.forEachPiece { piece in
          try work.checkCancellation()
          try file.write(piece)
          done += piece.count
          work.report(done)
        }
      }, confirm: confirm)
  }

  /// Writes the package to a path, whole or not at all, and continues there: later calls of
  /// ``save(mode:level:work:synchronizing:)`` save to this path, and contents are read from it. The
  /// package at the old path does not change.
  /// - Parameters:
  ///   - path: the path to write to; its folder must exist. If it is a symbolic link, its target is
  ///     replaced and the link stays.
  ///   - form: which form to write.
  ///   - replacing: whether an existing package of the same form may be replaced.
  ///   - options: level, threads, progress, and whether to wait for the disk; a directory needs no level.
  /// - Throws: the errors of ``write(to:as:replacing:options:)``; then the path of the package does not
  ///   change.
  public mutating func save(
    to path: String, as form: Form = .flat, replacing: Bool = false,
    options: PackingOptions = PackingOptions()
  ) throws {
    try save(to: path, as: form, replacing: replacing, options: options, confirm: {})
  }

  /// The same; calls `confirm` with the lock of what is replaced, right before that.
  package mutating func save(
    to path: String, as form: Form, replacing: Bool, options: PackingOptions,
    confirm: () throws -> Void
  ) throws {
    let old = self
    // The file was written by this library: no limits.
    switch form {
    case .directory:
      try root.write(
        toDirectory: path, replacing: replacing, synchronizing: options.synchronizing,
        work: options.work, confirm: confirm)
      self = Container(root: try FileNode(readingDirectory: path, limits: .none))
      stay(at: SavedPackage(path: path, form: .directory, .init(root: root, liveBytes: 0)))
    case .flat:
      var late: Diagnostic?
      let file = try writeFile(
        path, replacing: replacing, options, confirm: confirm, unflushed: { late = $0 })
      self = try Container(root, savedAt: path, file)
      if let late { throw late }
    }
    Parallel.release(consume old)
  }

  /// Chooses by the share of the stream that no file would refer to after an append, and by the number of
  /// generations.
  private static func automaticMode(
    _ changes: TreeChanges, _ old: SavedPackage.State, _ reader: ContainerReader
  ) -> SaveMode {
    let written = changes.written.reduce(0) { $0 + ($1.node.contents?.size ?? 0) }
    let stream = reader.streamSize + written
    let live = old.liveBytes + changes.growth
    let isFull = reader.generation >= generationLimit(ofFileSize: reader.fileSize)
    return 3 * (stream - live) > stream || isFull ? .replace : .append
  }

  private mutating func append(
    _ changes: TreeChanges, _ saved: SavedPackage, _ old: SavedPackage.State,
    _ reader: ContainerReader, _ options: PackingOptions, _ synchronizing: Bool,
    until deadline: Deadline
  ) throws {
    let file = try OpenFile(updating: saved.path)
    // Two programs that append at once would write to the same position.
    guard try file.lock(until: deadline) else {
      throw Diagnostic(.fileChanged, at: Location(file: saved.path))
    }
    defer { file.unlock() }
    _ = try saved.checkUnchanged()
    let size: Int
    do {
      size = try Appender.append(
        changes, to: reader,
        AppendTarget(
          write: { try file.write($0, at: $1) }, truncate: file.truncate(to:),
          synchronize: file.synchronize),
        options, synchronizing: synchronizing)
    } catch {
      // Nothing was committed. Restores size and time stamp, so that the next attempt and other
      // programs find the file unchanged.
      if (try? file.truncate(to: reader.footer.end)) != nil, let state = old.file {
        try? file.setModified(as: state)
      }
      saved.state.file = try? file.status().state
      throw error
    }
    // The file that is kept already, unless it has grown too much to be kept without a descriptor.
    let known = reader.source.file.flatMap { $0.isKept(to: size) ? $0 : nil }
    if known == nil { file.makeParkable() }
    let source = ByteSource.file(known ?? file, size: size)
    // The generation is committed: no limits.
    let files = changes.files(after: reader.streamSize)
    let next =
      changes.isEmpty
      ? try ContainerReader(withoutTail: source, of: reader)
      : try ContainerReader(
        source, appendedTo: reader,
        names: files.filter { $0.contents.size > 0 }.map { ($0.offset, $0.path) })
    // New contents are read from the file from now on.
    for (offset, entryPath, contents, isExecutable) in files {
      let stored = FileContents(
        size: contents.size, origin: .init(stream: next.stream, offset: offset))
      contents.remember(savedAs: stored)
      try root.setFileNode(
        FileNode(regularFileWithContents: stored, isExecutable: isExecutable), at: entryPath)
    }
    warnings = next.warnings
    saved.state = .init(
      file: try file.status().state, root: root, liveBytes: old.liveBytes + changes.growth,
      reader: next)
  }
}
