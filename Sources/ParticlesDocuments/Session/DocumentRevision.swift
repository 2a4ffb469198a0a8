internal import ParticlesContainer
internal import ParticlesCore

/// A change of the contents of an open document: its number, who has made it, and what it has changed.
public struct DocumentRevision: Sendable {
  /// Who has changed the contents.
  public enum Origin: String, Sendable, CaseIterable {
    /// An edit in this process.
    case edit
    /// Undo or redo in this process.
    case undo
    /// Another program has saved the document.
    case outside
    /// The changes of another program were merged with ours.
    case merge
    /// A conflict was resolved, or unsaved contents were recovered.
    case resolution
    /// The stored contents, or a version, came back.
    case revert
    /// A save in a format that cannot hold all: the contents are what was stored.
    case save
  }

  /// The number of the revision; each is greater than the one before. 0 is that of the opened document.
  public let number: Int
  /// Who has changed the contents.
  public let origin: Origin
  /// The name of the change in menus.
  public let name: String

  private let compare: @Sendable () throws -> [String]

  init<Content: DocumentContent>(
    _ number: Int, _ origin: Origin, _ name: String, from old: EditedContents<Content>?,
    to new: EditedContents<Content>?
  ) {
    (self.number, self.origin, self.name) = (number, origin, name)
    compare = {
      guard let old = try old?.visible.keptContents(), let new = try new?.visible.keptContents()
      else { return [] }
      return TreeDifference(from: old, to: new).paths
    }
  }

  /// Compares the contents before and after, when it is asked for: the paths of the files that were added, changed
  /// or removed, in order; an empty path for contents that are one file.
  /// - Throws: errors of encoding the contents.
  public func changedFiles() throws -> [String] { try compare() }
}
