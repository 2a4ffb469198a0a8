public import ParticlesCore

/// The result of one item of an operation.
public struct BrowserResult: Sendable {
  /// The kinds of results.
  public enum Status: String, Sendable, CaseIterable {
    /// It was done; in a plan, it can be done.
    case done
    /// It was not done, for the reason in ``BrowserResult/diagnostic``. Nothing has changed.
    case failed
    /// There was nothing to do.
    case skipped
    /// It was copied, and the original could not be removed.
    case copiedOnly
  }

  /// The item, or the path of a file from outside.
  public var source: String
  /// The name of the source to show.
  public var name: String
  /// The kind of result.
  public var status: Status
  /// The item after the operation: the new one, or the changed one; nil if there is none.
  public var item: BrowserItem?
  /// The path that the operation makes, in a plan.
  public var target: String?
  /// Why it was not done, or a warning.
  public var diagnostic: Diagnostic?

  /// Creates a result.
  public init(
    source: String, name: String, status: Status, item: BrowserItem? = nil, target: String? = nil,
    diagnostic: Diagnostic? = nil
  ) {
    (self.source, self.name, self.status) = (source, name, status)
    (self.item, self.target, self.diagnostic) = (item, target, diagnostic)
  }

  /// The result as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "source": .string(source), "name": .string(name), "status": .string(status.rawValue),
    ]
    object["item"] = item?.json
    object["target"] = target.map(JSONValue.string)
    object["diagnostic"] = diagnostic?.json
    return .object(object)
  }
}

/// The results of an operation.
public struct BrowserOutcome: Sendable {
  /// One for each item, in the order given.
  public var results: [BrowserResult]
  /// The name of the operation that ``Browser/undo()`` takes back, such as `Rename`; nil if there is nothing to take back.
  public var undoName: String?

  /// Creates an outcome.
  public init(_ results: [BrowserResult], undoName: String? = nil) {
    (self.results, self.undoName) = (results, undoName)
  }

  /// The items that there are after the operation.
  public var items: [BrowserItem] { results.compactMap(\.item) }

  /// Whether all was done.
  public var isComplete: Bool { results.allSatisfy { $0.status == .done || $0.status == .skipped } }

  /// The outcome as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "results": .array(results.map(\.json)), "complete": .bool(isComplete),
    ]
    object["undo"] = undoName.map(JSONValue.string)
    return .object(object)
  }
}

/// An operation on items, as a value: it can be planned before it is done.
public enum BrowserOperation: Sendable, Hashable {
  /// Gives an item another name. An extension that is missing is kept.
  case rename(BrowserItem.ID, to: String)
  /// Gives items other names, as ``rename(_:to:)`` does. Names that become free are given to others. A circle of names is
  /// refused.
  case renameAll([Renaming])
  /// Copies items beside themselves, `fire copy.particles`.
  case duplicate([BrowserItem.ID])
  /// Moves items to a folder.
  case move([BrowserItem.ID], to: BrowserItem.ID)
  /// Copies items to a folder.
  case copy([BrowserItem.ID], to: BrowserItem.ID)
  /// Moves items to the trash.
  case trash([BrowserItem.ID])
  /// Moves items from the trash to where they were, or to a folder.
  case restore([BrowserItem.ID], to: BrowserItem.ID?)
  /// Deletes items for good. It cannot be undone.
  case delete([BrowserItem.ID])
  /// Deletes everything in the trash for good. It cannot be undone.
  case emptyTrash
  /// Adds files of this machine to a folder.
  case importFiles([String], into: BrowserItem.ID, ImportMode)
  /// Creates a folder.
  case createFolder(String, in: BrowserItem.ID)

  /// An item and its new name.
  public struct Renaming: Sendable, Hashable {
    /// The item.
    public var item: BrowserItem.ID
    /// The new name. An extension that is missing is kept.
    public var name: String

    /// Creates a renaming.
    public init(_ item: BrowserItem.ID, to name: String) { (self.item, self.name) = (item, name) }
  }

  /// The treatment of the file that is imported.
  public enum ImportMode: String, Sendable, CaseIterable {
    /// It is copied.
    case copy
    /// It is moved.
    case move
    /// Nothing: the import was cancelled.
    case none
  }

  /// The name in menus.
  public var name: String {
    switch self {
    case .rename, .renameAll: "Rename"
    case .duplicate: "Duplicate"
    case .move: "Move"
    case .copy: "Copy"
    case .trash: "Move to Trash"
    case .restore: "Restore"
    case .delete: "Delete"
    case .emptyTrash: "Empty Trash"
    case .importFiles: "Import"
    case .createFolder: "New Folder"
    }
  }

  /// Whether it can be taken back.
  public var canBeUndone: Bool {
    switch self {
    case .delete, .emptyTrash: false
    default: true
    }
  }
}
