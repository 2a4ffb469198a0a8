internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesSystem

extension BrowserServer {
  // MARK: Open documents

  func open(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let id = object["item"]?.string ?? ""
    let document = try await browser.open(id, in: object["window"]?.string ?? "")
    var answer: JSONObject = ["document": document.json]
    answer["obstacle"] = await browser.obstacle(id).map(JSONValue.object)
    if document.kind == .text {
      answer["text"] = try await browser.contents(of: id).text.map(JSONValue.string)
      answer["offered"] = await browser.offeredEntry(id).map { .object(Browser.outline($0)) }
    }
    return HTTPAnswer(.object(answer))
  }

  /// Closes the document of a window. A document that cannot be closed stays in the background and in the answer.
  func close(_ request: RouteRequest) async throws -> HTTPAnswer {
    let kept = await browser.leaveDocument(in: try request.object()["window"]?.string ?? "")
    return HTTPAnswer(kept.map { ["kept": $0.json] } ?? [:])
  }

  func setText(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    guard let id = object["item"]?.string, let text = object["text"]?.string,
      let revision = object["revision"]?.int
    else { throw Diagnostic(.usage, expected: "item, text and revision") }
    _ = try await browser.setText(text, of: id, from: revision)
    _ = try await browser.save(id)
    // With the changes of other programs that saving has merged.
    let contents = try await browser.contents(of: id)
    return HTTPAnswer([
      "document": contents.document.json, "text": contents.text.map(JSONValue.string) ?? .null,
    ])
  }

  // MARK: Operations

  func create(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let item = try await browser.create(
      template: object["template"]?.string ?? "", named: object["name"]?.string,
      in: object["location"]?.string ?? "")
    return HTTPAnswer(item.json)
  }

  func makeFolder(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let outcome = await browser.perform(
      .createFolder(object["name"]?.string ?? "", in: object["location"]?.string ?? ""))
    guard let item = outcome.items.first else {
      throw outcome.results.first?.diagnostic ?? Diagnostic(.usage, "the folder")
    }
    return HTTPAnswer(item.json)
  }

  func importBytes(_ request: RouteRequest) async throws -> HTTPAnswer {
    let item = try await browser.add(
      request.body, named: request.value("name"), to: request.value("location"))
    return HTTPAnswer(item.json)
  }

  /// Adds a text in a recognised format, with the format's name.
  func paste(_ request: RouteRequest) async throws -> HTTPAnswer {
    let body = request.body
    let format = try await BackgroundWork().run {
      try FormatRegistry.standard.recognising(body, fileName: "Pasted")
    }
    let kind = format.extensions.first ?? "txt"
    let item = try await browser.add(
      body, named: "Pasted.\(kind)", to: request.value("location"))
    return HTTPAnswer(item.json)
  }

  func rename(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    if object["items"] != nil {
      let (items, names) = (try Self.items(object), object["names"]?.array ?? [])
      guard items.count == names.count else {
        throw Diagnostic(.usage, "the body", expected: "a name for each item")
      }
      let pairs = zip(items, names).map {
        BrowserOperation.Renaming($0, to: $1.string ?? "")
      }
      return HTTPAnswer(told(await browser.perform(.renameAll(pairs))).json)
    }
    let outcome = await browser.perform(
      .rename(object["item"]?.string ?? "", to: object["name"]?.string ?? ""))
    return HTTPAnswer(told(outcome).json)
  }

  func perform(
    _ request: RouteRequest,
    _ operation: ([BrowserItem.ID], JSONObject) throws -> BrowserOperation
  ) async throws -> HTTPAnswer {
    let object = try request.object()
    let outcome = await browser.perform(try operation(Self.items(object), object))
    return HTTPAnswer(told(outcome).json)
  }

  static func items(_ object: JSONObject) throws -> [BrowserItem.ID] {
    let items = object["items"]?.array?.compactMap(\.string) ?? []
    guard !items.isEmpty else { throw Diagnostic(.usage, "the body", expected: "items") }
    return items
  }

  func undo(isRedo: Bool) async -> HTTPAnswer {
    let name = isRedo ? await browser.redoName : await browser.undoName
    let outcome = isRedo ? await browser.redo() : await browser.undo()
    var object = outcome.json.object ?? [:]
    object["name"] = name.map(JSONValue.string)
    // An undone operation is not offered to be undone.
    object["undo"] = nil
    return HTTPAnswer(.object(object))
  }

  func set(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    guard let name = object["name"]?.string else { throw Diagnostic(.usage, expected: "name") }
    try await browser.set(name, to: object["value"] ?? .null)
    return HTTPAnswer([:])
  }

  func pick(_ request: RouteRequest) async throws -> HTTPAnswer {
    guard settings.isPicking else { throw Diagnostic(.usage, "nothing is picked here") }
    let object = try request.object()
    if let name = object["name"]?.string, let folder = object["location"]?.string {
      end(.picked([try await saved(name, in: folder, replaces: object["replaces"]?.bool ?? false)]))
    } else if object["items"] == .null {
      await browser.cancelPicking()
    } else {
      try await browser.pick(Self.items(object))
    }
    return HTTPAnswer([:])
  }

  /// The path of a file that a script will save.
  private func saved(_ name: String, in folder: String, replaces: Bool) async throws -> String {
    guard settings.savedName != nil else { throw Diagnostic(.usage, "nothing is saved here") }
    guard !name.isEmpty, !name.contains("/"), ![".", ".."].contains(name), name.utf8.count <= 255,
      !name.unicodeScalars.contains("\0")
    else { throw Diagnostic(.usage, "the name", expected: "a name of a file", found: "'\(name)'") }
    let path = Files.joined(try await browser.localFile(of: folder), name)
    if let status = try Files.status(path, followingLinks: false),
      !replaces || status.kind == .directory
    {
      throw Diagnostic(
        .fileExists, at: Location(file: path),
        status.kind == .directory ? "it is a folder" : nil, hint: "choose again to replace it")
    }
    return path
  }

  /// Takes over the arguments of another call of the tool.
  func show(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let paths = object["paths"]?.array?.compactMap(\.string) ?? []
    var shown: BrowserItem?
    for path in paths { shown = try await browser.reveal(path) }
    if object["reveals"]?.bool == true, let shown, let parent = shown.parent ?? Optional(shown.id) {
      var event: JSONObject = [
        "event": "reveal", "location": .string(shown.isFolder ? shown.id : parent),
        "item": .string(shown.id), "opens": .bool(!shown.isFolder),
      ]
      event["window"] = lastWindow.map(JSONValue.string)
      tell(.object(event))
    }
    var answer: JSONObject = ["pages": .int(pageCount)]
    if object["reveals"]?.bool != true {
      answer["page"] = try makeForwardingPage(showing: shown?.id).map(JSONValue.string)
    }
    return HTTPAnswer(.object(answer))
  }
}

/// Actions, sharing, conflicts and questions.
extension BrowserServer {
  /// Runs an action on documents.
  func act(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let items = try Self.items(object)
    let name = object["job"]?.string ?? ""
    let identifier = object["action"]?.string ?? ""
    let options = object["options"] ?? [:]
    let outcome = try await job(name) { [browser] in
      try await browser.run(identifier, on: items, options: options, job: name)
    }
    return HTTPAnswer(outcome.json)
  }

  /// The actions for some items, and the ways to share them.
  func offers(_ request: RouteRequest) async throws -> HTTPAnswer {
    let items = try Self.items(try request.object())
    return HTTPAnswer([
      "actions": .array(await browser.offers(for: items).map(\.json)),
      "sharing": .array(await browser.sharingOffers(for: items).map(\.json)),
    ])
  }

  func share(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let items = try Self.items(object)
    let outcome = try await browser.share(
      object["service"]?.string ?? "", items, job: object["job"]?.string ?? "")
    return HTTPAnswer(outcome.json)
  }

  func cancelJob(_ request: RouteRequest) async throws -> HTTPAnswer {
    guard let name = try request.object()["job"]?.string, !name.isEmpty else {
      throw Diagnostic(.usage, "the body", expected: "job, the name of a job")
    }
    cancel(name)
    return HTTPAnswer([:])
  }

  /// Ends a conflict of an open document.
  func resolve(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let word = object["keep"]?.string ?? ""
    guard let side = ConflictSide(rawValue: word) else {
      throw Diagnostic(
        .usage, "'keep'", expected: ConflictSide.allCases.map(\.rawValue).joined(separator: ", "),
        found: "'\(word.excerpt)'")
    }
    let id = object["item"]?.string ?? ""
    let (document, beside) = try await browser.resolve(id, keeping: side)
    var answer: JSONObject = ["document": document.json]
    if document.kind == .text {
      answer["text"] = try await browser.contents(of: id).text.map(JSONValue.string)
    }
    answer["beside"] = beside?.json
    return HTTPAnswer(.object(answer))
  }

  func answerQuestion(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    try await browser.answer(
      object["question"]?.string ?? "", with: object["value"]?.string ?? "")
    return HTTPAnswer([:])
  }

  // MARK: Revealing

  /// Shows an item in the file manager of the desktop, or else its folder.
  func revealOutside(_ request: RouteRequest) async throws -> HTTPAnswer {
    let id = try request.object()["item"]?.string ?? ""
    let path = try await browser.localFile(of: id)
    try await BackgroundWork().run { try FileManagers.reveal(path) }
    return HTTPAnswer([:])
  }
}

/// The file manager of the desktop.
private enum FileManagers {
  /// Shows a file: by the interface that file managers share (`org.freedesktop.FileManager1`), or else its folder.
  static func reveal(_ path: String) throws {
    #if os(macOS)
      let calls = [("open", ["-R", path])]
    #else
      // The address is in quotation marks of the text form of GVariant.
      let address = FileURI.reference(path).replacing("'", with: "%27")
      let calls = [
        (
          "gdbus",
          [
            "call", "--session", "--timeout", "3", "--dest", "org.freedesktop.FileManager1",
            "--object-path", "/org/freedesktop/FileManager1", "--method",
            "org.freedesktop.FileManager1.ShowItems", "['\(address)']", "''",
          ]
        ), ("xdg-open", [Files.folder(of: path)]),
      ]
    #endif
    for (program, arguments) in calls {
      if try Program.run(program, arguments) == 0 { return }
    }
    throw Diagnostic(
      .fileUnreadable, at: Location(file: path), "no file manager shows it",
      hint: "copy the path instead")
  }
}

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
  /// - Parameter kind: `folder` to leave out all other items, or nil for all.
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

  /// An item as a row: identity, name, kind, title of its type, size, time of its change, bits, problem, the stored
  /// name if it differs, and tags. For results of a search, the folder and the difference in look from the effect of
  /// `similar:` follow. Values at the end that are null are left out.
  /// - Parameters:
  ///   - root: the path of the folder that was searched, or nil for other listings.
  ///   - distance: the difference of looks, or nil.
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

  /// Stores the state of a window, so that it can be restored.
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

/// Documents that cannot be closed or saved, and contents that ended programs have left.
extension BrowserServer {
  func background() async -> HTTPAnswer {
    HTTPAnswer(["documents": .array(await browser.backgroundDocuments().map(\.json))])
  }

  /// A way out for a document that cannot be saved, or whose file is gone.
  func rescue(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    guard let way = Rescue(rawValue: try object.text("way")) else {
      throw Diagnostic(
        .usage, "'way'", expected: Rescue.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let id = try object.text("item")
    let copy = try await browser.rescue(
      id, by: way, in: object["window"]?.string ?? "", to: object["location"]?.string,
      named: object["name"]?.string)
    var answer: JSONObject = [:]
    answer["copy"] = copy?.json
    answer["document"] = (try? await browser.document(id))?.json
    return HTTPAnswer(.object(answer))
  }

  // MARK: Recovered contents

  /// The unsaved contents that programs have left, with the items of their documents.
  func recovered() async throws -> HTTPAnswer {
    var rows: [JSONValue] = []
    for entry in try await browser.recoveredEntries() {
      var row = Browser.outline(entry)
      row["isGone"] = .bool(entry.path.isEmpty || ((try? Files.status(entry.path)) ?? nil) == nil)
      if let item = await browser.document(of: entry) {
        row["item"] = .string(item.id)
        row["parent"] = item.parent.map(JSONValue.string)
      }
      rows.append(.object(row))
    }
    return HTTPAnswer(["entries": .array(rows)])
  }

  /// Takes recovered contents into an open document, writes them elsewhere, or removes them.
  func recover(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let entry = try object.text("entry")
    var answer: JSONObject = [:]
    switch try object.text("way") {
    case "take": _ = try await browser.takeRecovered(object.text("item"), entry)
    case "copy":
      answer["copy"] = try await browser.saveRecovered(
        entry, as: object["name"]?.string, in: object.text("location")
      ).json
    case "discard": try await browser.discardRecovered(entry)
    case let way:
      throw Diagnostic(.usage, "'way'", expected: "take, copy or discard", found: way)
    }
    return HTTPAnswer(.object(answer))
  }

  /// The contents of an entry: an effect for the player, a picture, or a text.
  func recoveredContents(_ request: RouteRequest) async throws -> HTTPAnswer {
    let entry = try request.value("entry")
    switch try request.value("as") {
    case "text":
      guard let text = try await browser.recoveredText(entry) else { throw Diagnostic(.fileText) }
      return HTTPAnswer(["text": .string(text)])
    case "effect":
      let package = try await browser.recoveredEffect(entry)
      let bytes = try await BackgroundWork().run { try package.forPlayer() }
      return HTTPAnswer(bytes, as: "application/vnd.particles")
    case "thumbnail":
      return try await thumbnail(
        of: browser.recoveredEffect(entry), size: request.number("size", in: 16...1024, or: 128))
    case let kind:
      throw Diagnostic(.usage, "'as'", expected: "text, effect or thumbnail", found: kind)
    }
  }
}
