public import ParticlesCore
public import ParticlesContainer
internal import ParticlesSystem

extension FileNode {
  /// Reads a directory of the file system: names and kinds now, contents on access.
  ///
  /// Symbolic links are entries and never followed. Names are converted to normalisation form C. If a
  /// file changes before its contents are read, reading them throws ``ParticlesCore/Rule/fileChanged``.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `tree`, `file` or `limit`, such as
  ///   ``ParticlesCore/Rule/special`` if there is a device, socket or pipe.
  public init(readingDirectory path: String, limits: Limits = .standard) throws(Failure) {
    self = try TreeReader.read(path, limits: limits)
  }

  /// Writes this directory to the file system, whole or not at all.
  ///
  /// It is written under a temporary name beside its path, and renamed or exchanged when everything
  /// has reached the disk.
  /// - Parameters:
  ///   - path: the path of the new directory. Its parent must exist.
  ///   - replacing: whether an existing directory may be replaced.
  ///   - synchronizing: whether to wait until everything has reached the disk. If not, a loss of power soon afterwards
  ///     may truncate files.
  ///   - work: threads and progress.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` and others of the family `file`, the faults of names and links of the
  ///   flat form, errors of reading the contents, and `CancellationError` if the current task is cancelled.
  public func write(
    toDirectory path: String, replacing: Bool = false, synchronizing: Bool = true,
    work: Container.WorkOptions = .init()
  ) throws(Failure) {
    try write(
      toDirectory: path, replacing: replacing, synchronizing: synchronizing, work: work,
      confirm: {})
  }

  /// Writes as above. Waits for locks until `deadline`, and calls `confirm` right before it replaces anything.
  /// - Parameter complete: called with the path of the complete directory, before it is renamed.
  func write(
    toDirectory path: String, replacing: Bool, synchronizing: Bool, work: WorkOptions,
    until deadline: Deadline? = nil, confirm: () throws(Failure) -> Void,
    completing complete: (_ temporary: String) throws(Failure) -> Void = { _ in }
  ) throws(Failure) {
    guard isDirectory else { throw Self.rootFault }
    try SafeSave.directory(
      path, replacing: replacing, until: deadline, flushing: synchronizing,
      { temporary in
        let folder = try FolderWriter(temporary)
        try TreeWriter(self).write(to: folder, work)
        if synchronizing { try folder.synchronize() }
        try complete(temporary)
      }, confirm: confirm)
  }

  /// Writes a copy of a directory of the file system to a path where nothing is, whole or not at all.
  /// - Parameter complete: called with the path of the complete directory. The directory is private to the user until
  ///   `complete` gives it permissions.
  package func write(
    toDirectory path: String,
    completing complete: (_ temporary: String) throws(Failure) -> Void
  ) throws(Failure) {
    guard isDirectory else { throw Self.rootFault }
    try SafeSave.directory(path, replacing: false, private: true) { temporary in
      let folder = try FolderWriter(temporary)
      try TreeWriter(self).write(to: folder, WorkOptions())
      try complete(temporary)
      try folder.synchronize()
    }
  }

  /// Writes the contents of this directory into a folder, which may exist and have other contents.
  ///
  /// Existing symbolic links on the way are never followed. After an error, the files written so far
  /// stay, and the last one may be truncated.
  /// - Parameters:
  ///   - folder: the folder, created if it does not exist. Its parent must exist.
  ///   - replacing: whether existing files and links may be replaced. Folders never are.
  ///   - work: progress. One thread does the work.
  /// - Throws: the faults of names and links of the flat form, before anything is written. Also
  ///   ``ParticlesCore/Rule/fileExists`` and others of the family `file`, errors of reading the contents, and
  ///   `CancellationError` if the current task is cancelled.
  public func extract(
    into folder: String, replacing: Bool = false, work: Container.WorkOptions = .init()
  ) throws(Failure) {
    try forEachDescendant { _ = try Entry(path: $0, node: $1) }
    let shared = SharedWork(total: contentBytes, work)
    var done = 0
    func create(_ node: FileNode, at entry: String, in folder: FolderWriter) throws(Failure) {
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
      // A folder is never replaced by a file, nor a file by a folder.
      let otherFolder = "choose another folder, or move it away"
      if case .directory = node.storage {
        guard let old else { return try target.makeDirectory(entry) }
        guard old.kind == .directory else { throw exists("not a folder", otherFolder) }
        return
      }
      guard let old else { return try create(node, at: entry, in: target) }
      guard old.kind != .directory else { throw exists("a folder", otherFolder) }
      guard replacing else { throw exists() }
      try target.replace(entry) { try create(node, at: $0, in: target) }
    }
  }
}
