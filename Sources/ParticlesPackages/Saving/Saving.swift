public import ParticlesCore
public import ParticlesContainer
package import ParticlesSystem

extension SavedPackage.State {
  /// The state of a flat package after it was written to a file.
  init(_ root: FileNode, in file: ByteSource) throws(Failure) {
    let reader = try ContainerReader(file, limits: .none)
    var end = 0
    self.root = root.stored(in: reader.stream, from: &end)
    self.file = file.fileState
    liveBytes = end
    self.reader = reader
  }
}

extension Container {
  /// Returns how many generations a file of this size in bytes may have before an automatic save replaces it:
  /// 4, or one for each MiB. So opening it reads few more heads of frames than it has blocks, and the
  /// bytes that are written to replace it are at most 1 MiB for each save.
  public static func generationLimit(ofFileSize size: Int) -> Int { max(4, size >> 20) }

  /// Saves the package at the path where it was opened, in its form.
  ///
  /// In a directory, a single changed file is replaced. After any other change, a new directory is written and
  /// exchanged with the old directory. Afterwards contents are read from the saved package. If saving fails or is
  /// cancelled, the old package stays, and no temporary file is left. Waits for at most 5 seconds for a program that
  /// has locked the file.
  /// - Parameters:
  ///   - mode: how to save the flat form.
  ///   - level: the compression level of new blocks. Existing blocks are copied, so `replace` gives the canonical bytes
  ///     only if all blocks were packed at this level.
  ///   - work: threads and progress. Progress counts the contents that are written: the new ones when
  ///     appending, all otherwise.
  ///   - synchronizing: whether appending waits until everything has reached the disk. If not, the old or the new
  ///     package still opens after a crash of the program, but a loss of power soon afterwards may damage it. Replacing
  ///     always waits.
  /// - Returns: how it was saved, `append` or `replace`, or nil if there was nothing to do.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` if the package has no path yet (use
  ///   ``save(to:as:replacing:options:)``), ``ParticlesCore/Rule/fileChanged`` if another program changed it since it
  ///   was opened, ``ParticlesCore/Rule/fileBusy`` if a program held its lock, others of the family `file`, faults of
  ///   names and links, errors of reading the contents, and `CancellationError` if the current task is cancelled.
  @discardableResult
  public mutating func save(
    mode: SaveMode = .automatic, level: CompressionLevel = .standard,
    work: WorkOptions = WorkOptions(), synchronizing: Bool = true
  ) throws(Failure) -> SaveMode? {
    try save(
      mode: mode, level: level, work: work, synchronizing: synchronizing, until: .standard)
  }

  /// Saves as above, but waits for locks until a deadline.
  @discardableResult
  package mutating func save(
    mode: SaveMode, level: CompressionLevel = .standard, work: WorkOptions = WorkOptions(),
    synchronizing: Bool = true, until deadline: Deadline
  ) throws(Failure) -> SaveMode? {
    guard let saved = savedPackage else {
      throw Diagnostic(
        .fileNotFound, "the package was made in memory and has no path yet",
        hint: "save it to a path first")
    }
    try WorkBudget.checkCancellation()
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
  ) throws(Failure) -> SaveMode? {
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
      saved.state = try .init(root, in: file)
      // Other values may still read from the file that was replaced.
      if others { reader.source.diskFile?.park() }
      root = saved.state.root
      warnings = []
    }
    saved.rememberAgain()
    return wanted
  }

  /// - Parameter found: the directory as it is now, of which metadata of the system stays.
  private mutating func replaceDirectory(
    _ saved: SavedPackage, _ changes: TreeChanges, _ options: PackingOptions,
    keeping found: FileNode?, others: Bool, until deadline: Deadline,
    unflushed: (Diagnostic) -> Void
  ) throws(Failure) {
    let confirm = { [root] in
      _ = try saved.checkUnchanged()
      if others { try saved.keepFiles(missingIn: root) }
    }
    let isWritten = try replaceFile(
      saved, changes, options, until: deadline, confirm: confirm, unflushed: unflushed)
    if !isWritten {
      // Listed before it is renamed. Later, changes by another program would count as known.
      var written = FileNode.emptyDirectory
      try root.addingMetadata(of: found ?? root).write(
        toDirectory: saved.path, replacing: true, synchronizing: true, work: options.work,
        until: deadline, confirm: confirm,
        completing: { written = try TreeReader.read($0, renamedTo: saved.path) })
      root = saved.adopt(root, written)
    }
    saved.state = .init(root: root, liveBytes: 0)
  }

  /// Writes the only file of the directory that has changed. More than one could not be replaced at once. All others
  /// keep the states in which they were checked.
  /// - Returns: false if other entries have changed, or if the file cannot be replaced by itself.
  private mutating func replaceFile(
    _ saved: SavedPackage, _ changes: TreeChanges, _ options: PackingOptions,
    until deadline: Deadline, confirm: () throws(Failure) -> Void,
    unflushed: (Diagnostic) -> Void
  ) throws(Failure) -> Bool {
    guard changes.removed.isEmpty, changes.written.count == 1,
      let (path, node) = changes.written.first,
      let contents = node.contents, let old = saved.state.root[path], old.isRegularFile,
      old.isExecutable == node.isExecutable
    else { return false }
    let work = SharedWork(total: contents.size, options.work)
    var written: OpenFile?
    let isWritten = try SafeSave.file(
      path, in: saved.path, until: deadline, unflushed: unflushed,
      { file in
        var done = 0
        try contents.forEachPiece { piece in
          try work.checkCancellation()
          try file.write(piece)
          done += piece.count
          work.report(done)
        }
        file.noteCompletion()
        written = file
      }, confirm: confirm)
    guard isWritten, let state = written?.completed else { return false }
    let place = Files.joined(saved.path, path)
    let file = FoundFile(
      folder: Files.folder(of: place), name: Files.lastComponent(of: place), size: contents.size,
      state: state)
    let stored = FileContents(size: contents.size, of: file)
    contents.remember(savedAs: stored)
    for (path, node) in changes.equal { try root.setFileNode(node, at: path) }
    try root.setFileNode(
      FileNode(regularFileWithContents: stored, isExecutable: node.isExecutable), at: path)
    return true
  }

  /// Writes the package to a path, whole or not at all, and continues there: later calls of
  /// ``save(mode:level:work:synchronizing:)`` save to this path, and contents are read from it. The
  /// package at the old path does not change.
  /// - Parameters:
  ///   - path: the path to write to. Its folder must exist. If it is a symbolic link, its target is replaced and the
  ///     link stays.
  ///   - form: which form to write.
  ///   - replacing: whether an existing package of this form may be replaced.
  ///   - options: level, threads, progress, and whether to wait for the disk. A directory needs no level.
  /// - Throws: the errors of ``write(to:as:replacing:options:)``. The path of the package does not change then.
  public mutating func save(
    to path: String, as form: Form = .flat, replacing: Bool = false,
    options: PackingOptions = PackingOptions()
  ) throws(Failure) {
    try save(to: path, as: form, replacing: replacing, options: options, confirm: {})
  }

  /// Saves as above. Calls `confirm` right before something is replaced, while holding its lock.
  package mutating func save(
    to path: String, as form: Form, replacing: Bool, options: PackingOptions,
    confirm: () throws(Failure) -> Void
  ) throws(Failure) {
    let old = self
    // The file was written by this library: no limits.
    switch form {
    case .directory:
      var written = FileNode.emptyDirectory
      try root.write(
        toDirectory: path, replacing: replacing, synchronizing: options.synchronizing,
        work: options.work, confirm: confirm,
        completing: { written = try TreeReader.read($0, renamedTo: path) })
      self = Container(root: written)
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
  ) throws(Failure) {
    let file = try OpenFile(updating: saved.path)
    // Two programs that append at once would write to one position.
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
    let known = reader.source.diskFile.flatMap { $0.isKept(to: size) ? $0 : nil }
    if known == nil { file.makeParkable() }
    let state = try file.status().state
    let source = ByteSource.file(known ?? file, size: size, state: state)
    // The generation is committed: no limits.
    let files = changes.files(after: reader.streamSize)
    let next =
      changes.isEmpty
      ? try ContainerReader(withoutTail: source, of: reader)
      : try ContainerReader(
        source, appendedTo: reader,
        names: files.filter { $0.contents.size > 0 }.map { ($0.offset, $0.path) })
    // All contents are read from the file from now on.
    for (path, node) in changes.equal { try root.setFileNode(node, at: path) }
    for (offset, entryPath, contents, isExecutable) in files {
      let stored = FileContents(
        size: contents.size, origin: .init(stream: next.stream, offset: offset))
      contents.remember(savedAs: stored)
      try root.setFileNode(
        FileNode(regularFileWithContents: stored, isExecutable: isExecutable), at: entryPath)
    }
    warnings = next.warnings
    saved.state = .init(
      file: state, root: root, liveBytes: old.liveBytes + changes.growth,
      reader: next)
  }

  /// Whether the package at its path is as it was opened or saved last by any copy of this value. False if
  /// that cannot be found out, and for a package without a path.
  package var isUnchanged: Bool {
    guard let saved = savedPackage else { return false }
    do {
      _ = try saved.checkUnchanged()
      return true
    } catch {
      return false
    }
  }

  /// Remembers the contents of the package at its path. A later save then ignores a new time of a file, as `touch`
  /// leaves it, instead of reporting a change by another program. Reads the heads of all frames, or all files of a
  /// directory.
  package func rememberContents() throws(Failure) { try savedPackage?.remember() }

  /// Gives up the descriptor of a flat package until something is written or read from its path. Contents
  /// are read as before, also after the file was replaced or deleted.
  package func rest() { reader?.source.diskFile?.park() }

  /// Returns this package at another path, where it was moved to. All copies of this value read contents from there,
  /// too.
  package func relocated(to path: String) throws(Failure) -> Container {
    guard let saved = savedPackage else { return self }
    if saved.form == .directory {
      saved.state.root.relocate(to: try FileNode(readingDirectory: path, limits: .none))
    }
    let new = SavedPackage(path: path, form: saved.form, saved.state)
    new.remembered = saved.remembered
    new.remembersFiles = saved.remembersFiles
    if saved.remembersFiles { new.rememberAgain() }
    var copy = self
    copy.stay(at: new)
    return copy
  }
}

extension FileNode {
  /// Lets the files of the file system below this node be read from another folder, where they were moved to. Files
  /// that have changed keep their path, so that reading them throws.
  fileprivate func relocate(to found: FileNode) {
    if let file = contents?.foundFile, let new = found.contents?.foundFile, file.state == new.state
    {
      file.move(to: new)
    }
    for child in children ?? [] {
      if let other = found[child.name] { child.node.relocate(to: other) }
    }
  }
}
