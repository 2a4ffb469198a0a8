public import ParticlesCore

/// A `.particles` package: a tree of files, in one file or as a directory.
///
///     var package = try Container(contentsOf: "fire.particles")
///     try package.root.setFileNode(FileNode(regularFileWithContents: notes), at: "notes.txt")
///     try package.save()
///
/// A value: nothing reaches the disk before ``write(to:as:replacing:options:)`` or
/// ``save(mode:level:work:synchronizing:)``. Copies share the open file that contents are read from.
public struct Container: Sendable {
  /// The two physical forms of a package. Both hold the same tree and have the same digest.
  public enum Form: String, Sendable, CaseIterable {
    /// One file, compressed and checked.
    case flat
    /// A directory of the file system.
    case directory
  }

  /// The tree. It has to be a directory; writing anything else throws
  /// ``ParticlesCore/Rule/parent``.
  public var root: FileNode

  /// The form that the package was read from; nil if it was made in memory.
  public private(set) var form: Form?

  /// What could be read but is not as it should be: ``ParticlesCore/Rule/torn``, if an unfinished
  /// save was found and ignored.
  public internal(set) var warnings: [Diagnostic] = []

  /// The flat package that it was decoded from, or saved as last; nil for a directory.
  var reader: ContainerReader?

  /// What the package was when it was opened or saved last.
  var opened: Opened?

  struct Opened: Sendable {
    var path: String
    /// In what state the file was left, by us or whoever wrote it; nil for a directory.
    var state: FileState?
    var root: FileNode
    /// The size of all files.
    var liveBytes: Int
    var limits: Limits
  }

  /// A package of these files, made in memory. It stands nowhere until it is written.
  public init(root: FileNode = .emptyDirectory) { self.root = root }

  /// A package of these files, which were read from something that has flaws.
  package init(root: FileNode, warnings: [Diagnostic]) {
    self.root = root
    self.warnings = warnings
  }

  /// Opens a package of either form, told apart by what is there.
  ///
  /// The whole tree is read and checked now, contents when asked for. A flat package is kept open,
  /// so what replaces the file later is not seen.
  /// - Parameters:
  ///   - path: the path of a file or folder; a symbolic link is followed.
  ///   - limits: what the package may cost; exceeding them throws ``ParticlesCore/Rule/limit``.
  /// - Throws: a ``ParticlesCore/Diagnostic``: ``ParticlesCore/Rule/fileNotFound``;
  ///   ``ParticlesCore/Rule/signature`` if it is neither; others of the families `file`,
  ///   `container`, `tree` and `limit`.
  public init(contentsOf path: String, limits: Limits = .standard) throws {
    guard let status = try SafeSave.status(of: path) else {
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    if status.kind == .directory {
      self.init(root: try FileNode(readingDirectory: path, limits: limits))
      form = .directory
      opened = Opened(path: path, root: root, liveBytes: 0, limits: limits)
    } else {
      let source = try ByteSource.file(path)
      let state = try source.file?.status().state
      let reader = try ContainerReader(source, limits: limits)
      try self.init(reader)
      opened = Opened(
        path: path, state: state, root: root, liveBytes: root.contentBytes, limits: limits)
    }
  }

  /// Opens a flat package in memory. The bytes are kept; contents are unpacked when asked for.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`.
  public init(decoding bytes: [UInt8], limits: Limits = .standard) throws {
    try self.init(decoding: .bytes(bytes), limits: limits)
  }

  /// Opens a flat package, wherever its bytes are. The whole tree is read and checked now, contents
  /// when asked for.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`; what
  ///   reading the source throws.
  public init(decoding source: ByteSource, limits: Limits = .standard) throws {
    try self.init(ContainerReader(source, limits: limits))
  }

  private init(_ reader: ContainerReader) throws {
    root = try reader.tree()
    self.reader = reader
    form = .flat
    warnings = reader.warnings
  }

  /// The package of these files after it was written to a path, to be read from there.
  /// - Parameter file: what was written: somebody else may have replaced it by now.
  init(_ root: FileNode, savedAt path: String, _ file: ByteSource, limits: Limits) throws {
    let reader = try ContainerReader(file, limits: .none)
    var end = 0
    self.root = root.standing(in: reader.stream, from: &end)
    self.reader = reader
    form = .flat
    opened = Opened(
      path: path, state: try file.file?.status().state, root: self.root, liveBytes: end,
      limits: limits)
  }

  /// Whether these bytes, the first of a file, begin a flat package. Nine are looked at; fewer are
  /// never enough. Whether the rest is sound shows when it is opened.
  public static func isFlatPackage(_ bytes: some Collection<UInt8>) -> Bool {
    Header.isSignature(Array(bytes.prefix(Layout.signature.count)))
  }

  /// The flat form in memory, in the canonical layout: the same tree gives the same bytes at the
  /// same level.
  /// - Throws: what ``encode(_:_:)`` throws.
  public func encoded(_ options: PackingOptions = PackingOptions()) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try encode(options) { bytes += $0 }
    return bytes
  }

  /// The flat form, piece by piece from front to back.
  /// - Parameters:
  ///   - options: level, threads and progress.
  ///   - sink: takes the next bytes, which are valid during the call only. It is called from any
  ///     thread, but never from two at once.
  /// - Throws: faults of names and links, before anything is handed on; what reading the contents throws; what `sink` throws;
  ///   `CancellationError` if the current task is cancelled.
  public func encode(
    _ options: PackingOptions = PackingOptions(), _ sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try withoutActuallyEscaping(sink) {
      try ContainerWriter.write(root, options: options, to: PackageSink(write: $0))
    }
  }

  /// Writes the package, whole or not at all: until everything has reached the disk, what stood at
  /// the path stays.
  ///
  /// This makes a copy: where the package itself was opened, and is saved, does not change; to go on
  /// from the new place, use ``save(to:as:replacing:options:)``. To write where it was opened, use
  /// ``save(mode:level:work:synchronizing:)``: this leaves a package that was opened as a directory
  /// with contents that cannot be read any more.
  /// - Parameters:
  ///   - path: where to; the folder must exist. If it is a symbolic link, what it leads to is
  ///     replaced, and the link stays.
  ///   - form: which form to write.
  ///   - replacing: whether something of the same form that stands there may be replaced.
  ///   - options: level, threads and progress; a directory needs no level.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` and others of the family `file`; faults of names
  ///   and links; what reading the contents throws; `CancellationError` if the current task is
  ///   cancelled.
  public func write(
    to path: String, as form: Form, replacing: Bool = false,
    options: PackingOptions = PackingOptions()
  ) throws {
    switch form {
    case .directory:
      try root.write(toDirectory: path, replacing: replacing, work: options.work)
    case .flat: _ = try writeFile(path, replacing: replacing, options)
    }
  }

  /// Writes the flat form to a path, and returns what was written, open.
  /// - Parameter confirm: called right before something is replaced.
  func writeFile(
    _ path: String, replacing: Bool, _ options: PackingOptions, confirm: () throws -> Void = {}
  ) throws -> ByteSource {
    let (file, size) = try SafeSave.file(
      path, replacing: replacing,
      { file in
        let isShared = options.reusesBlocks && opened != nil
        let sink = try FileSink(file, sharingWith: isShared ? reader?.source.file : nil)
        try ContainerWriter.write(root, options: options, to: sink.sink)
        return (try file.named(path), try sink.finish())
      }, confirm: confirm)
    // It has its place; whoever appends to it next waits for the lock.
    file.unlock()
    return .file(file, size: size)
  }
}
