public import ParticlesCore

extension FileNode {
  /// Reads a directory of the file system: names and kinds now, contents when asked for.
  ///
  /// Links are kept as links and never followed. Names are taken in normalisation form C. A file
  /// that is changed before its contents are read makes reading them throw
  /// ``ParticlesCore/Rule/fileChanged``.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `tree`, `file` or `limit`;
  ///   ``ParticlesCore/Rule/special`` if there is a device, socket or pipe.
  public init(readingDirectory path: String, limits: Limits = .standard) throws {
    self = try TreeReader.read(path, limits: limits)
  }

  /// Writes this directory as a directory of the file system, whole or not at all.
  ///
  /// It is built beside its place under another name, and moved or swapped in when everything has
  /// reached the disk.
  /// - Parameters:
  ///   - path: where to; the folder that will hold it must exist.
  ///   - replacing: whether a directory that stands there may be replaced.
  ///   - synchronizing: whether to wait until everything has reached the disk; if not, a loss of
  ///     power soon afterwards may leave a directory with files cut short.
  ///   - work: threads and progress.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` and others of the family `file`; the same faults
  ///   of names and links as writing the flat form; what reading the contents throws;
  ///   `CancellationError` if the current task is cancelled.
  public func write(
    toDirectory path: String, replacing: Bool = false, synchronizing: Bool = true,
    work: Container.WorkOptions = .init()
  ) throws {
    try write(
      toDirectory: path, replacing: replacing, synchronizing: synchronizing, work: work,
      confirm: {})
  }

  /// The same, confirmed right before it replaces anything.
  func write(
    toDirectory path: String, replacing: Bool, synchronizing: Bool, work: WorkOptions,
    confirm: () throws -> Void
  ) throws {
    guard isDirectory else { throw Self.rootFault }
    try SafeSave.directory(
      path, replacing: replacing,
      { temporary in
        let folder = try FolderWriter(temporary)
        try TreeWriter(self).write(to: folder, work)
        if synchronizing { try folder.synchronize() }
      }, confirm: confirm)
  }

  /// What a root is that is no directory.
  static var rootFault: Diagnostic {
    Diagnostic(.parent, "the root of a package has to be a directory")
  }

  /// Writes what is in this directory below a folder, which may exist and hold other things.
  ///
  /// Folders on the way must be real ones: a symbolic link that stands there is never followed. What
  /// was written before an error stays, and the last file may be cut short.
  /// - Parameters:
  ///   - folder: the folder, which is made if it does not exist; the one that holds it must exist.
  ///   - replacing: whether files and links that are there may be replaced. Folders never are.
  ///   - work: progress; one thread does it all.
  /// - Throws: the same faults of names and links as writing the flat form, before anything is
  ///   written; ``ParticlesCore/Rule/fileExists`` and others of the family `file`; what reading the
  ///   contents throws; `CancellationError` if the current task is cancelled.
  public func extract(
    into folder: String, replacing: Bool = false, work: Container.WorkOptions = .init()
  ) throws {
    try forEachDescendant { _ = try Entry(path: $0, node: $1) }
    let shared = SharedWork(total: contentBytes, work)
    var done = 0
    func create(_ node: FileNode, at entry: String, in folder: FolderWriter) throws {
      try shared.checkCancellation()
      if let destination = node.symbolicLinkDestination {
        try folder.makeLink(entry, to: destination)
      } else if let contents = node.contents {
        let file = try folder.createFile(entry, executable: node.isExecutable)
        try contents.forEachPiece { piece in
          try shared.checkCancellation()
          try file.write(piece)
          done += piece.count
          shared.report(done)
        }
      }
    }
    if try Files.status(folder) == nil { try Files.makeDirectory(folder) }
    let target = try FolderWriter(folder)
    try forEachDescendant { entry, node in
      let old = try target.status(entry)
      func exists(_ detail: String? = nil, _ hint: String? = nil) -> Diagnostic {
        let location = Location(file: Files.joined(folder, entry))
        return Diagnostic(.fileExists, at: location, detail, hint: hint)
      }
      // What is a folder on one side only is never replaced.
      let otherFolder = "choose another folder, or move it away"
      if case .directory = node.storage {
        guard let old else { return try target.makeDirectory(entry) }
        guard old.kind == .directory else { throw exists("it is no folder", otherFolder) }
        return
      }
      guard let old else { return try create(node, at: entry, in: target) }
      guard old.kind != .directory else { throw exists("it is a folder", otherFolder) }
      guard replacing else { throw exists() }
      try target.replace(entry) { try create(node, at: $0, in: target) }
    }
  }
}
