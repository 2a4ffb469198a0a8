public import ParticlesCore

extension FileNode {
  /// Returns the tree digest of this directory: SHA-256 over paths, kinds, executable bits and
  /// contents, independent of form and compression. `Spec/container.md#digest` defines it.
  ///
  /// Reads all contents at each call, piece by piece. For a file or link it is the digest of an empty
  /// directory.
  /// - Throws: errors of reading the contents.
  public func treeDigest() throws(Failure) -> ContentDigest {
    var hash = SHA256()
    hash.update(Array("particles tree 1\n".utf8))
    try forEachDescendant { path, node throws(Failure) in
      var record = ByteWriter()
      record.byte(node.entryKind.code)
      record.u32(UInt32(path.utf8.count))
      record.write(path.utf8)
      switch node.storage {
      case .directory: break
      case .file(let contents, _):
        var file = SHA256()
        try locating(.entry(path)) { () throws(Failure) in
          try contents.forEachPiece { file.update($0) }
        }
        record.write(file.finalize().bytes)
      case .link(let destination):
        record.write(SHA256.digest(destination.utf8).bytes)
      }
      hash.update(record.bytes)
    }
    return hash.finalize()
  }

  private var entryKind: Entry.Kind {
    switch storage {
    case .directory: .directory
    case .file(_, let isExecutable): .file(isExecutable: isExecutable)
    case .link(let destination): .symbolicLink(destination)
    }
  }
}
