internal import ParticlesContainer
internal import ParticlesCore

/// The side of a conflict that stays, for contents of any type; see ``ConflictResolution``.
public enum ConflictSide: String, Sendable, CaseIterable {
  /// Our contents replace those of the other program.
  case ours
  /// The contents of the other program stay.
  case theirs
  /// The contents of the other program stay; ours become a document beside it.
  case both
  /// Both changes; where both have changed the same part, ours.
  case merged
}

/// An open document of any contents, for code that does not know them: a list of documents, a browser.
public protocol OpenDocument: Actor {
  /// The path; nil without one.
  nonisolated var path: String? { get }
  /// The name to show.
  nonisolated var displayName: String { get }
  /// The states.
  var states: DocumentStates { get }
  /// Whether there are changes that are not saved.
  var hasUnsavedChanges: Bool { get }
  /// The number of the last change; see ``DocumentRevision``.
  var revision: Int { get }
  /// The names of the edits to undo and redo next; nil if there is none.
  var undoName: String? { get }
  /// See ``undoName``.
  var redoName: String? { get }
  /// The events, of which each call returns a stream of its own.
  func events() -> AsyncStream<DocumentEvent>
  /// Opens it. Does nothing if it is open.
  func open() async throws
  /// Saves unsaved changes.
  func save() async throws
  /// Saves unsaved changes, unless they are discarded, and closes it.
  func close(discarding isDiscarding: Bool) async throws
  /// Keeps unsaved contents in the recovery journal, and closes it without a save.
  func closeIntoRecovery() async throws
  /// Moves it to another path.
  func move(to path: String) async throws
  /// Undoes edits, and returns how many.
  func undo(_ count: Int) throws -> Int
  /// Redoes edits, and returns how many.
  func redo(_ count: Int) throws -> Int
  /// The parts that another program and this one have both changed; nil without a conflict, and empty if contents of this
  /// type cannot be merged.
  var clashes: [String]? { get }
  /// Ends a conflict; see ``Document/resolve(_:)``. Returns the path of the document beside this one, if there is one.
  func resolve(keeping side: ConflictSide) async throws -> String?
}

extension Document: OpenDocument {
  /// The parts that another program and this one have both changed; nil without a conflict.
  public var clashes: [String]? { conflict?.clashes }

  /// Ends a conflict with one side, or with both.
  /// - Returns: the path of the document beside this one with ``ConflictSide/both``; else nil.
  /// - Throws: the errors of ``resolve(_:)``.
  public func resolve(keeping side: ConflictSide) async throws -> String? {
    switch side {
    case .ours: try await resolve(.ours)
    case .theirs: try await resolve(.theirs)
    case .both: try await resolve(.both)
    case .merged: try await resolve(.merged)
    }
  }
}

/// The documents of a process: one for each file, of any contents. Two windows that ask for a file under any of
/// its names get the same document.
///
///     let document = try await DocumentRegistry.shared.document(PlainText.self, at: "notes.txt")
///     try await document.open()
public actor DocumentRegistry {
  /// The registry of this process.
  public static let shared = DocumentRegistry()

  private struct Entry {
    weak var document: (any OpenDocument)?
  }

  private var entries: [Entry] = []
  /// The edits of its documents that were closed.
  private let closed = ClosedDocuments()

  /// Creates a registry of its own.
  public init() {}

  /// Returns the document of a file, or a new one, which is not open yet. The registry does not keep it, but
  /// the edits that can be undone: the next document of the file has them, while the program runs.
  /// - Parameters:
  ///   - content: the type of the contents.
  ///   - path: the path, which may be a symbolic or a hard link.
  ///   - configuration: that of a new document.
  /// - Throws: ``ParticlesCore/Rule/fileBusy`` if the file is open with other contents, such as an effect as text.
  public func document<Content: DocumentContent>(
    _ content: Content.Type, at path: String,
    configuration: DocumentConfiguration = DocumentConfiguration()
  ) throws -> Document<Content> {
    if let known = known(path) {
      guard let document = known as? Document<Content> else {
        throw Diagnostic(
          .fileBusy, at: Location(file: path), "it is open with contents of another kind",
          hint: "close it first")
      }
      return document
    }
    let new = Document<Content>(PathStorage.shared(path), configuration, closed)
    entries.append(Entry(document: new))
    return new
  }

  /// The document of a file; nil if this process has none.
  public func document(at path: String) -> (any OpenDocument)? { known(path) }

  /// All documents, in the order in which they were made.
  public var documents: [any OpenDocument] {
    entries.removeAll { $0.document == nil }
    return entries.compactMap(\.document)
  }

  /// Saves replace files, and programs rename them: so the present paths are compared, by what is there now.
  private func known(_ path: String) -> (any OpenDocument)? {
    let identity = (try? Files.status(path))??.state.identity
    let absolute = try? VersionStore.absolute(path)
    return documents.first { document in
      guard let place = document.path else { return false }
      if place == path { return true }
      if let identity { return (try? Files.status(place))??.state.identity == identity }
      return absolute != nil && (try? VersionStore.absolute(place)) == absolute
    }
  }
}
