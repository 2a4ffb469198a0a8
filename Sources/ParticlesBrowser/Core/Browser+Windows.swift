public import ParticlesCore
internal import ParticlesDocuments

extension Browser {
  /// The session is stored so many seconds after a change.
  private static let delay = 0.5
  /// The document of a page that is gone stays open for so many seconds: it may be loaded again.
  private static let patience = 20.0

  /// Opens a window, or returns the one of this name.
  public func window(_ name: String) -> BrowserSession.Window {
    if windows.change(name) { sessionChanged() }
    return windows[name] ?? BrowserSession.Window(name: name)
  }

  /// Notes what a window shows. Selected items that cannot be selected are left out; without
  /// ``BrowserConfiguration/allowsMultiple``, the last one stays.
  /// - Returns: the window as it is now.
  public func update(_ window: BrowserSession.Window) async -> BrowserSession.Window {
    // Its page is there: it may have been loaded again, and told its end late.
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

  /// Forgets a window, and closes its document.
  public func closeWindow(_ name: String) async throws {
    try await closeDocument(in: name)
    windows.close(name)
    sessionChanged()
  }

  /// Notes that the page of a window is gone: closed, or loaded again, which ``resumeWindow(_:)`` tells. It is part of the
  /// session only if no window is left that was not closed at the same time.
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

  /// Returns a window that begins: the one of this name; or else, if `takesOver`, the last window of the last session that
  /// no page has taken, which has this name from now on.
  /// - Returns: nil for a window that nothing is known of.
  public func resumeWindow(_ name: String, takesOver: Bool = true) -> BrowserSession.Window? {
    let window = windows.resume(name, takesOver: takesOver)
    if window != nil { sessionChanged() }
    return window
  }

  /// The number of windows of the last session that no page has taken.
  public var untakenWindows: Int { windows.untaken.count }

  /// The items that could not be restored, in words, which are told once.
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
      try? await self?.saveSession()
    }
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

  /// Restores the windows of the last session. Items that were renamed are found; lost ones are in
  /// ``BrowserSession/losses``.
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

  /// Lets what refers to items follow their renames.
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

  /// Sets a setting; null removes it. Stored at once, and told to all front ends.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/range`` if `tint` is no colour.
  public func set(_ name: String, to value: JSONValue) async throws {
    // An empty tint is that of the pages.
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
}
