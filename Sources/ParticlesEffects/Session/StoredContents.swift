public import ParticlesContainer
public import ParticlesCore

/// Contents that a storage has read or written.
public struct StoredContents: Sendable {
  /// The files.
  public var contents: FileNode

  /// A number that differs after each change of the stored contents.
  public var revision: Int

  /// How a package was written, or nil if none was.
  public var mode: Container.SaveMode?

  /// Changes besides the contents: a new owner of the file, or other hard links that have the old contents.
  public var diagnostics: [Diagnostic] = []

  /// Creates contents.
  public init(_ contents: FileNode, revision: Int) {
    self.contents = contents
    self.revision = revision
  }
}
