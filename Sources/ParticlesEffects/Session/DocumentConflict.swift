internal import ParticlesContainer
package import ParticlesCore

/// Changes of a document that exclude each other.
public struct DocumentConflict<Content: DocumentContent>: Sendable {
  /// The contents that both sides have changed.
  public let base: Content
  /// The contents in memory, with unsaved changes.
  public let ours: Content
  /// The contents that another program has saved.
  public let theirs: Content
  /// The parts that both sides have changed, by property or path.
  public let clashes: [String]
  /// Both changes, with ours wherever both sides have changed a part. Nil if contents of this type cannot be merged.
  public let merged: Content?

  package let stored: StoredContents
  /// Whether ``base`` is the common state. If not, ``base`` is ``theirs``, and nothing can be merged.
  var isBaseKnown = true

  /// Returns the contents that end the conflict.
  /// - Parameter ours: our side now.
  /// - Returns: nil if contents of this type cannot be merged.
  package func result(of resolution: ConflictResolution<Content>, _ ours: Content) throws(Failure)
    -> Content?
  {
    switch resolution {
    case .ours: ours
    case .theirs, .both: theirs
    case .contents(let content): content
    case .merged: try Content.merge(base: base, ours: ours, theirs: theirs)?.content
    }
  }
}

/// How a conflict ends. The state that does not stay is kept as a version.
public enum ConflictResolution<Content: Sendable>: Sendable {
  /// Our contents replace the stored contents.
  case ours
  /// The stored contents stay.
  case theirs
  /// The stored contents stay. Ours become a document beside it.
  case both
  /// Both changes, with ours wherever both sides have changed a part.
  case merged
  /// Contents that the user has made of both.
  case contents(Content)
}
