public import ParticlesCore
internal import ParticlesDesktop
public import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesSystem

/// A browser of documents without a screen: locations, listings, selection, undoable operations, actions, open
/// documents and the session. Several front ends can show one browser and call it.
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
  /// The identities of the roots, in their order, or nil before the first request.
  var rootItems: [Root]?
  /// The roots at the last request, also after ``rootItems`` was reset.
  var knownRoots: [Root] = []
  var states: [String: ProviderState] = [:]
  /// When documents were opened last, by their paths.
  var recentTimes: [String: Double] = [:]
  var formats: [BrowserItem.ID: (state: Double?, format: String?)] = [:]
  var problems: [BrowserItem.ID: (state: Double?, problem: Diagnostic?)] = [:]
  /// The tags in the events about items, if there were any.
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
  ///   - actions: actions besides the built-in actions. An equal identifier replaces a built-in action.
  ///   - hooks: what the application adds or replaces. Default: nothing.
  ///   - environment: the folders of its own files.
  ///   - registry: the open documents. Default: the open documents of the process.
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
  nonisolated var workbench: BackgroundWork { BackgroundWork(within: places) }

  /// The folders of this machine that a browser begins with.
  /// - Parameters:
  ///   - folders: named folders. Without any, the user's folders and the volumes.
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

  static func diagnostic(_ error: any Error, at path: String? = nil) -> Diagnostic {
    if let diagnostic = error as? Diagnostic { return diagnostic.inside(Location(file: path)) }
    return Diagnostic(.fileUnreadable, at: Location(file: path), "\(error)")
  }
}

/// A reference to an item that is valid after a restart of the program.
struct Reference: Sendable, Hashable {
  var provider: String
  var path: String
  /// The identity. For a file of this machine, it includes the time of creation.
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

extension Browser {
  /// Seconds from a change until the session is stored.
  private static let delay = 0.5
  /// Seconds until the document of a closed page is closed: the page may only be loading again.
  private static let patience = 20.0

  /// Opens a window, or returns the open window with this name.
  public func window(_ name: String) -> BrowserSession.Window {
    if windows.change(name) { sessionChanged() }
    return windows[name] ?? BrowserSession.Window(name: name)
  }

  /// Stores the state of a window. Items that cannot be selected are left out. Without
  /// ``BrowserConfiguration/allowsMultiple``, the last selected item stays.
  /// - Returns: the window as it is now.
  public func update(_ window: BrowserSession.Window) async -> BrowserSession.Window {
    // The window has a page: after loading again, the message about the old page may be late.
    windows.comeBack(window.name)
    windows.change(window.name) { ($0.query, $0.view) = (window.query, window.view) }
    await select(window.selection, in: window.name)
    sessionChanged()
    return self.window(window.name)
  }

  /// Selects items of a window, in this order.
  /// - Returns: the selection as it is now.
  @discardableResult
  public func select(_ ids: [BrowserItem.ID], in window: String) async -> [BrowserItem.ID] {
    var selection: [BrowserItem.ID] = []
    for id in ids where !selection.contains(id) {
      guard let record = table[id] else { continue }
      let isInTrash = record.parent == BrowserLocation.trash
      guard isInTrash || types.info(record.name, record.kind).isAllowed else { continue }
      selection.append(id)
    }
    if !configuration.allowsMultiple, let last = selection.last { selection = [last] }
    if self.window(window).selection != selection {
      windows.change(window) { $0.selection = selection }
      hub.send(.selection(window: window, selection))
      sessionChanged()
    }
    return selection
  }

  /// Notes that the page of a window is closed. A page that was only loaded again calls ``resumeWindow(_:)`` soon. The
  /// session keeps the window only if no window stays open, and it closed within 3 s before the last.
  public func leaveWindow(_ name: String) {
    guard windows.leave(name, at: MonotonicClock.seconds) else { return }
    sessionChanged()
    Task { [weak self] in
      try? await Task.sleep(nanoseconds: UInt64(Self.patience * 1e9))
      await self?.closeLeftDocument(of: name)
    }
  }

  /// Closes the document of a window whose page has not come back. The session keeps it.
  private func closeLeftDocument(of name: String) async {
    guard windows.isLeft(name), let document = windows[name]?.document else { return }
    await leaveDocument(in: name)
    if windows.isLeft(name) {
      windows.show(document, in: name)
      sessionChanged()
    }
  }

  /// Returns the window for a new page: the window with this name. If there is none and `takesOver` is true, the last
  /// window of the last session that no page has taken is renamed and returned.
  /// - Returns: nil for a window that nothing is known of.
  public func resumeWindow(_ name: String, takesOver: Bool = true) -> BrowserSession.Window? {
    let window = windows.resume(name, takesOver: takesOver)
    if window != nil { sessionChanged() }
    return window
  }

  /// The number of windows of the last session that no page has taken.
  public var untakenWindows: Int { windows.untaken.count }

  /// Returns messages about items that could not be restored, once.
  public func takeLosses() -> [String] {
    defer { losses = [] }
    return losses
  }

  // MARK: The session

  /// The session as it is now. Items that are gone are not selected any more.
  public var session: BrowserSession {
    var session = BrowserSession()
    session.losses = losses
    session.windows = windows.windows.map { window in
      var window = window
      window.selection.removeAll { table[$0] == nil }
      return window
    }
    return session
  }

  func sessionChanged() {
    guard sessionTask == nil, storedSession != nil else { return }
    sessionTask = Task { [weak self] in
      try? await Task.sleep(nanoseconds: UInt64(Self.delay * 1e9))
      await self?.saveSessionLate()
    }
  }

  /// Stores the session after the delay, unless it was stored meanwhile, or the browser was closed.
  private func saveSessionLate() async {
    // Cancelling also ends the delay.
    if !Task.isCancelled { try? await saveSession() }
  }

  /// Stores the session. It is also stored half a second after each change.
  public func saveSession() async throws {
    sessionTask?.cancel()
    sessionTask = nil
    guard let storedSession else { return }
    func reference(_ id: BrowserItem.ID) -> JSONValue? { table[id].map { self.reference($0).json } }
    let values = windows.kept.map { window -> JSONValue in
      var object: JSONObject = [
        "name": .string(window.name), "view": window.view,
        "selection": .array(window.selection.compactMap(reference)),
      ]
      if let query = window.query {
        object["query"] = query.json
        object["location"] = reference(query.location)
      }
      object["document"] = window.document.flatMap(reference)
      return .object(object)
    }
    try storedSession.write(["version": .int(1), "windows": .array(values)])
  }

  /// Restores the windows of the last session. Renamed items are found. Lost items are in ``BrowserSession/losses``.
  @discardableResult
  public func restoreSession() async -> BrowserSession {
    let stored = ((try? storedSession?.read())?.object?["windows"]?.array ?? []).prefix(
      WindowSession.most)
    losses = []
    for value in stored {
      guard let object = value.object, let name = object["name"]?.string else { continue }
      var window = BrowserSession.Window(name: name)
      window.view = object["view"] ?? .null
      if let json = object["query"], var query = try? BrowserQuery(json: json) {
        if let location = object["location"] {
          if let item = await restored(location), item.isFolder {
            query.location = item.id
            window.query = query
          }
        } else if [BrowserLocation.recents, BrowserLocation.trash].contains(query.location) {
          window.query = query
        }
      }
      for reference in object["selection"]?.array ?? [] {
        if let item = await restored(reference) { window.selection.append(item.id) }
      }
      if let reference = object["document"], let item = await restored(reference) {
        window.document = item.id
      }
      windows.restore(window)
    }
    return session
  }

  private func restored(_ json: JSONValue) async -> BrowserItem? {
    guard let reference = Reference(json: json) else { return nil }
    if let item = await item(of: reference) { return item }
    let loss = "'\(reference.path.escapingControls)' is gone"
    if !losses.contains(loss) { losses.append(loss) }
    return nil
  }

  /// Updates references to items after renames.
  func noteMoves(_ ids: [BrowserItem.ID]) {
    var isChanged = false
    for id in ids {
      guard let record = table[id], let identity = record.identity else { continue }
      for index in favourites.indices
      where favourites[index].provider == record.provider && favourites[index].path != record.path {
        let known = favourites[index].identity
        guard known?.split(separator: "@").first.map(String.init) == identity,
          known == self.reference(record).identity
        else { continue }
        favourites[index].path = record.path
        isChanged = true
      }
    }
    if isChanged { try? storeSettings() }
    if !windows.windows.isEmpty { sessionChanged() }
  }

  // MARK: Settings

  /// The settings of the user: an object.
  public var settings: JSONValue { .object(settingValues) }

  /// Changes a setting, stores it at once, and tells all front ends. Null removes the setting.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/range`` if `tint` is no colour.
  public func set(_ name: String, to value: JSONValue) async throws {
    // An empty tint selects the pages' own tint.
    if name == "tint", let tint = value.string, !tint.isEmpty {
      try BrowserConfiguration.check(tint: tint)
    }
    settingValues[name] = value == .null ? nil : value
    try storeSettings()
    hub.send(.setting(name, value))
  }

  func storeSettings() throws {
    let (values, marks) = (settingValues, favourites)
    try storedSettings?.change { old in
      var object = old?.object ?? ["version": .int(1)]
      object["values"] = .object(values)
      object["favourites"] = .array(marks.map(\.json))
      return .object(object)
    }
  }

  /// The facts about an item: path, type, conformances, size, dates, tags, versions, programs that open it.
  public func information(about id: BrowserItem.ID) async throws -> JSONValue {
    let item = try await item(id)
    guard case .object(var object) = item.json else { return item.json }
    object["conformsTo"] = .array(types.supertypes(of: item.type).map(JSONValue.string))
    guard let path = item.path else { return .object(object) }
    if let status = try Files.status(path, followingLinks: false) {
      object["mode"] = .int(Int(status.mode))
      object["hardLinks"] = .int(status.links)
      if status.kind == .symbolicLink {
        object["target"] = .string(try Files.destination(ofLink: path))
      }
    }
    if item.kind == .package || item.isFolder {
      let (size, files) = Self.size(of: path)
      object["size"] = .int(size)
      object["files"] = .int(files)
    }
    if let folder = environment.directories.dataHome, !item.isFolder {
      let versions = try? VersionStore(dataFolder: folder).versions(of: path)
      object["versions"] = .array(
        (versions ?? []).map { version in
          [
            "number": .int(version.number), "kind": .string("\(version.kind)"),
            "seconds": .double(version.seconds),
          ]
        })
    }
    if !item.isFolder, let programs = try? Desktop(environment: environment.variables) {
      let type = types.info(item.name, item.kind).mimeType
      object["opensIn"] = .array(
        programs.programs(for: type, includingSupertypes: true).map {
          ["id": .string($0.identifier), "name": .string($0.name)]
        })
    }
    return .object(object)
  }

  /// The bytes and the number of the files in a folder. Only the first 100,000 entries are counted.
  private static func size(of path: String) -> (bytes: Int, files: Int) {
    var (bytes, files, seen, waiting) = (0, 0, 0, [path])
    while let folder = waiting.popLast(), seen < 100_000 {
      guard let reader = try? FolderReader(folder, followingLinks: folder == path) else { continue }
      try? reader.forEachEntry { entry in
        seen += 1
        guard let status = entry.status else { return }
        if status.kind == .directory {
          if let name = String(validating: entry.name, as: UTF8.self) {
            waiting.append(Files.joined(folder, name))
          }
        } else {
          bytes += status.size
          files += 1
        }
      }
    }
    return (bytes, files)
  }
}

/// The windows of a browser, as pages open, leave and take them over.
struct WindowSession {
  typealias Window = BrowserSession.Window

  /// More windows than this are not kept.
  static let most = 64
  /// Pages that close within so many seconds count as closed together, with the web browser.
  private static let together = 3.0

  /// The windows, in the order in which they were opened. Each has a name of its own.
  private(set) var windows: [Window] = []
  /// When the pages of windows were left, by their names, in seconds.
  private var left: [String: Double] = [:]
  /// The windows of the last session that no page has taken yet, the last one at the end.
  private(set) var untaken: [String] = []

  subscript(name: String) -> Window? { windows.first { $0.name == name } }

  /// Changes a window, and opens it first if necessary.
  /// - Returns: whether it was opened.
  @discardableResult
  mutating func change(_ name: String, _ body: (inout Window) -> Void = { _ in }) -> Bool {
    if let index = windows.firstIndex(where: { $0.name == name }) {
      body(&windows[index])
      return false
    }
    var window = Window(name: name)
    body(&window)
    windows.append(window)
    if windows.count > Self.most { windows.removeFirst() }
    return true
  }

  /// Notes the document that an open window shows, or nil.
  mutating func show(_ document: BrowserItem.ID?, in name: String) {
    if self[name] != nil { change(name) { $0.document = document } }
  }

  /// No window shows a document any more.
  mutating func forget(_ document: BrowserItem.ID) {
    for index in windows.indices where windows[index].document == document {
      windows[index].document = nil
    }
  }

  /// Takes items out of the selections.
  /// - Returns: the windows whose selections have changed.
  mutating func deselect(_ isGone: (BrowserItem.ID) -> Bool) -> [Window] {
    var changed: [Window] = []
    for index in windows.indices where windows[index].selection.contains(where: isGone) {
      windows[index].selection.removeAll(where: isGone)
      changed.append(windows[index])
    }
    return changed
  }

  // MARK: Pages

  /// Notes that the page of a window is gone.
  /// - Returns: false if there is no such window.
  mutating func leave(_ name: String, at seconds: Double) -> Bool {
    guard self[name] != nil else { return false }
    left[name] = seconds
    return true
  }

  /// Whether the page of a window is gone.
  func isLeft(_ name: String) -> Bool { left[name] != nil }

  /// Notes that a window has a page.
  mutating func comeBack(_ name: String) { left[name] = nil }

  /// Returns the window for a new page: the window with its name. If there is none and `takesOver` is true, the last
  /// window of the last session that no page has taken is renamed and returned.
  mutating func resume(_ name: String, takesOver: Bool) -> Window? {
    comeBack(name)
    if let window = self[name] {
      untaken.removeAll { $0 == name }
      return window
    }
    guard takesOver, let old = untaken.popLast(),
      let index = windows.firstIndex(where: { $0.name == old })
    else { return nil }
    windows[index].name = name
    return windows[index]
  }

  /// Adds a window of the last session, which a page may take over.
  mutating func restore(_ window: Window) {
    change(window.name) { $0 = window }
    if !untaken.contains(window.name) { untaken.append(window.name) }
  }

  /// The windows for the session: all windows with pages. If there are none, the windows whose pages closed last.
  var kept: [Window] {
    let shown = windows.filter { left[$0.name] == nil }
    guard shown.isEmpty, let last = left.values.max() else { return shown }
    return windows.filter { left[$0.name] ?? 0 >= last - Self.together }
  }
}
