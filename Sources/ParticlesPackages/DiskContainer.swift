package import ParticlesSystem

// `import ParticlesPackages` is all that an application needs: it includes the tree and its flat form.
@_exported public import ParticlesContainer
@_exported public import ParticlesCore

extension Container {
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
    let reader = try ContainerReader(source, limits: limits, scope: scope)
    try self.init(reader)
    stay(
      at: SavedPackage(
        path: path, form: .flat,
        .init(
          file: source.fileState, root: root, liveBytes: root.contentBytes, reader: reader)))
  }

  /// Makes this the value of a package at a path.
  mutating func stay(at saved: SavedPackage) { stay(at: saved, as: saved.makeHolder()) }

  /// The package at its path, or nil if it has none.
  var savedPackage: SavedPackage? { saved as? SavedPackage }

  /// Creates the package that was written to a path, with contents in that file.
  /// - Parameter file: the written file. The path may lead to another file by now.
  init(_ root: FileNode, savedAt path: String, _ file: ByteSource) throws(Failure) {
    let state = try SavedPackage.State(root, in: file)
    self.init(root: state.root)
    stay(at: SavedPackage(path: path, form: .flat, state))
  }

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
    let (written, file, size) = try SafeSave.file(
      path, replacing: replacing, until: deadline, flushing: options.synchronizing,
      { file in
        let isShared = options.reusesBlocks && saved != nil
        let sink = try FileSink(file, sharingWith: isShared ? reader?.source : nil)
        try ContainerWriter.write(root, options: options, to: sink.sink)
        file.noteCompletion()
        return (file, try file.named(path), try sink.finish())
      }, confirm: confirm, unflushed: unflushed)
    // The file is complete: the next program that appends may take the lock.
    file.unlock()
    file.makeParkable()
    let state = try written.completed ?? file.status().state
    return .file(file, size: size, state: state)
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
}

// A short name, for use inside the package, of a public nested type.

package typealias SaveMode = Container.SaveMode
