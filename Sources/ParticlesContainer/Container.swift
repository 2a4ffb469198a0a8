package import ParticlesSystem

// `import ParticlesContainer` is all that an application needs: it includes the types of its declarations,
// such as `Diagnostic`, `Rule` and `Limits`.
@_exported public import ParticlesCore

/// A `.particles` package: a tree of files, in one file or as a directory.
///
///     var package = try Container(contentsOf: "fire.particles")
///     try package.root.setFileNode(FileNode(regularFileWithContents: notes), at: "notes.txt")
///     try package.save()
///
/// A value: nothing reaches the disk before ``write(to:as:replacing:options:)`` or
/// ``save(mode:level:work:synchronizing:)``. A copy that was kept stays readable when another is saved,
/// and saving it makes it the state on the disk again: a list of copies is an undo list. Copies
/// share the open file that contents are read from, and all that did not change between them.
public struct Container: Sendable {
  /// The two physical forms of a package. Converting between them changes neither tree nor digest.
  public enum Form: String, Sendable, CaseIterable {
    /// One file, compressed and checked.
    case flat
    /// A directory of the file system.
    case directory
  }

  /// The tree. It must be a directory. Writing any other node throws ``ParticlesCore/Rule/parent``.
  public var root: FileNode

  /// The form that the package was read from or saved in, or nil if it was made in memory.
  public private(set) var form: Form?

  /// Flaws that do not prevent reading: ``ParticlesCore/Rule/torn`` if an unfinished save was found and
  /// ignored.
  public internal(set) var warnings: [Diagnostic] = []

  /// The flat package that it was decoded from, unless it has a path.
  private var decoded: ContainerReader?

  /// The package at its path, or nil if it has none.
  private(set) var saved: SavedPackage?

  /// The path that it was opened from or last saved to, or nil if it was decoded or made in memory.
  public var path: String? { saved?.path }

  /// Shared by the copies of this value since it was opened or saved.
  var holder: SavedPackage.Holder?

  /// The flat package that it was decoded from, or that any copy was last saved as, or nil for a directory.
  var reader: ContainerReader? { saved.map { $0.state.reader } ?? decoded }

  /// Creates a package of these files in memory. It has no path until it is saved.
  public init(root: FileNode = .emptyDirectory) { self.root = root }

  /// Creates a package of files that were read from a source with flaws.
  package init(root: FileNode, warnings: [Diagnostic]) {
    self.root = root
    self.warnings = warnings
  }

  /// Opens a package of either form.
  ///
  /// The whole tree is read and checked now, contents on access. A flat package is kept open. If another file replaces
  /// it, contents are still read from the opened file.
  /// - Parameters:
  ///   - path: the path of a file or folder. A symbolic link is followed.
  ///   - limits: what reading the package may cost. Exceeding them throws ``ParticlesCore/Rule/limit``.
  ///   - scope: how much of a flat package has to be sound.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound``, ``ParticlesCore/Rule/signature`` if the path has neither form, and
  ///   other ``ParticlesCore/Diagnostic`` values of the families `file`, `container`, `tree` and `limit`.
  public init(
    contentsOf path: String, limits: Limits = .standard,
    scope: ContainerReader.Scope = .allGenerations
  ) throws(Failure) {
    guard let status = try SafeSave.status(of: path) else {
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    if status.kind == .directory {
      self.init(root: try FileNode(readingDirectory: path, limits: limits))
      stay(at: SavedPackage(path: path, form: .directory, .init(root: root, liveBytes: 0)))
    } else {
      try self.init(opening: .file(path), at: path, limits: limits, scope: scope)
    }
  }

  /// Opens a flat package from an open file, to be saved at its path.
  package init(
    opening source: ByteSource, at path: String, limits: Limits,
    scope: ContainerReader.Scope = .allGenerations
  ) throws(Failure) {
    let state = try source.file?.status().state
    let reader = try ContainerReader(source, limits: limits, scope: scope)
    try self.init(reader)
    stay(
      at: SavedPackage(
        path: path, form: .flat,
        .init(file: state, root: root, liveBytes: root.contentBytes, reader: reader)))
  }

  /// Makes this the value of a package at a path.
  mutating func stay(at saved: SavedPackage) {
    self.saved = saved
    form = saved.form
    decoded = nil
    holder = saved.makeHolder()
  }

  /// Opens a flat package in memory. The bytes are kept, and contents are unpacked on access.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`.
  public init(
    decoding bytes: [UInt8], limits: Limits = .standard,
    scope: ContainerReader.Scope = .allGenerations
  ) throws(Failure) {
    try self.init(decoding: .bytes(bytes), limits: limits, scope: scope)
  }

  /// Opens a flat package from a source. The whole tree is read and checked now, contents on access.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`, and errors of the source.
  public init(
    decoding source: ByteSource, limits: Limits = .standard,
    scope: ContainerReader.Scope = .allGenerations
  ) throws(Failure) {
    try self.init(ContainerReader(source, limits: limits, scope: scope))
  }

  private init(_ reader: ContainerReader) throws(Failure) {
    root = try reader.tree()
    decoded = reader
    form = .flat
    warnings = reader.warnings
  }

  /// Creates the package that was written to a path, with contents in that file.
  /// - Parameter file: the written file. The path may lead to another file by now.
  init(_ root: FileNode, savedAt path: String, _ file: ByteSource) throws(Failure) {
    let state = try SavedPackage.State(root, in: file)
    self.init(root: state.root)
    stay(at: SavedPackage(path: path, form: .flat, state))
  }

  /// Whether the first bytes of a file are the signature of a flat package, nine bytes long. The rest is checked when
  /// the package is opened.
  public static func isFlatPackage(_ bytes: some Collection<UInt8>) -> Bool {
    Header.isSignature(bytes)
  }

  /// Returns the flat form in the canonical layout. For a tree and a level, the bytes are always equal.
  /// - Throws: the errors of ``encode(_:_:)``.
  public func encoded(_ options: PackingOptions = PackingOptions()) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    try encode(options) { bytes += $0 }
    return bytes
  }

  /// Encodes the flat form, piece by piece from front to back.
  /// - Parameters:
  ///   - options: level, threads and progress.
  ///   - sink: called with the next bytes, valid during the call only. May be called on any thread, but never on two at
  ///     once.
  /// - Throws: faults of names and links before the first call of `sink`, errors of reading the contents and of `sink`,
  ///   and `CancellationError` if the current task is cancelled.
  public func encode(
    _ options: PackingOptions = PackingOptions(),
    _ sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    // So that a program does not depend on the folder of the build. See `WorkerTeam`.
    #sourceLocation(file:"Container",line:1)
    try withoutActuallyEscaping(sink) {
      try ContainerWriter.write(root, options: options, to: PackageSink(write: $0))
    }
  }
  #sourceLocation()

  /// Writes the package, whole or not at all: until everything has reached the disk, the old file or
  /// directory stays at the path, unless the options do not wait for the disk.
  ///
  /// This makes a copy: the path that the package is saved to does not change. To continue at the new
  /// path, use ``save(to:as:replacing:options:)``. To write where it was opened, use
  /// ``save(mode:level:work:synchronizing:)``: this leaves a package that was opened as a directory
  /// with contents that cannot be read any more.
  /// - Parameters:
  ///   - path: the path to write to. Its folder must exist. If it is a symbolic link, its target is replaced and the
  ///     link stays.
  ///   - form: which form to write.
  ///   - replacing: whether an existing package of this form may be replaced.
  ///   - options: level, threads, progress, and whether to wait for the disk. A directory needs no level.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` and others of the family `file`, faults of names and links, errors of
  ///   reading the contents, and `CancellationError` if the current task is cancelled.
  public func write(
    to path: String, as form: Form, replacing: Bool = false,
    options: PackingOptions = PackingOptions()
  ) throws(Failure) {
    switch form {
    case .directory:
      try root.write(
        toDirectory: path, replacing: replacing, synchronizing: options.synchronizing,
        work: options.work)
    case .flat: _ = try writeFile(path, replacing: replacing, options)
    }
  }

  /// Writes the flat form to a path and returns the open file.
  /// - Parameters:
  ///   - deadline: until when to wait for the lock of an existing file, or nil for 5 seconds.
  ///   - confirm: called right before something is replaced.
  ///   - unflushed: called if the folder of the new file cannot be flushed. May throw the error.
  func writeFile(
    _ path: String, replacing: Bool, _ options: PackingOptions, until deadline: Deadline? = nil,
    confirm: () throws(Failure) -> Void = {},
    unflushed: (Diagnostic) throws(Failure) -> Void = { throw $0 }
  ) throws(Failure) -> ByteSource {
    let (file, size) = try SafeSave.file(
      path, replacing: replacing, until: deadline, flushing: options.synchronizing,
      { file in
        let isShared = options.reusesBlocks && saved != nil
        let sink = try FileSink(file, sharingWith: isShared ? reader?.source.file : nil)
        try ContainerWriter.write(root, options: options, to: sink.sink)
        return (try file.named(path), try sink.finish())
      }, confirm: confirm, unflushed: unflushed)
    // The file is complete: the next program that appends may take the lock.
    file.unlock()
    file.makeParkable()
    return .file(file, size: size)
  }
}

extension SavedPackage.State {
  /// The state of a flat package after it was written to a file.
  init(_ root: FileNode, in file: ByteSource) throws(Failure) {
    let reader = try ContainerReader(file, limits: .none)
    var end = 0
    self.root = root.stored(in: reader.stream, from: &end)
    self.file = try file.file?.status().state
    liveBytes = end
    self.reader = reader
  }
}

extension Container {
  /// How a flat package is saved at its path. After a crash at any time, the file opens as the old
  /// or as the new package.
  public enum SaveMode: String, Sendable, CaseIterable {
    /// Appends the changes, or replaces the file in two cases: more than a third of its contents would be unused, or it
    /// has ``Container/generationLimit(ofFileSize:)`` generations. If nothing changed, removes an unfinished save or
    /// does nothing.
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
      if others { reader.source.file?.park() }
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
    until deadline: Deadline, confirm: () throws(Failure) -> Void,
    unflushed: (Diagnostic) -> Void
  ) throws(Failure) -> Bool {
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
      file: try file.status().state, root: root, liveBytes: old.liveBytes + changes.growth,
      reader: next)
  }

  /// Whether the package at its path is as it was opened or saved last by any copy of this value. False if
  /// that cannot be found out, and for a package without a path.
  package var isUnchanged: Bool {
    guard let saved else { return false }
    do {
      _ = try saved.checkUnchanged()
      return true
    } catch {
      return false
    }
  }

  /// Gives up the descriptor of a flat package until something is written or read from its path. Contents
  /// are read as before, also after the file was replaced or deleted.
  package func rest() { reader?.source.file?.park() }

  /// Returns this package at another path, where it was moved to. All copies of this value read contents from there,
  /// too.
  package func relocated(to path: String) throws(Failure) -> Container {
    guard let saved else { return self }
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

  /// Returns this tree with stored nodes in place of written nodes. Nodes that changed since the save stay as they are.
  /// - Parameters:
  ///   - stored: the tree as it is stored.
  ///   - written: the tree that was written, an earlier state of this one.
  package func adopting(_ stored: FileNode, writtenAs written: FileNode) -> FileNode {
    switch (storage, written.storage, stored.storage) {
    case (.file(let contents, let isExecutable), .file(let old, _), .file(let new, _)):
      guard contents.isSame(as: old) else { return self }
      return FileNode(regularFileWithContents: new, isExecutable: isExecutable)
    case (.directory(var directory), .directory(let old), .directory(let new)):
      if directory.children.sharesMemory(with: old.children) { return stored }
      for child in directory.children {
        guard let before = old[child.name], let now = new[child.name] else { continue }
        _ = directory.replace(child.name, with: child.node.adopting(now, writtenAs: before))
      }
      return FileNode(storage: .directory(directory))
    default: return self
    }
  }
}

extension Container {
  /// Writes the package as ``write(to:as:replacing:options:)`` does, but leaves it to a
  /// ``ParticlesCore/SaveGroup`` to flush and rename the file. A directory that replaces another is
  /// flushed and renamed at once.
  package func write(
    to path: String, as form: Form, replacing: Bool, options: PackingOptions = PackingOptions(),
    staging stage: SaveStage
  ) throws(Failure) {
    switch form {
    case .flat:
      try SafeSave.file(path, replacing: replacing, staging: stage) { file in
        let sink = try FileSink(file, sharingWith: nil)
        try ContainerWriter.write(root, options: options, to: sink.sink)
        _ = try sink.finish()
      }
    case .directory:
      guard root.isDirectory else { throw FileNode.rootFault }
      try SafeSave.directory(path, replacing: replacing, staging: stage) { temporary in
        try TreeWriter(root).write(to: FolderWriter(temporary), options.work)
      }
    }
  }

  /// Checks every byte of the flat package that this was opened from or last saved as, and returns
  /// all findings, ``warnings`` included. For a directory or a package made in memory, returns
  /// ``warnings`` alone.
  /// - Throws: the errors of ``ContainerReader/verify(_:work:)``.
  public func verify(
    _ depth: ContainerReader.Depth = .full, work: WorkOptions = WorkOptions()
  ) throws(Failure) -> [Diagnostic] {
    try verify(depth, earlier: .error, work: work)
  }

  /// Checks as ``verify(_:work:)`` does.
  /// - Parameter earlier: the severity of faults in the index of earlier generations, which no reader needs. Nil leaves
  ///   them out.
  package func verify(
    _ depth: ContainerReader.Depth = .full, earlier: Diagnostic.Severity?,
    work: WorkOptions = WorkOptions()
  ) throws(Failure) -> [Diagnostic] {
    guard let reader else { return warnings }
    return try reader.verify(depth, earlier: earlier, work: work)
  }

  /// A difference between two trees at one path.
  public struct Difference: Sendable, Hashable {
    /// The path from the directory that was compared, names separated by `/`.
    public let path: String

    /// The change at the path.
    public let change: Change

    package init(path: String, change: Change) {
      self.path = path
      self.change = change
    }

    /// The change of a path between two trees.
    public enum Change: Sendable, Hashable {
      /// It is in the new tree only.
      case added
      /// It was in the old tree only.
      case removed
      /// It is in both and differs in these respects, at least one.
      case changed([Aspect])
    }

    /// A respect in which two nodes can differ.
    public enum Aspect: Sendable, Hashable {
      /// The kinds differ, for example file and directory. Then nothing else is compared.
      case kind(from: FileNode.Kind, to: FileNode.Kind)
      /// The bytes differ. The sizes may be equal.
      case contents(from: Int, to: Int)
      /// The permission to execute differs. The value is the new permission.
      case isExecutable(Bool)
      /// The targets of two links differ.
      case destination(from: String, to: String)
    }
  }
}

extension FileNode {
  /// Returns the changes that lead from another directory to this directory, in the order of paths. Empty exactly if
  /// both digests are equal.
  ///
  /// The entries of a directory that was added or removed are listed, too. Contents of equal size are
  /// compared piece by piece.
  /// - Throws: errors of reading the contents.
  public func differences(from old: FileNode) throws(Failure) -> [Container
    .Difference]
  {
    var differences: [Difference] = []
    try Self.compare(old, self, prefix: "", &differences)
    return differences
  }

  /// Compares the children of two nodes. Both lists are sorted by name.
  private static func compare(
    _ old: FileNode, _ new: FileNode, prefix: String, _ differences: inout [Difference]
  ) throws(Failure) {
    var olds = (old.children ?? [])[...]
    var news = (new.children ?? [])[...]
    while let name = firstName(olds.first, news.first) {
      let path = prefix + name
      let before = olds.first?.name == name ? olds.popFirst()?.node : nil
      let after = news.first?.name == name ? news.popFirst()?.node : nil
      switch (before, after) {
      case (let before?, let after?):
        let aspects = try locating(.entry(path)) { try Self.aspects(before, after) }
        if !aspects.isEmpty {
          differences.append(Difference(path: path, change: .changed(aspects)))
        }
      case (nil, _): differences.append(Difference(path: path, change: .added))
      case (_, nil): differences.append(Difference(path: path, change: .removed))
      }
      try compare(
        before ?? .emptyDirectory, after ?? .emptyDirectory, prefix: path + "/", &differences)
    }
  }

  private static func firstName(_ a: Child?, _ b: Child?) -> String? {
    guard let a, let b else { return (a ?? b)?.name }
    return b.name.utf8.lexicographicallyPrecedes(a.name.utf8) ? b.name : a.name
  }

  private static func aspects(_ old: FileNode, _ new: FileNode) throws(Failure)
    -> [Difference.Aspect]
  {
    switch (old.storage, new.storage) {
    case (.directory, .directory): return []
    case (.link(let a), .link(let b)): return a == b ? [] : [.destination(from: a, to: b)]
    case (.file(let a, let wasExecutable), .file(let b, let isExecutable)):
      let hasOtherBytes = try !a.hasSameBytes(as: b)
      return (hasOtherBytes ? [.contents(from: a.size, to: b.size)] : [])
        + (wasExecutable == isExecutable ? [] : [.isExecutable(isExecutable)])
    default: return [.kind(from: old.kind, to: new.kind)]
    }
  }
}

// Short names, for use inside the package, of public nested types.

package typealias CompressionLevel = Container.CompressionLevel
package typealias Difference = Container.Difference
package typealias Entry = Container.Entry
package typealias PackingOptions = Container.PackingOptions
package typealias Recovery = Container.Recovery
package typealias SaveMode = Container.SaveMode
package typealias WorkOptions = Container.WorkOptions

package typealias UniqueNameStyle = FileNode.UniqueNameStyle
