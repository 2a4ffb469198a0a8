internal import ParticlesContainer
public import ParticlesCore

/// A change of the contents of an open document: its number, its origin, and the changed files.
public struct DocumentRevision: Sendable {
  /// The origin of a change.
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
    /// A save in a format that cannot hold everything: the contents are replaced by the stored contents.
    case save
  }

  /// The number of the revision. The opened document has 0, and each change has a greater number.
  public let number: Int
  /// The origin of the change.
  public let origin: Origin
  /// The name of the change in menus.
  public let name: String

  private let compare: @Sendable () throws(Failure) -> [String]

  package init<Content: DocumentContent>(
    _ number: Int, _ origin: Origin, _ name: String, from old: EditedContents<Content>?,
    to new: EditedContents<Content>?
  ) {
    (self.number, self.origin, self.name) = (number, origin, name)
    compare = { () throws(Failure) in
      guard let old = try old?.visible.keptContents(), let new = try new?.visible.keptContents()
      else { return [] }
      return TreeDifference(from: old, to: new).paths
    }
  }

  /// Compares the contents before and after. Returns the sorted paths of the files that were added, changed or
  /// removed. Contents that are one file have an empty path.
  /// - Throws: errors of encoding the contents.
  public func changedFiles() throws(Failure) -> [String] { try compare() }
}

/// Contents of a document, and as they are stored.
package struct LoadedContents<Content: DocumentContent>: Sendable {
  package var content: Content
  package var stored: StoredContents

  package init(content: Content, stored: StoredContents) {
    (self.content, self.stored) = (content, stored)
  }
}

/// Events of a session, for its listeners.
package enum EditNews<Content: DocumentContent>: Sendable {
  /// An edit, undo or redo of this name.
  case edited(String)
  /// Other contents, for any reason. These are nil without listeners.
  case changed(
    Int, DocumentRevision.Origin, String, from: EditedContents<Content>?,
    to: EditedContents<Content>?)
  /// A gesture has ended.
  case gestureEnded(DocumentGesture, DocumentGesture.End)
}

/// Contents at one time, with changes of gestures that may not be made yet.
package struct EditedContents<Content: DocumentContent>: Sendable {
  package let settled: Content
  let made: Content
  /// The gestures, or nil if all of their changes are made.
  let gestures: OpenGestures<Content>?

  /// The contents with all changes.
  var visible: Content {
    guard var gestures else { return made }
    var content = settled
    _ = gestures.apply(to: &content)
    return content
  }
}

/// A group of edits that has begun.
package struct EditGroup<Content: DocumentContent>: Sendable {
  let name: String
  /// The contents without gestures, and as they were seen.
  let old: Content
  let seen: EditedContents<Content>?
}

/// The edits of a document that was closed, and the contents that they lead to.
package struct ClosedEdits<Content: DocumentContent>: Sendable {
  package let history: EditHistory<Content>
  let content: Content
}
