public import ParticlesCore

/// An open document, as front ends see it.
public struct BrowserDocument: Sendable, Hashable {
  /// The kinds of documents.
  public enum Kind: String, Sendable, CaseIterable {
    /// A package.
    case effect
    /// A file of a foreign format or a plain text, which is edited as text.
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
  /// The states, in words, such as `changed` and `read-only`; empty if it is open and in order.
  public var states: [String]
  /// A number that grows with each change of the contents.
  public var revision: Int
  /// The windows that show it.
  public var windows: [String]
  /// The names of the edits that can be undone and redone next; nil if there is none.
  public var undoName: String?, redoName: String?
  /// The part that was read, from 0 to 1, while it is being opened; nil otherwise.
  public var progress: Double?
  /// The parts that another program and this one have both changed, by property or path; nil without a conflict.
  public var clashes: [String]?
  /// Identifies the opening that the revision belongs to: another one after the document was closed; nil if it is closed.
  public var opening: String?
  /// The identity of the file, by which it is found under another name; nil if there is no file.
  public var identity: String?
  /// A number that grows with each description of a document in this process: of two of one ``opening``, the one with the
  /// smaller number is older, also if it arrives later; 0 if it is closed.
  public var sequence = 0

  /// The change by another program that an event tells; nil in all other descriptions.
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
  /// The text: of a text document, or the `document.json` of a package; nil for others.
  public var text: String?
  /// The `document.json` of the effect: that of a package, or what a file of another format becomes by an import; nil if
  /// there is no effect.
  public var effect: String?
  /// The files of the effect, by their paths in its package.
  public var files: [String]

  /// The contents as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "document": document.json, "files": .array(files.map(JSONValue.string)),
    ]
    object["text"] = text.map(JSONValue.string)
    object["effect"] = effect.map(JSONValue.string)
    return .object(object)
  }
}

/// A template for new documents.
public struct BrowserTemplate: Sendable, Hashable {
  /// The name, which ``Browser/create(template:named:in:form:)`` takes.
  public var name: String
  /// A description, one line.
  public var summary: String
  /// The extension of new documents.
  public var pathExtension: String
  /// The path of an own template; nil for a built-in one.
  public var path: String?
  /// Why it cannot be used; nil if it can.
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
    /// The query of its listing; nil for the first location.
    public var query: BrowserQuery?
    /// The selected items, in the order of selection.
    public var selection: [BrowserItem.ID] = []
    /// The open document; nil for none.
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

  /// The session as JSON.
  public var json: JSONValue {
    [
      "windows": .array(
        windows.map { window in
          var object: JSONObject = [
            "name": .string(window.name),
            "selection": .array(window.selection.map(JSONValue.string)), "view": window.view,
          ]
          object["query"] = window.query?.json
          object["document"] = window.document.map(JSONValue.string)
          return .object(object)
        }), "losses": .array(losses.map(JSONValue.string)),
    ]
  }
}
