public import ParticlesCore

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
  /// The two physical forms of a package. Both hold the same tree and have the same digest.
  public enum Form: String, Sendable, CaseIterable {
    /// One file, compressed and checked.
    case flat
    /// A directory of the file system.
    case directory
  }

  /// The tree. It must be a directory; writing anything else throws
  /// ``ParticlesCore/Rule/parent``.
  public var root: FileNode

  /// The form that the package was read from or saved in; nil if it was made in memory.
  public private(set) var form: Form?

  /// Flaws that do not prevent reading: ``ParticlesCore/Rule/torn`` if an unfinished save was found and
  /// ignored.
  public internal(set) var warnings: [Diagnostic] = []

  /// The flat package that it was decoded from, unless it has a path.
  private var decoded: ContainerReader?

  /// The package at its path; nil if it has none.
  private(set) var saved: SavedPackage?

  /// The path that it was opened from or last saved to; nil if it was decoded or made in memory.
  public var path: String? { saved?.path }

  /// Shared by the copies of this value since it was opened or saved.
  var holder: SavedPackage.Holder?

  /// The flat package that it was decoded from, or that any copy was last saved as; nil for a
  /// directory.
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
  /// The whole tree is read and checked now, contents on access. A flat package is kept open: if
  /// another file replaces it, contents are still read from the one that was opened.
  /// - Parameters:
  ///   - path: the path of a file or folder; a symbolic link is followed.
  ///   - limits: what reading the package may cost; exceeding them throws ``ParticlesCore/Rule/limit``.
  ///   - scope: how much of a flat package has to be sound.
  /// - Throws: a ``ParticlesCore/Diagnostic``: ``ParticlesCore/Rule/fileNotFound``;
  ///   ``ParticlesCore/Rule/signature`` if it is neither; others of the families `file`,
  ///   `container`, `tree` and `limit`.
  public init(
    contentsOf path: String, limits: Limits = .standard,
    scope: ContainerReader.Scope = .allGenerations
  ) throws {
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
  ) throws {
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

  /// Opens a flat package in memory. The bytes are kept; contents are unpacked on access.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`.
  public init(
    decoding bytes: [UInt8], limits: Limits = .standard,
    scope: ContainerReader.Scope = .allGenerations
  ) throws {
    try self.init(decoding: .bytes(bytes), limits: limits, scope: scope)
  }

  /// Opens a flat package from a source. The whole tree is read and checked now, contents on access.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`; errors of
  ///   the source.
  public init(
    decoding source: ByteSource, limits: Limits = .standard,
    scope: ContainerReader.Scope = .allGenerations
  ) throws {
    try self.init(ContainerReader(source, limits: limits, scope: scope))
  }

  private init(_ reader: ContainerReader) throws {
    root = try reader.tree()
    decoded = reader
    form = .flat
    warnings = reader.warnings
  }

  /// Creates the package that was written to a path, with contents in that file.
  /// - Parameter file: the written file; the path may lead to another one by now.
  init(_ root: FileNode, savedAt path: String, _ file: ByteSource) throws {
    let state = try SavedPackage.State(root, in: file)
    self.init(root: state.root)
    stay(at: SavedPackage(path: path, form: .flat, state))
  }

  /// Whether the first bytes of a file are the signature of a flat package, which has nine bytes. The
  /// rest is checked when the package is opened.
  public static func isFlatPackage(_ bytes: some Collection<UInt8>) -> Bool {
    Header.isSignature(bytes)
  }

  /// Returns the flat form in the canonical layout: the same tree gives the same bytes at the same
  /// level.
  /// - Throws: the errors of ``encode(_:_:)``.
  public func encoded(_ options: PackingOptions = PackingOptions()) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try encode(options) { bytes += $0 }
    return bytes
  }

  /// Encodes the flat form, piece by piece from front to back.
  /// - Parameters:
  ///   - options: level, threads and progress.
  ///   - sink: called with the next bytes, which are valid during the call only; on any thread, but
  ///     never on two at once.
  /// - Throws: faults of names and links, before the first call of `sink`; errors of reading the
  ///   contents and of `sink`; `CancellationError` if the current task is cancelled.
  public func encode(
    _ options: PackingOptions = PackingOptions(), _ sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    // So that a program does not depend on the folder of the build; see `WorkerTeam`.
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
  ///   - path: the path to write to; its folder must exist. If it is a symbolic link, its target is
  ///     replaced and the link stays.
  ///   - form: which form to write.
  ///   - replacing: whether an existing package of the same form may be replaced.
  ///   - options: level, threads, progress, and whether to wait for the disk; a directory needs no level.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` and others of the family `file`; faults of names
  ///   and links; errors of reading the contents; `CancellationError` if the current task is cancelled.
  public func write(
    to path: String, as form: Form, replacing: Bool = false,
    options: PackingOptions = PackingOptions()
  ) throws {
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
  ///   - deadline: until when to wait for the lock of an existing file; nil for 5 seconds.
  ///   - confirm: called right before something is replaced.
  ///   - unflushed: called if the folder of the new file cannot be flushed; may throw the error.
  func writeFile(
    _ path: String, replacing: Bool, _ options: PackingOptions, until deadline: Deadline? = nil,
    confirm: () throws -> Void = {}, unflushed: (Diagnostic) throws -> Void = { throw $0 }
  ) throws -> ByteSource {
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
  init(_ root: FileNode, in file: ByteSource) throws {
    let reader = try ContainerReader(file, limits: .none)
    var end = 0
    self.root = root.stored(in: reader.stream, from: &end)
    self.file = try file.file?.status().state
    liveBytes = end
    self.reader = reader
  }
}
