public import ParticlesCore

/// An item in a listing: a document, a folder, or another file.
public struct BrowserItem: Sendable, Hashable {
  /// The identity of an item for as long as the browser runs: a random text of letters and digits. A rename, a move, and
  /// a save that replaces the file keep it.
  public typealias ID = String

  /// The identity.
  public var id: ID
  /// The identity of the folder that it is in; nil for roots.
  public var parent: ID?
  /// The identifier of its provider.
  public var provider: String
  /// The name, as it is stored. It may have any characters but `/`.
  public var name: String
  /// The name to show: without its extension if the configuration demands that, and with escapes for control characters.
  public var displayName: String
  /// The kind.
  public var kind: ProviderEntry.Kind
  /// Whether it is a symbolic link.
  public var isLink = false
  /// The path on this machine; nil if it is elsewhere.
  public var path: String?
  /// The identifier of its type.
  public var type: String
  /// The name of its type for users; nil if it has none.
  public var typeTitle: String?
  /// The name of the format of an effect; nil before the beginning of the file was read, and for others.
  public var format: String?
  /// The size of a file in bytes; nil for others.
  public var size: Int?
  /// When it was changed, in seconds since 1970.
  public var modified: Double?
  /// When it was created, in seconds since 1970.
  public var created: Double?
  /// When it was opened last, in seconds since 1970; nil if it is no recent document.
  public var opened: Double?
  /// The tags, in their order.
  public var tags: [String] = []
  /// Whether it is a favourite.
  public var isFavourite = false
  /// Where its contents are.
  public var state = ProviderEntry.State.local
  /// Whether its contents can be written.
  public var isWritable = true
  /// Whether the configuration allows it to be opened, or it is a folder. Others cannot be selected.
  public var isSelectable = true
  /// Whether it is open in this process.
  public var isOpen = false
  /// Whether it has changes that are not saved.
  public var hasChanges = false
  /// The original path of an item in the trash, and when it was removed, in seconds since 1970.
  public var trashed: (path: String, seconds: Double)? {
    trashedPath.map { ($0, trashedSeconds ?? 0) }
  }
  var trashedPath: String?
  var trashedSeconds: Double?
  /// Why it cannot be opened, or what is wrong with it; nil before it was looked at, and if nothing is.
  public var problem: Diagnostic?

  /// Whether it is a folder that is browsed.
  public var isFolder: Bool { kind == .folder }
}

extension BrowserItem {
  /// The item as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "id": .string(id), "provider": .string(provider), "name": .string(name),
      "displayName": .string(displayName), "kind": .string(kind.rawValue), "type": .string(type),
      "state": .string(state.rawValue), "writable": .bool(isWritable),
      "selectable": .bool(isSelectable),
    ]
    object["parent"] = parent.map(JSONValue.string)
    object["path"] = path.map(JSONValue.string)
    object["typeTitle"] = typeTitle.map(JSONValue.string)
    object["format"] = format.map(JSONValue.string)
    object["size"] = size.map(JSONValue.int)
    object["modified"] = modified.map(JSONValue.double)
    object["created"] = created.map(JSONValue.double)
    object["opened"] = opened.map(JSONValue.double)
    if isLink { object["link"] = .bool(true) }
    if !tags.isEmpty { object["tags"] = .array(tags.map(JSONValue.string)) }
    if isFavourite { object["favourite"] = .bool(true) }
    if isOpen { object["open"] = .bool(true) }
    if hasChanges { object["changes"] = .bool(true) }
    if let trashed {
      object["trashed"] = ["path": .string(trashed.path), "seconds": .double(trashed.seconds)]
    }
    object["problem"] = problem?.json
    return .object(object)
  }
}

/// A place in the side bar: a root of a provider, the recent documents, a favourite folder, or the trash.
public struct BrowserLocation: Sendable, Hashable {
  /// The identity of the recent documents.
  public static let recents = "recents"
  /// The identity of the trash.
  public static let trash = "trash"

  /// The identity: that of an item that is a folder, ``recents`` or ``trash``.
  public var id: BrowserItem.ID
  /// The name to show.
  public var name: String
  /// The kind: that of a root, or `recents`, `trash`, `favourite`.
  public var kind: String
  /// The identifier of its provider; empty for the recent documents.
  public var provider: String
  /// The path on this machine; nil if it has none.
  public var path: String?
  /// Whether items can be created in it.
  public var isWritable: Bool
  /// Why it cannot be used now; nil if it can.
  public var problem: String?

  /// The location as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "id": .string(id), "name": .string(name), "kind": .string(kind),
      "provider": .string(provider), "writable": .bool(isWritable),
    ]
    object["path"] = path.map(JSONValue.string)
    object["problem"] = problem.map(JSONValue.string)
    return .object(object)
  }
}
