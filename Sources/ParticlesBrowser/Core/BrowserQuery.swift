public import ParticlesCore

/// The location, the order and the filters of a listing.
public struct BrowserQuery: Sendable, Hashable {
  /// The orders of items.
  public enum Sort: String, Sendable, CaseIterable {
    /// By name; numbers in names count by their value, and case does not.
    case name
    /// By the time of the last change, the newest first.
    case modified
    /// By the time of creation, the newest first.
    case created
    /// By the time they were opened last, the newest first.
    case opened
    /// By size, the largest first.
    case size
    /// By type, then by name.
    case kind
    /// By the first tag, then by name.
    case tag
  }

  /// The identity of a folder, ``BrowserLocation/recents`` or ``BrowserLocation/trash``.
  public var location: BrowserItem.ID
  /// The order; by name by default.
  public var sort = Sort.name
  /// Whether the order is reversed; false by default.
  public var isReversed = false
  /// Whether folders come first; true by default.
  public var foldersFirst = true
  /// The text that names contain, without regard to case and accents; empty for all.
  public var search = ""
  /// Whether subfolders and the index are searched; false by default. It has an effect with a ``search``.
  public var isRecursive = false
  /// Whether the index is made for a large folder, too; false by default.
  public var makesIndex = false
  /// The identifiers of types of which items are shown, with their subtypes; empty for all. Folders are always shown.
  public var types: [String] = []
  /// The tag of the items that are shown; nil for all.
  public var tag: String?
  /// Whether only favourites are shown; false by default.
  public var favouritesOnly = false
  /// The first item, by its position from 0.
  public var start = 0
  /// The greatest number of items; nil for all.
  public var count: Int?
  /// Whether the beginnings of the files are read, so that formats are known; false by default. At most 400 are.
  public var readsHeads = false

  /// Creates a query for all items of a location.
  public init(_ location: BrowserItem.ID) { self.location = location }
}

extension BrowserQuery {
  /// The query as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "location": .string(location), "sort": .string(sort.rawValue), "reversed": .bool(isReversed),
      "foldersFirst": .bool(foldersFirst), "search": .string(search),
      "recursive": .bool(isRecursive), "index": .bool(makesIndex),
      "types": .array(types.map(JSONValue.string)), "favouritesOnly": .bool(favouritesOnly),
      "start": .int(start), "heads": .bool(readsHeads),
    ]
    object["tag"] = tag.map(JSONValue.string)
    object["count"] = count.map(JSONValue.int)
    return .object(object)
  }

  /// Reads a query. Only `location` must be there.
  /// - Throws: ``ParticlesCore/Rule/type`` or ``ParticlesCore/Rule/range`` for a wrong member.
  public init(json: JSONValue) throws {
    let members = JSONMembers(json)
    try members.check(known: [
      "location", "sort", "reversed", "foldersFirst", "search", "recursive", "types", "tag",
      "favouritesOnly", "start", "count", "heads", "index",
    ])
    guard let location = try members.string("location") else {
      throw Diagnostic(.type, at: .key("location"), expected: "a string", found: "nothing")
    }
    self.init(location)
    sort = try members.choice("sort") ?? .name
    isReversed = try members.bool("reversed") ?? false
    foldersFirst = try members.bool("foldersFirst") ?? true
    search = try members.string("search") ?? ""
    isRecursive = try members.bool("recursive") ?? false
    makesIndex = try members.bool("index") ?? false
    types = try members.strings("types") ?? []
    tag = try members.string("tag")
    favouritesOnly = try members.bool("favouritesOnly") ?? false
    start = try members.int("start") ?? 0
    count = try members.int("count")
    readsHeads = try members.bool("heads") ?? false
    guard start >= 0, count ?? 0 >= 0 else {
      throw Diagnostic(.range, at: .key("start"), expected: "0 or more")
    }
  }
}

/// A part of a location, as a query asked for it.
public struct BrowserListing: Sendable {
  /// The location.
  public var location: BrowserLocation
  /// The folders that it is in, the outermost first, without itself.
  public var ancestors: [BrowserLocation]
  /// The number of all items that the query shows.
  public var total: Int
  /// The number of items before filter and search.
  public var unfiltered: Int
  /// The position of the first of ``items``.
  public var start: Int
  /// The items.
  public var items: [BrowserItem]
  /// A number that grows with each change of the location.
  public var revision: Int
  /// Whether a search ended at a limit: there may be more.
  public var isPartial = false
  /// Folders that could not be listed.
  public var problems: [Diagnostic] = []
  /// The part of the index of this folder that is made, from 0 to 1; nil unless it is being made. Events of the action
  /// `org.particles-format.index` tell of its progress, and of its end: the search may find more then.
  public var indexing: Double?
  /// The job of the events that tell of the index; nil unless it is being made or brought up to date.
  public var indexJob: String?
  /// Whether the index of this folder is only made on request, because the folder is large.
  public var needsIndex = false
  /// How different the items look from the effect of `similar:`, by their identities; 0 is the same.
  public var distances: [BrowserItem.ID: Double] = [:]
  /// Searches that find something, where this one finds nothing.
  public var offers: [Offer] = []

  /// A search that finds something.
  public struct Offer: Sendable, Hashable {
    /// The text of the search.
    public var search: String
    /// The number of documents that it finds.
    public var total: Int
  }

  /// The listing as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "location": location.json, "ancestors": .array(ancestors.map(\.json)), "total": .int(total),
      "unfiltered": .int(unfiltered), "start": .int(start), "items": .array(items.map(\.json)),
      "revision": .int(revision), "partial": .bool(isPartial),
      "problems": .array(problems.map(\.json)),
    ]
    object["indexing"] = indexing.map(JSONValue.double)
    object["indexJob"] = indexJob.map(JSONValue.string)
    if needsIndex { object["needsIndex"] = .bool(true) }
    if !offers.isEmpty {
      object["offers"] = .array(offers.map { .array([.string($0.search), .int($0.total)]) })
    }
    return .object(object)
  }
}
