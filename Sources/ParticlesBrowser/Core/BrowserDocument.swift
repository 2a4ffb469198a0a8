public import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesSystem

/// An open document, as front ends see it.
public struct BrowserDocument: Sendable, Hashable {
  /// The kinds of documents.
  public enum Kind: String, Sendable, CaseIterable {
    /// A package.
    case effect
    /// A file of a foreign format or a plain text, edited as text.
    case text
    /// A document of a type of the application.
    case own
    /// A file that is shown, not edited.
    case other
  }

  /// The identity of the item.
  public var id: BrowserItem.ID
  /// The name to show.
  public var displayName: String
  /// The path on this machine.
  public var path: String
  /// The kind.
  public var kind: Kind
  /// The states, in words, such as `changed` and `read-only`. Empty if the document is open and in order.
  public var states: [String]
  /// A number that grows with each change of the contents.
  public var revision: Int
  /// The windows that show it.
  public var windows: [String]
  /// The names of the next edits to undo and to redo, or nil.
  public var undoName: String?, redoName: String?
  /// The part that was read, from 0 to 1, during opening. Nil otherwise.
  public var progress: Double?
  /// The parts that another program and this program have both changed, by property or path. Nil without a conflict.
  public var clashes: [String]?
  /// Identifies the opening that the revision belongs to. Each opening has a new value. Nil if the document is closed.
  public var opening: String?
  /// The identity of the file, by which it is found after a rename. Nil if there is no file.
  public var identity: String?
  /// A number that grows with each description of a document in this process. Of two descriptions with one ``opening``,
  /// the smaller number is older, also if it arrives later. 0 if the document is closed.
  public var sequence = 0

  /// The change by another program that an event reports. Nil in all other descriptions.
  var outside: JSONValue?

  private static let sequences = Lock(0)

  /// A number greater than those before. It is taken where the document cannot change.
  static func nextSequence() -> Int {
    sequences.withLock { last in
      last += 1
      return last
    }
  }

  /// The document as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "id": .string(id), "displayName": .string(displayName), "path": .string(path),
      "kind": .string(kind.rawValue), "states": .array(states.map(JSONValue.string)),
      "revision": .int(revision), "windows": .array(windows.map(JSONValue.string)),
      "sequence": .int(sequence),
    ]
    object["undo"] = undoName.map(JSONValue.string)
    object["redo"] = redoName.map(JSONValue.string)
    object["progress"] = progress.map(JSONValue.double)
    object["identity"] = identity.map(JSONValue.string)
    object["opening"] = opening.map(JSONValue.string)
    object["outside"] = outside
    object["clashes"] = clashes.map { .array($0.map(JSONValue.string)) }
    return .object(object)
  }
}

/// The contents of an open document.
public struct BrowserContents: Sendable {
  /// The document.
  public var document: BrowserDocument
  /// The text of a text document, or the `document.json` of a package. Nil for other documents.
  public var text: String?
  /// The `document.json` of the effect: from the package, or imported from a file of another format. Nil if there is no
  /// effect.
  public var effect: String?
  /// The files of the effect, by their paths in its package.
  public var files: [String]
}

/// A template for new documents.
public struct BrowserTemplate: Sendable, Hashable {
  /// The name, which ``Browser/create(template:named:in:form:)`` takes.
  public var name: String
  /// A description, one line.
  public var summary: String
  /// The extension of new documents.
  public var pathExtension: String
  /// The path of a user's own template. Nil for a built-in template.
  public var path: String?
  /// Why it cannot be used. Nil if it can.
  public var problem: Diagnostic?

  /// The template as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "name": .string(name), "summary": .string(summary), "extension": .string(pathExtension),
    ]
    object["path"] = path.map(JSONValue.string)
    object["problem"] = problem?.json
    return .object(object)
  }
}

/// The windows of a browser, as they are restored.
public struct BrowserSession: Sendable, Hashable {
  /// A window.
  public struct Window: Sendable, Hashable {
    /// The name, which the front end chooses.
    public var name: String
    /// The query of its listing. Nil selects the first location.
    public var query: BrowserQuery?
    /// The selected items, in the order of selection.
    public var selection: [BrowserItem.ID] = []
    /// The open document, or nil.
    public var document: BrowserItem.ID?
    /// More state of the front end, such as the view and the position.
    public var view: JSONValue = .null

    /// Creates a window.
    public init(name: String) { self.name = name }
  }

  /// The windows, in the order in which they were opened.
  public var windows: [Window] = []
  /// The items that could not be restored, in words: a document that was deleted.
  public var losses: [String] = []
}

/// An open document of a browser.
struct OpenEntry {
  var document: any OpenDocument
  var kind: BrowserDocument.Kind
  var windows: [String]
  var hasChanges = false
  /// Whether no window shows it because it could not be closed.
  var isInBackground = false
  var isGone = false
  /// Whether this browser has removed its file.
  var isRemoved = false
  /// How this browser has moved its file to the trash. Nil if it has not.
  var trashed: CommandJournal.Step?
  /// The first of its revisions, greater than all that a document of this file had before.
  let base = Int(saturating: WallClock.seconds * 1000)
  /// Identifies the opening. Revisions of different openings cannot be compared.
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

  subscript(id: BrowserItem.ID) -> OpenEntry? {
    get { entries[id] }
    set { entries[id] = newValue }
  }

  /// The items, in a fixed order.
  var items: [BrowserItem.ID] { entries.keys.sorted() }

  var all: [(id: BrowserItem.ID, entry: OpenEntry)] {
    entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func item(atPath path: String) -> BrowserItem.ID? {
    entries.first { $0.value.document.path == path }?.key
  }

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

  /// Notes that a window does not show a document any more.
  mutating func leave(_ id: BrowserItem.ID, _ window: String) {
    entries[id]?.windows.removeAll { $0 == window }
  }

  /// Notes that a window left a document that could not be closed. Without another window, it is in the background.
  mutating func putAside(_ id: BrowserItem.ID, from window: String) {
    leave(id, window)
    let isLast = entries[id]?.windows.isEmpty ?? false
    entries[id]?.isInBackground = isLast
  }

  mutating func remove(_ id: BrowserItem.ID) -> OpenEntry? { entries.removeValue(forKey: id) }
}

extension OpenDocument {
  /// The present document, at one moment, with a number that orders descriptions by age.
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
