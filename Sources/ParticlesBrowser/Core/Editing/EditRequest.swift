internal import ParticlesCore
internal import ParticlesDocuments

/// The state of a document that a page has.
struct PageBasis: Sendable {
  /// The window of the page.
  var window = ""
  /// See ``BrowserDocument/opening``; nil if the page does not tell.
  var opening: String?
  /// The revision of the contents that the page has; nil if it has none.
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

/// A request for an edit of an effect; see "Edits" in `Spec/editing.md`.
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
  /// The number and the part of a gesture; nil for an edit of its own.
  var gesture: (tick: Int, phase: Phase)?

  /// The changes of properties; none of other kinds of edits.
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

  /// The characters that a name may have; it is a key of a property or of a text.
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
