public import ParticlesCore
package import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
package import ParticlesIndex
package import ParticlesRender
internal import ParticlesSystem

/// Searches in the index of `particles index`. The browser makes it for folders that are searched, in the background.
extension Browser {
  /// The answer of the index to a search.
  struct Indexed {
    /// The documents in the searched folder, with their distances for `similar:`.
    var matches: [IndexMatch]
    /// Whether the search is a query with fields, which files cannot answer: `alive>500 blend:add`.
    var isQuery: Bool
    /// Whether there are more documents than were asked for.
    var isPartial: Bool
    /// The fault of a search that compares fields, but is no query. It is searched as a text.
    var fault: Diagnostic?
    /// Searches with results, offered for a search without results.
    var offers: [BrowserListing.Offer] = []
  }

  /// Asks indexes, one question at a time: a database may be locked for seconds.
  private static let indexer = BackgroundWork()

  /// Searches a folder in the user's index. Returns nil if the index lacks the folder or cannot be read. A text without
  /// fields is searched in names of effects, emitters, images and files. Other requests go on meanwhile.
  nonisolated func indexed(_ search: String, in folder: String, most: Int) async -> Indexed? {
    let directories = environment.directories
    return
      (try? await Self.indexer.run {
        Self.answer(search, in: folder, most: most, directories)
      }) ?? nil
  }

  private static func answer(
    _ search: String, in folder: String, most: Int, _ directories: BaseDirectories
  ) -> Indexed? {
    guard let file = EffectIndex.standardPath(directories),
      (try? Files.status(file)) ?? nil != nil, let index = try? EffectIndex(file),
      let place = try? Files.resolve(folder), (try? index.covers(place)) == true
    else { return nil }
    let vocabulary = QueryVocabulary(keys: { StatedProperties.keys })
    func find(_ query: IndexQuery, _ most: Int) -> (matches: [IndexMatch], total: Int)? {
      try? index.find(query, in: [place], limit: most) { path in
        let path = try Files.resolve(path.hasPrefix("/") ? path : Files.joined(place, path))
        // Nothing outside of the folder is opened.
        return try PathKey(path).isInside(place)
          ? index.look(of: path) : index.vector(at: path) ?? []
      }
    }
    let (asked, fault) = IndexQuery.reading(search, vocabulary)
    let isQuery = asked?.hasFields ?? false
    let query = isQuery ? asked ?? IndexQuery(text: search) : IndexQuery(text: search)
    guard let found = find(query, most) else { return nil }
    let start = Files.joined(place, "").utf8.count
    let matches = found.matches.map { match in
      var match = match
      match.path = Files.joined(
        folder, String(decoding: match.path.utf8.dropFirst(start), as: UTF8.self))
      return match
    }
    var answer = Indexed(
      matches: matches, isQuery: isQuery, isPartial: found.total > matches.count, fault: fault)
    if matches.isEmpty {
      for words in SearchOffers.terms(of: search) {
        guard let query = IndexQuery.reading(words, vocabulary).query,
          let total = find(query, 0)?.total, total > 0
        else { continue }
        answer.offers.append(BrowserListing.Offer(search: words, total: total))
      }
    }
    return answer
  }

  /// An update of the index for a folder.
  final class IndexUpdate: Sendable {
    /// The searched folder, whose identity is in events of progress.
    let id: BrowserItem.ID
    /// Whether the index did not have the folder before.
    let isFirst: Bool
    /// The part that is done, from 0 to 1.
    let fraction = Lock(0.0)

    init(_ id: BrowserItem.ID, isFirst: Bool) { (self.id, self.isFirst) = (id, isFirst) }
  }

  /// The folders whose index is being updated, by path, and the times of the next updates.
  struct IndexUpdates {
    var running: [String: IndexUpdate] = [:]
    var waits: [String: Double] = [:]
    var faults: [String: Diagnostic] = [:]
    var last: Task<Void, Never>?

    /// The update that a folder is part of.
    func update(of path: String) -> IndexUpdate? {
      let key = PathKey(path)
      return running.first { key == PathKey($0.key) || key.isInside($0.key) }?.value
    }
  }

  /// The name of updates in events of progress.
  static let indexAction = "org.particles-format.index"
  /// Seconds until a folder is looked through again, at least. Updates take at most a twentieth of the time.
  private static let (pause, share) = (10.0, 20.0)

  /// Brings the index of a folder up to date in the background: at once, or a moment after the last time.
  /// - Parameters:
  ///   - id: the folder.
  ///   - path: its path.
  ///   - isFirst: whether the index does not have it yet.
  /// - Returns: the running update, or nil without a folder for the index.
  func updateIndex(
    of id: BrowserItem.ID, at path: String, isFirst: Bool
  ) -> IndexUpdate? {
    if let running = indexUpdates.update(of: path) { return running }
    guard let file = EffectIndex.standardPath(environment.directories) else { return nil }
    let wait = max(0, (indexUpdates.waits[path] ?? 0) - MonotonicClock.seconds)
    let update = IndexUpdate(id, isFirst: isFirst)
    let (bench, previous) = (workbench, indexUpdates.last)
    indexUpdates.running[path] = update
    indexUpdates.last = Task { [weak self, hub] in
      if wait > 0 { try? await Task.sleep(for: .seconds(wait)) }
      await previous?.value
      let start = MonotonicClock.seconds
      let result: Result<IndexChanges, any Error>
      do {
        let changes = try await bench.run {
          try Self.bringUpToDate(path, file) { part in
            update.fraction.withLock { $0 = part }
            guard isFirst, part < 1 else { return }
            hub.send(.progress(action: Self.indexAction, job: id, part))
          }
        }
        result = .success(changes)
      } catch { result = .failure(error) }
      await self?.ended(update, of: path, result, MonotonicClock.seconds - start)
    }
    return update
  }

  private func ended(
    _ update: IndexUpdate, of path: String, _ result: Result<IndexChanges, any Error>,
    _ seconds: Double
  ) {
    indexUpdates.running[path] = nil
    indexUpdates.waits[path] = MonotonicClock.seconds + max(Self.pause, Self.share * seconds)
    var isOther = update.isFirst
    switch result {
    case .success(let changes):
      indexUpdates.faults[path] = nil
      isOther = isOther || changes.read + changes.moved + changes.removed > 0
    case .failure(let error): indexUpdates.faults[path] = Self.diagnostic(error)
    }
    // Pages search again.
    if isOther { hub.send(.progress(action: Self.indexAction, job: update.id, 1)) }
  }

  private static func bringUpToDate(
    _ folder: String, _ file: String, _ progress: (Double) -> Void
  ) throws -> IndexChanges {
    let index = try EffectIndex(file, writing: true)
    let found = try IndexedFolders([Files.resolve(folder)], in: index)
    var (total, done, last) = (0, 0, 0)
    return try found.update(
      index, willRead: { total = $0 },
      didRead: { _ in
        done += 1
        let percent = 100 * done / max(1, total)
        guard percent > last else { return }
        last = percent
        progress(Double(percent) / 100)
      })
  }
}

/// The documents of some folders, as they are found for an update of an index.
package struct IndexedFolders: Sendable {
  /// The documents and other files.
  package let set: DocumentSet
  /// The number of documents that can be read.
  package var count: Int { paths.count }
  /// The folders that cannot be listed. Documents in them keep their rows.
  package private(set) var unlisted: [String] = []

  private let folders: [String]
  private let old: IndexSnapshot
  private var paths: [String] = []

  /// Finds the documents.
  /// - Parameters:
  ///   - folders: absolute paths without links, each once.
  ///   - index: the index that is updated.
  ///   - filter: the files to leave out.
  /// - Throws: errors of the database and of the file system.
  package init(
    _ folders: [String], in index: EffectIndex, filter: DocumentSet.Filter = DocumentSet.Filter()
  ) throws {
    self.folders = folders
    // The roots cover the folders inside them.
    let roots = folders.filter { folder in
      !folders.contains { PathKey(folder).isInside($0) }
    }
    let old = try index.snapshot(of: roots)
    self.old = old
    set = DocumentSet(
      roots, isRecursive: true, filter: filter, known: { old.isDocument($0) })
    for document in set.documents {
      // A folder that cannot be listed is a document that cannot be opened, and none for an index.
      if try DocumentSet.isPlainFolder(document.path) {
        unlisted.append(document.path)
      } else {
        paths.append(document.path)
      }
    }
  }

  /// Reads the documents that have changed, and brings the index up to date.
  /// - Parameters:
  ///   - willRead: called once with the number of documents that will be read.
  ///   - didRead: called after each document with its path.
  /// - Throws: errors of the database. Batches that were written stay.
  package func update(
    _ index: EffectIndex, willRead: (Int) -> Void, didRead: (String) -> Void
  ) throws -> IndexChanges {
    let documents = Dictionary(
      set.documents.map { (PathKey($0.path), $0) }, uniquingKeysWith: { first, _ in first })
    var validator = Validator()
    validator.batch = ValidationBatch()
    return try index.update(
      IndexedFiles(
        folders: folders, documents: paths, others: set.unknown, unlisted: unlisted), since: old,
      willRead: willRead,
      read: { [validator] path in
        documents[PathKey(path)].flatMap { IndexedDocument($0, validator) }
      }, didRead: didRead)
  }
}

extension IndexedDocument {
  /// Reads a document.
  /// - Returns: nil if a file that was found in a folder is no document.
  fileprivate init?(_ document: DocumentSet.Document, _ validator: Validator) {
    guard let facts = DocumentFacts(document, validator) else { return nil }
    self.init()
    (format, name, digest) = (facts.format, facts.name, facts.digest)
    (numbers, words) = (facts.numbers, facts.words)
    (emitters, textures, problems) = (facts.emitters, facts.textures, facts.problems)
    look = { facts.look().map(IndexedLook.init) }
  }
}

extension EffectIndex {
  /// The look vector of an effect, from the index. If the file has changed since, or changed just before indexing, the
  /// effect is run.
  /// - Throws: errors of reading the file.
  package func look(of path: String) throws -> [Float] {
    if try Files.status(path) != nil, let known = try vector(at: Files.resolve(path)) {
      return known
    }
    return try locating(Location(file: path)) {
      let system = try OpenedEffect(path: path).package.system()
      return try IndexedLook(SimilarityVector(running: system)).vector
    }
  }
}

extension IndexedLook {
  /// Creates the look that an index keeps from the look of a running effect.
  package init(_ look: SimilarityVector) {
    self.init(emitted: look.emitted, vector: look.numbers.map { Float($0) })
  }
}

/// The location, the order and the filters of a listing.
public struct BrowserQuery: Sendable, Hashable {
  /// The orders of items.
  public enum Sort: String, Sendable, CaseIterable {
    /// By name. Numbers in names count by their value, and case does not.
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
  /// The order. Default: by name.
  public var sort = Sort.name
  /// Whether the order is reversed. Default: false.
  public var isReversed = false
  /// Whether folders come first. Default: true.
  public var foldersFirst = true
  /// The text that names contain, without regard to case and accents. Empty for all.
  public var search = ""
  /// Whether subfolders and the index are searched. Default: false. It has an effect with a ``search``.
  public var isRecursive = false
  /// Whether the index is made for a large folder, too. Default: false.
  public var makesIndex = false
  /// The identifiers of the types to show, which include their subtypes. Empty for all. Folders are always shown.
  public var types: [String] = []
  /// The tag of the items to show. Nil for all.
  public var tag: String?
  /// Whether only favourites are shown. Default: false.
  public var favouritesOnly = false
  /// The first item, by its position from 0.
  public var start = 0
  /// The greatest number of items. Nil for all.
  public var count: Int?
  /// Whether the beginnings of at most 400 files are read, so that formats are known. Default: false.
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
  /// The finished part of this folder's index, from 0 to 1. Nil unless the index is being made. Events of the action
  /// `org.particles-format.index` report its progress and its end. The search may find more then.
  public var indexing: Double?
  /// The job in events about the index. Nil unless the index is being made or brought up to date.
  public var indexJob: String?
  /// Whether the index of this folder is only made on request, because the folder is large.
  public var needsIndex = false
  /// How different the items look from the effect of `similar:`, by their identities. 0 is an identical look.
  public var distances: [BrowserItem.ID: Double] = [:]
  /// Searches with results, offered for a search without results.
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

/// Searches that may find something after a search without results.
struct SearchOffers {
  /// The greatest number of offers.
  static let most = 4
  /// The words of the names that were seen, without regard to case and accents, with the number of names.
  private var words: [String: Int] = [:]
  /// The names that are looked at.
  private static let mostNames = 20_000
  private var count = 0

  /// Notes the name of a file or folder.
  mutating func note(_ plainName: String) {
    count += 1
    guard count <= Self.mostNames else { return }
    for word in Set(Self.words(of: Files.stem(of: plainName))) { words[word, default: 0] += 1 }
  }

  private static func words(of name: String) -> [String] {
    name.split { !$0.isLetter }.filter { $0.count > 2 }.map(String.init)
  }

  /// Searches for one of several words, or for a word of a name that is spelled almost alike.
  func offers(for search: String) -> [BrowserListing.Offer] {
    let wanted = NaturalOrder.plain(search)
    let parts = Self.words(of: wanted)
    var found: [BrowserListing.Offer] = []
    for part in parts {
      let total = words.filter { $0.key.contains(part) }.values.reduce(0, +)
      if total > 0, part != wanted {
        found.append(BrowserListing.Offer(search: part, total: total))
      }
    }
    guard found.isEmpty, let word = parts.first, parts.count == 1 else { return found }
    let most = word.count < 6 ? 1 : 2
    let near = words.compactMap { name, total -> (distance: Int, offer: BrowserListing.Offer)? in
      guard abs(name.count - word.count) <= most else { return nil }
      let distance = Self.distance(Array(word), Array(name))
      return distance <= most ? (distance, BrowserListing.Offer(search: name, total: total)) : nil
    }
    return near.sorted {
      ($0.distance, -$0.offer.total, $0.offer.search)
        < ($1.distance, -$1.offer.total, $1.offer.search)
    }.map(\.offer)
  }

  /// How many letters are missing, added, others, or in the place of their neighbours.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [Array(0...b.count)]
    for (i, letter) in a.enumerated() {
      var row = [i + 1]
      for (j, other) in b.enumerated() {
        var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (letter == other ? 0 : 1))
        if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }

  /// Searches for parts of a query: each term alone, and the formats that begin like a word.
  static func terms(of search: String) -> [String] {
    let parts = search.split(separator: " ").map(String.init).filter {
      !["and", "or", "not"].contains($0.lowercased())
    }
    let terms = parts.map { part in
      String(part.drop { "(-".contains($0) }.prefix { $0 != ")" })
    }
    var found: [String] = []
    if terms.count > 1 {
      found = terms.filter { !$0.isEmpty }
    } else if let word = terms.first {
      let value = NaturalOrder.plain(
        word.hasPrefix("format:") ? String(word.dropFirst(7)) : word)
      let names = FormatRegistry.standard.formats.map(\.name) + ["particles"]
      if value.count > 2 {
        found = names.filter { $0.hasPrefix(value) || value.hasPrefix($0) }.map { "format:\($0)" }
      }
      found.removeAll { $0 == search }
    }
    var seen: Set<String> = []
    return Array(found.filter { seen.insert($0).inserted }.prefix(8))
  }
}

/// Tags and favourites.
extension Browser {
  /// Sets the tags of items. Can be undone.
  public func setTags(_ tags: [String], of ids: [BrowserItem.ID]) async -> BrowserOutcome {
    await begin()
    defer { end() }
    var results: [BrowserResult] = []
    var notes: [CommandJournal.Step] = []
    for id in ids {
      var result = BrowserResult(
        source: id, name: table[id]?.name.escapingControls ?? id, status: .done)
      do {
        guard let record = table[id] else { throw Self.gone(id) }
        if configuration.isReadOnly { throw Self.readOnly(record.path) }
        guard provider(record.provider) is FolderProvider else {
          throw Diagnostic(
            .fileUnwritable, at: Location(file: record.path), "its provider has no tags")
        }
        let old = FileTags.read(record.path)
        try FileTags.write(tags, to: record.path)
        notes.append(.tagged(provider: record.provider, path: record.path, from: old, to: tags))
        result.item = try await item(id)
        if let parent = record.parent { tell([result.item].compactMap(\.self), in: parent) }
      } catch {
        (result.status, result.diagnostic) = (.failed, Self.diagnostic(error))
      }
      results.append(result)
    }
    journal.add("Set Tags", notes)
    tellUndo()
    return BrowserOutcome(results, undoName: notes.isEmpty ? nil : "Set Tags")
  }

  /// Makes items favourites, or ends that.
  public func setFavourite(_ isFavourite: Bool, _ ids: [BrowserItem.ID]) async throws {
    for id in ids {
      guard let record = table[id] else { throw Self.gone(id) }
      favourites.removeAll { $0.provider == record.provider && $0.path == record.path }
      if isFavourite { favourites.append(reference(record)) }
    }
    try storeSettings()
    hub.send(.locations)
    for id in ids {
      guard let item = try? await item(id), let parent = item.parent else { continue }
      tell([item], in: parent)
    }
  }

  /// Sends an event about items whose display has changed, though the folder's entries have not.
  func tell(_ items: [BrowserItem], in folder: BrowserItem.ID) {
    guard var state = folders[folder], !items.isEmpty else { return }
    state.revision += 1
    state.forgetOrder()
    folders[folder] = state
    hub.send(.items(location: folder, changed: items, removed: [], revision: state.revision))
  }
}

/// The tags of files: the extended attribute that KDE and others use, names separated by commas.
enum FileTags {
  static let attribute = "user.xdg.tags"

  static func read(_ path: String) -> [String] {
    guard let bytes = Files.attribute(attribute, of: path) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: ",").map {
      String($0.drop { $0 == " " })
    }.filter { !$0.isEmpty }
  }

  /// - Throws: ``ParticlesCore/Rule/name`` for a tag with a comma, and errors of writing.
  static func write(_ tags: [String], to path: String) throws {
    for tag in tags
    where tag.isEmpty || tag.contains(",") || tag.unicodeScalars.contains(where: \.isControl) {
      throw Diagnostic(
        .name, "the tag '\(tag)'", expected: "a text without commas", hint: "choose another tag")
    }
    try Files.setAttribute(attribute, of: path, to: Array(tags.joined(separator: ",").utf8))
  }
}
