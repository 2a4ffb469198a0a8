internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesModel
internal import ParticlesRender

/// The state of a document that a page has.
struct PageBasis: Sendable {
  var window = ""
  /// See ``BrowserDocument/opening``. Nil if the request has none.
  var opening: String?
  /// The revision of the contents that the page has, or nil.
  var revision: Int?

  init(_ object: JSONObject) {
    window = object["window"]?.string ?? ""
    (opening, revision) = (object["opening"]?.string, object["revision"]?.int)
  }

  init(_ query: [String: String]) {
    window = query["window"] ?? ""
    (opening, revision) = (query["opening"], query["revision"].flatMap { Int($0) })
  }
}

/// A request for an edit of an effect, see "Edits" in `Spec/editing.md`.
struct EditRequest: Sendable {
  /// The kinds of edits.
  enum Kind: Sendable {
    case changes([EffectChange])
    case structure(JSONObject)
    case undo(Int), redo(Int)
    case fix(code: String, key: String?)
    case restore(Int)
    case image([UInt8], path: String, emitter: String?)
  }

  /// The part of a gesture that a request is.
  enum Phase: String, Sendable { case change, end, cancel }

  var item: BrowserItem.ID
  /// The identity of the edit, or of the gesture.
  var id: String
  /// The name of the edit in menus.
  var name: String
  var page: PageBasis
  var kind: Kind
  /// The number and the part of a gesture. Nil for a single edit.
  var gesture: (tick: Int, phase: Phase)?

  /// The changes of properties. Other kinds of edits have none.
  var changes: [EffectChange] {
    if case .changes(let changes) = kind { changes } else { [] }
  }

  /// The kind in the journal.
  var kindName: String {
    switch kind {
    case .changes: "changes"
    case .structure: "structure"
    case .undo(let count): "undo \(count)"
    case .redo(let count): "redo \(count)"
    case .fix: "fix"
    case .restore: "restore"
    case .image: "image"
    }
  }

  /// Whether the gesture that it is a part of goes on.
  var goesOn: Bool { gesture?.phase == .change }

  /// Reads a request for an edit.
  /// - Throws: ``ParticlesCore/Rule/usage``.
  init(_ object: JSONObject) throws {
    item = try object.text("item")
    id = try Self.identity(object["id"]?.string)
    name = String((object["name"]?.string ?? "Edit").prefix(Self.mostName))
    page = PageBasis(object)
    let count = min(max(1, object["count"]?.int ?? 1), 10_000)
    switch object["kind"]?.string ?? "changes" {
    case "changes": kind = .changes(try object["changes"].map { try EffectChange.list($0) } ?? [])
    case "structure": kind = .structure(object["operation"]?.object ?? [:])
    case "undo": kind = .undo(count)
    case "redo": kind = .redo(count)
    case "fix": kind = .fix(code: try object.text("code"), key: object["key"]?.string)
    case "restore": kind = .restore(object["version"]?.int ?? -1)
    case let other:
      throw Diagnostic(
        .usage, "'kind'", expected: "changes, structure, undo, redo, fix or restore",
        found: "'\(other.excerpt)'")
    }
    guard let gesture = object["gesture"] else {
      if case .changes(let changes) = kind, changes.isEmpty {
        throw Diagnostic(.usage, "'changes'", expected: "at least one change")
      }
      return
    }
    guard case .changes = kind, let tick = gesture.object?["tick"]?.int, tick > 0,
      let phase = (gesture.object?["phase"]?.string).flatMap(Phase.init)
    else {
      throw Diagnostic(
        .usage, "'gesture'", expected: "a tick above 0, and the phase change, end or cancel")
    }
    self.gesture = (tick, phase)
  }

  /// Reads a request that adds an image, with its bytes.
  init(image bytes: [UInt8], _ query: [String: String]) throws {
    guard let item = query["item"], let path = query["path"] else {
      throw Diagnostic(.usage, "the request", expected: "item and path")
    }
    (self.item, name) = (item, "Image")
    id = try Self.identity(query["id"])
    page = PageBasis(query)
    kind = .image(bytes, path: path, emitter: query["emitter"])
  }

  /// The greatest number of characters in a name, which becomes a key of a property or of a text.
  private static let mostName = 200

  /// - Throws: ``ParticlesCore/Rule/usage`` for a text that cannot be an identity.
  private static func identity(_ text: String?) throws -> String {
    guard let text, (16...64).contains(text.utf8.count),
      text.utf8.allSatisfy({
        "-_".utf8.contains($0) || Character(UnicodeScalar($0)).isDigitOrLetter
      })
    else {
      throw Diagnostic(
        .usage, "'id'", expected: "16 to 64 letters, digits, '-' and '_'",
        found: text.map { "'\($0.excerpt)'" } ?? "nothing")
    }
    return text
  }
}

extension Character {
  fileprivate var isDigitOrLetter: Bool { isASCII && (isLetter || isNumber) }
}

extension JSONObject {
  /// A text that a request must have.
  func text(_ key: String) throws -> String {
    guard let text = self[key]?.string else { throw Diagnostic(.usage, "the body", expected: key) }
    return text
  }
}

/// How an edit ended that a page has asked for.
struct EditOutcome: Sendable {
  /// The last part of a gesture that was made or refused. Nil for a single edit.
  var tick: Int?
  /// Whether a gesture has ended.
  var isOver = true
  /// The revision that it led to.
  var revision = 0
  /// The status and the fault of a refusal. Nil if the edit was made.
  var refusal: (status: Int, fault: JSONObject)?

  /// Whether a request repeats an answered request.
  func includes(_ edit: EditRequest) -> Bool {
    guard let tick, let asked = edit.gesture?.tick else { return true }
    return isOver || asked <= tick
  }
}

/// The contents that pages have of a document, by window and revision, so that answers have only changes.
struct PageContents: Sendable {
  /// Contents that a page has: `root` with its own `changes`, applied on request.
  private struct Entry: Sendable {
    var window: String
    var revision: Int
    var root: JSONValue
    var changes: [EffectChange]
  }

  private var entries: [Entry] = []
  /// The number of revisions kept for a window. The last answer may be lost, so it is more than one.
  private static let mostOfWindow = 4
  private static let most = 64
  /// More changes than these are made at once.
  private static let mostChanges = 64

  private func index(_ window: String, _ revision: Int) -> Int? {
    entries.lastIndex { $0.window == window && $0.revision == revision }
  }

  /// The contents that a page has, or nil if they are not known any more.
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

  /// The changes for the journal. Nil if they do not define the result.
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

  /// Adds changes. They replace earlier changes of their keys.
  mutating func add(_ new: [EffectChange]) {
    let keys = Set(new.map(\.key))
    changes.removeAll { keys.contains($0.key) }
    changes += new
  }
}

/// The gestures of an open document, and the contents that its pages have. It serialises edits.
final class EditLedger {
  var pages = PageContents()
  /// The gestures that pages have begun, the oldest first.
  var gestures: [PageGesture] = []
  /// The gesture that the present edit has ended.
  var ended: PageGesture?
  /// More gestures than these belong to closed pages.
  static let mostGestures = 16
  var isBusy = false
  var waiting: [CheckedContinuation<Void, Never>] = []

  func index(of id: String) -> Int? { gestures.firstIndex { $0.id == id } }

  func remove(_ id: String) {
    if let index = index(of: id) { ended = gestures.remove(at: index) }
  }

  /// Lets the next edit be made.
  func endTurn() {
    if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
  }
}

/// The properties of an effect that a format does not hold, and the effect as its program reads it.
struct TargetMarks: Sendable {
  /// A property that the format does not hold, or only in part.
  struct Mark: Sendable, Hashable {
    /// The key, or `emitters[]` for every emitter.
    var key: String
    /// `lost` or `approximated`.
    var level: String
    /// Whether the effect uses it.
    var isUsed: Bool
    var message: String

    var json: JSONValue {
      [
        "key": .string(key), "level": .string(level), "isUsed": .bool(isUsed),
        "message": .string(message),
      ]
    }
  }

  let package: EffectPackage
  let format: ParticleFormat
  private let exported: Exported

  /// Exports the effect in memory.
  init(_ package: EffectPackage, as format: ParticleFormat, name: String) throws {
    self.package = package
    self.format = format
    exported = try package.exported(
      as: format, fileName: name + "." + (format.extensions.first ?? format.name))
  }

  /// The marks from the report of the export, followed by the marks from the capability table.
  var marks: [Mark] {
    var marks: [Mark] = exported.losses.compactMap { loss in
      guard let detail = loss.loss, !detail.path.isEmpty else { return nil }
      let level: String
      switch loss.rule {
      case .lost, .dead: level = "lost"
      case .approximated, .clamped, .assumed, .restated: level = "approximated"
      default: return nil
      }
      return Mark(key: detail.path, level: level, isUsed: true, message: LossLine(loss).text)
    }
    marks += format.missingProperties.map {
      Mark(key: "emitters[].\($0.path)", level: "lost", isUsed: false, message: $0.detail)
    }
    return marks
  }

  /// The effect as the format's program reads it, for the player. It keeps the unit and place of the source, so that
  /// one camera shows both.
  func reread() throws -> [UInt8] {
    let (system, images) = try format.effect(in: exported, beside: package.system())
    return try EffectPackage(system, images: images).forPlayer()
  }

  /// The similarity of each aspect and of the whole, 0 to 1. Null if no particle is emitted.
  func measured() throws -> JSONValue {
    let measured = try ConversionMeasurement(
      of: package, exported: exported, as: format, measuresLines: false)
    guard let difference = measured.difference else { return .null }
    let aspects = EffectDifference.Aspect.allCases.compactMap { aspect in
      difference.aspects[aspect].map { value -> JSONValue in
        ["name": .string(aspect.rawValue), "value": .double(value)]
      }
    }
    return ["whole": .double(difference.whole), "aspects": .array(aspects)]
  }
}
