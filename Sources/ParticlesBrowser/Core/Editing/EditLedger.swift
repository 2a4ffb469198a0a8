internal import ParticlesCore
internal import ParticlesDocuments

/// How an edit ended that a page has asked for.
struct EditOutcome: Sendable {
  /// The last part of a gesture that was made or refused; nil for an edit of its own.
  var tick: Int?
  /// Whether a gesture has ended.
  var isOver = true
  /// The revision that it led to.
  var revision = 0
  /// The status and the fault of a refusal; nil if it was made.
  var refusal: (status: Int, fault: JSONObject)?

  /// Whether a request is one that has been answered.
  func includes(_ edit: EditRequest) -> Bool {
    guard let tick, let asked = edit.gesture?.tick else { return true }
    return isOver || asked <= tick
  }
}

/// The contents that pages have of a document, by their windows and revisions: an answer tells what a page lacks.
struct PageContents: Sendable {
  /// Contents that are known to a page: `root` with its own `changes`, which are made when they are asked for.
  private struct Entry: Sendable {
    var window: String
    var revision: Int
    var root: JSONValue
    var changes: [EffectChange]
  }

  private var entries: [Entry] = []
  /// The revisions that are kept for a window: more than one, because an answer may be lost.
  private static let mostOfWindow = 4
  private static let most = 64
  /// More changes than these are made at once.
  private static let mostChanges = 64

  private func index(_ window: String, _ revision: Int) -> Int? {
    entries.lastIndex { $0.window == window && $0.revision == revision }
  }

  /// The contents that a page has; nil if they are not known any more.
  func contents(_ page: PageBasis) -> JSONValue? {
    guard let revision = page.revision, let index = index(page.window, revision) else { return nil }
    return DocumentPatch.applied(entries[index].changes, to: entries[index].root)
  }

  /// Notes what a page gets.
  mutating func note(_ window: String, _ revision: Int, _ contents: JSONValue) {
    add(Entry(window: window, revision: revision, root: contents, changes: []))
  }

  /// Notes that a page has made changes of its own.
  /// - Returns: whether the contents that it has made them on are known.
  mutating func note(_ page: PageBasis, makes changes: [EffectChange], at revision: Int) -> Bool {
    guard let named = page.revision, let index = index(page.window, named) else { return false }
    var entry = entries[index]
    let keys = Set(changes.map(\.key))
    entry.changes.removeAll { keys.contains($0.key) }
    entry.changes += changes
    entry.revision = revision
    if entry.changes.count > Self.mostChanges {
      guard let root = DocumentPatch.applied(entry.changes, to: entry.root) else { return false }
      (entry.root, entry.changes) = (root, [])
    }
    add(entry)
    return true
  }

  private mutating func add(_ entry: Entry) {
    entries.removeAll { $0.window == entry.window && $0.revision == entry.revision }
    entries.append(entry)
    let own = entries.indices.filter { entries[$0].window == entry.window }
    if own.count > Self.mostOfWindow, let oldest = own.first { entries.remove(at: oldest) }
    if entries.count > Self.most { entries.removeFirst() }
  }
}

/// A gesture of a page that has not ended.
struct PageGesture: Sendable {
  let id: String
  let window: String
  let gesture: DocumentGesture
  /// The document before the gesture.
  let start: JSONValue
  /// Its last changes, one for each key.
  private(set) var changes: [EffectChange] = []
  /// The checks of the properties whose changes were made once: the next values need no document.
  private var checks: [String: PropertyCheck] = [:]

  init(_ id: String, _ window: String, _ gesture: DocumentGesture, on start: JSONValue) {
    (self.id, self.window, self.gesture, self.start) = (id, window, gesture, start)
  }

  /// Its changes as they were sent; nil if they do not tell where they lead to.
  var sent: JSONValue? {
    var list: [JSONValue] = []
    for change in changes {
      guard case .set(let value) = change.operation, DocumentPatch.steps(change.key) != nil else {
        return nil
      }
      list.append(["key": .string(change.key), "value": value])
    }
    return .array(list)
  }

  /// Notes that changes were made in an effect.
  mutating func learn(_ changes: [EffectChange], from effect: EffectPackage) {
    for change in changes where checks[change.key] == nil {
      checks[change.key] = PropertyCheck(change.key, in: effect)
    }
  }

  /// Checks changes without the document.
  /// - Returns: whether that is enough.
  /// - Throws: the fault of a value.
  func check(_ changes: [EffectChange]) throws -> Bool {
    for change in changes {
      guard case .set(let value) = change.operation, let check = checks[change.key] else {
        return false
      }
      guard try check.check(value) else { return false }
    }
    return true
  }

  mutating func take(_ new: [EffectChange]) {
    let keys = Set(new.map(\.key))
    changes.removeAll { keys.contains($0.key) }
    changes += new
  }
}

/// The gestures of an open document, and the contents that its pages have. Edits are made one after the other.
final class EditLedger {
  var pages = PageContents()
  /// The gestures that pages have begun, the oldest first.
  var gestures: [PageGesture] = []
  /// The gesture that the present edit has ended.
  var ended: PageGesture?
  /// More are those of pages that are gone.
  static let mostGestures = 16
  var isBusy = false
  var waiting: [CheckedContinuation<Void, Never>] = []

  func index(of id: String) -> Int? { gestures.firstIndex { $0.id == id } }

  /// Removes a gesture.
  func remove(_ id: String) {
    if let index = index(of: id) { ended = gestures.remove(at: index) }
  }

  /// Lets the next edit be made.
  func endTurn() {
    if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
  }
}
