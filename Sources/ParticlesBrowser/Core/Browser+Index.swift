internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesIndex

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
    /// Searches that find something, where this one does not.
    var offers: [BrowserListing.Offer] = []
  }

  /// Asks indexes, one question at a time: a database may be locked for seconds.
  private static let indexer = Workbench()

  /// The documents in a folder that the user's index has for a search; nil if it does not have the folder, or cannot be read.
  /// A text without fields is searched in names of effects, emitters and images as well as of files.
  /// Other requests go on meanwhile.
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

  // MARK: Updates

  /// An update of the index for a folder.
  final class IndexUpdate: Sendable {
    /// The searched folder, by whose identity progress is told.
    let id: BrowserItem.ID
    /// Whether the index did not have the folder before.
    let isFirst: Bool
    /// The part that is done, from 0 to 1.
    let fraction = Lock(0.0)

    init(_ id: BrowserItem.ID, isFirst: Bool) { (self.id, self.isFirst) = (id, isFirst) }
  }

  /// The folders of which the index is being updated, by their paths; and when it may be updated again.
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
  /// - Returns: the update that goes on; nil without a folder for the index.
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
