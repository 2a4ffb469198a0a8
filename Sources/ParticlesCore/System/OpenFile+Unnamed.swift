internal import ParticlesPlatform

/// Files that get their names when they are complete: a program that is killed leaves nothing.
extension OpenFile {
  /// Creates a file without a name, for reading and writing; nil where the system or the file system does
  /// not support that.
  /// - Parameter path: the path that it gets later.
  package convenience init?(unnamedFor path: String, mode: UInt32) {
    let descriptor = Places.target(Files.folder(of: path)) { folder, _ in
      SystemCalls.openAnonymous(in: folder, mode: mode)
    }
    guard descriptor >= 0 else { return nil }
    self.init(path: path, descriptor: descriptor)
  }

  /// Gives the file its name, and flushes both to the disk.
  /// - Returns: false if the system does not support that.
  /// - Throws: ``Rule/fileExists`` if there is something at the path.
  package func link() throws -> Bool {
    try synchronize()
    let code = Places.entry(path, else: \.self) { SystemCalls.linkAnonymous(descriptor, as: $0) }
    switch code {
    case 0: break
    case EEXIST: throw SystemError.diagnostic(EEXIST, path, writing: true)
    default: return false
    }
    let folder = Files.folder(of: path)
    if Files.canList(folder) {
      try FolderReader(folder, writing: true).synchronize()
    } else {
      try synchronizeFileSystem()
    }
    return true
  }
}
