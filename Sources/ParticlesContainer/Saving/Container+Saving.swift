internal import ParticlesCore

extension Container {
  /// How a flat package is saved in its place. Whatever dies when, it opens as the old one or as
  /// the new one.
  public enum SaveMode: String, Sendable, CaseIterable {
    /// Appends, unless that would leave more than a third of the contents in the file dead, or the
    /// file has gone through a thousand generations; then replaces. Does nothing if nothing
    /// changed.
    case automatic
    /// Writes what changed behind what is there. Costs what changed, whatever the size of the file;
    /// what was replaced stays in the file, so one that leaves the user's hands wants `replace`.
    case append
    /// Writes a new file beside the old one and renames it. Blocks that did not change are copied
    /// as they are, or shared where the file system can do that. The file is as if packed afresh,
    /// also if nothing changed.
    case replace
  }
}

extension Container {
  /// Saves the package where it was opened, in its own form.
  ///
  /// A directory that has changed is always written anew and exchanged. Afterwards contents are read
  /// from what was saved. If saving fails or is cancelled, what was there stays, and nothing is left
  /// beside it.
  /// - Parameters:
  ///   - mode: how to save the flat form.
  ///   - level: how small to make what is compressed now. Blocks that the file has already stay as
  ///     they are, so `replace` gives the very bytes of packing afresh only where all of them were
  ///     packed at this level.
  ///   - work: threads and progress. Bytes count that are written: those of new contents when
  ///     appending, of all contents otherwise.
  ///   - synchronizing: whether appending waits until everything has reached the disk. If not, the
  ///     package still opens as the old or the new one after a crash of the program; a loss of power
  ///     soon afterwards may damage it. Replacing always waits.
  /// - Returns: how it was saved: `append` or `replace`; nil if there was nothing to save.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` if the package stands nowhere yet:
  ///   ``save(to:as:replacing:options:)`` gives it a place; ``ParticlesCore/Rule/fileChanged`` if
  ///   somebody else changed it since it was opened; others of the family `file`; faults of names and
  ///   links; what reading the contents throws; `CancellationError` if the current task is cancelled.
  @discardableResult
  public mutating func save(
    mode: SaveMode = .automatic, level: CompressionLevel = .standard,
    work: WorkOptions = WorkOptions(), synchronizing: Bool = true
  ) throws -> SaveMode? {
    guard let opened, let form else {
      throw Diagnostic(
        .fileNotFound, "the package was made in memory and stands nowhere yet",
        hint: "save it to a path first")
    }
    try Task.checkCancellation()
    guard root.isDirectory else { throw FileNode.rootFault }
    let changes = TreeChanges(from: opened.root, to: root)
    let options = PackingOptions(level: level, reusesBlocks: true, work: work)
    let (path, old) = (opened.path, self)
    guard form == .flat, let reader else {
      if changes.isEmpty { return nil }
      try old.checkUnchanged()
      try save(to: path, as: .directory, options, confirm: old.checkUnchanged)
      return .replace
    }
    let wanted = mode == .automatic ? automaticMode(changes, reader) : mode
    if changes.isEmpty && (wanted == .append || mode == .automatic) { return nil }
    try old.checkUnchanged()
    if wanted == .append {
      try append(changes, opened, reader, options, synchronizing: synchronizing)
    } else {
      // Once more at the end: somebody may append while we write, and would lose that.
      try save(to: path, as: .flat, options, confirm: old.checkUnchanged)
    }
    return wanted
  }

  /// Writes the package to a path, whole or not at all, and goes on from there: that is where
  /// ``save(mode:level:work:synchronizing:)`` saves it from now on, and where contents are read
  /// from. What the package was opened from before stays as it is.
  /// - Parameters:
  ///   - path: where to; the folder must exist. If it is a symbolic link, what it leads to is
  ///     replaced, and the link stays.
  ///   - form: which form to write.
  ///   - replacing: whether something of the same form that stands there may be replaced.
  ///   - options: level, threads and progress; a directory needs no level.
  /// - Throws: what ``write(to:as:replacing:options:)`` throws; then the package stays where it was.
  public mutating func save(
    to path: String, as form: Form = .flat, replacing: Bool = false,
    options: PackingOptions = PackingOptions()
  ) throws {
    try save(to: path, as: form, replacing: replacing, options, confirm: {})
  }

  private mutating func save(
    to path: String, as form: Form, replacing: Bool = true, _ options: PackingOptions,
    confirm: () throws -> Void
  ) throws {
    let limits = opened?.limits ?? .standard
    let old = self
    // What was just written is trusted, however large it is.
    switch form {
    case .directory:
      try root.write(
        toDirectory: path, replacing: replacing, synchronizing: true, work: options.work,
        confirm: confirm)
      self = try Container(contentsOf: path, limits: .none)
      opened?.limits = limits
    case .flat:
      let file = try writeFile(path, replacing: replacing, options, confirm: confirm)
      self = try Container(root, savedAt: path, file, limits: limits)
    }
    Parallel.release(consume old)
  }

  /// What is dead after an append is what no file refers to any more.
  private func automaticMode(_ changes: TreeChanges, _ reader: ContainerReader) -> SaveMode {
    let written = changes.written.reduce(0) { $0 + ($1.node.contents?.size ?? 0) }
    let stream = reader.streamSize + written
    let live = (opened?.liveBytes ?? 0) + changes.growth
    return 3 * (stream - live) > stream || reader.generation >= 1000 ? .replace : .append
  }

  private mutating func append(
    _ changes: TreeChanges, _ old: Opened, _ reader: ContainerReader, _ options: PackingOptions,
    synchronizing: Bool
  ) throws {
    let file = try OpenFile(updating: old.path)
    // Two that append at once would write to the same place.
    guard try file.lock() else { throw Diagnostic(.fileChanged, at: Location(file: old.path)) }
    defer { file.unlock() }
    try checkUnchanged()
    let size: Int
    do {
      size = try Appender.append(
        changes, to: reader,
        AppendTarget(
          write: { try file.write($0, at: $1) }, truncate: file.truncate(to:),
          synchronize: file.synchronize),
        options, synchronizing: synchronizing)
    } catch {
      // What was written does not count; without it, the next attempt finds the file as it was, and
      // so does whoever else has it open.
      if (try? file.truncate(to: reader.footer.end)) != nil, let state = old.state {
        try? file.setModified(as: state)
      }
      opened?.state = try? file.status().state
      throw error
    }
    // What was just written is trusted, however large it is: it counts already.
    let next = try ContainerReader(.file(file, size: size), limits: .none)
    // From now on new contents come from where they were saved, not from where they were made.
    for (entryPath, node) in changes.written where node.isRegularFile {
      guard let entry = try next.entry(entryPath) else { continue }
      try root.setFileNode(
        FileNode(
          regularFileWithContents: next.contents(of: entry), isExecutable: node.isExecutable),
        at: entryPath)
    }
    self.reader = next
    warnings = next.warnings
    opened = Opened(
      path: old.path, state: try file.status().state, root: root,
      liveBytes: old.liveBytes + changes.growth, limits: old.limits)
  }
}

extension Container {
  /// Throws unless there still stands what was opened, in the same state, and it may be changed.
  fileprivate func checkUnchanged() throws {
    guard let opened else { return }
    let path = opened.path
    guard let reader else {
      let now = try FileNode(readingDirectory: path, limits: .none)
      return try opened.root.checkUnchanged(now, in: path, at: "")
    }
    let now = try ByteSource.file(path)
    // The footer, because clocks are not fine enough to tell apart what happens at once.
    guard try now.file?.status().state == opened.state,
      now.size >= reader.footer.end,
      try now.bytes(at: reader.footer.position, count: Layout.footerSize) == reader.footer.encode()
    else { throw Diagnostic(.fileChanged, at: Location(file: path)) }
    let version = try now.bytes(at: 0, count: Layout.headerSize)[Layout.signature.count + 1]
    guard version <= Layout.versionToWrite else {
      throw Diagnostic(
        .containerVersion, at: Location(file: path, position: .offset(Layout.signature.count + 1)),
        "it can be read, but not changed", expected: "version \(Layout.versionToWrite) or less",
        found: "version \(version)")
    }
  }
}

extension FileNode {
  /// Throws unless `now`, which was just read from a folder, is what this was read from.
  fileprivate func checkUnchanged(_ now: FileNode, in folder: String, at path: String) throws {
    func fault(_ detail: String? = nil, at path: String) -> Diagnostic {
      Diagnostic(.fileChanged, at: Location(file: folder, entry: path), detail)
    }
    switch (storage, now.storage) {
    case (.directory(let old), .directory(let new)):
      for child in old.children {
        let childPath = Files.joined(path, child.name)
        guard let now = new[child.name] else { throw fault("it is gone", at: childPath) }
        try child.node.checkUnchanged(now, in: folder, at: childPath)
      }
      for child in new.children where old[child.name] == nil {
        throw fault("it is new", at: Files.joined(path, child.name))
      }
    case (.link(let old), .link(let new)):
      guard old == new else { throw fault(at: path) }
    case (.file(let old, let wasExecutable), .file(let new, let isExecutable)):
      guard old.foundFile?.state == new.foundFile?.state, wasExecutable == isExecutable else {
        throw fault(at: path)
      }
    default: throw fault(at: path)
    }
  }
}
