internal import ParticlesCore

extension Container {
  /// How a flat package is saved at its path. After a crash at any time, the file opens as the old
  /// or as the new package.
  public enum SaveMode: String, Sendable, CaseIterable {
    /// Appends, unless more than a third of the contents in the file would be unused afterwards or the
    /// file has a thousand generations; then replaces. Does nothing if nothing changed.
    case automatic
    /// Appends the changes to the file. The cost depends on the changes, not on the size of the file.
    /// Replaced and removed contents stay in the file: use `replace` before sharing it.
    case append
    /// Writes a new file beside the old one and renames it. Blocks that did not change are copied
    /// without compressing them again, or shared where the file system supports it. Writes the file
    /// even if nothing changed.
    case replace
  }
}

extension Container {
  /// Saves the package at the path where it was opened, in its form.
  ///
  /// A changed directory is written to a new directory, which is exchanged with the old one. Afterwards
  /// contents are read from the saved package. If saving fails or is cancelled, the old package stays,
  /// and no temporary file is left.
  /// - Parameters:
  ///   - mode: how to save the flat form.
  ///   - level: the compression level of new blocks. Existing blocks are copied, so `replace` gives the
  ///     canonical bytes only if all of them were packed at this level.
  ///   - work: threads and progress. Progress counts the contents that are written: the new ones when
  ///     appending, all otherwise.
  ///   - synchronizing: whether appending waits until everything has reached the disk. If not, the
  ///     package still opens as the old or the new one after a crash of the program; a loss of power
  ///     soon afterwards may damage it. Replacing always waits.
  /// - Returns: how it was saved, `append` or `replace`; nil if nothing changed.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` if the package has no path yet (use
  ///   ``save(to:as:replacing:options:)``); ``ParticlesCore/Rule/fileChanged`` if another program
  ///   changed it since it was opened; others of the family `file`; faults of names and links; errors
  ///   of reading the contents; `CancellationError` if the current task is cancelled.
  @discardableResult
  public mutating func save(
    mode: SaveMode = .automatic, level: CompressionLevel = .standard,
    work: WorkOptions = WorkOptions(), synchronizing: Bool = true
  ) throws -> SaveMode? {
    guard let opened, let form else {
      throw Diagnostic(
        .fileNotFound, "the package was made in memory and has no path yet",
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
      // Checked again at the end: another program may append meanwhile, which must not be lost.
      try save(to: path, as: .flat, options, confirm: old.checkUnchanged)
    }
    return wanted
  }

  /// Writes the package to a path, whole or not at all, and continues there: later calls of
  /// ``save(mode:level:work:synchronizing:)`` save to this path, and contents are read from it. The
  /// package at the old path does not change.
  /// - Parameters:
  ///   - path: the path to write to; its folder must exist. If it is a symbolic link, its target is
  ///     replaced and the link stays.
  ///   - form: which form to write.
  ///   - replacing: whether an existing package of the same form may be replaced.
  ///   - options: level, threads and progress; a directory needs no level.
  /// - Throws: the errors of ``write(to:as:replacing:options:)``; then the path of the package does not
  ///   change.
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
    // The file was written by this library: no limits.
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

  /// Chooses by the share of the stream that no file would refer to after an append.
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
    // Two programs that append at once would write to the same position.
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
      // Nothing was committed. Restores size and time stamp, so that the next attempt and other
      // programs find the file unchanged.
      if (try? file.truncate(to: reader.footer.end)) != nil, let state = old.state {
        try? file.setModified(as: state)
      }
      opened?.state = try? file.status().state
      throw error
    }
    // The generation is committed: no limits.
    let next = try ContainerReader(.file(file, size: size), limits: .none)
    // New contents are read from the file from now on.
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
  /// Throws unless the file or directory at the path is the one that was opened, in the same state,
  /// and its version may be changed.
  fileprivate func checkUnchanged() throws {
    guard let opened else { return }
    let path = opened.path
    guard let reader else {
      let now = try FileNode(readingDirectory: path, limits: .none)
      return try opened.root.checkUnchanged(now, in: path, at: "")
    }
    let now = try ByteSource.file(path)
    // Time stamps may be too coarse to tell two saves apart, so the footer is compared, too.
    guard try now.file?.status().state == opened.state,
      now.size >= reader.footer.end,
      try now.bytes(at: reader.footer.position, count: Layout.footerSize) == reader.footer.encode()
    else { throw Diagnostic(.fileChanged, at: Location(file: path)) }
    let version = try now.bytes(at: 0, count: Layout.headerSize)[Layout.signature.count + 1]
    guard version <= Layout.versionToWrite else {
      throw Diagnostic(
        .containerVersion, at: Location(file: path, position: .offset(Layout.signature.count + 1)),
        "the package can be read, but not changed",
        expected: "version \(Layout.versionToWrite) or less",
        found: "version \(version)")
    }
  }
}

extension FileNode {
  /// Throws unless `now`, which was just read from a folder, has the state that this was read in.
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
