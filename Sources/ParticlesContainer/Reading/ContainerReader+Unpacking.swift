internal import ParticlesCore

extension ContainerReader {
  /// Unpacks the package as a directory of the file system, whole or not at all. The tree is checked
  /// as ``entries()`` does before anything is written.
  /// - Parameters:
  ///   - path: where to; the folder that will hold it must exist.
  ///   - replacing: whether a directory that stands there may be replaced.
  ///   - synchronizing: whether to wait until everything has reached the disk; if not, a loss of
  ///     power soon afterwards may leave a directory with files cut short.
  ///   - work: threads and progress.
  /// - Returns: how many regular files there were.
  /// - Throws: what ``entries()`` and reading the contents throw; ``ParticlesCore/Rule/fileExists``
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
