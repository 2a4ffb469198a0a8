public import ParticlesCore

/// Moves and copies documents that need not be open. Nothing is overwritten.
public enum DocumentPlaces {
  /// Moves a document to another path. Programs that have it open follow it. A symbolic link is moved itself,
  /// and leads to the same document afterwards, which keeps its versions.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - target: the new path, at which there must be nothing.
  ///   - versions: the store whose versions move with it; nil for none.
  /// - Returns: a warning if the versions did not move.
  /// - Throws: ``ParticlesCore/Rule/fileExists``, ``ParticlesCore/Rule/fileNotFound`` and others of the
  ///   family `file`. The document stays then.
  @discardableResult
  public static func move(
    _ path: String, to target: String, versions: VersionStore?
  ) throws -> [Diagnostic] {
    guard try SafeSave.status(of: path) != nil else {
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    // While the old path can be resolved.
    let isLink = try Files.status(path, followingLinks: false)?.kind == .symbolicLink
    let move = try isLink ? nil : versions.map { try $0.moving(path) }
    try Files.moveExclusively(path, target)
    do {
      try move?(target)
    } catch {
      return [.history(of: target, "its versions have stayed with its old path", error)]
    }
    return []
  }

  /// Copies a document to another path, and compares the copy.
  /// - Throws: the errors of ``move(_:to:versions:)``. No copy is left then.
  public static func copy(_ path: String, to target: String) throws {
    try Files.copyExclusively(path, target)
  }
}
