public import ParticlesCore

/// A `.particles` package: a tree of files, in one file or as a directory.
///
///     var package = try Container(contentsOf: "fire.particles")
///     try package.root.setFileNode(FileNode(regularFileWithContents: notes), at: "notes.txt")
///     try package.write(to: "fire.particles", as: .flat, replacing: true)
public struct Container: Sendable {
  /// The two physical forms of a package. Both hold the same tree and have the same digest.
  public enum Form: String, Sendable, CaseIterable {
    /// One file, compressed and checked.
    case flat
    /// A directory of the file system.
    case directory
  }

  /// The tree: always a directory.
  public var root: FileNode

  /// The form that the package was read from; nil if it was made in memory.
  public private(set) var form: Form?

  /// What could be read but is not as it should be.
  public private(set) var warnings: [Diagnostic] = []

  /// What the package was when it was opened or saved last.
  var opened: Opened?

  struct Opened: Sendable {
    var path: String
    /// The open file; nil for a directory.
    var reader: ContainerReader?
    var root: FileNode
    /// The size of all files.
    var liveBytes: Int
    var limits: Limits
  }

  /// A package of these files.
  public init(root: FileNode = .emptyDirectory) { self.root = root }

  /// A package of these files, which were read from something that has flaws.
  package init(root: FileNode, warnings: [Diagnostic]) {
    self.root = root
    self.warnings = warnings
  }

  /// Opens a package of either form, told apart by what is there. Contents are read when asked for.
  /// - Throws: a ``ParticlesCore/Diagnostic``; ``ParticlesCore/Rule/signature`` if it is neither.
  public init(contentsOf path: String, limits: Limits = .standard) throws {
    guard let status = try SafeSave.status(of: path) else {
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    if status.kind == .directory {
      self.init(root: try FileNode(readingDirectory: path, limits: limits))
      form = .directory
      opened = Opened(path: path, root: root, liveBytes: 0, limits: limits)
    } else {
      let reader = try ContainerReader(.file(path), limits: limits)
      try self.init(reader)
      var liveBytes = 0
      root.forEachDescendant { liveBytes += $1.contents?.size ?? 0 }
      opened = Opened(
        path: path, reader: reader, root: root, liveBytes: liveBytes, limits: limits)
    }
  }

  /// Opens a flat package in memory.
  public init(decoding bytes: [UInt8], limits: Limits = .standard) throws {
    try self.init(decoding: .bytes(bytes), limits: limits)
  }

  /// Opens a flat package, wherever its bytes are.
  public init(decoding source: ByteSource, limits: Limits = .standard) throws {
    try self.init(ContainerReader(source, limits: limits))
  }

  private init(_ reader: ContainerReader) throws {
    root = try reader.tree()
    form = .flat
    warnings = reader.warnings
  }

  /// Whether these bytes, the first of a file, begin a flat package.
  public static func isFlatPackage(_ bytes: some Collection<UInt8>) -> Bool {
    Header.isSignature(bytes)
  }

  /// The flat form in memory.
  public func encoded(_ options: PackingOptions = PackingOptions()) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try encode(options) { bytes += $0 }
    return bytes
  }

  /// The flat form, piece by piece from front to back.
  /// - Throws: faults of names and links; what reading the contents throws; what `sink` throws;
  ///   `CancellationError` if the current task is cancelled.
  public func encode(
    _ options: PackingOptions = PackingOptions(), _ sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try ContainerWriter.write(root, options: options, to: sink)
  }

  /// Writes the package, whole or not at all: until everything has reached the disk, what stood at
  /// the path stays.
  /// - Parameter replacing: whether something of the same form that stands there may be replaced.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` and others of the family `file`; faults of names
  ///   and links; what reading the contents throws.
  public func write(
    to path: String, as form: Form, replacing: Bool = false,
    options: PackingOptions = PackingOptions()
  ) throws {
    switch form {
    case .directory:
      try root.write(toDirectory: path, replacing: replacing, options: options.work)
    case .flat:
      try SafeSave.file(path, replacing: replacing) { file in
        var pending: [UInt8] = []
        try encode(options) { bytes in
          pending += bytes
          guard pending.count >= Layout.blockSize else { return }
          try file.write(pending)
          pending.removeAll(keepingCapacity: true)
        }
        try file.write(pending)
      }
    }
  }
}
