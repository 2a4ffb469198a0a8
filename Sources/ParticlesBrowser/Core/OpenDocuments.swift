internal import ParticlesCore
internal import ParticlesDocuments

/// An open document of a browser.
struct OpenEntry {
  var document: any OpenDocument
  var kind: BrowserDocument.Kind
  var windows: [String]
  var hasChanges = false
  /// Whether no window shows it because it could not be closed.
  var isInBackground = false
  /// Whether its file is gone.
  var isGone = false
  /// Whether this browser has removed its file.
  var isRemoved = false
  /// How this browser has moved its file to the trash; nil if it has not.
  var trashed: CommandJournal.Step?
  /// The first of its revisions, greater than all that a document of this file had before.
  let base = Int(saturating: WallClock.seconds * 1000)
  /// Identifies the opening: revisions of another one tell nothing.
  let opening = String(UInt64.random(in: 1 << 60...UInt64.max), radix: 36)
  var progress: Double?
  /// The identity of its file, which a save may replace.
  var identity: String?
  /// Listens to its events.
  var task: Task<Void, Never>?
}

/// The open documents of a browser, and the windows that show them. Nothing here calls a document.
struct OpenDocuments {
  private var entries: [BrowserItem.ID: OpenEntry] = [:]

  /// The document of an item; nil if it is not open.
  subscript(id: BrowserItem.ID) -> OpenEntry? {
    get { entries[id] }
    set { entries[id] = newValue }
  }

  /// The items, in a fixed order.
  var items: [BrowserItem.ID] { entries.keys.sorted() }

  /// The documents with their items.
  var all: [(id: BrowserItem.ID, entry: OpenEntry)] {
    entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The item of the document at a path.
  func item(atPath path: String) -> BrowserItem.ID? {
    entries.first { $0.value.document.path == path }?.key
  }

  /// The item of the document with an identity of its file.
  func item(ofFile identity: String) -> BrowserItem.ID? {
    entries.first { $0.value.identity == identity }?.key
  }

  /// Shows a document in one more window.
  /// - Returns: whether it is open.
  mutating func join(_ id: BrowserItem.ID, _ window: String) -> Bool {
    guard entries[id] != nil else { return false }
    entries[id]?.isInBackground = false
    if entries[id]?.windows.contains(window) == false { entries[id]?.windows.append(window) }
    return true
  }

  /// Whether no other window shows a document.
  func isShown(_ id: BrowserItem.ID, onlyIn window: String) -> Bool {
    entries[id]?.windows.allSatisfy { $0 == window } ?? false
  }

  /// A window does not show a document any more.
  mutating func leave(_ id: BrowserItem.ID, _ window: String) {
    entries[id]?.windows.removeAll { $0 == window }
  }

  /// A window does not show a document any more that could not be closed. Without another window it is in the background.
  mutating func putAside(_ id: BrowserItem.ID, from window: String) {
    leave(id, window)
    let isLast = entries[id]?.windows.isEmpty ?? false
    entries[id]?.isInBackground = isLast
  }

  /// Removes a document.
  mutating func remove(_ id: BrowserItem.ID) -> OpenEntry? { entries.removeValue(forKey: id) }
}

extension OpenDocument {
  /// The document as it is now: all of one moment, with a number that tells which of two descriptions is the older one.
  func described(as id: BrowserItem.ID, _ entry: OpenEntry) -> BrowserDocument {
    let states = states
    var words = states.description.split(separator: ",").map { String($0.drop { $0 == " " }) }
    if words == ["open"] { words = [] }
    if states.contains(.deleted), entry.trashed != nil { words.append("trashed") }
    return BrowserDocument(
      id: id, displayName: displayName.escapingControls, path: path ?? "", kind: entry.kind,
      states: words,
      revision: entry.base + revision, windows: entry.windows, undoName: undoName,
      redoName: redoName, progress: entry.progress, clashes: clashes, opening: entry.opening,
      identity: entry.identity, sequence: BrowserDocument.nextSequence())
  }
}
