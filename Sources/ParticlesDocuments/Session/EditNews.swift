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
  let settled: Content
  let made: Content
  /// The gestures; nil if all of their changes are made.
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
  let history: EditHistory<Content>
  let content: Content
}
