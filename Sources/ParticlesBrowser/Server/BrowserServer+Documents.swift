internal import ParticlesCore
internal import ParticlesFormats

extension BrowserServer {
  // MARK: Places and items

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
    let standard =
      locations.first { $0.kind == "folder" } ?? locations.first { $0.kind != "recents" }
    var object: JSONObject = [
      "version": .int(1), "isReadOnly": .bool(configuration.isReadOnly),
      "allowsCreation": .bool(configuration.allowsCreation),
      "allowsMany": .bool(configuration.allowsMultiple), "isPicking": .bool(settings.isPicking),
      "hasModule": .bool(hasModule), "style": .string(configuration.style.rawValue),
      "settings": await browser.settings,
      "places": .array(locations.map(\.json)),
      "place": .string(place ?? standard?.id ?? BrowserLocation.recents),
      "opens": .bool(!settings.isPicking),
    ]
    object["savedName"] = settings.savedName.map(JSONValue.string)
    object["tint"] = configuration.tint.map(JSONValue.string)
    object["reveal"] = reveal
    return HTTPAnswer(.object(object))
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
    let listing = try await browser.list(query)
    var items = listing.items
    if request.query["kind"] == "folder" { items = items.filter(\.isFolder) }
    var object = listing.json(without: "items")
    object["items"] = .array(items.map(Self.row))
    return HTTPAnswer(.object(object))
  }

  /// An item as a row: identity, name, kind, title of its type, size, time of its change, bits, its problem, and
  /// the name as it is stored, if that is another one. Values at the end that are null are left out.
  static func row(_ item: BrowserItem) -> JSONValue {
    var bits = item.isSelectable ? 1 : 0
    if item.isWritable { bits |= 2 }
    if item.isOpen { bits |= 4 }
    if item.hasChanges { bits |= 8 }
    if item.isFavourite { bits |= 16 }
    if item.isLink { bits |= 32 }
    var row: [JSONValue] = [
      .string(item.id), .string(item.displayName), .string(kind(of: item)),
      item.typeTitle.map(JSONValue.string) ?? .null, item.size.map(JSONValue.int) ?? .null,
      item.modified.map { .double(($0 * 1000).rounded() / 1000) } ?? .null, .int(bits),
    ]
    if item.problem != nil || item.displayName != item.name {
      row.append(item.problem.map { .string($0.message) } ?? .null)
    }
    if item.displayName != item.name { row.append(.string(item.name)) }
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

  func find(_ request: RouteRequest) async throws -> HTTPAnswer {
    let path = try request.object()["path"]?.string ?? ""
    guard let item = try await browser.item(atPath: path) else {
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    return HTTPAnswer(item.json)
  }

  func information(_ request: RouteRequest) async throws -> HTTPAnswer {
    let id = try request.object()["item"]?.string ?? ""
    let item = try await browser.item(id)
    var facts = try await browser.information(about: id).object ?? [:]
    if Self.kind(of: item) == "effect", let path = try? await browser.localFile(of: id) {
      let (lines, findings) = try await Workbench().run { try Self.facts(at: path) }
      facts["facts"] = .array(
        lines.map { ["label": .string($0.label), "value": .string($0.value)] })
      facts["findings"] = .array(findings.map(\.json))
    }
    return HTTPAnswer(.object(facts))
  }

  // MARK: Open documents

  func open(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let id = object["item"]?.string ?? ""
    let document = try await browser.open(id, in: object["window"]?.string ?? "")
    var answer: JSONObject = ["document": document.json]
    if document.kind == .text {
      answer["text"] = try await browser.contents(of: id).text.map(JSONValue.string)
    }
    return HTTPAnswer(.object(answer))
  }

  func close(_ request: RouteRequest) async throws -> HTTPAnswer {
    try await browser.closeDocument(in: request.object()["window"]?.string ?? "")
    return HTTPAnswer([:])
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

  func importBytes(_ request: RouteRequest) async throws -> HTTPAnswer {
    let item = try await browser.add(
      request.body, named: request.value("name"), to: request.value("location"))
    return HTTPAnswer(item.json)
  }

  /// Adds a text whose format is recognised; its name is that of the format.
  func paste(_ request: RouteRequest) async throws -> HTTPAnswer {
    let body = request.body
    let format = try await Workbench().run {
      try FormatRegistry.standard.recognising(body, fileName: "Pasted")
    }
    let kind = format.extensions.first ?? "txt"
    let item = try await browser.add(
      body, named: "Pasted.\(kind)", to: request.value("location"))
    return HTTPAnswer(item.json)
  }

  func rename(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let outcome = await browser.perform(
      .rename(object["item"]?.string ?? "", to: object["name"]?.string ?? ""))
    return HTTPAnswer(outcome.json)
  }

  func perform(
    _ request: RouteRequest,
    _ operation: ([BrowserItem.ID], JSONObject) throws -> BrowserOperation
  ) async throws -> HTTPAnswer {
    let object = try request.object()
    return HTTPAnswer(await browser.perform(try operation(Self.items(object), object)).json)
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
      tell([
        "event": "reveal", "location": .string(shown.isFolder ? shown.id : parent),
        "item": .string(shown.id), "opens": .bool(!shown.isFolder),
      ])
    }
    var answer: JSONObject = ["pages": .int(pageCount)]
    if object["reveals"]?.bool != true {
      answer["page"] = try makeForwardingPage(showing: shown?.id).map(JSONValue.string)
    }
    return HTTPAnswer(.object(answer))
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
