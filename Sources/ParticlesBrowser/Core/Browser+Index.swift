internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesIndex

/// Searches in the index that `particles index` makes.
extension Browser {
  /// The answer of the index to a search.
  struct Indexed {
    /// The paths of documents in the searched folder.
    var paths: [String]
    /// Whether the search is a query with fields, which files cannot answer: `alive>500 blend:add`.
    var isQuery: Bool
    /// Whether there are more documents than were asked for.
    var isPartial: Bool
    /// The fault of a search that compares fields, but is no query. It is searched as a text.
    var fault: Diagnostic?
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
    let (asked, fault) = IndexQuery.reading(search, vocabulary)
    let isQuery = asked?.hasFields ?? false
    let query = isQuery ? asked ?? IndexQuery(text: search) : IndexQuery(text: search)
    let found = try? index.find(query, in: [place], limit: most) { path in
      try index.vector(at: path.hasPrefix("/") ? path : Files.joined(place, path)) ?? []
    }
    guard let found else { return nil }
    let start = Files.joined(place, "").utf8.count
    return Indexed(
      paths: found.matches.map {
        Files.joined(folder, String(decoding: $0.path.utf8.dropFirst(start), as: UTF8.self))
      }, isQuery: isQuery, isPartial: found.total > found.matches.count, fault: fault)
  }
}
