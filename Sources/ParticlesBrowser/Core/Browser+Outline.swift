public import ParticlesContainer
public import ParticlesCore

extension Browser {
  private var later: Diagnostic { Diagnostic(.fileNotFound, "not there yet") }

  // MARK: Locations and listings

  /// The locations of the side bar: recent documents, the roots of the providers, favourite folders, the trash.
  public func locations() async -> [BrowserLocation] { [] }

  /// Lists a location. It is watched from then on: changes are events. The last 32 locations that were listed are.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` for an unknown location; errors of reading.
  public func list(_ query: BrowserQuery) async throws -> BrowserListing { throw later }

  /// The present state of an item.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` for an unknown item, or one that is gone.
  public func item(_ id: BrowserItem.ID) async throws -> BrowserItem { throw later }

  /// The item at a path of this machine; nil if it is in no location.
  public func item(atPath path: String) async throws -> BrowserItem? { throw later }

  /// The path of the file or folder on this machine with the contents of an item, which are fetched if they are elsewhere.
  public func localFile(of id: BrowserItem.ID) async throws -> String { throw later }

  /// Opens documents and says what is wrong with them. Called for visible rows, after a pause.
  /// - Returns: the items with their problems and formats.
  public func inspect(_ ids: [BrowserItem.ID]) async -> [BrowserItem] { [] }

  /// The thumbnail of a document as PNG, from the cache of the desktop; it is drawn, and kept there, if it is missing or of
  /// another state of the document.
  /// - Parameter size: 128, 256, 512 or 1024 pixels.
  /// - Throws: the error that makes the document unreadable, or ``ParticlesCore/Rule/limit`` if drawing takes longer than
  ///   2 s or more than 256 MB.
  public func thumbnail(of id: BrowserItem.ID, size: Int) async throws -> [UInt8] { throw later }

  /// What is known of an item: path, type, conformances, size, dates, tags, versions, programs that open it.
  public func information(about id: BrowserItem.ID) async throws -> JSONValue { throw later }

  /// What happens, from now on. Each call returns a stream of its own, which holds the newest 1,024 events.
  public nonisolated func events() -> AsyncStream<BrowserEvent> { AsyncStream { $0.finish() } }

  // MARK: Windows and the session

  /// Opens a window, or returns the one of this name.
  public func window(_ name: String) -> BrowserSession.Window { BrowserSession.Window(name: name) }

  /// Notes what a window shows. Selected items that cannot be selected are left out; without
  /// ``BrowserConfiguration/allowsMultiple``, the last one stays.
  /// - Returns: the window as it is now.
  public func update(_ window: BrowserSession.Window) async -> BrowserSession.Window { window }

  /// Selects items of a window, in this order.
  /// - Returns: the selection as it is now.
  @discardableResult
  public func select(_ ids: [BrowserItem.ID], in window: String) async -> [BrowserItem.ID] { [] }

  /// Forgets a window, and closes its document.
  public func closeWindow(_ name: String) async throws {}

  /// The session as it is now.
  public var session: BrowserSession { BrowserSession() }

  /// Restores the windows of the last session. Items that were renamed are found; what is gone is in
  /// ``BrowserSession/losses``.
  @discardableResult
  public func restoreSession() async -> BrowserSession { BrowserSession() }

  /// Stores the session. It is also stored half a second after each change.
  public func saveSession() async throws {}

  // MARK: Operations

  /// What an operation would do, without doing it.
  public func plan(_ operation: BrowserOperation) async -> BrowserOutcome { BrowserOutcome([]) }

  /// Does an operation. It is planned whole first; each item has a result, and one that fails leaves the others alone.
  public func perform(_ operation: BrowserOperation) async -> BrowserOutcome { BrowserOutcome([]) }

  /// The templates for new documents.
  public func templates() async -> [BrowserTemplate] { [] }

  /// Creates a document from a template: in a temporary place, from which it is moved when it is complete.
  /// - Parameters:
  ///   - template: the name of a template; `text` for an empty text.
  ///   - name: the name of the file; nil for one that is free. A number is added to one that is in use.
  ///   - folder: the location.
  ///   - form: the form of a package.
  /// - Throws: ``ParticlesCore/Rule/fileReadOnly`` and others of the family `file`. Nothing is left then.
  public func create(
    template: String, named name: String? = nil, in folder: BrowserItem.ID,
    form: Container.Form = .flat
  ) async throws -> BrowserItem { throw later }

  /// Adds a file with these contents to a folder, as dropped or pasted. A number is added to a name that is in use.
  public func add(
    _ bytes: [UInt8], named name: String, to folder: BrowserItem.ID
  ) async throws -> BrowserItem { throw later }

  /// The name of the operation that can be undone next; nil if there is none.
  public var undoName: String? { nil }

  /// The name of the operation that can be redone next; nil if there is none.
  public var redoName: String? { nil }

  /// Takes the last operation back. An item that was changed since is left alone, with the reason.
  @discardableResult
  public func undo() async -> BrowserOutcome { BrowserOutcome([]) }

  /// Does the last operation that was taken back again.
  @discardableResult
  public func redo() async -> BrowserOutcome { BrowserOutcome([]) }

  /// Sets the tags of items. Can be undone.
  public func setTags(_ tags: [String], of ids: [BrowserItem.ID]) async -> BrowserOutcome {
    BrowserOutcome([])
  }

  /// Makes items favourites, or ends that.
  public func setFavourite(_ isFavourite: Bool, _ ids: [BrowserItem.ID]) async throws {}

  /// Forgets recent documents; all if `ids` is nil. The documents stay.
  public func forgetRecents(_ ids: [BrowserItem.ID]? = nil) async throws {}

  // MARK: Actions, revealing and picking

  /// The actions for some items, those of the built-in ones first.
  public func offers(for ids: [BrowserItem.ID]) async -> [BrowserOffer] { [] }

  /// Runs an action on items. Cancelling the task cancels it.
  /// - Parameters:
  ///   - identifier: the identifier of the action.
  ///   - ids: the items.
  ///   - options: its options, an object.
  ///   - job: a name for the events of progress.
  /// - Throws: ``ParticlesCore/Rule/range`` for an action that is not offered or not enabled; its errors.
  public func run(
    _ identifier: String, on ids: [BrowserItem.ID], options: JSONValue = [:], job: String = ""
  ) async throws -> BrowserActionOutcome { throw later }

  /// Shows a file: that in a location, or a copy of one elsewhere. A `file:` URL is a path.
  /// - Parameters:
  ///   - path: the path on this machine, or a `file:` URL.
  ///   - folder: the location that a file that is elsewhere is copied into; nil to add its folder as a location instead.
  /// - Throws: ``ParticlesCore/Rule/range`` for another URL; errors of importing.
  public func reveal(
    _ path: String, importingInto folder: BrowserItem.ID? = nil
  ) async throws -> BrowserItem { throw later }

  /// Ends picking with these items, in the order of the selection.
  /// - Returns: their paths.
  /// - Throws: ``ParticlesCore/Rule/range`` for an item that cannot be picked.
  @discardableResult
  public func pick(_ ids: [BrowserItem.ID]) async throws -> [String] { [] }

  /// Ends picking without a document.
  public func cancelPicking() {}

  // MARK: Settings

  /// The settings of the user: an object.
  public var settings: JSONValue { [:] }

  /// Sets a setting; null removes it. Stored at once, and told to all front ends.
  public func set(_ name: String, to value: JSONValue) async throws {}

  // MARK: Documents

  /// Opens a document in a window, whose other document is closed first. Two windows have the same document.
  /// - Throws: the error that makes it unreadable. The window shows no document then.
  public func open(_ id: BrowserItem.ID, in window: String) async throws -> BrowserDocument {
    throw later
  }

  /// Closes the document of a window. If no other window shows it, it is saved and closed.
  /// - Parameter isDiscarding: whether unsaved changes are dropped.
  /// - Throws: the error of saving; the document stays open then.
  public func closeDocument(in window: String, discarding isDiscarding: Bool = false) async throws {
  }

  /// Saves and closes all documents, and stores the session: the end of the program.
  /// - Returns: the errors of documents that could not be saved; their contents are in the recovery journal.
  public func close() async -> [Diagnostic] { [] }

  /// The open documents.
  public func documents() async -> [BrowserDocument] { [] }

  /// The contents of an open document.
  public func contents(of id: BrowserItem.ID) async throws -> BrowserContents { throw later }

  /// The bytes of a file in an open effect, such as an image.
  public func file(_ path: String, of id: BrowserItem.ID) async throws -> [UInt8] { throw later }

  /// Replaces the text of an open text document, as an edit.
  /// - Parameter revision: the revision that the text was made from. If the document has another one, the texts are merged.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if both have changed the same lines.
  public func setText(
    _ text: String, of id: BrowserItem.ID, from revision: Int
  ) async throws -> BrowserContents { throw later }

  /// Saves an open document.
  public func save(_ id: BrowserItem.ID) async throws -> BrowserDocument { throw later }

  /// Undoes, or redoes, an edit of an open document.
  public func undoEdit(
    of id: BrowserItem.ID, redo isRedo: Bool = false
  ) async throws -> BrowserDocument { throw later }
}
