internal import ParticlesCore
internal import ParticlesFormats

/// Places, rows, and the windows that come back, for pages.
extension BrowserServer {
  func state(_ request: RouteRequest) async throws -> HTTPAnswer {
    let locations = await browser.locations()
    let configuration = browser.configuration
    var place: String?
    var reveal: JSONValue?
    if let path = request.query["path"], let item = try? await browser.item(atPath: path) {
      place = item.id
    } else if let shown = request.query["show"], let item = try? await browser.item(shown) {
      place = item.isFolder ? item.id : item.parent
      if !item.isFolder { reveal = Self.reveal(item) }
    } else if let first = takeFirst() {
      place = first.location
      if let id = first.item, let item = try? await browser.item(id) { reveal = Self.reveal(item) }
    }
    var window: JSONValue?
    if let name = request.query["window"], !name.isEmpty, name.utf8.count <= 64 {
      noteUse(of: name)
    }
    if let name = request.query["window"], !name.isEmpty, !settings.isPicking,
      let known = await browser.resumeWindow(
        name, takesOver: place == nil && settings.restoresWindows)
    {
      if place == nil { place = known.query?.location }
      window = Self.window(known)
    }
    let standard =
      locations.first { $0.kind == "folder" } ?? locations.first { $0.kind != "recents" }
    let location = place ?? standard?.id ?? BrowserLocation.recents
    var object: JSONObject = [
      "version": .int(1), "isReadOnly": .bool(configuration.isReadOnly),
      "allowsCreation": .bool(configuration.allowsCreation),
      "allowsMany": .bool(configuration.allowsMultiple), "isPicking": .bool(settings.isPicking),
      "hasModule": .bool(hasModule), "style": .string(configuration.style.rawValue),
      "settings": await browser.settings,
      "places": .array(locations.map(\.json)),
      "place": .string(location),
      "opens": .bool(!settings.isPicking),
      "questions": .array(await browser.openQuestions.map(\.json)),
    ]
    object["key"] = .string(key)
    object["savedName"] = settings.savedName.map(JSONValue.string)
    object["tint"] = configuration.tint.map(JSONValue.string)
    object["reveal"] = reveal
    object["undo"] = await browser.undoName.map(JSONValue.string)
    object["redo"] = await browser.redoName.map(JSONValue.string)
    object["window"] = window
    if settings.restoresWindows {
      object["others"] = .int(await browser.untakenWindows)
      object["losses"] = .array(await browser.takeLosses().map(JSONValue.string))
    }
    if request.query["list"] != nil {
      // With the first rows, so that a page asks once before it shows them. To write all of a large folder takes longer
      // than all else.
      var first = BrowserQuery(location)
      first.count = try request.number("list", in: 1...1_000_000, or: 1_000_000)
      object["listing"] = try? await rows(first)
    }
    return HTTPAnswer(.object(object))
  }

  private static func window(_ window: BrowserSession.Window) -> JSONValue {
    var object: JSONObject = [
      "view": window.view, "selection": .array(window.selection.map(JSONValue.string)),
    ]
    object["location"] = window.query.map { .string($0.location) }
    object["document"] = window.document.map(JSONValue.string)
    return .object(object)
  }

  private static func reveal(_ item: BrowserItem) -> JSONValue {
    ["location": .string(item.parent ?? ""), "item": .string(item.id)]
  }

  func list(_ request: RouteRequest) async throws -> HTTPAnswer {
    var query = BrowserQuery(try request.value("location"))
    if query.location == BrowserLocation.recents { query.sort = .opened }
    if request.query["most"] != nil {
      query.count = try request.number("most", in: 1...1_000_000, or: 1_000_000)
    }
    if let search = request.query["search"], !search.isEmpty {
      (query.search, query.isRecursive, query.readsHeads) = (search, true, true)
      query.makesIndex = request.query["index"] == "true"
    }
    return HTTPAnswer(try await rows(query, kind: request.query["kind"]))
  }

  /// The listing of a query, with its items as rows.
  /// - Parameter kind: `folder` to leave out all others; nil for all.
  func rows(_ query: BrowserQuery, kind: String? = nil) async throws -> JSONValue {
    let listing = try await browser.list(query)
    var items = listing.items
    if kind == "folder" { items = items.filter(\.isFolder) }
    var object = listing.json(without: "items")
    let root = query.isRecursive ? listing.location.path : nil
    object["items"] = .array(
      items.map { Self.row($0, below: root, distance: listing.distances[$0.id]) })
    return .object(object)
  }

  /// An item as a row: identity, name, kind, title of its type, size, time of its change, bits, its problem,
  /// the name as it is stored, if that is another one, its tags, and for results of a search the folder that it is in and
  /// how different it looks from the effect of `similar:`.
  /// Values at the end that are null are left out.
  /// - Parameters:
  ///   - root: the path of the folder that was searched; nil for other listings.
  ///   - distance: the difference of looks; nil without one.
  static func row(
    _ item: BrowserItem, below root: String? = nil, distance: Double? = nil
  ) -> JSONValue {
    var bits = item.isSelectable ? 1 : 0
    if item.isWritable { bits |= 2 }
    if item.isOpen { bits |= 4 }
    if item.hasChanges { bits |= 8 }
    if item.isFavourite { bits |= 16 }
    if item.isLink { bits |= 32 }
    // It can be read, but not be drawn within the limits.
    if item.problem?.rule.family == "limit" { bits |= 64 }
    var folder: String?
    if let root, let path = item.path {
      let place = Files.folder(of: path)
      folder =
        place.hasPrefix(root) ? String(place.dropFirst(root.count).drop { $0 == "/" }) : place
    }
    var row: [JSONValue] = [
      .string(item.id), .string(item.displayName), .string(kind(of: item)),
      item.typeTitle.map(JSONValue.string) ?? .null, item.size.map(JSONValue.int) ?? .null,
      item.modified.map { .double(($0 * 1000).rounded() / 1000) } ?? .null, .int(bits),
      item.problem.map { .string($0.message) } ?? .null,
      item.displayName == item.name ? .null : .string(item.name),
      item.tags.isEmpty ? .null : .array(item.tags.map(JSONValue.string)),
      folder.flatMap { $0.isEmpty ? nil : .string($0.escapingControls) } ?? .null,
      distance.map { .double(($0 * 1000).rounded() / 1000) } ?? .null,
    ]
    while row.count > 7, row.last == .null { row.removeLast() }
    return .array(row)
  }

  private static let effectExtensions = Set(
    FormatRegistry.standard.formats.flatMap(\.extensions) + ["particles"])
  private static let textExtensions: Set = ["txt", "text", "md", "markdown"]

  /// How pages show an item: `folder`, `effect`, `text` or `other`.
  static func kind(of item: BrowserItem) -> String {
    if item.isFolder { return "folder" }
    if item.kind == .package || item.format != nil { return "effect" }
    guard item.kind == .file else { return "other" }
    let name = Files.pathExtension(of: item.name)
    if textExtensions.contains(name) { return "text" }
    return effectExtensions.contains(name) ? "effect" : "other"
  }

  /// Opens documents that are shown, to find their problems.
  func inspect(_ request: RouteRequest) async throws -> HTTPAnswer {
    let items = await browser.inspect(try Self.items(try request.object()))
    return HTTPAnswer(["items": .array(items.map { Self.row($0) })])
  }

  func setTags(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let tags = object["tags"]?.array?.compactMap(\.string) ?? []
    return HTTPAnswer(await browser.setTags(tags, of: try Self.items(object)).json)
  }

  func setFavourite(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    try await browser.setFavourite(
      object["favourite"]?.bool ?? true, try Self.items(object))
    return HTTPAnswer([:])
  }

  /// Notes what a window shows, so that it comes back.
  func note(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    guard let name = object["window"]?.string, !name.isEmpty, name.utf8.count <= 64 else {
      throw Diagnostic(.usage, "the body", expected: "window, the name of a window")
    }
    noteUse(of: name, isClosed: object["closed"]?.bool == true)
    if object["closed"]?.bool == true {
      await browser.leaveWindow(name)
      return HTTPAnswer([:])
    }
    var window = await browser.window(name)
    if let location = object["location"]?.string { window.query = BrowserQuery(location) }
    if let view = object["view"], view.denseText.utf8.count <= 4096 { window.view = view }
    if let selection = object["selection"]?.array {
      window.selection = selection.prefix(1000).compactMap(\.string)
    }
    let now = await browser.update(window)
    return HTTPAnswer(["selection": .array(now.selection.map(JSONValue.string))])
  }

  func find(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let path = object["path"]?.string ?? ""
    let identity = object["identity"]?.string
    guard let item = try await browser.item(atPath: path, identity: identity) else {
      if let document = await browser.openDocument(atPath: path) {
        return HTTPAnswer(document.json)
      }
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    return HTTPAnswer(item.json)
  }

  func information(_ request: RouteRequest) async throws -> HTTPAnswer {
    let id = try request.object()["item"]?.string ?? ""
    let item = try await browser.item(id)
    var facts = try await browser.information(about: id).object ?? [:]
    if Self.kind(of: item) == "effect", let path = try? await browser.localFile(of: id) {
      let (values, findings) = try await browser.workbench.run { try Self.facts(at: path) }
      facts["facts"] = .object(values)
      facts["findings"] = .array(findings.map(\.json))
    }
    return HTTPAnswer(.object(facts))
  }
}

extension BrowserListing {
  /// The listing as JSON without one of its members.
  fileprivate func json(without name: String) -> JSONObject {
    var copy = self
    copy.items = []
    var object = copy.json.object ?? [:]
    object[name] = nil
    return object
  }
}
