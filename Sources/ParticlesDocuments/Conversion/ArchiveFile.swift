public import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
package import ParticlesSystem

extension ParticleFormat {
  /// Writes the tree below a directory to a file, whole or not at all. See ``Packer``.
  /// - Parameters:
  ///   - root: the directory.
  ///   - path: the path of the file.
  ///   - replacing: whether an existing file may be replaced.
  /// - Throws: ``ParticlesCore/Rule/unknownFormat`` if the format is not one of archives.
  public func pack(_ root: FileNode, to path: String, replacing: Bool = false) throws
    -> [Diagnostic]
  {
    try pack(root, to: path, replacing: replacing, staging: nil)
  }

  /// As above. With a stage, the file is flushed and renamed later.
  package func pack(
    _ root: FileNode, to path: String, replacing: Bool, staging stage: SaveStage?
  ) throws -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    try SafeSave.file(path, replacing: replacing, staging: stage) { file in
      diagnostics = try pack(root) { try file.write($0) }
    }
    return diagnostics
  }
}
