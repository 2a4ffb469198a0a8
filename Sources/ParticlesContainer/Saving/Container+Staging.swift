package import ParticlesCore

extension Container {
  /// Writes the package as ``write(to:as:replacing:options:)`` does, but leaves it to a
  /// ``ParticlesCore/SaveGroup`` to flush and rename the file. A directory that replaces another is
  /// flushed and renamed at once.
  package func write(
    to path: String, as form: Form, replacing: Bool, options: PackingOptions = PackingOptions(),
    staging stage: SaveStage
  ) throws {
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
