internal import ParticlesCore

/// The edits of the last documents that were closed, while the program runs.
final class ClosedDocuments: Sendable {
  /// The greatest number of documents.
  static let maximumCount = 32

  private struct Entry: Sendable {
    var path: String
    var edits: any Sendable
  }

  private let entries = Lock<[Entry]>([])

  private static func place(_ path: String) -> String {
    (try? VersionStore.absolute(path)) ?? path
  }

  /// Keeps the edits of a document, if there are any.
  func keep<Content>(_ edits: ClosedEdits<Content>, of path: String) {
    let place = Self.place(path)
    let hasEdits = edits.history.undoName != nil || edits.history.redoName != nil
    entries.withLock { entries in
      entries.removeAll { $0.path == place }
      if hasEdits { entries.append(Entry(path: place, edits: edits)) }
      if entries.count > Self.maximumCount { entries.removeFirst() }
    }
  }

  /// Returns the edits of a document, and forgets them; nil if there are none of such contents.
  func take<Content>(_ path: String) -> ClosedEdits<Content>? {
    let place = Self.place(path)
    return entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.path == place }) else { return nil }
      return entries.remove(at: index).edits as? ClosedEdits<Content>
    }
  }
}
