internal import ParticlesCore
public import ParticlesDocuments

/// A browser of documents without a screen: locations, listings, selection, operations that can be undone, actions, open
/// documents and the session. Front ends show it and call it; all of them see the same.
///
///     let browser = try Browser(providers: [FolderProvider(["effects"])])
///     let folder = await browser.locations()[1]
///     let listing = try await browser.list(BrowserQuery(folder.id))
///     for item in listing.items { print(item.displayName) }
public actor Browser {
  private let queue: FileQueue
  /// Threads of its own, on which it may wait for the disk.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// The features.
  public nonisolated let configuration: BrowserConfiguration
  /// The folders of its own files, and the environment.
  public nonisolated let environment: BrowserEnvironment
  /// The open documents of the process.
  public nonisolated let registry: DocumentRegistry

  nonisolated let hub = BrowserHub()
  nonisolated let providers: [any BrowserProvider]
  /// The folders of this machine among the providers, which calls of the browser do not leave.
  nonisolated let places: Places
  nonisolated let actions: [BrowserAction]
  nonisolated let documentTypes: [BrowserDocumentType]
  nonisolated let hooks: BrowserHooks
  nonisolated let recents: RecentDocuments?
  let storedSettings: StoredState?
  let storedSession: StoredState?

  var types: TypeTable
  var table = ItemTable()
  /// The folders that were listed last, the latest at the end.
  var folders: [BrowserItem.ID: FolderState] = [:]
  var listed: [BrowserItem.ID] = []
  var watches: [any AnyObject & Sendable] = []
  /// The identities of the roots, in their order; nil before they were asked for.
  var rootItems: [Root]?
  /// The same, as they were last known.
  var knownRoots: [Root] = []
  var states: [String: ProviderState] = [:]
  /// When documents were opened last, by their paths.
  var recentTimes: [String: Double] = [:]
  var formats: [BrowserItem.ID: (state: Double?, format: String?)] = [:]
  var problems: [BrowserItem.ID: (state: Double?, problem: Diagnostic?)] = [:]
  /// The tags that were told of items, if there are any.
  var shownTags: [BrowserItem.ID: [String]] = [:]
  var settingValues = JSONObject()
  var favourites: [Reference] = []
  var windows = WindowSession()
  /// The items of the last session that were not found.
  var losses: [String] = []
  var sessionTask: Task<Void, Never>?
  var journal: CommandJournal
  var open = OpenDocuments()
  let edits = PageEdits()
  var pictures = PictureQueue()
  var indexUpdates = IndexUpdates()
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Creates a browser.
  /// - Parameters:
  ///   - providers: where the documents are.
  ///   - configuration: the features.
  ///   - documentTypes: types of documents of the application. They come before effects and texts.
  ///   - actions: more actions than the built-in ones. One with the identifier of a built-in one replaces it.
  ///   - hooks: what the application adds or replaces; nothing by default.
  ///   - environment: the folders of its own files.
  ///   - registry: the open documents; those of the process by default.
  /// - Throws: ``ParticlesCore/Rule/range`` if two own actions have one identifier, or an action has no title or
  ///   names a type that is not declared.
  public init(
    providers: [any BrowserProvider], configuration: BrowserConfiguration = BrowserConfiguration(),
    documentTypes: [BrowserDocumentType] = [], actions: [BrowserAction] = [],
    hooks: BrowserHooks = BrowserHooks(),
    environment: BrowserEnvironment = BrowserEnvironment(),
    registry: DocumentRegistry = .shared
  ) throws {
    let types = TypeTable(configuration, documentTypes)
    try BrowserAction.check(actions, types)
    let own = Set(actions.map(\.identifier))
    self.actions = BrowserAction.builtIn.filter { !own.contains($0.identifier) } + actions
    self.providers = providers
    places = Places(joining: providers.compactMap { ($0 as? FolderProvider)?.places })
    queue = FileQueue(within: places)
    self.documentTypes = documentTypes
    self.hooks = hooks
    self.configuration = configuration
    self.environment = environment
    self.registry = registry
    self.types = types
    recents = configuration.keepsRecents ? RecentDocuments(environment: environment.variables) : nil
    storedSettings = environment.state("browser-settings")
    storedSession = environment.state("browser-session")
    journal = CommandJournal(
      configuration.isReadOnly ? nil : environment.state("browser-journal"))
    let settings = (try? storedSettings?.read())?.object ?? JSONObject()
    settingValues = settings["values"]?.object ?? JSONObject()
    favourites = (settings["favourites"]?.array ?? []).compactMap { Reference(json: $0) }
  }

  deinit { hub.finish() }

  /// A thread for work that takes long, which does not leave the places.
  nonisolated var workbench: Workbench { Workbench(within: places) }

  /// The folders of this machine that a browser begins with.
  /// - Parameters:
  ///   - folders: those that were named; without any, those of the user and volumes.
  ///   - environment: the user's folders.
  public static func standardProviders(
    _ folders: [String], environment: BrowserEnvironment = BrowserEnvironment()
  ) -> [any BrowserProvider] {
    [FolderProvider(folders, includingUserFolders: folders.isEmpty, environment: environment)]
  }

  /// The events from now on. Each call returns a stream of its own, which holds the newest 1,024 events.
  public nonisolated func events() -> AsyncStream<BrowserEvent> { hub.stream() }

  // MARK: One operation at a time

  /// Waits until no other operation runs.
  func begin() async {
    guard isBusy else {
      isBusy = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Lets the next operation run.
  func end() {
    guard !waiting.isEmpty else {
      isBusy = false
      return
    }
    waiting.removeFirst().resume()
  }

  func reference(_ record: ItemTable.Record) -> Reference {
    Reference(record, isLocal: provider(record.provider) is FolderProvider)
  }

  func provider(_ identifier: String) -> (any BrowserProvider)? {
    providers.first { $0.identifier == identifier }
  }

  static func gone(_ id: BrowserItem.ID) -> Diagnostic {
    Diagnostic(
      .fileNotFound, "the item is not known any more", found: "'\(id.excerpt)'",
      hint: "list the folder again")
  }

  /// Any error as a diagnostic.
  static func diagnostic(_ error: any Error, at path: String? = nil) -> Diagnostic {
    if let diagnostic = error as? Diagnostic { return diagnostic.inside(Location(file: path)) }
    return Diagnostic(.fileUnreadable, at: Location(file: path), "\(error)")
  }
}

/// An item by what outlives the process.
struct Reference: Sendable, Hashable {
  var provider: String
  var path: String
  /// The identity; of a file of this machine with the time of its creation.
  var identity: String?

  init(_ record: ItemTable.Record, isLocal: Bool) {
    (provider, path) = (record.provider, record.path)
    identity = isLocal ? FolderListing.stamp(of: record.path) : record.identity
  }

  init?(json: JSONValue) {
    guard let object = json.object, let provider = object["provider"]?.string,
      let path = object["path"]?.string
    else { return nil }
    (self.provider, self.path) = (provider, path)
    identity = object["identity"]?.string
  }

  var json: JSONValue {
    var object: JSONObject = ["provider": .string(provider), "path": .string(path)]
    object["identity"] = identity.map(JSONValue.string)
    return .object(object)
  }
}
