internal import ParticlesCore

extension Container {
  /// Whether the package at its path is as it was opened or saved last by any copy of this value. False if
  /// that cannot be found out, and for a package without a path.
  package var isUnchanged: Bool {
    guard let saved else { return false }
    do {
      _ = try saved.checkUnchanged()
      return true
    } catch {
      return false
    }
  }

  /// Gives up the descriptor of a flat package until something is written or read from its path. Contents
  /// are read as before, also after the file was replaced or deleted.
  package func rest() { reader?.source.file?.park() }

  /// Returns the same package at another path, where it was moved to. The contents of all copies of this
  /// value are read from there, too.
  package func relocated(to path: String) throws -> Container {
    guard let saved else { return self }
    if saved.form == .directory {
      saved.state.root.relocate(to: try FileNode(readingDirectory: path, limits: .none))
    }
    let new = SavedPackage(
      path: path, form: saved.form, saved.state, keeping: saved.keptStreams)
    new.remembered = saved.remembered
    new.remembersFiles = saved.remembersFiles
    if saved.remembersFiles { new.rememberAgain() }
    var copy = self
    copy.stay(at: new)
    return copy
  }
}

extension FileNode {
  /// Lets the files of the file system below this node be read from another folder, where they were moved
  /// to. Files that have changed are left alone; reading them throws.
  fileprivate func relocate(to found: FileNode) {
    if let file = contents?.foundFile, let new = found.contents?.foundFile, file.state == new.state
    {
      file.move(to: new)
    }
    for child in children ?? [] {
      if let other = found[child.name] { child.node.relocate(to: other) }
    }
  }

  /// Returns this tree with the stored nodes in place of those that were written: the others were changed
  /// since.
  /// - Parameters:
  ///   - stored: the tree as it is stored.
  ///   - written: the tree that was written, an earlier state of this one.
  package func adopting(_ stored: FileNode, writtenAs written: FileNode) -> FileNode {
    switch (storage, written.storage, stored.storage) {
    case (.file(let contents, let isExecutable), .file(let old, _), .file(let new, _)):
      guard contents.isSame(as: old) else { return self }
      return FileNode(regularFileWithContents: new, isExecutable: isExecutable)
    case (.directory(var directory), .directory(let old), .directory(let new)):
      if directory.children.sharesMemory(with: old.children) { return stored }
      for child in directory.children {
        guard let before = old[child.name], let now = new[child.name] else { continue }
        _ = directory.replace(child.name, with: child.node.adopting(now, writtenAs: before))
      }
      return FileNode(storage: .directory(directory))
    default: return self
    }
  }
}
