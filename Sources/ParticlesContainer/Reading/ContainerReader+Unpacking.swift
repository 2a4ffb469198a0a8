internal import ParticlesCore

extension ContainerReader {
  /// Unpacks the package to a directory, whole or not at all. Checks the tree as ``entries()`` does
  /// before anything is written.
  /// - Parameters:
  ///   - path: the path of the new directory; its parent must exist.
  ///   - replacing: whether an existing directory may be replaced.
  ///   - synchronizing: whether to wait until everything has reached the disk; if not, a loss of
  ///     power soon afterwards may truncate files.
  ///   - work: threads and progress.
  /// - Returns: the number of regular files.
  /// - Throws: the errors of ``entries()`` and of reading contents; ``ParticlesCore/Rule/fileExists``
  ///   and others of the family `file`; `CancellationError` if the current task is cancelled.
  @discardableResult
  public func unpack(
    toDirectory path: String, replacing: Bool = false, synchronizing: Bool = true,
    work: Container.WorkOptions = .init()
  ) throws -> Int {
    let writer = try TreeWriter(self)
    try SafeSave.directory(path, replacing: replacing) { temporary in
      let folder = try FolderWriter(temporary)
      try writer.write(to: folder, work)
      if synchronizing { try folder.synchronize() }
    }
    return writer.fileCount
  }
}
